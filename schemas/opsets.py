"""Names of operators in a graph: the opset, a dot, and the operator in its specification's words, as in `tfl.conv_2d`.

Opsets are `tosa`, `tfl`, `xnn`, `aten`, whose kernels stand in XNNPACK's graphs, and `chain`.
"""

# Operators that declare a tensor of a file and compute nothing. Those of constants are `CONSTANTS` of a graph.
VARIABLE = "tfl.pseudo_variable"
RAW_CONSTANT = "tfl.pseudo_raw_const"
SPARSE_CONSTANT = "tfl.pseudo_sparse_const"
TFL_CONSTANT = "tfl.pseudo_const"
XNN_CONSTANT = "xnn.const"
# Reading and storing what persists from run to run, and a second name for a value.
TFL_READ, TFL_STORE, TFL_ALIAS = "tfl.pseudo_read", "tfl.pseudo_store", "tfl.pseudo_alias"
XNN_READ, XNN_STORE = "xnn.pseudo_read", "xnn.pseudo_store"


def opset_of(name: str) -> str:
    """Returns the opset of an operator by its name in a graph: `tfl` of `tfl.conv_2d`."""
    return name.partition(".")[0]


def base_name(name: str) -> str:
    """Returns an operator's name in a graph without its opset: `conv_2d` of `tfl.conv_2d`."""
    return name.partition(".")[2]
