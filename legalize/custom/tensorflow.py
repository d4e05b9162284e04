"""TensorFlow's operators that TFLite's builtin ones are the same as; a TFLite file names them `Flex` and their name.

Their attributes are a NodeDef (tensorflow/core/framework/node_def.proto), of which the few needed are read.
"""

import struct
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import tosa_converter as tc
from tosa_converter.formats.flexbuffer import decode_strings
from tosa_converter.schemas import tfl_ops
from tosa_converter.schemas.tflite import TensorType

ATTRIBUTE = 5  # of NodeDef: a map from names to AttrValue
LIST, INTEGER, FLOAT, BOOL = 1, 3, 4, 5  # of AttrValue
VARINT, BYTES = 0, 2  # kinds of fields, protobuf's wire types
SIZES = {1: 8, 5: 4}  # of others
OUTPUT_TYPE = ("out_type", "output_type")  # options that state the first result's type
OUTPUT_TYPES = {tc.DType.I32: TensorType.INT32, tc.DType.I64: TensorType.INT64}


class Meaning(NamedTuple):
    """The builtin operator that a TensorFlow operator equals, and where its options come from.

    `attributes` maps options to NodeDef attributes, `options` has constant ones, `operand` is the option that the last
    operand gives.
    """

    builtin: str
    attributes: Mapping[str, str] = MappingProxyType({})
    options: Mapping[str, Any] = MappingProxyType({})
    operand: str = ""


def _plain_meanings(names: str) -> dict[str, Meaning]:
    """Returns `Meaning`s of TensorFlow operators whose options need no translation.

    `names` are words `TensorFlowName:builtin_name`, separated by spaces.
    """
    return {name: Meaning(builtin) for name, _, builtin in (word.partition(":") for word in names.split())}


