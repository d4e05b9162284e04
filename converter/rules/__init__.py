"""What chapters 1 and 2 of the specification demand of a graph."""
