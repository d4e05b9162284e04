"""The TOSA flatbuffer schema (file identifier TOSA) as rows, in the schema's own order.

Operators and attribute tables from number 76 on are of later versions than 1.0.
"""

from __future__ import annotations

from tosa_converter.schemas.flat import I32, U32, U64, Blob, Blob8, Bool, Kept, OneOf, Opt, Str, Table, UIntEnum32, Vec

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


class CompatibilityFeature(UIntEnum32):
    """A bit of `SerializationCompatibility.features`."""

    NONE = 0
    MXFP = 1


class Attribute(Table):
    """Union of the tables in `Attribute_MEMBERS`, numbered from 1."""


class ArgMaxAttribute(Attribute):
    axis: I32 = 0
    nan_mode: NanPropagationMode = NanPropagationMode.UNKNOWN


class AvgPool2dAttribute(Attribute):
    kernel: Vec[I32] = ()
    stride: Vec[I32] = ()
    pad: Vec[I32] = ()
    acc_type: DType = DType.UNKNOWN


class Conv2dAttribute(Attribute):
    pad: Vec[I32] = ()
    stride: Vec[I32] = ()
    dilation: Vec[I32] = ()
    local_bound: Bool = False
    acc_type: DType = DType.UNKNOWN


class Conv3dAttribute(Attribute):
    pad: Vec[I32] = ()
    stride: Vec[I32] = ()
    dilation: Vec[I32] = ()
    local_bound: Bool = False
    acc_type: DType = DType.UNKNOWN


class DepthwiseConv2dAttribute(Attribute):
    pad: Vec[I32] = ()
    stride: Vec[I32] = ()
    dilation: Vec[I32] = ()
    local_bound: Bool = False
    acc_type: DType = DType.UNKNOWN


class FFT2dAttribute(Attribute):
    inverse: Bool = False
    local_bound: Bool = False


class MatMulAttribute(Attribute):
    pass


class MaxPool2dAttribute(Attribute):
    kernel: Vec[I32] = ()
    stride: Vec[I32] = ()
    pad: Vec[I32] = ()
    nan_mode: NanPropagationMode = NanPropagationMode.UNKNOWN


class RFFT2dAttribute(Attribute):
    local_bound: Bool = False


class TransposeConv2dAttribute(Attribute):
    out_pad: Vec[I32] = ()
    stride: Vec[I32] = ()
    local_bound: Bool = False
    acc_type: DType = DType.UNKNOWN


class ClampAttribute(Attribute):
    min_val: Opt[Blob8] = None
    max_val: Opt[Blob8] = None
    nan_mode: NanPropagationMode = NanPropagationMode.UNKNOWN


class ErfAttribute(Attribute):
    pass


class SigmoidAttribute(Attribute):
    pass


class TanhAttribute(Attribute):
    pass


class AddAttribute(Attribute):
    pass


class ArithmeticRightShiftAttribute(Attribute):
    round: Bool = False


class BitwiseAndAttribute(Attribute):
    pass


class BitwiseOrAttribute(Attribute):
    pass


class BitwiseXorAttribute(Attribute):
    pass


class IntDivAttribute(Attribute):
    pass


class LogicalAndAttribute(Attribute):
    pass


class LogicalLeftShiftAttribute(Attribute):
    pass


class LogicalRightShiftAttribute(Attribute):
    pass


class LogicalOrAttribute(Attribute):
    pass


class LogicalXorAttribute(Attribute):
    pass


class MaximumAttribute(Attribute):
    nan_mode: NanPropagationMode = NanPropagationMode.UNKNOWN


class MinimumAttribute(Attribute):
    nan_mode: NanPropagationMode = NanPropagationMode.UNKNOWN


class MulAttribute(Attribute):
    pass


class PowAttribute(Attribute):
    pass


class SubAttribute(Attribute):
    pass


class TableAttribute(Attribute):
    pass


class AbsAttribute(Attribute):
    pass


class BitwiseNotAttribute(Attribute):
    pass


class CeilAttribute(Attribute):
    pass


