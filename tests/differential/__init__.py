"""The differential suite: single operators, drawn for every type that a rewrite states, against independent judges."""
