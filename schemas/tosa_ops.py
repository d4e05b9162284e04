"""Every operator of TOSA as one record: arguments, types by profile and extension, traits, how precise it must be.

The facts are those of chapter 2 of the TOSA 1.0 specification, in its order, and behind them those of the draft of 1.1.
What operators have in common is stated once, as a table of types or as a family, so that a record shows what is its
own. Types that a later version than the operator's brought name that version beside profiles and extensions.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from math import prod
from typing import Any, NamedTuple

from tosa_converter.schemas.tosa_target import DRAFT, VERSION

MAX_RANK = 99  # stands for the level's MAX_RANK in a row

Types = tuple[tuple[str, str], ...]
Length = Callable[[Sequence[tuple[int, ...]], Mapping[str, Any]], int]  # by the operands' shapes and the attributes


class Operand(NamedTuple):
    """A tensor argument: an input or an output of an operator."""

    name: str
    type: str  # a type variable of the operator, a type name, or "any"
    rank: tuple[int, int] = (0, MAX_RANK)  # smallest and largest
    shape: tuple[int, ...] | None = None  # where the specification fixes it
    variadic: bool = False  # a tensor_list_t
    ctc: bool = False  # must be a compile-time constant unless EXT-DYNAMIC
    fixed: bool = False  # must be one even with EXT-DYNAMIC


class Kind(Enum):
    """What an attribute is made of; compared by identity."""

    I32 = auto()
    BOOL = auto()
    STR = auto()
    BYTES = auto()
    DTYPE = auto()  # an element type
    GRAPH = auto()  # a region of the operator
    ENUMERANT = auto()  # the name of one, of the enumeration `of`
    ELEMENT = auto()  # a value of the type variable `of`


class Attr(NamedTuple):
    """An attribute argument; one with a default may be left out."""

    name: str
    kind: Kind
    of: str = ""
    size: int | None = 1  # 1: no list; None: a list of any length
    limit: str = ""  # the level limit that bounds every element
    default: Any = None
    optional: bool = False  # may be left out and has no default

    @property
    def is_list(self) -> bool:
        """Whether the attribute is a list."""
        return self.size != 1

    @property
    def type(self) -> str:
        """The attribute's type, for messages: `i32[2]`, `acc_type`, `in_out_t`."""
        size = f"[{self.size or ''}]" if self.is_list else ""
        return (self.of or self.kind.name.lower()) + size


class Clause(Enum):
    """The rules of clause 1.10.3 for floats; integers must always be exact."""

    EXACT = auto()
    ULP = auto()  # so many units in the last place
    BOUND = auto()  # an absolute error bound, a function of the operands
    DOT_PRODUCT = auto()  # by how many products are summed up
    CAST = auto()  # the rule of 2.13.1
    RESCALE = auto()  # the rule of 2.13.2, of integers too


class Precision(NamedTuple):
    """The precision requirement of an operator's section."""

    clause: Clause
    ulps: float = 0.0
    length: Length | None = None  # of the dot products


class OpDef:
    """One operator; records are told apart by identity.

    `types` pairs what must be supported ("A|B": either, "A&B": both) with a value per variable of `type_variables`.
    `spirv` is the number in the instruction set TOSA.001000.1, and `since` the version of the specification that
    brought the operator. `elementwise` operators compute each element of the output from the elements at its position
    in so many leading operands; other operands are parameters. `blockwise` ones can make their output in blocks of
    leading axes; `control` ones see more than their operands: graphs, variables, the caller's functions. One with an
    `effect` stays in a graph that doesn't use its results.
    """

    def __init__(
        self,
        name: str,
        inputs: tuple[Operand, ...],
        attributes: tuple[Attr, ...],
        outputs: tuple[Operand, ...],
        type_variables: str,
        types: Types,
        precision: Precision | None,
        *,
        spirv: int | None = None,
        since: tuple[int, int, int] = VERSION,
        elementwise: int = 0,
        blockwise: bool = False,
        control: bool = False,
        effect: bool = False,
    ) -> None:
        """Records one operator of the specification, with the fields that the class describes.

        The name in the IR, the attributes' defaults and the number of operands follow from them. Exactly the `control`
        operators have no precision.
        """
        if (precision is None) != control:
            raise ValueError(f"{name}: expected a precision, or else control")
        self.name = name
        self.inputs = inputs
        self.attributes = attributes
        self.outputs = outputs
        self.type_variables = type_variables
        self.types = types
        self.precision = precision
        self.spirv = spirv
        self.since = since
        self.elementwise = elementwise
        self.blockwise = blockwise
        self.control = control
        self.effect = effect
        self.opcode = f"tosa.{name.lower()}"  # the name in the IR
        self.defaults = {attr.name: attr.default for attr in attributes if attr.default is not None}
        variadic = any(operand.variadic for operand in inputs)
        self.least = len(inputs) - variadic  # operands
        self.most = None if variadic else len(inputs)

    def input(self, index: int) -> Operand:
        """Returns the argument of the operand at an index; if the last argument is a list, it takes all the rest."""
        return self.inputs[min(index, len(self.inputs) - 1)]

    def output(self, index: int) -> Operand:
        """Returns the argument of the result at an index; if the last argument is a list, it takes all the rest."""
        return self.outputs[min(index, len(self.outputs) - 1)]

    def __repr__(self) -> str:
        """Returns the operator's name in the specification, such as CONV2D."""
        return self.name


