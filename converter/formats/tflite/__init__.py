"""TFLite flatbuffers."""
