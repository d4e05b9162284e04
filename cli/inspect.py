"""`tflite-to-tosa inspect`: what a file holds, and whether it is legal."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import tosa_converter as tc
from tosa_converter.cli import options, report
from tosa_converter.cli.conversion import parse_bounds, parse_shapes
from tosa_converter.cli.printing import show
from tosa_converter.cli.sources import read_model
from tosa_converter.errors import UnsupportedError, UsageError
from tosa_converter.ir import Model
from tosa_converter.rules.target import needs


def inspect(
    model: options.Model,
    json: options.Json = False,
    tensors: options.Tensors = False,
    check: options.Check = False,
    profile: options.Profile = None,
    extension: options.Extension = None,
    level: options.Level = "",
    target: options.Target = "",
    numerics: options.Numerics = "",
    input_shape: options.InputShape = None,
    bound: options.Bound = None,
    signature: options.Signature = "",
    plugin: options.Plugin = None,
    allow_custom: options.AllowCustom = False,
    verbose: options.Places = False,
    asm: options.Asm = False,
) -> int:
    """Show a file: operators, tensors, types, quantization, sizes, what profile and extensions it needs.

    A check of a source, for a target or for any, tells what each operator becomes; status 4 if one isn't supported.
    """
    if asm:
        from tosa_converter.formats.spirv.listing import file_assembly

        show(file_assembly(model), limit=None)
        return 0
    source, size = read_model(model)
    source = tc.selected(source, signature) if signature else source
    checked = bool(check or profile or extension or level or target)
    if checked and source.opset != "tosa":
        if profile or extension or level:
            raise UsageError(f"{model}: --profile, --extension and --level check TOSA; a source has a --target")
        if tensors:
            raise UsageError(f"{model}: --tensors can't apply: the check of a source lists its operators")
        custom: dict[str, Any] = {
            "rules": plugin or (),
            "allow_custom": allow_custom,
            "bounds": parse_bounds(bound or ()),
        }
        shapes = parse_shapes(input_shape or ())
        coverage = tc.check(source, target or None, input_shapes=shapes, numerics=numerics, **custom)
        assert coverage is not None
        coverage = coverage._replace(source=source.source or model)
        report.present(coverage.figures, lambda: report.coverage_lines(coverage, verbose), json=json)
        return 0 if coverage.verdict else UnsupportedError.exit_status
    given = {"--input-shape": input_shape, "--verbose": verbose}
    for flag in (flag for flag, value in given.items() if value):
        raise UsageError(f"{model}: {flag} can't apply to a check of TOSA: it is for sources")
    if checked:
        custom = {"numerics": numerics, "rules": plugin or (), "allow_custom": allow_custom}
        tc.check(source, target or _target(source, profile or (), extension or (), level or "8k"), **custom)
    found = replace(tc.inspect(source), file=source.source or model, bytes=size)
    extra = {"check": "valid"} if checked else {}
    report.present(lambda: found.figures() | extra, lambda: report.inspection_lines(found, tensors, checked), json=json)
    return 0


def _target(model: Model, profiles: Sequence[str], extensions: Sequence[str], level: str) -> str:
    """What a check is to allow: what is given, and else what the model needs."""
    needed = needs(model)
    allowed = [*(profiles or needed.profiles), *(extensions if profiles or extensions else needed.extensions)]
    return ",".join([*allowed, level])
