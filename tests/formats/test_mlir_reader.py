"""Texts that tosa-opt prints, in every form, are read as the graph of its own serializer."""

from pathlib import Path

import numpy as np
import pytest
from support.cases.sketch import Sketch
from support.commands import MODELS, command
from support.kernel_cases import COMBINATIONS, MAKERS, cases_of, graph_of
from support.mlir_texts import (
    ATTRIBUTES,
    CONTROL,
    TEXTS,
    VARIABLES,
    names,
    plain,
    printed,
    read,
    serialized,
    together,
    tosa_opt,
)
from support.random_models import grow

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.formats import encode, parse
from tosa_converter.formats.mlir.lexer import looks_like_mlir
from tosa_converter.formats.mlir.writer import write_mlir
from tosa_converter.ir import Graph, Model
from tosa_converter.schemas.tosa_ops import OPERATORS

FORMS = {
    "pretty": (),
    "generic": ("--mlir-print-op-generic",),
    "lists": ("--mlir-print-elementsattrs-with-hex-if-larger=-1",),
    "hexadecimal": ("--mlir-print-elementsattrs-with-hex-if-larger=0",),
    "locations": ("--mlir-print-debuginfo", "--mlir-print-op-generic"),
}


def single_operators() -> dict[str, Graph]:
    """Returns a graph for every case of every row of the type tables."""
    graphs = {}
    for row, types in COMBINATIONS:
        for i, case in enumerate(cases_of(row, types)):
            graph = graphs[f"{row.name}_{types.replace(' ', '_')}_{i}"] = graph_of(row, case)[0]
            graph.name = f"{row.name}_{types.replace(' ', '_')}_{i}"
    return graphs


# ** the judge **


@tosa_opt
@pytest.mark.parametrize("form", FORMS)
def test_every_operator_is_read_in_every_form(form: str) -> None:
    graphs = single_operators()
    model_read = read(printed(write_mlir(Model(graphs)), *FORMS[form]))
    assert set(model_read.graphs) == set(graphs)
    for name, graph in graphs.items():
        assert plain(model_read.graphs[name]) == plain(graph), name
        assert list(names(model_read.graphs[name])) == list(names(graph))


@tosa_opt
def test_every_operator_equals_the_serializers(tmp_path: Path) -> None:
    text = together(list(single_operators().values()))
    model_read, expected = read(text), serialized(text, tmp_path)
    assert {op.row for op in model_read.main.ops} >= {row for row in OPERATORS if row in MAKERS}
    assert plain(model_read.main) == plain(expected.main)
    assert list(names(model_read.main)) == list(names(expected.main))


@tosa_opt
def test_random_models_come_back_from_tosa_opt() -> None:
    graphs = {}
    for seed in range(12):
        sketch = Sketch(seed, ("int8", "float32", "uint8")[seed % 3])
        graph = graphs[f"random{seed}"] = tc.convert(parse(grow(sketch, 5).finish()[0])).main
        graph.name = f"random{seed}"
    model_read = read(printed(write_mlir(Model(graphs))))
    assert {name: plain(graph) for name, graph in model_read.graphs.items()} == {n: plain(g) for n, g in graphs.items()}


@tosa_opt
@pytest.mark.parametrize("name", TEXTS)
def test_texts_equal_the_serializers(name: str, tmp_path: Path) -> None:
    expected = plain(serialized(TEXTS[name], tmp_path).main)
    assert plain(read(TEXTS[name]).main) == expected
    for form, options in FORMS.items():
        assert plain(read(printed(TEXTS[name], *options)).main) == expected, form


@tosa_opt
@pytest.mark.parametrize("name", ["digits_int8", "digits_float32"])
def test_deserialized_models_compute_the_same(name: str, tmp_path: Path) -> None:
    tc.save(tc.convert(tc.load(MODELS / f"{name}.tflite")), tmp_path / "m.tosa")
    model = tc.load(tmp_path / "m.tosa")
    options = f"--tosa-deserialize=tosa-flatbuffer-filename={tmp_path / 'm.tosa'}"
    for form in ((), ("--mlir-print-op-generic",)):
        printed("module {}", options, *form, "-o", str(tmp_path / "m.mlir"))
        model_read = tc.load(tmp_path / "m.mlir")
        assert plain(model_read.main) == plain(model.main)
        x = {value.name: np.ones(value.type.static, value.type.dtype.numpy) for value in model.main.inputs}
        ours, theirs = tc.run(model, x), tc.run(model_read, x)
        assert {key: value.tobytes() for key, value in ours.items()} == {k: v.tobytes() for k, v in theirs.items()}


# ** our own texts **


@pytest.mark.parametrize("name", ["digits_int8", "digits_float32"])
def test_our_texts_come_back_as_they_were(name: str) -> None:
    model = tc.convert(tc.load(MODELS / f"{name}.tflite"))
    text = b"".join(map(bytes, encode(model, ".mlir", debug=True)))
    model_read = parse(text)
    assert b"".join(map(bytes, encode(model_read, ".mlir", debug=True))) == text
    assert b"".join(map(bytes, encode(model_read, ".tosa"))) == b"".join(map(bytes, encode(model, ".tosa")))


