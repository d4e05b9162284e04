"""`tflite-to-tosa inspect`: what a file holds, and whether it is legal."""

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import tosa_converter as tc
from tosa_converter.cli import options, report
from tosa_converter.cli.conversion_screen import coverage_lines, cross_check_lines, inspection_lines
from tosa_converter.cli.members import member_lines
from tosa_converter.cli.printing import show
from tosa_converter.cli.sources import PIPE, read_model, source_file
from tosa_converter.errors import UnsupportedError, UsageError
from tosa_converter.ir import Model
from tosa_converter.known_dims import has_unknown_dims, with_known_dims
from tosa_converter.rules.target import needs, version_text
from tosa_converter.schemas.tosa_target import EXTENSIONS


@options.takes(options.INSPECT)
def inspect(
    model: options.Model,
    json: options.Json = False,
    tensors: options.Tensors = False,
    check: options.Check = False,
    profile: options.Profile = None,
    extension: options.Extension = None,
    level: options.Level = "",
    verbose: options.Places = False,
    asm: options.Asm = False,
    cross_check: options.CrossCheck = False,
    **words: Any,
) -> int:
    """Show a file's operators, tensors, types, quantization and sizes, and the profiles and extensions that it needs.

    The check of a source lists what each operator becomes; the exit status is 4 if an operator isn't supported. That of
    a cross-check is 1 if the readings differ.
    """
    if asm:
        from tosa_converter.formats.spirv.listing import file_assembly

        show(file_assembly(source_file(model)), limit=None)
        return 0
    if cross_check:
        comparison = tc.cross_check(sys.stdin.buffer if model == PIPE else model)
        report.present(comparison.figures, lambda: cross_check_lines(comparison, verbose), json=json)
        return 0 if comparison.verdict else 1
    arguments = options.api_values(words)
    signature, target = arguments.pop("signature"), arguments.pop("target")
    members = tc.members(model) if os.path.isfile(model) else ()  # a pipe can be read once
    plain = not (signature or target or tensors or check or profile or extension or level)
    if plain and sum(1 for member in members if member.format) > 1:
        return _list_members(model, members, json=json)
    source, size = read_model(model)
    source = tc.selected(source, signature) if signature else source
    checked = bool(check or profile or extension or level or target)
    if checked and source.opset != "tosa":
        if profile or extension or level:
            raise UsageError(f"{model}: --profile, --extension and --level check TOSA; a source has a --target")
        if tensors:
            raise UsageError(f"{model}: --tensors can't apply: the check of a source lists its operators")
        coverage = tc.check(source, target, **arguments)
        assert coverage is not None
        coverage = coverage._replace(source=source.source or model)
        report.present(coverage.figures, lambda: coverage_lines(coverage, verbose), json=json)
        return 0 if coverage.verdict else UnsupportedError.exit_status
    if arguments["input_shapes"] or arguments["bounds"]:
        source = _with_sizes(source, model, arguments)
    if checked:
        tc.check(source, target or _target(source, profile or (), extension or (), level or "8k"), **arguments)
    inspection = replace(tc.inspect(source), file=source.source or model, bytes=size)
    extra: dict[str, Any] = {"check": "valid"} if checked else {}
    if members:
        extra["members"] = [member.figures() for member in members]
    report.present(
        lambda: inspection.figures() | extra,
        lambda: [
            *(member_lines(model, members) if members else []),
            *inspection_lines(inspection, tensors=tensors, checked=checked, verbose=verbose),
        ],
        json=json,
    )
    return 0


def _with_sizes(source: Model, file: str, arguments: dict[str, Any]) -> Model:
    """Returns a TOSA model with the user's sizes of unknown dimensions; raises UsageError if they can't apply."""
    if source.opset != "tosa":
        raise UsageError(f"{file}: --input-shape and --bound need a check of a source", "next: add --check")
    if not has_unknown_dims(source):
        raise UsageError(f"{file}: --input-shape and --bound can't apply: every dimension is known")
    return with_known_dims(source, arguments["input_shapes"], arguments["bounds"])


def _list_members(file: str, members: Sequence[tc.MemberInspection], *, json: bool) -> int:
    """Lists the members of a container of several models, so that the user can name one; returns the exit status 0."""
    listing = {"file": file, "members": [member.figures() for member in members]}
    report.present(lambda: listing, lambda: member_lines(file, members), json=json)
    return 0


def _target(model: Model, profiles: Sequence[str], extensions: Sequence[str], level: str) -> str:
    """Returns the target to check a model against, as text: the user's profiles, extensions and level.

    What the user leaves out is what the model needs. The version of TOSA is the oldest one with all of it.
    """
    needed = needs(model)
    # `--profile PRO-INT` alone forbids all extensions; with neither option those are allowed that the model needs.
    allowed = [*(profiles or needed.profiles), *(extensions if profiles or extensions else needed.extensions)]
    named = {name.upper() for name in allowed}
    version = max([needed.version, *(extension.since for extension in EXTENSIONS if extension.name in named)])
    return ",".join([*allowed, level, version_text(version)])
