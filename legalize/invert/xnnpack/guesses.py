"""Nodes that are several operators in TOSA: a table of guesses, which are lowered and compared.

A guess is taken if the conversion of the node to TOSA makes the operators that stand in the graph.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from tosa_converter.dtypes import DType
from tosa_converter.ir import TensorType, Value
from tosa_converter.legalize.invert.confirmation import Lowering
from tosa_converter.legalize.invert.equal_elements import have_equal_elements
from tosa_converter.legalize.invert.tflite.composed import GELU, HARD_SWISH, SOFTMAX
from tosa_converter.legalize.invert.xnnpack.builder import xnn_builder
from tosa_converter.legalize.invert.xnnpack.byte_tensors import byte_quant
from tosa_converter.legalize.invert.xnnpack.windows import RESIZE_FLAGS, window_fields
from tosa_converter.legalize.pipelines import XNN_TO_TOSA
from tosa_converter.legalize.xnnpack.checks import FLOATS
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.pattern import Pattern, pattern
from tosa_converter.rewriting.report import Options
from tosa_converter.rewriting.rule import Rule, rule
from tosa_converter.schemas import tosa_ops as ops

Fields: TypeAlias = dict[str, Any]  # a node's attributes that aren't 0
# From a match to the operands that a node may read, and the attributes to try with them, the likeliest first.
Propose: TypeAlias = Callable[[Match], tuple[Sequence[Value], Iterable[Fields]]]


def _with_scale(type: TensorType) -> TensorType:
    """Returns a type whose bytes have a scale, by default 1."""
    return type._replace(quant=byte_quant(0)) if type.dtype is DType.I8 and type.quant is None else type


XNNPACK = Lowering("xnn", XNN_TO_TOSA, Options("xnnpack"), have_equal_elements, _with_scale)


class Guess(NamedTuple):
    """A row: the TOSA operators that may be a node, their types, and with which operands and attributes it is tried."""

    node: str
    pattern: Pattern
    propose: Propose
    types: str = FLOATS
    of: Key = "x"
    label: str = ""

    @property
    def rule(self) -> Rule:
        """The rule that replaces the operators by the first node that is confirmed."""
        return rule(self.pattern, self.types, of=(self.of,))(self.replace)._replace(label=self.label or self.node)

    def replace(self, m: Match) -> Value:
        """Replaces operators by the node whose conversion to TOSA makes them."""
        operands, tried = self.propose(m)
        b, shape, variables = xnn_builder(), m.op.result.type.static, [x for x in operands if x.constant is None]
        nodes = (b.op(self.node, operands, shape, **fields) for fields in tried)
        return XNNPACK.first_confirmed(m, nodes, variables, self.node)


# ** functions of floats **


def _plain(m: Match) -> tuple[Sequence[Value], Iterable[Fields]]:
    """Proposes a node of x without attributes."""
    return [m.source("x")], [{}]


def _elu(m: Match) -> tuple[Sequence[Value], Iterable[Fields]]:
    """Proposes ELU with the factor of MUL below 0, or 1 if there is no MUL."""
    producer = m.producer("below_zero")
    alpha = producer.operands[1].constant if producer.row is ops.MUL else None
    return [m.source("x")], [{"alpha": 1.0 if alpha is None else float(alpha.flat[0])}]


def _leaky_relu(m: Match) -> tuple[Sequence[Value], Iterable[Fields]]:
    """Proposes LeakyReLU by the only slope."""
    slope = m.constant("slope")
    m.require(slope.size == 1, "expected one slope, found {slope}")
    return [m.source("x")], [{"negative_slope": float(slope.flat[0])}]


def _prelu(m: Match) -> tuple[Sequence[Value], Iterable[Fields]]:
    """Proposes PReLU by slopes that are constant or computed."""
    slopes = m.source("slopes")
    if slopes.constant is not None:
        slopes = xnn_builder().const(slopes.constant, slopes.type.dtype)
    return [m.source("x"), slopes], [{}]


# ** images **


def _resize_of_bytes(m: Match) -> tuple[Sequence[Value], Iterable[Fields]]:
    """Proposes StaticResizeBilinear2D to the result's size, by all flags."""
    image, shape = m.source("image"), m.op.result.type.static
    m.require(image.type.rank == len(shape) == 4, "expected images, found {image}")
    return [image], ({"new_height": shape[1], "new_width": shape[2], "flags": flags} for flags in RESIZE_FLAGS)


