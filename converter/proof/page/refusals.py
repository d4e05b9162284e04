"""The page of a model that could not be compared: why, and what to do next."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tosa_converter.errors import ConverterError, UsageError
from tosa_converter.formats.storage import FilePath
from tosa_converter.proof.page.facts import Group, group_by_text
from tosa_converter.proof.page.provenance import COMMAND, command, provenance
from tosa_converter.proof.page.rendering import render

# "tosa.conv2d at main:0 CONV_2D 'name': needs PRO-FP": what is at the place, the place, and the reason. The name is
# from a file and may hold anything, so the place ends at the last colon.
_PLACED = re.compile(r"(?P<subject>(?:[^\s:]+ at )?)(?P<place>\S+:\d+\b.*): (?P<reason>.+)", re.S)
_NEXT = "next: "  # how a line begins that says what to do
REFUSED, FAILED = "refused", "failed"
_REFUSALS = (REFUSED, "unjudged")


def write_refusal_page(
    path: FilePath,
    file: str,
    lines: Sequence[str],
    *,
    outcome: str = REFUSED,
    options: Mapping[str, Any] | None = None,
) -> int:
    """Writes a page about a model that could not be compared, with the reasons; returns its size in bytes.

    Args:
        path: of the page.
        file: the model, as it was named on the command line.
        lines: of the error's message; lines that differ in their place alone are shown once, with their places.
        outcome: refused, unjudged, failed, crashed or timeout.
        options: those that aren't at their defaults, by their flags.

    Raises:
        MissingExtra: the template library that draws it is not installed.
        UsageError: the folder can't be written to.
    """
    reasons = group_reasons([line for line in lines[1:] if not line.startswith(_NEXT)])
    # Reasons with places are about single operators, so the others may be convertible.
    convertible = outcome in _REFUSALS and any(filter(None, group.places) for group in reasons)
    return render(
        path,
        "refusal.html",
        name=os.path.basename(file) or "a model",
        outcome=outcome,
        headline=lines[0] if lines else "it could not be compared",
        reasons=reasons,
        steps=[line.removeprefix(_NEXT) for line in lines[1:] if line.startswith(_NEXT)],
        provenance=provenance(file, options or {}),
        commands=list(_next_commands(file, outcome, options or {}, convertible=convertible)),
    )


@contextmanager
def refusal_page(path: FilePath, file: str, options: Mapping[str, Any]) -> Iterator[None]:
    """Writes a page with the reasons if the block under `with` can't compare a model; without a path, no page.

    Raises:
        ConverterError: from the block. A UsageError says nothing of the model, so it has no page.
    """
    try:
        yield
    except UsageError:
        raise
    except ConverterError as error:
        if path:
            # Statuses 3 and 4: the file is malformed, or has something that isn't supported.
            outcome = REFUSED if error.exit_status in (3, 4) else FAILED
            write_refusal_page(path, file, error.lines, outcome=outcome, options=options)
        raise


def group_reasons(lines: Sequence[str]) -> list[Group]:
    """Groups the lines of a message: lines that differ only in the location become one, with all the locations.

    An indented line that begins with "at" has the locations of the line before.
    """
    pairs: list[tuple[str, str]] = []
    for line in lines:
        text = line.strip()
        if pairs and line != text and text.startswith("at "):
            pairs[-1] = (pairs[-1][0], text.removeprefix("at "))
        else:
            pairs.append(_split_place(text))
    return list(group_by_text(pairs))


def _split_place(line: str) -> tuple[str, str]:
    """Splits a message's line into what it says of an operator, and the operator's location; "" if it names none.

    "tosa.conv2d at main:0 CONV_2D 'x': needs PRO-FP" gives "tosa.conv2d of CONV_2D: needs PRO-FP" and "main:0 CONV_2D
    'x'".
    """
    match = _PLACED.fullmatch(line)
    if match is None:
        return line, ""
    kind = re.match(r"\S+ ([A-Z][A-Z0-9_]*)\b", match["place"])
    subject = match["subject"].removesuffix(" at ")
    names = [name for name in (subject, kind[1] if kind else "") if name]
    return f"{' of '.join(names) or 'operators'}: {match['reason']}", match["place"]


def _next_commands(
    file: str, outcome: str, options: Mapping[str, Any], *, convertible: bool
) -> Iterator[tuple[str, str]]:
    """Yields what to do next with a file, each as a purpose and a command line; nothing without a file's name.

    After an `outcome` of refused or unjudged, that is to inspect the file and, if `convertible`, to convert the
    operators that can be. After other failures it is to verify again, and to check the engines.
    """
    if not file:
        return
    target = {flag: value for flag, value in options.items() if flag == "--target"}
    if outcome in _REFUSALS:
        yield "see what each operator becomes, or why it can't", command("inspect", file, "--check", options=target)
        if convertible:
            yield "convert the rest, and keep these operators", command(file, "--partial", "parts", options=target)
    else:
        yield "see it again with all of its messages", command("verify", file, options=options)
        yield "see which engines are ready", f"{COMMAND} doctor"
