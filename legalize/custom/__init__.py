"""Operators that a file names by a code of its own, and detection tails, which are such or builtin."""
