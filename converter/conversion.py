"""From a source model to TOSA: the pipeline of its opset, then the checks of the target, and the report of both."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tosa_converter.display import html_of, short_line
from tosa_converter.errors import FormatError, UnsupportedError, UsageError, did_you_mean, list_names
from tosa_converter.execute.inputs import fits, named_inputs
from tosa_converter.ir import Border, BorderRow, Graph, Model, Op, Value, border_rows
from tosa_converter.ir.borders import INPUT
from tosa_converter.ir.edit import copy_model
from tosa_converter.ir.state_pairs import carry_over
from tosa_converter.options import require_choices
from tosa_converter.rewriting.passes.common_subexpressions import CommonSubexpressions
from tosa_converter.rewriting.passes.rank_reduction import RankReduction
from tosa_converter.rewriting.passes.reshape_propagation import ReshapePropagation
from tosa_converter.rewriting.passes.simplify import SIMPLIFY
from tosa_converter.rewriting.pipeline import Pass, run_pipeline
from tosa_converter.rewriting.report import Note, Options
from tosa_converter.rewriting.report import Report as Progress
from tosa_converter.rules.gate import remember_legal
from tosa_converter.rules.graph import find_problems, find_structure_problems, verify
from tosa_converter.rules.target import Target, needs

if TYPE_CHECKING:
    from tosa_converter.rewriting.passes.low_precision_floats import LowPrecisionFloats

MAX_SIZE = 0x7FFFFFFF  # of one dimension: TFLite's and TOSA's are 32 bits
Pipelines = Mapping[str, tuple[Pass, ...]]
Measure: TypeAlias = Callable[[Model, Model], Iterable[tuple[str, str]]]


class PassReport(NamedTuple):
    """The time and the result of one pass."""

    name: str
    seconds: float
    ops: int  # operators left, constants among them


class Report(NamedTuple):
    """The report of a conversion; counts of operators leave constants out."""

    numerics: str
    source_ops: Counter[str]
    tosa_ops: Counter[str]
    needs: Target
    notes: list[Note]
    passes: list[PassReport]
    seconds: float
    places: tuple[str, ...]  # of the source's operators
    graphs: dict[str, Graph]  # the result
    borders: Sequence[BorderRow] = ()  # what became of each input and output

    @property
    def source_map(self) -> dict[str, list[Op]]:
        """The TOSA operators by the location of the source operator that they compute, without constants.

        The list is empty if the operator needed none: its result was known, or another one computes it too.
        """
        ops_by_place: dict[str, list[Op]] = {place: [] for place in self.places}
        for op in _operators(self.graphs):
            ops_by_place.setdefault(op.location, []).append(op)
        return ops_by_place

    def __repr__(self) -> str:
        """Returns the counts of operators, numerics, needs and time in one line."""
        ops = f"{self.source_ops.total()} -> {self.tosa_ops.total()} operators"
        facts = f"{self.numerics} numerics, needs {self.needs}, {self.seconds * 1e3:.0f} ms"
        return short_line(f"<Report: {ops}, {facts}>")

    def _repr_html_(self) -> str:
        """Returns the report as HTML, as notebooks ask for it."""
        return html_of(self)


class Converted(Model):
    """A TOSA model with the report of its conversion."""

    __slots__ = ("report",)

    def __init__(self, model: Model, report: Report) -> None:
        """Makes a converted model of a model's fields and the report of its conversion."""
        super().__init__(
            model.graphs, model.signatures, model.metadata, model.source, model.default_shapes, model.opset
        )
        self.notes = model.notes
        self.states = model.states
        self.borders = model.borders
        self.report = report


