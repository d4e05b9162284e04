"""Checks recurrent operators of TFLite as LiteRT's kernels do in Prepare, and what the kernels assume.

A check returns what is wrong, or None. Names in parentheses are functions of LiteRT's kernels. The operands of a
bidirectional operator have a prefix for their direction.
"""

import math
from collections.abc import Iterator, Mapping, Sequence

from tosa_converter.dtypes import DType
from tosa_converter.formats.tflite.extras import INTERMEDIATES
from tosa_converter.ir import Op, Shape, Value
from tosa_converter.schemas import tfl_ops
from tosa_converter.schemas.opsets import VARIABLE
from tosa_converter.schemas.tflite import ActivationFunctionType, LSTMKernelType

LSTMS = ("tfl.lstm", "tfl.unidirectional_sequence_lstm", "tfl.bidirectional_sequence_lstm")
BIDIRECTIONAL = ("tfl.bidirectional_sequence_lstm", "tfl.bidirectional_sequence_rnn")
RNNS = ("tfl.rnn", "tfl.unidirectional_sequence_rnn", "tfl.bidirectional_sequence_rnn")
GATES = ("input", "forget", "cell", "output")
_F32, _BYTES = DType.FP32, (DType.I8, DType.UI8)
_BASIC = {_F32: [_F32] * 5, DType.UI8: [DType.UI8, DType.UI8, DType.UI8, DType.I32, DType.I16]}
_BASIC_RESULTS = {_F32: [_F32] * 4, DType.UI8: [DType.UI8, DType.I16, DType.UI8, DType.I16]}
Shapes = Sequence[Shape | None]


def _names(op: Op) -> list[str]:
    """Returns the operand names of an operator's row."""
    return [name.rstrip("?*") for name in tfl_ops.BY_OPCODE[op.name].operands.split()]


def _present_operands(op: Op) -> dict[str, Value]:
    """Returns the operands that are present by name."""
    return {name: value for name, value in zip(_names(op), op.inputs, strict=False) if value is not None}


def _prefixes(op: Op) -> tuple[str, ...]:
    """Returns the prefixes of operand names, one for each direction."""
    return ("fw_", "bw_") if op.name in BIDIRECTIONAL else ("",)


# ** when a file is read **


def lstm_problem(op: Op) -> str | None:
    """Checks an LSTM operator (CheckInputTensorDimensions of its kernels)."""
    if op.attributes.get("kernel_type") is LSTMKernelType.BASIC:
        return _basic_problem(op)
    wrong = min(op.attributes["cell_clip"], op.attributes["proj_clip"])
    if not wrong >= 0:
        return f"expected clips of 0 or more, found {wrong}"
    return _results_problem(op) or _parts_problem(op) or _lstm_types(op) or _intermediates_problem(op)


def _basic_problem(op: Op) -> str | None:
    """Checks an LSTM with the basic kernel (basic::Prepare, basic::Eval)."""
    if len(op.operands) != 5 or len(op.results) != 4:
        return f"expected 5 operands and 4 results, found {len(op.operands)} and {len(op.results)}"
    dtypes = [[value.type.dtype for value in values] for values in (op.operands, op.results)]
    first = dtypes[0][0]
    if first not in _BASIC or dtypes != [_BASIC[first], _BASIC_RESULTS[first]]:
        dtype_names = ", ".join(value.type.dtype.value for value in (*op.operands, *op.results))
        return f"the basic kernel has no operands and results of these types: {dtype_names}"
    quant = op.results[1].type.quant
    if first is DType.UI8 and (quant is None or quant.scale[0] != 2.0**-11):
        return f"expected a cell state of scale {2.0**-11:.6g}, found {op.results[1].type}"
    return None


def _results_problem(op: Op) -> str | None:
    """Checks the number of results: two for two directions that aren't merged."""
    expected = 2 if len(_prefixes(op)) == 2 and not op.attributes["merge_outputs"] else 1
    return None if len(op.results) == expected else f"expected {expected} results, found {len(op.results)}"


