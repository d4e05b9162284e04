"""The builder of `tfl.*` graphs: operators whose results have the shapes and types that LiteRT's kernels give them."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Quant, TensorType, Value
from tosa_converter.legalize.invert.tflite.weights import reshape_weights
from tosa_converter.rewriting.builder import Builder
from tosa_converter.schemas.opsets import TFL_CONSTANT

# What TFLite holds elements in that it has no type for.
STORED = {DType.I48: DType.I64, DType.I4: DType.I8, DType.SHAPE: DType.I32}
NARROW_FLOATS = frozenset({DType.FP16, DType.BF16})
# LiteRT's kernels broadcast so many dimensions.
BROADCAST_RANK = 4


def storage_type(dtype: DType) -> DType:
    """Returns the type in which TFLite stores elements of a TOSA type that it doesn't have; any other type itself."""
    return STORED.get(dtype, dtype)


class TflBuilder(Builder):
    """Appends TFLite's operators; constants are folded where a layout or a type changes."""

    def _const(self, array: Any, dtype: DType) -> Value:
        """Returns a new constant in the type that TFLite has for its elements."""
        elements = np.asarray(array, storage_type(dtype).numpy)
        type = TensorType(storage_type(dtype), elements.shape)
        return Op(TFL_CONSTANT, (), [type], {"values": elements}, location=self.location).result

    def is_own_constant(self, constant: Value) -> bool:
        """Returns whether a constant is TFLite's already, so that it is used as it is, with its quantization."""
        return constant.producer is not None and constant.producer.name == TFL_CONSTANT

    def copy_quantization(self, source: Value, result: Value) -> None:
        """Copies the quantization of `source`, a value of the TOSA graph, to its replacement if the types agree."""
        if source.type.quant is not None and result.type.dtype is source.type.dtype:
            result.type = result.type._replace(quant=source.type.quant)

    def copy_tensor(self, value: Value) -> Value:
        """Returns a new tensor with the same elements: a RESHAPE to the same shape, or a new constant."""
        if value.constant is not None:
            return self._const(value.constant, value.type.dtype)
        return self.op("reshape", [value, self.ints(value.type.static)], new_shape=value.type.static)

    def op(
        self,
        name: str,
        inputs: Sequence[Value | None],
        dtype: DType | None = None,
        shape: Sequence[int] | None = None,
        **options: Any,
    ) -> Value:
        """Appends a TFLite operator with one result, and returns the result.

        Args:
            name: the operator's without its opset.
            inputs: its operands.
            dtype: of the result, by default that of the first operand.
            shape: of the result, by default RESHAPE's `new_shape`, or the shape to which the operands broadcast.
            options: fields of its options that don't have their defaults.
        """
        first = next(value for value in inputs if value is not None)
        dtype = dtype or first.type.dtype
        if shape is None:
            shape = options.get("new_shape") or np.broadcast_shapes(*(v.type.static for v in inputs if v is not None))
        quant: Quant | None = first.type.quant if first.type.dtype is dtype else None
        type = TensorType(dtype, tuple(shape), quant)
        new = Op(f"tfl.{name}", inputs, [type], options, location=self.location)
        self.graph.ops.append(new)
        return new.result

    # ** constants **

    def ints(self, values: Sequence[int]) -> Value:
        """Returns a TFLite constant, a vector of i32."""
        return self.const(np.array(values, np.int32), DType.I32)

    def scalar_like(self, value: float, like: Value) -> Value:
        """Returns a scalar constant of `like`'s element type and quantization."""
        scalar = self.const(np.asarray(value, like.type.dtype.numpy), like.type.dtype)
        return self.with_quant(scalar, like.type.quant)

    def with_quant(self, value: Value, quant: Quant | None) -> Value:
        """Returns a copy of a constant with these quantization parameters; the same constant if they are None."""
        if quant is None:
            return value
        type = value.type._replace(quant=quant)
        return Op(TFL_CONSTANT, (), [type], {"values": value.constant}, location=self.location).result

    # ** layout **

    def reshape(self, x: Value, shape: Sequence[int]) -> Value:
        """Returns x in another shape: x itself, a constant reshaped at once, or the result of an appended RESHAPE.

        If x is the DEQUANTIZE of constant weights, the stored weights are reshaped and dequantized anew.
        """
        shape = tuple(shape)
        if x.type.shape == shape:
            return x
        if x.constant is not None:
            return self.with_quant(self.const(x.constant.reshape(shape), x.type.dtype), x.type.quant)
        weights = reshape_weights(x, shape)
        if weights is not None:
            stored = Op(TFL_CONSTANT, (), [weights[1]], {"values": weights[0]}, location=self.location).result
            return self.op("dequantize", [stored], DType.FP32, shape)
        return self.op("reshape", [x, self.ints(shape)], shape=shape, new_shape=shape)

    def transpose(self, x: Value, perms: Sequence[int]) -> Value:
        """Returns x transposed: x itself, a constant transposed at once, or the result of an appended TRANSPOSE."""
        if list(perms) == list(range(x.type.rank)):
            return x
        if x.constant is not None:
            return self.const(np.ascontiguousarray(x.constant.transpose(tuple(perms))), x.type.dtype)
        return self.op("transpose", [x, self.ints(perms)], shape=[x.type.static[axis] for axis in perms])

    def slice(self, x: Value, start: Sequence[int], size: Sequence[int]) -> Value:
        """Returns a slice of x: x itself, a constant sliced at once, or the result of TFLite's SLICE, appended."""
        if x.type.shape == tuple(size):
            return x
        if x.constant is not None:
            part = tuple(slice(at, at + n) for at, n in zip(start, size, strict=True))
            return self.const(np.ascontiguousarray(x.constant[part]), x.type.dtype)
        return self.op("slice", [x, self.ints(start), self.ints(size)], shape=size)

    def pad(self, x: Value, padding: Sequence[tuple[int, int]], value: float = 0) -> Value:
        """Appends PADV2 with the amounts (before, after) for each dimension; x itself if all are 0."""
        if not any(map(any, padding)):
            return x
        shape = [n + before + after for n, (before, after) in zip(x.type.static, padding, strict=True)]
        amounts = self.const(np.array(padding, np.int32), DType.I32)
        filling = self.with_quant(self.const(np.full(1, value, x.type.dtype.numpy), x.type.dtype), x.type.quant)
        return self.op("padv2", [x, amounts, filling], shape=shape)

    def gather(self, x: Value, indices: Value, axis: int = 0) -> Value:
        """Appends TFLite's GATHER along an axis by indices of any shape."""
        shape = (*x.type.static[:axis], *indices.type.static, *x.type.static[axis + 1 :])
        return self.op("gather", [x, indices], shape=shape, axis=axis)

    # ** elementwise **

    def cast(self, x: Value, dtype: DType) -> Value:
        """Returns x in another type: x itself, a constant cast at once, or the result of an appended CAST."""
        if x.type.dtype is dtype:
            return x
        if x.constant is not None:
            return self.const(x.constant.astype(dtype.numpy), dtype)
        return self.op("cast", [x], dtype)

    def elementwise(self, name: str, *values: Value, dtype: DType | None = None, **options: Any) -> Value:
        """Appends an elementwise TFLite operator; RESHAPEs merge dimensions if LiteRT can't broadcast so many."""
        rank = max(value.type.rank for value in values)
        shapes = {value.type.static for value in values if value.type.rank}
        if rank <= BROADCAST_RANK or len(shapes) == 1:
            return self.op(name, values, dtype, **options)
        merged, shape = _merge_dimensions([value.type.static for value in values])
        narrow = [self.reshape(value, dims) for value, dims in zip(values, merged, strict=True)]
        return self.reshape(self.op(name, narrow, dtype, **options), shape)

    def choose(self, condition: Value, x: Value, y: Value) -> Value:
        """Appends TFLite's SELECT_V2: x where the condition is true, y elsewhere."""
        return self.elementwise("select_v2", condition, x, y, dtype=x.type.dtype)

    def add(self, a: Value, b: Value) -> Value:
        """Appends TFLite's ADD, a + b, whose operands broadcast."""
        return self.elementwise("add", a, b)

    def sub(self, a: Value, b: Value) -> Value:
        """Appends TFLite's SUB, a - b, whose operands broadcast."""
        return self.elementwise("sub", a, b)

    def mul(self, a: Value, b: Value, shift: int = 0) -> Value:
        """Appends TFLite's MUL, a * b; it has no `shift` as TOSA's MUL has, so that must be 0."""
        if shift:
            raise ValueError("TFLite's MUL doesn't shift")
        return self.elementwise("mul", a, b)

    def compare(self, name: str, a: Value, b: Value) -> Value:
        """Appends TFLite's comparison `name` (such as "less"), whose result is boolean."""
        return self.elementwise(name, a, b, dtype=DType.BOOL)

    def is_nan(self, x: Value) -> Value:
        """Appends x != x, which is true only for NaN."""
        return self.compare("not_equal", x, x)

    def shift_right(self, x: Value, by: Value) -> Value:
        """Appends TFLite's RIGHT_SHIFT of x by `by` bits, which is arithmetic on signed integers."""
        return self.elementwise("right_shift", x, by)


def constant(values: Array, dtype: DType) -> Value:
    """Returns a TFLite constant that is not in a graph yet."""
    return Op(TFL_CONSTANT, (), [TensorType(dtype, values.shape)], {"values": values.astype(dtype.numpy)}).result


def _merge_dimensions(shapes: Sequence[tuple[int, ...]]) -> tuple[list[tuple[int, ...]], tuple[int, ...]]:
    """Returns shapes of fewer dimensions that broadcast in the same way, and the original shape of the result.

    Neighbouring dimensions in which the same operands have size 1 become one. Example: [2,3,4] and [1,1,4] become [6,4]
    and [1,4].
    """
    result = np.broadcast_shapes(*shapes)
    full = [(1,) * (len(result) - len(shape)) + shape for shape in shapes]
    groups: list[list[int]] = []
    before = None
    for axis, size in enumerate(result):
        if size == 1 and groups:
            continue
        kind = tuple(shape[axis] == size for shape in full)
        if kind != before:
            groups.append([])
        groups[-1].append(axis)
        before = kind
    return [tuple(math.prod(shape[axis] for axis in group) for group in groups) for shape in full], result
