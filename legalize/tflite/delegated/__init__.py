"""What LiteRT's XNNPACK delegate takes of 8-bit graphs, in XNNPACK's arithmetic."""
