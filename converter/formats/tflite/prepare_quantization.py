"""The demands on quantization, options and types that LiteRT's kernels check in Prepare, by operator.

Names in parentheses are functions of LiteRT's kernels/*.cc.
"""

from collections.abc import Callable
from typing import NamedTuple

from tosa_converter.dtypes import DType
from tosa_converter.formats.tflite.prepare_recurrent import LSTMS, RNNS, lstm_problem, rnn_problem, svdf_problem
from tosa_converter.ir import Op, Value
from tosa_converter.schemas.opsets import SPARSE_CONSTANT
from tosa_converter.schemas.tflite import TensorType

OUT_TYPES = {TensorType.INT32: DType.I32, TensorType.INT64: DType.I64}
_NARROW = (DType.I8, DType.UI8, DType.I16)
_BYTES = (DType.I8, DType.UI8)
_FLOATS = (DType.FP32, DType.FP16, DType.BF16)  # of 16 bits too, which files have and no kernel

Check = Callable[[Op], str | None]


def type_choice(*dtypes: DType | None) -> str:
    """Returns element types as text for messages, "fp32 or i8"."""
    return " or ".join(sorted(dtype.value for dtype in dtypes if dtype is not None))


def parameters(value: Value) -> tuple[float, int]:
    """Returns (scale, zero point) of a value as LiteRT's kernels read them; both are 0 unless there is one scale."""
    quant = value.type.quant
    return (quant.scale[0], quant.zero_point[0]) if quant is not None and len(quant.scale) == 1 else (0.0, 0)


def _symmetry_problem(op: Op) -> str | None:
    """Returns why a 16-bit operand or result has a zero point other than 0, or None if none has."""
    for value in (*op.operands, *op.results):
        if value.type.dtype is DType.I16 and parameters(value)[1] != 0:
            return f"{value.name!r}: expected a zero point of 0 for i16, found {parameters(value)[1]}"
    return None


def _add_problem(op: Op) -> str | None:
    """Returns why LiteRT's ADD doesn't take its 16-bit quantization: zero points must be 0.

    None if it does, or if the first operand has no quantization.
    """
    return _symmetry_problem(op) if op.operands[0].type.quant is not None else None


def _unary_problem(op: Op) -> str | None:
    """Returns why ABS, LOG, SQRT or RSQRT doesn't take its quantization (GenericPrepare), or None.

    int8 needs parameters; int16 that has them must have zero points of 0.
    """
    x, y = op.operands[0].type, op.results[0].type
    if x.dtype is not DType.I8 and (x.dtype is not DType.I16 or x.quant is None):
        return None
    if x.quant is None or y.quant is None:
        return f"expected quantization parameters, found {x} and {y}"
    return _symmetry_problem(op)


def _parameters_problem(op: Op) -> str | None:
    """Returns why operands and results don't all have the same scale and zero point, or None."""
    expected = parameters(op.results[0])
    for value in (*op.operands, *op.results):
        if parameters(value) != expected:
            return f"{value.name!r}: expected scale {expected[0]:.6g} and zero point {expected[1]}, found {value.type}"
    return None


def _equal_parameters_problem(op: Op) -> str | None:
    """Returns why the result of an operator that only moves values has other scales or zero points than these, or None.

    The zero point of 16-bit values must also be 0. FILL's values are its second operand.
    """
    x, y = op.operands[1 if op.name == "tfl.fill" else 0], op.results[0]
    if parameters(x) != parameters(y):
        return f"expected one scale and zero point, found {x.type} and {y.type}"
    return _zero_point_problem(x)


def _movement_problem(op: Op) -> str | None:
    """Returns why an operator that only moves values changes their quantization, or None; only 8 and 16 bits count."""
    return _equal_parameters_problem(op) if op.operands[0].type.dtype in _NARROW else None


def _extremum_problem(op: Op) -> str | None:
    """Returns why the result of REDUCE_MAX or REDUCE_MIN has another quantization (EvalReduce, reduce.cc), or None."""
    x, result = op.operands[0], op.results[0]
    if x.type.dtype not in _NARROW or parameters(x) == parameters(result):
        return None
    scale, zero_point = parameters(x)
    return f"{result.name!r}: expected scale {scale:.6g} and zero point {zero_point}, found {result.type}"


def _add_n_problem(op: Op) -> str | None:
    """Returns why ADD_N has too few operands (LiteRT's kernel wants two or more), or None."""
    return None if len(op.inputs) > 1 else "expected 2 or more operands, found 1"


