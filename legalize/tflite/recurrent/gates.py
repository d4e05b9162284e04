"""Operands of LSTM operators by direction and gate, and their results."""

from collections.abc import Mapping, Sequence

from tosa_converter.legalize.ops.recurrent import SequenceResult
from tosa_converter.legalize.tflite.recurrent.sequence import SequenceOptions
from tosa_converter.rewriting.expr import Expr, clamp
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import condition
from tosa_converter.schemas.tflite import LSTMKernelType

BIASES = {
    "input": "input_gate_bias", "forget": "forget_gate_bias", "cell": "cell_bias", "output": "output_gate_bias"
}  # fmt: skip
STATES = ("input_activation_state", "input_cell_state")


class LstmOptions(SequenceOptions):
    """Options of LSTM operators; a clip of 0 means that values aren't clipped."""

    cell_clip: float = 0.0
    proj_clip: float = 0.0
    kernel_type: LSTMKernelType = LSTMKernelType.FULL


def gate_biases(match: Match, prefix: str) -> dict[str, str]:
    """Maps an LSTM's gates to the operand names of their biases; an input gate without weights is left out.

    Such a gate is computed as 1 - forget.
    """
    return {gate: prefix + bias for gate, bias in BIASES.items() if match.has(f"{prefix}input_to_{gate}_weights")}


def peephole_key(match: Match, prefix: str, gate: str) -> str | None:
    """Returns the operand name of a gate's peephole weights (for the cell state), or None if it has none."""
    key = f"{prefix}cell_to_{gate}_weights"
    return key if gate != "cell" and match.has(key) else None


def layer_norm_key(match: Match, prefix: str, gate: str) -> str | None:
    """Returns the operand name of a gate's layer normalization coefficients, or None if its sums aren't normalized.

    TFLite has none for the directions of a bidirectional LSTM, which have a `prefix`.
    """
    key = f"{gate}_layer_norm_coefficients"
    return key if not prefix and match.has(key) else None


def clip(x: Expr, bound: float) -> Expr:
    """Clamps floats or integers to [-bound, bound]; a bound of 0 or less is none (CwiseClipping, tensor_utils.h)."""
    return clamp(x, -bound, bound) if bound > 0 else x


def initial_states(match: Match, prefix: str, batch: int) -> list[Expr]:
    """Returns an LSTM's output state and cell state before the first step, as [1,batch,size]."""
    states = [match[prefix + name] for name in STATES]
    return [state.reshape((1, batch, state.size // batch)) for state in states]


def with_states(match: Match, outputs: Sequence[Expr], directions: Mapping[str, SequenceResult]) -> list[Expr]:
    """Returns an LSTM's outputs, followed by the last states of each direction in their operands' shapes.

    `directions` has the results by the prefix of the operands' names.
    """
    states = [
        (prefix + name, state)
        for prefix, result in directions.items()
        for name, state in zip(STATES, result.states, strict=True)
    ]
    return [*outputs, *(state.reshape(match[key].shape) for key, state in states)]


@condition("the kernel type is FULL")
def full_kernel(match: Match) -> str | None:
    """Declines LSTM operators whose kernel type isn't FULL."""
    kind = match.attributes(LstmOptions).kernel_type
    return None if kind is LSTMKernelType.FULL else f"expected the kernel type FULL, found {kind.name}"


@condition("the kernel type is BASIC")
def basic_kernel(match: Match) -> str | None:
    """Declines LSTM operators whose kernel type isn't BASIC."""
    return "expected the kernel type BASIC, found FULL" if full_kernel(match) is None else None
