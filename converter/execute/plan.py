"""Runs graphs of TOSA operators: a plan is built once per graph and run any number of times.

Values are slots of a list; each is dropped after its last use. Constants are bound before the first run.
"""

import copy
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from time import perf_counter
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnpredictableError, UnsupportedError, UsageError, VerifyError
from tosa_converter.execute.blas import ThreadLimit
from tosa_converter.execute.definition.base import Kernel, describe_op, storage_dtype
from tosa_converter.execute.definition.control import Context, Custom, Subgraph
from tosa_converter.execute.definition.table import CONTROL, DEFINITIONS, bind_definition
from tosa_converter.execute.fast.base import PlanContext
from tosa_converter.execute.fast.plans import FAST
from tosa_converter.execute.folding import drop_intermediates, ops_to_fold
from tosa_converter.execute.fuse import find_groups
from tosa_converter.execute.group import Group, element_picker, keep_rank_0
from tosa_converter.execute.inputs import convert_input, unique_value_names
from tosa_converter.execute.limits import SECONDS, require_nesting, require_room, require_time, seconds
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, Value
from tosa_converter.rules.gate import require_legal
from tosa_converter.rules.operator import check_run
from tosa_converter.rules.target import dynamic_positions

__all__ = ["Context", "Custom", "Executable", "Keep", "run"]

Keep: TypeAlias = Collection[Value | str] | Literal["all"]
Inputs: TypeAlias = Mapping[str, Array] | Sequence[Array]


class _Step(NamedTuple):
    """One call of a kernel in a run, which computes one operator or a group of them.

    Attributes:
        function: the kernel.
        inputs: the slots of its arguments.
        pick: a function that picks these from the list of all slots.
        output: the slot of its result, or -1 if it returns a tuple.
        outputs: the slots of a tuple of results.
        dead: slots that no later step reads.
        contextual: whether the first argument is the Context.
        ops: the operators that it computes.
    """

    function: Any
    inputs: tuple[int, ...]
    pick: Callable[[Sequence[Any]], Sequence[Any]]
    output: int
    outputs: tuple[int, ...]
    dead: tuple[int, ...]
    contextual: bool
    ops: tuple[Op, ...]


