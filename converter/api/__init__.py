"""The functions of the facade, by subject; `tosa_converter` imports each when a program first uses it."""
