"""The pass that puts builtin operators in place of TensorFlow's, which are `Flex` and their name in a TFLite file.

Their attributes are a NodeDef (tensorflow/core/framework/node_def.proto), of which the few needed are read.
"""

import struct
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from tosa_converter.errors import FormatError
from tosa_converter.formats.flexbuffer import strings
from tosa_converter.formats.tflite.prepare import import_problem
from tosa_converter.formats.tflite.prepare_quantization import OUT_TYPES
from tosa_converter.ir import Model, Op
from tosa_converter.ir.edit import copy_model
from tosa_converter.rewriting.match import CUSTOM
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas import tfl_ops

PREFIX = "Flex"
ATTRIBUTE = 5  # of NodeDef: a map from names to AttrValue
LIST, INTEGER, FLOAT, BOOL = 1, 3, 4, 5  # of AttrValue
VARINT, BYTES = 0, 2  # kinds of fields, protobuf's wire types
SIZES = {1: 8, 5: 4}  # of others
OUTPUT_TYPE = ("out_type", "output_type")


class Meaning(NamedTuple):
    """A builtin operator; the attributes that its options are, other options, and which of them is the last operand."""

    builtin: str
    attributes: Mapping[str, str] = MappingProxyType({})
    options: Mapping[str, Any] = MappingProxyType({})
    operand: str = ""


def _alike(names: str) -> dict[str, Meaning]:
    return {name: Meaning(builtin) for name, _, builtin in (word.partition(":") for word in names.split())}


_REDUCED = {"keep_dims": "keep_dims"}
MEANINGS = {
    **_alike(
        "Abs:abs Add:add AddV2:add Atan2:atan2 BitwiseXor:bitwise_xor BroadcastTo:broadcast_to Cast:cast Ceil:ceil "
        "Cos:cos Div:div Elu:elu Equal:equal Exp:exp ExpandDims:expand_dims Fill:fill Floor:floor FloorDiv:floor_div "
        "FloorMod:floor_mod GatherNd:gather_nd Greater:greater GreaterEqual:greater_equal Identity:cast Less:less "
        "LessEqual:less_equal Log:log LogicalAnd:logical_and LogicalNot:logical_not LogicalOr:logical_or "
        "LogSoftmax:log_softmax Maximum:maximum Minimum:minimum Mul:mul Neg:neg NotEqual:not_equal Pad:pad PadV2:padv2 "
        "Pow:pow Range:range Rank:rank RealDiv:div Relu:relu Relu6:relu6 Reshape:reshape ReverseV2:reverse_v2 "
        "Round:round Rsqrt:rsqrt ScatterNd:scatter_nd Select:select SelectV2:select_v2 Shape:shape Sigmoid:logistic "
        "Sign:sign Sin:sin Slice:slice Sqrt:sqrt Square:square SquaredDifference:squared_difference Sub:sub Tanh:tanh "
        "Tile:tile TopKV2:topk_v2 Transpose:transpose ZerosLike:zeros_like"
    ),
    **{
        name: Meaning(builtin, _REDUCED)
        for name, builtin in (
            ("All", "reduce_all"), ("Any", "reduce_any"), ("Max", "reduce_max"), ("Mean", "mean"),
            ("Min", "reduce_min"), ("Prod", "reduce_prod"), ("Sum", "sum"),
        )
    },
    "ArgMax": Meaning("arg_max"),
    "ArgMin": Meaning("arg_min"),
    "BatchMatMul": Meaning("batch_matmul", {"adj_x": "adj_x", "adj_y": "adj_y"}),
    "BatchMatMulV2": Meaning("batch_matmul", {"adj_x": "adj_x", "adj_y": "adj_y"}),
    "ConcatV2": Meaning("concatenation", operand="axis"),
    "Cumsum": Meaning("cumsum", {"exclusive": "exclusive", "reverse": "reverse"}),
    "GatherV2": Meaning("gather", {"batch_dims": "batch_dims"}, operand="axis"),
    "LeakyRelu": Meaning("leaky_relu", {"alpha": "alpha"}),
    "MatMul": Meaning("batch_matmul", {"adj_x": "transpose_a", "adj_y": "transpose_b"}),
    "OneHot": Meaning("one_hot", {"axis": "axis"}),
    "Pack": Meaning("pack", {"values_count": "N", "axis": "axis"}),
    "Softmax": Meaning("softmax", options={"beta": 1.0}),
    "Split": Meaning("split", {"num_splits": "num_split"}),
    "SplitV": Meaning("split_v", {"num_splits": "num_split"}),
    "Squeeze": Meaning("squeeze", {"squeeze_dims": "squeeze_dims"}),
    "StridedSlice": Meaning(
        "strided_slice",
        {name: name for name in ("begin_mask", "ellipsis_mask", "end_mask", "new_axis_mask", "shrink_axis_mask")},
    ),
    "Unpack": Meaning("unpack", {"num": "num", "axis": "axis"}),
}  # fmt: skip
DEFAULTS = {"alpha": 0.2, "axis": 0}  # of attributes that aren't 0 where a node has none


def run(model: Model, _options: Options, _report: Report, /) -> Model:
    """Returns the model with builtin operators for those that do the same; others stay and are refused by name."""
    if not any(_meaning(op) for graph in model.graphs.values() for op in graph.walk()):
        return model
    new = copy_model(model)
    for graph in new.graphs.values():
        for op in graph.walk():
            meaning = _meaning(op)
            if meaning is not None:
                _replace(op, meaning)
    return new