@tosa_opt
def test_names_survive_tosa_opt() -> None:
    model = tc.convert(tc.load(MODELS / "digits_int8.tflite"))
    text = b"".join(map(bytes, encode(model, ".mlir", debug=True))).decode()
    model_read = read(printed(text, "--mlir-print-debuginfo"))
    assert b"".join(map(bytes, encode(model_read, ".tosa"))) == b"".join(map(bytes, encode(model, ".tosa")))


def test_names_of_regions_and_their_inputs_come_back() -> None:
    model = read(CONTROL)
    for region in model.main.ops[0].regions:
        region.name = "branch"
        region.inputs[0].name = "first input"
        region.outputs[0].name = "an output"
    (text,) = encode(model, ".mlir", debug=True)
    regions = read(bytes(text).decode()).main.ops[0].regions
    assert [(region.name, *names(region)) for region in regions] == [("branch", "first input", "", "an output")] * 2


def test_the_command_runs_and_converts_a_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "without-an-ending"
    path.write_text(ATTRIBUTES.replace("%11 = tosa.custom", "// "))
    assert command("run", path) == 0
    assert command("inspect", path) == 0
    assert "tosa.clamp" in capsys.readouterr().out
    for ending in (".tosa", ".spv", ".vgf", ".mlir"):
        assert command(path, "-o", tmp_path / f"m{ending}") == 0


# ** what a text may look like **


def test_names_and_locations_are_read() -> None:
    text = """
    func.func private @declared(tensor<2xi8>) -> tensor<2xi8>
    func.func @other(%a: tensor<2xi8>) -> tensor<2xi8> {
      return %a : tensor<2xi8>
    }
    func.func @main(%image: tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8> {tosa.tensor_name = "image"}) {
      %0 = tosa.identity %image : (tensor<2xi8>) -> tensor<2xi8> loc("n"("f.c":1:2))
      %1 = tosa.identity %0 : (tensor<2xi8>) -> tensor<2xi8> loc(#later)
      %2 = tosa.identity %1 : (tensor<2xi8>) -> tensor<2xi8> loc(callsite(unknown at "b"))
      %3 = tosa.identity %2 : (tensor<2xi8>) -> tensor<2xi8> loc(fused<["mine"]>["a", "f.c":3:4 to 5:6])
      return %3, %3, %image : tensor<2xi8>, tensor<2xi8>, tensor<2xi8> loc("end")
    } loc("f")
    #later = loc("x")
    """
    model = read(text)
    assert list(model.graphs) == ["main", "other"]
    assert [op.location for op in model.main.ops] == ["n at f.c:1:2", "x", "b", "a; f.c:3:4 to 5:6", ""]
    assert list(names(model.main)) == ["image", "mine", "mine_1", "image"]
    assert model.main.outputs[2] is model.main.inputs[0]
    assert list(model.signatures["other"].inputs) == ["a"]


def test_numbers_have_types_that_no_tensor_has() -> None:
    text = """func.func @main(%a: tensor<2xi8>) {
      %0 = tosa.abs %a {x = 1 : index, y = 2 : i8} : (tensor<2xi8>) -> tensor<2xi8>
      return
    }"""
    assert [op.name for op in read(text).main.ops] == ["tosa.abs"]


def test_locations_nest_as_deep_as_lists() -> None:
    """Each `fused` is one level: 60 of them are within the limit of 66."""
    location = "fused[" * 60 + '"a"' + "]" * 60
    text = f"""func.func @main(%a: tensor<2xi8>) {{
      %0 = tosa.abs %a : (tensor<2xi8>) -> tensor<2xi8> loc({location})
      return
    }}"""
    assert [op.location for op in read(text).main.ops] == ["a"]


@pytest.mark.parametrize(
    ("quantized", "stored"),
    [
        ("uniform<i8:f32, 0.5:3>", DType.I8),
        ("uniform<u8:f32, 0.5:3>", DType.UI8),
        ("uniform<i8:f32:0, {0.5, 0.25:3}>", DType.I8),
        ("uniform<i8<-127:127>:f32:0, {1.0e-01,1.0e-01}>", DType.I8),
        ("uniform<u8<1:255>:f32, 0.5:128>", DType.UI8),
        ("any<i16<-8:7>:f32>", DType.I16),
    ],
)
def test_quantized_types_count_as_what_they_store(quantized: str, stored: DType) -> None:
    type = f"tensor<2x!quant.{quantized}>"
    model = read(f"func.func @main(%a: {type}) -> {type} {{ return %a : {type} }}")
    assert model.main.inputs[0].type.dtype is stored
    ((place, reason),) = model.notes
    assert place == "line 1, column 21"
    assert "quant.uniform" in reason


def test_every_graph_declares_the_variables_that_it_uses() -> None:
    text = VARIABLES.replace("@main", "@first") + VARIABLES.replace("@v", "@w").replace('@"we ird"', "@z")
    model = read(text)
    declared = {name: [op.attributes["name"] for op in graph.ops[:2]] for name, graph in model.graphs.items()}
    assert declared == {"main": ["w", "z"], "first": ["v", "we ird"]}


def test_texts_are_recognized_by_their_content() -> None:
    for begin in (
        "module {",
        "  \n// x\nfunc.func",
        '"builtin.module"()',
        "#map = 1",
        "// only",
        "!t = i8",
        "tosa.variable",
    ):
        assert looks_like_mlir(begin.encode()), begin
    for other in (b"", b"\x10\0\0\0TFL3", b"{}", b"moduel {"):
        assert not looks_like_mlir(other), other
