"""What a `.tflite` file says of operators that no conversion asks for, and that the writer gives back."""

from typing import NamedTuple

from tosa_converter.ir import Value

INTERMEDIATES = "intermediates"  # the attribute with their quantization, of operators whose row says that it counts


class OperatorExtras(NamedTuple):
    """One operator's: the version of its kernel, which of its inputs it writes, and tensors beside its operands."""

    version: int = 1
    mutating_variable_inputs: tuple[bool, ...] = ()
    intermediates: tuple[Value | None, ...] = ()
