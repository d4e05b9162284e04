"""Other borders: the conversion gives LiteRT's results for the original file, converted to the border types by hand."""

from pathlib import Path

import numpy as np
import pytest
from support.commands import FLOAT, INT8, command, unwrapped
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Quant, TensorType
from tosa_converter.legalize.tflite import borders
from tosa_converter.schemas.tflite import BuiltinOperator as B

RNG = np.random.default_rng(5)
STORED = RNG.integers(-128, 128, (1, 8, 8, 1)).astype(np.int8)
SCALE, ZERO = np.float32(1 / 255), -128  # quantization of the int8 model's image
OUT = np.float32(1 / 256), -128


def ours(model: tc.Model | str | Path, array: Array, **borders: object) -> Array:
    converted = tc.convert(model, **borders)  # type: ignore[arg-type]
    (value,) = converted.main.inputs
    (result,) = tc.run(converted, {value.name: array}).values()
    return result


def source(array: Array) -> Array:
    return run_litert(INT8.read_bytes(), [array])[0]


def real(stored: Array, scale: np.float32, zero: int) -> Array:
    return scale * (stored.astype(np.int32) - zero).astype(np.float32)


def test_float_borders_equal_quantize_and_dequantize() -> None:
    expected = real(source(STORED), *OUT)
    assert np.array_equal(ours(INT8, real(STORED, SCALE, ZERO), io_types="float32"), expected)
    mixed = ours(INT8, STORED, io_types={"output_0": "float32"})
    assert np.array_equal(mixed, expected)


def test_half_float_borders_equal_float_borders() -> None:
    halves = real(STORED, SCALE, ZERO).astype(np.float16)
    stored = np.clip(np.rint(halves.astype(np.float32) / SCALE) + ZERO, -128, 127).astype(np.int8)
    assert np.array_equal(ours(INT8, halves, io_types="float16"), real(source(stored), *OUT).astype(np.float16))


def test_unsigned_borders_are_unsigned_rescales() -> None:
    unsigned = (STORED.astype(np.int16) + 128).astype(np.uint8)
    expected = (source(STORED).astype(np.int16) + 128).astype(np.uint8)
    assert np.array_equal(ours(INT8, unsigned.view(np.int8), io_types="uint8").view(np.uint8), expected)
    rescales = [op for op in tc.convert(INT8, io_types="uint8").main if op.name == "tosa.rescale"]
    flags = [(op.attributes["input_unsigned"], op.attributes["output_unsigned"]) for op in rescales]
    assert (flags[0], flags[-1]) == ((True, False), (False, True))


@pytest.mark.parametrize("type", ["int8", "uint8"])
def test_quantize_at_a_border_is_left_out(type: str) -> None:
    floats = tc.with_borders(INT8, io_types="float32")
    assert [op.name for op in floats.main][1] == "tfl.quantize" or floats.main.ops[0].name == "tfl.quantize"
    back = tc.with_borders(floats, io_types=type)
    names = [op.name for op in back.main if "pseudo" not in op.name]
    plain = [op.name for op in tc.load(INT8).main if "pseudo" not in op.name]
    assert names == ([*["tfl.quantize"], *plain, "tfl.quantize"] if type == "uint8" else plain)
    assert "tfl.dequantize" not in names
    shift = np.int16(128 if type == "uint8" else 0)
    stored = (STORED + shift).astype(np.uint8).view(np.int8)
    expected = (source(STORED) + shift).astype(np.uint8)
    assert np.array_equal(ours(back, stored).view(np.uint8), expected)


def test_layouts_are_transposed_borders() -> None:
    shape = (1, 4, 6, 3)
    relu = build([Tensor(shape), Tensor(shape)], [Operator(B.RELU, (0,), (1,))], (0,), (1,))
    x = RNG.standard_normal(shape).astype(np.float32)
    model = tc.load(relu)
    planar = ours(model, x.transpose(0, 3, 1, 2), io_layouts={"t0": "nchw"})
    assert np.array_equal(planar, np.maximum(x, 0))
    converted = tc.convert(model, io_layouts={"t0": "nchw", "t1": "nchw"})
    assert [v.type.static for v in (*converted.main.inputs, *converted.main.outputs)] == [(1, 3, 4, 6)] * 2
    interleaved = ours(model, x.transpose(0, 2, 3, 1), io_layouts={"t0": "nhwc", "t1": "nhwc"})
    assert np.array_equal(interleaved, np.maximum(x, 0).transpose(0, 2, 3, 1))


