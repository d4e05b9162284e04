"""What LiteRT's reference kernels leave undefined, and comparisons that set such elements apart.

An element is open where C leaves the kernel's result undefined (a shift beyond the width, an overflow, a read behind an
array), where the kernel writes nothing, or where the last bits of the machine's C library decide. Ours is then a
defined value, LiteRT's may be any.
A difference of outputs is explained if it goes away once those elements, and no others, have LiteRT's values.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.engines import Arrays, Engine
from tosa_converter.engines.litert import LiteRT
from tosa_converter.ir import Array, Form, Graph, Model, Op, Origin, Value
from tosa_converter.ir.edit import cut_at
from tosa_converter.legalize.custom import detection
from tosa_converter.legalize.quant import byte_tables
from tosa_converter.legalize.quant.elements import INT8_MIN, NARROW
from tosa_converter.legalize.quant.multipliers import quantize_multiplier, undefined_at
from tosa_converter.legalize.tflite.overflow import (
    may_overflow,
    overflowing_convolutions,
    overflowing_layers,
    overflowing_means,
)
from tosa_converter.legalize.tflite.quantized import activations, borders, comparisons, elementwise
from tosa_converter.legalize.tflite.quantized import resize as quantized_resize
from tosa_converter.proof.input_sets import Sets
from tosa_converter.proof.judgement import Runs
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.match import CUSTOM, Match, root_of
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.schemas.tflite import LeakyReluOptions

Mask = Callable[[Match, Sequence[Array]], Array]  # from LiteRT's operands, broadcasts to the result's elements


class Open(NamedTuple):
    """A result of the source with elements that LiteRT leaves open."""

    op: Op
    value: Value
    mask: Array
    array: Array  # LiteRT's


class Place(NamedTuple):
    """Where a conversion holds such a result: maybe reshaped, maybe as int8 for uint8."""

    value: Value
    mask: Array
    array: Array


def mask_by_table(table: Callable[[Match], Array]) -> Mask:
    """A mask from a table over the stored values of each operand in order."""

    def mask(match: Match, operands: Sequence[Array]) -> Array:
        index = (x.astype(np.int64) + (128 if x.dtype == np.int8 else 0) for x in operands)
        return np.asarray(table(match)[tuple(index)])

    return mask


def _mask_of_table(plan: activations.Plan) -> Mask:
    return mask_by_table(lambda match: activations.entries(match, plan).loose)


def _quantize(match: Match, operands: Sequence[Array]) -> Array:
    dtype = match.source(0).type.dtype
    if dtype is DType.FP32:
        return borders.undefined_floats(match, operands[0])
    if {dtype, match.op.results[0].type.dtype} <= {*NARROW}:
        return _mask_of_table(lambda _: byte_tables.requantized_values)(match, operands)
    return borders.undefined_integers(match, operands[0])


COMPARISONS = frozenset(f"tfl.{name}" for name in comparisons.COMPARISONS)


def _divide(match: Match, operands: Sequence[Array]) -> Array:
    x, y = (array.astype(np.int64) - match.quant(i).zero_point[0] for i, array in enumerate(operands))
    return elementwise.undefined_quotients(match, x, y)


def _compare(match: Match, _: Sequence[Array]) -> Array:
    return np.array(comparisons.undefined(match))


RELUS = ("tfl.relu", "tfl.relu6", "tfl.relu_n1_to_1", "tfl.relu_0_to_1")
SUMS: dict[str, Mask] = {
    **dict.fromkeys(("tfl.conv_2d", "tfl.depthwise_conv_2d"), overflowing_convolutions),
    "tfl.fully_connected": overflowing_layers,
    "tfl.mean": overflowing_means,
}
DETECTIONS = "custom.TFLite_Detection_PostProcess"
MASKS: dict[str, Mask] = {
    **{root: _mask_of_table(plan) for root, (_, plan) in activations.TABLES.items()},
    **dict.fromkeys(RELUS, _mask_of_table(lambda _: byte_tables.same_reals)),
    **SUMS,
    "tfl.div": _divide,
    **dict.fromkeys(COMPARISONS, _compare),
    "tfl.sub": lambda match, _: np.array(elementwise.undefined_difference(match)),
    "tfl.prelu": mask_by_table(elementwise.undefined_slopes),
    "tfl.mul": mask_by_table(elementwise.undefined_products),
    "tfl.quantize": _quantize,
    "tfl.resize_bilinear": lambda match, operands: quantized_resize.read_beyond(match, operands[0]),
}


def _requantized(factor: Callable[[Match], float] = lambda _: 1.0) -> Mask:
    """Where a kernel's product of an operand of 16 bits overflows; those below 0 have a factor besides the scales."""

    def mask(match: Match, operands: Sequence[Array]) -> Array:
        x = operands[0].astype(np.int64) - match.quant(0).zero_point[0]
        ratio = float(match.quant(0).scale[0]) / float(match.result_quant.scale[0])
        below = undefined_at(x, quantize_multiplier(abs(ratio * factor(match))))
        return np.where(x < 0, below, undefined_at(x, quantize_multiplier(ratio)))

    return mask


