"""`tflite-to-tosa extract`: a part of a model as a file of its own."""

import tosa_converter as tc
from tosa_converter.cli import options
from tosa_converter.cli.printing import show
from tosa_converter.cli.sources import read_model, require_other_file


def extract(
    model: options.Model,
    output: options.Output = "",
    from_: options.From = None,
    to: options.To = None,
) -> int:
    """Write the part of a model's main graph between some tensors and others as a model."""
    if not output:
        raise tc.UsageError("tflite-to-tosa extract: expected -o OUT, found none")
    require_other_file(output, model)
    part = tc.extract(read_model(model)[0], from_ or (), to or ())
    tc.save(part, output)
    names = (", ".join(map(repr, (value.name for value in values))) for values in (part.main.inputs, part.main.outputs))
    show([f"{model} -> {output}: {' to '.join(names)}"])
    return 0
