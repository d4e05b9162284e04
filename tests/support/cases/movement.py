"""Cases of operators that move elements: reshape, pad, join, split, and rearrange blocks."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from support.cases import fourier
from support.cases.case import NUMBERS, Case, Drawing, Row, Rows, ints, tensor
from support.cases.draw import Draw
from support.cases.sketch import Append, Layer, Refused, Sketch
from support.tflite_models import Tensor
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import MirrorPadMode


def moved(d: Draw, shape: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Returns an operand of the drawn type and a result of the same quantization."""
    quant = d.quant()
    return d.fed(shape, **quant), d.result(**quant)


def axis_of(d: Draw, shape: Sequence[int], beyond: int = 0) -> int:
    """Draws an axis, counted from either end."""
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
    return Case(B.TRANSPOSE, [x, d.ints(d.rng.permutation(len(x.shape)))], [y])


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
    amounts = [[d.whole(0, size - least), d.whole(0, size - least)] for size in x.shape]
    return Case(B.MIRROR_PAD, [x, d.ints(amounts, d.among("i32", "i64"))], [y], {"mode": mode})


def _tile(d: Draw) -> Case:
    x, y = moved(d, d.shape(1, 6, 4))
    return Case(B.TILE, [x, d.ints([d.whole(1, 3) for _ in x.shape], d.among("i32", "i64"))], [y])


def _broadcast_to(d: Draw) -> Case:
    wide = d.shape(1, 6, 4)
    x, y = moved(d, d.broadcast(wide))
    return Case(B.BROADCAST_TO, [x, d.ints(wide, d.among("i32", "i64"))], [y])


def _reverse(d: Draw) -> Case:
    x, y = moved(d, d.shape(1, 6))
    first = d.whole(0, len(x.shape) - 1)
    axes = range(first, d.whole(first, len(x.shape) - 1) + 1)  # the kernel takes neighbours
    return Case(B.REVERSE_V2, [x, d.ints([first - len(x.shape)] if d.coin() else axes)], [y])


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
    axis = axis_of(d, x.shape)
    count = x.shape[axis]
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
    shape, type = x.shape, d.among("i32", "i64")
    begin = [d.whole(0, size - 1) for size in shape]
    size = [d.whole(1, n - b) for n, b in zip(shape, begin, strict=True)]
    start = d.either(d.of(np.array(begin, "int32" if type == "i32" else "int64"), type))
    if start.fed:
        return Case(B.SLICE, [x, start, d.ints(size, type)], [y])
    whole = [-1 if b + n == have and d.coin() else n for b, n, have in zip(begin, size, shape, strict=True)]
    return Case(B.SLICE, [x, start, d.ints(whole, type)], [y])


def _by_offset(d: Draw, x: Tensor, y: Tensor) -> Case:
    """Draws STRIDED_SLICE whose ends are counts."""
    shape = x.shape
    begin = [d.whole(0, size - 1) for size in shape]
    count = [d.whole(1, size - b) for size, b in zip(shape, begin, strict=True)]
    signed = [b - (size if d.coin() else 0) for size, b in zip(shape, begin, strict=True)]
    operands = [x, d.ints(signed), d.ints(count), d.ints([d.whole(1, 3) for _ in shape])]
    return Case(B.STRIDED_SLICE, operands, [y], {"offset": True})


def _strided_slice(d: Draw) -> Case:
    x, y = moved(d, d.shape(1, 5, 7))
    if d.whole(0, 7) == 0:
        return _by_offset(d, x, y)
    shape = x.shape
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
    """Draws begin, end and stride of a dimension, which leave at least one element."""
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
    factors = d.ints([d.whole(1, 3) for _ in x.shape])
    return Case(B.DILATE, [x, factors, d.either(d.fed((), **d.same(x)))], [y])


# ** layers of networks **


