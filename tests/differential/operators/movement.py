"""Operators that move elements: reshaped, padded, joined, taken apart, in blocks."""

from collections.abc import Sequence

import numpy as np

from differential.case import Case, Draw, Operand
from differential.operators import Drawing
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import MirrorPadMode


def moved(d: Draw, shape: Sequence[int]) -> tuple[Operand, Operand]:
    """An operand of the drawn type and a result of the same quantization."""
    quant = d.quant()
    return d.fed(shape, **quant), d.result(**quant)


def axis_of(d: Draw, shape: Sequence[int], beyond: int = 0) -> int:
    """An axis, counted from either end."""
    rank = len(shape) + beyond
    return d.whole(-rank, rank - 1)


def _reshape(d: Draw) -> Case:
    shape = d.shape(0, 6, 4)
    x, y = moved(d, shape)
    new = list(d.rng.permutation(shape)) if d.coin() else [int(np.prod(shape)), *[1] * d.whole(0, 4)]
    if new and d.coin():
        new[d.whole(0, len(new) - 1)] = -1
    return Case(B.RESHAPE, [x, d.ints(new)], [y], {"new_shape": tuple(map(int, new))})


def _squeeze(d: Draw) -> Case:
    shape = tuple(d.among(1, size) for size in d.shape(1, 6, 4))
    x, y = moved(d, shape)
    ones = [axis - (len(shape) if d.coin() else 0) for axis, size in enumerate(shape) if size == 1 and d.coin()]
    return Case(B.SQUEEZE, [x], [y], {"squeeze_dims": tuple(ones)})


def _expand_dims(d: Draw) -> Case:
    shape = d.shape(0, 5)
    x, y = moved(d, shape)
    return Case(B.EXPAND_DIMS, [x, d.ints(axis_of(d, shape, 1), d.among("i32", "i64"))], [y])


def _transpose(d: Draw) -> Case:
    x, y = moved(d, d.shape(1, 6, 5))
    return Case(B.TRANSPOSE, [x, d.ints(d.rng.permutation(len(x.tensor.shape)))], [y])


def _depth_to_space(d: Draw) -> Case:
    block = d.whole(1, 3)
    x, y = moved(d, (*(d.whole(1, 4) for _ in range(3)), d.whole(1, 4) * block**2))
    return Case(B.DEPTH_TO_SPACE, [x], [y], {"block_size": block})


def _space_to_depth(d: Draw) -> Case:
    block = d.whole(1, 3)
    x, y = moved(d, (d.whole(1, 3), d.whole(1, 4) * block, d.whole(1, 4) * block, d.whole(1, 5)))
    return Case(B.SPACE_TO_DEPTH, [x], [y], {"block_size": block})


def _pad(builtin: B) -> Drawing:
    def draw(d: Draw) -> Case:
        shape = d.shape(1, 5, 4)
        x, y = moved(d, shape)
        amounts = d.ints(d.rng.integers(0, 3, (len(shape), 2)), d.among("i32", "i64"))
        if builtin is B.PAD:
            return Case(builtin, [x, amounts], [y])
        return Case(builtin, [x, amounts, d.either(d.fed(d.among((), (1,)), **d.same(x)))], [y])

    return draw


def _mirror_pad(d: Draw) -> Case:
    mode = d.among(*MirrorPadMode)
    x, y = moved(d, d.shape(1, 5, 5))
    least = 1 if mode is MirrorPadMode.REFLECT else 0
    amounts = [[d.whole(0, size - least), d.whole(0, size - least)] for size in x.tensor.shape]
    return Case(B.MIRROR_PAD, [x, d.ints(amounts, d.among("i32", "i64"))], [y], {"mode": mode})


def _tile(d: Draw) -> Case:
    x, y = moved(d, d.shape(1, 6, 4))
    return Case(B.TILE, [x, d.ints([d.whole(1, 3) for _ in x.tensor.shape], d.among("i32", "i64"))], [y])


def _broadcast_to(d: Draw) -> Case:
    wide = d.shape(1, 6, 4)
    x, y = moved(d, d.broadcast(wide))
    return Case(B.BROADCAST_TO, [x, d.ints(wide, d.among("i32", "i64"))], [y], version=2)