BY_OPCODE: dict[str, OpDef] = {}  # every operator that can be read, verified, executed and written


def register(row: OpDef) -> OpDef:
    """Adds an operator to `BY_OPCODE` under its name in the graph, such as `tosa.add`, and returns it."""
    BY_OPCODE[row.opcode] = row
    return row


def _op(
    name: str,
    spirv: int | None,
    inputs: tuple[Operand, ...],
    outputs: tuple[Operand, ...],
    types: Types,
    precision: Precision | None,
    *attributes: Attr,
    variables: str = "in_out_t",
    **traits: Any,
) -> OpDef:
    """Registers a TOSA operator.

    `types` lists what must be supported, each with the types of all `variables`, the names of the type variables.
    `spirv` is the operator's number in SPIR-V, None for those without; `traits` are further fields of OpDef.
    """
    return register(OpDef(name, inputs, attributes, outputs, variables, types, precision, spirv=spirv, **traits))


# ** Operands **

_AXES = (1, MAX_RANK)  # the ranks of what has an axis


def _tensor(
    name: str, type: str = "in_out_t", rank: tuple[int, int] | int = (0, MAX_RANK), *, ctc: bool = False
) -> Operand:
    """Returns a tensor argument with its type variable and its smallest and largest rank.

    With `ctc` it must be a compile-time constant.
    """
    return Operand(name, type, (rank, rank) if isinstance(rank, int) else rank, ctc=ctc)


def _zero_point(name: str, type: str = "in_out_t") -> Operand:
    """Returns a zero-point argument: a tensor of one element, which must be a compile-time constant."""
    return Operand(name, type, (1, 1), (1,), ctc=True)


def _shape(name: str, *length: int) -> Operand:
    """Returns an argument that is a shape, of `length` elements, or of any number of them."""
    return Operand(name, "shape", (1, 1), length or None, ctc=True)


def _static_shape(name: str, *, variadic: bool = False) -> Operand:
    """Returns a shape, or a list of shapes, that must be known before the run even with EXT-DYNAMIC."""
    return Operand(name, "shape", (1, 1), variadic=variadic, ctc=True, fixed=True)


def _static_number(name: str) -> Operand:
    """Returns an argument of one i32 that must be a compile-time constant even with EXT-DYNAMIC."""
    return Operand(name, "i32", (1, 1), (1,), ctc=True, fixed=True)


def _tensors(name: str) -> Operand:
    """Returns an argument that is a list of tensors of any types."""
    return Operand(name, "any", variadic=True)


# ** Attributes **

_AXIS = Attr("axis", Kind.I32)
_NAN_MODE = Attr("nan_mode", Kind.ENUMERANT, "nan_mode", default="PROPAGATE")
_ACC_TYPE = Attr("acc_type", Kind.ENUMERANT, "acc_type")
_LOCAL_BOUND = Attr("local_bound", Kind.BOOL, default=False)
_NAME = Attr("name", Kind.STR)


def _sizes(name: str, size: int | None, limit: str = "") -> Attr:
    """Returns an attribute of `size` integers, each at most the level's `limit`."""
    return Attr(name, Kind.I32, size=size, limit=limit)


def _pad(size: int, name: str = "pad") -> Attr:
    """Returns a padding attribute of `size` integers."""
    return _sizes(name, size, "MAX_KERNEL")


def _stride(size: int) -> Attr:
    """Returns a stride attribute of `size` integers."""
    return _sizes("stride", size, "MAX_STRIDE")


# ** Types **

_INT, _FP, _ANY = "PRO-INT", "PRO-FP", "PRO-INT|PRO-FP"
_INT16, _BF16, _E4M3, _E5M2 = "EXT-INT16", "EXT-BF16", "EXT-FP8E4M3", "EXT-FP8E5M2"
_INT64, _SHAPE, _LATER = "EXT-INT64", "EXT-SHAPE", "1.1"  # of the draft


def _types(needed: str, *types: str) -> Types:
    """Returns a table of types, each of which needs the same profile or extension."""
    return tuple((needed, type) for type in types)


def _prepend(first: str, table: Types) -> Types:
    """Returns the table with a type in front of each row's types."""
    return tuple((needed, f"{first} {types}") for needed, types in table)


def _append(table: Types, last: str) -> Types:
    """Returns the table with a type behind each row's types."""
    return tuple((needed, f"{types} {last}") for needed, types in table)


def _repeat(table: Types, times: int) -> Types:
    """Returns the table with each row's type repeated for `times` type variables: "i8" becomes "i8 i8" for 2."""
    return tuple((needed, " ".join([type] * times)) for needed, type in table)