def reshape_layer(s: Sketch, x: int) -> None:
    """Adds RESHAPE to a factorization, with the shape as operand or option."""
    outer, rest = s.shape(x)[: s.free], int(np.prod(s.shape(x)[s.free :]))
    sizes: list[int] = []
    while rest > 1 and len(sizes) < 3:
        sizes.append(s.among(*(n for n in range(1, rest + 1) if rest % n == 0)))
        rest //= sizes[-1]
    sizes.append(rest)
    s.rng.shuffle(sizes)
    y = s.tensor((*outer, *sizes), **s.like(x))
    new_shape = [-1] * len(outer) + sizes
    if not outer and s.coin():
        new_shape[s.whole(0, len(new_shape) - 1)] = -1
    s.emit(B.RESHAPE, [x, s.constant(new_shape)], y, new_shape=tuple(new_shape) if s.coin() else ())


def transpose_layer(s: Sketch, x: int) -> None:
    """Adds TRANSPOSE."""
    shape = s.shape(x)
    perm = [*range(s.free), *s.rng.permutation(np.arange(s.free, len(shape)))]
    s.emit(B.TRANSPOSE, [x, s.constant(perm)], s.tensor([shape[i] for i in perm], **s.like(x)))


def pad_layer(builtin: B) -> Append:
    """Returns a layer of PAD with the zero point, or PADV2 with any value."""

    def append(s: Sketch, x: int) -> None:
        shape = s.shape(x)
        if builtin is B.PADV2 and len(shape) > 4:
            raise Refused
        amounts = [[0, 0] if i < s.free or s.coin() else [s.whole(0, 2), s.whole(0, 2)] for i in range(len(shape))]
        y = s.tensor([n + sum(pair) for n, pair in zip(shape, amounts, strict=True)], **s.like(x))
        value = [s.constant([s.whole(0, 100)], s.dtype, **s.like(x))] if builtin is B.PADV2 else []
        s.emit(builtin, [x, s.constant(amounts), *value], y)

    return append


def concat_layer(s: Sketch, x: int) -> None:
    """Adds CONCATENATION of up to three tensors that agree in the other dimensions and in quantization."""
    shape = s.shape(x)
    if len(shape) <= s.free:
        raise Refused
    axis = s.whole(s.free, len(shape) - 1)

    def fits(y: int) -> bool:
        other = s.shape(y)
        return len(other) == len(shape) and all(
            i == axis or a == b for i, (a, b) in enumerate(zip(other, shape, strict=True))
        )

    twins = [y for y in s.live if fits(y) and s.tensors[y].dtype == s.dtype and s.like(y) == s.like(x)]
    parts = [x] + [int(s.among(*twins)) for _ in range(s.whole(1, 2))]
    output_shape = [sum(s.shape(y)[i] for y in parts) if i == axis else n for i, n in enumerate(shape)]
    s.emit(B.CONCATENATION, parts, s.tensor(output_shape, **s.like(x)), axis=axis - len(shape) if s.coin() else axis)


def slice_layer(s: Sketch, x: int) -> None:
    """Adds SLICE."""
    begin, size, output_shape = [], [], []
    for i, n in enumerate(s.shape(x)):
        first = 0 if i < s.free else s.whole(0, n - 1)
        count = n - first if i < s.free else s.whole(1, n - first)
        begin.append(first)
        size.append(-1 if count == n - first else count)
        output_shape.append(count)
    s.emit(B.SLICE, [x, s.constant(begin), s.constant(size)], s.tensor(output_shape, **s.like(x)))


def strided_slice_layer(s: Sketch, x: int) -> None:
    """Adds STRIDED_SLICE with strides of both signs; some drop a dimension."""
    begin, end, stride, output_shape = [], [], [], []
    shrink = s.whole(s.free, len(s.shape(x)) - 1) if s.coin() and len(s.shape(x)) > s.free + 1 else None
    masks = int(bool(s.free))
    for i, n in enumerate(s.shape(x)):
        if i < s.free:
            first, last, by = 0, n, 1
        elif i == shrink:
            first = s.whole(0, n - 1)
            last, by = first + 1, 1
        elif n > 1 and s.whole(0, 3) == 0:
            first, by = s.whole(1, n - 1), -s.whole(1, 2)
            last = s.whole(0, first - 1)
        else:
            first, by = s.whole(0, n - 1), s.whole(1, 2)
            last = s.whole(first + 1, n)
        begin.append(first)
        end.append(last)
        stride.append(by)
        if i != shrink:
            output_shape.append(len(range(first, last, by)))
    y = s.tensor(output_shape, **s.like(x))
    mask = 0 if shrink is None else 1 << shrink
    operands = [x, s.constant(begin), s.constant(end), s.constant(stride)]
    s.emit(B.STRIDED_SLICE, operands, y, begin_mask=masks, end_mask=masks, shrink_axis_mask=mask)


