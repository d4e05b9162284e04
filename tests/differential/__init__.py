"""The differential suite compares single operators, drawn for every type a rule states, with independent judges."""
