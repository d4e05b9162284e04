"""The members of a container (.zip, .task, .litertlm) as lines of `inspect`."""

from collections.abc import Iterator, Sequence
from shlex import quote

import tosa_converter as tc
from tosa_converter.cli.columns import GAP, Column, cell, counted, size_words, table

MOST_SHOWN = 100  # members
_COLUMNS = (
    Column("member", least=20),
    Column("size", is_number=True),
    Column("content"),
    Column("signatures", least=16),
)


def member_lines(file: str, members: Sequence[tc.MemberInspection]) -> Iterator[str]:
    """Yields a table of members, and how to name one of several models."""
    models = [member for member in members if member.format]
    yield f"{file}  {counted(len(members), 'member')}, {counted(len(models), 'model')}"
    shown = members[:MOST_SHOWN]
    for line in table(_COLUMNS, map(_row, shown)):
        yield f"  {GAP.join(line)}".rstrip()
    if len(members) > len(shown):
        yield f"  and {len(members) - len(shown)} more: --json lists them"
    if len(models) > 1:
        yield f"next: tflite-to-tosa inspect {quote(f'{file}:{models[0].name}')}"


def _row(member: tc.MemberInspection) -> tuple[str, str, str, str]:
    """Returns the cells of a member's row: name, size, content, signatures.

    The content is the format with the size of its weights, or the kind of a member that is no model.
    """
    weights = f" and {size_words(member.weights)} of weights" if member.weights else ""
    content = f"{member.format}{weights}" if member.format else member.kind
    return cell(member.name), size_words(member.bytes), content, ", ".join(map(cell, member.signatures))
