"""The fb_xnnpack schema of XNNPACK graphs as rows: PyTorch's first form of it (no identifier), and ExecuTorch's two.

ExecuTorch's fields and members stand behind PyTorch's, so that one reader takes all; only the numbers of XNNDatatype
from 4 on differ, of which PyTorch's has qint32 alone. Rows are those of ExecuTorch 1.5.
"""

from __future__ import annotations

from tosa_converter.schemas.flat import F32, I32, U32, U64, Blob16, Deprecated, OneOf, Opt, ShortEnum, Str, Table, Vec

IDENTIFIERS = (b"XN00", b"XN01")  # ExecuTorch's
INVALID_VALUE_ID = 0xFFFFFFFF
MAX_RANK = 6  # XNN_MAX_TENSOR_DIMS
FLAG_EXTERNAL_INPUT = 1
FLAG_EXTERNAL_OUTPUT = 2

# Flags of nodes (xnnpack.h); the first one of each operator that has it.
FLAG_TRANSPOSE_WEIGHTS = 1
FLAG_TRANSPOSE_B = 1
FLAG_TRANSPOSE_A = 2
FLAG_TENSORFLOW_SAME_PADDING = 4
FLAG_TENSORFLOW_LEGACY_MODE = 4
FLAG_ALIGN_CORNERS = 8
FLAG_KEEP_DIMS = 64

# What may stand before a graph: where it and its constants lie in what follows (XNNHeader.h).
HEADER_IDENTIFIER = b"XH00"
HEADER = "<4x4sHIIIQ"  # identifier, size of the header, places and sizes of graph and constants


class XNNDatatype(ShortEnum):
    xnn_datatype_invalid = 0
    xnn_datatype_fp32 = 1
    xnn_datatype_fp16 = 2
    xnn_datatype_qint8 = 3
    xnn_datatype_quint8 = 4
    xnn_datatype_qint32 = 5
    xnn_datatype_qcint8 = 6
    xnn_datatype_qcint32 = 7
    xnn_datatype_qcint4 = 8
    xnn_datatype_qdint8 = 9
    xnn_datatype_qbint4 = 10
    xnn_datatype_qpint8 = 11
    xnn_datatype_int32 = 12
    xnn_datatype_pfp32 = 13
    xnn_datatype_bf16 = 14


# PyTorch's numbers that mean another type.
PYTORCH_DATATYPES = {XNNDatatype.xnn_datatype_quint8: XNNDatatype.xnn_datatype_qint32}


class Buffer(Table):
    storage: Opt[Blob16] = None


class XNNQuantParams(Table):
    """Union of its subclasses, numbered from 1 in this order."""


class PerChannelQuant(XNNQuantParams):
    scale: Vec[F32] = ()
    channel_dim: I32 = 0
    scale_buffer_idx: U32 = 0
    num_scales: U32 = 0


class PerTensorQuant(XNNQuantParams):
    scale: F32 = 0.0
    zero_point: I32 = 0


class PerTokenDynamicQuant(XNNQuantParams):
    num_nonbatch_dims: I32 = 0


class PerChannelGroupQuant(XNNQuantParams):
    scale: Vec[F32] = ()
    channel_dim: I32 = 0
    group_size: I32 = 0
    scale_bf16: Deprecated = None
    scale_buffer_idx: U32 = 0
    num_scales: U32 = 0


class XNodeUnion(Table):
    """Union of its subclasses, numbered from 1 in this order."""


class XValueUnion(Table):
    """Union of its subclasses, numbered from 1 in this order."""


class XNNTensorValue(XValueUnion):
    datatype: XNNDatatype = XNNDatatype.xnn_datatype_invalid
    num_dims: U32 = 0
    dims: Vec[U32] = ()
    constant_buffer_idx: U32 = 0
    external_id: U32 = 0
    flags: U32 = 0
    id_out: U32 = 0
    dq_datatype: XNNDatatype = XNNDatatype.xnn_datatype_invalid  # of XN00 alone


