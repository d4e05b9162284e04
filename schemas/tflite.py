"""The TFLite schema (file identifier TFL3) as rows; the members of a union stand in its order."""

from __future__ import annotations

from tosa_converter.schemas.flat import (
    F32,
    I8,
    I32,
    I64,
    U8,
    U32,
    U64,
    ArrayF32,
    ArrayI32,
    ArrayI64,
    ArrayU16,
    Blob,
    Blob4,
    Blob16,
    Bool,
    ByteEnum,
    Deprecated,
    IntEnum32,
    OneOf,
    Opt,
    Str,
    Table,
    UIntEnum32,
    Vec,
)

IDENTIFIER = b"TFL3"


class TensorType(ByteEnum):
    FLOAT32 = 0
    FLOAT16 = 1
    INT32 = 2
    UINT8 = 3
    INT64 = 4
    STRING = 5
    BOOL = 6
    INT16 = 7
    COMPLEX64 = 8
    INT8 = 9
    FLOAT64 = 10
    COMPLEX128 = 11
    UINT64 = 12
    RESOURCE = 13
    VARIANT = 14
    UINT32 = 15
    UINT16 = 16
    INT4 = 17
    BFLOAT16 = 18
    INT2 = 19
    UINT4 = 20
    FLOAT8_E4M3FN = 21
    FLOAT8_E5M2 = 22


class DimensionType(ByteEnum):
    DENSE = 0
    SPARSE_CSR = 1


