"""Partial conversion: what converts becomes at most two TOSA models, the rest of the source stands between them.

Operators that don't depend on one that can't be converted are the first piece, those that depend on one and feed none
the second; what lies between two of them stays with them. A shape that is computed goes to whoever needs it known.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from tosa_converter.conversion import Converted
from tosa_converter.coverage import Coverage
from tosa_converter.errors import UnsupportedError, UsageError, listed
from tosa_converter.formats.chain import STEP
from tosa_converter.ir import Graph, Model, Op, Shape, TensorType, Value, unique_names
from tosa_converter.ir.edit import copy_model, cut_out, moved_extras
from tosa_converter.rewriting.match import signless
from tosa_converter.rewriting.signatures import by_signature, reached, restricted
from tosa_converter.schemas.tfl_ops import STATE

Check = Callable[[Model], Coverage]
Convert = Callable[[Model], Converted]


def partition(model: Model, check: Check, convert: Convert, shapes: Mapping[str, Shape]) -> Model:
    """A chain of a source's TOSA pieces and what is left of it, a graph of operators `chain.step`.

    Args:
        model: a TFLite model without state, of one signature.
        check: tells what a model's operators become.
        convert: converts a model.
        shapes: of inputs by their names, where the file's by default aren't wanted.

    Raises:
        UsageError: a model of several signatures, or of other operators.
        UnsupportedError: no operator converts, the model has state, or what a piece needs the target lacks.
    """
    if model.opset != "tfl":
        raise UsageError(f"{model.source}: --partial is for TFLite models, this is of {model.opset} operators")
    if len(by_signature(model)) > 1:
        raise UsageError(f"{model.source}: a chain has one signature, expected one of {', '.join(model.signatures)}")
    stateful = [op.location for graph in model.graphs.values() for op in graph if op.name in STATE]
    if stateful:
        raise UnsupportedError("a model with state isn't split:", *listed(stateful), places=stateful)
    source = Whole(model, shapes)
    refused, free = _refusals(_Piece(source.model, source.places), check)
    parts = source.parts(refused, free)
    while more := {i: why for part in parts.tosa for i, why in _refusals(source.piece(part), check)[0].items()}:
        refused |= more
        parts = source.parts(refused, free)
    reasons = [(source.graph.ops[i].location, why) for i, why in sorted(refused.items())]
    if not any(part.outputs for part in parts.tosa):
        places = [f"{place}: {why}" for place, why in reasons]
        raise UnsupportedError("nothing that converts is apart from what doesn't:", *listed(places), places=places)
    return _Chain(source, parts, convert).model(reasons)


class Part(NamedTuple):
    """Operators of the main graph by their numbers, and what of it they need and give."""

    ops: Sequence[int]
    inputs: Sequence[Value]
    outputs: Sequence[Value]


class _Parts(NamedTuple):
    """The part before what can't be converted, that, and the part behind it."""

    before: Part
    rest: Part
    after: Part

    @property
    def tosa(self) -> tuple[Part, Part]:
        """Those that are converted."""
        return self.before, self.after


class _Piece(NamedTuple):
    """A part as a model, and by the places that a refusal names the numbers of the operators that it is about."""

    model: Model
    places: dict[str, set[int]]


def _refusals(piece: _Piece, check: Check) -> tuple[dict[int, str], set[int]]:
    """The operators that can't be converted with the reasons, and those of which nothing is left to compute."""
    if not piece.model.main.ops:
        return {}, set()
    refused: dict[int, str] = {}
    free, computed = set[int](), set[int]()
    for op in check(piece.model).operators:
        numbers = piece.places.get(op.location, set())
        if op.reason and not numbers:
            raise UnsupportedError(f"{op.location}: {op.reason}")
        refused.update((i, op.reason) for i in numbers if op.reason)
        (computed if op.becomes else free).update(numbers)
    return refused, free - computed - refused.keys()


