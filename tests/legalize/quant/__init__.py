"""Compares the planners of legalize/quant with their definitions in plain numbers."""
