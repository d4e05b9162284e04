"""`tflite-to-tosa verify`: converts, runs both sides, compares."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import tosa_converter as tc
from tosa_converter.cli import options, report
from tosa_converter.cli.arrays import save_outputs
from tosa_converter.cli.bare import command_line
from tosa_converter.cli.conversion import parse_bounds, parse_names, parse_shapes
from tosa_converter.cli.given import Given, parse_ranges
from tosa_converter.cli.progress import staged
from tosa_converter.cli.sources import PIPE, source_file
from tosa_converter.conversion import resolve_input_shapes
from tosa_converter.formats.storage import make_folder
from tosa_converter.ir import Array


def verify(
    model: options.Model,
    written: options.Written = "",
    against: options.Against = "",
    runs: options.Runs = 1,
    steps: options.Steps = 0,
    seed: options.Seed = 0,
    target: options.Target = "",
    numerics: options.Numerics = "",
    input_shape: options.InputShape = None,
    bound: options.Bound = None,
    io_type: options.IoType = None,
    io_layout: options.IoLayout = None,
    state: options.State = "",
    control_flow: options.ControlFlow = "",
    sequence: options.Sequence = "unroll",
    float_type: options.Float = "",
    plugin: options.Plugin = None,
    signature: options.Signature = "",
    partial: options.Chain = "",
    input: options.Input = None,
    image: options.Image = None,
    audio: options.Audio = None,
    samples: options.Samples = "",
    scale: options.Scale = None,
    ranges: options.Range = None,
    adversarial: options.Adversarial = False,
    layers: options.Layers = False,
    bisect: options.Bisect = False,
    extract: options.Extract = "",
    page: options.Page = "",
    limit: options.Limit = 10,
    json: options.Json = False,
) -> int:
    """Convert a model, run both sides on the same inputs and compare; exit status 1 if they differ."""
    given = Given(input or (), image or (), audio or (), samples, scale or ())
    shapes = parse_shapes(input_shape or ())
    borders = {
        "io_types": parse_names("border type", io_type or ()),
        "io_layouts": parse_names("border layout", io_layout or ()),
    }
    path = source_file(model)
    done = staged(tc.verify)(
        path,
        written,
        target=target or None,
        input_shapes=shapes,
        bounds=parse_bounds(bound or ()),
        numerics=numerics,
        **borders,
        state=state,
        control_flow=control_flow,
        sequence=sequence,
        float_type=float_type,
        rules=plugin or (),
        signature=signature,
        partial=partial,
        inputs=_sets(given, path, signature, borders, shapes, steps) if any(given) else (),
        ranges=parse_ranges(ranges or ()),
        adversarial=adversarial,
        runs=runs,
        steps=steps,
        seed=seed,
        against=against,
        layers=layers or bool(page and not written and not partial),
        bisect=bisect or bool(extract),
        limit=limit,
    )
    done = replace(done, file=model) if model == PIPE else done
    if page:
        tc.write_report(done, page)
    chosen: dict[str, object] = {"target": target, "numerics": numerics, "state": state, "control_flow": control_flow}
    chosen |= {"sequence": sequence if sequence != "unroll" else "", "float_type": float_type, "plugin": plugin or ()}
    commands = _extracted(done, extract, chosen, parse_bounds(bound or ())) if extract else {}
    figures = {"extracted": commands} if extract else {}
    report.present(
        lambda: done.figures() | figures,
        lambda: [*report.verification_lines(done), *(_lines(commands) if extract else ())],
        json=json,
    )
    return 0 if done.verdict else 1


def _lines(commands: dict[str, list[str]]) -> list[str]:
    lines = [line for each in commands.values() for line in each]
    return lines or ["nothing is extracted: no operator differs by itself, or none that can be had so"]


def _extracted(
    done: tc.Verification, folder: str, options: Mapping[str, Any], bounds: Mapping[str, int]
) -> dict[str, list[str]]:
    """The operators that differ, written as models of their own with inputs and outputs; what repeats each.

    `options` are those of the conversion by their parameters: without them the fault may be gone. `bounds` are
    repeated for the results that are in the model.
    """
    commands: dict[str, list[str]] = {}
    for operators in done.operators:
        case = operators.case
        if case is None:
            continue
        place = os.path.join(folder, f"{len(commands)}" if len(done.operators) > 1 else "")
        make_folder(place)
        model, inputs, expected, made = (
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
            f"{model} with {inputs} gives {expected} in LiteRT; again, and in its conversion:",
            f"  {command_line('run', model, '--input', inputs, *steps)}",
            f"  {command_line(model, output=made, input_shape=shapes, bound=rows, **options)}",
            f"  {command_line('run', made, '--input', inputs, *steps)}",
        ]
    return commands


def _sets(
    given: Given,
    model: str,
    signature: str,
    borders: Mapping[str, Mapping[str, str]],
    shapes: Mapping[str, tuple[int, ...]],
    steps: int,
) -> list[dict[str, Array]]:
    """What files make of a model's inputs, which may have other borders."""
    source = tc.with_borders(tc.selected(model, signature) if signature else tc.load(model), **borders)
    return given.sets(source, resolve_input_shapes(source, shapes), steps)
