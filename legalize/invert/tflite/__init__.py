"""From TOSA to TFLite: what LiteRT's builtin operators compute of a TOSA graph."""
