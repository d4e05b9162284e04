"""MLIR text for IREE 3.13: TOSA, with replacements for what that compiler gets wrong.

Sums of 48 bits are of 64 in LINALG: vectors of i48 in memory are packed and scalars are not, so results are others. The
compiler crashes on loops with values that no round reads, so control flow is branches between blocks; and it fails on
indices that it computes with in the loop of an ARGMAX, so that stays alone. Weights of i4 are of i8: nothing else has
that type.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from tosa_converter.dtypes import DType
from tosa_converter.formats.mlir.wide_sums import Statements, emit_wide_operator
from tosa_converter.formats.mlir.writer import Function, element_type, write_mlir
from tosa_converter.ir import Graph, Model, Op, Value
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import Attr, OpDef

WIDENED = {DType.I48: DType.I64, DType.I4: DType.I8}
ANYTHING = (ops.CONST, ops.IDENTITY)  # they take every type


def iree_mlir(model: Model, *, names: bool = False) -> str:
    """Returns the text of a TOSA model for IREE's compiler; `names` keeps the names of all values in locations.

    Raises:
        UnsupportedError: an operator that has no form that the compiler takes.
    """
    return write_mlir(model, called=True, names=names, dialect=IreeFunction)


def iree_element(dtype: DType) -> str:
    """Returns the element type that inputs and outputs have in the text for IREE: i48 as i64 and i4 as i8."""
    return element_type(WIDENED.get(dtype, dtype))


class IreeFunction(Function):
    """Prints one function for IREE, with control flow as several blocks."""

    blocks = 0

    def element(self, dtype: DType) -> str:
        """Returns the spelling of an element type, with i48 as i64 and i4 as i8."""
        return iree_element(dtype)

    def tosa_attribute(self, attr: Attr, value: Any, op: Op) -> str:
        """Returns a TOSA attribute's text for IREE, with SINGLE_ROUND in place of INEXACT_ROUND.

        INEXACT_ROUND leaves the rounding open, so SINGLE_ROUND is one of its roundings.
        """
        return super().tosa_attribute(
            attr, "SINGLE_ROUND" if isinstance(value, str) and value == "INEXACT_ROUND" else value, op
        )

    def op(self, op: Op, indent: str) -> Iterator[str]:
        """Yields the lines of an operator for IREE.

        Control flow becomes blocks, operators with i48 are written in LINALG, and a barrier keeps ARGMAX from being
        fused with its readers.
        """
        row = op.row
        if row in FLOW:
            yield from FLOW[row](self, op, indent)
        elif row not in ANYTHING and any(value.type.dtype is DType.I48 for value in (*op.operands, *op.results)):
            statements = Statements(self)
            self.names[op.result] = emit_wide_operator(op, statements)
            yield from (f"{indent}{line} loc({self.location(op)})" for line in statements.lines)
        else:
            yield from super().op(op, indent)
            if row is ops.ARGMAX:
                yield self.emit_barrier(op.result, indent)

    def emit_barrier(self, value: Value, indent: str) -> str:
        """Renames a value, and returns the line that defines the new name by a barrier.

        It keeps IREE from fusing the operator that computes the value with those that read it.
        """
        original = self.name(value)
        self.names[value] = self.new_name()
        return f"{indent}{self.name(value)} = util.optimization_barrier {original} : {self.type(value.type)}"

    # ** control flow: blocks of the function **

    def while_loop(self, op: Op, indent: str) -> Iterator[str]:
        """Yields WHILE_LOOP as blocks: a head that computes the condition, the body, and what follows the loop."""
        head, body, after = self.labels(3)
        condition, step = op.regions
        yield self.jump(head, op.operands, indent)
        yield from self.block(head, condition, indent)
        # Every way into the body, and out of the loop, leads through the head, so both may read the head's arguments.
        yield from self.branch(condition.outputs[0], body, condition.inputs, after, condition.inputs, indent)
        yield from self.block(body, step, indent)
        yield self.jump(head, step.outputs, indent)
        yield self.block_label(after, op.results, indent)

    def cond_if(self, op: Op, indent: str) -> Iterator[str]:
        """Yields COND_IF as blocks: one for each branch, both of which jump to the block that follows."""
        *branches, after = self.labels(3)
        condition, *values = op.operands
        yield from self.branch(condition, branches[0], values, branches[1], values, indent)
        for label, graph in zip(branches, op.regions, strict=True):
            yield from self.block(label, graph, indent)
            yield self.jump(after, graph.outputs, indent)
        yield self.block_label(after, op.results, indent)

    def labels(self, count: int) -> list[str]:
        """Returns `count` new labels of blocks, such as `^b0`."""
        self.blocks += count
        return [f"^b{i}" for i in range(self.blocks - count, self.blocks)]

    def block(self, label: str, graph: Graph, indent: str) -> Iterator[str]:
        """Yields the lines of a graph as a block that begins with this label; its inputs are the block's arguments.

        Its values get new names, as a graph may be printed in several blocks.
        """
        for value in (*graph.inputs, *(value for op in graph.ops for value in op.results)):
            self.names.pop(value, None)  # a graph may be here more than once
        yield self.block_label(label, graph.inputs, indent)
        yield from self.body(graph, indent)

    def block_label(self, label: str, values: Sequence[Value], indent: str) -> str:
        """Returns the line that begins a block, with its arguments."""
        arguments = ", ".join(f"{self.name(value)}: {self.type(value.type)}" for value in values)
        return f"{indent}{label}{f'({arguments})' if values else ''}:"

    def target(self, label: str, values: Sequence[Value]) -> str:
        """Returns the target of a branch: a block's label with the values that become the block's arguments."""
        types = ", ".join(self.type(value.type) for value in values)
        return f"{label}({self.operand_names(values)} : {types})" if values else label

    def jump(self, label: str, values: Sequence[Value], indent: str) -> str:
        """Returns the line of an unconditional branch to a block, with values for the block's arguments."""
        return f"{indent}cf.br {self.target(label, values)}"

    def branch(
        self,
        condition: Value,
        then: str,
        then_values: Sequence[Value],
        otherwise: str,
        otherwise_values: Sequence[Value],
        indent: str,
    ) -> Iterator[str]:
        """Yields the lines of a conditional branch: to the block `then` if `condition` holds, else to `otherwise`.

        The condition is a tensor of one bool; the values are the blocks' arguments.
        """
        zero, bit = self.new_name(), self.new_name()
        at = ", ".join([zero] * condition.type.rank)
        yield f"{indent}{zero} = arith.constant 0 : index"
        yield f"{indent}{bit} = tensor.extract {self.name(condition)}[{at}] : {self.type(condition.type)}"
        yield f"{indent}cf.cond_br {bit}, {self.target(then, then_values)}, {self.target(otherwise, otherwise_values)}"


FLOW: Mapping[OpDef | None, Callable[[IreeFunction, Op, str], Iterator[str]]] = MappingProxyType(
    {ops.WHILE_LOOP: IreeFunction.while_loop, ops.COND_IF: IreeFunction.cond_if}
)
