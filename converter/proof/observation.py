"""Runs that keep the values between operators: a source's in LiteRT, its conversion's in this package's executor.

`ObservedRun` holds both sides of one run. A value of the conversion is looked at twice: in the whole run, where earlier
differences go on, and alone, computed from LiteRT's values of what its operator reads.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

from tosa_converter.engines import Arrays
from tosa_converter.engines.engine import initial_states, run_with_state
from tosa_converter.engines.executor import Executor
from tosa_converter.engines.litert import LiteRT
from tosa_converter.errors import UnsupportedError
from tosa_converter.execute.limits import SECONDS
from tosa_converter.execute.plan import Context, Executable
from tosa_converter.formats import encode
from tosa_converter.ir import Array, Graph, Model, Value, unique_names
from tosa_converter.ir.edit import copy_model, cut_at
from tosa_converter.proof.compare import FLOAT_TOLERANCE
from tosa_converter.proof.input_sets import rename_inputs
from tosa_converter.proof.judgement import Judgement, judge
from tosa_converter.proof.matching import label_operators, match_values
from tosa_converter.proof.places import NO_NUMBERS, NextStates, Place, computing_ops, find_places, next_states
from tosa_converter.proof.tflite_run import ObservableRun, TfliteRun

Oracle = LiteRT | Executor  # runs a source, and keeps its values
Undefined = Callable[[Model, LiteRT, Mapping[str, Array]], Mapping[Value, Array]]


def observe_source(source: Model, oracle: Oracle, steps: Sequence[Arrays], following: NextStates) -> dict[Value, Array]:
    """Maps values to what LiteRT computed in the last of some runs: results, and variables before and after it.

    Args:
        source: a TFLite model.
        oracle: LiteRT with kernels that keep every tensor.
        steps: the inputs of each run by the source's names.
        following: values for the variables that the run leaves, from `next_states`.
    """
    computed = [value for op in computing_ops(source.main) for value in op.results]
    results = [value for value in computed if value.type.dtype not in NO_NUMBERS]
    states = [pair for pairs in following.values() for pair in pairs]
    variables = [before.name for before, _ in states]
    tensors = observe_tensors(source, oracle, steps, [*(value.name for value in results), *variables])
    values = {value: tensors[value.name] for value in results if value.name in tensors}
    values |= {after: tensors[before.name] for before, after in states if before.name in tensors}
    if states and len(steps) > 1:
        # LiteRT shows tensors after a run only: what the last of 3 steps begins with is what a run of the first 2
        # leaves.
        tensors = observe_tensors(source, oracle, steps[:-1], variables)
        values |= {before: tensors[before.name] for before, _ in states if before.name in tensors}
    return values


def observe_tensors(source: Model, oracle: Oracle, steps: Sequence[Arrays], names: Sequence[str]) -> dict[str, Array]:
    """Returns the source's tensors of these names after the last of some runs.

    LiteRT doesn't return tensors whose name repeats or holds a NUL, which ends names there. Such tensors are read from
    a copy of the file in which they have other names. They are left out if the copy can't be written, or if the kernels
    don't keep intermediate tensors (BUILTIN).
    """
    _, tensors = oracle.run_observed_steps(source, steps, names)
    missing = [name for name in names if name not in tensors]
    if missing and isinstance(oracle, LiteRT) and oracle.resolver != "BUILTIN":
        renamed, stand_ins = _with_other_names(source, missing)
        with suppress(UnsupportedError):  # not every file can be written
            content = b"".join(map(bytes, encode(renamed, ".tflite")))
            _, further = oracle.run_observed_steps(source, steps, [*stand_ins], content=content)
            tensors |= {stand_ins[name]: array for name, array in further.items()}
    return tensors


def _with_other_names(source: Model, names: Sequence[str]) -> tuple[Model, dict[str, str]]:
    """Returns a copy of a model in which the tensors `names` have new, unique names, and the old names by the new.

    LiteRT gives tensors by name, which fails for names that repeat or hold a NUL.
    """
    copy = copy_model(source)
    renamed = set(names)
    values = [value for op in copy.main.ops for value in op.results if value.name in renamed]
    taken = {value.name for op in copy.main.ops for value in op.results}
    stand_ins = unique_names((f"tensor {i}" for i in range(len(values))), taken)
    originals = {}
    for value, stand_in in zip(values, stand_ins, strict=True):
        originals[stand_in], value.name = value.name, stand_in
    return copy, originals


class ConversionRun(ObservableRun):
    """The last of several runs of a conversion in the executor, with the state that it begins with.

    Args:
        model: of TOSA operators.
        steps: the inputs of each run by the model's names.
        values: of its main graph, those to keep.
        limit: seconds that a run may take by an estimate.
    """

    def __init__(self, model: Model, steps: Sequence[Arrays], values: Iterable[Value], limit: float) -> None:
        """Runs all steps but the last, and keeps the state and the inputs with which the last one begins."""
        self.model, self.limit = model, limit
        self.context = Context()
        self.inputs = {**initial_states(model), **steps[-1]}
        if len(steps) > 1:
            executable = Executable(model.main, limit=limit)
            runs = run_with_state(model, steps[:-1], lambda _, arrays: executable.run(arrays, context=self.context))
            self.inputs |= {state.input: runs[-1][state.output] for state in model.main_states}
        self.observe(values)

    @cached_property
    def values(self) -> dict[Value, Array]:
        """Maps the observed values to the arrays that the conversion computes in the whole run.

        Observed constants and inputs (`fixed`) have their own arrays.
        """
        executable = Executable(self.model.main, keep=self.computed, limit=self.limit)
        results = executable.run(self.inputs, context=self.fresh_context())
        return {**{value: results[executable.names[value]] for value in self.computed}, **self.fixed}

    def fresh_context(self) -> Context:
        """Returns a copy of the variables with which the run begins, so that no run changes them for the next."""
        return Context(dict(self.context.variables), dict(self.context.declared))

    def run_part(self, graph: Graph, _clones: Mapping[Value, Value], arrays: Sequence[Array]) -> list[Array]:
        """Runs `graph`, a clone of a part of the main graph, and returns its outputs.

        `arrays` has its inputs in order. `_clones` serves runs of TFLite files only.
        """
        executable = Executable(graph, limit=self.limit)
        results = executable.run(arrays, context=self.fresh_context())
        return [results[executable.names[value]] for value in graph.outputs]

    def values_from(self, arrays: Mapping[Value, Array], keep: Sequence[Value] = ()) -> dict[Value, Array]:
        """Runs the conversion with `arrays` in place of some of its own values, wherever operators read these.

        Returns by value what the conversion itself computes for each replaced value, the values in `keep`, and the
        observed constants and inputs. The graph is cut at the replaced values: their `stand_ins` are inputs.
        """
        piece = cut_at(self.model.main, [value for value in self.computed if value in arrays])
        inputs = {value.name: arrays.get(value, self.inputs[value.name]) for value in self.model.main.inputs}
        inputs |= {name: arrays[value] for value, name in piece.stand_ins.items()}
        clones = dict(zip(_results(self.model.main), _results(piece.graph), strict=True)) if keep else {}
        extra = {value: clones[value] for value in keep if value not in piece.computed}
        executable = Executable(piece.graph, keep=list(extra.values()), limit=self.limit)
        results = executable.run(inputs, context=self.fresh_context())
        values = {value: results[name] for value, name in piece.computed.items()}
        values |= {value: results[executable.names[clone]] for value, clone in extra.items()}
        return {**self.fixed, **values}


def _results(graph: Graph) -> list[Value]:
    """Returns the results of all operators of a graph, in order."""
    return [value for op in graph.ops for value in op.results]


FileRun = ConversionRun | TfliteRun


class ObservationOptions(NamedTuple):
    """How runs of both sides are observed and judged.

    Attributes:
        undefined: returns, by value, the elements that LiteRT leaves open, from all its tensors by name.
        tolerance: on floats, relative to the largest element of the source's value.
        limit: seconds of the executor.
        matching: match values that neither names nor origins tell, as in a file of another tool.
    """

    undefined: Undefined = lambda _source, _oracle, _tensors: {}
    tolerance: float = FLOAT_TOLERANCE
    limit: float = SECONDS
    matching: bool = False


DEFAULT_OPTIONS = ObservationOptions()


class ObservedRun:
    """The last of several runs of a source and of its conversion, value by value.

    Args:
        source: a TFLite model, or one of TOSA in which every value has a name of its own.
        oracle: LiteRT with kernels that keep every tensor, or the executor.
        model: its conversion, or another file with its inputs and outputs in order.
        steps: the inputs of each run by the source's names.
        options: see `ObservationOptions`.
    """

    def __init__(
        self,
        source: Model,
        oracle: Oracle,
        model: Model,
        steps: Sequence[Arrays],
        options: ObservationOptions = DEFAULT_OPTIONS,
    ) -> None:
        """Runs the source in LiteRT, keeps its values, and finds the conversion's value that holds each of them.

        The conversion's own run, `conversion`, is only prepared. `following` has values for what operators leave in
        variables. With `options.matching`, values that names don't tell are matched by their elements, and `note` says
        how.
        """
        self.source, self.oracle, self.steps, self.tolerance = source, oracle, steps, options.tolerance
        self.model = copy_model(model) if options.matching else model  # matched operators get other locations
        self.following = next_states(source.main)
        self.values = observe_source(source, oracle, steps, self.following)
        tensors = {**steps[-1], **{value.name: array for value, array in self.values.items()}}
        self.undefined = options.undefined(source, oracle, tensors) if isinstance(oracle, LiteRT) else {}
        inputs = [rename_inputs(source, self.model, arrays) for arrays in steps]
        self.places_by_value = find_places(source, self.model, self.following)
        self.note = ""
        self.conversion: FileRun
        if self.model.opset == "tfl":
            self.conversion = TfliteRun(self.model, inputs[-1])
        else:
            self.conversion = ConversionRun(self.model, inputs, (), options.limit)
        if options.matching:
            self.places_by_value, self.note = match_values(
                source, self.values, self.conversion, self.places_by_value, options.tolerance
            )
            label_operators(self.model.main, self.places_by_value)
        self.places = [place for places in self.places_by_value.values() for place in places]
        self.conversion.observe(place.value for place in self.places)

    @property
    def engine(self) -> str:
        """Returns the name of the engine that runs the conversion."""
        return "executor" if isinstance(self.conversion, ConversionRun) else self.conversion.engine.name

    def source_elements(self, place: Place) -> Array | None:
        """Returns LiteRT's array of a place in the type and shape of the conversion's value.

        None if LiteRT gave none, or it doesn't fit.
        """
        array = self.values.get(place.source)
        return None if array is None else place.from_source(array)

    def values_alone(self) -> dict[Value, Array]:
        """Returns the conversion's values, each computed from LiteRT's values instead of its own intermediate results.

        A difference then belongs to the operator itself.
        """
        elements = {place.value: self.source_elements(place) for place in self.places}
        return self.conversion.values_from({value: array for value, array in elements.items() if array is not None})

    def judge(self, arrays: Mapping[Value, Array]) -> dict[Value, Judgement]:
        """Compares the conversion's arrays with LiteRT's; returns a judgement by source value.

        If the conversion holds a value in several places, the worst judgement counts.
        """
        judgements: dict[Value, Judgement] = {}
        for place in self.places:
            if place.value in arrays and self.source_elements(place) is not None:
                judgement = self.judge_place(place, arrays[place.value])
                worst = judgements.get(place.source, judgement)
                judgements[place.source] = max(worst, judgement, key=lambda row: (row.max_abs, row.undefined))
        return judgements

    def judge_place(self, place: Place, array: Array) -> Judgement:
        """Compares an array of the conversion with LiteRT's array of the source's value that it corresponds to."""
        reference = self.values[place.source]
        return judge(reference, place.to_source(array, reference), self.tolerance, self.undefined.get(place.source))

    def conversion_value(self, value: Value) -> Array | None:
        """Returns the conversion's array for a value of the source in the whole run, in the source's shape and type.

        If the conversion doesn't hold the value, returns LiteRT's array, or None if LiteRT kept none.
        """
        arrays = self.conversion.values
        for place in self.places_by_value.get(value, ()):
            if place.value in arrays and self.source_elements(place) is not None:
                return place.to_source(arrays[place.value], self.values[value])
        return self.values.get(value)