_REDUCED = {"keep_dims": "keep_dims"}
MEANINGS = {
    **_plain_meanings(
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
# TensorFlow's defaults of attributes that a node may lack, where the builtin operator's options have other ones.
DEFAULTS: Mapping[str, Mapping[str, Any]] = {"leaky_relu": {"alpha": 0.2}, "one_hot": {"axis": -1}}


def as_builtin(meaning: Meaning) -> Callable[[tc.Match], list[Any]]:
    """Returns the build function of a TensorFlow operator that is lowered as the builtin operator it equals.

    `meaning` names the builtin operator and tells where its options are in the TensorFlow operator: in the NodeDef's
    attributes, and one of them in the last operand, which must then be constant.
    """

    def build(match: tc.Match) -> list[Any]:
        """Lowers the TensorFlow operator by the rules of the builtin operator that `meaning` names.

        If the last operand stands for an option, it must be constant, and the builtin operator gets the others.
        """
        try:
            options = _builtin_options(match.op, meaning)
        except tc.FormatError as error:
            raise tc.Decline(f"expected a readable NodeDef, found: {error}") from None
        operands = match.op.inputs
        if meaning.operand:
            options[meaning.operand] = _option_from_operand(operands[-1] if operands else None, meaning.operand)
            operands = operands[:-1]
        return match.builtin(f"tfl.{meaning.builtin}", operands, **options)

    return build


def _builtin_options(op: tc.Op, meaning: Meaning) -> dict[str, Any]:
    """Returns the builtin operator's options: from the TensorFlow operator's NodeDef, its result type, and constants.

    An attribute that the node lacks has the value in DEFAULTS, else the default of the builtin's options table.

    Raises:
        FormatError: the node can't be read, or states something else.
    """
    # The custom options of a Flex operator are two texts: the operator's name and its NodeDef.
    node = attributes(decode_strings(op.attributes["custom_options"])[-1])
    table = tfl_ops.BY_OPCODE[f"tfl.{meaning.builtin}"].options
    defaults: dict[str, Any] = {} if table is None else dict(table().fields())
    absent = {**defaults, **DEFAULTS.get(meaning.builtin, {})}
    read_options = {
        name: _option_value(node[key], defaults[name]) if key in node else absent[name]
        for name, key in meaning.attributes.items()
    }
    dtype = op.results[0].type.dtype if op.results else None
    types = {name: OUTPUT_TYPES[dtype] for name in OUTPUT_TYPE if name in defaults and dtype in OUTPUT_TYPES}
    return {**read_options, **types, **meaning.options}


def _option_value(value: Any, default: Any) -> Any:
    """Returns a NodeDef attribute's value, after checking that it has the type of the option's default.

    Raises:
        FormatError: it has another type, or an integer doesn't fit 32 bits.
    """
    numbers = value if isinstance(value, tuple) else (value,)
    is_integer = not isinstance(default, float)
    if isinstance(value, tuple) != isinstance(default, tuple) or any(
        isinstance(n, float) == is_integer for n in numbers
    ):
        raise tc.FormatError(f"expected an attribute like {default!r}, found {value!r}")
    if is_integer and not all(-(1 << 31) <= n < 1 << 31 for n in numbers):
        raise tc.FormatError(f"expected an attribute of 32 bits, found {value!r}")
    return value


def _option_from_operand(operand: tc.Value | None, name: str) -> int:
    """Returns the constant integer operand that stands for the builtin operator's option `name`."""
    elements = None if operand is None else operand.constant
    if elements is None or elements.size != 1:
        raise tc.Decline(
            f"expected a last operand of one constant integer for {name}, found "
            f"{'none' if operand is None else operand.type}"
        )
    return int(elements.item())


# ** NodeDef **


def attributes(node: bytes) -> dict[str, Any]:
    """Returns the attributes of a NodeDef that are numbers, booleans or lists of integers, by name.

    Raises:
        FormatError: the bytes are no such message.
    """
    by_name: dict[str, Any] = {}
    for number, entry in _iterate_fields(node):
        if number == ATTRIBUTE and isinstance(entry, bytes):
            pair = dict(_iterate_fields(entry))
            name, value = pair.get(1), pair.get(2, b"")  # fields of an entry of a protobuf map
            if not isinstance(name, bytes) or not isinstance(value, bytes):
                raise tc.FormatError("expected a name and a value for each NodeDef attribute, found one without")
            by_name[name.decode("utf-8", "replace")] = _decode_attribute(value)
    return by_name


def _decode_attribute(message: bytes) -> Any:
    """Decodes an AttrValue message: a number, boolean or list of integers.

    It is 0 for an empty message, since protobuf omits zeros, and for other kinds, such as texts.
    """
    for number, value in _iterate_fields(message):
        if number == INTEGER and isinstance(value, int):
            return _to_signed(value)
        if number == BOOL:
            return bool(value)
        if number == FLOAT and isinstance(value, bytes) and len(value) == 4:
            return struct.unpack("<f", value)[0]
        if number == LIST and isinstance(value, bytes):
            return _decode_integers(value)
    return 0


def _decode_integers(message: bytes) -> tuple[int, ...]:
    """Decodes the integers of a protobuf list, packed or one by one."""
    elements: list[int] = []
    for number, value in _iterate_fields(message):
        if number == INTEGER:
            position = 0
            while isinstance(value, bytes) and position < len(value):
                element, position = _decode_varint(value, position)
                elements.append(_to_signed(element))
            elements += [_to_signed(value)] if isinstance(value, int) else []
    return tuple(elements)


def _to_signed(value: int) -> int:
    """Converts an unsigned 64-bit integer to the signed one of the same bits."""
    return value - (1 << 64) if value >> 63 else value


def _iterate_fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yields the field number and the content of each field of a protobuf message: an integer, or bytes."""
    position = 0
    while position < len(message):
        key, position = _decode_varint(message, position)
        kind = key & 7
        if kind == VARINT:
            value, position = _decode_varint(message, position)
            yield key >> 3, value
            continue
        size = SIZES.get(kind)
        if kind == BYTES:
            size, position = _decode_varint(message, position)
        if size is None or position + size > len(message):
            raise tc.FormatError(
                f"expected a NodeDef field that fits {len(message)} bytes, found wire type {kind} at byte {position}"
            )
        yield key >> 3, message[position : position + size]
        position += size


def _decode_varint(message: bytes, position: int) -> tuple[int, int]:
    """Decodes a protobuf varint of up to 64 bits at `position`; returns it and the position behind it."""
    # Bytes carry 7 bits each, the lowest first; the top bit says that more follow. 300 is 0xAC 0x02: 0x2C + 2 * 128.
    value = 0
    for i, byte in enumerate(message[position : position + 10]):
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value & (1 << 64) - 1, position + i + 1
    raise tc.FormatError(f"expected a NodeDef number of at most 10 bytes, found an endless one at byte {position}")


RULES: tuple[tc.Rule, ...] = tuple(
    tc.Rule(f"custom.Flex{name}", "", as_builtin(meaning), label=f"Flex{name}") for name, meaning in MEANINGS.items()
)
