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
    quantized_activations,
    quantized_borders,
    quantized_conv,
    quantized_elementwise,
    quantized_fully_connected,
    quantized_layout,
    quantized_pool,
    quantized_reduce,
    quantized_resize,
    quantized_softmax,
    shapes,
    xnnpack,
)
from tosa_converter.rewrite import Pass, Rewrite
from tosa_converter.tflite_shapes import shape_problem

# Quantized rewrites come first: they decline what isn't quantized, and the others decline what is.
TFLITE: tuple[Rewrite, ...] = (
    *quantized_activations.REWRITES,
    *quantized_borders.REWRITES,
    *quantized_conv.REWRITES,
    *quantized_elementwise.REWRITES,
    *quantized_fully_connected.REWRITES,
    *quantized_layout.REWRITES,
    *quantized_pool.REWRITES,
    *quantized_reduce.REWRITES,
    *quantized_resize.REWRITES,
    *quantized_softmax.REWRITES,
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
    "tfl": (Pass("legalize", TFLITE, check=shape_problem),),
    "xnn": (Pass("legalize", xnnpack.REWRITES),),
}
