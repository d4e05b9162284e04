"""Scales, axes and slopes on both sides of every limit are taken exactly as LiteRT's delegate takes them."""

from collections.abc import Iterator

import numpy as np
import pytest
from support.cases.case import Case
from support.legalizing import reference_model
from support.tflite_models import Tensor
from support.xnnpack_cases import ON_X86

import tosa_converter as tc
from tosa_converter.engines import engine_named
from tosa_converter.legalize.quant.elements import LEFT
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation
from tosa_converter.schemas.tflite import BuiltinOperator as B

Interpreter = pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed").Interpreter
pytestmark = ON_X86
SHAPE = (1, 4, 6, 3)
ABOVE, BELOW = 1 + 1e-6, 1 - 1e-6


def tensor(scale: float, shape: tuple[int, ...] = SHAPE, dtype: str = "int8") -> Tensor:
    return Tensor(shape, dtype, scale=float(np.float32(scale)), zero_point=3)


def products() -> Iterator[Case]:
    """Yields products whose quotient of scales is at the ends of Multiply's range."""
    for quotient in (2.0**-16, 2.0**8):
        for factor in (BELOW, 1.0, ABOVE):
            yield Case(B.MUL, (tensor(0.5), tensor(0.5)), (tensor(0.25 / (quotient * factor)),))


def sums() -> Iterator[Case]:
    for builtin in (B.ADD, B.SUB):
        for quotient in (2.0**-10, 2.0**8):
            for factor in (BELOW, 1.0, ABOVE):
                yield Case(builtin, (tensor(0.5), tensor(0.5)), (tensor(0.5 / (quotient * factor)),))


def slopes() -> Iterator[Case]:
    """Yields scales above and below 0: whole 256ths, from 1 to 128 units."""
    for above in (2.0**-8, 128.0):
        for factor in (BELOW, 1.0, ABOVE):
            yield Case(B.LEAKY_RELU, (tensor(0.5),), (tensor(0.5 / (above * factor)),), {"alpha": 0.75})
    for below in (2.0**-8, -(2.0**-8), 128.0, 2.0**-8 - 128):
        for factor in (BELOW, 1.0, ABOVE):
            yield Case(B.LEAKY_RELU, (tensor(0.5),), (tensor(0.5),), {"alpha": float(np.float32(below * factor))})


def reductions() -> Iterator[Case]:
    axes: tuple[tuple[int, ...], ...] = ((1, 2), (1,), (2,), (3,), (0, 1, 2, 3), (-1,), ())
    for builtin in (B.MEAN, B.SUM):
        for over in axes:
            for keep in (False, True):
                remaining = [i for i in range(4) if i not in {axis % 4 for axis in over}]
                shape = (
                    tuple(SHAPE[i] if i in remaining else 1 for i in range(4))
                    if keep
                    else tuple(SHAPE[i] for i in remaining)
                )
                operand = Tensor((len(over),), "int32", np.array(over, np.int32))
                yield Case(builtin, (tensor(0.05), operand), (tensor(0.07, shape),), {"keep_dims": keep})


def layers() -> Iterator[Case]:
    """Yields FULLY_CONNECTED of every depth, with weights of every width, one scale or one for each channel."""
    for dtype in ("int8", "int4", "int2"):
        for depth in range(1, 10):
            for scales in ([0.25], [0.25, 0.5]):
                data = (np.arange(2 * depth).reshape(2, depth) % 3 - 1).astype(np.int8)
                zeros = [0] * len(scales)
                weight = Tensor((2, depth), dtype, data, scale=scales, zero_point=zeros)
                operands = (tensor(0.5, (3, depth)), weight, None)
                yield Case(B.FULLY_CONNECTED, operands, (tensor(0.75, (3, 2)),))


CASES = [case for make in (products, sums, slopes, reductions, layers) for case in make()]


def delegated(data: bytes) -> bool:
    interpreter = Interpreter(model_content=data)
    interpreter.allocate_tensors()
    return "DELEGATE" in {node["op_name"] for node in interpreter._get_ops_details()}


