"""The builder: emits TOSA operators, infers their types, shares equal constants and folds operators on constants.

Broadcast follows TOSA, so operands of lower rank get a RESHAPE. Operators that would change nothing aren't emitted.
"""

import math
from collections.abc import Sequence
from contextvars import ContextVar, Token
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnpredictableError, UnsupportedError
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, TensorType, Value, plain_type
from tosa_converter.ir.edit import place_constants
from tosa_converter.rules.inference import Forms, form, infer_types
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef
from tosa_converter.schemas.tosa_target import LEVEL_8K

if TYPE_CHECKING:
    from tosa_converter.rewriting.expr import Expr

# Equal constants of up to this many bytes share one operator; larger ones are weights, which hardly ever repeat.
SHARED_CONSTANT = 1024
# Folding must not turn a small file into a large one: a result has at most this many elements, or 4 times those of all
# operands. TILE of 100,000 elements by 3 is folded, TILE of 1,000 elements by 100 isn't.
FOLD_ELEMENTS = 1 << 16

# From so many elements of fp16 on, moving bits is faster than numpy's cast.
SHIFTED_HALVES = 4096


def compute_outputs(graph: Graph) -> list[Array]:
    """Computes the outputs of a graph of constants, without inputs and control flow, by TOSA's definitions."""
    arrays: dict[Value | None, Array] = {}
    for op in graph.ops:
        if op.name in CONSTANTS:
            arrays[op.result] = op.attributes["values"]
        else:
            results = _compute_results(op, [arrays[value] for value in op.inputs])
            arrays.update(zip(op.results, results if isinstance(results, tuple) else (results,), strict=True))
    return [arrays[value] for value in graph.outputs]


def _compute_results(op: Op, operands: Sequence[Array | None]) -> Array | tuple[Array, ...]:
    """Returns an operator's results on constant operands, computed by its definition in the TOSA specification.

    Raises:
        UnsupportedError: a REQUIRE doesn't hold for these constants.
    """
    from tosa_converter.execute.definition.table import bind_definition

    try:
        with np.errstate(all="ignore"):
            return bind_definition(op)(*operands)
    except UnpredictableError as error:
        raise UnsupportedError(f"an operator on constants has no defined result: {error}") from None


_CURRENT: ContextVar["Builder"] = ContextVar("builder")


def current() -> "Builder":
    """Returns the builder of the nearest `with builder:` around, to which expressions append their operators.

    Raises:
        RuntimeError: no such block is open.
    """
    try:
        return _CURRENT.get()
    except LookupError:
        raise RuntimeError("expected a `with builder:` block around an expression, found none") from None


