"""Runs of a source: its reference on sets of inputs, and the other kernels that LiteRT has for it."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.engines import ENGINES, Arrays, Engine
from tosa_converter.engines.builtin_form import builtin_form
from tosa_converter.engines.litert import RESOLVERS, LiteRT, content_of
from tosa_converter.engines.stepped import MultiStepEngine, with_same_steps
from tosa_converter.errors import ConverterError
from tosa_converter.ir import Array, Model
from tosa_converter.proof.input_sets import rename_inputs
from tosa_converter.proof.judgement import Runs
from tosa_converter.proof.rounding import has_rounding, move_constants, move_floats, quantizes_at_run_time
from tosa_converter.schemas.tfl_ops import BOUND

# Whether a rounding flips is chance. One that flips in a part p of all runs is missed by all of 8 runs with (1 - p)**8:
# 0.4 % for p = 1/2, 10 % for p = 1/4.
MOVED_RUNS = 2  # runs of the reference on inputs moved by a rounding
FLIP_RUNS = 8  # more of them, in the quickest kernels
XNNPACK = "litert-xnnpack"

Outputs: TypeAlias = list[Array]


class SourceRuns:
    """The reference outputs of a source on sets of inputs, to which more sets can be added.

    Args:
        source: the model as it was read.
        oracle: the engine that runs it, which may take several steps for one set.
        model: its conversion, by whose names the inputs are kept too.
        further: makes the i-th set of inputs.
    """

    def __init__(
        self, source: Model, oracle: Engine, model: Model, further: Callable[[int], Arrays] | None = None
    ) -> None:
        """Prepares to hold a source's inputs and reference outputs; `add` runs the source.

        `further` makes the inputs of set i where more sets are needed.
        """
        self.source, self.oracle, self.model, self.further = source, oracle, model, further
        self.steps = oracle.steps if isinstance(oracle, MultiStepEngine) else 0
        self.kernels = oracle.engine if isinstance(oracle, MultiStepEngine) else oracle  # that runs one step
        self.inputs: list[tuple[Arrays, Arrays]] = []  # by the source's names, by the conversion's
        self.outputs: Runs = []

    def add(self, inputs: Iterable[Arrays]) -> None:
        """Runs the source on more sets of inputs, and keeps these and the outputs."""
        for arrays in inputs:
            self.inputs.append((arrays, rename_inputs(self.source, self.model, arrays)))
            self.outputs.append(list(self.oracle.run(self.source, arrays).values()))

    def extend(self, count: int, total: int) -> None:
        """Adds sets of inputs until there are `total`: by `further`, or the first `count` moved by one ulp.

        Without `further` only floats are moved, and no set is added if no input is a float.
        """
        floats = any(value.type.dtype.is_float for value in self.source.main.inputs)
        for i in range(len(self.inputs), total):
            if self.further is not None:
                self.add([self.further(i)])
            elif floats:
                self.add([move_floats(self.inputs[i % count][0], count, i)])

    @cached_property
    def has_bounds(self) -> bool:
        """Whether outputs of the conversion may have more rows than the source's, as padding (option --bound)."""
        return any(BOUND in op.attributes for graph in self.source.graphs.values() for op in graph.walk())

    def run_conversion(self, engine: Engine, first: int, last: int) -> Runs:
        """Returns the conversion's outputs on the sets of inputs from `first` to before `last`.

        Rows that the option --bound appends as padding are cut off.
        """
        results = [list(engine.run(self.model, arrays).values()) for _, arrays in self.inputs[first:last]]
        if not self.has_bounds:
            return results
        pairs = zip(results, self.outputs[first:last], strict=True)
        return [[_without_padding(*arrays) for arrays in zip(run, reference, strict=True)] for run, reference in pairs]


def _without_padding(result: Array, reference: Array) -> Array:
    """Returns a result cut to the reference's shape, without the rows that the option --bound appends.

    It stays as it is if a dimension is smaller or the rank differs.
    """
    pairs = zip(result.shape, reference.shape, strict=False)
    if result.ndim != reference.ndim or any(ours < theirs for ours, theirs in pairs):
        return result
    return np.asarray(result[tuple(slice(size) for size in reference.shape)])


# ** the source in other kernels, and on inputs moved by a rounding **


class SourceRun(NamedTuple):
    """A run of the source to compare with its reference; `run` returns the outputs, or None if it can't be run."""

    name: str
    run: Callable[[], Outputs | None]


