"""Quantized operators: integer arithmetic through RESCALE and TABLE."""
