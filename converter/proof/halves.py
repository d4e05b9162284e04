"""How far a model in fp16 or bf16 is from the same one in fp32."""

from collections.abc import Iterator, Mapping

import numpy as np

from tosa_converter.errors import UsageError
from tosa_converter.ir import Array, Model
from tosa_converter.proof.compare import random_inputs
from tosa_converter.proof.indices import index_limits


def measured(exact: Model, model: Model) -> Iterator[tuple[str, str]]:
    """By output, in words, on random inputs: of floats the largest difference, of others how many elements differ."""
    from tosa_converter.execute.plan import run

    try:
        inputs = random_inputs(exact.main.inputs, {}, 0, index_limits(exact))
        wanted, found = (run(one.main, inputs) for one in (exact, model))
    except UsageError as error:  # its inputs or its time are beyond the executor's limits
        yield "outputs", f"the difference from fp32 is not measured: {error}"
        return
    yield from ((f"output {name!r}", _difference(wanted, found, name)) for name in wanted)


def _difference(wanted: Mapping[str, Array], found: Mapping[str, Array], name: str) -> str:
    a, b = wanted[name], found[name]
    if a.dtype.kind != "f":
        return f"{np.count_nonzero(a != b)} of {a.size} elements are others than in fp32 on random inputs"
    with np.errstate(invalid="ignore"):
        moved = np.abs(a.astype(np.float64) - b)
    worst, largest = (float(np.max(x, initial=0)) for x in (moved, np.abs(a)))
    return f"up to {worst:.3g} from fp32 on random inputs, whose largest value is {largest:.3g}"
