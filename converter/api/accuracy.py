"""The accuracy of a classifier and of its conversion on labelled samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tosa_converter.api.comparing import compare
from tosa_converter.api.loading import Source, as_model
from tosa_converter.errors import UsageError
from tosa_converter.ir import Array, Model
from tosa_converter.proof.output_names import number_of_array
from tosa_converter.proof.top1 import Top1


def accuracy(
    source: Model | Source,
    model: Model,
    samples: Mapping[str, Array] | Sequence[Mapping[str, Array]],
    labels: Sequence[int],
    *,
    output: str = "",
    against: str | Sequence[str] = ("executor",),
    limit: float = 10.0,
) -> Top1:
    """Counts how often a source and its conversion give labelled samples the right class.

    The class of a sample is that of its largest score, or the lowest of several. Scores are an output [classes] or
    [batch, classes], as they are: a quantized output isn't dequantized.

    Args:
        source: the model as it was read, or what `load` takes.
        model: its conversion, or a TFLite model that was written from the source or the conversion.
        samples: arrays by the source's input names, of one sample or batch each; or arrays with one dimension more in
            front, for all samples.
        labels: the number of each sample's class, in order.
        output: the name of the scores; needed if several outputs may be scores.
        against: engines by name: the first that runs the source, and the first that runs the conversion. LiteRT's
            reference kernels and this package's executor by default.
        limit: seconds that the executor accepts for a run, by an estimate from the operators' shapes.

    Returns:
        The number of samples, and how many of them both sides give the same class, the source the right one
        (`source_top1`), and the conversion (`result_top1`).

    Raises:
        UsageError: labels that no output can have, or samples that don't fit the inputs.
        ConverterError: an engine refuses its model or fails.

    Example:
        >>> import numpy as np
        >>> import tosa_converter as tc
        >>> model = tc.load("models/digits_int8.tflite")
        >>> blank = {"serving_default_image:0": np.zeros((3, 1, 8, 8, 1), np.int8)}
        >>> tc.accuracy(model, tc.convert(model), blank, labels=[1, 2, 3]).agreement
        3
    """
    source = as_model(source)
    sets = [samples] if isinstance(samples, Mapping) else samples
    comparison, *_ = compare(source, model, inputs=sets, labels=labels, against=against, limit=limit)
    number = number_of_array(source, output) if output else None
    if output and number is None:
        names = ", ".join(repr(value.name) for value in source.main.outputs)
        raise UsageError(f"output: expected one of {names}, found {output!r}")
    reports = [row for i, row in enumerate(comparison.outputs) if number in (None, i)]
    scores = [row for row in reports if row.top1 is not None and row.top1.source_top1 is not None]
    if len(scores) != 1:
        names = ", ".join(repr(row.name) for row in scores) or "none"
        raise UsageError(f"output: expected one output that can have the labels, found {names}")
    assert scores[0].top1 is not None
    return scores[0].top1
