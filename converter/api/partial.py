"""Conversions in part."""

from __future__ import annotations

from typing import Any

from tosa_converter.api.converting import convert, prepare_source
from tosa_converter.api.inspecting import check
from tosa_converter.api.loading import Source, as_model
from tosa_converter.conversion import resolve_input_shapes
from tosa_converter.coverage import Coverage
from tosa_converter.ir import Model
from tosa_converter.options import ConvertOptions, options_from
from tosa_converter.partition import partition
from tosa_converter.rewriting.plugins import load_rules


def convert_partially(model: Model | Source, *, signature: str = "", **options: Any) -> Model:
    """Converts the convertible parts of a TFLite model: a chain of up to two TOSA models and the rest between them.

    `save` writes a chain as a `.json` manifest with its models beside it; `run` and `compare` execute it, what is left
    in LiteRT. Its notes tell what can't be converted and why.

    Args:
        model: a TFLite model without state, or what `load` takes.
        signature: of a model with several, the one to convert.
        options: as for `convert`.

    Returns:
        The chain.

    Raises:
        ConverterError: as `convert`; UnsupportedError if nothing converts.

    Example:
        >>> import tosa_converter as tc
        >>> tc.convert_partially("models/digits_int8.tflite").opset
        'chain'
    """
    chosen = options_from(ConvertOptions, options)
    source = prepare_source(as_model(model, signature), chosen)
    shapes = resolve_input_shapes(source, chosen.input_shapes)
    for name in ("input_shapes", "bounds", "io_types", "io_layouts"):
        options.pop(name, None)
    options |= {"target": chosen.target, "rules": load_rules(chosen.rules)}
    checked = {name: options[name] for name in ("target", "numerics", "rules", "allow_custom") if name in options}

    def shapes_of(piece: Model) -> dict[str, tuple[int, ...]]:
        """Returns the input shapes that the user or the file states for the inputs of a piece."""
        return {value.name: shapes[value.name] for value in piece.main.inputs if value.name in shapes}

    def coverage_of(piece: Model) -> Coverage:
        """Returns what the operators of a piece become in a conversion with the options in `checked`."""
        coverage = check(piece, input_shapes=shapes_of(piece), **checked)
        assert coverage is not None  # `check` returns None for TOSA only
        return coverage

    # A preset's types for inputs and outputs were applied to the whole model; the pieces keep the types between them.
    if chosen.target and chosen.target.preset:
        options["target"] = chosen.target._replace(preset=chosen.target.preset._replace(stored=False))
    return partition(
        source, coverage_of, lambda piece: convert(piece, input_shapes=shapes_of(piece), **options), shapes
    )
