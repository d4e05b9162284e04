"""What every TOSA operator means: the specification's pseudocode in numpy, one file per section of chapter 2.

A definition is a function of a Call and the operand's arrays. It computes floats in fp64 and integers in int64, whole
arrays at a time; `defined` converts its results to the operator's types. Nothing here is made quick: see execute/fast.
"""
