"""Keeps custom operators without a rule as TOSA's CUSTOM (2.15.1), which only its implementation can run."""

from collections.abc import Sequence

from tosa_converter.dtypes import DType
from tosa_converter.ir import Op, TensorType, Value
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.match import CUSTOM, FOREIGN, Match, signless
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import tosa_ops as ops

DOMAIN = "TFL"  # as in MLIR's legalization of TFLite


def keep_as_custom(match: Match) -> Sequence[Value]:
    """Builds CUSTOM with the operator's code and options; results have the file's types and shapes."""
    op = match.op
    names = {"operator_name": op.attributes["custom_code"], "domain_name": DOMAIN}
    attributes = {**names, "implementation_attrs": op.attributes["custom_options"]}
    new = Op(
        ops.CUSTOM, _operands(match), [_stated_type(value) for value in op.results], attributes, location=op.location
    )
    current().graph.ops.append(new)
    name = f"{DOMAIN}:{op.attributes['custom_code']}"
    match.note(f"kept as CUSTOM {name!r}: a run needs an implementation of it; result shapes are those of the file")
    return new.results


def _operands(match: Match) -> list[Value]:
    """Returns the operands of CUSTOM; declines absent and complex ones."""
    for index, value in enumerate(match.op.inputs):
        if value is None or value.type.dtype is DType.COMPLEX64:
            actual = "none" if value is None else value.type
            raise Decline(f"expected a tensor of real numbers as operand {index} of CUSTOM, found {actual}")
    return [value for value in match.inputs if value is not None]


def _stated_type(value: Value) -> TensorType:
    """Returns the TOSA type of a result as the file states it; declines types and shapes that aren't complete."""
    if value.type.dtype in FOREIGN or None in value.type.shape:
        raise Decline(f"expected a type of TOSA and a known shape for result {value.name!r}, found {value.type}")
    return signless(value.type, value.type.shape)


KEEP_AS_CUSTOM = Rule(CUSTOM, "", keep_as_custom)
