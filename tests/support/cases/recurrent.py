"""Cases of recurrent operators, whose states are variable tensors."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from support.cases.case import Case, Row, Rows
from support.cases.draw import NAMES, Draw
from support.cases.recurrent_cells import recurrent
from support.tflite_models import Tensor
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import LSTMKernelType

ACTIVATIONS = (Activation.TANH, Activation.TANH, Activation.RELU, Activation.RELU6, Activation.RELU_N1_TO_1)


class Sizes(NamedTuple):
    """The sizes of a sequence and of its steps."""

    time: int
    batch: int
    input: int
    cells: int
    output: int

    @classmethod
    def drawn(cls, d: Draw, *, projected: bool = False, normalized: bool = False) -> "Sizes":
        """Draws small sizes; without a projection, the output has the size of the cell state.

        A projection of one cell makes ties of all outputs' levels; what is normalized over one or two is their order.
        """
        cells = d.whole(4 if normalized else 1 + projected, 6)
        return cls(d.whole(1, 5), d.whole(1, 3), d.whole(1, 6), cells, d.whole(1, 6) if projected else cells)

    def sequence(self, time_major: bool) -> tuple[int, int, int]:
        """Returns the shape of an input."""
        return (self.time, self.batch, self.input) if time_major else (self.batch, self.time, self.input)


def weights(d: Draw, shape: Sequence[int], type: str = "", reach: float = 1.0) -> Tensor:
    """Draws weights of up to `reach` in the operator's second type; some float weights are run-time inputs."""
    type = type or d.types[1]
    if type == "fp32":
        matrix = d.of(d.rng.uniform(-reach, reach, shape).astype(np.float32), type)
        return matrix if d.whole(0, 9) == 0 else matrix.constant
    array = d.rng.integers(-127, 128, shape).astype(np.int8)
    return d.of(array.view(NAMES[type]), type, scale=np.float32(reach / 127)).constant


def numbers(d: Draw, size: int, reach: float = 1.0) -> Tensor:
    """Draws a constant vector of floats."""
    return d.of(d.rng.uniform(-reach, reach, size).astype(np.float32), "fp32").constant


def state(shape: Sequence[int], type: str = "fp32", **quant: Any) -> Tensor:
    """Returns a variable tensor."""
    return Tensor(tuple(shape), NAMES[type], variable=True, **quant)


def floats(d: Draw, shape: Sequence[int]) -> Tensor:
    """Draws a float input, in some cases all zeros."""
    array = d.values(shape, "fp32") / np.float32(3)
    return d.of(array * np.float32(0) if d.whole(0, 15) == 0 else array, "fp32")


class Kind(NamedTuple):
    """The optional parts of a cell."""

    cifg: bool
    peephole: bool
    projection: bool
    bias: bool
    norm: bool
    diagonal: bool = False

    @classmethod
    def drawn(cls, d: Draw, *, norm: bool = True) -> "Kind":
        """Draws whether each part is present, in a third to a half of the cases."""
        some = [d.whole(0, 2) == 0 for _ in range(3)]
        return cls(some[0], some[1], some[2], d.coin(), norm and d.whole(0, 2) == 0)


def gates(d: Draw, size: Sizes, kind: Kind) -> list[Tensor | None]:
    """Draws the operands of a cell between its input and its states."""
    four = range(4)
    inputs = [None if kind.cifg and not i else weights(d, (size.cells, size.input)) for i in four]
    recurrent = [None if kind.cifg and not i else _recurrent(d, size, kind) for i in four]
    seen = [weights(d, (size.cells,)) if kind.peephole and (i or not kind.cifg) else None for i in range(3)]
    biases = [None if kind.cifg and not i else numbers(d, size.cells) for i in four]
    projection = [weights(d, (size.output, size.cells)) if kind.projection else None]
    projection.append(numbers(d, size.output) if kind.projection and kind.bias else None)
    return [*inputs, *recurrent, *seen, *biases, *projection]


def _recurrent(d: Draw, size: Sizes, kind: Kind) -> Tensor:
    if kind.diagonal and d.coin():
        return weights(d, (size.cells,), "fp32")
    return weights(d, (size.cells, size.output))


