"""Custom operators and control flow (2.15, 2.16): operators that see more than their operands, as variables do."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.execute.definition.base import describe_op
from tosa_converter.execute.limits import PASS, require_time
from tosa_converter.ir import Array, Graph, Op

Custom: TypeAlias = Callable[[Sequence[Array], bytes], Sequence[Array]]


@dataclass(slots=True)
class Context:
    """The state that persists between runs: tosa_context_t of the specification.

    Attributes:
        variables: the elements of every variable that was written or initialized, by name.
        declared: the shape and type of every declared variable, by name.
        custom: by (domain_name, operator_name), the function that computes this CUSTOM operator from its inputs,
            which are read-only, and its implementation_attrs. A run returns views of the arrays that it gets.
        limit: estimated seconds that the present run may take; see `limits`.
        spent: estimated seconds that it took so far.
    """

    variables: dict[str, Array] = field(default_factory=dict)
    declared: dict[str, tuple[tuple[int, ...], DType]] = field(default_factory=dict)
    custom: dict[tuple[str, str], Custom] = field(default_factory=dict)
    limit: float = math.inf
    spent: float = 0.0

    def spend(self, graph: str, seconds: float) -> None:
        """Adds the estimated seconds of one pass over a branch, condition or body, at least `PASS`, to the run's total.

        Raises:
            UsageError: the run has gone beyond its limit; a loop may have no end.
        """
        self.spent += max(seconds, PASS)
        require_time(f"the run up to graph {graph!r}, in a loop that may have no end,", self.spent, self.limit)


Subgraph: TypeAlias = Callable[[Context, Sequence[Array]], list[Array]]
Compile: TypeAlias = Callable[[Graph], Subgraph]
ControlRun: TypeAlias = Callable[..., tuple[Array, ...]]
StorageDtype: TypeAlias = Callable[[DType], "np.dtype[Any]"]  # the numpy type that holds elements of a type
Control: TypeAlias = Callable[[Op, Compile, StorageDtype], ControlRun]


def _is_true(condition: Array) -> bool:
    """Returns the single element of a condition as a bool."""
    return bool(condition.reshape(-1)[0])


def cond_if(op: Op, compile: Compile, _storage_dtype: StorageDtype) -> ControlRun:
    """Returns a function that computes COND_IF (2.16.1): it runs one of the two compiled branches."""
    then, otherwise = map(compile, op.regions)

    def run_branch(context: Context, condition: Array, *inputs: Array) -> tuple[Array, ...]:
        """Runs the then_graph if the condition holds, else the else_graph; returns its outputs."""
        return tuple((then if _is_true(condition) else otherwise)(context, inputs))

    return run_branch


def while_loop(op: Op, compile: Compile, _storage_dtype: StorageDtype) -> ControlRun:
    """Returns a function that computes WHILE_LOOP (2.16.2): it runs the compiled body while the condition is true."""
    condition, body = map(compile, op.regions)

    def run_loop(context: Context, *inputs: Array) -> tuple[Array, ...]:
        """Runs the body on its own results as long as the condition graph returns true; returns the last results."""
        values: Sequence[Array] = inputs
        while _is_true(condition(context, values)[0]):
            values = body(context, values)
        return tuple(values)

    return run_loop


def custom(op: Op, _compile: Compile, _storage_dtype: StorageDtype) -> ControlRun:
    """Returns a function that computes CUSTOM (2.15.1) with the implementation that the context has for it."""
    key = (op.attributes["domain_name"], op.attributes["operator_name"])

    def call_implementation(context: Context, *inputs: Array) -> tuple[Array, ...]:
        """Calls the implementation in the context on read-only inputs; raises UnsupportedError if there is none."""
        function = context.custom.get(key)
        if function is None:
            names = ", ".join(f"{domain}:{name}" for domain, name in context.custom) or "none"
            missing = f"custom operator {':'.join(key)} has no implementation in the context"
            raise UnsupportedError(f"{describe_op(op)}: {missing}; it has: {names}")
        results = function([_read_only(x) for x in inputs], op.attributes["implementation_attrs"])
        return tuple(np.asarray(result).view() for result in results)

    return call_implementation


def _read_only(x: Array) -> Array:
    """Returns a view of an array that can't be written to, so that custom operators can't change operands."""
    view = x.view()
    view.flags.writeable = False
    return view
