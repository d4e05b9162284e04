"""Operators with i48 sums for IREE, written in LINALG with i64 sums.

A statement is `%name = text`; operands and results are named as the text's.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.formats.mlir.writer import Function, element_type
from tosa_converter.ir import Op, Value
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

Shape: TypeAlias = Sequence[int]
SUM = DType.I64


class Statements:
    """The lines of MLIR statements, in order, that replace one operator."""

    def __init__(self, function: Function) -> None:
        """Prepares to collect the LINALG statements of one operator; `function` gives names and types of values."""
        self.function = function
        self.lines: list[str] = []

    def __call__(self, text: str) -> str:
        """Appends the statement `%name = text` under a new name, and returns the name for later statements."""
        name = self.function.new_name()
        self.lines.append(f"{name} = {text}")
        return name

    def tosa(self, row: OpDef, x: str, values: Sequence[Value], types: tuple[str, str], attributes: str = "") -> str:
        """Adds a TOSA operator whose operands are the name `x` and `values`, and returns the name of its result.

        `types` are those of x and of the result.
        """
        ins = ", ".join((types[0], *(self.function.type(value.type) for value in values)))
        names = ", ".join((x, *map(self.function.name, values)))
        return self(f'"{row.opcode}"({names}) <{{{attributes}}}> : ({ins}) -> {types[1]}')

    def zeros(self, shape: Shape, dtype: DType) -> str:
        """Adds a tensor of zeros, and returns its name."""
        type = tensor(shape, dtype)
        zero, empty = self(f"arith.constant 0 : {element_type(dtype)}"), self(f"tensor.empty() : {type}")
        return self(f"linalg.fill ins({zero} : {element_type(dtype)}) outs({empty} : {type}) -> {type}")

    def place_among_zeros(self, x: Value, shape: Shape, offsets: Shape, strides: Shape) -> str:
        """Adds a tensor of zeros of a shape, with the elements of x in it from `offsets` on, at `strides`.

        Returns its name, or that of x if x has this shape already.
        """
        if tuple(shape) == x.type.static:
            return self.function.name(x)
        zeros, type = self.zeros(shape, x.type.dtype), tensor(shape, x.type.dtype)
        place = f"{list(offsets)} {list(x.type.static)} {list(strides)}"
        return self(f"tensor.insert_slice {self.function.name(x)} into {zeros}{place} : {_type_text(x)} into {type}")

    def generic(
        self,
        indices: str,
        summed: int,
        operands: Sequence[tuple[str, str, DType, Shape]],
        out: tuple[str, str, DType, Shape],
        body: Sequence[str],
    ) -> str:
        """Adds a linalg.generic with loops over `indices`, and returns its result's name.

        The last `summed` loops are sums. The operands are (name, indices of the element that a loop reads, type,
        shape), and so is `out`, which holds the result's initial values. `body` computes `%r` from one element of each
        operand, `%a`, `%b`, ..., and from that of `out`, the last letter.
        """
        tensors = [*operands, out]
        maps = ", ".join(f"affine_map<({indices}) -> ({read_indices})>" for _, read_indices, _, _ in tensors)
        kinds = ["parallel"] * (len(indices.split()) - summed) + ["reduction"] * summed
        header = f"indexing_maps = [{maps}], iterator_types = [{', '.join(map(_quote, kinds))}]"
        names, types = (", ".join(name[0] for name in operands), ", ".join(tensor(s, d) for _, _, d, s in operands))
        result, element = tensor(out[3], out[2]), element_type(out[2])
        arguments = ", ".join(f"%{'abcdef'[i]}: {element_type(dtype)}" for i, (_, _, dtype, _) in enumerate(tensors))
        lines = "\n".join([f"^bb0({arguments}):", *body, f"linalg.yield %r : {element}"])
        outs = f"ins({names} : {types}) outs({out[0]} : {result})"
        return self(f"linalg.generic {{{header}}} {outs} {{\n{lines}\n}} -> {result}")

    def elementwise(
        self, operands: Sequence[tuple[str, DType, Shape]], dtype: DType, shape: Shape, body: Sequence[str]
    ) -> str:
        """Adds a linalg.generic that computes each element by itself, and returns its result's name.

        Operands are (name, type, shape), with the result's shape, its last dimension alone, or one element. The lines
        of `body` compute `%r` from one element of each: `%a`, `%b`, ....
        """
        indices = [f"d{i}" for i in range(len(shape))]
        all_indices = ", ".join(indices)
        reads = [
            (name, all_indices if tuple(sizes) == tuple(shape) else "0" if sizes == (1,) else indices[-1], type, sizes)
            for name, type, sizes in operands
        ]
        empty = self(f"tensor.empty() : {tensor(shape, dtype)}")
        out = (empty, all_indices, dtype, shape)
        return self.generic(all_indices, summed=0, operands=reads, out=out, body=body)


def tensor(shape: Shape, dtype: DType) -> str:
    """Returns the text of a tensor type in MLIR, such as tensor<2x3xi8>."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element_type(dtype)}>"


