"""Random legal graphs of one operator, for every operator and every row of its type table, and a judge that runs them.

Tests of kernels, of SPIR-V, VGF and Vulkan and of damaged files all draw from the makers here.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from support.no_case import NoCase
from tosa_converter.dtypes import DType
from tosa_converter.engines.process import Worker
from tosa_converter.errors import ConverterError
from tosa_converter.execute.definition.base import Kernel
from tosa_converter.execute.definition.table import DEFINITIONS, bind_definition
from tosa_converter.execute.fast.base import PlanContext
from tosa_converter.execute.fast.plans import FAST
from tosa_converter.formats.tosa.writer import write_tosa
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value
from tosa_converter.rules.inference import infer_types
from tosa_converter.rules.types import ACCUMULATORS, oldest_version
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef
from tosa_converter.schemas.tosa_target import VERSION

ACC_TYPES = {dtype: name for name, dtype in ACCUMULATORS.items()}
UNFED = (DType.I4, DType.I48)  # types that the judge doesn't take as inputs
PADS_2D, PADS_3D = (1, 0, 2, 1), (1, 1, 0, 1, 1, 0)


@dataclass
class Case:
    """The operands of one operator in the row's order."""

    operands: list[tuple[DType, Array]]
    attributes: dict[str, Any] = field(default_factory=dict)
    out: DType | None = None


def dtypes(row: OpDef, combination: str) -> dict[str, DType]:
    """Returns the element types by type variable."""
    return dict(zip(row.type_variables.split(), map(DType, combination.split()), strict=True))


def random(rng: np.random.Generator, dtype: DType, shape: tuple[int, ...], low: float = -4, high: float = 4) -> Array:
    """Returns integers over their whole range, or floats uniform between the limits."""
    if dtype is DType.BOOL:
        return rng.random(shape) < 0.5
    if dtype.is_float:
        return rng.uniform(low, high, shape).astype(np.float32).astype(dtype.numpy)
    # The judge shows i48 through 32 bits. Sums of a few i64 stay within 64.
    edge = 1 << (58 if dtype is DType.I64 else min(dtype.bits, 32) - 1)
    return rng.integers(-edge + (dtype is DType.I4), edge, shape).astype(dtype.numpy)


def between(rng: np.random.Generator, dtype: DType, shape: tuple[int, ...], low: int, high: int) -> tuple[DType, Array]:
    return dtype, rng.integers(low, high, shape).astype(dtype.numpy)


def special(rng: np.random.Generator, dtype: DType, shape: tuple[int, ...]) -> tuple[DType, Array]:
    """Returns random values; floats include the special ones."""
    values = random(rng, dtype, shape)
    if dtype.is_float:
        odd = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0]
        flat = values.reshape(-1)
        flat[rng.permutation(flat.size)[: len(odd)]] = np.array(odd, np.float32).astype(dtype.numpy)
    return dtype, values


def zeros(dtype: DType, value: int = 0) -> tuple[DType, Array]:
    return dtype, np.full(1, value, dtype.numpy)


def shape(*dims: int) -> tuple[DType, Array]:
    return DType.SHAPE, np.array(dims, np.int64)


Maker = Callable[[np.random.Generator, OpDef, dict[str, DType]], Iterator[Case]]


def zero_points(t: dict[str, DType], first: str, second: str) -> list[tuple[DType, Array]]:
    return [zeros(t[first], 3 * (t[first] is DType.I8)), zeros(t[second], -5 * (t[second] is DType.I8))]


