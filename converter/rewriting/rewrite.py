"""Rewrites, passes and pipelines.

A rewrite names the operator it starts from, says in `check` why it doesn't apply, and builds TOSA in `build`. A pass is
a tuple of rewrites with the set of operators that may be left; a pipeline is a tuple of passes. One sweep translates a
graph into a new one: operands are translated before their users, so shapes are inferred anew from the graph's inputs
on, and whatever is constant by then is folded.
"""

import functools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np

from tosa_converter.dtypes import SIGNLESS as SIGNLESS
from tosa_converter.dtypes import DType
from tosa_converter.ir import (
    Array,
    Graph,
    Model,
    Op,
    Quant,
    Shape,
    TensorType,
    Value,
)
from tosa_converter.rewriting.builder import Builder, current
from tosa_converter.rewriting.expr import Expr, as_expr
from tosa_converter.rules.target import Target
from tosa_converter.schemas.flat import Table


class Decline(Exception):  # control flow of a rewrite that finds out late, not an error
    """A rewrite does not apply; the argument is the reason."""


class Note(NamedTuple):
    """Something the user should know about one operator: a deviation or an assumption."""

    location: str
    text: str


class Fate(NamedTuple):
    """What becomes of one source operator: the operators that a rewrite made of it, or why none takes it."""

    location: str
    name: str
    operands: str  # their types
    made: tuple[Op, ...] = ()  # constants among them
    notes: tuple[str, ...] = ()
    reason: str = ""


class Options(NamedTuple):
    """What the user asked for.

    `numerics` is reference, xnnpack or compact; `dump` is called after import and after every pass. `float_type` is
    fp16 or bf16 where fp32 is to become that. What lasts from run to run goes through `state`: variables or io, inputs
    and outputs. `control_flow` is keep or flatten, the latter also where the target has no EXT-CONTROLFLOW. `sequence`
    is unroll or loop: what becomes of the steps of recurrent operators. With `allow_custom`, custom operators that no
    rewrite takes become TOSA's CUSTOM.
    """

    numerics: str = "reference"
    target: Target | None = None
    input_shapes: Mapping[str, tuple[int, ...]] = MappingProxyType({})
    dump: Callable[[str, Model], None] | None = None
    float_type: str = ""
    state: str = "variables"
    control_flow: str = "keep"
    sequence: str = "unroll"
    allow_custom: bool = False

    @property
    def flatten(self) -> bool:
        """Whether no control flow may be left."""
        return self.control_flow == "flatten" or (
            self.target is not None and "EXT-CONTROLFLOW" not in self.target.extensions
        )


class Report:
    """What came of a conversion: the rewrites' notes; each pass's name, seconds and operators left; figures."""

    __slots__ = ("needs", "notes", "passes", "seconds", "source_ops", "tosa_ops")

    def __init__(self) -> None:
        self.source_ops: Counter[str] = Counter()
        self.tosa_ops: Counter[str] = Counter()
        self.needs = Target()
        self.notes: list[Note] = []
        self.passes: list[tuple[str, float, int]] = []
        self.seconds = 0.0


T = TypeVar("T", bound=Table)
Key: TypeAlias = int | str  # of an operand
Inner: TypeAlias = Callable[[Graph, Sequence[Value]], list[Value]]


CUSTOM = "tfl.custom"


def root_of(op: Op) -> str:
    """What the rewrites of an operator start from: its name; of a custom one, `custom.` and its code."""
    return f"custom.{op.attributes.get('custom_code', '')}" if op.name == CUSTOM else op.name


@functools.cache
def operand_positions(opcode: str) -> Mapping[str, int]:
    """The operands of a source operator by their names in its row; what may follow a list has none."""
    if opcode.startswith("xnn."):
        from tosa_converter.schemas.xnn_ops import BY_OPCODE as NODES

        operands = NODES[opcode].operands
    elif opcode.startswith("aten."):
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
        values: "dict[Value, Value]",
        options: Options | None = None,
        report: Report | None = None,
        inner: "Inner | None" = None,
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
        return [self._values[value] for value in self.op.operands if value in self._values]

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
        """The new value for a value of the source graph; constants appear on first use."""
        found = self._values.get(value)
        if found is None:
            found = self._values[value] = translate_constant(value, current())
        return found

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

    def put(self, value: Value, new: Value) -> None:
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


