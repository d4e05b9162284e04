"""The pass that replaces TOSA operators by quantized TFLite operators: layers, arithmetic and functions with RESCALEs.

Tables propose candidates: `STATED` has operators whose constants state their scales, `CORES` those in front of a
RESCALE. Where scales give the multipliers, a candidate becomes its operator. The scales of a graph are solved together,
because neighbours share them; so candidates are no rules, which know one match.
"""

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Border, Graph, Model, Op, Quant, Value
from tosa_converter.ir.edit import replace_ops, replace_result
from tosa_converter.legalize.invert.tflite.arithmetic import match_arithmetic
from tosa_converter.legalize.invert.tflite.borders import SIGN, signed
from tosa_converter.legalize.invert.tflite.builder import TflBuilder, constant
from tosa_converter.legalize.invert.tflite.candidates import (
    NARROW,
    VALUES,
    AppendOperator,
    OutputRescale,
    QuantizedCandidate,
)
from tosa_converter.legalize.invert.tflite.composed import RESIZES
from tosa_converter.legalize.invert.tflite.functions import byte_function_results, match_byte_function
from tosa_converter.legalize.invert.tflite.integers import rescale_parameters_of
from tosa_converter.legalize.invert.tflite.products import NAMES, match_layer
from tosa_converter.legalize.invert.tflite.scale_solver import ScaleSolver
from tosa_converter.legalize.invert.tflite.short_functions import match_leaky_relu, match_requantization
from tosa_converter.legalize.invert.tflite.short_layers import match_short_layer
from tosa_converter.legalize.invert.tflite.stated_scales import STATED, confirmed_candidate
from tosa_converter.legalize.invert.tflite.sums import is_tflite_average_pool
from tosa_converter.rewriting.accepting import apply_first_rule
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

# What leaves elements as they are, so that operands and results share scale and zero point.
MOVES = frozenset(
    {
        ops.CLAMP,
        ops.CONCAT,
        ops.GATHER,
        ops.IDENTITY,
        ops.MAX_POOL2D,
        ops.PAD,
        ops.REDUCE_MAX,
        ops.REDUCE_MIN,
        ops.RESHAPE,
        ops.REVERSE,
        ops.SLICE,
        ops.TILE,
        ops.TRANSPOSE,
    }
)
ANY_SCALE = 2.0**-15  # of an unrestricted int16 tensor between layers, whose 16-bit multipliers any scales can give
# What proposes a quantized operator for the TOSA operator in front of a RESCALE.
CORES: dict[OpDef, Callable[[Op, OutputRescale], QuantizedCandidate | None]] = {
    **dict.fromkeys(NAMES, match_layer),
    **dict.fromkeys((ops.ADD, ops.SUB, ops.MUL, ops.MATMUL, ops.REDUCE_SUM), match_arithmetic),
}


class Candidates(NamedTuple):
    """The quantized operators that a graph may have: those whose constants state their scales, and the others."""

    stated: tuple[QuantizedCandidate, ...]
    searched: tuple[QuantizedCandidate, ...]


