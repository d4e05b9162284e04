"""The nodes of XNNGraph, one row each: table, operand fields, result fields; the other fields are attributes."""

from typing import NamedTuple

from tosa_converter.schemas import xnnpack


class XnnOp(NamedTuple):
    """One node type. `name` is the operator's name in the IR behind `xnn.`."""

    name: str
    table: type[xnnpack.XNodeUnion]
    operands: tuple[str, ...]
    results: tuple[str, ...]

    @property
    def opcode(self) -> str:
        """The name of the operator in the IR."""
        return "xnn." + self.name


OPERATORS = (XnnOp("add", xnnpack.XNNAdd, ("input1_id", "input2_id"), ("output_id",)),)

BY_TABLE = {row.table: row for row in OPERATORS}
BY_OPCODE = {row.opcode: row for row in OPERATORS}
