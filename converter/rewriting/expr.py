"""Expressions: values of the graph under construction, with Python's operators.

A lowering is written as a formula: `where(x < 0, slope * x, x)` emits the TOSA operators that compute it. An `Expr` is
a value; the operators go to the builder of the nearest `with builder:` around. A conversion opens that block for each
graph, and `while_loop` and `cond_if` open one for each of theirs, so a formula never names a builder. Numbers and numpy
arrays become constants of the other operand's element type; they broadcast as in numpy.

| expression | TOSA operator | element types |
| --- | --- | --- |
| `a + b`, `a - b` | ADD, SUB | of both operands; i8 and i16 must be cast first |
| `a * b` | MUL with shift 0 | i8 and i16 give i32 |
| `a.times(b, shift=31)` | MUL: the product plus half, shifted right | i32 |
| `-a`, `abs(a)` | NEGATE with zero points of 0, ABS | |
| `a << b` | LOGICAL_LEFT_SHIFT | integers |
| `a >> b` | ARITHMETIC_RIGHT_SHIFT without rounding: rounds down | integers |
| `a.shifted_right(b, round=True)` | ARITHMETIC_RIGHT_SHIFT: adds the last bit that is shifted out | integers |
| `a & b`, `a | b`, `a ^ b`, `~a` | BITWISE_AND ... of integers, LOGICAL_AND ... of booleans | |
| `a < b`, `a > b`, `a <= b`, `a >= b` | GREATER, GREATER_EQUAL, operands swapped for `<` and `<=` | false for NaN |
| `a == b` | EQUAL | false for NaN |
| `a != b` | LOGICAL_NOT of EQUAL | true for NaN |
| `where(c, a, b)` | SELECT | |

Python operations that need the elements raise an error: `bool(a)`, `a < b < c`, `x in a`, `hash(a)`, iteration. So does
a number that an integer type can't hold. Operands of lower rank get leading dimensions of size 1 by a RESHAPE.
Expressions have any number of dimensions; where these are more than 6, the pass `rank-reduction` merges some.
Operators on whole tensors, from REDUCE_SUM to CONV2D, are functions in `rewriting.operators`.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, TensorType, Value
from tosa_converter.rewriting.builder import current
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

Number: TypeAlias = float | int | bool | np.generic
Operand: TypeAlias = "Expr | Number | Array"


class Expr:
    """A value of the graph under construction.

    Args:
        value: an operator's result, a graph input, or a constant.

    Example:
        >>> import numpy as np, tosa_converter as tc
        >>> from tosa_converter.rewriting.expr import where
        >>> x = tc.Value(tc.TensorType(tc.DType.FP32, (3,)), "x")
        >>> with tc.Builder(tc.Graph("main", [x])) as build:
        ...     e = tc.Expr(x)
        ...     leaky = where(e < 0, 0.5 * e, e)
        >>> model = build.model(y=leaky)
        >>> [op.name for op in model.main if op.inputs]
        ['tosa.greater', 'tosa.mul', 'tosa.select']
        >>> tc.run(model, {"x": np.float32([-2, 0, 3])})["y"].tolist()
        [-1.0, 0.0, 3.0]
    """

    __slots__ = ("value",)
    __array_ufunc__ = None  # an array on the left leaves the operator to the expression
    __hash__ = None  # type: ignore[assignment]  # == emits an operator

    def __init__(self, value: Value) -> None:
        self.value = value

    @property
    def type(self) -> TensorType:
        """Element type and shape."""
        return self.value.type

    @property
    def dtype(self) -> DType:
        """Element type."""
        return self.value.type.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape, which is known while a graph is built."""
        return self.value.type.static

    @property
    def rank(self) -> int:
        """Number of dimensions."""
        return self.value.type.rank

    @property
    def size(self) -> int:
        """Number of elements."""
        return self.value.type.elements

    @property
    def constant(self) -> Array | None:
        """The elements of a constant."""
        return self.value.constant

    def __repr__(self) -> str:
        return f"<Expr {self.value!r}>"

    # ** arithmetic **

    def __add__(self, other: Operand) -> "Expr":
        return _binary(ops.ADD, self, other)

    def __radd__(self, other: Operand) -> "Expr":
        return _binary(ops.ADD, other, self)

    def __sub__(self, other: Operand) -> "Expr":
        return _binary(ops.SUB, self, other)

    def __rsub__(self, other: Operand) -> "Expr":
        return _binary(ops.SUB, other, self)

    def __mul__(self, other: Operand) -> "Expr":
        """Emits MUL without a shift."""
        return self.times(other)

    def __rmul__(self, other: Operand) -> "Expr":
        return operand_as_expr(other, self).times(self)

    def times(self, other: Operand, shift: int = 0) -> "Expr":
        """Returns the product: MUL. For i32, a shift gives `(a * b + (1 << shift - 1)) >> shift`, in 64 bits."""
        return Expr(current().mul(self.value, operand_as_expr(other, self).value, shift))

    def __neg__(self) -> "Expr":
        """Emits NEGATE with zero points of 0."""
        zero = Expr(current().zero_point(0, self.dtype))
        return emit(ops.NEGATE, self, zero, zero)

    def __abs__(self) -> "Expr":
        return emit(ops.ABS, self)

    # ** bits **

    def __lshift__(self, other: Operand) -> "Expr":
        return _binary(ops.LOGICAL_LEFT_SHIFT, self, other)

    def __rlshift__(self, other: Operand) -> "Expr":
        return _binary(ops.LOGICAL_LEFT_SHIFT, other, self)

    def __rshift__(self, other: Operand) -> "Expr":
        """Emits ARITHMETIC_RIGHT_SHIFT without rounding."""
        return self.shifted_right(other)

    def __rrshift__(self, other: Operand) -> "Expr":
        return operand_as_expr(other, self).shifted_right(self)

    def shifted_right(self, other: Operand, *, round: bool = False) -> "Expr":
        """Returns the value divided by a power of two, rounded down, or with `round` to the nearest, ties up."""
        return elementwise(ops.ARITHMETIC_RIGHT_SHIFT, self, operand_as_expr(other, self), round=round)

    def __and__(self, other: Operand) -> "Expr":
        return _binary(ops.LOGICAL_AND if self.dtype is DType.BOOL else ops.BITWISE_AND, self, other)

    def __or__(self, other: Operand) -> "Expr":
        return _binary(ops.LOGICAL_OR if self.dtype is DType.BOOL else ops.BITWISE_OR, self, other)

    def __xor__(self, other: Operand) -> "Expr":
        return _binary(ops.LOGICAL_XOR if self.dtype is DType.BOOL else ops.BITWISE_XOR, self, other)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __invert__(self) -> "Expr":
        return emit(ops.LOGICAL_NOT if self.dtype is DType.BOOL else ops.BITWISE_NOT, self)

    # ** comparisons **

    def __lt__(self, other: Operand) -> "Expr":
        """Emits GREATER with the operands swapped: TOSA has no operator for `<`."""
        return _binary(ops.GREATER, other, self)

    def __gt__(self, other: Operand) -> "Expr":
        return _binary(ops.GREATER, self, other)

    def __le__(self, other: Operand) -> "Expr":
        """Emits GREATER_EQUAL with the operands swapped: TOSA has no operator for `<=`."""
        return _binary(ops.GREATER_EQUAL, other, self)

    def __ge__(self, other: Operand) -> "Expr":
        return _binary(ops.GREATER_EQUAL, self, other)

    def __eq__(self, other: Operand) -> "Expr":  # type: ignore[override]
        return _binary(ops.EQUAL, self, other)

    def __ne__(self, other: Operand) -> "Expr":  # type: ignore[override]
        """Emits LOGICAL_NOT of EQUAL, since TOSA has no operator for it; true for NaN."""
        return ~(self == other)

    # ** Python operations that need the elements **

    def __bool__(self) -> bool:
        """Raises TypeError: the elements are unknown while the graph is built."""
        raise TypeError("an expression has no truth value while the graph is built: use where(condition, a, b)")

    def __iter__(self) -> None:
        raise TypeError("an expression is not iterable: use part(x, axis, begin, size)")

    def __contains__(self, _item: object) -> bool:
        raise TypeError("an expression has no elements while the graph is built: compare with ==")

    # ** types and shapes **

    def cast(self, dtype: DType) -> "Expr":
        """Returns the elements in another type: CAST."""
        return Expr(current().cast(self.value, dtype))

    def reshape(self, shape: Sequence[int]) -> "Expr":
        """Returns the elements in another shape: RESHAPE."""
        return Expr(current().reshape(self.value, shape))

    def transpose(self, perms: Sequence[int]) -> "Expr":
        """Returns the value with its dimensions in this order: TRANSPOSE."""
        return Expr(current().transpose(self.value, perms))

    def broadcast(self, shape: Sequence[int]) -> "Expr":
        """Returns the value repeated to a shape that it broadcasts to: TILE."""
        # [3] to [2, 3]: as [1, 3], with the multiples (2, 1).
        x = self.reshape((1,) * (len(shape) - self.rank) + self.shape)
        return x.tile([whole if size == 1 else 1 for size, whole in zip(x.shape, shape, strict=True)])

    def tile(self, multiples: Sequence[int]) -> "Expr":
        """Returns the value repeated so many times along each dimension: TILE."""
        return Expr(current().tile(self.value, multiples))

    def slice(self, start: Sequence[int], size: Sequence[int]) -> "Expr":
        """Returns the block of this size that begins at `start`: SLICE."""
        return Expr(current().slice(self.value, start, size))

    def part(self, axis: int, begin: int, size: int) -> "Expr":
        """Returns `size` elements along an axis, from `begin` on: SLICE."""
        return Expr(current().part(self.value, axis, begin, size))

    def pad(self, padding: Sequence[tuple[int, int]], value: float = 0) -> "Expr":
        """Returns the value with (before, after) more elements along each dimension: PAD."""
        return Expr(current().pad(self.value, padding, value))

    def reverse(self, axis: int) -> "Expr":
        """Returns the elements along an axis in reverse order: REVERSE."""
        return emit(ops.REVERSE, self, axis=axis)


