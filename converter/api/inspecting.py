"""What a model holds, what it becomes, and how it looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tosa_converter import extraction, inspection
from tosa_converter.api.converting import convert, pipelines, resolved, with_bounds
from tosa_converter.api.loading import Source, loaded, names_of
from tosa_converter.conversion import Converted
from tosa_converter.coverage import Coverage, find_coverage
from tosa_converter.errors import UsageError
from tosa_converter.explanation import Explanation, explain_conversion
from tosa_converter.ir import Model
from tosa_converter.options import ConvertOptions, options_from, require_applicable
from tosa_converter.pictures import svg
from tosa_converter.rewriting.plugins import RuleSource
from tosa_converter.rewriting.reasons import Attempts
from tosa_converter.rules.graph import verify
from tosa_converter.rules.target import Target, needs


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
            exactly so many rows: zeros behind the last one, and further rows are left out.
        numerics: reference (LiteRT's reference kernels, the default for TFLite), xnnpack (the default for XNNPACK
            graphs; of a TFLite model, the operators that LiteRT's delegate takes are as XNNPACK computes them, and
            notes list the others), or compact (the short form that hardware compilers look for).
        rules: rules of your own, which are tried before this package's: `Rule`s, files with a list `RULES`, or names of
            installed plugins. They are run as code. Installed plugins that aren't named are asked about operators that
            no other rule accepts.
        allow_custom: keep custom operators that no rule accepts as TOSA's CUSTOM, with a note for each.

    Raises:
        UsageError: arguments that don't fit the model.
        VerifyError: with every condition that is violated.
    """
    options = options_from(ConvertOptions, locals())
    model = loaded(model)
    require_applicable(model, options)
    if model.opset != "tosa":
        return find_coverage(with_bounds(model, options.bounds), pipelines(rules), resolved(model, options))
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

    Raises:
        UsageError: there is no such operator; or as `convert`.
    """
    source = loaded(model, signature)
    if source.opset == "tosa":
        raise UsageError(f"{source.source}: --explain (explain) can't apply to TOSA, which no rule converts")

    def convert_source(trace: list[Attempts]) -> Converted:
        return convert(source, **options | {"limit": 0}, trace=trace)

    return explain_conversion(source, str(operator), convert_source)


def inspect(model: Model | Source) -> inspection.Inspection:
    """Returns what a model holds: tensors, operators, signatures, and the profiles and extensions that it needs.

    Raises:
        FormatError: as `load`.
    """
    return inspection.inspect_model(loaded(model), lambda source: convert(source).report.needs)


def extract(model: Model | Source, inputs: str | Sequence[str] = (), outputs: str | Sequence[str] = ()) -> Model:
    """Returns the part of a model's main graph that computes some tensors from others, as a model of its own.

    Args:
        model: of any opset, or what `load` takes.
        inputs: names of the tensors to begin with; without any, the inputs of the main graph that are needed.
        outputs: names of the tensors to end with; without any, the outputs of the main graph.

    Raises:
        UsageError: a name that no tensor of the main graph has; a tensor that the outputs need and that doesn't come
            from the inputs, or an input that they don't need; state that is outside of the part.
    """
    return extraction.extract(loaded(model), names_of(inputs), names_of(outputs))


def draw(*models: Model | Source) -> str:
    """Draws small models side by side as SVG; equal models give equal text.

    Raises:
        UsageError: they have too many operators for a drawing.
        FormatError: a file is malformed.
    """
    return svg.draw([loaded(model) for model in models])