class BuiltinOperator(IntEnum32):
    ADD = 0
    AVERAGE_POOL_2D = 1
    CONCATENATION = 2
    CONV_2D = 3
    DEPTHWISE_CONV_2D = 4
    DEPTH_TO_SPACE = 5
    DEQUANTIZE = 6
    EMBEDDING_LOOKUP = 7
    FLOOR = 8
    FULLY_CONNECTED = 9
    HASHTABLE_LOOKUP = 10
    L2_NORMALIZATION = 11
    L2_POOL_2D = 12
    LOCAL_RESPONSE_NORMALIZATION = 13
    LOGISTIC = 14
    LSH_PROJECTION = 15
    LSTM = 16
    MAX_POOL_2D = 17
    MUL = 18
    RELU = 19
    RELU_N1_TO_1 = 20
    RELU6 = 21
    RESHAPE = 22
    RESIZE_BILINEAR = 23
    RNN = 24
    SOFTMAX = 25
    SPACE_TO_DEPTH = 26
    SVDF = 27
    TANH = 28
    CONCAT_EMBEDDINGS = 29
    SKIP_GRAM = 30
    CALL = 31
    CUSTOM = 32
    EMBEDDING_LOOKUP_SPARSE = 33
    PAD = 34
    UNIDIRECTIONAL_SEQUENCE_RNN = 35
    GATHER = 36
    BATCH_TO_SPACE_ND = 37
    SPACE_TO_BATCH_ND = 38
    TRANSPOSE = 39
    MEAN = 40
    SUB = 41
    DIV = 42
    SQUEEZE = 43
    UNIDIRECTIONAL_SEQUENCE_LSTM = 44
    STRIDED_SLICE = 45
    BIDIRECTIONAL_SEQUENCE_RNN = 46
    EXP = 47
    TOPK_V2 = 48
    SPLIT = 49
    LOG_SOFTMAX = 50
    DELEGATE = 51
    BIDIRECTIONAL_SEQUENCE_LSTM = 52
    CAST = 53
    PRELU = 54
    MAXIMUM = 55
    ARG_MAX = 56
    MINIMUM = 57
    LESS = 58
    NEG = 59
    PADV2 = 60
    GREATER = 61
    GREATER_EQUAL = 62
    LESS_EQUAL = 63
    SELECT = 64
    SLICE = 65
    SIN = 66
    TRANSPOSE_CONV = 67
    SPARSE_TO_DENSE = 68
    TILE = 69
    EXPAND_DIMS = 70
    EQUAL = 71
    NOT_EQUAL = 72
    LOG = 73
    SUM = 74
    SQRT = 75
    RSQRT = 76
    SHAPE = 77
    POW = 78
    ARG_MIN = 79
    FAKE_QUANT = 80
    REDUCE_PROD = 81
    REDUCE_MAX = 82
    PACK = 83
    LOGICAL_OR = 84
    ONE_HOT = 85
    LOGICAL_AND = 86
    LOGICAL_NOT = 87
    UNPACK = 88
    REDUCE_MIN = 89
    FLOOR_DIV = 90
    REDUCE_ANY = 91
    SQUARE = 92
    ZEROS_LIKE = 93
    FILL = 94
    FLOOR_MOD = 95
    RANGE = 96
    RESIZE_NEAREST_NEIGHBOR = 97
    LEAKY_RELU = 98
    SQUARED_DIFFERENCE = 99
    MIRROR_PAD = 100
    ABS = 101
    SPLIT_V = 102
    UNIQUE = 103
    CEIL = 104
    REVERSE_V2 = 105
    ADD_N = 106
    GATHER_ND = 107
    COS = 108
    WHERE = 109
    RANK = 110
    ELU = 111
    REVERSE_SEQUENCE = 112
    MATRIX_DIAG = 113
    QUANTIZE = 114
    MATRIX_SET_DIAG = 115
    ROUND = 116
    HARD_SWISH = 117
    IF = 118
    WHILE = 119
    NON_MAX_SUPPRESSION_V4 = 120
    NON_MAX_SUPPRESSION_V5 = 121
    SCATTER_ND = 122
    SELECT_V2 = 123
    DENSIFY = 124
    SEGMENT_SUM = 125
    BATCH_MATMUL = 126
    PLACEHOLDER_FOR_GREATER_OP_CODES = 127
    CUMSUM = 128
    CALL_ONCE = 129
    BROADCAST_TO = 130
    RFFT2D = 131
    CONV_3D = 132
    IMAG = 133
    REAL = 134
    COMPLEX_ABS = 135
    HASHTABLE = 136
    HASHTABLE_FIND = 137
    HASHTABLE_IMPORT = 138
    HASHTABLE_SIZE = 139
    REDUCE_ALL = 140
    CONV_3D_TRANSPOSE = 141
    VAR_HANDLE = 142
    READ_VARIABLE = 143
    ASSIGN_VARIABLE = 144
    BROADCAST_ARGS = 145
    RANDOM_STANDARD_NORMAL = 146
    BUCKETIZE = 147
    RANDOM_UNIFORM = 148
    MULTINOMIAL = 149
    GELU = 150
    DYNAMIC_UPDATE_SLICE = 151
    RELU_0_TO_1 = 152
    UNSORTED_SEGMENT_PROD = 153
    UNSORTED_SEGMENT_MAX = 154
    UNSORTED_SEGMENT_SUM = 155
    ATAN2 = 156
    UNSORTED_SEGMENT_MIN = 157
    SIGN = 158
    BITCAST = 159
    BITWISE_XOR = 160
    RIGHT_SHIFT = 161
    STABLEHLO_LOGISTIC = 162
    STABLEHLO_ADD = 163
    STABLEHLO_DIVIDE = 164
    STABLEHLO_MULTIPLY = 165
    STABLEHLO_MAXIMUM = 166
    STABLEHLO_RESHAPE = 167
    STABLEHLO_CLAMP = 168
    STABLEHLO_CONCATENATE = 169
    STABLEHLO_BROADCAST_IN_DIM = 170
    STABLEHLO_CONVOLUTION = 171
    STABLEHLO_SLICE = 172
    STABLEHLO_CUSTOM_CALL = 173
    STABLEHLO_REDUCE = 174
    STABLEHLO_ABS = 175
    STABLEHLO_AND = 176
    STABLEHLO_COSINE = 177
    STABLEHLO_EXPONENTIAL = 178
    STABLEHLO_FLOOR = 179
    STABLEHLO_LOG = 180
    STABLEHLO_MINIMUM = 181
    STABLEHLO_NEGATE = 182
    STABLEHLO_OR = 183
    STABLEHLO_POWER = 184
    STABLEHLO_REMAINDER = 185
    STABLEHLO_RSQRT = 186
    STABLEHLO_SELECT = 187
    STABLEHLO_SUBTRACT = 188
    STABLEHLO_TANH = 189
    STABLEHLO_SCATTER = 190
    STABLEHLO_COMPARE = 191
    STABLEHLO_CONVERT = 192
    STABLEHLO_DYNAMIC_SLICE = 193
    STABLEHLO_DYNAMIC_UPDATE_SLICE = 194
    STABLEHLO_PAD = 195
    STABLEHLO_IOTA = 196
    STABLEHLO_DOT_GENERAL = 197
    STABLEHLO_REDUCE_WINDOW = 198
    STABLEHLO_SORT = 199
    STABLEHLO_WHILE = 200
    STABLEHLO_GATHER = 201
    STABLEHLO_TRANSPOSE = 202
    DILATE = 203
    STABLEHLO_RNG_BIT_GENERATOR = 204
    REDUCE_WINDOW = 205
    STABLEHLO_COMPOSITE = 206
    STABLEHLO_SHIFT_LEFT = 207
    STABLEHLO_CBRT = 208
    STABLEHLO_CASE = 209


