"""Facts about operators in a `.tflite` file that no conversion needs, and that the writer writes back."""

from typing import NamedTuple

from tosa_converter.ir import Value

INTERMEDIATES = "intermediates"  # the attribute with their quantization, of operators whose row says that it counts


class OperatorExtras(NamedTuple):
    """The version of an operator's kernel, which inputs it writes, and tensors beside its operands."""

    version: int = 1
    mutating_variable_inputs: tuple[bool, ...] = ()
    intermediates: tuple[Value | None, ...] = ()