class ClzAttribute(Attribute):
    pass


class CosAttribute(Attribute):
    pass


class ExpAttribute(Attribute):
    pass


class FloorAttribute(Attribute):
    pass


class LogAttribute(Attribute):
    pass


class LogicalNotAttribute(Attribute):
    pass


class NegateAttribute(Attribute):
    pass


class ReciprocalAttribute(Attribute):
    pass


class RsqrtAttribute(Attribute):
    pass


class SinAttribute(Attribute):
    pass


class SelectAttribute(Attribute):
    pass


class EqualAttribute(Attribute):
    pass


class GreaterAttribute(Attribute):
    pass


class GreaterEqualAttribute(Attribute):
    pass


class ReduceAllAttribute(Attribute):
    axis: I32 = 0


class ReduceAnyAttribute(Attribute):
    axis: I32 = 0


class ReduceMaxAttribute(Attribute):
    axis: I32 = 0
    nan_mode: NanPropagationMode = NanPropagationMode.UNKNOWN


class ReduceMinAttribute(Attribute):
    axis: I32 = 0
    nan_mode: NanPropagationMode = NanPropagationMode.UNKNOWN


class ReduceProductAttribute(Attribute):
    axis: I32 = 0


class ReduceSumAttribute(Attribute):
    axis: I32 = 0


class ConcatAttribute(Attribute):
    axis: I32 = 0


class PadAttribute(Attribute):
    pass


class ReshapeAttribute(Attribute):
    pass


class ReverseAttribute(Attribute):
    axis: I32 = 0


class SliceAttribute(Attribute):
    pass


class TileAttribute(Attribute):
    pass


class TransposeAttribute(Attribute):
    perms: Vec[I32] = ()


class GatherAttribute(Attribute):
    pass


class ScatterAttribute(Attribute):
    pass


class ResizeAttribute(Attribute):
    mode: ResizeMode = ResizeMode.UNKNOWN


class CastAttribute(Attribute):
    pass


class RescaleAttribute(Attribute):
    scale32: Bool = False
    rounding_mode: RoundingMode = RoundingMode.UNKNOWN
    per_channel: Bool = False
    input_unsigned: Bool = False
    output_unsigned: Bool = False


class ConstAttribute(Attribute):
    pass


class IdentityAttribute(Attribute):
    pass


class CustomAttribute(Attribute):
    operator_name: Opt[Str] = None
    domain_name: Opt[Str] = None
    implementation_attrs: Opt[Blob] = None


class CondIfAttribute(Attribute):
    then_graph: Str = ""
    else_graph: Str = ""


class WhileLoopAttribute(Attribute):
    cond_graph: Str = ""
    body_graph: Str = ""


class VariableAttribute(Attribute):
    pass


class VariableWriteAttribute(Attribute):
    pass


class VariableReadAttribute(Attribute):
    pass


class ConstShapeAttribute(Attribute):
    pass


class MatMulTBlockScaledAttribute(Attribute):
    block_size: BlockSize = BlockSize.UNKNOWN


class CastFromBlockScaledAttribute(Attribute):
    block_size: BlockSize = BlockSize.UNKNOWN


class CastToBlockScaledAttribute(Attribute):
    block_size: BlockSize = BlockSize.UNKNOWN


class DimAttribute(Attribute):
    axis: I32 = 0


class ConcatShapeAttribute(Attribute):
    pass


class AddShapeAttribute(Attribute):
    pass


class SubShapeAttribute(Attribute):
    pass


class MulShapeAttribute(Attribute):
    pass


class SliceShapeAttribute(Attribute):
    pass


class Exp2ShapeAttribute(Attribute):
    pass


class Log2CeilShapeAttribute(Attribute):
    pass


class Log2FloorShapeAttribute(Attribute):
    pass


class MaxShapeAttribute(Attribute):
    pass


class MinShapeAttribute(Attribute):
    pass


class ModShapeAttribute(Attribute):
    pass


class DivCeilShapeAttribute(Attribute):
    pass


class DivFloorShapeAttribute(Attribute):
    pass


