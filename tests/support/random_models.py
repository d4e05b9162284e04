"""Random TFLite models of many operators: a seed gives a model, the arrays to feed it, and nothing that LiteRT rejects.

A `Sketch` grows operator by operator from a visible table of steps. It tracks the shapes itself, keeps tensors small,
and with an unknown batch leaves the first dimension alone.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from support.random_numbers import Numbers
from support.tflite_models import Operator, Tensor, build
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import ActivationFunctionType, Padding
from tosa_converter.schemas.tflite import BuiltinOperator as B

LIMIT = 3000  # elements of one tensor
BATCH = 3  # what an unknown batch is run with
FUSED = tuple(
    ActivationFunctionType[name] for name in ("NONE", "NONE", "RELU", "RELU6", "RELU_N1_TO_1")
)  # that every kernel knows


class Refused(Exception):
    """A step that doesn't fit the tensor it was tried on."""


class Sketch(Numbers):
    """A model in the making."""

    def __init__(self, seed: int, dtype: str, *, unknown_batch: bool = False) -> None:
        super().__init__(seed)
        self.dtype = dtype
        self.free = int(unknown_batch)  # the first axis that a step may touch
        self.tensors: list[Tensor] = []
        self.operators: list[Operator] = []
        self.live: list[int] = []
        self.inputs = [self.input() for _ in range(int(self.rng.integers(1, 3)))]

    # ** tensors **

    def add(self, tensor: Tensor) -> int:
        """A tensor's index."""
        self.tensors.append(tensor)
        return len(self.tensors) - 1

    def constant(self, values: Any, dtype: str = "int32", **quant: Any) -> int:
        """A constant's index."""
        array = np.asarray(values, dtype)
        return self.add(Tensor(array.shape, dtype, array, **quant))

    def quant(self) -> dict[str, Any]:
        """A scale and a zero point for activations; none for floats."""
        if self.dtype == "float32":
            return {}
        scale = np.float32(np.exp(self.rng.uniform(np.log(0.005), np.log(0.2))))
        low = 128 if self.dtype == "uint8" else 0
        return {"scale": scale, "zero_point": self.among(-128, 0, self.whole(-128, 127), self.whole(-20, 20)) + low}

    def like(self, x: int) -> dict[str, Any]:
        """The quantization of a tensor."""
        tensor = self.tensors[x]
        return {} if tensor.scale is None else {"scale": tensor.scale, "zero_point": tensor.zero_point}

    def input(self) -> int:
        """An input of rank 4, seldom of another."""
        rank = self.among(4, 4, 4, 4, 3, 2)
        sizes = [self.whole(1, 9) for _ in range(rank)]
        sizes[0] = 1 if self.free else self.among(1, 1, 2)
        sizes[-1] = self.among(1, 2, 3, 4, 8)
        return self.tensor(sizes, **self.quant())

    def tensor(self, shape: Sequence[int], dtype: str = "", **quant: Any) -> int:
        """A computed tensor, live from now on."""
        if int(np.prod(shape)) > LIMIT or not 0 < len(shape) <= 5 or min(shape) < 1:
            raise Refused
        signature = (-1, *shape[1:]) if self.free else ()
        index = self.add(Tensor(tuple(map(int, shape)), dtype or self.dtype, signature=signature, **quant))
        self.live.append(index)
        return index

    def shape(self, x: int) -> tuple[int, ...]:
        """A tensor's shape."""
        return tuple(self.tensors[x].shape)

    def weights(self, shape: Sequence[int], fan_in: int, channels: int | None, axis: int) -> tuple[int, Any]:
        """Weights and their scale; per channel of `axis` more often than not when it has `channels`."""
        if self.dtype == "float32":
            return self.constant(self.rng.standard_normal(shape) / np.sqrt(fan_in), "float32"), None
        per_channel = channels is not None and self.dtype == "int8" and self.whole(0, 3) > 0
        size = channels if per_channel else None
        scale = np.exp(self.rng.uniform(np.log(0.3), np.log(3), size)).astype(np.float32) / np.float32(
            60 * np.sqrt(fan_in)
        )
        zero_point = self.whole(100, 150) if self.dtype == "uint8" else 0
        low, high = (0, 255) if self.dtype == "uint8" else (-127, 127)
        stored = self.rng.integers(low, high + 1, shape)
        return self.constant(stored, self.dtype, scale=scale, zero_point=zero_point, axis=axis), scale

    def bias(self, x: int, scale: Any, channels: int) -> int:
        """A bias."""
        if self.dtype == "float32":
            return self.constant(self.rng.standard_normal(channels), "float32")
        combined = np.float32(self.tensors[x].scale) * scale
        stored = self.rng.integers(-3000, 3000, channels)
        return self.constant(stored, "int32", scale=combined, zero_point=0)

    # ** operators **

    def emit(self, builtin: B, inputs: Sequence[int], outputs: int | Sequence[int], **options: Any) -> None:
        """Append an operator; what it reads doesn't have to be an output."""
        outputs = [outputs] if isinstance(outputs, int) else outputs
        version = 2 if builtin is B.BROADCAST_TO else 1
        self.operators.append(Operator(builtin, list(inputs), list(outputs), options, version=version))

    def pick(self) -> int:
        """A live tensor of the model's type, recent ones more often."""
        mine = [x for x in self.live if self.tensors[x].dtype == self.dtype]
        return mine[-1 - min(int(self.rng.geometric(0.4)) - 1, len(mine) - 1)]

    def grow(self, count: int) -> "Sketch":
        """Add that many steps; one that doesn't fit leaves no trace."""
        while len(self.operators) < count:
            sizes = len(self.tensors), len(self.operators), len(self.live)
            try:
                self.among(*STEPS[self.dtype])(self, self.pick())
            except Refused:
                del self.tensors[sizes[0] :], self.operators[sizes[1] :], self.live[sizes[2] :]
        return self

    def finish(self) -> tuple[bytes, list[Array]]:
        """The file and arrays for its inputs. Outputs are what nothing reads and a few others."""
        read = {x for operator in self.operators for x in operator.inputs}
        made = [x for operator in self.operators for x in operator.outputs]
        outputs = [x for x in made if x not in read or self.whole(0, 9) == 0]
        data = build(self.tensors, self.operators, self.inputs, outputs)
        return data, [self.feed(x) for x in self.inputs]

    def feed(self, x: int) -> Array:
        """An array for an input."""
        shape = (BATCH, *self.shape(x)[1:]) if self.free else self.shape(x)
        if self.dtype == "float32":
            return self.rng.standard_normal(shape).astype(np.float32)
        return self.rng.integers(0, 256, shape).astype(np.uint8).view(self.dtype)


