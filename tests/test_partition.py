"""Partial conversion: the pieces of a model with an unknown operator compute the same as the model."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import FLOAT, INT8, MODELS, unwrapped
from support.partial import sizes, with_known, without
from support.tflite_models import Operator, Subgraph, Tensor, build

import tosa_converter as tc
from tosa_converter.cli import main as cli
from tosa_converter.errors import FormatError, UnpredictableError, UnsupportedError, UsageError
from tosa_converter.formats import parse
from tosa_converter.inspection import pieces
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import TensorType

SIGNATURES = MODELS / "signatures_int8.tflite"


@pytest.mark.parametrize("number", range(9))
@pytest.mark.parametrize("path", [INT8, FLOAT])
def test_any_operator_may_be_unknown(path: Path, number: int, tmp_path: Path) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    model, was = without(tc.load(path), number)
    chain = with_known(tc.convert_partially(model), was)
    parts = sizes(chain)
    assert parts.count(("tfl", 1)) == 1
    assert [opset for opset, _ in parts if opset != "tfl"] == ["tosa"] * (len(parts) - 1)
    assert len(parts) == (2 if number in (0, 8) else 3)
    assert {op.name.partition(".")[0] for graph in pieces(chain).graphs.values() for op in graph.walk()} == {"tosa"}
    tc.save(chain, tmp_path / "manifest.json")
    (comparison,) = tc.compare(path, tc.load(tmp_path), runs=2)
    assert comparison.verdict
    assert path is FLOAT or not any(output.mismatches for output in comparison.outputs)


@pytest.mark.parametrize("number", range(3))
def test_a_signature_is_split(number: int) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    source = tc.selected(SIGNATURES, "mix")
    model, was = without(source, number)
    chain = with_known(tc.convert_partially(model), was)
    assert [value.name for value in (*chain.main.inputs, *chain.main.outputs)] == ["weight", "x", "mixed"]
    (comparison,) = tc.compare(source, chain)
    assert [output.mismatches for output in comparison.outputs] == [0]
    with pytest.raises(UsageError, match="a chain has one signature, expected one of classify, encode, mix"):
        tc.convert_partially(SIGNATURES)


X, Y = Tensor((2, 3)), Tensor((2, 3))


def unknown(*tensors: int) -> Operator:
    return Operator(B.CUSTOM, tensors[:-1], tensors[-1:], custom_code="Unknown")


def test_operators_between_unknown_ones_stay() -> None:
    """In exp -> unknown -> abs -> unknown -> ceil, abs stays with the unknown operators; sin and cos don't."""
    operators = [
        Operator(B.EXP, (0,), (1,)),
        unknown(1, 2),
        Operator(B.ABS, (2,), (3,)),
        unknown(3, 4),
        Operator(B.CEIL, (4,), (5,)),
        Operator(B.SIN, (2,), (6,)),
        Operator(B.COS, (0,), (7,)),
        Operator(B.ADD, (7, 5), (8,)),
    ]
    chain = tc.convert_partially(build([X] * 9, operators, (0,), (8, 6, 7)))
    before, rest, after = (op.attributes["model"] for op in chain.main)
    names = [[op.name for op in part.main if "const" not in op.name] for part in (before, rest, after)]
    assert names == [
        ["tosa.exp", "tosa.cos"],
        ["tfl.custom", "tfl.abs", "tfl.custom"],
        ["tosa.ceil", "tosa.sin", "tosa.add"],
    ]
    assert [op.name for op in rest.main] == names[1]
    steps = [([v.name for v in op.operands], [v.name for v in op.results]) for op in chain.main]
    assert steps == [(["t0"], ["t1", "t7"]), (["t1"], ["t2", "t4"]), (["t4", "t2", "t7"], ["t6", "t8"])]
    assert [value.name for value in chain.main.outputs] == ["t8", "t6", "t7"]
    assert [place for place, _ in chain.notes] == ["main:1 CUSTOM 't2'", "main:3 CUSTOM 't4'"]


