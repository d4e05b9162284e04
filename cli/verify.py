"""`tflite-to-tosa verify`: converts, runs both sides, compares."""

import inspect
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import tosa_converter as tc
from tosa_converter.cli import options, report
from tosa_converter.cli.arrays import save_outputs
from tosa_converter.cli.bare import command_line
from tosa_converter.cli.input_files import InputFiles
from tosa_converter.cli.next_step import Progress, compare_differing_operators, next_command
from tosa_converter.cli.printing import Line
from tosa_converter.cli.progress import with_stages
from tosa_converter.cli.sources import PIPE, source_file
from tosa_converter.cli.verification_screen import verification_lines
from tosa_converter.conversion import resolve_input_shapes
from tosa_converter.formats.storage import make_folder
from tosa_converter.ir import Array
from tosa_converter.options import FLAGS
from tosa_converter.proof.operators import OperatorComparison

_REPEATED = tuple(name for name, flag in FLAGS.items() if flag.repeated)


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
    extract: options.Extract = "",
    page: options.Page = "",
    json: options.Json = False,
    verbose: options.Everything = False,
    **words: Any,
) -> int:
    """Convert a model, run both sides on the same inputs and compare; exit status 1 if they differ."""
    stated = {**locals(), **words}
    del stated["words"]
    files = InputFiles(input or (), image or (), audio or (), samples, scale or ())
    arguments = options.api_values(words)
    arguments["layers"] |= bool(page and not written and not partial)
    arguments["bisect"] |= bool(extract)
    path = source_file(model)

    def compare(progress: Progress = lambda _: None) -> _Results:
        """Runs both sides, and writes what was asked for; `progress` shows the stages."""
        progress("reading inputs" if any(files) else "loading the model")
        if any(files):
            arguments["inputs"] = _input_sets(files, path, arguments)
        verification = tc.verify(path, written, partial=partial, **arguments, progress=progress)
        verification = replace(verification, file=model) if model == PIPE else verification
        operators = () if verification.verdict or json else compare_differing_operators(verification, progress)
        if page:
            progress("writing the page")
            tc.write_report(verification, page)
        commands = {}
        if extract:
            progress("writing the operators that differ")
            commands = _write_operators(verification, extract, words, arguments["bounds"])
        return _Results(verification, operators, commands)

    done, operators, commands = with_stages(compare)()

    def lines() -> list[Line]:
        """Returns the report, and how to reproduce extracted operators."""
        command = next_command(done, operators, stated, _fields())
        screen = verification_lines(done, operators, next_command=command, verbose=verbose)
        return [*screen, *(_lines(commands) if extract else ())]

    figures = {"extracted": commands} if extract else {}
    report.present(lambda: done.figures() | figures, lines, json=json)
    return 0 if done.verdict else 1


class _Results(NamedTuple):
    """A verification, its operators where they were compared because an output differs, and commands by model."""

    verification: tc.Verification
    operators: Sequence[OperatorComparison]
    commands: dict[str, list[str]]


def _fields() -> dict[str, options.Field]:
    """Returns the arguments and options of this command by parameter."""
    taken: dict[str, options.Field] = vars(verify)["options"]
    rows = [row for row in inspect.signature(verify).parameters.values() if row.kind is not row.VAR_KEYWORD]
    return taken | {row.name: options.Field(row.annotation.__metadata__[0], row.default, None) for row in rows}


def _lines(commands: dict[str, list[str]]) -> list[str]:
    """Returns the commands that reproduce extracted operators as lines of text."""
    lines = [line for command_lines in commands.values() for line in command_lines]
    return lines or ["nothing is extracted: no operator differs by itself, or none can be a model of its own"]


def _write_operators(
    done: tc.Verification, folder: str, words: Mapping[str, Any], bounds: Mapping[str, int]
) -> dict[str, list[str]]:
    """Writes operators that differ as models with inputs and outputs; returns commands that reproduce each.

    Options that change the conversion are repeated: without them the fault may be gone. `bounds` are
    repeated for the results that are in the model.
    """
    chosen = {name: words[name] for name in _REPEATED if words[name] != options.VERIFY[name].default}
    commands: dict[str, list[str]] = {}
    for operators in done.operators:
        case = operators.case
        if case is None:
            continue
        place = os.path.join(folder, f"{len(commands)}" if len(done.operators) > 1 else "")
        make_folder(place)
        model, inputs, expected, conversion = (
            os.path.join(place, name) for name in ("operator.tflite", "inputs.npz", "expected.npz", "operator.tosa")
        )
        tc.save(case.model, model)
        save_outputs(inputs, case.inputs)
        save_outputs(expected, case.expected)
        steps = ["--steps", str(case.steps)] if case.steps > 1 else []
        unknown = [value.name for value in case.model.main.inputs if None in value.type.shape]
        sizes = {name: case.inputs[name].shape[1 if case.steps > 1 else 0 :] for name in unknown}
        shapes = [f"{name}={','.join(map(str, shape))}" for name, shape in sizes.items()]
        results = {value.name for graph in case.model.graphs.values() for op in graph.walk() for value in op.results}
        rows = [f"{name}={count}" for name, count in bounds.items() if name in results]
        commands[model] = [
            f"{model} with {inputs} gives {expected} in LiteRT; run both it and its conversion:",
            f"  {command_line('run', model, '--input', inputs, *steps)}",
            f"  {command_line(model, output=conversion, input_shapes=shapes, bounds=rows, **chosen)}",
            f"  {command_line('run', conversion, '--input', inputs, *steps)}",
        ]
    return commands


def _input_sets(files: InputFiles, path: str, arguments: Mapping[str, Any]) -> list[dict[str, Array]]:
    """Returns sets of inputs from files, for the model with the input types and layouts that the options ask for."""
    source = tc.load(path)
    source = tc.selected(source, arguments["signature"]) if arguments["signature"] else source
    source = tc.with_borders(source, io_types=arguments["io_types"], io_layouts=arguments["io_layouts"])
    return files.sets(source, resolve_input_shapes(source, arguments["input_shapes"]), arguments["steps"])
