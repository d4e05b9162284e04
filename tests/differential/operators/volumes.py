"""Convolutions of volumes, and the pool of squares."""

from collections.abc import Sequence

from differential.case import Case, Draw, Operand
from differential.operators.elementwise import FUSED
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import Padding

AXES = ("d", "h", "w")


def forward_size(padding: Padding, size: int, kernel: int, stride: int, dilation: int) -> int:
    """How many windows there are (ComputeOutSize in padding.h)."""
    reach = 0 if padding == Padding.SAME else (kernel - 1) * dilation
    return (size - reach + stride - 1) // stride


def _windows(d: Draw) -> tuple[Padding, list[int], list[int], list[int], dict[str, object]]:
    """Padding, kernel, strides, dilations, and the options that say so."""
    padding = d.among(*Padding)
    kernel, strides = [d.whole(1, 3) for _ in AXES], [d.whole(1, 3) for _ in AXES]
    dilations = [d.among(1, 1, 2) for _ in AXES]
    named = {f"stride_{axis}": n for axis, n in zip(AXES, strides, strict=True)}
    named |= {f"dilation_{axis}_factor": n for axis, n in zip(AXES, dilations, strict=True)}
    return (
        padding,
        kernel,
        strides,
        dilations,
        {**named, "padding": padding, "fused_activation_function": d.among(*FUSED)},
    )


def _bias(d: Draw, channels: int) -> Operand | None:
    return None if d.coin() else d.either(d.tensor((channels,)))


def conv_3d(d: Draw) -> Case:
    """Windows that fit."""
    _, kernel, _, dilations, options = _windows(d)
    size = [(k - 1) * n + d.whole(1, 4) for k, n in zip(kernel, dilations, strict=True)]
    inputs, outputs = d.whole(1, 4), d.whole(1, 4)
    x, weight = d.tensor((d.whole(1, 2), *size, inputs)), d.tensor((*kernel, inputs, outputs))
    bias = _bias(d, outputs)
    return Case(B.CONV_3D, [x, d.either(weight), *([bias] if bias else [])], [d.result()], options)


def conv_3d_transpose(d: Draw) -> Case:
    """Of the sizes that the forward convolution would make the input."""
    padding, kernel, strides, dilations, options = _windows(d)
    size = [(k - 1) * n + d.whole(1, 6) for k, n in zip(kernel, dilations, strict=True)]
    given = [forward_size(padding, *window) for window in zip(size, kernel, strides, dilations, strict=True)]
    batch, inputs, outputs = d.whole(1, 2), d.whole(1, 4), d.whole(1, 4)
    x, weight = d.tensor((batch, *given, inputs)), d.tensor((*kernel, outputs, inputs))
    shape, bias = d.ints([batch, *size, outputs]), _bias(d, outputs)
    return Case(B.CONV_3D_TRANSPOSE, [shape, d.either(weight), x, *([bias] if bias else [])], [d.result()], options)


def l2_pool_2d(d: Draw) -> Case:
    """Windows that fit."""
    kernel: Sequence[int] = (d.whole(1, 4), d.whole(1, 4))
    shape = (d.whole(1, 2), kernel[0] + d.whole(0, 5), kernel[1] + d.whole(0, 5), d.whole(1, 4))
    options = {
        "padding": d.among(*Padding),
        "filter_height": kernel[0],
        "filter_width": kernel[1],
        "stride_h": d.whole(1, 3),
        "stride_w": d.whole(1, 3),
        "fused_activation_function": d.among(*FUSED),
    }
    return Case(B.L2_POOL_2D, [d.tensor(shape)], [d.result()], options)


DRAWS = {B.CONV_3D: conv_3d, B.CONV_3D_TRANSPOSE: conv_3d_transpose, B.L2_POOL_2D: l2_pool_2d}
