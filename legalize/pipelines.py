"""The passes from each source opset to TOSA, in order.

Those from TOSA are in `invert/tflite/pipeline.py` and `invert/xnnpack/pipeline.py`; the modules whose rules a pass
tries are in `rule_modules.py`.
"""

from tosa_converter.formats.tflite.prepare_shapes import shape_problem
from tosa_converter.ir import Op
from tosa_converter.legalize.rule_modules import ATEN, CUSTOM, TFLITE, XNNPACK
from tosa_converter.rewriting.driver import RulePass
from tosa_converter.rewriting.passes.common_subexpressions import CommonSubexpressions
from tosa_converter.rewriting.passes.rank_reduction import RankReduction
from tosa_converter.rewriting.passes.reshape_propagation import ReshapePropagation
from tosa_converter.rewriting.passes.simplify import SIMPLIFY
from tosa_converter.rewriting.pipeline import LazyPass, Pass
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas.opsets import XNN_READ
from tosa_converter.schemas.tfl_ops import GRAPHS, LOOPS, STATE


def _load_plugin_rules() -> tuple[Rule, ...]:
    """Returns the rules of installed plug-ins; the import waits until a pass asks for them."""
    from tosa_converter.rewriting.plugins import installed_rules

    return installed_rules()


def _signature_problem(op: Op) -> str | None:
    """Returns what is wrong with a TFLite operator's operands and results, or None; imports on demand."""
    from tosa_converter.formats.tflite.prepare import import_problem

    return import_problem(op)


_PASSES = "tosa_converter.rewriting.passes"
_SHORTEN: tuple[Pass, ...] = (RankReduction(), ReshapePropagation(), SIMPLIFY, CommonSubexpressions())
TFLITE_TO_TOSA: tuple[Pass, ...] = (
    RulePass(
        "legalize",
        (*TFLITE, *CUSTOM),
        check=shape_problem,
        plugin_rules=_load_plugin_rules,
        signature_problem=_signature_problem,
    ),
    *_SHORTEN,
)
XNN_TO_TOSA = RulePass("legalize", (*XNNPACK, *ATEN), plugin_rules=_load_plugin_rules), *_SHORTEN
PIPELINES: dict[str, tuple[Pass, ...]] = {
    "tfl": (
        LazyPass("inline-calls", frozenset(GRAPHS), f"{_PASSES}.inline_calls"),
        LazyPass("tensor-lists", LOOPS, f"{_PASSES}.tensor_lists"),
        LazyPass("state", STATE, f"{_PASSES}.state", (RulePass("initial-values", TFLITE, check=shape_problem),)),
        *TFLITE_TO_TOSA,
    ),
    "xnn": (LazyPass("state", frozenset((XNN_READ,)), f"{_PASSES}.program_state"), *XNN_TO_TOSA),
}
