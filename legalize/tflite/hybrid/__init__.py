"""Operators with float activations and integer weights (dynamic range)."""
