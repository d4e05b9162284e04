"""Sizes of inputs that neither the file nor the user states: the smallest that converts is taken, and told."""

from collections.abc import Sequence
from typing import NamedTuple

from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import Model, Value
from tosa_converter.rewriting.pipeline import Pass, run_pipeline
from tosa_converter.rewriting.report import Note, Options, Report
from tosa_converter.rules.graph import find_problems

LENGTHS: tuple[int, ...] = tuple(2**i for i in range(1, 17))  # what is tried in turn
USUAL = 1024
Refusal = UnsupportedError | FormatError


class _Search(NamedTuple):
    """A model, and the axes of its inputs that are open: unknown ones behind the batch."""

    model: Model
    passes: Sequence[Pass]
    options: Options
    shapes: dict[Value, tuple[int, ...]]
    axes: dict[Value, list[int]]

    def sized(self, size: int) -> Options:
        """The options with that size for all of them."""
        chosen = {
            value.name: tuple(size if i in axes else n for i, n in enumerate(self.shapes[value]))
            for value, axes in self.axes.items()
        }
        return self.options._replace(input_shapes={**self.options.input_shapes, **chosen})

    def failures(self, size: int) -> int:
        """How many operators can't be converted then."""
        try:
            options = self.sized(size)._replace(dump=None, trace=None)
            run_pipeline(self.model, self.passes, options, Report(), find_problems)
        except (UnsupportedError, FormatError) as error:
            return _count(error)
        return 0

    def smallest(self) -> int | None:
        """The smallest size that converts, if one of `LENGTHS` does."""
        high = next((size for size in LENGTHS if not self.failures(size)), None)
        if high is None:
            return None
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.failures(middle) else (low, middle)
        return high


def lengthened(model: Model, passes: Sequence[Pass], options: Options, report: Report, refused: Refusal) -> Options:
    """The options with the smallest size that converts, which the report tells.

    Args:
        model: the source, which doesn't convert with the shapes that the file gives by default.
        passes: its pipeline.
        options: the user's.
        report: gets a note for each input.
        refused: why it doesn't.

    Raises:
        UnsupportedError, FormatError: `refused`, where no size is open or helps.
    """
    shapes = {value: options.input_shapes.get(value.name) or size for value, size in model.default_shapes.items()}
    axes = {
        value: [i for i, size in enumerate(value.type.shape) if size is None and i > 0]
        for value in model.main.inputs
        if value in shapes and value.name not in options.input_shapes
    }
    search = _Search(model, passes, options, shapes, axes)
    if not any(axes.values()) or search.failures(USUAL) >= _count(refused):  # the shapes aren't what is wrong
        raise refused
    size = search.smallest()
    if size is None:
        raise refused
    found = search.sized(size)
    for value in (value for value in axes if axes[value]):
        shape = "x".join(map(str, found.input_shapes[value.name]))
        report.notes.append(Note(f"input {value.name!r}", f"[{shape}] is the smallest that converts; none was given"))
    return found


def _count(error: Refusal) -> int:
    return len(error.places) if isinstance(error, UnsupportedError) else len(error.lines)
