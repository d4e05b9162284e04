"""The driver of rules, on graphs and rules of three lines each."""

import inspect
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from support.commands import FLOAT
from support.passes import rule_pass

from tosa_converter.dtypes import DType
from tosa_converter.errors import BrokenPassError, UnsupportedError
from tosa_converter.ir import Array, Graph, Model, Op, Quant, Signature, TensorType, Value
from tosa_converter.rewriting.builder import Builder, current
from tosa_converter.rewriting.driver import RulePass, run_pass
from tosa_converter.rewriting.expr import Expr, emit
from tosa_converter.rewriting.match import Match, operand_positions, translate_constant
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.reasons import Attempts, Decline, graph_and_number
from tosa_converter.rewriting.report import Options
from tosa_converter.rewriting.rule import Check, Rule, rule
from tosa_converter.schemas import tfl_ops, tflite
from tosa_converter.schemas import tosa_ops as ops

F32 = TensorType(DType.FP32, (2, 3))


def source(name: str, *inputs: Value | None, results: int = 1, **attributes: object) -> Op:
    return Op(f"tfl.{name}", inputs, [F32] * results, attributes, location=f"{name}:0", result_names=[f"{name}_out"])


def const(values: object, dtype: DType, name: str = "") -> Value:
    array = np.array(values, dtype.numpy)
    return Op("tfl.pseudo_const", (), [TensorType(dtype, array.shape)], {"values": array}, result_names=[name]).result


def to(row: ops.OpDef) -> Callable[[Match], Value]:
    def build(match: Match) -> Value:
        return emit(row, *match.operands).value

    return build


def swept(graph: Graph | Model, *rules: Rule, **options: object) -> Graph:
    model = graph if isinstance(graph, Model) else Model({"main": graph}, opset="tfl")
    return run_pass(model, RulePass("test", rules), Options(**options)).main  # type: ignore[arg-type]


def names(graph: Graph) -> list[str]:
    return [op.name for op in graph.ops]


def declining(reason: str) -> Callable[[Match], Value]:
    """Emits an operator with an effect, which only the driver can remove, and declines."""

    def build(_: Match) -> Value:
        current().graph.ops.append(Op("tosa.custom", (), [], {}))
        raise Decline(reason)

    return build


def of_one(*names: str) -> tuple[Graph, list[Op]]:
    """Returns a graph that applies the named operators to x in turn."""
    x = value = Value(F32, "x")
    chain = []
    for name in names:
        chain.append(source(name, value))
        value = chain[-1].result
    return Graph("main", [x], [value], chain), chain


def test_the_first_accepting_rule_wins_and_leftovers_are_removed() -> None:
    graph, _ = of_one("abs", "neg")
    rules = [
        Rule("tfl.abs", "", declining("no")),
        Rule("tfl.abs", "", to(ops.ABS)),
        Rule("tfl.abs", "", to(ops.CEIL)),
        Rule("tfl.neg", "", to(ops.EXP), (Check("never", lambda _: "checked"),)),
        Rule("tfl.neg", "", to(ops.FLOOR), (Check("always", lambda _: None),) * 2),
    ]
    assert names(swept(graph, *rules)) == ["tosa.abs", "tosa.floor"]


def test_results_keep_their_names_and_places() -> None:
    graph, _ = of_one("abs", "neg")
    rewritten = swept(graph, Rule("tfl.abs", "", to(ops.ABS)), Rule("tfl.neg", "", to(ops.FLOOR)))
    assert [(op.result.name, op.location) for op in rewritten.ops] == [("abs_out", "abs:0"), ("neg_out", "neg:0")]
    assert [value.name for value in rewritten.inputs] == ["x"]


