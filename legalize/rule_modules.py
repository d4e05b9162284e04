"""The modules whose rules a pass tries, in order; `rule_index` says which operators the rules of each start from.

A module is imported when a model has such an operator. A module that has rules is added to this file by hand;
tests/legalize/test_rule_index.py fails until it is, and until the index is written anew.
"""

from tosa_converter.legalize.rule_index import ROOTS
from tosa_converter.rewriting.rule import Family


def families(folder: str, modules: str, numerics: str = "") -> tuple[Family, ...]:
    """Returns a Family for each module of a folder, in order; it imports the module's rules when a model needs them.

    `modules` are names separated by blanks; `numerics` is the option's value to which the rules belong, or "" for any.
    """
    names = [f"{folder}.{module}" for module in modules.split()]
    roots = [frozenset(ROOTS.get(name, "").split()) for name in names]
    return tuple(map(Family, [f"tosa_converter.legalize.{name}" for name in names], roots, [numerics] * len(names)))


DELEGATED = families("tflite", "delegate", numerics="xnnpack")

# Rules of several operators come first: those of one would take the last of them.
FIRST = families("tflite", "quantized.byte_islands float.patterns") + DELEGATED

# Quantized rules come before others: they decline what isn't quantized, and the others decline what is.
TFLITE = FIRST + families(
    "tflite",
    """
    convolution blockwise layers pool
    quantized.activations quantized.islands quantized.integer_islands quantized.borders quantized.comparisons
    quantized.elementwise
    quantized.layout quantized.normalization quantized.reduce quantized.resize quantized.softmax
    float.activations float.cast float.elementwise float.fourier float.mathematics float.normalization float.reduce
    float.segments float.resize float.generators
    any_type.integers any_type.sparse any_type.layout any_type.blocks any_type.gather any_type.masks any_type.ordering
    any_type.scatter any_type.positions any_type.strided any_type.shapes
    stablehlo.elementwise stablehlo.movement stablehlo.indexed stablehlo.reductions stablehlo.sorting stablehlo.matrices
    any_type.control any_type.state
    non_max_suppression
    recurrent.lstm recurrent.basic_lstm recurrent.integer_lstm recurrent.rnn recurrent.svdf
    any_type.embedding any_type.tables any_type.complex
    """,
)
# Custom operators are written as plug-ins are: their rules can be replaced like any other.
CUSTOM = families("custom", "audio convolution detection landmarks pooling tensorflow")
XNNPACK = families(
    "xnnpack", "elementwise layout convolution pool layers resize convert dynamic quantized tables state"
)
ATEN = families("aten", "elementwise layers movement reductions")
TO_TFLITE = families("invert.tflite", "floats integers movement reductions casts windows sums images control")
TO_XNNPACK = families("invert.xnnpack", "windows elementwise movement")

ALL = (*TFLITE, *CUSTOM, *XNNPACK, *ATEN, *TO_TFLITE, *TO_XNNPACK)
