"""Options as commands take them: from the records that state them, in the panels of a command's help."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from tosa_converter.options import Flag


class Field(NamedTuple):
    """An option of a command: how it is written, its default, and its type as Typer reads it."""

    flag: Flag
    default: Any
    type: Any

    def restrict(self, *, needs: tuple[str, ...] = (), excluded_by: tuple[str, ...]) -> "Field":
        """Returns a copy of the option that is refused beside any of `excluded_by`.

        If `needs` aren't empty, it is also refused without one of them.
        """
        return self._replace(flag=self.flag._replace(needs=needs, excluded_by=excluded_by))

    def in_panel(self, panel: str) -> "Field":
        """Returns a copy of the option that the help lists in the panel of this title."""
        return self._replace(flag=self.flag._replace(panel=panel))


PANELS = ("Output", "Models", "Inputs", "Conversion", "Check", "Engine", "Comparison", "Several models", "Report")
"""The panels of a command's help, in order. Options that state none are in the last one."""
_PANEL_OF_GROUP = {
    "ConvertOptions": "Conversion",
    "InputOptions": "Inputs",
    "CompareOptions": "Comparison",
}
_MOST_WITHOUT_PANELS = 10  # options


def in_panels(options: Mapping[str, Field]) -> dict[str, Field]:
    """Returns the arguments and options of a command in the order of the panels under which its help lists them.

    Arguments have no panel, nor have the options of a command with few of them.
    """
    several = len(options) > _MOST_WITHOUT_PANELS
    ordered = sorted(options.items(), key=lambda row: _panel_number(row[1]) if several else 0)
    panels = {name: PANELS[_panel_number(field)] if several and field.flag.names else "" for name, field in ordered}
    return {name: field._replace(flag=field.flag._replace(panel=panels[name])) for name, field in ordered}


def _panel_number(field: Field) -> int:
    """Returns the position of an option's panel of the help among `PANELS`; the last one is for all without a panel."""
    return PANELS.index(field.flag.panel or PANELS[-1])


def fields(*groups: Any, without: Collection[str] = ()) -> dict[str, Field]:
    """Returns the fields of classes of options (`groups`) as options of the command line, by name, as Typer reads them.

    A field without names on the command line is left out.
    """
    return {
        name: _typer_field(_in_panel(annotation.__metadata__[0], group), group._field_defaults[name])
        for group in groups
        for name, annotation in group.__annotations__.items()
        if annotation.__metadata__[0].names and name not in without
    }


def _in_panel(flag: Flag, group: Any) -> Flag:
    """Returns an option with the panel of the help that lists it: its own, or that of its group."""
    return flag._replace(panel=flag.panel or _PANEL_OF_GROUP.get(group.__name__, ""))


def _typer_field(flag: Flag, default: Any) -> Field:
    """Returns an option in the form that Typer reads: its type and default follow from `default`, that of the API.

    A list, or a number without a default, is None on the command line unless it is stated; a text is "".
    """
    if flag.many:
        return Field(flag, None, list[str] | None)
    if flag.minimum is not None:
        return Field(flag, None, int | None) if default is None else Field(flag, int(default), int)
    return Field(flag, default, bool) if isinstance(default, bool) else Field(flag, default or "", str)
