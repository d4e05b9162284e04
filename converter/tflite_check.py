"""What LiteRT's kernels demand of an operator before they run (Prepare), beside the types that its row states.

`import_problem` is asked once per operator while a file is read: numbers, element types, quantization. `shape_problem`
is asked when the shapes are known, which LiteRT also finds anew from the inputs on, whatever the file says of values in
between. Rewrites start from operators that pass both. Names of functions in comments are those of kernels/*.cc.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from itertools import zip_longest
from typing import NamedTuple

from tosa_converter.ir import DType, Op, Shape, Value
from tosa_converter.schemas import tfl_ops
from tosa_converter.schemas.tflite import TensorType

SPARSE_CONSTANT = "tfl.pseudo_sparse_const"
_NARROW = (DType.I8, DType.UI8, DType.I16)
_OUT_TYPES = {TensorType.INT32: DType.I32, TensorType.INT64: DType.I64}


class Kind(NamedTuple):
    """What a row's word demands of one operand or result."""

    name: str
    word: str
    dtypes: frozenset[DType] | None  # None for any
    bound: bool  # the type that the first such operand has
    rank: int | None
    optional: bool
    sets: str  # the type that the kernel gives the result, whatever the file says


class Signature(NamedTuple):
    """A row's words."""

    operands: tuple[Kind, ...]
    results: tuple[Kind, ...]
    least: int
    most: float
    made: int | None  # number of results, None for any


@cache
def signature(opcode: str) -> Signature | None:
    """The demands of an operator's row; None if it has none."""
    row = tfl_ops.BY_OPCODE.get(opcode)
    if row is None or not row.types:
        return None
    operands, results = (part.split() for part in row.types.split(">"))
    names, made = row.operands.split(), row.results.split()
    return Signature(
        _kinds(operands, names),
        _kinds(results, made),
        sum(name[-1] not in "?*" for name in names),
        math.inf if "*" in row.operands else len(names),
        None if "*" in row.results else len(made),
    )


def _kinds(words: Sequence[str], names: Sequence[str]) -> tuple[Kind, ...]:
    return tuple(_kind(words[min(i, len(words) - 1)], name) for i, name in enumerate(names))


def _kind(word: str, name: str) -> Kind:
    types, _, rank = word.partition(":")
    sets, types = (types[1:], "*") if types[0] == "=" else ("", types)
    choice = types.removeprefix("T").strip("()")
    dtypes = frozenset(map(DType, choice.split("|"))) if choice not in ("", "*") else None
    return Kind(name.strip("?*"), word, dtypes, types[0] == "T", int(rank) if rank else None, name[-1] == "?", sets)


# ** while a file is read **


def import_problem(op: Op) -> str | None:
    """The first demand on numbers, element types and quantization that an operator breaks."""
    demands = signature(op.name)
    if demands is None:
        return None
    problem = _count_problem(op, demands) or _type_problem(op, demands)
    for check in CHECKS.get(op.name, ()) if problem is None else ():
        problem = problem or check(op)
    return problem


def _count_problem(op: Op, demands: Signature) -> str | None:
    given, made = len(op.inputs), len(op.results)
    if not demands.least <= given <= demands.most:
        most = (
            "" if demands.most == demands.least else " or more" if math.isinf(demands.most) else f" to {demands.most}"
        )
        return f"expected {demands.least}{most} operands, found {given}"
    if made != demands.made and (demands.made is not None or not made):
        return f"expected {demands.made or 1} results, found {made}"
    return None


def _type_problem(op: Op, demands: Signature) -> str | None:
    bound: DType | None = None
    kinds = demands.operands
    for i, value in enumerate(op.inputs):
        kind = kinds[i] if i < len(kinds) else kinds[-1]
        if value is None:
            if kind.optional:
                continue
            return f"operand {i} ({kind.name}) is missing"
        dtype = value.type.dtype
        if kind.bound and bound is None:
            bound = dtype
        if dtype is not bound if kind.bound else False:
            return f"operand {i} ({kind.name}): expected {_word(bound)}, found {dtype.value}"
        if kind.dtypes is not None and dtype not in kind.dtypes:
            return f"operand {i} ({kind.name}): expected {_word(*kind.dtypes)}, found {dtype.value}"
    for i, value in enumerate(op.results):
        kind = demands.results[min(i, len(demands.results) - 1)]
        if kind.bound and value.type.dtype is not bound:
            return f"result {i} ({kind.name}): expected {_word(bound)}, found {value.type.dtype.value}"
    return None


