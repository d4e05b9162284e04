"""Cases of pools and resizes of images."""

from collections.abc import Sequence
from typing import Any

from support.cases.case import FEW, FLOAT, IMAGE, MANY, WIDE, Case, Drawing, Row, Rows, fixed, ints, tensor
from support.cases.draw import CORNERS, FUSED, QUANTIZED, Draw, window_count
from support.cases.sketch import Append, Layer, Sketch
from support.tflite_models import Tensor
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import Padding


def pool(builtin: B) -> Drawing:
    """Returns a function that draws windows up to the image's size, and larger ones if padded."""

    def draw(d: Draw) -> Case:
        n, h, w, c = d.whole(1, 2), d.whole(1, 12), d.whole(1, 12), d.whole(1, 5)
        padding, quant = d.among(*Padding), d.anywhere(d.perhaps(*QUANTIZED))
        beyond = 0 if padding is Padding.VALID else 2
        options = {
            "padding": padding,
            "stride_h": d.whole(1, 4),
            "stride_w": d.whole(1, 4),
            "filter_height": d.whole(1, min(h, 5) + beyond),
            "filter_width": d.whole(1, min(w, 5) + beyond),
            **(d.options(**FUSED) if quant or not d.quantized else {}),
        }
        return Case(builtin, [d.fed((n, h, w, c), **quant)], [d.result(**quant)], options)

    return draw


def resize(builtin: B) -> Drawing:
    """Returns a function that draws a constant size, larger or smaller, and every choice of corners."""

    def draw(d: Draw) -> Case:
        shape, quant = (d.whole(1, 2), d.whole(1, 9), d.whole(1, 9), d.whole(1, 4)), d.anywhere(d.perhaps(*QUANTIZED))
        options = d.among(*CORNERS)
        size = [d.whole(1, 16), d.whole(1, 16)]
        return Case(builtin, [d.fed(shape, **quant), d.ints(size)], [d.result(**quant)], options)

    return draw


def l2_pool_2d(d: Draw) -> Case:
    """Draws windows that fit the image."""
    kernel: Sequence[int] = (d.whole(1, 4), d.whole(1, 4))
    shape = (d.whole(1, 2), kernel[0] + d.whole(0, 5), kernel[1] + d.whole(0, 5), d.whole(1, 4))
    options = {
        "padding": d.among(*Padding),
        "filter_height": kernel[0],
        "filter_width": kernel[1],
        "stride_h": d.whole(1, 3),
        "stride_w": d.whole(1, 3),
        **d.options(**FUSED),
    }
    return Case(B.L2_POOL_2D, [d.tensor(shape)], [d.result()], options)


# ** layers of networks **


def pool_layer(builtin: B) -> Append:
    """Returns a layer of a pool."""

    def append(s: Sketch, x: int) -> None:
        n, h, w, c = s.image(x)
        ky, kx, sy, sx = s.whole(1, 5), s.whole(1, 5), s.whole(1, 3), s.whole(1, 3)
        padding = s.among(*Padding)
        options = {"filter_height": ky, "filter_width": kx, "stride_h": sy, "stride_w": sx, "padding": padding}
        y = s.tensor((n, window_count(padding, h, ky, sy), window_count(padding, w, kx, sx), c), **s.like(x))
        s.emit(builtin, [x], y, **s.options(**FUSED), **options)

    return append


def resize_layer(builtin: B) -> Append:
    """Returns a layer that resizes to any size by any of the three conventions."""

    def append(s: Sketch, x: int) -> None:
        n, h, w, c = s.image(x)
        size = s.among((2 * h, 2 * w), (s.whole(1, 9), s.whole(1, 9)), (s.whole(1, 13), w))
        options = s.among(*CORNERS)
        y = s.tensor((n, *size, c), **s.like(x))
        s.emit(builtin, [x, s.constant(size)], y, **options)

    return append


POOL: dict[str, Any] = {"stride_h": 1, "stride_w": 1, "padding": Padding.SAME, "filter_height": 2, "filter_width": 2}
PLAIN = [Tensor(IMAGE, dtype) for dtype in ("int8", "uint8", "int16")]


def resized(builtin: B, dtypes: Sequence[str]) -> list[Case]:
    """Returns cases that double the size."""
    return [Case(builtin, (tensor(dtype), ints(8, 8)), (tensor(dtype),)) for dtype in dtypes]


ROWS: Rows = {
    B.AVERAGE_POOL_2D: Row(
        pool(B.AVERAGE_POOL_2D), fixed(B.AVERAGE_POOL_2D, MANY, **POOL), layers=[Layer(pool_layer(B.AVERAGE_POOL_2D))]
    ),
    B.MAX_POOL_2D: Row(
        pool(B.MAX_POOL_2D),
        [*fixed(B.MAX_POOL_2D, MANY, **POOL), *(Case(B.MAX_POOL_2D, (x,), (x,), POOL) for x in PLAIN)],
        layers=[Layer(pool_layer(B.MAX_POOL_2D))],
    ),
    B.L2_POOL_2D: Row(l2_pool_2d, fixed(B.L2_POOL_2D, FLOAT, **POOL)),
    B.RESIZE_BILINEAR: Row(
        resize(B.RESIZE_BILINEAR),
        resized(B.RESIZE_BILINEAR, ("uint8", *WIDE)),
        layers=[Layer(resize_layer(B.RESIZE_BILINEAR), FEW)],
    ),
    B.RESIZE_NEAREST_NEIGHBOR: Row(
        resize(B.RESIZE_NEAREST_NEIGHBOR),
        resized(B.RESIZE_NEAREST_NEIGHBOR, WIDE),
        layers=[Layer(resize_layer(B.RESIZE_NEAREST_NEIGHBOR))],
    ),
}