def _require(needed: str, table: Types) -> Types:
    """Returns the table with a further profile, extension or version that each of its types needs."""
    return tuple(("|".join(f"{option}&{needed}" for option in old.split("|")), types) for old, types in table)


def _product_types(factors: tuple[str, ...], sum_type: str) -> Types:
    """Returns the types of MATMUL_T for products of any two of these types of floats, summed up as `sum_type`.

    Each type needs its own profile or extension. fp16 times fp16 is never summed up as bf16.
    """
    pairs = [(a, b) for a in factors for b in factors if (a, b, sum_type) != ("fp16", "fp16", "bf16")]
    needed = [dict.fromkeys(_FLOAT_NEEDS[type] for type in (sum_type, a, b)) for a, b in pairs]
    return tuple(("&".join(names), f"{a} {b} {sum_type}") for names, (a, b) in zip(needed, pairs, strict=True))


_BOOL = _types(_ANY, "bool")
_FLOAT_NEEDS = {"fp8e4m3": _E4M3, "fp8e5m2": _E5M2, "fp16": _FP, "bf16": _BF16, "fp32": _FP}
_I64 = _types(_INT64, "i64")
_NARROW = ("i8", "i16", "i32")
_INTEGERS = (*_types(_INT, *_NARROW), *_I64)
_FP8 = (*_types(_E4M3, "fp8e4m3"), *_types(_E5M2, "fp8e5m2"))
_FLOATS = (*_types(_FP, "fp16"), *_types(_BF16, "bf16"), *_types(_FP, "fp32"))
_NUMBERS = (*_types(_INT, "i32"), *_I64, *_FLOATS)
_SUMS = (*_types(_ANY, "i32"), *_I64, *_FLOATS)
_INT8_16 = (*_types(_INT, "i8"), *_types(_INT16, "i16"))
_SHIFTED = (*_types(_ANY, *_NARROW), *_I64)
_POOLED = (*_INT8_16, *_FP8, *_FLOATS)
_MOVED = (*_BOOL, *_INTEGERS, *_FP8, *_FLOATS)
_STORED = (
    *_BOOL,
    *_types("EXT-INT4", "i4"),
    *_types(_ANY, *_NARROW),
    *_types(_INT16, "i48"),
    *_I64,
    *_FP8,
    *_FLOATS,
)
_ACCUMULATED = (
    *_append(_FP8, "fp16"),
    *_types(_FP, "fp16 fp16", "fp16 fp32"),
    *_types(_BF16, "bf16 fp32"),
    *_types(_FP, "fp32 fp32"),
)
_CONVOLVED = (
    (_INT, "i8 i8 i32 i32"),
    ("EXT-INT4", "i8 i4 i32 i32"),
    (_INT16, "i16 i8 i48 i48"),
    *_append(_repeat(_FP8, 2), "fp16 fp16"),
    *_types(_FP, "fp16 fp16 fp16 fp16", "fp16 fp16 fp16 fp32"),
    (_BF16, "bf16 bf16 bf16 fp32"),
    (_FP, "fp32 fp32 fp32 fp32"),
)
# Since 1.1 PRO-FP gathers integers too; before, they need PRO-INT.
_GATHERED = (
    *_prepend("i32", (*_types(f"{_INT}|{_FP}&{_LATER}", *_NARROW), *_FP8, *_FLOATS)),
    *_prepend("i32", _require(_LATER, _BOOL)),
    *_prepend("i64", _require(_INT64, (*_types(_ANY, *_NARROW, "bool"), *_FP8, *_FLOATS))),
    (_INT64, "i64 i64"),
)
_VARIABLES = (("EXT-VARIABLE&PRO-INT", "i8"), *_types("EXT-VARIABLE&PRO-FP", "fp16", "fp32"))

# ** Precision **

_EXACT = Precision(Clause.EXACT)
_BOUND = Precision(Clause.BOUND)


def _ulp(count: float) -> Precision:
    """Returns the precision of an operator whose result may be off by so many units in the last place."""
    return Precision(Clause.ULP, count)


def _dot_product(length: Length) -> Precision:
    """Returns the precision of a sum of products; `length` computes how many there are."""
    return Precision(Clause.DOT_PRODUCT, length=length)


_WINDOW = _dot_product(lambda shapes, _: prod(shapes[1][1:]))  # of a weight [OC,...,IC]
_PLANES = _dot_product(lambda shapes, _: len(shapes) * prod(shapes[0][1:]))


# ** Families **


def _convolution(
    name: str, spirv: int, rank: int, precision: Precision, *attributes: Attr, blockwise: bool = True
) -> OpDef:
    """Registers a convolution whose image and weight have this rank.

    `blockwise` says that the executor may compute it in blocks.
    """
    zero_points = _zero_point("input_zp", "in_t"), _zero_point("weight_zp", "weight_t")
    inputs = (
        _tensor("input", "in_t", rank),
        _tensor("weight", "weight_t", rank),
        _tensor("bias", "out_t", 1),
        *zero_points,
    )
    return _op(
        name,
        spirv,
        inputs,
        (_tensor("output", "out_t", rank),),
        _CONVOLVED,
        precision,
        *attributes,
        _ACC_TYPE,
        _LOCAL_BOUND,
        variables="in_t weight_t out_t acc_t",
        blockwise=blockwise,
    )


