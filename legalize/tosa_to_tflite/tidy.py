"""What TFLite has in one operator: fused activations, layers without RESHAPEs around them, RESHAPEs of RESHAPEs."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from tosa_converter.dtypes import DType
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.ir.edit import arrange, replace_ops, replace_result, substituted
from tosa_converter.legalize.tosa_to_tflite.builder import TflBuilder
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.in_place import change_graphs
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation
from tosa_converter.schemas.tflite import Padding

FUSED = {
    "tfl.relu": Activation.RELU,
    "tfl.relu6": Activation.RELU6,
    "tfl.relu_n1_to_1": Activation.RELU_N1_TO_1,
}
# Whose kernels have fused activations.
FUSING = frozenset(
    f"tfl.{name}" for name in ("add", "conv_2d", "depthwise_conv_2d", "div", "fully_connected", "mul", "sub")
)

Once = Callable[[Value], bool]  # whether one operator alone reads a value
B = TypeVar("B", bound=Builder)
Rule = Callable[[B, Op, Once], Value | None]


class Tidy:
    """The pass behind the one to TFLite."""

    name = "tidy"

    def run(self, model: Model, _options: Options, _report: Report, /) -> Model:
        """Changes the graphs in place."""
        return change_graphs(model, _tidy)


def _tidy(graph: Graph) -> bool:
    changed = [apply(graph, rule, TflBuilder) for rule in (_fuse, _layer, _reshape, _reshape_of_layer)]
    return any(changed)


def apply(graph: Graph, rule: Rule[B], builder: type[B]) -> bool:
    """Try a rule on every operator; what it returns takes the place of the operator's result.

    Returns whether there was such a result.
    """
    users = graph.uses()
    kept: dict[Value, Value] = {}
    replacements: dict[Op, Sequence[Op]] = {}
    outputs = set(graph.outputs)
    for op in graph.ops:
        op.inputs = substituted(op.inputs, kept)
        b = builder(Graph("tidy"))
        b.location = op.location
        found = rule(b, op, lambda value: len(users.get(value, ())) == 1 and value not in outputs)
        if found is None or (op.results[0] in outputs and not b.graph.ops):
            continue
        replacements[op] = b.graph.ops
        if b.graph.ops:
            replace_result(b.graph.ops[-1], op.results[0])
        else:
            kept[op.results[0]] = found
            users[found] = users.get(found, []) + users.get(op.results[0], [])
    replace_ops(graph, replacements)
    arrange(graph)
    return bool(replacements)


def _again(b: TflBuilder, op: Op, **changed: object) -> Value:
    """An operator once more with other options."""
    made = Op(op.name, op.inputs, [value.type for value in op.results], op.attributes | changed, location=op.location)
    b.graph.ops.append(made)
    return made.results[0]


def _fuse(b: TflBuilder, op: Op, once: Once) -> Value | None:
    """An activation behind an operator that has one."""
    kind, x = FUSED.get(op.name), op.inputs[0] if op.inputs else None
    before = x.producer if x is not None else None
    if kind is None or x is None or before is None or before.name not in FUSING or not once(x):
        return None
    if x.type.dtype is not DType.FP32 or before.attributes.get("fused_activation_function"):
        return None
    return _again(b, before, fused_activation_function=kind)


def _layer(b: TflBuilder, op: Op, once: Once) -> Value | None:
    """CONV_2D of floats and 1x1 images: FULLY_CONNECTED."""
    if op.name != "tfl.conv_2d" or op.operands[0].type.dtype is not DType.FP32:
        return None
    x, weight, bias = op.operands
    n, *size, depth = x.type.static
    strides = op.attributes["stride_h"], op.attributes["stride_w"]
    plain = weight.type.static[1:3] == (1, 1) and strides == (1, 1)
    if size != [1, 1] or not plain or op.attributes["padding"] != Padding.VALID or weight.constant is None:
        return None
    channels = weight.type.static[0]
    flat = b.reshape(weight, (channels, depth))
    kept = {key: op.attributes[key] for key in ("fused_activation_function",) if key in op.attributes}
    y = b.op("fully_connected", [_before_reshape(x, once), flat, bias], shape=(n, channels), **kept)
    return b.reshape(y, (n, 1, 1, channels))


def _before_reshape(x: Value, once: Once) -> Value:
    """What a RESHAPE that nobody else reads was made of: FULLY_CONNECTED takes rows in any shape."""
    op = x.producer
    if op is None or op.name != "tfl.reshape" or not once(x) or op.operands[0].type.quant != x.type.quant:
        return x
    return op.operands[0] if op.operands[0].type.rank > 1 else x


def _reshape(b: TflBuilder, op: Op, _once: Once) -> Value | None:
    """RESHAPE of a RESHAPE, or to the shape that is there."""
    if op.name != "tfl.reshape":
        return None
    x = op.operands[0]
    same = x.type == op.results[0].type
    if same and x.producer is not None and x.constant is None:
        return x
    before = x.producer
    if before is None or before.name != "tfl.reshape" or before.operands[0].type.quant != op.results[0].type.quant:
        return None
    source = before.operands[0]
    return source if source.type == op.results[0].type else b.reshape(source, op.results[0].type.static)


def _reshape_of_layer(b: TflBuilder, op: Op, once: Once) -> Value | None:
    """RESHAPEs in front of a layer and behind it."""
    if op.name == "tfl.fully_connected":
        x = _before_reshape(op.operands[0], once)
        if x is op.operands[0] or op.attributes.get("keep_num_dims"):
            return None
        made = Op(op.name, (x, *op.inputs[1:]), [op.results[0].type], op.attributes, location=op.location)
        b.graph.ops.append(made)
        return made.results[0]
    before = op.operands[0].producer if op.name == "tfl.reshape" else None
    if before is None or before.name != "tfl.fully_connected" or not before.attributes.get("keep_num_dims"):
        return None
    y, rows = before.results[0], before.results[0].type.elements // before.results[0].type.static[-1]
    if not once(y) or op.results[0].type.shape != (rows, y.type.static[-1]):
        return None
    x = _before_reshape(before.operands[0], once)
    type = TensorType(y.type.dtype, (rows, y.type.static[-1]), y.type.quant)
    made = Op(before.name, (x, *before.inputs[1:]), [type], before.attributes | {"keep_num_dims": False})
    made.location = op.location
    b.graph.ops.append(made)
    return made.results[0]