class XNNQuantizedTensorValue(XValueUnion):
    tensor_value: Opt[XNNTensorValue] = None
    quant_params: OneOf[XNNQuantParams] = None


class OutputMinMax(Table):
    output_min: F32 = 0.0
    output_max: F32 = 0.0


class XNode(Table):
    xnode: OneOf[XNodeUnion] = None
    debug_handle: U32 = 0
    output_min_max: Opt[OutputMinMax] = None


class XValue(Table):
    xvalue: OneOf[XValueUnion] = None


class OneOperand(Table):
    """Fields of a node of one operand."""

    input_id: U32 = 0
    output_id: U32 = 0
    flags: U32 = 0


class TwoOperands(Table):
    """Fields of a node of two operands."""

    input1_id: U32 = 0
    input2_id: U32 = 0
    output_id: U32 = 0
    flags: U32 = 0


class Concatenation(Table):
    """Fields of a concatenation of up to five operands."""

    axis: U32 = 0
    input1_id: U32 = 0
    input2_id: U32 = 0
    input3_id: U32 = 0
    input4_id: U32 = 0
    output_id: U32 = 0
    flags: U32 = 0
    input5_id: U32 = 0


class Convolution(Table):
    """Fields of a convolution."""

    padding_top: U32 = 0
    padding_right: U32 = 0
    padding_bottom: U32 = 0
    padding_left: U32 = 0
    kernel_height: U32 = 0
    kernel_width: U32 = 0
    subsampling_height: U32 = 0
    subsampling_width: U32 = 0
    dilation_height: U32 = 0
    dilation_width: U32 = 0
    group_input_channels: U32 = 0
    group_output_channels: U32 = 0
    groups: U32 = 0
    adjustment_height: U32 = 0
    adjustment_width: U32 = 0
    input1_id: U32 = 0
    filter_id: U32 = 0
    bias_id: U32 = 0
    output_id: U32 = 0
    flags: U32 = 0


class Pooling(Table):
    """Fields of a pool."""

    padding_top: U32 = 0
    padding_right: U32 = 0
    padding_bottom: U32 = 0
    padding_left: U32 = 0
    pooling_height: U32 = 0
    pooling_width: U32 = 0
    stride_height: U32 = 0
    stride_width: U32 = 0
    dilation_height: U32 = 0
    dilation_width: U32 = 0
    input_id: U32 = 0
    output_id: U32 = 0
    flags: U32 = 0


class XNNAdd(TwoOperands, XNodeUnion):
    pass


class XNNFullyConnected(XNodeUnion):
    input1_id: U32 = 0
    filter_id: U32 = 0
    bias_id: U32 = 0
    output_id: U32 = 0
    flags: U32 = 0


class XNNSoftmax(OneOperand, XNodeUnion):
    pass


class XNNSigmoid(OneOperand, XNodeUnion):
    pass


class XNNStaticTranspose(XNodeUnion):
    num_dims: U32 = 0
    perm: Vec[U32] = ()
    input_id: U32 = 0
    output_id: U32 = 0
    flags: U32 = 0


class XNNClamp(OneOperand, XNodeUnion):
    pass


class XNNConv2d(Convolution, XNodeUnion):
    pass


class XNNDiv(TwoOperands, XNodeUnion):
    pass


class XNNStaticResizeBilinear2D(XNodeUnion):
    new_height: U32 = 0
    new_width: U32 = 0
    input_id: U32 = 0
    output_id: U32 = 0
    flags: U32 = 0


class XNNStaticConstantPad(XNodeUnion):
    pre_paddings: Vec[U32] = ()
    post_paddings: Vec[U32] = ()
    padding_value: F32 = 0.0
    input_id: U32 = 0
    output_id: U32 = 0
    flags: U32 = 0


class XNNAvgPooling2d(Pooling, XNodeUnion):
    pass


class XNNMinimum(TwoOperands, XNodeUnion):
    pass


class XNNDepthwiseConv2d(Convolution, XNodeUnion):
    pass


class XNNMaxPooling2d(Pooling, XNodeUnion):
    pass