def _word(*dtypes: DType | None) -> str:
    return " or ".join(sorted(dtype.value for dtype in dtypes if dtype is not None))


def import_note(op: Op) -> str | None:
    """What LiteRT takes otherwise than the file says, or its reference kernels don't take."""
    if op.name == "tfl.conv_2d" and _bias(op) is None:
        return "LiteRT's reference kernel demands a bias; none counts as zeros, as XNNPACK has it"
    return _result_types(op)


def _result_types(op: Op) -> str | None:
    """Give the results the types that the kernel sets; what the file says otherwise."""
    demands = signature(op.name)
    if demands is None or not demands.results or not demands.results[0].sets:
        return None
    wanted = _set_type(op, demands)
    changed = [value for value in op.results if value.type.dtype is not wanted]
    for value in changed:
        said = value.type.dtype.value
        value.type = value.type._replace(dtype=wanted)
    return f"the file says {said}, the result is {wanted.value} as LiteRT's kernel makes it" if changed else None


def _set_type(op: Op, demands: Signature) -> DType:
    sets = demands.results[0].sets
    if sets == "T":
        return next(
            v.type.dtype for v, k in zip(op.inputs, demands.operands, strict=False) if v is not None and k.bound
        )
    return _OUT_TYPES[op.attributes[sets]] if sets in op.attributes else DType(sets)


# ** quantization **

Check = Callable[[Op], str | None]


def parameters(value: Value) -> tuple[float, int]:
    """Scale and zero point as kernels read them: 0 without quantization or with scales per channel."""
    quant = value.type.quant
    return (quant.scale[0], quant.zero_point[0]) if quant is not None and len(quant.scale) == 1 else (0.0, 0)


def _symmetric(op: Op) -> str | None:
    """16-bit values have a zero point of 0."""
    for value in (*op.operands, *op.results):
        if value.type.dtype is DType.I16 and parameters(value)[1] != 0:
            return f"{value.name!r}: expected a zero point of 0 for i16, found {parameters(value)[1]}"
    return None


def _symmetric_if_quantized(op: Op) -> str | None:
    return _symmetric(op) if op.operands[0].type.quant is not None else None


def _quantized(op: Op) -> str | None:
    """8-bit values have quantization parameters; 16-bit ones that have them are symmetric (GenericPrepare)."""
    x, y = op.operands[0].type, op.results[0].type
    if x.dtype is not DType.I8 and (x.dtype is not DType.I16 or x.quant is None):
        return None
    if x.quant is None or y.quant is None:
        return f"expected quantization parameters, found {x} and {y}"
    return _symmetric(op)


def _same_parameters(op: Op) -> str | None:
    """All have one scale and zero point."""
    wanted = parameters(op.results[0])
    for value in (*op.operands, *op.results):
        if parameters(value) != wanted:
            return f"{value.name!r}: expected scale {wanted[0]:.6g} and zero point {wanted[1]}, found {value.type}"
    return None


def _expanded(op: Op) -> str | None:
    x, y = op.operands[1 if op.name == "tfl.fill" else 0], op.results[0]
    if parameters(x) != parameters(y):
        return f"expected one scale and zero point, found {x.type} and {y.type}"
    return _symmetric_value(x)


def _symmetric_value(x: Value) -> str | None:
    if x.type.dtype is DType.I16 and parameters(x)[1] != 0:
        return f"{x.name!r}: expected a zero point of 0 for i16, found {parameters(x)[1]}"
    return None


def _dequantized(op: Op) -> str | None:
    return _symmetric_value(op.operands[0])


