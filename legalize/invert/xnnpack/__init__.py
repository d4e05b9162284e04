"""From TOSA to XNNGraph: what XNNPACK's nodes compute of a TOSA graph."""