def _parts_problem(op: Op) -> str | None:
    """Checks that all gates have the same parts; the input gate may be absent."""
    if len(op.inputs) != len(_names(op)) and (len(op.inputs) != 20 or len(_prefixes(op)) == 2):
        return f"expected 20 or {len(_names(op))} operands, found {len(op.inputs)}"
    present = _present_operands(op).keys()
    for prefix in _prefixes(op):
        gates = [gate for gate in GATES if gate != "input" or f"{prefix}input_to_input_weights" in present]
        for names, optional in _parts(prefix):
            wrong = [name for gate, name in names.items() if (name in present) != (gate in gates)]
            if "cell_to" in names["output"]:  # without an input gate the kernel doesn't look at what it sees
                wrong = [name for name in wrong if name not in present]
            if wrong and not (optional and present.isdisjoint(names.values())):
                return f"operand {wrong[0]} is {'one too many' if wrong[0] in present else 'missing'}"
        if present & {f"{prefix}projection_bias"} and f"{prefix}projection_weights" not in present:
            return f"operand {prefix}projection_weights is missing"
    return None


def _parts(prefix: str) -> Iterator[tuple[dict[str, str], bool]]:
    """Yields the operand names of each part by gate, and whether the whole part may be absent."""
    for part in ("input_to_{}_weights", "recurrent_to_{}_weights"):
        yield {gate: prefix + part.format(gate) for gate in GATES}, False
    yield {gate: f"{prefix}{gate}{'' if gate == 'cell' else '_gate'}_bias" for gate in GATES}, False
    yield {gate: f"{prefix}cell_to_{gate}_weights" for gate in GATES if gate != "cell"}, True
    last = "{}_layer_norm_coefficients" if not prefix else f"{prefix}aux_input_to_{{}}_weights"
    yield {gate: last.format(gate) for gate in GATES}, True


def _lstm_types(op: Op) -> str | None:
    """Checks the types of an LSTM's operands and results."""
    named = _present_operands(op)
    weight, integer = (
        named[f"{_prefixes(op)[0]}input_to_output_weights"].type.dtype,
        named["input"].type.dtype is DType.I8,
    )
    weighted = [DType.I8] if integer else [_F32, *_BYTES]
    if weight not in weighted:
        return f"expected weights of {' or '.join(dtype.value for dtype in weighted)}, found {weight.value}"
    for name, value in named.items():
        expected = _lstm_type(name, value, weight, integer)
        if value.type.dtype is not expected:
            return f"operand {name}: expected {expected.value}, found {value.type.dtype.value}"
        if name.endswith("_state") and _not_variable(value):
            return f"operand {name}: expected a variable tensor"
    wrong = [value for value in op.results if value.type.dtype is not named["input"].type.dtype]
    return f"expected a result of {named['input'].type.dtype.value}, found {wrong[0].type}" if wrong else None


def _lstm_type(name: str, value: Value, weight: DType, integer: bool) -> DType:
    """Returns the element type as which the kernels read an operand."""
    if name.endswith("activation_state") or name in ("input", "aux_input"):
        return DType.I8 if integer else _F32
    if name.endswith(("cell_state", "coefficients")) or (integer and "cell_to_" in name):
        return DType.I16 if integer else _F32
    if name.endswith("bias"):
        return DType.I32 if integer else _F32
    return _F32 if value.type.rank == 1 and "recurrent" in name else weight  # a diagonal is of floats


def _not_variable(value: Value) -> bool:
    """Returns whether a value isn't a variable tensor, which kernels may write (GetVariableInput)."""
    return value.producer is None or value.producer.name != VARIABLE