class StablehloPrecisionConfig(UIntEnum32):
    DEFAULT = 0
    HIGH = 1
    HIGHEST = 2


class StablehloComparisonDirection(UIntEnum32):
    STABLEHLO_COMPARISON_DIRECTION_EQ = 0
    STABLEHLO_COMPARISON_DIRECTION_NE = 1
    STABLEHLO_COMPARISON_DIRECTION_GE = 2
    STABLEHLO_COMPARISON_DIRECTION_GT = 3
    STABLEHLO_COMPARISON_DIRECTION_LE = 4
    STABLEHLO_COMPARISON_DIRECTION_LT = 5


class StablehloComparisonType(UIntEnum32):
    STABLEHLO_COMPARISON_TYPE_NOTYPE = 0
    STABLEHLO_COMPARISON_TYPE_FLOAT = 1
    STABLEHLO_COMPARISON_TYPE_FLOAT_TOTAL_ORDER = 2
    STABLEHLO_COMPARISON_TYPE_SIGNED = 3
    STABLEHLO_COMPARISON_TYPE_UNSIGNED = 4


class RngAlgorithm(ByteEnum):
    DEFAULT = 0
    PHILOX = 1
    THREEFRY = 2


class Padding(ByteEnum):
    SAME = 0
    VALID = 1


class ActivationFunctionType(ByteEnum):
    NONE = 0
    RELU = 1
    RELU_N1_TO_1 = 2
    RELU6 = 3
    TANH = 4
    SIGN_BIT = 5


class LSHProjectionType(ByteEnum):
    UNKNOWN = 0
    SPARSE = 1
    DENSE = 2


class FullyConnectedOptionsWeightsFormat(ByteEnum):
    DEFAULT = 0
    SHUFFLED4x16INT8 = 1


class LSTMKernelType(ByteEnum):
    FULL = 0
    BASIC = 1


class CombinerType(ByteEnum):
    SUM = 0
    MEAN = 1
    SQRTN = 2


class MirrorPadMode(ByteEnum):
    REFLECT = 0
    SYMMETRIC = 1


class ReduceWindowFunction(IntEnum32):
    UNSUPPORTED = 0
    ADD = 1
    MUL = 2
    MINIMUM = 3
    MAXIMUM = 4
    ALL = 5
    ANY = 6


class CustomOptionsFormat(ByteEnum):
    FLEXBUFFERS = 0


class QuantizationDetails(Table):
    """Union of its subclasses, numbered from 1 in this order."""


class SparseIndexVector(Table):
    """Union of its subclasses, numbered from 1 in this order."""


class BuiltinOptions(Table):
    """Union of its subclasses, numbered from 1 in this order."""


class BuiltinOptions2(Table):
    """Union of its subclasses, numbered from 1 in this order."""


class CustomQuantization(QuantizationDetails):
    custom: Opt[Blob16] = None


class BlockwiseQuantization(QuantizationDetails):
    scales: I32 = 0
    zero_points: I32 = 0
    block_size: I32 = 0
    block_shape: Vec[I32] = ()


class MultiAxisQuantization(QuantizationDetails):
    scales: I32 = 0
    zero_points: I32 = 0
    block_size: I32 = 0
    quantized_dimensions: Vec[I32] = ()


class QuantizationParameters(Table):
    min: Opt[ArrayF32] = None
    max: Opt[ArrayF32] = None
    scale: Opt[ArrayF32] = None
    zero_point: Opt[ArrayI64] = None
    details: OneOf[QuantizationDetails] = None
    quantized_dimension: I32 = 0


class Int32Vector(SparseIndexVector):
    values: Opt[ArrayI32] = None


