"""Custom operators that no rule takes, as TOSA's CUSTOM (2.15.1), whose meaning is its implementation's."""

from collections.abc import Sequence

from tosa_converter.dtypes import DType
from tosa_converter.ir import Op, TensorType, Value
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.match import CUSTOM, FOREIGN, Match, signless
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import tosa_ops as ops

DOMAIN = "TFL"  # as MLIR's legalization of TFLite has it


def kept(match: Match) -> Sequence[Value]:
    """Returns CUSTOM of the operator's code, with its options as they are; results have the file's types and shapes."""
    op = match.op
    names = {"operator_name": op.attributes["custom_code"], "domain_name": DOMAIN}
    attributes = {**names, "implementation_attrs": op.attributes["custom_options"]}
    new = Op(ops.CUSTOM, _operands(match), [_stated(value) for value in op.results], attributes, location=op.location)
    current().graph.ops.append(new)
    name = f"{DOMAIN}:{op.attributes['custom_code']}"
    match.note(f"kept as CUSTOM {name!r}, which only an implementation of it can run; its results are as the file says")
    return new.results


def _operands(match: Match) -> list[Value]:
    """Returns the operands of CUSTOM, none of them absent or complex."""
    for index, value in enumerate(match.op.inputs):
        if value is None or value.type.dtype is DType.COMPLEX64:
            raise Decline(f"operand {index} is {'absent' if value is None else value.type}, which CUSTOM can't say")
    return [value for value in match.inputs if value is not None]


def _stated(value: Value) -> TensorType:
    """Returns a result's type as the file states it."""
    if value.type.dtype in FOREIGN or None in value.type.shape:
        raise Decline(f"the result {value.name!r} is {value.type}, which CUSTOM can't say")
    return signless(value.type, value.type.shape)


KEPT = Rule(CUSTOM, "", kept)
