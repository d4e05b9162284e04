"""Rewrites, passes and pipelines.

A rewrite names the operator it starts from, says in `check` why it doesn't apply, and builds TOSA in `build`. A pass is
a tuple of rewrites with the set of operators that may be left; a pipeline is a tuple of passes. One sweep translates a
graph into a new one: operands are translated before their users, so shapes are inferred anew from the graph's inputs
on, and whatever is constant by then is folded.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError, VerifyError, listed, shortened
from tosa_converter.ir import (
    CONSTANTS,
    Array,
    Graph,
    Model,
    Op,
    Quant,
    Shape,
    Signature,
    TensorType,
    Value,
    unique_names,
)
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rules.conditions import EMPTY, Problem
from tosa_converter.rules.target import Target
from tosa_converter.schemas import tosa_ops as ops


class Decline(Exception):  # control flow of a rewrite that finds out late, not an error
    """A rewrite does not apply; the argument is the reason."""


class Note(NamedTuple):
    """Something the user should know about one operator: a deviation or an assumption."""

    location: str
    text: str


class Options:
    """What the user asked for, and what came of it.

    `numerics` is reference, xnnpack or compact; `dump` is called after import and after every pass. Rewrites leave
    `notes`, each pass its name, its seconds and the number of operators left in `passes`.
    """

    __slots__ = ("dump", "input_shapes", "notes", "numerics", "passes", "target")

    def __init__(
        self,
        numerics: str = "reference",
        target: Target | None = None,
        input_shapes: Mapping[str, tuple[int, ...]] | None = None,
        dump: Callable[[str, Model], None] | None = None,
    ) -> None:
        self.numerics = numerics
        self.target = target
        self.input_shapes = input_shapes or {}
        self.notes: list[Note] = []
        self.passes: list[tuple[str, float, int]] = []
        self.dump = dump


class Match:
    """One operator to be rewritten: the source as it was read, its operands already translated."""

    __slots__ = ("_values", "builder", "op", "options")

    def __init__(self, op: Op, values: "dict[Value, Value]", builder: Builder, options: Options) -> None:
        self.op = op
        self.builder = builder
        self.options = options
        self._values = values

    def __getattr__(self, name: str) -> Any:
        """An attribute of the source operator."""
        try:
            return self.op.attributes[name]
        except KeyError:
            raise AttributeError(f"{self.op.name} has no attribute {name}") from None

    @property
    def inputs(self) -> tuple[Value | None, ...]:
        """The operands, translated."""
        return tuple(None if value is None else self.translate(value) for value in self.op.inputs)

    @property
    def shapes(self) -> list[Shape | None]:
        """The operands' shapes as they are now; those of constants are as they were read."""
        known = self._values
        return [None if value is None else known.get(value, value).type.shape for value in self.op.inputs]

    def has(self, index: int) -> bool:
        """Whether operand `index` is there."""
        return index < len(self.op.inputs) and self.op.inputs[index] is not None

    def input(self, index: int = 0) -> Value:
        """Operand `index`, translated.

        Raises:
            Decline: the operand is absent.
        """
        return self.translate(self.source(index))

    def source(self, index: int = 0) -> Value:
        """Operand `index` as it was read.

        Raises:
            Decline: the operand is absent.
        """
        value = self.op.inputs[index] if index < len(self.op.inputs) else None
        if value is None:
            raise Decline(f"operand {index} is missing")
        return value

    def translate(self, value: Value) -> Value:
        """The new value for a value of the source graph; constants appear on first use."""
        found = self._values.get(value)
        if found is None:
            found = self._values[value] = translate_constant(value, self.builder)
        return found

    def quant(self, index: int = 0) -> Quant:
        """The quantization of operand `index`.

        Raises:
            Decline: it has none.
        """
        return _quant(self.source(index))

    @property
    def result_quant(self) -> Quant:
        """The quantization of the first result."""
        return _quant(self.op.results[0])

    def constant(self, index: int) -> Array:
        """The elements of operand `index`, which must be constant, in the source's type if the source is.

        Raises:
            Decline: it is not constant.
        """
        source = self.source(index).constant
        folded = source if source is not None else self.input(index).constant
        if folded is None:
            raise Decline(f"operand {index} ({self.source(index).name!r}) must be constant")
        return folded

    def note(self, text: str) -> None:
        """Tell the user something about this operator."""
        self.options.notes.append(Note(self.op.location, text))

    def note_once(self, text: str) -> None:
        """Tell the user something that holds from this operator on."""
        if not any(note.text == text for note in self.options.notes):
            self.note(text)


