"""Checks quantization, options and related types of TFLite operators, as LiteRT's kernels do in Prepare.

A check returns what is wrong, or None. Names in parentheses are functions of LiteRT's kernels/*.cc.
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


def word(*dtypes: DType | None) -> str:
    """Returns element types as text, such as `i8 or ui8`."""
    return " or ".join(sorted(dtype.value for dtype in dtypes if dtype is not None))


def parameters(value: Value) -> tuple[float, int]:
    """Returns scale and zero point as kernels read them: (0, 0) without quantization or with scales per channel."""
    quant = value.type.quant
    return (quant.scale[0], quant.zero_point[0]) if quant is not None and len(quant.scale) == 1 else (0.0, 0)


def _check_symmetric(op: Op) -> str | None:
    """Checks that 16-bit values have a zero point of 0."""
    for value in (*op.operands, *op.results):
        if value.type.dtype is DType.I16 and parameters(value)[1] != 0:
            return f"{value.name!r}: expected a zero point of 0 for i16, found {parameters(value)[1]}"
    return None


def _check_symmetric_if_quantized(op: Op) -> str | None:
    """Checks that 16-bit values have a zero point of 0, where the first operand is quantized."""
    return _check_symmetric(op) if op.operands[0].type.quant is not None else None


def _check_quantized(op: Op) -> str | None:
    """Checks that 8-bit values are quantized, and that quantized 16-bit ones are symmetric (GenericPrepare)."""
    x, y = op.operands[0].type, op.results[0].type
    if x.dtype is not DType.I8 and (x.dtype is not DType.I16 or x.quant is None):
        return None
    if x.quant is None or y.quant is None:
        return f"expected quantization parameters, found {x} and {y}"
    return _check_symmetric(op)


def _check_same_parameters(op: Op) -> str | None:
    """Checks that operands and results share one scale and zero point."""
    expected = parameters(op.results[0])
    for value in (*op.operands, *op.results):
        if parameters(value) != expected:
            return f"{value.name!r}: expected scale {expected[0]:.6g} and zero point {expected[1]}, found {value.type}"
    return None


def _check_repeated(op: Op) -> str | None:
    """Checks that the result has the quantization of the operand that it repeats."""
    x, y = op.operands[1 if op.name == "tfl.fill" else 0], op.results[0]
    if parameters(x) != parameters(y):
        return f"expected one scale and zero point, found {x.type} and {y.type}"
    return _check_symmetric_value(x)


def _check_moved(op: Op) -> str | None:
    """Checks that narrow integers keep their quantization when their elements move."""
    return _check_repeated(op) if op.operands[0].type.dtype in _NARROW else None


def _check_extreme(op: Op) -> str | None:
    """Checks that narrow integers keep their scale and zero point (EvalReduce, reduce.cc)."""
    x, result = op.operands[0], op.results[0]
    if x.type.dtype not in _NARROW or parameters(x) == parameters(result):
        return None
    scale, zero_point = parameters(x)
    return f"{result.name!r}: expected scale {scale:.6g} and zero point {zero_point}, found {result.type}"


def _check_several(op: Op) -> str | None:
    """Checks that there are two operands or more."""
    return None if len(op.inputs) > 1 else "expected 2 or more operands, found 1"


def _check_symmetric_value(x: Value) -> str | None:
    """Checks that a 16-bit value has a zero point of 0."""
    if x.type.dtype is DType.I16 and parameters(x)[1] != 0:
        return f"{x.name!r}: expected a zero point of 0 for i16, found {parameters(x)[1]}"
    return None


def _check_dequantize(op: Op) -> str | None:
    """Checks that a 16-bit operand has a zero point of 0."""
    return _check_symmetric_value(op.operands[0])


def _check_product(op: Op) -> str | None:
    """Checks that only i8 and i16 are quantized (PrepareProd)."""
    x = op.operands[0].type
    if x.quant is not None and x.dtype not in (DType.I8, DType.I16):
        return f"expected no quantization parameters, found {x}"
    return _check_symmetric(op)


def _check_padding(op: Op) -> str | None:
    """Checks that the padding value has the result's scale and zero point (EvalInt, pad.cc)."""
    value, expected = op.inputs[2] if len(op.inputs) > 2 else None, parameters(op.results[0])
    if value is None or value.type.dtype not in _NARROW or parameters(value) == expected:
        return None
    return f"{value.name!r}: expected scale {expected[0]:.6g} and zero point {expected[1]}, found {value.type}"


def _check_concatenation(op: Op) -> str | None:
    """Checks that 8-bit operands have the result's quantization, and 16-bit ones a zero point of 0."""
    return _check_same_parameters(op) if op.operands[0].type.dtype is DType.I8 else _check_symmetric(op)


