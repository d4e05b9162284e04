"""The pass that finds quantized operators in what they become in TOSA: products, sums and functions between RESCALEs.

Rules find operators that become many (`TEMPLATES`). All others are sites: the operators that a site replaces, and what
its kernel would compute with some scales. Where scales give the same multipliers, the site becomes the operator. The
scales of a graph are solved together, because neighbours share them; so sites are no rules, which know one match.
"""

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Border, Graph, Model, Op, Quant, Value
from tosa_converter.ir.edit import replace_ops, replace_result
from tosa_converter.legalize.invert.confirmation import TFLITE
from tosa_converter.legalize.invert.tflite import short_layers
from tosa_converter.legalize.invert.tflite.addition import sum_of
from tosa_converter.legalize.invert.tflite.borders import SIGN, signed
from tosa_converter.legalize.invert.tflite.builder import TflBuilder, constant
from tosa_converter.legalize.invert.tflite.elementwise import matmul, mean, product_of
from tosa_converter.legalize.invert.tflite.functions import function
from tosa_converter.legalize.invert.tflite.integers import scale_from
from tosa_converter.legalize.invert.tflite.products import CONVOLUTIONS, product
from tosa_converter.legalize.invert.tflite.scales import Scales
from tosa_converter.legalize.invert.tflite.short_functions import Scaled, leaky, scaled
from tosa_converter.legalize.invert.tflite.sites import NARROW, VALUES, ScaledSite, Site
from tosa_converter.legalize.invert.tflite.sums import is_plain
from tosa_converter.legalize.invert.tflite.templates import RESIZES, TEMPLATES, operand_of_view, view_of
from tosa_converter.rewriting.accepting import first_accepting
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas import tosa_ops as ops

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
ANY_SCALE = 2.0**-15  # of 16 bits that only layers read and make, whose multipliers of 16 bits any scales give
# What makes a site of the operator in front of a RESCALE.
CORES = {
    **dict.fromkeys(CONVOLUTIONS, product),
    ops.ADD: sum_of,
    ops.SUB: sum_of,
    ops.MATMUL: matmul,
    ops.MUL: product_of,
    ops.REDUCE_SUM: mean,
}


class Template(NamedTuple):
    """An operator that a rule of `TEMPLATES` made, and what it reads: the view that the rule made, or its operand."""

    op: Op
    operand: Value


class QuantizedOperators:
    """Finds quantized operators and their scales: those of `TEMPLATES` by rules, all others by their RESCALEs."""

    name = "quantized-operators"

    def run(self, model: Model, options: Options, report: Report, /) -> Model:
        """Changes the graphs in place, and states borders that nothing says a scale of."""
        changed = [self._change(model, graph, options, report) for graph in model.graphs.values()]
        return copy(model) if any(changed) else model

    def _change(self, model: Model, graph: Graph, options: Options, report: Report) -> bool:
        """Puts quantized operators in a graph and in those inside; returns whether anything changed."""
        changed = []
        for region in _regions(graph):
            templates = self._templates(region, options, report)
            changed.append(_solve(region, templates, {}).replace())
        templates = self._templates(graph, options, report)
        quants = border_quants(model, graph)
        solved = _solve(graph, templates, quants)
        unknown = {value for value in (*graph.inputs, *graph.outputs) if _is_unknown(model, value)}
        free = {value: solved.quant(value) for value in unknown if not solved.scales.is_stated(value)}
        if free:
            solved = min(_solve(graph, templates, quants | free), solved, key=lambda graph: len(graph.unsolved))
        changed.append(solved.replace())
        for value in unknown:
            quant = free.get(value, value.type.quant)
            model.borders[value] = Border("", value.type._replace(quant=quant))
        return any(changed) or bool(unknown)

    def _templates(self, graph: Graph, options: Options, report: Report) -> dict[Op, Op]:
        """Returns operators on views that rules find, by the last operator that each stands for."""
        templates: dict[Op, Op] = {}
        for op in graph.ops:
            rules = [rule for rule in TEMPLATES if op.name in rule.roots]
            if options.trace is None:
                rules = [rule for rule in rules if rule.pattern is not None and rule.pattern.may_be(op)]
            if not rules:
                continue
            with TflBuilder(Graph("template")) as b:
                b.location = op.location
                accepted = first_accepting(Match(op, {}, options, report), rules, self.name)
            if accepted is not None:
                templates[op] = b.graph.ops[-1]
        return templates


