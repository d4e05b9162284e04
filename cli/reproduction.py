"""The files of `--extract`: operators that differ, each a folder with one command that shows the same difference."""

import os
from collections.abc import Iterator, Mapping
from shlex import split
from typing import Any

import tosa_converter as tc
from tosa_converter.cli.arrays import save_outputs
from tosa_converter.cli.bare import command_line
from tosa_converter.cli.columns import command_lines, wrap
from tosa_converter.cli.options import VERIFY
from tosa_converter.formats.storage import make_folder, write_atomically
from tosa_converter.proof.operators import Case
from tosa_converter.proof.output_names import output_names
from tosa_converter.proof.tolerances import Tolerance, output_tolerances
from tosa_converter.rewriting.signatures import split_by_signature

OPERATOR, RESULT = "operator", "existing.tosa"
_DEEP = 6  # columns in front of a command's further lines
INPUTS, EXPECTED, COMPUTED, COMMAND = "inputs.npz", "expected.npz", "existing.npz", "command.txt"


def write_reproductions(
    verification: tc.Verification, folder: str, words: Mapping[str, Any], arguments: Mapping[str, Any]
) -> dict[str, str]:
    """Writes a folder for each operator that differs by itself; returns their commands by the path of the model.

    A folder has the operator as a model, its inputs, the expected values and the command. If an existing file was
    compared, it also has the part of that file that computes the operator, or the values that the file computes.

    Args:
        verification: of a source and its conversion, with operators.
        folder: for the files; of several signatures, each has a folder in it.
        words: the options as the command line has them. Those that change the conversion or what counts as a
            difference are repeated: without them the fault may be gone.
        arguments: the same options as the API has them.

    Raises:
        UsageError: a file can't be written.
    """
    commands: dict[str, str] = {}
    for operators in verification.operators:
        case = operators.case
        if case is None:
            continue
        place = os.path.join(folder, f"{len(commands)}" if len(verification.operators) > 1 else "")
        make_folder(place)
        ending = ".tosa" if case.model.opset == "tosa" else ".tflite"
        names = f"{OPERATOR}{ending}", RESULT, INPUTS, EXPECTED, COMPUTED
        model, result, inputs, expected, computed = (os.path.join(place, name) for name in names)
        tc.save(case.model, model)
        if case.result_model is not None:
            tc.save(case.result_model, result)
        save_outputs(inputs, case.inputs)
        save_outputs(expected, case.expected)
        if case.computed:
            save_outputs(computed, case.computed)
        line = command_line(
            "verify",
            model,
            *([] if case.result_model is None else [result]),
            *("--input", inputs, "--load-outputs", expected),
            *(("--load-outputs", computed) if case.computed else ()),
            *_options_of_case(case, arguments["bounds"], _tolerances(verification, operators.signature, arguments)),
            *_repeat_options(words),
        )
        write_atomically(os.path.join(place, COMMAND), [os.fsencode(f"{line}\n")])
        commands[model] = line
    return commands


def reproduction_lines(commands: Mapping[str, str], existing: str = "") -> list[str]:
    """Returns the commands of extracted operators as lines of text.

    Args:
        commands: by the path of the model.
        existing: the file that was compared in place of a new conversion; "" for a new one.
    """
    if not commands:
        return wrap("", "nothing is extracted: no operator differs by itself, or none can be a model of its own", 0)
    lines: list[str] = []
    for path, command in commands.items():
        # The command shows the difference of an existing file if it has a part of that file, or its values.
        has_file = not {RESULT, COMPUTED}.isdisjoint(map(os.path.basename, split(command)))
        text = f"{path} differs by itself; this command shows it:"
        if existing and not has_file:
            text = (
                f"{path} differs by itself in {existing}, which keeps state there, so that no part of it can run "
                "alone; this command shows what is expected:"
            )
        lines += wrap("", text, 0)
        first, *rest = command_lines(command, _DEEP)
        lines += [f"  {first}", *(f"{'':{_DEEP}}{line}" for line in rest)]
    return lines


def _repeat_options(words: Mapping[str, Any]) -> Iterator[str]:
    """Yields the options that change a conversion, as words of the command line that reproduces a difference.

    Without them the fault may be gone. Flags with `repeated` are such options.
    """
    for name, field in VERIFY.items():
        value = words[name] if field.flag.repeated else field.default
        if value == field.default:
            continue
        for item in value if isinstance(value, list) else [value]:
            yield from [field.flag.name] if item is True else [field.flag.name, str(item)]


def _options_of_case(case: Case, bounds: Mapping[str, int], tolerances: Mapping[str, Tolerance]) -> Iterator[str]:
    """Yields the options that an extracted operator needs, as words of a command line.

    These are its steps, shapes of inputs with unknown dimensions, and the user's bounds and tolerances for its results.
    """
    if case.steps > 1:
        yield from ("--steps", str(case.steps))
    for value in case.model.main.inputs:
        if None in value.type.shape:
            shape = case.inputs[value.name].shape[-value.type.rank :]  # behind the steps, also a single one
            yield from ("--input-shape", f"{value.name}={','.join(map(str, shape))}")
    results = {value.name for graph in case.model.graphs.values() for op in graph.walk() for value in op.results}
    for name, count in bounds.items():
        if name in results:
            yield from ("--bound", f"{name}={count}")
    for name, tolerance in tolerances.items():
        if name in case.expected:  # a tolerance is for outputs of the whole model, and this operator computes one
            yield from ("--atol", f"{name}={tolerance.atol!r}")
            yield from ("--rtol", f"{name}={tolerance.rtol!r}")


def _tolerances(verification: tc.Verification, signature: str, arguments: Mapping[str, Any]) -> dict[str, Tolerance]:
    """Returns the tolerances that the user states for a signature's outputs, by the names of these.

    Outputs without one are left out. A model without several signatures is one graph, whatever the signature is called.
    """
    assert verification.sides is not None
    graphs = split_by_signature(verification.sides[0])  # of the source
    graph = graphs.get(signature) or next(iter(graphs.values()))
    bounds = output_tolerances(graph, arguments["atol"], arguments["rtol"])
    return {name: bound for name, bound in zip(output_names(graph), bounds, strict=True) if bound is not None}
