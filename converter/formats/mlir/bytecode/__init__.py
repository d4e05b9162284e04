"""MLIR bytecode: modules of the TOSA dialect are read and written in the binary form of MLIR."""