class Uint16Vector(SparseIndexVector):
    values: Opt[ArrayU16] = None


class Uint8Vector(SparseIndexVector):
    values: Opt[Blob4] = None


class DimensionMetadata(Table):
    format: DimensionType = DimensionType.DENSE
    dense_size: I32 = 0
    array_segments: OneOf[SparseIndexVector] = None
    array_indices: OneOf[SparseIndexVector] = None


class SparsityParameters(Table):
    traversal_order: Vec[I32] = ()
    block_map: Vec[I32] = ()
    dim_metadata: Vec[DimensionMetadata] = ()


class VariantSubType(Table):
    shape: Vec[I32] = ()
    type: TensorType = TensorType.FLOAT32
    has_rank: Bool = False


class Tensor(Table):
    shape: Vec[I32] = ()
    type: TensorType = TensorType.FLOAT32
    buffer: U32 = 0
    name: Str = ""
    quantization: Opt[QuantizationParameters] = None
    is_variable: Bool = False
    sparsity: Opt[SparsityParameters] = None
    shape_signature: Vec[I32] = ()
    has_rank: Bool = False
    variant_tensors: Vec[VariantSubType] = ()
    external_buffer: U32 = 0


class StablehloConcatenateOptions(BuiltinOptions2):
    dimension: I64 = 0


class StablehloBroadcastInDimOptions(BuiltinOptions2):
    broadcast_dimensions: Vec[I64] = ()


class StablehloSliceOptions(BuiltinOptions2):
    start_indices: Vec[I64] = ()
    limit_indices: Vec[I64] = ()
    strides: Vec[I64] = ()


class StablehloConvolutionOptions(BuiltinOptions2):
    window_strides: Vec[I64] = ()
    padding: Vec[I64] = ()
    lhs_dilation: Vec[I64] = ()
    rhs_dilation: Vec[I64] = ()
    window_reversal: Vec[Bool] = ()
    input_batch_dimension: I64 = 0
    input_feature_dimension: I64 = 0
    input_spatial_dimensions: Vec[I64] = ()
    kernel_input_feature_dimension: I64 = 0
    kernel_output_feature_dimension: I64 = 0
    kernel_spatial_dimensions: Vec[I64] = ()
    output_batch_dimension: I64 = 0
    output_feature_dimension: I64 = 0
    output_spatial_dimensions: Vec[I64] = ()
    feature_group_count: I64 = 0
    batch_group_count: I64 = 0
    precision_config: Vec[StablehloPrecisionConfig] = ()


class StablehloCustomCallOptions(BuiltinOptions2):
    call_target_name: Str = ""
    has_side_effect: Bool = False
    backend_config: Str = ""
    api_version: I32 = 0
    called_computations: Vec[I32] = ()
    custom_attributes: Opt[Blob] = None


class StablehloReduceOptions(BuiltinOptions2):
    dimensions: Vec[I64] = ()
    body_subgraph_index: I32 = 0


class StablehloScatterOptions(BuiltinOptions2):
    indices_are_sorted: Bool = False
    update_window_dims: Vec[I64] = ()
    inserted_window_dims: Vec[I64] = ()
    scatter_dims_to_operand_dims: Vec[I64] = ()
    index_vector_dim: I64 = 0
    unique_indices: Bool = False
    update_computation_subgraph_index: I32 = 0


class StablehloCompareOptions(BuiltinOptions2):
    comparison_direction: StablehloComparisonDirection = StablehloComparisonDirection.STABLEHLO_COMPARISON_DIRECTION_EQ
    compare_type: StablehloComparisonType = StablehloComparisonType.STABLEHLO_COMPARISON_TYPE_NOTYPE


class StablehloDynamicSliceOptions(BuiltinOptions2):
    slice_sizes: Vec[I64] = ()


class StablehloPadOptions(BuiltinOptions2):
    edge_padding_low: Vec[I64] = ()
    edge_padding_high: Vec[I64] = ()
    interior_padding: Vec[I64] = ()


class StablehloIotaOptions(BuiltinOptions2):
    iota_dimension: I64 = 0


class StablehloDotGeneralOptions(BuiltinOptions2):
    lhs_batching_dimensions: Vec[I64] = ()
    rhs_batching_dimensions: Vec[I64] = ()
    lhs_contracting_dimensions: Vec[I64] = ()
    rhs_contracting_dimensions: Vec[I64] = ()
    precision_config: Vec[StablehloPrecisionConfig] = ()


