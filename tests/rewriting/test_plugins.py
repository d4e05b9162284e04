"""Rules of plug-ins: how they are loaded, what they may do, and errors that name them."""

import os
import re
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from differential.judge import claims
from support.cases.draw import Draw
from support.cases.table import drawing
from support.commands import INT8, ROOT, unwrapped
from support.tflite_models import Operator, Subgraph, Tensor, build

import tosa_converter as tc
from tosa_converter.cli import main as cli
from tosa_converter.errors import PluginError, UnsupportedError, UsageError
from tosa_converter.execute.plan import Context, run
from tosa_converter.ir import Op
from tosa_converter.rewriting import plugins
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.expr import const, emit, minimum
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.plugins import load_rules
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tfl_ops import TRANSPOSE_BIAS
from tosa_converter.schemas.tflite import BuiltinOperator as B

PLUGIN = ROOT / "tests" / "support" / "plugins" / "transpose_bias.py"
Build = Callable[[tc.Match], Any]


def mystery(shape: Sequence[int] = (4,), signature: Sequence[int] = (), **custom: Any) -> bytes:
    operator = Operator(B.CUSTOM, (0,), (1,), **{"custom_code": "Mystery", **custom})
    return build([Tensor((4,)), Tensor(shape, signature=signature)], [operator], (0,), (1,))


def absolute(match: tc.Match) -> tc.Expr:
    return abs(match[0])


MYSTERY = tc.Rule("custom.Mystery", "fp32", absolute)


def doubled(match: tc.Match) -> tc.Expr:
    return match["lhs"] + match["lhs"]


def changed(**fields: Any) -> tc.Rule:
    return MYSTERY._replace(**fields)


def test_a_rule_takes_a_custom_operator() -> None:
    tosa = tc.convert(mystery(), rules=[MYSTERY])
    assert [op.name for op in tosa.main] == ["tosa.abs"]
    assert not tosa.report.notes
    with pytest.raises(
        UnsupportedError,
        match=r"Mystery at main:0 .*\nthe custom operator 'Mystery' is not known: add rules",
    ):
        tc.convert(mystery())  # no rule stays loaded


@rule(pattern("tfl.neg", pattern("tfl.abs", "x", name="magnitude")), "fp32", of=("x",))
def negative_magnitude(match: tc.Match) -> tc.Expr:
    """Returns MINIMUM(x, -x) for NEG(ABS(x))."""
    match.require(match.source("magnitude").name == "t1", "the magnitude isn't t1")
    return minimum(match["x"], -match["x"])


def negated(source: B, dtype: str = "float32") -> bytes:
    operators = [Operator(source, (0,), (1,)), Operator(B.NEG, (1,), (2,))]
    return build([Tensor((4,), dtype)] * 3, operators, (0,), (2,))


def test_a_rule_takes_a_pattern_of_operators() -> None:
    tosa = tc.convert(negated(B.ABS), rules=[negative_magnitude])
    assert [op.name for op in tosa.main if op.inputs] == ["tosa.negate", "tosa.minimum"]
    x = np.array([-2, -0.5, 0, 3], np.float32)
    assert np.array_equal(next(iter(tc.run(tosa, {"t0": x}).values())), -np.abs(x))
    for model, reason in (
        (negated(B.CEIL), "expected ABS(x) as an operand, found the result of CEIL"),
        (negated(B.ABS, "int32"), "operand x: expected fp32, found i32"),
    ):
        attempts = tc.explain(model, "NEG", rules=[negative_magnitude]).operators[0].attempts[0]
        assert dict(attempts.declined) == {"test_plugins.negative_magnitude": reason}
        assert attempts.accepted == "float.elementwise.neg"


def test_the_types_of_a_pattern_are_those_of_its_names() -> None:
    with pytest.raises(UsageError, match=r"the rule of tfl.neg: expected operands by .*, found \('y',\)"):
        tc.convert(negated(B.ABS), rules=[negative_magnitude._replace(of=("y",))])


