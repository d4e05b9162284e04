"""The operator that a rule is tried on, with its operands in the new graph and in the source, and notes to the user."""

import functools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.ir import ELIDED, Array, Graph, Op, Quant, Shape, TensorType, Value
from tosa_converter.rewriting.builder import Builder, current
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.records import Complex, TensorRecord, Translation
from tosa_converter.rewriting.report import Note, Options, Report
from tosa_converter.schemas.flat import Table
from tosa_converter.schemas.opsets import opset_of
from tosa_converter.schemas.tfl_ops import BY_OPCODE as BUILTINS

T = TypeVar("T", bound=Table)
R = TypeVar("R", bound=TensorRecord)
Key: TypeAlias = int | str  # an operand's position, or its name
Inner: TypeAlias = Callable[[Graph, Sequence[Value]], list[Value]]
Evaluation: TypeAlias = Callable[[Sequence[Op], Mapping[Value, Array]], tuple[Array, frozenset[str]]]
Lowering: TypeAlias = Callable[[Op], Sequence[Translation]]
CUSTOM = "tfl.custom"


def root_of(op: Op) -> str:
    """Returns the name by which rules find an operator: its own, or `custom.` and the code of a custom operator."""
    return f"custom.{op.attributes.get('custom_code', '')}" if op.name == CUSTOM else op.name


@functools.cache
def operand_positions(opcode: str) -> Mapping[str, int]:
    """Returns the positions of a source operator's operands by their names."""
    opset = opset_of(opcode)
    if opset == "xnn":
        from tosa_converter.schemas.xnn_ops import BY_OPCODE as NODES

        operands = NODES[opcode].operands
    elif opset == "aten":
        from tosa_converter.schemas.aten_ops import BY_OPCODE as KERNELS

        operands = KERNELS[opcode].operands
    else:
        operands = BUILTINS[opcode].operands
    return {name.rstrip("?*"): index for index, name in enumerate(operands.split())}


