"""Cases of 3-D convolutions."""

from support.cases.case import Case, Row, Rows, ints, tensor
from support.cases.draw import FUSED, Draw, window_count
from support.cases.windows import weight_and_bias
from support.tflite_models import Tensor
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import Padding

AXES = ("d", "h", "w")


def _windows(d: Draw) -> tuple[Padding, list[int], list[int], list[int], dict[str, object]]:
    """Draws padding, kernel, strides, dilations, and the options that state them."""
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
        {**named, "padding": padding, **d.options(**FUSED)},
    )


def _bias(d: Draw, channels: int) -> Tensor | None:
    return None if d.coin() else d.either(d.tensor((channels,)))


def conv_3d(d: Draw) -> Case:
    """Draws windows that fit the volume."""
    _, kernel, _, dilations, options = _windows(d)
    size = [(k - 1) * n + d.whole(1, 4) for k, n in zip(kernel, dilations, strict=True)]
    inputs, outputs = d.whole(1, 4), d.whole(1, 4)
    x, weight = d.tensor((d.whole(1, 2), *size, inputs)), d.tensor((*kernel, inputs, outputs))
    bias = _bias(d, outputs)
    return Case(B.CONV_3D, [x, d.either(weight), *([bias] if bias else [])], [d.result()], options)


def conv_3d_transpose(d: Draw) -> Case:
    """Draws an input of the size that the forward convolution has as its result."""
    padding, kernel, strides, dilations, options = _windows(d)
    size = [(k - 1) * n + d.whole(1, 6) for k, n in zip(kernel, dilations, strict=True)]
    input_size = [window_count(padding, *window) for window in zip(size, kernel, strides, dilations, strict=True)]
    batch, inputs, outputs = d.whole(1, 2), d.whole(1, 4), d.whole(1, 4)
    x, weight = d.tensor((batch, *input_size, inputs)), d.tensor((*kernel, outputs, inputs))
    shape, bias = d.ints([batch, *size, outputs]), _bias(d, outputs)
    return Case(B.CONV_3D_TRANSPOSE, [shape, d.either(weight), x, *([bias] if bias else [])], [d.result()], options)


VOLUME = tensor("float32", (1, 4, 4, 4, 2))
STRIDES = {"stride_d": 1, "stride_h": 1, "stride_w": 2, "dilation_d_factor": 1, "dilation_h_factor": 1}
OPTIONS = {**STRIDES, "dilation_w_factor": 1, "padding": Padding.SAME}
WEIGHT, BIAS = weight_and_bias((2, 2, 2, 2, 3), "float32", 3)
BACK, BACK_BIAS = weight_and_bias((2, 2, 2, 3, 2), "float32", 3)
BACK_OPERANDS = (ints(1, 4, 4, 8, 3), BACK, VOLUME, BACK_BIAS)
ROWS: Rows = {
    B.CONV_3D: Row(conv_3d, [Case(B.CONV_3D, (VOLUME, WEIGHT, BIAS), (VOLUME,), OPTIONS)]),
    B.CONV_3D_TRANSPOSE: Row(conv_3d_transpose, [Case(B.CONV_3D_TRANSPOSE, BACK_OPERANDS, (VOLUME,), OPTIONS)]),
}
