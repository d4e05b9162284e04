"""The passes from TOSA to what LiteRT runs, in order; they change graphs in place."""

from tosa_converter.legalize.invert.tflite.borders import Borders
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.composed import COMPOSED
from tosa_converter.legalize.invert.tflite.control import Outline
from tosa_converter.legalize.invert.tflite.hybrid import HYBRID
from tosa_converter.legalize.invert.tflite.quantized import QuantizedOperators
from tosa_converter.legalize.invert.tflite.tidy import TIDY
from tosa_converter.legalize.invert.tflite.weights import EXPANSIONS
from tosa_converter.legalize.rule_modules import TO_TFLITE
from tosa_converter.rewriting.driver import RulePass
from tosa_converter.rewriting.in_place import InPlacePass
from tosa_converter.rewriting.pipeline import Pass

PASSES: tuple[Pass, ...] = (
    EXPANSIONS,
    InPlacePass("composed-operators", (*COMPOSED, *HYBRID), TflBuilder),
    QuantizedOperators(),
    RulePass("to-tflite", TO_TFLITE, opset="tfl", builder=TflBuilder),
    Outline(),
    TIDY,
    Borders(),
)
