"""Operators of TFLite that are resolved before rules see a graph, in a sentence each."""

PREPARED = {
    "tfl.assign_variable": "what it stores is what later reads of the variable get; the last is kept for the next run",
    "tfl.call": "the graph that it names takes its place",
    "tfl.call_once": "what its graph assigns, computed by the conversion, is what the variables begin with",
    "tfl.read_variable": "what the variable holds there; VARIABLE_READ, or an input with `--state io`, once a run",
    "tfl.stablehlo_composite": "the graph that it names takes its place",
    "tfl.var_handle": "its variable is VARIABLE, or an input and an output with `--state io`",
}