def _zero_point_problem(x: Value) -> str | None:
    """Returns why a 16-bit integer value has a zero point other than 0, or None."""
    if x.type.dtype is DType.I16 and parameters(x)[1] != 0:
        return f"{x.name!r}: expected a zero point of 0 for i16, found {parameters(x)[1]}"
    return None


def _dequantize_problem(op: Op) -> str | None:
    """Returns why DEQUANTIZE's 16-bit operand has a zero point other than 0, or None."""
    return _zero_point_problem(op.operands[0])


def _reduce_prod_problem(op: Op) -> str | None:
    """Returns why REDUCE_PROD doesn't take its operand's quantization (PrepareProd), or None."""
    x = op.operands[0].type
    if x.quant is not None and x.dtype not in (DType.I8, DType.I16):
        return f"expected no quantization parameters, found {x}"
    return _symmetry_problem(op)


def _pad_problem(op: Op) -> str | None:
    """Returns why PADV2's padding value has another scale or zero point than the result (EvalInt, pad.cc), or None."""
    value, expected = op.inputs[2] if len(op.inputs) > 2 else None, parameters(op.results[0])
    if value is None or value.type.dtype not in _NARROW or parameters(value) == expected:
        return None
    return f"{value.name!r}: expected scale {expected[0]:.6g} and zero point {expected[1]}, found {value.type}"


def _concatenation_problem(op: Op) -> str | None:
    """Returns why LiteRT's CONCATENATION doesn't take its quantization, or None.

    int8 needs the same parameters for all operands and the result, int16 zero points of 0.
    """
    return _parameters_problem(op) if op.operands[0].type.dtype is DType.I8 else _symmetry_problem(op)


class Fixed(NamedTuple):
    """The quantization that a kernel demands of its result; a zero point of None is free."""

    scale: float
    zero_point: int | None
    near: float = 0.0  # relative


FIXED: dict[str, dict[DType, Fixed]] = {
    "tfl.logistic": {
        DType.I8: Fixed(1 / 256, None),
        DType.UI8: Fixed(1 / 256, None),
        DType.I16: Fixed(1 / 32768, 0),
    },
    "tfl.tanh": {DType.I16: Fixed(1 / 32768, 0, 0.0007)},  # CheckedLog2: its logarithm is within 0.001 of -15
    "tfl.softmax": {DType.I8: Fixed(1 / 256, -128, 0.001), DType.I16: Fixed(1 / 32768, 0, 0.001)},
    "tfl.log_softmax": {DType.I8: Fixed(1 / 16, 127), DType.UI8: Fixed(1 / 16, 255)},
    "tfl.l2_normalization": {DType.I8: Fixed(1 / 128, 0), DType.UI8: Fixed(1 / 128, 128)},
}


def _fixed_range_problem(op: Op) -> str | None:
    """Returns why the result of a function such as LOGISTIC hasn't the quantization that its kernel fixes, or None."""
    x, result = op.operands[0].type.dtype, op.results[0]
    fixed = FIXED[op.name].get(x)
    if fixed is None or result.type.dtype is not x:
        return None
    scale, zero_point = parameters(result)
    # `near` is what the kernel accepts. TANH's is 0.0007, as 2**0.001 - 1 = 0.00069: scales from 0.000030497 to
    # 0.000030539 count as 2**-15.
    if abs(scale - fixed.scale) > fixed.near * fixed.scale or fixed.zero_point not in (None, zero_point):
        place = "" if fixed.zero_point is None else f" and zero point {fixed.zero_point}"
        return f"{result.name!r}: expected scale {fixed.scale:.6g}{place}, found {result.type}"
    return None


def _softmax_problem(op: Op) -> str | None:
    """Returns why SOFTMAX doesn't take its element types (SoftmaxEval), or None; 8 bits may become i16."""
    x, y = op.operands[0].type.dtype, op.results[0].type.dtype
    if x is not y and not (y is DType.I16 and x in _NARROW):
        return f"result 0 (output): expected {x.value}, found {y.value}"
    return _symmetry_problem(op) if x is DType.I16 else None


# ** what several types decide **

WEIGHT, BIAS = 1, {"tfl.transpose_conv": 3}


def bias_of(op: Op) -> Value | None:
    """Returns the bias of a convolution or FULLY_CONNECTED, or None if it has none."""
    index = BIAS.get(op.name, 2)
    return op.inputs[index] if len(op.inputs) > index else None


