"""Defines every TOSA operator: the specification's pseudocode in numpy, one file per section of chapter 2.

A definition is a function of a Call and the operand's arrays. It computes floats in fp64 and integers in int64, whole
arrays at a time; `bind_definition` converts its results to the operator's types. Speed is the subject of execute/fast.
"""
