"""The operators of TFLite, one row each: builtin code, options table, operands and results.

The operator's name in the IR is `tfl.` and the builtin name in lower case. Behind an operand's name `?` means that it
may be absent and `*` that any number follow. Operators of StableHLO that LiteRT has no kernel for have the
types that StableHLO states.

`types` is what LiteRT's kernel demands in its Prepare, for every operator that has a rule: one word per operand, `>`,
one word per result; the last word of each holds for all that follow. A word is a choice of element types, `*` any, `T`
that of the first operand so called, in parentheses the choice that `T` has; a number behind a colon is the rank. Before
a result `=` means that the kernel doesn't demand the type but sets it (`out_type`: as the option says).
"""

from typing import NamedTuple

from tosa_converter.schemas import tflite as t
from tosa_converter.schemas.flat import Table
from tosa_converter.schemas.opsets import VARIABLE
from tosa_converter.schemas.tflite import BuiltinOperator as B


class TflOp(NamedTuple):
    """One builtin operator; `intermediates` says that the quantization of tensors beside its operands counts."""

    builtin: B
    options: type[Table] | None
    operands: str = ""
    results: str = ""
    types: str = ""
    intermediates: bool = False

    @property
    def opcode(self) -> str:
        """The operator's name in a graph: `tfl.` and the builtin code's name, as in `tfl.conv_2d`."""
        return "tfl." + self.builtin.name.lower()


