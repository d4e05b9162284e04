"""`tflite-to-tosa ops`: the operators on both sides."""

from typing import Any

from tosa_converter.cli import options, report
from tosa_converter.errors import UsageError, did_you_mean


def ops(operator: options.OperatorName = "", json: options.Json = False) -> int:
    """List the source operators with their rules, and the operators of TOSA."""
    from tosa_converter.cli.operators import operator_figures

    figures = select_operators(operator_figures(), operator)
    report.present(lambda: figures, lambda: report.operators_lines(figures), json=json)
    return 0


def select_operators(figures: dict[str, Any], word: str) -> dict[str, Any]:
    """Returns the operators of sources and of TOSA whose names have a word in them, or all without one.

    Raises:
        UsageError: there is none.
    """
    if not word:
        return figures
    selected = {key: [row for row in figures[key] if _key(word) in _key(row["name"])] for key in ("source", "tosa")}
    if not any(selected.values()):
        names = [row["name"].rpartition(".")[2].upper() for key in selected for row in figures[key]]
        raise UsageError(f"ops: no operator has {word!r} in its name{did_you_mean(word, names)}")
    return figures | selected


def _key(name: str) -> str:
    """Returns an operator's name as names are compared, without underscores: conv2d is CONV_2D."""
    return name.casefold().replace("_", "")
