"""Operators that move elements, whatever these are."""

from tosa_converter.legalize.tflite.any_type import layout, shapes, sparse, strided
from tosa_converter.rewriting.rewrite import Rewrite

REWRITES: tuple[Rewrite, ...] = (
    *sparse.REWRITES,
    *layout.REWRITES,
    *strided.REWRITES,
    *shapes.REWRITES,
)
