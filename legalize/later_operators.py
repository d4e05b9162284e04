"""Which operators of later versions than TOSA 1.0 a conversion may use: only those that its target names."""

from tosa_converter.dtypes import DType
from tosa_converter.rewriting.match import Match
from tosa_converter.rules.types import fitting_combinations
from tosa_converter.schemas.tosa_ops import OpDef


def target_takes(match: Match, row: OpDef, *dtypes: DType) -> bool:
    """Returns whether the conversion's target has an operator of TOSA 1.1 for leading operands of these element types.

    Without a target a conversion keeps to TOSA 1.0.
    """
    target = match.options.target
    if target is None or row.since > target.version:
        return False
    lines = fitting_combinations(row, dtypes, None)
    options = [option.split("&") for line in lines for option in line.requirement.split("|")]
    return any(target.supported.issuperset(names) for names in options)
