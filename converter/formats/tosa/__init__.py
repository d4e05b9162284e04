"""TOSA flatbuffers."""
