"""Runs graphs of tosa.* operators: a plan is made once per graph and run any number of times.

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
from tosa_converter.execute.blas import Limited
from tosa_converter.execute.definition.base import Run, held, place
from tosa_converter.execute.definition.control import Context, Custom, Subgraph
from tosa_converter.execute.definition.table import CONTROL, DEFINITIONS, defined
from tosa_converter.execute.fast.base import Facts
from tosa_converter.execute.fast.plans import FAST
from tosa_converter.execute.fuse import groups
from tosa_converter.execute.group import Group, array_of, picker
from tosa_converter.execute.inputs import fitted
from tosa_converter.execute.limits import SECONDS, require_nesting, require_room, require_time, seconds
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, Value
from tosa_converter.rules.gate import require_legal
from tosa_converter.rules.operator import check_run
from tosa_converter.rules.target import dynamic_positions

__all__ = ["Context", "Custom", "Executable", "Keep", "run"]

Keep: TypeAlias = Collection[Value | str] | Literal["all"]
Inputs: TypeAlias = Mapping[str, Array] | Sequence[Array]


class _Step(NamedTuple):
    function: Any
    inputs: tuple[int, ...]
    pick: Callable[[Sequence[Any]], Sequence[Any]]  # what stands at the inputs' slots
    output: int  # the slot of the one result, or -1
    outputs: tuple[int, ...]  # the slots of a tuple of results
    dead: tuple[int, ...]  # slots that no later step reads
    contextual: bool
    ops: tuple[Op, ...]  # what it is about


class Executable:
    """A graph bound to its kernels.

    Args:
        graph: tosa.* operators only; a Model stands for its main graph.
        check: report REQUIRE violations instead of computing something.
        precise: compute every float in fp64, by the definitions; inputs and outputs are fp64 too.
        fast: run what has a quick form in that; where not, every operator runs by its definition, alone.
        keep: intermediate values, or their names, to return besides the outputs.
        threads: for products of matrices; everything else takes one.
        limit: seconds that a run may take by the estimate of `limits`, loops included; math.inf for no limit.

    The graph is verified once, when the Executable is made, and must not change afterwards.

    Raises:
        UnsupportedError: operators other than tosa.*, all of them named; control flow that nests too deep.
        VerifyError: the graph is illegal at every level and target; see `gate`.
        UsageError: `keep` names a value that the graph doesn't have; or the graph needs more memory than there is, or
            more time than the limit.
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
        self.graph = graph.main if isinstance(graph, Model) else graph
        self._folded: dict[Value, Array] = {}
        self._facts = Facts(check, MappingProxyType(self._folded))
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
            raise self._exhausted(error) from None

    def _admit(self, keep: Keep) -> None:
        """Refuses what is illegal or too large, before anything is computed."""
        _refuse_foreign(self.graph)
        require_legal(self.graph)
        require_nesting(self.graph)
        require_room(self.graph, precise=self._precise, keep_all=keep == "all")

    def _exhausted(self, error: MemoryError) -> UsageError:
        """Returns the error for a graph that needs more memory than there is."""
        return UsageError(f"graph {self.graph.name!r} needs more memory than there is: {error}")

    def _prepare(self, keep: Keep) -> None:
        """Folds constants, gives every value a slot and plans the steps."""
        self._fold()
        self._slots: dict[Value, int] = {}
        self._constants: list[Array | None] = []
        for value in self.graph.inputs:
            self._slot(value)
        for op in self.graph.ops:
            for value in op.results:
                self._slot(value)
        self.names = _names(self.graph)
        self._input_names = [self.names[value] for value in self.graph.inputs]
        self._input_keys = set(self._input_names)
        self._held = [self._numpy(value.type.dtype) for value in self.graph.inputs]
        self._wanted = self._chosen(keep)
        self._steps = self._plan()

    def _slot(self, value: Value) -> int:
        """Returns the slot of a value, a new one if it has none."""
        slot = self._slots.get(value)
        if slot is None:
            slot = self._slots[value] = len(self._constants)
            constant = self._constant(value)
            self._constants.append(None if constant is None else constant.view())
        return slot

    def _numpy(self, dtype: DType) -> "np.dtype[Any]":
        """Returns the numpy type that holds elements between operators."""
        return held(dtype, self._precise)

    def _constant(self, value: Value) -> Array | None:
        """Returns the elements of a value that is known before the first run, as operators take them; else None."""
        values = self._facts.constant(value)
        if values is None or not self._precise:
            return values
        return values.astype(self._numpy(value.type.dtype), copy=False)

    def _fold(self) -> None:
        """Runs at once what depends on constants only, and finds the operators that each run has to check."""
        self._checked: dict[Op, list[int]] = {}
        for op in self.graph.ops:
            if not op.inputs:
                continue
            row = op.row
            dynamic = dynamic_positions(op, row)
            if dynamic and not self._accepted(op, dynamic):
                self._checked[op] = dynamic
                continue
            if row not in DEFINITIONS or len(op.results) != 1:
                continue
            operands = self._all_known(op)
            if operands:
                with suppress(UnpredictableError, MemoryError):  # it counts when the operator runs
                    self._folded[op.result] = np.asarray(self._bind(op)(*operands))

    def _all_known(self, op: Op) -> list[Array]:
        """Returns the operands of an operator that depends on constants only; none of another."""
        arrays = []
        for value in op.operands:
            constant = self._constant(value)
            if constant is None:
                return []
            arrays.append(constant)
        return arrays

    def _accepted(self, op: Op, positions: Sequence[int]) -> bool:
        """Returns whether the operands there are constants that fit; where not, the run checks them."""
        arrays = {i: self._constant(op.operands[i]) for i in positions}
        values = {i: array for i, array in arrays.items() if array is not None}
        if len(values) < len(arrays):
            return False
        try:
            check_run(op, values)
        except VerifyError:
            for i in positions:
                self._folded.pop(op.operands[i], None)
            return False
        return True

    def _chosen(self, keep: Keep) -> dict[str, int]:
        """Returns the slots of the values to return, by name: outputs first."""
        chosen = {self.names[value]: self._slots[value] for value in self.graph.outputs}
        if keep == "all":
            keep = [value for op in self.graph.ops if op.name not in CONSTANTS for value in op.results]
        by_name = {name: value for value, name in self.names.items()}
        for item in keep:
            value = by_name.get(item) if isinstance(item, str) else item
            if value is None or value not in self._slots:
                raise UsageError(f"keep: graph {self.graph.name!r} has no value {item!r}")
            chosen[self.names[value]] = self._slots[value]
        return chosen

    def _plan(self) -> list[_Step]:
        """Returns the steps in order, each with the slots that no later one reads."""
        lasting = set(self._wanted.values())
        values = {value for value, slot in self._slots.items() if slot in lasting}
        ops = [op for op in self.graph.ops if not op.results or self._constants[self._slots[op.results[0]]] is None]
        steps = [
            step
            for group in (groups(ops, values) if self._fast else [[op] for op in ops])
            for step in (*(self._check(op) for op in group if op in self._checked), self._step(group))
        ]
        last = {slot: i for i, step in enumerate(steps) for slot in (*step.inputs, step.output, *step.outputs)}
        dying: dict[int, list[int]] = {}
        for slot, position in last.items():
            if slot >= 0 and slot not in lasting and self._constants[slot] is None:
                dying.setdefault(position, []).append(slot)
        return [step._replace(dead=tuple(dying.get(i, ()))) for i, step in enumerate(steps)]

    def _check(self, op: Op) -> _Step:
        """Returns a step that refuses the values that a run has for operands of `op`."""
        positions = self._checked[op]
        slots = tuple(self._slots[op.operands[i]] for i in positions)

        def check(*arrays: Array) -> tuple[Array, ...]:
            check_run(op, dict(zip(positions, arrays, strict=True)))
            return ()

        return _Step(check, slots, picker(slots), -1, (), (), False, (op,))

    def _step(self, ops: list[Op]) -> _Step:
        """Returns the step that runs a group of operators."""
        op, row = ops[-1], ops[-1].row
        outputs = tuple(self._slots[value] for value in op.results)
        operands: Sequence[Value] = op.operands
        if row.control:
            function: Any = CONTROL[row](op, self._compile, self._numpy)
        elif self._fast and row.elementwise:
            group = Group(ops, self._bind, self._facts)
            function, operands = group.function, group.operands
        else:
            function = self._bind(op)
            if len(outputs) == 1:
                function = array_of(op.result.type.rank, function)
        inputs = tuple(self._slots[value] for value in operands)
        if row.control or len(outputs) != 1:
            return _Step(function, inputs, picker(inputs), -1, outputs, (), row.control, tuple(ops))
        return _Step(function, inputs, picker(inputs), outputs[0], (), (), False, tuple(ops))

    def _bind(self, op: Op) -> Run:
        """Returns the quick form of an operator if it has one, else its definition."""
        plan = FAST.get(op.row) if self._fast else None
        run = None if plan is None else plan(op, self._facts)
        return defined(op, check=self._facts.check, precise=self._precise) if run is None else run

    def _compile(self, graph: Graph) -> Subgraph:
        """Returns a graph of control flow as a function."""
        inner = _Region(graph, check=self._facts.check, precise=self._precise, fast=self._fast, limit=math.inf)
        slots = [inner._slots[value] for value in inner.graph.outputs]

        def call(context: Context, inputs: Sequence[Array]) -> list[Array]:
            context.spend(graph.name, inner._seconds)
            values = inner._execute(inputs, context)
            return [values[slot] for slot in slots]

        return call

    def run(self, inputs: Inputs, *, context: Context | None = None) -> dict[str, Array]:
        """Runs the graph once.

        Args:
            inputs: arrays by name or in the graph's order, of the graph's types; int8 and int16 may be given as
                their unsigned twins.
            context: variables and custom operators; without it every run starts afresh.

        Returns:
            The outputs and the values to keep, by name; none shares memory with an input, a constant, a variable or
            another one.

        Raises:
            UsageError: a missing or unknown input, or one of another type or shape; not enough memory; or loops that
                go beyond the limit.
            UnpredictableError: a REQUIRE of the specification does not hold (only with `check`).
            VerifyError: operands that EXT-DYNAMIC leaves to the run have values on which the graph is in error.
        """
        arrays = [array.view() for array in self._inputs(inputs)]
        context = context if context is not None else Context()
        context.limit, context.spent = self._limit, self._seconds
        try:
            with Limited(self._threads), np.errstate(all="ignore"):
                values = self._execute(arrays, context)
            return dict(zip(self._wanted, _owned([values[slot] for slot in self._wanted.values()]), strict=True))
        except MemoryError as error:
            raise self._exhausted(error) from None

    def timed(self, inputs: Inputs, *, context: Context | None = None) -> tuple[dict[str, Array], dict[Op, float]]:
        """Runs the graph once, under a clock.

        Returns:
            What `run` does, and the seconds of every operator of the graph but constants. What is computed before the
            first run takes none, control flow all that its graphs take; operators that run together share their time
            as they would take it by the estimate of `limits`.

        Raises:
            ConverterError: as `run`.
        """
        watched, clock = copy.copy(self), [0.0] * len(self._steps)
        watched._steps = [
            step._replace(function=_clocked(step.function, clock, i)) for i, step in enumerate(self._steps)
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
        """Runs the steps; returns the values by slot."""
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

    def _inputs(self, inputs: Inputs) -> list[Array]:
        """Returns the inputs in order, each as the graph takes it."""
        names = self._input_names
        if isinstance(inputs, Mapping):
            if inputs.keys() != self._input_keys:
                raise UsageError(f"expected inputs {names}, found {list(inputs)}")
            inputs = [inputs[name] for name in names]
        if len(inputs) != len(names):
            raise UsageError(f"expected {len(names)} inputs {names}, found {len(inputs)}")
        return [self._input(*item) for item in zip(inputs, self.graph.inputs, self._held, strict=True)]

    def _input(self, array: Array, value: Value, dtype: "np.dtype[Any]") -> Array:
        """Returns one input as the graph takes it."""
        array = np.asarray(array)
        if array.dtype == dtype and array.shape == value.type.shape:
            return array
        return fitted(self.names[value], value.type, array).astype(dtype, copy=False)


class _Region(Executable):
    """A graph of control flow, which was admitted with the graph that it is in."""

    def _admit(self, keep: Keep) -> None:
        pass


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
    """Runs a graph once; see Executable for the options, which an Executable has already."""
    if not isinstance(graph, Executable):
        graph = Executable(graph, check=check, precise=precise, fast=fast, keep=keep, threads=threads, limit=limit)
    return graph.run(inputs, context=context)


def _refuse_foreign(graph: Graph) -> None:
    """Raises UnsupportedError for operators that aren't of TOSA."""
    foreign = [f"{place(op)} is not an operator of TOSA 1.0" for op in graph.ops if op.row is None]
    if foreign:
        raise UnsupportedError(*foreign)


def _clocked(function: Callable[..., Any], clock: list[float], position: int) -> Callable[..., Any]:
    """Returns the function, which leaves the seconds of its last call at a position of `clock`."""

    def clocked(*inputs: Any) -> Any:
        start = perf_counter()
        result = function(*inputs)
        clock[position] = perf_counter() - start
        return result

    return clocked


def _names(graph: Graph) -> dict[Value, str]:
    """Returns a name for every value: its own where it is the only one to have it."""
    names: dict[Value, str] = {}
    taken: set[str] = set()
    results = [value for op in graph.ops for value in op.results]
    for value in (*graph.inputs, *graph.outputs, *results):
        if value in names:
            continue
        name = value.name or f"value_{len(names)}"
        while name in taken:
            name += "_"
        taken.add(name)
        names[value] = name
    return names


def _owned(arrays: Sequence[Array]) -> list[Array]:
    """Returns the arrays, copied where they are views, as is all that outlives a run, or the same as one before."""
    seen: set[int] = set()
    owned = []
    for array in arrays:
        shared = not array.flags.owndata or id(array) in seen
        seen.add(id(array))
        owned.append(array.copy() if shared else array)
    return owned
