"""Every operator of TOSA 1.0 as one row: arguments, types by profile and extension, constants, level limits.

The facts are those of chapter 2 of the TOSA 1.0 specification, in its order, which is also the order of
the `Op` enumeration of the flatbuffer schema and of the instruction numbers of TOSA.001000.1.
"""

from typing import NamedTuple

MAX_RANK = 99  # stands for the level's MAX_RANK in a row


class Operand(NamedTuple):
    """A tensor argument: an input or an output of an operator."""

    name: str
    type: str  # a type variable of the operator, a type name, or "any"
    rank: int | tuple[int, int] = (0, MAX_RANK)
    shape: tuple[int, ...] | None = None  # where the specification fixes it
    variadic: bool = False  # a tensor_list_t
    ctc: bool = False  # must be a compile-time constant unless EXT-DYNAMIC

    @property
    def ranks(self) -> tuple[int, int]:
        """Smallest and largest rank."""
        return (self.rank, self.rank) if isinstance(self.rank, int) else self.rank


class Attr(NamedTuple):
    """An attribute argument.

    `kind` is i32, bool, str, bytes, graph, dtype, an enumeration's name, a type variable (a scalar of that type),
    or one of these with [n] or [] behind it for a list.
    """

    name: str
    kind: str
    limit: str = ""  # the level limit that bounds every element
    optional: bool = False


class OpDef(NamedTuple):
    """One operator. `types` pairs what must be supported ("A|B": either, "A&B": both) with a value per variable."""

    name: str
    inputs: tuple[Operand, ...]
    attributes: tuple[Attr, ...]
    outputs: tuple[Operand, ...]
    type_variables: str
    types: tuple[tuple[str, str], ...]

    def __hash__(self) -> int:
        """Rows are looked up often, and no two have the same name."""
        return hash(self.name)

    @property
    def opcode(self) -> str:
        """The name of the operator in the IR, `tosa.add`."""
        return "tosa." + self.name.lower()


# ** 2.3 Tensor operators **

ARGMAX = OpDef(
    "ARGMAX",
    inputs=(Operand("input", "in_t", (1, MAX_RANK)),),
    attributes=(
        Attr("axis", "i32"),
        Attr("nan_mode", "nan_mode"),
    ),
    outputs=(Operand("output", "out_t", (0, MAX_RANK - 1)),),
    type_variables="in_t out_t",
    types=(
        ("PRO-INT", "i8 i32"),
        ("EXT-INT16", "i16 i32"),
        ("EXT-FP8E4M3", "fp8e4m3 i32"),
        ("EXT-FP8E5M2", "fp8e5m2 i32"),
        ("PRO-FP", "fp16 i32"),
        ("EXT-BF16", "bf16 i32"),
        ("PRO-FP", "fp32 i32"),
    ),
)

AVG_POOL2D = OpDef(
    "AVG_POOL2D",
    inputs=(
        Operand("input", "in_out_t", 4),
        Operand("input_zp", "in_out_t", 1, shape=(1,), ctc=True),
        Operand("output_zp", "in_out_t", 1, shape=(1,), ctc=True),
    ),
    attributes=(
        Attr("kernel", "i32[2]", limit="MAX_KERNEL"),
        Attr("stride", "i32[2]", limit="MAX_STRIDE"),
        Attr("pad", "i32[4]", limit="MAX_KERNEL"),
        Attr("acc_type", "acc_type"),
    ),
    outputs=(Operand("output", "in_out_t", 4),),
    type_variables="in_out_t acc_t",
    types=(
        ("PRO-INT", "i8 i32"),
        ("EXT-INT16", "i16 i32"),
        ("EXT-FP8E4M3", "fp8e4m3 fp16"),
        ("EXT-FP8E5M2", "fp8e5m2 fp16"),
        ("PRO-FP", "fp16 fp16"),
        ("PRO-FP", "fp16 fp32"),
        ("EXT-BF16", "bf16 fp32"),
        ("PRO-FP", "fp32 fp32"),
    ),
)

CONV2D = OpDef(
    "CONV2D",
    inputs=(
        Operand("input", "in_t", 4),
        Operand("weight", "weight_t", 4),
        Operand("bias", "out_t", 1),
        Operand("input_zp", "in_t", 1, shape=(1,), ctc=True),
        Operand("weight_zp", "weight_t", 1, shape=(1,), ctc=True),
    ),
    attributes=(
        Attr("pad", "i32[4]", limit="MAX_KERNEL"),
        Attr("stride", "i32[2]", limit="MAX_STRIDE"),
        Attr("dilation", "i32[2]"),
        Attr("acc_type", "acc_type"),
        Attr("local_bound", "bool", optional=True),
    ),
    outputs=(Operand("output", "out_t", 4),),
    type_variables="in_t weight_t out_t acc_t",
    types=(
        ("PRO-INT", "i8 i8 i32 i32"),
        ("EXT-INT4", "i8 i4 i32 i32"),
        ("EXT-INT16", "i16 i8 i48 i48"),
        ("EXT-FP8E4M3", "fp8e4m3 fp8e4m3 fp16 fp16"),
        ("EXT-FP8E5M2", "fp8e5m2 fp8e5m2 fp16 fp16"),
        ("PRO-FP", "fp16 fp16 fp16 fp16"),
        ("PRO-FP", "fp16 fp16 fp16 fp32"),
        ("EXT-BF16", "bf16 bf16 bf16 fp32"),
        ("PRO-FP", "fp32 fp32 fp32 fp32"),
    ),
)

