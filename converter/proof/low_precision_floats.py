"""How far a model in fp16 or bf16 is from the same one in fp32."""

from collections.abc import Iterator, Mapping

import numpy as np

from tosa_converter.errors import UsageError
from tosa_converter.execute import limits
from tosa_converter.execute.plan import run
from tosa_converter.ir import Array, Model
from tosa_converter.memory import require_memory
from tosa_converter.proof.indices import index_limits
from tosa_converter.proof.input_sets import random_inputs

_DRAWN = 2e-8  # seconds for a random number
_CONVERTED = 3  # an operator in fp16 or bf16 takes as many times as long as in fp32: numpy widens and rounds
_SHARE = 4  # of the memory that is free a note may take this part


def measured(exact: Model, model: Model, limit: float) -> Iterator[tuple[str, str]]:
    """By output, in words, on random inputs: of floats the largest difference, of others how many elements differ.

    Both are run only if an estimate of the time is within `limit` seconds, and that of the memory within a quarter of
    what is free.
    """
    try:
        _require_small(exact, model, limit)
        inputs = random_inputs(exact.main.inputs, {}, 0, index_limits(exact))
        wanted, found = (run(one.main, inputs, limit=limit) for one in (exact, model))
    except UsageError as error:  # its inputs or its time are beyond the limits
        yield "outputs", f"the difference from fp32 is not measured: {error}"
        return
    yield from ((f"output {name!r}", _difference(wanted, found, name)) for name in wanted)


def _require_small(exact: Model, model: Model, limit: float) -> None:
    """Raise UsageError if running both takes too long or too much memory, before anything is allocated."""
    elements = sum(value.type.elements for value in exact.main.inputs)
    results = sum(value.type.elements for value in exact.main.outputs)
    estimates = (sum(limits.seconds(one.main).values()) for one in (exact, model))
    exact_seconds, narrow_seconds = estimates
    total = _DRAWN * elements + exact_seconds + _CONVERTED * narrow_seconds
    limits.require_time("comparing it with fp32", total, limit)
    # Inputs are drawn in 8 bytes and held in up to 8; the difference takes two arrays in fp64.
    count = 16 * (elements + results) + max(limits.peak_bytes(one.main) for one in (exact, model))
    require_memory("comparing it with fp32", _SHARE * count)


def _difference(wanted: Mapping[str, Array], found: Mapping[str, Array], name: str) -> str:
    a, b = wanted[name], found[name]
    if a.dtype.kind != "f":
        return f"{np.count_nonzero(a != b)} of {a.size} elements are others than in fp32 on random inputs"
    with np.errstate(invalid="ignore"):
        moved = np.abs(a.astype(np.float64) - b)
    worst, largest = (float(np.max(x, initial=0)) for x in (moved, np.abs(a)))
    return f"up to {worst:.3g} from fp32 on random inputs, whose largest value is {largest:.3g}"