class Fixed(NamedTuple):
    """The quantization that a kernel demands of its result; a zero point of None may be any, `near` is relative."""

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


def _check_fixed_range(op: Op) -> str | None:
    """Checks the result of a function whose range is fixed, and with it the quantization."""
    x, result = op.operands[0].type.dtype, op.results[0]
    fixed = FIXED[op.name].get(x)
    if fixed is None or result.type.dtype is not x:
        return None
    scale, zero_point = parameters(result)
    if abs(scale - fixed.scale) > fixed.near * fixed.scale or fixed.zero_point not in (None, zero_point):
        place = "" if fixed.zero_point is None else f" and zero point {fixed.zero_point}"
        return f"{result.name!r}: expected scale {fixed.scale:.6g}{place}, found {result.type}"
    return None


def _check_softmax(op: Op) -> str | None:
    """Checks the types of SOFTMAX: 8 bits may become i16, others stay (SoftmaxEval)."""
    x, y = op.operands[0].type.dtype, op.results[0].type.dtype
    if x is not y and not (y is DType.I16 and x in _NARROW):
        return f"result 0 (output): expected {x.value}, found {y.value}"
    return _check_symmetric(op) if x is DType.I16 else None


# ** what several types decide **

WEIGHT, BIAS = 1, {"tfl.transpose_conv": 3}


def bias_of(op: Op) -> Value | None:
    """Returns the bias of a convolution or layer, or None."""
    index = BIAS.get(op.name, 2)
    return op.inputs[index] if len(op.inputs) > index else None


def _check_convolution(op: Op) -> str | None:
    """Checks CONV_2D, DEPTHWISE_CONV_2D and TRANSPOSE_CONV (PopulateConvolutionQuantizationParams)."""
    x, weight, bias, result = op.results[0].type.dtype, op.operands[WEIGHT], bias_of(op), op.results[0]
    kinds = (DType.I32, DType.I64) if x is DType.I16 else (DType.I32,) if x in _NARROW else (x,)
    if bias is not None and bias.type.dtype not in kinds:
        return f"bias: expected {word(*kinds)}, found {bias.type.dtype.value}"
    if x not in _NARROW:
        by_channel = op.name == "tfl.depthwise_conv_2d"
        return _axis_problem(weight, 3 if by_channel else 0) or (_too_few_scales(weight) if by_channel else None)
    data = op.operands[2 if op.name == "tfl.transpose_conv" else 0]
    unscaled = _missing_parameters(data, weight)
    if unscaled is not None:
        return unscaled
    if bias is not None and parameters(bias)[1] != 0:
        return f"bias: expected a zero point of 0, found {parameters(bias)[1]}"
    return _weight_problem(op.name, data, weight, bias, result)


def _axis_problem(weight: Value, axis: int) -> str | None:
    """Checks that weights have their scales along the axis of the output channels."""
    quant = weight.type.quant
    wrong = quant is not None and weight.type.dtype.is_integer and quant.axis not in (None, axis)
    return f"{weight.name!r}: expected scales along axis {axis}, found {weight.type}" if wrong else None


def _too_few_scales(weight: Value) -> str | None:
    """Checks that there is a scale for each channel: the hybrid kernel reads that many, whatever there is."""
    quant, channels = weight.type.quant, weight.type.shape[-1] if weight.type.shape else None
    wrong = quant is not None and weight.type.dtype is DType.I8 and channels not in (None, len(quant.scale))
    return f"{weight.name!r}: expected a scale for each of {channels} channels, found {weight.type}" if wrong else None


def _weight_problem(name: str, data: Value, weight: Value, bias: Value | None, result: Value) -> str | None:
    """Checks the zero points and the number of scales of an integer weight, and the scale of its bias."""
    x, quant = data.type.dtype, weight.type.quant
    assert quant is not None
    if x is not DType.UI8 and name == "tfl.conv_2d" and any(quant.zero_point):
        return f"{weight.name!r}: expected zero points of 0, found {weight.type}"
    if len(quant.scale) > 1 and (x is DType.UI8 or weight.type.dtype not in (DType.I8, DType.I4)):
        return f"{weight.name!r}: expected one scale for {x.value}, found {len(quant.scale)}"
    return _bias_scale(data, weight, bias, result) if x is DType.UI8 else None


def _bias_scale(data: Value, weight: Value, bias: Value | None, result: Value) -> str | None:
    """Checks that the bias has the scale of the products, or nearly so (GetQuantizedConvolutionMultipler)."""
    product = parameters(data)[0] * parameters(weight)[0]
    if bias is None or abs(product - parameters(bias)[0]) <= 0.02 * parameters(result)[0]:
        return None
    return f"bias: expected the scale {product:.6g} of the products, found {bias.type}"