def _fourier_transform(name: str, spirv: int, *inputs: str, attributes: tuple[Attr, ...] = ()) -> OpDef:
    """Registers a Fourier transform of one plane (real) or two (real and imaginary)."""
    outputs = _tensor("output_real", rank=3), _tensor("output_imag", rank=3)
    planes, types = tuple(_tensor(plane, rank=3) for plane in inputs), _types("EXT-FFT", "fp32")
    return _op(name, spirv, planes, outputs, types, _PLANES, *attributes, _LOCAL_BOUND)


def _unary(
    name: str, spirv: int, types: Types, precision: Precision, *attributes: Attr, operand: str = "input1"
) -> OpDef:
    """Registers an elementwise operator of one operand."""
    return _op(name, spirv, (_tensor(operand),), (_tensor("output"),), types, precision, *attributes, elementwise=1)


def _binary(name: str, spirv: int, types: Types, precision: Precision, *attributes: Attr) -> OpDef:
    """Registers an elementwise operator of two operands."""
    inputs = _tensor("input1"), _tensor("input2")
    return _op(name, spirv, inputs, (_tensor("output"),), types, precision, *attributes, elementwise=2)


def _comparison(name: str, spirv: int) -> OpDef:
    """Registers a comparison, whose result is bool."""
    inputs = _tensor("input1", "in_t"), _tensor("input2", "in_t")
    types = _append(_NUMBERS, "bool")
    return _op(name, spirv, inputs, (_tensor("output", "out_t"),), types, _EXACT, variables="in_t out_t", elementwise=2)


def _reduction(
    name: str, spirv: int, types: Types, precision: Precision, *attributes: Attr, variables: str = "in_out_t"
) -> OpDef:
    """Registers a reduction along one axis; `spirv` is the operator's number in SPIR-V, `variables` its type variables.

    `types` lists the combinations of types that these variables can take, with the profile or extension of each.
    """
    ends = (_tensor("input", rank=_AXES),), (_tensor("output", rank=_AXES),)
    return _op(name, spirv, *ends, types, precision, _AXIS, *attributes, variables=variables)


def _layout(name: str, spirv: int, *parameters: Operand, attributes: tuple[Attr, ...] = ()) -> OpDef:
    """Registers an operator that moves or repeats elements and computes nothing, such as TRANSPOSE."""
    inputs, outputs = (_tensor("input1", rank=_AXES), *parameters), (_tensor("output", rank=_AXES),)
    return _op(name, spirv, inputs, outputs, _MOVED, _EXACT, *attributes)


def _control(name: str, inputs: tuple[Operand, ...], needed: str, *attributes: Attr) -> OpDef:
    """Registers an operator that runs graphs or accesses variables; `needed` is the extension that brings it."""
    outputs = (_tensors("output_list"),)
    return _op(
        name, None, inputs, outputs, _types(needed, ""), None, *attributes, variables="", control=True, effect=True
    )


def _later(
    name: str,
    inputs: tuple[Operand, ...],
    outputs: tuple[Operand, ...],
    types: Types,
    precision: Precision,
    *attributes: Attr,
    **traits: Any,
) -> OpDef:
    """Registers an operator of the draft of TOSA 1.1, which SPIR-V has no number for."""
    return _op(name, None, inputs, outputs, types, precision, *attributes, since=DRAFT, **traits)


def _shape_operator(name: str, *inputs: Operand, output: bool = True, attributes: tuple[Attr, ...] = ()) -> OpDef:
    """Registers an operator of EXT-SHAPE, which computes a shape from shapes; `output` says whether it has a result."""
    outputs = (Operand("output", "shape"),) if output else ()
    types = _types(_SHAPE, "")
    return _later(name, inputs, outputs, types, _EXACT, *attributes, variables="", effect=not output)


def _binary_of_shapes(name: str) -> OpDef:
    """Registers an operator of EXT-SHAPE that computes each element from those of two shapes of equal length."""
    return _shape_operator(name, _static_shape("input1"), _static_shape("input2"))


# A table, with several facts on a line.
# fmt: off

# ** 2.3 Tensor operators **

