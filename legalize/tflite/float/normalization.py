"""L2_NORMALIZATION and LOCAL_RESPONSE_NORMALIZATION of floats, in fp32, as fp16 doesn't hold the squares."""

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import FLOATS, no_narrow_integers
from tosa_converter.legalize.ops.functions import constant_power
from tosa_converter.legalize.ops.normalization import l2_normalize, window_sums
from tosa_converter.legalize.tflite.disagreements import note_disagreement
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas.tflite import LocalResponseNormalizationOptions

LEAST_NORM = 1e-6  # l2norm.cc


def l2_normalization(match: Match) -> Expr:
    """Lowers L2_NORMALIZATION over the last dimension: x / max(sqrt(sum(x * x)), 1e-6)."""
    x = match["input"]
    return l2_normalize(x.cast(DType.FP32), LEAST_NORM).cast(x.dtype)


def local_response_normalization(match: Match) -> Expr:
    """Lowers LOCAL_RESPONSE_NORMALIZATION: x * (bias + alpha * sum(x * x)) ** -beta, in fp32.

    The sum runs from `radius` channels before to `radius` behind, as far as there are any. A note says where LiteRT's
    own kernels disagree.
    """
    note_disagreement(match)
    x = match["input"].cast(DType.FP32)
    options = match.attributes(LocalResponseNormalizationOptions)
    radius = min(options.radius, x.shape[-1])
    if radius < 0:
        raise Decline(f"expected a radius of 0 or more, found {radius}")
    base = window_sums(x * x, radius) * options.alpha + options.bias
    return (x * constant_power(base, -float(options.beta))).cast(match["input"].dtype)


RULES: tuple[Rule, ...] = (
    Rule("tfl.l2_normalization", FLOATS, l2_normalization, (no_narrow_integers,)),
    Rule("tfl.local_response_normalization", FLOATS, local_response_normalization, (no_narrow_integers,)),
)
