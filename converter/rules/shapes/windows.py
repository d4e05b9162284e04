"""Shape rules of the tensor operators (2.3) and of RESIZE (2.12): windows, matrices, transforms."""

from functools import cache

from tosa_converter.rules.conditions import Check, Shapes, Sizes

# Of RESIZE: sizes below 2**14 times scales of at most 2**11 keep positions below 2**25, far within int32.
_LARGEST_IMAGE = 16384
_AXES = ("y", "x")


def argmax(c: Check, shape1: Sizes) -> Shapes:
    """Returns the result shape of ARGMAX: its operand's without the axis."""
    axis = c.axis(len(shape1))
    return (shape1[:axis] + shape1[axis + 1 :],)


def pool2d(c: Check, x: Sizes, *_zero_points: Sizes) -> Shapes:
    """Checks AVG_POOL2D or MAX_POOL2D of [N,IH,IW,C]; returns the result shape, [N,OH,OW,C]."""
    if len(c.row.inputs) == 3:  # AVG_POOL2D, as MAX_POOL2D has no zero points
        c.zero_point(1, "in_out_t")
        c.zero_point(2, "in_out_t")
    return _pool_shape(c, x, c.sizes("kernel", 2), c.sizes("stride", 2), c.sizes("pad", 4))


def adaptive_pool2d(c: Check, x: Sizes, *operands: Sizes) -> Shapes:
    """Checks AVG_POOL2D_ADAPTIVE or MAX_POOL2D_ADAPTIVE of [N,IH,IW,C]; returns the result shape, [N,OH,OW,C].

    Kernel, stride and padding are the last operands; OH and OW are unknown if one isn't constant.
    """
    if len(operands) == 5:
        c.zero_point(1, "in_out_t")
        c.zero_point(2, "in_out_t")
    first = len(operands) - 2  # of x and the operands, the last three
    kernel, stride, pad = (c.constant(index) for index in range(first, first + 3))
    for name, limit, sizes in (
        ("kernel", "MAX_KERNEL", kernel),
        ("stride", "MAX_STRIDE", stride),
        ("pad", "MAX_KERNEL", pad),
    ):
        if sizes is not None:
            c.level_check(max(sizes), limit, name)
    if kernel is None or stride is None or pad is None:
        return ((x[0], None, None, x[3]),)
    return _pool_shape(c, x, tuple(kernel), tuple(stride), tuple(pad))


def _pool_shape(c: Check, x: Sizes, kernel: Sizes, stride: Sizes, pad: Sizes) -> Shapes:
    """Checks kernel, stride and padding of a pooling of [N,IH,IW,C]; returns the result shape, [N,OH,OW,C].

    `kernel` and `stride` are (y, x), `pad` is (top, bottom, left, right).
    """
    n, ih, iw, channels = x
    kernel_y, kernel_x = kernel
    stride_y, stride_x = stride
    pad_top, pad_bottom, pad_left, pad_right = pad
    c.error_if(kernel_y < 1 or kernel_x < 1, "kernel_y < 1 || kernel_x < 1", kernel_y=kernel_y, kernel_x=kernel_x)
    _require_strides(c, (stride_y, stride_x), _AXES)
    c.error_if(min(pad) < 0, "pad_top < 0 || pad_bottom < 0 || pad_left < 0 || pad_right < 0", pad=pad)
    too_wide, too_high = max(pad_left, pad_right) >= kernel_x, max(pad_top, pad_bottom) >= kernel_y
    c.error_if(too_wide, "pad_right >= kernel_x || pad_left >= kernel_x", pad=pad, kernel_x=kernel_x)
    c.error_if(too_high, "pad_top >= kernel_y || pad_bottom >= kernel_y", pad=pad, kernel_y=kernel_y)
    # 7 elements, kernel 3, stride 2, no padding: (7 - 3) / 2 + 1 = 3.
    oh = _window_count(c, ih + pad_top + pad_bottom - kernel_y, stride_y, POOL_OUTPUT[1])
    ow = _window_count(c, iw + pad_left + pad_right - kernel_x, stride_x, POOL_OUTPUT[2])
    return ((n, oh, ow, channels),)


POOL_OUTPUT = (
    "output N != input N",
    "OH != idiv_check(IH + pad_top + pad_bottom - kernel_y, stride_y) + 1",
    "OW != idiv_check(IW + pad_left + pad_right - kernel_x, stride_x) + 1",
    "output C != input C",
)


