"""The operands of LSTM operators by direction and gate, and the results that they have."""

from collections.abc import Mapping, Sequence

from tosa_converter.legalize.tflite.activation import Fused
from tosa_converter.legalize.tflite.recurrent.sequence import Run
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import Match, condition
from tosa_converter.schemas.flat import Bool
from tosa_converter.schemas.tflite import LSTMKernelType

BIASES = {
    "input": "input_gate_bias", "forget": "forget_gate_bias", "cell": "cell_bias", "output": "output_gate_bias"
}  # fmt: skip
STATES = ("input_activation_state", "input_cell_state")


class LstmOptions(Fused):
    """What the options of LSTM operators have."""

    cell_clip: float = 0.0
    proj_clip: float = 0.0
    time_major: Bool = True
    merge_outputs: Bool = False
    kernel_type: LSTMKernelType = LSTMKernelType.FULL


def gates_of(match: Match, prefix: str) -> dict[str, str]:
    """The gates with the names of their biases; without weights for it the input gate is 1 less the forget gate."""
    return {gate: prefix + bias for gate, bias in BIASES.items() if match.has(f"{prefix}input_to_{gate}_weights")}


def peephole(match: Match, prefix: str, gate: str) -> str | None:
    """The name of the weights with which a gate sees the cell state, None where it doesn't."""
    key = f"{prefix}cell_to_{gate}_weights"
    return key if gate != "cell" and match.has(key) else None


def coefficients(match: Match, prefix: str, gate: str) -> str | None:
    """The name of what a gate's normalized sums are multiplied with, None where they aren't normalized."""
    key = f"{gate}_layer_norm_coefficients"
    return key if not prefix and match.has(key) else None


def states_of(match: Match, prefix: str, batch: int) -> list[Expr]:
    """The output state and the cell state as [1,batch,size]."""
    states = [match[prefix + name] for name in STATES]
    return [state.reshape((1, batch, state.size // batch)) for state in states]


def with_states(match: Match, results: Sequence[Expr], runs: Mapping[str, Run]) -> list[Expr]:
    """The results, and behind them the last states of the runs, by prefix, in the shapes of their operands."""
    states = [
        (prefix + name, last) for prefix, run in runs.items() for name, last in zip(STATES, run.states, strict=True)
    ]
    return [*results, *(last.reshape(match[key].shape) for key, last in states)]


@condition("it is the full kernel")
def full_kernel(match: Match) -> str | None:
    """Against the basic kernel."""
    kind = match.attributes(LstmOptions).kernel_type
    return None if kind is LSTMKernelType.FULL else f"it is the kernel {kind.name}"


@condition("it is the basic kernel")
def basic_kernel(match: Match) -> str | None:
    """Against the full kernel."""
    return "it is the kernel FULL" if full_kernel(match) is None else None