def test_every_failure_is_reported_once_with_all_reasons() -> None:
    graph, _ = of_one("abs", "neg", "ceil")
    other = source("custom", graph.inputs[0], custom_code="Mine")
    graph.ops.append(other)
    graph.outputs.append(other.result)
    rules = [
        Rule("tfl.abs", "", declining("one")),
        Rule("tfl.abs", "", to(ops.ABS), (Check("never", lambda _: "two"),)),
    ]
    with pytest.raises(UnsupportedError) as caught:
        swept(graph, *rules, Rule("tfl.neg", "", declining("three")))
    text = "\n".join(caught.value.places)
    assert "abs:0: tfl.abs(fp32[2x3]): test_driver.abs: one; test_driver.abs: two" in text
    assert "ceil:0: tfl.ceil(fp32[2x3]): no rule starts from this operator" in text
    assert "custom:0: Mine(fp32[2x3]): the custom operator 'Mine' is not known" in text
    assert "three" not in text  # its operand failed


def test_attempts_list_every_rule_with_its_reason() -> None:
    graph, (op, *_) = of_one("abs", "neg", "ceil", "exp")
    rules = [
        Rule("tfl.abs", "i8 i16", to(ops.ABS), label="of_integers"),
        Rule("tfl.abs", "fp32", declining("one")),
        Rule("tfl.abs", "", to(ops.ABS), label="any"),
        Rule("tfl.neg", "", declining("two")),
    ]
    trace: list[Attempts] = []
    with pytest.raises(UnsupportedError) as refused:
        swept(graph, *rules, trace=trace)
    taken, declined, *behind = trace
    assert taken == Attempts(
        "test",
        op.location,
        "tfl.abs",
        "fp32[2x3]",
        "test_driver.any",
        (("test_driver.abs", "one"),),
        (("test_driver.of_integers", "operand 0: expected i8 or i16, found fp32"),),
    )
    assert (declined.accepted, declined.declined) == ("", (("test_driver.neg", "two"),))
    assert {(tried.accepted, tried.declined) for tried in behind} == {("", ())}
    assert {tried.reason for tried in behind} == {"an operand comes from an operator that can't be converted"}
    with pytest.raises(UnsupportedError) as plain:
        swept(graph, *rules)
    assert plain.value.places == refused.value.places
    assert plain.value.lines == (*refused.value.lines, "next: tflite-to-tosa MODEL --explain neg:0")


def test_a_refusal_without_rules_names_no_command() -> None:
    graph, _ = of_one("ceil")
    with pytest.raises(UnsupportedError) as refused:
        swept(graph)
    assert refused.value.lines == ("CEIL at ceil:0 can't be converted", "no rule starts from this operator")
    assert refused.value.places == ("ceil:0: tfl.ceil(fp32[2x3]): no rule starts from this operator",)


@pytest.mark.parametrize(
    ("location", "place"),
    [
        ("main:8 ADD 'sum: 9'", "main:8"),
        ("a graph:12 ADD 'x'", "a graph:12"),
        ("main:8", "main:8"),
        ("a\nb:1 ADD", "a\nb:1"),
        ("output", "output"),
        ("", ""),
        ("main:x ADD 'y:3z'", "main:x ADD 'y:3z'"),
    ],
)
def test_a_location_has_its_place(location: str, place: str) -> None:
    assert graph_and_number(location) == place


def test_the_number_of_results_must_fit() -> None:
    graph, _ = of_one("abs")
    two_results: Callable[[Match], Sequence[Value]] = lambda match: [to(ops.ABS)(match)] * 2  # noqa: E731
    with pytest.raises(UnsupportedError, match="expected 2 results, found 1"):
        swept(graph, Rule("tfl.abs", "", two_results))


def test_operators_of_the_target_are_copied() -> None:
    graph, (op,) = of_one("abs")
    inner = Graph("inner")
    custom_op = Op(
        "tosa.custom", [op.result, None], [F32], {"a": 1}, regions=[inner], location="k", result_names=["kept"]
    )
    graph.ops.append(custom_op)
    graph.outputs[:] = [custom_op.result]
    rewritten = swept(graph, Rule("tfl.abs", "", to(ops.ABS)))
    copy = rewritten.ops[1]
    assert copy is not custom_op
    assert copy.inputs == (rewritten.ops[0].result, None)
    assert (copy.name, copy.attributes, copy.regions, copy.location) == ("tosa.custom", {"a": 1}, (inner,), "k")
    assert copy.result.type == F32
    assert rewritten.outputs == [copy.result]


