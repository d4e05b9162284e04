"""Cases of MediaPipe's Convolution2DTransposeBias, which XNNPACK runs."""

import struct

import numpy as np

from support.cases.case import Case, Row, Rows
from support.cases.draw import NAMES, Draw
from support.tflite_models import Tensor
from tosa_converter.schemas.tfl_ops import TRANSPOSE_BIAS
from tosa_converter.schemas.tflite import BuiltinOperator as B

SAME, VALID = 1, 2


def transpose_bias(d: Draw) -> Case:
    """Draws strides and both paddings."""
    size, kernel, stride = d.shape(2, 2, 5), d.shape(2, 2, 4), d.shape(2, 2, 3)
    depth, channels, padding = d.whole(1, 4), d.whole(1, 4), d.among(SAME, VALID)
    x = d.fed((d.whole(1, 2), *size, depth))
    weight, bias = d.fed((channels, *kernel, depth)).constant, d.fed((channels,)).constant
    whole = [(n - 1) * s + k for n, s, k in zip(size, stride, kernel, strict=True)]
    output_size = [n * s for n, s in zip(size, stride, strict=True)] if padding == SAME else whole
    result = Tensor((x.shape[0], *output_size, channels), NAMES[d.type])
    options = struct.pack("<3i", padding, stride[1], stride[0])
    return Case(B.CUSTOM, [x, weight, bias], [result], custom_code=TRANSPOSE_BIAS, custom_options=options)


def fixed_transpose_bias() -> bytes:
    """Returns a case with strides of 2 and SAME padding."""
    weight, bias = np.ones((3, 2, 2, 2), np.float32), np.ones(3, np.float32)
    operands = [Tensor((1, 4, 4, 2)), Tensor(weight.shape, data=weight), Tensor((3,), data=bias)]
    options = struct.pack("<3i", SAME, 2, 2)
    result = Tensor((1, 8, 8, 3))
    return Case(B.CUSTOM, operands, [result], custom_code=TRANSPOSE_BIAS, custom_options=options).file()


ROWS: Rows = {f"custom.{TRANSPOSE_BIAS}": Row(transpose_bias, networks={"custom": fixed_transpose_bias})}
