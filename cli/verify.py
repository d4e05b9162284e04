"""`tflite-to-tosa verify`: converts, runs both sides, compares."""

import inspect
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from dataclasses import replace
from typing import Any, NamedTuple

import tosa_converter as tc
from tosa_converter.cli import options, report
from tosa_converter.cli.arrays import read_outputs
from tosa_converter.cli.fields import Field
from tosa_converter.cli.input_files import InputFiles, sample_names
from tosa_converter.cli.labels import read_labels
from tosa_converter.cli.next_step import Progress, compare_differing_operators, next_command
from tosa_converter.cli.printing import Line
from tosa_converter.cli.progress import with_stages
from tosa_converter.cli.reproduction import reproduction_lines, write_reproductions
from tosa_converter.cli.saved_runs import save_runs
from tosa_converter.cli.sources import PIPE, require_one_pipe, require_page, source_file
from tosa_converter.cli.verification_screen import verification_lines
from tosa_converter.conversion import resolve_input_shapes
from tosa_converter.ir import Array, Model
from tosa_converter.options import FLAGS
from tosa_converter.proof.operators import OperatorComparison


@options.takes(options.VERIFY)
def verify(
    model: options.Model,
    written: options.Written = "",
    partial: options.Chain = "",
    labels: options.Labels = "",
    save_outputs: options.SaveOutputs = "",
    load_outputs: options.LoadOutputs = None,
    extract: options.Extract = "",
    page: options.Page = "",
    json: options.Json = False,
    verbose: options.Everything = False,
    **words: Any,
) -> int:
    """Convert a model, run both sides on the same inputs and compare; exit status 1 if they differ."""
    stated = {**locals(), **words}  # all options, for the command that the report advises to run next
    del stated["words"]
    require_one_pipe(model, written)
    require_page(page, model, written)
    samples, files = words["samples"], InputFiles.of(words)
    arguments = options.api_values(words)
    arguments["layers"] |= bool(page and not partial)  # the page shows all operators
    arguments["bisect"] |= bool(extract)  # runs each operator alone, to find those to extract
    path, result = source_file(model), source_file(written)

    def compare(progress: Progress = lambda _: None) -> _Results:
        """Reads the options' files, compares both sides and writes what was asked for; `progress` shows the stages."""
        progress("reading inputs" if any(files) else "loading the model")
        source = _prepared_source(path, arguments) if any(files) or load_outputs else None
        if source is not None:
            arguments["inputs"] = _input_sets(files, source, arguments)
            arguments["loaded"] = {file: read_outputs(source, file) for file in load_outputs or ()}
        arguments["labels"] = read_labels(labels, sample_names(samples), path) if labels else ()
        arguments["arrays"] = [] if save_outputs else None  # tc.verify adds the runs
        verification = tc.verify(path, result, partial=partial, **arguments, progress=progress)
        verification = _name_standard_input(verification, model, written)
        operators = () if verification.verdict or json else compare_differing_operators(verification, progress)
        if page:
            progress("writing the page")
            tc.write_report(verification, page)
        saved = save_runs(save_outputs, arguments["arrays"], verification) if save_outputs else []
        commands = {}
        if extract:
            progress("writing the operators that differ")
            commands = write_reproductions(verification, extract, words, arguments)
        return _Results(verification, operators, saved, commands)

    with _page_of_refusals(page, model, words):
        done, operators, saved, commands = with_stages(compare)()

    def lines() -> list[Line]:
        """Returns the report, the files that were saved, and how to reproduce extracted operators."""
        command = next_command(done, operators, stated, _fields())
        screen = verification_lines(done, operators, next_command=command, verbose=verbose)
        extracted = reproduction_lines(commands, written) if extract else ()
        return [*screen, *(f"saved {file}" for file in saved), *extracted]

    figures = ({"saved": saved} if saved else {}) | ({"extracted": commands} if extract else {})
    report.present(lambda: done.figures() | figures, lines, json=json)
    return 0 if done.verdict else 1


def _name_standard_input(verification: tc.Verification, model: str, written: str) -> tc.Verification:
    """Returns a report that calls models from standard input "-" instead of naming their temporary files."""
    if model == PIPE:
        verification = replace(verification, file=model)
    if written == PIPE and verification.sides is not None:
        source, result = verification.sides
        result = copy(result)
        result.source = PIPE
        verification = replace(verification, sides=(source, result))
    return verification


class _Results(NamedTuple):
    """What a verification gave: its report, operators compared because an output differs, saved files, commands."""

    verification: tc.Verification
    operators: Sequence[OperatorComparison]
    saved: Sequence[str]
    commands: dict[str, str]


def _fields() -> dict[str, Field]:
    """Returns the arguments and options of `verify` by parameter name.

    They spell the command line that a report suggests.
    """
    taken: dict[str, Field] = vars(verify)["options"]
    rows = [row for row in inspect.signature(verify).parameters.values() if row.kind is not row.VAR_KEYWORD]
    return taken | {row.name: Field(row.annotation.__metadata__[0], row.default, None) for row in rows}


def _page_of_refusals(page: str, model: str, words: Mapping[str, Any]) -> AbstractContextManager[None]:
    """Returns a context that writes the report page if the model in it can't be compared; the page has the reasons.

    Without a `page` it does nothing. `words` are the options of the command line; the page lists those that aren't at
    their defaults.
    """
    if not page:
        return nullcontext()
    from tosa_converter.proof.page.refusals import refusal_page

    stated = {name: value for name, value in words.items() if value and value != options.VERIFY[name].default}
    return refusal_page(page, model, {FLAGS[name].name: value for name, value in stated.items()})


def _prepared_source(path: str, arguments: Mapping[str, Any]) -> Model:
    """Returns the model of a file with the signature, input and output types and layouts that the options ask for."""
    source = tc.load(path)
    source = tc.selected(source, arguments["signature"]) if arguments["signature"] else source
    return tc.with_borders(source, io_types=arguments["io_types"], io_layouts=arguments["io_layouts"])


def _input_sets(files: InputFiles, source: Model, arguments: Mapping[str, Any]) -> list[dict[str, Array]]:
    """Returns sets of inputs from files, none without files."""
    if not any(files):
        return []
    return files.sets(source, resolve_input_shapes(source, arguments["input_shapes"]), arguments["steps"])
