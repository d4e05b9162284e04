"""One operator of a source as a model of its own, with LiteRT's values, and how far rounding moves its result."""

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import numpy as np

from tosa_converter.engines import Arrays
from tosa_converter.engines.litert import LiteRT
from tosa_converter.engines.stepped import stack_steps
from tosa_converter.errors import ConverterError
from tosa_converter.extraction import extract_values, values_behind
from tosa_converter.ir import Model, Value
from tosa_converter.proof.compare import FLOAT_TOLERANCE
from tosa_converter.proof.judgement import Judgement, difference
from tosa_converter.proof.observation import ObservedRun, Oracle, observe_tensors
from tosa_converter.proof.operators import Case
from tosa_converter.proof.rounding import has_rounding, move_constants, move_floats
from tosa_converter.proof.source_runs import FLIP_RUNS, MOVED_RUNS, litert_engines, same_arithmetic
from tosa_converter.proof.spread import FACTOR
from tosa_converter.schemas.opsets import VARIABLE


def case_of(run: ObservedRun, value: Value) -> Case:
    """Returns the part of a source that computes one value as a model of its own, with its inputs and expected output.

    The inputs are the values in front of it that LiteRT keeps. If the part keeps state, its arrays are [steps, ...]:
    the source is run for one step, two steps and so on, since LiteRT shows tensors only after a run.

    Raises:
        ConverterError: it reads state that isn't its own.
    """
    observed = run.places_by_value.keys() & run.values.keys() - {value}
    reached = values_behind([value], observed)
    inputs = [border for border in reached if border.producer is None or border in observed]
    model = extract_values(run.source, inputs, [value])
    if not any(op.name == VARIABLE for op in model.main):
        arrays = {
            border.name: run.values[border] if border in observed else run.steps[-1][border.name] for border in inputs
        }
        return Case(model, arrays, {value.name: run.values[value]}, 1)
    names = [*(border.name for border in inputs), value.name]
    prefixes = [run.steps[: i + 1] for i in range(len(run.steps))]
    tensors = [observe_tensors(run.source, run.oracle, steps, names) | dict(steps[-1]) for steps in prefixes]
    stacks = {name: stack_steps(name, [arrays[name] for arrays in tensors]) for name in names}
    return Case(model, {name: stacks[name] for name in names[:-1]}, {value.name: stacks[value.name]}, len(run.steps))


def allow_for_rounding(run: ObservedRun, value: Value, judgement: Judgement) -> Judgement:
    """Returns a judgement of floats, its tolerance raised to FACTOR times what rounding moves LiteRT's own result.

    A judgement that passes already, of integers, or with an infinite difference stays as it is.
    """
    if judgement.verdict or judgement.ulp is None or not math.isfinite(judgement.max_abs):
        return judgement
    bound = max(judgement.tolerance, FACTOR * _rounding_spread(run, value, judgement.max_abs))
    return replace(judgement, tolerance=bound, verdict=judgement.max_abs <= bound)


def _rounding_spread(run: ObservedRun, value: Value, error: float) -> float:
    """Returns how far a value of the source differs at most in other kernels and on inputs moved by a rounding.

    It stops as soon as that explains `error`. State that an operator leaves is read from the variable after the run.
    """
    states = {after: (op, before) for op, pairs in run.following.items() for before, after in pairs}
    # The spread only grows, so the runs can end once FACTOR times it reaches the error: an error of 6 units is
    # explained by the first run that differs by 3.
    spread, result, names = 0.0, value, list[str]()
    if value in states:  # a state that the next run begins with
        op, before = states[value]
        result, names = op.results[0], [before.name]
    with suppress(ConverterError):
        case = case_of(run, result)
        stateful = any(op.name == VARIABLE for op in case.model.main)
        for engine, model, inputs in _variations(run, case):
            if FACTOR * spread >= error:
                break
            with suppress(ConverterError):
                steps = [inputs]
                if stateful:
                    steps = [{name: array[i] for name, array in inputs.items()} for i in range(case.steps)]
                outputs, tensors = engine.run_observed_steps(model, steps, names)
                array = tensors.get(names[0], run.values[value]) if names else outputs[-1][0]
                spread = max(spread, float(difference(run.values[value], array).max(initial=0.0)))
    return spread


def _variations(run: ObservedRun, case: Case) -> Iterator[tuple[Oracle, Model, Arrays]]:
    """Yields engines, models and inputs that compute the same as an operator's case except for rounding.

    They are LiteRT's other kernels, and the same kernels on inputs moved by a rounding. A model that rounds to integers
    inside, as a recurrent layer of 8 bits does, has its constants moved too, and gets `FLIP_RUNS` more runs: whether a
    rounding flips is a matter of chance.
    """
    for engine in litert_engines() if isinstance(run.oracle, LiteRT) else ():
        if engine.name != run.oracle.name and same_arithmetic(case.model, engine, run.oracle):
            yield engine, case.model, case.inputs
    flips = isinstance(run.oracle, LiteRT) and has_rounding(case.model)
    for i in range(MOVED_RUNS + (FLIP_RUNS if flips else 0)):
        model = move_constants(case.model, i) if flips else case.model
        yield run.oracle, model, _move_by_rounding(case.inputs, i, run.tolerance)


def _move_by_rounding(arrays: Arrays, seed: int, tolerance: float) -> Arrays:
    """Returns floats moved by a rounding: fp32's last place, or an eighth of the tolerance of a narrower type.

    Those tolerances are 8 half-units of their type: 2**-8 = 8 * 2**-11 for fp16, whose numbers have 11 bits, and
    2**-5 = 8 * 2**-8 for bf16, whose numbers have 8. So an eighth is what rounding to the type moves a number at most.
    """
    if tolerance <= FLOAT_TOLERANCE:
        return move_floats(arrays, seed)
    rng = np.random.default_rng(seed)
    factors = 1 - tolerance / 8, 1 + tolerance / 8
    return {
        name: array * rng.choice(factors, array.shape).astype(array.dtype) if array.dtype.kind == "f" else array
        for name, array in arrays.items()
    }
