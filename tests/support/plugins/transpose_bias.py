"""An example plugin: MediaPipe's Convolution2DTransposeBias, by the public interface alone."""

import struct

import tosa_converter as tc
from tosa_converter.rewriting.operators import transpose_conv2d

SAME, VALID = 1, 2


@tc.condition("a padding and strides")
def options(match: tc.Match) -> str | None:
    size = len(match.op.attributes["custom_options"])
    return None if size >= 12 else f"expected 12 bytes of options, found {size}"


def transpose_bias(match: tc.Match) -> tc.Expr:
    padding, stride_w, stride_h = struct.unpack_from("<3i", match.op.attributes["custom_options"])
    if padding not in (SAME, VALID):
        raise tc.Decline(f"padding {padding}")
    x, weight, bias = match[0], match[1], match[2]
    kernel, stride = weight.shape[1:3], (stride_h, stride_w)
    excess = [k - s for k, s in zip(kernel, stride, strict=True)]
    edges = [(0, 0) if padding == VALID else (-(e // 2), e // 2 - e) for e in excess]
    return transpose_conv2d(x, weight, bias, out_pad=(*edges[0], *edges[1]), stride=stride)


RULES = (tc.Rule("custom.Convolution2DTransposeBias", "fp32", transpose_bias, (options,)),)