def split_layer(s: Sketch, x: int) -> None:
    """Adds SPLIT into equal parts."""
    shape = s.shape(x)
    axis = s.whole(0, len(shape) - 1)
    counts = [n for n in (2, 3) if shape[axis] % n == 0]
    if axis < s.free or not counts:
        raise Refused
    count = s.among(*counts)
    piece_shape = [n // count if i == axis else n for i, n in enumerate(shape)]
    parts = [s.tensor(piece_shape, **s.like(x)) for _ in range(count)]
    s.emit(B.SPLIT, [s.constant(axis), x], parts, num_splits=count)


def pack_layer(s: Sketch, x: int) -> None:
    """Adds PACK of a tensor with itself."""
    shape = s.shape(x)
    if len(shape) > 4:
        raise Refused
    axis = s.whole(s.free, len(shape))
    y = s.tensor((*shape[:axis], 2, *shape[axis:]), **s.like(x))
    s.emit(B.PACK, [x, x], y, values_count=2, axis=axis)


def unpack_layer(s: Sketch, x: int) -> None:
    """Adds UNPACK along a short dimension."""
    shape = s.shape(x)
    axis = s.whole(0, len(shape) - 1)
    if axis < s.free or shape[axis] > 4 or len(shape) < 2 + s.free:
        raise Refused
    rest = shape[:axis] + shape[axis + 1 :]
    s.emit(B.UNPACK, [x], [s.tensor(rest, **s.like(x)) for _ in range(shape[axis])], num=shape[axis], axis=axis)


def tile_layer(s: Sketch, x: int) -> None:
    """Adds TILE."""
    multiples = [1 if i < s.free else s.among(1, 1, 2, 3) for i in range(len(s.shape(x)))]
    y = s.tensor([n * m for n, m in zip(s.shape(x), multiples, strict=True)], **s.like(x))
    s.emit(B.TILE, [x, s.constant(multiples)], y)


def reverse_layer(s: Sketch, x: int) -> None:
    """Adds REVERSE_V2 of one axis."""
    if len(s.shape(x)) <= s.free:
        raise Refused
    axis = s.whole(s.free, len(s.shape(x)) - 1)
    s.emit(B.REVERSE_V2, [x, s.constant([axis])], s.tensor(s.shape(x), **s.like(x)))


def expand_dims_layer(s: Sketch, x: int) -> None:
    """Adds EXPAND_DIMS."""
    shape = s.shape(x)
    axis = s.whole(s.free, len(shape))
    s.emit(B.EXPAND_DIMS, [x, s.constant(axis)], s.tensor((*shape[:axis], 1, *shape[axis:]), **s.like(x)))


def squeeze_layer(s: Sketch, x: int) -> None:
    """Adds SQUEEZE of one dimension."""
    shape = s.shape(x)
    axes = [i for i in range(s.free, len(shape)) if shape[i] == 1]
    if not axes or len(shape) < 2:
        raise Refused
    axis = s.among(*axes)
    s.emit(B.SQUEEZE, [x], s.tensor(shape[:axis] + shape[axis + 1 :], **s.like(x)), squeeze_dims=(axis,))


def broadcast_to_layer(s: Sketch, x: int) -> None:
    """Adds BROADCAST_TO."""
    shape = s.shape(x)
    if s.free:
        raise Refused
    output_shape = [s.whole(1, 3) if n == 1 else n for n in shape]
    s.emit(B.BROADCAST_TO, [x, s.constant(output_shape)], s.tensor(output_shape, **s.like(x)))


def space_to_depth_layer(s: Sketch, x: int) -> None:
    """Adds SPACE_TO_DEPTH of images of even sizes."""
    n, h, w, c = s.image(x)
    if h % 2 or w % 2:
        raise Refused
    s.emit(B.SPACE_TO_DEPTH, [x], s.tensor((n, h // 2, w // 2, c * 4), **s.like(x)), block_size=2)


def depth_to_space_layer(s: Sketch, x: int) -> None:
    """Adds DEPTH_TO_SPACE of four channels or a multiple."""
    n, h, w, c = s.image(x)
    if c % 4:
        raise Refused
    s.emit(B.DEPTH_TO_SPACE, [x], s.tensor((n, h * 2, w * 2, c // 4), **s.like(x)), block_size=2)


# ** rows **


def of_each(make: Callable[[Tensor], Case], dtypes: Sequence[str] = NUMBERS) -> list[Case]:
    """Returns a case of an image of each type."""
    return [make(tensor(dtype)) for dtype in dtypes]


def zero(x: Tensor) -> Tensor:
    """Returns a constant of one element of the same type."""
    return replace(x, shape=(), data=np.zeros((), x.dtype))


PADDED = (*NUMBERS, "int16")
BORDER = ints(0, 0, 1, 1, 1, 1, 0, 0, shape=(4, 2))
UNEQUAL_BORDER = ints(0, 0, 1, 2, 3, 1, 0, 0, shape=(4, 2))
ROWS: Rows = {
    B.RESHAPE: Row(
        _reshape,
        of_each(lambda x: Case(B.RESHAPE, (x, ints(1, 32)), (x,), {"new_shape": (1, 32)})),
        layers=[Layer(reshape_layer)],
        typed=fourier.moved(B.RESHAPE),
        networks=fourier.spectrum(0, B.RESHAPE, ints(2, 3)),
    ),
    B.SQUEEZE: Row(
        _squeeze,
        of_each(lambda x: Case(B.SQUEEZE, (x,), (x,), {"squeeze_dims": (0,)})),
        layers=[Layer(squeeze_layer)],
        typed=fourier.moved(B.SQUEEZE),
        networks=fourier.spectrum(1, B.SQUEEZE),
    ),
    B.EXPAND_DIMS: Row(
        _expand_dims,
        of_each(lambda x: Case(B.EXPAND_DIMS, (x, ints(1, shape=(1,))), (x,))),
        layers=[Layer(expand_dims_layer)],
        typed=fourier.moved(B.EXPAND_DIMS),
        networks=fourier.spectrum(2, B.EXPAND_DIMS, ints(0, shape=())),
    ),
    B.TRANSPOSE: Row(
        _transpose,
        of_each(lambda x: Case(B.TRANSPOSE, (x, ints(0, 2, 1, 3)), (x,))),
        layers=[Layer(transpose_layer)],
        typed=fourier.moved(B.TRANSPOSE),
        networks=fourier.spectrum(3, B.TRANSPOSE, ints(0, 2, 1)),
    ),
    B.DEPTH_TO_SPACE: Row(
        _depth_to_space,
        of_each(lambda x: Case(B.DEPTH_TO_SPACE, (replace(x, shape=(1, 2, 2, 4)),), (x,), {"block_size": 2})),
        layers=[Layer(depth_to_space_layer)],
    ),
    B.SPACE_TO_DEPTH: Row(
        _space_to_depth,
        of_each(lambda x: Case(B.SPACE_TO_DEPTH, (x,), (x,), {"block_size": 2})),
        layers=[Layer(space_to_depth_layer)],
    ),
    B.PAD: Row(
        _pad(B.PAD), of_each(lambda x: Case(B.PAD, (x, BORDER), (x,)), PADDED), layers=[Layer(pad_layer(B.PAD))]
    ),
    B.PADV2: Row(
        _pad(B.PADV2),
        of_each(lambda x: Case(B.PADV2, (x, BORDER, zero(x)), (x,)), PADDED),
        layers=[Layer(pad_layer(B.PADV2))],
    ),
    B.MIRROR_PAD: Row(
        _mirror_pad,
        of_each(lambda x: Case(B.MIRROR_PAD, (x, UNEQUAL_BORDER), (x,), {"mode": MirrorPadMode.REFLECT})),
    ),
    B.TILE: Row(_tile, of_each(lambda x: Case(B.TILE, (x, ints(1, 2, 1, 1)), (x,))), layers=[Layer(tile_layer)]),
    B.BROADCAST_TO: Row(
        _broadcast_to,
        of_each(lambda x: Case(B.BROADCAST_TO, (replace(x, shape=(1, 4, 1, 2)), ints(1, 4, 4, 2)), (x,))),
        layers=[Layer(broadcast_to_layer)],
        typed=fourier.moved(B.BROADCAST_TO),
        networks=fourier.spectrum(6, B.BROADCAST_TO, ints(2, 2, 3)),
    ),
    B.REVERSE_V2: Row(
        _reverse, of_each(lambda x: Case(B.REVERSE_V2, (x, ints(1)), (x,))), layers=[Layer(reverse_layer)]
    ),
    B.CONCATENATION: Row(
        _concatenation,
        of_each(lambda x: Case(B.CONCATENATION, (x, x), (x,), {"axis": 3})),
        [
            Case(B.CONCATENATION, (tensor("uint8"), tensor("uint8")), (tensor("uint8"),), {"axis": 3}),
            Case(B.CONCATENATION, (tensor("int16"), tensor("int16", scale=0.02)), (tensor("int16"),), {"axis": 3}),
        ],
        [Layer(concat_layer, weight=2)],
    ),
    B.PACK: Row(
        _pack,
        of_each(lambda x: Case(B.PACK, (x, x), (x,), {"axis": 0, "values_count": 2})),
        layers=[Layer(pack_layer)],
    ),
    B.UNPACK: Row(
        _unpack, of_each(lambda x: Case(B.UNPACK, (x,), (x, x), {"axis": 3, "num": 2})), layers=[Layer(unpack_layer)]
    ),
    B.SPLIT: Row(
        _split,
        of_each(lambda x: Case(B.SPLIT, (ints(3, shape=()), x), (x, x), {"num_splits": 2})),
        layers=[Layer(split_layer)],
    ),
    B.SPLIT_V: Row(
        _split_v,
        of_each(lambda x: Case(B.SPLIT_V, (x, ints(1, 3), ints(1, shape=())), (x, x), {"num_splits": 2})),
    ),
    B.SLICE: Row(
        _slice,
        of_each(lambda x: Case(B.SLICE, (x, ints(0, 1, 0, 0), ints(1, 2, -1, 2)), (replace(x, shape=(1, 2, 4, 2)),))),
        layers=[Layer(slice_layer)],
        typed=fourier.moved(B.SLICE),
        networks=fourier.spectrum(4, B.SLICE, ints(0, 0, 1), ints(1, 2, 2)),
    ),
    B.STRIDED_SLICE: Row(
        _strided_slice,
        of_each(lambda x: Case(B.STRIDED_SLICE, (x, ints(0, 0, 0, 0), ints(1, 4, 4, 2), ints(1, 2, 1, 1)), (x,))),
        layers=[Layer(strided_slice_layer)],
        typed=fourier.moved(B.STRIDED_SLICE),
        networks=fourier.spectrum(5, B.STRIDED_SLICE, ints(0, 0, 0), ints(1, 2, 3), ints(1, 1, 1), shrink_axis_mask=1),
    ),
    B.SPACE_TO_BATCH_ND: Row(
        _space_to_batch,
        of_each(lambda x: Case(B.SPACE_TO_BATCH_ND, (x, ints(2, 3), ints(0, 0, 1, 1, shape=(2, 2))), (x,))),
    ),
    B.BATCH_TO_SPACE_ND: Row(
        _batch_to_space,
        of_each(
            lambda x: Case(
                B.BATCH_TO_SPACE_ND,
                (replace(x, shape=(6, 2, 2, 1)), ints(2, 3), ints(0, 1, 2, 0, shape=(2, 2))),
                (x,),
            )
        ),
    ),
    B.DILATE: Row(_dilate, of_each(lambda x: Case(B.DILATE, (x, ints(1, 2, 3, 1), zero(x)), (x,)))),
}
