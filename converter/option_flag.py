"""How an option is written and described: the row that its field has in a record of options."""

from collections.abc import Callable
from typing import Any, NamedTuple

FILES = ("input", "image", "audio", "samples")
"""The parameters of commands that read inputs from files."""


class Flag(NamedTuple):
    """An option of the command line and of the API's functions.

    A {name} in `help` stands for the values that `cli.values` lists by this name. `about` is the text of docstrings.
    `parse` makes the API's value from the command line's; `accept` makes the field's value from the API's, whose type
    is `accepts` where it isn't the field's.
    """

    names: str = ""  # between spaces; none of an option that only the API has
    metavar: str = ""
    help: str = ""
    about: str = ""
    many: bool = False  # may be repeated
    parse: Callable[[Any], Any] | None = None
    accept: Callable[[Any], Any] | None = None
    accepts: str = ""
    values: str = ""  # what completes it
    choices: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()  # opsets of the models that it applies to, of which `reason` says why
    reason: str = ""
    minimum: int | None = None  # of a number
    maximum: int | None = None
    needs: tuple[str, ...] = ()  # parameters of the same command, of which one must be stated too
    excluded_by: tuple[str, ...] = ()  # parameters of the same command beside which it does nothing
    panel: str = ""  # of a command's help, that the option is in
    repeated: bool = False  # by the command that converts one operator of the model, in which a difference was found

    @property
    def name(self) -> str:
        """The long name of the option on the command line, which is the last of `names`."""
        return self.names.rpartition(" ")[2]
