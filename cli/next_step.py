"""What `verify` does about a difference besides its report: it looks for the operator, and says what to type next."""

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from shlex import join
from typing import TYPE_CHECKING, Any, TypeAlias

from tosa_converter.cli.bare import NAME, command_line
from tosa_converter.cli.fields import Field
from tosa_converter.engines import ENGINES
from tosa_converter.errors import ConverterError
from tosa_converter.extraction import extract
from tosa_converter.ir import CONSTANTS, Graph
from tosa_converter.proof.operators import OperatorComparison

if TYPE_CHECKING:
    from tosa_converter.proof.compare import Comparison
    from tosa_converter.proof.report import Verification

Progress: TypeAlias = Callable[[str], object]
_REFERENCE_MODEL = "tosa-reference-model"
MOST_VALUES = 4  # between operators, of which a device's are compared


def compare_differing_operators(done: "Verification", progress: Progress) -> Sequence[OperatorComparison]:
    """Returns the comparison of the operators of a verification whose outputs differ.

    It is empty if operators were compared before, or if neither the executor nor the first engine differs. An error
    becomes the comparison's note.
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

    In this order, it extracts the operator that differs, lists all operators, or runs the reference model too. If only
    loaded outputs differ, it extracts values that lead to them.

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
    if _differs_elsewhere(done, stated):
        return _extract_values(done, stated)
    if any(comparison.case is not None for comparison in compared):
        more = {"extract": f"{_stem(stated['model'])}-difference"}
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


def _stem(path: str) -> str:
    """Returns a model's name as the beginning of names for files that are made from it.

    Runs of characters other than letters, digits, `_` and `.` become `-`; "model" stands for an empty name.
    """
    return re.sub(r"[^\w.]+", "-", os.path.splitext(os.path.basename(path))[0]).strip("-.") or "model"


def _differs_elsewhere(done: "Verification", stated: Mapping[str, Any]) -> bool:
    """Returns whether all engines that differ are those whose outputs were loaded (`--load-outputs`).

    Their runs were made elsewhere, so no engine of this machine can say more about them.
    """
    differing = {comparison.engine for comparison in done.comparisons if not comparison.verdict}
    return bool(differing) and differing <= set(stated["load_outputs"] or ())


def _extract_values(done: "Verification", stated: Mapping[str, Any]) -> str:
    """Returns the command that extracts a model whose outputs are values in front of the first output that differs.

    A device that runs it shows between which of them it differs. The command is "" if there are no such values, or if
    they can't be extracted, as with state.
    """
    assert done.sides is not None
    source = done.sides[0]
    ending = {"tfl": ".tflite", "tosa": ".tosa"}.get(source.opset, "")
    between = _values_in_front(source.main, [row for row in done.comparisons if not row.verdict])
    # Of 30 values, those at 6, 12, 18 and 24: they cut the model into parts of equal length.
    parts = min(MOST_VALUES, len(between)) + 1
    names = [between[len(between) * i // parts] for i in range(1, parts)]
    if not ending or not names or stated["signature"]:
        return ""
    try:  # the command is suggested only if it will succeed
        extract(source, (), names)
    except ConverterError:
        return ""
    ends = [word for name in names for word in ("--to", name)]
    return join([NAME, "extract", stated["model"], *ends, "-o", f"{_stem(stated['model'])}-values{ending}"])


def _values_in_front(graph: Graph, failing: "Sequence[Comparison]") -> list[str]:
    """Returns the names of values between the last output that agrees and the first one that differs.

    They become outputs of an extracted model, so a name must be unique, and its operator may have no other result.
    """
    position = {value: i for i, op in enumerate(graph.ops) for value in op.results}
    verdicts = {value: all(row.outputs[i].verdict for row in failing) for i, value in enumerate(graph.outputs)}
    # An input that is an output has no position: it is in front of all operators.
    end = min(position.get(value, 0) for value, verdict in verdicts.items() if not verdict)
    agreeing = [position.get(value, -1) for value, verdict in verdicts.items() if verdict]
    begin = 1 + max((i for i in agreeing if i < end), default=-1)
    results = [op.results for op in graph.ops[begin:end] if op.name not in CONSTANTS]
    counts = Counter(value.name for op in graph.ops for value in op.results)
    return [row[0].name for row in results if len(row) == 1 and row[0].name and counts[row[0].name] == 1]


def _can_run_reference_model(done: "Verification") -> bool:
    """Returns whether Arm's reference model can run the conversion and hasn't yet.

    Its results tell whether the conversion or the executor is at fault.
    """
    engine = ENGINES[_REFERENCE_MODEL]
    ran = any(comparison.engine == engine.name for comparison in done.comparisons)
    return not ran and done.sides is not None and done.sides[1].opset in engine.opsets and not engine.missing()
