"""Comparisons of a source with its conversion, and of any two models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial as partially
from os import PathLike
from typing import Any

from tosa_converter.api.converting import convert, prepared
from tosa_converter.api.loading import Source, load, loaded
from tosa_converter.api.running import adversarial_sets, ranges_by_input
from tosa_converter.conversion import border_notes
from tosa_converter.engines import CHAIN, ENGINES, begun, chained, engine_for, engines_for
from tosa_converter.engines.litert import LiteRT
from tosa_converter.engines.stepped import Stepped
from tosa_converter.errors import UsageError
from tosa_converter.execute.limits import SECONDS
from tosa_converter.extraction import extract
from tosa_converter.inspection import pieces
from tosa_converter.ir import Array, Model
from tosa_converter.legalize.tflite.undefined import open_elements, substituted
from tosa_converter.options import ConvertOptions, InputOptions, listed, picked
from tosa_converter.proof import input_sets
from tosa_converter.proof.borders import border_changes
from tosa_converter.proof.compare import TYPE_TOLERANCES, Comparison, compare_runs, renamed, with_state_as_inputs
from tosa_converter.proof.diff import Diff, diff_models
from tosa_converter.proof.layers import LayerReport, check_layers
from tosa_converter.proof.operators import OperatorComparison, uncompared
from tosa_converter.proof.report import Verification
from tosa_converter.proof.side_by_side import compare_operators, judge_operators
from tosa_converter.rewriting.plugins import RuleSource
from tosa_converter.rewriting.signatures import split_by_signature
from tosa_converter.rules.gate import require_legal
from tosa_converter.rules.target import Target, needs

_STEPS = 10  # of a comparison, where there is state


def compare(
    source: Model | Source,
    model: Model,
    *,
    inputs: Sequence[Mapping[str, Array]] = (),
    runs: int = 1,
    steps: int = 0,
    seed: int = 0,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    adversarial: bool = False,
    against: str | Sequence[str] = ("executor",),
    float_type: str = "",
    limit: float = 10.0,
    progress: Callable[[str], object] = lambda _: None,
) -> list[Comparison]:
    """Run a source and its conversion on the same inputs and compare every output.

    Integers must be equal, floats within 1e-5 of the reference's largest value. An output beyond that gets a second
    look: it is equal if every operator is equal on the source's own values, and the source's own engines, or its inputs
    changed by one unit in the last place, move the output as far. `rule` and `second_look` of each output tell which.

    Args:
        source: the model as it was read, or what `load` takes.
        model: its conversion, or a TFLite model that was written of either.
        inputs: sets of arrays by the source's input names; random ones by default. An array with one dimension more is
            for several steps, which are runs of their own in a model without state; an array without it is the same in
            all steps.
        runs: how many sets of random or adversarial inputs.
        steps: how many runs in a row each set is for; state goes on from one to the next. 0 is for as many as the
            arrays are for, or for 10 on random inputs of a model with state.
        seed: seed of the first random set.
        ranges: the least and the greatest random number by an input's name, or by "" for all other inputs: uniform
            floats, the reals that quantized integers stand for, or other integers themselves.
        adversarial: sets of `adversarial_inputs` in place of random ones.
        against: engines by name, also in a string between commas. Those for TOSA (executor, tosa-reference-model,
            vulkan) run the conversion. The first that runs the source is the reference; without one it is LiteRT's
            reference kernels, or XNNPACK's where only they have an operator, ExecuTorch for XNNGraphs and programs, and
            the executor for a source that is TOSA. A TFLite model is run by LiteRT's, and compared with all others that
            run the source. `verify` adds the executor and, in xnnpack numerics, litert-xnnpack.
        float_type: fp16 or bf16, to compute fp32 operators in it; inputs and outputs stay fp32. A conversion notes how
            far random outputs are from fp32's, if `limit` and the memory allow both runs. A comparison allows floats
            2**-8 or 2**-5 of the reference's largest value.
        limit: seconds that the executor accepts for a run, by an estimate from the operators' shapes; math.inf for any.
            A conversion runs models only to note the error of `float_type`.
        progress: called with the name of each stage as it begins.

    Raises:
        UsageError: a model that isn't the source's conversion, no runs, values that its inputs can't hold, or engines
            that can't be compared.
        ConverterError: an engine refuses its model or fails.
    """
    compared = picked(InputOptions, locals())
    names = listed(against)
    source, model = _checked_pair(loaded(source), model, runs, steps)
    tolerance = _tolerance(float_type)
    arrays, further, steps = _input_sets(source, model, compared)
    references, engines = engines_for(source, names, limit, "tfl" if model.opset == "tfl" else "tosa")
    engines = [chained(engine) for engine in engines] if model.opset == CHAIN else engines
    runners = [[Stepped(engine, steps) if steps else engine for engine in side] for side in (references, engines)]
    judge = substituted if model.opset == "tosa" and not steps else None
    operators = partially(judge_operators, extract=extract, undefined=open_elements, tolerance=tolerance, limit=limit)
    sets = input_sets.input_sets(further, runs) if further else arrays
    settings: dict[str, Any] = {"further": further, "tolerance": tolerance, "substituted": judge}
    settings |= {"operators": operators, "progress": progress}
    kind = "given" if inputs else "adversarial" if adversarial else "random"
    return [
        replace(comparison, inputs=kind)
        for reference in runners[0]
        for comparison in compare_runs(source, reference, model, runners[1], sets, **settings)
    ]


def _input_sets(
    source: Model, model: Model, options: InputOptions
) -> tuple[Sequence[Mapping[str, Array]], Callable[[int], dict[str, Array]] | None, int]:
    """Returns the sets of inputs, or a function that makes the i-th set, and the number of steps of each."""
    inputs, ranges, adversarial, steps = options.inputs, options.ranges, options.adversarial, options.steps
    if sum(map(bool, (inputs, ranges, adversarial))) > 1:
        raise UsageError("expected given inputs, ranges of random ones or adversarial ones, found several")
    stateful = model.stateful or (model.opset == "tfl" and source.opset == "tosa" and source.stateful)
    if inputs:
        sets, steps = input_sets.arranged(source, inputs, steps, stateful=stateful)
        return sets, None, steps
    steps = steps or (_STEPS if stateful else 0)
    if not adversarial:
        ranges = ranges_by_input(source, ranges)
        return (), input_sets.random_sets(source, model, options.seed, steps, ranges), steps
    pairs = zip(source.main.inputs, input_sets.given_inputs(model), strict=True)
    shapes = {old.name: (old if None in new.type.shape else new).type.static for old, new in pairs}
    return (), adversarial_sets(source, shapes, options.seed, steps), steps


def compare_layers(
    source: Model | Source,
    model: Model,
    *,
    inputs: Mapping[str, Array] | None = None,
    steps: int = 0,
    seed: int = 0,
    against: str | Sequence[str] = ("litert",),
    bisect: bool = False,
    times: bool = False,
    float_type: str = "",
    limit: float = SECONDS,
) -> OperatorComparison:
    """Compare what every operator of a source gives with what its conversion computes for it.

    LiteRT gives all tensors of the source's main graph, this package's executor the values of the conversion. Integers
    must be equal, floats within 1e-5 of the result's largest value, or what rounding explains. An operator whose result
    differs is run alone, on LiteRT's values of what it reads: it is to blame if it differs there too.

    Args:
        source: the TFLite model as it was read, or what `load` takes; of another opset only outputs can be compared.
        model: its conversion.
        inputs: by the source's names, [steps, ...] if there are steps; random ones by default.
        steps: how often the model is run, from which what lasts goes on: the last run is looked at. 0 is for one run,
            or 10 on random inputs of a model with state.
        seed: of random inputs.
        against: as for `compare`; of LiteRT's engines any keeps values.
        bisect: run every operator alone, also where nothing differs.
        times: measure how long operators take on both sides.
        float_type: as for `compare`.
        limit: see `run`.

    Raises:
        UsageError: a model that isn't the source's conversion, or inputs that don't fit.
        ConverterError: LiteRT refuses the source or fails.
    """
    source, model = _checked_pair(loaded(source), model, 1, steps)
    tolerance = _tolerance(float_type)
    (oracle, *_), _ = engines_for(source, ("executor", *listed(against)), limit)
    if model.opset != "tosa" or not isinstance(oracle, LiteRT):
        return uncompared(model, oracle.name)
    if model.stateful and not steps:
        steps = 1 if inputs else _STEPS
        inputs = inputs and {name: array[None] for name, array in inputs.items()}
    arrays = input_sets.random_sets(source, model, seed, steps)(0) if inputs is None else inputs
    runs = [{name: array[i] for name, array in arrays.items()} for i in range(steps)] if steps else [arrays]
    return compare_operators(
        source,
        oracle,
        model,
        runs,
        extract=extract,
        undefined=open_elements,
        tolerance=tolerance,
        bisect=bisect,
        times=times,
        seed=None if inputs else seed,
        limit=limit,
    )


def _tolerance(float_type: str) -> float:
    if float_type not in TYPE_TOLERANCES:
        raise UsageError(f"float: expected one of {', '.join(filter(None, TYPE_TOLERANCES))}, found {float_type!r}")
    return TYPE_TOLERANCES[float_type]


def _checked_pair(source: Model, model: Model, runs: int, steps: int) -> tuple[Model, Model]:
    """A source and its conversion as they are compared; state of a TOSA source is inputs and outputs like others."""
    if source.opset == "tosa":
        source, model = with_state_as_inputs(source, model)
    states = len(model.main_states)
    counts = [(len(side.main.inputs), len(side.main.outputs)) for side in (source, model)]
    counts[1] = (counts[1][0] - states, counts[1][1] - states)
    if model.opset not in ("tosa", "chain", "tfl"):
        raise UsageError(f"expected a source and its conversion, found models of {source.opset}, {model.opset}")
    if counts[0] != counts[1]:
        raise UsageError(f"expected a source and its conversion, found inputs and outputs {counts[0]}, {counts[1]}")
    if not counts[0][1]:
        raise UsageError(f"{source.source}: there is no output to compare")
    input_sets.require_runs(runs)
    if steps < 0:
        raise UsageError(f"expected steps, found {steps}")
    return source, model


def verify(
    source: Model | Source,
    written: Model | Source = "",
    *,
    partial: str | PathLike[str] = "",
    numerics: str = "",
    target: Target | str | None = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    bounds: Mapping[str, int] | None = None,
    io_types: str | Mapping[str, str] | None = None,
    io_layouts: Mapping[str, str] | None = None,
    float_type: str = "",
    state: str = "",
    control_flow: str = "",
    sequence: str = "unroll",
    rules: Sequence[RuleSource] = (),
    signature: str = "",
    inputs: Sequence[Mapping[str, Array]] = (),
    runs: int = 1,
    steps: int = 0,
    seed: int = 0,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    adversarial: bool = False,
    against: str | Sequence[str] = (),
    layers: bool = False,
    bisect: bool = False,
    progress: Callable[[str], object] = lambda _: None,
    limit: float = 10.0,
) -> Verification:
    """Convert a model and compare both sides on random or given inputs: `convert` and `compare` in one.

    Args:
        source: a model, or what `load` takes.
        written: a TFLite model that was written of it, to be compared in place of the conversion.
        partial: the folder or manifest of a chain that was converted before, to be compared in place of a conversion.
        numerics: reference (LiteRT's reference kernels, the default for TFLite), xnnpack (the default for XNNPACK
            graphs; of a TFLite model, the operators that LiteRT's delegate takes are as XNNPACK computes them, and
            notes list the others), or compact (the short form that hardware compilers look for).
        target: profiles, extensions and level of the result, their names, or the name of a preset; whatever the model
            needs by default. A preset also has defaults for numerics, types of inputs and outputs, state and control
            flow.
        input_shapes: shapes of inputs with unknown dimensions, by name; the shapes in the file by default.
        bounds: the most rows of a result of WHERE, UNIQUE (its first) or SEGMENT_SUM, by its name. The conversion gives
            exactly so many rows: zeros behind the last one, and further rows are left out.
        io_types: element types of inputs and outputs by name: keep, float32, float16, int8, uint8 or int16. One alone
            is for all whose elements stand for reals.
        io_layouts: nchw or nhwc by the name of an image's input or output, whose layout in the file is the other one.
        float_type: fp16 or bf16, to compute fp32 operators in it; inputs and outputs stay fp32. A conversion notes how
            far random outputs are from fp32's, if `limit` and the memory allow both runs. A comparison allows floats
            2**-8 or 2**-5 of the reference's largest value.
        state: form of persistent state: variables (the default), or io for inputs and outputs.
        control_flow: keep (the default), or flatten to compute both branches of an IF, and every round of a WHILE in a
            row.
        sequence: form of the steps of recurrent operators: unroll or loop.
        rules: rules of your own, which are tried before this package's: `Rule`s, files with a list `RULES`, or names of
            installed plugins. They are run as code. Installed plugins that aren't named are asked about operators that
            no other rule accepts.
        signature: the graph of this signature alone; by default the graphs of all signatures.
        inputs: sets of arrays by the source's input names; random ones by default. An array with one dimension more is
            for several steps, which are runs of their own in a model without state; an array without it is the same in
            all steps.
        runs: how many sets of random or adversarial inputs.
        steps: how many runs in a row each set is for; state goes on from one to the next. 0 is for as many as the
            arrays are for, or for 10 on random inputs of a model with state.
        seed: seed of the first random set.
        ranges: the least and the greatest random number by an input's name, or by "" for all other inputs: uniform
            floats, the reals that quantized integers stand for, or other integers themselves.
        adversarial: sets of `adversarial_inputs` in place of random ones.
        against: engines by name, also in a string between commas. Those for TOSA (executor, tosa-reference-model,
            vulkan) run the conversion. The first that runs the source is the reference; without one it is LiteRT's
            reference kernels, or XNNPACK's where only they have an operator, ExecuTorch for XNNGraphs and programs, and
            the executor for a source that is TOSA. A TFLite model is run by LiteRT's, and compared with all others that
            run the source. `verify` adds the executor and, in xnnpack numerics, litert-xnnpack.
        layers: on the first set of inputs, compare every operator with its precision clause and with the source's
            operator, as `compare_layers` does, and how long both take.
        bisect: run every operator alone, on the source's own values, also where nothing differs.
        progress: called with the name of each stage as it begins.
        limit: seconds that the executor accepts for a run, by an estimate from the operators' shapes; math.inf for any.
            A conversion runs models only to note the error of `float_type`.

    Raises:
        ConverterError: as `convert` and `compare`.
    """
    options, compared = picked(ConvertOptions, locals()), picked(InputOptions, locals())
    source = prepared(loaded(source, signature), options)
    delegate = ["litert-xnnpack"] if numerics == "xnnpack" else []  # behind what the user names, if that runs a source
    names = ("executor", *listed(against), *delegate)
    settings = {**compared._asdict(), "float_type": float_type, "limit": limit, "progress": progress}
    layers = layers or bisect
    if layers and (partial or written):
        raise UsageError("--layers (layers) needs a fresh conversion: leave out the second file and --partial")
    if partial:
        if state or control_flow or sequence != "unroll" or rules:
            flags = "--state, --control-flow, --sequence and --plugin"
            raise UsageError(f"{flags} can't apply: with --partial nothing is converted")
        return _verified_chain(source, load(partial), against=names, **settings)
    progress("converting")
    io_types = options.io_types if options.target and options.target.preset else {}
    prepared_already = options._replace(io_types=io_types, io_layouts={}, bounds={}, signature="")
    model = convert(source, **prepared_already._asdict())
    comparisons: list[Comparison] = []
    clauses: list[LayerReport] = []
    operators: list[OperatorComparison] = []
    looks: dict[str, _Look] = {}
    sides = source, loaded(written, signature) if written else model
    conversions, sources = (split_by_signature(side) for side in (sides[1], source))
    graphs = split_by_signature(_runnable(source, model)) if written else sources
    if inputs and len(graphs) > 1:
        raise UsageError(f"expected the signature that the inputs are for, one of {', '.join(filter(None, graphs))}")
    for name, graph in graphs.items():
        if name not in conversions:
            signatures = ", ".join(map(repr, conversions))
            first = next(iter(conversions.values()))
            raise UsageError(f"{first.source}: expected a graph for signature {name!r}, found {signatures}")
        results = compare(graph, conversions[name], against=names, **settings)
        comparisons += [comparison.of(name) for comparison in results]
        looks[name] = graph, conversions[name], names, bisect, settings
        if layers:
            judged, by_operator = _looked_at(*looks[name], clauses=True)
            clauses += judged
            operators.append(by_operator.of(name))
    report = model.report
    pairs = [(graph, conversions[name]) for name, graph in sources.items() if name in conversions]
    undone = set(border_notes(model)) if written else set()

    def operators_later() -> tuple[OperatorComparison, ...]:
        return tuple(_looked_at(*look)[1].of(name) for name, look in looks.items())

    return Verification(
        source.source,
        report.numerics,
        report.needs,
        seed,
        tuple(comparisons),
        tuple(note for note in report.notes if note not in undone),
        tuple(clauses),
        borders=tuple(border for pair in pairs for border in border_changes(*pair)),
        operators=tuple(operators),
        sides=sides,
        later=tuple if layers or written else operators_later,
    )


_Look = tuple[Model, Model, Sequence[str], bool, Mapping[str, Any]]


def _looked_at(
    source: Model, model: Model, names: Sequence[str], bisect: bool, settings: Mapping[str, Any], clauses: bool = False
) -> tuple[Sequence[LayerReport], OperatorComparison]:
    """Compares the first set of inputs operator by operator; with `clauses` by precision clauses and with times too."""
    options = picked(InputOptions, settings)
    source, model = _checked_pair(source, model, options.runs, options.steps)
    sets, further, steps = _input_sets(source, model, options)
    arrays = further(0) if further else sets[0]
    inputs = arrays if options.inputs or options.ranges or options.adversarial else None
    values = {key: settings[key] for key in ("seed", "float_type", "limit")}
    operators = compare_layers(
        source, model, inputs=inputs, steps=steps, against=names, bisect=bisect, times=clauses, **values
    )
    first = {name: array[0] if steps else array for name, array in arrays.items()}
    return _judged(source, model, first) if clauses else (), operators


def _judged(source: Model, model: Model, inputs: Mapping[str, Array]) -> Sequence[LayerReport]:
    """Judges every operator of the main graph by its precision clause."""
    return check_layers(model.main, {**begun(model), **renamed(source, model, inputs)})


def _runnable(source: Model, conversion: Model) -> Model:
    """Returns the source, or its conversion in place of an XNNGraph or of operators that LiteRT lacks."""
    runs = source.opset in ("tfl", "tosa") and any(engine.takes(source) for engine in ENGINES.values())
    return source if runs else conversion


def _verified_chain(source: Model, chain: Model, *, seed: int, **settings: Any) -> Verification:
    """Compares a source with a chain."""
    if chain.opset != "chain":
        raise UsageError(f"{chain.source}: expected a chain, found a model of {chain.opset} operators")
    comparisons = compare(source, chain, seed=seed, **settings)
    about = source.source, chain.metadata["numerics"], needs(pieces(chain)), seed
    return Verification(*about, tuple(comparisons), (), (), tuple(border_changes(source, chain)), sides=(source, chain))


def diff(
    first: Model | Source,
    second: Model | Source,
    *,
    runs: int = 1,
    steps: int = 0,
    seed: int = 0,
    limit: float = SECONDS,
) -> Diff:
    """Compare any two models: what they compute on the same random inputs, and their operators if of one opset.

    Args:
        first: a model, or what `load` takes: the reference.
        second: one with the same inputs and outputs, in order, of each signature.
        runs: how many sets of inputs.
        steps: of each run, from which what lasts goes on; 0 is for 10 where one has state.
        seed: of the first one.
        limit: see `run`.

    Raises:
        ConverterError: one can't be read, or an engine fails.
    """
    if runs < 1 or steps < 0:
        raise UsageError(f"expected runs from 1 on and steps from 0 on, found {runs} and {steps}")
    models = loaded(first), loaded(second)
    for model in models:
        require_legal(model)
    engines = engine_for(models[0], limit=limit), engine_for(models[1], limit=limit)
    return diff_models(*models, engines, by_signature=split_by_signature, runs=runs, steps=steps, seed=seed)


def write_report(verification: Verification, path: str | PathLike[str]) -> int:
    """Write what `verify` found as one page of HTML, which needs nothing besides; returns its size in bytes.

    Raises:
        MissingExtra: what draws it is not installed.
        UsageError: the folder can't be written to.
    """
    from tosa_converter.proof.page import write_page

    return write_page(path, verification)