def _check_fully_connected(op: Op) -> str | None:
    """Checks FULLY_CONNECTED with weights in plain order (CheckTypes)."""
    x, weight, result, bias = op.operands[0], op.operands[WEIGHT], op.results[0], bias_of(op)
    dtypes = (x.type.dtype, weight.type.dtype, result.type.dtype)
    real = dtypes[0] in _FLOATS
    activations = (dtypes[0],) if real else _NARROW
    weights = (DType.I8, DType.UI8, DType.I4, DType.I2, dtypes[0] if real else DType.I16)
    if dtypes[0] not in activations or dtypes[1] not in weights or dtypes[2] not in activations:
        return f"no kernel takes {dtypes[0].value} by {dtypes[1].value} to {dtypes[2].value}"
    biases = (dtypes[0],) if real else (DType.I32, DType.I64)
    if bias is not None and bias.type.dtype not in biases:
        return f"bias: expected {word(*biases)}, found {bias.type.dtype.value}"
    if dtypes[1] in (DType.I4, DType.I2) and weight.type.quant is not None and any(weight.type.quant.zero_point):
        return f"{weight.name!r}: expected a zero point of 0, found {weight.type}"
    if real:
        return None
    unscaled = _missing_parameters(x, weight)
    several = weight.type.quant is not None and len(weight.type.quant.scale) > 1
    return unscaled or (_axis_problem(weight, 0) if several else _bias_scale(x, weight, bias, result))


def _missing_parameters(*values: Value) -> str | None:
    """Checks that all these values are quantized."""
    for value in values:
        if value.type.quant is None:
            return f"{value.name!r}: expected quantization parameters, found {value.type}"
    return None


def _check_embedding_lookup(op: Op) -> str | None:
    """Checks a quantized table whose rows become floats: scales per row or one, zero points of 0."""
    table, result_dtype = op.operands[1], op.results[0].type.dtype
    quant, dtype = table.type.quant, table.type.dtype
    if quant is None or dtype not in (*_BYTES, DType.I4, DType.I2) or result_dtype not in (DType.FP32, DType.FP16):
        return None
    if result_dtype is DType.FP32 and quant.zero_point[0]:
        return f"{table.name!r}: expected a zero point of 0, found {table.type}"
    return f"{table.name!r}: expected a scale for each row, found {table.type}" if quant.axis else None


def _check_batch_matmul(op: Op) -> str | None:
    """Checks the types of BATCH_MATMUL."""
    lhs, rhs = (value.type.dtype for value in op.operands)
    if lhs is not rhs and (lhs, rhs) not in ((DType.FP32, DType.I8), (DType.I16, DType.I8)):
        return f"no kernel takes {lhs.value} by {rhs.value}"
    result = op.results[0].type.dtype
    if result is not lhs and (lhs in _FLOATS or result is not DType.I32):
        return f"result 0 (output): expected {lhs.value}, found {result.value}"
    return _check_symmetric(op) if lhs is DType.I16 else None


_QUANTIZED_TO = {
    DType.FP32: (DType.UI8, DType.I8, DType.I16, DType.I4, DType.UI4),
    DType.I16: (DType.I8, DType.I16, DType.I32),
    DType.I32: (DType.I8, DType.I16),
}


def _check_quantize(op: Op) -> str | None:
    """Checks the types of QUANTIZE."""
    x, result = op.operands[0].type.dtype, op.results[0]
    if result.type.dtype not in _QUANTIZED_TO.get(x, _NARROW):
        return f"no kernel takes {x.value} to {result.type.dtype.value}"
    if result.type.quant is None:
        return f"{result.name!r}: expected quantization parameters, found {result.type}"
    return _check_symmetric(op) if x is result.type.dtype is DType.I16 else None


def _check_mul(op: Op) -> str | None:
    """Checks the types of MUL: products of i16 may have 8 bits (EvalQuantized, mul.cc).

    The kernels run narrow integers with a result of a wide type too, though they read them as if of that type.
    """
    x, y = op.operands[0].type.dtype, op.results[0].type.dtype
    if y is x or (x is DType.I16 and y in _BYTES) or (x in _NARROW and y in (DType.I32, DType.I64, DType.FP32)):
        return None
    return f"result 0 (output): expected {x.value}, found {y.value}"


def _check_prelu(op: Op) -> str | None:
    """Checks the slopes of PRELU: the kernel for i16 reads slopes of i8."""
    x, alpha = (value.type.dtype for value in op.operands)
    if alpha is x or (x, alpha) == (DType.I16, DType.I8):
        return None
    return f"operand 1 (alpha): expected {x.value}, found {alpha.value}"


