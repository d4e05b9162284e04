"""Chooses sizes for unknown input dimensions: the smallest for which a model converts."""

from collections.abc import Sequence
from typing import NamedTuple

from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import Model, Value
from tosa_converter.rewriting.pipeline import Pass, run_pipeline
from tosa_converter.rewriting.report import Note, Options, Report
from tosa_converter.rules.graph import find_problems

SIZES: tuple[int, ...] = tuple(2**i for i in range(1, 17))  # tried in turn; the gap below the first success is bisected
LARGE_ENOUGH = 1024  # enough for most models: one that fails as often with this size has another fault
Refusal = UnsupportedError | FormatError


class _Search(NamedTuple):
    """A search for sizes: the model, and by input the axes of unknown size other than the batch."""

    model: Model
    passes: Sequence[Pass]
    options: Options
    shapes: dict[Value, tuple[int, ...]]
    axes: dict[Value, list[int]]

    def options_with(self, size: int) -> Options:
        """Returns the options with `size` in place of every dimension of the inputs that is unknown."""
        shapes = {
            value.name: tuple(size if i in axes else n for i, n in enumerate(self.shapes[value]))
            for value, axes in self.axes.items()
        }
        return self.options._replace(input_shapes={**self.options.input_shapes, **shapes})

    def count_failures(self, size: int) -> int:
        """Returns how many operators can't be converted with this size for all unknown dimensions."""
        options = self.options_with(size)._replace(dump=None, trace=None)
        try:
            run_pipeline(self.model, self.passes, options, Report(), find_problems)
        except (UnsupportedError, FormatError) as error:
            return _count_operators(error)
        return 0

    def find_smallest(self) -> int | None:
        """Returns the smallest size that converts, None if none of `SIZES` does.

        The search assumes that a larger size converts where a smaller one does.
        """
        # For a smallest size of 11: 2, 4 and 8 fail, 16 converts. Between 8 and 16, 12 converts, 10 fails, 11 converts.
        # At most 16 sizes are tried in turn and 15 by bisection, each by a conversion.
        high = next((size for size in SIZES if not self.count_failures(size)), None)
        if high is None:
            return None
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.count_failures(middle) else (low, middle)
        return high


def choose_sizes(model: Model, passes: Sequence[Pass], options: Options, report: Report, refusal: Refusal) -> Options:
    """Returns the options with the smallest size that converts for every unknown dimension of the inputs.

    Args:
        model: the source, which doesn't convert with its default shapes.
        passes: the passes of its conversion.
        options: the user's options.
        report: the report, which gets a note for each input.
        refusal: the error of the conversion with default shapes.

    Raises:
        UnsupportedError, FormatError: `refusal`, if no dimension is unknown or no size helps.
    """
    shapes = {value: options.input_shapes.get(value.name) or size for value, size in model.default_shapes.items()}
    # The axes of unknown size, but the batch, whose default size stays.
    axes = {
        value: [i for i, size in enumerate(value.type.shape) if size is None and i > 0]
        for value in model.main.inputs
        if value in shapes and value.name not in options.input_shapes
    }
    search = _Search(model, passes, options, shapes, axes)
    # If as many operators fail with large dimensions, the default sizes aren't the reason.
    if not any(axes.values()) or search.count_failures(LARGE_ENOUGH) >= _count_operators(refusal):
        raise refusal
    size = search.find_smallest()
    if size is None:
        raise refusal
    chosen = search.options_with(size)
    for name in (value.name for value in axes if axes[value]):
        shape = "x".join(map(str, chosen.input_shapes[name]))
        text = f"unknown dimensions have the smallest sizes that convert: [{shape}]; --input-shape sets other sizes"
        report.notes.append(Note(f"input {name!r}", text))
    return chosen


def _count_operators(error: Refusal) -> int:
    """Returns the number of operators that an error lists: of its places, or of a FormatError's lines."""
    return len(error.places) if isinstance(error, UnsupportedError) else len(error.lines)