def _intermediates_problem(op: Op) -> str | None:
    """Checks the number of intermediates of an integer LSTM: one per gate and the hidden state, or twelve."""
    count = len(op.attributes.get(INTERMEDIATES, ()))
    counts = (5, 12) if op.name == "tfl.lstm" else (5,)
    if op.operands[0].type.dtype is not DType.I8 or count in counts:
        return None
    return f"expected {' or '.join(map(str, counts))} intermediates, found {count}"


def rnn_problem(op: Op) -> str | None:
    """Checks an RNN operator."""
    if len(op.inputs) != len(_names(op)):
        return f"expected {len(_names(op))} operands, found {len(op.inputs)}"
    for name, value in _present_operands(op).items():
        if name.endswith("hidden_state") and _not_variable(value):
            return f"operand {name}: expected a variable tensor"
    if len(_prefixes(op)) == 1:
        return None
    weighted = {name for name in _present_operands(op) if "aux_input_weights" in name}
    if len(weighted) == 1 or (weighted and "aux_input" not in _present_operands(op)):
        return "expected an auxiliary input with weights in both directions, or none"
    return _results_problem(op)


def svdf_problem(op: Op) -> str | None:
    """Checks SVDF (svdf::Prepare, svdf::Eval)."""
    named = _present_operands(op)
    if "activation_state" not in named:
        return "operand activation_state is missing"
    activation, feature, rank = named["input"].type.dtype, named["feature_weights"].type.dtype, op.attributes["rank"]
    integer = activation is DType.I8
    if feature not in ([DType.I8] if integer else [_F32, *_BYTES]):
        return f"operand feature_weights: {activation.value} features have no weights of {feature.value}"
    expected = {
        "time_weights": DType.I16 if integer else _F32 if feature is _F32 else DType.I8,
        "input_gate_bias": DType.I32 if integer else _F32,
        "activation_state": DType.I16 if integer else _F32,
    }
    for name, dtype in expected.items():
        if name in named and named[name].type.dtype is not dtype:
            return f"operand {name}: expected {dtype.value}, found {named[name].type.dtype.value}"
    if _not_variable(named["activation_state"]):
        return "operand activation_state: expected a variable tensor"
    kind = op.attributes["fused_activation_function"]
    if integer and kind is not ActivationFunctionType.RELU:
        return f"expected a fused RELU, found {kind.name}"
    return None if rank > 0 else f"expected a rank of 1 or more, found {rank}"


# ** when shapes are known **


def lstm_shapes(op: Op, shapes: Shapes) -> str | None:
    """Checks the shapes of an LSTM operator: C cells and O outputs, the same in both directions."""
    if op.attributes.get("kernel_type") is LSTMKernelType.BASIC:
        return _basic_shapes(shapes)
    named = dict(zip(_names(op), shapes, strict=False))
    outputs = "O" if any(named.get(f"{prefix}projection_weights") for prefix in _prefixes(op)) else "C"
    weighted = named.get("fw_aux_input_to_forget_weights") is not None
    patterns = {"input": _sequence(op, "I"), "aux_input": _sequence(op, "A" if weighted else "I")}
    for prefix in _prefixes(op):
        by_part = ("C I", f"C {outputs}", "C", "C", "C A" if prefix else "C")
        for (names, _), pattern in zip(_parts(prefix), by_part, strict=True):
            patterns |= dict.fromkeys(names.values(), pattern)
        patterns |= {f"{prefix}projection_weights": "O C", f"{prefix}projection_bias": "O"}
        patterns |= {f"{prefix}input_activation_state": f"B*{outputs}", f"{prefix}input_cell_state": "B*C"}
    if op.name == "tfl.unidirectional_sequence_lstm":
        vectors = [name for name, shape in named.items() if shape is not None and len(shape) == 1]
        patterns |= {name: outputs for name in vectors if "recurrent" in name}  # diagonals
    return _match_patterns(named, patterns)


