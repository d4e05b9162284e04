"""Single operators of StableHLO, one of each, of which LiteRT runs some."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from support.tflite_cases import Case, ints, tensor
from support.tflite_models import Operator, Subgraph, Tensor
from tosa_converter.schemas.tflite import BuiltinOperator as B

X, SMALL = tensor("float32", (2, 3)), tensor("float32", ())
UNARY = "ABS CBRT COSINE EXPONENTIAL FLOOR LOG LOGISTIC NEGATE RSQRT TANH"
BINARY = "ADD DIVIDE MAXIMUM MINIMUM MULTIPLY POWER REMAINDER SUBTRACT"


def body(builtin: B, dtype: str = "float32") -> Subgraph:
    """One operator between two elements."""
    return Subgraph([Tensor((), dtype) for _ in range(3)], [Operator(builtin, [0, 1], [2])], [0, 1], [2])


def comparing(builtin: B, first: int, second: int, dtype: str = "float32", **options: Any) -> Subgraph:
    """A comparator for two operands, of two of its arguments; number 5 is a constant."""
    kinds = [dtype] * 4
    made = "bool" if builtin is not B.STABLEHLO_ADD else dtype
    tensors = [*(Tensor((), kind) for kind in kinds), Tensor((), made), Tensor((), dtype, np.zeros((), dtype))]
    return Subgraph(tensors, [Operator(builtin, [first, second], [4], options)], [0, 1, 2, 3], [4])


def stablehlo() -> Iterator[Case]:
    """Usual operands and options."""
    yield from _elementwise()
    yield from _movement()
    yield from _reductions()
    yield from _products()


def _elementwise() -> Iterator[Case]:
    for name in UNARY.split():
        yield Case(B[f"STABLEHLO_{name}"], (X,), (X,))
    for name in BINARY.split():
        yield Case(B[f"STABLEHLO_{name}"], (X, X), (X,))
    flags, counts = tensor("bool", (2, 3)), tensor("int32", (2, 3))
    yield Case(B.STABLEHLO_AND, (flags, flags), (flags,))
    yield Case(B.STABLEHLO_OR, (counts, counts), (counts,))
    yield Case(B.STABLEHLO_SHIFT_LEFT, (counts, counts), (counts,))
    yield Case(B.STABLEHLO_CLAMP, (SMALL, X, SMALL), (X,))
    yield Case(B.STABLEHLO_COMPARE, (X, X), (flags,), {"comparison_direction": 5})
    options = {"dimension": 0, "comparator_subgraph_index": 1}
    falling = comparing(B.STABLEHLO_COMPARE, 0, 1, comparison_direction=3)
    yield Case(B.STABLEHLO_SORT, (X, counts), (X, counts), options, called=(falling,))
    yield Case(B.STABLEHLO_SELECT, (flags, X, X), (X,))
    yield Case(B.STABLEHLO_CONVERT, (X,), (counts,))


def _movement() -> Iterator[Case]:
    yield Case(B.STABLEHLO_RESHAPE, (X,), (tensor("float32", (3, 2)),))
    wide = tensor("float32", (2, 4, 3))
    yield Case(B.STABLEHLO_BROADCAST_IN_DIM, (X,), (wide,), {"broadcast_dimensions": (0, 2)})
    yield Case(B.STABLEHLO_CONCATENATE, (X, X), (tensor("float32", (2, 6)),), {"dimension": 1})
    yield Case(B.STABLEHLO_TRANSPOSE, (X,), (tensor("float32", (3, 2)),), {"permutation": (1, 0)})
    bounds = {"start_indices": (0, 1), "limit_indices": (2, 3), "strides": (1, 1)}
    yield Case(B.STABLEHLO_SLICE, (X,), (tensor("float32", (2, 2)),), bounds)
    yield Case(B.STABLEHLO_IOTA, (), (tensor("int32", (2, 3)),), {"iota_dimension": 1})
    edges = {"edge_padding_low": (1, -1), "edge_padding_high": (0, 2), "interior_padding": (1, 0)}
    nothing = Tensor((), "float32", np.float32(0))
    yield Case(B.STABLEHLO_PAD, (X, nothing), (tensor("float32", (4, 4)),), edges)
    index = tensor("int32", ())
    part = tensor("float32", (1, 2))
    yield Case(B.STABLEHLO_DYNAMIC_SLICE, (X, index, index), (part,), {"slice_sizes": (1, 2)})
    yield Case(B.STABLEHLO_DYNAMIC_UPDATE_SLICE, (X, part, index, index), (X,))
    windows = {"offset_dims": (1,), "collapsed_slice_dims": (0,), "start_index_map": (0,), "index_vector_dim": 1}
    rows = tensor("float32", (4, 3))
    yield Case(B.STABLEHLO_GATHER, (X, tensor("int32", (4, 1))), (rows,), {**windows, "slice_sizes": (1, 3)})
    places = {"update_window_dims": (1,), "inserted_window_dims": (0,), "scatter_dims_to_operand_dims": (0,)}
    options = {**places, "index_vector_dim": 1, "update_computation_subgraph_index": 1}
    operands = X, tensor("int32", (4, 1)), rows
    yield Case(B.STABLEHLO_SCATTER, operands, (X,), options, called=(body(B.STABLEHLO_ADD),))


def _reductions() -> Iterator[Case]:
    start, adding = Tensor((), "float32", np.float32(0)), (body(B.STABLEHLO_ADD),)
    one = {"dimensions": (1,), "body_subgraph_index": 1}
    yield Case(B.STABLEHLO_REDUCE, (X, start), (tensor("float32", (2,)),), one, called=adding)
    pairs = {
        "window_dimensions": (1, 2), "window_strides": (1, 1), "base_dilations": (1, 1), "window_dilations": (1, 1),
        "padding": (0, 0, 0, 1), "body_subgraph_index": 1,
    }  # fmt: skip
    yield Case(B.STABLEHLO_REDUCE_WINDOW, (X, start), (X,), pairs, called=adding)
    sizes = ints(1, 2, dtype="int64"), ints(1, 1, dtype="int64"), ints(1, 1, dtype="int64")
    yield Case(B.REDUCE_WINDOW, (X, start, *sizes), (tensor("float32", (2, 2)),), {"reduce_function": 1})


def _products() -> Iterator[Case]:
    inner = {
        "lhs_batching_dimensions": (), "rhs_batching_dimensions": (), "lhs_contracting_dimensions": (1,),
        "rhs_contracting_dimensions": (1,),
    }  # fmt: skip
    yield Case(B.STABLEHLO_DOT_GENERAL, (X, X), (tensor("float32", (2, 2)),), inner)
    layout = {
        "window_strides": (1, 1), "padding": (1, 1, 1, 1), "lhs_dilation": (1, 1), "rhs_dilation": (1, 1),
        "window_reversal": (False, False), "input_batch_dimension": 0, "input_feature_dimension": 3,
        "input_spatial_dimensions": (1, 2), "kernel_input_feature_dimension": 2, "kernel_output_feature_dimension": 3,
        "kernel_spatial_dimensions": (0, 1), "output_batch_dimension": 0, "output_feature_dimension": 3,
        "output_spatial_dimensions": (1, 2), "feature_group_count": 1, "batch_group_count": 1,
    }  # fmt: skip
    image = tensor("float32", (1, 4, 4, 2))
    yield Case(B.STABLEHLO_CONVOLUTION, (image, tensor("float32", (3, 3, 2, 2))), (image,), layout)
