"""Pools and resizes of images."""

from differential.case import QUANTIZED, Case, Draw
from differential.operators import Drawing
from differential.operators.elementwise import FUSED
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import Padding


def pool(builtin: B) -> Drawing:
    """Windows up to the image's size, and beyond where they are padded."""

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
            "fused_activation_function": d.among(*FUSED) if quant or not d.quantized else FUSED[0],
        }
        return Case(builtin, [d.fed((n, h, w, c), **quant)], [d.result(**quant)], options)

    return draw


def resize(builtin: B) -> Drawing:
    """To a constant size, larger or smaller, with every choice of corners."""

    def draw(d: Draw) -> Case:
        shape, quant = (d.whole(1, 2), d.whole(1, 9), d.whole(1, 9), d.whole(1, 4)), d.anywhere(d.perhaps(*QUANTIZED))
        corners = d.among((False, False), (True, False), (False, True))
        options = dict(zip(("align_corners", "half_pixel_centers"), corners, strict=True))
        size = [d.whole(1, 16), d.whole(1, 16)]
        return Case(builtin, [d.fed(shape, **quant), d.ints(size)], [d.result(**quant)], options)

    return draw


DRAWS = {
    B.AVERAGE_POOL_2D: pool(B.AVERAGE_POOL_2D),
    B.MAX_POOL_2D: pool(B.MAX_POOL_2D),
    B.RESIZE_BILINEAR: resize(B.RESIZE_BILINEAR),
    B.RESIZE_NEAREST_NEIGHBOR: resize(B.RESIZE_NEAREST_NEIGHBOR),
}
