"""Computes the fp32 operators of a TOSA graph in fp16 or bf16.

Graph inputs and outputs stay fp32 behind CASTs, and so do operators that TOSA lacks in the type. Stored weights are
expanded in fp32, and rounded then. Sums stay fp32: the accumulators of convolutions and matrix products, and
REDUCE_SUM. A source operator that casts between integers and floats stays fp32 as well, because rounding would change
the integers.
"""

from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import CONSTANTS, Array, Form, Graph, Model, Op, Origin, Value
from tosa_converter.ir.edit import arrange, clone_op, inherit_name
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.driver import name_output
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rules.types import fitting_combinations, selection
from tosa_converter.schemas import tosa_ops as ops

TYPES = {"fp16": DType.FP16, "bf16": DType.BF16}
FORMS = {DType.FP16: Form.FP16, DType.BF16: Form.BF16}
LARGEST = {DType.FP16: (2 - 2.0**-10) * 2.0**15, DType.BF16: (2 - 2.0**-7) * 2.0**127}  # 65504 and 3.39e38


class LowPrecisionFloats:
    """The pass that computes fp32 in a narrower type; `exact` is the model before it, for comparisons."""

    __slots__ = ("dtype", "exact", "name")

    def __init__(self, dtype: DType) -> None:
        """Creates the pass to fp16 or bf16, named after the type; `run` keeps the fp32 model in `exact`."""
        self.dtype = dtype
        self.name = dtype.value
        self.exact = Model({})

    def run(self, model: Model, _options: Options, _report: Report, /) -> Model:
        """Returns a new model that computes in the narrower type; `exact` keeps the fp32 model for comparisons."""
        self.exact = model
        moved: dict[Value, Value] = {}
        graphs = {name: _NarrowedGraph(graph, self.dtype).translate(moved) for name, graph in model.graphs.items()}
        narrowed = model.with_graphs(graphs, moved)
        narrowed.notes += model.notes
        return narrowed


class _NarrowedGraph:
    """The translation of one graph; `forms` has each value in the types in which operators read it."""

    def __init__(self, graph: Graph, dtype: DType) -> None:
        """Starts an empty new graph for `graph`, and collects what stays fp32.

        Those are expanded weights, and the locations of casts between integers and floats (`exact`), at which all
        operators stay.
        """
        self.old = graph
        self.new = Graph(graph.name)
        self.builder = Builder(self.new)
        self.dtype = dtype
        self.forms: dict[Value, dict[DType, Value]] = {}  # by old value, the new values that hold it in each type
        self.weights = constant_values(graph)
        casts = (op for op in graph.ops if _casts_integers(op))
        self.exact = {op.location for op in casts if op.result not in self.weights}

    def translate(self, moved: dict[Value, Value]) -> Graph:
        """Translates the graph to the narrower type and returns the new one; inputs and outputs stay fp32.

        `moved` gets new inputs and outputs by old ones.
        """
        for value in self.old.inputs:
            translated = moved[value] = Value(value.type, value.name)
            self.forms[value] = {value.type.dtype: translated}
            self.new.inputs.append(translated)
        for op in self.old.ops:
            if op.name not in CONSTANTS:
                self._translate(op)
        seen = set(self.new.inputs)
        for value in self.old.outputs:
            translated = moved[value] = name_output(
                self._value_in_type(value, value.type.dtype), value.name, self.builder, seen
            )
            self.new.outputs.append(translated)
        arrange(self.new)
        return self.new

    def _translate(self, op: Op) -> None:
        """Adds an operator to the new graph, in the narrower type if TOSA has it there, else in fp32.

        `forms` gets its results.
        """
        self.builder.location = op.location
        result_type = self._result_type(op)
        if result_type is None:
            copied = clone_op(
                op, [None if value is None else self._value_in_type(value, value.type.dtype) for value in op.inputs]
            )
            self.new.ops.append(copied)
            results: Sequence[Value] = copied.results
        else:
            operands = [self._value_in_type(value, self._computing_type(value)) for value in op.operands]
            assert op.row is not None
            results = [self.builder.emit(op.row, *operands, dtype=result_type, **op.attributes)]
        for old, new in zip(op.results, results, strict=True):
            self.forms[old] = {new.type.dtype: new}
            if old.name and not new.name:
                _inherit_name(new, old)

    def _result_type(self, op: Op) -> DType | None:
        """Returns the result's type on operands of the narrower type; None for an operator that stays fp32.

        Those are sums (REDUCE_SUM), control flow and effects, operators at the location of a cast between integers and
        floats (`exact`), expanded weights (`weights`), and operators that TOSA lacks in the type. MATMUL keeps its
        result in fp32 if it can.
        """
        floats = any(value.type.dtype is DType.FP32 for value in (*op.operands, *op.results))
        stays = op.row is None or op.row.control or op.row.effect or len(op.results) != 1 or op.row is ops.REDUCE_SUM
        if not floats or stays or op.location in self.exact or op.result in self.weights:
            return None
        assert op.row is not None
        operands = tuple(self._computing_type(value) for value in op.operands)
        choices = (DType.FP32, self.dtype) if op.row is ops.MATMUL else (self._computing_type(op.result),)
        chosen = selection(op.row, op.attributes)
        return next((dtype for dtype in choices if fitting_combinations(op.row, operands, chosen, (dtype,))), None)

    def _computing_type(self, value: Value) -> DType:
        """Returns the type to compute a value in: the narrower one for fp32, else its own."""
        return self.dtype if value.type.dtype is DType.FP32 else value.type.dtype

    def _value_in_type(self, value: Value, dtype: DType) -> Value:
        """Returns the new graph's value in a type; all readers share one CAST."""
        forms = self.forms.setdefault(value, {})
        if dtype not in forms:
            forms[dtype] = self._convert(value, dtype)
        return forms[dtype]

    def _convert(self, value: Value, dtype: DType) -> Value:
        """Returns a value in a type: a CAST of the value in the new graph, or a constant with its elements rounded."""
        if value.constant is None:
            return self.builder.cast(next(iter(self.forms[value].values())), dtype)
        same = dtype is value.type.dtype
        constant = self.builder.const(value.constant if same else _round_to(value.constant, dtype), dtype)
        constant.name = constant.name or value.name
        return constant


def _inherit_name(value: Value, exact: Value) -> None:
    """Names a value after the fp32 value that it replaces, with its type as a suffix."""
    form = FORMS.get(value.type.dtype)
    if value.type.dtype is exact.type.dtype or form is None:
        inherit_name(value, exact)
    else:
        value.name, value.origin = exact.name + form.value, Origin(exact.name, form)


def constant_values(graph: Graph) -> set[Value]:
    """Returns the results of operators on constants, such as those that expand stored weights."""
    values: set[Value] = set()
    for op in graph.ops:
        if op.operands and len(op.results) == 1 and all(v.constant is not None or v in values for v in op.operands):
            values.add(op.result)
    return values


def _casts_integers(op: Op) -> bool:
    """Returns whether an operator is a CAST between floats and integers."""
    return op.row is ops.CAST and op.operands[0].type.dtype.is_float != op.result.type.dtype.is_float


def _round_to(values: Array, dtype: DType) -> Array:
    """Returns floats rounded to a type; finite ones stay finite, because masks add the most negative float."""
    # fp32's -3.4e38 becomes -inf in fp16 and in bf16. A softmax whose row is masked everywhere would then subtract
    # -inf from -inf, which is NaN; -65504 less -65504 is 0.
    most = LARGEST[dtype]
    return np.asarray(np.where(np.isfinite(values), np.clip(values, -most, most), values).astype(dtype.numpy))