OPERATORS = (
    TflOp(B.ADD, t.AddOptions, "lhs rhs", "output", "T T > =T"),
    TflOp(B.AVERAGE_POOL_2D, t.Pool2DOptions, "input", "output", "T:4 > T"),
    TflOp(
        B.CONCATENATION,
        t.ConcatenationOptions,
        "values*",
        "output",
        "T(fp32|fp16|bf16|ui8|i8|i16|i32|i64|bool|ui32|i4) > T",
    ),
    TflOp(B.CONV_2D, t.Conv2DOptions, "input filter bias?", "output", "T(fp32|fp16|bf16|ui8|i8|i16):4 *:4 * > T"),
    TflOp(
        B.DEPTHWISE_CONV_2D,
        t.DepthwiseConv2DOptions,
        "input filter bias?",
        "output",
        "T(fp32|fp16|bf16|ui8|i8|i16):4 *:4 *:1 > T",
    ),
    TflOp(B.DEPTH_TO_SPACE, t.DepthToSpaceOptions, "input", "output", "T(fp32|ui8|i8|i32|i64):4 > T"),
    TflOp(B.DEQUANTIZE, t.DequantizeOptions, "input", "output", "i2|i4|ui4|ui8|i8|i16|fp16|fp8e4m3|fp8e5m2 > =fp32"),
    TflOp(B.EMBEDDING_LOOKUP, None, "lookup value", "output", "i32:1 * > *"),
    TflOp(B.FLOOR, None, "x", "y", "T(fp32|fp16|bf16) > =T"),
    TflOp(B.FULLY_CONNECTED, t.FullyConnectedOptions, "input filter bias?", "output*", "* *:2 * > *"),
    TflOp(B.HASHTABLE_LOOKUP, None, "lookup key value", "output hits", "i32:1 i32:1 T > T ui8"),
    TflOp(B.L2_NORMALIZATION, t.L2NormOptions, "input", "output", "T(fp32|ui8|i8) > T"),
    TflOp(B.L2_POOL_2D, t.Pool2DOptions, "input", "output", "T(fp32):4 > T"),
    TflOp(B.LOCAL_RESPONSE_NORMALIZATION, t.LocalResponseNormalizationOptions, "input", "output", "T(fp32):4 > T"),
    TflOp(B.LOGISTIC, None, "x", "y", "T > T"),
    TflOp(B.LSH_PROJECTION, t.LSHProjectionOptions),
    TflOp(
        B.LSTM,  # of the full kernel; the basic one's five operands are told apart by their positions
        t.LSTMOptions,
        "input input_to_input_weights? input_to_forget_weights input_to_cell_weights input_to_output_weights recurrent_to_input_weights? recurrent_to_forget_weights? recurrent_to_cell_weights? recurrent_to_output_weights? cell_to_input_weights? cell_to_forget_weights? cell_to_output_weights? input_gate_bias? forget_gate_bias? cell_bias? output_gate_bias? projection_weights? projection_bias? input_activation_state? input_cell_state? input_layer_norm_coefficients? forget_layer_norm_coefficients? cell_layer_norm_coefficients? output_layer_norm_coefficients?",
        "outputs*",
        "fp32|i8|ui8:2 * > *",
        intermediates=True,
    ),
    TflOp(B.MAX_POOL_2D, t.Pool2DOptions, "input", "output", "T:4 > T"),
    TflOp(B.MUL, t.MulOptions, "lhs rhs", "output", "T T > *"),
    TflOp(B.RELU, None, "x", "y", "T > T"),
    TflOp(B.RELU_N1_TO_1, None, "x", "y", "T > T"),
    TflOp(B.RELU6, None, "x", "y", "T > T"),
    TflOp(B.RESHAPE, t.ReshapeOptions, "input shape?", "output", "T * > T"),
    TflOp(B.RESIZE_BILINEAR, t.ResizeBilinearOptions, "input size", "output", "T:4 i32:1 > =T"),
    TflOp(
        B.RNN,
        t.RNNOptions,
        "input input_weights recurrent_weights bias hidden_state",
        "output",
        "fp32:2 T(fp32|i8|ui8):2 T:2 fp32:1 fp32:2 > fp32",
    ),
    TflOp(B.SOFTMAX, t.SoftmaxOptions, "input", "output", "T > *"),
    TflOp(B.SPACE_TO_DEPTH, t.SpaceToDepthOptions, "input", "output", "T(fp32|ui8|i8|i32|i64):4 > T"),
    TflOp(
        B.SVDF,
        t.SVDFOptions,
        "input feature_weights time_weights input_gate_bias? activation_state",
        "output",
        "T(fp32|i8):2 fp32|i8|ui8:2 *:2 *:1 *:2 > T",
    ),
    TflOp(B.TANH, None, "input", "output", "T > T"),
    TflOp(B.CONCAT_EMBEDDINGS, t.ConcatEmbeddingsOptions),
    TflOp(B.SKIP_GRAM, t.SkipGramOptions),
    TflOp(B.CALL, t.CallOptions),
    TflOp(B.CUSTOM, None, "input*?", "output*"),
    TflOp(
        B.EMBEDDING_LOOKUP_SPARSE,
        t.EmbeddingLookupSparseOptions,
        "ids indices dense_shape weights value",
        "output",
        "i32:1 i32:2 i32:1 fp32:1 * > fp32",
    ),
    TflOp(B.PAD, t.PadOptions, "input padding constant_values?", "output", "T i64|i32|i16|i8|bool:2 T > T"),
    TflOp(
        B.UNIDIRECTIONAL_SEQUENCE_RNN,
        t.SequenceRNNOptions,
        "input input_weights recurrent_weights bias hidden_state",
        "output",
        "fp32:3 T(fp32|i8|ui8):2 T:2 fp32:1 fp32:2 > fp32",
    ),
    TflOp(
        B.GATHER,
        t.GatherOptions,
        "params indices",
        "output",
        "T(fp32|ui8|i8|i16|i4|i32|i64|bool|fp16|bf16|string) i16|i32|i64 > =T",
    ),
    TflOp(B.BATCH_TO_SPACE_ND, t.BatchToSpaceNDOptions, "input block_shape indices", "output", "T i32:1 i32:2 > T"),
    TflOp(B.SPACE_TO_BATCH_ND, t.SpaceToBatchNDOptions, "input block_shape paddings", "output", "T i32:1 i32:2 > T"),
    TflOp(B.TRANSPOSE, t.TransposeOptions, "input perm", "output", "T i32:1 > T"),
    TflOp(B.MEAN, t.ReducerOptions, "input axis", "output", "T i32 > T"),
    TflOp(B.SUB, t.SubOptions, "lhs rhs", "output", "T T > =T"),
    TflOp(B.DIV, t.DivOptions, "lhs rhs", "output", "T T > =T"),
    TflOp(B.SQUEEZE, t.SqueezeOptions, "input", "output", "T > T"),
    TflOp(
        B.UNIDIRECTIONAL_SEQUENCE_LSTM,
        t.UnidirectionalSequenceLSTMOptions,
        "input input_to_input_weights? input_to_forget_weights input_to_cell_weights input_to_output_weights recurrent_to_input_weights? recurrent_to_forget_weights recurrent_to_cell_weights recurrent_to_output_weights cell_to_input_weights? cell_to_forget_weights? cell_to_output_weights? input_gate_bias? forget_gate_bias cell_bias output_gate_bias projection_weights? projection_bias? input_activation_state input_cell_state input_layer_norm_coefficients? forget_layer_norm_coefficients? cell_layer_norm_coefficients? output_layer_norm_coefficients?",
        "output",
        "fp32|i8:3 * > *",
        intermediates=True,
    ),
    TflOp(B.STRIDED_SLICE, t.StridedSliceOptions, "input begin end strides", "output", "T i32:1 i32:1 i32:1 > T"),
    TflOp(
        B.BIDIRECTIONAL_SEQUENCE_RNN,
        t.BidirectionalSequenceRNNOptions,
        "input fw_input_weights fw_recurrent_weights fw_bias fw_hidden_state bw_input_weights bw_recurrent_weights bw_bias bw_hidden_state aux_input? fw_aux_input_weights? bw_aux_input_weights?",
        "outputs*",
        "fp32:3 T(fp32|i8|ui8):2 T:2 fp32:1 fp32:2 T:2 T:2 fp32:1 fp32:2 fp32:3 T:2 T:2 > fp32",
    ),
    TflOp(B.EXP, t.ExpOptions, "x", "y", "T > =T"),
    TflOp(B.TOPK_V2, t.TopKV2Options, "input k", "values indices", "T i32|i16 > T *"),
    TflOp(B.SPLIT, t.SplitOptions, "split_dim value", "outputs*", "i32|i64 T(fp32|ui8|i8|i16|i32|i64) > =T"),
    TflOp(B.LOG_SOFTMAX, t.LogSoftmaxOptions, "input", "output", "T > T"),
    TflOp(
        B.BIDIRECTIONAL_SEQUENCE_LSTM,
        t.BidirectionalSequenceLSTMOptions,
        "input fw_input_to_input_weights? fw_input_to_forget_weights fw_input_to_cell_weights fw_input_to_output_weights fw_recurrent_to_input_weights? fw_recurrent_to_forget_weights fw_recurrent_to_cell_weights fw_recurrent_to_output_weights fw_cell_to_input_weights? fw_cell_to_forget_weights? fw_cell_to_output_weights? fw_input_gate_bias? fw_forget_gate_bias fw_cell_bias fw_output_gate_bias fw_projection_weights? fw_projection_bias? bw_input_to_input_weights? bw_input_to_forget_weights bw_input_to_cell_weights bw_input_to_output_weights bw_recurrent_to_input_weights? bw_recurrent_to_forget_weights bw_recurrent_to_cell_weights bw_recurrent_to_output_weights bw_cell_to_input_weights? bw_cell_to_forget_weights? bw_cell_to_output_weights? bw_input_gate_bias? bw_forget_gate_bias bw_cell_bias bw_output_gate_bias bw_projection_weights? bw_projection_bias? fw_input_activation_state fw_input_cell_state bw_input_activation_state bw_input_cell_state aux_input? fw_aux_input_to_input_weights? fw_aux_input_to_forget_weights? fw_aux_input_to_cell_weights? fw_aux_input_to_output_weights? bw_aux_input_to_input_weights? bw_aux_input_to_forget_weights? bw_aux_input_to_cell_weights? bw_aux_input_to_output_weights?",
        "outputs*",
        "fp32:3 * > fp32",
    ),
    TflOp(B.CAST, t.CastOptions, "input", "output", "* > *"),
    TflOp(B.PRELU, None, "input alpha", "output", "T * > =T"),
    TflOp(B.MAXIMUM, t.MaximumMinimumOptions, "lhs rhs", "max", "T T > =T"),
    TflOp(B.ARG_MAX, t.ArgMaxOptions, "input dim", "output", "T(fp32|ui8|i8|i32|bool) i32|i64 > =output_type"),
    TflOp(B.MINIMUM, t.MaximumMinimumOptions, "lhs rhs", "min", "T T > =T"),
    TflOp(B.LESS, t.LessOptions, "lhs rhs", "output", "T T > =bool"),
    TflOp(B.NEG, t.NegOptions, "x", "y", "T > =T"),
    TflOp(B.PADV2, t.PadV2Options, "input padding constant_values?", "output", "T i64|i32|i16|i8|bool:2 T > T"),
    TflOp(B.GREATER, t.GreaterOptions, "lhs rhs", "output", "T T > =bool"),
    TflOp(B.GREATER_EQUAL, t.GreaterEqualOptions, "lhs rhs", "output", "T T > =bool"),
    TflOp(B.LESS_EQUAL, t.LessEqualOptions, "lhs rhs", "output", "T T > =bool"),
    TflOp(B.SELECT, t.SelectOptions, "condition x y", "output", "bool T T > =T"),
    TflOp(B.SLICE, t.SliceOptions, "input begin size", "output", "T i32|i64:1 i32|i64:1 > T"),
    TflOp(B.SIN, None, "x", "y", "T(fp32|fp16|bf16) > T"),
    TflOp(
        B.TRANSPOSE_CONV,
        t.TransposeConvOptions,
        "output_shape weights input bias?",
        "output",
        "i32:1 *:4 T(fp32|fp16|bf16|ui8|i8|i16):4 * > T",
    ),
    TflOp(
        B.SPARSE_TO_DENSE,
        t.SparseToDenseOptions,
        "sparse_indices output_shape sparse_values default_value",
        "dense",
        "i32|i64 i32|i64:1 T(fp32|ui8|i8|i32|i64) T > =T",
    ),
    TflOp(B.TILE, t.TileOptions, "input multiples", "output", "T i32|i64 > T"),
    TflOp(B.EXPAND_DIMS, t.ExpandDimsOptions, "input dim", "output", "T i32|i64 > =T"),
    TflOp(B.EQUAL, t.EqualOptions, "x y", "output", "T T > =bool"),
    TflOp(B.NOT_EQUAL, t.NotEqualOptions, "lhs rhs", "output", "T T > =bool"),
    TflOp(B.LOG, None, "x", "y", "T(fp32|i8|i16) > T"),
    TflOp(B.SUM, t.ReducerOptions, "input axes", "output", "T i32 > T"),
    TflOp(B.SQRT, None, "x", "y", "T(fp32|i8|i16) > T"),
    TflOp(B.RSQRT, None, "x", "y", "T(fp32|i8|i16) > T"),
    TflOp(B.SHAPE, t.ShapeOptions, "input", "output", "* > =out_type"),
    TflOp(B.POW, t.PowOptions, "lhs rhs", "output", "T(fp32|i32) T > =T"),
    TflOp(B.ARG_MIN, t.ArgMinOptions, "input dim", "output", "T(fp32|ui8|i8|i32|bool) i32|i64 > =output_type"),
    TflOp(B.FAKE_QUANT, t.FakeQuantOptions, "input", "output", "T(fp32) > =T"),
    TflOp(B.REDUCE_PROD, t.ReducerOptions, "input axes", "output", "T i32 > T"),
    TflOp(B.REDUCE_MAX, t.ReducerOptions, "input axes", "output", "T i32 > T"),
    TflOp(B.PACK, t.PackOptions, "values*", "output", "T(fp32|ui8|i8|i16|i32|i64|ui32) > T"),
    TflOp(B.LOGICAL_OR, t.LogicalOrOptions, "lhs rhs", "output", "T(bool) T > =T"),
    TflOp(
        B.ONE_HOT,
        t.OneHotOptions,
        "indices depth on_value off_value",
        "output",
        "i32|i64 i32 T(fp32|ui8|i8|i16|i32|i64|bool) T > =T",
    ),
    TflOp(B.LOGICAL_AND, t.LogicalAndOptions, "lhs rhs", "output", "T(bool) T > =T"),
    TflOp(B.LOGICAL_NOT, t.LogicalNotOptions, "lhs", "output", "T(bool) > T"),
    TflOp(B.UNPACK, t.UnpackOptions, "input", "outputs*", "T(fp32|fp16|bf16|ui8|i8|i16|i32|bool) > T"),
    TflOp(B.REDUCE_MIN, t.ReducerOptions, "input axes", "output", "T i32 > T"),
    TflOp(B.FLOOR_DIV, t.FloorDivOptions, "lhs rhs", "output", "T(fp32|i32|i16|i8) T > =T"),
    TflOp(B.REDUCE_ANY, t.ReducerOptions, "input reduction_indices", "output", "T(bool) i32 > T"),
    TflOp(B.SQUARE, t.SquareOptions, "x", "y", "T(fp32) > T"),
    TflOp(B.ZEROS_LIKE, t.ZerosLikeOptions, "input", "output", "T > =T"),
    TflOp(B.FILL, t.FillOptions, "dims input", "result", "i32|i64:1 T:0 > =T"),
    TflOp(B.FLOOR_MOD, t.FloorModOptions, "lhs rhs", "output", "T(i8|i16|i32|i64|fp32) T > =T"),
    TflOp(B.RANGE, t.RangeOptions, "start limit delta", "result", "T(fp32|i32|i64):0 T:0 T:0 > =T"),
    TflOp(B.RESIZE_NEAREST_NEIGHBOR, t.ResizeNearestNeighborOptions, "input size", "output", "T:4 i32:1 > =T"),
    TflOp(B.LEAKY_RELU, t.LeakyReluOptions, "input", "output", "T > T"),
    TflOp(B.SQUARED_DIFFERENCE, t.SquaredDifferenceOptions, "lhs rhs", "output", "T T > =T"),
    TflOp(B.MIRROR_PAD, t.MirrorPadOptions, "input pad", "output", "T i32|i64:2 > T"),
    TflOp(B.ABS, t.AbsOptions, "x", "y", "T(fp32|i8|i16|i32) > T"),
    TflOp(
        B.SPLIT_V,
        t.SplitVOptions,
        "value size_splits split_dim",
        "outputs*",
        "T(fp32|ui8|i8|i16|i32|i64) i32|i64:1 i32|i64 > =T",
    ),
    TflOp(B.UNIQUE, t.UniqueOptions, "input", "output idx", "T:1 > T *"),
    TflOp(B.CEIL, None, "x", "y", "T(fp32) > =T"),
    TflOp(
        B.REVERSE_V2, t.ReverseV2Options, "input axis", "output", "T(fp32|ui8|i8|i16|i32|i64|bool|fp16|bf16) i32:1 > T"
    ),
    TflOp(B.ADD_N, t.AddNOptions, "inputs*", "sum", "T(fp32|i32) > =T"),
    TflOp(
        B.GATHER_ND,
        t.GatherNdOptions,
        "params indices",
        "output",
        "T(fp32|fp16|bf16|ui8|i8|i16|i32|i64|bool|string) i16|i32|i64 > =T",
    ),
    TflOp(B.COS, t.CosOptions, "x", "y", "T(fp32|fp16|bf16) > T"),
    TflOp(B.WHERE, t.WhereOptions, "condition", "index", "bool|fp32|i64|i32|i8|ui8|ui32 > =i64"),
    TflOp(B.RANK, t.RankOptions, "input", "output", "* > =i32"),
    TflOp(B.ELU, None, "x", "y", "T > T"),
    TflOp(
        B.REVERSE_SEQUENCE,
        t.ReverseSequenceOptions,
        "input seq_lengths",
        "output",
        "T(fp32|ui8|i16|i32|i64) i32|i64:1 > T",
    ),
    TflOp(B.MATRIX_DIAG, t.MatrixDiagOptions, "diagonal", "output", "T > =T"),
    TflOp(B.QUANTIZE, t.QuantizeOptions, "input", "output", "fp32|i32|i16|i8|ui8 > *"),
    TflOp(B.MATRIX_SET_DIAG, t.MatrixSetDiagOptions, "input diagonal", "result", "T T > =T"),
    TflOp(B.ROUND, None, "x", "y", "T(fp32) > =T"),
    TflOp(B.HARD_SWISH, t.HardSwishOptions, "input", "output", "T > T"),
    TflOp(B.IF, t.IfOptions, "cond input*", "results*", "bool * > *"),
    TflOp(B.WHILE, t.WhileOptions, "input*", "output*", "* > *"),
    TflOp(
        B.NON_MAX_SUPPRESSION_V4,
        t.NonMaxSuppressionV4Options,
        "boxes scores max_output_size iou_threshold score_threshold",
        "selected_indices valid_outputs",
        "fp32:2 fp32:1 i32:0 fp32:0 fp32:0 > =i32",
    ),
    TflOp(
        B.NON_MAX_SUPPRESSION_V5,
        t.NonMaxSuppressionV5Options,
        "boxes scores max_output_size iou_threshold score_threshold soft_nms_sigma",
        "selected_indices selected_scores valid_outputs",
        "fp32:2 fp32:1 i32:0 fp32:0 fp32:0 fp32:0 > =i32 =fp32 =i32",
    ),
    TflOp(
        B.SCATTER_ND,
        t.ScatterNdOptions,
        "indices updates shape",
        "output",
        "i32 T(fp32|ui8|i8|i32|i64|bool) i32:1 > =T",
    ),
    TflOp(B.SELECT_V2, t.SelectV2Options, "condition x y", "output", "bool T T > =T"),
    TflOp(B.DENSIFY, t.DensifyOptions, "input", "output", "T > =T"),
    TflOp(B.SEGMENT_SUM, t.SegmentSumOptions, "input segment_ids", "output", "T(fp32|i32) i32:1 > T"),
    TflOp(B.BATCH_MATMUL, t.BatchMatMulOptions, "x y", "output", "fp32|fp16|bf16|i8|i16 fp32|fp16|bf16|i8|i16 > *"),
    TflOp(B.CUMSUM, t.CumsumOptions, "input axis", "output", "T(fp32|i32|i64) i32 > T"),
    TflOp(B.CALL_ONCE, t.CallOnceOptions),
    TflOp(B.BROADCAST_TO, t.BroadcastToOptions, "input shape", "output", "T i32|i64:1 > T"),
    TflOp(B.RFFT2D, t.Rfft2dOptions, "input fft_length", "output", "fp32 i32:1 > =complex64"),
    TflOp(B.CONV_3D, t.Conv3DOptions, "input filter bias?", "output", "T(fp32):5 T:5 T > T"),
    TflOp(B.IMAG, None, "input", "output", "complex64|complex128 > fp32|fp64"),
    TflOp(B.REAL, None, "input", "output", "complex64|complex128 > fp32|fp64"),
    TflOp(B.COMPLEX_ABS, None, "input", "output", "complex64|complex128 > fp32|fp64"),
    TflOp(B.HASHTABLE, t.HashtableOptions, "", "out"),
    TflOp(B.HASHTABLE_FIND, t.HashtableFindOptions, "hash_table keys default_value", "out"),
    TflOp(B.HASHTABLE_IMPORT, t.HashtableImportOptions, "hash_table keys values"),
    TflOp(B.HASHTABLE_SIZE, t.HashtableSizeOptions, "hash_table", "out"),
    TflOp(B.REDUCE_ALL, t.ReducerOptions, "input reduction_indices", "output", "T(bool) i32 > T"),
    TflOp(
        B.CONV_3D_TRANSPOSE, t.Conv3DOptions, "output_shape filter input bias?", "output", "i32:1 T(fp32):5 T:5 T > T"
    ),
    TflOp(B.VAR_HANDLE, t.VarHandleOptions, "", "resource_handle", " > *"),
    TflOp(B.READ_VARIABLE, t.ReadVariableOptions, "resource_id", "result", "* > *"),
    TflOp(B.ASSIGN_VARIABLE, t.AssignVariableOptions, "resource_id value", "", "* * > "),
    TflOp(B.BROADCAST_ARGS, None, "s0 s1", "r0", "T(i32|i64):1 T:1 > T"),
    TflOp(B.RANDOM_STANDARD_NORMAL, t.RandomOptions, "shape", "out", "i32:1 > fp32"),
    TflOp(B.BUCKETIZE, t.BucketizeOptions, "input", "output", "T(fp32|fp64|i32|i64) > =i32"),
    TflOp(B.RANDOM_UNIFORM, t.RandomOptions, "shape", "out", "i32:1 > fp32"),
    TflOp(B.MULTINOMIAL, t.RandomOptions, "logits num_samples", "out", "fp32:2 i32:0 > i32|i64"),
    TflOp(B.GELU, t.GeluOptions, "input", "output", "T > T"),
    TflOp(
        B.DYNAMIC_UPDATE_SLICE,
        t.DynamicUpdateSliceOptions,
        "operand update start_indices",
        "output",
        "T T i32|i64:1 > =T",
    ),
    TflOp(B.RELU_0_TO_1, None, "x", "y", "T > T"),
    TflOp(
        B.UNSORTED_SEGMENT_PROD,
        t.UnsortedSegmentProdOptions,
        "input segment_ids num_segments",
        "output",
        "T(fp32|i32) i32 i32 > T",
    ),
    TflOp(
        B.UNSORTED_SEGMENT_MAX,
        t.UnsortedSegmentMaxOptions,
        "input segment_ids num_segments",
        "output",
        "T(fp32|i32) i32 i32 > T",
    ),
    TflOp(
        B.UNSORTED_SEGMENT_SUM,
        t.UnsortedSegmentSumOptions,
        "input segment_ids num_segments",
        "output",
        "T(fp32|i32) i32 i32 > T",
    ),
    TflOp(B.ATAN2, t.ATan2Options, "y x", "output", "T(fp32|fp64) T > T"),
    TflOp(
        B.UNSORTED_SEGMENT_MIN,
        t.UnsortedSegmentMinOptions,
        "input segment_ids num_segments",
        "output",
        "T(fp32|i32) i32 i32 > T",
    ),
    TflOp(B.SIGN, t.SignOptions, "x", "output", "T(fp32|fp64|i32) > T"),
    TflOp(B.BITCAST, t.BitcastOptions, "input", "output", "* > *"),
    TflOp(B.BITWISE_XOR, t.BitwiseXorOptions, "lhs rhs", "output", "T(i8|ui8|i16|ui16|i32|ui32) T > =T"),
    TflOp(B.RIGHT_SHIFT, t.RightShiftOptions, "lhs rhs", "output", "T(i8|ui8|i16|ui16|i32|ui32) T > =T"),
    TflOp(B.STABLEHLO_LOGISTIC, None, "operand", "result", "T > T"),
    TflOp(B.STABLEHLO_ADD, None, "lhs rhs", "result", "T T > T"),
    TflOp(B.STABLEHLO_DIVIDE, None, "lhs rhs", "result", "T T > T"),
    TflOp(B.STABLEHLO_MULTIPLY, None, "lhs rhs", "result", "T T > T"),
    TflOp(B.STABLEHLO_MAXIMUM, None, "lhs rhs", "result", "T T > T"),
    TflOp(B.STABLEHLO_RESHAPE, None, "operand", "result", "T > T"),
    TflOp(B.STABLEHLO_CLAMP, None, "min operand max", "result", "T T T > T"),
    TflOp(B.STABLEHLO_CONCATENATE, t.StablehloConcatenateOptions, "inputs*", "result", "T > T"),
    TflOp(B.STABLEHLO_BROADCAST_IN_DIM, t.StablehloBroadcastInDimOptions, "operand", "result", "T > T"),
    TflOp(B.STABLEHLO_CONVOLUTION, t.StablehloConvolutionOptions, "lhs rhs", "result", "T T > *"),
    TflOp(B.STABLEHLO_SLICE, t.StablehloSliceOptions, "operand", "result", "T > T"),
    TflOp(B.STABLEHLO_CUSTOM_CALL, t.StablehloCustomCallOptions),
    TflOp(B.STABLEHLO_REDUCE, t.StablehloReduceOptions, "inputs*", "result", "* > *"),
    TflOp(B.STABLEHLO_ABS, None, "operand", "result", "T > T"),
    TflOp(B.STABLEHLO_AND, None, "lhs rhs", "result", "T T > T"),
    TflOp(B.STABLEHLO_COSINE, None, "operand", "result", "T > T"),
    TflOp(B.STABLEHLO_EXPONENTIAL, None, "operand", "result", "T > T"),
    TflOp(B.STABLEHLO_FLOOR, None, "operand", "result", "T > T"),
    TflOp(B.STABLEHLO_LOG, None, "operand", "result", "T > T"),
    TflOp(B.STABLEHLO_MINIMUM, None, "lhs rhs", "result", "T T > T"),
    TflOp(B.STABLEHLO_NEGATE, None, "operand", "result", "T > T"),
    TflOp(B.STABLEHLO_OR, None, "lhs rhs", "result", "T T > T"),
    TflOp(B.STABLEHLO_POWER, None, "lhs rhs", "result", "T T > T"),
    TflOp(B.STABLEHLO_REMAINDER, None, "lhs rhs", "result", "T T > T"),
    TflOp(B.STABLEHLO_RSQRT, None, "operand", "result", "T > T"),
    TflOp(B.STABLEHLO_SELECT, None, "pred on_true on_false", "result", "bool T T > T"),
    TflOp(B.STABLEHLO_SUBTRACT, None, "lhs rhs", "result", "T T > T"),
    TflOp(B.STABLEHLO_TANH, None, "operand", "result", "T > T"),
    TflOp(
        B.STABLEHLO_SCATTER, t.StablehloScatterOptions, "inputs scatter_indices updates", "result", "T i32|i64 T > T"
    ),
    TflOp(B.STABLEHLO_COMPARE, t.StablehloCompareOptions, "lhs rhs", "result", "T T > bool"),
    TflOp(B.STABLEHLO_CONVERT, None, "input", "result", "* > *"),
    TflOp(
        B.STABLEHLO_DYNAMIC_SLICE, t.StablehloDynamicSliceOptions, "operand start_indices*", "result", "T i32|i64:0 > T"
    ),
    TflOp(B.STABLEHLO_DYNAMIC_UPDATE_SLICE, None, "operand update start_indices*", "result", "T T i32|i64:0 > T"),
    TflOp(B.STABLEHLO_PAD, t.StablehloPadOptions, "operand padding_value", "result", "T T > T"),
    TflOp(B.STABLEHLO_IOTA, t.StablehloIotaOptions, "", "output", "> *"),
    TflOp(B.STABLEHLO_DOT_GENERAL, t.StablehloDotGeneralOptions, "lhs rhs", "result", "T T > *"),
    TflOp(B.STABLEHLO_REDUCE_WINDOW, t.StablehloReduceWindowOptions, "input init_value", "result", "T T > T"),
    TflOp(B.STABLEHLO_SORT, t.StablehloSortOptions, "inputs*", "results*", "* > *"),
    TflOp(B.STABLEHLO_WHILE, t.StablehloWhileOptions, "operand*", "result*", "* > *"),
    TflOp(B.STABLEHLO_GATHER, t.StablehloGatherOptions, "operand start_indices", "result", "T i32|i64 > T"),
    TflOp(B.STABLEHLO_TRANSPOSE, t.StablehloTransposeOptions, "operand", "result", "T > T"),
    TflOp(B.DILATE, t.DilateOptions, "input dilations padding_value", "output", "T i32:1 T > T"),
    TflOp(B.STABLEHLO_RNG_BIT_GENERATOR, t.StablehloRngBitGeneratorOptions),
    TflOp(
        B.REDUCE_WINDOW,
        t.ReduceWindowOptions,
        "input init_value window_dimensions window_strides window_dilations",
        "result",
        "T T i64:1 i64:1 i64:1 > T",
    ),
    TflOp(B.STABLEHLO_COMPOSITE, t.StableHLOCompositeOptions),
    TflOp(B.STABLEHLO_SHIFT_LEFT, t.StablehloShiftLeftOptions, "lhs rhs", "result", "T(i8|i16|i32) T > =T"),
    TflOp(B.STABLEHLO_CBRT, None, "operand", "result", "T > T"),
    TflOp(B.STABLEHLO_CASE, t.StablehloCaseOptions, "index input*", "results*", "i32 * > *"),
)

