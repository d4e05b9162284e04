"""How far a model in fp16 or bf16 is from the same one in fp32."""

from collections.abc import Iterator

from tosa_converter.errors import UsageError
from tosa_converter.execute import limits
from tosa_converter.execute.plan import run
from tosa_converter.ir import Model
from tosa_converter.memory import require_memory
from tosa_converter.proof.indices import index_limits
from tosa_converter.proof.input_sets import random_inputs
from tosa_converter.proof.judgement import judge
from tosa_converter.proof.wording import narrowed_difference

_DRAWN = 2e-8  # seconds for a random number
_CONVERTED = 3  # an operator in fp16 or bf16 takes as many times as long as in fp32: numpy widens and rounds
_SHARE = 4  # of the memory that is free a note may take this part


def measure_difference(exact: Model, model: Model, limit: float) -> Iterator[tuple[str, str]]:
    """Yields the difference of an fp16 or bf16 model from the fp32 one on random inputs, as pairs (output, text).

    Both are run only if an estimate of the time is within `limit` seconds, and that of the memory within a quarter of
    what is free.
    """
    try:
        _require_small(exact, model, limit)
        inputs = random_inputs(exact.main.inputs, {}, 0, index_limits(exact))
        outputs, narrow_outputs = (run(side.main, inputs, limit=limit) for side in (exact, model))
    except UsageError as error:  # its inputs or its time are beyond the limits
        yield "outputs", f"the difference from fp32 is not measured: {error.lines[0]}"
        return
    for name, reference in outputs.items():
        yield f"output {name!r}", narrowed_difference(judge(reference, narrow_outputs[name], 0.0))


def _require_small(exact: Model, model: Model, limit: float) -> None:
    """Raises UsageError if running a model in fp32 and in narrower floats takes too long or too much memory.

    The estimate comes before anything is allocated. The time is that of drawing the inputs and running both models; the
    memory may be a quarter of what is free.
    """
    elements = sum(value.type.elements for value in exact.main.inputs)
    results = sum(value.type.elements for value in exact.main.outputs)
    estimates = (sum(limits.seconds(side.main).values()) for side in (exact, model))
    exact_seconds, narrow_seconds = estimates
    total = _DRAWN * elements + exact_seconds + _CONVERTED * narrow_seconds
    limits.require_time("comparing it with fp32", total, limit)
    # Inputs are drawn in 8 bytes and held in up to 8; the difference takes two arrays in fp64.
    count = 16 * (elements + results) + max(limits.peak_bytes(side.main) for side in (exact, model))
    require_memory("comparing it with fp32", _SHARE * count)
