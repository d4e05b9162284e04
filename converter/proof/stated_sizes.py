"""Values for inputs that hold sizes, paddings or permutations: those that give the shapes which the file states."""

from collections.abc import Callable, Sequence

import numpy as np

from tosa_converter.ir import Array, Model, Op

Sizes = tuple[int, ...]
Maker = Callable[[Sizes, Sizes], Sequence[int]]  # of the shapes of the first operand and the first result


def stated_sizes(model: Model) -> dict[str, Array]:
    """Returns fitting values for inputs that operators use as sizes, paddings or permutations, by input name.

    They give the result the shape that the file declares; random values wouldn't.
    """
    inputs, arrays = set(model.main.inputs), {}
    for op in model.main.ops:
        for index, value in enumerate(op.inputs):
            make = _MAKERS.get((op.name, index))
            if make is None or value is None or value not in inputs or None in value.type.shape:
                continue
            numbers = np.array(_operand_values(op, make), value.type.dtype.numpy)
            if numbers.size and numbers.size == value.type.elements:
                arrays[value.name] = numbers.reshape(value.type.static)
    return arrays


def _operand_values(op: Op, make: Maker) -> Sequence[int]:
    """Returns the numbers that an operand must hold for the operator's declared shapes, as `make` computes them.

    Returns () if a shape is unknown or no numbers fit.
    """
    operand, result = op.operands[0].type.shape, op.results[0].type.shape
    sizes = [size for size in (*operand, *result) if size]
    if len(sizes) < len(operand) + len(result):
        return ()
    return make(tuple(sizes[: len(operand)]), tuple(sizes[len(operand) :]))


def _result_shape(_: Sizes, y: Sizes) -> Sequence[int]:
    """Returns the numbers of an operand that is the result's shape, as RESHAPE's: the declared shape `y`."""
    return y


def _for_each_dimension(make: Callable[[int, int], Sequence[int]]) -> Maker:
    """Returns a maker of an operand that holds numbers for each dimension, as paddings.

    `make` gets a dimension's size before and after the operator. Shapes of different ranks get ().
    """
    return lambda x, y: [n for pair in zip(x, y, strict=True) for n in make(*pair)] if len(x) == len(y) else ()


def _permutation(x: Sizes, y: Sizes) -> Sequence[int]:
    """Returns the permutation of TRANSPOSE that gives shape y from shape x, () if none does."""
    if sorted(x) != sorted(y):
        return ()
    axes = list(range(len(x)))
    # From (2, 3, 2) to (2, 2, 3): the first 2 takes axis 0, the second axis 2, and 3 takes axis 1, so it is [0, 2, 1].
    return [axes.pop(next(i for i, axis in enumerate(axes) if x[axis] == size)) for size in y]


def _added_axis(x: Sizes, y: Sizes) -> Sequence[int]:
    """Returns the axis of EXPAND_DIMS at which y has a dimension of 1 more than x, [] if there is none."""
    return [axis for axis in range(len(y)) if (*x[:axis], 1, *x[axis:]) == y][:1]


_ROWS: tuple[tuple[str, int, Maker], ...] = (  # operators, the operand's position, its values
    ("reshape broadcast_to sparse_to_dense", 1, _result_shape),
    ("fill transpose_conv", 0, _result_shape),
    ("scatter_nd slice", 2, _result_shape),
    # A SLICE begins where it is centred, and a PAD is even: from 5 to 8 elements by 1 in front and 2 behind.
    ("slice", 1, _for_each_dimension(lambda x, y: ((x - y) // 2,))),
    ("expand_dims", 1, _added_axis),
    ("transpose", 1, _permutation),
    ("tile", 1, _for_each_dimension(lambda x, y: (y // x,))),
    ("pad padv2 mirror_pad", 1, _for_each_dimension(lambda x, y: ((y - x) // 2, y - x - (y - x) // 2))),
    ("resize_bilinear resize_nearest_neighbor", 1, lambda _, y: y[1:3]),
    ("topk_v2", 1, lambda _, y: y[-1:]),
    (
        "unsorted_segment_sum unsorted_segment_prod unsorted_segment_max unsorted_segment_min",
        2,
        lambda _, y: y[:1],
    ),
)
_MAKERS = {(f"tfl.{name}", index): make for names, index, make in _ROWS for name in names.split()}