BY_BUILTIN = {row.builtin: row for row in OPERATORS}
BY_OPCODE = {row.opcode: row for row in OPERATORS}

# MediaPipe's custom operator: input, weight OHWI, bias; options as three int32: TfLitePadding, stride of w, stride of h.
TRANSPOSE_BIAS = "Convolution2DTransposeBias"
CUSTOM_PADDING = {1: t.Padding.SAME, 2: t.Padding.VALID}
# The attribute that a user gives to these operators: the most rows of the first result, whose number only a run knows.
BOUND = "bound"
BOUNDED = ("tfl.segment_sum", "tfl.unique", "tfl.where")
# By operator, the options that are numbers of graphs.
GRAPHS = {
    "tfl.stablehlo_composite": ("decomposition_subgraph_index",),
    "tfl.call": ("subgraph",),
    "tfl.call_once": ("init_subgraph_index",),
    "tfl.if": ("then_subgraph_index", "else_subgraph_index"),
    "tfl.stablehlo_case": ("branch_subgraph_indices",),
    "tfl.stablehlo_reduce": ("body_subgraph_index",),
    "tfl.stablehlo_reduce_window": ("body_subgraph_index",),
    "tfl.stablehlo_scatter": ("update_computation_subgraph_index",),
    "tfl.stablehlo_sort": ("comparator_subgraph_index",),
    "tfl.stablehlo_while": ("cond_subgraph_index", "body_subgraph_index"),
    "tfl.while": ("cond_subgraph_index", "body_subgraph_index"),
}
# Those that choose between graphs, and those whose first graph says whether the second is to run once more.
CHOICES = frozenset({"tfl.if", "tfl.stablehlo_case"})
LOOPS = frozenset({"tfl.stablehlo_while", "tfl.while"})
# Operators that count how many random numbers they have drawn.
COUNTING = frozenset({"tfl.multinomial", "tfl.random_standard_normal", "tfl.random_uniform"})
# What has state: variables with all that is done to them, tensors that the file marks, and counters.
STATE = COUNTING | {
    "tfl.assign_variable",
    "tfl.call_once",
    VARIABLE,
    "tfl.read_variable",
    "tfl.var_handle",
}
