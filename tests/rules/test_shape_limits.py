"""The conditions of chapter 2 at their limits: the last legal value and the first illegal one, at level 8K."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
import pytest
from support.some import some
from support.tosa_graphs import RESCALE, const, model, shape, tensor

from tosa_converter.dtypes import DType
from tosa_converter.ir import Graph, TensorType, Value
from tosa_converter.rules.conditions import Check
from tosa_converter.rules.graph import find_problems
from tosa_converter.rules.inference import expected_shapes, infer_shapes
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef
from tosa_converter.schemas.tosa_target import LEVEL_8K

I4, I8, I16, I32, I48, F32, BOOL = DType.I4, DType.I8, DType.I16, DType.I32, DType.I48, DType.FP32, DType.BOOL
ZERO = const([0], I8)
NAN = float("nan")
T = TypeVar("T")
Types = Sequence[tuple[DType, tuple[int, ...]]]
Case = tuple[OpDef, list[Value], dict[str, Any]]
WithGraphs = tuple[OpDef, list[Value], dict[str, Any], list[Graph]]
SIDES = ("pad_top", "pad_bottom", "pad_left", "pad_right")


def conditions(
    row: OpDef,
    inputs: list[Value],
    attributes: dict[str, Any],
    regions: Sequence[Graph] = (),
    variables: dict[str, TensorType] | None = None,
) -> list[str]:
    check = Check(row, inputs, attributes, level=LEVEL_8K, regions=regions, variables=variables)
    expected_shapes(check)
    return [problem.condition for problem in check.problems]


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])


def pool(index: int = 0, value: int = 0, *, kernel: tuple[int, ...] = (3, 5), stride: tuple[int, ...] = (1, 1)) -> Case:
    pad = put((0, 0, 0, 0), index, value)
    return ops.MAX_POOL2D, [tensor(I8, 1, 9, 9, 1)], {"kernel": kernel, "stride": stride, "pad": pad}


def average(zeros: tuple[int, ...]) -> Case:
    _, _, attributes = pool()
    return ops.AVG_POOL2D, [tensor(I16, 1, 9, 9, 1), *(const([zero], I16) for zero in zeros)], attributes


def negate(zeros: tuple[int, ...]) -> Case:
    return ops.NEGATE, [tensor(I32, 2), *(const([zero], I32) for zero in zeros)], {}


def conv(
    *,
    bias: int = 1,
    zero: int = 0,
    weight_zero: int = 0,
    size: tuple[int, ...] = (9, 9),
    kernel: tuple[int, ...] = (3, 2),
    row: OpDef = ops.CONV2D,
    channels: tuple[int, ...] = (2, 3),
    **attributes: Any,
) -> Case:
    weight = (*kernel, *channels[::-1]) if row is ops.DEPTHWISE_CONV2D else (channels[0], *kernel, channels[1])
    ones = (1,) * len(size)
    window = {"pad": (0, 0) * len(size), "stride": ones, "dilation": ones, "out_pad": (0, 0, 0, 0)}
    zeros = const([zero], I16), const([weight_zero], I4)
    inputs = [tensor(I16, 1, *size, 3), tensor(I4, *weight), tensor(I32, bias), *zeros]
    return row, inputs, window | attributes


def conv3d(**options: Any) -> Case:
    return conv(row=ops.CONV3D, **({"size": (9, 9, 9), "kernel": (2, 3, 4)} | options))


def transposed(**options: Any) -> Case:
    return conv(row=ops.TRANSPOSE_CONV2D, **options)


def resize(
    size: tuple[int, ...] = (9, 9),
    scale: tuple[int, ...] = (2, 1, 2, 1),
    offset: tuple[int, ...] = (0, 0),
    border: tuple[int, ...] = (0, 0),
) -> Case:
    return ops.RESIZE, [tensor(I8, 1, *size, 3), shape(*scale), shape(*offset), shape(*border)], {}


def rescale(
    dtype: DType = I8,
    out: DType = I8,
    zeros: tuple[int, ...] = (0, 0),
    shape: tuple[int, ...] = (2, 3),
    multiplier: tuple[int, ...] = (1 << 14,),
    shift: tuple[int, ...] = (14,),
    **attributes: Any,
) -> Case:
    scale = [const(multiplier, I32), const(shift, I8)]
    inputs = [tensor(dtype, *shape), *scale, const(zeros[:1], dtype), const(zeros[1:], out)]
    return ops.RESCALE, inputs, RESCALE | attributes


def fft(*sizes: int) -> Case:
    return ops.FFT2D, [tensor(F32, 1, *sizes)] * 2, {"inverse": False}


def slice_(start: tuple[int, ...] = (0, 0), size: tuple[int, ...] = (1, 1)) -> Case:
    return ops.SLICE, [tensor(I8, 4, 5), shape(*start), shape(*size)], {}


def table(dtype: DType, entries: int) -> Case:
    return ops.TABLE, [tensor(dtype, 2), tensor(I8, entries)], {}


def mul(dtype: DType, shift: int) -> Case:
    return ops.MUL, [tensor(dtype, 2), tensor(dtype, 2), const([shift], I8)], {}


def clamp(low: float, high: float) -> Case:
    return ops.CLAMP, [tensor(F32, 2)], {"min_val": low, "max_val": high}


def argmax(axis: int) -> Case:
    return ops.ARGMAX, [tensor(I8, 2, 3)], {"axis": axis}


def concat(*shapes: tuple[int, ...], axis: int = 1) -> Case:
    return ops.CONCAT, [tensor(I8, *sizes) for sizes in shapes], {"axis": axis}


def matmul(a: tuple[int, ...], b: tuple[int, ...], zeros: tuple[int, ...] = (0, 0)) -> Case:
    return ops.MATMUL, [tensor(I16, *a), tensor(I16, *b), *(const([zero], I16) for zero in zeros)], {}


def scatter(values: tuple[int, ...], indices: tuple[int, ...], x: tuple[int, ...]) -> Case:
    return ops.SCATTER, [tensor(I8, *values), tensor(I32, *indices), tensor(I8, *x)], {}


def cond_if(
    condition: tuple[int, ...] = (),
    then_graph: tuple[int, ...] = (2, 3),
    else_graph: tuple[int, ...] = (2, 3),
    else_gives: tuple[int, ...] = (2, 2),
    count: int = 1,
) -> WithGraphs:
    graphs = [
        graph([(I8, sizes)] * count, [(I8, out)]) for sizes, out in ((then_graph, (2, 2)), (else_graph, else_gives))
    ]
    return ops.COND_IF, [tensor(BOOL, *condition), *[tensor(I8, 2, 3)] * count], {}, graphs


def loop(
    cond_graph: tuple[int, ...] = (2, 3),
    body_graph: tuple[int, ...] = (2, 3),
    body_gives: tuple[int, ...] = (2, 3),
    flags: Types = ((BOOL, ()),),
    count: int = 1,
) -> WithGraphs:
    graphs = [graph([(I8, cond_graph)] * count, flags), graph([(I8, body_graph)] * count, [(I8, body_gives)] * count)]
    return ops.WHILE_LOOP, [tensor(I8, 2, 3)] * count, {}, graphs


def graph(inputs: Types, outputs: Types) -> Graph:
    arguments, results = ([tensor(dtype, *sizes) for dtype, sizes in types] for types in (inputs, outputs))
    return Graph("graph", arguments, results)


def declare(**attributes: Any) -> Case:
    return ops.VARIABLE, [], {"var_shape": (2, 3), **attributes}


def write(dtype: DType, *sizes: int) -> tuple[Any, ...]:
    return ops.VARIABLE_WRITE, [tensor(dtype, *sizes)], {"name": "state"}, (), {"state": TensorType(I8, (2, 3))}


LIMITS = [
    *[("pad_right >= kernel_x || pad_left >= kernel_x", lambda n, i=i: pool(i, n), 4, 5) for i in (2, 3)],
    *[("pad_top >= kernel_y || pad_bottom >= kernel_y", lambda n, i=i: pool(i, n), 2, 3) for i in (0, 1)],
    *[("pad_top < 0 || pad_bottom < 0 || pad_left < 0 || pad_right < 0", lambda n, i=i, make=make: make(i, n), 0, -1)
      for i in range(4) for make in (pool, lambda i, n: conv(pad=put((0, 0, 0, 0), i, n)))],
    *[("kernel_y < 1 || kernel_x < 1", lambda n, i=i: pool(kernel=put((1, 1), i, n)), 1, 0) for i in range(2)],
    *[("stride_y < 1 || stride_x < 1", lambda n, i=i, make=make: make(stride=put((1, 1), i, n)), 1, 0)
      for i in range(2) for make in (pool, conv, transposed)],
    *[("dilation_y < 1 || dilation_x < 1", lambda n, i=i: conv(dilation=put((1, 1), i, n)), 1, 0) for i in range(2)],
    *[("stride_d < 1 || stride_y < 1 || stride_x < 1", lambda n, i=i: conv3d(stride=put((1, 1, 1), i, n)), 1, 0)
      for i in range(3)],
    *[("dilation_d < 1 || dilation_y < 1 || dilation_x < 1", lambda n, i=i: conv3d(dilation=put((1, 1, 1), i, n)), 1, 0)
      for i in range(3)],
    *[(" || ".join(f"{side} < 0" for side in ("pad_d0", "pad_d1", *SIDES)),
       lambda n, i=i: conv3d(pad=put((0,) * 6, i, n)), 0, -1) for i in range(6)],
    *[("out_pad_top <= -KH || out_pad_bottom <= -KH", lambda n, i=i: transposed(out_pad=put((0,) * 4, i, n)), -2, -3)
      for i in (0, 1)],
    *[("out_pad_left <= -KW || out_pad_right <= -KW", lambda n, i=i: transposed(out_pad=put((0,) * 4, i, n)), -1, -2)
      for i in (2, 3)],
    *[("BC != OC && BC != 1", lambda n, make=make: make(bias=n), legal, 3)
      for legal in (1, 2) for make in (conv, conv3d, transposed)],
    ("BC != C*M && BC != 1", lambda n: conv(row=ops.DEPTHWISE_CONV2D, bias=n), 6, 3),
    *[(f"!is_same<{of}>() && {name}_zp != 0", lambda n, make=make, at=at: make(**{at: n}), 0, 1)
      for make in (conv, conv3d, transposed)
      for of, name, at in (("in_t,i8_t", "input", "zero"), ("weight_t,i8_t", "weight", "weight_zero"))],
    *[(f"!is_same<in_out_t,i8_t>() && {name} != 0", lambda n, i=i: average(put((0, 0), i, n)), 0, 1)
      for i, name in enumerate(("input_zp", "output_zp"))],
    *[(f"!is_same<in_out_t,i8_t>() && {name} != 0", lambda n, i=i: negate(put((0, 0), i, n)), 0, 1)
      for i, name in enumerate(("input1_zp", "output_zp"))],
    *[(f"!is_same<in_t,i8_t>() && {name} != 0", lambda n, i=i: matmul((2, 2, 4), (2, 4, 5), put((0, 0), i, n)), 0, 1)
      for i, name in enumerate(("A_zp", "B_zp"))],
    *[(f"O{part} != idiv_check(I{part} + pad_{a} + pad_{b} - kernel_{c}, stride_{c}) + 1",
       lambda n, i=i: pool(stride=put((1, 1), i, n)), legal, 5)
      for i, (part, a, b, c, legal) in enumerate([("H", "top", "bottom", "y", 2), ("W", "left", "right", "x", 2)])],
    *[(f"O{part} != idiv_check(I{part} - 1 + pad_{a} + pad_{b} - (K{part} - 1) * dilation_{c}, stride_{c}) + 1",
       lambda n, i=i, row=row: conv(row=row, stride=put((1, 1), i, n), bias=1), legal, 5)
      for i, (part, a, b, c, legal) in enumerate([("H", "top", "bottom", "y", 2), ("W", "left", "right", "x", 7)])
      for row in (ops.CONV2D, ops.DEPTHWISE_CONV2D)],
    *[(f"O{part} != idiv_check(I{part} - 1 + pad_{a} + pad_{b} - (K{part} - 1) * dilation_{c}, stride_{c}) + 1",
       lambda n, i=i: conv3d(stride=put((1, 1, 1), i, n)), legal, 4)
      for i, (part, a, b, c, legal) in enumerate(
          [("D", "d0", "d1", "d", 7), ("H", "top", "bottom", "y", 3), ("W", "left", "right", "x", 5)])],
    *[(f"O{part} != idiv_check((I{part} - 1) * scale_{c}_n - offset_{c} + border_{c}, scale_{c}_d) + 1",
       lambda n, i=i: resize(scale=put((2, 1, 2, 1), i, n)), 4, 3) for i, part, c in ((1, "H", "y"), (3, "W", "x"))],
    *[("operands must agree in dimension IC", lambda n, make=make: make(channels=(2, n)), 3, 2)
      for make in (conv, conv3d, transposed)],
    *[(f"dilation_{axis} * K{letter} <= MAX_KERNEL",
       lambda n, i=i: conv(size=(9000, 9000), kernel=(2, 2), dilation=put((1, 1), i, n)), 4096, 4097)
      for i, (axis, letter) in enumerate([("y", "H"), ("x", "W")])],
    *[(f"{name} <= MAX_KERNEL", lambda n, i=i: transposed(kernel=put((1, 1), i, n)), 8192, 8193)
      for i, name in enumerate(["KH", "KW"])],
    *[(f"{name} <= MAX_KERNEL", lambda n, i=i: fft(*put((2, 2), i, n)), 8192, 16384) for i, name in enumerate("HW")],
    *[(f"!power_of_two({name})", lambda n, i=i: fft(*put((2, 2), i, n)), legal, 6)
      for i, name in enumerate("HW") for legal in (1, 4)],
    *[(f"scale_{axis}_n > (1 << 11)", lambda n, i=i: resize(scale=put(put((2, 1, 2, 1), i, n), i + 1, 1 << 4)), 1 << 11,
       (1 << 11) + 16) for axis, i in (("y", 0), ("x", 2))],
    *[(f"scale_{axis}_d >= 16 * scale_{axis}_n", lambda n, i=i: resize((16, 16), put((1, 1, 1, 1), i, n)), 15, 16)
      for axis, i in (("y", 1), ("x", 3))],
    *[(f"scale_{axis}_n <= 0 || scale_{axis}_d <= 0", lambda n, i=i: resize(scale=put((1, 1, 1, 1), i, n)), 1, 0)
      for axis, i in (("y", 0), ("y", 1), ("x", 2), ("x", 3))],
    *[(f"scale_{axis}_n/scale_{axis}_d <= MAX_SCALE", lambda n, i=i: resize(scale=put((1, 1, 1, 1), i, n)), 256, 257)
      for axis, i in (("y", 0), ("x", 2))],
    *[(f"offset_{axis} < -scale_{axis}_n || offset_{axis} >= 16 * scale_{axis}_n",
       lambda n, i=i: resize(offset=put((0, 0), i, n)), *limits)
      for i, axis in enumerate("yx") for limits in ((-2, -3), (31, 32))],
    *[(f"border_{axis} < -16 * scale_{axis}_n || border_{axis} >= scale_{axis}_n",
       lambda n, i=i: resize((20, 20), border=put((0, 0), i, n)), *limits)
      for i, axis in enumerate("yx") for limits in ((-32, -33), (1, 2))],
    *[("max(OH,OW,IH,IW) >= 16384", lambda n, i=i: resize(put((9, 9), i, 8192), border=put((0, 0), i, n)), 0, 1)
      for i in range(2)],
    *[("max(OH,OW,IH,IW) >= 16384", lambda n, i=i: resize(put((9, 9), i, n), put((2, 1, 2, 1), 2 * i + 1, 2)),
       16383, 16384) for i in range(2)],
    ("max_val < min_val", lambda n: clamp(1.0, n), 1.0, 0.5),
    ("isNaN(min_val) || isNaN(max_val)", lambda n: clamp(n, 1.0), 0.0, NAN),
    ("isNaN(min_val) || isNaN(max_val)", lambda n: clamp(0.0, n), 1.0, NAN),
    *[("0 <= shift && shift <= 63", lambda n: mul(I32, n), *limits) for limits in ((0, -1), (63, 64))],
    ("is_same<in_t,int32_t>() || shift == 0", lambda n: mul(I8, n), 0, 1),
    *[("length(table) == TABLE_SIZE", lambda n, dtype=dtype: table(dtype, n), size, size + by)
      for dtype, size in ((I8, 256), (I16, 513)) for by in (-1, 1)],
    *[("axis < 0 || axis >= rank(shape1)", argmax, *limits) for limits in ((0, -1), (1, 2))],
    *[("axis < 0 || axis >= max(1,rank(shapes1[0]))", lambda n: concat((2, 3), (2, 3), axis=n), *limits)
      for limits in ((0, -1), (1, 2))],
    ("axis < 0 || axis >= max(1,rank(shapes1[0]))", lambda n: concat((3,), axis=n), 0, 1),
    ("rank(shapes1[shape_index]) != rank(shapes1[0])", lambda n: concat((2, 3), (2, 3, 1)[:n]), 2, 3),
    *[("shapes1[shape_index][axis_index] != shapes1[0][axis_index]",
       lambda n, i=i: concat((2, 3, 4), put((2, 5, 4), i, n)), (2, 3, 4)[i], 6) for i in (0, 2)],
    ("tensor_list_shape(input1) <= MAX_TENSOR_LIST_SIZE", lambda n: concat(*[(1, 1)] * n), 64, 65),
    *[("padding[i * 2] < 0 || padding[(i * 2) + 1] < 0",
       lambda n, i=i: (ops.PAD, [tensor(I8, 2, 3), shape(*put((0,) * 4, i, n)), ZERO], {}), 0, -1) for i in range(4)],
    ("2 * rank(shape1) != length(padding)",
     lambda n: (ops.PAD, [tensor(I8, 2, 3), shape(*[0] * n), ZERO], {}), 4, 3),
    ("rank(shape1) != length(multiples)", lambda n: (ops.TILE, [tensor(I8, 2, 3), shape(*[1] * n)], {}), 2, 3),
    *[("start[index] < 0", lambda n, i=i: slice_(put((0, 0), i, n)), 0, -1) for i in range(2)],
    *[("size[index] <= 0", lambda n, i=i: slice_(size=put((1, 1), i, n)), 1, 0) for i in range(2)],
    *[("start[index] + size[index] > shape1[index]", lambda n, i=i: slice_((1, 1), put((1, 1), i, n)), last, last + 1)
      for i, last in enumerate((3, 4))],
    ("rank(shape1) != length(start)", lambda n: slice_(start=(0,) * n), 2, 1),
    ("rank(shape1) != length(size)", lambda n: slice_(size=(1,) * n), 2, 3),
    *[("index >= rank(shape1) || index < 0",
       lambda n: (ops.TRANSPOSE, [tensor(I8, 2, 3)], {"perms": (0, n) if n else (1, 0)}), *limits)
      for limits in ((0, -1), (1, 2))],
    ("indexes_used[index] == true", lambda n: (ops.TRANSPOSE, [tensor(I8, 2, 3)], {"perms": (1, n)}), 0, 1),
    ("operands must agree in dimension N", lambda n: matmul((n, 2, 4), (2, 4, 5)), 2, 3),
    ("operands must agree in dimension C", lambda n: matmul((2, 2, n), (2, 4, 5)), 4, 5),
    ("operands must agree in dimension N", lambda n: (ops.GATHER, [tensor(I8, n, 3, 5), tensor(I32, 2, 4)], {}), 2, 3),
    ("operands must agree in dimension N", lambda n: scatter((2, 9, 3), (n, 4), (2, 4, 3)), 2, 9),
    ("operands must agree in dimension N", lambda n: scatter((2, 9, 3), (2, 4), (n, 4, 3)), 2, 9),
    ("operands must agree in dimension W", lambda n: scatter((2, 9, 3), (2, n), (2, 4, 3)), 4, 3),
    ("operands must agree in dimension C", lambda n: scatter((2, 9, 3), (2, 4), (2, 4, n)), 3, 9),
    *[("2 <= shift && shift <= 62", lambda n: rescale(shift=(n,)), *limits) for limits in ((2, 1), (62, 63))],
    *[("2 <= shift && shift <= 62", lambda n: rescale(shape=(2,), multiplier=(1, 1), shift=(9, n), per_channel=True),
       *limits) for limits in ((2, 1), (62, 63))],
    ("multiplier >= 0", lambda n: rescale(multiplier=(n,)), 0, -1),
    ("multiplier >= 0", lambda n: rescale(multiplier=(5, n, 5), shift=(9,) * 3, per_channel=True), 0, -1),
    ("length(multiplier) != NC", lambda n: rescale(multiplier=(5,) * n, shift=(9,) * 3, per_channel=True), 3, 2),
    ("length(shift) != NC", lambda n: rescale(multiplier=(5,) * 3, shift=(9,) * n, per_channel=True), 3, 2),
    ("length(shift) != NC", lambda n: rescale(shift=(9,) * n), 1, 2),
    ("tensor_size(shape) != 1", lambda n: cond_if(condition=(1, n)), 1, 2),
    *[(f"tensor_list_shape(input_list) != tosa_input_shape({name})",
       lambda n, make=make, name=name: make(**{name: (n, 3)}), 2, 1)
      for make, names in ((cond_if, ("then_graph", "else_graph")), (loop, ("cond_graph", "body_graph")))
      for name in names],
    ("tensor_list_shape(input_list) != tosa_output_shape(body_graph)", lambda n: loop(body_gives=(n, 3)), 2, 1),
    ("tensor_size(tosa_output_shape(cond_graph)) != 1", lambda n: loop(flags=[(BOOL, (n,))]), 1, 2),
    ("tensor_size(tosa_output_shape(cond_graph)) != 1", lambda n: loop(flags=[(BOOL, ())] * n), 1, 2),
    ("tosa_output_type(cond_graph) != bool_t", lambda dtype: loop(flags=[(BOOL, ()), (dtype, ())][: 1 + (dtype is I8)]),
     BOOL, I8),
    ("tosa_output_type(cond_graph) != bool_t", lambda dtype: loop(flags=[(dtype, ())]), BOOL, I8),
    ("the operator must have 2 graphs", lambda n: (*loop()[:3], loop()[3][:n]), 2, 1),
    *[("tensor_list_shape(input_list) <= MAX_TENSOR_LIST_SIZE", lambda n, make=make: make(count=n), 64, 65)
      for make in (cond_if, loop)],
    ("var_shape == shape", lambda n: declare(initial_value=np.zeros((n, 3), np.int8)), 2, 1),
    ("variable_tensor.shape == shape", lambda n: write(I8, n, 3), 2, 1),
    ("is_same<variable_tensor.type,in_t>()", lambda dtype: write(dtype, 2, 3), I8, I16),
    ("per_channel && rank(input) < 1", lambda n: rescale(shape=(1,) * n, per_channel=True), 1, 0),
]  # fmt: skip


@pytest.mark.parametrize(("condition", "make", "legal", "illegal"), LIMITS)
def test_the_first_illegal_value_violates_its_condition(
    condition: str, make: Callable[[Any], tuple[Any, ...]], legal: Any, illegal: Any
) -> None:
    assert conditions(*make(legal)) == []
    assert any(condition in text for text in conditions(*make(illegal)))


WINDOW = ["output N != input N", "OH != idiv_check(", "OW != idiv_check("]


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (pool(), [*WINDOW, "output C != input C"]),
        (conv(), [*WINDOW, "output channels != OC of the weight"]),
        (conv(row=ops.DEPTHWISE_CONV2D), [*WINDOW, "output channels != C * M"]),
        (conv3d(), [WINDOW[0], "OD != idiv_check(", *WINDOW[1:], "output channels != OC of the weight"]),
        (transposed(), [WINDOW[0], "OH != (IH - 1)", "OW != (IW - 1)", "output channels != OC of the weight"]),
        (resize(), [*WINDOW, "output C != input C"]),
    ],
    ids=lambda case: getattr(case[0], "name", ""),
)
def test_every_dimension_of_an_output_has_its_condition(case: Case, expected: list[str]) -> None:
    row, inputs, values = case
    values = {"acc_type": "INT48", "mode": "BILINEAR"} | values
    attributes = {attribute.name: values[attribute.name] for attribute in row.attributes if attribute.name in values}
    (sizes,) = infer_shapes(row, inputs, attributes)
    for i, words in enumerate(expected):
        wrong = model(row, inputs, [TensorType(I32, put(sizes, i, some(sizes[i]) + 1))], attributes)
        problems = [problem.condition for problem in find_problems(wrong) if problem.kind == "error"]
        assert len(problems) == 1
        assert problems[0].startswith(words)


def test_both_branches_give_the_results() -> None:
    for sizes, expected in (((2, 2), 0), ((1, 2), 1)):
        row, inputs, _, graphs = cond_if(else_gives=sizes)
        problems = find_problems(model(row, inputs, [TensorType(I8, (2, 2))], regions=graphs))
        assert sum("tosa_output_shape(else_graph)" in problem.condition for problem in problems) == expected


UNSIGNED_16 = "is_same<{0},i16_t>() && {1} == true && {2} != 0 && {2} != 32768"
SIGNED = "!is_same<{0},i8_t>() && (!is_same<{0},i16_t>() || {1} == false) && {2} != 0"
SOURCE, RESULT = ("in_t", "input_unsigned", "input_zp"), ("out_t", "output_unsigned", "output_zp")


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (rescale(I48, I8, scale32=False), []),
        (rescale(I48, I8), ["scale32 && is_same<in_t,i48_t>()"]),
        (rescale(rounding_mode="DOUBLE_ROUND"), []),
        (rescale(scale32=False), []),
        (rescale(scale32=False, rounding_mode="INEXACT_ROUND"), []),
        (
            rescale(I48, I8, scale32=False, rounding_mode="DOUBLE_ROUND"),
            ["!scale32 && (rounding_mode == DOUBLE_ROUND)"],
        ),
        (rescale(scale32=False, rounding_mode="DOUBLE_ROUND"), ["!scale32 && (rounding_mode == DOUBLE_ROUND)"]),
        (rescale(input_unsigned=True), []),
        (rescale(output_unsigned=True), []),
        (rescale(input_unsigned=True, output_unsigned=True), ["input_unsigned && output_unsigned"]),
        (rescale(I8, I32, input_unsigned=True), ["is_same<out_t,i32_t>() && input_unsigned"]),
        (rescale(I32, I8, output_unsigned=True), ["is_same<in_t,i32_t>() && output_unsigned"]),
        (rescale(I48, I8, scale32=False, output_unsigned=True), ["is_same<in_t,i48_t>() && output_unsigned"]),
        (rescale(I32, I8, input_unsigned=True), ["is_same<in_t,i32_t>() && input_unsigned"]),
        (rescale(I48, I8, scale32=False, input_unsigned=True), ["is_same<in_t,i48_t>() && input_unsigned"]),
        (rescale(I8, I32, output_unsigned=True), ["is_same<out_t,i32_t>() && output_unsigned"]),
        (rescale(zeros=(-128, 127)), []),
        (rescale(I16, I8, (-32768, 0), input_unsigned=True), []),
        (rescale(I16, I8, (0, 0), input_unsigned=True), []),
        (rescale(I16, I8, (32767, 0), input_unsigned=True), [UNSIGNED_16.format(*SOURCE)]),
        (rescale(I8, I16, (0, -32767), output_unsigned=True), [UNSIGNED_16.format(*RESULT)]),
        (rescale(I8, I16, (0, -32768), output_unsigned=True), []),
        (rescale(I16, I8, (-32768, 0)), [SIGNED.format(*SOURCE)]),
        (rescale(I8, I16, (0, 1)), [SIGNED.format(*RESULT)]),
        (rescale(I32, I8, (1, 0)), [SIGNED.format(*SOURCE)]),
        (rescale(I8, I32, (0, 1)), [SIGNED.format(*RESULT)]),
    ],
)
def test_types_signs_and_zero_points_of_rescale_are_checked(case: Case, expected: list[str]) -> None:
    assert conditions(*case) == expected


def test_a_run_time_shape_does_not_ask_for_the_rank_that_it_claims() -> None:
    """A file may declare a shape of 2^31 dimensions; neither the rule nor a message stores an entry for each."""
    claimed = tensor(DType.SHAPE, 1 << 31)
    assert conditions(ops.RESHAPE, [tensor(I8, 2, 3), claimed], {}) == ["rank of output must be 0 to MAX_RANK"]
