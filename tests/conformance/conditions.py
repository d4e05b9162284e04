"""The condition that each error of the generator violates, in the words that our messages must contain."""

_OUT_OF_AXES = ("ERROR_IF(axis < 0 || axis >= ",)
_CONV = tuple(f"ERROR_IF({size} != idiv_check(I{size[1]} - 1 + pad_" for size in ("OD", "OH", "OW"))
_POOL = ("ERROR_IF(OH != idiv_check(IH + pad_top", "ERROR_IF(OW != idiv_check(IW + pad_left")
_TRANSPOSE_CONV = ("ERROR_IF(OH != (IH - 1) * stride_y", "ERROR_IF(OW != (IW - 1) * stride_x")
_RESIZE = ("ERROR_IF(OH != idiv_check((IH - 1) * scale_y_n", "ERROR_IF(OW != idiv_check((IW - 1) * scale_x_n")
_FFT = ("ERROR_IF(output shape != [N,H,W",)
_BROADCAST = ("ERROR_IF(shape != broadcast_shape(",)
_TYPES = ("types must be one of: ",)
_INPUT_ZP = tuple(
    f"ERROR_IF(!is_same<{variable},i8_t>() && {name} != 0"
    for variable, name in (
        ("in_out_t", "input_zp"),
        ("in_out_t", "input1_zp"),
        ("in_t", "input_zp"),
        ("in_t", "A_zp"),
        ("in_t", "B_zp"),
        ("in_t", "(!is_same<in_t,i16_t>() || input_unsigned == false) && input_zp"),
    )
)
_OUTPUT_ZP = (
    "ERROR_IF(!is_same<in_out_t,i8_t>() && output_zp != 0",
    "ERROR_IF(!is_same<out_t,i8_t>() && (!is_same<out_t,i16_t>() || output_unsigned == false) && output_zp != 0",
)


def _graph(list_: str, side: str, name: str) -> tuple[str, ...]:
    return (f"ERROR_IF(tensor_list_shape({list_}) != tosa_{side}_shape({name}_graph))",)