ARGMAX = _op(
    "ARGMAX", 0, (_tensor("input", "in_t", _AXES),), (_tensor("output", "out_t", (0, MAX_RANK - 1)),),
    (*_append(_POOLED, "i32"), *_require(_INT64, _append(_POOLED, "i64")), *_types(_INT64, "i32 i64", "i64 i64")),
    _EXACT, _AXIS, _NAN_MODE, variables="in_t out_t",
)
AVG_POOL2D = _op(
    "AVG_POOL2D", 1, (_tensor("input", rank=4), _zero_point("input_zp"), _zero_point("output_zp")),
    (_tensor("output", rank=4),), (*_append(_INT8_16, "i32"), *_ACCUMULATED),
    _dot_product(lambda _, attributes: prod(attributes["kernel"])), _pad(2, "kernel"), _stride(2), _pad(4), _ACC_TYPE,
    variables="in_out_t acc_t",
)
CONV2D = _convolution("CONV2D", 2, 4, _WINDOW, _pad(4), _stride(2), _sizes("dilation", 2))
CONV3D = _convolution("CONV3D", 3, 5, _WINDOW, _pad(6), _stride(3), _sizes("dilation", 3))
DEPTHWISE_CONV2D = _convolution(
    "DEPTHWISE_CONV2D", 4, 4, _dot_product(lambda shapes, _: prod(shapes[1][:2])), _pad(4), _stride(2),
    _sizes("dilation", 2),
)
FFT2D = _fourier_transform("FFT2D", 5, "input_real", "input_imag", attributes=(Attr("inverse", Kind.BOOL),))
MATMUL = _op(
    "MATMUL", 6,
    (_tensor("A", "in_t", 3), _tensor("B", "in_t", 3), _zero_point("A_zp", "in_t"), _zero_point("B_zp", "in_t")),
    (_tensor("output", "out_t", 3),),
    ((_INT, "i8 i32"), (_INT16, "i16 i48"), *_ACCUMULATED, *_require(_LATER, _append(_FP8, "fp32"))),
    _dot_product(lambda shapes, _: shapes[0][2]), variables="in_t out_t",
)
MAX_POOL2D = _op(
    "MAX_POOL2D", 7, (_tensor("input", rank=4),), (_tensor("output", rank=4),), _POOLED, _EXACT, _pad(2, "kernel"),
    _stride(2), _pad(4), _NAN_MODE,
)
RFFT2D = _fourier_transform("RFFT2D", 8, "input_real")
TRANSPOSE_CONV2D = _convolution("TRANSPOSE_CONV2D", 9, 4, _WINDOW, _pad(4, "out_pad"), _stride(2), blockwise=False)

# ** 2.4 Activation functions **

CLAMP = _unary(
    "CLAMP", 10, (*_INT8_16, *_FLOATS), _EXACT, Attr("min_val", Kind.ELEMENT, "in_out_t"),
    Attr("max_val", Kind.ELEMENT, "in_out_t"), _NAN_MODE, operand="input",
)
ERF = _unary("ERF", 11, _FLOATS, _ulp(5), operand="input")
SIGMOID = _unary("SIGMOID", 12, _FLOATS, _BOUND, operand="input")
TANH = _unary("TANH", 13, _FLOATS, _BOUND, operand="input")

# ** 2.5 Elementwise binary operators **

ADD = _binary("ADD", 14, _SUMS, _ulp(0.5))
ARITHMETIC_RIGHT_SHIFT = _binary("ARITHMETIC_RIGHT_SHIFT", 15, _INTEGERS, _EXACT, Attr("round", Kind.BOOL))
BITWISE_AND = _binary("BITWISE_AND", 16, _INTEGERS, _EXACT)
BITWISE_OR = _binary("BITWISE_OR", 17, _INTEGERS, _EXACT)
BITWISE_XOR = _binary("BITWISE_XOR", 18, _INTEGERS, _EXACT)
INTDIV = _binary("INTDIV", 19, (*_types(_ANY, "i32"), *_I64), _EXACT)
LOGICAL_AND = _binary("LOGICAL_AND", 20, _BOOL, _EXACT)
LOGICAL_LEFT_SHIFT = _binary("LOGICAL_LEFT_SHIFT", 21, _SHIFTED, _EXACT)
LOGICAL_RIGHT_SHIFT = _binary("LOGICAL_RIGHT_SHIFT", 22, _SHIFTED, _EXACT)
LOGICAL_OR = _binary("LOGICAL_OR", 23, _BOOL, _EXACT)
LOGICAL_XOR = _binary("LOGICAL_XOR", 24, _BOOL, _EXACT)
MAXIMUM = _binary("MAXIMUM", 25, _NUMBERS, _EXACT, _NAN_MODE)
MINIMUM = _binary("MINIMUM", 26, _NUMBERS, _EXACT, _NAN_MODE)
MUL = _op(
    "MUL", 27, (_tensor("input1", "in_t"), _tensor("input2", "in_t"), Operand("shift", "i8", (1, 1), (1,), ctc=True)),
    (_tensor("output", "out_t"),),
    (*_types(_INT, "i8 i32", "i16 i32"), (_ANY, "i32 i32"), (_INT64, "i64 i64"), *_repeat(_FLOATS, 2)), _ulp(0.5),
    variables="in_t out_t", elementwise=2,
)
POW = _binary("POW", 28, _FLOATS, _BOUND)
SUB = _binary("SUB", 29, _SUMS, _ulp(0.5))
TABLE = _op(
    "TABLE", 30, (_tensor("input1", "in_t"), _tensor("table", "table_t", 1, ctc=True)), (_tensor("output", "out_t"),),
    ((_INT, "i8 i8 i8"), (_INT16, "i16 i16 i32")), _EXACT, variables="in_t table_t out_t", elementwise=1,
)

