"""Runs one case in LiteRT's reference kernels, our executor and Arm's reference model."""

import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from support.cases.case import Case, Network
from support.cases.draw import NAMES
from support.spirv_tools import validate
from support.tflite_models import Tensor

import tosa_converter as tc
from tosa_converter.engines import ENGINES, engine_named, source_engine
from tosa_converter.errors import ConverterError, MissingExtra, UnpredictableError, UnsupportedError
from tosa_converter.ir import Array, Model
from tosa_converter.rules.target import needs
from tosa_converter.schemas.tflite import BuiltinOperator

# How far floats may be from the judge, as a part of the largest value expected: sums are taken in other orders, and the
# functions of TOSA have bounds of their own. By operator where it isn't the default, with the reason.
FLOAT = 1e-5
TOLERANCES: dict[str, float] = {
    "tfl.logistic": 1.3e-4,  # LiteRT's kernel uses exp(x) for x below -9, which is too large by exp(x)**2
}
HALVES = {"float16": 2.0**-8, "bfloat16": 2.0**-5}  # of float32's result: some roundings to 11 and 8 bits
FAINT = 2.0**-100
SUBNORMAL = 2.0**-24  # the smallest step of fp16, at which small results end
EQUAL, WITHIN, DIFFERS = "equal", "within", "differs"
REFUSED, NO_KERNEL, UNPREDICTABLE, FAILS = "refused", "LiteRT refuses", "unpredictable", "fails"
BAD = (DIFFERS, FAILS, UNPREDICTABLE)


# Options of the conversions of a case with state; each is judged over all steps.
FORMS: tuple[Mapping[str, str], ...] = (
    {"sequence": "unroll", "state": "variables"},
    {"sequence": "loop", "state": "io"},
    {"sequence": "unroll", "state": "io", "control_flow": "flatten"},
)


class Verdict(NamedTuple):
    """The result of a case; the largest difference is a part of the largest expected value."""

    verdict: str
    difference: float = 0.0
    undefined: int = 0
    reason: str = ""


def judge(
    name: str,
    types: str,
    case: Case | Network,
    *,
    by_reference_model: bool = False,
    other_formats: bool = False,
    numerics: str = "reference",
) -> Verdict:
    """Converts a case in every form, runs both sides, and compares all results of every step.

    Args:
        name: the operator in the graph.
        types: the word of its types.
        case: the model.
        by_reference_model: run the conversion in Arm's reference model too.
        other_formats: also have tosa-opt verify the MLIR text and spirv-val the module, and run it on Vulkan.
        numerics: of the conversion; xnnpack is what LiteRT computes with its delegate.
    """
    case = for_delegate(case) if numerics == "xnnpack" else case
    data, _ = case.model()
    want, problem = _expected(case, numerics)
    forms = FORMS if len(case.steps()) > 1 else ({},)
    try:
        source = tc.load(data)
        conversions = [tc.convert(source, numerics=numerics, **{**case.conversion, **form}) for form in forms]
    except UnsupportedError as error:
        return Verdict(REFUSED if want is not None else NO_KERNEL, reason=str(error))
    except ConverterError as error:
        return Verdict(FAILS if want is not None else NO_KERNEL, reason=str(error))
    if want is None:
        return Verdict(NO_KERNEL, reason=problem)
    tolerance = TOLERANCES.get(name, FLOAT) + _halves(types, case)
    worst = Verdict(EQUAL)
    for form, ours in zip(forms, conversions, strict=True):
        objection = objections(ours) if other_formats else ""
        if objection:
            return Verdict(FAILS, reason=objection)
        vulkan = other_formats and ENGINES["vulkan"].takes(ours)
        modelled = by_reference_model and form in ({}, FORMS[1])  # a process a step: one form says enough of all
        engines = ["tosa-reference-model"] * modelled + ["vulkan"] * vulkan
        for engine in ("executor", *engines):
            verdict = _run(source, ours, engine, case.steps(), want, tolerance)
            worst = max(worst, verdict, key=lambda candidate: (candidate.verdict in BAD, candidate.difference))
            if worst.verdict in BAD:
                return worst._replace(reason=f"{engine}: {worst.reason}")
    return worst


