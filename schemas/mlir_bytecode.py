"""MLIR bytecode as rows: sections, versions, codes of attributes and types, and the properties of operators.

The facts are those of MLIR's description of the format and of the builtin and quant dialects' own encodings.
"""

from typing import NamedTuple

from tosa_converter.schemas.enumeration import IntEnum
from tosa_converter.schemas.tosa_ops import CAST, VARIABLE, Kind, OpDef

MAGIC = b"ML\xefR"
MAX_VERSION = 6
PADDING = 0xCB  # the byte in front of content that must be aligned
BUILTIN, QUANT = "builtin", "quant"  # dialects


class Section(IntEnum):
    """What a section of a file holds."""

    STRING = 0
    DIALECT = 1
    ATTR_TYPE = 2
    ATTR_TYPE_OFFSET = 3
    IR = 4
    RESOURCE = 5
    RESOURCE_OFFSET = 6
    DIALECT_VERSIONS = 7
    PROPERTIES = 8


class Version(IntEnum):
    """The version of the format that brought a change."""

    DIALECTS = 1  # dialects may have versions
    LAZY_REGIONS = 2  # regions that see no values around them are sections
    USE_LISTS = 3  # the order of a value's uses
    SHORT_ARGUMENTS = 4  # arguments of blocks without a location, and the number of operators' names
    PROPERTIES = 5  # inherent attributes of operators are properties


class Has(IntEnum):
    """The parts that an operator has, as bits of a mask."""

    ATTRIBUTES = 0x01
    RESULTS = 0x02
    OPERANDS = 0x04
    SUCCESSORS = 0x08
    REGIONS = 0x10
    USE_LISTS = 0x20
    PROPERTIES = 0x40


class Resource(IntEnum):
    """The kinds of content of a resource."""

    BLOB = 0
    BOOL = 1
    STRING = 2


class AttributeCode(IntEnum):
    """The attributes of the builtin dialect, locations among them."""

    ARRAY = 0
    DICTIONARY = 1
    STRING = 2
    TYPED_STRING = 3
    FLAT_SYMBOL = 4
    SYMBOL = 5
    TYPE = 6
    UNIT = 7
    INTEGER = 8
    FLOAT = 9
    CALL_SITE_LOCATION = 10
    FILE_LOCATION = 11
    FUSED_LOCATION = 12
    FUSED_LOCATION_WITH_METADATA = 13
    NAME_LOCATION = 14
    UNKNOWN_LOCATION = 15
    DENSE_RESOURCE = 16
    DENSE_ARRAY = 17
    DENSE_ELEMENTS = 18
    DENSE_STRINGS = 19
    SPARSE_ELEMENTS = 20
    DISTINCT = 21
    FILE_RANGE_LOCATION = 22


class TypeCode(IntEnum):
    """The types of the builtin dialect."""

    INTEGER = 0
    INDEX = 1
    FUNCTION = 2
    BF16 = 3
    F16 = 4
    F32 = 5
    F64 = 6
    F80 = 7
    F128 = 8
    COMPLEX = 9
    MEMREF = 10
    MEMREF_WITH_SPACE = 11
    NONE = 12
    TENSOR = 13
    TENSOR_WITH_ENCODING = 14
    TUPLE = 15
    UNRANKED_MEMREF = 16
    UNRANKED_MEMREF_WITH_SPACE = 17
    UNRANKED_TENSOR = 18
    VECTOR = 19
    SCALABLE_VECTOR = 20
    TF32 = 21
    F8E5M2 = 22
    F8E4M3 = 23
    F8E4M3FN = 24
    F8E5M2FNUZ = 25
    F8E4M3FNUZ = 26
    F8E4M3B11FNUZ = 27
    F8E3M4 = 28
    F4E2M1FN = 29
    F6E2M3FN = 30
    F6E3M2FN = 31
    F8E8M0FNU = 32


class QuantCode(IntEnum):
    """The types of the quant dialect whose text is `!quant.uniform<...>`.

    Each begins with flags, of which the lowest bit says whether there is a sign, and the type of what is stored.
    """

    UNIFORM = 4
    UNIFORM_PER_AXIS = 5
    UNIFORM_PER_BLOCK = 6


class Property(NamedTuple):
    """An inherent attribute of an operator, as its properties list it in order of the names."""

    name: str
    optional: bool = False  # 0 stands for none, and what is there has a flag


VISIBILITY = "sym_visibility"  # of a function or variable beyond its module
_SYMBOL = (Property("sym_name"), Property(VISIBILITY, optional=True))
MODULE, FUNCTION, RETURN, YIELD = "builtin.module", "func.func", "func.return", "tosa.yield"
STRUCTURE: dict[str, tuple[Property, ...]] = {
    MODULE: (Property("sym_name", optional=True), Property(VISIBILITY, optional=True)),
    FUNCTION: (
        Property("arg_attrs", optional=True),
        Property("function_type"),
        Property("no_inline", optional=True),
        Property("res_attrs", optional=True),
        *_SYMBOL,
    ),
}
"""The properties of the operators that a module is made of."""

_MLIR_NAMES = {VARIABLE: {"name": "sym_name"}}


def mlir_name(row: OpDef, name: str) -> str:
    """Returns how MLIR calls an attribute of a TOSA operator, by its name in the operator's row."""
    return _MLIR_NAMES.get(row, {}).get(name, name)


_OTHER_RELEASES: dict[OpDef, tuple[Property, ...]] = {
    CAST: (Property("input_unsigned", optional=True),),
    VARIABLE: (
        Property("initial_value", optional=True),
        *_SYMBOL,
        Property("type"),
        Property("var_shape"),
    ),
}
"""The properties that operators have in the MLIR of IREE 3.13 and not in that of tosa-opt 2026.8."""


def layouts_of(row: OpDef) -> tuple[tuple[Property, ...], ...]:
    """Returns the properties of a TOSA operator in their order in bytecode, by MLIR's releases; regions are none.

    Those with a default in the row are optional, as in MLIR's own definition. Each release has another number of them.
    """
    properties = [
        Property(mlir_name(row, attr.name), attr.optional or attr.default is not None)
        for attr in row.attributes
        if attr.kind is not Kind.GRAPH
    ]
    other = _OTHER_RELEASES.get(row)
    return (tuple(sorted(properties)),) if other is None else (tuple(sorted(properties)), other)