def _convolution_problem(op: Op) -> str | None:
    """Returns why a convolution's element types, scales or zero points are invalid, or None.

    That is PopulateConvolutionQuantizationParams. If the result is quantized, so must be input and weight; if it is a
    float, only scales of an integer weight are checked.
    """
    dtype, weight, bias, result = op.results[0].type.dtype, op.operands[WEIGHT], bias_of(op), op.results[0]
    bias_dtypes = (DType.I32, DType.I64) if dtype is DType.I16 else (DType.I32,) if dtype in _NARROW else (dtype,)
    if bias is not None and bias.type.dtype not in bias_dtypes:
        return f"bias: expected {type_choice(*bias_dtypes)}, found {bias.type.dtype.value}"
    if dtype not in _NARROW:
        is_depthwise = op.name == "tfl.depthwise_conv_2d"
        return _axis_problem(weight, 3 if is_depthwise else 0) or (
            _scale_count_problem(weight) if is_depthwise else None
        )
    data = op.operands[2 if op.name == "tfl.transpose_conv" else 0]
    missing_parameters = _missing_parameters_problem(data, weight)
    if missing_parameters is not None:
        return missing_parameters
    if bias is not None and parameters(bias)[1] != 0:
        return f"bias: expected a zero point of 0, found {parameters(bias)[1]}"
    return _weight_problem(op.name, data, weight, bias, result)


def _axis_problem(weight: Value, axis: int) -> str | None:
    """Returns why an integer weight has its scales along another axis than `axis`, the result's channels, or None."""
    quant = weight.type.quant
    misplaced = quant is not None and weight.type.dtype.is_integer and quant.axis not in (None, axis)
    return f"{weight.name!r}: expected scales along axis {axis}, found {weight.type}" if misplaced else None


def _scale_count_problem(weight: Value) -> str | None:
    """Returns why an int8 weight of DEPTHWISE_CONV_2D hasn't a scale for each channel, or None.

    LiteRT's kernel reads a scale for every channel, and with fewer it would read beyond their end.
    """
    quant, channels = weight.type.quant, weight.type.shape[-1] if weight.type.shape else None
    miscounted = quant is not None and weight.type.dtype is DType.I8 and channels not in (None, len(quant.scale))
    return (
        f"{weight.name!r}: expected a scale for each of {channels} channels, found {weight.type}"
        if miscounted
        else None
    )


def _weight_problem(name: str, data: Value, weight: Value, bias: Value | None, result: Value) -> str | None:
    """Returns why a convolution's quantized weight has zero points or too many scales, or None.

    If the input is uint8, it checks the bias's scale too.
    """
    input_dtype, quant = data.type.dtype, weight.type.quant
    assert quant is not None
    if input_dtype is not DType.UI8 and name == "tfl.conv_2d" and any(quant.zero_point):
        return f"{weight.name!r}: expected zero points of 0, found {weight.type}"
    if len(quant.scale) > 1 and (input_dtype is DType.UI8 or weight.type.dtype not in (DType.I8, DType.I4)):
        return f"{weight.name!r}: expected one scale for {input_dtype.value}, found {len(quant.scale)}"
    return _bias_scale_problem(data, weight, bias, result) if input_dtype is DType.UI8 else None


def _bias_scale_problem(data: Value, weight: Value, bias: Value | None, result: Value) -> str | None:
    """Returns why a bias hasn't the scale input times weight (GetQuantizedConvolutionMultipler), or None."""
    product = parameters(data)[0] * parameters(weight)[0]
    # 0.5 * 0.02 = 0.01 with a result of scale 0.1: a bias of 0.008 to 0.012 passes, within 2 % of a result's step.
    if bias is None or abs(product - parameters(bias)[0]) <= 0.02 * parameters(result)[0]:
        return None
    return f"bias: expected the scale {product:.6g} of the products, found {bias.type}"


def _fully_connected_problem(op: Op) -> str | None:
    """Returns why LiteRT's FULLY_CONNECTED doesn't take its element types or scales (CheckTypes), or None."""
    x, weight, result, bias = op.operands[0], op.operands[WEIGHT], op.results[0], bias_of(op)
    x_dtype, weight_dtype, result_dtype = (value.type.dtype for value in (x, weight, result))
    is_float = x_dtype in _FLOATS
    activation_dtypes = (x_dtype,) if is_float else _NARROW
    weight_dtypes = (DType.I8, DType.UI8, DType.I4, DType.I2, x_dtype if is_float else DType.I16)
    if not {x_dtype, result_dtype}.issubset(activation_dtypes) or weight_dtype not in weight_dtypes:
        return f"no kernel takes {x_dtype.value} by {weight_dtype.value} to {result_dtype.value}"
    bias_dtypes = (x_dtype,) if is_float else (DType.I32, DType.I64)
    if bias is not None and bias.type.dtype not in bias_dtypes:
        return f"bias: expected {type_choice(*bias_dtypes)}, found {bias.type.dtype.value}"
    if weight_dtype in (DType.I4, DType.I2) and weight.type.quant is not None and any(weight.type.quant.zero_point):
        return f"{weight.name!r}: expected a zero point of 0, found {weight.type}"
    if is_float:
        return None
    missing_parameters = _missing_parameters_problem(x, weight)
    has_many_scales = weight.type.quant is not None and len(weight.type.quant.scale) > 1
    return missing_parameters or (
        _axis_problem(weight, 0) if has_many_scales else _bias_scale_problem(x, weight, bias, result)
    )


