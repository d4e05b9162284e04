"""Infers what is known of result shapes when dimensions of operands are unknown, by the shape rules themselves."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tosa_converter.ir import Graph, Shape, TensorType, Value
from tosa_converter.rules.conditions import Check, StopCheckError
from tosa_converter.rules.inference import SHAPE_RULES, operand_shapes
from tosa_converter.schemas.tosa_ops import OpDef

# Sizes that stand in for unknown ones: 1, which broadcasts, and two primes beyond the sizes of kernels and paddings.
_SIZES = (1, 1009, 2003)
_MOST_OPERANDS = 8
_MOST_SIZES = 8  # of the operands themselves, which unknown sizes may have to be equal to


def infer_partial_shapes(
    row: OpDef,
    inputs: Sequence[Value | None],
    attributes: Mapping[str, Any],
    *,
    regions: Sequence[Graph] = (),
    variables: Mapping[str, TensorType] | None = None,
) -> tuple[Shape, ...] | None:
    """Returns the shapes of a TOSA operator's results as far as they follow from operands with unknown dimensions.

    The rule of the operator is applied several times, each time with other sizes in place of unknown ones. A
    dimension of a result is known if no size changes it. Violated conditions are passed over: the verifier reports
    them.

    Args:
        row: the operator.
        inputs: its operands in the row's order; None in a shape marks an unknown dimension.
        attributes: by the row's names.
        regions: the graphs of COND_IF and WHILE_LOOP.
        variables: the declared variables, for VARIABLE_READ.

    Returns:
        A shape for each result, None in it for a dimension that stays unknown; None if not even the ranks follow.
    """
    unknown = any(value is not None and None in value.type.shape for value in inputs)
    inferred: list[tuple[Shape, ...]] = []
    for operands in _stand_ins(inputs):
        check = Check(row, operands, attributes, regions=regions, variables=variables)
        try:
            shapes = SHAPE_RULES[row].shapes(check, *operand_shapes(check))
        except StopCheckError:
            continue
        if shapes is None:
            return None
        inferred.append(tuple(shapes))
    if not inferred:
        return None
    # [1,?,4] and [1,4,3] in MATMUL: 1 gives [1,1,3], 1009 gives [1,1009,3] and 2003 [1,2003,3], so [1,?,3]. One result
    # alone says nothing of sizes: of ? and 5 in ADD only 1 and 5 broadcast, and both give 5.
    return tuple(_common_shape(shapes, unknown and len(inferred) == 1) for shapes in zip(*inferred, strict=True))


def _stand_ins(inputs: Sequence[Value | None]) -> Iterator[list[Value | None]]:
    """Yields operands with sizes in place of unknown ones: one size for all, then a large one for each operand alone.

    Operands without unknown dimensions are yielded once, as they are.
    """
    unknown = [i for i, value in enumerate(inputs) if value is not None and None in value.type.shape]
    if not unknown:
        yield list(inputs)
        return
    stated_sizes = {size for value in inputs if value is not None for size in value.type.shape if size is not None}
    for size in (*_SIZES, *sorted(stated_sizes - set(_SIZES))[:_MOST_SIZES]):
        yield [_with_size(value, size) for value in inputs]
    # A convolution with an unknown height and kernel: 1009 for both gives 1009 - 1009 + 1 = 1, as 2003 does. With 2003
    # for the height alone it is 2003 - 1 + 1 = 2003. Operands in long lists, as of CONCAT, don't cancel each other.
    if len(unknown) > 1:
        for i in unknown[:_MOST_OPERANDS]:
            yield [_with_size(value, _SIZES[-1] if i == j else 1) for j, value in enumerate(inputs)]


def _with_size(value: Value | None, size: int) -> Value | None:
    """Returns a stand-in for an operand that has `size` in place of each unknown dimension; others as they are."""
    if value is None or None not in value.type.shape:
        return value
    shape = tuple(size if dimension is None else dimension for dimension in value.type.shape)
    return Value(value.type._replace(shape=shape), value.name)


def _common_shape(shapes: Sequence[Shape], rank_only: bool) -> Shape:
    """Returns the dimensions that all shapes of a result agree in, None for others or, with `rank_only`, for all.

    A negative size, which MLIR writes for one that is inferred at run time, is unknown.
    """
    first = shapes[0]
    if any(len(shape) != len(first) for shape in shapes):
        return (None,) * len(first)
    return tuple(
        None if rank_only or size is None or size < 0 or any(shape[i] != size for shape in shapes) else size
        for i, size in enumerate(first)
    )
