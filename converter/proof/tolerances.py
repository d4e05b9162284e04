"""Tolerances that a user states for outputs, in place of the default ones."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.ir import Array, Model, Value
from tosa_converter.proof.output_names import output_numbers

Bounds = Mapping[str, float]  # by an output's name, or "" for all other outputs


class Tolerance(NamedTuple):
    """A bound on every element of an output: |difference| <= atol + rtol * |reference|, as numpy's `allclose` has it.

    Elements of a quantized output stand for `scale * (element - zero point)`, so both sides are counted in steps of the
    scale, and |reference| is its distance to the zero point.
    """

    atol: float
    rtol: float

    def bounds(self, value: Value, reference: Array) -> Array:
        """Returns how far each element may be from a reference, always a finite number.

        Args:
            value: the output, whose type has the zero point.
            reference: of the output's shape, with any number of dimensions in front.
        """
        # An infinity in the reference would allow any difference. But `difference` has an infinity equal to itself
        # only, and infinitely far from all else, so infinities and NaN count as 0 here: a finite bound refuses them.
        # For the same reason a bound that overflows becomes the largest number, 1.8e308.
        with np.errstate(all="ignore"):
            distance = np.abs(np.asarray(reference, np.float64) - _zero_points(value, np.ndim(reference)))
            bound = self.atol + self.rtol * np.where(np.isfinite(distance), distance, 0.0)
        return np.asarray(np.minimum(bound, np.finfo(np.float64).max))

    def __str__(self) -> str:
        """Returns the tolerance as reports have it: "atol 0.01, rtol 0"."""
        return f"atol {self.atol:g}, rtol {self.rtol:g}"


def _zero_points(value: Value, rank: int) -> Array:
    """Returns the zero points of a quantized output, along its axis in an array of `rank` dimensions; 0 for others."""
    quant = value.type.quant
    if quant is None or value.type.dtype.is_float or not quant.zero_point:
        return np.zeros(())
    if len(quant.zero_point) == 1 or quant.axis is None:
        return np.asarray(quant.zero_point[0], np.float64)
    # A type of [2, 3] with axis 1 has rank 2; an array [steps, 2, 3] has the axis at 3 - 2 + 1 = 2.
    shape = [1] * rank
    shape[rank - value.type.rank + quant.axis] = len(quant.zero_point)
    return np.asarray(quant.zero_point, np.float64).reshape(shape)


def require_outputs(models: Iterable[Model], atol: Bounds, rtol: Bounds) -> None:
    """Raises UsageError for a tolerance of a name that no model has an output of, or of an output of booleans."""
    outputs: dict[str, Value] = {}
    for model in models:
        outputs |= {name: model.main.outputs[number] for name, number in output_numbers(model).items()}
    for option, bounds in (("atol", atol), ("rtol", rtol)):
        for name in filter(None, bounds):
            subject = f"--{option} ({option})"
            if name not in outputs:
                names = ", ".join(map(repr, sorted(outputs)))
                raise UsageError(f"{subject}: expected the name of an output, one of {names}, found {name!r}")
            if outputs[name].type.dtype is DType.BOOL:
                raise UsageError(f"{subject} can't apply to output {name!r}: booleans must be equal")


def bounds_of(model: Model, bounds: Bounds) -> dict[str, float]:
    """Returns the tolerances for outputs of a main graph, without those for outputs of other signatures.

    The name "" stands for all outputs.
    """
    names = output_numbers(model)
    return {name: bound for name, bound in bounds.items() if not name or name in names}


def output_tolerances(model: Model, atol: Bounds, rtol: Bounds) -> list[Tolerance | None]:
    """Returns the tolerance that is stated for each output of a main graph; None for booleans and outputs without one.

    A tolerance is stated for one of an output's names, or for "", which stands for all.
    """
    names = output_numbers(model)
    tolerances: list[Tolerance | None] = []
    for i, value in enumerate(model.main.outputs):
        keys = [*(name for name, number in names.items() if number == i), ""]
        bounds = [next((stated[key] for key in keys if key in stated), None) for stated in (atol, rtol)]
        is_exact = value.type.dtype is DType.BOOL or bounds == [None, None]
        tolerances.append(None if is_exact else Tolerance(bounds[0] or 0.0, bounds[1] or 0.0))
    return tolerances