class StablehloReduceWindowOptions(BuiltinOptions2):
    window_dimensions: Vec[I64] = ()
    window_strides: Vec[I64] = ()
    base_dilations: Vec[I64] = ()
    window_dilations: Vec[I64] = ()
    padding: Vec[I64] = ()
    body_subgraph_index: I32 = 0


class StablehloSortOptions(BuiltinOptions2):
    dimension: I64 = 0
    is_stable: Bool = False
    comparator_subgraph_index: I32 = 0


class StablehloWhileOptions(BuiltinOptions2):
    cond_subgraph_index: I32 = 0
    body_subgraph_index: I32 = 0


class StablehloGatherOptions(BuiltinOptions2):
    offset_dims: Vec[I64] = ()
    collapsed_slice_dims: Vec[I64] = ()
    start_index_map: Vec[I64] = ()
    index_vector_dim: I64 = 0
    slice_sizes: Vec[I64] = ()
    indices_are_sorted: Bool = False


class StablehloTransposeOptions(BuiltinOptions2):
    permutation: Vec[I64] = ()


class DilateOptions(BuiltinOptions2):
    pass


class StablehloRngBitGeneratorOptions(BuiltinOptions2):
    algorithm: RngAlgorithm = RngAlgorithm.DEFAULT


class Conv2DOptions(BuiltinOptions):
    padding: Padding = Padding.SAME
    stride_w: I32 = 0
    stride_h: I32 = 0
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE
    dilation_w_factor: I32 = 1
    dilation_h_factor: I32 = 1
    quantized_bias_type: TensorType = TensorType.FLOAT32


class DepthwiseConv2DOptions(BuiltinOptions):
    padding: Padding = Padding.SAME
    stride_w: I32 = 0
    stride_h: I32 = 0
    depth_multiplier: I32 = 0
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE
    dilation_w_factor: I32 = 1
    dilation_h_factor: I32 = 1


class ConcatEmbeddingsOptions(BuiltinOptions):
    num_channels: I32 = 0
    num_columns_per_channel: Vec[I32] = ()
    embedding_dim_per_channel: Vec[I32] = ()


class LSHProjectionOptions(BuiltinOptions):
    type: LSHProjectionType = LSHProjectionType.UNKNOWN


class Pool2DOptions(BuiltinOptions):
    padding: Padding = Padding.SAME
    stride_w: I32 = 0
    stride_h: I32 = 0
    filter_width: I32 = 0
    filter_height: I32 = 0
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE


class SVDFOptions(BuiltinOptions):
    rank: I32 = 0
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE
    asymmetric_quantize_inputs: Bool = False


class RNNOptions(BuiltinOptions):
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE
    asymmetric_quantize_inputs: Bool = False


class FullyConnectedOptions(BuiltinOptions):
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE
    weights_format: FullyConnectedOptionsWeightsFormat = FullyConnectedOptionsWeightsFormat.DEFAULT
    keep_num_dims: Bool = False
    asymmetric_quantize_inputs: Bool = False
    quantized_bias_type: TensorType = TensorType.FLOAT32
    quant_spec: Vec[U8] = ()


class SoftmaxOptions(BuiltinOptions):
    beta: F32 = 0.0


class ConcatenationOptions(BuiltinOptions):
    axis: I32 = 0
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE


class AddOptions(BuiltinOptions):
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE
    pot_scale_int16: Bool = True


class L2NormOptions(BuiltinOptions):
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE


class LocalResponseNormalizationOptions(BuiltinOptions):
    radius: I32 = 0
    bias: F32 = 0.0
    alpha: F32 = 0.0
    beta: F32 = 0.0


class LSTMOptions(BuiltinOptions):
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE
    cell_clip: F32 = 0.0
    proj_clip: F32 = 0.0
    kernel_type: LSTMKernelType = LSTMKernelType.FULL
    asymmetric_quantize_inputs: Bool = False


class ResizeBilinearOptions(BuiltinOptions):
    new_height: Deprecated = None
    new_width: Deprecated = None
    align_corners: Bool = False
    half_pixel_centers: Bool = False


class CallOptions(BuiltinOptions):
    subgraph: U32 = 0