def _product(op: Op) -> str | None:
    """PrepareProd: quantization parameters are for i8 and i16."""
    x = op.operands[0].type
    if x.quant is not None and x.dtype not in (DType.I8, DType.I16):
        return f"expected no quantization parameters, found {x}"
    return _symmetric(op)


def _padded(op: Op) -> str | None:
    """The value to pad with has the result's zero point."""
    value = op.inputs[2] if len(op.inputs) > 2 else None
    if value is None or value.type.dtype not in _NARROW or parameters(value)[1] == parameters(op.results[0])[1]:
        return None
    return f"{value.name!r}: expected zero point {parameters(op.results[0])[1]}, found {value.type}"


def _concatenated(op: Op) -> str | None:
    return _same_parameters(op) if op.operands[0].type.dtype is DType.I8 else _symmetric(op)


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
}


def _fixed(op: Op) -> str | None:
    """The result of a function with a known range has a known quantization."""
    x, result = op.operands[0].type.dtype, op.results[0]
    fixed = FIXED[op.name].get(x)
    if fixed is None or result.type.dtype is not x:
        return None
    scale, zero_point = parameters(result)
    if abs(scale - fixed.scale) > fixed.near * fixed.scale or fixed.zero_point not in (None, zero_point):
        place = "" if fixed.zero_point is None else f" and zero point {fixed.zero_point}"
        return f"{result.name!r}: expected scale {fixed.scale:.6g}{place}, found {result.type}"
    return None


def _softmax(op: Op) -> str | None:
    """SoftmaxEval: i16 may come of 8 bits, other types stay."""
    x, y = op.operands[0].type.dtype, op.results[0].type.dtype
    if x is not y and not (y is DType.I16 and x in _NARROW):
        return f"result 0 (output): expected {x.value}, found {y.value}"
    return None


# ** what several types decide **

WEIGHT, BIAS = 1, {"tfl.transpose_conv": 3}


def _bias(op: Op) -> Value | None:
    index = BIAS.get(op.name, 2)
    return op.inputs[index] if len(op.inputs) > index else None


def _convolution(op: Op) -> str | None:
    """Of CONV_2D, DEPTHWISE_CONV_2D and TRANSPOSE_CONV (PopulateConvolutionQuantizationParams)."""
    x, weight, bias, made = op.results[0].type.dtype, op.operands[WEIGHT], _bias(op), op.results[0]
    kinds = (DType.I32, DType.I64) if x is DType.I16 else (DType.I32,) if x in _NARROW else (x,)
    if bias is not None and bias.type.dtype not in kinds:
        return f"bias: expected {_word(*kinds)}, found {bias.type.dtype.value}"
    if x not in _NARROW:
        return None
    data = op.operands[2 if op.name == "tfl.transpose_conv" else 0]
    for value in (data, weight):
        if value.type.quant is None:
            return f"{value.name!r}: expected quantization parameters, found {value.type}"
    if bias is not None and parameters(bias)[1] != 0:
        return f"bias: expected a zero point of 0, found {parameters(bias)[1]}"
    return _weight_problem(op.name, data, weight, bias, made)


def _weight_problem(name: str, data: Value, weight: Value, bias: Value | None, made: Value) -> str | None:
    x, quant = data.type.dtype, weight.type.quant
    assert quant is not None
    if x is not DType.UI8 and name == "tfl.conv_2d" and any(quant.zero_point):
        return f"{weight.name!r}: expected zero points of 0, found {weight.type}"
    if len(quant.scale) > 1 and (x is DType.UI8 or weight.type.dtype not in (DType.I8, DType.I4)):
        return f"{weight.name!r}: expected one scale for {x.value}, found {len(quant.scale)}"
    if x is DType.UI8 and bias is not None:
        product = parameters(data)[0] * parameters(weight)[0]
        if abs(product - parameters(bias)[0]) > 0.02 * parameters(made)[0]:
            return f"bias: expected the scale {product:.6g} of the products, found {bias.type}"
    return None


