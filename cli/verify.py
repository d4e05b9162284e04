"""`tflite-to-tosa verify`: converts, runs both sides, compares."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import tosa_converter as tc
from tosa_converter.cli import options, report
from tosa_converter.cli.arrays import read_outputs
from tosa_converter.cli.input_files import InputFiles, sample_names
from tosa_converter.cli.labels import read_labels
from tosa_converter.cli.progress import with_stages
from tosa_converter.cli.reproduction import reproduction_lines, write_reproductions
from tosa_converter.cli.saved_runs import save_runs
from tosa_converter.cli.sources import PIPE, require_one_pipe, source_file
from tosa_converter.conversion import resolve_input_shapes
from tosa_converter.ir import Array, Model
from tosa_converter.options import FLAGS


@options.takes(options.VERIFY)
def verify(
    model: options.Model,
    written: options.Written = "",
    partial: options.Chain = "",
    input: options.Input = None,
    image: options.Image = None,
    audio: options.Audio = None,
    samples: options.Samples = "",
    scale: options.Scale = None,
    labels: options.Labels = "",
    save_outputs: options.SaveOutputs = "",
    load_outputs: options.LoadOutputs = None,
    extract: options.Extract = "",
    page: options.Page = "",
    json: options.Json = False,
    **words: Any,
) -> int:
    """Convert a model, run both sides on the same inputs and compare; exit status 1 if they differ."""
    require_one_pipe(model, written)
    files = InputFiles(input or (), image or (), audio or (), samples, scale or ())
    arguments = options.api_values(words)
    arguments["layers"] |= bool(page and not written and not partial)
    arguments["bisect"] |= bool(extract)
    path = source_file(model)
    with _page_of_refusals(page, model, words):
        source = _prepared_source(path, arguments) if any(files) or load_outputs else None
        if source is not None:
            arguments["inputs"] = _input_sets(files, source, arguments)
            arguments["loaded"] = {file: read_outputs(source, file) for file in load_outputs or ()}
        arguments["labels"] = read_labels(labels, sample_names(samples), path) if labels else ()
        arguments["arrays"] = [] if save_outputs else None
        verification = with_stages(tc.verify)(path, source_file(written), partial=partial, **arguments)
    verification = replace(verification, file=model) if model == PIPE else verification
    if page:
        tc.write_report(verification, page)
    saved = save_runs(save_outputs, arguments["arrays"], verification) if save_outputs else []
    commands = write_reproductions(verification, extract, words, arguments) if extract else {}
    figures = ({"saved": saved} if saved else {}) | ({"extracted": commands} if extract else {})
    lines = [*(f"saved {file}" for file in saved), *(reproduction_lines(commands) if extract else ())]
    report.present(
        lambda: verification.figures() | figures,
        lambda: [*report.verification_lines(verification), *lines],
        json=json,
    )
    return 0 if verification.verdict else 1


def _page_of_refusals(page: str, model: str, words: Mapping[str, Any]) -> AbstractContextManager[None]:
    """Returns a context that writes a page with the reasons, if one is asked for, when the model can't be compared."""
    if not page:
        return nullcontext()
    from tosa_converter.proof.page.refusals import refusal_page

    stated = {name: value for name, value in words.items() if value and value != options.VERIFY[name].default}
    return refusal_page(page, model, {FLAGS[name].name: value for name, value in stated.items()})


def _prepared_source(path: str, arguments: Mapping[str, Any]) -> Model:
    """Returns the model with the signature, input types and layouts that the options ask for."""
    source = tc.load(path)
    source = tc.selected(source, arguments["signature"]) if arguments["signature"] else source
    return tc.with_borders(source, io_types=arguments["io_types"], io_layouts=arguments["io_layouts"])


def _input_sets(files: InputFiles, source: Model, arguments: Mapping[str, Any]) -> list[dict[str, Array]]:
    """Returns sets of inputs from files, none without files."""
    if not any(files):
        return []
    return files.sets(source, resolve_input_shapes(source, arguments["input_shapes"]), arguments["steps"])