def _check_densify(op: Op) -> str | None:
    """Checks that the operand of DENSIFY is a sparse constant."""
    producer = op.operands[0].producer
    sparse = producer is not None and producer.name == SPARSE_CONSTANT
    return None if sparse else f"expected a sparse constant, found {op.operands[0].type}"


def _check_count(name: str, *, results: bool) -> Check:
    """Returns a check of an option that repeats the number of operands or results."""

    def check(op: Op) -> str | None:
        count, stated = len(op.results if results else op.inputs), op.attributes[name]
        return None if count == stated else f"{name} is {stated}, found {count}"

    return check


def _check_unique(op: Op) -> str | None:
    """Checks that the indices of UNIQUE have the type that its option states."""
    stated, dtype = op.attributes["idx_out_type"], op.results[1].type.dtype
    return None if OUT_TYPES.get(stated) is dtype else f"result 1 (idx): expected {stated.name}, found {dtype.value}"


def _check_topk(op: Op) -> str | None:
    """Checks the type of the indices of TOPK_V2."""
    dtype = op.results[1].type.dtype
    return None if dtype in (DType.I32, DType.I16) else f"result 1 (indices): expected i16 or i32, found {dtype.value}"


def _check_slice(op: Op) -> str | None:
    """Checks that `begin` and `size` of SLICE have one type."""
    begin, size = (value.type.dtype for value in op.operands[1:3])
    return None if begin is size else f"operand 2 (size): expected {begin.value}, found {size.value}"


def _check_bilinear(op: Op) -> str | None:
    """Checks that RESIZE_BILINEAR has at most one of two options that exclude each other."""
    exclusive = op.attributes["half_pixel_centers"] and op.attributes["align_corners"]
    return "half_pixel_centers and align_corners exclude each other" if exclusive else None


CHECKS: dict[str, tuple[Check, ...]] = {
    **dict.fromkeys(("tfl.abs", "tfl.log", "tfl.sqrt", "tfl.rsqrt"), (_check_quantized,)),
    **dict.fromkeys(("tfl.relu", "tfl.relu6", "tfl.relu_n1_to_1", "tfl.leaky_relu", "tfl.sub"), (_check_symmetric,)),
    **dict.fromkeys(("tfl.mean", "tfl.sum"), (_check_symmetric,)),
    **dict.fromkeys(("tfl.reduce_max", "tfl.reduce_min"), (_check_symmetric, _check_extreme)),
    "tfl.add_n": (_check_several,),
    "tfl.reduce_prod": (_check_product,),
    "tfl.dequantize": (_check_dequantize,),
    **dict.fromkeys(("tfl.pad", "tfl.padv2"), (_check_padding,)),
    **dict.fromkeys(
        ("tfl.conv_2d", "tfl.depthwise_conv_2d", "tfl.transpose_conv"), (_check_convolution, _check_symmetric)
    ),
    **dict.fromkeys(("tfl.logistic", "tfl.tanh"), (_check_fixed_range, _check_symmetric)),
    **dict.fromkeys(("tfl.expand_dims", "tfl.fill"), (_check_repeated,)),
    **dict.fromkeys(("tfl.mirror_pad", "tfl.space_to_batch_nd", "tfl.batch_to_space_nd"), (_check_moved,)),
    "tfl.add": (_check_symmetric_if_quantized,),
    "tfl.mul": (_check_mul,),
    "tfl.prelu": (_check_prelu,),
    "tfl.softmax": (_check_softmax, _check_fixed_range),
    **dict.fromkeys(("tfl.log_softmax", "tfl.l2_normalization"), (_check_fixed_range,)),
    "tfl.fully_connected": (_check_fully_connected,),
    "tfl.batch_matmul": (_check_batch_matmul,),
    "tfl.embedding_lookup": (_check_embedding_lookup,),
    "tfl.concatenation": (_check_concatenation,),
    "tfl.pack": (_check_count("values_count", results=False), _check_same_parameters),
    "tfl.unpack": (_check_count("num", results=True), _check_same_parameters),
    "tfl.split": (_check_count("num_splits", results=True),),
    "tfl.split_v": (_check_count("num_splits", results=True),),
    "tfl.quantize": (_check_quantize,),
    "tfl.densify": (_check_densify,),
    "tfl.slice": (_check_slice,),
    "tfl.topk_v2": (_check_topk,),
    "tfl.unique": (_check_unique,),
    "tfl.resize_bilinear": (_check_bilinear,),
    **dict.fromkeys(LSTMS, (lstm_problem,)),
    **dict.fromkeys(RNNS, (rnn_problem,)),
    "tfl.svdf": (svdf_problem,),
}