def convolution(rng: np.random.Generator, row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    spatial = 3 if row is ops.CONV3D else 2
    window = ("pad", PADS_3D if spatial == 3 else PADS_2D)
    for stride, dilation, kernel, ic in ((1, 1, 1, 3), (1, 1, 3, 3), (2, 1, 3, 1), (1, 2, 2, 3), (2, 2, 2, 3)):
        pad = (0,) * 2 * spatial if kernel == 1 else window[1]
        need = [(kernel - 1) * dilation + 1 - sum(pad[2 * i : 2 * i + 2]) for i in range(spatial)]
        size = tuple(n + stride * (3 + i) for i, n in enumerate(need))
        multiplier = 2
        weights = (kernel, kernel, ic, multiplier) if row is ops.DEPTHWISE_CONV2D else (4, *(kernel,) * spatial, ic)
        channels = ic * multiplier if row is ops.DEPTHWISE_CONV2D else 4
        operands = [
            (t["in_t"], random(rng, t["in_t"], (2, *size, ic))),
            (t["weight_t"], random(rng, t["weight_t"], weights)),
            between(rng, t["out_t"], (channels if stride == 1 else 1,), -9, 9),
            *zero_points(t, "in_t", "weight_t"),
        ]
        attributes = {"pad": pad, "stride": (stride,) * spatial, "dilation": (dilation,) * spatial}
        yield Case(operands, attributes | {"acc_type": ACC_TYPES[t["acc_t"]], "local_bound": bool(kernel % 2)})


def transpose_convolution(rng: np.random.Generator, _row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    for stride, pad in (((1, 1), (0, 0, 0, 0)), ((2, 3), (1, -1, 2, -2)), ((3, 1), (-2, 1, -1, 0))):
        operands = [
            (t["in_t"], random(rng, t["in_t"], (2, 4, 5, 3))),
            (t["weight_t"], random(rng, t["weight_t"], (4, 3, 4, 3))),
            between(rng, t["out_t"], (4,), -9, 9),
            *zero_points(t, "in_t", "weight_t"),
        ]
        attributes = {"out_pad": pad, "stride": stride, "acc_type": ACC_TYPES[t["acc_t"]]}
        yield Case(operands, attributes | {"local_bound": stride != (1, 1)})


def matrix_product(rng: np.random.Generator, _row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    for depth in (7, 1100):
        a, b = random(rng, t["in_t"], (2, 3, depth), -1, 1), random(rng, t["in_t"], (2, depth, 5), -1, 1)
        if t["in_t"] is DType.I16:
            a, b = a >> 5, b >> 5  # so that i48 results fit 32 bits
        yield Case([(t["in_t"], a), (t["in_t"], b), *zero_points(t, "in_t", "in_t")], out=t["out_t"])


def pooling(rng: np.random.Generator, row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    dtype = t["in_out_t"]
    average = row is ops.AVG_POOL2D
    for kernel, stride, pad in (
        ((2, 3), (1, 2), (1, 0, 2, 1)),
        ((5, 4), (2, 1), (0, 1, 0, 2)),
        ((1, 1), (2, 2), (0,) * 4),
    ):
        size = tuple(
            4 * s + k - sum(pad[2 * i : 2 * i + 2]) for i, (s, k) in enumerate(zip(stride, kernel, strict=True))
        )
        x = (dtype, random(rng, dtype, (2, *size, 3))) if average else special(rng, dtype, (2, *size, 3))
        more = zero_points(t, "in_out_t", "in_out_t") if average else []
        attributes: dict[str, Any] = {"kernel": kernel, "stride": stride, "pad": pad}
        extra = {"acc_type": ACC_TYPES[t["acc_t"]]} if average else {"nan_mode": "IGNORE" if pad[0] else "PROPAGATE"}
        yield Case([x, *more], attributes | extra)


def fourier(rng: np.random.Generator, row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    for height, width in ((4, 8), (1, 2), (8, 1)):
        parts = [(t["in_out_t"], random(rng, t["in_out_t"], (2, height, width))) for _ in row.inputs]
        for inverse in (False, True)[: len(parts)]:
            yield Case(parts, {"local_bound": height > 1} | ({"inverse": inverse} if len(parts) == 2 else {}))


def unary(rng: np.random.Generator, row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    dtype = next(iter(t.values()))
    for dims in ((3, 5, 7), (40,), (1,) * 4):
        if not dims[0] > 1:
            yield Case([(dtype, random(rng, dtype, dims, 0.5))])
        else:
            x = special(rng, dtype, dims)
            if row is ops.ABS and dtype is DType.I32:
                x = between(rng, dtype, dims, -(2**31) + 1, 2**31)
            yield Case([x])


def negate(rng: np.random.Generator, _row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    dtype = t["in_out_t"]
    x = special(rng, dtype, (3, 50)) if dtype is not DType.I32 else between(rng, dtype, (3, 50), -(2**31) + 1, 2**31)
    yield Case([x, *zero_points(t, "in_out_t", "in_out_t")])


def clamp(rng: np.random.Generator, _row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    low, high = (-1.5, 2.25) if t["in_out_t"].is_float else (-100, 90)
    for mode in ("PROPAGATE", "IGNORE"):
        yield Case([special(rng, t["in_out_t"], (4, 30))], {"min_val": low, "max_val": high, "nan_mode": mode})


def pair(
    rng: np.random.Generator, dtype: DType, second: tuple[DType, Array] | None = None
) -> list[tuple[DType, Array]]:
    first = between(rng, dtype, (2, 1, 30), -(2**30), 2**30) if dtype is DType.I32 else special(rng, dtype, (2, 1, 30))
    other = between(rng, dtype, (2, 4, 30), -(2**30), 2**30) if dtype is DType.I32 else special(rng, dtype, (2, 4, 30))
    return [first, second or other]


def binary(rng: np.random.Generator, row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    dtype = next(iter(t.values()))
    if row in (ops.MAXIMUM, ops.MINIMUM):
        for mode in ("PROPAGATE", "IGNORE"):
            yield Case(pair(rng, dtype), {"nan_mode": mode})
    elif row is ops.MUL:
        for by in (0, 7, 33) if dtype is DType.I32 else (0,):
            high = 2**30 if by > 30 else 2**15
            narrow = dtype not in (DType.I32, DType.I64)
            operands = pair(rng, dtype) if narrow else [between(rng, dtype, (2, 9), -high, high)] * 2
            yield Case([*operands, zeros(DType.I8, by)])
    elif row is ops.INTDIV:
        yield Case(pair(rng, dtype, (dtype, rng.choice([-7, -1, 1, 3, 1000], (2, 4, 30)).astype(dtype.numpy))))
    elif row is ops.POW:
        yield Case([(dtype, random(rng, dtype, (4, 9), 0.1, 3)), (dtype, random(rng, dtype, (4, 9), -2, 3))])
    elif "SHIFT" in row.name:
        amount = between(rng, dtype, (2, 4, 30), 0, dtype.bits)
        for rounded in (False, True)[: 1 + len(row.attributes)]:
            yield Case(pair(rng, dtype, amount), {"round": rounded} if row.attributes else {})
    else:
        yield Case(pair(rng, dtype))


def select(rng: np.random.Generator, _row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    yield Case([(DType.BOOL, rng.random((1, 4, 30)) < 0.5), *pair(rng, t["in_out_t"])])


def table(rng: np.random.Generator, _row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    size = 256 if t["in_t"] is DType.I8 else 513
    edge = 128 if size == 256 else 16000
    yield Case([(t["in_t"], random(rng, t["in_t"], (3, 200))), between(rng, t["table_t"], (size,), -edge, edge)])


def reduction(rng: np.random.Generator, row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    dtype = next(iter(t.values()))
    modes = ("PROPAGATE", "IGNORE") if "nan_mode" in {a.name for a in row.attributes} else (None,)
    for axis in range(3):
        for mode in modes:
            x = special(rng, dtype, (4, 5, 6)) if mode else (dtype, random(rng, dtype, (4, 5, 6), 0.5, 1.5))
            if row is ops.REDUCE_SUM and dtype is DType.I32:
                x = between(rng, dtype, (4, 5, 6), -(2**28), 2**28)
            out = t["out_t"] if row is ops.ARGMAX else None
            yield Case([x], {"axis": axis} | ({"nan_mode": mode} if mode else {}), out)


def layout(rng: np.random.Generator, row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    x = special(rng, t["in_out_t"], (2, 3, 4))
    cases: dict[OpDef, Case] = {
        ops.CONCAT: Case([x, special(rng, t["in_out_t"], (2, 5, 4)), x], {"axis": 1}),
        ops.PAD: Case([x, shape(1, 0, 0, 2, 3, 1), zeros(t["in_out_t"], 1)]),
        ops.RESHAPE: Case([x, shape(4, 1, 6)]),
        ops.REVERSE: Case([x], {"axis": 1}),
        ops.SLICE: Case([x, shape(1, 0, 2), shape(1, 2, 2)]),
        ops.TILE: Case([x, shape(1, 3, 2)]),
        ops.TRANSPOSE: Case([x], {"perms": (2, 0, 1)}),
        ops.IDENTITY: Case([x]),
    }
    yield cases[row]


def indexed(rng: np.random.Generator, row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    for count in (1, 3):
        values = special(rng, t["in_out_t"], (count, 6, 4))
        indices = np.stack([rng.permutation(6)[:4] for _ in range(count)]).astype(t["index_t"].numpy)
        operands = [values, (t["index_t"], indices)]
        yield Case(operands if row is ops.GATHER else [*operands, special(rng, t["in_out_t"], (count, 4, 4))])


def row_indexed(rng: np.random.Generator, _row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    for count, rows in ((1, 1), (1, 3), (3, 2), (3, 1)):
        indices = rng.integers(0, 7 - rows, (count, 4)).astype(t["index_t"].numpy)
        operands = [special(rng, t["in_out_t"], (count, 6, 4)), (t["index_t"], indices)]
        yield Case([*operands, (DType.I32, np.full(1, rows, np.int32))])


def transposed_product(rng: np.random.Generator, _row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    for depth, batches in ((7, 2), (7, 1), (1100, 1)):
        a, b = random(rng, t["A_t"], (2, 3, depth), -1, 1), random(rng, t["B_t"], (batches, 5, depth), -1, 1)
        if t["A_t"] is DType.I16:
            a, b = a >> 5, b >> 5  # so that i48 results fit 32 bits
        yield Case([(t["A_t"], a), (t["B_t"], b), *zero_points(t, "A_t", "B_t")], out=t["out_t"])


def adaptive_pooling(rng: np.random.Generator, row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    fixed = ops.AVG_POOL2D if row is ops.AVG_POOL2D_ADAPTIVE else ops.MAX_POOL2D
    for case in pooling(rng, fixed, t):
        sizes = [shape(*case.attributes.pop(name)) for name in ("kernel", "stride", "pad")]
        yield Case([*case.operands, *sizes], case.attributes)


def measured(rng: np.random.Generator, _row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    for axis in range(3):
        yield Case([(t["in_t"], random(rng, t["in_t"], (2, 3, 4)))], {"axis": axis})


def shapes(rng: np.random.Generator, row: OpDef, _t: dict[str, DType]) -> Iterator[Case]:
    """Yields cases of shape operators whose results are small positive sizes: the judge shows them by a TILE."""
    first, second = shape(*rng.integers(1, 4, 4).tolist()), shape(*rng.integers(1, 4, 4).tolist())
    index = [(DType.I32, np.full(1, i, np.int32)) for i in (1, 2)]
    sums = [(second[0], first[1] + second[1]), first]
    divided = [shape(7, 9, 12, 5), shape(4, 3, 5, 5)]
    cases: dict[OpDef, list[Case]] = {
        ops.SUB_SHAPE: [Case(sums)],
        ops.CONCAT_SHAPE: [Case([first]), Case([shape(2, 1), shape(3)])],
        ops.SLICE_SHAPE: [Case([first, *index])],
        ops.EXP2_SHAPE: [Case([shape(0, 1, 2)])],
        ops.LOG2_CEIL_SHAPE: [Case([shape(2, 3, 4, 5, 8)])],
        ops.LOG2_FLOOR_SHAPE: [Case([shape(2, 3, 4, 7, 8)])],
        ops.MOD_SHAPE: [Case([shape(7, 9, 12, 11), shape(4, 4, 5, 6)])],
        ops.DIV_CEIL_SHAPE: [Case(divided)],
        ops.DIV_FLOOR_SHAPE: [Case(divided)],
        ops.ASSERT_EQUAL_SHAPE: [
            Case([first, first], {"allow_broadcast": False}),
            Case([shape(1, 4), shape(3, 1)], {"allow_broadcast": True}),
        ],
    }
    yield from cases.get(row, [Case([first, second])])


def resize(rng: np.random.Generator, _row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    bilinear = t["in_t"] is not t["out_t"]
    modes = ("NEAREST_NEIGHBOR", "BILINEAR") if t["in_t"].is_float else (("NEAREST_NEIGHBOR", "BILINEAR")[bilinear],)
    for mode in modes:
        for scale, offset, border in (
            ((4, 2, 6, 2), (-1, -2), (1, 2)),
            ((3, 4, 5, 1), (1, 0), (-3, 0)),
            ((1, 1, 1, 1), (0, 0), (0, 0)),
        ):
            x = (t["in_t"], random(rng, t["in_t"], (2, 8, 5, 3)))
            height = (7 * scale[0] - offset[0] + border[0]) % scale[1]
            width = (4 * scale[2] - offset[1] + border[1]) % scale[3]
            borders = (border[0] - height, border[1] - width)
            yield Case([x, shape(*scale), shape(*offset), shape(*borders)], {"mode": mode}, t["out_t"])


def cast(rng: np.random.Generator, _row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    source, target = t["in_t"], t["out_t"]
    spread = 3.0e9 if source is DType.FP32 and target is DType.I32 else 600.0
    for high in (spread, 3.0):
        values = random(rng, source, (3, 90), -high, high)
        if source.is_float:
            values.reshape(-1)[:6] = np.array([0.5, 1.5, 2.5, -0.5, -2.5, 126.5], np.float32).astype(source.numpy)
        yield Case([(source, values)], out=target)
    if source is DType.I32 and target.is_float:  # numbers that fp32 would round twice
        edges = (
            (np.int64(1) << rng.integers(24, 31, 90))
            + (np.int64(1) << rng.integers(14, 24, 90))
            + rng.integers(-1, 2, 90)
        )
        yield Case([(source, np.concatenate([edges, -edges]).astype(np.int32))], out=target)


def rescale(rng: np.random.Generator, _row: OpDef, t: dict[str, DType]) -> Iterator[Case]:
    source, target = t["in_t"], t["out_t"]
    for scale32 in (False, True)[: 1 + (source is not DType.I48)]:
        for rounding in ("SINGLE_ROUND", "DOUBLE_ROUND")[: 1 + scale32]:
            for per_channel in (False, True):
                for signs in ((False, False), (True, False), (False, True)):
                    if legal_signs(source, target, *signs):
                        yield _rescale(rng, source, target, scale32, rounding, per_channel, signs)


def legal_signs(source: DType, target: DType, unsigned_in: bool, unsigned_out: bool) -> bool:
    return not (unsigned_in and (source.bits > 16 or target is DType.I32)) and not (
        unsigned_out and (target.bits > 16 or source.bits > 16)
    )


def _rescale(
    rng: np.random.Generator,
    source: DType,
    target: DType,
    scale32: bool,
    rounding: str,
    per_channel: bool,
    signs: tuple[bool, bool],
    channels: int = 9,
) -> Case:
    count = channels if per_channel else 1
    widest = min(source.bits, 32) - 1
    # a normalized multiplier, and shifts that leave most results inside of the target, all inside of 32 bits
    least = (31 if scale32 else 15) + max(0, widest - target.bits) + 1
    shifts = rng.integers(least, least + 3, count)
    multipliers = rng.integers(1 << 30, 1 << 31, count) if scale32 else rng.integers(1 << 14, 1 << 15, count)
    offsets = [
        int(rng.integers(1, 120)) if d is DType.I8 else 32768 * (d is DType.I16 and u)
        for d, u in zip((source, target), signs, strict=True)
    ]
    values = random(rng, source, (5, 20, channels))
    zeros_ = [np.full(1, o, np.int64).astype(d.numpy) for o, d in zip(offsets, (source, target), strict=True)]
    operands = [
        (source, values),
        (DType.I32 if scale32 else DType.I16, multipliers.astype(np.int32 if scale32 else np.int16)),
        (DType.I8, shifts.astype(np.int8)),
        (source, zeros_[0]),
        (target, zeros_[1]),
    ]
    attributes = {"scale32": scale32, "rounding_mode": rounding, "per_channel": per_channel}
    return Case(operands, attributes | {"input_unsigned": signs[0], "output_unsigned": signs[1]}, target)


MAKERS: dict[OpDef, Maker] = {
    **dict.fromkeys((ops.CONV2D, ops.CONV3D, ops.DEPTHWISE_CONV2D), convolution),
    **dict.fromkeys((ops.AVG_POOL2D, ops.MAX_POOL2D), pooling),
    **dict.fromkeys((ops.FFT2D, ops.RFFT2D), fourier),
    ops.TRANSPOSE_CONV2D: transpose_convolution,
    ops.MATMUL: matrix_product,
    ops.MUL: binary,
    ops.CLAMP: clamp,
    ops.NEGATE: negate,
    ops.SELECT: select,
    ops.TABLE: table,
    ops.RESIZE: resize,
    ops.CAST: cast,
    ops.RESCALE: rescale,
    **dict.fromkeys((ops.GATHER, ops.SCATTER), indexed),
    ops.ROW_GATHER: row_indexed,
    ops.MATMUL_T: transposed_product,
    **dict.fromkeys((ops.AVG_POOL2D_ADAPTIVE, ops.MAX_POOL2D_ADAPTIVE), adaptive_pooling),
    ops.DIM: measured,
    ops.ASSERT_EQUAL_SHAPE: shapes,
    **{row: shapes for row in ops.OPERATORS if row in ops.SHAPE_OPERATORS - {ops.DIM}},
    **{row: reduction for row in ops.OPERATORS if row.name.startswith("REDUCE") or row is ops.ARGMAX},
    **dict.fromkeys(
        (ops.CONCAT, ops.PAD, ops.RESHAPE, ops.REVERSE, ops.SLICE, ops.TILE, ops.TRANSPOSE, ops.IDENTITY), layout
    ),
}
for _row in ops.OPERATORS:
    if _row not in MAKERS and len(_row.inputs) in (1, 2) and _row in DEFINITIONS:
        MAKERS[_row] = unary if len(_row.inputs) == 1 else binary

# All but IDENTITY of i4, which the judge doesn't return.
COMBINATIONS = [(row, types) for row in MAKERS for _, types in row.types if types != "i4"]
# Those of TOSA 1.0: formats without 1.1 have no others.
COMBINATIONS_1_0 = [
    (row, types)
    for row in MAKERS
    for needed, types in row.types
    if types != "i4" and max(row.since, oldest_version(needed)) == VERSION
]


def cases_of(row: OpDef, types: str, rng: np.random.Generator | None = None) -> Iterator[Case]:
    """Yields cases of an operator in a row of its type table, the same ones unless `rng` is given.

    Raises:
        NoCase: nothing makes one.
    """
    if row not in MAKERS:
        raise NoCase(row.opcode)
    yield from MAKERS[row](seeded(row, types) if rng is None else rng, row, dtypes(row, types))


def seeded(row: OpDef, types: str) -> np.random.Generator:
    """Returns a generator with a fixed seed for each row of a type table."""
    return np.random.default_rng([len(types), *map(ord, row.name + types)])


# ** what is the same in every type **

RANKS = ((7,), (3, 5), (2, 3, 1, 4), (1, 2, 3, 2, 2), (2, 1, 2, 3, 1, 2))


def variants() -> Iterator[tuple[str, OpDef, Case]]:
    """Yields further ranks and modes, each in one type, by name."""
    rng = np.random.default_rng(0)
    for dims in RANKS:
        yield from ((f"{row.name}_rank{len(dims)}", row, case) for row, case in _ranked(rng, dims))
    single, pair, block = ((DType.FP32, random(rng, DType.FP32, dims)) for dims in ((), (1, 1), (2, 3, 4)))
    yield "ADD_rank0", ops.ADD, Case([single, (DType.FP32, random(rng, DType.FP32, ()))])
    yield "RESHAPE_to_rank0", ops.RESHAPE, Case([pair, shape()])
    yield "RESHAPE_of_rank0", ops.RESHAPE, Case([single, shape(1, 1)])
    chosen, column = (DType.BOOL, rng.random((2, 1, 4)) < 0.5), (DType.FP32, random(rng, DType.FP32, (1, 3, 1)))
    yield "SELECT_broadcast", ops.SELECT, Case([chosen, column, block])
    for low, high in ((-128, 127), (0, 0)):
        clamped = {"min_val": low, "max_val": high, "nan_mode": "PROPAGATE"}
        yield f"CLAMP_i8_{low}_{high}", ops.CLAMP, Case([(DType.I8, random(rng, DType.I8, (2, 3, 4)))], clamped)
    for target in (DType.I8, DType.I16, DType.I32):
        case = _rescale(rng, DType.I32, target, True, "INEXACT_ROUND", False, (False, False))
        yield f"RESCALE_inexact_{target.value}", ops.RESCALE, case
    many = _rescale(rng, DType.I32, DType.I8, True, "SINGLE_ROUND", True, (False, False), channels=20)
    yield "RESCALE_channels20", ops.RESCALE, many


def _ranked(rng: np.random.Generator, dims: tuple[int, ...]) -> Iterator[tuple[OpDef, Case]]:
    rank, propagate = len(dims), {"nan_mode": "PROPAGATE"}
    i8, i16, i32, fp32 = ((d, random(rng, d, dims)) for d in (DType.I8, DType.I16, DType.I32, DType.FP32))
    row = (*[1] * (rank - 1), dims[-1])
    small = between(rng, DType.I32, dims, -(2**30), 2**30)
    yield ops.ADD, Case([small, between(rng, DType.I32, row, -(2**30), 2**30)])
    yield ops.SUB, Case([fp32, (DType.FP32, random(rng, DType.FP32, row))])
    yield ops.MAXIMUM, Case([fp32, (DType.FP32, random(rng, DType.FP32, row))], propagate)
    yield ops.MUL, Case([i8, (DType.I8, random(rng, DType.I8, row)), zeros(DType.I8)])
    yield ops.GREATER, Case([i32, (DType.I32, random(rng, DType.I32, row))])
    yield ops.REDUCE_MAX, Case([i8], {"axis": rank - 1} | propagate)
    yield ops.REVERSE, Case([i16], {"axis": 0})
    yield ops.TRANSPOSE, Case([i8], {"perms": tuple(reversed(range(rank)))})
    yield ops.PAD, Case([fp32, shape(*(1, 2) * rank), zeros(DType.FP32, 1)])
    yield ops.CONCAT, Case([i8, (DType.I8, random(rng, DType.I8, (*dims[:-1], 5)))], {"axis": rank - 1})
    yield ops.TILE, Case([i32, shape(*(2,) * rank)])
    yield ops.ARGMAX, Case([fp32], {"axis": rank - 1} | propagate)


def variable_operands(row: OpDef, case: Case) -> list[int]:
    """Returns the indices of operands other than weights, biases and compile-time constants."""
    kinds = [row.inputs[min(i, len(row.inputs) - 1)] for i in range(len(case.operands))]
    return [i for i, kind in enumerate(kinds) if not kind.ctc and kind.name not in ("weight", "bias")]


def graph_of(row: OpDef, case: Case, *, run_time: Collection[int] | None = None) -> tuple[Graph, Op, list[Array]]:
    """Returns a graph of the one operator, and its inputs.

    The operands at `run_time` are inputs of the graph, the others constants; not given, all `variable_operands` are
    inputs but for types that the judge doesn't take as one.
    """
    graph = Graph("main")
    constants = [constant(dtype, array) for dtype, array in case.operands]
    if run_time is None:
        run_time = [i for i in variable_operands(row, case) if case.operands[i][0] not in UNFED]
    types = infer_types(row, constants, case.attributes, case.out)
    values = [Value(value.type, f"in{i}") if i in run_time else value for i, value in enumerate(constants)]
    graph.inputs = [value for value in values if value.producer is None]
    op = Op(row.opcode, values, types, case.attributes, result_names=[f"out{i}" for i in range(len(types))])
    graph.ops = [*(value.producer for value in values if value.producer is not None), op]
    graph.outputs = list(op.results)
    return graph, op, [array for i, (_, array) in enumerate(case.operands) if i in run_time]


def constant(dtype: DType, array: Array) -> Value:
    """Returns the value of a new CONST or CONST_SHAPE."""
    name = "tosa.const_shape" if dtype is DType.SHAPE else "tosa.const"
    return Op(name, (), [TensorType(dtype, array.shape)], {"values": array}).result


def judge(graph: Graph, feed: list[Array]) -> list[Array]:
    """Returns the results of Arm's reference model; i48 goes through a RESCALE to i32 that changes no value."""
    model = pytest.importorskip("tosa_reference_model", reason="needs tosa-tools")
    # Without a level it takes MAX_LOG2_SIZE for 0.
    level = "EIGHTK" if any(op.row is ops.EXP2_SHAPE for op in graph.ops) else "NONE"
    results, status = model.run(*_request(graph, feed), tosa_level=level)
    assert status == model.GraphStatus.TOSA_VALID
    return [_typed(np.asarray(x), value) for x, value in zip(results, graph.outputs, strict=bool(graph.outputs))]


# Without a debugger in its path the reference model doesn't start one when a graph is in error.
_WORKER = Worker("reference_model", "the reference model", "test", lambda _folder: {"PATH": ""})


def judged(graph: Graph, feed: list[Array]) -> tuple[str, list[Array]]:
    """Returns VALID with the results, UNPREDICTABLE, or ERROR, which may crash the reference model's process."""
    pytest.importorskip("tosa_reference_model", reason="needs tosa-tools")
    try:
        status, results = _WORKER.ask("the graph", *_request(graph, feed))
    except ConverterError:
        return "ERROR", []
    typed = [_typed(np.asarray(x), value) for x, value in zip(results, graph.outputs, strict=True)]
    return status.removeprefix("TOSA_"), typed


def _request(graph: Graph, feed: list[Array]) -> tuple[bytes, list[Array]]:
    outputs = list(map(_readable, graph.outputs)) or [constant(DType.I8, np.ones(1, np.int8))]
    extra = [op for value in outputs for op in _producers(value) if op not in graph.ops]
    twin = Graph("main", graph.inputs, outputs, [*graph.ops, *extra])
    return b"".join(bytes(part) for part in write_tosa(Model({"main": twin}))), list(map(_plain, feed))


def _plain(x: Array) -> Array:
    """Returns the array as the judge takes it: types unknown to numpy as their bits."""
    return np.ascontiguousarray(x) if x.dtype.isbuiltin == 1 else np.ascontiguousarray(x).view(f"u{x.itemsize}")


def _producers(value: Value) -> list[Op]:
    op = value.producer
    return [*(v.producer for v in op.operands if v.producer is not None), op] if op is not None else []


def _readable(value: Value) -> Value:
    if value.type.dtype is DType.SHAPE:
        return _tiled(value)
    if value.type.dtype is not DType.I48:
        return value
    constants = [(DType.I16, 1 << 14), (DType.I8, 14), (DType.I48, 0), (DType.I32, 0)]
    parameters = [
        Op("tosa.const", (), [TensorType(d, (1,))], {"values": np.full(1, v, d.numpy)}).result for d, v in constants
    ]
    attributes = {"scale32": False, "rounding_mode": "SINGLE_ROUND", "per_channel": False}
    attributes |= {"input_unsigned": False, "output_unsigned": False}
    return Op("tosa.rescale", [value, *parameters], [TensorType(DType.I32, value.type.shape)], attributes).result


def _tiled(value: Value) -> Value:
    """Returns an element repeated so often along each axis as a shape says: the judge refuses another size."""
    op, ones = value.producer, np.ones((1,) * value.type.static[0], np.int8)
    assert op is not None
    if op.row is ops.DIM:
        elements = np.array([op.operands[0].type.static[op.attributes["axis"]]])
    else:
        elements = np.asarray(bind_definition(op)(*(v.constant for v in op.operands)))
    single = constant(DType.I8, ones)
    return Op("tosa.tile", [single, value], [TensorType(DType.I8, tuple(elements.tolist()))]).result


def _typed(array: Array, value: Value) -> Array:
    dtype = value.type.dtype
    if dtype is DType.SHAPE:
        return np.array(array.shape, np.int64)
    if array.dtype.itemsize == dtype.numpy.itemsize:
        return array.view(dtype.numpy).reshape(value.type.static)
    return array.astype(dtype.numpy).reshape(value.type.static)


def planned(op: Op, *, check: bool = True) -> Kernel:
    """Returns the fast form of an operator if there is one, else its definition."""
    plan = FAST.get(op.row)
    run = None if plan is None else plan(op, PlanContext(check))
    return bind_definition(op, check=check) if run is None else run


def single(row: OpDef, *operands: Array, **attributes: Any) -> Op:
    """Returns an operator over fresh values, whose kernel a test calls directly."""
    dtype_of = {np.dtype(d.numpy): d for d in (DType.I32, DType.I16, DType.I8, DType.FP32, DType.BOOL, DType.SHAPE)}
    out = attributes.pop("out", None)
    values = [Value(TensorType(dtype_of[x.dtype], x.shape)) for x in operands]
    return Op(row.opcode, values, infer_types(row, values, attributes, out), attributes)
