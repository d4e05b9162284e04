"""Operators that move elements as they are; types that a kernel doesn't take are moved in one that holds them."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder, storage_type
from tosa_converter.legalize.invert.tflite.floats import tfl_builder
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Build, Rule

# The type to which elements are cast if a kernel doesn't take theirs.
HOLDERS = {
    DType.BOOL: DType.I8,
    DType.I16: DType.I32,
    DType.FP16: DType.FP32,
    DType.BF16: DType.FP32,
}


def _move_in_wider_type(move: Callable[[Match, TflBuilder, Value], Value], *movable: DType) -> Build:
    """Returns a build function for an operator that moves elements; it casts them to a type that LiteRT takes.

    Args:
        move: appends TFLite's operator for the match's one, on a first operand of such a type.
        movable: the types that the kernel takes, besides i8, i32, i64 and fp32.
    """

    def build(match: Match) -> Value:
        """Appends the operator on x, or on x cast to the type in HOLDERS if LiteRT's kernel lacks x's; casts back."""
        b, x = tfl_builder(), match.value(0)
        if x.type.dtype not in HOLDERS or x.type.dtype in movable:
            return move(match, b, x)
        return b.cast(move(match, b, b.cast(x, HOLDERS[x.type.dtype])), x.type.dtype)

    return build


def identity(match: Match) -> Value:
    """Replaces TOSA's IDENTITY by its operand."""
    return match.value(0)


def reshape(match: Match) -> Value:
    """Replaces TOSA's RESHAPE by TFLite's."""
    return tfl_builder().reshape(match.value(0), match.op.result.type.static)


def transpose(match: Match, b: TflBuilder, x: Value) -> Value:
    """Appends TFLite's TRANSPOSE of x, with the permutation of the matched TOSA operator."""
    return b.transpose(x, match.op.attributes["perms"])


def slice_(match: Match, b: TflBuilder, x: Value) -> Value:
    """Appends TFLite's SLICE of x, or one for each axis if it has more than LiteRT's 5 dimensions."""
    start, size = match.constant(1).tolist(), match.constant(2).tolist()
    if x.type.rank <= 5:
        return b.slice(x, start, size)

    def cut(y: Value, axis: int) -> Value:
        """Slices the middle axis of y, [before, size, behind], as TOSA's SLICE does this axis."""
        before, _, behind = y.type.static
        return b.slice(y, (0, start[axis], 0), (before, size[axis], behind))

    return _resize_each_axis(b, x, size, cut)


def pad(match: Match, b: TflBuilder, x: Value) -> Value:
    """Appends TFLite's PADV2 of x, or one for each axis if it has more than LiteRT's 5 dimensions."""
    padding, fill = match.constant(1).reshape(-1, 2).tolist(), match.constant(2).reshape(-1)[0]
    if x.type.rank <= 5:
        return b.pad(x, padding, fill)
    sizes = match.op.result.type.static
    return _resize_each_axis(b, x, sizes, lambda y, axis: b.pad(y, [(0, 0), padding[axis], (0, 0)], fill))


def _resize_each_axis(b: TflBuilder, x: Value, sizes: Sequence[int], change: Callable[[Value, int], Value]) -> Value:
    """Changes one axis after the other to its new size, for operators that take few dimensions.

    `change` gets x reshaped to [before, old size, behind] and the axis, and returns [before, new size, behind].
    """
    shape = list(x.type.static)
    for axis, size in enumerate(sizes):
        before, behind = math.prod(shape[:axis]), math.prod(shape[axis + 1 :])
        x = change(b.reshape(x, (before, shape[axis], behind)), axis)
        shape[axis] = size
    return b.reshape(x, shape)


def tile(match: Match, b: TflBuilder, x: Value) -> Value:
    """Appends TFLite's TILE of x, with the multiples of the matched TOSA operator."""
    return b.op("tile", [x, b.ints(match.constant(1).tolist())], shape=match.op.result.type.static)


def reverse(match: Match, b: TflBuilder, x: Value) -> Value:
    """Appends TFLite's REVERSE_V2 of x, along the axis of the matched TOSA operator."""
    return b.op("reverse_v2", [x, b.ints([match.op.attributes["axis"]])], shape=x.type.static)


def concat(match: Match) -> Value:
    """Replaces TOSA's CONCAT by CONCATENATION; constant operands get the result's quantization."""
    b = tfl_builder()
    shape, quant = match.op.results[0].type.static, match.op.results[0].type.quant
    parts = [match.value(i) for i in range(len(match.op.inputs))]
    parts = [b.with_quant(part, quant) if part.constant is not None else part for part in parts]
    return b.op("concatenation", parts, shape=shape, axis=match.op.attributes["axis"])


def gather(match: Match, b: TflBuilder, x: Value) -> Value:
    """Appends TFLite's GATHER of rows of x, [N, K, C], by the second operand's indices [N, W], batch by batch."""
    return b.op("gather", [x, match.value(1)], shape=match.op.result.type.static, axis=1, batch_dims=1)


def scatter(match: Match) -> Value:
    """Replaces TOSA's SCATTER by SCATTER_ND of the new rows; a second one, of ones, marks the replaced rows.

    All batches are one list of rows, and SELECT_V2 takes the others from the old rows. Elements of types that
    SCATTER_ND doesn't take are cast to a wider one and back.
    """
    indices, rows = match.value(1), match.value(2)
    b = tfl_builder()
    dtype = match.value(0).type.dtype
    holder = dtype if dtype in (DType.FP32, DType.I8, DType.I32) else HOLDERS[dtype]
    n, k, c = match.value(0).type.static
    w = indices.type.static[1]
    first_rows = b.const((np.arange(n, dtype=np.int32) * k)[:, None], DType.I32)  # of each batch
    row_indices = b.reshape(b.add(indices, first_rows) if n > 1 else indices, (n * w, 1))
    shape = b.ints((n * k, c))
    new_rows = b.op("scatter_nd", [row_indices, b.reshape(b.cast(rows, holder), (n * w, c)), shape], holder, (n * k, c))
    ones = b.const(np.ones((n * w, c), np.int32), DType.I32)
    hits = b.op("scatter_nd", [row_indices, ones, shape], DType.I32, (n * k, c))
    old_rows = b.reshape(b.cast(match.value(0), holder), (n * k, c))
    chosen = b.choose(b.compare("greater", hits, b.scalar_like(0, hits)), new_rows, old_rows)
    return b.cast(b.reshape(chosen, (n, k, c)), storage_type(dtype))


# All but fp8, which LiteRT is built without.
MOVED = "bool i4 i8 i16 i32 i48 fp16 bf16 fp32"
_ANY = (DType.BOOL, DType.I16, DType.FP16, DType.BF16)

RULES: tuple[Rule, ...] = (
    Rule("tosa.identity", MOVED, identity),
    Rule("tosa.reshape", MOVED, reshape),
    Rule("tosa.transpose", MOVED, _move_in_wider_type(transpose, *_ANY)),
    Rule("tosa.slice", MOVED, _move_in_wider_type(slice_, *_ANY)),
    Rule("tosa.pad", MOVED, _move_in_wider_type(pad, DType.I16, DType.BOOL)),
    Rule("tosa.tile", MOVED, _move_in_wider_type(tile, *_ANY)),
    Rule("tosa.reverse", MOVED, _move_in_wider_type(reverse, *_ANY)),
    Rule("tosa.concat", MOVED, concat),
    Rule("tosa.gather", MOVED, _move_in_wider_type(gather, *_ANY)),
    Rule("tosa.scatter", MOVED, scatter),
)