class QuantizedOperators:
    """The pass that replaces TOSA operators by quantized TFLite operators, for whose tensors it finds scales."""

    name = "quantized-operators"

    def run(self, model: Model, options: Options, report: Report, /) -> Model:
        """Puts quantized TFLite operators in all graphs, in place; returns a new `Model` if anything changed.

        Inputs and outputs whose scale the source doesn't give get one, noted in `model.borders`.
        """
        changed = [self._change(model, graph, options, report) for graph in model.graphs.values()]
        return copy(model) if any(changed) else model

    def _change(self, model: Model, graph: Graph, options: Options, report: Report) -> bool:
        """Puts quantized TFLite operators in a graph and the graphs inside it; returns whether anything changed.

        Inputs and outputs whose scale the source doesn't give get one, which `model.borders` records: that which an
        operator states, else 1.
        """
        changed = [
            _solve_graph(region, self._find_candidates(region, options, report), {}).replace()
            for region in _regions(graph)
        ]
        candidates = self._find_candidates(graph, options, report)
        quants = border_quants(model, graph)
        solved = _solve_graph(graph, candidates, quants)
        unknown = {value for value in (*graph.inputs, *graph.outputs) if _is_unknown(model, value)}
        # `min` takes the solution with the scales 1 unless the other one leaves fewer operators unsolved.
        free = {value: solved.unit_quant(value) for value in unknown if not solved.solver.is_stated(value)}
        if free:
            solved = min(_solve_graph(graph, candidates, quants | free), solved, key=lambda graph: len(graph.unsolved))
        changed.append(solved.replace())
        for value in unknown:
            quant = free.get(value, value.type.quant)
            model.borders[value] = Border("", value.type._replace(quant=quant))
        return any(changed) or bool(unknown)

    def _find_candidates(self, graph: Graph, options: Options, report: Report) -> Candidates:
        """Returns a graph's possible quantized operators: those whose constants state their scales, and others.

        16-bit FULLY_CONNECTED is among the first, because its constants leave few scales to try.
        """
        stated = [
            candidate for op in graph.ops if (candidate := self._confirmed_candidate(op, options, report)) is not None
        ]
        short = [candidate for op in graph.ops if (candidate := match_short_layer(op)) is not None]
        finder = _CandidateFinder(graph)
        searched = [candidate for op in graph.ops if (candidate := finder.find(op)) is not None]
        return Candidates((*stated, *short), tuple(searched))

    def _confirmed_candidate(self, op: Op, options: Options, report: Report) -> QuantizedCandidate | None:
        """Returns the quantized operator for `op`, if constants of the graph state its scales (SOFTMAX, QUANTIZE).

        It is the first proposal of the rules `STATED` that lowers to the same TOSA operators again; None without one.
        With a trace all rules are tried, because the trace lists why each of them declined.
        """
        rules = [rule for rule in STATED if op.name in rule.roots]
        if options.trace is None:
            rules = [rule for rule in rules if rule.pattern is not None and rule.pattern.may_match(op)]
        if not rules:
            return None
        with TflBuilder(Graph("stated")) as b:
            b.location = op.location
            accepted = apply_first_rule(Match(op, {}, options, report), rules, self.name)
        return None if accepted is None else confirmed_candidate(op, b.graph.ops[-1])


def _solve_graph(graph: Graph, candidates: Candidates, quants: Mapping[Value, Quant]) -> "_GraphSolver":
    """Returns the solver of a graph that has solved its candidates with the scales of the source's inputs and outputs.

    If more candidates can be solved without these scales, it leaves the scales out; the pass `Borders` converts inputs
    and outputs to them later.
    """
    with_quants = _GraphSolver(graph)
    with_quants.solve(candidates, quants)
    solver = with_quants.solver
    if {solver.representative(value) for value in quants}.isdisjoint(
        solver.representative(op.results[0]) for op in with_quants.unsolved
    ):
        return with_quants
    without_quants = _GraphSolver(graph)
    without_quants.solve(candidates, {})
    return without_quants if len(without_quants.unsolved) < len(with_quants.unsolved) else with_quants


def _is_unknown(model: Model, value: Value) -> bool:
    """Returns whether an input or output is quantized but the source doesn't give its scale."""
    return value.type.dtype in NARROW and model.border(value) is None


def border_quants(model: Model, graph: Graph) -> dict[Value, Quant]:
    """Returns the quantization that the source model gives the graph's inputs and outputs.

    For a uint8 input or output, it is that of the int8 value to which or from which a RESCALE converts it.
    """
    quants: dict[Value, Quant] = {}
    users = graph.uses()
    for value in (*graph.inputs, *graph.outputs):
        border = model.border(value)
        quant = border.type.quant if border is not None else None
        if border is None or quant is None or not quant.per_tensor:
            continue
        if border.type.dtype in NARROW:
            quants[value] = quant
        elif border.type.dtype is DType.UI8:
            int8_values = [op.results[0] for op in users.get(value, []) if _changes_sign(op)]
            producer = value.producer
            int8_values += [producer.operands[0]] if producer is not None and _changes_sign(producer) else []
            quants.update(dict.fromkeys(int8_values, signed(quant)))
    return quants


def _changes_sign(op: Op) -> bool:
    """Returns whether a RESCALE turns uint8 to int8 of the same quantization, or back; False for other operators."""
    results = byte_function_results(op) if op.row is ops.RESCALE else None
    # uint8 200 has the bits of int8 -56 and becomes 200 - 128 = 72, which is -56 ^ -128.
    return results is not None and bool((results ^ VALUES == SIGN).all())


def _regions(graph: Graph) -> Iterator[Graph]:
    """Yields the graphs inside operators, at any depth, whose inputs and outputs are unquantized.

    Their scales depend on nothing outside, so each is solved on its own.
    """
    for op in graph.ops:
        for region in op.regions:
            yield from _regions(region)
            if all(value.type.dtype not in NARROW for value in (*region.inputs, *region.outputs)):
                yield region