def rnn_shapes(op: Op, shapes: Shapes) -> str | None:
    """Checks the shapes of an RNN operator."""
    named = dict(zip(_names(op), shapes, strict=False))
    weighted = named.get("fw_aux_input_weights") is not None
    patterns = {"input": _sequence(op, "I"), "aux_input": _sequence(op, "A" if weighted else "I")}
    for prefix in _prefixes(op):
        cells = f"C{prefix}"
        patterns |= {f"{prefix}input_weights": f"{cells} I", f"{prefix}recurrent_weights": f"{cells} {cells}"}
        patterns |= {f"{prefix}bias": cells, f"{prefix}hidden_state": f"B {cells}"}
        patterns |= {f"{prefix}aux_input_weights": f"{cells} A"}
    return _match_patterns(named, patterns)


def svdf_shapes(op: Op, shapes: Shapes) -> str | None:
    """Checks the shapes of SVDF: F filters, which are the units times the rank."""
    named, rank = dict(zip(_names(op), shapes, strict=True)), op.attributes["rank"]
    patterns = {"input": "B I", "feature_weights": "F I", "time_weights": "F M", "activation_state": "B*F*M"}
    problem = _match_patterns(named, patterns)
    if problem is not None:
        return problem
    filters, bias = named["feature_weights"][0], named["input_gate_bias"]  # type: ignore[index]  # it isn't absent
    assert filters is not None
    if filters % rank or bias not in (None, (filters // rank,)):
        return f"{filters} filters of rank {rank} with a bias of shape {bias}"
    return None


def _sequence(op: Op, size: str) -> str:
    """Returns the dimensions of an input by letters, such as `B T I`."""
    if op.name in ("tfl.lstm", "tfl.rnn"):
        return f"B {size}"
    return f"T B {size}" if op.attributes["time_major"] else f"B T {size}"


def _basic_shapes(shapes: Shapes) -> str | None:
    """Checks the shapes of the basic LSTM kernel."""
    x, output = shapes[:2]
    if any(shape is not None and None in shape for shape in shapes):
        return None
    if not x or not output or len(x) != 2 or len(output) != 2:
        return f"expected an input and an output of rank 2, found {x} and {output}"
    gates, depth = 4 * output[1], x[1] + output[1]  # type: ignore[operator]  # no None is left
    expected = [x, (x[0], output[1]), (gates, depth), (gates,), (x[0], output[1])]
    wrong = [(i, shape) for i, (shape, want) in enumerate(zip(shapes, expected, strict=True)) if shape != want]
    if wrong:
        return f"operand {wrong[0][0]}: expected shape {expected[wrong[0][0]]}, found {wrong[0][1]}"
    return "an empty tensor" if 0 in (*x, *output) else None


def _match_patterns(named: Mapping[str, Shape | None], patterns: Mapping[str, str]) -> str | None:
    """Checks shapes against patterns: a letter stands for one size, wherever it occurs.

    Letters with `*` between them are the number of elements.
    """
    sizes: dict[str, int] = {}
    for name, shape in named.items():
        if shape is None or None in shape or name not in patterns:
            continue
        if 0 in shape:
            return f"operand {name}: an empty tensor of shape {_dims(shape)}"
        letters = patterns[name].split("*")
        if len(letters) > 1:
            factors = [sizes.get(letter) for letter in letters]
            if None not in factors and math.prod(shape) != math.prod(factors):  # type: ignore[arg-type]  # none is left
                return f"operand {name}: expected {patterns[name]} elements ({sizes}), found shape {_dims(shape)}"
            continue
        letters = letters[0].split()
        if len(letters) != len(shape):
            return f"operand {name}: expected rank {len(letters)}, found shape {_dims(shape)}"
        for letter, size in zip(letters, shape, strict=True):
            assert size is not None
            if sizes.setdefault(letter, size) != size:
                return f"operand {name}: expected {sizes[letter]}, not {size}, in shape {_dims(shape)}"
    return None


def _dims(shape: Shape) -> str:
    """Returns a shape as text, such as `2x3`."""
    return "x".join(map(str, shape))
