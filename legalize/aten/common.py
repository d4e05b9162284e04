"""What the rewrites of all ATen operators share: results as declared, types as promoted, numbers, dimensions."""

import functools
import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.constant_operands import held_in_32_bits
from tosa_converter.legalize.limits import narrowed, normalized_axis
from tosa_converter.legalize.tflite.float.cast import converted
from tosa_converter.rewriting.expr import Expr, as_expr, scalar
from tosa_converter.rewriting.rewrite import FOREIGN, SIGNLESS, Build, Decline, Key, Match, Rewrite

FLOATS = "fp32 fp16"
NUMBERS = f"{FLOATS} i32 i64"
LOGICAL = f"{NUMBERS} bool"
MOVED = f"{LOGICAL} i8 ui8 i16 bf16"


def rewrite(overload: str, types: str, build: Build, of: tuple[Key, ...] = (0,)) -> Rewrite:
    """A rewrite whose results are of the types that the program declares."""
    return Rewrite(f"aten.{overload}", types, _as_declared(build), of=of)


def _as_declared(build: Build) -> Build:
    @functools.wraps(build)
    def built(match: Match) -> Sequence[Expr]:
        built = build(match)
        results = [*map(as_expr, [built] if isinstance(built, Expr | Value) else built)]
        for result, declared in zip(results, match.op.results, strict=False):
            wanted = SIGNLESS.get(declared.type.dtype, declared.type.dtype), declared.type.shape
            if (result.dtype, result.type.shape) != wanted:
                raise Decline(f"the program says {declared.type}, it is {result.type}")
        for result in results[:1]:
            held_in_32_bits(match, result)
        return results

    return built


# ** types **


def result_dtype(match: Match) -> DType:
    """The element type of the first result, to which ATen promotes operands of arithmetic."""
    return match.op.results[0].type.dtype


def promoted(match: Match, key: Key, dtype: DType | None = None) -> Expr:
    """An operand in another type, by default the result's.

    Raises:
        Decline: TOSA doesn't have it.
    """
    source, target = match.source(key).type.dtype, dtype or result_dtype(match)
    if FOREIGN & {source, target}:
        raise Decline(f"a cast between {source.value} and {target.value}")
    return converted(match, match[key], source, target)


def common_dtype(match: Match, *further: float) -> DType:
    """The type in which operands, and numbers besides them, are compared: floats before integers, wide before narrow.

    A tensor without dimensions decides among those of its kind only if all have none, a number never.
    """
    values = [value.type for value in match.op.operands]
    floats = [type for type in values if type.dtype.is_float]
    if floats:
        ranked = [type for type in floats if type.rank] or floats
        return max((type.dtype for type in ranked), key=lambda dtype: dtype.bits)
    return DType.FP32 if any(isinstance(number, float) for number in further) else DType.I32


def number(value: float, like: Expr) -> Expr:
    """A number beside a tensor.

    Raises:
        Decline: it isn't one of the tensor's type.
    """
    if not like.dtype.is_float:
        if not math.isfinite(value) or value != int(value):
            raise Decline(f"the number {value} beside {like.type}")
        narrowed(np.array(int(value)))
    return scalar(value, like)


# ** dimensions **


def axis_of(match: Match, x: Expr, name: str = "dim") -> int:
    """A dimension of `x`, counted from the front; a number has one."""
    return normalized_axis(match.op.attributes[name], max(x.rank, 1))


def axes_of(match: Match, x: Expr, name: str = "dim") -> list[int]:
    """Dimensions of `x` in order, all where none are named.

    Raises:
        Decline: one is out of range, or named twice.
    """
    named = match.op.attributes[name]
    named = (named,) if isinstance(named, int) else named or ()
    axes = sorted(normalized_axis(axis, max(x.rank, 1)) for axis in named)
    if len(set(axes)) != len(axes):
        raise Decline(f"dimensions {axes}, one of them twice")
    return (axes or list(range(x.rank))) if x.rank else []


def declared_shape(match: Match, result: int = 0) -> tuple[int, ...]:
    """The sizes that the program declares for a result."""
    return match.op.results[result].type.static


def as_declared(match: Match, x: Expr, result: int = 0) -> Expr:
    """The elements of `x` in the sizes that the program declares.

    Raises:
        Decline: there are more or fewer.
    """
    shape = declared_shape(match, result)
    if math.prod(shape) != x.size:
        raise Decline(f"{x.type} in the shape {list(shape)}")
    return x.reshape(shape)