# ** 2.6 Elementwise unary operators **

ABS = _unary("ABS", 31, _NUMBERS, _EXACT)
BITWISE_NOT = _unary("BITWISE_NOT", 32, _INTEGERS, _EXACT)
CEIL = _unary("CEIL", 33, _FLOATS, _ulp(0.5))
CLZ = _unary("CLZ", 34, (*_types(_INT, "i32"), *_I64), _EXACT)
COS = _unary("COS", 35, _FLOATS, _BOUND)
EXP = _unary("EXP", 36, _FLOATS, _BOUND)
FLOOR = _unary("FLOOR", 37, _FLOATS, _ulp(0.5))
LOG = _unary("LOG", 38, _FLOATS, _ulp(5))
LOGICAL_NOT = _unary("LOGICAL_NOT", 39, _BOOL, _EXACT)
NEGATE = _op(
    "NEGATE", 40, (_tensor("input1"), _zero_point("input1_zp"), _zero_point("output_zp")), (_tensor("output"),),
    (*_types(_INT, "i8 i32", "i16 i32", "i32 i32"), (_INT64, "i64 i64"), *_repeat(_FLOATS, 2)), _EXACT,
    variables="in_out_t acc_t", elementwise=1,
)
RECIPROCAL = _unary("RECIPROCAL", 41, _FLOATS, _ulp(1))
RSQRT = _unary("RSQRT", 42, _FLOATS, _ulp(2))
SIN = _unary("SIN", 43, _FLOATS, _BOUND)

# ** 2.7 Elementwise ternary operators **

SELECT = _op(
    "SELECT", 44, (_tensor("input1", "bool"), _tensor("input2"), _tensor("input3")), (_tensor("output"),),
    (*_BOOL, *_INTEGERS, *_FLOATS), _EXACT, elementwise=3,
)

# ** 2.8 Comparison operators **

EQUAL = _comparison("EQUAL", 45)
GREATER = _comparison("GREATER", 46)
GREATER_EQUAL = _comparison("GREATER_EQUAL", 47)

# ** 2.9 Reduction operators **

REDUCE_ALL = _reduction("REDUCE_ALL", 48, _BOOL, _EXACT)
REDUCE_ANY = _reduction("REDUCE_ANY", 49, _BOOL, _EXACT)
REDUCE_MAX = _reduction("REDUCE_MAX", 50, (*_INTEGERS, *_FLOATS), _EXACT, _NAN_MODE)
REDUCE_MIN = _reduction("REDUCE_MIN", 51, (*_INTEGERS, *_FLOATS), _EXACT, _NAN_MODE)
REDUCE_PRODUCT = _reduction("REDUCE_PRODUCT", 52, _FLOATS, _BOUND)
REDUCE_SUM = _reduction(
    "REDUCE_SUM", 53,
    ((_INT, "i32 i32"), (_INT64, "i64 i64"), (_FP, "fp16 fp16"), (_BF16, "bf16 fp32"), (_FP, "fp32 fp32")),
    _dot_product(lambda shapes, attributes: shapes[0][attributes["axis"]]), variables="in_out_t acc_t",
)

# ** 2.10 Data layout **

CONCAT = _op(
    "CONCAT", 54, (Operand("input1", "in_out_t", _AXES, variadic=True),), (_tensor("output", rank=_AXES),),
    (*_BOOL, *_INT8_16, *_types(_INT, "i32"), *_I64, *_FP8, *_FLOATS), _EXACT, _AXIS,
)
PAD = _layout("PAD", 55, _shape("padding"), _zero_point("pad_const"))
RESHAPE = _op("RESHAPE", 56, (_tensor("input1"), _shape("shape")), (_tensor("output"),), _MOVED, _EXACT)
REVERSE = _layout("REVERSE", 57, attributes=(_AXIS,))
SLICE = _layout("SLICE", 58, _shape("start"), _shape("size"))
TILE = _layout("TILE", 59, _shape("multiples"))
TRANSPOSE = _layout("TRANSPOSE", 60, attributes=(_sizes("perms", None),))

# ** 2.11 Scatter/gather operators **

GATHER = _op(
    "GATHER", 61, (_tensor("values", rank=3), _tensor("indices", "index_t", 2)), (_tensor("output", rank=3),),
    _GATHERED, _EXACT, variables="index_t in_out_t",
)
SCATTER = _op(
    "SCATTER", 62, (_tensor("values_in", rank=3), _tensor("indices", "index_t", 2), _tensor("input", rank=3)),
    (_tensor("values_out", rank=3),), _GATHERED, _EXACT, variables="index_t in_out_t",
)

# ** 2.12 Image operators **