@pytest.mark.parametrize(("padding", "kernel"), [(1, (2, 3)), (1, (3, 4)), (2, (3, 3))])
def test_a_plugin_converts_as_the_built_in_rule(padding: int, kernel: tuple[int, int]) -> None:
    size = (10, 12) if padding == 1 else (4 * 2 + kernel[0], 3 * 3 + kernel[1])
    random = np.random.default_rng(1)
    weight, bias = random.random((3, *kernel, 8), np.float32), random.random(3, np.float32)
    tensors = [Tensor((1, 5, 4, 8)), Tensor(weight.shape, data=weight), Tensor((3,), data=bias), Tensor((1, *size, 3))]
    options = struct.pack("<3i", padding, 3, 2)
    operator = Operator(B.CUSTOM, [0, 1, 2], [3], custom_code=TRANSPOSE_BIAS, custom_options=options)
    data = build(tensors, [operator], [0], [3])
    built_in, plugged = tc.convert(data), tc.convert(data, rules=[PLUGIN])
    assert str(plugged) == str(built_in)
    (note,) = plugged.report.notes
    assert note.text == (
        f"transpose_bias.transpose_bias of plugin {PLUGIN} in place of custom.convolution.convolution_2d_transpose_bias"
    )
    short = build(tensors, [replace(operator, custom_options=options[:8])], [0], [3])
    with pytest.raises(
        UnsupportedError, match=r"transpose_bias: expected 12 bytes of options, found 8; custom\.convolution"
    ):
        tc.convert(short, rules=[PLUGIN])


@pytest.mark.parametrize(("root", "types"), [key for key in sorted(claims()) if key[0].startswith("custom.")])
def test_built_in_rules_convert_the_same_as_plugins(root: str, types: str, tmp_path: Path) -> None:
    """Each custom operator converts the same as a plug-in's: the checks of plug-ins change and refuse nothing."""
    text = "from support.passes import rule_pass\n"
    text += f"RULES = [rule for rule in rule_pass('tfl').rules if rule.root == {root!r}]\n"
    (tmp_path / "again.py").write_text(text)
    draw = drawing(root, types)
    converted = 0
    for seed in range(6):
        data, _ = draw(Draw(seed, types)).model()
        try:
            built_in = tc.convert(data)
        except UnsupportedError:
            continue
        assert str(tc.convert(data, rules=[tmp_path / "again.py"])) == str(built_in)
        converted += 1
    assert converted


CODES = ("FlexAbs", "MaxPoolWithArgmax", "TFLite_Detection_PostProcess", "Convolution2DTransposeBias")


@pytest.mark.parametrize("code", CODES)
def test_a_users_rule_wins_over_the_one_that_ships(code: str) -> None:
    def zeros(match: tc.Match) -> list[tc.Expr]:
        sizes = [[size or 1 for size in value.type.shape] for value in match.op.results]
        dtypes = [value.type.dtype for value in match.op.results]
        return [const(np.zeros(size), dtype) for size, dtype in zip(sizes, dtypes, strict=True)]

    operator = Operator(B.CUSTOM, (0,), (1,), custom_code=code)
    data = build([Tensor((1, 2, 2, 1))] * 2, [operator], (0,), (1,))
    tosa = tc.convert(data, rules=[tc.Rule(f"custom.{code}", "fp32", zeros)])
    assert not tc.run(tosa, {"t0": np.ones((1, 2, 2, 1), np.float32)})["t1"].any()


@pytest.mark.parametrize("path", sorted((ROOT / "legalize" / "custom").glob("*.py")), ids=lambda path: path.stem)
def test_shipped_rules_load_as_plugin_files(path: Path) -> None:
    """Each file with rules loads like a user's file, and its rules are complete."""
    if "RULES" in path.read_text():
        roots = [rule.root for rule in load_rules([path])]
        assert roots
        assert all(root.startswith("custom.") for root in roots)