def _dilated_max_pool(m: Match) -> tuple[Sequence[Value], Iterable[Fields]]:
    """Proposes MaxPooling2d of the image whose slices have the maxima, with a dilation where they are apart."""
    m.require(math.prod(m.op.attributes["kernel"]) == 1, "its window has several elements")
    image, starts = _sliced_image(m, m.source("maxima"))
    padding = [0, 0, 0, 0]
    pad = image.producer
    if pad is not None and pad.row is ops.PAD and pad.operands[1].constant is not None:
        padding = pad.operands[1].constant.reshape(-1)[2:6].tolist()
        image = pad.operands[0]
    taps = [sorted({start[axis] for start in starts}) for axis in (1, 2)]
    dilation = [offsets[1] if len(offsets) > 1 else 1 for offsets in taps]
    pairs = {"pooling": list(map(len, taps)), "stride": m.op.attributes["stride"], "dilation": dilation}
    return [image], [window_fields(pairs, padding)]


def _sliced_image(m: Match, maxima: Value) -> tuple[Value, set[tuple[int, ...]]]:
    """Returns the image whose slices have these maxima, and where the slices start.

    Raises:
        Decline: they are the maxima of several values, or of no slices.
    """
    starts: set[tuple[int, ...]] = set()
    images: set[Value] = set()
    values, seen = [maxima], {maxima}
    for value in values:
        op = value.producer
        if op is None or op.row not in (ops.MAXIMUM, ops.SLICE, ops.CAST):
            images.add(value)
            continue
        operands = [x for x in op.operands[: 2 if op.row is ops.MAXIMUM else 1] if x not in seen]
        values += operands
        seen.update(operands)
        if op.row is ops.SLICE and op.operands[1].constant is not None:
            starts.add(tuple(op.operands[1].constant.tolist()))
    m.require(len(images) == 1 and starts, "it is not the maximum of slices of one image")
    return images.pop(), starts


@rule(
    pattern(
        ops.RESHAPE,
        pattern(
            (ops.ARGMAX, ops.REDUCE_MAX),
            pattern(ops.RESHAPE, pattern(ops.TRANSPOSE, pattern(ops.RESHAPE, "image", name="cells"))),
            name="largest",
        ),
    ),
    FLOATS,
    of=("image",),
)
def arg_max_pool(m: Match) -> Value:
    """RESHAPE(ARGMAX|REDUCE_MAX(windows side by side)) -> a result of ArgMaxPooling2d, which has both in one node."""
    image, shape = m.source("image"), m.op.result.type.static
    m.require(m.source("cells").type.rank == 6, "expected rows of the rows of windows, found {cells}")
    m.require(image.type.rank == len(shape) == 4, "expected images, found {image}")
    _, _, height, _, width, _ = m.source("cells").type.static
    types = image.type._replace(shape=shape), TensorType(DType.I32, shape)
    size = {"pooling_height": height, "pooling_width": width}

    def nodes() -> Iterator[Value]:
        elements, indices = xnn_builder().shared("arg_max_pooling_2d", image, types, **size)
        yield indices if m.producer("largest").row is ops.ARGMAX else elements

    return XNNPACK.first_confirmed(m, nodes(), [image], "arg_max_pooling_2d")


def _rectified(slope: str) -> Iterator[tuple[str, Pattern]]:
    """Yields the patterns of x, or x times a slope below 0, with endings for the names of their rules."""
    product = pattern(ops.MUL, "x", slope)
    yield "", pattern((ops.MAXIMUM, ops.MINIMUM), "x", product)
    yield "_by_select", pattern(ops.SELECT, pattern(ops.GREATER_EQUAL, "x"), "x", product)


_INTERPOLATED = pattern(
    ops.RESCALE,
    pattern(ops.ADD, "", pattern(ops.MUL, pattern(ops.CAST, pattern(ops.GATHER, pattern(ops.RESHAPE, "image"))))),
)
_MAXIMA = pattern((ops.SLICE, ops.MAXIMUM, ops.CAST), name="maxima")
GUESSES = (
    Guess("softmax", SOFTMAX, _plain),
    Guess("hardswish", HARD_SWISH, _plain),
    Guess("gelu", GELU, _plain),
    Guess("elu", pattern(ops.SELECT, pattern(ops.GREATER, "", "x"), "below_zero", "x"), _elu),
    *(Guess("leaky_relu", choice, _leaky_relu, label=f"leaky_relu{end}") for end, choice in _rectified("slope")),
    *(Guess("prelu", choice, _prelu, label=f"prelu{end}") for end, choice in _rectified("slopes")),
    Guess("static_resize_bilinear_2d", pattern(ops.RESHAPE, _INTERPOLATED), _resize_of_bytes, "i8", "image"),
    Guess("max_pooling_2d", pattern(ops.MAX_POOL2D, _MAXIMA), _dilated_max_pool, f"{FLOATS} i8", 0),
)
COMPOSED = (*(guess.rule for guess in GUESSES), arg_max_pool)