def as_expr(result: Expr | Value) -> Expr:
    """Returns the result of a rule's build function, an expression or a value, as an expression."""
    return result if isinstance(result, Expr) else Expr(result)


def const(values: Any, dtype: DType) -> Expr:
    """Returns a constant of an element type; an array of this type is not copied."""
    return Expr(current().const(values, dtype))


def scalar(value: float, like: Expr) -> Expr:
    """Returns a constant of one element that has the element type and rank of `like`."""
    return Expr(current().scalar(value, like.value))


def operand_as_expr(operand: Operand, like: Expr) -> Expr:
    """Returns an operand as an expression; a number or array becomes a constant of `like`'s element type.

    Raises:
        TypeError: the operand is neither an expression nor a number or array of numbers.
        ValueError: the number doesn't fit an integer or boolean type.
    """
    if isinstance(operand, Expr):
        return operand
    dtype = like.dtype
    array = np.asarray(operand)
    if array.dtype.kind not in "biufV" and not isinstance(operand, int):  # V: bf16; a large int is an object
        raise TypeError(f"expected a number, an array or an expression, found {operand!r}")
    try:
        with np.errstate(invalid="ignore"):  # NaN as an integer, which is refused
            elements = array.astype(dtype.numpy)
    except OverflowError:  # more than 64 bits, or beyond the largest float64
        raise ValueError(f"expected numbers that {dtype.value} holds, found {operand!r}") from None
    # 300 as i8 becomes 44, and 0.5 as i32 becomes 0: neither equals the number that was asked for.
    if not dtype.is_float and not np.array_equal(elements, array):
        raise ValueError(f"expected numbers that {dtype.value} holds, found {operand!r}")
    if array.ndim == 0:
        elements = elements.reshape((1,) * like.rank)
    return const(elements, dtype)


