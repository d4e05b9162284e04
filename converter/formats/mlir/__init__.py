"""MLIR text: graphs of any stage are written, those of the TOSA dialect are read."""
