"""The demands on recurrent operators that LiteRT's kernels check in Prepare, or rely on.

Names in parentheses are functions of LiteRT's kernels; directions of a bidirectional operator are told apart by the
prefixes of their operands' names.
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
_BASIC_OPERANDS = {_F32: [_F32] * 5, DType.UI8: [DType.UI8, DType.UI8, DType.UI8, DType.I32, DType.I16]}
_BASIC_RESULTS = {_F32: [_F32] * 4, DType.UI8: [DType.UI8, DType.I16, DType.UI8, DType.I16]}
Shapes = Sequence[Shape | None]


def _operand_names(op: Op) -> list[str]:
    """Returns the names of a recurrent operator's operands in order, as the table of TFLite operators has them."""
    return [name.rstrip("?*") for name in tfl_ops.BY_OPCODE[op.name].operands.split()]


def _present_operands(op: Op) -> dict[str, Value]:
    """Returns the operands of a recurrent operator by name, without absent ones."""
    return {name: value for name, value in zip(_operand_names(op), op.inputs, strict=False) if value is not None}


def _direction_prefixes(op: Op) -> tuple[str, ...]:
    """Returns the prefixes of operands' names, one for each direction: `fw_` and `bw_`, or an empty one."""
    return ("fw_", "bw_") if op.name in BIDIRECTIONAL else ("",)


# ** when a file is read **


def lstm_problem(op: Op) -> str | None:
    """Returns why LiteRT would refuse an LSTM operator (CheckInputTensorDimensions of its kernels), or None."""
    if op.attributes.get("kernel_type") is LSTMKernelType.BASIC:
        return _basic_problem(op)
    for clip in (op.attributes["cell_clip"], op.attributes["proj_clip"]):
        if not clip >= 0:  # NaN isn't
            return f"expected clips of 0 or more, found {clip}"
    return _results_problem(op) or _operands_problem(op) or _lstm_type_problem(op) or _intermediates_problem(op)


def _basic_problem(op: Op) -> str | None:
    """Returns why LSTM's basic kernel doesn't take operands or results (basic::Prepare, basic::Eval), or None."""
    if len(op.operands) != 5 or len(op.results) != 4:
        return f"expected 5 operands and 4 results, found {len(op.operands)} and {len(op.results)}"
    dtypes = [[value.type.dtype for value in values] for values in (op.operands, op.results)]
    input_dtype = dtypes[0][0]
    if input_dtype not in _BASIC_OPERANDS or dtypes != [_BASIC_OPERANDS[input_dtype], _BASIC_RESULTS[input_dtype]]:
        dtype_names = ", ".join(value.type.dtype.value for value in (*op.operands, *op.results))
        return f"the basic kernel has no operands and results of these types: {dtype_names}"
    cell_state = op.results[1].type
    # i16 in steps of 2**-11 is [-16, 16): Q4.11, the only format that the basic kernel computes in.
    if input_dtype is DType.UI8 and (cell_state.quant is None or cell_state.quant.scale[0] != 2.0**-11):
        return f"expected a cell state of scale {2.0**-11:.6g}, found {cell_state}"
    return None


def _results_problem(op: Op) -> str | None:
    """Returns why a recurrent operator has a wrong number of results, or None: two if directions aren't merged."""
    expected = 2 if len(_direction_prefixes(op)) == 2 and not op.attributes["merge_outputs"] else 1
    return None if len(op.results) == expected else f"expected {expected} results, found {len(op.results)}"


def _operands_problem(op: Op) -> str | None:
    """Returns which operand of an LSTM is missing or one too many, as text, or None.

    Each kind of operand must be present for all gates or for none; the input gate may be absent with all its operands.
    """
    # LSTM's last 4 of 24 operands, for layer normalization, may be left out.
    if len(op.inputs) != len(_operand_names(op)) and (len(op.inputs) != 20 or len(_direction_prefixes(op)) == 2):
        return f"expected 20 or {len(_operand_names(op))} operands, found {len(op.inputs)}"
    present = _present_operands(op).keys()
    for prefix in _direction_prefixes(op):
        gates = [gate for gate in GATES if gate != "input" or f"{prefix}input_to_input_weights" in present]
        for names, optional in _operands_by_gate(prefix):
            # Missing though its gate is there, or there though its gate is not.
            misplaced = [name for gate, name in names.items() if (name in present) != (gate in gates)]
            if "cell_to" in names["output"]:  # the kernel ignores a peephole to an input gate that is absent
                misplaced = [name for name in misplaced if name not in present]
            if misplaced and not (optional and present.isdisjoint(names.values())):
                return f"operand {misplaced[0]} is {'one too many' if misplaced[0] in present else 'missing'}"
        if present & {f"{prefix}projection_bias"} and f"{prefix}projection_weights" not in present:
            return f"operand {prefix}projection_weights is missing"
    return None