def norms(d: Draw, size: Sizes, kind: Kind) -> list[Tensor | None]:
    """Draws coefficients of layer normalization, four absent operands, or none."""
    if kind.norm:
        return [None if kind.cifg and not i else numbers(d, size.cells) for i in range(4)]
    return [None] * (4 * d.whole(0, 1))


def clips(d: Draw) -> dict[str, Any]:
    """Draws bounds of the cell state and the projection; 0 means none."""
    options = {"cell_clip": d.among(0.0, 0.5), "proj_clip": d.among(0.0, 0.3)}
    return {**options, "fused_activation_function": d.among(*ACTIVATIONS), "asymmetric_quantize_inputs": d.coin()}


def unidirectional_sequence_lstm(d: Draw) -> Case:
    """Draws an LSTM with and without each part."""
    if d.types[0] == "i8":
        return integer_lstm(d, B.UNIDIRECTIONAL_SEQUENCE_LSTM)
    kind = Kind.drawn(d)
    kind = kind._replace(diagonal=not kind.projection and d.whole(0, 5) == 0)
    size, time_major = Sizes.drawn(d, projected=kind.projection, normalized=kind.norm), d.coin()
    states = [state((size.batch, size.output)), state((size.batch, size.cells))]
    operands = [floats(d, size.sequence(time_major)), *gates(d, size, kind), *states, *norms(d, size, kind)]
    options = {**clips(d), "time_major": time_major}
    return Case(B.UNIDIRECTIONAL_SEQUENCE_LSTM, operands, [d.result("fp32")], options)


def lstm(d: Draw) -> Case:
    """Draws the full kernel and the basic one."""
    if d.types[0] == "i8":
        return integer_lstm(d, B.LSTM)
    if d.types[0] == "ui8" or (d.types[1] == "fp32" and d.whole(0, 2) == 0):
        return basic_lstm(d)
    kind = Kind.drawn(d)
    size = Sizes.drawn(d, projected=kind.projection, normalized=kind.norm)
    states = [state((size.batch, size.output)), state((size.batch, size.cells))]
    operands = [floats(d, (size.batch, size.input)), *gates(d, size, kind), *states, *norms(d, size, kind)]
    return Case(B.LSTM, operands, [d.result("fp32")], clips(d))


def basic_lstm(d: Draw) -> Case:
    """Draws the four results in floats, or in uint8 with the fixed scales that the kernel assumes."""
    size = Sizes.drawn(d)
    shapes = [(4 * size.cells, size.input + size.cells), (4 * size.cells,)]
    options = {"kernel_type": LSTMKernelType.BASIC, "fused_activation_function": Activation.TANH}
    if d.type == "fp32":
        states = [state((size.batch, size.cells)) for _ in range(2)]
        bias = numbers(d, shapes[1][0])
        operands = [floats(d, (size.batch, size.input)), states[0], weights(d, shapes[0], "fp32"), bias, states[1]]
        return Case(B.LSTM, operands, [d.result("fp32") for _ in range(4)], options)
    byte: dict[str, Any] = {"scale": np.float32(1 / 128), "zero_point": 128}
    weight = d.fed(shapes[0], "ui8", scale=d.scale(0.002, 0.02), zero_point=d.whole(0, 255)).constant
    scale = np.float32(weight.scale / 128)
    bias = d.of(d.rng.integers(-20000, 20000, shapes[1]).astype(np.int32), "i32", scale=scale).constant
    long: dict[str, Any] = {"scale": np.float32(2.0**-11)}
    operands = [
        d.fed((size.batch, size.input), "ui8", **byte),
        state((size.batch, size.cells), "ui8", **byte),
        weight,
        bias,
        state((size.batch, size.cells), "i16", **long),
    ]
    results = [
        d.result("ui8", **byte),
        d.result("i16", **long),
        d.result("ui8", **byte),
        d.result("i16", scale=np.float32(2.0**-12)),
    ]
    return Case(B.LSTM, operands, results, options)