class ReshapeOptions(BuiltinOptions):
    new_shape: Vec[I32] = ()


class SkipGramOptions(BuiltinOptions):
    ngram_size: I32 = 0
    max_skip_size: I32 = 0
    include_all_ngrams: Bool = False


class SpaceToDepthOptions(BuiltinOptions):
    block_size: I32 = 0


class EmbeddingLookupSparseOptions(BuiltinOptions):
    combiner: CombinerType = CombinerType.SUM


class MulOptions(BuiltinOptions):
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE


class PadOptions(BuiltinOptions):
    pass


class GatherOptions(BuiltinOptions):
    axis: I32 = 0
    batch_dims: I32 = 0


class BatchToSpaceNDOptions(BuiltinOptions):
    pass


class SpaceToBatchNDOptions(BuiltinOptions):
    pass


class TransposeOptions(BuiltinOptions):
    pass


class ReducerOptions(BuiltinOptions):
    keep_dims: Bool = False


class SubOptions(BuiltinOptions):
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE
    pot_scale_int16: Bool = True


class DivOptions(BuiltinOptions):
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE


class SqueezeOptions(BuiltinOptions):
    squeeze_dims: Vec[I32] = ()


class SequenceRNNOptions(BuiltinOptions):
    time_major: Bool = False
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE
    asymmetric_quantize_inputs: Bool = False


class StridedSliceOptions(BuiltinOptions):
    begin_mask: I32 = 0
    end_mask: I32 = 0
    ellipsis_mask: I32 = 0
    new_axis_mask: I32 = 0
    shrink_axis_mask: I32 = 0
    offset: Bool = False


class ExpOptions(BuiltinOptions):
    pass


class TopKV2Options(BuiltinOptions):
    pass


class SplitOptions(BuiltinOptions):
    num_splits: I32 = 0


class LogSoftmaxOptions(BuiltinOptions):
    pass


class CastOptions(BuiltinOptions):
    in_data_type: TensorType = TensorType.FLOAT32
    out_data_type: TensorType = TensorType.FLOAT32


class DequantizeOptions(BuiltinOptions):
    pass


class MaximumMinimumOptions(BuiltinOptions):
    pass


class ArgMaxOptions(BuiltinOptions):
    output_type: TensorType = TensorType.FLOAT32


class LessOptions(BuiltinOptions):
    pass


class NegOptions(BuiltinOptions):
    pass


class PadV2Options(BuiltinOptions):
    pass


class GreaterOptions(BuiltinOptions):
    pass


class GreaterEqualOptions(BuiltinOptions):
    pass


class LessEqualOptions(BuiltinOptions):
    pass


class SelectOptions(BuiltinOptions):
    pass


class SliceOptions(BuiltinOptions):
    pass


class TransposeConvOptions(BuiltinOptions):
    padding: Padding = Padding.SAME
    stride_w: I32 = 0
    stride_h: I32 = 0
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE
    quantized_bias_type: TensorType = TensorType.FLOAT32


class SparseToDenseOptions(BuiltinOptions):
    validate_indices: Bool = False


class TileOptions(BuiltinOptions):
    pass


class ExpandDimsOptions(BuiltinOptions):
    pass


class EqualOptions(BuiltinOptions):
    pass


class NotEqualOptions(BuiltinOptions):
    pass


class ShapeOptions(BuiltinOptions):
    out_type: TensorType = TensorType.FLOAT32


class PowOptions(BuiltinOptions):
    pass


class ArgMinOptions(BuiltinOptions):
    output_type: TensorType = TensorType.FLOAT32


class FakeQuantOptions(BuiltinOptions):
    min: F32 = 0.0
    max: F32 = 0.0
    num_bits: I32 = 0
    narrow_range: Bool = False


class PackOptions(BuiltinOptions):
    values_count: I32 = 0
    axis: I32 = 0


class LogicalOrOptions(BuiltinOptions):
    pass


class OneHotOptions(BuiltinOptions):
    axis: I32 = 0


class LogicalAndOptions(BuiltinOptions):
    pass


class LogicalNotOptions(BuiltinOptions):
    pass


class UnpackOptions(BuiltinOptions):
    num: I32 = 0
    axis: I32 = 0


class FloorDivOptions(BuiltinOptions):
    pass


class SquareOptions(BuiltinOptions):
    pass