def _operands_by_gate(prefix: str) -> Iterator[tuple[dict[str, str], bool]]:
    """Yields groups of an LSTM's operands of one kind, one name for each gate, and whether a group may be absent.

    Names begin with `prefix`: "" for LSTM, "fw_" or "bw_" for a direction of the bidirectional one, which has weights
    for an auxiliary input where the other has layer normalization.
    """
    for part in ("input_to_{}_weights", "recurrent_to_{}_weights"):
        yield {gate: prefix + part.format(gate) for gate in GATES}, False
    yield {gate: f"{prefix}{gate}{'' if gate == 'cell' else '_gate'}_bias" for gate in GATES}, False
    yield {gate: f"{prefix}cell_to_{gate}_weights" for gate in GATES if gate != "cell"}, True
    last = "{}_layer_norm_coefficients" if not prefix else f"{prefix}aux_input_to_{{}}_weights"
    yield {gate: last.format(gate) for gate in GATES}, True


def _lstm_type_problem(op: Op) -> str | None:
    """Returns why an LSTM's operands or results have wrong element types, or why a state is no variable, or None.

    An i8 input needs weights of i8. A float one needs weights of floats, or of 8 bits for the hybrid kernel.
    """
    named = _present_operands(op)
    weight_dtype = named[f"{_direction_prefixes(op)[0]}input_to_output_weights"].type.dtype
    is_integer = named["input"].type.dtype is DType.I8
    weight_dtypes = [DType.I8] if is_integer else [_F32, *_BYTES]
    if weight_dtype not in weight_dtypes:
        return f"expected weights of {' or '.join(dtype.value for dtype in weight_dtypes)}, found {weight_dtype.value}"
    for name, value in named.items():
        expected = _expected_lstm_type(name, value, weight_dtype, is_integer)
        if value.type.dtype is not expected:
            return f"operand {name}: expected {expected.value}, found {value.type.dtype.value}"
        if name.endswith("_state") and _is_read_only(value):
            return f"operand {name}: expected a variable tensor"
    mistyped = [value for value in op.results if value.type.dtype is not named["input"].type.dtype]
    return f"expected a result of {named['input'].type.dtype.value}, found {mistyped[0].type}" if mistyped else None


def _expected_lstm_type(name: str, value: Value, weight_dtype: DType, is_integer: bool) -> DType:
    """Returns the element type that LiteRT's kernels expect of an LSTM's operand, by its name.

    States, biases, peepholes and coefficients of layer norms have types of their own; all others have the weights'.
    """
    if name.endswith("activation_state") or name in ("input", "aux_input"):
        return DType.I8 if is_integer else _F32
    if name.endswith(("cell_state", "coefficients")) or (is_integer and "cell_to_" in name):
        return DType.I16 if is_integer else _F32
    if name.endswith("bias"):
        return DType.I32 if is_integer else _F32
    return _F32 if value.type.rank == 1 and "recurrent" in name else weight_dtype  # a diagonal is of floats


def _is_read_only(value: Value) -> bool:
    """Returns whether a tensor is no variable, so that LiteRT's kernel can't keep state in it (GetVariableInput)."""
    return value.producer is None or value.producer.name != VARIABLE


def _intermediates_problem(op: Op) -> str | None:
    """Returns why an integer LSTM has a wrong number of intermediate tensors, or None."""
    count = len(op.attributes.get(INTERMEDIATES, ()))
    counts = (5, 12) if op.name == "tfl.lstm" else (5,)
    if op.operands[0].type.dtype is not DType.I8 or count in counts:
        return None
    return f"expected {' or '.join(map(str, counts))} intermediates, found {count}"


def rnn_problem(op: Op) -> str | None:
    """Returns why LiteRT would refuse an RNN operator, or None: operands, state variables, auxiliary input, results."""
    if len(op.inputs) != len(_operand_names(op)):
        return f"expected {len(_operand_names(op))} operands, found {len(op.inputs)}"
    for name, value in _present_operands(op).items():
        if name.endswith("hidden_state") and _is_read_only(value):
            return f"operand {name}: expected a variable tensor"
    if len(_direction_prefixes(op)) == 1:
        return None
    weighted = {name for name in _present_operands(op) if "aux_input_weights" in name}
    if len(weighted) == 1 or (weighted and "aux_input" not in _present_operands(op)):
        return "expected an auxiliary input with weights in both directions, or none"
    return _results_problem(op)


