"""What a model holds, what it becomes, and how it looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tosa_converter import extraction, inspection
from tosa_converter.api.converting import convert, pipelines, with_bounds, with_defaults
from tosa_converter.api.loading import Source, as_model, names_of, read_content
from tosa_converter.conversion import Converted
from tosa_converter.coverage import Coverage, find_coverage
from tosa_converter.errors import UsageError
from tosa_converter.explanation import Explanation, explain_conversion
from tosa_converter.formats import recognize_format, unwrap
from tosa_converter.formats.table import TFLITE_ENDING
from tosa_converter.ir import Model
from tosa_converter.known_dims import with_known_dims
from tosa_converter.options import ConvertOptions, options_from, require_applicable
from tosa_converter.pictures import svg
from tosa_converter.rewriting.plugins import RuleSource
from tosa_converter.rewriting.reasons import Attempts
from tosa_converter.rules.graph import verify
from tosa_converter.rules.target import Target, needs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tosa_converter.formats.containers.listing import MemberInspection
    from tosa_converter.formats.tflite.cross_check import CrossCheck


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
    """Checks a TOSA model against the specification, or finds out what each operator of a source becomes.

    Args:
        model: of TOSA operators, for which nothing is returned; or a source.
        target: profiles, extensions and level to keep to. When not given, those that a TOSA model needs, and level 8K;
            a source may need any.
        input_shapes: shapes of inputs with unknown dimensions, by name; the shapes in the file by default.
        bounds: the most rows of a result of WHERE, UNIQUE (its first) or SEGMENT_SUM, by its name. The conversion gives
            exactly so many rows: zeros behind the last one, and further rows are left out. By the name of an input of
            TOSA, the size of each unknown dimension.
        numerics: reference (LiteRT's reference kernels, the default for TFLite), xnnpack (the default for XNNPACK
            graphs; of a TFLite model, the operators that LiteRT's delegate takes are as XNNPACK computes them, and
            notes list the others), or compact (the short form that hardware compilers look for).
        rules: rules of your own, which are tried before this package's: `Rule`s, files with a list `RULES`, or names of
            installed plugins. They are run as code. Installed plugins that aren't named are asked about operators that
            no other rule accepts.
        allow_custom: keep custom operators that no rule accepts as TOSA's CUSTOM, with a note for each.

    Returns:
        None for a legal TOSA model; what each operator becomes for a source.

    Raises:
        UsageError: arguments that don't fit the model.
        VerifyError: with every condition that is violated.

    Example:
        >>> import tosa_converter as tc
        >>> tc.check("models/digits_int8.tflite", "ethos-u85").counts
        Counter({'exact': 9})
    """
    options = options_from(ConvertOptions, locals())
    model = as_model(model)
    require_applicable(model, options)
    if model.opset != "tosa":
        return find_coverage(with_bounds(model, options.bounds), pipelines(rules), with_defaults(model, options))
    model = with_known_dims(model, options.input_shapes, options.bounds)
    verify(model, target=options.target or needs(model))
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

    Returns:
        The attempts of rules by operator.

    Raises:
        UsageError: there is no such operator; or as `convert`.

    Example:
        >>> import tosa_converter as tc
        >>> tc.explain("models/digits_int8.tflite", 6).operators[0].becomes[:2]
        ('tosa.rescale', 'tosa.reduce_sum')
    """
    source = as_model(model, signature)
    if source.opset == "tosa":
        from shlex import quote

        raise UsageError(
            f"{source.source}: --explain (explain) can't apply to TOSA, which no rule converts",
            f"next: tflite-to-tosa inspect {quote(source.source or 'MODEL')}",
        )

    def convert_source(trace: list[Attempts]) -> Converted:
        """Converts the source, and appends the rules that are tried to `trace`; a limit of 0 runs no model."""
        # The limit 0 leaves no time for runs, which only measure the error of `float_type`; no explanation shows it.
        return convert(source, **options | {"limit": 0}, trace=trace)

    return explain_conversion(source, str(operator), convert_source)


