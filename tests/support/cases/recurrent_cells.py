"""Fixed cases of recurrent operators, and the operands of a small cell."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from support.cases.case import Case
from support.tflite_models import Tensor
from tosa_converter.schemas.tflite import ActivationFunctionType, LSTMKernelType
from tosa_converter.schemas.tflite import BuiltinOperator as B

BATCH, TIME, SIZE, CELLS = 1, 2, 2, 3
TANH = {"fused_activation_function": ActivationFunctionType.TANH}
Operands = tuple[Tensor | None, ...]


def weights(*shape: int, dtype: str = "float32", scale: float = 0.0) -> Tensor:
    """Returns elements of both signs; floats have a magnitude of about 1."""
    steps = np.arange(np.prod(shape)).reshape(shape) % 7 - 3
    quantized = dtype in ("int8", "uint8", "int16")
    scale = scale or (2.0**-15 if dtype == "int16" else 1 / 64)
    data = steps / 4 if dtype == "float32" else steps * 16 % 256 if dtype == "uint8" else steps * 16
    return Tensor(shape, dtype, data.astype(dtype), scale=scale if quantized else None)


def state(*shape: int, dtype: str = "float32", **quant: Any) -> Tensor:
    """Returns a variable tensor."""
    return Tensor(shape, dtype, variable=True, **quant)


def cell(dtype: str, *, parts: Sequence[str] = ()) -> Operands:
    """Returns an LSTM's operands between its input and its states."""
    integer = dtype == "integer"
    byte, bias = ("int8", "int32") if integer else (dtype, "float32")
    seen = "int16" if integer else dtype
    four = [None if "cifg" in parts and not i else weights(CELLS, SIZE, dtype=byte) for i in range(4)]
    back = [None if part is None else weights(CELLS, CELLS, dtype=byte) for part in four]
    see = [weights(CELLS, dtype=seen) if "peephole" in parts else None for _ in range(3)]
    biases = [None if part is None else weights(CELLS, dtype=bias) for part in four]
    projection = [weights(CELLS, CELLS, dtype=byte), weights(CELLS, dtype=bias)]
    return (*four, *back, *see, *biases, *(projection if "projection" in parts else (None, None)))


def states(*, integer: bool = False) -> Operands:
    """Returns the output state and the cell state."""
    if not integer:
        return state(BATCH, CELLS), state(BATCH, CELLS)
    output = state(BATCH, CELLS, dtype="int8", scale=1 / 128, zero_point=3)
    return output, state(BATCH, CELLS, dtype="int16", scale=2.0**-11)


def norms(dtype: str) -> Operands:
    """Returns coefficients of layer normalization."""
    return tuple(weights(CELLS, dtype=dtype) for _ in range(4))


X, ROW = Tensor((BATCH, TIME, SIZE)), Tensor((BATCH, SIZE))
Y, OUT = Tensor((BATCH, TIME, CELLS)), Tensor((BATCH, CELLS))
BYTES: dict[str, Any] = {"scale": 0.05, "zero_point": -3}
HIDDEN: dict[str, Any] = {"scale": 1 / 128, "zero_point": 3}
BESIDE = (*(Tensor((), "int16", scale=2.0**-12) for _ in range(4)), Tensor((), "int8", **HIDDEN))


