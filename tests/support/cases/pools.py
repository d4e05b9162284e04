"""Cases of pools that return the positions of their maxima, and of their inverses."""

import struct

from support import mediapipe_operators as published
from support.cases.case import IMAGE, Network, Row, Rows, custom, tensor
from support.cases.draw import Draw
from support.cases.landmarks import either_but_one, network
from tosa_converter.ir import Array

KINDS = {"SAME": 1, "VALID": 2}


def image(d: Draw, window: tuple[int, ...]) -> Array:
    """Draws an image at least as large as a window, with some equal elements."""
    size = (n + d.whole(0, 6) for n in window)
    return d.values((d.whole(1, 2), *size, d.whole(1, 3)), "fp32")


def with_argmax(d: Draw) -> Network:
    """Draws LiteRT's form."""
    window, stride, kind = d.shape(2, 2, 4), d.shape(2, 2, 3), d.among(*KINDS)
    x = image(d, window)
    options = {"padding": kind, "ksize": [1, *window, 1], "strides": [1, *stride, 1], "include_batch_in_index": False}
    outputs = published.pooled(x, window, stride, same=kind == "SAME", in_window=False)  # type: ignore[arg-type]
    return network("MaxPoolWithArgmax", [d.of(x)], options, *outputs)


def packed(kind: str, window: tuple[int, ...], stride: tuple[int, ...]) -> bytes:
    """Returns the bytes of TfLitePoolParams."""
    return struct.pack("<10i", KINDS[kind], stride[1], stride[0], window[1], window[0], 0, 0, 0, 0, 0)


def with_argmax_2d(d: Draw) -> Network:
    """Draws MediaPipe's form."""
    window, stride, kind = d.shape(2, 2, 4), d.shape(2, 2, 3), d.among(*KINDS)
    x = image(d, window)
    outputs = published.pooled(x, window, stride, same=kind == "SAME", in_window=True)  # type: ignore[arg-type]
    return network("MaxPoolingWithArgmax2D", [d.of(x)], {}, *outputs, raw=packed(kind, window, stride))


def unpooling(d: Draw) -> Network:
    """Draws new elements at the positions that a pool returned; some windows overlap."""
    window, kind = d.shape(2, 2, 4), d.among(*KINDS)
    in_window = d.types[1] == "fp32"
    stride = tuple(d.whole(1, n) if in_window else d.whole(1, 3) for n in window)
    count = d.shape(2, 2, 4)
    whole = [(n - 1) * s + k for n, s, k in zip(count, stride, window, strict=True)]
    size = [n * s for n, s in zip(count, stride, strict=True)] if kind == "SAME" and not in_window else whole
    x = d.values((d.whole(1, 2), *size, d.whole(1, 3)), "fp32")
    same = kind == "SAME" and not in_window
    _, places = published.pooled(x, window, stride, same=same, in_window=in_window)  # type: ignore[arg-type]
    values = d.values(places.shape, "fp32")
    if in_window:
        expected = published.unpooled_windows(values, places, window, stride)  # type: ignore[arg-type]
    else:
        expected = published.unpooled(values, places, (size[0], size[1]))
    operands = either_but_one(d, [d.of(values, "fp32"), d.of(places, d.types[1])])
    return network("MaxUnpooling2D", operands, {}, expected, raw=packed(kind, window, stride))


def pool_of_2(stride: int) -> bytes:
    """Returns TfLitePoolParams of 2 by 2 with SAME padding, without the fields that the kernel computes."""
    return packed("SAME", (2, 2), (stride, stride))[:24]


POOL = {"padding": "SAME", "ksize": (1, 2, 2, 1), "strides": (1, 2, 2, 1), "include_batch_in_index": False}
ROWS: Rows = {
    "custom.MaxPoolWithArgmax": Row(with_argmax, [custom("MaxPoolWithArgmax", [IMAGE], POOL, results=2)]),
    "custom.MaxPoolingWithArgmax2D": Row(
        with_argmax_2d, [custom("MaxPoolingWithArgmax2D", [IMAGE], {}, results=2, raw=pool_of_2(2))]
    ),
    "custom.MaxUnpooling2D": Row(
        unpooling,
        [
            *(custom("MaxUnpooling2D", [IMAGE], {}, tensor("int32"), raw=pool_of_2(stride)) for stride in (2, 1)),
            custom("MaxUnpooling2D", [IMAGE, IMAGE], {}, raw=pool_of_2(2)),
        ],
    ),
}
