"""Whether two models have the same borders: what their inputs and outputs stand for, and what they are called."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tosa_converter.ir import Border, BorderRow, Model, Value, border_rows
from tosa_converter.ir.borders import type_words
from tosa_converter.proof.input_sets import given_inputs, given_outputs


class BorderDifference(NamedTuple):
    """An input or output whose type, quantization, layout or name differs between two models.

    `meaning` is false if only the names differ; otherwise the same elements represent other numbers, or lie in another
    order.
    """

    place: str
    text: str
    meaning: bool = True


def border_differences(first: Model, second: Model) -> Iterator[BorderDifference]:
    """Yields how inputs and outputs of two models differ in type, quantization, layout or name, where both are known.

    A TOSA model has what its source declared for them. A difference of names alone has no `meaning`: the elements mean
    the same.
    """
    sides = (given_inputs(first), given_inputs(second)), (given_outputs(first), given_outputs(second))
    for kind, (mine, theirs) in zip(("input", "output"), sides, strict=True):
        for a, b in zip(mine, theirs, strict=False):
            x, y = _declared_type(first, a), _declared_type(second, b)
            if x is None or y is None:
                continue
            place = f"{kind} {a.name!r}"
            if (x.type.dtype, x.type.quant, x.permutation) != (y.type.dtype, y.type.quant, y.permutation):
                yield BorderDifference(place, f"{_type_text(x)} became {_type_text(y)}")
            if x.name != y.name and "" not in (x.name, y.name):
                yield BorderDifference(place, f"it is called {y.name!r}", meaning=False)


def border_changes(rows: Iterable[BorderRow]) -> list[BorderDifference]:
    """Returns how a conversion's inputs and outputs differ from its source's, such as in sign or scale."""
    sources = ((row, row.source) for row in rows)
    return [BorderDifference(f"{row.role} {old.name!r}", row.change) for row, old in sources if old and row.change]


def pair_rows(source: Model, conversion: Model) -> list[BorderRow]:
    """Returns a row for each input and output of a conversion's main graph, with what the source has in its place."""
    return [row for row in border_rows(conversion, {conversion.main: source.main}) if row.graph == conversion.main.name]


def _declared_type(model: Model, value: Value) -> Border | None:
    """Returns the type, quantization and layout of an input or output, or None if unknown.

    A TFLite or XNNPACK file declares them; a TOSA model records those of its source.
    """
    border = model.border(value)
    if model.opset == "tosa":
        return border
    return Border.of(value)._replace(permutation=border.permutation if border is not None else ())


def _type_text(border: Border) -> str:
    """Returns the type of an input or output as text without the shape, with scales to the last digit."""
    text = type_words(border.type.dtype, border.type.quant)
    return f"{text} permuted by {list(border.permutation)}" if border.permutation else text