class Match:
    """The operator that a rule is tried on.

    `match["bias"]` and `match[2]` are operands in the new graph, as expressions; `match.source("bias")` is the same
    operand in the source, with its quantization.
    """

    __slots__ = ("_evaluation", "_inner", "_lowering", "_readers", "_values", "bindings", "op", "options", "report")

    def __init__(
        self,
        op: Op,
        values: dict[Value, Translation],
        options: Options | None = None,
        report: Report | None = None,
        inner: Inner | None = None,
        readers: Counter[Value | None] | None = None,
        evaluation: Evaluation | None = None,
        lowering: Lowering | None = None,
    ) -> None:
        """Takes the operator, the new graph's values by source values, and what else the pass offers, if anything.

        `inner` translates a graph of control flow, `evaluation` computes operators on constants, `lowering` translates
        an operator that a rule emits; `readers` counts the readers of source values.
        """
        self.op = op
        self.options = options or Options()
        self.report = report or Report()
        self.bindings: Mapping[str, Value] = {}  # the names of a rule's pattern
        self._values = values
        self._inner = inner
        self._readers = readers
        self._evaluation = evaluation
        self._lowering = lowering

    def translate_region(self, region: int, inputs: Sequence[Expr]) -> list[Expr]:
        """Translates one of the operator's graphs into the graph under construction, and returns its outputs.

        Args:
            region: the number of the operator's graph.
            inputs: values for its inputs.

        Raises:
            Decline: the operator has no such graph, the graph takes another number of inputs, or this match can't
                translate graphs.
        """
        if self._inner is None or region >= len(self.op.regions):
            raise Decline(f"expected a graph number below {len(self.op.regions)}, found {region}")
        graph = self.op.regions[region]
        if len(graph.inputs) != len(inputs):
            raise Decline(f"expected {len(graph.inputs)} operands for graph {graph.name!r}, found {len(inputs)}")
        return [Expr(value) for value in self._inner(graph, [expr.value for expr in inputs])]

    def evaluate(self, ops: Sequence[Op], constants: Mapping[Value, Array]) -> tuple[Array, frozenset[str]]:
        """Computes source operators on constants by their rules, and returns the last result and the rules' notes.

        Args:
            ops: source operators, each behind those that compute its operands.
            constants: elements for source values, in TOSA's types; shapes may differ from the values'.

        Raises:
            Decline: no rule accepts one of them, or the result isn't constant.
        """
        if self._evaluation is None:
            raise RuntimeError("expected a pass that translates a graph")
        return self._evaluation(ops, constants)

    def builtin(
        self,
        name: str,
        inputs: Sequence[Value | None] | None = None,
        results: Sequence[TensorType] | None = None,
        **options: Any,
    ) -> list[Any]:
        """Returns the results of a builtin operator of TFLite, computed by the rules that convert it.

        Args:
            name: the operator, such as "tfl.softmax".
            inputs: its operands, as source values; by default those of this operator.
            results: the types of its results, with quantization; by default those of this operator's results.
            options: fields of its options table; other fields have the table's defaults.

        Returns:
            An expression for each result, or a record for a tensor that TOSA holds as several.

        Raises:
            Decline: no rule accepts the operator, or it doesn't take such operands.
        """
        if self._lowering is None:
            raise RuntimeError("expected a pass that translates a graph")
        table, own = BUILTINS[name].options, self.op.results
        attributes = {**({} if table is None else table().fields()), **options}
        types = [value.type for value in own] if results is None else results
        names = [value.name for value in own] if results is None else ()
        operands = self.op.inputs if inputs is None else inputs
        op = Op(name, operands, types, attributes, location=self.op.location, result_names=names)
        return [value if isinstance(value, TensorRecord) else Expr(value) for value in self._lowering(op)]

    def attributes(self, table: type[T]) -> T:
        """Returns the source operator's attributes as a table with typed fields.

        Args:
            table: the class of the operator's options, or any other with its attributes as fields.

        Raises:
            AttributeError: on access, if the operator and the table have no such attribute.
        """
        options = table.__new__(table)
        options.__dict__ = self.op.attributes
        return options

    def __getitem__(self, key: Key) -> Expr:
        """Returns an operand in the new graph, by its name in the operator's record or by its position.

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
        """Returns an operand that the new graph holds as several values (`TensorRecord`), such as a complex tensor.

        Args:
            key: the operand.
            kind: the class of the record.

        Raises:
            Decline: the operand is absent, or isn't such a record.
        """
        record = self.translation(self.source(key))
        if not isinstance(record, kind):
            expected = f"expected operand {key} ({self.source(key).name!r}) to be a {kind.__name__.lower()} tensor"
            raise Decline(f"{expected}, found {record.type}")
        return record

    def type(self, key: Key) -> TensorType:
        """Returns the element type and shape of an operand in the new graph; for a record, those of the whole tensor.

        Raises:
            Decline: the operand is absent.
        """
        return self.translation(self.source(key)).type

    def get(self, key: Key) -> Expr | None:
        """Returns an operand in the new graph, or None if it is absent."""
        return self[key] if self.has(key) else None

    @property
    def operands(self) -> list[Expr]:
        """The operands in the new graph, without absent ones."""
        return [Expr(self.translate(value)) for value in self.op.operands]

    @property
    def inputs(self) -> tuple[Value | None, ...]:
        """The operands as values of the new graph, with None for absent ones."""
        return tuple(None if value is None else self.translate(value) for value in self.op.inputs)

    @property
    def translated_operands(self) -> list[Value]:
        """The operands' values in the new graph, as far as it already has them."""
        translations = [self._values[value] for value in self.op.operands if value in self._values]
        return [part for new in translations for part in (new.parts if isinstance(new, TensorRecord) else (new,))]

    @property
    def shapes(self) -> list[Shape | None]:
        """The operands' shapes in the new graph, with None for absent ones."""
        values = self._values
        return [None if value is None else values.get(value, value).type.shape for value in self.op.inputs]

    def has(self, key: Key) -> bool:
        """Returns whether an operand is present."""
        if key in self.bindings:
            return True
        index = key if isinstance(key, int) else operand_positions(self.op.name)[key]
        return index < len(self.op.inputs) and self.op.inputs[index] is not None

    def source(self, key: Key = 0) -> Value:
        """Returns an operand, or a value that the rule's pattern names, in the source graph.

        Raises:
            Decline: the operand is absent.
        """
        if key in self.bindings:
            return self.bindings[key]  # type: ignore[index]  # no name is a number
        index = key if isinstance(key, int) else operand_positions(self.op.name)[key]
        inputs = self.op.inputs
        value = inputs[index] if index < len(inputs) else None
        if value is None:
            raise Decline(f"operand {key} is missing")
        return value

    def translate(self, value: Value) -> Value:
        """Returns the value of the new graph for a value of the source; constants are created on first use.

        Raises:
            Decline: the new graph holds the value as a record of several values.
        """
        translation = self.translation(value)
        if isinstance(translation, TensorRecord):
            actual = f"{value.name!r} of {value.type}, which takes {len(translation.parts)}"
            raise Decline(f"expected an operand that one TOSA tensor holds, found {actual}")
        return translation

    def translation(self, value: Value) -> Translation:
        """Returns what the new graph has for a source value: a value or a record; creates constants on first use."""
        translation = self._values.get(value)  # in place, each value is its own (`_IdentityMapping`)
        if translation is None:
            translation = self._values[value] = translate_constant(value, current())
        return translation

    def quant(self, key: Key = 0, *, blocks: bool = False) -> Quant:
        """Returns a source operand's quantization; scales per block of a row only if `blocks` is true.

        Raises:
            Decline: the operand has no quantization, or one of blocks while `blocks` is false.
        """
        return _quant(self.source(key), blocks)

    @property
    def result_quant(self) -> Quant:
        """The quantization of the first result."""
        return _quant(self.op.results[0])

    def constant(self, key: Key) -> Array:
        """Returns the elements of a constant operand, in the source's element type if it is a constant there.

        Raises:
            Decline: the operand is not constant.
        """
        source = self.source(key).constant
        folded = source if source is not None else self[key].constant
        if folded is None:
            raise Decline(f"operand {key} ({self.source(key).name!r}) must be constant")
        return folded

    def integers(self, key: Key) -> list[int]:
        """Returns the elements of a constant operand as a flat list.

        Raises:
            Decline: the operand is not constant.
        """
        return list(map(int, self.constant(key).reshape(-1).tolist()))

    def producer(self, key: Key) -> Op:
        """Returns the operator that computes an operand, or a value that the rule's pattern names.

        Raises:
            Decline: no operator computes it, because it is an input of the graph.
        """
        op = self.source(key).producer
        if op is None:
            raise Decline(f"expected an operator that computes {key}, found an input of the graph")
        return op

    def require(self, condition: object, reason: str) -> None:
        """Declines unless a condition holds.

        Args:
            condition: anything with a truth value.
            reason: why the rule declines. Names of operands in braces are replaced by their types, or by the elements
                of small constants: "the fill {fill} is not 0".

        Raises:
            Decline: the condition is false.
        """
        if not condition:
            raise Decline(_Reason(reason, self) if "{" in reason else reason)

    def only_reader(self, key: Key) -> bool:
        """Returns whether a value is read exactly once: by one operand of one operator, and by no graph output."""
        return self.readers_of(self.source(key)) == 1

    def readers_of(self, value: Value) -> int:
        """Returns how often a value is read: by operands of operators and by graph outputs."""
        if self._readers is None:
            raise RuntimeError("expected a pass that counts readers")
        return self._readers[value]

    def of(self, op: Op) -> "Match":
        """Returns a match of another operator, which can't translate regions, count readers or evaluate constants."""
        return Match(op, self._values, self.options, self.report)

    def set_translation(self, value: Value, new: Translation) -> None:
        """Sets what the new graph has for a source value: a value, or several in a record."""
        self._values[value] = new

    def note(self, text: str) -> None:
        """Adds a note about this operator to the report, unless the report has it already."""
        note = Note(self.op.location, text)
        if note not in self.report.notes:
            self.report.notes.append(note)

    def note_once(self, text: str) -> None:
        """Adds a note about this operator to the report, unless a note on any operator has the same text."""
        if not any(note.text == text for note in self.report.notes):
            self.note(text)


