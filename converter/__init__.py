"""TFLite models and XNNPACK graphs into TOSA, with proof; docs/how-to/python.md shows all of it in use.

import tosa_converter as tc

model = tc.load("model.tflite")
tosa = tc.convert(model)
print(tosa.report.needs, tosa.main)
tc.save(tosa, "model.tosa")
tc.save(tc.to_tflite(tosa), "back.tflite")
outputs = tc.run(tosa, {"x": array})
report = tc.compare(model, tosa)
"""

from __future__ import annotations

from tosa_converter.graph_text import print_with

TYPE_CHECKING = False  # typing itself takes longer to import than all of this

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike
    from typing import IO, Any, TypeAlias

    from tosa_converter.conversion import Converted, Pipelines, Report
    from tosa_converter.coverage import Coverage
    from tosa_converter.dtypes import DType
    from tosa_converter.engines import Engine
    from tosa_converter.errors import (
        ConverterError,
        FormatError,
        MissingExtra,
        PluginError,
        UnpredictableError,
        UnsupportedError,
        UsageError,
        VerifyError,
    )
    from tosa_converter.execute.plan import Keep
    from tosa_converter.explanation import Explanation
    from tosa_converter.formats import save
    from tosa_converter.inspection import Inspection
    from tosa_converter.ir import Array, Graph, Model, Op, Quant, TensorType, Value
    from tosa_converter.proof.compare import Comparison
    from tosa_converter.proof.diff import Diff
    from tosa_converter.proof.layers import LayerReport
    from tosa_converter.proof.operators import OperatorComparison
    from tosa_converter.proof.report import Verification
    from tosa_converter.proof.results import ModelReport
    from tosa_converter.rewriting.builder import Builder
    from tosa_converter.rewriting.expr import Expr
    from tosa_converter.rewriting.match import Match
    from tosa_converter.rewriting.plugins import RuleSource
    from tosa_converter.rewriting.reasons import Attempts, Decline
    from tosa_converter.rewriting.report import Options
    from tosa_converter.rewriting.rule import Check, Rule, condition
    from tosa_converter.rules.target import Target
    from tosa_converter.zoo import Zoo

    Source: TypeAlias = str | PathLike[str] | bytes | bytearray | memoryview | IO[bytes]

    __version__: str

__all__ = [
    "load",
    "convert",
    "save",
    "optimize",
    "to_tflite",
    "to_xnn",
    "check",
    "explain",
    "inspect",
    "random_inputs",
    "adversarial_inputs",
    "image_input",
    "audio_input",
    "run",
    "run_steps",
    "compare",
    "compare_layers",
    "diff",
    "verify",
    "write_report",
    "draw",
    "with_borders",
    "selected",
    "convert_partially",
    "extract",
    "Model",
    "Graph",
    "Op",
    "Value",
    "TensorType",
    "Quant",
    "DType",
    "Builder",
    "Expr",
    "Rule",
    "Match",
    "Check",
    "condition",
    "Decline",
    "Target",
    "Converted",
    "Report",
    "Inspection",
    "Coverage",
    "Explanation",
    "Comparison",
    "OperatorComparison",
    "Verification",
    "Diff",
    "Zoo",
    "ModelReport",
    "ConverterError",
    "FormatError",
    "MissingExtra",
    "PluginError",
    "UnpredictableError",
    "UnsupportedError",
    "UsageError",
    "VerifyError",
]

_STEPS = 10  # of a comparison, where there is state
_SECONDS = 10.0  # `execute.limits.SECONDS`, without its import

# What other modules make public; they are imported when it is first asked for, so that the command starts fast.
_PLACES = {
    "save": "formats",
    **dict.fromkeys(("Model", "Graph", "Op", "Value", "TensorType", "Quant"), "ir"),
    "DType": "dtypes",
    "Builder": "rewriting.builder",
    "Expr": "rewriting.expr",
    "Match": "rewriting.match",
    "Decline": "rewriting.reasons",
    **dict.fromkeys(("Rule", "Check", "condition"), "rewriting.rule"),
    "Target": "rules.target",
    **dict.fromkeys(("Converted", "Report"), "conversion"),
    "Inspection": "inspection",
    "Coverage": "coverage",
    "Explanation": "explanation",
    "Comparison": "proof.compare",
    "OperatorComparison": "proof.operators",
    "Verification": "proof.report",
    "Diff": "proof.diff",
    "Zoo": "zoo",
    "ModelReport": "proof.results",
}