RESIZE = _op(
    "RESIZE", 63, (_tensor("input", "in_t", 4), _shape("scale", 4), _shape("offset", 2), _shape("border", 2)),
    (_tensor("output", "out_t", 4),),
    (*_types(_INT, "i16 i8 i32", "i16 i8 i8"), *_types(_INT16, "i16 i16 i48", "i16 i16 i16"), *_repeat(_FLOATS, 3)),
    _BOUND, Attr("mode", Kind.ENUMERANT, "resize_mode"), variables="resize_t in_t out_t", blockwise=True,
)

# ** 2.13 Type conversion **

CAST = _op(
    "CAST", 64, (_tensor("input", "in_t"),), (_tensor("output", "out_t"),),
    (
        *_prepend("bool", (*_types(_INT, *_NARROW), *_I64, (f"{_FP}&{_LATER}", "fp32"))),
        (_INT64, "i32 i64"),
        *_types(_INT64, "i64 bool", "i64 i32"),
        (f"{_FP}&{_LATER}", "fp32 bool"),
        *_prepend("i8", (*_types(_INT, "bool", "i16", "i32"), *_FLOATS)),
        *_prepend("i16", (*_types(_INT, "bool", "i8", "i32"), *_FLOATS)),
        *_prepend("i32", (*_types(_INT, "bool", "i8", "i16"), *_FLOATS)),
        *_types(_BF16, "bf16 i8", "bf16 i16", "bf16 i32"),
        *((f"{_BF16}&{needed}", f"bf16 {type}") for needed, type in _FP8),
        (_BF16, "bf16 fp32"),
        *_prepend("fp8e4m3", ((_E4M3, "fp16"), (f"{_BF16}&{_E4M3}", "bf16"), (_E4M3, "fp32"))),
        *_prepend("fp8e5m2", ((_E5M2, "fp16"), (f"{_BF16}&{_E5M2}", "bf16"), (_E5M2, "fp32"))),
        *_prepend("fp16", (*_types(_FP, "i8", "i16", "i32"), *_FP8, *_types(_FP, "fp32"))),
        *_prepend("fp32", (*_types(_FP, "i8", "i16", "i32"), *_FP8, *_types(_BF16, "bf16"), *_types(_FP, "fp16"))),
    ),
    Precision(Clause.CAST), variables="in_t out_t", elementwise=1,
)
RESCALE = _op(
    "RESCALE", 65,
    (
        _tensor("input", "in_t"),
        _tensor("multiplier", "mul_t", 1, ctc=True),
        _tensor("shift", "i8", 1, ctc=True),
        _zero_point("input_zp", "in_t"),
        _zero_point("output_zp", "out_t"),
    ),
    (_tensor("output", "out_t"),),
    (
        *_prepend("i8", _types(_INT, *_NARROW)),
        *_prepend("i16", _types(_INT, *_NARROW)),
        *_prepend("i32", _types(_INT, *_NARROW)),
        *_types(_INT16, "i48 i8", "i48 i16", "i48 i32"),
    ),
    Precision(Clause.RESCALE), Attr("scale32", Kind.BOOL), Attr("rounding_mode", Kind.ENUMERANT, "rounding_mode"),
    Attr("per_channel", Kind.BOOL), Attr("input_unsigned", Kind.BOOL), Attr("output_unsigned", Kind.BOOL),
    variables="in_t out_t", elementwise=1,
)

# ** 2.14 Data nodes **

CONST = _op(
    "CONST", None, (), (_tensor("output", "out_t", ctc=True),), _STORED, _EXACT,
    Attr("values", Kind.ELEMENT, "out_t", size=None), variables="out_t",
)
IDENTITY = _op("IDENTITY", None, (_tensor("input1"),), (_tensor("output"),), _STORED, _EXACT)

# ** 2.15 Custom operators **

CUSTOM = _control(
    "CUSTOM", (_tensors("input_list"),), _ANY, Attr("operator_name", Kind.STR), Attr("domain_name", Kind.STR),
    Attr("implementation_attrs", Kind.BYTES),
)

# ** 2.16 Control flow operators **

COND_IF = _control(
    "COND_IF", (_tensor("condition", "bool"), _tensors("input_list")), "EXT-CONTROLFLOW",
    Attr("then_graph", Kind.GRAPH), Attr("else_graph", Kind.GRAPH),
)
WHILE_LOOP = _control(
    "WHILE_LOOP", (_tensors("input_list"),), "EXT-CONTROLFLOW", Attr("cond_graph", Kind.GRAPH),
    Attr("body_graph", Kind.GRAPH),
)

# ** 2.17 Variable operators **

VARIABLE = _op(
    "VARIABLE", None, (), (), _VARIABLES, None, _NAME, _sizes("var_shape", None), Attr("type", Kind.DTYPE),
    Attr("initial_value", Kind.ELEMENT, "in_t", size=None, optional=True), variables="in_t", control=True, effect=True,
)
VARIABLE_WRITE = _op(
    "VARIABLE_WRITE", None, (_tensor("input1", "in_t"),), (), _VARIABLES, None, _NAME, variables="in_t", control=True,
    effect=True,
)
VARIABLE_READ = _op(
    "VARIABLE_READ", None, (), (_tensor("output1", "out_t"),), _VARIABLES, None, _NAME, variables="out_t", control=True,
)

