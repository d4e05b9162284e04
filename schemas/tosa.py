"""The TOSA flatbuffer schema (file identifier TOSA) as rows, in the schema's own order.

Operators and attribute tables from number 76 on are of the draft of TOSA 1.1, as tosa-tools 2026.8 has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tosa_converter.schemas.flat import I32, U32, U64, Blob8, Bool, Kept, OneOf, Opt, Str, Table, UIntEnum32, Vec
from tosa_converter.schemas.tosa_ops import OPERATORS, Attr, Kind, OpDef
from tosa_converter.schemas.tosa_target import REMOVED_OPERATORS

IDENTIFIER = b"TOSA"


class DType(UIntEnum32):
    UNKNOWN = 0
    BOOL = 1
    INT4 = 2
    INT8 = 3
    INT16 = 4
    INT32 = 5
    INT48 = 6
    FP32 = 7
    FP16 = 8
    BF16 = 9
    SHAPE = 10
    FP8E4M3 = 11
    FP8E5M2 = 12
    FP6E2M3 = 13
    FP6E3M2 = 14
    FP4E2M1 = 15
    FP8UE8M0 = 16
    INT64 = 17
    MXINT8 = 18


class ResizeMode(UIntEnum32):
    UNKNOWN = 0
    NEAREST = 1
    BILINEAR = 2


class NanPropagationMode(UIntEnum32):
    UNKNOWN = 0
    PROPAGATE = 1
    IGNORE = 2


class RoundingMode(UIntEnum32):
    UNKNOWN = 0
    SINGLE_ROUND = 1
    INEXACT_ROUND = 2
    DOUBLE_ROUND = 3


class Op(UIntEnum32):
    UNKNOWN = 0
    ARGMAX = 1
    AVG_POOL2D = 2
    CONV2D = 3
    CONV3D = 4
    DEPTHWISE_CONV2D = 5
    FFT2D = 6
    MATMUL = 7
    MAX_POOL2D = 8
    RFFT2D = 9
    TRANSPOSE_CONV2D = 10
    CLAMP = 11
    ERF = 12
    SIGMOID = 13
    TANH = 14
    ADD = 15
    ARITHMETIC_RIGHT_SHIFT = 16
    BITWISE_AND = 17
    BITWISE_OR = 18
    BITWISE_XOR = 19
    INTDIV = 20
    LOGICAL_AND = 21
    LOGICAL_LEFT_SHIFT = 22
    LOGICAL_RIGHT_SHIFT = 23
    LOGICAL_OR = 24
    LOGICAL_XOR = 25
    MAXIMUM = 26
    MINIMUM = 27
    MUL = 28
    POW = 29
    SUB = 30
    TABLE = 31
    ABS = 32
    BITWISE_NOT = 33
    CEIL = 34
    CLZ = 35
    COS = 36
    EXP = 37
    FLOOR = 38
    LOG = 39
    LOGICAL_NOT = 40
    NEGATE = 41
    RECIPROCAL = 42
    RSQRT = 43
    SIN = 44
    SELECT = 45
    EQUAL = 46
    GREATER = 47
    GREATER_EQUAL = 48
    REDUCE_ALL = 49
    REDUCE_ANY = 50
    REDUCE_MAX = 51
    REDUCE_MIN = 52
    REDUCE_PRODUCT = 53
    REDUCE_SUM = 54
    CONCAT = 55
    PAD = 56
    RESHAPE = 57
    REVERSE = 58
    SLICE = 59
    TILE = 60
    TRANSPOSE = 61
    GATHER = 62
    SCATTER = 63
    RESIZE = 64
    CAST = 65
    RESCALE = 66
    CONST = 67
    IDENTITY = 68
    CUSTOM = 69
    COND_IF = 70
    WHILE_LOOP = 71
    VARIABLE = 72
    VARIABLE_WRITE = 73
    VARIABLE_READ = 74
    CONST_SHAPE = 75
    MATMUL_T_BLOCK_SCALED = 76
    CAST_FROM_BLOCK_SCALED = 77
    CAST_TO_BLOCK_SCALED = 78
    DIM = 79
    CONCAT_SHAPE = 80
    ADD_SHAPE = 81
    SUB_SHAPE = 82
    MUL_SHAPE = 83
    SLICE_SHAPE = 84
    EXP2_SHAPE = 85
    LOG2_CEIL_SHAPE = 86
    LOG2_FLOOR_SHAPE = 87
    MAX_SHAPE = 88
    MIN_SHAPE = 89
    MOD_SHAPE = 90
    DIV_CEIL_SHAPE = 91
    DIV_FLOOR_SHAPE = 92
    ASSERT_EQUAL_SHAPE = 93
    CONV2D_BLOCK_SCALED = 94
    MAX_POOL2D_ADAPTIVE = 95
    AVG_POOL2D_ADAPTIVE = 96
    RESHAPE_BLOCK_SCALED = 97
    ROW_GATHER_BLOCK_SCALED = 98
    ROW_GATHER = 99
    MATMUL_T = 100


class BlockSize(UIntEnum32):
    UNKNOWN = 0
    BLOCK_SIZE_1 = 1
    BLOCK_SIZE_32 = 32


class BlockShape(UIntEnum32):
    UNKNOWN = 0
    BLOCK_SHAPE_32 = 32


class CompatibilityFeature(UIntEnum32):
    """A bit of `SerializationCompatibility.features`."""

    NONE = 0
    MXFP = 1


class Attribute(Table):
    """Union of its subclasses, numbered from 1 by their operators: `ATTRIBUTES`."""


IN_TENSORS = frozenset(
    {"values", "name", "var_shape", "type", "initial_value"}
)  # attributes that the file's tensors hold

_TYPES = {
    Kind.BOOL: "Bool",
    Kind.STR: "Opt[Str]",
    Kind.BYTES: "Opt[Blob]",
    Kind.GRAPH: "Str",
    Kind.ELEMENT: "Opt[Blob8]",
}
_ENUMERATIONS = {
    "acc_type": "DType",
    "nan_mode": "NanPropagationMode",
    "resize_mode": "ResizeMode",
    "rounding_mode": "RoundingMode",
}
_DEFAULTS: dict[str, Any] = {"I32": 0, "Vec[I32]": (), "Bool": False, "Str": ""}


def _stored_type(attr: Attr) -> str:
    """Returns the annotation of the flatbuffer field that stores an attribute, such as Vec[I32]."""
    if attr.kind is Kind.I32:
        return "Vec[I32]" if attr.is_list else "I32"
    return _ENUMERATIONS[attr.of] if attr.kind is Kind.ENUMERANT else _TYPES[attr.kind]


def _fields(row: OpDef) -> dict[str, str]:
    """Returns the fields of a TOSA operator's flatbuffer table, in order; `acc_type` is always last.

    Attributes that the format stores as tensors have no field.
    """
    stored = [attr for attr in row.attributes if attr.name not in IN_TENSORS]
    return {attr.name: _stored_type(attr) for attr in sorted(stored, key=lambda attr: attr.name == "acc_type")}


def _attribute_table(op: Op, fields: Mapping[str, str]) -> type[Attribute]:
    """Creates the flatbuffer table of an operator's attributes, with the schema's default for each type."""
    types = {name: globals().get(type) for name, type in fields.items()}
    defaults = {name: getattr(types[name], "UNKNOWN", _DEFAULTS.get(type)) for name, type in fields.items()}
    return type(f"{op.name} attributes", (Attribute,), {"__module__": __name__, "__annotations__": fields, **defaults})


_RECORDS = {Op[row.name]: _fields(row) for row in OPERATORS}
_RECORDS |= {Op[name]: {"block_size": "BlockSize"} for name in REMOVED_OPERATORS}
ATTRIBUTES = {op: _attribute_table(op, _RECORDS[op]) for op in Op if op}


class Version(Table):
    _major: I32 = -1
    _minor: I32 = -1
    _patch: I32 = -1
    _draft: Bool = True


class SoftwareVersion(Table):
    _major: I32 = -1
    _minor: I32 = -1
    _micro: I32 = -1
    _modifier: Opt[Str] = None


class SerializationCompatibility(Table):
    min_reader_version: Opt[SoftwareVersion] = None
    features: U64 = 0


class TosaTensor(Table):
    name: Str = ""
    shape: Kept[I32] = ()
    type: DType = DType.UNKNOWN
    data: Opt[Blob8] = None
    variable: Bool = False
    is_unranked: Bool = False
    variable_name: Str = ""
    offset: U64 = 0
    size: U64 = 0
    scale_type: DType = DType.UNKNOWN
    scale_data: Opt[Blob8] = None
    block_shape: BlockShape = BlockShape.UNKNOWN
    scale_offset: U64 = 0
    scale_size: U64 = 0


class TosaShape(Table):
    name: Str = ""
    rank: U32 = 0
    data: Opt[Blob8] = None


class OpLocation(Table):
    text: Str = ""


class TosaOperator(Table):
    op: Op = Op.UNKNOWN
    attribute: OneOf[Attribute] = None
    inputs: Kept[Str] = ()
    outputs: Kept[Str] = ()
    location: Opt[OpLocation] = None


class TosaBasicBlock(Table):
    name: Str = ""
    operators: Kept[TosaOperator] = ()
    tensors: Kept[TosaTensor] = ()
    inputs: Kept[Str] = ()
    outputs: Kept[Str] = ()
    shapes: Kept[TosaShape] = ()


class TosaRegion(Table):
    name: Str = ""
    blocks: Vec[TosaBasicBlock] = ()


class TosaGraph(Table):
    version: Opt[Version] = None
    regions: Vec[TosaRegion] = ()
    software_version: Opt[SoftwareVersion] = None
    compatibility: Opt[SerializationCompatibility] = None
