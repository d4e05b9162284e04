"""From a source model to TOSA: the pipeline of its opset, then the checks of the target."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence

from tosa_converter.errors import UnsupportedError, UsageError
from tosa_converter.execute.inputs import named_inputs
from tosa_converter.ir import CONSTANTS, Model
from tosa_converter.rewriting.rewrite import Note, Options, Report
from tosa_converter.rewriting.simplify import Simplify
from tosa_converter.rewriting.sweep import Step, copied, run_pipeline
from tosa_converter.rules.gate import remember_legal
from tosa_converter.rules.graph import find_problems, verify
from tosa_converter.rules.target import Target, needs

MAX_SIZE = 0x7FFFFFFF  # of one dimension: TFLite's and TOSA's are 32 bits
NUMERICS = ("reference", "xnnpack", "compact")
Pipelines = Mapping[str, tuple[Step, ...]]


def convert_model(model: Model, pipelines: Pipelines, options: Options) -> tuple[Model, Report]:
    """Legalize a model.

    Args:
        model: as a reader made it.
        pipelines: the passes for each source opset.
        options: numerics, target, input shapes.

    Raises:
        UsageError: options that don't fit the model.
        UnsupportedError: operators that can't be converted, or a target that lacks what the model needs.
    """
    started = time.perf_counter()
    passes = () if model.opset == "tosa" else pipelines.get(model.opset)  # TOSA is only written in another format
    if passes is None:
        raise UsageError(f"{model.source}: a model of {model.opset} operators is not a source to convert")
    if options.numerics not in NUMERICS:
        raise UsageError(f"numerics: expected one of {', '.join(NUMERICS)}, found {options.numerics!r}")
    options = options._replace(input_shapes=resolve_input_shapes(model, options.input_shapes))
    verify(model)
    report = Report()
    report.notes += [Note(*note) for note in model.notes]
    report.source_ops = count_ops(model)
    converted = run_pipeline(model, passes, options, report, find_problems)
    return converted, _finished(converted, options.target, report, started)


def _finished(model: Model, target: Target | None, report: Report, started: float) -> Report:
    """The report of a legal result, which has to fit the target."""
    remember_legal(model)
    if target is not None:
        _check_target(model, target)
    report.needs, report.tosa_ops = needs(model), count_ops(model)
    report.seconds = time.perf_counter() - started
    return report


PASSES: Mapping[str, Step] = {step.name: step for step in (Simplify(),)}


def optimize(model: Model, passes: Sequence[str] = ("simplify",)) -> tuple[Model, Report]:
    """Run passes from TOSA to TOSA alone, on a copy of a model.

    Args:
        model: legal TOSA.
        passes: names of `PASSES`, in order.

    Raises:
        UsageError: a model of other operators, or a pass that there isn't.
        VerifyError: the model is illegal.
    """
    started = time.perf_counter()
    unknown = [name for name in passes if name not in PASSES]
    if unknown:
        raise UsageError(f"expected passes of {', '.join(PASSES)}, found {', '.join(map(repr, unknown))}")
    if model.opset != "tosa":
        raise UsageError(f"{model.source}: passes run on TOSA, this is a model of {model.opset} operators")
    verify(model)
    report = Report()
    report.source_ops = count_ops(model)
    optimized = run_pipeline(copied(model), [PASSES[name] for name in passes], Options(), report, find_problems)
    verify(optimized)
    return optimized, _finished(optimized, None, report, started)


def default_numerics(model: Model) -> str:
    """The arithmetic that a model of this opset is converted to when the user doesn't say."""
    return "xnnpack" if model.opset == "xnn" else "reference"


def count_ops(model: Model) -> Counter[str]:
    """How often each operator occurs, constants left out."""
    return Counter(
        op.attributes.get("custom_code") or op.name
        for graph in model.graphs.values()
        for op in graph.walk()
        if op.name not in CONSTANTS and ".pseudo_" not in op.name
    )


def resolve_input_shapes(model: Model, shapes: Mapping[str, Sequence[int]]) -> dict[str, tuple[int, ...]]:
    """Shapes by the names of the graph's inputs; a dimension that the model fixes can't be changed.

    Raises:
        UsageError: there is no such input, or the shape doesn't fit it.
    """
    inputs = named_inputs(model)
    resolved: dict[str, tuple[int, ...]] = {}
    for name, shape in shapes.items():
        value = inputs.get(name)
        if value is None:
            raise UsageError(f"input shape: no input is called {name!r}; there are {', '.join(sorted(inputs))}")
        have = value.type.shape
        fits = len(shape) == len(have) and all(n in (None, m) for n, m in zip(have, shape, strict=True))
        if not fits or not all(0 < size <= MAX_SIZE for size in shape):
            raise UsageError(f"input shape: {name!r} is {value.type}, which {list(shape)} does not fit")
        resolved[value.name] = tuple(shape)
    return resolved


def _check_target(model: Model, target: Target) -> None:
    problems: Sequence[str] = target.problems(model)
    if problems:
        raise UnsupportedError(f"the target is {target}", *problems)