def other_runs(runs: SourceRuns, number: int, missing: dict[str, str]) -> Iterator[SourceRun]:
    """Yields runs of the source in other kernels and on moved inputs, which show how far rounding moves its outputs.

    Moved inputs run in the reference's own kernels (`MOVED_RUNS`), and in LiteRT's quickest ones (`FLIP_RUNS`). If the
    source rounds to integers, its constants are moved too.

    Args:
        runs: of the source.
        number: of the set of inputs.
        missing: gets an entry for each kind of run that can't be made, with the reason.
    """
    source, oracle, arrays = runs.source, runs.oracle, runs.inputs[number][0]
    quickest = oracle
    if isinstance(runs.kernels, LiteRT):
        quickest = next(
            (with_same_steps(oracle, engine) for engine in litert_engines() if engine.takes(source)), oracle
        )
        yield from _in_other_kernels(runs, runs.kernels, arrays, missing)
    else:
        missing["other kernels"] = f"{oracle.name} has none"
    rounding = has_rounding(source)
    if not rounding and not any(value.type.dtype.is_float for value in source.main.inputs):
        missing["moved inputs"] = "no input is a float"
        return
    subject = "inputs and constants" if rounding else "inputs"
    # If both are the same kernels, there is one entry, the last one.
    for engine, count in {quickest.name: (quickest, FLIP_RUNS), oracle.name: (oracle, MOVED_RUNS)}.values():
        for i in range(count):
            run = partial(_outputs_of_moved, engine, source, arrays, i, constants=rounding)
            yield SourceRun(f"{engine.name}, {subject} changed by 1 ulp ({i})", run)


def _in_other_kernels(
    runs: SourceRuns, kernels: LiteRT, arrays: Arrays, missing: dict[str, str]
) -> Iterator[SourceRun]:
    """Yields a run of the source in each of LiteRT's other sets of kernels.

    Kernels that lack a custom operator run a form of the source that has builtin operators in its place. If there is no
    such form, or a run takes several steps, the kernels are noted in `missing`.
    """
    form = builtin_form(content_of(runs.source))
    for engine in litert_engines():
        if engine.name == runs.oracle.name:
            continue
        if engine.takes(runs.source):
            yield SourceRun(
                engine.name, partial(_outputs_of, with_same_steps(runs.oracle, engine), runs.source, arrays)
            )
        elif form and kernels is runs.oracle:
            yield SourceRun(engine.name, partial(_outputs_of_form, engine, kernels, runs.source, form, arrays))
        else:
            missing[engine.name] = "it lacks a custom operator"


def litert_engines() -> list[LiteRT]:
    """Returns LiteRT with each set of its kernels, the quickest first."""
    return [engine for name in reversed(RESOLVERS) if isinstance(engine := ENGINES[name], LiteRT)]


def _outputs_of(engine: Engine, source: Model, arrays: Arrays) -> Outputs:
    """Returns the outputs of one run of a source, in order."""
    return list(engine.run(source, arrays).values())


def _outputs_of_form(engine: LiteRT, oracle: LiteRT, source: Model, form: bytes, arrays: Arrays) -> Outputs:
    """Returns the outputs of kernels that lack a custom operator, run on `form`, a form of the source without it.

    The form has builtin operators in its place. The oracle's kernels have the custom operator, and must give the same
    bits for the source and for the form.
    """
    outputs = _outputs_of(oracle, source, arrays), oracle.run(source, arrays, content=form).values()
    if any(a.tobytes() != b.tobytes() for a, b in zip(*outputs, strict=True)):
        raise ConverterError(f"{oracle.name} gives other bits for the custom operator's builtin form")
    return list(engine.run(source, arrays, content=form).values())


def _outputs_of_moved(engine: Engine, source: Model, arrays: Arrays, seed: int, *, constants: bool) -> Outputs:
    """Returns the outputs of a run on inputs whose floats are moved by one unit in the last place, at random.

    With `constants` the source's float constants are moved by a rounding too.
    """
    return _outputs_of(engine, move_constants(source, seed) if constants else source, move_floats(arrays, seed))


def same_arithmetic(model: Model, engine: Engine, oracle: Engine) -> bool:
    """Returns whether two of LiteRT's kernels compute a model's operators by one definition, up to rounding.

    XNNPACK quantizes the floats of a dynamic-range layer with a zero point, LiteRT's own kernels without one. The
    results are 0.5 % apart, which isn't rounding. If it counted as rounding, an error of 1 % in a layer's scales would
    be accepted.
    """
    hybrid = any(quantizes_at_run_time(op) for graph in model.graphs.values() for op in graph.walk())
    return not hybrid or (engine.name == XNNPACK) == (oracle.name == XNNPACK)
