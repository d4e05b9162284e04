"""The builder of `xnn.*` graphs: nodes whose other attributes are 0; layouts of constants are folded."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Array, Op, Quant, TensorType, Value
from tosa_converter.rewriting.builder import Builder, current
from tosa_converter.schemas import xnn_ops, xnnpack
from tosa_converter.schemas.opsets import XNN_CONSTANT


class XnnBuilder(Builder):
    """Appends XNNPACK's nodes."""

    def _const(self, array: Array, dtype: DType) -> Value:
        return self.with_quant(array, TensorType(dtype, array.shape))

    def with_quant(self, array: Array, type: TensorType) -> Value:
        """A constant of a type that may have quantization parameters."""
        return Op(XNN_CONSTANT, (), [type], {"values": array}, location=self.location).result

    def keeps(self, constant: Value) -> bool:
        """XNNGraph's constants are kept, with their quantization."""
        return constant.producer is not None and constant.producer.name == XNN_CONSTANT

    def settle(self, source: Value, result: Value) -> None:
        """A result has the quantization that was found for it, and the sign."""
        if source.type.quant is not None:
            result.type = result.type._replace(dtype=source.type.dtype, quant=source.type.quant)

    def apart(self, value: Value) -> Value:
        """A tensor of its own with the same elements."""
        return self.op("copy", [value])

    def op(
        self,
        name: str,
        inputs: Sequence[Value | None],
        shape: Sequence[int] | None = None,
        dtype: DType | None = None,
        **attributes: Any,
    ) -> Value:
        """Append a node of one result.

        Args:
            name: the node's name without its opset.
            inputs: its operands, of which the first has the result's type and quantization unless `dtype` says another.
            shape: the result's; not given, what the operands broadcast to.
            dtype: see above.
            attributes: those that aren't 0.

        Raises:
            UnsupportedError: more dimensions than XNNPACK has.
        """
        first = next(value for value in inputs if value is not None)
        if shape is None:
            shape = np.broadcast_shapes(*(value.type.static for value in inputs if value is not None))
        if len(shape) > xnnpack.MAX_RANK:
            raise UnsupportedError(f"expected at most {xnnpack.MAX_RANK} dimensions, found {len(shape)}")
        quant: Quant | None = first.type.quant if dtype is None else None
        node = self._node(name, inputs, [TensorType(dtype or first.type.dtype, tuple(shape), quant)], attributes)
        self.graph.ops.append(node)
        return node.result

    def shared(self, name: str, x: Value, types: Sequence[TensorType], **attributes: Any) -> tuple[Value, ...]:
        """Returns the results of the node that the graph has with this operand, or appends it.

        Args:
            name: the node's name without its opset.
            x: its operand.
            types: of its results.
            attributes: those that aren't 0.
        """
        node = self._node(name, [x], types, attributes)
        for op in self.graph.ops:
            same = op.name == node.name and op.inputs == node.inputs and op.attributes == node.attributes
            if same and [value.type for value in op.results] == list(types):
                return op.results
        self.graph.ops.append(node)
        return node.results

    def _node(
        self, name: str, inputs: Sequence[Value | None], types: Sequence[TensorType], attributes: dict[str, Any]
    ) -> Op:
        fields = xnn_ops.BY_OPCODE[f"xnn.{name}"].table().fields()
        defaults = {field: value for field, value in fields.items() if not field.endswith("_id")}
        return Op(f"xnn.{name}", inputs, types, defaults | attributes, location=self.location)

    # ** layout **

    def reshape(self, x: Value, shape: Sequence[int]) -> Value:
        """StaticReshape."""
        shape = tuple(shape)
        if x.type.shape == shape:
            return x
        if x.constant is not None:
            return self.with_quant(x.constant.reshape(shape), x.type._replace(shape=shape))
        if not shape:
            raise UnsupportedError("a result without dimensions, which StaticReshape doesn't make")
        return self.op("static_reshape", [x], shape, num_dims=len(shape), new_shape=shape)

    def transpose(self, x: Value, perms: Sequence[int]) -> Value:
        """StaticTranspose."""
        perms = tuple(perms)
        if perms == tuple(range(x.type.rank)):
            return x
        shape = tuple(x.type.static[axis] for axis in perms)
        if x.constant is not None:
            return self.with_quant(np.ascontiguousarray(x.constant.transpose(perms)), x.type._replace(shape=shape))
        return self.op("static_transpose", [x], shape, num_dims=len(perms), perm=perms)

    def slice(self, x: Value, start: Sequence[int], size: Sequence[int]) -> Value:
        """StaticSlice."""
        if x.type.shape == tuple(size):
            return x
        offsets, sizes = tuple(start), tuple(size)
        return self.op("static_slice", [x], sizes, num_dims=len(sizes), offsets=offsets, sizes=sizes)

    def concat(self, parts: Sequence[Value], axis: int) -> Value:
        """Concatenate2 to 5; more parts are joined in steps."""
        parts = list(parts)
        while len(parts) > 5:
            parts = [self.concat(parts[i : i + 5], axis) for i in range(0, len(parts), 5)]
        if len(parts) == 1:
            return parts[0]
        shape = list(parts[0].type.static)
        shape[axis] = sum(part.type.static[axis] for part in parts)
        return self.op(f"concatenate_{len(parts)}", parts, shape, axis=axis)

    # ** arithmetic **

    def mul(self, a: Value, b: Value, shift: int = 0) -> Value:
        """Multiply; `shift` is TOSA's."""
        if shift:
            raise ValueError("XNNPACK's Multiply doesn't shift")
        return self.op("multiply", [a, b])

    def convert(self, x: Value, dtype: DType) -> Value:
        """Convert from floats to floats."""
        if x.type.dtype is dtype:
            return x
        return self.op("convert", [x], dtype=dtype) if x.constant is None else self.const(x.constant, dtype)

    def repeated(self, x: Value, axis: int, times: int) -> Value:
        """Every element along an axis so many times in a row: times ones that it broadcasts with."""
        shape = list(x.type.static)
        apart = self.reshape(x, (*shape[: axis + 1], 1, *shape[axis + 1 :]))
        ones = np.ones((*(1,) * (axis + 1), times, *(1,) * (len(shape) - axis - 1)), x.type.dtype.numpy)
        shape[axis] *= times
        return self.reshape(self.mul(apart, self.const(ones, x.type.dtype)), shape)


def xnn_builder() -> XnnBuilder:
    """Returns the builder of the graph under construction."""
    builder = current()
    if not isinstance(builder, XnnBuilder):
        raise TypeError(f"expected a builder of XNNPACK's nodes, found {type(builder).__name__}")
    return builder
