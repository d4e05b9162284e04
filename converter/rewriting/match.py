"""One operator that a rule may replace: its operands in the new graph, its source values, notes to the user."""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar

import numpy as np

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.ir import (
    Array,
    Graph,
    Op,
    Quant,
    Shape,
    TensorType,
    Value,
)
from tosa_converter.rewriting.builder import Builder, current
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.records import Complex, TensorRecord, Translation
from tosa_converter.rewriting.report import Note, Options, Report
from tosa_converter.schemas.flat import Table
from tosa_converter.schemas.opsets import opset_of

T = TypeVar("T", bound=Table)
R = TypeVar("R", bound=TensorRecord)
Key: TypeAlias = int | str  # of an operand
Inner: TypeAlias = Callable[[Graph, Sequence[Value]], list[Value]]
CUSTOM = "tfl.custom"


def root_of(op: Op) -> str:
    """What the rewrites of an operator start from: its name; of a custom one, `custom.` and its code."""
    return f"custom.{op.attributes.get('custom_code', '')}" if op.name == CUSTOM else op.name


@functools.cache
def operand_positions(opcode: str) -> Mapping[str, int]:
    """The operands of a source operator by their names in its row; what may follow a list has none."""
    opset = opset_of(opcode)
    if opset == "xnn":
        from tosa_converter.schemas.xnn_ops import BY_OPCODE as NODES

        operands = NODES[opcode].operands
    elif opset == "aten":
        from tosa_converter.schemas.aten_ops import BY_OPCODE as KERNELS

        operands = KERNELS[opcode].operands
    else:
        from tosa_converter.schemas.tfl_ops import BY_OPCODE

        operands = BY_OPCODE[opcode].operands
    return {name.rstrip("?*"): index for index, name in enumerate(operands.split())}


class Match:
    """One operator to be rewritten: the source as it was read, its operands already translated."""

    __slots__ = ("_inner", "_values", "op", "options", "report")

    def __init__(
        self,
        op: Op,
        values: dict[Value, Translation],
        options: Options | None = None,
        report: Report | None = None,
        inner: Inner | None = None,
    ) -> None:
        self.op = op
        self.options = options or Options()
        self.report = report or Report()
        self._values = values
        self._inner = inner

    def within(self, region: int, inputs: Sequence[Expr]) -> list[Expr]:
        """Returns the outputs of one of the operator's graphs, translated into the graph under construction.

        Raises:
            Decline: there is no such graph, or it takes another number of inputs.
        """
        if self._inner is None or region >= len(self.op.regions):
            raise Decline("the graph that it names isn't there")
        graph = self.op.regions[region]
        if len(graph.inputs) != len(inputs):
            raise Decline(f"{len(inputs)} operands for the {len(graph.inputs)} inputs of graph {graph.name!r}")
        return [Expr(value) for value in self._inner(graph, [expr.value for expr in inputs])]

    def attributes(self, table: type[T]) -> T:
        """The source operator's options as the table that its row names, or its other attributes as `table` has them.

        Raises:
            AttributeError: on access, if the operator and the table have no such attribute.
        """
        options = table.__new__(table)
        options.__dict__ = self.op.attributes
        return options

    def __getitem__(self, key: Key) -> Expr:
        """An operand, translated, by its name in the operator's row or by its position.

        Raises:
            Decline: the operand is absent.
        """
        return Expr(self.value(key))

    def value(self, key: Key) -> Value:
        """Returns an operand as a value of the new graph.

        Raises:
            Decline: the operand is absent.
        """
        return self.translate(self.source(key))

    def record(self, key: Key, kind: type[R]) -> R:
        """Returns an operand that the new graph holds as several values.

        Raises:
            Decline: the operand is absent, or isn't such a record.
        """
        record = self.translation(self.source(key))
        if not isinstance(record, kind):
            raise Decline(f"expected operand {key} ({self.source(key).name!r}) as {kind.__name__}, found {record.type}")
        return record

    def type(self, key: Key) -> TensorType:
        """Returns the element type and shape of an operand in the new graph, of a record those of the whole tensor.

        Raises:
            Decline: the operand is absent.
        """
        return self.translation(self.source(key)).type

    def get(self, key: Key) -> Expr | None:
        """An operand that may be absent, translated."""
        return self[key] if self.has(key) else None

    @property
    def operands(self) -> list[Expr]:
        """The operands that are there, translated."""
        return [Expr(self.translate(value)) for value in self.op.operands]

    @property
    def inputs(self) -> tuple[Value | None, ...]:
        """The operands as values of the new graph, None for one that is absent."""
        return tuple(None if value is None else self.translate(value) for value in self.op.inputs)

    @property
    def translated(self) -> list[Value]:
        """The operands in the new graph that have been asked for, or made by an operator before."""
        translations = [self._values[value] for value in self.op.operands if value in self._values]
        return [part for new in translations for part in (new.parts if isinstance(new, TensorRecord) else (new,))]

    @property
    def shapes(self) -> list[Shape | None]:
        """The operands' shapes as they are now; those of constants are as they were read."""
        known = self._values
        return [None if value is None else known.get(value, value).type.shape for value in self.op.inputs]

    def has(self, key: Key) -> bool:
        """Whether an operand is there."""
        index = key if isinstance(key, int) else operand_positions(self.op.name)[key]
        return index < len(self.op.inputs) and self.op.inputs[index] is not None

    def source(self, key: Key = 0) -> Value:
        """An operand as it was read.

        Raises:
            Decline: the operand is absent.
        """
        index = key if isinstance(key, int) else operand_positions(self.op.name)[key]
        inputs = self.op.inputs
        value = inputs[index] if index < len(inputs) else None
        if value is None:
            raise Decline(f"operand {key} is missing")
        return value

    def translate(self, value: Value) -> Value:
        """The new value for a value of the source graph; constants appear on first use.

        Raises:
            Decline: the new graph holds it as several values.
        """
        translation = self._values.get(value)
        if translation is None:
            translation = self.translation(value)
        if isinstance(translation, TensorRecord):
            raise Decline(f"TOSA holds {value.name!r} ({value.type}) as {len(translation.parts)} tensors")
        return translation

    def translation(self, value: Value) -> Translation:
        """The new value, or record of values, for a value of the source graph; constants appear on first use."""
        translation = self._values.get(value)
        if translation is None:
            translation = self._values[value] = translate_constant(value, current())
        return translation

    def quant(self, key: Key = 0) -> Quant:
        """The quantization of an operand.

        Raises:
            Decline: it has none.
        """
        return _quant(self.source(key))

    @property
    def result_quant(self) -> Quant:
        """The quantization of the first result."""
        return _quant(self.op.results[0])

    def constant(self, key: Key) -> Array:
        """The elements of an operand, which must be constant, in the source's type if the source is.

        Raises:
            Decline: it is not constant.
        """
        source = self.source(key).constant
        folded = source if source is not None else self[key].constant
        if folded is None:
            raise Decline(f"operand {key} ({self.source(key).name!r}) must be constant")
        return folded

    def of(self, op: Op) -> "Match":
        """Another operator where this one is, on values of the same graph."""
        return Match(op, self._values, self.options, self.report)

    def put(self, value: Value, new: Translation) -> None:
        """Have a value of such an operator stand for a new one."""
        self._values[value] = new

    def note(self, text: str) -> None:
        """Tell the user something about this operator, once."""
        note = Note(self.op.location, text)
        if note not in self.report.notes:
            self.report.notes.append(note)

    def note_once(self, text: str) -> None:
        """Tell the user something that holds from this operator on."""
        if not any(note.text == text for note in self.report.notes):
            self.note(text)