def _solve(graph: Graph, templates: Mapping[Op, Op], quants: Mapping[Value, Quant]) -> "_Graph":
    """Returns a graph's sites with their scales: on those of the borders, unless more operators come back without them.

    Operands can have other scales behind a RESHAPE, so what a border can hinder is what makes it.
    """
    bordered = _Graph(graph)
    bordered.solve(templates, quants)
    scales = bordered.scales
    if {scales.of(value) for value in quants}.isdisjoint(scales.of(op.results[0]) for op in bordered.unsolved):
        return bordered
    free = _Graph(graph)
    free.solve(templates, {})
    return free if len(free.unsolved) < len(bordered.unsolved) else bordered


def _is_unknown(model: Model, value: Value) -> bool:
    """Returns whether nothing states the scale of an input or output."""
    return value.type.dtype in NARROW and model.border(value) is None


def border_quants(model: Model, graph: Graph) -> dict[Value, Quant]:
    """Returns the scales that the source states: of inputs and outputs, and of uint8 ones as int8."""
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
            flips = [op.results[0] for op in users.get(value, []) if _flips_sign(op)]
            producer = value.producer
            flips += [producer.operands[0]] if producer is not None and _flips_sign(producer) else []
            quants.update(dict.fromkeys(flips, signed(quant)))
    return quants


def _flips_sign(op: Op) -> bool:
    """Returns whether an operator makes int8 of the bits of uint8, or back."""
    site = function(op) if op.row is ops.RESCALE else None
    return site is not None and bool((site.results ^ VALUES == SIGN).all())


def _regions(graph: Graph) -> Iterator[Graph]:
    """Yields graphs inside a graph if none of their inputs and outputs has a scale."""
    for op in graph.ops:
        for region in op.regions:
            yield from _regions(region)
            if all(value.type.dtype not in NARROW for value in (*region.inputs, *region.outputs)):
                yield region