@pytest.mark.parametrize("case", CASES, ids=[f"{i}-{case.builtin.name}" for i, case in enumerate(CASES)])
def test_the_rules_take_what_the_delegate_takes(case: Case) -> None:
    data = case.file()
    source = tc.load(data)
    model = tc.convert(source, numerics="xnnpack")
    taken = LEFT not in [note.text for note in model.report.notes]
    assert taken == delegated(data)
    if not taken:  # then LiteRT uses other kernels, which differ from each other
        return
    feed = tc.random_inputs(source, seed=1)
    expected = engine_named("litert-xnnpack").run(source, feed)
    for name, array in tc.run(model, feed).items():
        np.testing.assert_array_equal(array, expected[name])


def next_to_ties() -> Iterator[Case]:
    """Yields functions and bounds whose float32 sum with the zero point rounds differently in uint8 and int8."""

    def unsigned(scale: float, zero_point: int) -> Tensor:
        return Tensor((256,), "uint8", scale=float(np.float32(scale)), zero_point=zero_point)

    for scale, zero_point in ((0.042841878, 115), (0.025570188, 121), (0.061862253, 79)):
        yield Case(B.LOGISTIC, (unsigned(scale, zero_point),), (unsigned(1 / 256, 0),))
    for scale, zero_point in ((0.05498866, 199), (0.048115313, 84)):
        yield Case(B.TANH, (unsigned(scale, zero_point),), (unsigned(1 / 128, 128),))
    for scale, zero_point in ((0.097560965, 109), (0.06217617, 87), (0.23529407, 63)):
        x = unsigned(scale, zero_point)
        zero = Tensor((1,), "uint8", np.array([zero_point], np.uint8), scale=x.scale, zero_point=zero_point)
        yield Case(B.ADD, (x, zero), (x,), {"fused_activation_function": Activation.RELU6})


@pytest.mark.parametrize(
    "case", list(next_to_ties()), ids=lambda case: f"{case.builtin.name}-{case.operands[0].scale:.3g}"
)
def test_bytes_next_to_ties_equal_the_delegate(case: Case) -> None:
    data = case.file()
    assert delegated(data)
    source = tc.load(data)
    feed = {source.main.inputs[0].name: np.arange(256).astype(np.uint8)}
    (expected,) = engine_named("litert-xnnpack").run(source, feed).values()
    model = tc.convert(source, numerics="xnnpack")
    (levels,) = tc.run(model, {key: x.view(np.int8) for key, x in feed.items()}).values()
    np.testing.assert_array_equal(levels.view(np.uint8), expected)


@pytest.mark.parametrize("numerics", ["xnnpack", "compact"])
@pytest.mark.parametrize("builtin", [B.BATCH_MATMUL, B.CONV_2D])
def test_sums_that_scale_beyond_29_bits_saturate(builtin: B, numerics: str) -> None:
    """600 products of 127 * 127 times 200 exceed RESCALE's range and are clamped to what saturates alike."""
    depth = 600
    sign = np.array([1, -1, 0, 1], np.int8)
    left = (127 * sign[:, None]).repeat(depth, 1).reshape(1, 2, 2, depth)
    right = (127 * sign[:3, None]).repeat(depth, 1)
    if builtin is B.CONV_2D:
        weight = Tensor((3, 1, 1, depth), "int8", right.reshape(3, 1, 1, depth), scale=1.0, zero_point=0)
        bias = Tensor((3,), "int32", np.array([1, -2, 3], np.int32), scale=1.0, zero_point=0)
        options, operands = {"stride_h": 1, "stride_w": 1}, [weight, bias]
    else:
        options, operands = {}, [Tensor((1, 2, depth, 3), "int8", scale=1.0, zero_point=0)]
    x = Tensor((1, 2, 2, depth), "int8", scale=1.0, zero_point=0)
    case = Case(builtin, (x, *operands), (Tensor((1, 2, 2, 3), "int8", scale=1 / 200, zero_point=3),), options)
    source = tc.load(case.file())
    model = tc.convert(source, numerics=numerics)
    feed = dict(zip([value.name for value in source.main.inputs], (left, np.tile(right.T, (1, 2, 1, 1))), strict=False))
    (expected,) = engine_named("litert-xnnpack").run(source, feed).values()
    assert {-128, 127} <= {*expected.reshape(-1).tolist()}
    (output,) = reference_model(model, list(feed.values()))
    np.testing.assert_array_equal(output, expected)
    np.testing.assert_array_equal(next(iter(tc.run(model, feed).values())), expected)
