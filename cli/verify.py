"""`tflite-to-tosa verify`: converts, runs both sides, compares."""

import tosa_converter as tc
from tosa_converter.cli import options, report
from tosa_converter.cli.convert import parse_names, parse_shapes


def verify(
    model: options.Model,
    against: options.Against = "",
    runs: options.Runs = 1,
    steps: options.Steps = 0,
    seed: options.Seed = 0,
    target: options.Target = "",
    numerics: options.Numerics = "",
    input_shape: options.InputShape = None,
    io_type: options.IoType = None,
    io_layout: options.IoLayout = None,
    state: options.State = "variables",
    control_flow: options.ControlFlow = "keep",
    sequence: options.Sequence = "unroll",
    float_type: options.Float = "",
    plugin: options.Plugin = None,
    signature: options.Signature = "",
    partial: options.Chain = "",
    layers: options.Layers = False,
    limit: options.Limit = 10,
    json: options.Json = False,
) -> int:
    """Convert a model, run both sides on the same inputs and compare; exit status 1 if they differ."""
    done = tc.verify(
        model,
        target=target or None,
        input_shapes=parse_shapes(input_shape or ()),
        numerics=numerics,
        io_types=parse_names("type", io_type or ()),
        io_layouts=parse_names("layout", io_layout or ()),
        state=state,
        control_flow=control_flow,
        sequence=sequence,
        float_type=float_type,
        rules=plugin or (),
        signature=signature,
        partial=partial,
        runs=runs,
        steps=steps,
        seed=seed,
        against=against,
        layers=layers,
        limit=limit,
    )
    report.present(done.figures, lambda: report.verification_lines(done), json=json)
    return 0 if done.verdict else 1