class _Graph:
    """The sites of one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.users = graph.uses()
        self.outputs = set(graph.outputs)
        self.scales = Scales()
        self.taken: dict[Op, Site] = {}
        self.sources: dict[Value, Value] = {}  # of operands that are the same elements on other scales
        self.templates: dict[Op, Template] = {}  # by the last operator that each stands for
        self.unsolved: list[Op] = []  # what sites that have no scales end with

    def solve(self, templates: Mapping[Op, Op], quants: Mapping[Value, Quant]) -> None:
        """Finds sites, then scales.

        Args:
            templates: operators that rules found.
            quants: scales and zero points that are known.
        """
        sites = [site for op in self.graph.ops if (site := self.site(op)) is not None]
        self._share()
        for root, op in templates.items():
            self._accept(root, op)
        for root in self.graph.ops:
            with TflBuilder(Graph("layer")) as b:
                b.location = root.location
                for y in short_layers.candidates(root, self.scales):
                    op = b.graph.ops[-1]
                    confirmed = TFLITE.confirms(y, root.result, [operand_of_view(view_of(op))])
                    if confirmed and self._accept(root, op):
                        break
        for value, quant in quants.items():
            if self.scales.candidates(value) is None and self.scales.agrees(value, quant.zero_point[0]):
                self.scales.begin(value, np.array(quant.scale), stated=True)
        for site in sites:
            if isinstance(site, ScaledSite | Scaled):  # a Function takes the zero points that these need
                self.scales.agree(site.ends, site.zero_points)
        for site in sites:
            solved = self._solved(site) or self._rescaled(site)
            if solved is not None:
                self.taken[site.root] = solved
            elif site.root not in self.templates:
                self.unsolved.append(site.root)
        for site in self.taken.values():
            for value in (*site.inputs, site.root.results[0]):
                if self.scales.candidates(value) is None and value.type.dtype is DType.I16:
                    self.scales.begin(value, np.array([ANY_SCALE]))

    # ** sites **

    def site(self, op: Op) -> Site | None:
        """Returns the site that ends at a RESCALE to 8 or 16 bits, at the CLAMP of one, at a TABLE or at a SELECT."""
        narrow = op.results[0].type.dtype if op.results else None
        if op.row is ops.RESCALE and narrow in NARROW:
            after = self._only_user(op.results[0])
            if after is None or after.row is not ops.CLAMP:
                return self._ending(op, op, op.results[0].type.dtype.limits)
        if op.row is ops.CLAMP and narrow in NARROW:
            before = op.inputs[0].producer if op.inputs[0] is not None else None
            if before is not None and before.row is ops.RESCALE and self._only_user(op.inputs[0]) is op:
                return self._ending(op, before, (int(op.attributes["min_val"]), int(op.attributes["max_val"])))
        if op.row is ops.SELECT:
            return leaky(op)
        return function(op) if op.row is ops.TABLE else None

    def _only_user(self, value: Value | None) -> Op | None:
        users = self.users.get(value, []) if value is not None else []
        return users[0] if len(users) == 1 and value not in self.outputs else None

    def _ending(self, root: Op, rescale: Op, bounds: tuple[int, int]) -> Site | None:
        scale, source = scale_from(rescale), rescale.inputs[0]
        core = source.producer if source is not None else None
        if scale is not None and rescale is root and source is not None and source.type.dtype is DType.I8:
            return function(root)
        if scale is not None and source is not None and {source.type.dtype, scale.out} == {DType.I16}:
            return scaled(root, rescale, scale, bounds)
        if scale is None or core is None or scale.input_zp or any(scale.unsigned) or self._only_user(source) is None:
            return None
        make = CORES.get(core.row)
        return make(root, core, scale, bounds) if make is not None else None

    def _accept(self, root: Op, op: Op) -> bool:
        """Takes an operator on a view if its result can have its scale; returns whether it can.

        It reads the operand itself, unless that has another scale than the view.
        """
        view = view_of(op)
        x, moves = operand_of_view(view), op.base_name in RESIZES
        ends = [(x, view.type.quant), (root.result, op.result.type.quant)]
        if moves and any(self.scales.candidates(value) is not None for value, _ in ends):
            return False
        if not self._can_have(*ends[0], any_zero_point=op.base_name == "softmax"):
            ends[0] = view, None
        if not self._can_have(*ends[1]):
            return False
        for value, quant in ends:
            if quant is not None and self.scales.candidates(value) is None:
                self.scales.begin(value, np.array(quant.scale), stated=True)
        if moves:
            self.scales.join(x, root.result)
        self.templates[root] = Template(op, ends[0][0])
        return True

    def _can_have(self, value: Value, quant: Quant | None, *, any_zero_point: bool = False) -> bool:
        """Returns whether a tensor can have a scale and zero point; from then on it has the zero point."""
        rows = self.scales.candidates(value)
        if quant is None:
            return True
        if rows is not None and rows[0] != quant.scale[0]:
            return False
        return any_zero_point or self.scales.agrees(value, quant.zero_point[0])

    # ** scales **

    def _share(self) -> None:
        for op in self.graph.ops:
            if op.row in MOVES or (op.row is ops.AVG_POOL2D and is_plain(op)):
                for value in op.operands[: None if op.row is ops.CONCAT else 1]:
                    self.scales.join(op.results[0], value)

    def _solved(self, site: Site) -> Site | None:
        """Returns the site with scales; None leaves all scales as they were."""
        before = self.scales.state()
        solved = site.solved(self.scales)
        if solved is None:
            self.scales.restore(before)
        return solved

    def _rescaled(self, site: Site) -> Site | None:
        """Returns the site on views of its operands with scales of their own: of the first, the second or both."""
        some = site.inputs[:1], site.inputs[1:], site.inputs
        for chosen in dict.fromkeys(filter(None, some)):
            twins = {value: _another(value) for value in chosen}
            operands = tuple(twins.get(value, value) for value in site.inputs)
            solved = self._solved(replace(site, inputs=operands))
            if solved is not None:
                self.sources.update((twin, value) for value, twin in twins.items() if value.constant is None)
                return solved
        return None

    # ** operators **

    def quant(self, value: Value) -> Quant:
        """Returns the scale of 1 for a tensor whose scale is a free choice."""
        return Quant((1.0,), (self.scales.zero_point.get(self.scales.of(value), 0),))

    def replace(self) -> bool:
        """Puts the operators in place; returns whether an operator or a type changed."""
        retyped, count = self._quantize(), len(self.graph.ops)
        replacements: dict[Op, list[Op]] = {}
        for op in self.graph.ops:
            site, template = self.taken.get(op), self.templates.get(op)
            if site is not None:
                replacements[op] = [*self._written(site)]
            elif template is not None:
                replacements[op] = _ops_of(template, op)
        replace_ops(self.graph, replacements)
        return retyped or bool(self.taken or self.templates) or len(self.graph.ops) < count

    def _quantize(self) -> bool:
        """Gives values the quantization of their scales; returns whether there was one."""
        retyped = False
        values = [*self.graph.inputs, *(value for op in self.graph.ops for value in op.results)]
        values += [value for site in self.taken.values() for value in site.inputs]
        for value in values:
            scale = self.scales.final(value) if value.type.dtype in NARROW else None
            if scale is not None:
                zero_point = self.scales.zero_point.get(self.scales.of(value), 0)
                value.type = value.type._replace(quant=Quant((float(np.float32(scale)),), (zero_point,)))
                retyped = True
        return retyped

    def _written(self, site: Site) -> Iterator[Op]:
        """Yields the operators of a site, with constants and views."""
        b = TflBuilder(Graph("site"))
        b.location = site.root.location
        for value in dict.fromkeys(site.inputs):  # of MUL(x, x) both are one
            source = self.sources.get(value)
            if source is not None:
                moved = b.apart(source)
                assert moved.producer is not None
                _put(moved.producer, value, b.location)
        y = site.emit(b)
        assert y.producer is b.graph.ops[-1]
        *before, last = b.graph.ops
        _put(last, site.root.results[0], site.root.location)
        constants = [v.producer for op in b.graph.ops for v in op.operands if v.constant is not None]
        yield from (op for op in dict.fromkeys(constants) if op is not None)
        yield from (*before, last)


def _ops_of(template: Template, root: Op) -> list[Op]:
    """Returns the operators of a template, which compute the result of `root`; the view is there only if it is read."""
    op, x = template
    view = view_of(op)
    last = Op(op.name, [x if value is view else value for value in op.inputs], [root.result.type], op.attributes)
    reads = [last] if view.producer is None or x is not view else [view.producer, last]
    constants = [value.producer for reader in reads for value in reader.operands if value.constant is not None]
    _put(last, root.result, root.location)
    return [*(maker for maker in constants if maker is not None), *reads]


def _another(value: Value) -> Value:
    """Returns a tensor of the same elements that may have another scale."""
    if value.constant is not None:
        return constant(value.constant, value.type.dtype)
    return Value(value.type, value.name)


def _put(op: Op, result: Value, location: str) -> Op:
    """Has an operator compute the result of another one; returns the operator."""
    op.location = location
    return replace_result(op, result, keep_type=True)
