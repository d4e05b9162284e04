"""XNNGraph flatbuffers."""
