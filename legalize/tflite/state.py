"""State as data flow: what lasts from run to run is read where a graph begins and stored where it ends.

A file has it as variables of a resource (VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE, with CALL_ONCE for what they begin
with), and as tensors that recurrent operators change. Between reading and storing nothing is left of either: values go
from operator to operator and through the graphs of control flow, and an operator that changes tensors has one more
result for each of them.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import CONSTANTS, NEXT, Array, Graph, Model, Op, State, TensorType, Value, unique_names
from tosa_converter.schemas.tfl_ops import STATE

READ, STORE, ALIAS = "tfl.pseudo_read", "tfl.pseudo_store", "tfl.pseudo_alias"
TENSOR, HANDLE = "tfl.pseudo_variable", "tfl.var_handle"
# Operators that change the variable tensors among their operands.
CHANGING = frozenset(
    f"tfl.{name}"
    for name in (
        "bidirectional_sequence_lstm",
        "bidirectional_sequence_rnn",
        "lstm",
        "rnn",
        "svdf",
        "unidirectional_sequence_lstm",
        "unidirectional_sequence_rnn",
    )
)
TESTS = frozenset({"tfl.while", "tfl.stablehlo_while"})  # the first graph gives a condition only
Initial: TypeAlias = Callable[[Graph], Sequence[Array | None]]


def explicit(model: Model, initial: Initial, *, io: bool) -> Model:
    """The model with its state read, handed on and stored.

    Args:
        model: whose calls have been resolved.
        initial: computes the outputs of a graph without inputs; None for one that isn't constant.
        io: have state as inputs and outputs of the graphs, behind the others, which `Model.states` names.

    Raises:
        FormatError: a handle that no variable has; a variable that is read or changed where it can't be.
        UnsupportedError: what a variable begins with is known to the run only.
    """
    file = _File(initial, {}, {}, {}, {})
    if not any(file.uses(graph) for graph in model.graphs.values()):
        return model
    threads = {name: _Thread(file, Graph(name, graph.inputs), {}) for name, graph in model.graphs.items()}
    for name, thread in threads.items():
        thread.add(model.graphs[name])
        thread.new.outputs = [thread.now(value) for value in model.graphs[name].outputs]
    read = {key for thread in threads.values() for key in thread.read}
    changed = {key for thread in threads.values() for key in thread.changed}
    outputs: dict[Value, Value] = {}
    new = Model({}, {}, model.metadata, model.source, model.default_shapes, model.empty)
    for name, thread in threads.items():
        outputs.update(zip(model.graphs[name].outputs, thread.new.outputs, strict=True))
        thread.settle(read & changed)
        if io:
            new.states[name] = _moved_to_the_border(thread.new)
        new.graphs[name] = thread.new
    new.signatures = {name: s.moved({}, outputs) for name, s in model.signatures.items()}
    return new


class _File(NamedTuple):
    """What the graphs share: what variables begin with and their types by name, and what is known of graphs."""

    initial: Initial
    begins: dict[str, Array]
    types: dict[str, TensorType]
    touched: dict[tuple[Graph, tuple[str, ...]], tuple[str, ...]]
    using: dict[Graph, bool]

    def uses(self, graph: Graph) -> bool:
        """Whether a graph or one in it has state."""
        if graph not in self.using:
            self.using[graph] = any(
                op.name in STATE or any(self.uses(region) for region in op.regions) for op in graph.ops
            )
        return self.using[graph]

    def names(self, graph: Graph, handles: Sequence[str]) -> tuple[str, ...]:
        """The variables that a graph of control flow reads or changes, whose inputs are these handles, or none ("")."""
        key = graph, tuple(handles)
        if key not in self.touched:
            found: dict[str, None] = {}
            known = dict(zip(graph.inputs, handles, strict=True))
            for op in graph.ops:
                if op.name in (HANDLE, TENSOR):
                    known[op.result] = self.declared(op)
                    found.update({known[op.result]: None} if op.name == TENSOR else {})
                elif op.name in ("tfl.read_variable", "tfl.assign_variable"):
                    found[_variable(op, known)] = None
                elif op.name == "tfl.call_once":
                    raise FormatError(f"{op.location}: a CALL_ONCE inside control flow")
                for region, given in zip(op.regions, _given(op), strict=True):
                    if len(given) == len(region.inputs):
                        found.update(dict.fromkeys(self.names(region, [_known(known, value) for value in given])))
            self.touched[key] = tuple(found)
        return self.touched[key]

    def declared(self, op: Op) -> str:
        """The name of the variable that a handle or a variable tensor stands for."""
        if op.name == HANDLE:
            container, name = op.attributes["container"], op.attributes["shared_name"]
            return f"{container}/{name}" if container else name or "variable"
        name = f"{op.result.name} at {op.location}"
        if name not in self.begins:
            type = op.result.type
            zero = type.quant.zero_point[0] if type.dtype is DType.I8 and type.quant is not None else 0
            self.begins[name] = np.full(type.static, zero, type.dtype.numpy)  # ResetVariableTensors of LiteRT
            self.types[name] = type
        return name


def _variable(op: Op, known: dict[Value, str]) -> str:
    name = _known(known, op.inputs[0])
    if not name:
        raise FormatError(f"{op.location}: operand 0 is no handle of a variable")
    return name


def _known(known: dict[Value, str], value: Value | None) -> str:
    return "" if value is None else known.get(value, "")


def _given(op: Op) -> list[Sequence[Value | None]]:
    """What the graphs of an operator get of its operands: all, or all behind what chooses between them."""
    return [op.inputs if op.name in TESTS else op.inputs[1:]] * len(op.regions)


class _Thread:
    """One graph on the way: where each variable stands now, and what became of the source's values."""

    def __init__(self, file: _File, new: Graph, now: dict[str, Value]) -> None:
        self.file = file
        self.new = new
        self.standing = now
        self.values: dict[Value, Value] = {}
        self.handles: dict[Value, str] = {}
        self.read: dict[str, Op] = {}
        self.changed: set[str] = set()

    def now(self, value: Value) -> Value:
        """What a value of the source is here."""
        return self.values.get(value, value)

    def operands(self, op: Op) -> list[Value | None]:
        """The operands of an operator, variable tensors as they stand."""
        return [
            None if value is None else self.current(self.handles[value]) if value in self.handles else self.now(value)
            for value in op.inputs
        ]

    def current(self, name: str, type: TensorType | None = None) -> Value:
        """Where a variable stands; it is read at the graph's begin if nothing here has changed it."""
        if name not in self.standing:
            begin = self.file.begins.get(name)
            type = self.file.types.get(name, type)
            assert type is not None
            op = Op(READ, (), [type], {"name": name, "initial": begin}, location=name, result_names=[name])
            self.read[name] = op
            self.new.ops.append(op)
            self.standing[name] = op.result
        return self.standing[name]

    def add(self, graph: Graph) -> None:
        """The operators of a graph."""
        for op in graph.ops:
            if op.name in (HANDLE, TENSOR):
                self.handles[op.result] = self.file.declared(op)
            elif op.name == "tfl.read_variable":
                self.alias(op, self.current(_variable(op, self.handles), op.result.type))
            elif op.name == "tfl.assign_variable":
                self.change(_variable(op, self.handles), self.assigned(op))
            elif op.name == "tfl.call_once":
                self.begin(op)
            elif op.name in CONSTANTS:
                self.new.ops.append(op)
            elif any(self.file.uses(region) for region in op.regions) or self.handed(op):
                self.control(op)
            else:
                self.operator(op)

    def handed(self, op: Op) -> bool:
        """Whether a graph of an operator is given a handle."""
        return bool(op.regions) and any(value in self.handles for value in op.inputs)

    def alias(self, op: Op, value: Value) -> None:
        """A value under another name, and with the quantization that the file has there."""
        new = Op(ALIAS, [value], [op.result.type], location=op.location, result_names=[op.result.name])
        self.new.ops.append(new)
        self.values[op.result] = new.result

    def assigned(self, op: Op) -> Value:
        """The value of an ASSIGN_VARIABLE."""
        value = op.inputs[1]
        if value is None or value in self.handles:
            raise FormatError(f"{op.location}: operand 1 is no value")
        return self.now(value)

    def change(self, name: str, value: Value) -> None:
        """Have a variable stand at a value from here on."""
        self.file.types.setdefault(name, value.type)
        self.standing[name] = value
        self.changed.add(name)

    def operator(self, op: Op) -> None:
        """An operator; one that changes tensors gets a result for each."""
        changing = [self.handles[value] for value in op.operands if value in self.handles]
        if changing and op.name not in CHANGING:
            changing = []
        states = [self.file.types[name] for name in changing]
        types, names = [value.type for value in op.results], [value.name for value in op.results]
        new = Op(
            op.name,
            self.operands(op),
            [*types, *states],
            op.attributes,
            regions=op.regions,
            location=op.location,
            result_names=[*names, *changing],
        )
        self.new.ops.append(new)
        self.values.update(zip(op.results, new.results, strict=False))
        for name, value in zip(changing, new.results[len(types) :], strict=True):
            self.change(name, value)

    def begin(self, op: Op) -> None:
        """What a CALL_ONCE assigns is what variables begin with."""
        for graph in op.regions:
            thread = _Thread(self.file, Graph(graph.name, graph.inputs), {})
            thread.add(graph)
            early = sorted(thread.changed & self.standing.keys())
            if early or thread.read or graph.inputs:
                what = f"variable {early[0]!r} is used before it" if early else "its graph reads what it doesn't assign"
                raise FormatError(f"{op.location}: {what}")
            names = [name for name in sorted(thread.changed) if name not in self.file.begins]
            thread.new.outputs = [thread.standing[name] for name in names]
            for name, array in zip(names, self.computed(op, thread.new), strict=True):
                type = thread.standing[name].type
                self.file.begins[name] = (
                    array.view(type.dtype.numpy)
                    if array.dtype.itemsize == type.dtype.bits // 8
                    else array.astype(type.dtype.numpy)
                )
                self.file.types[name] = type._replace(shape=array.shape)

    def computed(self, op: Op, graph: Graph) -> list[Array]:
        """The outputs of a graph without inputs."""
        known = [value.constant for value in graph.outputs]
        if any(array is None for array in known):
            known = list(self.file.initial(graph))
        found = [array for array in known if array is not None]
        if len(found) < len(known):
            raise UnsupportedError(f"{op.location}: what a variable begins with isn't constant")
        return found

    def control(self, op: Op) -> None:
        """An operator with graphs: the variables that one of them touches are operands and results besides."""
        given = _given(op)[0]
        bound = [_known(self.handles, value) for value in given]
        fitting = all(len(given) == len(region.inputs) for region in op.regions)
        if not fitting:
            raise FormatError(f"{op.location}: {len(given)} operands for graphs of other numbers of inputs")
        names = list(dict.fromkeys(name for region in op.regions for name in self.file.names(region, bound)))
        before = [self.current(name) for name in names]
        regions = [
            self.inside(op, region, bound, names, test=op.name in TESTS and i == 0)
            for i, region in enumerate(op.regions)
        ]
        kept = [value for value in op.results if value.type.dtype is not DType.RESOURCE]
        inputs = [None if v is None else self.now(v) for v in op.inputs if v is None or v not in self.handles]
        new = Op(
            op.name,
            [*inputs, *before],
            [value.type for value in (*kept, *before)],
            op.attributes,
            regions=regions,
            location=op.location,
            result_names=[*(value.name for value in kept), *names],
        )
        self.new.ops.append(new)
        self.values.update(zip(kept, new.results, strict=False))
        for name, value in zip(names, new.results[len(kept) :], strict=True):
            self.change(name, value)
        if op.name in TESTS:  # a loop hands its handles on
            self.handles.update((r, name) for r, name in zip(op.results, bound, strict=False) if name)

    def inside(self, op: Op, region: Graph, bound: Sequence[str], names: Sequence[str], *, test: bool) -> Graph:
        """A graph of control flow that takes and gives the variables `names`; `test`: it gives a condition only."""
        states = [Value(self.file.types[name], name) for name in names]
        plain = [value for value, name in zip(region.inputs, bound, strict=True) if not name]
        thread = _Thread(self.file, Graph(region.name, [*plain, *states]), dict(zip(names, states, strict=True)))
        thread.handles.update((value, name) for value, name in zip(region.inputs, bound, strict=True) if name)
        thread.add(region)
        if test and thread.changed:
            raise FormatError(f"{op.location}: the condition changes variable {sorted(thread.changed)[0]!r}")
        for value, name in zip(region.outputs, bound, strict=False) if op.name in TESTS and not test else ():
            if thread.handles.get(value, "") != name:
                raise FormatError(f"{op.location}: the loop gives another variable than it takes")
        outputs = [thread.now(value) for value in region.outputs if value not in thread.handles]
        thread.new.outputs = outputs if test else [*outputs, *(thread.standing[name] for name in names)]
        return thread.new

    def settle(self, lasting: set[str]) -> None:
        """Store what the next run reads; what nothing ever changes is constant."""
        for name, op in self.read.items():
            begin = op.attributes["initial"]
            if name not in lasting and begin is not None:
                op.name, op.attributes = "tfl.pseudo_const", {"values": begin}
        for name in sorted(self.changed & lasting):
            value = self.standing[name]
            if name not in self.read or value is not self.read[name].result:
                attributes = {"name": name, "initial": self.file.begins.get(name), "declared": name in self.read}
                self.new.ops.append(Op(STORE, [value], (), attributes, location=name))


