"""XNNPACK nodes to TOSA."""