def _multiply(match: Match, operands: Sequence[Array]) -> Array:
    x, y = (array.astype(np.int64) - match.quant(i).zero_point[0] for i, array in enumerate(operands))
    scales = [float(match.quant(i).scale[0]) for i in range(2)]
    return undefined_at(x * y, quantize_multiplier(scales[0] * scales[1] / float(match.result_quant.scale[0])))


# Of operands of 16 bits.
SIXTEEN_BIT_MASKS: dict[str, Mask] = {
    **dict.fromkeys(("tfl.abs", *RELUS), _requantized()),
    "tfl.leaky_relu": _requantized(lambda match: match.attributes(LeakyReluOptions).alpha),
    "tfl.mul": _multiply,
    **{name: MASKS[name] for name in ("tfl.div", "tfl.quantize", "tfl.resize_bilinear", "tfl.sub")},
}


def _masks_for(op: Op) -> dict[str, Mask]:
    """The masks for the type of an operator's first operand."""
    wide = bool(op.operands) and op.operands[0].type.dtype is DType.I16 and op.name not in COMPARISONS
    return SIXTEEN_BIT_MASKS if wide else MASKS


def suspects(source: Model) -> list[Op]:
    """The operators of the main graph whose results may be open."""
    return [op for op in source.main.ops if _may_be_open(op)]


def _may_be_open(op: Op) -> bool:
    if op.name not in _masks_for(op):
        return root_of(op) == DETECTIONS
    first, result = op.operands[0].type.dtype, op.results[0].type
    if op.name in COMPARISONS:
        return first in (*NARROW, DType.I16)
    if result.quant is None and op.name != "tfl.resize_bilinear":
        return False
    if op.name in SUMS:
        return first in NARROW and result.dtype in NARROW and may_overflow(op)
    return (
        op.name == "tfl.quantize" or DType.I16 in (first, result.dtype) or (result.dtype in NARROW and first in NARROW)
    )


def substituted(source: Model, oracle: Engine, model: Model, engine: Engine, sets: Sets) -> tuple[Runs, Runs] | None:
    """LiteRT's outputs for each set of inputs, and the engine's once open elements have LiteRT's values.

    LiteRT's are of a run of their own: what it reads behind an array differs from run to run. None if nothing is open.

    Args:
        source: as it was read.
        oracle: what ran it; but for detections, only LiteRT's reference kernels leave something open.
        model: its conversion, in which results are found by the source's names.
        engine: what runs the conversion.
        sets: of inputs, each by the source's names and by the conversion's.

    Raises:
        ConverterError: an engine fails.
    """
    if not isinstance(oracle, LiteRT):
        return None
    ops, names = _asked(source, reference=oracle.resolver == "BUILTIN_REF")
    runs = [oracle.observed(source, arrays, names) for arrays, _ in sets] if ops else []
    found = [_open_results(ops, tensors) for _, tensors in runs]
    if not any(found):
        return None
    again = [_rerun(model, engine, given, each) for (_, given), each in zip(sets, found, strict=True)]
    return [outputs for outputs, _ in runs], again


def _asked(source: Model, *, reference: bool) -> tuple[list[Op], list[str]]:
    """The operators that may leave something open, and the values that say what; other kernels keep outputs alone."""
    ops = suspects(source)
    if reference:
        return ops, list(dict.fromkeys(value.name for op in ops for value in (*op.operands, *op.results)))
    ops = [op for op in ops if op.name == CUSTOM and {*op.results} <= {*source.main.outputs}]
    return ops, [value.name for op in ops for value in op.results]