def recurrent() -> Iterator[Case]:
    """Yields a case of each kind, with its states."""
    sequence, basic = {**TANH, "time_major": False}, {**TANH, "kernel_type": LSTMKernelType.BASIC}
    for dtype in ("float32", "int8"):
        yield Case(B.UNIDIRECTIONAL_SEQUENCE_LSTM, (X, *cell(dtype), *states()), (Y,), sequence)
        rnn = (weights(CELLS, SIZE, dtype=dtype), weights(CELLS, CELLS, dtype=dtype), weights(CELLS))
        yield Case(B.RNN, (ROW, *rnn, state(BATCH, CELLS)), (OUT,), TANH)
        yield Case(B.UNIDIRECTIONAL_SEQUENCE_RNN, (X, *rnn, state(BATCH, CELLS)), (Y,), sequence)
        time = (weights(4, 2, dtype=dtype), weights(4, 3, dtype=dtype), weights(2), state(BATCH, 12))
        yield Case(B.SVDF, (ROW, *time), (Tensor((BATCH, 2)),), {**TANH, "rank": 2})
    yield Case(B.LSTM, (ROW, *cell("float32"), *states()), (OUT,), TANH)
    parts = ("cifg", "peephole", "projection")
    operands = (ROW, *cell("float32", parts=parts), *states(), None, *norms("float32")[1:])
    yield Case(B.LSTM, operands, (OUT,), {**TANH, "cell_clip": 0.5, "proj_clip": 0.25})
    two_cells = (*cell("float32"), *cell("float32"), *states(), *states(), *[None] * 9)
    merged = {**sequence, "merge_outputs": True}
    yield Case(B.BIDIRECTIONAL_SEQUENCE_LSTM, (X, *two_cells), (Tensor((BATCH, TIME, 2 * CELLS)),), merged)
    direction = (weights(CELLS, SIZE), weights(CELLS, CELLS), weights(CELLS), state(BATCH, CELLS))
    yield Case(B.BIDIRECTIONAL_SEQUENCE_RNN, (X, *direction, *direction, None, None, None), (Y, Y), sequence)
    yield from _integers()
    x = (ROW, state(BATCH, CELLS), weights(4 * CELLS, SIZE + CELLS), weights(4 * CELLS), state(BATCH, CELLS))
    yield Case(B.LSTM, x, (OUT, OUT, Tensor((BATCH, SIZE + CELLS)), Tensor((BATCH, 4 * CELLS))), basic)


def _integers() -> Iterator[Case]:
    sequence, basic = {**TANH, "time_major": False}, {**TANH, "kernel_type": LSTMKernelType.BASIC}
    x, y = Tensor(X.shape, "int8", **BYTES), Tensor(Y.shape, "int8", **HIDDEN)
    operands = (x, *cell("integer"), *states(integer=True))
    yield Case(B.UNIDIRECTIONAL_SEQUENCE_LSTM, operands, (y,), sequence, intermediates=BESIDE)
    row, out = Tensor(ROW.shape, "int8", **BYTES), Tensor(OUT.shape, "int8", **HIDDEN)
    operands = (*cell("integer", parts=("projection",)), *states(integer=True))
    yield Case(B.LSTM, (row, *operands), (out,), TANH, intermediates=BESIDE)
    operands = (*cell("integer", parts=("peephole", "projection")), *states(integer=True), *norms("int16"))
    yield Case(B.LSTM, (row, *operands), (out,), {**TANH, "cell_clip": 0.5, "proj_clip": 0.25}, intermediates=BESIDE)
    time = (weights(4, 2, dtype="int8"), weights(4, 3, dtype="int16", scale=1 / 2048), weights(2, dtype="int32"))
    activation_state = state(BATCH, 12, dtype="int16", scale=1 / 4096)
    relu = {"fused_activation_function": ActivationFunctionType.RELU, "rank": 2}
    yield Case(B.SVDF, (row, *time, activation_state), (Tensor((BATCH, 2), "int8", **HIDDEN),), relu)
    byte: dict[str, Any] = {"dtype": "uint8", "scale": 1 / 128, "zero_point": 128}
    short: dict[str, Any] = {"dtype": "int16", "scale": 2.0**-11}
    bias = Tensor((4 * CELLS,), "int32", np.arange(4 * CELLS, dtype=np.int32) * 100, scale=2.0**-13)
    weight = weights(4 * CELLS, SIZE + CELLS, dtype="uint8")
    kernel = (Tensor(ROW.shape, **byte), state(BATCH, CELLS, **byte), weight, bias, state(BATCH, CELLS, **short))
    scratch = (Tensor((BATCH, SIZE + CELLS), **byte), Tensor((BATCH, 4 * CELLS), "int16", scale=2.0**-12))
    yield Case(B.LSTM, kernel, (Tensor(OUT.shape, **byte), Tensor(OUT.shape, **short), *scratch), basic)