def conv2d(c: Check, x: Sizes, weight: Sizes, bias: Sizes, *_zp: Sizes) -> Shapes:
    """Checks CONV2D with weight [OC,KH,KW,IC]; returns the result shape, [N,OH,OW,OC]."""
    n, _, _, ic = x
    oc, kh, kw, weight_ic = weight
    c.same_dimension("IC", ic, weight_ic)
    oh, ow = _windows(c, x[1:3], (kh, kw), _AXES, CONV_OUTPUT[1:3])
    _check_bias(c, bias, oc, "OC")
    return ((n, oh, ow, oc),)


def depthwise_conv2d(c: Check, x: Sizes, weight: Sizes, bias: Sizes, *_zp: Sizes) -> Shapes:
    """Checks DEPTHWISE_CONV2D with weight [KH,KW,C,M]; returns the result shape, [N,OH,OW,C*M]."""
    n, _, _, channels = x
    kh, kw, weight_c, multiplier = weight
    c.same_dimension("C", channels, weight_c)
    oh, ow = _windows(c, x[1:3], (kh, kw), _AXES, CONV_OUTPUT[1:3])
    _check_bias(c, bias, channels * multiplier, "C*M")
    return ((n, oh, ow, channels * multiplier),)


CONV_OUTPUT = (
    "output N != input N",
    "OH != idiv_check(IH - 1 + pad_top + pad_bottom - (KH - 1) * dilation_y, stride_y) + 1",
    "OW != idiv_check(IW - 1 + pad_left + pad_right - (KW - 1) * dilation_x, stride_x) + 1",
    "output channels != OC of the weight",
)
DEPTHWISE_OUTPUT = (*CONV_OUTPUT[:3], "output channels != C * M")


def conv3d(c: Check, x: Sizes, weight: Sizes, bias: Sizes, *_zp: Sizes) -> Shapes:
    """Checks CONV3D with weight [OC,KD,KH,KW,IC]; returns the result shape, [N,OD,OH,OW,OC]."""
    n, *size, ic = x
    oc, *kernel, weight_ic = weight
    c.same_dimension("IC", ic, weight_ic)
    od, oh, ow = _windows(c, tuple(size), tuple(kernel), ("d", "y", "x"), CONV3D_OUTPUT[1:4])
    _check_bias(c, bias, oc, "OC")
    return ((n, od, oh, ow, oc),)


CONV3D_OUTPUT = (
    CONV_OUTPUT[0],
    "OD != idiv_check(ID - 1 + pad_d0 + pad_d1 - (KD - 1) * dilation_d, stride_d) + 1",
    *CONV_OUTPUT[1:],
)


def transpose_conv2d(c: Check, x: Sizes, weight: Sizes, bias: Sizes, *_zp: Sizes) -> Shapes:
    """Checks TRANSPOSE_CONV2D with weight [OC,KH,KW,IC]; returns the result shape, [N,OH,OW,OC]."""
    n, ih, iw, ic = x
    oc, kh, kw, weight_ic = weight
    top, bottom, left, right = out_pad = c.sizes("out_pad", 4)
    stride_y, stride_x = c.sizes("stride", 2)
    c.same_dimension("IC", ic, weight_ic)
    c.level_check(kh, "MAX_KERNEL", "KH")
    c.level_check(kw, "MAX_KERNEL", "KW")
    c.zero_point(3, "in_t")
    c.zero_point(4, "weight_t")
    c.error_if(min(top, bottom) <= -kh, "out_pad_top <= -KH || out_pad_bottom <= -KH", out_pad=out_pad, KH=kh)
    c.error_if(min(left, right) <= -kw, "out_pad_left <= -KW || out_pad_right <= -KW", out_pad=out_pad, KW=kw)
    _require_strides(c, (stride_y, stride_x), _AXES)
    _check_bias(c, bias, oc, "OC")
    # 4 elements, stride 2, kernel 3, padding 0 and -1: 3 * 2 + 0 - 1 + 3 = 8.
    return ((n, (ih - 1) * stride_y + top + bottom + kh, (iw - 1) * stride_x + left + right + kw, oc),)