def test_a_rule_puts_a_builtin_operator_in_place() -> None:
    def mystery_softmax(match: tc.Match) -> tc.Expr:
        y: tc.Expr
        (y,) = match.builtin("tfl.softmax", beta=2.0)
        return 1 - y

    y = tc.run(tc.convert(mystery(), rules=[MYSTERY._replace(build=mystery_softmax)]), {"t0": np.zeros(4, np.float32)})
    np.testing.assert_allclose(y["t1"], np.full(4, 0.75), rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "operands", "reason"),
    [
        ("tfl.add", 1, r"tfl\.add: expected 2 operands, found 1"),
        ("tfl.lsh_projection", 3, r"tfl\.lsh_projection"),
    ],
)
def test_a_builtin_operator_that_no_rule_accepts_declines(name: str, operands: int, reason: str) -> None:
    def build_it(match: tc.Match) -> list[tc.Expr]:
        return match.builtin(name, match.op.inputs * operands)

    with pytest.raises(UnsupportedError, match=reason):
        tc.convert(mystery(), rules=[MYSTERY._replace(build=build_it)])


def test_a_builtin_rule_is_replaced_where_another_accepts() -> None:
    def declining(_: tc.Match) -> tc.Expr:
        raise tc.Decline("not today")

    same = Tensor((4,))
    data = build([same] * 4, [Operator(B.ADD, (0, 1), (2,)), Operator(B.ADD, (2, 1), (3,))], (0, 1), (3,))
    tosa = tc.convert(data, rules=[tc.Rule("tfl.add", "fp32*fp32", doubled, of=("lhs", "rhs"))])
    assert [op.inputs[0] is op.inputs[1] for op in tosa.main] == [True, True]
    (note,) = tosa.report.notes
    assert note.text == "test_plugins.doubled of rules in place of float.elementwise.add"
    declined = tc.convert(data, rules=[tc.Rule("tfl.add", "fp32", declining)])
    assert [op.inputs[0] is op.inputs[1] for op in declined.main] == [False, False]
    assert not declined.report.notes
    coverage = tc.check(data, rules=[tc.Rule("tfl.add", "fp32", doubled)])
    assert coverage is not None
    assert [op.becomes for op in coverage.operators] == [("ADD",)] * 2


def test_the_plugin_of_the_page_runs(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "how-to" / "custom-operators.md").read_text()
    (text,) = re.findall(r'^PLUGIN = """\n(.*?)^"""$', page, re.DOTALL | re.MULTILINE)
    (tmp_path / "plugin.py").write_text(text)
    rules = [tmp_path / "plugin.py"]
    operators = [Operator(B.CUSTOM, (0,), (1,), custom_code="Pooling"), Operator(B.TANH, (1,), (2,))]
    tensors = [Tensor((1, 4, 4, 1)), Tensor((1, 2, 2, 1)), Tensor((1, 2, 2, 1))]
    data = build(tensors, operators, (0,), (2,))
    exact, compact = (tc.convert(data, rules=rules, numerics=numerics) for numerics in ("reference", "compact"))
    assert [[op.name for op in tosa.main][-1] for tosa in (exact, compact)] == ["tosa.tanh", "tosa.clamp"]
    texts = [note.text.partition(" of plugin")[0] for note in compact.report.notes]
    assert texts == ["CLAMP instead of TANH differs by up to 0.24", "plugin.hard_tanh"]
    x = np.linspace(-3, 3, 16, dtype=np.float32).reshape(1, 4, 4, 1)
    expected = np.clip(x.reshape(2, 2, 2, 2).max((1, 3)), -1, 1)
    np.testing.assert_array_equal(tc.run(compact, {"t0": x})["t2"][0, :, :, 0], expected)
    odd = build([Tensor((1, 3, 4, 1)), *tensors[1:]], operators, (0,), (2,))
    with pytest.raises(UnsupportedError, match=r"plugin.pool: expected even height and width, found fp32\[1x3x4x1\]"):
        tc.convert(odd, rules=rules)


@pytest.mark.parametrize("control_flow", ["keep", "flatten"])
def test_a_plugin_sees_the_graphs_of_control_flow(control_flow: str) -> None:
    tensor = Tensor((4,))
    branches = [
        Subgraph([tensor, tensor], [Operator(B.CUSTOM, (0,), (1,), custom_code="Mystery")], (0,), (1,)),
        Subgraph([tensor, tensor], [Operator(B.EXP, (0,), (1,))], (0,), (1,)),
    ]
    options = {"then_subgraph_index": 1, "else_subgraph_index": 2}
    operators = [Operator(B.NEG, (1,), (2,)), Operator(B.IF, (0, 2), (3,), options)]
    data = build([Tensor((1,), "bool"), tensor, tensor, tensor], operators, (0, 1), (3,), branches)
    tosa = tc.convert(data, rules=[MYSTERY], control_flow=control_flow)
    x = np.array([1, -2, 3, -4], np.float32)
    for condition, expected in ((True, np.abs(x)), (False, np.exp(-x))):
        (output,) = tc.run(tosa, {"t0": np.array([condition]), "t1": x}).values()
        np.testing.assert_allclose(output, expected, rtol=1e-6)


