"""The pass that finds nodes that are several operators in TOSA.

A node is guessed, and taken if the conversion makes the same graph of the guess.
"""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.ir.edit import equal_values, replace_ops, replace_result
from tosa_converter.legalize.tosa_to_tflite.templates import behind_of
from tosa_converter.legalize.tosa_to_xnn.labels import label
from tosa_converter.legalize.tosa_to_xnn.windows import spans_of
from tosa_converter.rewriting.in_place import change_graphs
from tosa_converter.rewriting.pipeline import Pass, apply_passes
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas import xnn_ops, xnnpack
from tosa_converter.schemas.opsets import XNN_CONSTANT

FURTHEST = 10  # operators behind a result that a guess looks at
SLOPED = frozenset({ops.MAXIMUM, ops.MINIMUM, ops.SELECT})


class Guess(NamedTuple):
    """A node that may make a result out of operands."""

    name: str
    operands: tuple[Value, ...]
    attributes: dict[str, Any] = {}  # noqa: RUF012


def run(model: Model, _options: Options, _report: Report, lowering: Sequence[Pass], /) -> Model:
    """Changes the graphs in place; `lowering` are the passes that make TOSA of XNNPACK's nodes."""
    return change_graphs(model, partial(_put_nodes, lowering))


def _put_nodes(lowering: Sequence[Pass], graph: Graph) -> bool:
    """Puts nodes in place of the operators that they are made of; returns whether there was one."""
    nodes: dict[Op, list[Op]] = {}
    for op in graph.ops:
        guess = next((guess for guess in _guesses(op) if _confirmed(op, guess, lowering)), None)
        if guess is not None:
            node = node_of(guess, op.results[0])
            node.location = op.location
            nodes[op] = [replace_result(node, op.results[0])]
    replace_ops(graph, nodes)
    return bool(nodes)


def node_of(guess: Guess, result: Value) -> Op:
    """The node of a guess, with a result like another."""
    fields = xnn_ops.BY_OPCODE[f"xnn.{guess.name}"].table().fields()
    known = {field: value for field, value in fields.items() if not field.endswith("_id")}
    return Op(f"xnn.{guess.name}", guess.operands, [result.type], known | guess.attributes)


def _guesses(root: Op) -> Iterator[Guess]:
    """What an operator may be the last one of."""
    if root.row in SLOPED and root.results[0].type.dtype.is_float:
        yield from _sloped(root)
    if root.row is ops.RESHAPE and root.results[0].type.dtype is DType.I8 and root.results[0].type.rank == 4:
        yield from _resized(root)
    if root.row is ops.MAX_POOL2D and math.prod(root.attributes["kernel"]) == 1:
        yield from _dilated(root)
    if root.row in (ops.MUL, ops.CAST) and root.results[0].type.dtype in (DType.FP16, DType.FP32):
        behind = {op.row: op for op in behind_of(root, FURTHEST)}
        for row, name in ((ops.REDUCE_MAX, "softmax"), (ops.CLAMP, "hardswish"), (ops.ERF, "gelu")):
            if row in behind:
                yield from (Guess(name, (x,)) for x in _first(behind[row]))


def _resized(root: Op) -> Iterator[Guess]:
    """StaticResizeBilinear2D of bytes."""
    rescale = root.operands[0].producer
    if rescale is None or rescale.row is not ops.RESCALE or rescale.operands[0].type.dtype is not DType.I32:
        return
    gathers = [op.operands[0].producer for op in behind_of(rescale) if op.row is ops.CAST]
    pixels = gathers[0].operands[0].producer if gathers and gathers[0] is not None else None
    if pixels is None or pixels.row is not ops.RESHAPE or pixels.operands[0].type.rank != 4:
        return
    _, height, width, _ = root.results[0].type.static
    for flags in (0, xnnpack.FLAG_ALIGN_CORNERS, xnnpack.FLAG_TENSORFLOW_LEGACY_MODE):
        size = {"new_height": height, "new_width": width, "flags": flags}
        yield Guess("static_resize_bilinear_2d", (pixels.operands[0],), size)