def convert_model(
    model: Model,
    pipelines: Pipelines,
    options: Options,
    measure: Measure = lambda _exact, _model: (),
    *,
    original: Model | None = None,
) -> Converted:
    """Returns a model converted to TOSA by the passes of its opset, after the check of the target.

    If it is refused, sizes are chosen for the dimensions that it leaves open, and it is converted again.

    Args:
        model: the source, as a reader returns it.
        pipelines: the passes for each source opset.
        options: numerics, target, input shapes, another type of floats.
        measure: called if floats are narrowed, with the model in fp32 and the result; returns notes (place, text) on
            how much they differ.
        original: the model before options changed its inputs and outputs; `model` by default.

    Raises:
        UsageError: options that don't fit the model.
        UnsupportedError: operators that can't be converted, or a target that lacks what the model needs.
    """
    started = time.perf_counter()
    passes = () if model.opset == "tosa" else pipelines.get(model.opset)  # TOSA is only written in another format
    if passes is None:
        raise UsageError(f"{model.source}: a model of {model.opset} operators is not a source to convert")
    require_choices(options)
    options = options._replace(input_shapes=resolve_input_shapes(model, options.input_shapes))
    verify(model)
    progress = Progress()
    float_passes = _float_passes(options.float_type)
    passes = (*passes, *float_passes, *_matmul_passes(options.target), *_weight_passes(model, options))
    if options.dump:
        options.dump("import", model)
    try:
        converted = run_pipeline(model, passes, options, progress, find_problems)
    except (UnsupportedError, FormatError) as refused:
        from tosa_converter.rewriting.dynamic_dims import choose_sizes

        progress = Progress()
        options = choose_sizes(model, passes, options, progress, refused)
        if options.trace is not None:
            options.trace.clear()
        converted = run_pipeline(model, passes, options, progress, find_problems)
    originals: dict[Graph, Graph] = {}
    if model.opset != "tosa":
        converted.borders = dict(_source_borders(model, converted))
        graphs = (original or model).graphs
        originals = {graph: graphs[name] for name, graph in converted.graphs.items() if name in graphs}
        carry_over(model, converted)
    if len(converted.graphs) > 1:
        from tosa_converter.rewriting.signatures import rename_by_signatures

        converted = rename_by_signatures(converted)
    for step in float_passes:
        _require_narrowed(step, converted)
        progress.notes += [Note(*note) for note in measure(step.exact, converted)]
    return _with_report(model, converted, options, progress, started, originals)


def _float_passes(float_type: str) -> "list[LowPrecisionFloats]":
    """Returns the pass to fp16 or bf16, if the user asks for one, else []."""
    if not float_type:
        return []
    from tosa_converter.rewriting.passes.low_precision_floats import TYPES, LowPrecisionFloats

    return [LowPrecisionFloats(TYPES[float_type])]


def _require_narrowed(step: "LowPrecisionFloats", model: Model) -> None:
    """Raises UsageError if no operator computes in the type that the pass `step` narrows floats to.

    The user's option float would then have no effect.
    """
    values = (value for graph in model.graphs.values() for op in graph.walk() for value in op.results)
    if not any(value.type.dtype is step.dtype for value in values):
        raise UsageError(f"float: no operator of {model.source or 'the model'} computes in fp32: leave out {step.name}")


def _matmul_passes(target: Target | None) -> list[Pass]:
    """Returns the passes that replace convolutions by matrix products, if the target's preset asks for them."""
    if target is None or target.preset is None or not target.preset.products:
        return []
    from tosa_converter.rewriting.passes.conv_to_matmul import CONV_TO_MATMUL

    return [ReshapePropagation(), CONV_TO_MATMUL, CommonSubexpressions()]


def _weight_passes(source: Model, options: Options) -> list[Pass]:
    """Returns the passes that keep weights in the types of their file, if the user or the target asks for it.

    The first moves layouts in front of the operators that expand weights.
    """
    if options.weights != "stored" or source.opset == "tosa":
        return []
    from tosa_converter.rewriting.passes.stored_weights import StoredWeights, has_narrow_weights
    from tosa_converter.rewriting.passes.weight_layout import WEIGHT_LAYOUT

    return [WEIGHT_LAYOUT, StoredWeights(narrow=has_narrow_weights(source))]