# ** faults **


def foreign(_: tc.Match) -> tc.Value:
    return tc.Value(tc.TensorType(tc.DType.FP32, (4,)), "stranger")


def reads_foreign(match: tc.Match) -> tc.Expr:
    return abs(tc.Expr(foreign(match)))


def illegal(match: tc.Match) -> tc.Value:
    op = Op(ops.REDUCE_SUM, [match.value(0)], [tc.TensorType(tc.DType.FP32, (4,))], {"axis": 7})
    current().graph.ops.append(op)
    return op.result


def emits_illegal(match: tc.Match) -> tc.Expr:
    return emit(ops.REDUCE_SUM, match[0], axis=3)


def destructive(match: tc.Match) -> tc.Expr:
    current().graph.ops.clear()
    return match[0]


def exits(_: tc.Match) -> tc.Expr:
    sys.exit(0)


@pytest.mark.parametrize(
    ("faulty", "words"),
    [
        (lambda _: 1 // 0, r"ZeroDivisionError \(test_plugins.py:\d+\): "),
        (
            lambda match: match.builder.mul(match[0], match[0]),
            r"AttributeError \(test_plugins.py:\d+\): a match has no builder: write results as expressions of the "
            r"operands, such as 2 \* match\[0\]; functions are in tosa_converter\.rewriting\.expr",
        ),
        (lambda match: match.op.builder, r"AttributeError \(test_plugins.py:\d+\): 'Op' object has no attribute"),
        (lambda match: match["nothing"], r"KeyError \(test_plugins.py:\d+\): 'nothing'"),
        (lambda _: None, "TypeError: 'NoneType' object is not iterable"),
        (lambda _: 7, "TypeError: 'int' object is not iterable"),
        (lambda _: "x", "expected values for 1 results, found str"),
        (lambda match: [match[0]] * 2, "expected values for 1 results, found 2"),
        (lambda _: (), "expected values for 1 results, found 0"),
        (lambda match: match[0].reshape((2, 2)), r"expected a result fp32\[4\], found fp32\[2x2\]"),
        (lambda match: match[0].cast(tc.DType.I32), r"expected a result fp32\[4\], found i32\[4\]"),
        (foreign, "the result %stranger: .* is not a value of this graph"),
        (reads_foreign, "tosa.abs reads %stranger: .*, which is not a value of this graph"),
        (illegal, "it appended an illegal operator: tosa.reduce_sum.*axis"),
        (emits_illegal, r"VerifyError \(test_plugins.py:\d+\): .*axis"),
        (destructive, "a rule may only append operators, and this one changed the graph otherwise"),
        (exits, "SystemExit"),
        (lambda _: exec("raise MemoryError"), "MemoryError"),
    ],
)
def test_errors_name_the_plugin(faulty: Build, words: str) -> None:
    relu = Operator(B.RELU, (0,), (1,))
    custom = Operator(B.CUSTOM, (1,), (2,), custom_code="Mystery")
    data = build([Tensor((4,))] * 3, [relu, custom], (0,), (2,))
    rule = tc.Rule("custom.Mystery", "fp32", faulty)
    with pytest.raises(PluginError, match=f"^rules: the rule .* of custom.Mystery at main:1 .*: {words}") as caught:
        tc.convert(data, rules=[rule])
    assert caught.value.exit_status == 4
    assert len(caught.value.lines) == 1


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ([None], "rules: expected a Rule, found NoneType"),
        (
            [MYSTERY._replace(root="tfl.nonsense")],
            "expected tfl.NAME, xnn.NAME, aten.NAME or custom.CODE, found 'tfl.nonsense'",
        ),
        ([MYSTERY._replace(root="tfl.custom")], "or custom.CODE, found 'tfl.custom'"),
        ([changed(root=None)], "or custom.CODE, found None"),
        ([MYSTERY._replace(types="float")], "expected types of 1 operands, found 'float'"),
        ([MYSTERY._replace(types="fp32*fp32")], "expected types of 1 operands, found 'fp32\\*fp32'"),
        ([changed(types=None)], "expected a text of types, a function, a tuple of checks and a tuple of operands"),
        ([changed(build=None)], "expected a text of types, a function"),
        ([changed(of="x")], "expected a text of types, a function"),
        ([MYSTERY._replace(of=("x",))], "expected operands by their positions, found \\('x',\\)"),
        ([MYSTERY._replace(root="tfl.add", of=("x",))], "expected operands by lhs, rhs or their positions, found"),
        ([changed(checks=(absolute,))], "expected functions decorated by `condition` as checks, found function"),
        (["mine"], "plugin mine: expected a .py file or the name of an installed plug-in; there are none"),
        (["absent.py"], "plugin absent.py can't be imported: FileNotFoundError"),
    ],
)
def test_malformed_rules_are_refused(rules: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        tc.convert(mystery(), rules=rules)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import nothing_of_that_name", r"can't be imported: ModuleNotFoundError \(bad.py:1\): No module"),
        ("RULES = (", r"can't be imported: SyntaxError: '\(' was never closed \(bad.py, line 1\)"),
        ("\n1 / 0", r"can't be imported: ZeroDivisionError \(bad.py:2\): division by zero"),
        ("raise SystemExit(0)", "can't be imported: SystemExit"),
        ("import tosa_converter as tc\nraise tc.Decline('no')", "can't be imported: Decline"),
        ("\0", "can't be imported: "),
        ("rules = ()", "expected RULES, a tuple of Rule, found NoneType"),
        ("RULES = 'custom'", "expected RULES, a tuple of Rule, found str"),
        ("RULES = [1]", "expected a Rule, found int"),
    ],
)
def test_a_file_without_rules_is_refused(
    text: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.py").write_text(text)
    Path("m.tflite").write_bytes(mystery())
    with pytest.raises(UsageError, match=f"^plugin bad.py:? {words}"):
        tc.convert("m.tflite", rules=["bad.py"])
    with pytest.raises(SystemExit) as exit:
        cli.main(["m.tflite", "-o", "m.tosa", "--plugin", "bad.py"])
    assert exit.value.code == 2
    assert unwrapped(capsys.readouterr().err).startswith("error: plugin bad.py")
    assert sorted(os.listdir()) == ["bad.py", "m.tflite"]  # no bytecode, no output


def test_the_command_takes_a_plugin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "from __future__ import annotations\n"
        "import dataclasses, tosa_converter as tc\n"
        "@dataclasses.dataclass\nclass Mine:\n    x: int\n"
        "def absolute(match):\n    return abs(match[0])\n"
        "RULES = [tc.Rule('custom.Mystery', 'fp32', absolute)]\n"
    )
    Path("m.tflite").write_bytes(mystery())
    for words in (["m.tflite", "-o", "m.tosa"], ["inspect", "m.tflite", "--check"], ["verify", "--help"]):
        with pytest.raises(SystemExit) as exit:
            cli.main([*words, "--plugin", "mine.py"])
        assert exit.value.code == 0, unwrapped(capsys.readouterr().err)
    assert [op.name for op in tc.load("m.tosa").main] == ["tosa.abs"]


