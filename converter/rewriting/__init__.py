"""What rewrites a graph: the builder, rewrites and passes."""