def _type_text(value: Value) -> str:
    """Returns the text of a value's tensor type in MLIR."""
    return tensor(value.type.static, value.type.dtype)


def _quote(text: str) -> str:
    """Returns a text in quotes, such as the type of an iterator in LINALG."""
    return f'"{text}"'


def emit_wide_operator(op: Op, statements: Statements) -> str:
    """Adds LINALG statements for a TOSA operator with i48 values, in i64; returns the name of its result.

    Raises:
        UnsupportedError: a zero point or a scale of RESIZE is no constant.
    """
    return _FORMS[op.row](op, statements)


def _constant_elements(op: Op, index: int) -> list[int]:
    """Returns the elements of an operand as integers; raises UnsupportedError if it isn't constant."""
    constant = op.operands[index].constant
    if constant is None:
        raise UnsupportedError(f"{op.location}: {op.name} of i48 is for IREE with constant parameters alone")
    return [int(number) for number in constant]


# ** sums of products **

# Products of i16 are within 2**30, so sums of up to 2**32 of them fit i64; TOSA's i48 takes fewer than 2**17.
MULTIPLIED = ("%p = arith.extsi %a : {x} to i64", "%q = arith.extsi %b : {w} to i64", "%m = arith.muli %p, %q : i64")


def _emit_sum_of_products(
    statements: Statements,
    indices: str,
    summed: int,
    x: tuple[str, str, DType, Shape],
    weight: tuple[str, str, DType, Shape],
    result: tuple[str, Shape],
) -> str:
    """Adds a linalg.generic that sums products of an input and a weight in i64, and returns its result's name.

    `indices` and `summed` are those of `Statements.generic`. `x` and `weight` are (name, indices of the element that a
    loop reads, type, shape), `result` is (indices, shape).
    """
    # MULTIPLIED computes the product %m of an element %a of x and %b of the weight; %c is the sum so far.
    body = [line.format(x=element_type(x[2]), w=element_type(weight[2])) for line in MULTIPLIED]
    read, shape = result
    out = statements.zeros(shape, SUM), read, SUM, shape
    return statements.generic(indices, summed, [x, weight], out, [*body, "%r = arith.addi %c, %m : i64"])


def _emit_matmul(op: Op, statements: Statements) -> str:
    """Adds LINALG statements for MATMUL, [b, y, k] by [b, k, x], summed over k in i64; returns its result's name."""
    a, b = op.operands[:2]
    left, right = (statements.function.name(a), "b, y, k"), (statements.function.name(b), "b, k, x")
    shape = op.result.type.static
    types = [(value.type.dtype, value.type.static) for value in (a, b)]
    return _emit_sum_of_products(
        statements,
        "b, y, x, k",
        summed=1,
        x=(*left, *types[0]),
        weight=(*right, *types[1]),
        result=("b, y, x", shape),
    )


def _emit_convolution(op: Op, statements: Statements) -> str:
    """Adds LINALG statements for CONV2D, CONV3D or DEPTHWISE_CONV2D, and returns the name of the result.

    The input is padded with zeros first; sums are of i64.
    """
    x, pad, stride = op.operands[0], op.attributes["pad"], op.attributes["stride"]
    # TOSA's pad is top, bottom, left, right: [1, 2, 3, 4] gives low (0, 1, 3, 0) and high (0, 2, 4, 0).
    low, high = (0, *pad[::2], 0), (0, *pad[1::2], 0)
    shape = [before + size + after for before, size, after in zip(low, x.type.static, high, strict=True)]
    padded = statements.place_among_zeros(x, shape, low, (1,) * x.type.rank)
    return _emit_windows(op, statements, padded, shape, _emit_kernel(op, statements), stride, op.attributes["dilation"])