# ** installed packages **


def install(folder: Path, text: str) -> None:
    (folder / "mystery_rules.py").write_text(text)
    metadata = folder / "mystery_rules-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: mystery-rules\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{plugins.GROUP}]\nmystery = mystery_rules:RULES\n")


RULES = (
    "import tosa_converter as tc\n"
    "def absolute(match):\n    return abs(match[0])\n"
    "RULES = (tc.Rule('custom.Mystery', 'fp32', absolute), tc.Rule('tfl.exp', 'fp32', absolute))\n"
)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    def installed(text: str) -> None:
        install(tmp_path, text)
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "mystery_rules", raising=False)
        plugins.installed_rules.cache_clear()

    return installed


@pytest.fixture(autouse=True)
def _afresh() -> Any:
    yield
    plugins.installed_rules.cache_clear()


def test_an_installed_package_is_loaded_for_unsupported_operators(package: Callable[[str], None]) -> None:
    package(RULES)
    operators = [Operator(B.EXP, (0,), (1,)), Operator(B.CUSTOM, (1,), (2,), custom_code="Mystery")]
    data = build([Tensor((4,))] * 3, operators, (0,), (2,))
    assert [op.name for op in tc.convert(data).main] == ["tosa.exp", "tosa.abs"]
    named = tc.convert(data, rules=["mystery"])
    assert [op.name for op in named.main] == ["tosa.abs", "tosa.abs"]
    (note,) = named.report.notes
    assert note.text.startswith("mystery_rules.absolute of plugin mystery (mystery_rules:RULES) in place of float.")