def test_outputs_are_tensors_of_their_own() -> None:
    """The outputs are an input, a tensor listed twice, a constant, and one with the name of an input."""
    x = Value(F32, "x")
    op = Op("tfl.abs", [x], [F32], location="abs:0", result_names=["x"])
    fixed = const([1, 2], DType.I32, "fixed")
    rewritten = swept(Graph("main", [x], [x, op.result, op.result, fixed], [op]), Rule("tfl.abs", "", to(ops.ABS)))
    assert names(rewritten) == ["tosa.abs", "tosa.identity", "tosa.identity", "tosa.const"]
    assert len(set(rewritten.outputs) | set(rewritten.inputs)) == 5
    assert len({value.name for value in (*rewritten.outputs, *rewritten.inputs)}) == 5
    assert rewritten.outputs[3].name == "fixed"
    producers = [value.producer for value in rewritten.outputs]
    assert [op.location for op in producers if op is not None and op.name != "tosa.abs"] == ["output"] * 3
    assert producers[0] is not None
    assert producers[0].inputs == (rewritten.inputs[0],)
    assert producers[2] is not None
    assert producers[2].inputs == (rewritten.outputs[1],)


def test_signatures_follow_their_values() -> None:
    graph, (op,) = of_one("abs")
    model = Model({"main": graph}, {"s": Signature("main", {"in": graph.inputs[0]}, {"out": op.result})}, {"m": 1}, "f")
    rewritten = run_pass(model, RulePass("test", [Rule("tfl.abs", "", to(ops.ABS))]), Options())
    assert rewritten.signatures["s"] == Signature(
        "main", {"in": rewritten.main.inputs[0]}, {"out": rewritten.main.outputs[0]}
    )
    assert (rewritten.metadata, rewritten.source) == ({"m": 1}, "f")


def test_unused_operators_are_dropped_unless_they_have_effects() -> None:
    """A variable's write has no result, and a custom operator may do anything; both need their operands."""
    x = Value(F32, "x")
    dead, read, inside, region_read = (source(name, x) for name in ("abs", "abs", "abs", "abs"))
    write = Op("tosa.variable_write", [read.result], [], {"name": "v"})
    custom = Op("tosa.custom", [inside.result], [F32])
    body = Graph("body", [], [], [Op("tosa.abs", [region_read.result], [F32])])
    branch = Op("tosa.cond_if", [x], [F32], regions=[body])
    last = source("neg", x)
    graph = Graph("main", [x], [last.result], [dead, read, write, inside, custom, region_read, branch, last])
    rewritten = swept(graph, Rule("tfl.abs", "", to(ops.ABS)), Rule("tfl.neg", "", to(ops.FLOOR)))
    expected = ["tosa.abs", "tosa.variable_write", "tosa.abs", "tosa.custom", "tosa.cond_if", "tosa.floor"]
    assert names(rewritten) == expected


def test_constants_stand_once_before_their_first_user() -> None:
    x, three = Value(F32, "x"), const([[3.0]], DType.FP32, "three")
    first, second = source("add", x, three), source("add", x, x)
    third = source("add", second.result, three)
    graph = Graph("main", [x], [first.result, third.result], [first, second, third])
    rewritten = swept(graph, Rule("tfl.add", "", to(ops.ADD)))
    assert names(rewritten) == ["tosa.const", "tosa.add", "tosa.add", "tosa.add"]
    assert rewritten.ops[0].result.name == "three"
    assert rewritten.ops[1].inputs[1] is rewritten.ops[3].inputs[1] is rewritten.ops[0].result