@pytest.mark.parametrize("behind", [0, 1])
def test_constant_outputs_belong_to_the_first_step(behind: int) -> None:
    """If nothing precedes the unknown operator, they belong to the last step; each is returned once."""
    c = Tensor((2, 3), data=np.arange(6, dtype=np.float32).reshape(2, 3))
    operators = [unknown(0, 1), Operator(B.ABS, (1,), (2,))] if behind else [Operator(B.EXP, (0,), (1,)), unknown(1, 2)]
    chain = tc.convert_partially(build([X, X, X, c], operators, (0,), (2, 3)))
    names_by_step = [[value.name for value in op.results] for op in chain.main]
    assert names_by_step == ([["t1"], ["t2", "t3"]] if behind else [["t1", "t3"], ["t2"]])
    assert [value.name for value in chain.main.outputs] == ["t2", "t3"]
    part = chain.main.ops[behind].attributes["model"]
    assert tc.run(part, {part.main.inputs[0].name: np.ones((2, 3), np.float32)})["t3"].ravel().tolist() == [*range(6)]


def test_a_shape_is_computed_where_it_must_be_known() -> None:
    """RESHAPE after the unknown operator takes the shape of the input."""
    flat = Tensor((6,))
    operators = [
        Operator(B.SHAPE, (0,), (1,), {"out_type": TensorType.INT32}),
        Operator(B.EXP, (0,), (2,)),
        Operator(B.CUSTOM, (2,), (3,), custom_code="Unknown"),
        Operator(B.RESHAPE, (3, 1), (4,)),
    ]
    chain = tc.convert_partially(build([X, Tensor((2,), "int32"), X, flat, X], operators, (0,), (4,)))
    assert sizes(chain) == [("tosa", 1), ("tfl", 1), ("tosa", 1)]
    assert [value.name for value in chain.main.ops[2].operands] == ["t0", "t3"]


def test_types_between_steps_are_those_of_tosa() -> None:
    """uint8 and int64 pass through LiteRT's side of the chain."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    wide, narrow = Tensor((4,), "int64"), Tensor((4,), "uint8", scale=0.5, zero_point=3)
    operators = [
        Operator(B.ADD, (0, 0), (1,)),
        Operator(B.CUSTOM, (1,), (2,), custom_code="Unknown"),
        Operator(B.SUB, (2, 0), (3,)),
        Operator(B.CUSTOM, (4,), (5,), custom_code="Unknown"),
        Operator(B.RELU, (5,), (6,)),
    ]
    source = tc.load(build([wide] * 4 + [narrow] * 3, operators, (0, 4), (3, 6)))
    chain = tc.convert_partially(source)
    assert [str(value.type) for value in chain.main.inputs] == ["i32[4]", "i8[4]"]
    (rest,) = [op.attributes["model"] for op in chain.main if op.attributes["model"].opset == "tfl"]
    for op, name in zip([op for op in rest.main if op.name == "tfl.custom"], ("tfl.neg", "tfl.relu"), strict=True):
        op.name, op.attributes = name, {}
    big = 1 << 30
    outputs = tc.run(chain, {"t0": np.array([1, -2, 3, big // 4], np.int32), "t4": np.array([0, 3, 4, 255], np.uint8)})
    assert outputs["t3"].tolist() == [-3, 6, -9, -3 * (big // 4)]
    assert outputs["t6"].view(np.uint8).tolist() == [3, 3, 4, 255]
    with pytest.raises(UnpredictableError, match="'t2' has 64-bit elements that don't fit the 32 bits of TOSA"):
        tc.run(chain, {"t0": np.full(4, -big, np.int32), "t4": np.zeros(4, np.uint8)})


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (build([X, Y], [unknown(0, 1)], (0,), (1,)), UnsupportedError, "cannot split: every part"),
        (build([X, Y], [Operator(B.VAR_HANDLE, (), (1,))], (0,), (1,)), UnsupportedError, "with state isn't split"),
    ],
)
def test_models_that_cannot_be_split_are_refused(data: bytes, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        tc.convert_partially(data)


def test_a_model_that_converts_completely_is_one_step() -> None:
    chain = tc.convert_partially(INT8, target="pro-int,8k", rules=[])
    assert sizes(chain)[0][0] == "tosa"
    assert len(chain.main) == 1
    assert not chain.notes
    with pytest.raises(UsageError, match="--partial is for TFLite models, this is of tosa operators"):
        tc.convert_partially(tc.convert(INT8))


def stale(*, signature: bool) -> bytes:
    """Returns EXP, an unknown operator and ABS on an unknown batch; inner tensors state the file's batch of 1."""
    batch = Tensor((1, 3), signature=(-1, 3))
    tensors = [batch, *([batch] * 3 if signature else [Tensor((1, 3))] * 3)]
    return build(tensors, [Operator(B.EXP, (0,), (1,)), unknown(1, 2), Operator(B.ABS, (2,), (3,))], (0,), (3,))