class Executable:
    """A graph bound to its kernels.

    Args:
        graph: a graph of TOSA operators; of a Model, its main graph.
        check: raise an error where a REQUIRE doesn't hold; without it, results are undefined there.
        precise: compute every float in fp64, by the definitions; inputs and outputs are fp64 too.
        fast: use the fast form of operators that have one, and run pointwise operators in groups.
        keep: intermediate values, or their names, to return besides the outputs; "all" for every value.
        threads: threads of matrix products; everything else takes one.
        limit: estimated seconds that a run may take, loops included; math.inf for no limit.

    The graph is verified once, when the Executable is made, and must not change afterwards.

    Raises:
        UnsupportedError: the graph has operators of another opset, or control flow that nests too deep.
        VerifyError: the graph is illegal at every level and target.
        UsageError: `keep` names a value that the graph doesn't have; or the graph needs more memory than is free, or
            more time than the limit.

    Example:
        >>> x = Value(TensorType(DType.I32, (2,)), "x")
        >>> op = Op("tosa.abs", [x], {}, [TensorType(DType.I32, (2,))], ["y"])
        >>> Executable(Graph("main", [x], op.results, [op])).run({"x": np.array([-3, 4], np.int32)})
        {'y': array([3, 4], dtype=int32)}
    """

    def __init__(
        self,
        graph: Graph | Model,
        *,
        check: bool = True,
        precise: bool = False,
        fast: bool = True,
        keep: Keep = (),
        threads: int = 1,
        limit: float = SECONDS,
    ) -> None:
        """Prepares a graph for runs: checks it, computes what depends on constants only, and plans the steps.

        A graph that would take more than `limit` seconds or too much memory is refused. With `precise` floats are
        computed in fp64, with `fast` kernels may replace the definitions, and `keep` asks for further values.
        """
        self.graph = graph.main if isinstance(graph, Model) else graph
        self._folded: dict[Value, Array] = {}
        self._plan_context = PlanContext(check, MappingProxyType(self._folded))
        self._precise = precise
        self._fast = fast and not precise
        self._threads = threads
        self._limit = limit
        self._admit(keep)
        self._seconds = sum(seconds(self.graph).values())
        require_time(f"graph {self.graph.name!r}", self._seconds, limit)
        try:
            with np.errstate(all="ignore"):
                self._prepare(keep)
        except MemoryError as error:
            raise self._memory_error(error) from None

    def _admit(self, keep: Keep) -> None:
        """Raises an error if the graph is illegal, nests too deep or needs too much memory, before any computation."""
        _refuse_foreign(self.graph)
        require_legal(self.graph)
        require_nesting(self.graph)
        require_room(self.graph, precise=self._precise, keep_all=keep == "all")

    def _memory_error(self, error: MemoryError) -> UsageError:
        """Returns the UsageError that tells the user that the graph needs more memory than is free."""
        return UsageError(f"graph {self.graph.name!r} needs more memory than is free: {error}")

    def _prepare(self, keep: Keep) -> None:
        """Computes what depends on constants only, assigns a slot to every value and plans the steps.

        `keep` has the values that runs return besides the outputs.
        """
        self._fold()
        self._intermediates = () if keep else drop_intermediates(self.graph, self._folded, self._checked)
        self._slots: dict[Value, int] = {}
        self._constants: list[Array | None] = []
        for value in self.graph.inputs:
            self._slot_of(value)
        for op in self.graph.ops:
            for value in op.results:
                self._slot_of(value)
        self.names = unique_value_names(self.graph)
        self._input_names = [self.names[value] for value in self.graph.inputs]
        self._input_keys = set(self._input_names)
        self._input_dtypes = [self._storage_dtype(value.type.dtype) for value in self.graph.inputs]
        self._result_slots = self._slots_to_return(keep)
        self._steps = self._plan_steps()

    def _slot_of(self, value: Value) -> int:
        """Returns a value's slot, its index in the list of all values of a run; a new value gets the next one."""
        slot = self._slots.get(value)
        if slot is None:
            slot = self._slots[value] = len(self._constants)
            constant = self._constant(value)
            self._constants.append(None if constant is None else constant.view())
        return slot

    def _storage_dtype(self, dtype: DType) -> "np.dtype[Any]":
        """Returns the numpy type that stores elements of this type between operators; fp64 for floats if precise."""
        return storage_dtype(dtype, self._precise)

    def _constant(self, value: Value) -> Array | None:
        """Returns the elements of a value that depends on constants only, floats in fp64 if precise; otherwise None."""
        values = self._plan_context.constant(value)
        if values is None or not self._precise:
            return values
        return values.astype(self._storage_dtype(value.type.dtype), copy=False)

    def _fold(self) -> None:
        """Computes what depends on constants only, and notes the operators that each run must check (`_checked`)."""
        self._checked: dict[Op, list[int]] = {}
        chosen = ops_to_fold(self.graph)
        for op in self.graph.ops:
            if not op.inputs:
                continue
            row = op.row
            dynamic = dynamic_positions(op, row)
            if dynamic and not self._constants_are_legal(op, dynamic):
                self._checked[op] = dynamic
                continue
            if op not in chosen or row not in DEFINITIONS or len(op.results) != 1:
                continue
            operands = self._constant_operands(op)
            if operands:
                with suppress(UnpredictableError, MemoryError):  # an error only if the operator runs
                    self._folded[op.result] = np.asarray(self._bind(op)(*operands))

    def _constant_operands(self, op: Op) -> list[Array]:
        """Returns the operands' elements if all are constant, else an empty list."""
        arrays = [array for value in op.operands if (array := self._constant(value)) is not None]
        return arrays if len(arrays) == len(op.operands) else []

    def _constants_are_legal(self, op: Op, positions: Sequence[int]) -> bool:
        """Returns whether these operands are constants with legal values; if not, each run computes and checks them."""
        arrays = {i: self._constant(op.operands[i]) for i in positions}
        values = {i: array for i, array in arrays.items() if array is not None}
        if len(values) < len(arrays):
            return False
        try:
            check_run(op, values)
        except VerifyError:
            for i in positions:
                self._folded.pop(op.operands[i], None)  # computed in the run, so no kernel is bound to it
            return False
        return True

    def _slots_to_return(self, keep: Keep) -> dict[str, int]:
        """Returns the slots of the values to return, by name: the outputs, then those that `keep` asks for.

        `keep` is "all" (every result but constants), or lists names and values. Raises UsageError for one that the
        graph doesn't have.
        """
        chosen = {self.names[value]: self._slots[value] for value in self.graph.outputs}
        if keep == "all":
            keep = [value for op in self.graph.ops if op.name not in CONSTANTS for value in op.results]
        by_name = {name: value for value, name in self.names.items()}
        for item in keep:
            value = by_name.get(item) if isinstance(item, str) else item
            if value is None or value not in self._slots:
                name = item if isinstance(item, str) else item.name
                raise UsageError(f"`keep` asks for value {name!r}, which graph {self.graph.name!r} doesn't have")
            chosen[self.names[value]] = self._slots[value]
        return chosen

    def _plan_steps(self) -> list[_Step]:
        """Returns the steps of a run in order; `dead` has the slots that each step is the last to use."""
        returned_slots = set(self._result_slots.values())
        values = {value for value, slot in self._slots.items() if slot in returned_slots}
        ops = [op for op in self.graph.ops if not op.results or self._has_step(op.results[0])]
        steps = [
            step
            for group in (find_groups(ops, values) if self._fast else [[op] for op in ops])
            for step in (*(self._checking_step(op) for op in group if op in self._checked), self._make_step(group))
        ]
        last = {slot: i for i, step in enumerate(steps) for slot in (*step.inputs, step.output, *step.outputs)}
        last_read_at: dict[int, list[int]] = {}
        for slot, position in last.items():
            if slot >= 0 and slot not in returned_slots and self._constants[slot] is None:
                last_read_at.setdefault(position, []).append(slot)
        return [step._replace(dead=tuple(last_read_at.get(i, ()))) for i, step in enumerate(steps)]

    def _has_step(self, value: Value) -> bool:
        """Returns whether runs compute a value: it wasn't folded, nor dropped because only folded operators read it."""
        return self._constants[self._slots[value]] is None and value not in self._intermediates

    def _checking_step(self, op: Op) -> _Step:
        """Returns a step without results, which raises VerifyError for illegal operands that only runs know."""
        positions = self._checked[op]
        slots = tuple(self._slots[op.operands[i]] for i in positions)

        def check_operands(*arrays: Array) -> tuple[Array, ...]:
            """Raises VerifyError if the operands have illegal values; returns no results."""
            check_run(op, dict(zip(positions, arrays, strict=True)))
            return ()

        return _Step(check_operands, slots, element_picker(slots), -1, (), dead=(), contextual=False, ops=(op,))

    def _make_step(self, ops: list[Op]) -> _Step:
        """Returns the step of a group or operator, without `dead`; control flow and several results have output -1."""
        op, row = ops[-1], ops[-1].row
        outputs = tuple(self._slots[value] for value in op.results)
        operands: Sequence[Value] = op.operands
        if row.control:
            function: Any = CONTROL[row](op, self._compile, self._storage_dtype)
        elif self._fast and row.elementwise:
            group = Group(ops, self._bind, self._plan_context)
            function, operands = group.function, group.operands
        else:
            function = self._bind(op)
            if len(outputs) == 1:
                function = keep_rank_0(op.result.type.rank, function)
        inputs = tuple(self._slots[value] for value in operands)
        picker = element_picker(inputs)
        if row.control or len(outputs) != 1:
            return _Step(function, inputs, picker, -1, outputs, dead=(), contextual=row.control, ops=tuple(ops))
        return _Step(function, inputs, picker, outputs[0], (), dead=(), contextual=False, ops=tuple(ops))

    def _bind(self, op: Op) -> Kernel:
        """Returns the function that computes an operator: its fast form if there is one, else its definition."""
        plan = FAST.get(op.row) if self._fast else None
        run = None if plan is None else plan(op, self._plan_context)
        return bind_definition(op, check=self._plan_context.check, precise=self._precise) if run is None else run

    def _compile(self, graph: Graph) -> Subgraph:
        """Returns a graph of control flow (a branch, condition or body) as a function of context and inputs."""
        inner = _Region(graph, check=self._plan_context.check, precise=self._precise, fast=self._fast, limit=math.inf)
        slots = [inner._slots[value] for value in inner.graph.outputs]

        def call_graph(context: Context, inputs: Sequence[Array]) -> list[Array]:
            """Runs the graph once in a context, which counts its estimated time; returns its outputs in order."""
            context.spend(graph.name, inner._seconds)
            values = inner._execute(inputs, context)
            return [values[slot] for slot in slots]

        return call_graph

    def run(self, inputs: Inputs, *, context: Context | None = None) -> dict[str, Array]:
        """Runs the graph once.

        Args:
            inputs: arrays by name or in the graph's order, of the graph's types; int8 and int16 may also be unsigned
                arrays of that width, and i32 int64.
            context: variables and custom operators; by default every run starts without any.

        Returns:
            The outputs and the values of `keep`, by name; none shares memory with an input, a constant, a variable or
            another of them.

        Raises:
            UsageError: an input is missing, unknown, or of another type or shape; memory is short; or loops exceed the
                limit.
            UnpredictableError: a REQUIRE of the specification doesn't hold (only with `check`).
            VerifyError: an operand that only EXT-DYNAMIC allows to depend on inputs has an illegal value.
        """
        arrays = [array.view() for array in self._convert_inputs(inputs)]
        context = context if context is not None else Context()
        context.limit, context.spent = self._limit, self._seconds
        try:
            with ThreadLimit(self._threads), np.errstate(all="ignore"):
                values = self._execute(arrays, context)
            return dict(
                zip(
                    self._result_slots,
                    _copy_shared([values[slot] for slot in self._result_slots.values()]),
                    strict=True,
                )
            )
        except MemoryError as error:
            raise self._memory_error(error) from None

    def run_timed(self, inputs: Inputs, *, context: Context | None = None) -> tuple[dict[str, Array], dict[Op, float]]:
        """Runs the graph once and measures how long each operator takes.

        Returns:
            The results of `run`, and the seconds of every operator but constants. An operator that depends on constants
            only takes 0. Control flow includes its graphs. Operators that run in a group share its time in proportion
            to the estimates of `limits`.

        Raises:
            ConverterError: as `run`.
        """
        watched, clock = copy.copy(self), [0.0] * len(self._steps)
        watched._steps = [
            step._replace(function=_measure_calls(step.function, clock, i)) for i, step in enumerate(self._steps)
        ]
        outputs = watched.run(inputs, context=context)
        estimates = seconds(self.graph)
        taken = dict.fromkeys(estimates, 0.0)
        for step, measured in zip(self._steps, clock, strict=True):
            share = measured / sum(estimates[op] for op in step.ops)
            for op in step.ops:
                taken[op] += share * estimates[op]
        return outputs, taken

    def _execute(self, inputs: Sequence[Array], context: Context) -> list[Any]:
        """Runs the steps; returns values by slot, None if dropped. Control flow and several results have target -1."""
        values: list[Any] = list(self._constants)
        values[: len(inputs)] = inputs
        for function, _, pick, target, targets, dead, contextual, _ in self._steps:
            if target >= 0:
                values[target] = function(*pick(values))
            else:
                results = function(context, *pick(values)) if contextual else function(*pick(values))
                for slot, array in zip(targets, results, strict=True):
                    values[slot] = np.asarray(array)
            for slot in dead:
                values[slot] = None
        return values

    def _convert_inputs(self, inputs: Inputs) -> list[Array]:
        """Returns the input arrays in the graph's order, as stored; raises UsageError for wrong names."""
        names = self._input_names
        if isinstance(inputs, Mapping):
            if inputs.keys() != self._input_keys:
                raise UsageError(f"expected inputs {', '.join(names)}, found {', '.join(map(str, inputs)) or 'none'}")
            inputs = [inputs[name] for name in names]
        if len(inputs) != len(names):
            raise UsageError(f"expected {len(names)} inputs ({', '.join(names)}), found {len(inputs)}")
        return [self._convert_input(*item) for item in zip(inputs, self.graph.inputs, self._input_dtypes, strict=True)]

    def _convert_input(self, array: Array, value: Value, dtype: "np.dtype[Any]") -> Array:
        """Returns one input's array, converted to the type in which the graph stores it."""
        array = np.asarray(array)
        if array.dtype == dtype and array.shape == value.type.shape:
            return array
        return convert_input(self.names[value], value.type, array).astype(dtype, copy=False)


