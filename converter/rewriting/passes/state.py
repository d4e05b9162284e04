"""The pass that makes state data flow: what lasts from run to run is read at a graph's begin and stored at its end.

A file has it as variables of a resource (VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE, with CALL_ONCE for what they begin
with), and as tensors that recurrent operators change; the counters of random operators are in no file. Between reading
and storing nothing is left of any: values go from operator to operator and through the graphs of control flow, and an
operator that changes tensors has one more result for each of them. One that counts has its counter as one more operand
and one more result.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, State, TensorType, Value, unique_names
from tosa_converter.rewriting.builder import computed
from tosa_converter.rewriting.passes.inline_calls import ALIAS
from tosa_converter.rewriting.passes.state_borders import READ, STORE, move_to_borders
from tosa_converter.rewriting.pipeline import Pass
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas.opsets import TFL_CONSTANT, VARIABLE
from tosa_converter.schemas.tfl_ops import CHOICES, COUNTING, LOOPS, STATE

TENSOR, HANDLE = VARIABLE, "tfl.var_handle"
OWN = COUNTING | {TENSOR}  # what declares its state where it stands
COUNTER = TensorType(DType.I32, (2,))  # 64 bits, the lower word first
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
CONTROL = CHOICES | LOOPS


def run(model: Model, options: Options, _report: Report, lowering: Pass, /) -> Model:
    """Returns the model with its state read, handed on and stored.

    Args:
        model: whose calls have been resolved.
        options: with `state` io, state becomes inputs and outputs of the graphs, behind the others; `Model.states`
            names them.
        lowering: the pass to TOSA, which computes what variables begin with.

    Raises:
        FormatError: a handle that no variable has; a variable that is read or changed where it can't be.
        UnsupportedError: TOSA has nothing like what is done to a variable.
    """
    file = _File(lowering, {}, {}, {}, {}, {}, {}, set(), set())
    threads = {name: _Thread(file, Graph(name, graph.inputs), {}) for name, graph in model.graphs.items()}
    for name, thread in threads.items():
        thread.add(model.graphs[name])
        thread.new.outputs = [thread.now(value) for value in model.graphs[name].outputs]
    read = {key for thread in threads.values() for key in thread.read}
    changed = {key for thread in threads.values() for key in thread.changed}
    outputs: dict[Value, Value] = {}
    states: dict[str, tuple[State, ...]] = {}
    for name, thread in threads.items():
        outputs.update(zip(model.graphs[name].outputs, thread.new.outputs, strict=True))
        thread.settle(read & changed)
        if options.state == "io":
            states[name] = move_to_borders(thread.new, file.types)
    new = model.with_graphs({name: thread.new for name, thread in threads.items()}, outputs=outputs)
    new.states = states
    return new


class _File(NamedTuple):
    """What the graphs share: what variables begin with and their types by name, and what is known of graphs."""

    lowering: Pass
    named: dict[tuple[str, ...], str]
    begins: dict[str, Array]
    types: dict[str, TensorType]
    touched: dict[tuple[Graph, tuple[str, ...]], tuple[str, ...]]
    using: dict[Graph, bool]
    begun: dict[Graph, tuple[str, ...]]
    tensors: set[str]
    counters: set[str]

    def uses(self, graph: Graph) -> bool:
        """Returns whether a graph or one in it has state."""
        if graph not in self.using:
            self.using[graph] = any(
                op.name in STATE or any(self.uses(region) for region in op.regions) for op in graph.ops
            )
        return self.using[graph]

    def names(self, graph: Graph, handles: Sequence[str]) -> tuple[str, ...]:
        """Returns the variables that a graph of control flow reads or changes; `handles` are its inputs', or ""."""
        key = graph, tuple(handles)
        if key not in self.touched:
            touched: dict[str, None] = {}
            bound = dict(zip(graph.inputs, handles, strict=True))
            for op in graph.ops:
                if op.name == HANDLE:
                    bound[op.result] = self.declared(op)
                elif op.name in OWN:
                    touched[self.declared(op)] = None
                elif op.name in ("tfl.read_variable", "tfl.assign_variable"):
                    name = _variable_of(op, bound)
                    touched[name] = None
                    self.typed(op, name, (*op.results, *op.operands[1:])[0].type)
                elif op.name == "tfl.call_once":
                    raise UnsupportedError(f"{op.location}: a CALL_ONCE inside control flow: TOSA has nothing like it")
                for region in op.regions if op.name in CONTROL else ():
                    handed = [_handle_of(bound, value) for value in _graph_operands(op)]
                    touched.update((name, None) for name in self.names(region, handed) if name not in self.tensors)
                if op.name in LOOPS:  # a loop hands its handles on
                    bound.update(zip(op.results, (_handle_of(bound, value) for value in op.inputs), strict=True))
            self.touched[key] = tuple(touched)
        return self.touched[key]

    def declared(self, op: Op) -> str:
        """Returns the name of the variable that a handle or tensor stands for, or that an operator counts in."""
        if op.name == HANDLE:
            return self.unique(op.attributes["container"], op.attributes["shared_name"])
        counting = op.name in COUNTING
        name = self.unique("", f"{'counter' if counting else op.result.name} at {op.location}", op.name)
        if name not in self.begins:
            type = COUNTER if counting else op.result.type
            zero = type.quant.zero_point[0] if type.dtype is DType.I8 and type.quant is not None else 0
            self.begins[name] = np.full(type.static, zero, type.dtype.numpy)  # ResetVariableTensors of LiteRT
            self.types[name] = type
            (self.counters if counting else self.tensors).add(name)
        return name

    def unique(self, *key: str) -> str:
        """Returns the name of what has this key."""
        if key not in self.named:
            plain = "/".join(filter(None, key[:2])) or "variable"
            (self.named[key],) = unique_names([plain], self.named.values())
        return self.named[key]

    def typed(self, op: Op, name: str, type: TensorType) -> None:
        """Notes a variable's type where an operator reads or changes it.

        Raises:
            UnsupportedError: it is of another one elsewhere.
        """
        declared = self.types.setdefault(name, type)
        if declared.dtype is not type.dtype:
            raise UnsupportedError(f"{op.location}: variable {name!r} is {type} here and {declared} elsewhere")


