"""The command `tflite-to-tosa`."""