class ZerosLikeOptions(BuiltinOptions):
    pass


class FillOptions(BuiltinOptions):
    pass


class BidirectionalSequenceLSTMOptions(BuiltinOptions):
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE
    cell_clip: F32 = 0.0
    proj_clip: F32 = 0.0
    merge_outputs: Bool = False
    time_major: Bool = True
    asymmetric_quantize_inputs: Bool = False


class BidirectionalSequenceRNNOptions(BuiltinOptions):
    time_major: Bool = False
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE
    merge_outputs: Bool = False
    asymmetric_quantize_inputs: Bool = False


class UnidirectionalSequenceLSTMOptions(BuiltinOptions):
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE
    cell_clip: F32 = 0.0
    proj_clip: F32 = 0.0
    time_major: Bool = False
    asymmetric_quantize_inputs: Bool = False
    diagonal_recurrent_tensors: Bool = False


class FloorModOptions(BuiltinOptions):
    pass


class RangeOptions(BuiltinOptions):
    pass


class ResizeNearestNeighborOptions(BuiltinOptions):
    align_corners: Bool = False
    half_pixel_centers: Bool = False


class LeakyReluOptions(BuiltinOptions):
    alpha: F32 = 0.0


class SquaredDifferenceOptions(BuiltinOptions):
    pass


class MirrorPadOptions(BuiltinOptions):
    mode: MirrorPadMode = MirrorPadMode.REFLECT


class AbsOptions(BuiltinOptions):
    pass


class SplitVOptions(BuiltinOptions):
    num_splits: I32 = 0


class UniqueOptions(BuiltinOptions):
    idx_out_type: TensorType = TensorType.INT32


class ReverseV2Options(BuiltinOptions):
    pass


class AddNOptions(BuiltinOptions):
    pass


class GatherNdOptions(BuiltinOptions):
    pass


class CosOptions(BuiltinOptions):
    pass


class WhereOptions(BuiltinOptions):
    pass


class RankOptions(BuiltinOptions):
    pass


class ReverseSequenceOptions(BuiltinOptions):
    seq_dim: I32 = 0
    batch_dim: I32 = 0


class MatrixDiagOptions(BuiltinOptions):
    pass


class QuantizeOptions(BuiltinOptions):
    pass


class MatrixSetDiagOptions(BuiltinOptions):
    pass


class HardSwishOptions(BuiltinOptions):
    pass


class IfOptions(BuiltinOptions):
    then_subgraph_index: I32 = 0
    else_subgraph_index: I32 = 0


class WhileOptions(BuiltinOptions):
    cond_subgraph_index: I32 = 0
    body_subgraph_index: I32 = 0


class DepthToSpaceOptions(BuiltinOptions):
    block_size: I32 = 0


class NonMaxSuppressionV4Options(BuiltinOptions):
    pass


class NonMaxSuppressionV5Options(BuiltinOptions):
    pass


class ScatterNdOptions(BuiltinOptions):
    pass


class SelectV2Options(BuiltinOptions):
    pass


class DensifyOptions(BuiltinOptions):
    pass


class SegmentSumOptions(BuiltinOptions):
    pass


class BatchMatMulOptions(BuiltinOptions):
    adj_x: Bool = False
    adj_y: Bool = False
    asymmetric_quantize_inputs: Bool = False


class CumsumOptions(BuiltinOptions):
    exclusive: Bool = False
    reverse: Bool = False


class CallOnceOptions(BuiltinOptions):
    init_subgraph_index: I32 = 0


class BroadcastToOptions(BuiltinOptions):
    pass


class Rfft2dOptions(BuiltinOptions):
    pass


class Conv3DOptions(BuiltinOptions):
    padding: Padding = Padding.SAME
    stride_d: I32 = 0
    stride_w: I32 = 0
    stride_h: I32 = 0
    fused_activation_function: ActivationFunctionType = ActivationFunctionType.NONE
    dilation_d_factor: I32 = 1
    dilation_w_factor: I32 = 1
    dilation_h_factor: I32 = 1


class HashtableOptions(BuiltinOptions):
    table_id: I32 = 0
    key_dtype: TensorType = TensorType.FLOAT32
    value_dtype: TensorType = TensorType.FLOAT32


class HashtableFindOptions(BuiltinOptions):
    pass