def same_rank(*operands: Expr) -> list[Expr]:
    """Returns the operands with leading dimensions of size 1, so that their ranks are equal."""
    return [Expr(value) for value in current().same_rank(*(operand.value for operand in operands))]


def emit(row: OpDef, *operands: Expr, dtype: DType | None = None, **attributes: Any) -> Expr:
    """Returns the result of any TOSA operator with one result, which is emitted.

    Args:
        row: the operator's record.
        operands: its operands, in the record's order.
        dtype: the result's element type where the operands leave a choice.
        attributes: its attributes, by the record's names.

    Raises:
        VerifyError: an ERROR_IF of the operator holds, or no row of its type table fits.
    """
    return Expr(current().emit(row, *(operand.value for operand in operands), dtype=dtype, **attributes))


def elementwise(row: OpDef, *operands: Expr, **attributes: Any) -> Expr:
    """Returns the result of an elementwise operator; operands of lower rank get leading dimensions of size 1."""
    return emit(row, *(same_rank(*operands) if len(operands) > 1 else operands), **attributes)


def _binary(row: OpDef, a: Operand, b: Operand) -> Expr:
    """Emits an elementwise operator of two operands, one of which may be a number or array."""
    like = a if isinstance(a, Expr) else b
    assert isinstance(like, Expr)
    return elementwise(row, operand_as_expr(a, like), operand_as_expr(b, like))


