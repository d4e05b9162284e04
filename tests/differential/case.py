"""One case, a model of one operator with the arrays to feed it, and the random numbers that it is drawn from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
from support.random_numbers import Numbers
from support.tflite_models import Operator, Tensor, build

from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator

# Element types of rewrites by their names in numpy; int4 and int2 lie in int8.
NAMES = {
    "fp32": "float32", "fp16": "float16", "bf16": "bfloat16", "fp64": "float64", "bool": "bool",
    "i2": "int2", "i4": "int4", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "complex64": "complex64", "ui8": "uint8", "ui16": "uint16", "ui32": "uint32",
}  # fmt: skip
LIMITS = {"i2": (-2, 1), "i4": (-8, 7), "i8": (-128, 127), "ui8": (0, 255), "i16": (-32768, 32767)}
HELD = {"int2": "int8", "int4": "int8", "bfloat16": ml_dtypes.bfloat16}
QUANTIZED = frozenset(LIMITS)
HALF_KERNELS = (BuiltinOperator.DEQUANTIZE, BuiltinOperator.DENSIFY)  # that LiteRT has for 16-bit floats
FLOATS = frozenset({"fp32", "fp16", "bf16"})


class Operand(NamedTuple):
    """A tensor; the array is its data, fed unless the tensor has it as a constant."""

    tensor: Tensor
    array: Array | None = None

    @property
    def constant(self) -> "Operand":
        """The same as a constant."""
        return Operand(Tensor(**{**vars(self.tensor), "data": self.array}), self.array)

    @property
    def fed(self) -> bool:
        """Whether it is an input of the model."""
        return self.array is not None and self.tensor.data is None


class Case(NamedTuple):
    """A model of one operator; an operand of None is absent.

    `conversion` are arguments of tc.convert; `settled` sets results that the kernel leaves to chance; tensors beside
    the operands are the operator's intermediates; `further` are the arrays of runs behind the first, of one with state.
    """

    builtin: BuiltinOperator
    operands: Sequence[Operand | None]
    results: Sequence[Operand]
    options: Mapping[str, Any] = MappingProxyType({})
    version: int = 1
    custom_code: str = ""
    custom_options: bytes = b""
    conversion: Mapping[str, Any] = MappingProxyType({})
    settled: Callable[[list[Array]], list[Array]] = list
    intermediates: Sequence[Tensor] = ()
    further: Sequence[list[Array]] = ()

    def model(self) -> tuple[bytes, list[Array]]:
        """The file, and the arrays of its inputs in their order."""
        present = [operand for operand in self.operands if operand is not None]
        numbers = iter(range(len(present)))
        places = [-1 if operand is None else next(numbers) for operand in self.operands]
        made = list(range(len(present), len(present) + len(self.results)))
        fed = [i for i, operand in enumerate(present) if operand.fed]
        tensors = [*(operand.tensor for operand in (*present, *self.results)), *self.intermediates]
        beside = range(len(present) + len(made), len(tensors))
        operator = Operator(
            self.builtin, places, made, dict(self.options), self.custom_code, self.custom_options, self.version, beside
        )
        return build(tensors, [operator], fed, made), [operand.array for operand in present if operand.fed]  # type: ignore[misc]

    def steps(self) -> list[list[Array]]:
        """The arrays of each run."""
        return [self.model()[1], *self.further]

    def declared(self, shapes: Sequence[tuple[int, ...]]) -> "Case":
        """The same with the results' shapes in the file: LiteRT's delegate looks at these."""
        results = [
            operand._replace(tensor=replace(operand.tensor, shape=shape))
            for operand, shape in zip(self.results, shapes, strict=True)
        ]
        return self._replace(results=results)

    def widened(self) -> "Case":
        """The same values in float32 for every 16-bit float: what LiteRT, which has few such kernels, can run."""
        if self.builtin in HALF_KERNELS:
            return self
        return self._replace(
            operands=[operand and _widened(operand) for operand in self.operands],
            results=[_widened(operand) for operand in self.results],
        )


class Network(NamedTuple):
    """A model of several operators, encoded, with the arrays of its inputs.

    `expected` is what a formula gives, for operators that LiteRT has no kernel for.
    """

    data: bytes
    arrays: list[Array]
    expected: list[Array] | None = None
    conversion: Mapping[str, Any] = MappingProxyType({})

    def model(self) -> tuple[bytes, list[Array]]:
        """The file and the arrays."""
        return self.data, self.arrays

    def steps(self) -> list[list[Array]]:
        """One run."""
        return [self.arrays]

    def widened(self) -> "Network":
        """The same: it has types that LiteRT runs."""
        return self


def _widened(operand: Operand) -> Operand:
    if operand.tensor.dtype not in ("float16", "bfloat16"):
        return operand
    array = None if operand.array is None else operand.array.astype(np.float32)
    data = array if operand.tensor.data is not None else None
    raw = None if operand.tensor.raw is None else operand.tensor.raw.astype(np.float32)
    return Operand(Tensor(**{**vars(operand.tensor), "dtype": "float32", "data": data, "raw": raw}), array)


class Draw(Numbers):
    """Random numbers of one case of an operator; `types` are the words of the type that is drawn."""

    def __init__(self, seed: int, types: str) -> None:
        super().__init__(seed)
        self.types = types.split("*")

    @property
    def type(self) -> str:
        """The first type."""
        return self.types[0]

    @property
    def quantized(self) -> bool:
        """Whether that is an integer that stands for reals."""
        return self.type in QUANTIZED

    # ** numbers **

    def shape(self, low: int = 1, high: int = 4, most: int = 6) -> tuple[int, ...]:
        """A shape of a rank from low to high, sizes from 1 to `most`."""
        return tuple(self.whole(1, most) for _ in range(self.whole(low, high)))

    def broadcast(self, shape: Sequence[int]) -> tuple[int, ...]:
        """A shape that broadcasts to it: of the same rank or a lower one, some sizes 1."""
        start = self.whole(0, len(shape)) if self.whole(0, 2) == 0 else 0
        return tuple(1 if self.whole(0, 3) == 0 else size for size in shape[start:])

    def scale(self, low: float = 0.005, high: float = 0.2, size: int | None = None) -> Any:
        """Log-uniform."""
        return np.exp(self.rng.uniform(np.log(low), np.log(high), size)).astype(np.float32)

    def zero_point(self, type: str = "") -> int:
        """One, the ends of the range more often than not; 0 for 16 bits."""
        type = type or self.type
        if type == "i16":
            return 0
        low, high = LIMITS[type]
        return int(self.among(low, (low + high + 1) // 2, high, self.whole(low, high)))

    def quant(self, type: str = "", *, scale: Any = None) -> dict[str, Any]:
        """A scale and a zero point for a type that is quantized, nothing for others."""
        type = type or self.type
        if type not in QUANTIZED:
            return {}
        low, high = (0.0001, 0.001) if type == "i16" else (0.005, 0.2)
        return {"scale": self.scale(low, high) if scale is None else scale, "zero_point": self.zero_point(type)}

    def perhaps(self, *types: str) -> dict[str, Any]:
        """As `quant`, but now and then nothing for these types."""
        return {} if self.type in types and self.coin() else self.quant()

    def same(self, operand: Operand) -> dict[str, Any]:
        """The quantization of an operand."""
        scale, zero_point = operand.tensor.scale, operand.tensor.zero_point
        return {} if scale is None else {"scale": scale, "zero_point": zero_point}

    def anywhere(self, quant: dict[str, Any]) -> dict[str, Any]:
        """A quantization whose zero point may be any of int16 too: of kernels that don't demand 0."""
        if self.type != "i16" or not quant or self.coin():
            return quant
        return {**quant, "zero_point": self.among(1, -7, -32768, 32767, self.whole(-1000, 1000))}

    def values(self, shape: Sequence[int], type: str = "") -> Array:
        """Elements: the full range of narrow integers, small 32-bit ones, normal floats with some zeros and halves."""
        type, shape = type or self.type, tuple(shape)
        name = NAMES[type]
        held: Any = HELD.get(name, name)
        if type == "bool":
            return self.rng.integers(0, 2, shape).astype(bool)
        if type in FLOATS or type == "fp64":
            floats = self.rng.standard_normal(shape) * self.among(1, 3, 10)
            rounded = np.where(self.rng.integers(0, 8, shape) == 0, np.rint(floats * 2) / 2, floats)
            return np.asarray(rounded.astype(held))
        low, high = LIMITS.get(type, (0, 1000) if type.startswith("ui") else (-1000, 1000))
        return self.rng.integers(low, high + 1, shape).astype(held)

    # ** operands **

    def fed(self, shape: Sequence[int], type: str = "", **quant: Any) -> Operand:
        """An input of random elements."""
        return self.of(self.values(shape, type), type, **quant)

    def of(self, array: Array, type: str = "", **quant: Any) -> Operand:
        """An input of an array."""
        return Operand(Tensor(array.shape, NAMES[type or self.type], **quant), array)

    def tensor(self, shape: Sequence[int], type: str = "") -> Operand:
        """An input of random elements, quantized if its type is."""
        return self.fed(shape, type, **self.quant(type))

    def either(self, operand: Operand) -> Operand:
        """The operand, now and then as a constant."""
        return operand.constant if self.whole(0, 2) == 0 else operand

    def ints(self, values: Any, type: str = "i32") -> Operand:
        """A constant of integers."""
        return self.of(np.asarray(values, NAMES[type]), type).constant

    def result(self, type: str = "", **quant: Any) -> Operand:
        """A result: its shape is left to the kernel."""
        return Operand(Tensor((), NAMES[type or self.type], **quant))
