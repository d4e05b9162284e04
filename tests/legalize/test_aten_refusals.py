"""Operators that no ATen kernel takes, or that TOSA can't hold, are refused with a reason; their neighbours convert."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from support.aten_cases import AtenCase

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.schemas import aten_ops

Shape = tuple[int, ...]
FP32, I32 = DType.FP32, DType.I32
IMAGE, WEIGHT = (1, 4, 6, 6), (4, 4, 3, 3)
CONV = {"stride": (1, 1), "padding": (0, 0), "dilation": (1, 1), "transposed": False, "output_padding": (0, 0)}
POOL = {"kernel_size": (2, 2), "stride": (2, 2), "padding": (0, 0), "ceil_mode": False, "count_include_pad": True}
GROUP = {"N": 1, "C": 4, "HxW": 36, "eps": 1e-5}


# Further results.
MORE: dict[str, tuple[tuple[DType, Shape], ...]] = {
    "topk.values": ((DType.I64, (2, 2)),),
    "native_layer_norm.out": ((FP32, (2, 1)), (FP32, (2, 1))),
    "native_group_norm.out": ((FP32, (1, 2)), (FP32, (1, 2))),
}


def model(kernel: str, shapes: Sequence[Shape], fields: dict[str, Any], result: Shape, *types: DType) -> tc.Model:
    """Returns a model of one operator; its operands have these shapes and types, fp32 by default."""
    dtypes = (*types, *[FP32] * len(shapes))
    operands = tuple((dtype, np.zeros(shape, dtype.numpy)) for shape, dtype in zip(shapes, dtypes, strict=False))
    arguments = aten_ops.BY_OPCODE[f"aten.{kernel}"].arguments
    attributes = {argument.name: fields.get(argument.name) for argument in arguments if not argument.is_tensor}
    results = ((FP32, result), *MORE.get(kernel, ()))
    case = AtenCase(
        kernel, operands, attributes, tuple((dtype, np.zeros(shape, dtype.numpy)) for dtype, shape in results)
    )
    return case.model


# Kernel, shapes of the operands, attributes, the result's shape; then the change that is refused, and the reason.
TABLE: tuple[tuple[str, tuple[Shape, ...], dict[str, Any], Shape, dict[str, Any], str], ...] = (
    ("clamp.out", ((2, 3),), {"min": 0.0, "max": 1.0}, (2, 3), {"min": np.nan}, "numbers as bounds, found nan and 1"),
    ("clamp.out", ((2, 3),), {"min": 0.0, "max": 1.0}, (2, 3), {"max": np.nan}, "numbers as bounds, found 0.0 and nan"),
    ("hardtanh.out", ((2, 3),), {"min_val": 1.0, "max_val": 1.0}, (2, 3), {"min_val": 1.5}, "found 1.5 and 1.0"),
    ("gelu.out", ((2, 3),), {"approximate": "tanh"}, (2, 3), {"approximate": "erf"}, "found 'erf'"),
    ("gelu.out", ((2, 3),), {"approximate": "none"}, (2, 3), {"approximate": ""}, "found ''"),
    ("div.out_mode", ((2,), (2,)), {"rounding_mode": "floor"}, (2,), {"rounding_mode": "up"}, "found 'up'"),
    (
        "div.out_mode",
        ((2,), (2,)),
        {"rounding_mode": None},
        (2,),
        {"rounding_mode": "trunc"},
        "found 'trunc'",
    ),
    ("permute_copy.out", ((2, 3, 4),), {"dims": (2, 0, -2)}, (4, 2, 3), {"dims": (2, 0, 0)}, "permutation"),
    ("permute_copy.out", ((2, 3, 4),), {"dims": (2, 0, -2)}, (4, 2, 3), {"dims": (2, 0, 3)}, "axis 3|expected an axis"),
    (
        "repeat.out",
        ((2, 3),),
        {"repeats": (1, 2, 1)},
        (1, 4, 3),
        {"repeats": (0, 2, 1)},
        r"counts of at least 1, found \[0, 2, 1\]",
    ),
    (
        "repeat.out",
        ((2, 3),),
        {"repeats": (2, 1)},
        (4, 3),
        {"repeats": (2,)},
        r"2 or more counts of at least 1, found \[2\]",
    ),
    (
        "slice_copy.Tensor_out",
        ((6,),),
        {"dim": 0, "start": 1, "end": 2, "step": 1},
        (1,),
        {"end": 1},
        "found an empty slice",
    ),
    (
        "slice_copy.Tensor_out",
        ((6,),),
        {"dim": 0, "start": 1, "end": 5, "step": 1},
        (4,),
        {"step": 0},
        "step of at least 1, found 0",
    ),
    (
        "slice_copy.Tensor_out",
        ((6,),),
        {"dim": 0, "start": -9, "end": -5, "step": 1},
        (1,),
        {"end": -6},
        "found an empty slice",
    ),
    ("select_copy.int_out", ((6, 2),), {"dim": 0, "index": 5}, (2,), {"index": 6}, "axis 6|expected|index"),
    ("select_copy.int_out", ((6, 2),), {"dim": 0, "index": -6}, (2,), {"index": -7}, "axis -7|expected|index"),
    ("constant_pad_nd.out", ((2, 3),), {"pad": (0, 2), "value": 0.0}, (2, 5), {"pad": (-1, 3)}, "padding"),
    ("constant_pad_nd.out", ((2, 3),), {"pad": (0, 2), "value": 0.0}, (2, 5), {"pad": (2,)}, "padding"),
    ("constant_pad_nd.out", ((2, 3),), {"pad": (0, 2), "value": 0.0}, (2, 5), {"pad": (0, 0, 0, 0, 1, 1)}, "padding"),
    (
        "expand_copy.out",
        ((1, 3),),
        {"size": (4, 3), "implicit": False},
        (4, 3),
        {"result": (4, 2)},
        "expected an operand that broadcasts to",
    ),
    (
        "expand_copy.out",
        ((1, 3),),
        {"size": (4, 3), "implicit": False},
        (4, 3),
        {"result": (3,)},
        "expected an operand that broadcasts to",
    ),
    ("view_copy.out", ((2, 3),), {"size": (6,)}, (6,), {"result": (5,)}, "for the shape|declares"),
    (
        "index_select.out",
        ((4, 2), (3,)),
        {"dim": 0},
        (3, 2),
        {"shapes": ((), (1,))},
        "expected a tensor with dimensions|axis",
    ),
    ("arange.start_out", (), {"start": 0, "end": 5, "step": 2}, (3,), {"end": 7}, "found 0 to 7 by 2"),
    ("arange.start_out", (), {"start": 0, "end": 5, "step": 2}, (3,), {"step": 0}, "by 0"),
    (
        "mean.out",
        ((2, 3),),
        {"dim": (0, 1), "keepdim": False},
        (),
        {"dim": (0, 0)},
        "expected different dimensions|shape",
    ),
    (
        "var.correction_out",
        ((2, 3),),
        {"dim": (0,), "correction": 1},
        (3,),
        {"correction": 2},
        "expected a variance over at least 1 element",
    ),
    ("topk.values", ((2, 6),), {"k": 2, "dim": -1, "largest": True}, (2, 2), {"largest": False}, "found the smallest"),
    ("topk.values", ((2, 6),), {"k": 2, "dim": 1, "largest": True}, (2, 2), {"dim": 0}, "expected the last dimension"),
    (
        "native_layer_norm.out",
        ((2, 6),),
        {"normalized_shape": (6,), "eps": 1e-5},
        (2, 6),
        {"normalized_shape": (5,)},
        "last",
    ),
    (
        "native_layer_norm.out",
        ((2, 6),),
        {"normalized_shape": (6,), "eps": 1e-5},
        (2, 6),
        {"normalized_shape": ()},
        "last",
    ),
    ("native_group_norm.out", (IMAGE,), {"group": 2, **GROUP}, IMAGE, {"group": 3}, "3 groups"),
    ("native_group_norm.out", (IMAGE,), {"group": 2, **GROUP}, IMAGE, {"group": 0}, "0 groups"),
    ("mm.out", ((2, 3), (3, 4)), {}, (2, 4), {"shapes": ((3,), (3, 4))}, "expected a matrix"),
    ("convolution.out", (IMAGE, WEIGHT, (4,)), {**CONV, "groups": 1}, (1, 4, 4, 4), {"stride": (0, 1)}, "stride"),
    ("convolution.out", (IMAGE, WEIGHT, (4,)), {**CONV, "groups": 1}, (1, 4, 4, 4), {"dilation": (1, 0)}, "dilation"),
    ("convolution.out", (IMAGE, WEIGHT, (4,)), {**CONV, "groups": 1}, (1, 4, 4, 4), {"padding": (0, -1)}, "padding"),
    ("convolution.out", (IMAGE, WEIGHT, (4,)), {**CONV, "groups": 1}, (1, 4, 4, 4), {"groups": 0}, "0 groups"),
    (
        "convolution.out",
        (IMAGE, WEIGHT, (4,)),
        {**CONV, "groups": 1},
        (1, 4, 4, 4),
        {"dilation": (3, 1)},
        "expected a window that fits",
    ),
    (
        "convolution.out",
        (IMAGE, (4, 2, 3, 3), (4,)),
        {**CONV, "groups": 2},
        (1, 4, 4, 4),
        {"groups": 3},
        "3 groups|sizes|expected",
    ),
    ("avg_pool2d.out", (IMAGE,), {**POOL}, (1, 4, 3, 3), {"divisor_override": 0}, "another divisor than 0"),
    ("avg_pool2d.out", (IMAGE,), {**POOL}, (1, 4, 3, 3), {"kernel_size": (0, 2)}, "kernel"),
    ("avg_pool2d.out", (IMAGE,), {**POOL, "padding": (1, 1)}, (1, 4, 4, 4), {"padding": (2, 1)}, "padding"),
    (
        "_adaptive_avg_pool2d.out",
        (IMAGE,),
        {"output_size": (1, 2)},
        (1, 4, 1, 2),
        {"output_size": (0, 2)},
        "a height and width of 1 or more",
    ),
    (
        "_adaptive_avg_pool2d.out",
        (IMAGE,),
        {"output_size": (1, 2)},
        (1, 4, 1, 2),
        {"output_size": (2,)},
        "a height and width of 1 or more",
    ),
    (
        "upsample_nearest2d.vec_out",
        (IMAGE,),
        {"output_size": (12, 1)},
        (1, 4, 12, 1),
        {"result": (12,)},
        "expected an image of",
    ),
    (
        "upsample_bilinear2d.vec_out",
        (IMAGE,),
        {"scale_factors": (2.0, 2.0), "align_corners": False},
        (1, 4, 12, 12),
        {"scale_factors": (2.0, 1.5)},
        "factors",
    ),
)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]}-{row[4]}")
def test_an_operator_converts_until_it_is_changed(
    row: tuple[str, tuple[Shape, ...], dict[str, Any], Shape, dict[str, Any], str],
) -> None:
    kernel, shapes, fields, result, change, reason = row
    types = (FP32, I32) if kernel.startswith("index") else ()
    tc.convert(model(kernel, shapes, fields, result, *types))
    changed = {key: value for key, value in change.items() if key not in ("shapes", "result")}
    faulty = model(kernel, change.get("shapes", shapes), fields | changed, change.get("result", result), *types)
    with pytest.raises(UnsupportedError, match=reason):
        tc.convert(faulty)