def _emit_transpose_convolution(op: Op, statements: Statements) -> str:
    """Adds TRANSPOSE_CONV2D with sums of i64, and returns the name of its result.

    It is a convolution of the input spread among zeros, with the kernel reversed.
    """
    x, weight = op.operands[:2]
    stride, (top, _, left, _) = op.attributes["stride"], op.attributes["out_pad"]
    n, oh, ow, _ = op.result.type.static
    _, kh, kw, depth = weight.type.static
    shape = (n, oh + kh - 1, ow + kw - 1, depth)
    # 1 2 by 3 5 7 with stride 2: 5 results from 0 0 1 0 2 0 0 (5 + 3 - 1 elements; the first at kh - 1 = 2) with the
    # kernel 7 5 3: 3 5 13 10 14, as adding 1 * (3 5 7) at 0 and 2 * (3 5 7) at 2 gives.
    spread = statements.place_among_zeros(x, shape, (0, kh - 1 + top, kw - 1 + left, 0), (1, *stride, 1))
    kernel, dtype = _emit_kernel(op, statements)
    type = tensor(weight.type.static, dtype)
    for axis in (1, 2):
        kernel = statements.tosa(ops.REVERSE, kernel, (), (type, type), f"axis = {axis} : i32")
    return _emit_windows(op, statements, spread, shape, (kernel, dtype), (1, 1), (1, 1))


def _emit_kernel(op: Op, statements: Statements) -> tuple[str, DType]:
    """Adds statements for a convolution's weights minus their zero point; returns their name and type, i8 or i16."""
    weight, zero_point = op.operands[1], _constant_elements(op, 4)[0]  # the last operand is the weights' zero point
    name, shape = statements.function.name(weight), weight.type.static
    if not zero_point:
        return name, DType.I8
    # An i8 minus a zero point of i8 is in [-255, 255], which takes i16.
    body = (
        f"%z = arith.constant {zero_point} : i16",
        "%p = arith.extsi %a : i8 to i16",
        "%r = arith.subi %p, %z : i16",
    )
    return statements.elementwise([(name, DType.I8, shape)], DType.I16, shape, body), DType.I16


def _emit_windows(
    op: Op, statements: Statements, x: str, shape: Shape, kernel: tuple[str, DType], stride: Shape, dilation: Shape
) -> str:
    """Adds a convolution's sums of products over windows in i64, plus its bias; returns the name of the result.

    `x` is the name of the padded input, of this `shape`, and `kernel` the name and type of the weights.
    """
    weight, bias, result = op.operands[1], op.operands[2], op.result.type.static
    depthwise = op.row is ops.DEPTHWISE_CONV2D
    outputs, taps = [[f"{letter}{i}" for i in range(len(stride))] for letter in "yk"]
    # Result y with tap k reads element y * stride + k * dilation: of 7 padded elements, 3 taps with stride 2 have
    # results 0 to 2, and 2 * 2 + 2 * 1 = 6 is the last element.
    at = [f"{y} * {s} + {k} * {d}" for y, s, k, d in zip(outputs, stride, taps, dilation, strict=True)]
    channels, summed = (["c", "m"], taps) if depthwise else (["o"], [*taps, "c"])
    reads = (["n", *at, "c"], [*taps, "c", "m"] if depthwise else ["o", *taps, "c"], ["n", *outputs, *channels])
    in_x, in_weight, in_result = map(", ".join, reads)
    # A depthwise weight [kh, kw, 8, 2] gives sums of [n, h, w, 8, 2]; collapsed, channel c * 2 + m of 16.
    sizes = [*result[:-1], *weight.type.static[-2:]] if depthwise else [*result]
    sums = _emit_sum_of_products(
        statements,
        ", ".join(["n", *outputs, *channels, *summed]),
        len(summed),
        (x, in_x, DType.I16, shape),  # only products of i16 have sums of i48
        (kernel[0], in_weight, kernel[1], weight.type.static),
        (in_result, sizes),
    )
    if depthwise:
        types = f"{tensor(sizes, SUM)} into {tensor(result, SUM)}"
        sums = statements(f"tensor.collapse_shape {sums} [[0], [1], [2], [3, 4]] : {types}")
    if bias.constant is not None and not bias.constant.any():
        return sums
    operands = [(sums, SUM, result), (statements.function.name(bias), SUM, bias.type.static)]
    return statements.elementwise(operands, SUM, result, ["%r = arith.addi %a, %b : i64"])


# ** what else has i48 **