def _variable_of(op: Op, handles: dict[Value, str]) -> str:
    """Returns the variable that an operator reads or changes, by its first operand."""
    name = _handle_of(handles, op.inputs[0])
    if not name:
        raise FormatError(f"{op.location}: operand 0 is no handle of a variable")
    return name


def _handle_of(handles: dict[Value, str], value: Value | None) -> str:
    """Returns the variable whose handle a value is, "" if it is none."""
    return "" if value is None else handles.get(value, "")


def _graph_operands(op: Op) -> Sequence[Value | None]:
    """Returns what the graphs of an operator get of its operands: all, or all behind the one that chooses."""
    return op.inputs if op.name in LOOPS else op.inputs[1:]


class _Thread:
    """One graph on the way: where each variable stands now, and what became of the source's values."""

    def __init__(self, file: _File, new: Graph, states: dict[str, Value]) -> None:
        self.file = file
        self.new = new
        self.states = states  # by name, what a graph of control flow is given
        self.standing: dict[str, Value] = {}
        self.values: dict[Value, Value] = {}
        self.handles: dict[Value, str] = {}
        self.tensors: dict[Value, str] = {}
        self.read: dict[str, Op] = {}
        self.used: set[str] = set()
        self.seen: set[str] = set()  # variables that this graph itself reads as they begin
        self.changed: set[str] = set()
        self.begun: set[str] = set()

    def now(self, value: Value) -> Value:
        """Returns what a value of the source is now; of a variable tensor its current value.

        Raises:
            FormatError: it is a handle.
        """
        if value in self.tensors:
            return self.current(self.tensors[value])
        if value in self.handles:
            raise FormatError(f"{value.name!r}, the handle of variable {self.handles[value]!r}, is used as a value")
        return self.values.get(value, value)

    def current(self, name: str) -> Value:
        """Returns a variable's current value; it is read at the graph's begin if nothing in it has changed it."""
        if name not in self.standing:
            self.used.add(name)
            self.standing[name] = self.states[name] if name in self.states else self.reading(name)
        return self.standing[name]

    def reading(self, name: str) -> Value:
        """Returns what the run before left in a variable."""
        attributes = {"name": name, "initial": self.file.begins.get(name), "unset": False}
        op = Op(READ, (), [self.file.types[name]], attributes, location=name, result_names=[name])
        self.read[name] = op
        self.new.ops.append(op)
        return op.result

    def add(self, graph: Graph) -> None:
        """Adds the operators of a graph."""
        for op in graph.ops:
            if op.name in (HANDLE, TENSOR):
                (self.handles if op.name == HANDLE else self.tensors)[op.result] = self.file.declared(op)
            elif op.name == "tfl.read_variable":
                name = _variable_of(op, self.handles)
                self.file.typed(op, name, op.result.type)
                value = self.current(name)
                self.seen.update([name] if name in self.read and value is self.read[name].result else ())
                self.alias(op, value)
            elif op.name == "tfl.assign_variable":
                self.assign(op)
            elif op.name == "tfl.call_once":
                self.begin(op)
            elif op.name in CONSTANTS:
                self.new.ops.append(op)
            elif op.name in CONTROL and self.stateful(op):
                self.control(op)
            else:
                self.operator(op)

    def stateful(self, op: Op) -> bool:
        """Returns whether a graph of an operator has state or gets a handle."""
        return any(map(self.file.uses, op.regions)) or any(value in self.handles for value in op.inputs)

    def alias(self, op: Op, value: Value) -> None:
        """Adds a value under another name, and with the quantization that the file has there."""
        new = Op(ALIAS, [value], [op.result.type], location=op.location, result_names=[op.result.name])
        self.new.ops.append(new)
        self.values[op.result] = new.result

    def assign(self, op: Op) -> None:
        """Makes an ASSIGN_VARIABLE's value the variable's current one."""
        name, (_, value) = _variable_of(op, self.handles), op.operands
        self.file.typed(op, name, value.type)
        self.change(name, self.now(value))

    def change(self, name: str, value: Value) -> None:
        """Sets a variable's current value."""
        self.standing[name] = value
        self.changed.add(name)

    def operator(self, op: Op) -> None:
        """Adds an operator; one that changes tensors gets a result for each, one that counts its counter."""
        counters = [self.file.declared(op)] if op.name in COUNTING else []
        inputs = [None if value is None else self.now(value) for value in op.inputs]
        changing = [self.tensors[v] for v in op.operands if v in self.tensors] if op.name in CHANGING else counters
        types, names = [value.type for value in op.results], [value.name for value in op.results]
        new = Op(
            op.name,
            [*inputs, *map(self.current, counters)],
            [*types, *(self.file.types[name] for name in changing)],
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
        """Sets what variables begin with to what a CALL_ONCE assigns; a graph is run once, however many call it."""
        (graph,) = op.regions
        if graph.inputs or graph.outputs:
            raise FormatError(f"{op.location}: a graph of {len(graph.inputs)} inputs, {len(graph.outputs)} outputs")
        if graph not in self.file.begun:
            thread = _Thread(self.file, Graph(graph.name), {})
            thread.add(graph)
            names = self.file.begun[graph] = tuple(sorted(thread.changed - self.file.counters))
            thread.new.outputs = [thread.standing[name] for name in names]
            for name, array in zip(names, self.computed(op, thread), strict=True):
                self.give(op, name, array)
        early = sorted(self.standing.keys() & self.file.begun[graph])
        if early:
            raise UnsupportedError(f"{op.location}: variable {early[0]!r} is used before a first run gives it a value")
        self.begun.update(self.file.begun[graph])

    def give(self, op: Op, name: str, array: Array) -> None:
        """Sets the elements that a variable begins with."""
        dtype, before = self.file.types[name].dtype, self.file.begins.get(name)
        array = array.view(dtype.numpy) if array.dtype.itemsize == dtype.bits // 8 else array.astype(dtype.numpy)
        if before is not None and name not in self.begun and not np.array_equal(before, array):
            raise UnsupportedError(f"{op.location}: variable {name!r} begins with something else in another graph")
        self.file.begins[name] = array
        self.file.types[name] = self.file.types[name]._replace(shape=array.shape)

    def computed(self, op: Op, thread: "_Thread") -> list[Array]:
        """Returns what the graph of a CALL_ONCE gives; the variables that it reads are constants."""
        for name, read in thread.read.items():
            if read.attributes["initial"] is None:
                raise FormatError(f"{op.location}: variable {name!r} is read, and nothing has given it a value")
            read.name, read.attributes = TFL_CONSTANT, {"values": read.attributes["initial"]}
        constants = [value.constant for value in thread.new.outputs]
        arrays = [array for array in constants if array is not None]
        if len(arrays) == len(constants):
            return arrays
        model = Model({thread.new.name: thread.new}, opset="tfl")
        return computed(self.file.lowering.run(model, Options(control_flow="flatten"), Report()).main)

    def control(self, op: Op) -> None:
        """Adds an operator with graphs: variables that these touch are operands, those that they change results.

        Variable tensors of its graphs begin anew: LiteRT frees what a graph has when it is done.
        """
        loop, operands = op.name in LOOPS, _graph_operands(op)
        bound = [_handle_of(self.handles, value) for value in operands]
        names = list(dict.fromkeys(name for region in op.regions for name in self.file.names(region, bound)))
        inner = [self.inside(region, bound, names) for region in op.regions]
        lasting = [name for name in names if name not in self.file.tensors]
        changed = [name for name in lasting if any(name in thread.changed for thread in inner)]
        # Of two branches that both change a variable none needs what it was before.
        needed = [
            name
            for name in names
            if loop or any(name in t.used for t in inner) or not all(name in t.changed for t in inner)
        ]
        places = [i for i, _ in enumerate(op.results) if not self.chosen(op, i, inner, bound)]
        for i, (thread, region) in enumerate(zip(inner, op.regions, strict=True)):
            thread.close(op, region, places, needed, names if loop else changed, test=loop and i == 0)
        first = [None if value is None else self.now(value) for value in op.inputs[: len(op.inputs) - len(operands)]]
        plain = [None if v is None else self.now(v) for v, name in zip(operands, bound, strict=True) if not name]
        before = [self.zeros(name) if name in self.file.tensors else self.current(name) for name in needed]
        stored = names if loop else changed
        new = Op(
            op.name,
            [*first, *plain, *before],
            [*(op.results[i].type for i in places), *(self.file.types[name] for name in stored)],
            op.attributes,
            regions=[thread.new for thread in inner],
            location=op.location,
            result_names=[*(op.results[i].name for i in places), *stored],
        )
        self.new.ops.append(new)
        self.values.update((op.results[i], result) for i, result in zip(places, new.results, strict=False))
        for name, value in zip(stored, new.results[len(places) :], strict=True):
            if name in changed:
                self.change(name, value)

    def zeros(self, name: str) -> Value:
        """Returns what a variable tensor begins with."""
        attributes = {"values": self.file.begins[name]}
        self.new.ops.append(Op(TFL_CONSTANT, (), [self.file.types[name]], attributes, location=name))
        return self.new.ops[-1].result

    def chosen(self, op: Op, place: int, inner: "Sequence[_Thread]", bound: Sequence[str]) -> str:
        """Returns the variable whose handle a result is, or none ("").

        Raises:
            UnsupportedError: only the run knows which one.
        """
        loop = op.name in LOOPS
        graphs = [*zip(inner, op.regions, strict=True)][loop:]
        names = [thread.handles.get(region.outputs[place], "") for thread, region in graphs]
        names += [bound[place]] if loop else []
        if len(set(names)) > 1:
            raise UnsupportedError(f"{op.location}: result {place} is the handle of one variable or another")
        if names[0]:
            self.handles[op.results[place]] = names[0]
        return names[0]

    def inside(self, region: Graph, bound: Sequence[str], names: Sequence[str]) -> "_Thread":
        """Returns a graph of control flow on the way, which takes the variables `names`."""
        states = {name: Value(self.file.types[name], name) for name in names}
        thread = _Thread(self.file, Graph(region.name), states)
        thread.handles.update((value, name) for value, name in zip(region.inputs, bound, strict=True) if name)
        thread.add(region)
        return thread

    def close(
        self, op: Op, region: Graph, places: Sequence[int], needed: Sequence[str], stored: Sequence[str], *, test: bool
    ) -> None:
        """Sets the inputs and outputs of a graph of control flow; `test`: it gives a condition only."""
        if test and self.changed:
            reason = f"the condition changes variable {sorted(self.changed)[0]!r}"
            raise UnsupportedError(f"{op.location}: {reason}, and WHILE_LOOP's gives nothing but a condition (2.16.2)")
        self.new.inputs = [value for value in region.inputs if value not in self.handles]
        self.new.inputs += [self.states[name] for name in needed]
        if test:
            self.new.outputs = [self.now(value) for value in region.outputs]
        else:
            outputs = [self.now(region.outputs[i]) for i in places]
            self.new.outputs = [*outputs, *(self.current(name) for name in stored)]

    def settle(self, lasting: set[str]) -> None:
        """Stores what the next run reads; what nothing ever changes is constant.

        Raises:
            FormatError: a variable is read that nothing gives a value.
        """
        for name, op in self.read.items():
            begin = op.attributes["initial"]
            if name not in lasting:
                if begin is None:
                    raise FormatError(f"variable {name!r} is read, and nothing gives it a value")
                op.name, op.attributes = TFL_CONSTANT, {"values": begin}
            elif begin is None and name not in self.seen:  # graphs are given it that needn't look at it
                type = op.result.type
                op.attributes |= {"initial": np.zeros(type.static, type.dtype.numpy), "unset": True}
        for name in sorted(self.changed & lasting):
            value = self.standing[name]
            if name not in self.read or value is not self.read[name].result:
                attributes = {
                    "name": name,
                    "initial": self.file.begins.get(name),
                    "shape": self.file.types[name].shape,
                    "declared": name in self.read,
                }
                self.new.ops.append(Op(STORE, [value], (), attributes, location=name))
