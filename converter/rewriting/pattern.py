"""Patterns: an operator, the operators that compute its operands, and names for the values that a rule uses."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias, Union

from tosa_converter.ir import Op, Value
from tosa_converter.ir.edit import equal_constants
from tosa_converter.schemas.tosa_ops import OpDef

Operand: TypeAlias = Union[str, "Pattern"]
Bindings: TypeAlias = dict[str, Value]


class Pattern(NamedTuple):
    """A pattern of an operator and of the operators that compute its operands.

    Attributes:
        operators: the names that the operator may have.
        operands: a name or a pattern for each operand, in the operator's order; further operands are free. An empty
            name stands for any value or none. The same name means the same value, or constants of the same bits.
        name: the name of the operator's first result.
        any_order: whether the first two operands may change places.
        same_type: whether the result must have the type of the first operand.
    """

    operators: tuple[str, ...]
    operands: tuple[Operand, ...]
    name: str = ""
    any_order: bool = False
    same_type: bool = False

    def bind(self, op: Op) -> Bindings | None:
        """Returns the values that the pattern names, by name; None if the operator doesn't match."""
        values: Bindings = {}
        return values if self._bind(op, values) else None

    def _bind(self, op: Op | None, values: Bindings) -> bool:
        """Returns whether the operator matches, and adds the values that the pattern names to `values`."""
        if op is None or op.name not in self.operators or (self.same_type and not _keeps_type(op)):
            return False
        if self.name:
            values[self.name] = op.results[0]
        if not self.any_order:
            return _bind_operands(self.operands, op.inputs, values)
        first, second, *rest = self.operands
        for operands in (self.operands, (second, first, *rest)):
            # On a copy, because an order that fails has bound names on the way: ("offset", CONV2D) on ADD(sums, c)
            # takes the sums for "offset" before c turns out to be no CONV2D, and the second order takes c for it.
            attempt = dict(values)
            if _bind_operands(operands, op.inputs, attempt):
                values.update(attempt)
                return True
        return False

    def may_match(self, op: Op) -> bool:
        """Returns whether an operator may match, by a quick test that only rules out mismatches."""
        if self.same_type and not _keeps_type(op):
            return False
        for i, operand in enumerate(self.operands):
            if isinstance(operand, Pattern):
                values = op.inputs[:2] if self.any_order and i < 2 else op.inputs[i : i + 1]
                makers = [value.producer for value in values if value is not None]
                if not any(maker is not None and maker.name in operand.operators for maker in makers):
                    return False
        return True

    def mismatch(self, op: Op) -> str:
        """Returns why an operator doesn't match: the first operand that isn't computed as expected."""
        if self.same_type and not _keeps_type(op):
            return "expected a result of the operand's type, found another type"
        for operand, value in zip(self.operands, op.inputs, strict=False):
            if isinstance(operand, Pattern):
                producer = None if value is None else value.producer
                if producer is None or producer.name not in operand.operators:
                    result = "" if producer is None else f"the result of {_short_name(producer.name)}"
                    actual = "nothing" if value is None else result or "an input of the graph"
                    return f"expected {operand} as an operand, found {actual}"
                if operand.bind(producer) is None:
                    return operand.mismatch(producer)
        return f"expected {self}, found other operands"

    def patterns(self) -> Iterator["Pattern"]:
        """Yields this pattern and those of its operands."""
        yield self
        for operand in self.operands:
            if isinstance(operand, Pattern):
                yield from operand.patterns()

    @property
    def names(self) -> list[str]:
        """The names of all values in this pattern."""
        parts = (part for pattern in self.patterns() for part in (pattern.name, *pattern.operands))
        return list(dict.fromkeys(part for part in parts if isinstance(part, str) and part))

    def __str__(self) -> str:
        """Returns the pattern as text for messages, such as `SLICE(PAD(x, padding), start)`."""
        names = (str(operand) or "_" for operand in self.operands)
        return f"{'|'.join(map(_short_name, self.operators))}({', '.join(names)})"


def pattern(
    operators: OpDef | str | Sequence[OpDef | str],
    *operands: Operand,
    name: str = "",
    any_order: bool = False,
    same_type: bool = False,
) -> Pattern:
    """Returns a pattern of an operator with names or patterns for its operands.

    Args:
        operators: the operator, or several of which any may match: TOSA operators by their records, others by their
            names, such as "tfl.pad".
        operands: a name for each operand, or the pattern of the operator that computes it, in the operator's order.
        name: a name for the operator's first result.
        any_order: the first two operands may change places.
        same_type: the result must have the type of the first operand.

    Example:
        >>> from tosa_converter.schemas import tosa_ops as ops
        >>> str(pattern(ops.SLICE, pattern(ops.PAD, "x", "padding"), "start"))
        'SLICE(PAD(x, padding), start)'
    """
    several = (operators,) if isinstance(operators, OpDef | str) else tuple(operators)
    names = tuple(row if isinstance(row, str) else row.opcode for row in several)
    return Pattern(names, operands, name, any_order, same_type)


def _keeps_type(op: Op) -> bool:
    """Returns whether an operator's result has the type of its first operand."""
    first = op.inputs[0] if op.inputs else None
    return first is not None and first.type == op.results[0].type


def _bind_operands(operands: Sequence[Operand], inputs: Sequence[Value | None], values: Bindings) -> bool:
    """Returns whether all operands match, and adds the values that their patterns name to `values`.

    "" matches anything, and a pattern matches the operator that computes the value. A repeated name matches only one
    value or equal constants. Operands beyond those of the pattern don't matter.
    """
    for operand, value in zip(operands, inputs, strict=False):
        if operand == "":
            continue
        if value is None:
            return False
        if isinstance(operand, str):
            bound = values.setdefault(operand, value)
            if bound is not value and not equal_constants(bound, value):
                return False
        elif not operand._bind(value.producer, values):
            return False
    return len(inputs) >= len(operands)


def _short_name(opcode: str) -> str:
    """Returns an operator's name without its opset, in capitals."""
    return opcode.partition(".")[2].upper()
