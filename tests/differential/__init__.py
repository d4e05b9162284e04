"""The differential suite: single operators, drawn for every type that a rule states, against independent judges."""