def _missing_parameters_problem(*values: Value) -> str | None:
    """Returns which of the values has no quantization parameters, as text, or None if all have."""
    for value in values:
        if value.type.quant is None:
            return f"{value.name!r}: expected quantization parameters, found {value.type}"
    return None


def _embedding_lookup_problem(op: Op) -> str | None:
    """Returns why EMBEDDING_LOOKUP doesn't take a quantized table for a float result, or None.

    The table needs one scale, or one for each row, and for an fp32 result a zero point of 0.
    """
    table, result_dtype = op.operands[1], op.results[0].type.dtype
    quant, dtype = table.type.quant, table.type.dtype
    if quant is None or dtype not in (*_BYTES, DType.I4, DType.I2) or result_dtype not in (DType.FP32, DType.FP16):
        return None
    if result_dtype is DType.FP32 and quant.zero_point[0]:
        return f"{table.name!r}: expected a zero point of 0, found {table.type}"
    return f"{table.name!r}: expected a scale for each row, found {table.type}" if quant.axis else None


def _batch_matmul_problem(op: Op) -> str | None:
    """Returns why LiteRT doesn't take BATCH_MATMUL's element types or zero points, or None.

    The operands have one type, or the second is i8. The result has the first operand's type, or i32 for integers. Zero
    points of i16 must be 0.
    """
    lhs, rhs = (value.type.dtype for value in op.operands)
    if lhs is not rhs and (lhs, rhs) not in ((DType.FP32, DType.I8), (DType.I16, DType.I8)):
        return f"no kernel takes {lhs.value} by {rhs.value}"
    result = op.results[0].type.dtype
    if result is not lhs and (lhs in _FLOATS or result is not DType.I32):
        return f"result 0 (output): expected {lhs.value}, found {result.value}"
    return _symmetry_problem(op) if lhs is DType.I16 else None


_QUANTIZED_TO = {
    DType.FP32: (DType.UI8, DType.I8, DType.I16, DType.I4, DType.UI4),
    DType.I16: (DType.I8, DType.I16, DType.I32),
    DType.I32: (DType.I8, DType.I16),
}


def _quantize_problem(op: Op) -> str | None:
    """Returns why LiteRT's QUANTIZE doesn't take its element types or quantization, or None.

    int16 to int16 needs zero points of 0.
    """
    x, result = op.operands[0].type.dtype, op.results[0]
    if result.type.dtype not in _QUANTIZED_TO.get(x, _NARROW):
        return f"no kernel takes {x.value} to {result.type.dtype.value}"
    if result.type.quant is None:
        return f"{result.name!r}: expected quantization parameters, found {result.type}"
    return _symmetry_problem(op) if x is result.type.dtype is DType.I16 else None


def _mul_problem(op: Op) -> str | None:
    """Returns why MUL's result has a wrong element type (EvalQuantized, mul.cc), or None.

    A result of i32, i64 or fp32 is allowed for narrow operands: the kernels don't refuse it, but read the operands as
    elements of that type.
    """
    x, y = op.operands[0].type.dtype, op.results[0].type.dtype
    if y is x or (x is DType.I16 and y in _BYTES) or (x in _NARROW and y in (DType.I32, DType.I64, DType.FP32)):
        return None
    return f"result 0 (output): expected {x.value}, found {y.value}"


def _prelu_problem(op: Op) -> str | None:
    """Returns why PRELU doesn't take the element type of its slopes, or None; i16 takes i8 slopes."""
    x, alpha = (value.type.dtype for value in op.operands)
    if alpha is x or (x, alpha) == (DType.I16, DType.I8):
        return None
    return f"operand 1 (alpha): expected {x.value}, found {alpha.value}"


def _densify_problem(op: Op) -> str | None:
    """Returns why DENSIFY can't expand its operand, or None; only a sparse constant will do."""
    producer = op.operands[0].producer
    sparse = producer is not None and producer.name == SPARSE_CONSTANT
    return None if sparse else f"expected a sparse constant, found {op.operands[0].type}"


