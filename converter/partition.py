"""Partial conversion: what converts becomes at most two TOSA models, the rest of the source stands between them.

Operators that don't depend on one that can't be converted are the first piece, those that depend on one and feed none
the second; what lies between two of them stays with them. A shape that is computed goes to whoever needs it known.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from tosa_converter.conversion import Converted
from tosa_converter.coverage import Coverage
from tosa_converter.errors import UnsupportedError, UsageError, listed
from tosa_converter.extraction import called_graphs, cut_model, run_operands
from tosa_converter.formats.chain import STEP
from tosa_converter.ir import Graph, Model, Op, Shape, TensorType, Value, unique_names
from tosa_converter.ir.edit import copy_model
from tosa_converter.rewriting.match import signless
from tosa_converter.rewriting.signatures import split_by_signature
from tosa_converter.schemas.tfl_ops import STATE

Check = Callable[[Model], Coverage]
Convert = Callable[[Model], Converted]


def partition(model: Model, check: Check, convert: Convert, shapes: Mapping[str, Shape]) -> Model:
    """Returns a TFLite model as a chain of steps: TOSA pieces, and what can't be converted between them.

    The chain is a graph of operators `chain.step`, each of which holds a model.

    Args:
        model: a TFLite model without state, of one signature.
        check: returns what each operator of a model becomes, or why it is refused.
        convert: converts a model.
        shapes: the user's input shapes by name; other inputs keep the file's.

    Raises:
        UsageError: a model of several signatures, or of other operators.
        UnsupportedError: no operator converts, the model has state, or the target lacks something that a piece needs.
    """
    if model.opset != "tfl":
        raise UsageError(f"{model.source}: --partial is for TFLite models, this is of {model.opset} operators")
    if len(split_by_signature(model)) > 1:
        raise UsageError(f"{model.source}: a chain has one signature, expected one of {', '.join(model.signatures)}")
    stateful = [op.location for graph in model.graphs.values() for op in graph if op.name in STATE]
    if stateful:
        advice = "next: convert it whole: --plugin adds rules for what isn't supported"
        raise UnsupportedError("a model with state isn't split:", *listed(stateful), advice, places=stateful)
    source = _Source(model, shapes)
    # Operators in `free` become nothing: their results, such as shapes, are known at conversion.
    refused, free = _find_refused(source.model, source.places, check)
    parts = source.parts(refused, free)
    # The first and the last part have no operator of `refused`, but as models of their own they may have others that
    # can't be converted. Each turn adds at least one of these, so there are at most as many turns as operators.
    while more := {op: why for part in parts[::2] for op, why in source.refusals(part, check).items()}:
        refused |= more
        parts = source.parts(refused, free)
    reasons = [(op.location, refused[op]) for op in source.ops if op in refused]
    if not any(part.outputs for part in parts[::2]):
        places = [f"{place}: {why}" for place, why in reasons]
        fault = "cannot split: every part of the model has unsupported operators:"
        raise UnsupportedError(fault, *listed(places), places=places)
    return _Chain(source, convert).model(parts, reasons)


class Part(NamedTuple):
    """Operators of the main graph, the values that they read from elsewhere, and those that others read of theirs."""

    ops: Sequence[Op]
    inputs: Sequence[Value]
    outputs: Sequence[Value]


Places = Mapping[str, set[Op]]  # by the location in a refusal, the operators that it is about


def _find_refused(model: Model, places: Places, check: Check) -> tuple[dict[Op, str], set[Op]]:
    """Returns the operators that can't be converted with the reasons, and those that need no TOSA operator.

    The latter have results that are known at conversion, such as shapes. `check` refuses operators by their location,
    for which `places` has the operators of the main graph; a location that it lacks raises UnsupportedError.
    """
    refused: dict[Op, str] = {}
    free, computed = set[Op](), set[Op]()
    for row in check(model).operators if model.main.ops else ():
        ops = places.get(row.location, set())
        if row.reason and not ops:
            raise UnsupportedError(f"{row.location}: {row.reason}")
        refused.update((op, row.reason) for op in ops if row.reason)
        (computed if row.becomes else free).update(ops)
    return refused, free - computed - refused.keys()


class _Source:
    """A copy of the source whose operators all have locations; `ops` are those of the main graph that compute."""

    def __init__(self, model: Model, shapes: Mapping[str, Shape]) -> None:
        """Copies a model for its conversion in part: names a location for every operator, and applies `shapes`.

        `shapes` are the user's input shapes, by name; with some, the file's default shapes of other inputs don't count.
        """
        self.model = copy_model(model)
        self.graph = self.model.main
        inputs = {value: shapes[value.name] for value in self.graph.inputs if value.name in shapes}
        self.resized = any(shape != self.model.default_shapes.get(v, v.type.shape) for v, shape in inputs.items())
        self.sizes: dict[Value, Shape] = {**({} if shapes else self.model.default_shapes), **inputs}
        for i, op in enumerate(self.graph.ops):
            op.location = op.location or f"{self.graph.name}:{i} {op.name}"
        self.ops = [op for op in self.graph.ops if not op.declares]
        self.places = self._places()

    def parts(self, refused: Collection[Op], free: set[Op]) -> list[Part]:
        """Returns three parts of the main graph: before the refused operators, around them, and behind them.

        The first depends on no refused operator; the second has these and what lies between them; the third depends on
        them, but they don't depend on it. A part also has the `free` operators that it needs, whose results are known
        at conversion.
        """
        # Refused operators with those that depend on one, and with those that one depends on.
        # Of a chain a, B, c, D, e with B and D refused, `behind` gets B, c, D, e and `feeding` a, B, c, D: the parts
        # are a, then B, c, D, then e.
        behind, feeding = set(refused), set(refused)
        for op in self.ops:
            if not behind.isdisjoint(_producers(op)):
                behind.add(op)
        for op in reversed(self.ops):
            if op in feeding:
                feeding.update(_producers(op))
        free = free - behind
        groups = [
            [op for op in self.ops if op not in behind],
            self._with_shapes(behind & feeding, free),
            self._with_shapes(behind - feeding, free),
        ]
        results = [dict.fromkeys(value for op in group for value in op.results) for group in groups]
        operands = [dict.fromkeys(value for op in group for value in run_operands(op)) for group in groups]
        inputs = [[v for v in operands[i] if v not in results[i]] for i in range(3)]
        read = {*self.graph.outputs, *(value for values in inputs for value in values)}
        outputs = [[v for v in results[i] if v in read and (i == 0 or v not in results[0])] for i in range(3)]
        # Outputs that are constants go to a part that is converted.
        constants = [v for v in dict.fromkeys(self.graph.outputs) if v.producer is not None and v.producer.declares]
        outputs[0 if groups[0] else 2] += constants
        return [Part(*fields) for fields in zip(groups, inputs, outputs, strict=True)]

    def _with_shapes(self, ops: Collection[Op], free: Collection[Op]) -> list[Op]:
        """Returns operators in order, together with the `free` operators that they depend on.

        The results of `free` operators are known at conversion, and with them shapes that depend on these results.
        """
        needed = set(ops)
        for op in reversed(self.ops):
            if op in needed:
                needed.update(producer for producer in _producers(op) if producer in free)
        return [op for op in self.ops if op in needed]

    def _places(self) -> Places:
        """Returns the main graph's operators by each location that a refusal may name.

        That is the operator's own location, that of an operator in a graph that it calls, or a graph input or output
        that it reads or computes.
        """
        places: dict[str, set[Op]] = {}
        for op in self.ops:
            called = (inner.location for graph in called_graphs(self.model, op) for inner in graph.walk())
            inputs = (f"graph input {value.name!r}" for value in op.operands)
            outputs = (f"graph output {value.name!r}" for value in op.results)
            for place in (op.location, *called, *inputs, *outputs):
                places.setdefault(place, set()).add(op)
        return places

    def piece(self, part: Part, types: Mapping[Value, TensorType] = MappingProxyType({})) -> Model:
        """Returns a part of the source as a model of its own; `types` narrow the file's types of its inputs."""
        return cut_model(self.model, set(part.ops), part.inputs, part.outputs, types)

    def refusals(self, part: Part, check: Check) -> dict[Op, str]:
        """Returns the operators of a part that `check` refuses when the part is a model by itself, with the reasons."""
        return _find_refused(self.piece(part), self.places, check)[0]


