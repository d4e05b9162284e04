"""How graphs are written and rewritten: expressions, the builder, rules and passes."""