def svdf_problem(op: Op) -> str | None:
    """Returns why LiteRT would refuse SVDF (svdf::Prepare, svdf::Eval), or None: element types, state, options."""
    named = _present_operands(op)
    if "activation_state" not in named:
        return "operand activation_state is missing"
    input_dtype, weight_dtype = named["input"].type.dtype, named["feature_weights"].type.dtype
    rank = op.attributes["rank"]
    is_integer = input_dtype is DType.I8
    if weight_dtype not in ([DType.I8] if is_integer else [_F32, *_BYTES]):
        return f"operand feature_weights: {input_dtype.value} features have no weights of {weight_dtype.value}"
    expected = {
        "time_weights": DType.I16 if is_integer else _F32 if weight_dtype is _F32 else DType.I8,
        "input_gate_bias": DType.I32 if is_integer else _F32,
        "activation_state": DType.I16 if is_integer else _F32,
    }
    for name, dtype in expected.items():
        if name in named and named[name].type.dtype is not dtype:
            return f"operand {name}: expected {dtype.value}, found {named[name].type.dtype.value}"
    if _is_read_only(named["activation_state"]):
        return "operand activation_state: expected a variable tensor"
    kind = op.attributes["fused_activation_function"]
    if is_integer and kind is not ActivationFunctionType.RELU:
        return f"expected a fused RELU, found {kind.name}"
    return None if rank > 0 else f"expected a rank of 1 or more, found {rank}"


# ** when shapes are known **


def lstm_shape_problem(op: Op, shapes: Shapes) -> str | None:
    """Returns why the shapes of an LSTM's operands don't fit together, or None.

    Patterns name sizes by letters: [B]atch, [T]ime, [I]nputs, [A]uxiliary inputs, [C]ells and [O]utputs. With a
    projection the outputs have a size of their own, otherwise the size of the cells.
    """
    if op.attributes.get("kernel_type") is LSTMKernelType.BASIC:
        return _basic_shape_problem(shapes)
    named = dict(zip(_operand_names(op), shapes, strict=False))
    outputs = "O" if any(named.get(f"{prefix}projection_weights") for prefix in _direction_prefixes(op)) else "C"
    has_auxiliary_weights = named.get("fw_aux_input_to_forget_weights") is not None
    patterns = {
        "input": _input_pattern(op, "I"),
        "aux_input": _input_pattern(op, "A" if has_auxiliary_weights else "I"),
    }
    for prefix in _direction_prefixes(op):
        # The patterns of weights and biases by gate, in the order of `_operands_by_gate`.
        by_part = ("C I", f"C {outputs}", "C", "C", "C A" if prefix else "C")
        for (names, _), pattern in zip(_operands_by_gate(prefix), by_part, strict=True):
            patterns |= dict.fromkeys(names.values(), pattern)
        patterns |= {f"{prefix}projection_weights": "O C", f"{prefix}projection_bias": "O"}
        patterns |= {f"{prefix}input_activation_state": f"B*{outputs}", f"{prefix}input_cell_state": "B*C"}
    if op.name == "tfl.unidirectional_sequence_lstm":
        vectors = [name for name, shape in named.items() if shape is not None and len(shape) == 1]
        patterns |= {name: outputs for name in vectors if "recurrent" in name}  # diagonals of matrices
    return _pattern_problem(named, patterns)


def rnn_shape_problem(op: Op, shapes: Shapes) -> str | None:
    """Returns why the shapes of an RNN operator's operands don't fit together, or None.

    Patterns name sizes by letters: [B]atch, [T]ime, [I]nputs, [A]uxiliary inputs, and [C]ells of each direction.
    """
    named = dict(zip(_operand_names(op), shapes, strict=False))
    has_auxiliary_weights = named.get("fw_aux_input_weights") is not None
    patterns = {
        "input": _input_pattern(op, "I"),
        "aux_input": _input_pattern(op, "A" if has_auxiliary_weights else "I"),
    }
    for prefix in _direction_prefixes(op):
        cells = f"C{prefix}"  # a letter for each direction, which may have cells of its own number
        patterns |= {f"{prefix}input_weights": f"{cells} I", f"{prefix}recurrent_weights": f"{cells} {cells}"}
        patterns |= {f"{prefix}bias": cells, f"{prefix}hidden_state": f"B {cells}"}
        patterns |= {f"{prefix}aux_input_weights": f"{cells} A"}
    return _pattern_problem(named, patterns)


