"""SOFTMAX of bytes in LiteRT's fixed point: Softmax of floats, because XNNPACK has none of bytes."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Model, Op, Value
from tosa_converter.legalize.pipelines import TFLITE_TO_TOSA
from tosa_converter.legalize.quant.softmax_tables import exponentials
from tosa_converter.legalize.tosa_to_xnn.alike import bare
from tosa_converter.legalize.tosa_to_xnn.builder import xnn_builder
from tosa_converter.legalize.tosa_to_xnn.confirmation import converts_to
from tosa_converter.legalize.tosa_to_xnn.labels import SOFTMAX, as_result, label
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.report import Options
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import tosa_ops as ops

ULPS = 64  # that fixed-point exponentials of small numbers may be off

BYTE_SOFTMAX = pattern(
    ops.RESCALE,
    pattern(
        ops.ARITHMETIC_RIGHT_SHIFT,
        pattern(ops.MUL, pattern(ops.RESHAPE, pattern(ops.GATHER, "exponentials", "distances"))),
    ),
)
DISTANCES = pattern(ops.SUB, pattern(ops.CAST, pattern(ops.REDUCE_MAX, "x")), pattern(ops.CAST, "x"))


class ByteSoftmax(NamedTuple):
    """The operand of a SOFTMAX of bytes and its scale."""

    x: Value
    scale: float


def byte_softmax(op: Op) -> ByteSoftmax | None:
    """Returns the SOFTMAX of bytes that an operator may be the last of."""
    values = BYTE_SOFTMAX.bind(op)
    distances = None if values is None else bare(values["distances"]).producer
    operand = None if distances is None else DISTANCES.bind(distances)
    if values is None or operand is None:
        return None
    x, table = operand["x"], values["exponentials"].constant
    if table is None or table.size != 256 or x.type.dtype is not DType.I8 or x.type.shape != op.result.type.shape:
        return None
    elements = table.reshape(-1)
    scales = (scale for scale in _scales(elements) if np.array_equal(exponentials(np.float64(1), scale), elements))
    try:
        scale = next(scales, None)
    except Decline:  # LiteRT refuses the scale
        return None
    return None if scale is None else ByteSoftmax(x, float(scale))


def _scales(table: Array) -> Iterator[np.float64]:
    """Yields the floats around the scale s with which exp(-distance * s) in Q0.31 is the last large one in a table."""
    (large,) = np.nonzero(table > 1 << 25)
    if table[0] < 1 << 30 or large.size < 2:
        return
    below = above = np.float32(-np.log(table[large[-1]] / 2**31) / large[-1])
    yield np.float64(below)
    for _ in range(ULPS):
        below, above = np.nextafter(below, np.float32(0)), np.nextafter(above, np.float32(np.inf))
        yield np.float64(below)
        yield np.float64(above)


def _is_confirmed(op: Op, softmax: ByteSoftmax) -> bool:
    x = Value(softmax.x.type._replace(quant=label(0, softmax.scale)), "x")
    source = Op("tfl.softmax", [x], [op.result.type._replace(quant=SOFTMAX)], {"beta": 1.0}, result_names=["y"])
    model = Model({"main": Graph("main", [x], source.results, [source])}, opset="tfl")
    return converts_to(model, TFLITE_TO_TOSA, Options(), op.result, [softmax.x])


@rule(BYTE_SOFTMAX)
def softmax_of_bytes(m: Match) -> Value:
    """RESCALE(ARITHMETIC_RIGHT_SHIFT(MUL(RESHAPE(GATHER(exponentials, distances)), ...))) -> Softmax of floats."""
    softmax = byte_softmax(m.op)
    if softmax is None or not _is_confirmed(m.op, softmax):
        raise Decline("the conversion of SOFTMAX makes other operators")
    m.note("Softmax of floats, which XNNPACK has none of bytes: results may differ by 1 step")
    b, x = xnn_builder(), softmax.x
    real = b.op("convert", [x], dtype=DType.FP32)
    real = b.mul(real, b.scalar(softmax.scale / (x.type.quant or label(0)).scale[0], real))
    return as_result(m, b.op("convert", [b.op("softmax", [real])], dtype=DType.I8), SOFTMAX)