class _Region(Executable):
    """A graph of control flow as an Executable; it isn't checked again, as the graph around it was."""

    def _admit(self, keep: Keep) -> None:
        """Checks nothing: the graph around this one was checked together with it."""


def run(
    graph: Graph | Model | Executable,
    inputs: Inputs,
    *,
    context: Context | None = None,
    check: bool = True,
    precise: bool = False,
    fast: bool = True,
    keep: Keep = (),
    threads: int = 1,
    limit: float = SECONDS,
) -> dict[str, Array]:
    """Runs a graph once: by a new Executable with these options, or by the given Executable, which has its own."""
    if not isinstance(graph, Executable):
        graph = Executable(graph, check=check, precise=precise, fast=fast, keep=keep, threads=threads, limit=limit)
    return graph.run(inputs, context=context)


def _refuse_foreign(graph: Graph) -> None:
    """Raises UnsupportedError if a graph has operators that TOSA doesn't have."""
    foreign = [f"{describe_op(op)} is not an operator of TOSA" for op in graph.ops if op.row is None]
    if foreign:
        raise UnsupportedError(*foreign)


def _measure_calls(function: Callable[..., Any], clock: list[float], position: int) -> Callable[..., Any]:
    """Returns `function` with a stopwatch: each call also writes its seconds to clock[position]."""

    def call_and_measure(*inputs: Any) -> Any:
        """Calls the function, and stores the seconds that it took in `clock[position]`."""
        start = perf_counter()
        result = function(*inputs)
        clock[position] = perf_counter() - start
        return result

    return call_and_measure


def _copy_shared(arrays: Sequence[Array]) -> list[Array]:
    """Returns the arrays; views, and those that occur twice, are copied so that results share no memory."""
    # Variables, inputs and constants get into a run as views, so a view may share memory that outlives the run.
    seen: set[int] = set()
    owned = []
    for array in arrays:
        shared = not array.flags.owndata or id(array) in seen
        seen.add(id(array))
        owned.append(array.copy() if shared else array)
    return owned
