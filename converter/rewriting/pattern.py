"""Patterns: an operator, the operators that make its operands, and names for the values that a rule uses."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias, Union

from tosa_converter.ir import Op, Value
from tosa_converter.ir.edit import equal_constants
from tosa_converter.schemas.tosa_ops import OpDef

Operand: TypeAlias = Union[str, "Pattern"]
Bindings: TypeAlias = dict[str, Value]


class Pattern(NamedTuple):
    """An operator of some kinds; each operand has a name, or is the result of an operator with a pattern of its own.

    `operands` are in the operator's order; those behind the last one may be any. An empty name stands for any value or
    none. A name that stands twice is the same value, or constants of the same bits. `name` is that of the operator's
    own result. With `any_order` the first two operands may change places, with `same_type` the result has the type of
    the first one.
    """

    operators: tuple[str, ...]
    operands: tuple[Operand, ...]
    name: str = ""
    any_order: bool = False
    same_type: bool = False

    def bind(self, op: Op) -> Bindings | None:
        """Returns the values by their names; None if the operator isn't of this pattern."""
        values: Bindings = {}
        return values if self._bind(op, values) else None

    def _bind(self, op: Op | None, values: Bindings) -> bool:
        """Adds the values that the pattern names; returns whether the operator is of this pattern."""
        if op is None or op.name not in self.operators or (self.same_type and not _keeps_type(op)):
            return False
        if self.name:
            values[self.name] = op.results[0]
        if not self.any_order:
            return _bind_operands(self.operands, op.inputs, values)
        first, second, *rest = self.operands
        for operands in (self.operands, (second, first, *rest)):
            attempt = dict(values)
            if _bind_operands(operands, op.inputs, attempt):
                values.update(attempt)
                return True
        return False

    def may_be(self, op: Op) -> bool:
        """Returns False for most operators that aren't of this pattern, quickly."""
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
        """Returns why an operator isn't of this pattern: the first operand that isn't made as expected."""
        if self.same_type and not _keeps_type(op):
            return "it changes the type"
        for operand, value in zip(self.operands, op.inputs, strict=False):
            if isinstance(operand, Pattern):
                producer = None if value is None else value.producer
                if producer is None or producer.name not in operand.operators:
                    result = "an input of the graph" if producer is None else f"a result of {_short(producer.name)}"
                    return f"expected {operand} as an operand, found {'nothing' if value is None else result}"
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
        """The names of values in this pattern and those of its operands."""
        parts = (part for pattern in self.patterns() for part in (pattern.name, *pattern.operands))
        return list(dict.fromkeys(part for part in parts if isinstance(part, str) and part))

    def __str__(self) -> str:
        names = (str(operand) or "_" for operand in self.operands)
        return f"{'|'.join(map(_short, self.operators))}({', '.join(names)})"


def pattern(
    operators: OpDef | str | Sequence[OpDef | str],
    *operands: Operand,
    name: str = "",
    any_order: bool = False,
    same_type: bool = False,
) -> Pattern:
    """Returns a pattern of an operator, or of any of several, with names or patterns for its operands.

    Args:
        operators: TOSA operators by their rows, others by their names, such as "tfl.pad".
        operands: names, or patterns of what makes them, in the operator's order.
        name: for the operator's first result.
        any_order: the first two operands may change places.
        same_type: the result has the type of the first operand.

    Example:
        >>> from tosa_converter.schemas import tosa_ops as ops
        >>> str(pattern(ops.SLICE, pattern(ops.PAD, "x", "padding"), "start"))
        'SLICE(PAD(x, padding), start)'
    """
    several = (operators,) if isinstance(operators, OpDef | str) else tuple(operators)
    names = tuple(row if isinstance(row, str) else row.opcode for row in several)
    return Pattern(names, operands, name, any_order, same_type)


def _keeps_type(op: Op) -> bool:
    """Returns whether the result has the type of the first operand."""
    first = op.inputs[0] if op.inputs else None
    return first is not None and first.type == op.results[0].type


def _bind_operands(operands: Sequence[Operand], inputs: Sequence[Value | None], values: Bindings) -> bool:
    """Adds the values that patterns of operands name; returns whether the operands are of these patterns."""
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


def _short(opcode: str) -> str:
    """Returns an operator's name without its opset, in capitals."""
    return opcode.partition(".")[2].upper()
