"""The table of test cases by operator: fixed cases for texts, layers of random networks, random cases for judges."""

from collections.abc import Iterable, Iterator

from support.cases import (
    activations,
    audio,
    borders,
    control,
    custom,
    detection,
    elementwise,
    fourier,
    generators,
    indexing,
    landmarks,
    movement,
    pooling,
    pools,
    recurrent,
    reductions,
    shapes,
    stablehlo,
    tables,
    volumes,
    windows,
)
from support.cases.case import Case, Drawing, Row, Rows
from support.no_case import NoCase
from tosa_converter.schemas.tflite import BuiltinOperator

MODULES = (
    recurrent, elementwise, activations, reductions, windows, pooling, movement, indexing, borders, shapes, volumes,
    tables, detection, generators, fourier, control, stablehlo, audio, custom, landmarks, pools,
)  # fmt: skip


def _merged() -> Rows:
    """Returns the rows of all modules.

    Raises:
        ValueError: an operator has two.
    """
    rows: Rows = {}
    for module in MODULES:
        duplicates = rows.keys() & module.ROWS.keys()
        if duplicates:
            raise ValueError(f"{sorted(map(str, duplicates))} have two rows: delete the ones in {module.__file__}")
        rows |= module.ROWS
    return rows


ROWS = _merged()
BY_NAME = {key if isinstance(key, str) else f"tfl.{key.name.lower()}": row for key, row in ROWS.items()}


def row_of(name: str) -> Row:
    """Returns the row of an operator.

    Raises:
        NoCase: it has none.
    """
    if name not in BY_NAME:
        raise NoCase(name)
    return BY_NAME[name]


def drawing(name: str, types: str) -> Drawing:
    """Returns the function that draws a case of an operator in a type.

    Raises:
        NoCase: nothing does.
    """
    row = row_of(name)
    draw = row.typed.get(types, row.draw)
    if draw is None:
        raise NoCase(f"{name}:{types}")
    return draw


def undrawn(keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Returns the operators and types without a drawing function, each with the reason."""
    messages = {}
    for key in keys:
        try:
            drawing(*key)
        except NoCase as error:
            messages[key] = str(error)
    return messages


def bases() -> Iterator[Case]:
    """Yields builtin operators that LiteRT's reference kernels run, several cases of each."""
    for key, row in ROWS.items():
        if isinstance(key, BuiltinOperator) and key not in stablehlo.ROWS:
            yield from row.cases


def stablehlo_cases() -> Iterator[Case]:
    """Yields cases of StableHLO's operators; LiteRT runs some of them."""
    for row in stablehlo.ROWS.values():
        yield from row.cases


def customs() -> Iterator[Case]:
    """Yields cases of custom operators of LiteRT and MediaPipe."""
    for key, row in ROWS.items():
        if isinstance(key, str):
            yield from row.cases