class _CandidateFinder:
    """Finds the quantized operators that a graph may have.

    An operator belongs to one only if nothing outside reads its result.
    """

    def __init__(self, graph: Graph) -> None:
        """Prepares to find quantized operators in a graph: looks up the readers of each value, and its outputs."""
        self._users = graph.uses()
        self._outputs = set(graph.outputs)

    def find(self, op: Op) -> QuantizedCandidate | None:
        """Returns the quantized TFLite operator that may end with `op`; None for other operators, or if there is none.

        `op` is a RESCALE, a CLAMP behind it, a TABLE or a SELECT.
        """
        narrow = op.results[0].type.dtype if op.results else None
        if op.row is ops.RESCALE and narrow in NARROW:
            reader = self._only_user(op.result)
            return (
                None
                if reader is not None and reader.row is ops.CLAMP
                else self._candidate_of_rescale(op, op, narrow.limits)
            )
        if op.row is ops.CLAMP and narrow in NARROW:
            rescale = op.operands[0].producer
            if rescale is not None and rescale.row is ops.RESCALE and self._only_user(rescale.result) is op:
                return self._candidate_of_rescale(
                    op, rescale, (int(op.attributes["min_val"]), int(op.attributes["max_val"]))
                )
        if op.row is ops.SELECT:
            return match_leaky_relu(op)
        return match_byte_function(op) if op.row is ops.TABLE else None

    def _only_user(self, value: Value) -> Op | None:
        """Returns the operator that reads a value, or None if there are several or the value is an output."""
        users = self._users.get(value, [])
        return users[0] if len(users) == 1 and value not in self._outputs else None

    def _candidate_of_rescale(self, root: Op, rescale: Op, bounds: tuple[int, int]) -> QuantizedCandidate | None:
        """Returns the quantized TFLite operator that a RESCALE and the operator in front of it may become, or None.

        `root` is the last of them: the RESCALE, or a CLAMP behind it with these bounds. A RESCALE of int8 without a
        CLAMP, or from int16 to int16, becomes an operator by itself.
        """
        parameters, x = rescale_parameters_of(rescale), rescale.operands[0]
        if parameters is None:
            return None
        if rescale is root and x.type.dtype is DType.I8:
            return match_byte_function(root)
        output_rescale = OutputRescale(root, parameters, bounds)
        if {x.type.dtype, parameters.output_dtype} == {DType.I16}:
            return match_requantization(x, output_rescale)
        core = x.producer
        if core is None or parameters.input_zp or any(parameters.unsigned) or self._only_user(x) is None:
            return None
        propose = CORES.get(core.row)
        return None if propose is None else propose(core, output_rescale)


class _SolvedCandidate(NamedTuple):
    """A quantized operator whose scales are found: the values that it reads, and the function that appends it."""

    inputs: tuple[Value, ...]
    append_operator: AppendOperator