def _fully_connected(op: Op) -> str | None:
    """CheckTypes of fully_connected.cc, weights in their plain order."""
    x, weight, made = op.operands[0], op.operands[WEIGHT], op.results[0]
    bias = _bias(op)
    given = (x.type.dtype, weight.type.dtype, made.type.dtype)
    if given[0] is DType.FP32:
        legal = given[1] in (DType.FP32, DType.UI8, DType.I8, DType.I4, DType.I2) and given[2] is DType.FP32
        biases: tuple[DType, ...] = (DType.FP32,)
    else:
        legal = given[0] in _NARROW and given[1] in (*_NARROW, DType.I4, DType.I2) and given[2] in _NARROW
        biases = (DType.I32, DType.I64)
    if not legal:
        return f"no kernel takes {given[0].value} by {given[1].value} to {given[2].value}"
    if bias is not None and bias.type.dtype not in biases:
        return f"bias: expected {_word(*biases)}, found {bias.type.dtype.value}"
    if given[0] is DType.FP32:
        return None
    for value in (x, weight):
        if value.type.quant is None:
            return f"{value.name!r}: expected quantization parameters, found {value.type}"
    if len(op.operands[WEIGHT].type.quant.scale) == 1 and bias is not None:  # type: ignore[union-attr]
        product = parameters(x)[0] * parameters(weight)[0]
        if abs(product - parameters(bias)[0]) > 0.02 * parameters(made)[0]:
            return f"bias: expected the scale {product:.6g} of the products, found {bias.type}"
    return None


def _batch_matmul(op: Op) -> str | None:
    lhs, rhs = (value.type.dtype for value in op.operands)
    if lhs is not rhs and (lhs, rhs) not in ((DType.FP32, DType.I8), (DType.I16, DType.I8)):
        return f"no kernel takes {lhs.value} by {rhs.value}"
    made = op.results[0].type.dtype
    if made is not lhs and (lhs is DType.FP32 or made is not DType.I32):
        return f"result 0 (output): expected {lhs.value}, found {made.value}"
    return _symmetric(op) if lhs is DType.I16 else None


_QUANTIZED_TO = {
    DType.FP32: (DType.UI8, DType.I8, DType.I16, DType.I4, DType.UI4),
    DType.I16: (DType.I8, DType.I16, DType.I32),
    DType.I32: (DType.I8, DType.I16),
}


def _quantize(op: Op) -> str | None:
    x, made = op.operands[0].type.dtype, op.results[0]
    if made.type.dtype not in _QUANTIZED_TO.get(x, _NARROW):
        return f"no kernel takes {x.value} to {made.type.dtype.value}"
    if made.type.quant is None:
        return f"{made.name!r}: expected quantization parameters, found {made.type}"
    return _symmetric(op) if x is made.type.dtype is DType.I16 else None


def _densify(op: Op) -> str | None:
    producer = op.operands[0].producer
    sparse = producer is not None and producer.name == SPARSE_CONSTANT
    return None if sparse else f"expected a sparse constant, found {op.operands[0].type}"


def _counted(name: str, *, results: bool) -> Check:
    """An option that repeats the number of operands or results."""

    def counted(op: Op) -> str | None:
        found, stated = len(op.results if results else op.inputs), op.attributes[name]
        return None if found == stated else f"{name} is {stated}, found {found}"

    return counted


def _out_type(op: Op) -> str | None:
    stated = op.attributes["out_type"]
    return None if stated in _OUT_TYPES else f"out_type: expected INT32 or INT64, found {stated.name}"


def _bilinear(op: Op) -> str | None:
    both = op.attributes["half_pixel_centers"] and op.attributes["align_corners"]
    return "half_pixel_centers and align_corners exclude each other" if both else None