def integer_lstm(d: Draw, builtin: B) -> Case:
    """Draws 8-bit weights with 16-bit sums; some scales are those of a calibration, some are odd."""
    kind = Kind.drawn(d)
    size, time_major = Sizes.drawn(d, projected=kind.projection), d.coin()
    if kind.peephole:  # LiteRT's kernel reads it as one of the outputs, and beyond its end if there are more
        size = size._replace(output=min(size.output, size.cells))
    hidden = {"scale": d.scale(0.004, 0.02), "zero_point": d.whole(-128, 127)}
    out = {"scale": d.scale(0.004, 0.02), "zero_point": d.whole(-128, 127)} if kind.projection else hidden
    cell = {"scale": np.float32(2.0 ** d.whole(-15, -9)), "zero_point": 0}
    shape = size.sequence(time_major) if builtin is B.UNIDIRECTIONAL_SEQUENCE_LSTM else (size.batch, size.input)
    middle = gates(d, size, kind)
    for i, operand in enumerate(middle):
        if operand is not None and operand.dtype == "float32":  # biases
            middle[i] = d.of(d.rng.integers(-3000, 3000, operand.shape).astype(np.int32), "i32").constant
        elif operand is not None and len(operand.shape) == 1:  # peepholes
            middle[i] = short(d, size.cells)
    states = [state((size.batch, size.output), "i8", **out), state((size.batch, size.cells), "i16", **cell)]
    more = [None if norm is None else short(d, size.cells) for norm in norms(d, size, kind)]
    operands = [d.fed(shape, "i8", **d.quant("i8")), *middle, *states, *more]
    beside = [Tensor((), "int16", scale=d.scale(1e-4, 1e-3), zero_point=0) for _ in range(4)]
    beside.append(Tensor((), "int8", **hidden))
    options = {**clips(d), "fused_activation_function": Activation.TANH, "asymmetric_quantize_inputs": False}
    if builtin is B.UNIDIRECTIONAL_SEQUENCE_LSTM:
        options["time_major"] = time_major
    return Case(builtin, operands, [d.result("i8", **out)], options, intermediates=beside)


def short(d: Draw, size: int) -> Tensor:
    """Draws a constant vector of 16 bits."""
    array = d.rng.integers(-32768, 32768, size).astype(np.int16)
    return d.of(array, "i16", scale=np.float32(d.among(1, 2) / 32768)).constant


def bidirectional_sequence_lstm(d: Draw) -> Case:
    """Draws two cells of one size with different parts, and in some cases an auxiliary input."""
    kinds = [Kind.drawn(d, norm=False) for _ in range(2)]
    kinds[1] = kinds[1]._replace(projection=kinds[0].projection)
    sizes = [Sizes.drawn(d, projected=kinds[0].projection)] * 2
    time_major, merged, form = d.coin(), d.coin(), d.among("", "backward", "weighted")
    if merged and not time_major:  # LiteRT's kernel reads states of several batches beyond their end
        sizes = [size._replace(batch=1) for size in sizes]
    size = sizes[0]
    cells = [operand for s, kind in zip(sizes, kinds, strict=True) for operand in gates(d, s, kind)]
    states = [state((s.batch, n)) for s in sizes for n in (s.output, s.cells)]
    aux = [floats(d, size.sequence(time_major))] if form else [None]
    extra: list[Tensor | None] = [None] * 8
    if form == "weighted":
        extra = [
            None if kind.cifg and not i else weights(d, (s.cells, s.input))
            for s, kind in zip(sizes, kinds, strict=True)
            for i in range(4)
        ]
    operands = [floats(d, size.sequence(time_major)), *cells, *states, *aux, *extra]
    options = {**clips(d), "time_major": time_major, "merge_outputs": merged}
    results = [d.result("fp32") for _ in range(1 if merged else 2)]
    return Case(B.BIDIRECTIONAL_SEQUENCE_LSTM, operands, results, options)


def _rnn(d: Draw, size: Sizes) -> list[Tensor]:
    return [
        weights(d, (size.cells, size.input)),
        weights(d, (size.cells, size.cells)),
        numbers(d, size.cells),
        state((size.batch, size.cells)),
    ]


def rnn_options(d: Draw) -> dict[str, Any]:
    """Draws any activation, or none."""
    kind = d.among(Activation.NONE, Activation.TANH, Activation.RELU, Activation.RELU6, Activation.RELU_N1_TO_1)
    return {"fused_activation_function": kind, "asymmetric_quantize_inputs": d.coin()}


def rnn(d: Draw) -> Case:
    """Draws one step."""
    size = Sizes.drawn(d)
    return Case(B.RNN, [floats(d, (size.batch, size.input)), *_rnn(d, size)], [d.result("fp32")], rnn_options(d))


