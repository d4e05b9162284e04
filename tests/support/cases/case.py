"""A test case: a model of one operator with its input arrays; and the row of an operator in the table of cases."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from flatbuffers import flexbuffers

from support.cases.draw import WORDS, Draw
from support.cases.sketch import Layer
from support.tflite_models import Operator, Subgraph, Tensor, build
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B

HALF_KERNELS = (B.DEQUANTIZE, B.DENSIFY)  # that LiteRT has for 16-bit floats


@dataclass(frozen=True)
class Case:
    """A model of one operator; `None` stands for an absent operand.

    Options of a custom operator are written as a map unless `custom_options` has their bytes. `conversion` are
    arguments of tc.convert; `settled` sets results that the kernel leaves to chance; `further` are the arrays of the
    runs behind the first, of an operator with state.
    """

    builtin: B
    operands: Sequence[Tensor | None]
    results: Sequence[Tensor]
    options: Mapping[str, Any] = field(default_factory=dict)
    called: Sequence[Subgraph] = ()
    version: int = 0
    custom_code: str = ""
    custom_options: bytes | None = None
    intermediates: Sequence[Tensor] = ()
    conversion: Mapping[str, Any] = field(default_factory=dict)
    settled: Callable[[list[Array]], list[Array]] = list
    further: Sequence[list[Array]] = ()

    @property
    def inputs(self) -> list[Tensor]:
        """Returns the operands that the model is fed."""
        return [operand for operand in self.operands if operand is not None and operand.fed]

    def model(self) -> tuple[bytes, list[Array]]:
        """Returns the file, and the arrays of its inputs in order; inputs without an array are fed ones."""
        return self.file(), [np.ones(x.shape, x.dtype) if x.array is None else x.array for x in self.inputs]

    def file(self) -> bytes:
        """Returns the model as the bytes of a `.tflite` file."""
        present = [operand for operand in self.operands if operand is not None]
        numbers = iter(range(len(present)))
        operands = [-1 if operand is None else next(numbers) for operand in self.operands]
        results = list(range(len(present), len(present) + len(self.results)))
        tensors = [*present, *self.results, *self.intermediates]
        raw = self.custom_options
        if raw is None:
            raw = packed(self.options) if self.custom_code else b""
        operator = Operator(
            self.builtin, operands, results, dict(self.options), self.custom_code, raw, self.version,
            range(len(present) + len(results), len(tensors)),
        )  # fmt: skip
        inputs = [i for i, operand in enumerate(present) if operand.fed]
        return build(tensors, [operator], inputs, results, self.called)

    def steps(self) -> list[list[Array]]:
        """Returns the input arrays of each run."""
        return [self.model()[1], *self.further]

    def declared(self, shapes: Sequence[tuple[int, ...]]) -> "Case":
        """Returns the case with the results' shapes in the file, as LiteRT's delegate reads them there."""
        results = [replace(result, shape=shape) for result, shape in zip(self.results, shapes, strict=True)]
        return replace(self, results=results)

    def widened(self) -> "Case":
        """Returns the case with float32 for every 16-bit float: LiteRT has few kernels for the latter."""
        if self.builtin in HALF_KERNELS:
            return self
        operands = [None if operand is None else _widened(operand) for operand in self.operands]
        return replace(self, operands=operands, results=list(map(_widened, self.results)))


def _widened(tensor: Tensor) -> Tensor:
    if tensor.dtype not in ("float16", "bfloat16"):
        return tensor
    array, raw = (None if values is None else values.astype(np.float32) for values in (tensor.array, tensor.raw))
    return replace(tensor, dtype="float32", array=array, data=None if tensor.data is None else array, raw=raw)


def packed(options: Mapping[str, Any]) -> bytes:
    """Returns options of a custom operator as a FlexBuffer's map."""
    values = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
    return bytes(flexbuffers.Dumps(values))


class Network(NamedTuple):
    """An encoded model of several operators, with the arrays of its inputs.

    `expected` is what a formula gives, for operators that LiteRT has no kernel for.
    """

    data: bytes
    arrays: list[Array]
    expected: list[Array] | None = None
    conversion: Mapping[str, Any] = MappingProxyType({})

    def model(self) -> tuple[bytes, list[Array]]:
        """Returns the file and the input arrays."""
        return self.data, self.arrays

    def steps(self) -> list[list[Array]]:
        """Returns the input arrays of the only run."""
        return [self.arrays]

    def widened(self) -> "Network":
        """Returns the network itself: LiteRT runs its types."""
        return self


Drawing: TypeAlias = Callable[[Draw], Case | Network]


class Row(NamedTuple):
    """The test cases of one operator.

    `draw` draws a case of any type, `typed` of the types that it names; `cases` are fixed ones that LiteRT's reference
    kernels run, `shown` are for the texts of conversions alone, as are `networks`, models of several operators by the
    names of their texts; `layers` extend a random network.
    """

    draw: Drawing | None = None
    cases: Sequence[Case] = ()
    shown: Sequence[Case] = ()
    layers: Sequence[Layer] = ()
    typed: Mapping[str, Drawing] = MappingProxyType({})
    networks: Mapping[str, Callable[[], bytes]] = MappingProxyType({})


Rows: TypeAlias = dict[B | str, Row]  # by builtin, custom operators as "custom.CODE"

# ** operands of fixed cases **

IMAGE = (1, 4, 4, 2)
FLOAT, FEW, MANY = ("float32",), ("float32", "int8"), ("float32", "int8", "uint8", "int16")
WIDE = (*FEW, "int16")
NUMBERS = (*FEW, "int32")


def tensor(dtype: str, shape: tuple[int, ...] = IMAGE, scale: float = 0.05, zero_point: int = 0) -> Tensor:
    """Returns an activation; types of 8 and 16 bits get a scale."""
    quantized = dtype in ("int8", "uint8", "int16")
    return Tensor(shape, dtype, scale=scale if quantized else None, zero_point=zero_point if quantized else 0)


def ints(*values: int, shape: tuple[int, ...] | None = None, dtype: str = "int32") -> Tensor:
    """Returns a constant of integers."""
    array = np.array(values, dtype)
    return Tensor(array.shape if shape is None else shape, dtype, array if shape is None else array.reshape(shape))


def fixed(
    builtin: B,
    dtypes: Sequence[str],
    operands: int = 1,
    result: str = "",
    results: Mapping[str, dict[str, Any]] = MappingProxyType({}),
    **options: Any,
) -> list[Case]:
    """Returns one case for each type, with equal operands; `results` are quantizations that the kernel demands."""
    cases = []
    for dtype in dtypes:
        y = replace(tensor(result or dtype), **results.get(WORDS[dtype], {}))
        cases.append(Case(builtin, (tensor(dtype),) * operands, (y,), options))
    return cases


def custom(
    code: str,
    shapes: Sequence[tuple[int, ...]],
    options: Mapping[str, Any],
    *more_operands: Tensor,
    results: int = 1,
    raw: bytes | None = None,
) -> Case:
    """Returns a custom operator with float operands of these shapes, further operands, and float results."""
    operands = (*(tensor("float32", shape) for shape in shapes), *more_operands)
    outputs = tuple(tensor("float32", ()) for _ in range(results))
    return Case(B.CUSTOM, operands, outputs, options, custom_code=code, custom_options=raw)