def _count_check(name: str, *, results: bool) -> Check:
    """Returns a check that an option states the real number of operands, or of results."""

    def counted(op: Op) -> str | None:
        """Returns how the option `name` differs from the number of results, or else of operands, or None."""
        count, stated = len(op.results if results else op.inputs), op.attributes[name]
        return None if count == stated else f"{name} is {stated}, found {count}"

    return counted


def _unique_problem(op: Op) -> str | None:
    """Returns why UNIQUE's indices haven't the element type that its option states, or None."""
    stated, dtype = op.attributes["idx_out_type"], op.results[1].type.dtype
    return None if OUT_TYPES.get(stated) is dtype else f"result 1 (idx): expected {stated.name}, found {dtype.value}"


def _topk_problem(op: Op) -> str | None:
    """Returns why TOPK_V2's indices have a wrong element type, or None."""
    dtype = op.results[1].type.dtype
    return None if dtype in (DType.I32, DType.I16) else f"result 1 (indices): expected i16 or i32, found {dtype.value}"


def _slice_problem(op: Op) -> str | None:
    """Returns why SLICE's begin and size have different element types, or None."""
    begin, size = (value.type.dtype for value in op.operands[1:3])
    return None if begin is size else f"operand 2 (size): expected {begin.value}, found {size.value}"


def _resize_problem(op: Op) -> str | None:
    """Returns why RESIZE_BILINEAR's options exclude each other, or None if they don't."""
    exclusive = op.attributes["half_pixel_centers"] and op.attributes["align_corners"]
    return "half_pixel_centers and align_corners exclude each other" if exclusive else None


CHECKS: dict[str, tuple[Check, ...]] = {
    **dict.fromkeys(("tfl.abs", "tfl.log", "tfl.sqrt", "tfl.rsqrt"), (_unary_problem,)),
    **dict.fromkeys(("tfl.relu", "tfl.relu6", "tfl.relu_n1_to_1", "tfl.leaky_relu", "tfl.sub"), (_symmetry_problem,)),
    **dict.fromkeys(("tfl.mean", "tfl.sum"), (_symmetry_problem,)),
    **dict.fromkeys(("tfl.reduce_max", "tfl.reduce_min"), (_symmetry_problem, _extremum_problem)),
    "tfl.add_n": (_add_n_problem,),
    "tfl.reduce_prod": (_reduce_prod_problem,),
    "tfl.dequantize": (_dequantize_problem,),
    **dict.fromkeys(("tfl.pad", "tfl.padv2"), (_pad_problem,)),
    **dict.fromkeys(
        ("tfl.conv_2d", "tfl.depthwise_conv_2d", "tfl.transpose_conv"), (_convolution_problem, _symmetry_problem)
    ),
    **dict.fromkeys(("tfl.logistic", "tfl.tanh"), (_fixed_range_problem, _symmetry_problem)),
    **dict.fromkeys(("tfl.expand_dims", "tfl.fill"), (_equal_parameters_problem,)),
    **dict.fromkeys(("tfl.mirror_pad", "tfl.space_to_batch_nd", "tfl.batch_to_space_nd"), (_movement_problem,)),
    "tfl.add": (_add_problem,),
    "tfl.mul": (_mul_problem,),
    "tfl.prelu": (_prelu_problem,),
    "tfl.softmax": (_softmax_problem, _fixed_range_problem),
    **dict.fromkeys(("tfl.log_softmax", "tfl.l2_normalization"), (_fixed_range_problem,)),
    "tfl.fully_connected": (_fully_connected_problem,),
    "tfl.batch_matmul": (_batch_matmul_problem,),
    "tfl.embedding_lookup": (_embedding_lookup_problem,),
    "tfl.concatenation": (_concatenation_problem,),
    "tfl.pack": (_count_check("values_count", results=False), _parameters_problem),
    "tfl.unpack": (_count_check("num", results=True), _parameters_problem),
    "tfl.split": (_count_check("num_splits", results=True),),
    "tfl.split_v": (_count_check("num_splits", results=True),),
    "tfl.quantize": (_quantize_problem,),
    "tfl.densify": (_densify_problem,),
    "tfl.slice": (_slice_problem,),
    "tfl.topk_v2": (_topk_problem,),
    "tfl.unique": (_unique_problem,),
    "tfl.resize_bilinear": (_resize_problem,),
    **dict.fromkeys(LSTMS, (lstm_problem,)),
    **dict.fromkeys(RNNS, (rnn_problem,)),
    "tfl.svdf": (svdf_problem,),
}