def _quant(value: Value) -> Quant:
    if value.type.quant is None:
        raise Decline(f"{value.name!r} has no quantization parameters")
    return value.type.quant


Build = Callable[[Match], Value | Sequence[Value]]
Check = Callable[[Match], str | None]


class Rewrite(NamedTuple):
    """Before: an operator `root`. Condition: no check gives a reason against it. After: what `build` emits."""

    root: str
    build: Build
    checks: tuple[Check, ...] = ()

    @property
    def name(self) -> str:
        """The build function's name behind that of its family."""
        place = self.build.__module__.split(".")[-2:]
        return ".".join([*place, getattr(self.build, "__name__", "build")])

    def apply(self, match: Match) -> Sequence[Value]:
        """The values that replace the operator's results.

        Raises:
            Decline: a check or the build function gave a reason.
        """
        for check in self.checks:
            reason = check(match)
            if reason is not None:
                raise Decline(reason)
        built = self.build(match)
        results = (built,) if isinstance(built, Value) else tuple(built)
        if len(results) != len(match.op.results):
            raise Decline(f"expected {len(results)} results, found {len(match.op.results)}")
        return results


ShapeCheck = Callable[[Op, Sequence[Shape | None]], str | None]


class Pass:
    """Rewrites tried in order on every operator, and the opset of what may be left.

    `check` says what is wrong with an operator whose operands have these shapes: no rewrite meets it then.
    """

    __slots__ = ("by_root", "check", "leaves", "name", "rewrites")

    def __init__(
        self, name: str, rewrites: Sequence[Rewrite], leaves: str = "tosa", check: ShapeCheck | None = None
    ) -> None:
        self.name = name
        self.rewrites = rewrites
        self.leaves = leaves
        self.check = check
        self.by_root: dict[str, list[Rewrite]] = {}
        for rewrite in rewrites:
            self.by_root.setdefault(rewrite.root, []).append(rewrite)


def run_pipeline(
    model: Model, passes: Sequence[Pass], options: Options, find_problems: Callable[[Model], list[Problem]]
) -> Model:
    """Apply passes in order; `find_problems` verifies after each.

    Raises:
        UnsupportedError: operators that no rewrite accepts, all of them, each with every candidate's reason; or a
            result that TOSA can't hold.
        FormatError: operators whose operands' shapes don't fit together.
    """
    if options.dump:
        options.dump("import", model)
    for step in passes:
        started = time.perf_counter()
        model = run_pass(model, step, options)
        count = sum(len(graph.ops) for graph in model.graphs.values())
        options.passes.append((step.name, time.perf_counter() - started, count))
        if options.dump:
            options.dump(step.name, model)
        _stop_at(find_problems(model), step)
    return model


def _stop_at(problems: Sequence[Problem], step: Pass) -> None:
    """What a pass left illegal: too large or empty is what TOSA can't hold, all else is our mistake."""
    limits = [str(problem) for problem in problems if problem.kind == "level" or problem.condition == EMPTY]
    if limits:
        raise UnsupportedError("TOSA's level 8K can't hold", *listed(limits), places=limits)
    if problems:
        raise AssertionError(f"pass {step.name} made an illegal graph", *listed([str(p) for p in problems]))