def _with_report(
    source: Model,
    model: Model,
    options: Options,
    progress: Progress,
    started: float,
    originals: Mapping[Graph, Graph] | None = None,
) -> Converted:
    """Checks a converted model against the target, and returns it with the report of its conversion.

    `started` is the clock's time when the conversion began. `originals` has the source's graph for each graph of the
    model, for the report of inputs and outputs.
    """
    remember_legal(model)
    if options.target is not None and any(
        options.target.lacks(op) for graph in model.graphs.values() for op in graph.walk()
    ):
        from tosa_converter.rewriting.refusals import require_target

        require_target(model, options.target, source)
    if source.opset != "tosa":  # without any record, inputs X with an output X.next would count as state
        model.states = model.states or dict.fromkeys(model.graphs, ())
    sources = list(_operators(source.graphs))
    report = Report(
        options.numerics,
        _count_by_name(sources),
        count_ops(model),
        needs(model),
        [
            *(Note(*note) for note in source.notes),
            *(border_notes(model) if source.opset != "tosa" else ()),
            *progress.notes,
        ],
        [PassReport(*step) for step in progress.passes],
        time.perf_counter() - started,
        tuple([op.location for op in sources]),
        model.graphs,
        border_rows(model, originals),
    )
    return Converted(model, report)


def _source_borders(source: Model, model: Model) -> Iterator[tuple[Value, Border]]:
    """Yields each input and output of a conversion with its name and type in the source, then those of state.

    It is left out if the converted element type can't hold the source's elements.
    """
    for name in source.graphs.keys() & model.graphs.keys():
        old, new = source.graphs[name], model.graphs[name]
        pairs = (*zip(old.inputs, new.inputs, strict=False), *zip(old.outputs, new.outputs, strict=False))
        for value, converted in pairs:
            border = source.borders.get(value) or Border.of(value)
            if not border.fits(converted.type):  # the file's shape may be wrong where only a run knows it
                border = Border(border.name, border.type._replace(shape=converted.type.shape))
            if border.fits(converted.type):
                yield converted, border
    for name, states in model.states.items():
        values = {value.name: value for value in (*model.graphs[name].inputs, *model.graphs[name].outputs)}
        for state in states:
            for end in (state.input, state.output):
                if state.type is not None:
                    yield values[end], Border.of(Value(state.type, end))


def border_notes(model: Model) -> Iterator[Note]:
    """Yields a note for each input and output that differs from the source's in type or layout, and for state.

    Only state that the source keeps inside is noted; its callers know pairs that they carry themselves.
    """
    rows = border_rows(model)
    yield from (Note(row.place, row.change) for row in rows if row.change)
    inner = set(_inner_states(model))
    for row in rows:
        if row.state and row.role == INPUT and (row.graph, row.name) in inner:
            yield Note(row.place, f"state: a run's output {row.state!r} is the next run's input")


def _inner_states(model: Model) -> Iterator[tuple[str, str]]:
    """Yields (graph's name, callers' name of the input) for each input that is state inside the source."""
    for name, graph in model.graphs.items():
        inputs = {state.input for state in model.states.get(name, ()) if not state.carried}
        callers = model.caller_names(graph)
        yield from ((name, callers[value]) for value in graph.inputs if value.name in inputs)


def convert_from_tosa(
    model: Model,
    passes: Sequence[Pass],
    opset: str,
    progress: Progress | None = None,
    dump: Callable[[str, Model], None] | None = None,
) -> Model:
    """Returns a TOSA model converted to another opset by passes; its notes say what isn't exact.

    Args:
        model: legal TOSA; it stays as it is.
        passes: they may change graphs in place.
        opset: the result's opset.
        progress: a report that gets the passes with their times.
        dump: called with a name and the model after every pass.

    Raises:
        UsageError: a model of other operators.
        VerifyError: the model is illegal.
        UnsupportedError: operators that the other format doesn't have, all of them.
    """
    if model.opset != "tosa":
        raise UsageError(f"{model.source}: expected a model of TOSA operators, found one of {model.opset} operators")
    verify(model)
    progress = progress or Progress()
    result = run_pipeline(copy_model(model), passes, Options(dump=dump), progress, find_structure_problems)
    result.opset, result.edited = opset, True  # the source's file has another graph
    result.notes += progress.notes
    return result


