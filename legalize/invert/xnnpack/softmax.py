"""SOFTMAX of bytes in LiteRT's fixed point: Softmax of floats, because XNNPACK has none of bytes."""

from typing import NamedTuple

from tosa_converter.dtypes import DType
from tosa_converter.ir import Graph, Op, Value
from tosa_converter.legalize.invert.confirmation import TFLITE
from tosa_converter.legalize.invert.equal_elements import have_equal_elements, skip_reshapes
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.templates import BYTE_SOFTMAX, DISTANCES, scales_of_exponentials, view
from tosa_converter.legalize.invert.xnnpack.builder import xnn_builder
from tosa_converter.legalize.invert.xnnpack.byte_tensors import SOFTMAX_QUANT, byte_quant, reinterpret_as_result
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import rule


class ByteSoftmax(NamedTuple):
    """The operand of a SOFTMAX of bytes and its scale."""

    x: Value
    scale: float


def guess_byte_softmax(op: Op) -> ByteSoftmax | None:
    """Returns the SOFTMAX of bytes that an operator may be the last of; its scale is that of the exponentials."""
    values = BYTE_SOFTMAX.bind(op)
    distances = None if values is None else skip_reshapes(values["distances"]).producer
    operand = None if distances is None else DISTANCES.bind(distances)
    if values is None or operand is None:
        return None
    x, table = operand["x"], values["exponentials"].constant
    if table is None or table.size != 256 or x.type.dtype is not DType.I8 or x.type.shape != op.result.type.shape:
        return None
    try:
        scale = next(scales_of_exponentials(table.reshape(-1)), None)
    except Decline:  # LiteRT refuses the scale
        return None
    return None if scale is None else ByteSoftmax(x, scale)


def _is_confirmed(result: Value, softmax: ByteSoftmax) -> bool:
    """Returns whether LiteRT's SOFTMAX, lowered to TOSA, computes a result."""
    with TflBuilder(Graph("softmax")) as b:
        y = b.op("softmax", [view(softmax.x, byte_quant(0, softmax.scale))], beta=1.0)
        y.type = y.type._replace(quant=SOFTMAX_QUANT)
    return TFLITE._replace(equal=have_equal_elements).confirms(y, result, [softmax.x])


@rule(BYTE_SOFTMAX)
def softmax_of_bytes(m: Match) -> Value:
    """RESCALE(ARITHMETIC_RIGHT_SHIFT(MUL(RESHAPE(GATHER(exponentials, distances)), ...))) -> Softmax of floats."""
    softmax = guess_byte_softmax(m.op)
    if softmax is None or not _is_confirmed(m.op.result, softmax):
        raise Decline("the conversion of SOFTMAX makes other operators")
    m.note("XNNPACK has no Softmax of bytes: it is computed in floats, and results may differ by 1 step")
    b, x = xnn_builder(), softmax.x
    real = b.op("convert", [x], dtype=DType.FP32)
    real = b.mul(real, b.scalar(softmax.scale / (x.type.quant or byte_quant(0)).scale[0], real))
    return reinterpret_as_result(m, b.op("convert", [b.op("softmax", [real])], dtype=DType.I8), SOFTMAX_QUANT)