@pytest.mark.parametrize(
    ("values", "dtype", "expected"),
    [
        ([2**31 - 1, -(2**31)], DType.I64, np.array([2**31 - 1, -(2**31)], np.int32)),
        ([], DType.I64, np.array([], np.int32)),
        ([255, 1], DType.UI8, np.array([-1, 1], np.int8)),
        ([65535], DType.UI16, np.array([-1], np.int16)),
        ([1.5], DType.FP16, np.array([1.5], np.float16)),
        ([2**31], DType.I64, "don't fit 32 bits"),
        ([-(2**31) - 1], DType.I64, "don't fit 32 bits"),
        ([1.5], DType.FP64, "of type fp64, which TOSA doesn't have"),
    ],
)
def test_constants_of_types_that_tosa_lacks_are_converted_or_refused(
    values: list[float], dtype: DType, expected: Array | str
) -> None:
    value = const(values, dtype, "c")
    if isinstance(expected, str):
        with pytest.raises(Decline, match=expected):
            translate_constant(value, Builder(Graph("main")))
        return
    translated = translate_constant(value, Builder(Graph("main")))
    assert isinstance(translated, Value)
    assert translated.constant is not None
    assert translated.constant.dtype == expected.dtype
    np.testing.assert_array_equal(translated.constant, expected)


def test_a_value_without_a_producer_is_refused() -> None:
    with pytest.raises(Decline, match="'x' is neither computed nor constant"):
        translate_constant(Value(F32, "x"), Builder(Graph("main")))


def test_inputs_take_the_shape_that_the_user_gives_or_the_file_assumes() -> None:
    free = TensorType(DType.UI8, (None, 3))
    a, b, c = (Value(free, name) for name in "abc")
    model = Model({"main": Graph("main", [a, b, c], [a])}, default_shapes={a: (4, 3), b: (5, 3)})
    rewritten = swept(model, input_shapes={"a": (7, 3)})
    assert [value.type for value in rewritten.inputs] == [
        TensorType(DType.I8, shape) for shape in ((7, 3), (5, 3), (None, 3))
    ]


def matching(*inputs: Value | None, **attributes: Any) -> Match:
    return Match(source("op", *inputs, **attributes), {})


def test_a_match_has_operands_and_options() -> None:
    quant = Quant((0.5,), (3,))
    scaled = Value(TensorType(DType.I8, (2,), quant), "q")
    two = const([2], DType.I32, "two")
    match = matching(scaled, None, two, axis=1)
    axis = match.attributes(tflite.ConcatenationOptions)
    assert [match.has(i) for i in range(4)] == [True, False, True, False]
    assert match.quant(0) == quant
    assert match.source(2) is two
    assert match.constant(2).tolist() == [2]
    assert (axis.axis, axis.fused_activation_function) == (1, tflite.ActivationFunctionType.NONE)
    assert (match.get(1), match.get(5)) == (None, None)
    match.note("text")
    assert match.report.notes == [("op:0", "text")]


def test_names_of_a_pattern_are_removed_if_its_rule_declines() -> None:
    """The pattern's "y" is the first operand; SELECT_V2's own is the third."""
    x, y, condition = Value(F32, "x"), Value(F32, "y"), Value(TensorType(DType.BOOL, (2,)), "condition")
    select = source("select_v2", condition, x, y)
    named = rule(pattern("tfl.select_v2", "y"))(declining("no"))
    graph = Graph("main", [condition, x, y], [select.result], [select])
    rewritten = swept(graph, named, Rule("tfl.select_v2", "", lambda match: abs(match["y"])))
    assert names(rewritten) == ["tosa.abs"]
    assert rewritten.ops[0].operands[0].name == "y"


def test_operands_have_the_names_of_their_row() -> None:
    x, weight = Value(F32, "x"), const([2.0], DType.FP32, "w")
    match = Match(source("conv_2d", x, weight), {x: x})
    assert match.value("input") is x
    assert match["input"].value is x
    assert match.source("filter") is weight
    assert match.constant("filter").tolist() == [2.0]
    assert match.get("bias") is None
    assert not match.has("bias")
    with pytest.raises(Decline, match="operand bias is missing"):
        match["bias"]
    with pytest.raises(KeyError, match="weights"):  # an error of a rule, not a property of the operator
        match["weights"]


