"""The passes for each source opset, in order."""

from tosa_converter.legalize import (
    float_activations,
    float_cast,
    float_conv,
    float_elementwise,
    float_pool_reduce,
    float_resize,
    float_sparse,
    layout,
    layout_strided,
    quantized_conv,
    quantized_fully_connected,
    shapes,
    xnnpack,
)
from tosa_converter.rewrite import Pass, Rewrite

# Quantized rewrites come first: they decline what isn't quantized, and the others decline what is.
TFLITE: tuple[Rewrite, ...] = (
    *quantized_conv.REWRITES,
    *quantized_fully_connected.REWRITES,
    *float_activations.REWRITES,
    *float_cast.REWRITES,
    *float_conv.REWRITES,
    *float_elementwise.REWRITES,
    *float_pool_reduce.REWRITES,
    *float_resize.REWRITES,
    *float_sparse.REWRITES,
    *layout.REWRITES,
    *layout_strided.REWRITES,
    *shapes.REWRITES,
)

PIPELINES: dict[str, tuple[Pass, ...]] = {
    "tfl": (Pass("legalize", TFLITE),),
    "xnn": (Pass("legalize", xnnpack.REWRITES),),
}
