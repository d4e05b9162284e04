"""How nodes that are guessed become TOSA again."""

from tosa_converter.dtypes import DType
from tosa_converter.ir import TensorType
from tosa_converter.legalize.invert.confirmation import Lowering
from tosa_converter.legalize.invert.xnnpack.alike import alike
from tosa_converter.legalize.invert.xnnpack.labels import label
from tosa_converter.legalize.pipelines import XNN_TO_TOSA
from tosa_converter.rewriting.report import Options


def _with_scale(type: TensorType) -> TensorType:
    return type._replace(quant=label(0)) if type.dtype is DType.I8 and type.quant is None else type


XNNPACK = Lowering("xnn", XNN_TO_TOSA, Options("xnnpack"), alike, _with_scale)
