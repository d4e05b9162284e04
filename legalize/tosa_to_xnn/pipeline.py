"""The passes from TOSA to XNNPACK's nodes, in order; they change graphs in place."""

from tosa_converter.legalize.pipelines import TFLITE_TO_TOSA
from tosa_converter.legalize.rule_modules import TO_XNNPACK
from tosa_converter.legalize.tosa_to_xnn.borders import Borders
from tosa_converter.legalize.tosa_to_xnn.builder import XnnBuilder
from tosa_converter.legalize.tosa_to_xnn.composed import NODES
from tosa_converter.legalize.tosa_to_xnn.dynamic import LAYERS
from tosa_converter.legalize.tosa_to_xnn.quantized import QuantizedNodes
from tosa_converter.legalize.tosa_to_xnn.tidy import Tidy
from tosa_converter.rewriting.driver import RulePass
from tosa_converter.rewriting.in_place import InPlacePass
from tosa_converter.rewriting.pipeline import Pass

PASSES: tuple[Pass, ...] = (
    InPlacePass("composed-nodes", (*LAYERS, *NODES), XnnBuilder),
    QuantizedNodes(TFLITE_TO_TOSA),
    RulePass("to-xnngraph", TO_XNNPACK, leaves="xnn", builder=XnnBuilder),
    Tidy(),
    Borders(),
)