def _unary_function(row: OpDef, text: str) -> Callable[[Expr], Expr]:
    """Returns a function that emits an operator of one operand; `text` becomes its docstring."""

    def function(x: Expr) -> Expr:
        """Emits the operator `row` on x, and returns its result."""
        return emit(row, x)

    function.__doc__ = text
    return function


exp = _unary_function(ops.EXP, "Returns e**x: EXP.")
log = _unary_function(ops.LOG, "Returns the natural logarithm: LOG.")
floor = _unary_function(ops.FLOOR, "Returns the largest integer that is not above x: FLOOR.")
ceil = _unary_function(ops.CEIL, "Returns the smallest integer that is not below x: CEIL.")
reciprocal = _unary_function(ops.RECIPROCAL, "Returns 1 / x: RECIPROCAL.")
rsqrt = _unary_function(ops.RSQRT, "Returns 1 / sqrt(x): RSQRT.")
tanh = _unary_function(ops.TANH, "Returns the hyperbolic tangent: TANH.")
sigmoid = _unary_function(ops.SIGMOID, "Returns 1 / (1 + exp(-x)): SIGMOID.")
erf = _unary_function(ops.ERF, "Returns the error function: ERF.")
sin = _unary_function(ops.SIN, "Returns the sine of an angle in radians: SIN.")
cos = _unary_function(ops.COS, "Returns the cosine of an angle in radians: COS.")
clz = _unary_function(ops.CLZ, "Returns the number of leading zero bits of an i32: CLZ.")


def where(condition: Expr, a: Operand, b: Operand) -> Expr:
    """Returns a where the condition holds and b elsewhere, all three broadcast: SELECT.

    Raises:
        TypeError: neither a nor b is an expression, which would tell the element type.
    """
    like = a if isinstance(a, Expr) else b
    if not isinstance(like, Expr):
        raise TypeError("expected an expression as one of the two values of where(), found two numbers")
    return elementwise(ops.SELECT, condition, operand_as_expr(a, like), operand_as_expr(b, like))


def maximum(a: Expr, b: Operand, nan_mode: str = "PROPAGATE") -> Expr:
    """Returns the larger of two: MAXIMUM. With `nan_mode` IGNORE, a NaN gives the other operand."""
    return Expr(current().maximum(a.value, operand_as_expr(b, a).value, nan_mode))


def minimum(a: Expr, b: Operand, nan_mode: str = "PROPAGATE") -> Expr:
    """Returns the smaller of two: MINIMUM. With `nan_mode` IGNORE, a NaN gives the other operand."""
    return elementwise(ops.MINIMUM, a, operand_as_expr(b, a), nan_mode=nan_mode)


def clamp(x: Expr, low: float, high: float, nan_mode: str = "PROPAGATE") -> Expr:
    """Returns x limited to [low, high]: CLAMP; MAXIMUM and MINIMUM for i32."""
    if x.dtype is DType.I32:  # CLAMP doesn't take it
        return minimum(maximum(x, scalar(low, x)), scalar(high, x))
    return emit(ops.CLAMP, x, min_val=low, max_val=high, nan_mode=nan_mode)


def power(x: Expr, y: Operand) -> Expr:
    """Returns x**y: POW, which is defined for x > 0, and for x = 0 with y > 0."""
    return _binary(ops.POW, x, y)


def intdiv(a: Operand, b: Operand) -> Expr:
    """Returns the quotient of i32 rounded towards zero: INTDIV, which is unpredictable where b is 0."""
    return _binary(ops.INTDIV, a, b)


def logical_right_shift(a: Operand, b: Operand) -> Expr:
    """Returns a shifted right, filled with zeros from the left: LOGICAL_RIGHT_SHIFT."""
    return _binary(ops.LOGICAL_RIGHT_SHIFT, a, b)