def svdf_shape_problem(op: Op, shapes: Shapes) -> str | None:
    """Returns why the shapes of SVDF's operands don't fit together, or None.

    Patterns name sizes by letters: [B]atch, [I]nputs, [F]ilters (units times the rank) and [M]emory.
    """
    named, rank = dict(zip(_operand_names(op), shapes, strict=True)), op.attributes["rank"]
    patterns = {"input": "B I", "feature_weights": "F I", "time_weights": "F M", "activation_state": "B*F*M"}
    problem = _pattern_problem(named, patterns)
    if problem is not None:
        return problem
    filters, bias = named["feature_weights"][0], named["input_gate_bias"]  # type: ignore[index]  # it isn't absent
    assert filters is not None
    if filters % rank or bias not in (None, (filters // rank,)):
        return f"{filters} filters of rank {rank} with a bias of shape {bias}"
    return None


def _input_pattern(op: Op, size: str) -> str:
    """Returns the pattern of the input's dimensions, such as "T B I": [T]ime, [B]atch and `size`.

    Time is left out for operators that compute a single step.
    """
    if op.name in ("tfl.lstm", "tfl.rnn"):
        return f"B {size}"
    return f"T B {size}" if op.attributes["time_major"] else f"B T {size}"


def _basic_shape_problem(shapes: Shapes) -> str | None:
    """Returns why the shapes of the operands of LSTM's basic kernel don't fit together, or None.

    Operands with unknown sizes aren't checked, and empty tensors are refused.
    """
    x, output = shapes[:2]
    if any(shape is not None and None in shape for shape in shapes):
        return None
    if not x or not output or len(x) != 2 or len(output) != 2:
        return f"expected an input and an output of rank 2, found {x} and {output}"
    # An input of 2x3 and an output of 2x4: one weight of 16x7 for all four gates, on both side by side, and 16 biases.
    gates, depth = 4 * output[1], x[1] + output[1]  # type: ignore[operator]  # no None is left
    expected = [x, (x[0], output[1]), (gates, depth), (gates,), (x[0], output[1])]
    mismatches = [
        (i, shape)
        for i, (shape, expected_shape) in enumerate(zip(shapes, expected, strict=True))
        if shape != expected_shape
    ]
    if mismatches:
        return f"operand {mismatches[0][0]}: expected shape {expected[mismatches[0][0]]}, found {mismatches[0][1]}"
    return "an empty tensor" if 0 in (*x, *output) else None


def _pattern_problem(named: Mapping[str, Shape | None], patterns: Mapping[str, str]) -> str | None:
    """Returns which operand's dimensions don't match its pattern, as text, or None.

    A pattern such as "B I" names sizes by letters, each of which stands for one size throughout; with `*` between them
    the letters' product is the number of elements. Operands that are absent or have an unknown size are skipped.
    """
    sizes: dict[str, int] = {}
    for name, shape in named.items():
        if shape is None or None in shape or name not in patterns:
            continue
        if 0 in shape:
            return f"operand {name}: an empty tensor of shape {_shape_text(shape)}"
        letters = patterns[name].split("*")
        if len(letters) > 1:
            # B*C with B = 2 and C = 4 takes 2x4 as well as 8. Rows list inputs and weights before states, so by then
            # both letters are known.
            factors = [sizes.get(letter) for letter in letters]
            if None not in factors and math.prod(shape) != math.prod(factors):  # type: ignore[arg-type]  # none is left
                return f"operand {name}: expected {patterns[name]} elements ({sizes}), found shape {_shape_text(shape)}"
            continue
        letters = letters[0].split()
        if len(letters) != len(shape):
            return f"operand {name}: expected rank {len(letters)}, found shape {_shape_text(shape)}"
        for letter, size in zip(letters, shape, strict=True):
            assert size is not None
            if sizes.setdefault(letter, size) != size:
                return f"operand {name}: expected {sizes[letter]}, not {size}, in shape {_shape_text(shape)}"
    return None


def _shape_text(shape: Shape) -> str:
    """Returns a shape as text for messages, such as 2x3."""
    return "x".join(map(str, shape))
