"""The shape rules, by sections of the specification."""