TRANSPOSE_CONV_OUTPUT = (
    CONV_OUTPUT[0],
    "OH != (IH - 1) * stride_y + out_pad_top + out_pad_bottom + KH",
    "OW != (IW - 1) * stride_x + out_pad_left + out_pad_right + KW",
    CONV_OUTPUT[3],
)


def matmul(c: Check, a: Sizes, b: Sizes, *_zero_points: Sizes) -> Shapes:
    """Checks MATMUL of [N,H,C] by [N,C,W]; returns the result shape, [N,H,W].

    The specification prints ERROR_IF(is_same<in_t,i8_t> && ...) here, against its own comment, its table of arguments
    and every other operator; the reference model refuses a zero point that is not 0 on other types, and so do we.
    """
    c.same_dimension("N", a[0], b[0])
    c.same_dimension("C", a[2], b[1])
    c.zero_point(2, "in_t")
    c.zero_point(3, "in_t")
    return ((a[0], a[1], b[2]),)


def matmul_t(c: Check, a: Sizes, b: Sizes, *_zero_points: Sizes) -> Shapes:
    """Checks MATMUL_T of [N,H,C] by the transpose of [D,W,C], D = N or 1; returns the result shape, [N,H,W]."""
    c.error_if(b[0] not in (a[0], 1), "D != N && D != 1", D=b[0], N=a[0])
    c.same_dimension("C", a[2], b[2])
    for index, variable in ((2, "A_t"), (3, "B_t")):
        c.zero_point(index, variable)
    return ((a[0], a[1], b[1]),)


def fft2d(c: Check, real: Sizes, imag: Sizes) -> Shapes:
    """Checks FFT2D, whose H and W must be powers of two; returns the shapes of both results, [N,H,W]."""
    for name, first, second in zip("NHW", real, imag, strict=True):
        c.same_dimension(name, first, second)
    _check_powers_of_two(c, real)
    return (real, real)