def _reverse(d: Draw) -> Case:
    x, y = moved(d, d.shape(1, 6))
    first = d.whole(0, len(x.tensor.shape) - 1)
    axes = range(first, d.whole(first, len(x.tensor.shape) - 1) + 1)  # the kernel takes neighbours
    return Case(B.REVERSE_V2, [x, d.ints([first - len(x.tensor.shape)] if d.coin() else axes)], [y])


def _concatenation(d: Draw) -> Case:
    shape, quant = d.shape(1, 6, 5), d.quant()
    axis = axis_of(d, shape)
    parts = []
    for _ in range(d.whole(1, 5)):
        sizes = list(shape)
        sizes[axis] = d.whole(1, 4)
        own = d.quant() if d.type in ("ui8", "i16") and d.coin() else quant
        parts.append(d.either(d.fed(sizes, **own)))
    return Case(B.CONCATENATION, parts, [d.result(**quant)], {"axis": axis})


def _pack(d: Draw) -> Case:
    shape, quant, count = d.shape(0, 5, 5), d.quant(), d.whole(1, 4)
    parts = [d.either(d.fed(shape, **quant)) for _ in range(count)]
    options = {"axis": axis_of(d, shape, 1), "values_count": count}
    return Case(B.PACK, parts, [d.result(**quant)], options)


def _unpack(d: Draw) -> Case:
    x, y = moved(d, d.shape(1, 6, 5))
    axis = axis_of(d, x.tensor.shape)
    count = x.tensor.shape[axis]
    return Case(B.UNPACK, [x], [y] * count, {"axis": axis, "num": count})


def _split(d: Draw) -> Case:
    shape, count = list(d.shape(1, 6, 4)), d.whole(1, 4)
    axis = axis_of(d, shape)
    shape[axis] *= count
    x, y = moved(d, shape)
    return Case(B.SPLIT, [d.ints(axis), x], [y] * count, {"num_splits": count})


def _split_v(d: Draw) -> Case:
    shape, sizes = list(d.shape(1, 6, 4)), [d.whole(1, 4) for _ in range(d.whole(1, 4))]
    axis = axis_of(d, shape)
    shape[axis] = sum(sizes)
    x, y = moved(d, shape)
    if d.coin():
        sizes[d.whole(0, len(sizes) - 1)] = -1
    splits = d.ints(sizes, d.among("i32", "i64"))
    return Case(B.SPLIT_V, [x, splits, d.ints(axis)], [y] * len(sizes), {"num_splits": len(sizes)})


def _slice(d: Draw) -> Case:
    x, y = moved(d, d.shape(1, 5))
    shape, type = x.tensor.shape, d.among("i32", "i64")
    begin = [d.whole(0, size - 1) for size in shape]
    size = [d.whole(1, n - b) for n, b in zip(shape, begin, strict=True)]
    start = d.either(d.of(np.array(begin, "int32" if type == "i32" else "int64"), type))
    if start.fed:
        return Case(B.SLICE, [x, start, d.ints(size, type)], [y])
    whole = [-1 if b + n == have and d.coin() else n for b, n, have in zip(begin, size, shape, strict=True)]
    return Case(B.SLICE, [x, start, d.ints(whole, type)], [y])


def _by_offset(d: Draw, x: Operand, y: Operand) -> Case:
    """STRIDED_SLICE whose ends are counts."""
    shape = x.tensor.shape
    begin = [d.whole(0, size - 1) for size in shape]
    count = [d.whole(1, size - b) for size, b in zip(shape, begin, strict=True)]
    signed = [b - (size if d.coin() else 0) for size, b in zip(shape, begin, strict=True)]
    operands = [x, d.ints(signed), d.ints(count), d.ints([d.whole(1, 3) for _ in shape])]
    return Case(B.STRIDED_SLICE, operands, [y], {"offset": True})


