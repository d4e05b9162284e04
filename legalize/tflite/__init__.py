"""TFLite operators to TOSA."""