class Builder:
    """Builds a graph: expressions within `with Builder(graph):` append their operators to it.

    Args:
        graph: the graph that gets the operators; it has its inputs already.

    Example:
        >>> import numpy as np, tosa_converter as tc
        >>> x = tc.Value(tc.TensorType(tc.DType.FP32, (2,)), "x")
        >>> with tc.Builder(tc.Graph("main", [x])) as build:
        ...     y = 2 * tc.Expr(x) + 1
        >>> tc.run(build.model(y=y), {"x": np.float32([1, 2])})["y"].tolist()
        [3.0, 5.0]
    """

    # `location` is stamped on each operator. Constants stay outside the graph until `place_constants`, so a rule
    # that gives up halfway can be undone.

    def __init__(self, graph: Graph, *, stored_weights: bool = False) -> None:
        """Starts a builder that appends to `graph`; constants and inferred types are cached for reuse.

        With `stored_weights`, weights keep the type in which their file stores them: see `_keeps_narrow`.
        """
        self.graph = graph
        self.stored_weights = stored_weights
        self.location = ""
        self.depth = 0  # of control flow around the graph
        self._constants: dict[tuple[DType, tuple[int, ...], bytes | int], Value] = {}
        self._zero_points: dict[tuple[int, DType], Value] = {}
        self._inferred: Forms[tuple[TensorType, ...]] = Forms()  # types of results
        self._tokens: list[Token[Builder]] = []

    def __enter__(self) -> Self:
        """Makes this the current builder, to which expressions append their operators."""
        self._tokens.append(_CURRENT.set(self))
        return self

    def __exit__(self, *_: object) -> None:
        """Makes the builder of the enclosing block the current one again."""
        _CURRENT.reset(self._tokens.pop())

    def model(self, **outputs: "Expr | Value") -> Model:
        """Returns a model of the graph with these outputs, under the names of the keywords."""
        values = {name: output if isinstance(output, Value) else output.value for name, output in outputs.items()}
        for name, value in values.items():
            value.name = name
        self.graph.outputs = list(values.values())
        self.graph.ops = place_constants(self.graph.outputs, self.graph.ops)
        return Model({self.graph.name: self.graph})

    # ** constants **

    def const(self, values: Any, dtype: DType) -> Value:
        """Returns a constant of an element type; an array of this type is not copied."""
        array = np.asarray(values, dtype.numpy)
        if array.nbytes > SHARED_CONSTANT:
            return self._const(array, dtype)
        # Bytes alone don't tell constants apart: i8 [0, 0], i16 [0] and i8 [[0, 0]] have the same. By bytes 0.0 and
        # -0.0 differ.
        key = (dtype, array.shape, array.tobytes())
        constant = self._constants.get(key)
        if constant is None:
            constant = self._constants[key] = self._const(array, dtype)
        return constant

    def interned_const(self, array: Array, dtype: DType) -> Value:
        """Returns an interned constant: calls with the same array object, which must live on, share one value."""
        key = (dtype, array.shape, id(array))
        if key not in self._constants:
            self._constants[key] = self._const(array, dtype)
        return self._constants[key]

    def _const(self, array: Array, dtype: DType) -> Value:
        """Returns a new constant, a CONST or CONST_SHAPE, also if an equal one exists."""
        row = ops.CONST_SHAPE if dtype is DType.SHAPE else ops.CONST
        return Op(row, (), [plain_type(dtype, array.shape)], {"values": array}, location=self.location).result

    def empty(self, shape: Sequence[int], dtype: DType) -> Value:
        """Returns a value without elements: a constant, which folds away with the shape arithmetic that reads it."""
        return self.const(np.zeros(tuple(shape), dtype.numpy), dtype)

    def shape(self, dims: Sequence[int]) -> Value:
        """Returns a CONST_SHAPE with these sizes, the operand by which TOSA's operators take shapes."""
        if any(abs(size) >= 1 << 63 for size in dims):
            raise UnsupportedError(f"expected dimensions below 2**63, found {list(dims)}")
        return self.const(np.array(dims, np.int64), DType.SHAPE)

    def scalar(self, value: float, like: Value) -> Value:
        """Returns a constant of one element that broadcasts with `like`."""
        return self.const(np.full((1,) * like.type.rank, value, like.type.dtype.numpy), like.type.dtype)

    def zero_point(self, value: int, dtype: DType) -> Value:
        """Returns a zero-point operand: a constant of shape [1]."""
        constant = self._zero_points.get((value, dtype))
        if constant is None:
            constant = self._zero_points[value, dtype] = self.const([value], dtype)
        return constant

    def copy_tensor(self, value: Value) -> Value:
        """Returns a separate tensor with the same elements: IDENTITY, or another constant.

        Like all constants, that is added to the graph only when the graph is finished.
        """
        if value.constant is None:
            return self.emit(ops.IDENTITY, value)
        return Op(ops.CONST, (), [value.type], {"values": value.constant}, location=self.location).result

    def is_own_constant(self, _constant: Value) -> bool:
        """Returns whether the new graph can use a source constant as it is: never in TOSA; other opsets may."""
        return False

    def copy_quantization(self, _source: Value, _result: Value) -> None:
        """Does nothing; builders of other opsets override this, for example to copy the quantization to the result."""

    # ** any operator **

    def emit(self, row: OpDef, *inputs: Value, dtype: DType | None = None, **attributes: Any) -> Value:
        """Appends an operator with one result, or folds it if all operands are constant, and returns the result.

        A result without elements is a constant, too.

        Args:
            row: the operator's record.
            inputs: its operands, in the record's order.
            dtype: the result's element type where the operands leave a choice.
            attributes: its attributes, by the record's names.

        Raises:
            VerifyError: an ERROR_IF of the operator holds, or no row of its type table fits.
        """
        key = form(row, inputs, attributes, dtype)  # equal keys mean equal result types
        types = self._inferred.find(key)
        if types is None:
            types = self._inferred.store(key, infer_types(row, inputs, attributes, dtype))
        if len(types) == 1 and 0 in types[0].shape:
            return self.empty(types[0].static, types[0].dtype)
        op = Op(row, inputs, types, attributes, location=self.location)
        if all(value.constant is not None for value in inputs) and self._worth_folding(op):
            return self._fold(op)
        self.graph.ops.append(op)
        return op.result

    def _worth_folding(self, op: Op) -> bool:
        """Returns whether an operator on constants is computed at once.

        Its result may have FOLD_ELEMENTS elements, or four times as many as its operands. A CAST that would widen
        stored weights isn't computed (`_keeps_narrow`).
        """
        size = op.result.type.elements
        if op.row is ops.CAST and self._keeps_narrow(op.operands[0], op.result.type.dtype):
            return False
        return bool(op.inputs) and size <= max(FOLD_ELEMENTS, 4 * sum(v.type.elements for v in op.operands))

    def _keeps_narrow(self, x: Value, dtype: DType) -> bool:
        """Returns whether a CAST of a constant isn't folded, so that a file holds the narrow elements.

        With `stored_weights`, casts that would make a large constant larger aren't: 300 weights of i8 are 1200 bytes of
        fp32, more than `SHARED_CONSTANT`.
        """
        width = dtype.numpy.itemsize
        widens = dtype.is_float and width > x.type.dtype.numpy.itemsize
        return self.stored_weights and widens and x.type.elements * width > SHARED_CONSTANT

    def _fold(self, op: Op) -> Value:
        """Returns the result of an operator on constants, as a constant."""
        return self.const(_compute_results(op, [value.constant for value in op.operands]), op.result.type.dtype)

    # ** layout **

    def reshape(self, x: Value, shape: Sequence[int]) -> Value:
        """Emits RESHAPE and returns its result; x itself if it has the shape, a constant if x is one."""
        if x.type.shape == tuple(shape):
            return x
        if x.constant is not None and x.constant.size == math.prod(shape):
            return self.const(x.constant.reshape(tuple(shape)), x.type.dtype)
        return self.emit(ops.RESHAPE, x, self.shape(shape))

    def transpose(self, x: Value, perms: Sequence[int]) -> Value:
        """Emits TRANSPOSE and returns its result; x itself if the axes stay in order."""
        if list(perms) == list(range(x.type.rank)):
            return x
        return self.emit(ops.TRANSPOSE, x, perms=tuple(perms))

    def slice(self, x: Value, start: Sequence[int], size: Sequence[int]) -> Value:
        """Emits SLICE and returns its result; x itself if that is all of x, an empty constant if a size is 0."""
        if x.type.shape == tuple(size):
            return x
        if 0 in size:
            return self.empty(size, x.type.dtype)
        return self.emit(ops.SLICE, x, self.shape(start), self.shape(size))

    def part(self, x: Value, axis: int, begin: int, size: int) -> Value:
        """Emits SLICE of `size` elements from `begin` on along one axis, and returns its result."""
        start, shape = [0] * x.type.rank, list(x.type.static)
        start[axis], shape[axis] = begin, size
        return self.slice(x, start, shape)

    def pad(self, x: Value, padding: Sequence[tuple[int, int]], value: float = 0) -> Value:
        """Emits PAD by (before, after) per dimension and returns its result; `value` includes the zero point."""
        if not any(map(any, padding)):
            return x
        flat = [amount for pair in padding for amount in pair]
        return self.emit(ops.PAD, x, self.shape(flat), self.const([value], x.type.dtype))

    def concat(self, parts: Sequence[Value], axis: int) -> Value:
        """Emits CONCAT of the parts that aren't empty and returns its result.

        Several operators are emitted if there are more parts than the level allows operands.
        """
        # At most 64 operands at level 8K: 5000 parts become ceil(5000 / 64) = 79, these 2, and the last CONCAT has 2
        # operands.
        parts = [part for part in parts if 0 not in part.type.shape] or list(parts)[:1]
        most = LEVEL_8K.MAX_TENSOR_LIST_SIZE
        while len(parts) > most:
            parts = [self.concat(parts[i : i + most], axis) for i in range(0, len(parts), most)]
        return parts[0] if len(parts) == 1 else self.emit(ops.CONCAT, *parts, axis=axis)

    def tile(self, x: Value, multiples: Sequence[int]) -> Value:
        """Emits TILE and returns its result; x itself if all multiples are 1."""
        if all(count == 1 for count in multiples):
            return x
        return self.emit(ops.TILE, x, self.shape(multiples))

    # ** elementwise **

    def same_rank(self, *values: Value) -> list[Value]:
        """Returns the operands with leading dimensions of size 1, so that their ranks are equal."""
        rank = max(value.type.rank for value in values)
        return [self.reshape(v, (1,) * (rank - v.type.rank) + v.type.static) for v in values]

    def binary(self, row: OpDef, a: Value, b: Value, **attributes: Any) -> Value:
        """Emits an elementwise operator of two operands, with broadcast, and returns its result."""
        return self.emit(row, *self.same_rank(a, b), **attributes)

    def add(self, a: Value, b: Value) -> Value:
        """Emits ADD, with broadcast, and returns its result."""
        return self.binary(ops.ADD, a, b)

    def mul(self, a: Value, b: Value, shift: int = 0) -> Value:
        """Emits MUL, with broadcast, and returns its result; `shift` shifts products of i32 right and rounds."""
        a, b = self.same_rank(a, b)
        return self.emit(ops.MUL, a, b, self.const([shift], DType.I8))

    def maximum(self, a: Value, b: Value, nan_mode: str = "PROPAGATE") -> Value:
        """Emits MAXIMUM, with broadcast, and returns its result."""
        return self.binary(ops.MAXIMUM, a, b, nan_mode=nan_mode)

    def cast(self, x: Value, dtype: DType) -> Value:
        """Emits CAST and returns its result; x itself if it has the type.

        Constants of fp16 are converted to fp32 at once, which is exact, unless weights stay as they are stored.
        """
        halves = (x.type.dtype, dtype) == (DType.FP16, DType.FP32)
        if halves and x.constant is not None and not self._keeps_narrow(x, dtype):
            return self.const(widen_fp16(x.constant), dtype)
        return x if x.type.dtype is dtype else self.emit(ops.CAST, x, dtype=dtype)


def widen_fp16(x: Array) -> Array:
    """Returns fp16 as fp32; large arrays are converted by moving bits, because numpy's cast takes longer."""
    # fp16 has 5 bits of exponent with bias 15 and 10 of mantissa, fp32 8 with bias 127 and 23. Shifted by 13 bits, the
    # fields lie in place, and the number is 2**(127 - 15) = 2**112 times too small: 1.0 is 0x3C00, and 0x3C00 << 13 is
    # 0x07800000, which is 2**-112. The product with 2**112 is exact, also for subnormal numbers. Infinities and NaNs,
    # whose exponent is 0x7C00, are left to the cast.
    bits = np.ascontiguousarray(x).view(np.int16)
    if x.size < SHIFTED_HALVES or (bits & 0x7C00).max() == 0x7C00:
        return x.astype(np.float32)
    wide = bits.astype(np.int32)
    wide <<= 13
    # -2.0 is 0xC000, widened 0xFFFFC000, shifted 0xF8000000: the mask 0x8FFFE000 clears the bits 28 to 30, which leaves
    # 0x88000000.
    wide &= -0x70002000  # without the copies of the sign
    real = wide.view(np.float32)
    real *= np.float32(2.0**112)
    return real
