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
from tosa_converter.legalize.quant.multipliers import quantize_multiplier, undefined_mask
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


class UndefinedResult(NamedTuple):
    """A result of a source operator with elements that LiteRT leaves undefined (`mask`), and LiteRT's values."""

    op: Op
    value: Value
    mask: Array
    array: Array  # LiteRT's


class ConvertedResult(NamedTuple):
    """Where the converted graph has an undefined result: reshaped perhaps, or as int8 for uint8."""

    value: Value
    mask: Array
    array: Array


def mask_by_table(table: Callable[[Match], Array]) -> Mask:
    """Returns a function that marks results that LiteRT leaves undefined, by a table over stored values.

    `table` returns booleans, indexed by the operands' stored values from the lowest on (int8 offset by 128).
    """

    def mask(match: Match, operands: Sequence[Array]) -> Array:
        """Returns the entries of `table` for the operands' elements: True if the result is undefined."""
        index = (x.astype(np.int64) + (128 if x.dtype == np.int8 else 0) for x in operands)
        return np.asarray(table(match)[tuple(index)])

    return mask


def _mask_of_table(table_of: activations.TableOf) -> Mask:
    """Returns the mask function of an operator lowered to one TABLE: it marks results that LiteRT leaves undefined.

    `table_of` returns the operator's table, in which undefined results are marked.
    """
    return mask_by_table(lambda match: activations.table_results(match, table_of).undefined)


def _quantize_mask(match: Match, operands: Sequence[Array]) -> Array:
    """Returns a mask of QUANTIZE's results that LiteRT leaves undefined."""
    dtype = match.source(0).type.dtype
    if dtype is DType.FP32:
        return borders.undefined_floats(match, operands[0])
    if {dtype, match.op.results[0].type.dtype} <= {*NARROW}:
        return _mask_of_table(lambda _: byte_tables.requantized_values)(match, operands)
    return borders.undefined_integers(match, operands[0])


COMPARISONS = frozenset(f"tfl.{name}" for name in comparisons.COMPARISONS)


def _divide_mask(match: Match, operands: Sequence[Array]) -> Array:
    """Returns a mask of DIV's results that LiteRT leaves undefined."""
    x, y = (array.astype(np.int64) - match.quant(i).zero_point[0] for i, array in enumerate(operands))
    return elementwise.undefined_quotients(match, x, y)


def _compare_mask(match: Match, _: Sequence[Array]) -> Array:
    """Returns whether LiteRT leaves a comparison's results undefined: all or none of them."""
    return np.array(comparisons.is_undefined(match))


RELUS = ("tfl.relu", "tfl.relu6", "tfl.relu_n1_to_1", "tfl.relu_0_to_1")
SUMS: dict[str, Mask] = {
    **dict.fromkeys(("tfl.conv_2d", "tfl.depthwise_conv_2d"), overflowing_convolutions),
    "tfl.fully_connected": overflowing_layers,
    "tfl.mean": overflowing_means,
}
DETECTIONS = "custom.TFLite_Detection_PostProcess"
MASKS: dict[str, Mask] = {
    **{root: _mask_of_table(table_of) for root, (_, table_of) in activations.TABLES.items()},
    **dict.fromkeys(RELUS, _mask_of_table(lambda _: byte_tables.activation_requantized_values)),
    **SUMS,
    "tfl.div": _divide_mask,
    **dict.fromkeys(COMPARISONS, _compare_mask),
    "tfl.sub": lambda match, _: np.array(elementwise.undefined_difference(match)),
    "tfl.prelu": mask_by_table(elementwise.undefined_slopes),
    "tfl.mul": mask_by_table(elementwise.undefined_products),
    "tfl.quantize": _quantize_mask,
    "tfl.resize_bilinear": lambda match, operands: quantized_resize.read_beyond(match, operands[0]),
}


def _requantize_mask(factor: Callable[[Match], float] = lambda _: 1.0) -> Mask:
    """Returns a function that marks int16 results whose product of element and multiplier overflows in LiteRT.

    The multiplier is input_scale / output_scale; for elements below 0 it is also multiplied by `factor`, such as an
    alpha.
    """

    def mask(match: Match, operands: Sequence[Array]) -> Array:
        """Returns which products of element and multiplier overflow; below 0 the multiplier includes `factor`."""
        x = operands[0].astype(np.int64) - match.quant(0).zero_point[0]
        ratio = float(match.quant(0).scale[0]) / float(match.result_quant.scale[0])
        below = undefined_mask(x, quantize_multiplier(abs(ratio * factor(match))))
        return np.where(x < 0, below, undefined_mask(x, quantize_multiplier(ratio)))

    return mask


