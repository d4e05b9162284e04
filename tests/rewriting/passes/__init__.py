"""Tests each pass alone, as a change of a graph."""