def rfft2d(c: Check, real: Sizes) -> Shapes:
    """Checks RFFT2D and returns the shapes of both results, [N,H,W/2+1]: the other half mirrors this one."""
    _check_powers_of_two(c, real)
    n, h, w = real
    # A real signal of 8 elements has bins 0 to 4: bins 5, 6, 7 are the conjugates of 3, 2, 1.
    half = (n, h, w // 2 + 1)
    return (half, half)


def resize(c: Check, x: Sizes, *_scale_offset_border: Sizes) -> Shapes:
    """Checks RESIZE of [N,IH,IW,C]; returns the result shape, [N,OH,OW,C], known if its operands are constant."""
    n, ih, iw, channels = x
    scale, offset, border = c.constant(1), c.constant(2), c.constant(3)
    if scale is None or offset is None or border is None:
        return ((n, None, None, channels),)
    oh = _resized_size(c, ih, scale[0], scale[1], offset[0], border[0], "y")
    ow = _resized_size(c, iw, scale[2], scale[3], offset[1], border[1], "x")
    largest = max(oh, ow, ih, iw)
    c.error_if(largest >= _LARGEST_IMAGE, "max(OH,OW,IH,IW) >= 16384", OH=oh, OW=ow, IH=ih, IW=iw)
    return ((n, oh, ow, channels),)


RESIZE_OUTPUT = (
    "output N != input N",
    "OH != idiv_check((IH - 1) * scale_y_n - offset_y + border_y, scale_y_d) + 1",
    "OW != idiv_check((IW - 1) * scale_x_n - offset_x + border_x, scale_x_d) + 1",
    "output C != input C",
)


def _resized_size(c: Check, size: int, up: int, down: int, offset: int, border: int, axis: str) -> int:
    """Returns the output size of RESIZE along one axis (scale = up / down), after checks of that axis's parameters."""
    n, d = f"scale_{axis}_n", f"scale_{axis}_d"
    if up <= 0 or down <= 0:
        c.stop("error", f"{n} <= 0 || {d} <= 0", f"{n} = {up}, {d} = {down}")
    c.level_check(up // down, "MAX_SCALE", f"{n}/{d}")  # the pseudocode divides integers (4.5.1, idiv)
    c.error_if(up > 1 << 11, f"{n} > (1 << 11)", **{n: up})
    c.error_if(down >= 16 * up, f"{d} >= 16 * {n}", **{d: down, n: up})
    c.error_if(
        not -up <= offset < 16 * up,
        f"offset_{axis} < -{n} || offset_{axis} >= 16 * {n}",
        **{f"offset_{axis}": offset, n: up},
    )
    c.error_if(
        not -16 * up <= border < up,
        f"border_{axis} < -16 * {n} || border_{axis} >= {n}",
        **{f"border_{axis}": border, n: up},
    )
    # 4 elements doubled by half pixels, scale 4/2, offset -1, border 1: (3 * 4 + 1 + 1) / 2 + 1 = 8.
    return _window_count(c, (size - 1) * up - offset + border, down, RESIZE_OUTPUT[1 if axis == "y" else 2])


def _windows(c: Check, size: Sizes, kernel: Sizes, axes: tuple[str, ...], conditions: tuple[str, ...]) -> Sizes:
    """Checks what all convolutions share: padding, stride, dilation, zero points; returns the output sizes by axis.

    `conditions` has, for each of `axes`, the text of the ERROR_IF about strides that don't divide the size.
    """
    pad = c.sizes("pad", 2 * len(size))
    stride = c.sizes("stride", len(size))
    dilation = c.sizes("dilation", len(size))
    c.zero_point(3, "in_t")
    c.zero_point(4, "weight_t")
    if min(pad) < 0:
        c.problem("error", _any_negative_pad(axes), f"pad = {list(pad)}")
    _require_strides(c, stride, axes)
    if min(dilation) < 1:
        c.problem("error", _any_below_1("dilation", axes), f"dilation = {list(dilation)}")
    sizes = []
    for i, axis in enumerate(axes):
        c.level_check(dilation[i] * kernel[i], "MAX_KERNEL", _SPANS[axis])
        # 224 elements, padding 0 and 1, kernel 3, dilation 1, stride 2: reach 223 + 1 - 2 = 222, so 222 / 2 + 1 = 112.
        # An even padding of 1 and 1 has reach 223, which 2 does not divide: an ERROR_IF of CONV2D.
        reach = size[i] - 1 + pad[2 * i] + pad[2 * i + 1] - (kernel[i] - 1) * dilation[i]
        sizes.append(_window_count(c, reach, stride[i], conditions[i]))
    return tuple(sizes)


_SPANS = {"d": "dilation_d * KD", "y": "dilation_y * KH", "x": "dilation_x * KW"}
_PAD_NAMES = {"d": ("pad_d0", "pad_d1"), "y": ("pad_top", "pad_bottom"), "x": ("pad_left", "pad_right")}


@cache
def _any_below_1(name: str, axes: tuple[str, ...]) -> str:
    """Returns the specification's text for an attribute below 1 on some axis: "stride_y < 1 || stride_x < 1"."""
    return " || ".join(f"{name}_{axis} < 1" for axis in axes)


@cache
def _any_negative_pad(axes: tuple[str, ...]) -> str:
    """Returns the specification's text for negative padding: "pad_top < 0 || pad_bottom < 0 || ..."."""
    return " || ".join(f"{name} < 0" for axis in axes for name in _PAD_NAMES[axis])


def _require_strides(c: Check, stride: Sizes, axes: tuple[str, ...]) -> None:
    """Records an ERROR_IF and ends the check if a stride is below 1."""
    if min(stride) < 1:
        c.stop("error", _any_below_1("stride", axes), f"stride = {list(stride)}")


def _window_count(c: Check, reach: int, stride: int, condition: str) -> int:
    """Returns reach / stride + 1, the number of window positions; records `condition` if the division isn't exact."""
    if reach % stride:
        c.problem("error", condition, f"{reach} is not a multiple of {stride}")
    return reach // stride + 1


def _check_bias(c: Check, bias: Sizes, channels: int, name: str) -> None:
    """Records an ERROR_IF unless a bias has one element, or `channels`, which the text calls `name`."""
    if bias[0] not in (channels, 1):
        c.problem("error", f"BC != {name} && BC != 1", f"BC = {bias[0]}, {name} = {channels}")


def _check_powers_of_two(c: Check, shape: Sizes) -> None:
    """Records problems unless H and W of [N,H,W] are powers of two within the level's MAX_KERNEL."""
    for name, size in zip("HW", shape[1:], strict=True):
        c.level_check(size, "MAX_KERNEL", name)
        # A power of two has one bit: 8 & 7 = 0, but 12 & 11 = 8.
        c.error_if(size & (size - 1) != 0, f"!power_of_two({name})", **{name: size})