def _strided_slice(d: Draw) -> Case:
    x, y = moved(d, d.shape(1, 5, 7))
    if d.whole(0, 7) == 0:
        return _by_offset(d, x, y)
    shape = x.tensor.shape
    named = d.whole(1, len(shape))
    at = d.whole(0, named) if named < len(shape) else -1  # where an ellipsis stands
    masks = dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
    entries: list[tuple[int, int, int]] = []
    kinds = ("index", "all") if d.whole(0, 4) == 0 else ("range", "backwards", "index", "all")
    sizes = [*shape[: max(at, 0)], *shape[len(shape) - named + max(at, 0) :]] if at >= 0 else list(shape[:named])
    for i, size in enumerate(sizes):
        if i == at:
            masks["ellipsis_mask"] |= 1 << len(entries)
            entries.append((0, 0, 1))
        if len(shape) < 5 and d.whole(0, 7) == 0:
            masks["new_axis_mask"] |= 1 << len(entries)
            entries.append((0, 1, 1))
        entries.append(_entry(d, d.among(*kinds), size, len(entries), masks))
    begin, end, strides = (d.ints(column) for column in zip(*entries, strict=True))
    if len(kinds) == 2:
        begin = d.of(np.array(begin.array, "int32"), "i32")
    return Case(B.STRIDED_SLICE, [x, begin, end, strides], [y], masks)


def _entry(d: Draw, kind: str, size: int, place: int, masks: dict[str, int]) -> tuple[int, int, int]:
    """Begin, end and stride of a dimension of which something is left."""
    first = d.whole(0, size - 1)
    if kind == "index":
        masks["shrink_axis_mask"] |= 1 << place
        return first - (size if d.coin() else 0), first + 1, 1
    if kind == "all":
        masks["begin_mask"] |= 1 << place
        masks["end_mask"] |= 1 << place
        return d.whole(-9, 9), d.whole(-9, 9), d.among(1, 2, 3, -1, -2)
    if kind == "range":
        end = d.whole(first + 1, size + 2)
        return first - (size if d.coin() else 0), end - (size if end < size and d.coin() else 0), d.whole(1, 3)
    if d.coin():
        masks["end_mask"] |= 1 << place
    return first - (size if d.coin() else 0), d.whole(0, first) - 1 - size, -d.whole(1, 3)


def _space_to_batch(d: Draw) -> Case:
    image = [[d.whole(1, 3), d.whole(1, 3), d.whole(0, 3)] for _ in range(d.whole(1, 2))]  # block, blocks, before
    size, pads = [], []
    for block, blocks, before in image:
        before = min(before, block * blocks - 1)
        after = d.whole(0, min(3, block * blocks - 1 - before))
        size.append(block * blocks - before - after)
        pads.append([before, after])
    x, y = moved(d, (d.whole(1, 3), *size, d.whole(1, 4)))
    return Case(B.SPACE_TO_BATCH_ND, [x, d.ints([block for block, _, _ in image]), d.ints(pads)], [y])


def _batch_to_space(d: Draw) -> Case:
    blocks, size = [d.whole(1, 3) for _ in range(d.whole(1, 2))], d.whole(1, 4)
    x, y = moved(d, (d.whole(1, 2) * int(np.prod(blocks)), *[size] * len(blocks), d.whole(1, 4)))
    crops = []
    for block in blocks:
        before = d.whole(0, min(2, size * block - 1))
        crops.append([before, d.whole(0, min(2, size * block - 1 - before))])
    return Case(B.BATCH_TO_SPACE_ND, [x, d.ints(blocks), d.ints(crops)], [y])


def _dilate(d: Draw) -> Case:
    x, y = moved(d, d.shape(1, 5, 4))
    factors = d.ints([d.whole(1, 3) for _ in x.tensor.shape])
    return Case(B.DILATE, [x, factors, d.either(d.fed((), **d.same(x)))], [y])


DRAWS: dict[B, Drawing] = {
    B.RESHAPE: _reshape, B.SQUEEZE: _squeeze, B.EXPAND_DIMS: _expand_dims, B.TRANSPOSE: _transpose,
    B.DEPTH_TO_SPACE: _depth_to_space, B.SPACE_TO_DEPTH: _space_to_depth, B.PAD: _pad(B.PAD), B.PADV2: _pad(B.PADV2),
    B.MIRROR_PAD: _mirror_pad, B.TILE: _tile, B.BROADCAST_TO: _broadcast_to, B.REVERSE_V2: _reverse,
    B.CONCATENATION: _concatenation, B.PACK: _pack, B.UNPACK: _unpack, B.SPLIT: _split, B.SPLIT_V: _split_v,
    B.SLICE: _slice, B.STRIDED_SLICE: _strided_slice, B.SPACE_TO_BATCH_ND: _space_to_batch,
    B.BATCH_TO_SPACE_ND: _batch_to_space, B.DILATE: _dilate,
}  # fmt: skip