class Whole:
    """A model whose operators all have places; operators are told by their numbers in its main graph."""

    def __init__(self, model: Model, shapes: Mapping[str, Shape]) -> None:
        self.model = copy_model(model)
        self.graph = self.model.main
        inputs = {value: shapes[value.name] for value in self.graph.inputs if value.name in shapes}
        self.resized = any(shape != self.model.default_shapes.get(v, v.type.shape) for v, shape in inputs.items())
        self.sizes: dict[Value, Shape] = {**({} if shapes else self.model.default_shapes), **inputs}
        for i, op in enumerate(self.graph.ops):
            op.location = op.location or f"{self.graph.name}:{i} {op.name}"
        self.makers = {value: i for i, op in enumerate(self.graph.ops) for value in op.results}
        self.ops = [i for i in range(len(self.graph.ops)) if not self.constant(i)]
        self.places = self._places()

    def operands(self, i: int) -> list[int]:
        """The operators that make an operator's operands, constants left out."""
        makers = [self.makers[value] for value in self.graph.ops[i].operands if value in self.makers]
        return [maker for maker in makers if not self.constant(maker)]

    def constant(self, i: int) -> bool:
        """Whether an operator is what the reader has for a constant."""
        return self.graph.ops[i].declares

    def parts(self, refused: Collection[int], free: set[int]) -> _Parts:
        """The main graph, divided by what can't be converted."""
        behind, feeding = set(refused), set(refused)
        for i in self.ops:
            if not behind.isdisjoint(self.operands(i)):
                behind.add(i)
        for i in reversed(self.ops):
            if i in feeding:
                feeding.update(self.operands(i))
        before = [i for i in self.ops if i not in behind]
        known = free & set(before)
        rest = self.closed([i for i in self.ops if i in behind & feeding], known)
        after = self.closed([i for i in self.ops if i in behind - feeding], known)
        parts = [self._part(group) for group in (before, rest, after)]
        home = 0 if before else 2
        return _Parts(*(self._less(part, parts, constants=i == home, own=i == 0) for i, part in enumerate(parts)))

    def _part(self, group: Sequence[int]) -> Part:
        """Operators with all that they read from elsewhere and all that they make."""
        made = [value for i in group for value in self.graph.ops[i].results]
        read = dict.fromkeys(value for i in group for value in self.graph.ops[i].operands)
        inputs = [v for v in read if v not in set(made) and (v not in self.makers or not self.constant(self.makers[v]))]
        return Part(group, inputs, made)

    def _less(self, part: Part, parts: Sequence[Part], *, constants: bool, own: bool) -> Part:
        """A part that gives what another one takes, or the graph gives, and that no part before it has given."""
        taken = {value for other in parts for value in other.inputs} | set(self.graph.outputs)
        given = set() if own else set(parts[0].outputs)
        outputs = [value for value in part.outputs if value in taken and value not in given]
        further = [v for v in dict.fromkeys(self.graph.outputs) if v in self.makers and self.constant(self.makers[v])]
        return part._replace(outputs=outputs + (further if constants else []))

    def closed(self, ops: Sequence[int], free: Collection[int]) -> list[int]:
        """Operators with those before them of which nothing is left to compute, once more: shapes must be known."""
        found = set(ops)
        for i in reversed(self.ops):
            if i in found:
                found.update(maker for maker in self.operands(i) if maker in free)
        return sorted(found)

    def _places(self) -> dict[str, set[int]]:
        """What refusals name: an operator, those of graphs that it calls, an input or an output."""
        found: dict[str, set[int]] = {}
        for i in self.ops:
            for place in self._inside(self.graph.ops[i]):
                found.setdefault(place, set()).add(i)
            for value in self.graph.ops[i].operands:
                found.setdefault(f"graph input {value.name!r}", set()).add(i)
            for value in self.graph.ops[i].results:
                found.setdefault(f"graph output {value.name!r}", set()).add(i)
        return found

    def _inside(self, op: Op) -> list[str]:
        """An operator's place and those of all operators in graphs that it calls."""
        called = reached(Model({**self.model.graphs, "": Graph("", ops=[op])}, opset="tfl"), "")[1:]
        return [op.location, *(inner.location for name in called for inner in self.model.graphs[name].walk())]

    def piece(self, part: Part, shapes: dict[Value, TensorType] | None = None) -> _Piece:
        """A part as a model of its own, whose inputs may have types that are known better than from the file."""
        keep = {*part.ops, *(self.makers[v] for i in part.ops for v in self.graph.ops[i].operands if v in self.makers)}
        keep |= {self.makers[value] for value in part.outputs}
        own = set(part.ops)
        ops = [self.graph.ops[i] for i in sorted(keep) if i in own or self.constant(i)]
        graph, values = cut_out(self.graph.name, ops, part.inputs, part.outputs, shapes or {})
        model = self.model.with_graphs({**self.model.graphs, graph.name: graph}, values)
        model.notes += self.model.notes
        model.extras = moved_extras(self.model, {**values, **dict(zip(ops, graph.ops, strict=True))})
        entries = {value for each in model.graphs.values() for value in each.inputs}
        model.default_shapes = {value: shape for value, shape in model.default_shapes.items() if value in entries}
        model.signatures, model.metadata, model.edited = {}, {}, True
        return _Piece(restricted(model, reached(model, graph.name)), self.places)