CONV3D = OpDef(
    "CONV3D",
    inputs=(
        Operand("input", "in_t", 5),
        Operand("weight", "weight_t", 5),
        Operand("bias", "out_t", 1),
        Operand("input_zp", "in_t", 1, shape=(1,), ctc=True),
        Operand("weight_zp", "weight_t", 1, shape=(1,), ctc=True),
    ),
    attributes=(
        Attr("pad", "i32[6]", limit="MAX_KERNEL"),
        Attr("stride", "i32[3]", limit="MAX_STRIDE"),
        Attr("dilation", "i32[3]"),
        Attr("acc_type", "acc_type"),
        Attr("local_bound", "bool", optional=True),
    ),
    outputs=(Operand("output", "out_t", 5),),
    type_variables="in_t weight_t out_t acc_t",
    types=(
        ("PRO-INT", "i8 i8 i32 i32"),
        ("EXT-INT4", "i8 i4 i32 i32"),
        ("EXT-INT16", "i16 i8 i48 i48"),
        ("EXT-FP8E4M3", "fp8e4m3 fp8e4m3 fp16 fp16"),
        ("EXT-FP8E5M2", "fp8e5m2 fp8e5m2 fp16 fp16"),
        ("PRO-FP", "fp16 fp16 fp16 fp16"),
        ("PRO-FP", "fp16 fp16 fp16 fp32"),
        ("EXT-BF16", "bf16 bf16 bf16 fp32"),
        ("PRO-FP", "fp32 fp32 fp32 fp32"),
    ),
)

DEPTHWISE_CONV2D = OpDef(
    "DEPTHWISE_CONV2D",
    inputs=(
        Operand("input", "in_t", 4),
        Operand("weight", "weight_t", 4),
        Operand("bias", "out_t", 1),
        Operand("input_zp", "in_t", 1, shape=(1,), ctc=True),
        Operand("weight_zp", "weight_t", 1, shape=(1,), ctc=True),
    ),
    attributes=(
        Attr("pad", "i32[4]", limit="MAX_KERNEL"),
        Attr("stride", "i32[2]", limit="MAX_STRIDE"),
        Attr("dilation", "i32[2]"),
        Attr("acc_type", "acc_type"),
        Attr("local_bound", "bool", optional=True),
    ),
    outputs=(Operand("output", "out_t", 4),),
    type_variables="in_t weight_t out_t acc_t",
    types=(
        ("PRO-INT", "i8 i8 i32 i32"),
        ("EXT-INT4", "i8 i4 i32 i32"),
        ("EXT-INT16", "i16 i8 i48 i48"),
        ("EXT-FP8E4M3", "fp8e4m3 fp8e4m3 fp16 fp16"),
        ("EXT-FP8E5M2", "fp8e5m2 fp8e5m2 fp16 fp16"),
        ("PRO-FP", "fp16 fp16 fp16 fp16"),
        ("PRO-FP", "fp16 fp16 fp16 fp32"),
        ("EXT-BF16", "bf16 bf16 bf16 fp32"),
        ("PRO-FP", "fp32 fp32 fp32 fp32"),
    ),
)

FFT2D = OpDef(
    "FFT2D",
    inputs=(
        Operand("input_real", "in_out_t", 3),
        Operand("input_imag", "in_out_t", 3),
    ),
    attributes=(
        Attr("inverse", "bool"),
        Attr("local_bound", "bool", optional=True),
    ),
    outputs=(
        Operand("output_real", "in_out_t", 3),
        Operand("output_imag", "in_out_t", 3),
    ),
    type_variables="in_out_t",
    types=(("EXT-FFT", "fp32"),),
)

MATMUL = OpDef(
    "MATMUL",
    inputs=(
        Operand("A", "in_t", 3),
        Operand("B", "in_t", 3),
        Operand("A_zp", "in_t", 1, shape=(1,), ctc=True),
        Operand("B_zp", "in_t", 1, shape=(1,), ctc=True),
    ),
    attributes=(),
    outputs=(Operand("output", "out_t", 3),),
    type_variables="in_t out_t",
    types=(
        ("PRO-INT", "i8 i32"),
        ("EXT-INT16", "i16 i48"),
        ("EXT-FP8E4M3", "fp8e4m3 fp16"),
        ("EXT-FP8E5M2", "fp8e5m2 fp16"),
        ("PRO-FP", "fp16 fp16"),
        ("PRO-FP", "fp16 fp32"),
        ("EXT-BF16", "bf16 fp32"),
        ("PRO-FP", "fp32 fp32"),
    ),
)