class _Reason:
    """A reason with names of operands in braces, which are replaced only when it is converted to a text."""

    def __init__(self, text: str, match: Match) -> None:
        """Stores a reason's text with operands' names in braces; `str` replaces them by what `match` has for them."""
        self.text = text
        self.match = match
        self.bindings = match.bindings

    def __str__(self) -> str:
        """Returns the reason's text with the operands' elements or types filled in."""
        return self.text.format_map(self)

    def __getitem__(self, name: str) -> object:
        """Returns what a reason's text shows for an operand: a small constant's elements, else its type."""
        value = self.bindings[name] if name in self.bindings else self.match.source(name)
        elements = value.constant
        return value.type if elements is None or elements.size > ELIDED else elements.tolist()


def _quant(value: Value, blocks: bool = False) -> Quant:
    """Returns the quantization of a value; declines one without it, and scales of blocks unless `blocks` is true."""
    quant = value.type.quant
    if quant is None:
        raise Decline(f"{value.name!r} has no quantization parameters")
    if quant.block and not blocks:
        raise Decline(f"{value.name!r} has a scale for each block of {quant.block} elements")
    return quant


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
    """Returns a source constant as a constant of the new graph, with elements of 64 bits narrowed to 32.

    A builder of another opset may take it as it is.

    Raises:
        Decline: a 64-bit element doesn't fit 32 bits, TOSA lacks the type, or the value isn't constant.
    """
    elements = value.constant
    if elements is None:
        raise Decline(f"{value.name!r} is neither computed nor constant")
    if builder.is_own_constant(value):
        return value
    return narrow_constant(value, elements, builder)


def narrow_constant(value: Value, elements: Array, builder: Builder) -> Translation:
    """Returns a TOSA constant for elements of a source type: i64 becomes i32, unsigned integers keep their bits.

    Raises:
        Decline: a 64-bit element doesn't fit 32 bits, or TOSA lacks the type.
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
    """Returns the TOSA type of a graph input: with the user's shape, else the default one, else the file's."""
    shape = options.input_shapes.get(value.name) or default_shapes.get(value) or value.type.shape
    return signless(value.type, shape)


def signless(type: TensorType, shape: Shape) -> TensorType:
    """Returns the TOSA type of a source tensor in this shape: uint8 becomes i8 with the same bits, int64 i32."""
    return TensorType(SIGNLESS.get(type.dtype, type.dtype), tuple(shape))