def inspect(model: Model | Source) -> inspection.Inspection:
    """Returns what a model holds: tensors, operators, signatures, and the profiles and extensions that it needs.

    Raises:
        FormatError: as `load`.

    Example:
        >>> import tosa_converter as tc
        >>> tc.inspect("models/digits_int8.tflite").graphs[0].ops
        9
    """
    return inspection.inspect_model(as_model(model), convert)


def members(source: Source) -> tuple[MemberInspection, ...]:
    """Returns the members of a container: a zip archive (.zip, .task) or a LiteRT-LM bundle (.litertlm).

    A model in it is read as `load("FILE:NAME")`.

    Args:
        source: a path, bytes, or a file that is open for reading bytes.

    Returns:
        Name, size, format and signatures of each member, in the file's order; nothing of a file of another kind.

    Raises:
        UsageError: there is no such file.
        FormatError: the container is malformed.

    Example:
        >>> import tosa_converter as tc
        >>> tc.members("models/digits_int8.tflite")
        ()
    """
    from tosa_converter.formats.containers.listing import list_members

    return list_members(*read_content(source))


def cross_check(source: Source) -> CrossCheck:
    """Reads a TFLite file twice, by this package and by the `tflite` package, and returns where the readings differ.

    Every field of every table is compared: names, types, shapes, quantization, options, signatures, metadata, and the
    bytes of buffers; then the types of inputs and outputs as the graph has them. The second package doesn't check
    bounds, so it reads only what this package's reader accepts.

    Args:
        source: a path, bytes, or a file that is open for reading bytes.

    Returns:
        The number of fields that were compared, and where the readings differ.

    Raises:
        UsageError: there is no such file, or it isn't a TFLite file.
        MissingExtra: the `tflite` package is not installed (extra `verify`).
        FormatError: the file is malformed.

    Example:
        >>> import tosa_converter as tc
        >>> tc.cross_check("models/digits_int8.tflite").differences
        ()
    """
    from tosa_converter.formats.tflite.cross_check import cross_check

    content, file = read_content(source)
    data = unwrap(content, file).data
    row = recognize_format(data, file)
    if row.ending != TFLITE_ENDING:
        raise UsageError(f"{file}: --cross-check (cross_check) expects a TFLite file, found {row.name}")
    return cross_check(data, file)


def extract(model: Model | Source, inputs: str | Sequence[str] = (), outputs: str | Sequence[str] = ()) -> Model:
    """Returns the part of a model's main graph that computes some tensors from others, as a model of its own.

    Args:
        model: of any opset, or what `load` takes.
        inputs: names of the tensors to begin with; without any, the inputs of the main graph that are needed.
        outputs: names of the tensors to end with; without any, the outputs of the main graph.

    Raises:
        UsageError: a name that no tensor of the main graph has; a tensor that the outputs need and that doesn't come
            from the inputs, or an input that they don't need; state that is outside of the part.

    Example:
        >>> import tosa_converter as tc
        >>> part = tc.extract("models/digits_int8.tflite", outputs="functional_1/add_1/Add")
        >>> [op.name for op in part.main if not op.declares]
        ['tfl.conv_2d', 'tfl.depthwise_conv_2d', 'tfl.conv_2d', 'tfl.add']
    """
    return extraction.extract(as_model(model), names_of(inputs), names_of(outputs))


def draw(*models: Model | Source) -> str:
    """Draws small models side by side as SVG; equal models give equal text.

    Returns:
        The text of the SVG.

    Raises:
        UsageError: they have too many operators for a drawing.
        FormatError: a file is malformed.

    Example:
        >>> import tosa_converter as tc
        >>> tc.draw(tc.convert("models/digits_int8.tflite"))[:4]
        '<svg'
    """
    return svg.draw([as_model(model) for model in models])