def _multiply_mask(match: Match, operands: Sequence[Array]) -> Array:
    """Returns a mask of the results of MUL of int16 that LiteRT leaves undefined."""
    # LiteRT refuses zero points other than 0 here.
    x, y = (array.astype(np.int64) for array in operands)
    scales = [float(match.quant(i).scale[0]) for i in range(2)]
    return undefined_mask(x * y, quantize_multiplier(scales[0] * scales[1] / float(match.result_quant.scale[0])))


# Of operands of 16 bits.
SIXTEEN_BIT_MASKS: dict[str, Mask] = {
    **dict.fromkeys(("tfl.abs", *RELUS), _requantize_mask()),
    "tfl.leaky_relu": _requantize_mask(lambda match: match.attributes(LeakyReluOptions).alpha),
    "tfl.mul": _multiply_mask,
    **{name: MASKS[name] for name in ("tfl.div", "tfl.quantize", "tfl.resize_bilinear", "tfl.sub")},
}


def _masks_for(op: Op) -> dict[str, Mask]:
    """Returns the functions that mark undefined results, by operator name, for the type of op's first operand.

    Comparisons have the same function for all types.
    """
    has_int16_kernel = bool(op.operands) and op.operands[0].type.dtype is DType.I16 and op.name not in COMPARISONS
    return SIXTEEN_BIT_MASKS if has_int16_kernel else MASKS


def possibly_undefined_operators(source: Model) -> list[Op]:
    """Returns the operators of the main graph whose results LiteRT may leave undefined."""
    return [op for op in source.main.ops if _may_leave_undefined(op)]


def _may_leave_undefined(op: Op) -> bool:
    """Returns whether LiteRT may leave elements of an operator's results undefined, judged by name and types.

    Linear operators on 8 bits may if their multiplier can exceed 1, other operators if they compute on 8 or 16 bits,
    and so may detections.
    """
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


def rerun_with_undefined_elements(
    source: Model, oracle: Engine, model: Model, engine: Engine, sets: Sets
) -> tuple[Runs, Runs] | None:
    """Returns LiteRT's outputs for each set of inputs, and the engine's with LiteRT's values for undefined elements.

    LiteRT runs again for this, because what it reads past an array differs from run to run. Returns None if no element
    is undefined.

    Args:
        source: as it was read.
        oracle: the engine that ran it. Only LiteRT leaves elements undefined: its reference kernels those of many
            operators, its other kernels those of detections.
        model: its conversion, in which results are found by the source's names.
        engine: what runs the conversion.
        sets: of inputs, each by the source's names and by the conversion's.

    Raises:
        ConverterError: an engine fails.
    """
    if not isinstance(oracle, LiteRT):
        return None
    ops, names = _undefined_operators(source, reference=oracle.resolver == "BUILTIN_REF")
    runs = [oracle.run_observed(source, arrays, names) for arrays, _ in sets] if ops else []
    open_results = [_undefined_results(ops, tensors) for _, tensors in runs]
    if not any(open_results):
        return None
    reruns = [_rerun(model, engine, inputs, results) for (_, inputs), results in zip(sets, open_results, strict=True)]
    return [outputs for outputs, _ in runs], reruns


def _undefined_operators(source: Model, *, reference: bool) -> tuple[list[Op], list[str]]:
    """Returns the operators that may leave elements undefined, and the names of the tensors to observe for them.

    With the reference kernels these are all operands and results. With other kernels only detections count, and only if
    all their results are outputs of the model.
    """
    ops = possibly_undefined_operators(source)
    if reference:
        return ops, list(dict.fromkeys(value.name for op in ops for value in (*op.operands, *op.results)))
    ops = [op for op in ops if op.name == CUSTOM and {*op.results} <= {*source.main.outputs}]
    return ops, [value.name for op in ops for value in op.results]


def undefined_elements(source: Model, oracle: LiteRT, tensors: Mapping[str, Array]) -> dict[Value, Array]:
    """Returns a mask of the elements that LiteRT leaves undefined, for each result of the main graph that has some."""
    ops, _ = _undefined_operators(source, reference=oracle.resolver == "BUILTIN_REF")
    return {result.value: result.mask for result in _undefined_results(ops, tensors)}


