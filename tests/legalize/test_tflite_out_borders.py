"""Borders of TFLite written from TOSA have the source's types and scales in LiteRT, and every bit stays."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import MODELS
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.formats import encode
from tosa_converter.ir import Array, Op, TensorType, Value
from tosa_converter.legalize.invert.tflite.borders import flips_sign
from tosa_converter.schemas.tflite import BuiltinOperator as B

litert = pytest.importorskip("ai_edge_litert.interpreter", reason="the judge is LiteRT")
KERNELS = ["BUILTIN_REF", "BUILTIN_WITHOUT_DEFAULT_DELEGATES", "BUILTIN"]
QUANTIZED = sorted(
    path
    for folder in (MODELS, MODELS / "small")
    for path in folder.glob("*.tflite")
    if "int8" in path.stem or "int16" in path.stem
)
QUICK = [path for path in QUANTIZED if not path.stem.startswith(("encoder", "torch_", "lstm_unrolled"))]


def content(model: tc.Model, ending: str) -> bytes:
    return b"".join(map(bytes, encode(model, ending)))


def interpreter(data: bytes, kernels: str = "BUILTIN_REF") -> Any:
    return litert.Interpreter(model_content=data, experimental_op_resolver_type=getattr(litert.OpResolverType, kernels))


def describe_borders(data: bytes) -> list[Any]:
    """Returns LiteRT's description of inputs and outputs, in the file's order, and of signatures."""
    interpreting = interpreter(data)
    borders = [
        (x["name"], x["dtype"], [list(part) for part in x["quantization_parameters"].values() if np.ndim(part)])
        for x in (*interpreting.get_input_details(), *interpreting.get_output_details())
    ]
    return [borders, interpreting.get_signature_list()]


def computed(data: bytes, inputs: list[Array], kernels: str = "BUILTIN_REF") -> list[Array]:
    interpreting = interpreter(data, kernels)
    for x, array in zip(interpreting.get_input_details(), inputs, strict=True):
        interpreting.resize_tensor_input(x["index"], array.shape)
    interpreting.allocate_tensors()
    for x, array in zip(interpreting.get_input_details(), inputs, strict=True):
        interpreting.set_tensor(x["index"], array)
    interpreting.invoke()
    return [interpreting.get_tensor(x["index"]) for x in interpreting.get_output_details()]


@pytest.mark.parametrize("path", QUICK, ids=lambda path: path.stem)
def test_models_come_back_with_the_sources_borders(path: Path) -> None:
    source = path.read_bytes()
    back = content(tc.to_tflite(content(tc.convert(source), ".tosa")), ".tflite")
    before, after = describe_borders(source), describe_borders(back)
    assert after[0] == before[0]
    assert after[1] == before[1] or not before[1]
    model = tc.load(source)
    shapes = {value.name: tuple(size or 1 for size in value.type.shape) for value in model.main.inputs}
    drawn = list(tc.random_inputs(model, seed=0, input_shapes=shapes).values())
    for expected, output in zip(computed(source, drawn), computed(back, drawn), strict=True):
        assert expected.dtype == output.dtype
        np.testing.assert_array_equal(expected, output)


@pytest.mark.parametrize("kernels", KERNELS)
@pytest.mark.parametrize(("old", "new"), [("uint8", "int8"), ("int8", "uint8")])
@pytest.mark.parametrize("scale", [1 / 255, 0.0338092, 1.0, 37.5, 2.0**-20])
@pytest.mark.parametrize("zero_point", [0, 1, 121, 255])
def test_quantize_between_signs_flips_a_bit(kernels: str, old: str, new: str, scale: float, zero_point: int) -> None:
    points = {"uint8": zero_point, "int8": zero_point - 128}
    tensors = [Tensor((256,), name, scale=scale, zero_point=points[name]) for name in (old, new)]
    data = build(tensors, [Operator(B.QUANTIZE, (0,), (1,), {}, version=2)], (0,), (1,))
    every = np.arange(256, dtype=np.uint8).view(old)
    (output,) = computed(data, [every], kernels)
    np.testing.assert_array_equal(output.view(np.uint8), every.view(np.uint8) ^ 128)


@pytest.mark.parametrize("kernels", KERNELS)
@pytest.mark.parametrize("dtype", ["int8", "int16"])
def test_reshape_between_scales_leaves_the_bits(kernels: str, dtype: str) -> None:
    size = 256 if dtype == "int8" else 1 << 16
    tensors = [
        Tensor((size,), dtype, scale=0.25),
        Tensor((1,), "int32", np.array([size])),
        Tensor((size,), dtype, scale=0.001),
    ]
    data = build(tensors, [Operator(B.RESHAPE, (0, 1), (2,), {"new_shape": (size,)})], (0,), (2,))
    every = np.arange(size).astype(f"u{size.bit_length() // 8}").view(dtype)
    np.testing.assert_array_equal(computed(data, [every], kernels)[0], every)


@pytest.mark.parametrize(("dtype", "scale"), [("uint8", None), ("uint8", 0.5), ("int64", None), ("uint32", None)])
def test_types_that_tosa_lacks_come_back(dtype: str, scale: float | None) -> None:
    tensors = [Tensor((1, 4), dtype, scale=scale, zero_point=3 * (scale is not None)) for _ in range(2)]
    tensors.append(Tensor((2,), "int32", np.array([4, 1])))
    tensors[1].shape = (4, 1)
    source = build(tensors, [Operator(B.RESHAPE, (0, 2), (1,), {"new_shape": (4, 1)})], (0,), (1,))
    back = content(tc.to_tflite(content(tc.convert(source), ".tosa")), ".tflite")
    assert describe_borders(back)[0] == describe_borders(source)[0]
    elements = np.array([[0, 1, 127, 200]], dtype)
    np.testing.assert_array_equal(computed(back, [elements])[0], computed(source, [elements])[0])


def test_a_table_of_unknown_source_states_its_scales() -> None:
    tensors = [Tensor((1, 8), "int8", scale=0.05, zero_point=4), Tensor((1, 8), "int8", scale=1 / 256, zero_point=-128)]
    tosa = tc.convert(build(tensors, [Operator(B.LOGISTIC, (0,), (1,))], (0,), (1,)))
    tosa.borders.clear()
    back = tc.to_tflite(tosa)
    (x,), (y,) = back.main.inputs, back.main.outputs
    assert x.type.quant is not None
    assert y.type.quant is not None
    assert (y.type.quant.scale, y.type.quant.zero_point) == ((1 / 256,), (-128,))
    assert abs(x.type.quant.scale[0] / 0.05 - 1) < 0.02
    assert not back.notes


def test_a_table_of_a_known_source_is_that_function() -> None:
    tensors = [Tensor((1, 8), "int8", scale=0.05, zero_point=4), Tensor((1, 8), "int8", scale=1 / 128)]
    back = tc.to_tflite(tc.convert(build(tensors, [Operator(B.TANH, (0,), (1,))], (0,), (1,))))
    assert [op.name for op in back.main] == ["tfl.tanh"]  # without its scales it is LOGISTIC of twice the operand


def test_a_free_scale_is_1_with_a_note() -> None:
    tensors = [
        Tensor((1, 4), "int8", scale=0.05),
        Tensor((1,), "int32", np.array([1])),
        Tensor((1, 4), "int8", scale=0.05),
    ]
    tosa = tc.convert(build(tensors, [Operator(B.REVERSE_V2, (0, 1), (2,))], (0,), (2,)))
    tosa.borders.clear()
    back = tc.to_tflite(tosa)
    quants = [value.type.quant for value in (*back.main.inputs, *back.main.outputs)]
    assert [quant and quant.scale for quant in quants] == [(1.0,), (1.0,)]
    assert [place for place, text in back.notes if "1.0" in text] == ["input 't0'", "output 't2'"]


@pytest.mark.parametrize("name", ["digits_int8", "signatures_int8", "small/detector.int8", "small/detector.uint8_io"])
def test_models_of_unknown_source_compute_the_same(name: str) -> None:
    source = tc.load(MODELS / f"{name}.tflite")
    tosa = tc.convert(source)
    tosa.borders.clear()
    back = content(tc.to_tflite(tosa), ".tflite")
    drawn = list(tc.random_inputs(tosa, seed=0).values())
    inputs = [array.view(value.type.dtype.numpy) for array, value in zip(drawn, source.main.inputs, strict=True)]
    pairs = zip(computed(content(source, ".tflite"), inputs), computed(back, drawn), strict=True)
    assert all((expected.view(np.int8) == output.view(np.int8)).all() for expected, output in pairs)
    scales = [x["quantization"][0] for x in interpreter(back).get_input_details()]
    assert 0.0 not in scales


@pytest.mark.parametrize("name", ["keywords.int8", "lstm.int8"])
@pytest.mark.parametrize("ending", [".tosa", ".vgf", ".mlir", ".mlirbc"])
def test_state_comes_back_with_the_variables_quantization(name: str, ending: str) -> None:
    source = (MODELS / "small" / f"{name}.tflite").read_bytes()
    conversion = tc.convert(source, state="io")
    back = content(tc.to_tflite(content(conversion, ending)), ".tflite")
    variables = {x["index"]: x for x in interpreter(source).get_tensor_details()}
    states = conversion.main_states
    assert states
    borders = {name: (dtype, quantization) for name, dtype, quantization in describe_borders(back)[0]}
    for state in states:
        number = int(state.input.rpartition("[")[2].rstrip("]"))  # "... at Model.subgraphs[0].tensors[29]"
        variable = variables[number]
        scales, zero_points = (list(variable["quantization_parameters"][key]) for key in ("scales", "zero_points"))
        for end in (state.input, state.output):
            assert borders[end] == (variable["dtype"], [scales, zero_points])


def test_refused_values_of_64_bits_are_noted_for_inputs_only() -> None:
    """Outputs have no values beyond 32 bits; other types have no such limit."""
    tensors = [Tensor((2,), "int64"), Tensor((2,), "int64"), Tensor((2,), "uint8"), Tensor((2,), "uint8")]
    tensors[2:] = [replace(tensor, scale=0.5, zero_point=3) for tensor in tensors[2:]]
    operators = [Operator(B.NEG, [0], [1]), Operator(B.RELU, [2], [3])]
    report = tc.convert(build(tensors, operators, [0, 2], [1, 3])).report
    texts = {note.location: note.text for note in report.notes if note.location.startswith(("input", "output"))}
    assert len(texts) == 4
    limited = {place for place, text in texts.items() if "refuse values beyond" in text}
    assert limited == {"input 't0'"}


@pytest.mark.parametrize(
    ("operator", "constants", "expected"),
    [
        ("bitwise_xor", [np.int8(-128)], True),
        ("bitwise_xor", [np.full(3, -128, np.int8)], True),
        ("bitwise_xor", [np.array([-128, 0, -128], np.int8)], False),
        ("bitwise_xor", [np.int8(127)], False),
        ("bitwise_xor", [np.int16(-128)], False),
        ("bitwise_xor", [], False),
        ("bitwise_xor", [np.int8(-128), np.int8(-128)], False),
        ("add", [np.int8(-128)], False),
    ],
)
def test_operators_that_flip_only_the_sign_bit_are_recognized(
    operator: str, constants: list[Array], expected: bool
) -> None:
    def constant(array: Array) -> Value:
        values = np.asarray(array)
        dtype = {1: DType.I8, 2: DType.I16}[values.itemsize]
        return Op("tfl.pseudo_const", (), [TensorType(dtype, values.shape)], {"values": values}).result

    x = [Value(TensorType(DType.I8, (3,)), f"x{i}") for i in range(2 - len(constants))]
    op = Op(f"tfl.{operator}", [*x, *map(constant, constants)], [TensorType(DType.I8, (3,))])
    assert flips_sign(op) == expected
