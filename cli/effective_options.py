"""`--show-config`: the options of a command, each with its value and where it comes from."""

from collections.abc import Iterator, Mapping
from typing import Any

from tosa_converter.cli import report
from tosa_converter.cli.configuration import PROJECT_OPTIONS, Applied
from tosa_converter.cli.fields import Field

_TYPED, _DEFAULT = "command line", "default"


def show_options(command: str, fields: Mapping[str, Field], typed: Mapping[str, Any], project: Applied) -> int:
    """Prints every option of a command with its value and origin, and returns the exit status."""
    rows = [
        {"option": field.flag.name, **_value_with_origin(name, field, typed, project)}
        for name, field in fields.items()
        if field.flag.names and name not in PROJECT_OPTIONS
    ]
    unused = [row._asdict() for row in project.unused]
    figures = {"command": command, "file": project.path or None, "options": rows, "unused": unused}
    report.present(lambda: figures, lambda: _lines(figures), json=bool(typed.get("json")))
    return 0


def _value_with_origin(name: str, field: Field, typed: Mapping[str, Any], project: Applied) -> dict[str, Any]:
    """Returns an option's value, and its origin: the command line, a key of the project file, or the default.

    A default of "" means that there is none, and becomes None.
    """
    if name in typed:
        return {"value": typed[name], "origin": _TYPED}
    if name in project.arguments:
        return {"value": project.arguments[name], "origin": project.keys[name]}
    return {"value": None if field.default in ("", None) else field.default, "origin": _DEFAULT}


def _lines(figures: Mapping[str, Any]) -> Iterator[str]:
    """Yields the table of options, then the options of the project file that don't apply."""
    yield f"project file: {figures['file'] or 'none'}"
    rows = [(row["option"], _text(row["value"]), row["origin"]) for row in figures["options"]]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)] if rows else [0, 0]
    # A value of more than 30 columns isn't cut, but doesn't widen the column of the other rows.
    widths[1] = min(widths[1], 30)
    for option, value, origin in rows:
        yield f"  {option:<{widths[0]}}  {value:<{widths[1]}}  {origin}"
    for row in figures["unused"]:
        yield f"not applied: {row['key']}: {row['reason']}"


def _text(value: Any) -> str:
    """Returns a value of an option as text for a table."""
    if value is None:
        return "-"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value) or "-"
