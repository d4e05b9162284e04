"""The passes from TOSA to XNNPACK's nodes, in order; they change graphs in place."""

from tosa_converter.legalize.invert.expansions import Expansions
from tosa_converter.legalize.invert.xnnpack.borders import Borders
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder
from tosa_converter.legalize.invert.xnnpack.byte_scales import ByteScales
from tosa_converter.legalize.invert.xnnpack.dynamic import DYNAMIC
from tosa_converter.legalize.invert.xnnpack.fused import FUSED_LAYERS, FUSED_NODES
from tosa_converter.legalize.invert.xnnpack.guesses import COMPOSED
from tosa_converter.legalize.invert.xnnpack.integers import INTEGERS
from tosa_converter.legalize.invert.xnnpack.quantized import QUANTIZED
from tosa_converter.legalize.rule_modules import TO_XNNPACK
from tosa_converter.rewriting.driver import RulePass
from tosa_converter.rewriting.in_place import InPlacePass
from tosa_converter.rewriting.pipeline import Pass

PASSES: tuple[Pass, ...] = (
    Expansions(),
    InPlacePass("composed-nodes", (*DYNAMIC, *COMPOSED), XnnBuilder),
    ByteScales(),
    InPlacePass("quantized-nodes", QUANTIZED, XnnBuilder),
    InPlacePass("integers-in-floats", INTEGERS, XnnBuilder),
    RulePass("to-xnngraph", TO_XNNPACK, opset="xnn", builder=XnnBuilder),
    InPlacePass("fused-layers", FUSED_LAYERS, XnnBuilder),
    InPlacePass("fused-nodes", FUSED_NODES, XnnBuilder),
    Borders(),
)