class _Chain:
    """The graph of steps in the making; `types` are of the source's tensors as TOSA pieces have them."""

    def __init__(self, source: Whole, parts: _Parts, convert: Convert) -> None:
        self.source = source
        self.parts = parts
        self.convert = convert
        self.types: dict[Value, TensorType] = {}
        self.steps: list[tuple[Model, Part]] = []

    def model(self, reasons: Sequence[tuple[str, str]]) -> Model:
        """The chain, with a note for what can't be converted."""
        for number, part in enumerate(self.parts):
            if part.outputs:
                self._step(part, tosa=number != 1)
        reports = [model.report for model, _ in self.steps if isinstance(model, Converted)]
        new = Model({"main": self._graph()}, source=self.source.model.source, opset="chain")
        new.edited, new.notes = True, list(reasons)
        new.metadata["numerics"] = reports[0].numerics
        new.notes += dict.fromkeys((note.location, note.text) for report in reports for note in report.notes)
        return new

    def _graph(self) -> Graph:
        """The steps in order; tensors have their callers' names, else those of the source."""
        graph, called = self.source.graph, self.source.model.called(self.source.graph)
        every = [*graph.inputs, *(value for _, part in self.steps for value in part.outputs)]
        names = dict(zip(every, unique_names(called.get(value, value.name) for value in every), strict=True))
        values = {value: Value(self._type(value), names[value]) for value in graph.inputs}
        chain = Graph("main", values.values())
        for model, part in self.steps:
            operands, types = [values[value] for value in part.inputs], list(map(self._type, part.outputs))
            op = Op(STEP, operands, types, {"model": model}, result_names=[names[value] for value in part.outputs])
            chain.ops.append(op)
            values.update(zip(part.outputs, op.results, strict=True))
        chain.outputs = [values[value] for value in graph.outputs]
        return chain

    def _step(self, part: Part, *, tosa: bool) -> None:
        types = {value: value.type._replace(shape=self._type(value).shape) for value in part.inputs}
        unknown = [f"{value.name!r} is {type}" for value, type in types.items() if None in type.shape]
        if tosa and unknown:
            raise UnsupportedError("only LiteRT knows what these are with other input shapes:", *listed(unknown))
        piece = self.source.piece(part, types).model
        model: Model = self.convert(piece) if tosa else piece
        self.steps.append((model, part))
        if not tosa and (self.source.resized or any(map(self._differs, part.inputs))):
            # The file states the shapes that its tensors have with its own input shapes.
            self.types.update((value, value.type._replace(shape=(None,) * value.type.rank)) for value in part.outputs)
        if tosa:
            new = (
                *zip(part.inputs, model.main.inputs, strict=True),
                *zip(part.outputs, model.main.outputs, strict=True),
            )
            self.types.update((old, old.type._replace(shape=made.type.shape)) for old, made in new)

    def _differs(self, value: Value) -> bool:
        """Whether a tensor has another shape than the file states."""
        sizes = zip(self._type(value).shape, value.type.shape, strict=True)
        return any(stated not in (None, size) for size, stated in sizes)

    def _type(self, value: Value) -> TensorType:
        """A tensor's type between steps."""
        known = self.types.get(value)
        return signless(value.type, known.shape if known else self.source.sizes.get(value, value.type.shape))
