"""Planners of legalize/quant against their definitions in plain numbers."""
