"""Every operator of TFLite is lowered, resolved before that, or refused with a reason."""

from support.passes import rule_pass

from tosa_converter.schemas.tfl_ops import OPERATORS
from tosa_converter.schemas.tfl_prepared import PREPARED
from tosa_converter.schemas.tfl_refusals import REFUSALS

# Operators of files; the readers and `legalize.tflite.state` add pseudo operators.
STARTS = {rule.root for rule in rule_pass("tfl").rules if not rule.root.startswith("tfl.pseudo_")}
ROOTS = {"tfl.custom" if root.startswith("custom.") else root for root in STARTS}


def test_an_operator_is_lowered_resolved_or_refused() -> None:
    lowered = {"tfl.custom" if root.startswith("custom.") else root for root in ROOTS}
    kinds = (lowered, PREPARED.keys(), REFUSALS.keys())
    assert sum(map(len, kinds)) == len({*lowered, *PREPARED, *REFUSALS})
    assert {row.opcode for row in OPERATORS} == {*lowered, *PREPARED, *REFUSALS}
