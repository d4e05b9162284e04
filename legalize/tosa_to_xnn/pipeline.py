"""The passes from TOSA to XNNPACK's nodes, in order; they change graphs in place."""

from tosa_converter.legalize.pipelines import TFLITE_TO_TOSA, XNN_TO_TOSA
from tosa_converter.legalize.rule_modules import TO_XNNPACK
from tosa_converter.legalize.tosa_to_xnn.borders import Borders
from tosa_converter.legalize.tosa_to_xnn.builder import XnnBuilder
from tosa_converter.legalize.tosa_to_xnn.quantized import QuantizedNodes
from tosa_converter.legalize.tosa_to_xnn.tidy import Tidy
from tosa_converter.rewriting.driver import RulePass
from tosa_converter.rewriting.pipeline import LazyPass, Pass


def _tosa(names: str) -> frozenset[str]:
    return frozenset(f"tosa.{name}" for name in names.split())


_FOLDER = "tosa_converter.legalize.tosa_to_xnn"
_COMPOSED = _tosa("cast max_pool2d maximum minimum mul reshape select")
PASSES: tuple[Pass, ...] = (
    LazyPass("grouped-convolutions", _tosa("concat"), f"{_FOLDER}.groups"),
    LazyPass("dynamic-layers", _tosa("conv2d matmul transpose_conv2d"), f"{_FOLDER}.dynamic", (XNN_TO_TOSA,)),
    LazyPass("composed-nodes", _COMPOSED, f"{_FOLDER}.composed", (XNN_TO_TOSA,)),
    LazyPass("argmax-pooling", _tosa("argmax"), f"{_FOLDER}.largest"),
    QuantizedNodes(TFLITE_TO_TOSA),
    RulePass("to-xnngraph", TO_XNNPACK, leaves="xnn", builder=XnnBuilder),
    Tidy(),
    Borders(),
)
