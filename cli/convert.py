"""`tflite-to-tosa MODEL -o OUT`: one model, several, or a part. Every conversion waits for its imports."""

import os
from collections.abc import Sequence
from typing import Any

from tosa_converter.cli import report
from tosa_converter.cli.bare import NAME
from tosa_converter.cli.conversion import OUTPUT_ENDINGS, ending_of, write_conversion
from tosa_converter.cli.conversion_screen import conversion_lines
from tosa_converter.cli.options import api_values
from tosa_converter.cli.sources import PIPE
from tosa_converter.errors import UsageError

TIMEOUT = 600  # seconds for each of several models


def convert(
    models: Sequence[str],
    output: str = "",
    *,
    format: str = "",
    partial: str = "",
    explain: str = "",
    json: bool = False,
    verbose: bool = False,
    jobs: int = 0,
    timeout: float | None = None,
    limit: float | None = None,
    **options: Any,
) -> int:
    """Converts a model or several, or explains or splits one; `options` are those of `write_conversion`."""
    options |= {} if limit is None else {"limit": limit}
    destinations = {"-o": output, "--partial": partial, "--explain": explain}
    chosen = [flag for flag, value in destinations.items() if value]
    if len(chosen) != 1:
        flags = " and ".join(chosen) or "none"
        from shlex import join

        conversion = join([NAME, *models, "-o", "model.tosa" if len(models) == 1 else "converted"])
        advice = f"leave out {chosen[-1]}" if chosen else conversion
        raise UsageError(
            f"tflite-to-tosa convert: expected one of {', '.join(destinations)}, found {flags}", f"next: {advice}"
        )
    if explain:
        from tosa_converter.cli.explain import explain as explain_operators

        if len(models) > 1:
            raise UsageError("tflite-to-tosa convert: --explain needs a single model")
        for name in ("dump_ir", "debug_info", "constants", "iree_flag"):
            options.pop(name, None)  # at its default: `require_applicable` refuses it here
        return explain_operators(models[0], explain, json, **api_values(options))
    if partial:
        from tosa_converter.cli.partial import convert_partially

        if len(models) > 1:
            raise UsageError("tflite-to-tosa convert: --partial needs a single model")
        for name in ("dump_ir", "debug_info", "constants", "delegate", "iree_flag"):
            options.pop(name, None)  # at its default: `require_applicable` refuses it here
        return convert_partially(models[0], partial, json, **api_values(options))
    if _are_many(models, output):
        from tosa_converter.cli.many import convert_many

        return convert_many(
            models,
            output,
            format,
            options,
            jobs=jobs,
            timeout=TIMEOUT if timeout is None else timeout,
            json=json,
            verbose=verbose,
        )
    if jobs or timeout is not None:
        raise UsageError("tflite-to-tosa convert: --jobs and --timeout need several models")
    done = write_conversion(models[0], output, format, **options)
    report.present(done.figures, lambda: conversion_lines(done, verbose), json=json, aside=output == PIPE)
    return 0


def _are_many(models: Sequence[str], output: str) -> bool:
    """Returns whether `output` is a folder for conversions of several models, instead of one file.

    It is if there are several paths or a folder among them. With one model, it also is if it ends in a slash, or exists
    as a folder whose name isn't that of an output, but not if a pipe is read or written.
    """
    if len(models) > 1 or PIPE in (models[0], output):
        return len(models) > 1
    folder = os.path.isdir(output) and ending_of(output) not in OUTPUT_ENDINGS
    return folder or output.endswith(os.sep) or os.path.isdir(models[0])
