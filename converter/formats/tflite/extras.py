"""Data of a TFLite operator that conversions don't use, and that the writer restores."""

from typing import NamedTuple

from tosa_converter.ir import Value

INTERMEDIATES = "intermediates"  # the attribute with their quantization, of operators whose row says that it counts


class OperatorExtras(NamedTuple):
    """The version of an operator's kernel, the inputs that it writes, and its intermediate tensors."""

    version: int = 1
    mutating_variable_inputs: tuple[bool, ...] = ()
    intermediates: tuple[Value | None, ...] = ()
