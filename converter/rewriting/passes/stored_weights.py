"""Writes integer weights of 4 and 2 bits in so many bits: as i4 constants, or packed into i8 with an exact unpacking.

TOSA has i4 (EXT-INT4) as weights of convolutions of i8 alone, from -7 to 7 (1.9 excludes -8). Other readers, weights of
-8, and those of 2 bits, get a constant of i8 whose bytes hold two or four weights, and three operators that unpack
them:

    packed [rows, 1, n / 2]  <<  [4, 0]      the field that is wanted lies in the upper bits: [rows, 2, n / 2]
                             >>  4           the sign is extended over them
                             RESHAPE         [rows, n], in the shape of the weights

The first half of a row is in the lower fields: [1, -2, 3, -4] is packed as [1 | 3 << 4, -2 | -4 << 4] = [0x31, 0xCE].
0x31 << 4 is 0x10, and >> 4 gives 1; 0x31 << 0 >> 4 gives 3. Rows stay apart, so that GATHER can read packed ones.
"""

import math
from collections.abc import Iterable, Sequence
from copy import copy
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, Value
from tosa_converter.ir.edit import arrange, inherit_name, substitute
from tosa_converter.rewriting.builder import SHARED_CONSTANT, Builder
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rules.inference import infer_types
from tosa_converter.rules.target import Target
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.presets import NARROW_WEIGHTS
from tosa_converter.schemas.tosa_ops import OpDef

WIDTHS = {DType.I4: 4, DType.I2: 2}
BYTE = 8
CONVOLUTIONS = (ops.CONV2D, ops.CONV3D, ops.DEPTHWISE_CONV2D, ops.TRANSPOSE_CONV2D)
WEIGHT, WEIGHT_ZERO_POINT = 1, 4  # operands of convolutions
MOST_I4 = 7  # the least is -7


class Reader(NamedTuple):
    """An operator that reads a constant, and at which operand."""

    op: Op
    position: int


class StoredWeights:
    """The pass; it changes graphs in place."""

    name = "stored-weights"

    def __init__(self, *, narrow: bool) -> None:
        """Creates the pass that stores weights in 4 and 2 bits; `narrow` says whether the source has such weights."""
        self.narrow = narrow

    def run(self, model: Model, options: Options, _report: Report, /) -> Model:
        """Narrows the constants of every graph, and moves what expands them to where it is read."""
        changed = False
        for graph in model.graphs.values():
            for inner in graph.walk_graphs():
                before = list(inner.ops)
                if self.narrow:
                    _NarrowedConstants(inner, narrow_forms(options.target)).narrow()
                sink_expansions(inner)
                changed = changed or inner.ops != before
        return copy(model) if changed else model


def has_narrow_weights(model: Model) -> bool:
    """Returns whether a source has constants of 4 or 2 bits."""
    ops = (op for graph in model.graphs.values() for op in graph.walk() if not op.inputs)
    return any(value.type.dtype in WIDTHS for op in ops for value in op.results)


def keeps_narrow_weights(model: Model) -> bool:
    """Returns whether a TOSA model has constants of i4, or operators (CAST or shifts) that expand stored constants."""
    return any(_expands(op) for graph in model.graphs.values() for op in graph.walk())


def _expands(op: Op) -> bool:
    """Returns whether an operator expands a constant, or rows that GATHER reads from it; also for constants of i4."""
    if op.row is ops.CONST:
        return op.result.type.dtype is DType.I4
    if op.row not in (ops.CAST, ops.LOGICAL_LEFT_SHIFT):
        return False
    value = op.operands[0]
    while value.producer is not None and value.producer.row in (ops.GATHER, ops.RESHAPE):
        value = value.producer.operands[0]
    return value.constant is not None


def narrow_forms(target: Target | None) -> frozenset[str]:
    """Returns the forms of 4 and 2 bits that a target takes, of `NARROW_WEIGHTS`.

    Without a target there are all, and the report states what the result needs.
    """
    forms = NARROW_WEIGHTS if target is None or target.preset is None else target.preset.narrow_weights
    return forms if target is None or "EXT-INT4" in target.supported else forms - {"i4"}


