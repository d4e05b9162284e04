"""Operators on int16 activations: LiteRT's 16x8 kernels, symmetric, with int8 weights."""