class _Report:
    """Operators that no rewrite accepted. What fails only because its operands did is not the user's problem."""

    def __init__(self) -> None:
        self.failures: list[tuple[str, str, str]] = []  # place, operator, why
        self.malformed: list[str] = []
        self.broken: set[Value] = set()

    def depends_on_failure(self, op: Op) -> bool:
        """Whether an operand was to come from an operator that failed."""
        return bool(self.broken) and not self.broken.isdisjoint(op.operands)

    def broken_results(self, op: Op) -> Sequence[Value]:
        """Stand-ins for results that can't be had."""
        self.broken.update(op.results)
        return [Value(value.type, value.name) for value in op.results]

    def failed(self, op: Op, reasons: Sequence[str]) -> Sequence[Value]:
        """Note a failure, so that all are found before the conversion stops."""
        why = "; ".join(reasons).replace("\n", "; ") if reasons else "no rewrite starts from this operator"
        types = shortened(", ".join(str(value.type) for value in op.operands))
        name = op.attributes.get("custom_code") or op.name
        self.failures.append((f"{op.location}: {name}({types})", name, shortened(why)))
        return self.broken_results(op)

    @property
    def clean(self) -> bool:
        """Whether nothing failed so far."""
        return not self.failures and not self.malformed

    def foreign(self, value: Value, what: str) -> None:
        """Note a tensor of a type that TOSA doesn't have."""
        self.failures.append((f"{what} {value.name!r}", what, f"TOSA has no type {value.type.dtype.value}"))
        self.broken.add(value)

    def refused(self, op: Op, problem: str) -> Sequence[Value]:
        """Note operands that don't fit together."""
        self.malformed.append(f"{op.location}: {problem}")
        return self.broken_results(op)

    def stop(self, model: Model, options: Options) -> None:
        """Raise what was noted: what the file itself breaks, else what can't be converted, summed up by operator."""
        if self.malformed:
            if options.input_shapes or model.default_shapes:  # the file isn't to blame
                raise UnsupportedError("with these input shapes:", *listed(self.malformed), places=self.malformed)
            raise FormatError(*listed(self.malformed), file=model.source)
        if not self.failures:
            return
        places = [f"{place}: {why}" for place, _, why in self.failures]
        counts = Counter(name for _, name, _ in self.failures)
        first = {name: why for _, name, why in reversed(self.failures)}
        summary = [f"{n:6d} {name}: {shortened(first[name], 160)}" for name, n in counts.most_common()]
        head = [f"{len(places)} operators can't be converted:", *listed(summary)] if len(places) > 1 else []
        raise UnsupportedError(*head, *listed(places), places=places)


class _Moved(NamedTuple):
    """New values for old ones; an input that is an output too has one as either."""

    inputs: dict[Value, Value]
    outputs: dict[Value, Value]


def run_pass(model: Model, step: Pass, options: Options) -> Model:
    """One pass over every graph of a model."""
    report = _Report()
    moved = _Moved({}, {})
    with np.errstate(all="ignore"):  # what overflows is refused where it would matter
        graphs = {name: _sweep(model, graph, step, options, report, moved) for name, graph in model.graphs.items()}
    report.stop(model, options)
    signatures = {
        name: Signature(
            s.graph,
            {key: moved.inputs[value] for key, value in s.inputs.items()},
            {key: moved.outputs[value] for key, value in s.outputs.items()},
        )
        for name, s in model.signatures.items()
    }
    return Model(graphs, signatures, model.metadata, model.source)


def _sweep(model: Model, graph: Graph, step: Pass, options: Options, report: _Report, moved: _Moved) -> Graph:
    new = Graph(graph.name)
    builder = Builder(new)
    values: dict[Value, Value] = {}
    for value in graph.inputs:
        values[value] = translated = Value(input_type(value, options, model.default_shapes), value.name)
        new.inputs.append(translated)
        if value.type.dtype in FOREIGN:
            report.foreign(value, "graph input")
    for op in graph.ops:
        if op.name in CONSTANTS:
            continue
        builder.location = op.location
        match = Match(op, values, builder, options)
        results = _rewrite(match, step, report)
        for old, result in zip(op.results, results, strict=True):
            values[old] = result
            if not result.name and result.producer is not None:
                result.name = old.name
    if report.clean:
        _finish(graph, new, values, builder, report)
    if report.clean:
        moved.inputs.update((value, values[value]) for value in graph.inputs)
        moved.outputs.update(zip(graph.outputs, new.outputs, strict=True))
    return new


def _rewrite(match: Match, step: Pass, report: "_Report") -> Sequence[Value]:
    """The results of the first rewrite that accepts; a failed operator stands for itself so that all are found."""
    op = match.op
    candidates = step.by_root.get(op.name, ())
    if report.depends_on_failure(op):
        return report.failed(op, ()) if not candidates else report.broken_results(op)
    problem = step.check(op, match.shapes) if step.check is not None else None
    if problem is not None:
        return report.refused(op, problem)
    reasons: list[str] = []
    notes = match.options.notes
    for rewrite in candidates:
        mark, noted = len(match.builder.graph.ops), len(notes)
        try:
            return rewrite.apply(match)
        except Decline as declined:
            reasons.append(f"{rewrite.name}: {declined}")
        except (VerifyError, UnsupportedError) as illegal:
            reasons.append(f"{rewrite.name}: TOSA can't hold it: {illegal}")
        del match.builder.graph.ops[mark:], notes[noted:]
    if op.name.startswith(step.leaves + "."):
        return _copy(match)
    return report.failed(op, reasons)


