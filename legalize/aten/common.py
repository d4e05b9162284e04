"""Build functions of ATen operators: results as declared, operands as promoted, numbers, dimensions."""

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.ir import Value
from tosa_converter.legalize.constant_operands import held_in_32_bits
from tosa_converter.legalize.limits import narrowed, normalized_axis
from tosa_converter.legalize.ops.casts import convert
from tosa_converter.legalize.wrappers import Binary, Lowering, Unary
from tosa_converter.legalize.xnnpack.checks import require_broadcast
from tosa_converter.rewriting.expr import Expr, as_expr, scalar
from tosa_converter.rewriting.match import FOREIGN, Key, Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule

FLOATS = "fp32 fp16"
NUMBERS = f"{FLOATS} i32 i64"
LOGICAL = f"{NUMBERS} bool"
MOVED = f"{LOGICAL} i8 ui8 i16 bf16"


Kernel: TypeAlias = Callable[[Match], Expr | Value | Sequence[Expr | Value]]  # builds the results


def kernel_rules(overloads: str, types: str, build: Kernel) -> Iterator[Rule]:
    """Returns a rule for each overload of an ATen kernel; it declines results that differ from the declared ones.

    Args:
        overloads: names without `aten.`, separated by spaces.
        types: element types that the first operand may have, separated by spaces; empty for all.
        build: builds the results of the kernel.
    """

    @functools.wraps(build)
    def checked(match: Match) -> Sequence[Expr]:
        """Calls `build` and compares its results with the types and shapes that the program declares for them.

        If the first one is declared as i64, the report notes that it is computed in 32 bits.
        """
        built = build(match)
        results = [*map(as_expr, [built] if isinstance(built, Expr | Value) else built)]
        for result, declared in zip(results, match.op.results, strict=False):
            expected = SIGNLESS.get(declared.type.dtype, declared.type.dtype), declared.type.shape
            if (result.dtype, result.type.shape) != expected:
                raise Decline(f"expected the declared result {declared.type}, found {result.type}")
        for result in results[:1]:
            held_in_32_bits(match, result)
        return results

    return (Rule(f"aten.{overload}", types, checked) for overload in overloads.split())


def unary(function: Unary, dtype: DType | None = None) -> Lowering:
    """Returns the build function of an ATen operator of one operand, promoted to `dtype`, by default the result's."""

    def build(match: Match) -> Expr:
        """Lowers the matched ATen operator: promotes `self`, and applies the function to it."""
        return function(arithmetic_operand(match, "self", dtype))

    return build


def predicate(function: Unary) -> Lowering:
    """Returns the build function of a test such as isnan: the result is bool, so the operand isn't promoted."""

    def build(match: Match) -> Expr:
        """Lowers the matched ATen operator: applies the function to `self` as it is."""
        return function(match["self"])

    return build


def binary(function: Binary, dtype: DType | None = None) -> Lowering:
    """Returns the build function of an ATen operator of two operands, promoted to `dtype`, by default the result's."""

    def build(match: Match) -> Expr:
        """Lowers the matched ATen operator: promotes both operands, and applies the function to them."""
        return function(*operand_pair(match, dtype))

    return build


# ** types **


def result_dtype(match: Match) -> DType:
    """Returns the element type of an ATen operator's first result, to which arithmetic promotes its operands."""
    return match.op.results[0].type.dtype


def promoted(match: Match, key: Key, dtype: DType | None = None) -> Expr:
    """Returns an operand of an ATen operator cast to another type, by default the result's.

    Raises:
        Decline: TOSA doesn't have the type.
    """
    source, target = match.source(key).type.dtype, dtype or result_dtype(match)
    if FOREIGN & {source, target}:
        raise Decline(f"expected types that TOSA has, found a cast from {source.value} to {target.value}")
    return convert(match[key], source, target)


