"""What readers and writers say of operators and element types that TOSA, as far as it is built here, doesn't have."""

from tosa_converter.errors import shortened
from tosa_converter.schemas.opsets import base_name, opset_of
from tosa_converter.schemas.tosa_target import REMOVED_OPERATORS, UNSETTLED_TYPES

KNOWN = "TOSA 1.0 or 1.1"


def refused_operator(name: str) -> str:
    """Returns why an operator is refused, by its name in a file, such as `tosa.matmul_t_block_scaled` or MATMUL_T.

    Operators of the draft of 1.1 that aren't built are told from names that no version has.
    """
    state = REMOVED_OPERATORS.get((base_name(name) if opset_of(name) == "tosa" else name).upper())
    return f"{shortened(name)} is {state}" if state else f"{shortened(name)} is not an operator of {KNOWN}"


def refused_type(name: str) -> str:
    """Returns why an element type is refused, by its name in a flatbuffer (FP4E2M1) or in MLIR (f4E2M1FN)."""
    if name in UNSETTLED_TYPES:
        return f"type {name!r} is of block-scaled tensors (MX), which the draft of TOSA 1.1 still changes"
    return f"type {name!r} is not part of {KNOWN}"
