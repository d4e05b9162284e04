"""What inputs and outputs become for each preset: integers, where it is for these, or what the user says."""

import pytest
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.schemas.presets import PRESETS
from tosa_converter.schemas.tflite import BuiltinOperator as B


def model() -> bytes:
    """ABS of int8 between QUANTIZE and DEQUANTIZE."""
    x, y = (Tensor((1, 4), name=name) for name in "xy")
    a, b = (Tensor((1, 4), "int8", name=name, scale=0.5, zero_point=3) for name in "ab")
    operators = [Operator(B.QUANTIZE, (0,), (1,)), Operator(B.RELU, (1,), (2,)), Operator(B.DEQUANTIZE, (2,), (3,))]
    return build([x, a, b, y], operators, (0,), (3,))


@pytest.mark.parametrize("name", PRESETS)
def test_borders_that_are_quantized(name: str) -> None:
    expected = DType.I8 if PRESETS[name].stored else DType.FP32
    converted = tc.convert(model(), target=name)
    assert [value.type.dtype for value in (*converted.main.inputs, *converted.main.outputs)] == [expected] * 2


@pytest.mark.parametrize("name", [name for name, preset in PRESETS.items() if preset.stored])
def test_the_user_comes_first(name: str) -> None:
    converted = tc.convert(model(), target=name, io_types={"y": "uint8"})
    types = [value.type.dtype for value in (*converted.main.inputs, *converted.main.outputs)]
    assert types[0] is DType.I8
    for io_types in ("keep", {"": "keep"}, {"x": "keep"}):
        with pytest.raises(UnsupportedError):
            tc.convert(model(), target=name, io_types=io_types)


def test_an_xnngraph_keeps_its_borders() -> None:
    from support.xnnpack_cases import cases

    source = tc.load(cases("qint8")["conv.xnn"].data)
    expected = [value.type.dtype for value in (*source.main.inputs, *source.main.outputs)]
    converted = tc.convert(source, target="ethos-u85")
    assert [value.type.dtype for value in (*converted.main.inputs, *converted.main.outputs)] == expected