# ** 2.18 Shape operators **

CONST_SHAPE = _op(
    "CONST_SHAPE", None, (), (Operand("output", "shape", ctc=True),), _types(_ANY, ""), _EXACT, _sizes("values", None),
    variables="",
)
CONSTANTS = frozenset({CONST, CONST_SHAPE})

# ** Operators of 1.1, in the order of the flatbuffer schema **

_MEASURED = (*_BOOL, *_types(_INT, *_NARROW), *_FP8, *_FLOATS, *_I64)
_ROWS = (*_BOOL, *_types(_ANY, "i8", "i32"), *_types(f"{_INT}&{_INT16}", "i16"), *_I64, *_FP8, *_FLOATS)
_MULTIPLIED = (
    (_INT, "i8 i8 i32"), (_INT16, "i16 i16 i48"), (_FP, "fp16 fp16 fp16"), *_product_types(tuple(_FLOAT_NEEDS), "fp32"),
    *_product_types(("fp8e4m3", "fp8e5m2", "fp16", "bf16"), "bf16"),
)

DIM = _later(
    "DIM", (_tensor("input1", "in_t", _AXES),), (Operand("output", "shape"),), _require(_SHAPE, _MEASURED), _EXACT,
    _AXIS, variables="in_t",
)
CONCAT_SHAPE = _shape_operator("CONCAT_SHAPE", _static_shape("input", variadic=True))
ADD_SHAPE = _binary_of_shapes("ADD_SHAPE")
SUB_SHAPE = _binary_of_shapes("SUB_SHAPE")
MUL_SHAPE = _binary_of_shapes("MUL_SHAPE")
SLICE_SHAPE = _shape_operator(
    "SLICE_SHAPE", _static_shape("input"), _static_number("start"), _static_number("size"),
)
EXP2_SHAPE = _shape_operator("EXP2_SHAPE", _static_shape("input"))
LOG2_CEIL_SHAPE = _shape_operator("LOG2_CEIL_SHAPE", _static_shape("input"))
LOG2_FLOOR_SHAPE = _shape_operator("LOG2_FLOOR_SHAPE", _static_shape("input"))
MAX_SHAPE = _binary_of_shapes("MAX_SHAPE")
MIN_SHAPE = _binary_of_shapes("MIN_SHAPE")
MOD_SHAPE = _binary_of_shapes("MOD_SHAPE")
DIV_CEIL_SHAPE = _binary_of_shapes("DIV_CEIL_SHAPE")
DIV_FLOOR_SHAPE = _binary_of_shapes("DIV_FLOOR_SHAPE")
ASSERT_EQUAL_SHAPE = _shape_operator(
    "ASSERT_EQUAL_SHAPE", _static_shape("input1"), _static_shape("input2"), output=False,
    attributes=(Attr("allow_broadcast", Kind.BOOL),),
)
_AT_RUN = tuple(_shape(name, length) for name, length in (("kernel", 2), ("stride", 2), ("pad", 4)))

MAX_POOL2D_ADAPTIVE = _later(
    "MAX_POOL2D_ADAPTIVE", (_tensor("input", rank=4), *_AT_RUN), (_tensor("output", rank=4),), _POOLED, _EXACT,
    _NAN_MODE,
)
AVG_POOL2D_ADAPTIVE = _later(
    "AVG_POOL2D_ADAPTIVE", (_tensor("input", rank=4), _zero_point("input_zp"), _zero_point("output_zp"), *_AT_RUN),
    (_tensor("output", rank=4),), (*_append(_INT8_16, "i32"), *_ACCUMULATED),
    _dot_product(lambda shapes, _: prod(shapes[0][1:3])), _ACC_TYPE, variables="in_out_t acc_t",
)
ROW_GATHER = _later(
    "ROW_GATHER",
    (_tensor("values", rank=3), _tensor("indices", "index_t", 2), _static_number("row_count")),
    (_tensor("output", rank=3),), (*_prepend("i32", _ROWS), *_require(_INT64, _prepend("i64", _ROWS))), _EXACT,
    variables="index_t in_out_t",
)
MATMUL_T = _later(
    "MATMUL_T",
    (_tensor("A", "A_t", 3), _tensor("B", "B_t", 3), _zero_point("A_zp", "A_t"), _zero_point("B_zp", "B_t")),
    (_tensor("output", "out_t", 3),), _MULTIPLIED, _dot_product(lambda shapes, _: shapes[0][2]),
    variables="A_t B_t out_t",
)

# fmt: on

SHAPE_OPERATORS = frozenset(  # those that compute shapes from shapes, or from a tensor's type
    row for row in BY_OPCODE.values() if row.since == DRAFT and row.outputs and row.outputs[0].type == "shape"
)
OPERATORS: tuple[OpDef, ...] = tuple(BY_OPCODE.values())  # of the specification above, in its order