CHECKS: dict[str, tuple[Check, ...]] = {
    **dict.fromkeys(("tfl.abs", "tfl.log", "tfl.sqrt", "tfl.rsqrt"), (_quantized,)),
    **dict.fromkeys(("tfl.relu", "tfl.relu6", "tfl.relu_n1_to_1", "tfl.leaky_relu", "tfl.sub"), (_symmetric,)),
    **dict.fromkeys(("tfl.mean", "tfl.sum", "tfl.reduce_max", "tfl.reduce_min"), (_symmetric,)),
    "tfl.reduce_prod": (_product,),
    "tfl.dequantize": (_dequantized,),
    **dict.fromkeys(("tfl.pad", "tfl.padv2"), (_padded,)),
    **dict.fromkeys(("tfl.conv_2d", "tfl.depthwise_conv_2d", "tfl.transpose_conv"), (_convolution, _symmetric)),
    **dict.fromkeys(("tfl.logistic", "tfl.tanh"), (_fixed, _symmetric)),
    **dict.fromkeys(("tfl.expand_dims", "tfl.fill"), (_expanded,)),
    "tfl.add": (_symmetric_if_quantized,),
    "tfl.softmax": (_softmax, _fixed, _symmetric),
    "tfl.log_softmax": (_fixed,),
    "tfl.fully_connected": (_fully_connected,),
    "tfl.batch_matmul": (_batch_matmul,),
    "tfl.concatenation": (_concatenated,),
    "tfl.pack": (_counted("values_count", results=False), _same_parameters),
    "tfl.unpack": (_counted("num", results=True), _same_parameters),
    "tfl.split": (_counted("num_splits", results=True),),
    "tfl.split_v": (_counted("num_splits", results=True),),
    "tfl.quantize": (_quantize,),
    "tfl.densify": (_densify,),
    "tfl.shape": (_out_type,),
    "tfl.resize_bilinear": (_bilinear,),
}


# ** when the shapes are known **

Shapes = Sequence[Shape | None]
ShapeCheck = Callable[[Op, Shapes], str | None]


def shape_problem(op: Op, shapes: Shapes) -> str | None:
    """The first demand on shapes that an operator breaks; the operands' shapes are given, None where one is absent."""
    demands = signature(op.name)
    if demands is None:
        return None
    for i, (kind, shape) in enumerate(zip(demands.operands, shapes, strict=False)):
        if kind.rank is not None and shape is not None and len(shape) != kind.rank:
            return f"operand {i} ({kind.name}): expected rank {kind.rank}, found shape {dims(shape)}"
    check = SHAPE_CHECKS.get(op.name)
    return None if check is None else check(op, shapes)


def dims(shape: Shape) -> str:
    """A shape as text."""
    return "x".join(map(str, shape)) or "scalar"


def _broadcast(op: Op, shapes: Shapes) -> str | None:  # noqa: ARG001  # one signature for all
    """CalculateShapeForBroadcast."""
    given = [shape for shape in shapes if shape is not None]
    if all(shape == given[0] for shape in given):
        return None
    for sizes in zip_longest(*(shape[::-1] for shape in given), fillvalue=1):
        if len({*sizes} - {1}) > 1:
            return f"shapes {' and '.join(map(dims, given))} don't broadcast"
    return None


def _prelu(op: Op, shapes: Shapes) -> str | None:
    x, alpha = shapes
    assert x is not None
    assert alpha is not None
    wider = len(alpha) > len(x) or any(m == 1 != n for m, n in zip(x[::-1], alpha[::-1], strict=False))
    return f"a slope of shape {dims(alpha)} is wider than {dims(x)}" if wider else _broadcast(op, shapes)


def _select(op: Op, shapes: Shapes) -> str | None:  # noqa: ARG001
    """The condition is as large as the others, or a vector or scalar for their first dimension (kVersionOne)."""
    condition, x, y = (shape if shape is not None else () for shape in shapes)
    if condition == x == y or all(math.prod(s) == 1 for s in (condition, x, y)):  # type: ignore[arg-type]
        return None
    if x != y or (condition and condition != x[:1]):
        return f"shapes {dims(condition)}, {dims(x)} and {dims(y)} don't agree"
    return None