def _producers(op: Op) -> list[Op]:
    """Returns the operators whose results an operator reads in a run, without constants."""
    return [value.producer for value in run_operands(op) if value.producer is not None]


class _Chain:
    """The graph of steps in the making; `types` are of the source's tensors as TOSA pieces have them."""

    def __init__(self, source: _Source, convert: Convert) -> None:
        """Starts a chain, the model of a source that is converted in part; `convert` makes TOSA of a part.

        `steps` collects the parts with their models, `types` the types that the source's tensors have in converted
        parts.
        """
        self.source, self.convert = source, convert
        self.types: dict[Value, TensorType] = {}
        self.steps: list[tuple[Model, Part]] = []

    def model(self, parts: Sequence[Part], reasons: Sequence[tuple[str, str]]) -> Model:
        """Returns the chain as a model: TOSA, the operators that can't be converted (part 1), and TOSA again.

        Parts without outputs are left out. The notes are `reasons`, one for each operator that can't be converted, and
        those of the conversions.
        """
        for number, part in enumerate(parts):
            if part.outputs:
                self._add_step(part, tosa=number != 1)
        reports = [model.report for model, _ in self.steps if isinstance(model, Converted)]
        chain = Model({"main": self._graph()}, source=self.source.model.source, opset="chain")
        chain.edited, chain.notes = True, list(reasons)
        chain.metadata["numerics"] = reports[0].numerics
        chain.notes += dict.fromkeys((note.location, note.text) for report in reports for note in report.notes)
        return chain

    def _graph(self) -> Graph:
        """Returns the graph of the steps in order; inputs and outputs have the names that the source's callers know."""
        graph, caller_names = self.source.graph, self.source.model.caller_names(self.source.graph)
        tensors = [*graph.inputs, *(value for _, part in self.steps for value in part.outputs)]
        names = dict(zip(tensors, unique_names(caller_names.get(value, value.name) for value in tensors), strict=True))
        values = {value: Value(self._type(value), names[value]) for value in graph.inputs}
        chain = Graph("main", values.values())
        for model, part in self.steps:
            operands, types = [values[value] for value in part.inputs], list(map(self._type, part.outputs))
            op = Op(STEP, operands, types, {"model": model}, result_names=[names[value] for value in part.outputs])
            chain.ops.append(op)
            values.update(zip(part.outputs, op.results, strict=True))
        chain.outputs = [values[value] for value in graph.outputs]
        return chain

    def _add_step(self, part: Part, *, tosa: bool) -> None:
        """Adds a part to the chain, converted if it is to be TOSA, and records its tensors' shapes in `types`.

        If inputs have other shapes than the file states, the shapes behind a part that isn't converted are unknown.

        Raises:
            UnsupportedError: a part for TOSA has inputs of unknown shape.
        """
        types = {value: value.type._replace(shape=self._type(value).shape) for value in part.inputs}
        unknown = [f"{value.name!r} is {type}" for value, type in types.items() if None in type.shape]
        if tosa and unknown:
            raise UnsupportedError("only LiteRT knows what these are with other input shapes:", *listed(unknown))
        piece = self.source.piece(part, types)
        model: Model = self.convert(piece) if tosa else piece
        self.steps.append((model, part))
        if tosa:
            old, new = (*part.inputs, *part.outputs), (*model.main.inputs, *model.main.outputs)
            shapes = {value: tensor.type.shape for value, tensor in zip(old, new, strict=True)}
        elif self.source.resized or any(map(self._is_resized, part.inputs)):
            # The file states the shapes that its tensors have with its own input shapes.
            shapes = {value: (None,) * value.type.rank for value in part.outputs}
        else:
            return
        self.types.update((value, value.type._replace(shape=shape)) for value, shape in shapes.items())

    def _is_resized(self, value: Value) -> bool:
        """Returns whether a tensor has another shape than the file states; sizes that it leaves open don't count."""
        sizes = zip(self._type(value).shape, value.type.shape, strict=True)
        return any(stated not in (None, size) for size, stated in sizes)

    def _type(self, value: Value) -> TensorType:
        """Returns the type that a tensor has between steps: signless as in TOSA, in the shape of the converted parts.

        If no converted part has the tensor, the shape is that of the user's inputs, or else the file's.
        """
        if value in self.types:
            return signless(value.type, self.types[value].shape)
        return signless(value.type, self.source.sizes.get(value, value.type.shape))
