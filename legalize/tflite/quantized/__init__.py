"""Quantized operators: integer arithmetic through RESCALE and TABLE."""

from tosa_converter.legalize.tflite.quantized import (
    activations,
    borders,
    conv,
    elementwise,
    fully_connected,
    layout,
    pool,
    reduce,
    resize,
    softmax,
)
from tosa_converter.rewriting.rewrite import Rewrite

REWRITES: tuple[Rewrite, ...] = (
    *activations.REWRITES,
    *borders.REWRITES,
    *conv.REWRITES,
    *elementwise.REWRITES,
    *fully_connected.REWRITES,
    *layout.REWRITES,
    *pool.REWRITES,
    *reduce.REWRITES,
    *resize.REWRITES,
    *softmax.REWRITES,
)