def _copy(match: Match) -> Sequence[Value]:
    op = match.op
    copied = Op(
        op.name,
        [None if value is None else match.translate(value) for value in op.inputs],
        [value.type for value in op.results],
        op.attributes,
        regions=op.regions,
        location=op.location,
        result_names=[value.name for value in op.results],
    )
    match.builder.graph.ops.append(copied)
    return copied.results


def input_type(value: Value, options: Options, default_shapes: Mapping[Value, tuple[int, ...]]) -> TensorType:
    """The TOSA type of a graph input: the user's shape where one is given, 8- and 16-bit types signless."""
    shape = options.input_shapes.get(value.name) or default_shapes.get(value) or value.type.shape
    return TensorType(SIGNLESS.get(value.type.dtype, value.type.dtype), tuple(shape))


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
# TOSA's integers are signless, and 64-bit ones become 32-bit ones.
SIGNLESS = {DType.UI8: DType.I8, DType.UI16: DType.I16, DType.UI32: DType.I32, DType.I64: DType.I32}


def translate_constant(value: Value, builder: Builder) -> Value:
    """A source constant in the new graph.

    Raises:
        Decline: 64-bit elements that don't fit 32 bits, or a type TOSA doesn't have.
    """
    elements = value.constant
    if elements is None:
        raise Decline(f"{value.name!r} is neither computed nor constant")
    dtype = value.type.dtype
    if dtype is DType.I64:
        if elements.size and (elements.max() > np.iinfo(np.int32).max or elements.min() < np.iinfo(np.int32).min):
            raise Decline(f"constant {value.name!r} has 64-bit elements that don't fit 32 bits")
        return builder.const(elements.astype(np.int32), DType.I32)
    if dtype in SIGNLESS:
        return builder.const(elements.view(SIGNLESS[dtype].numpy), SIGNLESS[dtype])
    if dtype in FOREIGN:
        raise Decline(f"constant {value.name!r} is of type {dtype.value}, which TOSA doesn't have")
    made = builder.const(elements, dtype)
    if not made.name:
        made.name = value.name
    return made


def _finish(graph: Graph, new: Graph, values: dict[Value, Value], builder: Builder, report: _Report) -> None:
    """Outputs get tensors of their own under their own names; operators nobody needs are dropped."""
    seen: set[Value] = set(new.inputs)
    names = unique_names((old.name for old in graph.outputs), (value.name for value in graph.inputs))
    for old, name in zip(graph.outputs, names, strict=True):
        try:
            value = values[old] if old in values else translate_constant(old, builder)
        except Decline as declined:
            report.failures.append((f"graph output {name!r}", "graph output", str(declined)))
            continue
        if value.constant is not None:
            value = Op(ops.CONST, (), [value.type], {"values": value.constant}, location="output").result
        elif value in seen:
            builder.location = "output"
            value = builder.emit(ops.IDENTITY, value)
        value.name = name
        seen.add(value)
        new.outputs.append(value)
    new.ops = place_constants(new.outputs, live_ops(new))


def live_ops(graph: Graph) -> list[Op]:
    """The operators that an output or a side effect depends on."""
    needed: set[Value] = set(graph.outputs)
    kept: list[Op] = []
    for op in reversed(graph.ops):
        effect = not op.results or (op.row is not None and op.row.effect)
        if effect or any(value in needed for value in op.results):
            needed.update(op.operands)
            for region in op.regions:
                needed.update(value for inner in region.walk() for value in inner.operands)
            kept.append(op)
    return kept[::-1]


def place_constants(outputs: Sequence[Value], ops: Sequence[Op]) -> list[Op]:
    """The operators with each constant right before its first user."""
    placed: set[Op] = set()
    ordered: list[Op] = []

    def place(values: Sequence[Value]) -> None:
        for value in values:
            op = value.producer
            if op is not None and op.name in CONSTANTS and op not in placed:
                placed.add(op)
                ordered.append(op)

    for op in ops:
        place(op.operands)
        if op not in placed:
            ordered.append(op)
    place(outputs)
    return ordered
