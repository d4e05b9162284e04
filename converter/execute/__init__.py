"""How a TOSA graph is run."""
