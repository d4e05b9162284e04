"""Top-1 classes: whether both sides of a comparison choose the same class for each sample, and the right one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.ir import Array, Model, TensorType, Value
from tosa_converter.proof.judgement import Runs, view_in_type_of

_OPTION = "--labels (labels)"
_NO_CLASS = -1  # of a row with NaN


@dataclass(frozen=True, slots=True)
class Top1:
    """How many samples of an output both sides give one class, and how many the right one, where labels are known."""

    count: int  # samples
    agreement: int  # of these, samples with the same class on both sides
    source_top1: int | None = None  # samples that the source gives the class of their label
    result_top1: int | None = None  # and the conversion

    @property
    def text(self) -> str:
        """Returns the counts in words: "top-1 agreement: 97 of 100 samples"."""
        text = f"top-1 agreement: {self.agreement} of {self.count} samples"
        if self.source_top1 is None:
            return text
        return f"{text}; top-1 accuracy: {self.source_top1} of the source, {self.result_top1} of the conversion"


def holds_scores(type: TensorType) -> bool:
    """Returns whether an output of this type looks like class scores: [classes] or [batch, classes] of numbers.

    There are two classes or more. Unquantized integers of 32 and 64 bits count things or are indices.
    """
    numbers = type.dtype is not DType.BOOL and (
        type.dtype.is_float or type.quant is not None or (type.dtype.is_integer and type.dtype.bits <= 16)
    )
    classes = type.shape[-1] if type.shape else 0
    return numbers and 1 <= type.rank <= 2 and (classes is None or classes > 1)


def top1_of_outputs(model: Model, references: Runs, results: Runs, labels: Sequence[int]) -> list[Top1 | None]:
    """Returns the top-1 classes of both sides for each output of a main graph, None for one without class scores.

    Args:
        model: the source.
        references: its outputs, by run.
        results: the conversion's.
        labels: the class of each sample; empty where it isn't known.

    Raises:
        UsageError: labels that no output can have.
    """
    values = list(model.main.outputs)
    columns = [[[run[i] for run in runs] for runs in (references, results)] for i in range(len(values))]
    problems = [_label_problem(value, source, labels) for value, (source, _) in zip(values, columns, strict=True)]
    if labels and all(problems):
        raise UsageError(f"{_OPTION}: {next(filter(None, problems))}")
    return [
        _top1(source, result, () if problem else labels) if holds_scores(value.type) else None
        for value, (source, result), problem in zip(values, columns, problems, strict=True)
    ]


def _label_problem(value: Value, references: Sequence[Array], labels: Sequence[int]) -> str:
    """Returns why an output can't have the labels, "" if it can."""
    if not holds_scores(value.type):
        return f"expected class scores, [classes] or [batch, classes], found output {value.name!r} of {value.type}"
    classes = references[0].shape[-1]
    if not classes or any(array.shape[-1] != classes for array in references):
        return f"expected one number of classes in all runs of output {value.name!r}, found {classes} and others"
    samples = sum(array.size // classes for array in references)
    if len(labels) != samples:
        return f"expected a label for each of {samples} samples, found {len(labels)}"
    wrong = next((label for label in labels if not 0 <= label < classes), None)
    return "" if wrong is None else f"expected labels from 0 to {classes - 1} for {value.name!r}, found {wrong}"


def _top1(references: Sequence[Array], results: Sequence[Array], labels: Sequence[int]) -> Top1 | None:
    """Returns the top-1 classes of one output over all runs, or None if they say nothing.

    That is so if the shapes of both sides or the numbers of classes differ, or for a single sample without a label.
    """
    unlike = any(a.shape != b.shape or not a.size for a, b in zip(references, results, strict=True))
    if unlike or len({array.shape[-1] for array in references}) > 1:
        return None
    source, result = _classes(references), _classes([view_in_type_of(references[0], array) for array in results])
    report = Top1(len(source), int(np.count_nonzero((source == result) & (source != _NO_CLASS))))
    if not labels:
        return report if len(source) > 1 else None
    correct = [int(np.count_nonzero(classes == np.asarray(labels))) for classes in (source, result)]
    return replace(report, source_top1=correct[0], result_top1=correct[1])


def _classes(arrays: Sequence[Array]) -> Array:
    """Returns the class with the largest score of each sample, the lowest of several; none for a sample with NaN."""
    rows = np.concatenate([array.reshape(-1, array.shape[-1]) for array in arrays]).astype(np.float64)
    return np.where(np.isnan(rows).any(axis=1), _NO_CLASS, np.argmax(rows, axis=1))