# By tosa-tools' names (generator/tosa_error_if.py); one of the texts must stand in the message. What the generator's
# surplus operands and results refer to is in no list of the file, which the reader finds first.
CONDITIONS: dict[str, tuple[str, ...]] = {
    "ArgmaxOutputRankMismatch": ("ERROR_IF(flatten(left_shape, right_shape) != shape)",),
    "ArgmaxOutputShapeMismatch": ("ERROR_IF(flatten(left_shape, right_shape) != shape)",),
    "AxisLargerRank": _OUT_OF_AXES,
    "AxisSmallerZero": _OUT_OF_AXES,
    "BatchMismatch": ("ERROR_IF(output N != input N)", *_FFT),
    "BorderLargerEqualMax": ("ERROR_IF(border_y < -16 * scale_y_n ||", "ERROR_IF(border_x < -16 * scale_x_n ||"),
    "BorderSmallerMin": ("ERROR_IF(border_y < -16 * scale_y_n ||", "ERROR_IF(border_x < -16 * scale_x_n ||"),
    "BroadcastShapesMismatch": ("ERROR_IF(shape2[i] != 1 && shape2[i] != shape[i])",),
    "ChannelMismatch": ("ERROR_IF(output C != input C)",),
    "ConcatInputDimMismatch": ("ERROR_IF(shapes1[shape_index][axis_index] != shapes1[0][axis_index])",),
    "ConcatInputRankMismatch": ("ERROR_IF(rank(shapes1[shape_index]) != rank(shapes1[0]))",),
    "ConcatNoInputList": ("ERROR_IF(input1 == [])",),
    "ConcatShapeSumMismatch": ("ERROR_IF(axis_sum != shape[axis])",),
    "CondGraphOutputNotMatchingBool": ("ERROR_IF(tosa_output_type(cond_graph) != bool_t)",),
    "CondGraphOutputShapeNotSizeOne": ("ERROR_IF(tensor_size(tosa_output_shape(cond_graph)) != 1)",),
    "CondIfCondNotMatchingBool": _TYPES,
    "CondIfCondShapeNotSizeOne": ("ERROR_IF(tensor_size(shape) != 1)",),
    "CondIfInputListElseGraphMismatch": _graph("input_list", "input", "else"),
    "CondIfInputListThenGraphMismatch": _graph("input_list", "input", "then"),
    "CondIfOutputListElseGraphMismatch": _graph("output_list", "output", "else"),
    "CondIfOutputListThenGraphMismatch": _graph("output_list", "output", "then"),
    "ConvBiasShapeMismatch": ("ERROR_IF(BC != OC && BC != 1)", "ERROR_IF(BC != C*M && BC != 1)"),
    "ConvOutputShapeMismatch": (*_CONV, *_TRANSPOSE_CONV),
    "ConvOutputShapeNonInteger": _CONV,
    "DilationSmallerOne": (
        "ERROR_IF(dilation_d < 1 || dilation_y < 1 ||",
        "ERROR_IF(dilation_y < 1 || dilation_x < 1)",
    ),
    "DimensionMismatch": _BROADCAST,
    "FFTInputShapeMismatch": tuple(f"ERROR_IF(operands must agree in dimension {name})" for name in "NHW"),
    "FFTOutputShapeMismatch": _FFT,
    "IndexOutsideBounds": ("ERROR_IF(index >= rank(shape1) || index < 0)",),
    "IndexUsedTwice": ("ERROR_IF(indexes_used[index] == true)",),
    "InputListBodyGraphInputMismatch": _graph("input_list", "input", "body"),
    "InputListBodyGraphOutputMismatch": _graph("input_list", "output", "body"),
    "InputListCondGraphMismatch": _graph("input_list", "input", "cond"),
    "InputListOutputListMismatch": ("ERROR_IF(tensor_list_shape(input_list) != tensor_list_shape(output_list))",),
    "InputRank1WrongRank": ("rank of shift must be 1",),
    "InputSizeStartLengthMismatch": ("ERROR_IF(rank(shape1) != length(start) || rank(shape1) != length(size))",),
    "InputZeroPointNotZero": _INPUT_ZP,
    "KernelNotPowerOfTwo": ("ERROR_IF(!power_of_two(H))", "ERROR_IF(!power_of_two(W))"),
    "KernelSmallerOne": ("ERROR_IF(kernel_y < 1 || kernel_x < 1)",),
    "MaxDimExceeded": ("ERROR_IF(max(OH,OW,IH,IW) >= 16384)",),
    "MaxSmallerMin": ("ERROR_IF(max_val < min_val)",),
    "OffsetLargerEqualMax": ("ERROR_IF(offset_y < -scale_y_n ||", "ERROR_IF(offset_x < -scale_x_n ||"),
    "OffsetSmallerMin": ("ERROR_IF(offset_y < -scale_y_n ||", "ERROR_IF(offset_x < -scale_x_n ||"),
    "OutputZeroPointNotZero": _OUTPUT_ZP,
    "PadLargerEqualKernel": (
        "ERROR_IF(pad_right >= kernel_x || pad_left >= kernel_x)",
        "ERROR_IF(pad_top >= kernel_y || pad_bottom >= kernel_y)",
        "ERROR_IF(out_pad_top <= -KH || out_pad_bottom <= -KH)",
        "ERROR_IF(out_pad_left <= -KW || out_pad_right <= -KW)",
    ),
    "PadOutputShapeMismatch": ("ERROR_IF(shape[i] != padding[i * 2] + shape1[i] + padding[(i * 2) + 1])",),
    "PadSmallerZero": (
        "ERROR_IF(pad_top < 0 || pad_bottom < 0 || pad_left < 0 || pad_right < 0)",
        "ERROR_IF(pad_d0 < 0 || pad_d1 < 0 || pad_top < 0 ||",
        "ERROR_IF(padding[i * 2] < 0 || padding[(i * 2) + 1] < 0)",
    ),
    "PoolingOutputShapeMismatch": _POOL,
    "PoolingOutputShapeNonInteger": _POOL,
    "RankMismatch": (
        "ERROR_IF(rank(shape1) != rank(shape2))",
        "ERROR_IF(rank(shape) != rank(shape1))",
        "ERROR_IF(rank(shape1) != rank(shape))",
    ),
    "RescaleI32InputOutputUnsigned": ("ERROR_IF(is_same<in_t,i32_t>() && output_unsigned)",),
    "RescaleI32InputUnsigned": ("ERROR_IF(is_same<in_t,i32_t>() && input_unsigned)",),
    "RescaleI32OutputInputUnsigned": ("ERROR_IF(is_same<out_t,i32_t>() && input_unsigned)",),
    "RescaleI32OutputUnsigned": ("ERROR_IF(is_same<out_t,i32_t>() && output_unsigned)",),
    "RescaleI48InputOutputUnsigned": ("ERROR_IF(is_same<in_t,i48_t>() && output_unsigned)",),
    "RescaleI48InputUnsigned": ("ERROR_IF(is_same<in_t,i48_t>() && input_unsigned)",),
    "RescaleInputUnsignedOutputUnsigned": ("ERROR_IF(input_unsigned && output_unsigned)",),
    "RescalePerChannelRank0": ("ERROR_IF(per_channel && rank(input) < 1)",),
    "ResizeOutputShapeMismatch": _RESIZE,
    "ResizeOutputShapeNonInteger": _RESIZE,
    "ScaleDLargerMax": ("ERROR_IF(scale_y_d >= 16 * scale_y_n)", "ERROR_IF(scale_x_d >= 16 * scale_x_n)"),
    "ScaleNLargerMax": ("ERROR_IF(scale_y_n > (1 << 11))", "ERROR_IF(scale_x_n > (1 << 11))"),
    "ScaleNotTrue": ("ERROR_IF(!scale32 && (rounding_mode == DOUBLE_ROUND))",),
    "ScaleSmallerEqualZero": (
        "ERROR_IF(scale_y_n <= 0 || scale_y_d <= 0)",
        "ERROR_IF(scale_x_n <= 0 || scale_x_d <= 0)",
    ),
    "ScaleTrue": ("ERROR_IF(scale32 && is_same<in_t,i48_t>())",),
    "ShapeOfAxisNotOne": ("ERROR_IF(shape[axis] != 1)",),
    "SizeOutputShapeMismatch": ("ERROR_IF(shape[index] != size[index])",),
    "SizeSmallerEqualZero": ("ERROR_IF(size[index] <= 0)",),
    "StartSizeOutsideBounds": ("ERROR_IF(start[index] + size[index] > shape1[index])",),
    "StartSmallerZero": ("ERROR_IF(start[index] < 0)",),
    "StrideSmallerOne": ("ERROR_IF(stride_y < 1 || stride_x < 1)", "ERROR_IF(stride_d < 1 || stride_y < 1 ||"),
    "TensorSizeInputOutputMismatch": ("ERROR_IF(tensor_size(shape1) != tensor_size(shape))",),
    "TileMultiplesOutputShapeMismatch": ("ERROR_IF(shape1[i] * multiples[i] != shape[i])",),
    "TransposePermsOutputShapeMismatch": ("ERROR_IF(shape1[perms[i]] != shape[i])",),
    "U16InputZeroPointNotValid": (
        "ERROR_IF(is_same<in_t,i16_t>() && input_unsigned == true && input_zp != 0 && input_zp != 32768)",
    ),
    "U16OutputZeroPointNotValid": (
        "ERROR_IF(is_same<out_t,i16_t>() && output_unsigned == true && output_zp != 0 && output_zp != 32768)",
    ),
    "WeightZeroPointNotZero": ("ERROR_IF(!is_same<weight_t,i8_t>() && weight_zp != 0)",),
    "WrongInputList": ("the operator must have ", "tensor 'eiDummyInput' is used before any operator makes it"),
    "WrongOutputList": (
        "tensor 'result-0' is used before any operator makes it",
        "no tensor is called 'eiDummyOutput'",
    ),
    "WrongRank": ("LEVEL_CHECK(rank(shape) <= MAX_RANK)", "rank of input", "rank of values", "rank of A"),
}


def named(error: str, message: str) -> bool:
    """Returns whether a message names the condition that a test violates."""
    return any(text in message for text in CONDITIONS[error])