class XNNMultiply(TwoOperands, XNodeUnion):
    pass


class XNNSubtract(TwoOperands, XNodeUnion):
    pass


class XNNFloor(OneOperand, XNodeUnion):
    pass


class XNNConvert(OneOperand, XNodeUnion):
    pass


class XNNGlobalAvgPooling2d(OneOperand, XNodeUnion):
    pass


class XNNStaticReshape(XNodeUnion):
    num_dims: U32 = 0
    new_shape: Vec[U32] = ()
    input_id: U32 = 0
    output_id: U32 = 0
    flags: U32 = 0


class XNNArgMaxPooling2d(XNodeUnion):
    padding_top: U32 = 0
    padding_right: U32 = 0
    padding_bottom: U32 = 0
    padding_left: U32 = 0
    pooling_height: U32 = 0
    pooling_width: U32 = 0
    input_id: U32 = 0
    output_value_id: U32 = 0
    output_index_id: U32 = 0
    flags: U32 = 0


class XNNSquareRoot(OneOperand, XNodeUnion):
    pass


class XNNCeiling(OneOperand, XNodeUnion):
    pass


class XNNHardswish(OneOperand, XNodeUnion):
    pass


class XNNLeakyReLU(XNodeUnion):
    negative_slope: F32 = 0.0
    input_id: U32 = 0
    output_id: U32 = 0
    flags: U32 = 0


class XNNMaximum(TwoOperands, XNodeUnion):
    pass


class XNNNegate(OneOperand, XNodeUnion):
    pass


class XNNSquare(OneOperand, XNodeUnion):
    pass


class XNNELU(XNodeUnion):
    alpha: F32 = 0.0
    input_id: U32 = 0
    output_id: U32 = 0
    flags: U32 = 0


class XNNAbs(OneOperand, XNodeUnion):
    pass


class XNNPReLU(TwoOperands, XNodeUnion):
    pass


class XNNConcatenate2(Concatenation, XNodeUnion):
    pass


class XNNConcatenate3(Concatenation, XNodeUnion):
    pass


class XNNConcatenate4(Concatenation, XNodeUnion):
    pass


class XNNStaticSlice(XNodeUnion):
    num_dims: U32 = 0
    offsets: Vec[U32] = ()
    sizes: Vec[U32] = ()
    input_id: U32 = 0
    output_id: U32 = 0
    flags: U32 = 0


class XNNScaledDotProductAttention(XNodeUnion):
    query_id: U32 = 0
    key_id: U32 = 0
    value_id: U32 = 0
    scale_id: U32 = 0
    mask_id: U32 = 0
    output_id: U32 = 0
    flags: U32 = 0


class XNNBatchMatrixMultiply(TwoOperands, XNodeUnion):
    pass


class XNNConcatenate5(Concatenation, XNodeUnion):
    pass


class XNNConvTranspose2d(Convolution, XNodeUnion):
    pass


class XNNReciprocalSquareRoot(OneOperand, XNodeUnion):
    pass


class XNNLog(OneOperand, XNodeUnion):
    pass


class XNNGelu(OneOperand, XNodeUnion):
    pass


class XNNTanh(OneOperand, XNodeUnion):
    pass


class XNNExp(OneOperand, XNodeUnion):
    pass


class XNNSin(OneOperand, XNodeUnion):
    pass


class XNNCopy(OneOperand, XNodeUnion):
    pass


class XNNCos(OneOperand, XNodeUnion):
    pass


class ConstantDataOffset(Table):
    offset: U64 = 0
    size: U64 = 0
    named_key: Str = ""


class XNNGraph(Table):
    version: Str = ""
    xnodes: Vec[XNode] = ()
    xvalues: Vec[XValue] = ()
    num_externs: U32 = 0
    input_ids: Vec[U32] = ()
    output_ids: Vec[U32] = ()
    constant_buffer: Vec[Buffer] = ()
    mem_buffer_sizes: Vec[U32] = ()
    constant_data: Vec[ConstantDataOffset] = ()