def _dilated(root: Op) -> Iterator[Guess]:
    """MaxPooling2d of what lies apart: maxima of slices, the rows' before the columns', and of them every so many."""
    starts: set[tuple[int, ...]] = set()
    found, seen, new = set[Value](), set[Value](), [root.operands[0]]
    while new:
        x = new.pop()
        if x in seen:
            continue
        seen.add(x)
        op = x.producer
        if op is not None and op.row in (ops.MAXIMUM, ops.SLICE, ops.CAST):
            new += op.operands[: 2 if op.row is ops.MAXIMUM else 1]
            if op.row is ops.SLICE and op.operands[1].constant is not None:
                starts.add(tuple(op.operands[1].constant.tolist()))
        else:
            found.add(x)
    if len(found) != 1 or not starts:
        return
    (x,), pad = found, [0, 0, 0, 0]
    if x.producer is not None and x.producer.row is ops.PAD and x.producer.operands[1].constant is not None:
        pad = x.producer.operands[1].constant.reshape(-1)[2:6].tolist()
        x = x.producer.operands[0]
    places = [sorted({start[axis] for start in starts}) for axis in (1, 2)]
    steps = [at[1] if len(at) > 1 else 1 for at in places]
    spans = {"pooling": list(map(len, places)), "stride": root.attributes["stride"], "dilation": steps}
    yield Guess("max_pooling_2d", (x,), spans_of(spans, pad))


def _first(op: Op) -> Iterator[Value]:
    """What an operator is made of, and what that is."""
    x = op.operands[0]
    for _ in range(3):
        yield x
        if x.producer is None or not x.producer.inputs:
            return
        x = x.producer.operands[0]


def _sloped(root: Op) -> Iterator[Guess]:
    """LeakyReLU and PReLU of x and its product with a slope; ELU of what is chosen below 0."""
    *_, x, y = root.operands
    for one, other in ((x, y), (y, x)):
        product = other.producer
        if product is None or not other.type.dtype.is_float:
            continue
        if product.row is ops.MUL and one in product.operands[:2]:
            slope = product.operands[1] if product.operands[0] is one else product.operands[0]
            if slope.constant is not None and slope.constant.size == 1:
                yield Guess("leaky_relu", (one,), {"negative_slope": float(slope.constant.reshape(-1)[0])})
            yield Guess("prelu", (one, slope))
        if root.row is ops.SELECT and product.row in (ops.SUB, ops.MUL):
            factor = product.operands[1].constant
            alpha = 1.0 if product.row is ops.SUB or factor is None else float(factor.reshape(-1)[0])
            if alpha > 0:
                yield Guess("elu", (one,), {"alpha": alpha})


def _standing(type: TensorType) -> TensorType:
    """The type with a label for bytes, of which any will do."""
    return type._replace(quant=label(0)) if type.dtype is DType.I8 else type


def _confirmed(root: Op, guess: Guess, lowering: Sequence[Pass]) -> bool:
    """Whether the conversion makes these operators of the guess."""
    given = [Value(_standing(x.type)) for x in guess.operands if x.constant is None]
    known, inputs = dict(zip(given, (x for x in guess.operands if x.constant is None), strict=True)), iter(given)
    constants = {
        x: Op(XNN_CONSTANT, (), [x.type], {"values": x.constant}) for x in guess.operands if x.constant is not None
    }
    operands = tuple(constants[x].result if x in constants else next(inputs) for x in guess.operands)
    op = node_of(guess._replace(operands=operands), Value(_standing(root.results[0].type)))
    model = Model({"main": Graph("main", given, op.results, [*constants.values(), op])}, opset="xnn")
    try:
        model = apply_passes(model, lowering, Options("xnnpack"))
    except UnsupportedError:
        return False
    found = dict(zip(model.main.inputs, known.values(), strict=True))
    return equal_values(model.main.outputs[0], root.results[0], found)
