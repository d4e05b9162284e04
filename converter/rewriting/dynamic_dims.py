"""Sizes of unknown input dimensions: the smallest that converts is chosen, and the report says so."""

from collections.abc import Sequence
from typing import NamedTuple

from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import Model, Value
from tosa_converter.rewriting.pipeline import Pass, run_pipeline
from tosa_converter.rewriting.report import Note, Options, Report
from tosa_converter.rules.graph import find_problems

SIZES: tuple[int, ...] = tuple(2**i for i in range(1, 17))  # tried in turn, before the gap below is bisected
LARGE_ENOUGH = 1024  # for most models: one that fails as often with this size has another fault
Refusal = UnsupportedError | FormatError


class _Search(NamedTuple):
    """A model, and by input the axes of unknown size behind the batch."""

    model: Model
    passes: Sequence[Pass]
    options: Options
    shapes: dict[Value, tuple[int, ...]]
    axes: dict[Value, list[int]]

    def options_with(self, size: int) -> Options:
        """Returns the options with this size for every unknown dimension."""
        shapes = {
            value.name: tuple(size if i in axes else n for i, n in enumerate(self.shapes[value]))
            for value, axes in self.axes.items()
        }
        return self.options._replace(input_shapes={**self.options.input_shapes, **shapes})

    def count_failures(self, size: int) -> int:
        """Returns how many operators can't be converted with this size."""
        options = self.options_with(size)._replace(dump=None, trace=None)
        try:
            run_pipeline(self.model, self.passes, options, Report(), find_problems)
        except (UnsupportedError, FormatError) as error:
            return _count(error)
        return 0

    def find_smallest(self) -> int | None:
        """Returns the smallest size that converts, None if none of `SIZES` does.

        If 16 converts and 8 doesn't, the sizes between are bisected: a larger size is taken to convert where a smaller
        one does.
        """
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
        model: the source, which doesn't convert with the shapes that the file gives by default.
        passes: its pipeline.
        options: the user's.
        report: gets a note for each input.
        refusal: why the model doesn't convert.

    Raises:
        UnsupportedError, FormatError: `refusal`, where no dimension is unknown or no size helps.
    """
    shapes = {value: options.input_shapes.get(value.name) or size for value, size in model.default_shapes.items()}
    axes = {
        value: [i for i, size in enumerate(value.type.shape) if size is None and i > 0]
        for value in model.main.inputs
        if value in shapes and value.name not in options.input_shapes
    }
    search = _Search(model, passes, options, shapes, axes)
    if not any(axes.values()) or search.count_failures(LARGE_ENOUGH) >= _count(refusal):  # another fault
        raise refusal
    size = search.find_smallest()
    if size is None:
        raise refusal
    chosen = search.options_with(size)
    for name in (value.name for value in axes if axes[value]):
        shape = "x".join(map(str, chosen.input_shapes[name]))
        text = f"unknown dimensions have the smallest sizes that convert: [{shape}]; --input-shape gives others"
        report.notes.append(Note(f"input {name!r}", text))
    return chosen


def _count(error: Refusal) -> int:
    """Returns how many operators an error is about."""
    return len(error.places) if isinstance(error, UnsupportedError) else len(error.lines)