def _window_shapes(op: Op, shapes: Shapes) -> str | None:
    """Channels of the input and the weight; TRANSPOSE_CONV has no groups."""
    x, weight = shapes[2 if op.name == "tfl.transpose_conv" else 0], shapes[WEIGHT]
    assert x is not None
    assert weight is not None
    (*_, channels), (outputs, *_, depth) = x, weight
    if op.name == "tfl.depthwise_conv_2d":
        fits = outputs == 1 and channels and depth % channels == 0  # type: ignore[operator]  # shapes are known
    elif op.name == "tfl.transpose_conv":
        fits = channels == depth
    else:
        fits = channels and depth and channels % depth == 0 and outputs % (channels // depth) == 0  # type: ignore[operator]
    return _bias_shape(op, shapes) if fits else f"a weight of {dims(weight)} doesn't fit the channels of {dims(x)}"


def _bias_shape(op: Op, shapes: Shapes) -> str | None:
    """One element of the bias per channel of the result."""
    index = BIAS.get(op.name, 2)
    weight, bias = shapes[WEIGHT], shapes[index] if len(shapes) > index else None
    if bias is None or weight is None:
        return None
    channels = weight[3 if op.name == "tfl.depthwise_conv_2d" else 0]
    found = math.prod(bias)  # type: ignore[arg-type]  # shapes are known
    return None if found == channels else f"bias: expected {channels} elements, found {found}"


def _batches(op: Op, shapes: Shapes) -> str | None:
    """Matrices of one depth, batches that broadcast."""
    lhs, rhs = (shape if shape is not None else () for shape in shapes)
    for shape in (lhs, rhs):
        if not 2 <= len(shape) <= 5:
            return f"expected rank 2 to 5, found shape {dims(shape)}"
    depth = lhs[-2 if op.attributes["adj_x"] else -1], rhs[-1 if op.attributes["adj_y"] else -2]
    if depth[0] != depth[1]:
        return f"matrices of {dims(lhs)} and {dims(rhs)} have depths {depth[0]} and {depth[1]}"
    return _broadcast(op, (lhs[:-2], rhs[:-2]))


def _alike(op: Op, shapes: Shapes) -> str | None:
    """All parts of one shape, the axis of CONCATENATION left out."""
    first = shapes[0]
    assert first is not None
    axis = op.attributes["axis"] % len(first) if op.name == "tfl.concatenation" and first else -1
    for i, shape in enumerate(shapes):
        assert shape is not None
        if len(shape) != len(first) or any(
            n != m for k, (n, m) in enumerate(zip(shape, first, strict=True)) if k != axis
        ):
            return (
                f"operand {i}: expected shape {dims(first)}{' but along the axis' * (axis >= 0)}, found {dims(shape)}"
            )
    return None


def _padding_value(op: Op, shapes: Shapes) -> str | None:  # noqa: ARG001
    value = shapes[2] if len(shapes) > 2 else None
    single = value is None or math.prod(value) == 1  # type: ignore[arg-type]  # shapes are known
    return None if single else f"operand 2 (constant_values): expected one element, found shape {dims(value or ())}"


def _unpacked(op: Op, shapes: Shapes) -> str | None:
    x, axis = shapes[0], op.attributes["axis"]
    assert x is not None
    if -len(x) <= axis < len(x) and x[axis] == len(op.results):
        return None
    return f"expected {len(op.results)} elements along axis {axis}, found shape {dims(x)}"


SHAPE_CHECKS: dict[str, ShapeCheck] = {
    **dict.fromkeys(
        (
            f"tfl.{name}"
            for name in [
                "add",
                "sub",
                "mul",
                "div",
                "floor_div",
                "maximum",
                "minimum",
                "squared_difference",
                "equal",
                "not_equal",
                "greater",
                "greater_equal",
                "less",
                "less_equal",
                "logical_and",
                "logical_or",
                "select_v2",
            ]
        ),
        _broadcast,
    ),
    **dict.fromkeys(("tfl.conv_2d", "tfl.depthwise_conv_2d", "tfl.transpose_conv"), _window_shapes),
    "tfl.fully_connected": _bias_shape,
    **dict.fromkeys(("tfl.pad", "tfl.padv2"), _padding_value),
    "tfl.unpack": _unpacked,
    "tfl.prelu": _prelu,
    "tfl.select": _select,
    "tfl.batch_matmul": _batches,
    "tfl.concatenation": _alike,
    "tfl.pack": _alike,
}
