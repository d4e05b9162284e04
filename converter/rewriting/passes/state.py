"""The pass that turns persistent state into data flow: it is read where a graph begins and stored where it ends.

A file has state as variables with handles (VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE, and CALL_ONCE for initial
values), and as variable tensors that recurrent operators change; random operators have counters that no file mentions.
After the pass, states are ordinary values between reading and storing, also through the graphs of control flow. An
operator that changes variable tensors gets a further result for each, and a random operator its counter as a further
operand and result.
"""

from collections.abc import Sequence

import numpy as np

from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, State, Value
from tosa_converter.rewriting.builder import compute_outputs
from tosa_converter.rewriting.passes.inline_calls import ALIAS
from tosa_converter.rewriting.passes.state_borders import move_to_borders
from tosa_converter.rewriting.passes.state_variables import (
    CHANGING,
    CONTROL,
    HANDLE,
    TENSOR,
    SharedState,
    graph_operands,
    require_variable_name,
    variable_name,
)
from tosa_converter.rewriting.pipeline import Pass
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas.opsets import TFL_CONSTANT, TFL_READ, TFL_STORE
from tosa_converter.schemas.tfl_ops import COUNTING, LOOPS


def run(model: Model, options: Options, _report: Report, lowering: Pass, /) -> Model:
    """Returns the model with variables as data flow: read where a graph begins, stored where it ends.

    Args:
        model: a model whose calls have been inlined.
        options: the options of the conversion; with `state` "io", state becomes further inputs and outputs of the
            graphs, which `Model.states` names.
        lowering: the pass to TOSA, which computes initial values.

    Raises:
        FormatError: an operand isn't a handle of a variable, a handle is used as a value, or a variable without an
            initial value is read.
        UnsupportedError: TOSA can't express a use of a variable.
    """
    file = SharedState(
        lowering,
        named={},
        initial_elements={},
        types={},
        touched={},
        using={},
        begun={},
        tensors=set(),
        counters=set(),
    )
    flows = {name: _StateFlow(file, Graph(name, graph.inputs), {}) for name, graph in model.graphs.items()}
    for name, flow in flows.items():
        flow.translate_operators(model.graphs[name])
        flow.new.outputs = [flow.current_value(value) for value in model.graphs[name].outputs]
    read = {key for flow in flows.values() for key in flow.read}
    changed = {key for flow in flows.values() for key in flow.changed}
    outputs: dict[Value, Value] = {}
    states: dict[str, tuple[State, ...]] = {}
    for name, flow in flows.items():
        outputs.update(zip(model.graphs[name].outputs, flow.new.outputs, strict=True))
        flow.store_states(read & changed)
        if options.state == "io":
            states[name] = move_to_borders(flow.new, file.types)
    new = model.with_graphs({name: flow.new for name, flow in flows.items()}, outputs=outputs)
    new.states = states
    return new