def _undefined_results(ops: Sequence[Op], tensors: Mapping[str, Array]) -> list[UndefinedResult]:
    """Returns the operators' results that have undefined elements in a run of LiteRT with these tensors, by name."""
    results: list[UndefinedResult] = []
    for op in ops:
        for value, mask in zip(op.results, _masks(op, tensors), strict=False):
            array = tensors.get(value.name)
            if array is not None and mask.any():
                results.append(UndefinedResult(op, value, _reshape_mask(mask, array.shape), array))
    return results


def _reshape_mask(mask: Array, shape: tuple[int, ...]) -> Array:
    """Returns a mask in a result's shape: reshaped if the sizes agree, else broadcast."""
    return mask.reshape(shape) if mask.size == math.prod(shape) else np.broadcast_to(mask, shape)


def _masks(op: Op, tensors: Mapping[str, Array]) -> Sequence[Array]:
    """Returns the mask of undefined elements of each result of op; nothing if LiteRT's values aren't available."""
    match = Match(op, {})
    try:
        with Builder(Graph("")):
            return _detection_masks(match, tensors) if op.name == CUSTOM else [_mask(match, tensors)]
    except (Decline, KeyError):
        return ()


def _detection_masks(match: Match, tensors: Mapping[str, Array]) -> Sequence[Array]:
    """Returns masks of the boxes, classes and scores after the last detection, which LiteRT doesn't write.

    The operator's last result is the number of detections.
    """
    is_unwritten = detection.unwritten_detections(match, int(tensors[match.op.results[-1].name].reshape(-1)[0]))
    return is_unwritten[:, None], is_unwritten, is_unwritten


def _mask(match: Match, tensors: Mapping[str, Array]) -> Array:
    """Returns a mask of an operator's undefined results, computed from LiteRT's operands."""
    operands = [value.constant if value.constant is not None else tensors[value.name] for value in match.op.operands]
    return _masks_for(match.op)[match.op.name](match, operands)


# ** running the conversion again **


def _rerun(model: Model, engine: Engine, inputs: Arrays, results: Sequence[UndefinedResult]) -> list[Array]:
    """Returns the outputs of the conversion, run with LiteRT's values for the undefined elements.

    Each result with undefined elements is cut off: its readers read a stand-in, at first LiteRT's array. Then the
    defined elements of the stand-ins become those that the conversion computes, until a run changes nothing. Results
    that depend on no other such result need one run.
    """
    places = [
        place for place in (_find_converted_result(model.main, result) for result in results) if place is not None
    ]
    graph, names, _ = cut_at(model.main, [place.value for place in places])
    stand_ins = [place.array for place in places]
    for _ in range(len(places) + 1):
        replaced = dict(zip(names.values(), stand_ins, strict=True))
        computed = list(engine.run(Model({graph.name: graph}), {**inputs, **replaced}).values())
        merged = [np.where(place.mask, place.array, ours) for place, ours in zip(places, computed, strict=False)]
        is_stable = all(np.array_equal(a, b) for a, b in zip(merged, stand_ins, strict=True))
        stand_ins = merged
        if is_stable:
            break
    stand_in_of = {place.value: array for place, array in zip(places, stand_ins, strict=True)}
    outputs = iter(computed[len(places) :])
    return [stand_in_of[value] if value in stand_in_of else next(outputs) for value in model.main.outputs]


def _find_converted_result(graph: Graph, undefined_result: UndefinedResult) -> ConvertedResult | None:
    """Returns the converted graph's value for a result of the source, with mask and array in its form, or None.

    The value has the result's name, is derived from that name (`Origin`), or is a graph output with the operator's
    location. It must have as many elements as the result.
    """
    results = [value for op in graph.ops for value in op.results]
    named = {value.name: value for value in results}
    derived = {value.origin: value for value in results}
    name, location = undefined_result.value.name, undefined_result.op.location
    # FLIPPED is uint8 stored as int8, with the sign bit inverted; FLAT has another shape.
    values = [(derived.get(Origin(name, form)), form) for form in (Form.FLIPPED, Form.FLAT)]
    plain = [named.get(name)]
    if len(undefined_result.op.results) == 1:
        plain += [value for value in graph.outputs if value.producer and value.producer.location == location]
    for value, form in (*values, *((value, None) for value in plain)):
        if value is not None and value.type.elements == undefined_result.array.size:
            array = undefined_result.array
            if array.dtype.itemsize == 1 and array.dtype != bool:
                array = array.view(np.int8) ^ np.int8(INT8_MIN if form is Form.FLIPPED else 0)
            return ConvertedResult(
                value, undefined_result.mask.reshape(value.type.static), array.reshape(value.type.static)
            )
    return None