class _GraphSolver:
    """Chooses the quantized operators of one graph: those that are solved, and the scales of the graph's tensors."""

    def __init__(self, graph: Graph) -> None:
        """Starts the search for a graph's scales, without quantized operators and without restrictions."""
        self.graph = graph
        self.solver = ScaleSolver()
        self.solved: dict[Op, _SolvedCandidate] = {}  # by the candidate's root
        self.sources: dict[Value, Value] = {}  # by copy with another scale, the tensor that it copies
        self.unsolved: list[Op] = []  # roots of the candidates for which no scales were found

    def solve(self, candidates: Candidates, quants: Mapping[Value, Quant]) -> None:
        """Finds scales for the candidates' tensors, first for those whose constants state them.

        An int16 tensor of a solved operator that nothing restricts gets the scale ANY_SCALE.

        Args:
            candidates: the quantized operators that the graph may have.
            quants: scales and zero points of inputs and outputs that the source gives.
        """
        self._join_moved_tensors()
        for candidate in candidates.stated:
            if candidate.root not in self.solved:
                self._solve_candidate(candidate)
        for value, quant in quants.items():
            if self.solver.candidate_scales(value) is None and self.solver.set_zero_point(value, quant.zero_point[0]):
                self.solver.set_candidates(value, np.array(quant.scale), stated=True)
        for candidate in candidates.searched:
            # Functions of one byte have no zero points of their own: they are solved with those of their neighbours.
            if candidate.zero_points:
                self.solver.set_zero_points(candidate.tensors, candidate.zero_points)
        self.unsolved += [
            candidate.root
            for candidate in candidates.searched
            if not self._solve_candidate(candidate) and candidate.root not in self.solved
        ]
        for root, solved in self.solved.items():
            for value in (*solved.inputs, root.result):
                if self.solver.candidate_scales(value) is None and value.type.dtype is DType.I16:
                    self.solver.set_candidates(value, np.array([ANY_SCALE]))

    def _join_moved_tensors(self) -> None:
        """Makes operands and results share a scale where TFLite's operator moves or averages elements as they are."""
        for op in self.graph.ops:
            if op.row in MOVES or op.name in RESIZES or (op.row is ops.AVG_POOL2D and is_tflite_average_pool(op)):
                for value in op.operands[: None if op.row is ops.CONCAT else 1]:
                    self.solver.share_scale(op.results[0], value)

    def _solve_candidate(self, candidate: QuantizedCandidate) -> bool:
        """Takes a candidate operator if its tensors can have scales that suit it; returns whether they can.

        If not, it tries copies of the operands, which may have other scales: of the first operand, the second, and
        both.
        """
        x = candidate.inputs
        for copied_inputs in dict.fromkeys(((), x[:1], x[1:], x)):
            copies = {value: _copy_for_scale(value) for value in copied_inputs}
            inputs = tuple(copies.get(value, value) for value in x)
            tensors, before = (*inputs, candidate.root.result), self.solver.snapshot()
            agrees = not candidate.zero_points or self.solver.set_zero_points(tensors, candidate.zero_points)
            append_operator = candidate.solve_scales(self.solver, tensors) if agrees else None
            if append_operator is not None:
                self.solved[candidate.root] = _SolvedCandidate(inputs, append_operator)
                self.sources.update((duplicate, value) for value, duplicate in copies.items() if value.constant is None)
                return True
            self.solver.restore(before)
        return False

    def unit_quant(self, value: Value) -> Quant:
        """Returns quantization with the scale 1 and the zero point that a tensor needs; its scale may be any."""
        return Quant((1.0,), (self.solver.zero_point.get(self.solver.representative(value), 0),))

    def replace(self) -> bool:
        """Replaces TOSA operators of the graph by the solved TFLite ones; returns whether it changed anything."""
        retyped, count = self._quantize(), len(self.graph.ops)
        replace_ops(
            self.graph, {root: [*self._emit_replacement(root, candidate)] for root, candidate in self.solved.items()}
        )
        return retyped or bool(self.solved) or len(self.graph.ops) < count

    def _quantize(self) -> bool:
        """Gives tensors the quantization parameters that were found; returns whether there are any."""
        retyped = False
        values = [*self.graph.inputs, *(value for op in self.graph.ops for value in op.results)]
        values += [value for candidate in self.solved.values() for value in candidate.inputs]
        for value in values:
            scale = self.solver.chosen_scale(value) if value.type.dtype in NARROW else None
            if scale is not None:
                zero_point = self.solver.zero_point.get(self.solver.representative(value), 0)
                value.type = value.type._replace(quant=Quant((float(np.float32(scale)),), (zero_point,)))
                retyped = True
        return retyped

    def _emit_replacement(self, root: Op, candidate: _SolvedCandidate) -> Iterator[Op]:
        """Yields the operators that replace those up to `root`: constants, copies of operands, the quantized operator.

        The copies, which `sources` lists, have other scales than the tensors that they copy.
        """
        b = TflBuilder(Graph("candidate"))
        b.location = root.location
        for value in dict.fromkeys(candidate.inputs):  # MUL(x, x) has x once
            source = self.sources.get(value)
            if source is not None:
                duplicate = b.copy_tensor(source)
                assert duplicate.producer is not None
                _replace_producer(duplicate.producer, value, b.location)
        y = candidate.append_operator(b)
        assert y.producer is b.graph.ops[-1]
        *before, last = b.graph.ops
        _replace_producer(last, root.result, root.location)
        constants = [v.producer for op in b.graph.ops for v in op.operands if v.constant is not None]
        yield from (op for op in dict.fromkeys(constants) if op is not None)
        yield from (*before, last)


def _copy_for_scale(value: Value) -> Value:
    """Returns a new tensor that stands for a copy of this one with another scale.

    It is a constant, or a value for which `_emit_replacement` appends the RESHAPE that computes it.
    """
    if value.constant is not None:
        return constant(value.constant, value.type.dtype)
    return Value(value.type, value.name)


def _replace_producer(op: Op, result: Value, location: str) -> None:
    """Makes `op` compute `result`, which another operator computed until now."""
    op.location = location
    replace_result(op, result, keep_type=True)
