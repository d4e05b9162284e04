"""`tflite-to-tosa extract`: a part of a model as a file of its own."""

import os
import shlex

import tosa_converter as tc
from tosa_converter.cli import options, report
from tosa_converter.cli.conversion import check_output
from tosa_converter.cli.sources import PIPE, read_model, require_other_file, write_model


def extract(
    model: options.Model,
    output: options.Output = "",
    format: options.OutputFormat = "",
    from_: options.From = None,
    to: options.To = None,
    json: options.Json = False,
) -> int:
    """Write the part of a model's main graph between some tensors and others as a model."""
    if not output:
        ending = os.path.splitext(model)[1] or ".tosa"
        raise tc.UsageError(
            "tflite-to-tosa extract: expected -o OUT, found none", f"next: add -o {shlex.quote('part' + ending)}"
        )
    ending = check_output(output, format)
    require_other_file(output, model)
    part = tc.extract(read_model(model)[0], from_ or (), to or ())
    size = write_model(part, output, ending)
    inputs, outputs = ([value.name for value in values] for values in (part.main.inputs, part.main.outputs))
    figures = {"source": model, "output": output, "inputs": inputs, "outputs": outputs, "output_bytes": size}
    names = (", ".join(map(repr, names)) for names in (inputs, outputs))
    report.present(
        lambda: figures, lambda: [f"{model} -> {output}: {' to '.join(names)}"], json=json, aside=output == PIPE
    )
    return 0
