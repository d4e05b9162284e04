"""The variables of a model: which of them an operator or a graph reads or changes, by handles and variable tensors."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import Array, Graph, Op, TensorType, Value, unique_names
from tosa_converter.rewriting.pipeline import Pass
from tosa_converter.schemas.opsets import VARIABLE
from tosa_converter.schemas.tfl_ops import CHOICES, COUNTING, LOOPS, STATE

TENSOR, HANDLE = VARIABLE, "tfl.var_handle"
OWN = COUNTING | {TENSOR}  # operators that declare their state themselves, without a handle
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


class SharedState(NamedTuple):
    """State that all graphs of a model share.

    Attributes:
        lowering: the pass to TOSA, which computes initial values.
        named: the names of variables by container, name and kind in the file.
        initial_elements: the initial elements of variables by name.
        types: the types of variables by name.
        touched: by graph of control flow and the handles of its inputs, the variables that it reads or changes.
        using: by graph, whether it or a graph in it has state.
        begun: by graph of a CALL_ONCE, the variables that it assigns.
        tensors: the names of variable tensors.
        counters: the names of counters.
    """

    lowering: Pass
    named: dict[tuple[str, ...], str]
    initial_elements: dict[str, Array]
    types: dict[str, TensorType]
    touched: dict[tuple[Graph, tuple[str, ...]], tuple[str, ...]]
    using: dict[Graph, bool]
    begun: dict[Graph, tuple[str, ...]]
    tensors: set[str]
    counters: set[str]

    def uses(self, graph: Graph) -> bool:
        """Returns whether a graph, or a graph in it, uses variables or the counters of random operators."""
        if graph not in self.using:
            self.using[graph] = any(
                op.name in STATE or any(self.uses(region) for region in op.regions) for op in graph.ops
            )
        return self.using[graph]

    def names(self, graph: Graph, handles: Sequence[str]) -> tuple[str, ...]:
        """Returns the names of the variables that a graph of control flow reads or changes, and records their types.

        Variable tensors of inner graphs are left out, because they begin anew in each run of the graph.

        A CALL_ONCE in the graph is refused.

        Args:
            graph: the graph.
            handles: for each input the variable whose handle it is, or "".
        """
        key = graph, tuple(handles)
        if key not in self.touched:
            touched: dict[str, None] = {}
            bound = dict(zip(graph.inputs, handles, strict=True))
            for op in graph.ops:
                if op.name == HANDLE:
                    bound[op.result] = self.declare_variable(op)
                elif op.name in OWN:
                    touched[self.declare_variable(op)] = None
                elif op.name in ("tfl.read_variable", "tfl.assign_variable"):
                    name = require_variable_name(op, bound)
                    touched[name] = None
                    self.note_type(op, name, (*op.results, *op.operands[1:])[0].type)
                elif op.name == "tfl.call_once":
                    raise UnsupportedError(f"{op.location}: TOSA can't express a CALL_ONCE inside control flow")
                for region in op.regions if op.name in CONTROL else ():
                    handed = [variable_name(bound, value) for value in graph_operands(op)]
                    touched.update((name, None) for name in self.names(region, handed) if name not in self.tensors)
                if op.name in LOOPS:  # results of a loop are the handles that it gets
                    bound.update(zip(op.results, (variable_name(bound, value) for value in op.inputs), strict=True))
            self.touched[key] = tuple(touched)
        return self.touched[key]

    def declare_variable(self, op: Op) -> str:
        """Returns the name of the variable of a handle, a variable tensor or a random operator (its counter).

        A tensor or counter is registered with its type and initial elements on first use.
        """
        if op.name == HANDLE:
            return self.unique_name(op.attributes["container"], op.attributes["shared_name"])
        counting = op.name in COUNTING
        name = self.unique_name("", f"{'counter' if counting else op.result.name} at {op.location}", op.name)
        if name not in self.initial_elements:
            type = COUNTER if counting else op.result.type
            # int8 tensors begin with the elements that stand for 0.0, all others with zero bits.
            zero = type.quant.zero_point[0] if type.dtype is DType.I8 and type.quant is not None else 0
            self.initial_elements[name] = np.full(type.static, zero, type.dtype.numpy)  # ResetVariableTensors of LiteRT
            self.types[name] = type
            (self.counters if counting else self.tensors).add(name)
        return name

    def unique_name(self, *key: str) -> str:
        """Returns the unique name of the variable with this key: container, name and kind in the file."""
        if key not in self.named:
            plain = "/".join(filter(None, key[:2])) or "variable"
            (self.named[key],) = unique_names([plain], self.named.values())
        return self.named[key]

    def note_type(self, op: Op, name: str, type: TensorType) -> None:
        """Records a variable's type, as an operator reads or changes it.

        Raises:
            UnsupportedError: another operator has another element type for it.
        """
        declared = self.types.setdefault(name, type)
        if declared.dtype is not type.dtype:
            raise UnsupportedError(f"{op.location}: variable {name!r} is {type} here and {declared} elsewhere")


def require_variable_name(op: Op, handles: dict[Value, str]) -> str:
    """Returns the name of the variable whose handle an operator reads first; raises FormatError if it is no handle."""
    name = variable_name(handles, op.inputs[0])
    if not name:
        raise FormatError(f"{op.location}: expected the handle of a variable as operand 0")
    return name


def variable_name(handles: dict[Value, str], value: Value | None) -> str:
    """Returns the name of the resource variable that this handle refers to, or "" if the value is None or no handle."""
    return "" if value is None else handles.get(value, "")


def graph_operands(op: Op) -> Sequence[Value | None]:
    """Returns the operands that control flow passes to its graphs: all for loops, else all but the first."""
    return op.inputs if op.name in LOOPS else op.inputs[1:]