def _quant(value: Value) -> Quant:
    if value.type.quant is None:
        raise Decline(f"{value.name!r} has no quantization parameters")
    return value.type.quant


FOREIGN = frozenset(
    {
        DType.STRING,
        DType.RESOURCE,
        DType.VARIANT,
        DType.COMPLEX64,
        DType.COMPLEX128,
        DType.FP64,
        DType.UI64,
        DType.UI4,
        DType.I2,
    }
)


def translate_constant(value: Value, builder: Builder) -> Translation:
    """A source constant in the new graph.

    Raises:
        Decline: 64-bit elements that don't fit 32 bits, or a type TOSA doesn't have.
    """
    elements = value.constant
    if elements is None:
        raise Decline(f"{value.name!r} is neither computed nor constant")
    if builder.keeps(value):
        return value
    return narrowed_constant(value, elements, builder)


def narrowed_constant(value: Value, elements: Array, builder: Builder) -> Translation:
    """Elements of a source's type as a constant of TOSA's: 64-bit integers in 32 bits, unsigned ones as their bits.

    Raises:
        Decline: 64-bit elements that don't fit 32 bits, or a type TOSA doesn't have.
    """
    dtype = value.type.dtype
    if dtype is DType.I64:
        if elements.size and (elements.max() > np.iinfo(np.int32).max or elements.min() < np.iinfo(np.int32).min):
            raise Decline(f"constant {value.name!r} has 64-bit elements that don't fit 32 bits")
        return builder.const(elements.astype(np.int32), DType.I32)
    if dtype in SIGNLESS:
        return builder.const(elements.view(SIGNLESS[dtype].numpy), SIGNLESS[dtype])
    if dtype is DType.COMPLEX64:
        return Complex(*(Expr(builder.const(part, DType.FP32)) for part in (elements.real, elements.imag)))
    if dtype in FOREIGN:
        raise Decline(f"constant {value.name!r} is of type {dtype.value}, which TOSA doesn't have")
    result = builder.const(elements, dtype)
    if not result.name:
        result.name = value.name
    return result


def input_type(value: Value, options: Options, default_shapes: Mapping[Value, tuple[int, ...]]) -> TensorType:
    """The TOSA type of a graph input: the user's shape where one is given, 8- and 16-bit types signless."""
    shape = options.input_shapes.get(value.name) or default_shapes.get(value) or value.type.shape
    return signless(value.type, shape)


def signless(type: TensorType, shape: Shape) -> TensorType:
    """The TOSA type of a tensor of the source; TOSA's integers have no sign, and no 64 bits."""
    return TensorType(SIGNLESS.get(type.dtype, type.dtype), tuple(shape))