MAX_POOL2D = OpDef(
    "MAX_POOL2D",
    inputs=(Operand("input", "in_out_t", 4),),
    attributes=(
        Attr("kernel", "i32[2]", limit="MAX_KERNEL"),
        Attr("stride", "i32[2]", limit="MAX_STRIDE"),
        Attr("pad", "i32[4]", limit="MAX_KERNEL"),
        Attr("nan_mode", "nan_mode"),
    ),
    outputs=(Operand("output", "in_out_t", 4),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT", "i8"),
        ("EXT-INT16", "i16"),
        ("EXT-FP8E4M3", "fp8e4m3"),
        ("EXT-FP8E5M2", "fp8e5m2"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

RFFT2D = OpDef(
    "RFFT2D",
    inputs=(Operand("input_real", "in_out_t", 3),),
    attributes=(Attr("local_bound", "bool", optional=True),),
    outputs=(
        Operand("output_real", "in_out_t", 3),
        Operand("output_imag", "in_out_t", 3),
    ),
    type_variables="in_out_t",
    types=(("EXT-FFT", "fp32"),),
)

TRANSPOSE_CONV2D = OpDef(
    "TRANSPOSE_CONV2D",
    inputs=(
        Operand("input", "in_t", 4),
        Operand("weight", "weight_t", 4),
        Operand("bias", "out_t", 1),
        Operand("input_zp", "in_t", 1, shape=(1,), ctc=True),
        Operand("weight_zp", "weight_t", 1, shape=(1,), ctc=True),
    ),
    attributes=(
        Attr("out_pad", "i32[4]", limit="MAX_KERNEL"),
        Attr("stride", "i32[2]", limit="MAX_STRIDE"),
        Attr("acc_type", "acc_type"),
        Attr("local_bound", "bool", optional=True),
    ),
    outputs=(Operand("output", "out_t", 4),),
    type_variables="in_t weight_t out_t acc_t",
    types=(
        ("PRO-INT", "i8 i8 i32 i32"),
        ("EXT-INT4", "i8 i4 i32 i32"),
        ("EXT-INT16", "i16 i8 i48 i48"),
        ("EXT-FP8E4M3", "fp8e4m3 fp8e4m3 fp16 fp16"),
        ("EXT-FP8E5M2", "fp8e5m2 fp8e5m2 fp16 fp16"),
        ("PRO-FP", "fp16 fp16 fp16 fp16"),
        ("PRO-FP", "fp16 fp16 fp16 fp32"),
        ("EXT-BF16", "bf16 bf16 bf16 fp32"),
        ("PRO-FP", "fp32 fp32 fp32 fp32"),
    ),
)

# ** 2.4 Activation functions **

CLAMP = OpDef(
    "CLAMP",
    inputs=(Operand("input", "in_out_t", (0, MAX_RANK)),),
    attributes=(
        Attr("min_val", "in_out_t"),
        Attr("max_val", "in_out_t"),
        Attr("nan_mode", "nan_mode"),
    ),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT", "i8"),
        ("EXT-INT16", "i16"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

ERF = OpDef(
    "ERF",
    inputs=(Operand("input", "in_out_t", (0, MAX_RANK)),),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

SIGMOID = OpDef(
    "SIGMOID",
    inputs=(Operand("input", "in_out_t", (0, MAX_RANK)),),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

TANH = OpDef(
    "TANH",
    inputs=(Operand("input", "in_out_t", (0, MAX_RANK)),),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

# ** 2.5 Elementwise binary operators **

ADD = OpDef(
    "ADD",
    inputs=(
        Operand("input1", "in_out_t", (0, MAX_RANK)),
        Operand("input2", "in_out_t", (0, MAX_RANK)),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT|PRO-FP", "i32"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

ARITHMETIC_RIGHT_SHIFT = OpDef(
    "ARITHMETIC_RIGHT_SHIFT",
    inputs=(
        Operand("input1", "in_out_t", (0, MAX_RANK)),
        Operand("input2", "in_out_t", (0, MAX_RANK)),
    ),
    attributes=(Attr("round", "bool"),),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT", "i8"),
        ("PRO-INT", "i16"),
        ("PRO-INT", "i32"),
    ),
)

BITWISE_AND = OpDef(
    "BITWISE_AND",
    inputs=(
        Operand("input1", "in_out_t", (0, MAX_RANK)),
        Operand("input2", "in_out_t", (0, MAX_RANK)),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT", "i8"),
        ("PRO-INT", "i16"),
        ("PRO-INT", "i32"),
    ),
)

BITWISE_OR = OpDef(
    "BITWISE_OR",
    inputs=(
        Operand("input1", "in_out_t", (0, MAX_RANK)),
        Operand("input2", "in_out_t", (0, MAX_RANK)),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT", "i8"),
        ("PRO-INT", "i16"),
        ("PRO-INT", "i32"),
    ),
)

BITWISE_XOR = OpDef(
    "BITWISE_XOR",
    inputs=(
        Operand("input1", "in_out_t", (0, MAX_RANK)),
        Operand("input2", "in_out_t", (0, MAX_RANK)),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT", "i8"),
        ("PRO-INT", "i16"),
        ("PRO-INT", "i32"),
    ),
)

INTDIV = OpDef(
    "INTDIV",
    inputs=(
        Operand("input1", "in_out_t", (0, MAX_RANK)),
        Operand("input2", "in_out_t", (0, MAX_RANK)),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(("PRO-INT|PRO-FP", "i32"),),
)

LOGICAL_AND = OpDef(
    "LOGICAL_AND",
    inputs=(
        Operand("input1", "in_out_t", (0, MAX_RANK)),
        Operand("input2", "in_out_t", (0, MAX_RANK)),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(("PRO-INT|PRO-FP", "bool"),),
)

LOGICAL_LEFT_SHIFT = OpDef(
    "LOGICAL_LEFT_SHIFT",
    inputs=(
        Operand("input1", "in_out_t", (0, MAX_RANK)),
        Operand("input2", "in_out_t", (0, MAX_RANK)),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT|PRO-FP", "i8"),
        ("PRO-INT|PRO-FP", "i16"),
        ("PRO-INT|PRO-FP", "i32"),
    ),
)

LOGICAL_RIGHT_SHIFT = OpDef(
    "LOGICAL_RIGHT_SHIFT",
    inputs=(
        Operand("input1", "in_out_t", (0, MAX_RANK)),
        Operand("input2", "in_out_t", (0, MAX_RANK)),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT|PRO-FP", "i8"),
        ("PRO-INT|PRO-FP", "i16"),
        ("PRO-INT|PRO-FP", "i32"),
    ),
)

LOGICAL_OR = OpDef(
    "LOGICAL_OR",
    inputs=(
        Operand("input1", "in_out_t", (0, MAX_RANK)),
        Operand("input2", "in_out_t", (0, MAX_RANK)),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(("PRO-INT|PRO-FP", "bool"),),
)

LOGICAL_XOR = OpDef(
    "LOGICAL_XOR",
    inputs=(
        Operand("input1", "in_out_t", (0, MAX_RANK)),
        Operand("input2", "in_out_t", (0, MAX_RANK)),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(("PRO-INT|PRO-FP", "bool"),),
)

MAXIMUM = OpDef(
    "MAXIMUM",
    inputs=(
        Operand("input1", "in_out_t", (0, MAX_RANK)),
        Operand("input2", "in_out_t", (0, MAX_RANK)),
    ),
    attributes=(Attr("nan_mode", "nan_mode"),),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT", "i32"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

MINIMUM = OpDef(
    "MINIMUM",
    inputs=(
        Operand("input1", "in_out_t", (0, MAX_RANK)),
        Operand("input2", "in_out_t", (0, MAX_RANK)),
    ),
    attributes=(Attr("nan_mode", "nan_mode"),),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT", "i32"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

MUL = OpDef(
    "MUL",
    inputs=(
        Operand("input1", "in_t", (0, MAX_RANK)),
        Operand("input2", "in_t", (0, MAX_RANK)),
        Operand("shift", "i8", 1, shape=(1,), ctc=True),
    ),
    attributes=(),
    outputs=(Operand("output", "out_t", (0, MAX_RANK)),),
    type_variables="in_t out_t",
    types=(
        ("PRO-INT", "i8 i32"),
        ("PRO-INT", "i16 i32"),
        ("PRO-INT|PRO-FP", "i32 i32"),
        ("PRO-FP", "fp16 fp16"),
        ("EXT-BF16", "bf16 bf16"),
        ("PRO-FP", "fp32 fp32"),
    ),
)

POW = OpDef(
    "POW",
    inputs=(
        Operand("input1", "in_out_t", (0, MAX_RANK)),
        Operand("input2", "in_out_t", (0, MAX_RANK)),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

SUB = OpDef(
    "SUB",
    inputs=(
        Operand("input1", "in_out_t", (0, MAX_RANK)),
        Operand("input2", "in_out_t", (0, MAX_RANK)),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT|PRO-FP", "i32"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

TABLE = OpDef(
    "TABLE",
    inputs=(
        Operand("input1", "in_t", (0, MAX_RANK)),
        Operand("table", "table_t", 1, ctc=True),
    ),
    attributes=(),
    outputs=(Operand("output", "out_t", (0, MAX_RANK)),),
    type_variables="in_t table_t out_t",
    types=(
        ("PRO-INT", "i8 i8 i8"),
        ("EXT-INT16", "i16 i16 i32"),
    ),
)

# ** 2.6 Elementwise unary operators **

ABS = OpDef(
    "ABS",
    inputs=(Operand("input1", "in_out_t", (0, MAX_RANK)),),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT", "i32"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

BITWISE_NOT = OpDef(
    "BITWISE_NOT",
    inputs=(Operand("input1", "in_out_t", (0, MAX_RANK)),),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT", "i8"),
        ("PRO-INT", "i16"),
        ("PRO-INT", "i32"),
    ),
)

CEIL = OpDef(
    "CEIL",
    inputs=(Operand("input1", "in_out_t", (0, MAX_RANK)),),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

CLZ = OpDef(
    "CLZ",
    inputs=(Operand("input1", "in_out_t", (0, MAX_RANK)),),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(("PRO-INT", "i32"),),
)

COS = OpDef(
    "COS",
    inputs=(Operand("input1", "in_out_t", (0, MAX_RANK)),),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

EXP = OpDef(
    "EXP",
    inputs=(Operand("input1", "in_out_t", (0, MAX_RANK)),),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

FLOOR = OpDef(
    "FLOOR",
    inputs=(Operand("input1", "in_out_t", (0, MAX_RANK)),),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

LOG = OpDef(
    "LOG",
    inputs=(Operand("input1", "in_out_t", (0, MAX_RANK)),),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

LOGICAL_NOT = OpDef(
    "LOGICAL_NOT",
    inputs=(Operand("input1", "in_out_t", (0, MAX_RANK)),),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(("PRO-INT|PRO-FP", "bool"),),
)

NEGATE = OpDef(
    "NEGATE",
    inputs=(
        Operand("input1", "in_out_t", (0, MAX_RANK)),
        Operand("input1_zp", "in_out_t", 1, shape=(1,), ctc=True),
        Operand("output_zp", "in_out_t", 1, shape=(1,), ctc=True),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t acc_t",
    types=(
        ("PRO-INT", "i8 i32"),
        ("PRO-INT", "i16 i32"),
        ("PRO-INT", "i32 i32"),
        ("PRO-FP", "fp16 fp16"),
        ("EXT-BF16", "bf16 bf16"),
        ("PRO-FP", "fp32 fp32"),
    ),
)

RECIPROCAL = OpDef(
    "RECIPROCAL",
    inputs=(Operand("input1", "in_out_t", (0, MAX_RANK)),),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

RSQRT = OpDef(
    "RSQRT",
    inputs=(Operand("input1", "in_out_t", (0, MAX_RANK)),),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

SIN = OpDef(
    "SIN",
    inputs=(Operand("input1", "in_out_t", (0, MAX_RANK)),),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

# ** 2.7 Elementwise ternary operators **

SELECT = OpDef(
    "SELECT",
    inputs=(
        Operand("input1", "bool", (0, MAX_RANK)),
        Operand("input2", "in_out_t", (0, MAX_RANK)),
        Operand("input3", "in_out_t", (0, MAX_RANK)),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT|PRO-FP", "bool"),
        ("PRO-INT", "i8"),
        ("PRO-INT", "i16"),
        ("PRO-INT", "i32"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

# ** 2.8 Comparison operators **

EQUAL = OpDef(
    "EQUAL",
    inputs=(
        Operand("input1", "in_t", (0, MAX_RANK)),
        Operand("input2", "in_t", (0, MAX_RANK)),
    ),
    attributes=(),
    outputs=(Operand("output", "out_t", (0, MAX_RANK)),),
    type_variables="in_t out_t",
    types=(
        ("PRO-INT", "i32 bool"),
        ("PRO-FP", "fp16 bool"),
        ("EXT-BF16", "bf16 bool"),
        ("PRO-FP", "fp32 bool"),
    ),
)

GREATER = OpDef(
    "GREATER",
    inputs=(
        Operand("input1", "in_t", (0, MAX_RANK)),
        Operand("input2", "in_t", (0, MAX_RANK)),
    ),
    attributes=(),
    outputs=(Operand("output", "out_t", (0, MAX_RANK)),),
    type_variables="in_t out_t",
    types=(
        ("PRO-INT", "i32 bool"),
        ("PRO-FP", "fp16 bool"),
        ("EXT-BF16", "bf16 bool"),
        ("PRO-FP", "fp32 bool"),
    ),
)

GREATER_EQUAL = OpDef(
    "GREATER_EQUAL",
    inputs=(
        Operand("input1", "in_t", (0, MAX_RANK)),
        Operand("input2", "in_t", (0, MAX_RANK)),
    ),
    attributes=(),
    outputs=(Operand("output", "out_t", (0, MAX_RANK)),),
    type_variables="in_t out_t",
    types=(
        ("PRO-INT", "i32 bool"),
        ("PRO-FP", "fp16 bool"),
        ("EXT-BF16", "bf16 bool"),
        ("PRO-FP", "fp32 bool"),
    ),
)

# ** 2.9 Reduction operators **

REDUCE_ALL = OpDef(
    "REDUCE_ALL",
    inputs=(Operand("input", "in_out_t", (1, MAX_RANK)),),
    attributes=(Attr("axis", "i32"),),
    outputs=(Operand("output", "in_out_t", (1, MAX_RANK)),),
    type_variables="in_out_t",
    types=(("PRO-INT|PRO-FP", "bool"),),
)

REDUCE_ANY = OpDef(
    "REDUCE_ANY",
    inputs=(Operand("input", "in_out_t", (1, MAX_RANK)),),
    attributes=(Attr("axis", "i32"),),
    outputs=(Operand("output", "in_out_t", (1, MAX_RANK)),),
    type_variables="in_out_t",
    types=(("PRO-INT|PRO-FP", "bool"),),
)

REDUCE_MAX = OpDef(
    "REDUCE_MAX",
    inputs=(Operand("input", "in_out_t", (1, MAX_RANK)),),
    attributes=(
        Attr("axis", "i32"),
        Attr("nan_mode", "nan_mode"),
    ),
    outputs=(Operand("output", "in_out_t", (1, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT", "i8"),
        ("PRO-INT", "i16"),
        ("PRO-INT", "i32"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

REDUCE_MIN = OpDef(
    "REDUCE_MIN",
    inputs=(Operand("input", "in_out_t", (1, MAX_RANK)),),
    attributes=(
        Attr("axis", "i32"),
        Attr("nan_mode", "nan_mode"),
    ),
    outputs=(Operand("output", "in_out_t", (1, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT", "i8"),
        ("PRO-INT", "i16"),
        ("PRO-INT", "i32"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

REDUCE_PRODUCT = OpDef(
    "REDUCE_PRODUCT",
    inputs=(Operand("input", "in_out_t", (1, MAX_RANK)),),
    attributes=(Attr("axis", "i32"),),
    outputs=(Operand("output", "in_out_t", (1, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

REDUCE_SUM = OpDef(
    "REDUCE_SUM",
    inputs=(Operand("input", "in_out_t", (1, MAX_RANK)),),
    attributes=(Attr("axis", "i32"),),
    outputs=(Operand("output", "in_out_t", (1, MAX_RANK)),),
    type_variables="in_out_t acc_t",
    types=(
        ("PRO-INT", "i32 i32"),
        ("PRO-FP", "fp16 fp16"),
        ("EXT-BF16", "bf16 fp32"),
        ("PRO-FP", "fp32 fp32"),
    ),
)

# ** 2.10 Data layout **

CONCAT = OpDef(
    "CONCAT",
    inputs=(Operand("input1", "in_out_t", (1, MAX_RANK), variadic=True),),
    attributes=(Attr("axis", "i32"),),
    outputs=(Operand("output", "in_out_t", (1, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT|PRO-FP", "bool"),
        ("PRO-INT", "i8"),
        ("EXT-INT16", "i16"),
        ("PRO-INT", "i32"),
        ("EXT-FP8E4M3", "fp8e4m3"),
        ("EXT-FP8E5M2", "fp8e5m2"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

PAD = OpDef(
    "PAD",
    inputs=(
        Operand("input1", "in_out_t", (1, MAX_RANK)),
        Operand("padding", "shape", 1, ctc=True),
        Operand("pad_const", "in_out_t", 1, shape=(1,), ctc=True),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (1, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT|PRO-FP", "bool"),
        ("PRO-INT", "i8"),
        ("PRO-INT", "i16"),
        ("PRO-INT", "i32"),
        ("EXT-FP8E4M3", "fp8e4m3"),
        ("EXT-FP8E5M2", "fp8e5m2"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

RESHAPE = OpDef(
    "RESHAPE",
    inputs=(
        Operand("input1", "in_out_t", (0, MAX_RANK)),
        Operand("shape", "shape", 1, ctc=True),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT|PRO-FP", "bool"),
        ("PRO-INT", "i8"),
        ("PRO-INT", "i16"),
        ("PRO-INT", "i32"),
        ("EXT-FP8E4M3", "fp8e4m3"),
        ("EXT-FP8E5M2", "fp8e5m2"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

REVERSE = OpDef(
    "REVERSE",
    inputs=(Operand("input1", "in_out_t", (1, MAX_RANK)),),
    attributes=(Attr("axis", "i32"),),
    outputs=(Operand("output", "in_out_t", (1, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT|PRO-FP", "bool"),
        ("PRO-INT", "i8"),
        ("PRO-INT", "i16"),
        ("PRO-INT", "i32"),
        ("EXT-FP8E4M3", "fp8e4m3"),
        ("EXT-FP8E5M2", "fp8e5m2"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

SLICE = OpDef(
    "SLICE",
    inputs=(
        Operand("input1", "in_out_t", (1, MAX_RANK)),
        Operand("start", "shape", 1, ctc=True),
        Operand("size", "shape", 1, ctc=True),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (1, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT|PRO-FP", "bool"),
        ("PRO-INT", "i8"),
        ("PRO-INT", "i16"),
        ("PRO-INT", "i32"),
        ("EXT-FP8E4M3", "fp8e4m3"),
        ("EXT-FP8E5M2", "fp8e5m2"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

TILE = OpDef(
    "TILE",
    inputs=(
        Operand("input1", "in_out_t", (1, MAX_RANK)),
        Operand("multiples", "shape", 1, ctc=True),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (1, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT|PRO-FP", "bool"),
        ("PRO-INT", "i8"),
        ("PRO-INT", "i16"),
        ("PRO-INT", "i32"),
        ("EXT-FP8E4M3", "fp8e4m3"),
        ("EXT-FP8E5M2", "fp8e5m2"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

TRANSPOSE = OpDef(
    "TRANSPOSE",
    inputs=(Operand("input1", "in_out_t", (1, MAX_RANK)),),
    attributes=(Attr("perms", "i32[]"),),
    outputs=(Operand("output", "in_out_t", (1, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT|PRO-FP", "bool"),
        ("PRO-INT", "i8"),
        ("PRO-INT", "i16"),
        ("PRO-INT", "i32"),
        ("EXT-FP8E4M3", "fp8e4m3"),
        ("EXT-FP8E5M2", "fp8e5m2"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

# ** 2.11 Scatter/gather operators **

GATHER = OpDef(
    "GATHER",
    inputs=(
        Operand("values", "in_out_t", 3),
        Operand("indices", "index_t", 2),
    ),
    attributes=(),
    outputs=(Operand("output", "in_out_t", 3),),
    type_variables="index_t in_out_t",
    types=(
        ("PRO-INT", "i32 i8"),
        ("PRO-INT", "i32 i16"),
        ("PRO-INT", "i32 i32"),
        ("EXT-FP8E4M3", "i32 fp8e4m3"),
        ("EXT-FP8E5M2", "i32 fp8e5m2"),
        ("PRO-FP", "i32 fp16"),
        ("EXT-BF16", "i32 bf16"),
        ("PRO-FP", "i32 fp32"),
    ),
)

SCATTER = OpDef(
    "SCATTER",
    inputs=(
        Operand("values_in", "in_out_t", 3),
        Operand("indices", "index_t", 2),
        Operand("input", "in_out_t", 3),
    ),
    attributes=(),
    outputs=(Operand("values_out", "in_out_t", 3),),
    type_variables="index_t in_out_t",
    types=(
        ("PRO-INT", "i32 i8"),
        ("PRO-INT", "i32 i16"),
        ("PRO-INT", "i32 i32"),
        ("EXT-FP8E4M3", "i32 fp8e4m3"),
        ("EXT-FP8E5M2", "i32 fp8e5m2"),
        ("PRO-FP", "i32 fp16"),
        ("EXT-BF16", "i32 bf16"),
        ("PRO-FP", "i32 fp32"),
    ),
)

# ** 2.12 Image operators **

RESIZE = OpDef(
    "RESIZE",
    inputs=(
        Operand("input", "in_t", 4),
        Operand("scale", "shape", 1, shape=(4,), ctc=True),
        Operand("offset", "shape", 1, shape=(2,), ctc=True),
        Operand("border", "shape", 1, shape=(2,), ctc=True),
    ),
    attributes=(Attr("mode", "resize_mode"),),
    outputs=(Operand("output", "out_t", 4),),
    type_variables="resize_t in_t out_t",
    types=(
        ("PRO-INT", "i16 i8 i32"),
        ("PRO-INT", "i16 i8 i8"),
        ("EXT-INT16", "i16 i16 i48"),
        ("EXT-INT16", "i16 i16 i16"),
        ("PRO-FP", "fp16 fp16 fp16"),
        ("EXT-BF16", "bf16 bf16 bf16"),
        ("PRO-FP", "fp32 fp32 fp32"),
    ),
)

# ** 2.13 Type conversion **

CAST = OpDef(
    "CAST",
    inputs=(Operand("input", "in_t", (0, MAX_RANK)),),
    attributes=(),
    outputs=(Operand("output", "out_t", (0, MAX_RANK)),),
    type_variables="in_t out_t",
    types=(
        ("PRO-INT", "bool i8"),
        ("PRO-INT", "bool i16"),
        ("PRO-INT", "bool i32"),
        ("PRO-INT", "i8 bool"),
        ("PRO-INT", "i8 i16"),
        ("PRO-INT", "i8 i32"),
        ("PRO-FP", "i8 fp16"),
        ("EXT-BF16", "i8 bf16"),
        ("PRO-FP", "i8 fp32"),
        ("PRO-INT", "i16 bool"),
        ("PRO-INT", "i16 i8"),
        ("PRO-INT", "i16 i32"),
        ("PRO-FP", "i16 fp16"),
        ("EXT-BF16", "i16 bf16"),
        ("PRO-FP", "i16 fp32"),
        ("PRO-INT", "i32 bool"),
        ("PRO-INT", "i32 i8"),
        ("PRO-INT", "i32 i16"),
        ("PRO-FP", "i32 fp16"),
        ("EXT-BF16", "i32 bf16"),
        ("PRO-FP", "i32 fp32"),
        ("EXT-BF16", "bf16 i8"),
        ("EXT-BF16", "bf16 i16"),
        ("EXT-BF16", "bf16 i32"),
        ("EXT-BF16&EXT-FP8E4M3", "bf16 fp8e4m3"),
        ("EXT-BF16&EXT-FP8E5M2", "bf16 fp8e5m2"),
        ("EXT-BF16", "bf16 fp32"),
        ("EXT-FP8E4M3", "fp8e4m3 fp16"),
        ("EXT-BF16&EXT-FP8E4M3", "fp8e4m3 bf16"),
        ("EXT-FP8E4M3", "fp8e4m3 fp32"),
        ("EXT-FP8E5M2", "fp8e5m2 fp16"),
        ("EXT-BF16&EXT-FP8E5M2", "fp8e5m2 bf16"),
        ("EXT-FP8E5M2", "fp8e5m2 fp32"),
        ("PRO-FP", "fp16 i8"),
        ("PRO-FP", "fp16 i16"),
        ("PRO-FP", "fp16 i32"),
        ("EXT-FP8E4M3", "fp16 fp8e4m3"),
        ("EXT-FP8E5M2", "fp16 fp8e5m2"),
        ("PRO-FP", "fp16 fp32"),
        ("PRO-FP", "fp32 i8"),
        ("PRO-FP", "fp32 i16"),
        ("PRO-FP", "fp32 i32"),
        ("EXT-FP8E4M3", "fp32 fp8e4m3"),
        ("EXT-FP8E5M2", "fp32 fp8e5m2"),
        ("EXT-BF16", "fp32 bf16"),
        ("PRO-FP", "fp32 fp16"),
    ),
)

RESCALE = OpDef(
    "RESCALE",
    inputs=(
        Operand("input", "in_t", (0, MAX_RANK)),
        Operand("multiplier", "mul_t", 1, ctc=True),
        Operand("shift", "i8", 1, ctc=True),
        Operand("input_zp", "in_t", 1, shape=(1,), ctc=True),
        Operand("output_zp", "out_t", 1, shape=(1,), ctc=True),
    ),
    attributes=(
        Attr("scale32", "bool"),
        Attr("rounding_mode", "rounding_mode"),
        Attr("per_channel", "bool"),
        Attr("input_unsigned", "bool"),
        Attr("output_unsigned", "bool"),
    ),
    outputs=(Operand("output", "out_t", (0, MAX_RANK)),),
    type_variables="in_t out_t",
    types=(
        ("PRO-INT", "i8 i8"),
        ("PRO-INT", "i8 i16"),
        ("PRO-INT", "i8 i32"),
        ("PRO-INT", "i16 i8"),
        ("PRO-INT", "i16 i16"),
        ("PRO-INT", "i16 i32"),
        ("PRO-INT", "i32 i8"),
        ("PRO-INT", "i32 i16"),
        ("PRO-INT", "i32 i32"),
        ("EXT-INT16", "i48 i8"),
        ("EXT-INT16", "i48 i16"),
        ("EXT-INT16", "i48 i32"),
    ),
)

# ** 2.14 Data nodes **

CONST = OpDef(
    "CONST",
    inputs=(),
    attributes=(Attr("values", "out_t[]"),),
    outputs=(Operand("output", "out_t", (0, MAX_RANK), ctc=True),),
    type_variables="out_t",
    types=(
        ("PRO-INT|PRO-FP", "bool"),
        ("EXT-INT4", "i4"),
        ("PRO-INT|PRO-FP", "i8"),
        ("PRO-INT|PRO-FP", "i16"),
        ("PRO-INT|PRO-FP", "i32"),
        ("EXT-INT16", "i48"),
        ("EXT-FP8E4M3", "fp8e4m3"),
        ("EXT-FP8E5M2", "fp8e5m2"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

IDENTITY = OpDef(
    "IDENTITY",
    inputs=(Operand("input1", "in_out_t", (0, MAX_RANK)),),
    attributes=(),
    outputs=(Operand("output", "in_out_t", (0, MAX_RANK)),),
    type_variables="in_out_t",
    types=(
        ("PRO-INT|PRO-FP", "bool"),
        ("EXT-INT4", "i4"),
        ("PRO-INT|PRO-FP", "i8"),
        ("PRO-INT|PRO-FP", "i16"),
        ("PRO-INT|PRO-FP", "i32"),
        ("EXT-INT16", "i48"),
        ("EXT-FP8E4M3", "fp8e4m3"),
        ("EXT-FP8E5M2", "fp8e5m2"),
        ("PRO-FP", "fp16"),
        ("EXT-BF16", "bf16"),
        ("PRO-FP", "fp32"),
    ),
)

# ** 2.15 Custom operators **

CUSTOM = OpDef(
    "CUSTOM",
    inputs=(Operand("input_list", "any", variadic=True),),
    attributes=(
        Attr("operator_name", "str"),
        Attr("domain_name", "str"),
        Attr("implementation_attrs", "bytes"),
    ),
    outputs=(Operand("output_list", "any", variadic=True),),
    type_variables="",
    types=(("PRO-INT|PRO-FP", ""),),
)

# ** 2.16 Control flow operators **

COND_IF = OpDef(
    "COND_IF",
    inputs=(
        Operand("condition", "bool", (0, MAX_RANK)),
        Operand("input_list", "any", variadic=True),
    ),
    attributes=(
        Attr("then_graph", "graph"),
        Attr("else_graph", "graph"),
    ),
    outputs=(Operand("output_list", "any", variadic=True),),
    type_variables="",
    types=(("EXT-CONTROLFLOW", ""),),
)

WHILE_LOOP = OpDef(
    "WHILE_LOOP",
    inputs=(Operand("input_list", "any", variadic=True),),
    attributes=(
        Attr("cond_graph", "graph"),
        Attr("body_graph", "graph"),
    ),
    outputs=(Operand("output_list", "any", variadic=True),),
    type_variables="",
    types=(("EXT-CONTROLFLOW", ""),),
)

# ** 2.17 Variable operators **

VARIABLE = OpDef(
    "VARIABLE",
    inputs=(),
    attributes=(
        Attr("name", "str"),
        Attr("var_shape", "i32[]"),
        Attr("type", "dtype"),
        Attr("initial_value", "in_t[]", optional=True),
    ),
    outputs=(),
    type_variables="in_t",
    types=(
        ("EXT-VARIABLE&PRO-INT", "i8"),
        ("EXT-VARIABLE&PRO-FP", "fp16"),
        ("EXT-VARIABLE&PRO-FP", "fp32"),
    ),
)

VARIABLE_WRITE = OpDef(
    "VARIABLE_WRITE",
    inputs=(Operand("input1", "in_t", (0, MAX_RANK)),),
    attributes=(Attr("name", "str"),),
    outputs=(),
    type_variables="in_t",
    types=(
        ("EXT-VARIABLE&PRO-INT", "i8"),
        ("EXT-VARIABLE&PRO-FP", "fp16"),
        ("EXT-VARIABLE&PRO-FP", "fp32"),
    ),
)

VARIABLE_READ = OpDef(
    "VARIABLE_READ",
    inputs=(),
    attributes=(Attr("name", "str"),),
    outputs=(Operand("output1", "out_t", (0, MAX_RANK)),),
    type_variables="out_t",
    types=(
        ("EXT-VARIABLE&PRO-INT", "i8"),
        ("EXT-VARIABLE&PRO-FP", "fp16"),
        ("EXT-VARIABLE&PRO-FP", "fp32"),
    ),
)

# ** 2.18 Shape operators **

CONST_SHAPE = OpDef(
    "CONST_SHAPE",
    inputs=(),
    attributes=(Attr("values", "i32[]"),),
    outputs=(Operand("output", "shape", ctc=True),),
    type_variables="",
    types=(("PRO-INT|PRO-FP", ""),),
)
OPERATORS: tuple[OpDef, ...] = tuple(row for row in tuple(globals().values()) if isinstance(row, OpDef))
BY_OPCODE: dict[str, OpDef] = {row.opcode: row for row in OPERATORS}