def arithmetic_operand(match: Match, key: Key, dtype: DType | None = None) -> Expr:
    """Returns an operand promoted by ATen's rules for arithmetic, by default to the result's type.

    Raises:
        Decline: TOSA doesn't have the type, or ATen doesn't promote to the result's: booleans become integers, and both
            become floats, never the other way.
    """
    source, target = match.source(key).type.dtype, dtype or result_dtype(match)
    if dtype is None and _promotion_rank(source) > _promotion_rank(target):
        raise Decline(f"expected a result that {source.value} is promoted to, found {target.value}")
    return promoted(match, key, target)


def _promotion_rank(dtype: DType) -> int:
    """Returns the rank of a type in ATen's order of promotion: 0 for booleans, 1 for integers, 2 for floats."""
    return 0 if dtype is DType.BOOL else 1 if dtype.is_integer else 2


def operand_pair(match: Match, dtype: DType | None = None, second: str = "other") -> tuple[Expr, Expr]:
    """Returns `self` and a second operand, a tensor or number, both promoted to `dtype`, by default the result's.

    Raises:
        Decline: the shapes don't broadcast, TOSA doesn't have the type, or the type doesn't hold the number.
    """
    x = arithmetic_operand(match, "self", dtype)
    if second in match.op.attributes:
        return x, number(match.op.attributes[second], x)
    other = arithmetic_operand(match, second, dtype)
    require_broadcast(x, other)
    return x, other


def common_dtype(match: Match) -> DType:
    """Returns the type in which a comparison is computed: that of the widest float operand, else fp32 or i32.

    Operands of rank 0 are ignored if another float operand has dimensions. Without float operands it is fp32 for a
    float number, else i32.
    """
    floats = [value.type for value in match.op.operands if value.type.dtype.is_float]
    if floats:
        ranked = [type for type in floats if type.rank] or floats
        return max((type.dtype for type in ranked), key=lambda dtype: dtype.bits)
    return DType.FP32 if isinstance(match.op.attributes.get("other"), float) else DType.I32


def number(value: float, like: Expr) -> Expr:
    """Returns a Python number as an operand in the type of the tensor `like`, which is the other operand.

    Raises:
        Decline: the type doesn't hold the number.
    """
    require_number(value, like.dtype)
    return scalar(value, like)


def require_number(value: float, dtype: DType) -> None:
    """Declines a number that an integer type can't represent; float types accept every number.

    Raises:
        Decline: it is no whole number, or doesn't fit 32 bits.
    """
    if dtype.is_float:
        return
    if not math.isfinite(value) or value != int(value):
        raise Decline(f"expected a whole number for {dtype.value}, found {value}")
    narrowed(np.array(int(value)))


# ** dimensions **


def axis_of(match: Match, x: Expr) -> int:
    """Returns the dimension of `x` that the attribute `dim` names, counted from the front; of a scalar it is 0."""
    return normalized_axis(match.op.attributes["dim"], max(x.rank, 1))


def axes_of(match: Match, x: Expr, name: str = "dim") -> list[int]:
    """Returns the dimensions of `x` that an attribute names, ascending; all of them if it names none or is absent.

    Raises:
        Decline: a dimension is out of range, or named several times.
    """
    dims = match.op.attributes.get(name)
    dims = (dims,) if isinstance(dims, int) else dims or ()
    axes = sorted(normalized_axis(axis, max(x.rank, 1)) for axis in dims)
    if len(set(axes)) != len(axes):
        raise Decline(f"expected different dimensions, found {axes}")
    return (axes or list(range(x.rank))) if x.rank else []


def declared_shape(match: Match, result: int = 0) -> tuple[int, ...]:
    """Returns the shape that the program declares for the result with this index."""
    return match.op.results[result].type.static


def as_declared(match: Match, x: Expr, result: int = 0) -> Expr:
    """Returns `x` reshaped to the shape that the program declares for a result.

    Raises:
        Decline: x has more or fewer elements.
    """
    shape = declared_shape(match, result)
    if math.prod(shape) != x.size:
        raise Decline(f"expected {math.prod(shape)} elements for the shape {list(shape)}, found {x.type}")
    return x.reshape(shape)
