"""What `verify` does about a difference besides its report: it looks for the operator, and says what to type next."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from tosa_converter.cli.bare import command_line
from tosa_converter.cli.fields import Field
from tosa_converter.engines import ENGINES
from tosa_converter.errors import ConverterError
from tosa_converter.proof.operators import OperatorComparison

if TYPE_CHECKING:
    from tosa_converter.proof.report import Verification

Progress: TypeAlias = Callable[[str], object]
_REFERENCE_MODEL = "tosa-reference-model"


def compare_differing_operators(done: "Verification", progress: Progress) -> Sequence[OperatorComparison]:
    """Returns the comparison of the operators of a verification whose outputs differ.

    There is none where the operators were compared before, and where only other engines than the executor differ.
    """
    differing = {comparison.engine for comparison in done.comparisons if not comparison.verdict}
    if done.operators or not differing & {"executor", done.comparisons[0].engine}:
        return ()
    progress("comparing operators")
    try:
        return done.later()
    except ConverterError as error:  # the outputs differ all the same: the report says that first
        reason = error.lines[0]
        return (OperatorComparison(done.reference, "executor", 0, None, (), reason, note=reason),)


def next_command(
    done: "Verification",
    operators: Sequence[OperatorComparison],
    stated: Mapping[str, Any],
    fields: Mapping[str, Field],
) -> str:
    """Returns the command that says more about a difference, with the user's own options; "" if there is none.

    Args:
        done: the verification.
        operators: its operators, where they were compared because an output differs.
        stated: the values of all parameters of the command.
        fields: its arguments and options by parameter.
    """
    compared = done.operators or operators
    rows = [row for comparison in compared for row in comparison.operators]
    more: dict[str, Any]
    if done.verdict or stated["extract"]:
        return ""
    if any(comparison.case is not None for comparison in compared):
        stem = re.sub(r"[^\w.]+", "-", os.path.splitext(os.path.basename(stated["model"]))[0]).strip("-.")
        more = {"extract": f"{stem or 'model'}-difference"}
    elif not stated["verbose"] and any(row.whole is not None for row in rows):
        more = {"verbose": True}
    elif _can_run_reference_model(done):
        more = {"against": ",".join(filter(None, (stated["against"], _REFERENCE_MODEL)))}
    else:
        return ""
    words = {name: value for name, value in stated.items() if name not in more} | more
    files = [words.pop("model"), words.pop("written")]
    changed = {name: value for name, value in words.items() if value != fields[name].default}
    return command_line("verify", *filter(None, files), fields=fields, **changed)


def _can_run_reference_model(done: "Verification") -> bool:
    """Returns whether Arm's reference model could run the conversion too: it says which side is at fault."""
    engine = ENGINES[_REFERENCE_MODEL]
    ran = any(comparison.engine == engine.name for comparison in done.comparisons)
    return not ran and done.sides is not None and done.sides[1].opset in engine.opsets and not engine.missing()