def _meaning(op: Op) -> Meaning | None:
    code = str(op.attributes["custom_code"]) if op.name == CUSTOM else ""
    return MEANINGS.get(code.removeprefix(PREFIX)) if code.startswith(PREFIX) else None


def _replace(op: Op, meaning: Meaning) -> None:
    """Make the operator the builtin one, unless that one doesn't take its types, or its node can't be read."""
    before = op.name, op.attributes, op.inputs
    row = tfl_ops.BY_OPCODE[f"tfl.{meaning.builtin}"]
    try:
        op.attributes = {**_options(op, meaning), **_from_operands(op, meaning)}
        op.name = row.opcode
        if import_problem(op) is None:
            return
    except FormatError:
        pass
    op.name, op.attributes, op.inputs = before


def _options(op: Op, meaning: Meaning) -> dict[str, Any]:
    """The builtin operator's options: those that the node states, types as results have them, else the defaults."""
    node = attributes(strings(op.attributes["custom_options"])[-1])
    table = tfl_ops.BY_OPCODE[f"tfl.{meaning.builtin}"].options
    options: dict[str, Any] = {} if table is None else dict(table().fields())
    stated = {
        name: _as_stated(node[key], options[name]) if key in node else DEFAULTS.get(name, options[name])
        for name, key in meaning.attributes.items()
    }
    types = {dtype: type for type, dtype in OUT_TYPES.items()}
    made = {name: types.get(op.results[0].type.dtype, options[name]) for name in OUTPUT_TYPE if name in options}
    return {**options, **stated, **made, **meaning.options}


def _as_stated(value: Any, default: Any) -> Any:
    """An attribute as an option of the default's type, whose integers have 32 bits.

    Raises:
        FormatError: it isn't one.
    """
    numbers = value if isinstance(value, tuple) else (value,)
    whole = not isinstance(default, float)
    if isinstance(value, tuple) != isinstance(default, tuple) or any(isinstance(n, float) == whole for n in numbers):
        raise FormatError(f"expected an attribute like {default!r}, found {value!r}")
    if whole and not all(-(1 << 31) <= n < 1 << 31 for n in numbers):
        raise FormatError(f"expected 32 bits, found {value!r}")
    return value


def _from_operands(op: Op, meaning: Meaning) -> dict[str, int]:
    """Options that TensorFlow has as a last operand, which must be a constant integer, and is none any more."""
    if not meaning.operand:
        return {}
    values = op.inputs[-1].constant if op.inputs and op.inputs[-1] is not None else None
    if values is None or values.size != 1:
        raise FormatError(f"{meaning.operand} is no constant")
    op.inputs = op.inputs[:-1]
    return {meaning.operand: int(values.item())}


# ** NodeDef **


def attributes(node: bytes) -> dict[str, Any]:
    """The attributes of a node that are numbers, booleans or lists of integers, by name.

    Raises:
        FormatError: the bytes are no such message.
    """
    found: dict[str, Any] = {}
    for number, entry in _fields(node):
        if number == ATTRIBUTE and isinstance(entry, bytes):
            pair = dict(_fields(entry))
            name, value = pair.get(1), pair.get(2, b"")
            if not isinstance(name, bytes) or not isinstance(value, bytes):
                raise FormatError("an attribute of a NodeDef without a name and a value")
            found[name.decode("utf-8", "replace")] = _value(value)
    return found


def _value(message: bytes) -> Any:
    """An AttrValue, as far as it is read here; protobuf leaves out what is 0."""
    for number, value in _fields(message):
        if number == INTEGER and isinstance(value, int):
            return _signed(value)
        if number == BOOL:
            return bool(value)
        if number == FLOAT and isinstance(value, bytes) and len(value) == 4:
            return struct.unpack("<f", value)[0]
        if number == LIST and isinstance(value, bytes):
            return _integers(value)
    return 0


def _integers(message: bytes) -> tuple[int, ...]:
    """The integers of a list, packed or one by one."""
    found: list[int] = []
    for number, value in _fields(message):
        if number == INTEGER:
            position = 0
            while isinstance(value, bytes) and position < len(value):
                one, position = _varint(value, position)
                found.append(_signed(one))
            found += [_signed(value)] if isinstance(value, int) else []
    return tuple(found)


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Numbers and contents of a message's fields."""
    position = 0
    while position < len(message):
        key, position = _varint(message, position)
        kind = key & 7
        if kind == VARINT:
            value, position = _varint(message, position)
            yield key >> 3, value
            continue
        size = SIZES.get(kind)
        if kind == BYTES:
            size, position = _varint(message, position)
        if size is None or position + size > len(message):
            raise FormatError(f"a field of kind {kind} at byte {position} of a NodeDef of {len(message)} bytes")
        yield key >> 3, message[position : position + size]
        position += size


def _varint(message: bytes, position: int) -> tuple[int, int]:
    """The number at a position, of up to 64 bits, and where it ends."""
    value = 0
    for i, byte in enumerate(message[position : position + 10]):
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value & (1 << 64) - 1, position + i + 1
    raise FormatError(f"a number without an end at byte {position} of a NodeDef")
