"""The table of TFLite operators that TOSA's operators are written as, type by type."""

from collections import Counter
from collections.abc import Iterator, Sequence

import tosa_converter as tc
from support.kernel_cases import COMBINATIONS_1_0, cases_of, graph_of
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import CONSTANTS, Model
from tosa_converter.schemas.tosa_ops import OpDef


def table() -> Iterator[str]:
    """Yields lines of Markdown: operators in the specification's order, types with the same result together."""
    yield "| TOSA | types | TFLite |"
    yield "| --- | --- | --- |"
    rows: dict[tuple[str, str], list[str]] = {}
    for row, types in COMBINATIONS_1_0:
        rows.setdefault((row.name, _becomes(row, types)), []).append(types.replace(" ", "*"))
    yield from (f"| {name} | {', '.join(types)} | {text} |" for (name, text), types in rows.items())


def _becomes(row: OpDef, types: str) -> str:
    """Returns the operators of the first case, in order of first use, or the reason why there are none."""
    graph = graph_of(row, next(iter(cases_of(row, types))))[0]
    try:
        converted = tc.to_tflite(Model({"main": graph}))
    except UnsupportedError:
        return "refused: LiteRT has no such type" if "fp8" in types else "refused"
    return (
        _listed([op.name.partition(".")[2].upper() for op in converted.main if op.name not in CONSTANTS]) or "nothing"
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in Counter(names).items())