class _StateFlow:
    """The translation of one graph, with the current value of each variable at the present operator.

    Args:
        file: the state that all graphs share.
        new: the new graph, with its inputs.
        states: the values of variables that a graph of control flow gets as inputs, by name.
    """

    def __init__(self, file: SharedState, new: Graph, states: dict[str, Value]) -> None:
        """Starts the translation of a source graph into `new`, in which variables are plain values.

        `states` has the values of variables that the graph gets as inputs; others are read from the state when they are
        first used.
        """
        self.file = file
        self.new = new
        self.states = states
        self.current_states: dict[str, Value] = {}  # what variables hold at this point of the translation
        self.values: dict[Value, Value] = {}  # the new graph's by the source's
        self.handles: dict[Value, str] = {}  # the variables that handles refer to
        self.tensors: dict[Value, str] = {}  # the variables that variable tensors are
        self.read: dict[str, Op] = {}  # the operators that read variables where the graph begins
        self.used: set[str] = set()  # variables whose values from before the graph it needs
        self.seen: set[str] = set()  # variables that this graph itself reads before it changes them
        self.changed: set[str] = set()
        self.begun: set[str] = set()  # variables that a CALL_ONCE of this graph initializes

    def current_value(self, value: Value) -> Value:
        """Returns the new graph's value for a source value: for a variable tensor, the last one assigned to it.

        Raises:
            FormatError: the value is a handle.
        """
        if value in self.tensors:
            return self.current_state(self.tensors[value])
        if value in self.handles:
            actual = f"{value.name!r}, the handle of variable {self.handles[value]!r}"
            raise FormatError(f"expected a tensor as operand, found {actual}")
        return self.values.get(value, value)

    def current_state(self, name: str) -> Value:
        """Returns a variable's current value, which is read from the state if the graph hasn't changed it so far."""
        if name not in self.current_states:
            self.used.add(name)
            self.current_states[name] = self.states[name] if name in self.states else self.add_read(name)
        return self.current_states[name]

    def add_read(self, name: str) -> Value:
        """Adds an operator that reads a variable from the state where the graph begins; returns the result.

        Its attribute `initial` has the elements of the first run, None if they aren't known. `unset` is True for a
        variable that nothing initializes; `store_states` sets it.
        """
        attributes = {"name": name, "initial": self.file.initial_elements.get(name), "unset": False}
        op = Op(TFL_READ, (), [self.file.types[name]], attributes, location=name, result_names=[name])
        self.read[name] = op
        self.new.ops.append(op)
        return op.result

    def translate_operators(self, graph: Graph) -> None:
        """Translates the operators of a source graph into the new one; those on variables become plain values.

        `seen` gets each variable that READ_VARIABLE reads before the graph changes it.
        """
        for op in graph.ops:
            if op.name in (HANDLE, TENSOR):
                (self.handles if op.name == HANDLE else self.tensors)[op.result] = self.file.declare_variable(op)
            elif op.name == "tfl.read_variable":
                name = require_variable_name(op, self.handles)
                self.file.note_type(op, name, op.result.type)
                value = self.current_state(name)
                self.seen.update([name] if name in self.read and value is self.read[name].result else ())
                self.add_alias(op, value)
            elif op.name == "tfl.assign_variable":
                self.assign(op)
            elif op.name == "tfl.call_once":
                self.run_call_once(op)
            elif op.name in CONSTANTS:
                self.new.ops.append(op)
            elif op.name in CONTROL and self.has_state(op):
                self.add_control_flow(op)
            else:
                self.add_operator(op)

    def has_state(self, op: Op) -> bool:
        """Returns whether control flow involves variables: one of its graphs uses state, or an operand is a handle."""
        return any(map(self.file.uses, op.regions)) or any(value in self.handles for value in op.inputs)

    def add_alias(self, op: Op, value: Value) -> None:
        """Adds a copy of a value as the result of `op`, with that result's name and quantization."""
        new = Op(ALIAS, [value], [op.result.type], location=op.location, result_names=[op.result.name])
        self.new.ops.append(new)
        self.values[op.result] = new.result

    def assign(self, op: Op) -> None:
        """Sets a variable's current value to that of an ASSIGN_VARIABLE."""
        name, (_, value) = require_variable_name(op, self.handles), op.operands
        self.file.note_type(op, name, value.type)
        self.change(name, self.current_value(value))

    def change(self, name: str, value: Value) -> None:
        """Sets a variable's current value, and marks the variable as changed."""
        self.current_states[name] = value
        self.changed.add(name)

    def add_operator(self, op: Op) -> None:
        """Adds a copy of an operator that reads the current values of variables.

        The copy has a further result for each variable tensor that the operator changes, or for a random operator's
        counter. It becomes the variable's current value.
        """
        counters = [self.file.declare_variable(op)] if op.name in COUNTING else []
        inputs = [None if value is None else self.current_value(value) for value in op.inputs]
        changing = [self.tensors[v] for v in op.operands if v in self.tensors] if op.name in CHANGING else counters
        types, names = [value.type for value in op.results], [value.name for value in op.results]
        new = Op(
            op.name,
            [*inputs, *map(self.current_state, counters)],
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

    def run_call_once(self, op: Op) -> None:
        """Makes the values that a CALL_ONCE assigns to variables their initial elements; each graph is computed once.

        Raises UnsupportedError if this graph has used one of the variables already.
        """
        (graph,) = op.regions
        if graph.inputs or graph.outputs:
            actual = f"{len(graph.inputs)} inputs and {len(graph.outputs)} outputs"
            raise FormatError(f"{op.location}: expected a graph without inputs and outputs, found {actual}")
        if graph not in self.file.begun:
            flow = _StateFlow(self.file, Graph(graph.name), {})
            flow.translate_operators(graph)
            names = self.file.begun[graph] = tuple(sorted(flow.changed - self.file.counters))
            flow.new.outputs = [flow.current_states[name] for name in names]
            for name, array in zip(names, self.compute_initial_elements(op, flow), strict=True):
                self.set_initial_elements(op, name, array)
        early = sorted(self.current_states.keys() & self.file.begun[graph])
        if early:
            raise UnsupportedError(f"{op.location}: variable {early[0]!r} is used before this CALL_ONCE initializes it")
        self.begun.update(self.file.begun[graph])

    def set_initial_elements(self, op: Op, name: str, array: Array) -> None:
        """Sets a variable's initial elements to those that a CALL_ONCE computed in TOSA's types.

        Raises UnsupportedError if another graph set other elements; a later CALL_ONCE of the same graph may change
        them.
        """
        dtype, before = self.file.types[name].dtype, self.file.initial_elements.get(name)
        array = array.view(dtype.numpy) if array.dtype.itemsize == dtype.bits // 8 else array.astype(dtype.numpy)
        if before is not None and name not in self.begun and not np.array_equal(before, array):
            raise UnsupportedError(f"{op.location}: variable {name!r} has other initial elements in another graph")
        self.file.initial_elements[name] = array
        self.file.types[name] = self.file.types[name]._replace(shape=array.shape)

    def compute_initial_elements(self, op: Op, flow: "_StateFlow") -> list[Array]:
        """Returns what a CALL_ONCE's graph leaves in the variables that it changes.

        `flow` is the translated graph, in which reads of variables become constants here; one without initial elements
        raises FormatError. Outputs that aren't constants then are computed by lowering the graph to TOSA.
        """
        for name, read in flow.read.items():
            if read.attributes["initial"] is None:
                raise FormatError(f"{op.location}: variable {name!r} is read before it has a value")
            read.name, read.attributes = TFL_CONSTANT, {"values": read.attributes["initial"]}
        constants = [value.constant for value in flow.new.outputs]
        arrays = [array for array in constants if array is not None]
        if len(arrays) == len(constants):
            return arrays
        model = Model({flow.new.name: flow.new}, opset="tfl")
        return compute_outputs(self.file.lowering.run(model, Options(control_flow="flatten"), Report()).main)

    def add_control_flow(self, op: Op) -> None:
        """Adds an operator with graphs: variables that these read become operands, those that they change results.

        A loop gets each of its variables as operand and as result.

        Variable tensors of its graphs start from their initial elements each time, as LiteRT frees a graph's tensors.
        """
        loop, operands = op.name in LOOPS, graph_operands(op)
        bound = [variable_name(self.handles, value) for value in operands]
        names = list(dict.fromkeys(name for region in op.regions for name in self.file.names(region, bound)))
        inner = [self.translate_region(region, bound, names) for region in op.regions]
        persistent = [name for name in names if name not in self.file.tensors]
        changed = [name for name in persistent if any(name in flow.changed for flow in inner)]
        # A variable is no operand if every branch assigns it before it reads it.
        needed = [
            name
            for name in names
            if loop or any(name in t.used for t in inner) or not all(name in t.changed for t in inner)
        ]
        result_indices = [i for i, _ in enumerate(op.results) if not self.result_handle(op, i, inner, bound)]
        for i, (flow, region) in enumerate(zip(inner, op.regions, strict=True)):
            flow.set_borders(op, region, result_indices, needed, names if loop else changed, test=loop and i == 0)
        condition = [
            None if value is None else self.current_value(value)
            for value in op.inputs[: len(op.inputs) - len(operands)]
        ]
        plain_operands = [
            None if v is None else self.current_value(v) for v, name in zip(operands, bound, strict=True) if not name
        ]
        initial_states = [
            self.initial_tensor(name) if name in self.file.tensors else self.current_state(name) for name in needed
        ]
        stored = names if loop else changed
        new = Op(
            op.name,
            [*condition, *plain_operands, *initial_states],
            [*(op.results[i].type for i in result_indices), *(self.file.types[name] for name in stored)],
            op.attributes,
            regions=[flow.new for flow in inner],
            location=op.location,
            result_names=[*(op.results[i].name for i in result_indices), *stored],
        )
        self.new.ops.append(new)
        self.values.update((op.results[i], result) for i, result in zip(result_indices, new.results, strict=False))
        for name, value in zip(stored, new.results[len(result_indices) :], strict=True):
            if name in changed:
                self.change(name, value)

    def initial_tensor(self, name: str) -> Value:
        """Adds a constant with the initial elements of a variable tensor, and returns it."""
        attributes = {"values": self.file.initial_elements[name]}
        self.new.ops.append(Op(TFL_CONSTANT, (), [self.file.types[name]], attributes, location=name))
        return self.new.ops[-1].result

    def result_handle(self, op: Op, index: int, inner: "Sequence[_StateFlow]", bound: Sequence[str]) -> str:
        """Returns the variable whose handle result `index` of control flow is, or "" if it is no handle.

        The result is noted as a handle of that variable. `inner` are the translated graphs, and `bound` the variables
        whose handles the operands are. A loop's condition has no such result, but its operand counts, because the body
        may never run.

        Raises:
            UnsupportedError: the variable depends on a condition at run time.
        """
        loop = op.name in LOOPS
        graphs = [*zip(inner, op.regions, strict=True)][loop:]
        names = [flow.handles.get(region.outputs[index], "") for flow, region in graphs]
        names += [bound[index]] if loop else []
        if len(set(names)) > 1:
            raise UnsupportedError(f"{op.location}: result {index} is the handle of different variables at run time")
        if names[0]:
            self.handles[op.results[index]] = names[0]
        return names[0]

    def translate_region(self, region: Graph, bound: Sequence[str], names: Sequence[str]) -> "_StateFlow":
        """Returns the translation of a branch, condition or body in which the variables `names` are plain values.

        Their values at the begin are new ones, which the caller adds to the graph's inputs; those at the end are in
        `current_states`, for its outputs. `bound` has for each input of the source's graph the variable whose handle it
        is, or "".
        """
        states = {name: Value(self.file.types[name], name) for name in names}
        flow = _StateFlow(self.file, Graph(region.name), states)
        flow.handles.update((value, name) for value, name in zip(region.inputs, bound, strict=True) if name)
        flow.translate_operators(region)
        return flow

    def set_borders(
        self,
        op: Op,
        region: Graph,
        result_indices: Sequence[int],
        needed: Sequence[str],
        stored: Sequence[str],
        *,
        test: bool,
    ) -> None:
        """Sets the inputs and outputs of a translated control-flow graph: first plain tensors, then variables.

        Args:
            op: the operator, for errors.
            region: the source graph.
            result_indices: the positions of the outputs that aren't handles.
            needed: the variables that become inputs.
            stored: the variables that become outputs.
            test: whether the graph is the condition of a loop, which has no other output.
        """
        if test and self.changed:
            reason = f"the condition changes variable {sorted(self.changed)[0]!r}"
            raise UnsupportedError(f"{op.location}: {reason}, and WHILE_LOOP's condition has no other output (2.16.2)")
        self.new.inputs = [value for value in region.inputs if value not in self.handles]
        self.new.inputs += [self.states[name] for name in needed]
        if test:
            self.new.outputs = [self.current_value(value) for value in region.outputs]
        else:
            outputs = [self.current_value(region.outputs[i]) for i in result_indices]
            self.new.outputs = [*outputs, *(self.current_state(name) for name in stored)]

    def store_states(self, persistent: set[str]) -> None:
        """Adds operators that store the variables that later runs read; variables that never change become constants.

        A variable without initial elements gets zeros if only graphs of control flow use it.

        Args:
            persistent: the variables that are both read and changed.

        Raises:
            FormatError: a variable is read that never gets a value.
        """
        for name, op in self.read.items():
            begin = op.attributes["initial"]
            if name not in persistent:
                if begin is None:
                    raise FormatError(f"variable {name!r} is read, but never gets a value")
                op.name, op.attributes = TFL_CONSTANT, {"values": begin}
            elif begin is None and name not in self.seen:  # only graphs of control flow get it, and may not read it
                type = op.result.type
                op.attributes |= {"initial": np.zeros(type.static, type.dtype.numpy), "unset": True}
        for name in sorted(self.changed & persistent):
            value = self.current_states[name]
            if name not in self.read or value is not self.read[name].result:
                attributes = {
                    "name": name,
                    "initial": self.file.initial_elements.get(name),
                    "shape": self.file.types[name].shape,
                    "declared": name in self.read,
                }
                self.new.ops.append(Op(TFL_STORE, [value], (), attributes, location=name))