@pytest.mark.parametrize("signature", [True, False])
def test_shapes_stated_for_other_inputs_are_ignored(signature: bool, tmp_path: Path) -> None:
    """A chain whose pieces don't fit each other is refused; without other input shapes it is written and fits."""
    with pytest.raises(UnsupportedError, match="only LiteRT knows what these are with other input shapes"):
        tc.convert_partially(stale(signature=signature), input_shapes={"t0": (6, 3)})
    if not signature:
        tc.save(tc.convert_partially(stale(signature=signature)), tmp_path / "manifest.json")
        first, second, third = tc.load(tmp_path).main
        assert first.results[0].type == second.operands[0].type
        assert second.results[0].type == third.operands[0].type


def test_an_output_behind_the_unknown_operator_has_no_shape_for_other_inputs(tmp_path: Path) -> None:
    tensors = [Tensor((1, 3), signature=(-1, 3)), Tensor((1, 3)), Tensor((1, 3))]
    content = build(tensors, [Operator(B.EXP, (0,), (1,)), unknown(1, 2)], (0,), (2,))
    chain = tc.convert_partially(content, input_shapes={"t0": (6, 3)})
    assert [str(value.type) for value in (*chain.main.inputs, *chain.main.outputs)] == ["fp32[6x3]", "fp32[?x?]"]
    tc.save(chain, tmp_path / "manifest.json")
    assert str(tc.load(tmp_path).main.outputs[0].type) == "fp32[?x?]"


@pytest.mark.parametrize("callers", ["composite", "if", "none"])
def test_several_subgraphs_with_unknown_dimensions_are_split(callers: str) -> None:
    batch, flag = Tensor((1, 3), signature=(-1, 3)), Tensor((1,), "bool")
    odd, plain = (
        Subgraph([batch] * 2, [unknown(0, 1)], (0,), (1,)),
        Subgraph([batch] * 2, [Operator(B.ABS, (0,), (1,))], (0,), (1,)),
    )
    last = {
        "composite": Operator(B.STABLEHLO_COMPOSITE, (2,), (3,), {"name": "c", "decomposition_subgraph_index": 1}),
        "if": Operator(B.IF, (0, 2), (3,), {"then_subgraph_index": 1, "else_subgraph_index": 2}),
        "none": unknown(2, 3),
    }[callers]
    content = build(
        [flag, batch, batch, batch],
        [Operator(B.EXP, (1,), (2,)), last],
        (0, 1),
        (3,),
        (plain if callers == "none" else odd, plain),
    )
    assert [opset for opset, _ in sizes(tc.convert_partially(content))] == ["tosa", "tfl"]


def test_an_unknown_batch_is_stated() -> None:
    model, _ = without(tc.load(INT8), 0)
    assert [str(value.type) for value in tc.convert_partially(model).main.inputs] == ["i8[1x8x8x1]"]
    model, _ = without(tc.load(INT8), 4)
    with pytest.raises(
        UnsupportedError, match="only LiteRT knows what these are with other input shapes"
    ):  # only LiteRT knows its result
        tc.convert_partially(model, input_shapes={"image": (3, 8, 8, 1)})


def test_a_called_graph_stays_with_its_caller() -> None:
    called = Subgraph([X, Y], [unknown(0, 1)], (0,), (1,))
    options = {"name": "composite", "decomposition_subgraph_index": 1}
    operators = [
        Operator(B.EXP, (0,), (1,)),
        Operator(B.STABLEHLO_COMPOSITE, (1,), (2,), options),
        Operator(B.ABS, (2,), (3,)),
    ]
    chain = tc.convert_partially(build([X] * 4, operators, (0,), (3,), [called]))
    assert sizes(chain) == [("tosa", 1), ("tfl", 1), ("tosa", 1)]
    rest = chain.main.ops[1].attributes["model"]
    assert [[op.name for op in graph] for graph in rest.graphs.values()] == [
        ["tfl.stablehlo_composite"],
        ["tfl.custom"],
    ]


