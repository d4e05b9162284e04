"""Runs that are saved and compared later: the arrays of a comparison, and outputs that were computed elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tosa_converter.engines import Arrays
from tosa_converter.errors import UsageError
from tosa_converter.ir import Array, Model
from tosa_converter.proof.judgement import Runs
from tosa_converter.proof.output_names import number_of_array, output_names, output_numbers

_OPTION = "--load-outputs (loaded)"


@dataclass(slots=True)
class RunArrays:
    """The inputs and outputs of one comparison's runs: arrays as they are of one run, [runs, ...] of several.

    Runs over several steps have [steps, ...] and [runs, steps, ...].
    """

    inputs: dict[str, Array] = field(default_factory=dict)  # by the source's input names
    outputs: dict[str, dict[str, Array]] = field(default_factory=dict)  # by engine, by the source's output names
    signature: str = ""  # of the graph that was run, where a model has several

    def add_inputs(self, sets: Sequence[Arrays]) -> None:
        """Adds the inputs of all runs."""
        self.inputs = {name: _stack(f"input {name!r}", [arrays[name] for arrays in sets]) for name in sets[0]}

    def add_outputs(self, engine: str, model: Model, runs: Runs) -> None:
        """Adds the outputs of all runs of an engine, under its name.

        If the name is taken, because one engine runs the source and then its conversion, the name is ENGINE-conversion.
        """
        names = output_names(model)
        stacks = {name: _stack(f"output {name!r}", [run[i] for run in runs]) for i, name in enumerate(names)}
        self.outputs[f"{engine}-conversion" if engine in self.outputs else engine] = stacks


def _stack(subject: str, arrays: Sequence[Array]) -> Array:
    """Returns the arrays of several runs as one, [runs, ...]; the array of a single run as it is.

    Raises UsageError if their shapes differ.
    """
    if len(arrays) == 1:
        return arrays[0]
    shapes = list(dict.fromkeys(np.shape(array) for array in arrays))
    if len(shapes) > 1:
        texts = " and ".join(str(list(shape)) for shape in shapes[:2])
        raise UsageError(f"{subject} can't be saved: expected one shape in all runs, found {texts}; save single runs")
    return np.stack(arrays)


def loaded_runs(run: str, arrays: Mapping[str, Array], model: Model, references: Runs) -> Runs:
    """Returns the outputs of a run made elsewhere as an engine gives them: by run, by output.

    Args:
        run: its name, such as that of its file.
        arrays: by the names of the model's outputs, or arr_0, arr_1, ... by position.
        model: the source.
        references: the source's own outputs, whose shapes and types the arrays must have.

    Raises:
        UsageError: an array too many or too few, or one of another shape or type.
    """
    numbered = _by_number(run, arrays, model)
    names = output_names(model)
    absent = [name for i, name in enumerate(names) if i not in numbered]
    if absent:
        raise UsageError(f"{_OPTION} {run}: expected an array for output {absent[0]!r}, found none")
    columns = [_of_runs(f"{run}[{names[i]}]", numbered[i], [runs[i] for runs in references]) for i in range(len(names))]
    return [[column[i] for column in columns] for i in range(len(references))]


def _by_number(run: str, arrays: Mapping[str, Array], model: Model) -> dict[int, Array]:
    """Returns arrays by the positions of the outputs that they are for; `run` is for errors.

    Raises UsageError for a name of no output, or two arrays for one.
    """
    numbered: dict[int, Array] = {}
    for name, array in arrays.items():
        number = number_of_array(model, name)
        if number is None:
            names = ", ".join(map(repr, output_numbers(model)))
            raise UsageError(f"{_OPTION} {run}: expected arrays for outputs {names}, found one for {name!r}")
        if number in numbered:
            raise UsageError(
                f"{_OPTION} {run}: expected one array for output {number}, found two, one of them {name!r}"
            )
        numbered[number] = np.asarray(array)
    return numbered


def _of_runs(place: str, array: Array, references: Sequence[Array]) -> list[Array]:
    """Returns one output's saved array split by run, its bits read in the type of the references.

    Raises UsageError for another shape, or for a type whose bits don't mean the same.
    """
    shape, dtype, count = np.shape(references[0]), references[0].dtype, len(references)
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    shapes = [(count, *shape)] if count > 1 else [shape, (1, *shape)]
    # TOSA's integers have no sign, and numpy saves bf16 as raw bytes: only the bits of these are compared.
    kinds = {array.dtype.kind, dtype.kind}
    is_view = array.dtype == dtype or (array.dtype.itemsize == dtype.itemsize and (kinds <= {*"iu"} or kinds == {"V"}))
    is_short = array.dtype == np.int32 and dtype == np.int64  # as a conversion has it
    if array.shape not in shapes or not (is_view or is_short):
        runs = f" of {count} runs" if count > 1 else " of one run"
        raise UsageError(
            f"{_OPTION} {place}: expected {dtype}{list(shapes[0])}{runs}, found {array.dtype}{list(array.shape)}"
        )
    if any(np.shape(reference) != shape for reference in references):
        raise UsageError(f"{_OPTION} {place}: expected one shape in all runs, found several; load single runs")
    array = array.view(dtype) if is_view else array
    return list(array if array.shape == (count, *shape) else array[None])