def open_elements(source: Model, oracle: LiteRT, tensors: Mapping[str, Array]) -> dict[Value, Array]:
    """The elements that LiteRT leaves open, by result of the main graph; `tensors` are all that it keeps."""
    ops, _ = _asked(source, reference=oracle.resolver == "BUILTIN_REF")
    return {found.value: found.mask for found in _open_results(ops, tensors)}


def _open_results(ops: Sequence[Op], tensors: Mapping[str, Array]) -> list[Open]:
    found: list[Open] = []
    for op in ops:
        for value, mask in zip(op.results, _masks(op, tensors), strict=False):
            result = tensors.get(value.name)
            if result is not None and mask.any():
                found.append(Open(op, value, _in_shape(mask, result.shape), result))
    return found


def _in_shape(mask: Array, shape: tuple[int, ...]) -> Array:
    """Returns a mask of as many elements in their shape, as of FULLY_CONNECTED's rows, or broadcast to it."""
    return mask.reshape(shape) if mask.size == math.prod(shape) else np.broadcast_to(mask, shape)


def _masks(op: Op, tensors: Mapping[str, Array]) -> Sequence[Array]:
    """The elements of each result that are open, none if LiteRT didn't tell what says so."""
    match = Match(op, {})
    try:
        with Builder(Graph("")):
            return _unfilled(match, tensors) if op.name == CUSTOM else [_mask(match, tensors)]
    except (Decline, KeyError):
        return ()


def _unfilled(match: Match, tensors: Mapping[str, Array]) -> Sequence[Array]:
    """Of the corners, classes and scores of detections, whose number is the last result."""
    places = detection.unfilled(match, int(tensors[match.op.results[-1].name].reshape(-1)[0]))
    return places[:, None], places, places


def _mask(match: Match, tensors: Mapping[str, Array]) -> Array:
    operands = [value.constant if value.constant is not None else tensors[value.name] for value in match.op.operands]
    return _masks_for(match.op)[match.op.name](match, operands)


# ** running the conversion again **


def _rerun(model: Model, engine: Engine, given: Arrays, found: Sequence[Open]) -> list[Array]:
    """Outputs with LiteRT's values where they are open, and what the conversion makes of them elsewhere.

    The operators behind a place read its stand-in, LiteRT's array at first. That is replaced until what comes out in
    front of each place agrees with its stand-in where it isn't open: what depends on no other place does at once.
    """
    places = [place for place in (_place(model.main, each) for each in found) if place is not None]
    graph, names, _ = cut_at(model.main, [place.value for place in places])
    stand_ins = [place.array for place in places]
    for _ in range(len(places) + 1):
        stood = dict(zip(names.values(), stand_ins, strict=True))
        made = list(engine.run(Model({graph.name: graph}), {**given, **stood}).values())
        merged = [np.where(place.mask, place.array, ours) for place, ours in zip(places, made, strict=False)]
        settled = all(np.array_equal(a, b) for a, b in zip(merged, stand_ins, strict=True))
        stand_ins = merged
        if settled:
            break
    at = {place.value: array for place, array in zip(places, stand_ins, strict=True)}
    others = iter(made[len(places) :])
    return [at[value] if value in at else next(others) for value in model.main.outputs]


def _place(graph: Graph, found: Open) -> Place | None:
    """Where the graph holds a result of the source: by name, or an output that took the place of the only one."""
    results = [value for op in graph.ops for value in op.results]
    named = {value.name: value for value in results}
    derived = {value.origin: value for value in results}
    name, location = found.value.name, found.op.location
    values = [(derived.get(Origin(name, form)), form) for form in (Form.FLIPPED, Form.FLAT)]
    plain = [named.get(name)]
    if len(found.op.results) == 1:
        plain += [value for value in graph.outputs if value.producer and value.producer.location == location]
    for value, form in (*values, *((value, None) for value in plain)):
        if value is not None and value.type.elements == found.array.size:
            array = found.array
            if array.dtype.itemsize == 1 and array.dtype != bool:
                array = array.view(np.int8) ^ np.int8(INT8_MIN if form is Form.FLIPPED else 0)
            return Place(value, found.mask.reshape(value.type.static), array.reshape(value.type.static))
    return None
