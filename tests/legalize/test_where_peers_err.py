"""Errors of another converter to TOSA, found with every kernel of LiteRT: ours is right in each case."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pytest
from support.legalizing import as_signless, compare, executed, reference_model
from support.quantized_models import Operand, constant, model, plain, quantized
from support.tflite_models import Tensor, run_litert

import tosa_converter as tc
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import ActivationFunctionType as Fused
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import Padding

pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")


class Finding(NamedTuple):
    """One operator, and the tolerance of floats as a part of the largest element."""

    builtin: B
    operands: Callable[[np.random.Generator], list[Operand | None]]
    result: Operand
    options: Mapping[str, Any] = {}
    tolerance: float = 0.0


def stored(rng: np.random.Generator, *shape: int, dtype: str = "int8") -> Array:
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max + 1, shape).astype(dtype)


def floats(*shape: int, spread: float = 5) -> Callable[[np.random.Generator], list[Operand | None]]:
    return lambda rng: [plain((rng.standard_normal(shape) * spread).astype(np.float32))]


def image(dtype: str, *shape: int, scale: float = 0.1) -> Callable[[np.random.Generator], list[Operand | None]]:
    return lambda rng: [quantized(stored(rng, *shape, dtype=dtype), scale, dtype=dtype)]


def resized(
    of: Callable[[np.random.Generator], list[Operand | None]], *size: int
) -> Callable[[np.random.Generator], list[Operand | None]]:
    return lambda rng: [*of(rng), constant(size)]


def every(dtype: str, scale: float) -> Callable[[np.random.Generator], list[Operand | None]]:
    limits = np.iinfo(dtype)
    values = np.arange(limits.min, limits.max + 1).astype(dtype).reshape(256, -1)
    return lambda _: [quantized(values, scale, dtype=dtype)]


def dense(rng: np.random.Generator) -> list[Operand | None]:
    weight = quantized(stored(rng, 64, 256), 0.01, constant=True)
    bias = Operand(Tensor((64,), "int32", rng.integers(-9999, 9999, 64), scale=0.001), None)
    return [quantized(stored(rng, 64, 256), 0.1, 3), weight, bias]


def four_bits(rng: np.random.Generator) -> list[Operand | None]:
    weight = Operand(Tensor((8, 16), "int4", rng.integers(-8, 8, (8, 16)).astype(np.int8), scale=0.1), None)
    return [quantized(stored(rng, 4, 16), 0.1, 3), weight, None]


SAME = {"padding": Padding.SAME, "stride_h": 2, "stride_w": 2, "filter_height": 3, "filter_width": 3}
RELU6 = {**SAME, "fused_activation_function": Fused.RELU6}
NEAREST = {"align_corners": False, "half_pixel_centers": False}
FINDINGS: dict[str, Finding] = {
    "RESIZE_NEAREST_NEIGHBOR by its defaults, fp32": Finding(
        B.RESIZE_NEAREST_NEIGHBOR, resized(floats(1, 5, 7, 2), 10, 14), plain((1, 10, 14, 2)), NEAREST
    ),
    "RESIZE_NEAREST_NEIGHBOR by its defaults, int8": Finding(
        B.RESIZE_NEAREST_NEIGHBOR, resized(image("int8", 1, 5, 7, 2), 10, 14), quantized((1, 10, 14, 2), 0.1), NEAREST
    ),
    **{
        f"{builtin.name} with a fused RELU6, {kind}": Finding(builtin, operands, result, RELU6, tolerance)
        for builtin in (B.AVERAGE_POOL_2D, B.MAX_POOL_2D)
        for kind, operands, result, tolerance in (
            ("fp32", floats(1, 9, 9, 3), plain((1, 5, 5, 3)), 1e-6),
            ("int8", image("int8", 1, 9, 9, 3), quantized((1, 5, 5, 3), 0.1), 0.0),
        )
    },
    "FLOOR_MOD fp32": Finding(
        B.FLOOR_MOD, lambda rng: [*floats(99)(rng), *floats(99, spread=2)(rng)], plain((99,)), {}, 1e-6
    ),
    **{f"CAST fp32 to {to}": Finding(B.CAST, floats(999, spread=30), plain((999,), to)) for to in ("int32", "int8")},
    "SOFTMAX int16 of far logits": Finding(
        B.SOFTMAX,
        image("int16", 64, 10, scale=0.001),
        quantized((64, 10), 2.0**-15, dtype="int16"),
        {"beta": 1.0},
    ),
    **{
        f"{builtin.name} int16": Finding(builtin, every("int16", 3e-4), quantized((256, 256), 2.0**-15, dtype="int16"))
        for builtin in (B.LOGISTIC, B.TANH)
    },
    "RESIZE_BILINEAR int8 from 13 to 31, half pixels": Finding(
        B.RESIZE_BILINEAR,
        resized(image("int8", 1, 13, 13, 3), 31, 31),
        quantized((1, 31, 31, 3), 0.1),
        {"half_pixel_centers": True},
    ),
    "RESIZE_BILINEAR int16 with aligned corners": Finding(
        B.RESIZE_BILINEAR,
        resized(image("int16", 1, 13, 13, 3), 31, 31),
        quantized((1, 31, 31, 3), 0.1, dtype="int16"),
        {"align_corners": True},
    ),
    "FULLY_CONNECTED int8, large": Finding(B.FULLY_CONNECTED, dense, quantized((64, 64), 0.11, -5)),
    "AVERAGE_POOL_2D uint8, SAME": Finding(
        B.AVERAGE_POOL_2D, image("uint8", 1, 9, 9, 3), quantized((1, 5, 5, 3), 0.1, dtype="uint8"), SAME
    ),
    "BITWISE_XOR uint8": Finding(
        B.BITWISE_XOR,
        lambda rng: [plain(stored(rng, 99, dtype="uint8"), "uint8") for _ in range(2)],
        plain((99,), "uint8"),
    ),
    **{
        f"GELU fp32, {form}": Finding(
            B.GELU, floats(999, spread=3), plain((999,)), {"approximate": form == "tanh"}, 1e-6
        )
        for form in ("tanh", "erf")
    },
    "weights of int4": Finding(B.FULLY_CONNECTED, four_bits, quantized((4, 8), 0.5)),
    "a fused TANH": Finding(
        B.ADD,
        lambda rng: [*floats(9, 9)(rng), *floats(9, 9)(rng)],
        plain((9, 9)),
        {"fused_activation_function": Fused.TANH},
        1e-6,
    ),
}


@pytest.mark.parametrize("name", FINDINGS)
def test_our_conversion_is_correct(name: str) -> None:
    """Our executor and Arm's reference model run the file that we write, which is predictable."""
    builtin, operands, result, options, tolerance = FINDINGS[name]
    data, arrays = model(builtin, operands(np.random.default_rng(0)), result, **options)
    want, ours = run_litert(data, arrays), tc.convert(data)
    assert np.unique(want[0]).size > 2
    fed = [as_signless(array) for array in arrays]
    for got in (executed(ours, fed), reference_model(ours, fed)):
        compare(got, want, tolerance)