class _NarrowedConstants:
    """The constants of one graph, and what replaces them."""

    def __init__(self, graph: Graph, forms: frozenset[str]) -> None:
        """Prepares to store a graph's constants in 4 and 2 bits, in those `forms` that the target takes.

        Graph outputs and values that regions read stay as they are (`fixed`).
        """
        self.graph = graph
        self.forms = forms
        self.builder = Builder(Graph(graph.name))
        self.readers: dict[Value, list[Reader]] = {}
        self.replaced: dict[Value, Value] = {}
        for op in graph.ops:
            for position, value in enumerate(op.inputs):
                if value is not None:
                    self.readers.setdefault(value, []).append(Reader(op, position))
        inner = (region for op in graph.ops for region in op.regions)
        self.fixed = {*graph.outputs, *(value for region in inner for op in region.walk() for value in op.operands)}

    def narrow(self) -> None:
        """Replaces the constants of i8 whose elements fit 4 or 2 bits, by i4 or by packed weights and their unpacking.

        A GATHER of packed rows reads these, and only its result is unpacked.
        """
        tables: dict[Value, int] = {}  # the bits of packed constants that GATHER reads
        for op in self.graph.ops:
            op.inputs = substitute(op.inputs, self.replaced)
            self.builder.location = op.location
            bits = narrow_bits(op.result) if op.row is ops.CONST and op.result not in self.fixed else 0
            if bits and (self._saves_bytes(op.result) or self._stays_i4(op.result, bits)):
                narrow = self.replaced[op.result] = self._narrow_constant(op.result, bits)
                if narrow.constant is not None and narrow.type.dtype is DType.I8:
                    tables[narrow] = bits
            elif op.row is ops.GATHER and op.operands[0] in tables:
                rows = self._emit(ops.GATHER, *op.operands)
                self.replaced[op.result] = self._unpack(rows, tables[op.operands[0]], op.result)
            else:
                self.builder.graph.ops.append(op)
        if self.replaced:
            self.graph.ops = self.builder.graph.ops
            arrange(self.graph)

    def _narrow_constant(self, constant: Value, bits: int) -> Value:
        """Returns what replaces a constant whose elements fit `bits` bits.

        It is a constant of i4, or packed bytes: unpacked again by operators, or as they are if only GATHERs read the
        constant and its rows fill whole bytes.
        """
        readers = self.readers.get(constant, [])
        if self._stays_i4(constant, bits):
            return self._as_i4(constant, readers)
        assert constant.constant is not None
        packed = self.builder.const(pack(constant.constant, bits), DType.I8)
        packed.name = f"{constant.name}_packed" if constant.name else ""
        *outer, size = constant.type.static
        if size % (BYTE // bits) == 0 and all(self._gathers(reader) for reader in readers):
            return self.builder.reshape(packed, (*outer, size * bits // BYTE))
        return self._unpack(packed, bits, constant)

    def _saves_bytes(self, constant: Value) -> bool:
        """Returns whether the target takes packed weights and packing saves more than unpacking takes."""
        # Up to 1 KB, the operators take more than packing saves.
        return "packed" in self.forms and constant.type.elements > SHARED_CONSTANT

    def _stays_i4(self, constant: Value, bits: int) -> bool:
        """Returns whether a constant whose elements fit `bits` bits becomes i4, rather than packed bytes.

        The target and all readers must take i4. Constants of 2 bits become packed bytes if that saves memory.
        """
        enough = bits == WIDTHS[DType.I4] or not self._saves_bytes(constant)
        return (
            "i4" in self.forms and enough and _fits_i4(constant) and all(map(_reads_i4, self.readers.get(constant, [])))
        )

    def _gathers(self, reader: Reader) -> bool:
        """Returns whether a reader is a GATHER of rows from the constant, whose result is read in this graph only."""
        return reader.op.row is ops.GATHER and reader.position == 0 and reader.op.result not in self.fixed

    def _as_i4(self, constant: Value, readers: Sequence[Reader]) -> Value:
        """Returns a constant as i4, and changes the zero points of its readers to i4."""
        for op, _ in readers:
            zero_point = op.operands[WEIGHT_ZERO_POINT].constant
            assert zero_point is not None
            zeros = self.builder.const(zero_point, DType.I4)
            op.inputs = (*op.inputs[:WEIGHT_ZERO_POINT], zeros, *op.inputs[WEIGHT_ZERO_POINT + 1 :])
        narrow = self.builder.const(constant.constant, DType.I4)
        inherit_name(narrow, constant)
        return narrow

    def _unpack(self, packed: Value, bits: int, whole: Value) -> Value:
        """Emits the operators that unpack packed weights of `bits` bits to `whole`, and returns their result.

        For each field, a left shift lifts it to the byte's upper end, and a right shift brings it down with its sign
        (`pack` makes these bytes). Elements that only fill up the last row are cut off; the result gets the shape and
        name of `whole`.
        """
        size, shape = packed.type.static[-1], whole.type.static
        fields = self._reshape(packed, (packed.type.elements // size, 1, size))
        lifts = BYTE - bits * np.arange(1, BYTE // bits + 1)
        lifted = self._emit(ops.LOGICAL_LEFT_SHIFT, fields, self._bytes(lifts.reshape(1, -1, 1)))
        extension = self._bytes(np.full((1, 1, 1), BYTE - bits))
        elements = self._emit(ops.ARITHMETIC_RIGHT_SHIFT, lifted, extension, round=False)
        if elements.type.elements > whole.type.elements:
            flat = self._reshape(elements, (elements.type.elements,))
            count = self.builder.shape((whole.type.elements,))
            elements = self._emit(ops.SLICE, flat, self.builder.shape((0,)), count)
        unpacked = self._reshape(elements, shape)
        inherit_name(unpacked, whole)
        return unpacked

    def _bytes(self, values: Array) -> Value:
        """Returns a constant of i8."""
        return self.builder.const(values, DType.I8)

    def _reshape(self, x: Value, shape: tuple[int, ...]) -> Value:
        """Returns x in another shape; x itself if it has the shape."""
        return x if x.type.shape == shape else self._emit(ops.RESHAPE, x, self.builder.shape(shape))

    def _emit(self, row: OpDef, *inputs: Value, **attributes: Any) -> Value:
        """Appends an operator without folding it, and returns its result."""
        op = Op(row, inputs, infer_types(row, inputs, attributes), attributes, location=self.builder.location)
        self.builder.graph.ops.append(op)
        return op.result


def sink_expansions(graph: Graph) -> None:
    """Puts operators on constants right before their first reader, so that few expanded weights are alive at a time."""
    constant: set[Value] = set()
    waiting: dict[Value, tuple[int, Op]] = {}
    ordered: list[Op] = []

    def place(values: Iterable[Value | None]) -> None:
        """Appends the operators in `waiting` that compute these values and their operands, in the graph's order."""
        pending, needed = list(values), list[tuple[int, Op]]()
        while pending:
            value = pending.pop()
            entry = None if value is None else waiting.pop(value, None)
            if entry is not None:
                needed.append(entry)
                pending.extend(entry[1].inputs)
        ordered.extend(op for _, op in sorted(needed, key=itemgetter(0)))

    for i, op in enumerate(graph.ops):
        # An operator without operands, such as VARIABLE_READ, isn't constant.
        movable = bool(op.operands) and len(op.results) == 1 and not op.regions
        if op.name in CONSTANTS or (movable and constant.issuperset(op.operands)):
            constant.update(op.results)
            waiting[op.result] = i, op
            continue
        inner = (value for region in op.regions for inner in region.walk() for value in inner.inputs)
        place((*op.inputs, *inner))
        ordered.append(op)
    place(graph.outputs)
    graph.ops = ordered


def _reads_i4(reader: Reader) -> bool:
    """Returns whether a reader takes i4: a convolution of i8 that reads its weights, which have no zero point."""
    op, position = reader
    if op.row not in CONVOLUTIONS or position != WEIGHT or op.operands[0].type.dtype is not DType.I8:
        return False
    zero_point = op.operands[WEIGHT_ZERO_POINT].constant
    return zero_point is not None and not zero_point.any()


def _fits_i4(value: Value) -> bool:
    """Returns whether a value is a constant of -7 to 7: TOSA excludes -8 from weights of i4."""
    elements = value.constant
    return elements is not None and elements.min() >= -MOST_I4 and elements.max() <= MOST_I4


def narrow_bits(constant: Value) -> int:
    """Returns the bits that all elements of a constant of i8 fit, 4 or 2; 0 for other constants."""
    elements = constant.constant
    if elements is None or constant.type.dtype is not DType.I8 or not elements.size:
        return 0
    low, high = int(elements.min()), int(elements.max())
    for dtype in (DType.I2, DType.I4):
        if dtype.limits[0] <= low and high <= dtype.limits[1]:
            return WIDTHS[dtype]
    return 0


def pack(elements: Array, bits: int) -> Array:
    """Returns integers of 4 or 2 bits packed in i8, [rows, 1, bytes of a row].

    A row is the last dimension if it fills whole bytes, else all elements, followed by zeros. It is split into as many
    equal parts as a byte has fields: byte i has element i of each part, the first part in the lowest bits.

    Example:
        >>> [hex(byte) for byte in pack(np.int8([[1, -2, 3, -4]]), 4).view(np.uint8).ravel()]
        ['0x31', '0xce']
    """
    count = BYTE // bits
    size = elements.shape[-1] if elements.ndim else 1
    if size % count:
        size = math.ceil(elements.size / count) * count
        elements = np.append(elements.reshape(-1), np.zeros(size - elements.size, np.int8))
    fields = elements.reshape(-1, count, size // count).view(np.uint8) & ((1 << bits) - 1)
    packed = fields[:, 0].copy()
    for i in range(1, count):
        packed |= fields[:, i] << (bits * i)
    return packed.view(np.int8)[:, None]
