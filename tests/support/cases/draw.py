"""The random numbers that cases are drawn from, with functions that draw operands."""

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

from support.random_numbers import Numbers
from support.tflite_models import Tensor
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import ActivationFunctionType, Padding

# Element types of rules by their names in numpy; int4 and int2 lie in int8.
NAMES = {
    "fp32": "float32", "fp16": "float16", "bf16": "bfloat16", "fp64": "float64", "bool": "bool",
    "i2": "int2", "i4": "int4", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "complex64": "complex64", "ui8": "uint8", "ui16": "uint16", "ui32": "uint32",
}  # fmt: skip
WORDS = {name: word for word, name in NAMES.items()}
LIMITS = {"i2": (-2, 1), "i4": (-8, 7), "i8": (-128, 127), "ui8": (0, 255), "i16": (-32768, 32767)}
HELD = {"int2": "int8", "int4": "int8", "bfloat16": ml_dtypes.bfloat16}
QUANTIZED = frozenset(LIMITS)
FLOATS = frozenset({"fp32", "fp16", "bf16"})
# Option values: fused activations that every kernel has, and corners of resized images.
NONE, RELU, RELU6 = ActivationFunctionType.NONE, ActivationFunctionType.RELU, ActivationFunctionType.RELU6
FUSED = {"fused_activation_function": (NONE, NONE, RELU, RELU6, ActivationFunctionType.RELU_N1_TO_1)}
CORNERS: tuple[dict[str, bool], ...] = (
    {"align_corners": False, "half_pixel_centers": False},
    {"align_corners": True, "half_pixel_centers": False},
    {"align_corners": False, "half_pixel_centers": True},
)


def window_count(padding: Padding, size: int, kernel: int, stride: int, dilation: int = 1) -> int:
    """Returns how many windows fit along one dimension (ComputeOutSize in padding.h)."""
    reach = 0 if padding is Padding.SAME else (kernel - 1) * dilation
    return (size - reach + stride - 1) // stride


class Draw(Numbers):
    """The random numbers of one case; `types` are the words of the type combination."""

    def __init__(self, seed: int, types: str) -> None:
        super().__init__(seed)
        self.types = types.split("*")

    @property
    def type(self) -> str:
        """Returns the first type."""
        return self.types[0]

    @property
    def quantized(self) -> bool:
        """Returns whether the first type is a quantized integer."""
        return self.type in QUANTIZED

    # ** numbers **

    def shape(self, low: int = 1, high: int = 4, most: int = 6) -> tuple[int, ...]:
        """Returns a shape with a rank from low to high, and sizes from 1 to `most`."""
        return tuple(self.whole(1, most) for _ in range(self.whole(low, high)))

    def broadcast(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Returns a shape that broadcasts to the argument: of the same or a lower rank, with some sizes 1."""
        start = self.whole(0, len(shape)) if self.whole(0, 2) == 0 else 0
        return tuple(1 if self.whole(0, 3) == 0 else size for size in shape[start:])

    def scale(self, low: float = 0.005, high: float = 0.2, size: int | None = None) -> Any:
        """Returns log-uniform numbers."""
        return np.exp(self.rng.uniform(np.log(low), np.log(high), size)).astype(np.float32)

    def zero_point(self, type: str = "") -> int:
        """Returns a zero point, mostly an end of the range; 0 for 16 bits."""
        type = type or self.type
        if type == "i16":
            return 0
        low, high = LIMITS[type]
        return int(self.among(low, (low + high + 1) // 2, high, self.whole(low, high)))

    def quant(self, type: str = "", *, scale: Any = None) -> dict[str, Any]:
        """Returns a scale and a zero point for a quantized type, nothing for others."""
        type = type or self.type
        if type not in QUANTIZED:
            return {}
        low, high = (0.0001, 0.001) if type == "i16" else (0.005, 0.2)
        return {"scale": self.scale(low, high) if scale is None else scale, "zero_point": self.zero_point(type)}

    def perhaps(self, *types: str) -> dict[str, Any]:
        """Returns `quant`, or in some cases nothing for these types."""
        return {} if self.type in types and self.coin() else self.quant()

    def same(self, operand: Tensor) -> dict[str, Any]:
        """Returns the quantization of an operand."""
        scale, zero_point = operand.scale, operand.zero_point
        return {} if scale is None else {"scale": scale, "zero_point": zero_point}

    def anywhere(self, quant: dict[str, Any]) -> dict[str, Any]:
        """Returns a quantization with any zero point of the type, int16 too, for kernels that don't demand 0."""
        if self.type != "i16" or not quant or self.coin():
            return quant
        return {**quant, "zero_point": self.among(1, -7, -32768, 32767, self.whole(-1000, 1000))}

    def values(self, shape: Sequence[int], type: str = "") -> Array:
        """Returns elements: the whole range of narrow integers, small 32-bit ones, normal floats with some zeros."""
        type, shape = type or self.type, tuple(shape)
        name = NAMES[type]
        dtype: Any = HELD.get(name, name)
        if type == "bool":
            return self.rng.integers(0, 2, shape).astype(bool)
        if type in FLOATS or type == "fp64":
            floats = self.rng.standard_normal(shape) * self.among(1, 3, 10)
            rounded = np.where(self.rng.integers(0, 8, shape) == 0, np.rint(floats * 2) / 2, floats)
            return np.asarray(rounded.astype(dtype))
        low, high = LIMITS.get(type, (0, 1000) if type.startswith("ui") else (-1000, 1000))
        return self.rng.integers(low, high + 1, shape).astype(dtype)

    # ** operands **

    def fed(self, shape: Sequence[int], type: str = "", **quant: Any) -> Tensor:
        """Returns an input of random elements."""
        return self.of(self.values(shape, type), type, **quant)

    def of(self, array: Array, type: str = "", **quant: Any) -> Tensor:
        """Returns an input with the elements of an array."""
        return Tensor(array.shape, NAMES[type or self.type], array=array, **quant)

    def tensor(self, shape: Sequence[int], type: str = "") -> Tensor:
        """Returns an input of random elements; quantized types get a quantization."""
        return self.fed(shape, type, **self.quant(type))

    def either(self, operand: Tensor) -> Tensor:
        """Returns the operand, in some cases as a constant."""
        return operand.constant if self.whole(0, 2) == 0 else operand

    def ints(self, values: Any, type: str = "i32") -> Tensor:
        """Returns a constant of integers."""
        return self.of(np.asarray(values, NAMES[type]), type).constant

    def result(self, type: str = "", **quant: Any) -> Tensor:
        """Returns a result; the kernel decides its shape."""
        return Tensor((), NAMES[type or self.type], **quant)