def for_delegate(case: Case | Network) -> Case | Network:
    """Returns the case in the form that LiteRT's delegate takes, with its results' shapes in the file.

    Weights of BATCH_MATMUL, which the delegate reads before the first run, are constant; ranges that count as 0 where
    they are quantized at run time are larger.
    """
    if isinstance(case, Network):
        return case
    operands = [operand and _brightened(operand) for operand in case.operands]
    if case.builtin is BuiltinOperator.BATCH_MATMUL and operands[0] and operands[0].dtype == "float32":
        operands[1:] = [operand and operand.constant for operand in operands[1:]]
    case = replace(case, operands=operands)
    try:
        outputs = tc.convert(tc.load(case.model()[0])).main.outputs
    except ConverterError:
        return case
    return case.declared([value.type.static for value in outputs])


def _brightened(operand: Tensor) -> Tensor:
    """Returns the tensor with larger magnitudes if all of them are tiny."""
    array = operand.array
    if array is None or array.dtype != np.float32 or not 0 < np.abs(array).max(initial=0) < FAINT:
        return operand
    brightened = replace(operand, array=array / np.float32(FAINT))
    return brightened if operand.fed else brightened.constant


def _run(
    source: Model, ours: Model, engine: str, steps: list[list[Array]], want: list[list[Array]], tolerance: float
) -> Verdict:
    """Runs the conversion in one engine and compares the results."""
    try:
        got = tc.run_steps(ours, [_by_name(ours, arrays) for arrays in steps], engine=engine)
    except UnpredictableError as error:
        return Verdict(UNPREDICTABLE, reason=str(error))
    except MissingExtra:
        raise
    except ConverterError as error:
        return Verdict(FAILS, reason=str(error))
    count, worst = len(want[0]), Verdict(EQUAL)
    for arrays, outputs, expected in zip(steps, got, want, strict=True):
        verdict = compared(list(outputs.values())[:count], expected, tolerance)
        if verdict.verdict == DIFFERS and expected[0].dtype.kind != "f" and len(steps) == 1:
            fed = dict(zip((value.name for value in source.main.inputs), arrays, strict=True))
            verdict = _less_undefined(source, ours, fed, verdict)
        worst = max(worst, verdict, key=lambda candidate: (candidate.verdict == DIFFERS, candidate.difference))
    return worst


def objections(model: Model) -> str:
    """Returns tosa-opt's errors for the MLIR text, or spirv-val's for the module; empty if there are none."""
    with tempfile.TemporaryDirectory() as folder:
        text, module = Path(folder) / "m.mlir", Path(folder) / "m.spv"
        tc.save(model, text)
        words = [shutil.which("tosa-opt") or "tosa-opt", str(text), *tosa_opt_options(model)]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
        if done.returncode:
            return f"tosa-opt: {done.stderr.strip().splitlines()[0]}"
        try:
            tc.save(model, module)
        except UnsupportedError:  # run-time shapes, and types that SPIR-V lacks
            return ""
        problem = validate(module)
    return f"spirv-val: {problem.strip().splitlines()[0]}" if problem else ""


def tosa_opt_options(model: Model) -> list[str]:
    """Returns the options that make tosa-opt check a graph against its profiles and extensions."""
    target = needs(model)
    profiles = [name.lower().replace("-", "_") for name in target.profiles]
    extensions = [name.removeprefix("EXT-").lower() for name in target.extensions]
    attach = f"--tosa-attach-target=profiles={','.join(profiles)} extensions={','.join(extensions)} level=8k"
    return [attach, "--tosa-validate=strict-op-spec-alignment"]


def _by_name(model: Model, arrays: list[Array]) -> Mapping[str, Array]:
    return {value.name: signless(array) for value, array in zip(model.main.inputs, arrays, strict=False)}


