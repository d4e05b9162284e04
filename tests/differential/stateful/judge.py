"""Compares a program in every form of a conversion with LiteRT's reference kernels, step by step."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import numpy as np
from support.tflite_models import run_litert_steps

import tosa_converter as tc
from differential.judge import DIFFERS, EQUAL, FAILS, NO_KERNEL, REFUSED, Verdict, signless
from differential.stateful.programs import Program
from tosa_converter.errors import BrokenPassError, ConverterError, MissingExtra, UnsupportedError
from tosa_converter.ir import Array, Model

FORMS = tuple(product(("variables", "io"), ("keep", "flatten")))
UNKNOWN = "expected a constant number of rounds"


def forms(program: Program) -> Iterator[tuple[str, str]]:
    """Yields the forms of a conversion that differ for this program."""
    return (form for form in FORMS if program.stateful or form[0] == "variables")


def judge(program: Program, state: str, control_flow: str, *, by_reference_model: bool = False) -> Verdict:
    """Compares all outputs of all steps bit for bit."""
    try:
        judged = tc.load(program.judged)
        want = tc.run_steps(judged, [_named(judged, arrays) for arrays in program.steps])
    except MissingExtra:
        raise
    except ConverterError as error:
        return Verdict(NO_KERNEL, reason=str(error))
    try:
        model = tc.convert(program.data, state=state, control_flow=control_flow)
    except UnsupportedError as error:
        expected = control_flow == "flatten" and not program.bounded and UNKNOWN in str(error)
        return Verdict(REFUSED if expected else FAILS, reason=str(error))
    except (ConverterError, BrokenPassError) as error:
        return Verdict(FAILS, reason=str(error))
    if control_flow == "flatten" and any(op.regions for op in model.main):
        return Verdict(FAILS, reason="control flow is left")
    for engine in ["executor"] + ["tosa-reference-model"] * by_reference_model:
        compared_steps = program.steps if engine == "executor" or not _variables(model) else program.steps[:1]
        inputs = [{name: signless(array) for name, array in _named(model, arrays).items()} for arrays in compared_steps]
        try:
            got = tc.run_steps(model, inputs, engine=engine)
        except ConverterError as error:
            return Verdict(FAILS, reason=f"{engine}: {error}")
        for step, (ours, theirs) in enumerate(zip(got, want, strict=False)):
            wrong = _first_wrong(list(ours.values())[: len(theirs)], list(theirs.values()))
            if wrong and _undecided(program, want):
                return Verdict(NO_KERNEL, reason="LiteRT's own runs differ")
            if wrong:
                return Verdict(DIFFERS, reason=f"{engine}: step {step}: {wrong}")
    return Verdict(EQUAL)


def _undecided(program: Program, want: Sequence[Mapping[str, Array]]) -> bool:
    """Returns whether LiteRT's outputs depend on shared memory: nested IFs may return stale values."""
    apart = run_litert_steps(program.judged, program.steps, apart=True)
    return any(_first_wrong(list(map(signless, a)), list(b.values())) for a, b in zip(apart, want, strict=True))


def _named(model: Model, arrays: Sequence[Array]) -> dict[str, Array]:
    return {value.name: array for value, array in zip(model.main.inputs, arrays, strict=False)}


def _variables(model: Model) -> bool:
    return any(op.name == "tosa.variable" for op in model.main)


def _first_wrong(ours: Sequence[Array], theirs: Sequence[Array]) -> str:
    for i, (got, want) in enumerate(zip(ours, map(signless, theirs), strict=True)):
        if got.shape != want.shape or not np.array_equal(got, want, equal_nan=got.dtype.kind == "f"):
            return f"output {i} is {got.tolist()}, expected {want.tolist()}"
    return ""
