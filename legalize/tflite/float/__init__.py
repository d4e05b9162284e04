"""Operators on floats, and on integers that stand for themselves."""

from tosa_converter.legalize.tflite.float import activations, cast, conv, elementwise, pool, reduce, resize
from tosa_converter.rewriting.rewrite import Rewrite

REWRITES: tuple[Rewrite, ...] = (
    *activations.REWRITES,
    *cast.REWRITES,
    *conv.REWRITES,
    *elementwise.REWRITES,
    *pool.REWRITES,
    *reduce.REWRITES,
    *resize.REWRITES,
)