class Complex(Value):
    """A complex tensor, which TOSA doesn't have, as two of floats."""

    __slots__ = ("imag", "real")

    def __init__(self, real: Expr, imag: Expr) -> None:
        super().__init__(TensorType(DType.COMPLEX64, real.type.shape))
        self.real = real
        self.imag = imag


Result: TypeAlias = Expr | Value
Build = Callable[[Match], Result | Sequence[Result]]


class Check(NamedTuple):
    """A condition of a rewrite: in words, and what finds the reason why an operator doesn't meet it, or None."""

    condition: str
    reason: Callable[[Match], str | None]

    def __call__(self, match: Match) -> str | None:
        """The reason against the rewrite."""
        return self.reason(match)


def condition(words: str) -> Callable[[Callable[[Match], str | None]], Check]:
    """Makes a check of the function that finds the reason against it."""
    return lambda reason: Check(words, reason)


class Rewrite(NamedTuple):
    """Before: an operator `root`. Conditions: the types, and no check against it. After: what `build` emits.

    The root is an operator's name as in the reference, or `custom.` and the code of a custom operator. `types` are the
    element types of the operand that `of` names, a word for each; of several operands, their types with `*` between
    them. None stated: any. `origin` is where a rewrite of somebody else's comes from; whoever loads it sets it. `label`
    is its name where the build function's doesn't tell it from others, `family` the module that lists it.
    """

    root: str
    types: str
    build: Build
    checks: tuple[Check, ...] = ()
    of: tuple[Key, ...] = (0,)
    origin: str = ""
    label: str = ""
    family: str = ""

    @property
    def name(self) -> str:
        """The module that lists it, then the label, the build function's name, or the operator's if that has none."""
        module = self.family or str(getattr(self.build, "__module__", ""))
        place = module.split(".")[-1 if self.origin else -2 :]
        made_by_factory = "<locals>" in getattr(self.build, "__qualname__", "<locals>")
        function = self.root.partition(".")[2] if made_by_factory else self.build.__name__
        return ".".join([*place, self.label or function])

    def apply(self, match: Match) -> Sequence[Value]:
        """The values that replace the results of an operator whose types it takes.

        Raises:
            Decline: a check or the build function gave a reason.
            PluginError: a rewrite of somebody else's went wrong.
        """
        if self.origin:
            from tosa_converter.rewriting.plugins import applied

            return applied(self, match)
        results = self.built(match)
        if len(results) != len(match.op.results):
            raise Decline(f"expected {len(results)} results, found {len(match.op.results)}")
        return results

    def built(self, match: Match) -> Sequence[Value]:
        """What the build function makes, if no check is against it."""
        for check in self.checks:
            reason = check.reason(match)
            if reason is not None:
                raise Decline(reason)
        built = self.build(match)
        results = (built,) if isinstance(built, Expr | Value) else tuple(built)
        return [as_expr(result).value for result in results]

    def found(self, match: Match) -> str:
        """The types of the operands that `of` names, as `types` has them; of one that is absent, none."""
        sources = [match.source(key).type.dtype.value if match.has(key) else "none" for key in self.of]
        return "*".join(sources)

    def takes(self, match: Match) -> bool:
        """Whether the operands are of types that are stated."""
        return not self.types or self.found(match) in self.types.split()


class Family(NamedTuple):
    """The rewrites of one module, which is imported when an operator that one of them starts from is met.

    With `numerics`, only where these are asked for.
    """

    module: str
    roots: frozenset[str]
    numerics: str = ""

    def load(self) -> tuple[Rewrite, ...]:
        """All of them, in order."""
        rewrites: tuple[Rewrite, ...] = import_module(self.module).REWRITES
        return tuple(rewrite._replace(family=self.module) for rewrite in rewrites)


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


def translate_constant(value: Value, builder: Builder) -> Value:
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


def narrowed_constant(value: Value, elements: Array, builder: Builder) -> Value:
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