def unidirectional_sequence_rnn(d: Draw) -> Case:
    """Draws a sequence."""
    size, time_major = Sizes.drawn(d), d.coin()
    operands = [floats(d, size.sequence(time_major)), *_rnn(d, size)]
    options = {**rnn_options(d), "time_major": time_major}
    return Case(B.UNIDIRECTIONAL_SEQUENCE_RNN, operands, [d.result("fp32")], options)


def bidirectional_sequence_rnn(d: Draw) -> Case:
    """Draws two directions, in some cases with an auxiliary input."""
    size, time_major, merged = Sizes.drawn(d), d.coin(), d.coin()
    options = {**rnn_options(d), "time_major": time_major, "merge_outputs": merged}
    if merged and d.types[1] != "fp32":  # LiteRT's kernel adds to a null pointer
        options["asymmetric_quantize_inputs"] = True
    other = size._replace(cells=d.whole(1, 6))
    form = d.among("", "backward", "weighted")
    aux = floats(d, size.sequence(time_major)) if form else None
    extra = [weights(d, (s.cells, s.input)) if form == "weighted" else None for s in (size, other)]
    operands = [floats(d, size.sequence(time_major)), *_rnn(d, size), *_rnn(d, other), aux, *extra]
    results = [d.result("fp32") for _ in range(1 if merged else 2)]
    return Case(B.BIDIRECTIONAL_SEQUENCE_RNN, operands, results, options)


def svdf(d: Draw) -> Case:
    """Draws features of one rank or several, and a memory of one step or more."""
    batch, size, units, rank, memory = (d.whole(1, most) for most in (3, 6, 4, 3, 5))
    filters, shape = units * rank, (batch, size)
    options = {"rank": rank, "fused_activation_function": d.among(*ACTIVATIONS), "asymmetric_quantize_inputs": d.coin()}
    if d.types[0] == "fp32":
        time = weights(d, (filters, memory), "fp32" if d.types[1] == "fp32" else "i8")
        bias = numbers(d, units) if d.coin() else None
        operands = [floats(d, shape), weights(d, (filters, size)), time, bias, state((batch, filters * memory))]
        return Case(B.SVDF, operands, [d.result("fp32")], options)
    time = d.fed((filters, memory), "i16", scale=np.float32(1 / 32768)).constant
    time.data = time.array // 16
    bias = d.of(d.rng.integers(-20000, 20000, units).astype(np.int32), "i32").constant if d.coin() else None
    state_scale = {"scale": d.scale(1e-4, 1e-3), "zero_point": 0}
    operands = [
        d.fed(shape, "i8", **d.quant("i8")),
        weights(d, (filters, size)),
        time,
        bias,
        state((batch, filters * memory), "i16", **state_scale),
    ]
    options["fused_activation_function"] = Activation.RELU
    return Case(B.SVDF, operands, [d.result("i8", **d.quant("i8"))], options)


def stepped(draw: Callable[[Draw], Case]) -> Callable[[Draw], Case]:
    """Returns a function that draws three runs of a case with different inputs."""

    def drawn(d: Draw) -> Case:
        case = draw(d)
        first, *rest = case.model()[1]
        mixed = [d.rng.permutation(first.reshape(-1)).reshape(first.shape) for _ in range(2)]
        return replace(case, further=[[array, *rest] for array in mixed])

    return drawn


def row(draw: Callable[[Draw], Case], builtin: B) -> Row:
    """Returns the row of an operator with state."""
    return Row(stepped(draw), [case for case in recurrent() if case.builtin is builtin])


ROWS: Rows = {
    builtin: row(draw, builtin)
    for builtin, draw in {
        B.BIDIRECTIONAL_SEQUENCE_LSTM: bidirectional_sequence_lstm,
        B.BIDIRECTIONAL_SEQUENCE_RNN: bidirectional_sequence_rnn,
        B.LSTM: lstm,
        B.RNN: rnn,
        B.SVDF: svdf,
        B.UNIDIRECTIONAL_SEQUENCE_LSTM: unidirectional_sequence_lstm,
        B.UNIDIRECTIONAL_SEQUENCE_RNN: unidirectional_sequence_rnn,
    }.items()
}