Step = Callable[[Sketch, int], None]


def _image(s: Sketch, x: int) -> tuple[int, int, int, int]:
    shape = s.shape(x)
    if len(shape) != 4:
        raise Refused
    return shape


def _window(size: int, window: int, stride: int, padding: Padding) -> int:
    """The number of windows along one dimension."""
    return -(-size // stride) if padding is Padding.SAME else (size - window) // stride + 1


def _fixed(s: Sketch, name: str) -> dict[str, Any]:
    """The quantization of results that the kernels demand: of functions with a known range."""
    scale, zero_point = {"sigmoid": (1 / 256, -128), "tanh": (1 / 128, 0)}[name]
    return {} if s.dtype == "float32" else {"scale": scale, "zero_point": zero_point + 128 * (s.dtype == "uint8")}


# ** windows **


def conv(s: Sketch, x: int) -> None:
    """CONV_2D, grouped ones too."""
    n, h, w, c = _image(s, x)
    ky, kx = s.whole(1, 4), s.whole(1, 4)
    sy, sx = s.whole(1, 3), s.whole(1, 3)
    dy, dx = (s.whole(1, 2), s.whole(1, 2)) if sy == sx == 1 else (1, 1)
    padding = s.among(*Padding)
    out = s.among(1, 3, 4, 8)
    weight, scale = s.weights((out, ky, kx, c), ky * kx * c, out, 0)
    rows = _window(h, (ky - 1) * dy + 1, sy, padding)
    columns = _window(w, (kx - 1) * dx + 1, sx, padding)
    bias = s.bias(x, scale, out)
    options = {"stride_h": sy, "stride_w": sx, "dilation_h_factor": dy, "dilation_w_factor": dx, "padding": padding}
    y = s.tensor((n, rows, columns, out), **s.quant())
    s.emit(B.CONV_2D, [x, weight, bias], y, fused_activation_function=s.among(*FUSED), **options)


def depthwise(s: Sketch, x: int) -> None:
    """DEPTHWISE_CONV_2D with a multiplier of 1 or more."""
    n, h, w, c = _image(s, x)
    ky, kx, m = s.whole(1, 4), s.whole(1, 4), s.among(1, 1, 2)
    sy, sx = s.whole(1, 3), s.whole(1, 3)
    padding = s.among(*Padding)
    weight, scale = s.weights((1, ky, kx, c * m), ky * kx, c * m, 3)
    bias = s.bias(x, scale, c * m)
    options = {"stride_h": sy, "stride_w": sx, "depth_multiplier": m, "padding": padding}
    y = s.tensor((n, _window(h, ky, sy, padding), _window(w, kx, sx, padding), c * m), **s.quant())
    s.emit(B.DEPTHWISE_CONV_2D, [x, weight, bias], y, fused_activation_function=s.among(*FUSED), **options)


def transpose_conv(s: Sketch, x: int) -> None:
    """TRANSPOSE_CONV to one of the sizes that its padding allows."""
    n, h, w, c = _image(s, x)
    if s.free:  # the size is a constant, batch and all
        raise Refused
    ky, kx, out = s.whole(1, 4), s.whole(1, 4), s.among(1, 2, 4)
    stride = s.whole(1, 3)
    padding = s.among(*Padding)
    if padding is Padding.SAME:
        rows, columns = h * stride, w * stride
    else:
        rows, columns = (h - 1) * stride + ky, (w - 1) * stride + kx
    weight, scale = s.weights((out, ky, kx, c), ky * kx * c, out, 0)
    bias = s.bias(x, scale, out)
    operands = [s.constant([n, rows, columns, out]), weight, x] + ([bias] if s.coin() else [])
    y = s.tensor((n, rows, columns, out), **s.quant())
    s.emit(B.TRANSPOSE_CONV, operands, y, stride_h=stride, stride_w=stride, padding=padding)


def pool(builtin: B) -> Step:
    """Pooling."""

    def step(s: Sketch, x: int) -> None:
        n, h, w, c = _image(s, x)
        ky, kx, sy, sx = s.whole(1, 5), s.whole(1, 5), s.whole(1, 3), s.whole(1, 3)
        padding = s.among(*Padding)
        options = {"filter_height": ky, "filter_width": kx, "stride_h": sy, "stride_w": sx, "padding": padding}
        y = s.tensor((n, _window(h, ky, sy, padding), _window(w, kx, sx, padding), c), **s.like(x))
        s.emit(builtin, [x], y, fused_activation_function=s.among(*FUSED), **options)

    return step


def resize(builtin: B) -> Step:
    """Resizing to any size with any of the three conventions."""

    def step(s: Sketch, x: int) -> None:
        n, h, w, c = _image(s, x)
        size = s.among((2 * h, 2 * w), (s.whole(1, 9), s.whole(1, 9)), (s.whole(1, 13), w))
        options = s.among({}, {"align_corners": True}, {"half_pixel_centers": True})
        y = s.tensor((n, *size, c), **s.like(x))
        s.emit(builtin, [x, s.constant(size)], y, **options)

    return step


# ** products **


def dense(s: Sketch, x: int) -> None:
    """FULLY_CONNECTED, flattening or keeping the dimensions."""
    *outer, depth = s.shape(x)
    if s.free and not outer:  # the depth is the batch
        raise Refused
    out = s.among(1, 3, 10)
    keep = s.coin() or (s.free and len(outer) > 1)
    weight, scale = s.weights((out, depth), depth, out, 0)
    shape = (*outer, out) if keep else (int(np.prod(outer)), out)
    bias = s.bias(x, scale, out) if s.coin() else -1
    y = s.tensor(shape, **s.quant())
    s.emit(B.FULLY_CONNECTED, [x, weight, bias], y, keep_num_dims=keep, fused_activation_function=s.among(*FUSED))


def batch_matmul(s: Sketch, x: int) -> None:
    """A product with a constant or with itself."""
    shape = s.shape(x)
    if len(shape) < 3:
        raise Refused
    *outer, rows, depth = shape
    if s.coin():
        y = s.tensor((*outer, rows, rows), **s.quant())
        s.emit(B.BATCH_MATMUL, [x, x], y, adj_y=True)
        return
    out, adjoint = s.whole(1, 5), s.coin()
    other = s.constant(s.rng.standard_normal((out, depth) if adjoint else (depth, out)) / np.sqrt(depth), "float32")
    y = s.tensor((*outer, rows, out))
    s.emit(B.BATCH_MATMUL, [x, other], y, adj_y=adjoint)


# ** elementwise **


def unary(builtin: B, quant: str = "", **options: Any) -> Step:
    """An operator of one operand."""

    def step(s: Sketch, x: int) -> None:
        given = s.like(x) if quant == "same" else _fixed(s, quant) if quant else s.quant()
        s.emit(builtin, [x], s.tensor(s.shape(x), **given), **{k: v(s) for k, v in options.items()})

    return step


def through(*builtins: B) -> Step:
    """Operators in a row, of which the first keep the last where it is well conditioned."""

    def step(s: Sketch, x: int) -> None:
        for builtin in builtins:
            y = s.tensor(s.shape(x))
            s.emit(builtin, [x], y)
            x = y

    return step


def above_zero(builtin: B) -> Step:
    """An operator of what is above zero: behind a MAXIMUM with the zero point and one step."""

    def step(s: Sketch, x: int) -> None:
        like = s.like(x)
        if like["zero_point"] > 126:
            raise Refused
        y = s.tensor(s.shape(x), **like)
        s.emit(B.MAXIMUM, [x, s.constant([like["zero_point"] + 1], s.dtype, **like)], y)
        s.emit(builtin, [y], s.tensor(s.shape(x), **s.quant()))

    return step


def _other(s: Sketch, x: int, **quant: Any) -> int:
    """A second operand that broadcasts: live, or constant of fewer or smaller dimensions."""
    shape = s.shape(x)
    twins = [y for y in s.live if s.shape(y) == shape and s.tensors[y].dtype == s.dtype]
    if s.coin() and not (quant and any(s.like(y) != quant for y in twins)):
        return int(s.among(*twins))
    sizes = [n if s.coin() and i >= s.free else 1 for i, n in enumerate(shape)]
    sizes = sizes[s.whole(0, len(sizes)) :]
    if s.dtype == "float32":
        return s.constant(s.rng.standard_normal(sizes), "float32")
    stored = s.rng.integers(0, 256, sizes).astype(np.uint8).view(s.dtype)
    return s.constant(stored, s.dtype, **(quant or s.quant()))


def binary(builtin: B, *, fused: bool = False, same: bool = False) -> Step:
    """An operator of two operands, either way round."""

    def step(s: Sketch, x: int) -> None:
        like = s.like(x)
        operands = [x, _other(s, x, **like) if same else _other(s, x)]
        if s.coin():
            operands.reverse()
        options = {"fused_activation_function": s.among(*FUSED)} if fused else {}
        y = s.tensor(s.shape(x), **(like if same else s.quant()))
        s.emit(builtin, operands, y, **options)

    return step


def divide(s: Sketch, x: int) -> None:
    """DIV by constants away from zero."""
    sizes = s.shape(x)[s.whole(1, len(s.shape(x))) :]
    divisor = s.constant(s.rng.uniform(0.5, 3, sizes) * s.rng.choice([-1, 1], sizes), "float32")
    s.emit(B.DIV, [x, divisor], s.tensor(s.shape(x)), fused_activation_function=s.among(*FUSED))


def prelu(s: Sketch, x: int) -> None:
    """PRELU with a slope per channel."""
    sizes = (1,) * (len(s.shape(x)) - 2) + s.shape(x)[-1:]
    if s.dtype == "float32":
        alpha = s.constant(s.rng.standard_normal(sizes), "float32")
    else:
        stored = s.rng.integers(0, 256, sizes).astype(np.uint8).view(s.dtype)
        alpha = s.constant(stored, s.dtype, **s.quant())
    s.emit(B.PRELU, [x, alpha], s.tensor(s.shape(x), **s.quant()))


def select(s: Sketch, x: int) -> None:
    """SELECT_V2 by a constant condition: the floats that a comparison would see may differ in the last place."""
    condition = s.constant(s.rng.integers(0, 2, s.shape(x)[s.whole(s.free, len(s.shape(x))) :]), "bool")
    other = _other(s, x)
    s.emit(B.SELECT_V2, [condition, x, other], s.tensor(s.shape(x)))


def softmax(s: Sketch, x: int) -> None:
    """SOFTMAX over the last dimension."""
    s.emit(B.SOFTMAX, [x], s.tensor(s.shape(x), **_fixed(s, "sigmoid")), beta=s.among(1.0, 1.0, 0.5))


def requantize(s: Sketch, x: int) -> None:
    """QUANTIZE to another scale."""
    s.emit(B.QUANTIZE, [x], s.tensor(s.shape(x), **s.quant()))


def float_island(s: Sketch, x: int) -> None:
    """DEQUANTIZE and QUANTIZE again."""
    y = s.tensor(s.shape(x), "float32")
    s.emit(B.DEQUANTIZE, [x], y)
    s.emit(B.QUANTIZE, [y], s.tensor(s.shape(x), **s.quant()))


# ** reductions **


def reduction(builtin: B, *, same: bool = False) -> Step:
    """A reduction over some axes, negative ones too."""

    def step(s: Sketch, x: int) -> None:
        shape = s.shape(x)
        axes = [i for i in range(s.free, len(shape)) if s.coin()]
        keep = s.coin()
        kept = [1 if i in axes else n for i, n in enumerate(shape) if keep or i not in axes]
        if not axes or not kept:
            raise Refused
        named = [i - len(shape) if s.coin() else i for i in axes]
        y = s.tensor(kept, **(s.like(x) if same else s.quant()))
        s.emit(builtin, [x, s.constant(named)], y, keep_dims=keep)

    return step


# ** layout **


def reshape(s: Sketch, x: int) -> None:
    """RESHAPE to a factorization, with the shape as operand or as option."""
    outer, rest = s.shape(x)[: s.free], int(np.prod(s.shape(x)[s.free :]))
    sizes: list[int] = []
    while rest > 1 and len(sizes) < 3:
        sizes.append(s.among(*(n for n in range(1, rest + 1) if rest % n == 0)))
        rest //= sizes[-1]
    sizes.append(rest)
    s.rng.shuffle(sizes)
    y = s.tensor((*outer, *sizes), **s.like(x))
    wanted = [-1] * len(outer) + sizes
    if not outer and s.coin():
        wanted[s.whole(0, len(wanted) - 1)] = -1
    s.emit(B.RESHAPE, [x, s.constant(wanted)], y, new_shape=tuple(wanted) if s.coin() else ())


def transpose(s: Sketch, x: int) -> None:
    """TRANSPOSE."""
    shape = s.shape(x)
    perm = [*range(s.free), *s.rng.permutation(np.arange(s.free, len(shape)))]
    s.emit(B.TRANSPOSE, [x, s.constant(perm)], s.tensor([shape[i] for i in perm], **s.like(x)))


def pad(s: Sketch, x: int) -> None:
    """PAD with the zero point, PADV2 with any value."""
    shape = s.shape(x)
    amounts = [[0, 0] if i < s.free or s.coin() else [s.whole(0, 2), s.whole(0, 2)] for i in range(len(shape))]
    y = s.tensor([n + sum(pair) for n, pair in zip(shape, amounts, strict=True)], **s.like(x))
    if len(shape) > 4 or s.coin():
        s.emit(B.PAD, [x, s.constant(amounts)], y)
    else:
        value = s.constant([s.whole(0, 100)], s.dtype, **s.like(x))
        s.emit(B.PADV2, [x, s.constant(amounts), value], y)


def concat(s: Sketch, x: int) -> None:
    """CONCATENATION of up to three tensors that agree in all other dimensions and in quantization."""
    shape = s.shape(x)
    if len(shape) <= s.free:
        raise Refused
    axis = s.whole(s.free, len(shape) - 1)

    def fits(y: int) -> bool:
        other = s.shape(y)
        return len(other) == len(shape) and all(
            i == axis or a == b for i, (a, b) in enumerate(zip(other, shape, strict=True))
        )

    twins = [y for y in s.live if fits(y) and s.tensors[y].dtype == s.dtype and s.like(y) == s.like(x)]
    parts = [x] + [int(s.among(*twins)) for _ in range(s.whole(1, 2))]
    made = [sum(s.shape(y)[i] for y in parts) if i == axis else n for i, n in enumerate(shape)]
    s.emit(B.CONCATENATION, parts, s.tensor(made, **s.like(x)), axis=axis - len(shape) if s.coin() else axis)


def slice_(s: Sketch, x: int) -> None:
    """SLICE."""
    begin, size, made = [], [], []
    for i, n in enumerate(s.shape(x)):
        first = 0 if i < s.free else s.whole(0, n - 1)
        count = n - first if i < s.free else s.whole(1, n - first)
        begin.append(first)
        size.append(-1 if count == n - first else count)
        made.append(count)
    s.emit(B.SLICE, [x, s.constant(begin), s.constant(size)], s.tensor(made, **s.like(x)))


def strided_slice(s: Sketch, x: int) -> None:
    """STRIDED_SLICE with strides of both signs and a dimension that shrinks."""
    begin, end, stride, made = [], [], [], []
    shrink = s.whole(s.free, len(s.shape(x)) - 1) if s.coin() and len(s.shape(x)) > s.free + 1 else None
    masks = int(bool(s.free))
    for i, n in enumerate(s.shape(x)):
        if i < s.free:
            first, last, by = 0, n, 1
        elif i == shrink:
            first = s.whole(0, n - 1)
            last, by = first + 1, 1
        elif n > 1 and s.whole(0, 3) == 0:
            first, by = s.whole(1, n - 1), -s.whole(1, 2)
            last = s.whole(0, first - 1)
        else:
            first, by = s.whole(0, n - 1), s.whole(1, 2)
            last = s.whole(first + 1, n)
        begin.append(first)
        end.append(last)
        stride.append(by)
        if i != shrink:
            made.append(len(range(first, last, by)))
    y = s.tensor(made, **s.like(x))
    mask = 0 if shrink is None else 1 << shrink
    operands = [x, s.constant(begin), s.constant(end), s.constant(stride)]
    s.emit(B.STRIDED_SLICE, operands, y, begin_mask=masks, end_mask=masks, shrink_axis_mask=mask)


def split(s: Sketch, x: int) -> None:
    """SPLIT into equal parts."""
    shape = s.shape(x)
    axis = s.whole(0, len(shape) - 1)
    counts = [n for n in (2, 3) if shape[axis] % n == 0]
    if axis < s.free or not counts:
        raise Refused
    count = s.among(*counts)
    made = [n // count if i == axis else n for i, n in enumerate(shape)]
    parts = [s.tensor(made, **s.like(x)) for _ in range(count)]
    s.emit(B.SPLIT, [s.constant(axis), x], parts, num_splits=count)


def pack(s: Sketch, x: int) -> None:
    """PACK of a tensor with itself."""
    shape = s.shape(x)
    if len(shape) > 4:
        raise Refused
    axis = s.whole(s.free, len(shape))
    y = s.tensor((*shape[:axis], 2, *shape[axis:]), **s.like(x))
    s.emit(B.PACK, [x, x], y, values_count=2, axis=axis)


def unpack(s: Sketch, x: int) -> None:
    """UNPACK along a short dimension."""
    shape = s.shape(x)
    axis = s.whole(0, len(shape) - 1)
    if axis < s.free or shape[axis] > 4 or len(shape) < 2 + s.free:
        raise Refused
    rest = shape[:axis] + shape[axis + 1 :]
    s.emit(B.UNPACK, [x], [s.tensor(rest, **s.like(x)) for _ in range(shape[axis])], num=shape[axis], axis=axis)


def gather(s: Sketch, x: int) -> None:
    """GATHER by constant indices, of rank 0 too."""
    shape = s.shape(x)
    axis = s.whole(0, len(shape) - 1)
    if axis < s.free:
        raise Refused
    indices = s.rng.integers(0, shape[axis], s.among((), (3,), (2, 2)))
    y = s.tensor((*shape[:axis], *indices.shape, *shape[axis + 1 :]), **s.like(x))
    s.emit(B.GATHER, [x, s.constant(indices)], y, axis=axis)


def tile(s: Sketch, x: int) -> None:
    """TILE."""
    multiples = [1 if i < s.free else s.among(1, 1, 2, 3) for i in range(len(s.shape(x)))]
    y = s.tensor([n * m for n, m in zip(s.shape(x), multiples, strict=True)], **s.like(x))
    s.emit(B.TILE, [x, s.constant(multiples)], y)


def reverse(s: Sketch, x: int) -> None:
    """REVERSE_V2 of one axis."""
    if len(s.shape(x)) <= s.free:
        raise Refused
    axis = s.whole(s.free, len(s.shape(x)) - 1)
    s.emit(B.REVERSE_V2, [x, s.constant([axis])], s.tensor(s.shape(x), **s.like(x)))


def expand_dims(s: Sketch, x: int) -> None:
    """EXPAND_DIMS."""
    shape = s.shape(x)
    axis = s.whole(s.free, len(shape))
    s.emit(B.EXPAND_DIMS, [x, s.constant(axis)], s.tensor((*shape[:axis], 1, *shape[axis:]), **s.like(x)))


def squeeze(s: Sketch, x: int) -> None:
    """SQUEEZE of one dimension."""
    shape = s.shape(x)
    axes = [i for i in range(s.free, len(shape)) if shape[i] == 1]
    if not axes or len(shape) < 2:
        raise Refused
    axis = s.among(*axes)
    s.emit(B.SQUEEZE, [x], s.tensor(shape[:axis] + shape[axis + 1 :], **s.like(x)), squeeze_dims=(axis,))


def broadcast_to(s: Sketch, x: int) -> None:
    """BROADCAST_TO."""
    shape = s.shape(x)
    if s.free:
        raise Refused
    made = [s.whole(1, 3) if n == 1 else n for n in shape]
    s.emit(B.BROADCAST_TO, [x, s.constant(made)], s.tensor(made, **s.like(x)))


def blocks(s: Sketch, x: int) -> None:
    """SPACE_TO_DEPTH or DEPTH_TO_SPACE."""
    n, h, w, c = _image(s, x)
    if h % 2 == 0 and w % 2 == 0:
        s.emit(B.SPACE_TO_DEPTH, [x], s.tensor((n, h // 2, w // 2, c * 4), **s.like(x)), block_size=2)
    elif c % 4 == 0:
        s.emit(B.DEPTH_TO_SPACE, [x], s.tensor((n, h * 2, w * 2, c // 4), **s.like(x)), block_size=2)
    else:
        raise Refused


LAYOUT: tuple[Step, ...] = (
    reshape,
    transpose,
    pad,
    concat,
    concat,
    slice_,
    strided_slice,
    split,
    pack,
    unpack,
    gather,
    tile,
    reverse,
    expand_dims,
    squeeze,
    broadcast_to,
    blocks,
)
WINDOWS: tuple[Step, ...] = (
    conv,
    conv,
    depthwise,
    depthwise,
    transpose_conv,
    pool(B.AVERAGE_POOL_2D),
    pool(B.MAX_POOL_2D),
    resize(B.RESIZE_NEAREST_NEIGHBOR),
    dense,
    dense,
)
ARITHMETIC: tuple[Step, ...] = (
    binary(B.ADD, fused=True),
    binary(B.ADD, fused=True),
    binary(B.SUB, fused=True),
    binary(B.MUL, fused=True),
    binary(B.MAXIMUM, same=True),
    binary(B.MINIMUM, same=True),
    prelu,
    softmax,
    unary(B.RELU),
    unary(B.RELU6),
    unary(B.RELU_N1_TO_1),
    unary(B.LOGISTIC, "sigmoid"),
    unary(B.TANH, "tanh"),
    unary(B.HARD_SWISH),
    unary(B.LEAKY_RELU, alpha=lambda s: float(s.rng.uniform(-0.5, 1.5))),
    reduction(B.MEAN),
    reduction(B.SUM),
    reduction(B.REDUCE_MAX, same=True),
    reduction(B.REDUCE_MIN, same=True),
)
FLOAT_STEPS: tuple[Step, ...] = (
    *LAYOUT,
    *WINDOWS,
    *ARITHMETIC,
    binary(B.SQUARED_DIFFERENCE),
    batch_matmul,
    divide,
    select,
    unary(B.ABS),
    unary(B.NEG),
    through(B.TANH, B.SIN),
    through(B.TANH, B.COS),
    unary(B.SQUARE),
    unary(B.LOG_SOFTMAX),
    through(B.ABS, B.SQRT),
    through(B.LOGISTIC, B.LOG),
    through(B.TANH, B.EXP),
    through(B.TANH, B.LOGISTIC, B.RSQRT),
)
QUANTIZED_STEPS: tuple[Step, ...] = (
    *LAYOUT,
    *WINDOWS,
    *ARITHMETIC,
    requantize,
    float_island,
    unary(B.GELU, approximate=lambda s: s.coin()),
)
SIGNED_STEPS: tuple[Step, ...] = (  # what LiteRT's kernels don't take in uint8
    binary(B.SQUARED_DIFFERENCE),
    unary(B.ABS),
    unary(B.NEG),
    unary(B.EXP),
    unary(B.LOG),
    above_zero(B.SQRT),
    above_zero(B.RSQRT),
    resize(B.RESIZE_BILINEAR),
)
STEPS = {
    "float32": (*FLOAT_STEPS, resize(B.RESIZE_BILINEAR)),
    "int8": (*QUANTIZED_STEPS, *SIGNED_STEPS),
    "uint8": QUANTIZED_STEPS,
}
