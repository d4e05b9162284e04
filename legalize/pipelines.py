"""The passes for each source opset, in order."""

from tosa_converter.formats.tflite.prepare_shapes import shape_problem
from tosa_converter.legalize.tflite import any_type, float, quantized
from tosa_converter.legalize.xnnpack import rewrites as xnnpack
from tosa_converter.rewriting.rewrite import Rewrite
from tosa_converter.rewriting.simplify import Simplify
from tosa_converter.rewriting.sweep import Pass

# Quantized rewrites come first: they decline what isn't quantized, and the others decline what is.
TFLITE: tuple[Rewrite, ...] = (*quantized.REWRITES, *float.REWRITES, *any_type.REWRITES)

PIPELINES: dict[str, tuple[Pass, Simplify]] = {
    "tfl": (Pass("legalize", TFLITE, check=shape_problem), Simplify()),
    "xnn": (Pass("legalize", xnnpack.REWRITES), Simplify()),
}
