"""Facts as data: flatbuffer tables, TOSA operators, tfl operators, SPIR-V numbers. No behaviour lives here."""