# Rounded half up: 100 * 3 with shift 3 is (300 + 4) >> 3 = 38, of 37.5. It fits i64: a value is below 2**47, a
# multiplier below 2**15 and a shift at most 62, so the sum is below 2**62 + 2**61 < 2**63.
ROUNDED = (
    "%m = arith.extsi %b : i16 to i64",
    "%s = arith.extsi %c : i8 to i64",
    "%one = arith.constant 1 : i64",
    "%before = arith.subi %s, %one : i64",
    "%half = arith.shli %one, %before : i64",
    "%product = arith.muli %a, %m : i64",
    "%sum = arith.addi %product, %half : i64",
    "%scaled = arith.shrsi %sum, %s : i64",
)


def _emit_rescale(op: Op, statements: Statements) -> str:
    """Adds RESCALE of i48 with 16-bit multipliers, and returns its result's name.

    ROUNDED computes `%scaled`, which is apply_scale_16 of the specification (4.5.5). The zero point is added to that,
    and the sum is clamped to the result's type.
    """
    x, multiplier, shift = op.operands[:3]
    dtype, shape = op.result.type.dtype, op.result.type.static
    least, most = dtype.limits
    if op.attributes["output_unsigned"]:
        least, most = 0, most - least
    # An unsigned zero point of 128 is stored as the i8 -128: -128 & 255 is 128. A signed one stays as it is: & -1.
    constants = {"zp": _constant_elements(op, 4)[0] & (most if least == 0 else -1), "least": least, "most": most}
    body = [
        *ROUNDED,
        *(f"%{name} = arith.constant {number} : i64" for name, number in constants.items()),
        "%moved = arith.addi %scaled, %zp : i64",
        "%low = arith.maxsi %moved, %least : i64",
        "%kept = arith.minsi %low, %most : i64",
        f"%r = arith.trunci %kept : i64 to {element_type(dtype)}",
    ]
    operands = [(statements.function.name(value), value.type.dtype, value.type.static) for value in (multiplier, shift)]
    return statements.elementwise([(statements.function.name(x), SUM, shape), *operands], dtype, shape, body)


# 300 is the bytes 1 and 44, of which 44 XOR 128 is -84 as i8: 1 * 256 - 84 + 128 = 300. -2 is -1 and 254, which
# becomes 126: -256 + 126 + 128 = -2.
BYTES = (
    ("%k = arith.constant 8 : i16", "%h = arith.shrsi %a, %k : i16", "%r = arith.trunci %h : i16 to i8"),
    ("%k = arith.constant 128 : i16", "%l = arith.xori %a, %k : i16", "%r = arith.trunci %l : i16 to i8"),
)
JOINED = (
    "%p = arith.extsi %a : i32 to i64",
    "%q = arith.extsi %b : i32 to i64",
    "%k = arith.constant 256 : i64",
    "%high = arith.muli %p, %k : i64",
    "%sum = arith.addi %high, %q : i64",
)


def _emit_resize(op: Op, statements: Statements) -> str:
    """Adds RESIZE of i16, and returns its result's name.

    BYTES take the upper and the lower byte of each element. Each half has a RESIZE of i8, and JOINED adds the results
    as high * 256 + low. The lower byte is stored minus 128, so 128 times the weights' sum, `up * right`, is added back.
    """
    x, *sizes = op.operands
    shape, result = x.type.static, op.result.type.static
    up, _, right, _ = _constant_elements(op, 1)
    # The weights of a result sum to up * right, and both are at most 2**11: sums of bytes are within 2**29, in i32.
    halves = []
    for byte in BYTES:
        half = statements.elementwise([(statements.function.name(x), DType.I16, shape)], DType.I8, shape, byte)
        types, mode = (tensor(shape, DType.I8), tensor(result, DType.I32)), "#tosa.resize_mode<BILINEAR>"
        halves.append(statements.tosa(ops.RESIZE, half, sizes, types, f"mode = {mode}"))
    body = [*JOINED, f"%least = arith.constant {128 * up * right} : i64", "%r = arith.addi %sum, %least : i64"]
    return statements.elementwise([(half, DType.I32, result) for half in halves], SUM, result, body)


_FORMS: Mapping[OpDef | None, Callable[[Op, Statements], str]] = MappingProxyType(
    {
        ops.CONV2D: _emit_convolution,
        ops.CONV3D: _emit_convolution,
        ops.DEPTHWISE_CONV2D: _emit_convolution,
        ops.TRANSPOSE_CONV2D: _emit_transpose_convolution,
        ops.MATMUL: _emit_matmul,
        ops.RESCALE: _emit_rescale,
        ops.RESIZE: _emit_resize,
    }
)