def _moved_to_the_border(graph: Graph) -> tuple[State, ...]:
    """Make inputs and outputs of what a graph reads and stores."""
    reads = {op.attributes["name"]: op for op in graph.ops if op.name == READ}
    stores = {op.attributes["name"]: op for op in graph.ops if op.name == STORE}
    names = list(dict.fromkeys((*reads, *stores)))
    taken = [value.name for value in (*graph.inputs, *graph.outputs)]
    inputs = unique_names(names, [*taken, *(name.removesuffix(NEXT) for name in taken)])
    moved: dict[Value, Value] = {}
    states = []
    for name, given in zip(names, inputs, strict=True):
        gone = given + NEXT
        kind = reads[name].result if name in reads else stores[name].operands[0]
        value = Value(kind.type, given)
        graph.inputs.append(value)
        moved |= {reads[name].result: value} if name in reads else {}
        result = stores[name].operands[0] if name in stores else value
        alias = Op(ALIAS, [result], [result.type], location=name, result_names=[gone])
        graph.ops.append(alias)
        graph.outputs.append(alias.result)
        states.append(State(given, gone, _in_32_bits(name, (reads.get(name) or stores[name]).attributes["initial"])))
    graph.ops = [op for op in graph.ops if op.name not in (READ, STORE)]
    for op in graph.ops:
        op.inputs = tuple([None if value is None else moved.get(value, value) for value in op.inputs])
    graph.outputs = [moved.get(value, value) for value in graph.outputs]
    return tuple(states)


def _in_32_bits(name: str, elements: Array | None) -> Array | None:
    """What a state begins with, of 64 bits as of 32."""
    if elements is None or elements.dtype != np.int64:
        return elements
    if (elements != elements.astype(np.int32)).any():
        raise UnsupportedError(f"state {name!r} begins with 64-bit elements that don't fit 32 bits")
    return elements.astype(np.int32)