TFLITE = [rule for rule in rule_pass("tfl").rules if rule.root in tfl_ops.BY_OPCODE]


@pytest.mark.parametrize("rule", TFLITE, ids=lambda rule: f"{rule.root}-{rule.name}")
def test_a_rule_reads_names_and_tables_of_its_row(rule: Rule) -> None:
    text, row = inspect.getsource(rule.build), tfl_ops.BY_OPCODE[rule.root]
    names = re.findall(r"""(?:\bm(?:atch)?\[|\.(?:get|has|source|quant|constant)\(|\(match, )"(\w+)\"""", text)
    patterns = () if rule.pattern is None else rule.pattern.patterns()
    bound = {name for pattern in patterns for name in (pattern.name, *pattern.operands) if isinstance(name, str)}
    assert set(names) <= {*operand_positions(rule.root), *bound}
    for name in re.findall(r"match\.attributes\(tflite\.(\w+)", text):
        fields = set(getattr(tflite, name).__annotations__)
        assert row.options is not None
        assert fields <= set(row.options.__annotations__)


def test_an_illegal_operator_of_a_rule_is_a_bug() -> None:
    """A missing form of TOSA is a reason against the rule; any other violation is a bug."""
    graph, _ = of_one("abs")
    with pytest.raises(BrokenPassError, match=r"rule .*sliced of tfl\.abs at abs:0 made an illegal"):
        swept(graph, Rule("tfl.abs", "", sliced))
    with pytest.raises(UnsupportedError, match=r"TOSA can't hold it: tosa\.bitwise_not: types must be one of"):
        swept(graph, Rule("tfl.abs", "", to(ops.BITWISE_NOT)))
    empty = Value(TensorType(DType.FP32, (0, 3)), "x")
    op = source("abs", empty)
    with pytest.raises(UnsupportedError, match="TOSA can't hold it"):
        swept(Graph("main", [empty], [op.result], [op]), Rule("tfl.abs", "", sliced))


def sliced(match: Match) -> Expr:
    return match[0].slice((1, 1), (2, 3, 1))


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda match: match.source(1), "operand 1 is missing"),
        (lambda match: match[4], "operand 4 is missing"),
        (lambda match: match.quant(2), "'two' has no quantization parameters"),
        (lambda match: match.result_quant, "'op_out' has no quantization parameters"),
        (lambda match: match.constant(0), r"operand 0 \('x'\) must be constant"),
    ],
)
def test_a_match_declines_with_a_reason(ask: Callable[[Match], object], reason: str) -> None:
    x, operand = Value(F32, "x"), Value(F32, "made")
    two = const([2], DType.I32, "two")
    match = Match(source("op", x, None, two), {x: operand})
    with Builder(Graph("main")):
        assert match.inputs[:2] == (operand, None)
        with pytest.raises(Decline, match=reason):
            ask(match)


def test_a_folded_operand_is_constant() -> None:
    x, folded = Value(F32, "x"), const([[5.0]], DType.FP32)
    match = Match(source("op", x), {x: folded})
    assert match.constant(0).tolist() == [[5.0]]


def test_a_conversion_imports_the_families_of_its_operators() -> None:
    code = "import sys, tosa_converter as tc; tc.convert(sys.argv[1]); print(*sys.modules)"
    words = [sys.executable, "-c", code, str(FLOAT)]
    modules = subprocess.run(words, check=True, capture_output=True, text=True, timeout=300).stdout.split()
    assert "tosa_converter.legalize.tflite.convolution" in modules
    unused_families = ("delegate", "float.resize", "any_type.strided")
    assert not {f"tosa_converter.legalize.tflite.{other}" for other in unused_families} & set(modules)