def __getattr__(name: str) -> Any:
    """The version, or a name of `__all__` that isn't defined here."""
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("tosa-converter")
    elif name in __all__:
        from importlib import import_module

        value = getattr(import_module(f"{__name__}.{_PLACES.get(name, 'errors')}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def _readable_text(graph: Graph | Model) -> str:
    from tosa_converter.formats.mlir.writer import readable_text

    return readable_text(graph)


print_with(_readable_text)


def __dir__() -> list[str]:
    return sorted(__all__)


def load(source: Source, *, delegate: int | None = None) -> Model:
    """Read a model of any supported format (.tflite, .tosa, .spv, .vgf, .pte, XNNGraph), told by its content.

    Args:
        source: a path, whose file is mapped into memory so that weights are views of it; or the bytes themselves, or a
            file that is open for reading bytes.
        delegate: of a program (.pte), the number of the delegate whose graph is read instead of the whole.

    Raises:
        UsageError: there is no such file or delegate, or the source is something else.
        FormatError: the content is malformed or of no known format.
    """
    from tosa_converter import formats
    from tosa_converter.errors import UsageError

    if isinstance(source, str) or hasattr(source, "__fspath__"):
        return formats.load(source, delegate=delegate)
    content = source.read() if hasattr(source, "read") else source
    if not isinstance(content, bytes | bytearray | memoryview):
        raise UsageError(f"expected a path, bytes or a file of bytes, found {type(content).__name__}")
    return formats.parse(bytes(content), delegate=delegate)


def _loaded(model: Model | Source) -> Model:
    from tosa_converter.ir import Model

    return model if isinstance(model, Model) else load(model)


def _chosen(model: Model | Source, signature: str) -> Model:
    return selected(model, signature) if signature else _loaded(model)


def _listed(names: str | Sequence[str]) -> Sequence[str]:
    """Names that a string has between commas."""
    return names.split(",") if isinstance(names, str) else names


def convert(
    model: Model | Source,
    *,
    target: Target | str | None = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    bounds: Mapping[str, int] | None = None,
    numerics: str = "",
    io_types: str | Mapping[str, str] | None = None,
    io_layouts: Mapping[str, str] | None = None,
    float_type: str = "",
    state: str = "",
    control_flow: str = "",
    sequence: str = "unroll",
    rules: Sequence[RuleSource] = (),
    allow_custom: bool = False,
    signature: str = "",
    dump: Callable[[str, Model], None] | None = None,
    limit: float = _SECONDS,
    trace: list[Attempts] | None = None,
) -> Converted:
    """Legalize a model to TOSA 1.0; `report` of the result says what was done.

    Args:
        model: what `load` made of a source file, or what it takes.
        target: profiles, extensions and level that the result must keep to, or their names or that of a preset as
            `Target.parse` reads them; what the model needs when not given. A preset stands for what isn't said of
            numerics, borders, state and control flow too.
        input_shapes: for inputs with unknown dimensions; else the shapes that the file gives.
        bounds: as for `with_bounds`.
        numerics: reference (LiteRT's reference kernels, the default for TFLite), xnnpack (the default for XNNPACK
            graphs; for TFLite what LiteRT's delegate takes is as XNNPACK computes it, the rest as the reference kernels
            do and in the notes) or compact (the short form that hardware compilers look for).
        io_types: as for `with_borders`, as is the next.
        io_layouts: see there.
        float_type: fp16 or bf16 to have the arithmetic of fp32 in it; graph inputs and outputs stay fp32. The report's
            notes tell how far outputs on random inputs are from fp32's, if `limit` and the memory allow both runs.
        state: variables, the default, or io to have what lasts from run to run as inputs and outputs.
        control_flow: keep, the default, or flatten to have both branches of an IF and each round of a WHILE computed
            in a row.
        sequence: unroll or loop: what becomes of the steps of recurrent operators.
        rules: rules of your own, which are tried before this package's: `Rule`s, files whose `RULES` are some, or
            names of installed plugins. They are code, and run as such. Installed plugins that aren't named are asked
            about operators that nothing else takes.
        allow_custom: keep custom operators that no rule accepts as TOSA's CUSTOM, with a note for each.
        signature: convert its graph alone; all of them become graphs of one model by default.
        dump: called with a name and the model after import and after every pass.
        limit: seconds that the runs for `float_type` may take, by an estimate from the operators' shapes.
        trace: gets the rules that each pass tries at each operator; `explain` sorts them by source operator.

    Raises:
        UsageError: arguments that don't fit the model.
        FormatError: as `load`.
        UnsupportedError: operators that can't be converted, all of them with their places.
        PluginError: a rule of your own raised, or made what can't stand for its operator.
    """
    from tosa_converter.conversion import convert_model, require_applicable
    from tosa_converter.formats.storage import require_unchanged

    target = _target(target)
    model = with_bounds(_bordered(_chosen(model, signature), target, io_types, io_layouts), bounds or {})
    require_unchanged(model.source)
    chosen = {"numerics": numerics, "state": state, "control_flow": control_flow, "sequence": sequence != "unroll"}
    require_applicable(model, **chosen, rules=rules, allow_custom=allow_custom, explain=trace is not None)
    options = _options(model, target, input_shapes, numerics)
    options = options._replace(
        dump=dump,
        trace=trace,
        float_type=float_type,
        state=state or options.state,
        control_flow=control_flow or options.control_flow,
        sequence=sequence,
        allow_custom=allow_custom,
    )
    if not float_type:
        converted = convert_model(model, _pipelines(rules), options)
    else:
        from tosa_converter.proof.low_precision_floats import measured

        converted = convert_model(model, _pipelines(rules), options, lambda exact, made: measured(exact, made, limit))
    require_unchanged(model.source)
    return converted


def _pipelines(rules: Sequence[RuleSource]) -> Pipelines:
    """Returns the passes for each source opset, with the user's rules before the others."""
    from tosa_converter.legalize.pipelines import PIPELINES

    if not rules:
        return PIPELINES
    from tosa_converter.rewriting.pipeline import preferring
    from tosa_converter.rewriting.plugins import gathered

    preferred = gathered(rules)
    return {opset: preferring(preferred, passes) for opset, passes in PIPELINES.items()}


def convert_partially(model: Model | Source, *, signature: str = "", **options: Any) -> Model:
    """Convert what can be converted of a TFLite model: a chain of up to two TOSA models and what is left between them.

    `save` writes a chain as a `.json` manifest with its models beside it; `run` and `compare` execute it, what is left
    in LiteRT. Its notes tell what can't be converted and why.

    Args:
        model: a TFLite model without state, or what `load` takes.
        signature: of a model with several, the one to convert.
        options: as for `convert`.

    Raises:
        ConverterError: as `convert`; UnsupportedError if nothing converts.
    """
    from tosa_converter.conversion import resolve_input_shapes
    from tosa_converter.partition import partition
    from tosa_converter.rewriting.plugins import gathered

    borders = {name: options.pop(name, None) for name in ("io_types", "io_layouts")}
    target = options["target"] = _target(options.get("target"))
    source = with_bounds(_bordered(_chosen(model, signature), target, **borders), options.pop("bounds", None) or {})
    shapes = resolve_input_shapes(source, options.pop("input_shapes", None) or {})
    options["rules"] = gathered(options.get("rules", ()))
    judged = {name: options[name] for name in ("target", "numerics", "rules", "allow_custom") if name in options}

    def given(piece: Model) -> dict[str, Sequence[int]]:
        return {value.name: shapes[value.name] for value in piece.main.inputs if value.name in shapes}

    def checked(piece: Model) -> Coverage:
        coverage = check(piece, input_shapes=given(piece), **judged)
        assert coverage is not None  # of a source
        return coverage

    if target and target.preset:  # whose borders are the chain's, not those of its pieces
        options["target"] = target._replace(preset=target.preset._replace(stored=False))
    return partition(source, checked, lambda piece: convert(piece, input_shapes=given(piece), **options), shapes)


def _options(
    model: Model, target: Target | str | None, input_shapes: Mapping[str, Sequence[int]] | None, numerics: str
) -> Options:
    from tosa_converter.conversion import default_numerics
    from tosa_converter.rewriting.report import Options

    target = _target(target)
    preset = target.preset if target else None
    shapes = {name: tuple(shape) for name, shape in (input_shapes or {}).items()}
    options = Options(numerics or default_numerics(model), target, shapes)
    if preset is None:
        return options
    chosen = numerics or preset.numerics or options.numerics
    return options._replace(numerics=chosen, state=preset.state, control_flow=preset.control_flow)


def _target(target: Target | str | None) -> Target | None:
    from tosa_converter.rules.target import Target

    return Target.parse(target) if isinstance(target, str) else target


def _bordered(
    model: Model, target: Target | None, io_types: str | Mapping[str, str] | None, io_layouts: Mapping[str, str] | None
) -> Model:
    """A model with the borders that the user wants, and the target's preset where nothing is said."""
    if target and target.preset and target.preset.stored and not isinstance(io_types, str) and model.opset == "tfl":
        from tosa_converter.legalize.tflite.borders import stored_types

        io_types = io_types or {}
        io_types = io_types if "" in io_types else {**stored_types(model), **io_types}
    return with_borders(model, io_types=io_types, io_layouts=io_layouts)


def draw(*models: Model | Source) -> str:
    """Small models as SVG, side by side; the same models give the same text.

    Raises:
        UsageError: they have too many operators for a drawing.
        FormatError: a file is malformed.
    """
    from tosa_converter.pictures import svg

    return svg.draw([_loaded(model) for model in models])


def with_borders(
    model: Model | Source,
    *,
    io_types: str | Mapping[str, str] | None = None,
    io_layouts: Mapping[str, str] | None = None,
) -> Model:
    """A TFLite model with inputs and outputs of other element types or layouts; the same one if nothing is asked for.

    A QUANTIZE or DEQUANTIZE at a border is left out where it has the other type behind it, else one is added.

    Args:
        model: a TFLite model, or what `load` takes.
        io_types: keep, float32, float16, int8, uint8 or int16 by the name of an input or output; one alone is for all
            whose elements stand for reals.
        io_layouts: nchw or nhwc by the name of an image's input or output; the graph has the other one.

    Raises:
        UsageError: what doesn't fit the model.
    """
    model = _loaded(model)
    if not io_types and not io_layouts:
        return model
    from tosa_converter.legalize.tflite.borders import with_borders

    return with_borders(model, {"": io_types} if isinstance(io_types, str) else io_types or {}, io_layouts or {})


def with_bounds(model: Model | Source, bounds: Mapping[str, int]) -> Model:
    """A TFLite model that says how many rows results have at most, of which only a run knows the number.

    The conversion gives such a result exactly as many rows, from the first on: behind the last one that a run gives are
    zeros, and what is beyond is left out. `compare` compares the rows that the source gives.

    Args:
        model: a TFLite model, or what `load` takes; the same one is returned without bounds.
        bounds: the most rows by the name of a result of WHERE, UNIQUE (its first) or SEGMENT_SUM.

    Raises:
        UsageError: no such operator has a result of that name, or the number is none of rows.
    """
    model = _loaded(model)
    if not bounds:
        return model
    from tosa_converter.rewriting.bounds import with_bounds

    return with_bounds(model, bounds)


def selected(model: Model | Source, signature: str) -> Model:
    """The model of one signature: its graph is the main one, which `run`, `inspect` and all else look at.

    Args:
        model: of any opset, or what `load` takes.
        signature: its name; graphs of TOSA files go by their own.

    Raises:
        UsageError: the model has no such signature.
    """
    from tosa_converter.rewriting.signatures import selected

    return selected(_loaded(model), signature)


def optimize(model: Model | Source, passes: str | Sequence[str] = ()) -> Converted:
    """Run passes from TOSA to TOSA alone, on a copy of a model.

    Args:
        model: TOSA, legal but for the level's limits.
        passes: their names in order, also in a string between commas: rank-reduction, reshape-propagation, simplify,
            common-subexpressions. All of them when none is named.

    Raises:
        UsageError: a model of other operators, or a pass that there isn't.
        VerifyError: the model is illegal, or the result exceeds level 8K.
    """
    from tosa_converter.conversion import optimize

    return optimize(_loaded(model), _listed(passes))


def to_tflite(model: Model | Source) -> Model:
    """A TOSA model as one that LiteRT runs, of TFLite's builtin operators; `save` writes it as `.tflite`.

    Args:
        model: legal TOSA, or what `load` takes.

    Raises:
        UsageError: a model of other operators; `convert` it first.
        VerifyError: the model is illegal.
        UnsupportedError: operators that LiteRT's builtin operators don't compute, all of them.
    """
    from tosa_converter.conversion import lowered
    from tosa_converter.legalize.invert.tflite.pipeline import PASSES

    return lowered(_loaded(model), PASSES, "tfl")


def to_xnn(model: Model | Source) -> Model:
    """A TOSA model as a graph of XNNPACK's nodes; `save` writes it as `.xnn`.

    Args:
        model: legal TOSA, or what `load` takes; integers as `convert` makes them with `numerics="xnnpack"`.

    Raises:
        UsageError: a model of other operators; `convert` it first.
        VerifyError: the model is illegal.
        UnsupportedError: operators that XNNPACK has no nodes for, all of them.
    """
    from tosa_converter.conversion import lowered
    from tosa_converter.legalize.invert.xnnpack.pipeline import PASSES

    return lowered(_loaded(model), PASSES, "xnn")


def check(
    model: Model | Source,
    target: Target | str | None = None,
    *,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    bounds: Mapping[str, int] | None = None,
    numerics: str = "",
    rules: Sequence[RuleSource] = (),
    allow_custom: bool = False,
) -> Coverage | None:
    """Hold a TOSA model against the specification, or ask what each operator of a source would become.

    Args:
        model: of TOSA operators, for which nothing is returned; or a source.
        target: profiles, extensions and level to keep to. When not given, those that a TOSA model needs, and level 8K;
            a source may need any.
        input_shapes: of a source, as for `convert`, as are the rest.
        bounds: see there.
        numerics: see there.
        rules: see there.
        allow_custom: see there.

    Raises:
        UsageError: arguments that don't fit the model.
        VerifyError: with every condition that is violated.
    """
    from tosa_converter.conversion import require_applicable
    from tosa_converter.rules.graph import verify
    from tosa_converter.rules.target import needs

    model = _loaded(model)
    require_applicable(model, numerics=numerics, rules=rules, allow_custom=allow_custom)
    if model.opset != "tosa":
        from tosa_converter.coverage import find_coverage

        options = _options(model, target, input_shapes, numerics)._replace(allow_custom=allow_custom)
        return find_coverage(with_bounds(model, bounds or {}), _pipelines(rules), options)
    verify(model, target=needs(model) if target is None else target)
    return None


def explain(model: Model | Source, operator: int | str = "all", *, signature: str = "", **options: Any) -> Explanation:
    """Says which rules a conversion tries at operators, and why each rule applied or declined.

    A model that can't be converted is explained too; `refusal` of the result is the error.

    Args:
        model: a source model, or what `load` takes.
        operator: its number in the main graph, its location ("main:8"), its name ("CONV_2D"), or a part of its location
            or name; "all" for every operator.
        signature: of a model with several, the one to convert.
        options: as for `convert`.

    Raises:
        UsageError: there is no such operator; or as `convert`.
    """
    from tosa_converter.explanation import explain_conversion

    source = _chosen(model, signature)

    def convert_source(trace: list[Attempts]) -> Converted:
        return convert(source, **options | {"limit": 0}, trace=trace)

    return explain_conversion(source, str(operator), convert_source)


def inspect(model: Model | Source) -> Inspection:
    """What a model holds: tensors, operators, signatures, and what it or its conversion needs.

    Raises:
        FormatError: as `load`.
    """
    from tosa_converter.inspection import inspect_model

    return inspect_model(_loaded(model), lambda source: convert(source).report.needs)


def extract(model: Model | Source, inputs: str | Sequence[str] = (), outputs: str | Sequence[str] = ()) -> Model:
    """A part of a model as a model of its own: what computes some tensors of the main graph from others.

    Args:
        model: of any opset, or what `load` takes.
        inputs: names of the tensors to begin with; without any, the inputs of the main graph that are needed.
        outputs: names of the tensors to end with; without any, the outputs of the main graph.

    Raises:
        UsageError: a name that no tensor of the main graph has; a tensor that the outputs need and that doesn't come
            from the inputs, or an input that they don't need; state that is outside of the part.
    """
    from tosa_converter.extraction import extract

    return extract(_loaded(model), _named(inputs), _named(outputs))


def _named(names: str | Sequence[str]) -> Sequence[str]:
    return [names] if isinstance(names, str) else names


def random_inputs(
    model: Model | Source,
    *,
    seed: int = 0,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
) -> dict[str, Array]:
    """Inputs for a model's main graph: the full range of small integers, standard normal floats, fair booleans.

    Args:
        model: of any opset.
        seed: the same gives the same arrays.
        input_shapes: for inputs with unknown dimensions; else the shapes that the file gives.
        ranges: the least and the greatest number by an input's name, or by "" for all others: uniform floats, reals
            that quantized integers stand for, other integers themselves.

    Raises:
        UsageError: shapes that don't fit the model or the memory, or a type that has no random values.
        VerifyError: the graph is illegal, so that its shapes may be any numbers.
    """
    from tosa_converter.conversion import resolve_input_shapes
    from tosa_converter.proof.indices import index_limits
    from tosa_converter.proof.input_sets import random_inputs
    from tosa_converter.rules.gate import require_legal

    model = _loaded(model)
    require_legal(model)
    shapes = {value.name: shape for value, shape in model.default_shapes.items()}
    within = {**index_limits(model), **_by_input(model, ranges)}
    return random_inputs(model.main.inputs, shapes | resolve_input_shapes(model, input_shapes or {}), seed, within)


def _by_input(model: Model, ranges: Mapping[str, tuple[float, float]] | None) -> dict[str, tuple[float, float]]:
    """Ranges by the names of the main graph's inputs, that of all others by ""."""
    from tosa_converter.execute.inputs import by_tensor_name

    rest = {name: range for name, range in (ranges or {}).items() if not name}
    return by_tensor_name(model, {name: range for name, range in (ranges or {}).items() if name}) | rest


def adversarial_inputs(
    model: Model | Source,
    *,
    runs: int = 10,
    steps: int = 0,
    seed: int = 0,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
) -> list[dict[str, Array]]:
    """Sets of inputs that saturate, tie and mark borders by a source's own scales, constants and intermediate values.

    Ends of ranges, zero points, special floats where their results are defined, rows by the first and last index, sums
    of layers that are next to a tie of the result, and inputs changed bit by bit towards the ends of intermediates.

    Args:
        model: of any opset, or what `load` takes.
        runs: how many sets; the first ones are the same for any number.
        steps: of each, if any; then every array is [steps, ...].
        seed: the same gives the same arrays.
        input_shapes: as for `random_inputs`.

    Raises:
        UsageError: as `random_inputs`.
        ConverterError: the engine that is asked for intermediate values refuses the model or fails.
    """
    from tosa_converter.conversion import resolve_input_shapes
    from tosa_converter.ir import Value
    from tosa_converter.proof.input_sets import input_sets, require_runs
    from tosa_converter.rules.gate import require_legal

    require_runs(runs)
    model = _loaded(model)
    require_legal(model)
    known = {value.name: shape for value, shape in model.default_shapes.items()}
    known |= resolve_input_shapes(model, input_shapes or {})
    values = [Value(v.type._replace(shape=known.get(v.name, v.type.shape)), v.name) for v in model.main.inputs]
    further = _adversarial_sets(model, {value.name: value.type.static for value in values}, seed, steps)
    return input_sets(further, runs)


def _adversarial_sets(
    model: Model, shapes: Mapping[str, tuple[int, ...]], seed: int, steps: int
) -> Callable[[int], dict[str, Array]]:
    """What makes the i-th set of adversarial inputs, `steps` of each if any."""
    import numpy as np

    from tosa_converter.engines import begun, keeps, run_keeping, source_engine
    from tosa_converter.proof.adversarial import Adversary

    engine = source_engine(model)

    def observe(arrays: Mapping[str, Array], name: str) -> Array:
        return run_keeping(engine, model, {**begun(model), **arrays}, [name])[name]

    adversary = Adversary(model, shapes, seed, observe if keeps(engine) else None)

    def made(i: int) -> dict[str, Array]:
        if not steps:
            return adversary.inputs(i)
        sets = [adversary.inputs(i * steps + step) for step in range(steps)]
        return {name: np.stack([one[name] for one in sets]) for name in sets[0]}

    return made


def image_input(model: Model | Source, path: str | PathLike[str], *, name: str = "", scale: str = "") -> Array:
    """An image file as an input of a model: PNG, JPEG, BMP, GIF, PPM, TIFF or WebP by Pillow (extra `media`).

    It is resized to the input's height and width, in its channels (1, 3 or 4, last or in front).

    Args:
        model: of any opset, or what `load` takes.
        path: of the file.
        name: of the input; not needed if there is one.
        scale: raw (0 to 255), 0..1, -1..1 or MEAN,STD; through the scale and zero point of a quantized input. Unless
            given, the whole range of integers of 8 and 16 bits, raw for others, 0..1 for floats.

    Raises:
        MissingExtra: Pillow is not installed.
        UsageError: a file that isn't such an image, is damaged or too large, or an input that holds none.
    """
    from tosa_converter.proof.media import image_input, input_of

    return image_input(str(path), input_of(_loaded(model), name), scale)


def audio_input(
    model: Model | Source, path: str | PathLike[str], *, name: str = "", scale: str = "", windows: int = 0
) -> Array:
    """A WAV file of PCM as an input of a model, [windows, *shape]: mixed to one channel, at the file's own rate.

    Args:
        model: of any opset, or what `load` takes.
        path: of the file.
        name: of the input; not needed if there is one.
        scale: raw (the file's integers), 0..1, -1..1 or MEAN,STD; through the scale and zero point of a quantized
            input. Unless given, the whole range of integers of 8 and 16 bits, raw for others, -1..1 for floats.
        windows: how many; as many as the file fills if 0. Behind its end is silence.

    Raises:
        UsageError: a file that isn't such a sound, is damaged or too large, or an input that holds no samples.
    """
    from tosa_converter.proof.media import audio_input, input_of

    return audio_input(str(path), input_of(_loaded(model), name), scale, windows)


def run(
    model: Model | Source,
    inputs: Mapping[str, Array],
    *,
    keep: Keep = (),
    engine: Engine | str = "",
    limit: float = _SECONDS,
) -> dict[str, Array]:
    """Run a model's main graph: arrays by input name to arrays by output name.

    Args:
        model: a model, or what `load` takes; it needs to keep to no level, but to be legal otherwise.
        inputs: by the names of the graph's inputs, or those of a signature.
        keep: intermediate values to return besides the outputs, or their names, or "all".
        engine: which one by name: executor (this package's own, the default for TOSA), litert (LiteRT's reference
            kernels, the default for TFLite), litert-optimized, litert-xnnpack, tosa-reference-model, vulkan, executorch
            (the default for XNNGraphs and programs).
        limit: seconds that the executor accepts, by an estimate from the operators' shapes; math.inf for any.

    Raises:
        VerifyError: the graph is illegal, with every condition that is violated.
        UsageError: inputs that are missing or don't fit; more memory than there is, or more time than the limit; an
            engine that there isn't or that doesn't run such models or keep their values.
        UnpredictableError: a REQUIRE of the specification doesn't hold for these inputs.
    """
    from tosa_converter.engines import begun, engine_for, run_keeping
    from tosa_converter.execute.inputs import by_tensor_name

    model = _loaded(model)
    chosen = engine_for(model, engine, limit) if isinstance(engine, str) else engine
    arrays = {**begun(model), **by_tensor_name(model, inputs)}
    return run_keeping(chosen, model, arrays, keep) if keep else chosen.run(model, arrays)


def run_steps(
    model: Model | Source,
    steps: Sequence[Mapping[str, Array]],
    *,
    engine: Engine | str = "",
    limit: float = _SECONDS,
) -> list[dict[str, Array]]:
    """Run a model's main graph several times, from which its state goes on: `run` with the inputs of each step.

    Args:
        model: a model, or what `load` takes.
        steps: arrays by input name for each run; states that are inputs may be left out.
        engine: see `run`.
        limit: see `run`, for each step.

    Raises:
        UsageError: no steps, an engine that keeps no variables, or as `run`.
    """
    from tosa_converter.engines import engine_for
    from tosa_converter.errors import UsageError
    from tosa_converter.execute.inputs import by_tensor_name

    model = _loaded(model)
    if not steps:
        raise UsageError("expected at least one step")
    chosen = engine_for(model, engine, limit) if isinstance(engine, str) else engine
    return chosen.run_steps(model, [by_tensor_name(model, inputs) for inputs in steps])


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
    limit: float = _SECONDS,
    progress: Callable[[str], object] = lambda _: None,
) -> list[Comparison]:
    """Run a source and its conversion on the same inputs and compare every output.

    Integers must be equal, floats within 1e-5 of the reference's largest value. An output beyond that gets a second
    look: it is equal if every operator is equal on the source's own values, and the source's own engines, or its inputs
    changed by one unit in the last place, move the output as far. `rule` and `second_look` of each output tell which.

    Args:
        source: the model as it was read, or what `load` takes.
        model: its conversion, or a TFLite model that was written of either.
        inputs: sets of arrays by the source's input names; random ones when none are given. An array with one dimension
            more is for several steps, which are runs of their own in a model without state; others are alike in all.
        runs: how many random sets.
        steps: of each run, from which what lasts goes on. 0 is for as many as the inputs are for, or 10 on random
            inputs of a model with state.
        seed: of the first one.
        ranges: of random inputs, as for `random_inputs`.
        adversarial: sets of `adversarial_inputs` in place of random ones.
        against: engines by name, in a string between commas. Those for TOSA (executor, tosa-reference-model, vulkan)
            run the conversion. The first that runs the source is the reference; without one it is LiteRT's reference
            kernels, or XNNPACK's where only they have an operator, ExecuTorch for XNNGraphs and programs, and the
            executor for a source that is TOSA. A TFLite model is run by LiteRT's, and compared with all others that run
            the source.
        float_type: what the conversion computes fp32 in, if that is fp16 or bf16: floats must then be within 2**-8 or
            2**-5 of the reference's largest value.
        limit: see `run`.
        progress: called with the name of each stage as it begins.

    Raises:
        UsageError: a model that isn't the source's conversion, no runs, values that its inputs can't hold, or engines
            that can't be compared.
        ConverterError: an engine refuses its model or fails.
    """
    from dataclasses import replace
    from functools import partial

    from tosa_converter.engines import CHAIN, chained, engines_for
    from tosa_converter.engines.stepped import Stepped
    from tosa_converter.extraction import extract
    from tosa_converter.legalize.tflite.undefined import open_elements, substituted
    from tosa_converter.proof.compare import TYPE_TOLERANCES, compare_runs
    from tosa_converter.proof.input_sets import input_sets
    from tosa_converter.proof.side_by_side import judge_operators

    source = _loaded(source)
    source, model = _checked_pair(source, model, runs, steps)
    tolerance = _of_type(TYPE_TOLERANCES, float_type)
    given, further, steps = _input_sets(source, model, inputs, ranges, adversarial, steps, seed)
    names = _listed(against)
    references, engines = engines_for(source, names, limit, "tfl" if model.opset == "tfl" else "tosa")
    judge = substituted if model.opset == "tosa" else None
    operators = partial(judge_operators, extract=extract, undefined=open_elements, tolerance=tolerance, limit=limit)
    engines = [chained(engine) for engine in engines] if model.opset == CHAIN else engines
    sets = input_sets(further, runs) if further else given
    settings: dict[str, Any] = {"further": further, "tolerance": tolerance, "substituted": None if steps else judge}
    settings |= {"operators": operators, "progress": progress}
    runners: list[list[Engine]] = [
        [Stepped(engine, steps) if steps else engine for engine in some] for some in (references, engines)
    ]
    found = [compare_runs(source, reference, model, runners[1], sets, **settings) for reference in runners[0]]
    kind = "given" if inputs else "adversarial" if adversarial else "random"
    return [replace(comparison, inputs=kind) for comparisons in found for comparison in comparisons]


def _input_sets(
    source: Model,
    model: Model,
    inputs: Sequence[Mapping[str, Array]],
    ranges: Mapping[str, tuple[float, float]] | None,
    adversarial: bool,
    steps: int,
    seed: int,
) -> tuple[Sequence[Mapping[str, Array]], Callable[[int], dict[str, Array]] | None, int]:
    """The sets of inputs that are given, or what makes the i-th one, and how many steps each has."""
    from tosa_converter.errors import UsageError
    from tosa_converter.proof.input_sets import arranged, given_inputs, random_sets

    if sum(map(bool, (inputs, ranges, adversarial))) > 1:
        raise UsageError("expected given inputs, ranges of random ones or adversarial ones, found several")
    lasting = model.stateful or (model.opset == "tfl" and source.opset == "tosa" and source.stateful)
    if inputs:
        sets, steps = arranged(source, inputs, steps, stateful=lasting)
        return sets, None, steps
    steps = steps or (_STEPS if lasting else 0)
    if not adversarial:
        return (), random_sets(source, model, seed, steps, _by_input(source, ranges)), steps
    pairs = zip(source.main.inputs, given_inputs(model), strict=True)
    known = {old.name: (old if None in new.type.shape else new).type.static for old, new in pairs}
    return (), _adversarial_sets(source, known, seed, steps), steps


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
    limit: float = _SECONDS,
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
    from tosa_converter.engines import engines_for
    from tosa_converter.engines.litert import LiteRT
    from tosa_converter.extraction import extract
    from tosa_converter.legalize.tflite.undefined import open_elements
    from tosa_converter.proof.compare import TYPE_TOLERANCES
    from tosa_converter.proof.input_sets import random_sets
    from tosa_converter.proof.operators import uncompared
    from tosa_converter.proof.side_by_side import compare_operators

    source = _loaded(source)
    source, model = _checked_pair(source, model, 1, steps)
    tolerance = _of_type(TYPE_TOLERANCES, float_type)
    (oracle, *_), _ = engines_for(source, ("executor", *_listed(against)), limit)
    if model.opset != "tosa" or not isinstance(oracle, LiteRT):
        return uncompared(model, oracle.name)
    if model.stateful and not steps:
        steps = 1 if inputs else _STEPS
        inputs = inputs and {name: array[None] for name, array in inputs.items()}
    given = random_sets(source, model, seed, steps)(0) if inputs is None else inputs
    runs = [{name: array[i] for name, array in given.items()} for i in range(steps)] if steps else [given]
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


def _of_type(tolerances: Mapping[str, float], float_type: str) -> float:
    from tosa_converter.errors import UsageError

    if float_type not in tolerances:
        raise UsageError(f"float: expected one of {', '.join(filter(None, tolerances))}, found {float_type!r}")
    return tolerances[float_type]


def _checked_pair(source: Model, model: Model, runs: int, steps: int) -> tuple[Model, Model]:
    """A source and its conversion as they are compared; state of a TOSA source is inputs and outputs like others."""
    from tosa_converter.errors import UsageError
    from tosa_converter.proof.compare import with_state_as_inputs
    from tosa_converter.proof.input_sets import require_runs

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
    require_runs(runs)
    if steps < 0:
        raise UsageError(f"expected steps, found {steps}")
    return source, model


def verify(
    source: Model | Source,
    written: Model | Source = "",
    *,
    target: Target | str | None = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    bounds: Mapping[str, int] | None = None,
    numerics: str = "",
    io_types: str | Mapping[str, str] | None = None,
    io_layouts: Mapping[str, str] | None = None,
    state: str = "",
    control_flow: str = "",
    sequence: str = "unroll",
    float_type: str = "",
    rules: Sequence[RuleSource] = (),
    signature: str = "",
    partial: str | PathLike[str] = "",
    runs: int = 1,
    steps: int = 0,
    seed: int = 0,
    inputs: Sequence[Mapping[str, Array]] = (),
    ranges: Mapping[str, tuple[float, float]] | None = None,
    adversarial: bool = False,
    against: str | Sequence[str] = (),
    layers: bool = False,
    bisect: bool = False,
    limit: float = _SECONDS,
    progress: Callable[[str], object] = lambda _: None,
) -> Verification:
    """Convert a model and compare both sides on random or given inputs: `convert` and `compare` in one.

    Args:
        source: a model, or what `load` takes.
        written: a TFLite model that was written of it, to be compared in place of the conversion.
        target: this and the next two as for `convert`.
        input_shapes: see there.
        bounds: as for `with_bounds`.
        numerics: see there.
        io_types: as for `with_borders`, as is the next: LiteRT runs the model with these borders.
        io_layouts: see there.
        state: as for `convert`, as are the next two.
        control_flow: see there.
        sequence: see there.
        float_type: as for `convert` and `compare`.
        rules: as for `convert`.
        signature: compare its graph alone; all that have one by default.
        partial: the folder or manifest of a chain that was converted before, to be compared in place of a conversion.
        runs: as for `compare`, as are the steps, the seed, the limit, and the engines besides the executor.
        steps: see there.
        seed: see there.
        inputs: as for `compare`, as are the next two.
        ranges: see there.
        adversarial: see there.
        against: as for `compare`; in xnnpack numerics LiteRT is the one with its XNNPACK delegate.
        layers: on the first set of inputs, hold every operator of the conversion to its precision clause too, and
            compare every operator of the source with what it became, as `compare_layers`, and how long both take.
        bisect: with layers, run every operator alone.
        limit: see there.
        progress: called with the name of each stage as it begins.

    Raises:
        ConverterError: as `convert` and `compare`.
    """
    from tosa_converter.conversion import border_notes
    from tosa_converter.errors import UsageError
    from tosa_converter.proof.borders import border_changes
    from tosa_converter.proof.report import Verification
    from tosa_converter.rewriting.signatures import split_by_signature

    target = _target(target)
    source = with_bounds(_bordered(_chosen(source, signature), target, io_types, io_layouts), bounds or {})
    delegate = ["litert-xnnpack"] if numerics == "xnnpack" else []  # behind what the user names, if that runs a source
    names = ("executor", *_listed(against), *delegate)
    settings: dict[str, Any] = {"runs": runs, "steps": steps, "seed": seed, "float_type": float_type, "limit": limit}
    settings |= {"inputs": inputs, "ranges": ranges, "adversarial": adversarial, "progress": progress}
    layers = layers or bisect
    if layers and (partial or written):
        raise UsageError("only a conversion's operators are judged by their clauses: verify without layers")
    if partial:
        if state or control_flow or sequence != "unroll" or rules:
            options = "--state, --control-flow, --sequence and --plugin"
            raise UsageError(f"{options} can't apply: with --partial nothing is converted")
        return _verified_chain(source, load(partial), against=names, **settings)
    progress("converting")
    model = convert(
        source,
        target=target,
        input_shapes=input_shapes,
        numerics=numerics,
        io_types=io_types if target and target.preset else None,
        state=state,
        control_flow=control_flow,
        sequence=sequence,
        float_type=float_type,
        rules=rules,
        limit=limit,
    )
    comparisons: list[Comparison] = []
    judged: list[LayerReport] = []
    operators: list[OperatorComparison] = []
    looks: dict[str, tuple[Model, Model, Sequence[str], bool, Mapping[str, Any]]] = {}
    sides = source, _chosen(written, signature) if written else model
    made = split_by_signature(sides[1])
    sources = split_by_signature(source)
    source = _runnable(source, model) if written else source
    graphs = split_by_signature(source)
    if inputs and len(graphs) > 1:
        raise UsageError(f"expected the signature that the inputs are for, one of {', '.join(filter(None, graphs))}")
    for name, one in graphs.items():
        if name not in made:
            there = ", ".join(map(repr, made))
            raise UsageError(f"{made[next(iter(made))].source}: expected a graph for signature {name!r}, found {there}")
        found = compare(one, made[name], against=names, **settings)
        comparisons += [comparison.of(name) for comparison in found]
        looks[name] = one, made[name], names, bisect, settings
        if layers:
            clauses, by_operator = _looked_at(*looks[name], clauses=True)
            judged += clauses
            operators.append(by_operator.of(name))
    report, places = model.report, (source.source, model.report.numerics, model.report.needs, seed)
    pairs = [(one, made[name]) for name, one in sources.items() if name in made]
    borders = [border for pair in pairs for border in border_changes(*pair)]
    undone = set(border_notes(model)) if written else set()
    notes = tuple(note for note in report.notes if note not in undone)
    listed = tuple(comparisons), notes, tuple(judged)
    later = tuple if layers or written else lambda: tuple(_looked_at(*look)[1].of(key) for key, look in looks.items())
    return Verification(*places, *listed, borders=tuple(borders), operators=tuple(operators), sides=sides, later=later)


def _looked_at(
    source: Model, model: Model, names: Sequence[str], bisect: bool, settings: Mapping[str, Any], clauses: bool = False
) -> tuple[Sequence[LayerReport], OperatorComparison]:
    """The first set of inputs operator by operator; with `clauses` by their precision clauses too, and with times."""
    source, model = _checked_pair(source, model, settings["runs"], settings["steps"])
    drawn = {key: settings[key] for key in ("inputs", "ranges", "adversarial", "steps", "seed")}
    sets, further, count = _input_sets(source, model, **drawn)
    first = further(0) if further else sets[0]
    chosen = first if any(drawn[key] for key in ("inputs", "ranges", "adversarial")) else None
    options = {key: settings[key] for key in ("seed", "float_type", "limit")} | {"bisect": bisect, "times": clauses}
    found = compare_layers(source, model, inputs=chosen, steps=count, against=names, **options)
    once = {name: array[0] if count else array for name, array in first.items()}
    return _judged(source, model, once) if clauses else (), found


def _runnable(source: Model, conversion: Model) -> Model:
    """What says what a source computes: of an XNNGraph, or of operators that LiteRT lacks, its conversion."""
    from tosa_converter.engines import ENGINES

    runs = source.opset in ("tfl", "tosa") and any(engine.takes(source) for engine in ENGINES.values())
    return source if runs else conversion


def _verified_chain(source: Model, chain: Model, *, seed: int, **settings: Any) -> Verification:
    """The comparison of a chain."""
    from tosa_converter.errors import UsageError
    from tosa_converter.inspection import pieces
    from tosa_converter.proof.borders import border_changes
    from tosa_converter.proof.report import Verification
    from tosa_converter.rules.target import needs

    if chain.opset != "chain":
        raise UsageError(f"{chain.source}: expected a chain, found a model of {chain.opset} operators")
    found = compare(source, chain, seed=seed, **settings)
    about = source.source, chain.metadata["numerics"], needs(pieces(chain)), seed
    return Verification(*about, tuple(found), (), (), tuple(border_changes(source, chain)), sides=(source, chain))


def diff(
    first: Model | Source,
    second: Model | Source,
    *,
    runs: int = 1,
    steps: int = 0,
    seed: int = 0,
    limit: float = _SECONDS,
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
    from tosa_converter.engines import engine_for
    from tosa_converter.errors import UsageError
    from tosa_converter.proof.diff import diff_models
    from tosa_converter.rewriting.signatures import split_by_signature
    from tosa_converter.rules.gate import require_legal

    if runs < 1 or steps < 0:
        raise UsageError(f"expected runs from 1 on and steps from 0 on, found {runs} and {steps}")
    models = _loaded(first), _loaded(second)
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


def _judged(source: Model, model: Model, inputs: Mapping[str, Array]) -> Sequence[LayerReport]:
    """Every operator of the main graph by its precision clause."""
    from tosa_converter.engines import begun
    from tosa_converter.proof.compare import renamed
    from tosa_converter.proof.layers import check_layers

    return check_layers(model.main, {**begun(model), **renamed(source, model, inputs)})
