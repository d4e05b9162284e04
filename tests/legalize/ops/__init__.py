"""Compares the operations of legalize/ops with numpy."""
