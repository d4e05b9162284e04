"""Changes that rounding alone explains: floats moved by a last bit, and the operators that make a step of one."""

from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.engines import Arrays
from tosa_converter.extraction import called_graphs
from tosa_converter.ir import CONSTANTS, Array, Model, Op, Value
from tosa_converter.ir.edit import cut_at
from tosa_converter.proof.judgement import largest
from tosa_converter.proof.places import READ

_COMPARISONS = {f"tfl.{name}" for name in ("equal", "greater", "greater_equal", "less", "less_equal", "not_equal")}
_STEPS = _COMPARISONS | {
    *("tfl.cast", "tfl.ceil", "tfl.fake_quant", "tfl.floor", "tfl.floor_div", "tfl.floor_mod", "tfl.round", "tfl.sign"),
    *("tfl.arg_max", "tfl.arg_min", "tfl.non_max_suppression_v4", "tfl.non_max_suppression_v5", "tfl.topk_v2"),
}
_NARROW = {DType.I4, DType.UI4, DType.I8, DType.UI8, DType.I16, DType.UI16}

# ** changes by a last bit **


def move_floats(arrays: Arrays, *seed: int) -> dict[str, Array]:
    """Returns arrays with every finite float one unit in the last place up or down, by the seed."""
    rng = np.random.default_rng(seed)
    return {name: _move_array(np.asarray(array), rng) for name, array in arrays.items()}


def _move_array(array: Array, rng: np.random.Generator) -> Array:
    """Returns an array with every finite float one unit in the last place up or down."""
    if array.dtype.kind != "f":
        return array
    towards = np.where(rng.integers(0, 2, array.shape), np.inf, -np.inf).astype(array.dtype)
    with np.errstate(over="ignore", under="ignore"):
        near = np.nextafter(array, towards)
    # Upwards, the neighbour of the largest float is infinity, which would be more than a rounding: that float stays.
    return np.where(np.isfinite(array) & np.isfinite(near), near, array)


def move_constants(model: Model, seed: int) -> Model:
    """Returns the model with every fp32 constant of its main graph moved up or down by one rounding, at random.

    It is for sources that quantize their inputs, which hides a change of the inputs' last bits. The step is that of the
    largest constant that the same operators read: next to a constant of 1.0, one of 0.0 moves by 2**-23, because a
    recurrent layer adds biases of 0 and of 1 to sums alike.
    """
    graph = cut_at(model.main, []).graph
    rng = np.random.default_rng(seed)
    uses = graph.uses()
    for op in graph.ops:
        array = _float_constant(op.results[0]) if op.name in CONSTANTS else None
        if array is not None:
            beside = [_float_constant(value) for user in uses.get(op.results[0], ()) for value in user.operands]
            step = np.float32(max(largest(x) for x in (array, *beside) if x is not None) * np.finfo(np.float32).eps)
            op.attributes = {**op.attributes, "values": array + rng.choice((-step, step), array.shape)}
    result = model.with_graphs(model.graphs | {graph.name: graph})
    result.signatures, result.extras, result.edited = {}, model.extras, True
    return result


def _float_constant(value: Value) -> Array | None:
    """Returns the elements of a constant of fp32, None for any other value."""
    array = value.constant
    return array if array is not None and array.dtype == np.float32 else None


# ** operators that make a step of it **


def has_rounding(model: Model) -> bool:
    """Returns whether rounding may change a result by a whole step.

    An operator of the main graph, or in the graphs that it runs, rounds to integers or has steps, as CEIL.
    """
    return any(_has_steps(op) or _rounds_to_integers(model, op) for op in model.main.ops if op.name not in CONSTANTS)


def amplifying_outputs(model: Model) -> set[int]:
    """Returns the indices of float outputs that depend on no operator that rounds to integers.

    If operators can't be compared, only these outputs may differ by amplified rounding: integers must be LiteRT's own
    bits.
    """
    floats = {i for i, value in enumerate(model.main.outputs) if value.type.dtype.is_float}
    return floats - _outputs_behind(model, lambda _: False)


def flipping_outputs(model: Model) -> set[int]:
    """Returns the indices of outputs that rounding may change by a whole step.

    They depend on an operator that rounds to integers or has steps, as CEIL.
    """
    return _outputs_behind(model, _has_steps)


def _outputs_behind(model: Model, is_step: Callable[[Op], bool]) -> set[int]:
    """Returns the indices of outputs that depend on an operator that rounds to integers or that `is_step` accepts."""
    constant: set[Value] = set()
    rounded: set[Value] = set()
    for op in model.main.ops:
        if op.name in CONSTANTS or (op.operands and constant.issuperset(op.operands)):
            constant.update(op.results)
        elif not rounded.isdisjoint(op.operands) or is_step(op) or _rounds_to_integers(model, op):
            rounded.update(op.results)
    return {i for i, value in enumerate(model.main.outputs) if value in rounded}


def _has_steps(op: Op) -> bool:
    """Returns whether a last bit of a float operand may change a result by a whole step, as of ROUND or ARG_MAX."""
    return op.name in _STEPS and any(value.type.dtype.is_float for value in op.operands)


def _rounds_to_integers(model: Model, op: Op) -> bool:
    """Returns whether an operator, or one in the graphs that it runs, rounds to integers of at most 16 bits.

    Reading a variable counts as rounding if any operator of the model rounds, since that may have computed its value.
    """
    ops = [op, *(inner for graph in (*op.regions, *called_graphs(model, op)) for inner in graph.walk())]
    if any(inner.name == READ for inner in ops):
        ops = [inner for graph in model.graphs.values() for inner in graph.ops]
    return any(map(_makes_narrow_integers, ops))


def _makes_narrow_integers(op: Op) -> bool:
    """Returns whether an operator has results of at most 16 bits, or rounds floats to such integers inside."""
    return op.name not in CONSTANTS and (
        any(value.type.dtype in _NARROW for value in op.results) or quantizes_at_run_time(op)
    )


def quantizes_at_run_time(op: Op) -> bool:
    """Returns whether an operator takes narrow integers beside floats, as LiteRT's hybrid kernels do."""
    dtypes = [value.type.dtype for value in op.operands]
    return not _NARROW.isdisjoint(dtypes) and any(dtype.is_float for dtype in dtypes)