def test_a_layout_that_cancels_a_transpose_costs_nothing() -> None:
    shape, turned = (1, 3, 4, 6), (1, 4, 6, 3)
    perm = Tensor((4,), "int32", np.array([0, 2, 3, 1]))
    operators = [Operator(B.TRANSPOSE, (0, 1), (2,)), Operator(B.RELU, (2,), (3,))]
    model = tc.load(build([Tensor(shape), perm, Tensor(turned), Tensor(turned)], operators, (0,), (3,)))
    names = [op.name for op in tc.convert(model, io_layouts={"t0": "nhwc"}).main if "const" not in op.name]
    assert names == ["tosa.clamp"]


def test_verify_compares_through_the_same_borders() -> None:
    for types in ("float32", "uint8", "float16"):
        assert tc.verify(INT8, io_types=types, runs=2).verdict
    assert tc.verify(FLOAT, io_layouts={"image": "nchw"}).verdict
    done = tc.verify(INT8, io_types="uint8")
    assert any("to ui8" in note.text for note in done.notes)


def test_an_unknown_batch_keeps_its_borders() -> None:
    converted = tc.convert(INT8, io_types="float32", io_layouts={"image": "nchw"}, input_shapes={"image": [3, 1, 8, 8]})
    assert converted.main.inputs[0].type.static == (3, 1, 8, 8)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--io-type", "int9"], "expected a type of keep, float32, float16, int8, uint8, int16, found 'int9'"),
        (
            ["--io-type", "nobody=int8"],
            "expected the name of an input or output, one of StatefulPartitionedCall_1:0, image",
        ),
        (["--io-layout", "image=chwn"], "expected a layout of nchw, nhwc"),
        (["--io-layout", "output_0=nchw"], "expected an image of rank 4"),
        (["--io-type", "int8", "--io-type", "uint8"], "expected one value without a name"),
    ],
)
def test_wrong_borders_are_refused(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(str(INT8), "-o", str(tmp_path / "m.tosa"), *words) == 2
    assert message in unwrapped(capsys.readouterr().err)


def test_floats_without_a_scale_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(str(FLOAT), "-o", str(tmp_path / "m.tosa"), "--io-type", "int8") == 2
    assert "expected QUANTIZE alone to read" in unwrapped(capsys.readouterr().err)


def test_the_command_takes_border_types(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "m.tosa"
    assert command(str(INT8), "-o", str(out), "--io-type", "float32", "--io-layout", "image=nchw") == 0
    assert [str(v.type) for v in tc.load(out).main.inputs] == ["fp32[1x1x8x8]"]
    assert command("verify", str(INT8), "--io-type", "uint8") == 0
    capsys.readouterr()


def test_an_input_that_an_operator_with_several_results_reads_keeps_its_type() -> None:
    """A preset asks for the stored type of inputs; only a QUANTIZE states it."""
    tensors = [Tensor((), "int32", np.array(1)), Tensor((2, 4)), Tensor((2, 2)), Tensor((2, 2))]
    split = Operator(B.SPLIT, (0, 1), (2, 3), {"num_splits": 2})
    with pytest.raises(tc.UnsupportedError, match="is a float model, but ethos-u85 computes int8 and int16 only"):
        tc.convert(build(tensors, [split], (1,), (2, 3)), target="ethos-u85")


NARROW = (DType.I8, DType.UI8, DType.I16)


@pytest.mark.parametrize("have", NARROW, ids=lambda dtype: dtype.value)
@pytest.mark.parametrize("want", NARROW, ids=lambda dtype: dtype.value)
@pytest.mark.parametrize("zero_point", [-128, -3, 0, 5, 127])
def test_borders_of_every_pair_of_types_have_the_same_reals(have: DType, want: DType, zero_point: int) -> None:
    """All values are compared if the types have as many steps; 16 bits in 8 take steps of 256."""
    if have is want:
        return
    stored = 0 if have is DType.I16 else zero_point + (128 if have is DType.UI8 else 0)
    quant = borders._border_quant(Quant((0.5,), (stored,)), have, want)

    def reals(dtype: DType, scale: float, zero: int) -> list[float]:
        limits = np.iinfo(dtype.numpy)
        return [(element - zero) * scale for element in range(int(limits.min), int(limits.max) + 1)]

    before, after = reals(have, 0.5, stored), reals(want, quant.scale[0], quant.zero_point[0])
    assert set(after) <= set(before) if have is DType.I16 else set(before) <= set(after)
    assert len(set(before) & set(after)) == 256


REALS = (DType.FP32, DType.FP16)


@pytest.mark.parametrize("have", [*REALS, *NARROW, DType.I32, DType.BOOL], ids=lambda dtype: dtype.value)
@pytest.mark.parametrize("want", [*REALS, *NARROW], ids=lambda dtype: dtype.value)
@pytest.mark.parametrize("scales", [0, 1, 2])
def test_a_border_takes_types_with_the_same_values(have: DType, want: DType, scales: int) -> None:
    """A border keeps its own type; floats may be other floats, and 8 and 16 bits with one scale any type."""
    quant = None if not scales else Quant((0.5,) * scales, (0,) * scales, None if scales == 1 else 0)
    type = TensorType(have, (2,), quant)
    if have is want or (have in NARROW and scales == 1) or (have in REALS and want in REALS):
        assert borders._border_type("x", type, want).dtype is want
    else:
        with pytest.raises(tc.UsageError, match=r"input or output 'x': expected floats, or 8 or 16 bits with a scale"):
            borders._border_type("x", type, want)
    assert borders._border_type("x", type, None) == type


@pytest.mark.parametrize("users", ["one", "alike", "unlike", "another operator", "an output", "none"])
def test_floats_have_a_scale_if_quantize_alone_reads_them(users: str) -> None:
    """All readers have the same scale, and the floats aren't used otherwise."""
    tensors = [Tensor((2,))] + [Tensor((2,), "int8", scale=scale, zero_point=3) for scale in (0.5, 0.5, 0.25)]
    tensors.append(Tensor((2,)))
    results = {"one": [1], "alike": [1, 2], "unlike": [1, 3], "another operator": [1, 4], "an output": [1], "none": [4]}
    operators = [Operator(B.ABS if i == 4 else B.QUANTIZE, [0], [i]) for i in results[users]]
    outputs = [*results[users], *([0] if users == "an output" else [])]
    data = build(tensors, operators, [0], outputs)
    name = tc.load(data).main.inputs[0].name
    if users in ("one", "alike"):
        (value,) = tc.convert(data, io_types={name: "int8"}).main.inputs
        assert value.type.dtype is DType.I8
    else:
        with pytest.raises(tc.UsageError, match="expected QUANTIZE alone to read"):
            tc.convert(data, io_types={name: "int8"})


@pytest.mark.parametrize("constant", [False, True])
def test_an_output_that_is_an_input_or_a_constant_leaves_its_name(constant: bool) -> None:
    """DEQUANTIZE at the border is left out, and the file already names its operand."""
    stored = np.array([1, -2], np.int8)
    tensors = [
        Tensor((2,), "int8", scale=0.5, zero_point=3, name="stored"),
        Tensor((2,), "int8", stored, scale=0.5, zero_point=3, name="weights"),
        Tensor((2,), name="real"),
        Tensor((2,), name="moved"),
    ]
    operators = [Operator(B.DEQUANTIZE, [int(constant)], [2]), Operator(B.DEQUANTIZE, [0], [3])]
    data = build(tensors, operators, [0], [2, 3])
    ours = tc.convert(data, io_types={"real": "int8"})
    assert [value.name for value in ours.main.inputs] == ["stored"]
    assert ours.main.outputs[0].name == ("weights" if constant else "stored_0")  # an input is copied
    first, second = tc.run(ours, {"stored": stored}).values()
    np.testing.assert_array_equal(first, stored)
    np.testing.assert_array_equal(second, real(stored, np.float32(0.5), 3))