class HashtableImportOptions(BuiltinOptions):
    pass


class HashtableSizeOptions(BuiltinOptions):
    pass


class VarHandleOptions(BuiltinOptions):
    container: Str = ""
    shared_name: Str = ""


class ReadVariableOptions(BuiltinOptions):
    pass


class AssignVariableOptions(BuiltinOptions):
    pass


class RandomOptions(BuiltinOptions):
    seed: I64 = 0
    seed2: I64 = 0


class BucketizeOptions(BuiltinOptions):
    boundaries: Vec[F32] = ()


class GeluOptions(BuiltinOptions):
    approximate: Bool = False


class DynamicUpdateSliceOptions(BuiltinOptions):
    pass


class UnsortedSegmentProdOptions(BuiltinOptions):
    pass


class UnsortedSegmentMaxOptions(BuiltinOptions):
    pass


class UnsortedSegmentMinOptions(BuiltinOptions):
    pass


class UnsortedSegmentSumOptions(BuiltinOptions):
    pass


class ATan2Options(BuiltinOptions):
    pass


class SignOptions(BuiltinOptions):
    pass


class BitcastOptions(BuiltinOptions):
    pass


class BitwiseXorOptions(BuiltinOptions):
    pass


class RightShiftOptions(BuiltinOptions):
    pass


class ReduceWindowOptions(BuiltinOptions2):
    reduce_function: ReduceWindowFunction = ReduceWindowFunction.UNSUPPORTED


class StableHLOCompositeOptions(BuiltinOptions2):
    name: Str = ""
    decomposition_subgraph_index: I32 = 0
    composite_attributes: Opt[Blob] = None
    composite_attributes_format: CustomOptionsFormat = CustomOptionsFormat.FLEXBUFFERS
    version: I32 = 0


class OperatorCode(Table):
    deprecated_builtin_code: I8 = 0
    custom_code: Str = ""
    version: I32 = 1
    builtin_code: BuiltinOperator = BuiltinOperator.ADD


class StablehloShiftLeftOptions(BuiltinOptions2):
    pass


class StablehloCaseOptions(BuiltinOptions2):
    branch_subgraph_indices: Vec[I32] = ()


class Operator(Table):
    opcode_index: U32 = 0
    inputs: Vec[I32] = ()
    outputs: Vec[I32] = ()
    builtin_options: OneOf[BuiltinOptions] = None
    custom_options: Opt[Blob] = None
    custom_options_format: CustomOptionsFormat = CustomOptionsFormat.FLEXBUFFERS
    mutating_variable_inputs: Vec[Bool] = ()
    intermediates: Vec[I32] = ()
    large_custom_options_offset: U64 = 0
    large_custom_options_size: U64 = 0
    builtin_options_2: OneOf[BuiltinOptions2] = None
    debug_metadata_index: I32 = -1


class SubGraph(Table):
    tensors: Vec[Tensor] = ()
    inputs: Vec[I32] = ()
    outputs: Vec[I32] = ()
    operators: Vec[Operator] = ()
    name: Str = ""
    debug_metadata_index: I32 = -1


class Buffer(Table):
    data: Opt[Blob16] = None
    offset: U64 = 0
    size: U64 = 0


class ExternalBufferGroup(Table):
    name: Str = ""


class ExternalBuffer(Table):
    id: U32 = 0
    group: U32 = 0
    offset: U64 = 0
    length: U64 = 0
    packing: Str = ""


class Metadata(Table):
    name: Str = ""
    buffer: U32 = 0


class TensorMap(Table):
    name: Str = ""
    tensor_index: U32 = 0


class SignatureDef(Table):
    inputs: Vec[TensorMap] = ()
    outputs: Vec[TensorMap] = ()
    signature_key: Str = ""
    deprecated_tag: Deprecated = None
    subgraph_index: U32 = 0


class Model(Table):
    version: U32 = 0
    operator_codes: Vec[OperatorCode] = ()
    subgraphs: Vec[SubGraph] = ()
    description: Str = ""
    buffers: Vec[Buffer] = ()
    metadata_buffer: Vec[I32] = ()
    metadata: Vec[Metadata] = ()
    signature_defs: Vec[SignatureDef] = ()
    external_buffer_groups: Vec[ExternalBufferGroup] = ()
    external_buffers: Vec[ExternalBuffer] = ()