class AssertEqualShapeAttribute(Attribute):
    allow_broadcast: Bool = False


class Conv2dBlockScaledAttribute(Attribute):
    block_size: BlockSize = BlockSize.UNKNOWN


class MaxPool2dAdaptiveAttribute(Attribute):
    nan_mode: NanPropagationMode = NanPropagationMode.UNKNOWN


class AvgPool2dAdaptiveAttribute(Attribute):
    acc_type: DType = DType.UNKNOWN


class ReshapeBlockScaledAttribute(Attribute):
    block_size: BlockSize = BlockSize.UNKNOWN


class RowGatherBlockScaledAttribute(Attribute):
    block_size: BlockSize = BlockSize.UNKNOWN


class RowGatherAttribute(Attribute):
    pass


class MatMulTAttribute(Attribute):
    pass


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


Attribute_MEMBERS: tuple[type[Attribute], ...] = (
    ArgMaxAttribute,
    AvgPool2dAttribute,
    Conv2dAttribute,
    Conv3dAttribute,
    DepthwiseConv2dAttribute,
    FFT2dAttribute,
    MatMulAttribute,
    MaxPool2dAttribute,
    RFFT2dAttribute,
    TransposeConv2dAttribute,
    ClampAttribute,
    ErfAttribute,
    SigmoidAttribute,
    TanhAttribute,
    AddAttribute,
    ArithmeticRightShiftAttribute,
    BitwiseAndAttribute,
    BitwiseOrAttribute,
    BitwiseXorAttribute,
    IntDivAttribute,
    LogicalAndAttribute,
    LogicalLeftShiftAttribute,
    LogicalRightShiftAttribute,
    LogicalOrAttribute,
    LogicalXorAttribute,
    MaximumAttribute,
    MinimumAttribute,
    MulAttribute,
    PowAttribute,
    SubAttribute,
    TableAttribute,
    AbsAttribute,
    BitwiseNotAttribute,
    CeilAttribute,
    ClzAttribute,
    CosAttribute,
    ExpAttribute,
    FloorAttribute,
    LogAttribute,
    LogicalNotAttribute,
    NegateAttribute,
    ReciprocalAttribute,
    RsqrtAttribute,
    SinAttribute,
    SelectAttribute,
    EqualAttribute,
    GreaterAttribute,
    GreaterEqualAttribute,
    ReduceAllAttribute,
    ReduceAnyAttribute,
    ReduceMaxAttribute,
    ReduceMinAttribute,
    ReduceProductAttribute,
    ReduceSumAttribute,
    ConcatAttribute,
    PadAttribute,
    ReshapeAttribute,
    ReverseAttribute,
    SliceAttribute,
    TileAttribute,
    TransposeAttribute,
    GatherAttribute,
    ScatterAttribute,
    ResizeAttribute,
    CastAttribute,
    RescaleAttribute,
    ConstAttribute,
    IdentityAttribute,
    CustomAttribute,
    CondIfAttribute,
    WhileLoopAttribute,
    VariableAttribute,
    VariableWriteAttribute,
    VariableReadAttribute,
    ConstShapeAttribute,
    MatMulTBlockScaledAttribute,
    CastFromBlockScaledAttribute,
    CastToBlockScaledAttribute,
    DimAttribute,
    ConcatShapeAttribute,
    AddShapeAttribute,
    SubShapeAttribute,
    MulShapeAttribute,
    SliceShapeAttribute,
    Exp2ShapeAttribute,
    Log2CeilShapeAttribute,
    Log2FloorShapeAttribute,
    MaxShapeAttribute,
    MinShapeAttribute,
    ModShapeAttribute,
    DivCeilShapeAttribute,
    DivFloorShapeAttribute,
    AssertEqualShapeAttribute,
    Conv2dBlockScaledAttribute,
    MaxPool2dAdaptiveAttribute,
    AvgPool2dAdaptiveAttribute,
    ReshapeBlockScaledAttribute,
    RowGatherBlockScaledAttribute,
    RowGatherAttribute,
    MatMulTAttribute,
)