def signless(array: Array) -> Array:
    """Returns the array in the types that TOSA has."""
    if array.dtype == np.int64:
        return array.astype(np.int32)
    views = {np.dtype(np.uint8): np.int8, np.dtype(np.uint16): np.int16, np.dtype(np.uint32): np.int32}
    return array.view(views.get(array.dtype, array.dtype))


def _halves(types: str, case: Case | Network) -> float:
    """Returns the tolerance that operands and results in 16 bits add."""
    results = case.results if isinstance(case, Case) else ()
    names = [*(NAMES[word] for word in types.split("*")), *(operand.dtype for operand in results)]
    return max(HALVES.get(name, 0.0) for name in names)


def _expected(case: Case | Network, numerics: str) -> tuple[list[list[Array]] | None, str]:
    """Returns the outputs of each step, or the reason why there are none."""
    if isinstance(case, Network) and case.expected is not None:
        return [case.expected], ""
    judged = case.widened()
    try:
        source = tc.load(judged.model()[0])
        names = [value.name for value in source.main.inputs]
        fed = [dict(zip(names, arrays, strict=True)) for arrays in judged.steps()]
        engine = engine_named("litert-xnnpack") if numerics == "xnnpack" else source_engine(source)
        runs = [list(outputs.values()) for outputs in engine.run_steps(source, fed)]
        return [case.settled(run) for run in runs] if isinstance(case, Case) else runs, ""
    except MissingExtra:
        raise
    except ConverterError as error:
        return None, str(error)


def compared(got: list[Array], want: list[Array], tolerance: float) -> Verdict:
    worst = 0.0
    for ours, theirs in zip(got, map(signless, want), strict=True):
        if ours.shape != theirs.shape:
            return Verdict(DIFFERS, np.inf, reason=f"shape {ours.shape}, expected {theirs.shape}")
        a, b = ours.astype(np.float64), theirs.astype(np.float64)
        finite = np.isfinite(b)
        if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
            return Verdict(DIFFERS, np.inf, reason="infinities or NaN differ")
        largest = float(np.abs(b[finite]).max(initial=0))
        distance = float(np.abs(a[finite] - b[finite]).max(initial=0))
        if theirs.dtype.kind != "f":
            if distance:
                return Verdict(DIFFERS, distance, reason=f"{np.count_nonzero(a != b)} elements, by up to {distance}")
            continue
        part = distance / largest if largest else np.inf * distance if distance else 0.0
        if not distance <= max(tolerance * largest, SUBNORMAL if ours.dtype == np.float16 else 0.0):
            return Verdict(DIFFERS, part, reason=f"by {distance:.3g} of {largest:.3g}")
        worst = max(worst, part)
    return Verdict(WITHIN if worst else EQUAL, worst)


def _less_undefined(source: Model, ours: Model, fed: Mapping[str, Array], verdict: Verdict) -> Verdict:
    """Returns the verdict without the elements that LiteRT leaves undefined."""
    try:
        outputs = [output for comparison in tc.compare(source, ours, inputs=[fed]) for output in comparison.outputs]
    except ConverterError:
        return verdict
    if all(output.verdict for output in outputs):
        return Verdict(EQUAL, undefined=sum(output.undefined for output in outputs))
    return verdict


def claims(numerics: str = "reference") -> dict[tuple[str, str], list[str]]:
    """Returns every operator and type that rules state, with the rules' names; in xnnpack numerics the delegate's."""
    from support.passes import rule_pass

    from tosa_converter.legalize.rule_modules import DELEGATED

    delegated = [rule for family in DELEGATED for rule in family.load()]
    rules: dict[tuple[str, str], list[str]] = {}
    for rule in delegated if numerics == "xnnpack" else rule_pass("tfl").rules:
        for types in rule.types.split() if rule.pattern is None else ():  # a pattern takes operators that have rules
            rules.setdefault((rule.root, types), []).append(rule.name)
    return rules
