"""Conversions, and what a source is prepared by before them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from tosa_converter import conversion
from tosa_converter.api.loading import Source, as_model
from tosa_converter.conversion import (
    Converted,
    Pipelines,
    convert_from_tosa,
    convert_model,
    default_numerics,
)
from tosa_converter.formats.storage import require_unchanged
from tosa_converter.ir import Model
from tosa_converter.known_dims import with_known_dims
from tosa_converter.legalize.pipelines import PIPELINES
from tosa_converter.option_values import split_names
from tosa_converter.options import ConvertOptions, options_from, require_applicable
from tosa_converter.rewriting.pipeline import prefer_rules
from tosa_converter.rewriting.report import Note
from tosa_converter.rules.target import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tosa_converter.rewriting.plugins import RuleSource
    from tosa_converter.rewriting.reasons import Attempts


def convert(
    model: Model | Source,
    *,
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
    weights: str = "",
    rules: Sequence[RuleSource] = (),
    allow_custom: bool = False,
    signature: str = "",
    dump: Callable[[str, Model], None] | None = None,
    limit: float = 10.0,
    trace: list[Attempts] | None = None,
) -> Converted:
    """Converts a model to TOSA 1.0, or 1.1 for a target that says so; `report` of the result says what was done.

    Args:
        model: what `load` made of a source file, or what it takes.
        numerics: reference (LiteRT's reference kernels, the default for TFLite), xnnpack (the default for XNNPACK
            graphs; of a TFLite model, the operators that LiteRT's delegate takes are as XNNPACK computes them, and
            notes list the others), or compact (the short form that hardware compilers look for).
        target: profiles, extensions, level and version of the result, their names, or the name of a preset; whatever
            the model needs of TOSA 1.0 by default. A preset also has defaults for numerics, types of inputs and
            outputs, state, control flow and weights.
        input_shapes: shapes of inputs with unknown dimensions, by name; the shapes in the file by default.
        bounds: the most rows of a result of WHERE, UNIQUE (its first) or SEGMENT_SUM, by its name. The conversion gives
            exactly so many rows: zeros behind the last one, and further rows are left out. By the name of an input of
            TOSA, the size of each unknown dimension.
        io_types: element types of inputs and outputs by name: keep, float32, float16, int8, uint8 or int16. One alone
            is for all whose elements stand for reals.
        io_layouts: nchw or nhwc by the name of an image's input or output, whose layout in the file is the other one.
        float_type: fp16 or bf16, to compute fp32 operators in it; inputs and outputs stay fp32. A conversion notes how
            far random outputs are from fp32's, if `limit` and the memory allow both runs. A comparison allows floats
            2**-8 or 2**-5 of the reference's largest value.
        state: form of persistent state: variables (the default), or io for inputs and outputs. Stated, variables also
            hold state pairs, such as a decoder's cache, which are inputs and outputs of the source.
        control_flow: keep (the default), or flatten to compute both branches of an IF and every iteration of a WHILE.
        sequence: form of the steps of recurrent operators: unroll or loop.
        weights: form of weights narrower than the numbers they are multiplied with: expanded (the default), or stored
            as in the source, with operators behind that expand them. Results are the same.
        rules: rules of your own, which are tried before this package's: `Rule`s, files with a list `RULES`, or names of
            installed plugins. They are run as code. Installed plugins that aren't named are asked about operators that
            no other rule accepts.
        allow_custom: keep custom operators that no rule accepts as TOSA's CUSTOM, with a note for each.
        signature: the graph of this signature alone; by default the graphs of all signatures.
        dump: called with a name and the model after import and after every pass.
        limit: seconds that the executor accepts for a run, by an estimate from the operators' shapes; math.inf for any.
            A conversion runs models only to note the error of `float_type`.
        trace: gets the rules that each pass tries at each operator; `explain` sorts them by source operator.

    Returns:
        The TOSA model with its report.

    Raises:
        UsageError: arguments that don't fit the model.
        FormatError: as `load`.
        UnsupportedError: operators that can't be converted, all of them with their places.
        PluginError: a rule of your own raised an error, or its result can't replace the operator.

    Example:
        >>> import tosa_converter as tc
        >>> tosa = tc.convert("models/digits_int8.tflite", target="ethos-u85")
        >>> str(tosa.report.needs)
        'PRO-INT, EXT-DOUBLEROUND'
    """
    options = options_from(ConvertOptions, locals())
    original = with_chosen_state(as_model(model, signature), options)
    model = prepare_source(original, options)
    require_unchanged(model.source)
    require_applicable(model, options)
    chosen = with_defaults(model, options)
    if not float_type:
        converted = convert_model(model, pipelines(rules), chosen, original=original)
    else:
        from tosa_converter.proof.low_precision_floats import measure_difference

        converted = convert_model(
            model,
            pipelines(rules),
            chosen,
            lambda exact, model: measure_difference(exact, model, limit),
            original=original,
        )
    require_unchanged(model.source)
    converted.report.notes.extend(
        Note(model.source or "the model", text) for text in _without_effect(options, converted)
    )
    return converted


def _without_effect(options: ConvertOptions, converted: Converted) -> Iterator[str]:
    """Yields a text for each option that the user gave and that changed nothing."""
    if options.state and not converted.stateful and not any(converted.states.values()):
        yield "--state (state) has no effect: there is no persistent state"
    if options.weights == "stored":
        from tosa_converter.rewriting.passes.stored_weights import keeps_narrow_weights

        if not keeps_narrow_weights(converted):
            yield "--weights (weights) has no effect: all weights are in the type that they are stored in"


def with_chosen_state(model: Model, options: ConvertOptions) -> Model:
    """Returns a source whose state pairs are variables, if the user asks for these."""
    if options.state != "variables" or model.opset != "tfl":
        return model
    from tosa_converter.legalize.tflite.carried_state import with_variables

    return with_variables(model)


def prepare_source(model: Model, options: ConvertOptions) -> Model:
    """Returns a source with the input and output types, layouts, bounds and sizes that the options ask for.

    Unknown dimensions of a TOSA model are resolved; those of other sources are while they are converted.

    If the target's preset has `stored`, as for devices without floats, a float input that only QUANTIZE reads, or a
    float output of DEQUANTIZE, gets the integer type on the other side of that operator, unless a type is asked for.
    """
    if model.opset == "tosa":
        sized_model = with_known_dims(model, options.input_shapes, options.bounds)
        model, options = sized_model, options if sized_model is model else options._replace(bounds={})
    target, io_types = options.target, options.io_types
    if target and target.preset and target.preset.stored and not isinstance(io_types, str) and model.opset == "tfl":
        from tosa_converter.legalize.tflite.borders import stored_types

        io_types = io_types if "" in io_types else {**stored_types(model), **io_types}
    model = with_borders(model, io_types=io_types, io_layouts=options.io_layouts)
    return with_bounds(model, options.bounds)


def with_defaults(model: Model, options: ConvertOptions) -> ConvertOptions:
    """Returns the options with defaults filled in: first those of the target's preset, then of the source's opset."""
    preset = options.target.preset if options.target else None
    if preset:
        state, control_flow = options.state or preset.state, options.control_flow or preset.control_flow
        options = options._replace(
            numerics=options.numerics or preset.numerics,
            state=state,
            control_flow=control_flow,
            weights=options.weights or preset.weights,
        )
    return options._replace(numerics=options.numerics or default_numerics(model))


def pipelines(rules: Sequence[RuleSource]) -> Pipelines:
    """Returns the passes for each source opset; the user's rules, if any, are tried before the others."""
    if not rules:
        return PIPELINES
    from tosa_converter.rewriting.plugins import load_rules

    preferred = load_rules(rules)
    return {opset: prefer_rules(preferred, passes) for opset, passes in PIPELINES.items()}


