"""Comparisons of a source with its conversion, and of any two models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial as partially
from typing import Any, NamedTuple

from tosa_converter.api.loading import Source, as_model
from tosa_converter.api.output_options import output_settings, require_output_options
from tosa_converter.api.running import adversarial_sets, ranges_by_input
from tosa_converter.conversion import Converted
from tosa_converter.engines import CHAIN, Engine, chain_engine, engine_for, engine_named, engines_for
from tosa_converter.engines.executor import Executor
from tosa_converter.engines.litert import LiteRT
from tosa_converter.engines.stepped import MultiStepEngine
from tosa_converter.errors import UsageError
from tosa_converter.execute.inputs import by_tensor_name
from tosa_converter.ir import Array, Model
from tosa_converter.legalize.tflite.undefined import rerun_with_undefined_elements, undefined_elements
from tosa_converter.option_values import split_names
from tosa_converter.options import CompareOptions, InputOptions, options_from
from tosa_converter.proof import input_sets
from tosa_converter.proof.alignment import align_borders
from tosa_converter.proof.compare import TYPE_TOLERANCES, Comparison, compare_runs, with_state_as_inputs
from tosa_converter.proof.diff import Diff, diff_models
from tosa_converter.proof.indices import index_limits
from tosa_converter.proof.matching import with_named_values
from tosa_converter.proof.observation import ObservationOptions
from tosa_converter.proof.operator_proof import judge_operators
from tosa_converter.proof.operators import OperatorComparison, uncompared
from tosa_converter.proof.saved_runs import RunArrays
from tosa_converter.proof.side_by_side import compare_operators
from tosa_converter.proof.tflite_run import can_be_observed
from tosa_converter.rewriting.signatures import split_by_signature
from tosa_converter.rules.gate import require_legal

_STEPS = 10  # of a comparison, where there is state


def compare(
    source: Model | Source,
    model: Model | Source,
    *,
    inputs: Sequence[Mapping[str, Array]] = (),
    runs: int = 1,
    steps: int = 0,
    seed: int = 0,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    adversarial: bool = False,
    against: str | Sequence[str] = ("executor",),
    atol: float | Mapping[str, float] | None = None,
    rtol: float | Mapping[str, float] | None = None,
    loaded: Mapping[str, Mapping[str, Array]] | None = None,
    arrays: list[RunArrays] | None = None,
    labels: Sequence[int] = (),
    float_type: str = "",
    limit: float = 10.0,
    progress: Callable[[str], object] = lambda _: None,
) -> list[Comparison]:
    """Runs a source and its conversion on the same inputs and compares every output.

    Integers must be equal, floats within 1e-5 of the reference's largest value. An output beyond that is tested again
    (its `second_look`): it counts as equal if every operator is equal on the source's own values, and the source's own
    engines, or its inputs changed by one unit in the last place, move the output as far; `rule` tells which. An output
    with a tolerance in `atol` or `rtol` isn't tested again. A run in `loaded` is tested again on 10 sets of inputs or
    more, without a comparison of operators.

    Args:
        source: the model as it was read, or what `load` takes.
        model: its conversion, or another model of the same function, or what `load` takes. Inputs and outputs of a
            model that `convert` didn't return correspond by name, else by type and shape, else by position.
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
        atol: the absolute tolerance of each element by an output's name, or one for all outputs, in place of the
            default tolerance: |difference| <= atol + rtol * |reference|. Elements of quantized outputs are counted in
            steps of their scale, and integers may differ too. Booleans, infinities and NaN must be equal.
        rtol: the relative tolerance of each element by an output's name, or one for all outputs, as a part of the
            reference's element; see `atol`. Of quantized outputs it is a part of the distance to the zero point.
        loaded: outputs of runs made elsewhere, as on a device, by a name for each run: arrays by the source's output
            names, or arr_0, arr_1, ... by position. They are compared with the source's outputs on the same inputs. An
            array has one dimension more for several runs or steps, and two for several runs of steps.
        arrays: gets the inputs and every engine's outputs, in the form in which `loaded` takes them.
        labels: the number of each sample's class, in the order of `inputs`. Outputs that look like class scores then
            count in `top1` how often both sides are right, besides how often they agree.
        float_type: fp16 or bf16, to compute fp32 operators in it; inputs and outputs stay fp32. A conversion notes how
            far random outputs are from fp32's, if `limit` and the memory allow both runs. A comparison allows floats
            2**-8 or 2**-5 of the reference's largest value.
        limit: seconds that the executor accepts for a run, by an estimate from the operators' shapes; math.inf for any.
            A conversion runs models only to note the error of `float_type`.
        progress: called with the name of each stage as it begins.

    Returns:
        A comparison for each reference and engine, with a verdict and the figures of every output.

    Raises:
        UsageError: a model that isn't the source's conversion, no runs, values that its inputs can't hold, or engines
            that can't be compared.
        ConverterError: an engine refuses its model or fails.

    Example:
        >>> import tosa_converter as tc
        >>> model = tc.load("models/digits_int8.tflite")
        >>> [comparison.verdict for comparison in tc.compare(model, tc.convert(model))]
        [True]
    """
    arguments = locals()
    model = as_model(model)
    run = RunOptions(against, float_type, limit, not isinstance(model, Converted))
    inputs_options, options = options_from(InputOptions, arguments), options_from(CompareOptions, arguments)
    source = as_model(source)
    require_output_options([source], options)
    return compare_sides(source, model, inputs_options, options, run)


class RunOptions(NamedTuple):
    """What runs both sides of a comparison.

    Attributes:
        against: engines by name.
        float_type: of a conversion that computes fp32 in it.
        limit: seconds that the executor accepts for a run.
        existing: the model isn't a conversion made here, so its inputs, outputs and values have to be matched.
    """

    against: str | Sequence[str]
    float_type: str
    limit: float
    existing: bool


def compare_sides(
    source: Model, model: Model, compared: InputOptions, options: CompareOptions, run: RunOptions
) -> list[Comparison]:
    """Runs a source and another model on the same inputs, and compares every engine with every reference.

    Args:
        source: the model that gives the expected outputs.
        model: its conversion, or an existing file whose inputs and outputs are in the source's order.
        compared: the inputs: how many sets, of how many steps, random or the user's.
        options: tolerances, saved runs, labels and progress.
        run: the engines, and the limit of the executor.

    Returns:
        A comparison for each pair of a reference and an engine.
    """
    runs = compared.runs
    source, model = checked_pair(source, model, runs, compared.steps, existing=run.existing)
    tolerance = _tolerance(run.float_type)
    given_sets, further, steps = sets_of_inputs(source, model, compared)
    opset = "tfl" if model.opset == "tfl" else "tosa"
    references, engines = engines_for(source, split_names(run.against), run.limit, opset, same=run.existing)
    engines = [chain_engine(engine) for engine in engines] if model.opset == CHAIN else engines
    runners = [
        [MultiStepEngine(engine, steps) if steps else engine for engine in side] for side in (references, engines)
    ]
    # Elements that LiteRT leaves undefined are no differences: a second run of both sides tells which they are.
    rerun = rerun_with_undefined_elements if model.opset == "tosa" and not steps else None
    observation = ObservationOptions(undefined_elements, tolerance, run.limit, run.existing)
    sets = input_sets.input_sets(further, runs) if further else given_sets
    settings: dict[str, Any] = {"further": further, "tolerance": tolerance, "substituted": rerun}
    settings |= {"operators": partially(judge_operators, options=observation), "progress": options.progress}
    settings |= output_settings(source, options, sets=len(compared.inputs))
    kind = "given" if compared.inputs else "adversarial" if compared.adversarial else "random"
    return [
        replace(comparison, inputs=kind)
        for reference in runners[0]
        for comparison in compare_runs(source, reference, model, runners[1], sets, **settings)
    ]


def sets_of_inputs(
    source: Model, model: Model, options: InputOptions
) -> tuple[Sequence[Mapping[str, Array]], Callable[[int], dict[str, Array]] | None, int]:
    """Returns (sets, further, steps): the user's sets of inputs, or a function that computes set i; and their steps.

    `sets` is () for random and adversarial inputs, and `further` is None for the user's. 0 steps are a single run.
    """
    _require_one_kind(options)
    inputs, ranges, adversarial, steps = options.inputs, options.ranges, options.adversarial, options.steps
    stateful = model.stateful or (model.opset == "tfl" and source.opset == "tosa" and source.stateful)
    if inputs:
        sets, steps = input_sets.arrange_inputs(source, inputs, steps, stateful=stateful)
        return sets, None, steps
    steps = steps or (_STEPS if stateful else 0)
    if not adversarial:
        ranges = ranges_by_input(source, ranges)
        return (), input_sets.random_sets(source, model, options.seed, steps, ranges), steps
    return (), adversarial_sets(source, input_sets.shapes_of_pair(source, model), options.seed, steps), steps


def _require_one_kind(options: InputOptions) -> None:
    """Raises UsageError for options of several kinds of inputs."""
    if sum(map(bool, (options.inputs, options.ranges, options.adversarial))) > 1:
        raise UsageError("expected given inputs, ranges of random ones or adversarial ones, found several")


def compare_layers(
    source: Model | Source,
    model: Model | Source,
    *,
    inputs: Mapping[str, Array] | None = None,
    steps: int = 0,
    times: bool = False,
    seed: int = 0,
    against: str | Sequence[str] = ("litert",),
    bisect: bool = False,
    float_type: str = "",
    limit: float = 10.0,
) -> OperatorComparison:
    """Compares the results of every operator of a source with the values of its conversion.

    LiteRT gives all tensors of the source's main graph, this package's executor the values of the conversion. Integers
    must be equal, floats within 1e-5 of the result's largest value, or within what rounding explains. An operator whose
    result differs is run alone, on LiteRT's values of its operands: if it still differs, the difference is its own.

    Args:
        source: the TFLite model as it was read, or what `load` takes; a model of TOSA is compared with a `model` that
            `convert` didn't return, and of other opsets only outputs can be compared.
        model: its conversion, or another model of the same function, or what `load` takes. Values of a model that
            `convert` didn't return are matched with the source's: by name, else by equal elements, else by position
            between those that are. Each result says by which; equal elements agree by construction.
        inputs: by the source's names, [steps, ...] if there are steps; random ones by default.
        steps: how many runs in a row, with state that goes on from one to the next; the last one is compared. 0 is for
            one run, or 10 on random inputs of a model with state.
        times: measure how long operators take on both sides.
        seed: seed of the first random set.
        against: engines by name, also in a string between commas. Those for TOSA (executor, tosa-reference-model,
            vulkan) run the conversion. The first that runs the source is the reference; without one it is LiteRT's
            reference kernels, or XNNPACK's where only they have an operator, ExecuTorch for XNNGraphs and programs, and
            the executor for a source that is TOSA. A TFLite model is run by LiteRT's, and compared with all others that
            run the source. `verify` adds the executor and, in xnnpack numerics, litert-xnnpack.
        bisect: run every operator alone, on the source's own values, also where nothing differs.
        float_type: fp16 or bf16, to compute fp32 operators in it; inputs and outputs stay fp32. A conversion notes how
            far random outputs are from fp32's, if `limit` and the memory allow both runs. A comparison allows floats
            2**-8 or 2**-5 of the reference's largest value.
        limit: seconds that the executor accepts for a run, by an estimate from the operators' shapes; math.inf for any.
            A conversion runs models only to note the error of `float_type`.

    Returns:
        The results of every operator with their verdicts.

    Raises:
        UsageError: a model that isn't the source's conversion, or inputs that don't fit.
        ConverterError: LiteRT refuses the source or fails.

    Example:
        >>> import tosa_converter as tc
        >>> model = tc.load("models/digits_int8.tflite")
        >>> tc.compare_layers(model, tc.convert(model)).sentence
        'No operator differs: 9 of 9 results are compared.'
    """
    model = as_model(model)
    run = RunOptions(against, float_type, limit, not isinstance(model, Converted))
    stated = LayerOptions(inputs, steps, times, seed, bisect)
    return compare_sides_by_operator(as_model(source), model, stated, run)


class LayerOptions(NamedTuple):
    """The arguments of `compare_layers` about its inputs and what it looks at."""

    inputs: Mapping[str, Array] | None
    steps: int
    times: bool
    seed: int
    bisect: bool


def compare_sides_by_operator(source: Model, model: Model, stated: LayerOptions, run: RunOptions) -> OperatorComparison:
    """Compares every operator of a source with the value of another model that stands for its result.

    The first engine that runs the source is the reference. The report is empty if it, or the engine that runs the
    model, can't show the values between operators.
    """
    inputs, steps = stated.inputs, stated.steps
    source, model = checked_pair(source, model, 1, steps, existing=run.existing)
    tolerance = _tolerance(run.float_type)
    names = ("executor", *split_names(run.against))
    (oracle, *_), _ = engines_for(source, names, run.limit, same=run.existing)
    if run.existing and isinstance(oracle, Executor):
        source = with_named_values(source)
    elif not isinstance(oracle, LiteRT):
        return uncompared(source if source.opset == CHAIN else model, oracle.name)
    is_observed = model.opset == "tosa" or (run.existing and model.opset == "tfl" and can_be_observed(model))
    if not is_observed:
        return uncompared(model, oracle.name)
    if model.stateful and not steps:
        steps = 1 if inputs else _STEPS
        # The user's arrays are for one run, [8, 8]; runs of a model with state take [steps, 8, 8], here [1, 8, 8].
        inputs = inputs and {name: array[None] for name, array in inputs.items()}
    arrays = input_sets.random_sets(source, model, stated.seed, steps)(0) if inputs is None else inputs
    runs = [{name: array[i] for name, array in arrays.items()} for i in range(steps)] if steps else [arrays]
    options = ObservationOptions(undefined_elements, tolerance, run.limit, run.existing)
    seed = None if inputs else stated.seed
    return compare_operators(source, oracle, model, runs, options, bisect=stated.bisect, times=stated.times, seed=seed)


def _tolerance(float_type: str) -> float:
    """Returns the relative error that a comparison allows for floats of a type; raises UsageError for other types."""
    if float_type not in TYPE_TOLERANCES:
        raise UsageError(f"float: expected one of {', '.join(filter(None, TYPE_TOLERANCES))}, found {float_type!r}")
    return TYPE_TOLERANCES[float_type]


def checked_pair(source: Model, model: Model, runs: int, steps: int, *, existing: bool = False) -> tuple[Model, Model]:
    """Returns a source and its conversion, ready to be compared, or raises UsageError if they can't be.

    Their opsets, `runs`, `steps` and how many inputs and outputs they have are checked. State of a TOSA source becomes
    inputs and outputs. An `existing` model, one that wasn't converted just now, gets its inputs and outputs in the
    source's order.
    """
    if source.opset == "tosa":
        source, model = with_state_as_inputs(source, model)
    if existing and model.opset in ("tosa", "tfl"):
        model = align_borders(source, model)
    states = len(model.main_states)
    counts = [(len(side.main.inputs), len(side.main.outputs)) for side in (source, model)]
    # A conversion has one more input and one more output for each state, which the source keeps inside: a source with 1
    # and 1 has a conversion with 3 and 3 if there are 2 states.
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


def diff(
    first: Model | Source,
    second: Model | Source,
    *,
    inputs: Sequence[Mapping[str, Array]] = (),
    steps: int = 0,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    adversarial: bool = False,
    against: str | Sequence[str] = (),
    runs: int = 1,
    seed: int = 0,
    limit: float = 10.0,
) -> Diff:
    """Compares any two models: their outputs on the same inputs, and their operators if the opsets are equal.

    Args:
        first: a model, or what `load` takes: the reference.
        second: one with the same inputs and outputs, in order, of each signature.
        inputs: sets of arrays by the first model's input names; random ones by default. An array with one dimension
            more is for several steps, which are runs of their own in a model without state; an array without it is the
            same in all steps.
        steps: how many runs in a row each set is for; state goes on from one to the next. 0 is for as many as the
            arrays are for, or for 10 on random inputs of a model with state.
        ranges: the least and the greatest random number by an input's name, or by "" for all other inputs: uniform
            floats, the reals that quantized integers stand for, or other integers themselves.
        adversarial: sets of `adversarial_inputs` of the first model in place of random ones.
        against: engines by name, also in a string between commas: each model runs in the first of them that takes it.
            By default a model runs as in `run`.
        runs: how many sets of random or adversarial inputs.
        seed: seed of the first random set.
        limit: seconds that the executor accepts for a run, by an estimate from the operators' shapes; math.inf for any.
            A conversion runs models only to note the error of `float_type`.

    Returns:
        The differences of outputs and operators.

    Raises:
        ConverterError: one can't be read, or an engine fails.

    Example:
        >>> import tosa_converter as tc
        >>> tc.diff("models/digits_int8.tflite", tc.convert("models/digits_int8.tflite")).same_function
        True
    """
    options = options_from(InputOptions, locals())
    if runs < 1 or steps < 0:
        raise UsageError(f"expected runs from 1 on and steps from 0 on, found {runs} and {steps}")
    input_sets.require_runs(runs)
    _require_one_kind(options)
    models = as_model(first), as_model(second)
    for model in models:
        require_legal(model)
    if inputs and len(split_by_signature(models[0])) > 1:
        names = ", ".join(split_by_signature(models[0]))
        raise UsageError(f"inputs: expected a model with one signature, found {names}")
    sets_of = partially(_sets_for_shapes, options=options)
    return diff_models(
        *models,
        _engines_of_pair(models, split_names(against), limit),
        by_signature=split_by_signature,
        sets_of=sets_of,
        steps=steps,
    )


def _engines_of_pair(models: tuple[Model, Model], names: Sequence[str], limit: float) -> tuple[Engine, Engine]:
    """Returns the engine of each of two models: the first one by name that takes it, or the default one.

    The name of an engine for TOSA is for the TOSA pieces of a partial conversion, too.

    Raises:
        UsageError: a name that no engine has, or an engine that runs neither model.
    """
    named = [engine_named(name.strip(), limit) for name in names if name.strip()]
    opsets = ["tosa" if model.opset == CHAIN else model.opset for model in models]
    chosen = [next((engine.name for engine in named if opset in engine.opsets), "") for opset in opsets]
    unused = [engine.name for engine in named if engine.name not in chosen]
    if unused:
        kinds = " and ".join(dict.fromkeys(opsets))
        raise UsageError(f"--against (against): {unused[0]} would run neither model: they are of {kinds} operators")
    return engine_for(models[0], chosen[0], limit), engine_for(models[1], chosen[1], limit)


def _sets_for_shapes(
    model: Model, shapes: Mapping[str, tuple[int, ...]], steps: int, stateful: bool, *, options: InputOptions
) -> tuple[Sequence[Mapping[str, Array]], int]:
    """Returns the sets of inputs that the options ask for, in these shapes, and how many steps each has.

    0 steps stand for a single run of a model without state.
    """
    if options.inputs:
        arrays = [by_tensor_name(model, inputs) for inputs in options.inputs]
        return input_sets.arrange_inputs(model, arrays, steps, stateful=stateful)
    steps = steps or (_STEPS if stateful else 0)
    if options.adversarial:
        return input_sets.input_sets(adversarial_sets(model, shapes, options.seed, steps), options.runs), steps
    sized = {name: ((steps,) if steps else ()) + shape for name, shape in shapes.items()}
    within = {**index_limits(model), **ranges_by_input(model, options.ranges)}
    values = input_sets.given_inputs(model)
    return input_sets.input_sets(
        lambda i: input_sets.random_inputs(values, sized, options.seed + i, within), options.runs
    ), steps
