"""The nodes of XNNGraph, one row each: table, operands, results; the table's other fields are attributes."""

from typing import NamedTuple

from tosa_converter.schemas import xnnpack
from tosa_converter.schemas.tosa_ops import OPERATORS as TOSA_OPERATORS
from tosa_converter.schemas.tosa_target import VERSION


class XnnOp(NamedTuple):
    """One node type.

    `name` is the operator's name in the IR behind `xnn.`. Operands and results are fields of the table without `_id`
    behind them, in the order of XNNPACK's function that defines the node; `?` is one that may be absent. `bounded` are
    those whose result the node's `output_min_max` bounds.
    """

    name: str
    table: type[xnnpack.XNodeUnion]
    operands: str
    results: str = "output"
    bounded: bool = False

    @property
    def opcode(self) -> str:
        """The operator's name in a graph, as in `xnn.add`."""
        return "xnn." + self.name


_PAIR = "input1 input2"
_LAYER = "input1 filter bias?"

OPERATORS = (
    XnnOp("add", xnnpack.XNNAdd, _PAIR, bounded=True),
    XnnOp("fully_connected", xnnpack.XNNFullyConnected, _LAYER, bounded=True),
    XnnOp("softmax", xnnpack.XNNSoftmax, "input"),
    XnnOp("sigmoid", xnnpack.XNNSigmoid, "input"),
    XnnOp("static_transpose", xnnpack.XNNStaticTranspose, "input"),
    XnnOp("clamp", xnnpack.XNNClamp, "input", bounded=True),
    XnnOp("conv_2d", xnnpack.XNNConv2d, _LAYER, bounded=True),
    XnnOp("div", xnnpack.XNNDiv, _PAIR, bounded=True),
    XnnOp("static_resize_bilinear_2d", xnnpack.XNNStaticResizeBilinear2D, "input"),
    XnnOp("static_constant_pad", xnnpack.XNNStaticConstantPad, "input"),
    XnnOp("avg_pooling_2d", xnnpack.XNNAvgPooling2d, "input", bounded=True),
    XnnOp("minimum", xnnpack.XNNMinimum, _PAIR),
    XnnOp("depthwise_conv_2d", xnnpack.XNNDepthwiseConv2d, _LAYER, bounded=True),
    XnnOp("max_pooling_2d", xnnpack.XNNMaxPooling2d, "input", bounded=True),
    XnnOp("multiply", xnnpack.XNNMultiply, _PAIR, bounded=True),
    XnnOp("subtract", xnnpack.XNNSubtract, _PAIR, bounded=True),
    XnnOp("floor", xnnpack.XNNFloor, "input"),
    XnnOp("convert", xnnpack.XNNConvert, "input"),
    XnnOp("global_avg_pooling_2d", xnnpack.XNNGlobalAvgPooling2d, "input", bounded=True),
    XnnOp("static_reshape", xnnpack.XNNStaticReshape, "input"),
    XnnOp("arg_max_pooling_2d", xnnpack.XNNArgMaxPooling2d, "input", "output_value output_index"),
    XnnOp("square_root", xnnpack.XNNSquareRoot, "input"),
    XnnOp("ceiling", xnnpack.XNNCeiling, "input"),
    XnnOp("hardswish", xnnpack.XNNHardswish, "input"),
    XnnOp("leaky_relu", xnnpack.XNNLeakyReLU, "input"),
    XnnOp("maximum", xnnpack.XNNMaximum, _PAIR),
    XnnOp("negate", xnnpack.XNNNegate, "input"),
    XnnOp("square", xnnpack.XNNSquare, "input"),
    XnnOp("elu", xnnpack.XNNELU, "input"),
    XnnOp("abs", xnnpack.XNNAbs, "input"),
    XnnOp("prelu", xnnpack.XNNPReLU, _PAIR),
    XnnOp("concatenate_2", xnnpack.XNNConcatenate2, "input1 input2"),
    XnnOp("concatenate_3", xnnpack.XNNConcatenate3, "input1 input2 input3"),
    XnnOp("concatenate_4", xnnpack.XNNConcatenate4, "input1 input2 input3 input4"),
    XnnOp("static_slice", xnnpack.XNNStaticSlice, "input"),
    XnnOp("scaled_dot_product_attention", xnnpack.XNNScaledDotProductAttention, "query key value scale mask"),
    XnnOp("batch_matrix_multiply", xnnpack.XNNBatchMatrixMultiply, _PAIR),
    XnnOp("concatenate_5", xnnpack.XNNConcatenate5, "input1 input2 input3 input4 input5"),
    XnnOp("conv_transpose_2d", xnnpack.XNNConvTranspose2d, _LAYER, bounded=True),
    XnnOp("reciprocal_square_root", xnnpack.XNNReciprocalSquareRoot, "input"),
    XnnOp("log", xnnpack.XNNLog, "input"),
    XnnOp("gelu", xnnpack.XNNGelu, "input"),
    XnnOp("tanh", xnnpack.XNNTanh, "input"),
    XnnOp("exp", xnnpack.XNNExp, "input"),
    XnnOp("sin", xnnpack.XNNSin, "input"),
    XnnOp("copy", xnnpack.XNNCopy, "input"),
    XnnOp("cos", xnnpack.XNNCos, "input"),
)

BY_TABLE = {row.table: row for row in OPERATORS}
BY_OPCODE = {row.opcode: row for row in OPERATORS}

_KERNEL = "a kernel of ExecuTorch that isn't known: `--delegate` converts one of XNNPACK's delegates"
_STATE = "XNNGraph has no variables: converted with `--state io`, they are inputs and outputs"
_CONTROL = "XNNGraph has no control flow; `--control-flow flatten` converts without, where that can be done"
_INTEGERS = "XNNGraph has no arithmetic on integers but quantized ones"
_CONDITIONS = "XNNGraph has no truth values"
_NO_NODE = "XNNGraph has no node for it"
_CUSTOM = "expected an operator that TOSA defines, found a custom one; write the model as .tosa"  # to TFLite too
_REQUANTIZED = "a RESCALE that isn't XNNPACK's; `--numerics xnnpack` converts integers to those"
_TABLE = "a TABLE that no function of XNNPACK has, of too many elements for a layer of 255 steps"
_DRAFT = "an operator of the draft of TOSA 1.1, which no other format has; convert without 1.1"  # to TFLite too
_WITHOUT = {
    _REQUANTIZED: "rescale",
    _TABLE: "table",
    _STATE: "variable variable_read variable_write",
    _CONTROL: "cond_if while_loop",
    _INTEGERS: (
        "arithmetic_right_shift bitwise_and bitwise_not bitwise_or bitwise_xor clz intdiv logical_left_shift "
        "logical_right_shift"
    ),
    _CONDITIONS: (
        "equal greater greater_equal logical_and logical_not logical_or logical_xor reduce_all reduce_any select"
    ),
    _NO_NODE: "argmax conv3d erf fft2d reduce_product rfft2d",
    _CUSTOM: "custom",
}
REFUSALS = {"xnn.kernel": _KERNEL} | {f"tosa.{name}": why for why, names in _WITHOUT.items() for name in names.split()}
REFUSALS |= {row.opcode: _DRAFT for row in TOSA_OPERATORS if row.since > VERSION}