def with_borders(
    model: Model | Source,
    *,
    io_types: str | Mapping[str, str] | None = None,
    io_layouts: Mapping[str, str] | None = None,
) -> Model:
    """Returns a TFLite model with other element types or layouts of inputs and outputs.

    A QUANTIZE or DEQUANTIZE next to an input or output is dropped if the value on its other side has the type asked
    for. Otherwise one is added.

    Args:
        model: a TFLite model, or what `load` takes.
        io_types: element types of inputs and outputs by name: keep, float32, float16, int8, uint8 or int16. One alone
            is for all whose elements stand for reals.
        io_layouts: nchw or nhwc by the name of an image's input or output, whose layout in the file is the other one.

    Raises:
        UsageError: no such input or output, or a type or layout that it can't have.

    Example:
        >>> import tosa_converter as tc
        >>> str(tc.with_borders("models/digits_int8.tflite", io_types="uint8").main.inputs[0].type)
        'ui8[?x8x8x1] <0.00392157:0>'
    """
    model = as_model(model)
    if not io_types and not io_layouts:
        return model
    from tosa_converter.legalize.tflite.borders import with_borders

    return with_borders(model, {"": io_types} if isinstance(io_types, str) else io_types or {}, io_layouts or {})


def with_bounds(model: Model | Source, bounds: Mapping[str, int]) -> Model:
    """Returns a TFLite model with the maximum number of rows of results whose number is known at run time only.

    The conversion's result has exactly that many rows: zeros follow the last row of a run with fewer, and further rows
    of a run with more are left out. `compare` compares the rows that the source gives.

    Args:
        model: a TFLite model, or what `load` takes; the same one is returned without bounds.
        bounds: the most rows by the name of a result of WHERE, UNIQUE (its first) or SEGMENT_SUM.

    Raises:
        UsageError: no such operator has a result of that name, or a number is below 1 or too large.

    Example:
        >>> import tosa_converter as tc
        >>> model = tc.load("models/digits_int8.tflite")
        >>> tc.with_bounds(model, {}) is model
        True
    """
    model = as_model(model)
    if not bounds:
        return model
    from tosa_converter.rewriting.bounds import with_bounds

    return with_bounds(model, bounds)


