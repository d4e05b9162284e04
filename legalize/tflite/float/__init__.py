"""Operators on floats, and on integers that stand for themselves."""