# ** manifests **


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns the folder of a saved chain."""
    model, was = without(tc.load(INT8), 4)
    chain_folder = tmp_path / "chain"
    chain_folder.mkdir()
    tc.save(with_known(tc.convert_partially(model), was), chain_folder / "manifest.json")
    return chain_folder


def changed(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = folder / "manifest.json"
    root = json.loads(path.read_text())
    change(root)
    path.write_text(json.dumps(root))


def test_a_manifest_lists_the_files_of_a_chain(folder: Path) -> None:
    root = json.loads((folder / "manifest.json").read_text())
    assert [step["file"] for step in root["steps"]] == ["0.tosa", "1.tflite", "2.tosa"]
    assert sorted(os.listdir(folder)) == ["0.tosa", "1.tflite", "2.tosa", "manifest.json"]
    assert root["inputs"] == [{"name": "image", "type": "i8", "shape": [1, 8, 8, 1]}]
    assert root["outputs"] == ["output_0"]
    copy = folder / "again"
    copy.mkdir()
    tc.save(tc.load(folder), copy / "manifest.json")
    assert {name: (folder / name).read_bytes() for name in os.listdir(copy)} == {
        name: (copy / name).read_bytes() for name in os.listdir(copy)
    }


def setting(place: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(root: dict[str, Any]) -> None:
        *keys, last = [int(key) if key.isdigit() else key for key in place.split(".")]
        table: Any = root
        for key in keys:
            table = table[key]
        table[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (setting("format", "x"), "or TOSA, found JSON"),
        (setting("version", 2), "expected a manifest of format 'tosa-converter chain', version 1"),
        (setting("steps", {}), "expected list 'steps', found dict"),
        (setting("steps.0", 1), "expected list 'inputs', found NoneType"),
        (
            setting("steps.0.file", "../0.tosa"),
            r"steps\[0\].file: expected a .tosa or .tflite file beside the manifest",
        ),
        (setting("steps.0.file", "/etc/passwd"), "expected a .tosa or .tflite file beside the manifest"),
        (setting("steps.0.file", "a\0.tosa"), "expected a .tosa or .tflite file beside the manifest"),
        (setting("steps.0.file", ".."), "expected a .tosa or .tflite file beside the manifest"),
        (setting("steps.0.file", "sub/0.tosa"), "expected a .tosa or .tflite file beside the manifest"),
        (setting("steps.0.file", "link.tosa"), "expected a .tosa or .tflite file beside the manifest"),
        (setting("steps.0.file", "pipe.tosa"), "expected a .tosa or .tflite file beside the manifest"),
        (setting("steps.0.file", "absent.tosa"), "expected a .tosa or .tflite file beside the manifest"),
        (setting("steps.0.file", "manifest.json"), "expected a .tosa or .tflite file beside the manifest"),
        (setting("steps.0.file", "1.tflite"), r"'1.tflite' has %.*, the manifest %image: i8\[1x8x8x1\]"),
        (setting("steps.2.file", "0.tosa"), "expected a separate file for each step, found '0.tosa' twice"),
        (setting("steps.0.inputs", []), "expected the 1 tensors of '0.tosa', found 0"),
        (setting("steps.0.inputs", [[]]), r"tensor \[\] is used before any step makes it"),
        (setting("steps.1.inputs", ["output_0"]), "tensor 'output_0' is used before any step makes it"),
        (setting("steps.0.outputs.0.name", "image"), "tensor 'image' is made twice"),
        (setting("steps.0.outputs.0.type", "i64"), "'0.tosa' has %"),
        (setting("steps.0.outputs.0.type", "x"), r"expected a type and a shape, found 'x'"),
        (setting("steps.0.outputs.0.shape", [-1]), "expected a type and a shape"),
        (setting("steps.0.outputs.0.shape", [1 << 70]), "expected a type and a shape"),
        (setting("steps.0.outputs.0.shape", [True]), "expected a type and a shape"),
        (setting("steps.0.outputs.0.shape", "11"), "expected list 'shape', found str"),
        (setting("inputs.0.shape", [2, 8, 8, 1]), r"'0.tosa' has %.*, the manifest %image: i8\[2x8x8x1\]"),
        (setting("outputs", ["nothing"]), "outputs: tensor 'nothing' is used before any step makes it"),
        (setting("outputs", [None]), "outputs: tensor None is used before any step makes it"),
        (setting("numerics", 1), "expected str 'numerics', found int"),
    ],
)
def test_hostile_manifests_are_refused(
    change: Callable[[dict[str, Any]], None], words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "link.tosa").symlink_to(folder.parent / "other.tosa")
    (folder.parent / "other.tosa").write_bytes((folder / "0.tosa").read_bytes())
    (folder / "sub").mkdir()
    (folder / "sub" / "0.tosa").write_bytes((folder / "0.tosa").read_bytes())
    os.mkfifo(folder / "pipe.tosa")
    changed(folder, change)
    with pytest.raises(FormatError, match=words):
        tc.load(folder / "manifest.json")
    with pytest.raises(SystemExit) as exit:
        cli.main(["run", str(folder)])
    assert exit.value.code == 3
    assert unwrapped(capsys.readouterr().err).startswith("error: ")


@pytest.mark.parametrize(
    "text", ["{", '{"format": "tosa-converter chain"' + "[" * 100_000, '{"format": "tosa-converter chain", "\xff": 1}']
)
def test_manifests_that_are_no_json_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(FormatError):
        tc.load(tmp_path)
    with pytest.raises(FormatError):
        parse(text.encode("latin-1"))
    with pytest.raises(UsageError, match=r"manifest\.json: No such file"):
        tc.load(tmp_path.parent)


def test_damaged_files_of_a_chain_are_refused(folder: Path) -> None:
    (folder / "0.tosa").write_bytes((folder / "1.tflite").read_bytes())
    with pytest.raises(FormatError, match=r"0\.tosa"):
        tc.load(folder)
    (folder / "0.tosa").write_bytes((folder / "2.tosa").read_bytes()[:50])
    with pytest.raises(FormatError, match=r"0\.tosa"):
        tc.load(folder)


# ** commands **


def command(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    with pytest.raises(SystemExit) as exit:
        cli.main([str(word) for word in words])
    shown = capsys.readouterr()
    return int(exit.value.code or 0), shown.out + shown.err


def test_the_commands_run_a_chain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    monkeypatch.chdir(tmp_path)
    model, was = without(tc.load(INT8), 4)
    tc.save(model, "unknown.tflite")
    status, text = command(capsys, "unknown.tflite", "--partial", "parts")
    assert status == 0, text
    assert "1.tflite" in text
    assert "the custom operator 'Unknown' is not known" in " ".join(text.split())
    status, text = command(capsys, "unknown.tflite", "--partial", "parts", "--json")
    assert (status, [step["file"] for step in json.loads(text)["steps"]]) == (0, ["0.tosa", "1.tflite", "2.tosa"])
    status, text = command(capsys, "run", "parts")
    assert (status, "error: " in text) == (1, True)  # LiteRT doesn't have it either
    tc.save(with_known(tc.load("parts"), was), "parts/manifest.json")
    x = np.arange(64, dtype=np.int8).reshape(1, 8, 8, 1)
    np.save("x.npy", x)
    status, text = command(capsys, "run", "parts", "-i", "image=x.npy", "-o", "y.npy")
    assert status == 0, text
    (expected,) = tc.run(INT8, {"image": x}).values()
    np.testing.assert_array_equal(np.load("y.npy"), expected)
    for engines in ("litert", "litert,tosa-reference-model"):
        status, text = command(capsys, "verify", INT8, "--partial", "parts", "--runs", 2, "--against", engines)
        assert (status, "  0 of 20  " in text) == (0, True), text
    status, text = command(capsys, "inspect", "parts")
    assert status == 0, text
    for words, expected_ in (
        (("verify", INT8, "--partial", "x.npy"), 3),
        (("verify", INT8, "--partial", "parts", "--layers"), 2),
        (("unknown.tflite", "--partial", "parts", "--dump-ir", "ir"), 2),
        (("verify", INT8, "--partial", INT8), 2),
        (("run", "parts", "--against", "litert"), 2),
        ((INT8, "-o", "a.tosa", "--partial", "parts"), 2),
        ((INT8, "--numerics", "compact", "--float=fp16"), 2),
        (("parts", "-o", "a.tosa"), 2),
    ):
        status, text = command(capsys, *words)
        assert (status, text.startswith("error: ")) == (expected_, True), text


def test_a_run_keeps_no_arrays(folder: Path) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    chain = tc.load(folder)
    inputs: dict[str, Array] = tc.random_inputs(chain, seed=1)
    first, second = tc.run(chain, inputs), tc.run(chain, inputs)
    np.testing.assert_array_equal(first["output_0"], second["output_0"])
    outputs = tc.run_steps(chain, [inputs, inputs])
    np.testing.assert_array_equal(outputs[1]["output_0"], first["output_0"])