def optimize(model: Model | Source, passes: str | Sequence[str] = ()) -> Converted:
    """Runs passes from TOSA to TOSA on a copy of a model.

    Args:
        model: TOSA, legal but for the level's limits.
        passes: their names in order, also in a string between commas: rank-reduction, reshape-propagation, simplify,
            common-subexpressions. All of them when none is named.

    Returns:
        The model after the passes, with its report.

    Raises:
        UsageError: a model of other operators, or a pass that there isn't.
        VerifyError: the model is illegal, or the result exceeds level 8K.

    Example:
        >>> import tosa_converter as tc
        >>> tosa = tc.convert("models/digits_int8.tflite")
        >>> len(tc.optimize(tosa, "simplify").main.ops) == len(tosa.main.ops)
        True
    """
    return conversion.optimize(as_model(model), split_names(passes))


def to_tflite(model: Model | Source) -> Model:
    """Converts a TOSA model to TFLite's builtin operators; `save` writes the result as `.tflite`.

    Args:
        model: legal TOSA, or what `load` takes.

    Returns:
        The model of TFLite operators.

    Raises:
        UsageError: a model of other operators; `convert` it first.
        VerifyError: the model is illegal.
        UnsupportedError: operators that LiteRT's builtin operators don't compute, all of them.

    Example:
        >>> import tosa_converter as tc
        >>> tc.to_tflite(tc.convert("models/digits_int8.tflite")).opset
        'tfl'
    """
    from tosa_converter.legalize.invert.tflite.pipeline import PASSES

    return convert_from_tosa(as_model(model), PASSES, "tfl")


def to_xnn(model: Model | Source) -> Model:
    """Converts a TOSA model to a graph of XNNPACK's nodes; `save` writes the result as `.xnn`.

    Args:
        model: legal TOSA, or what `load` takes; integers as `convert` makes them with `numerics="xnnpack"`.

    Returns:
        The graph of XNNPACK nodes.

    Raises:
        UsageError: a model of other operators; `convert` it first.
        VerifyError: the model is illegal.
        UnsupportedError: operators that XNNPACK has no nodes for, all of them.

    Example:
        >>> import tosa_converter as tc
        >>> tc.to_xnn(tc.convert("models/digits_float32.tflite")).opset
        'xnn'
    """
    from tosa_converter.legalize.invert.xnnpack.pipeline import PASSES

    return convert_from_tosa(as_model(model), PASSES, "xnn")