def test_an_installed_package_that_cannot_be_imported_is_reported(package: Callable[[str], None]) -> None:
    package("import nothing_of_that_name")
    tc.convert(INT8)  # doesn't need it
    with pytest.raises(UsageError, match=r"^plugin mystery \(mystery_rules:RULES\) can't be imported: ModuleNotFound"):
        tc.convert(mystery())


def test_a_conversion_looks_for_no_packages() -> None:
    code = "import sys, tosa_converter as tc; tc.convert(sys.argv[1]); print(*sys.modules)"
    words = [sys.executable, "-c", code, str(INT8)]
    modules = subprocess.run(words, check=True, capture_output=True, text=True, timeout=300).stdout.split()
    ours = {f"tosa_converter.rewriting.{name}" for name in ("plugins", "custom")}
    assert not {"importlib.metadata", *ours} & set(modules)


# ** CUSTOM **


def test_a_custom_operator_is_kept(tmp_path: Path) -> None:
    data = mystery((2, 2), custom_options=b"\0\x01payload")
    tosa = tc.convert(data, allow_custom=True)
    (op,) = tosa.main
    names = {"operator_name": "Mystery", "domain_name": "TFL", "implementation_attrs": b"\0\x01payload"}
    assert (op.name, op.attributes, str(op.result.type)) == ("tosa.custom", names, "fp32[2x2]")
    (note,) = tosa.report.notes
    assert note.text.startswith("kept as CUSTOM 'TFL:Mystery': a run needs")
    tc.save(tosa, tmp_path / "m.tosa")
    loaded = tc.load(tmp_path / "m.tosa")
    assert loaded.main.ops[0].attributes == names
    with pytest.raises(UnsupportedError, match="custom operator TFL:Mystery has no implementation"):
        tc.run(loaded, {"t0": np.zeros(4, np.float32)})
    context = Context(custom={("TFL", "Mystery"): lambda inputs, _: [inputs[0].reshape(2, 2) * 2]})
    assert run(loaded, [np.ones(4, np.float32)], context=context)["t1"].tolist() == [[2, 2], [2, 2]]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (mystery((1,), (-1,)), r"expected a type of TOSA and a known shape for result 't1', found fp32\[\?\]"),
        (
            build([Tensor((4,))] * 2, [Operator(B.CUSTOM, (-1,), (1,), custom_code="Mystery")], (0,), (1,)),
            "found none",
        ),
        (
            build(
                [Tensor((4,)), Tensor((4,), "float64")], [Operator(B.CUSTOM, (0,), (1,), custom_code="M")], (0,), (1,)
            ),
            "a known shape for result 't1', found fp64",
        ),
    ],
)
def test_operators_that_custom_cannot_express_are_refused(data: bytes, words: str) -> None:
    with pytest.raises(UnsupportedError, match=words):
        tc.convert(data, allow_custom=True)


def test_the_command_keeps_custom_operators(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.tflite").write_bytes(mystery())
    for words in (["m.tflite", "-o", "m.tosa"], ["inspect", "m.tflite", "--check"]):
        with pytest.raises(SystemExit) as exit:
            cli.main([*words, "--allow-custom"])
        assert exit.value.code == 0
        assert "kept as CUSTOM 'TFL:Mystery'" in capsys.readouterr().out
