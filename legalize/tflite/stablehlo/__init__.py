"""Operators of StableHLO: what runtimes have kernels for as those compute it, the others by StableHLO's words."""
