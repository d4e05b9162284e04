"""Operators that move elements, whatever these are."""