PASSES: Mapping[str, Pass] = {
    step.name: step for step in (RankReduction(), ReshapePropagation(), SIMPLIFY, CommonSubexpressions())
}


def optimize(model: Model, passes: Sequence[str] = ()) -> Converted:
    """Runs passes from TOSA to TOSA on a copy of a model.

    Args:
        model: TOSA, legal but for the level's limits.
        passes: names of `PASSES`, in order; all of them when none is named.

    Raises:
        UsageError: a model of other operators, or a pass that there isn't.
        VerifyError: the model is illegal, or the result exceeds level 8K.
    """
    started = time.perf_counter()
    unknown = [name for name in passes if name not in PASSES]
    if unknown:
        similar = did_you_mean(unknown[0], PASSES)
        raise UsageError(f"expected passes of {', '.join(PASSES)}, found {', '.join(map(repr, unknown))}{similar}")
    if model.opset != "tosa":
        from shlex import quote

        raise UsageError(
            f"{model.source}: passes run on TOSA, this is a model of {model.opset} operators",
            f"next: convert it first: tflite-to-tosa {quote(model.source or 'MODEL')} -o model.tosa",
        )
    verify(model, level=None)  # ranks may be reduced to the level
    progress = Progress()
    optimized = run_pipeline(
        copy_model(model), [PASSES[name] for name in passes or PASSES], Options(), progress, find_problems
    )
    verify(optimized)
    return _with_report(model, optimized, Options(), progress, started)


def default_numerics(model: Model) -> str:
    """Returns the numerics where the user states none: xnnpack for XNNPACK's graphs, else reference."""
    return "xnnpack" if model.opset == "xnn" else "reference"


def count_ops(model: Model) -> Counter[str]:
    """Returns how often each operator occurs in a model, by name, without constants."""
    return _count_by_name(_operators(model.graphs))


def _count_by_name(ops: Iterable[Op]) -> Counter[str]:
    """Returns how often each operator occurs, by name; custom operators count by their code."""
    return Counter([op.attributes.get("custom_code") or op.name for op in ops])


def _operators(graphs: Mapping[str, Graph]) -> Iterator[Op]:
    """Yields every operator of some graphs and of their regions, without constants and declarations."""
    for graph in graphs.values():
        for op in graph.walk():
            if not op.declares:
                yield op


def resolve_input_shapes(model: Model, shapes: Mapping[str, Sequence[int]]) -> dict[str, tuple[int, ...]]:
    """Returns the user's input shapes by the names of the graphs' inputs, after a check that they fit.

    If inputs of several graphs have the name, the shape is for those that it fits.

    Raises:
        UsageError: there is no such input, or the shape doesn't fit it.
    """
    every = [named_inputs(model, graph) for graph in model.graphs.values()]
    resolved: dict[str, tuple[int, ...]] = {}
    for name, shape in shapes.items():
        values = [inputs[name] for inputs in every if name in inputs]
        if not values:
            names = sorted({name for inputs in every for name in inputs})
            there_are = list_names(names) + did_you_mean(name, names)
            raise UsageError(f"input shape: no input is called {name!r}; there are {there_are}")
        fitting = [value.name for value in values if _fits_input(value, shape)]
        if not fitting:
            raise UsageError(f"input shape: expected a shape of {values[0].type} for {name!r}, found {list(shape)}")
        resolved.update(dict.fromkeys(fitting, tuple(shape)))
    return resolved


def _fits_input(value: Value, shape: Sequence[int]) -> bool:
    """Returns whether an input can have a shape: it fits the input's type, and its sizes are in 1 to MAX_SIZE."""
    return fits(tuple(shape), value.type) and all(0 < size <= MAX_SIZE for size in shape)
