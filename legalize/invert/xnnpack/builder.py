"""The builder of `xnn.*` graphs: nodes whose other attributes are 0; layouts of constants are folded."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Op, Quant, TensorType, Value
from tosa_converter.legalize.invert.source_builder import SourceBuilder
from tosa_converter.rewriting.builder import current
from tosa_converter.schemas import xnn_ops, xnnpack
from tosa_converter.schemas.opsets import XNN_CONSTANT


class XnnBuilder(SourceBuilder):
    """Appends XNNPACK's nodes to a graph, and folds layouts of constants."""

    constant = XNN_CONSTANT

    def copy_quantization(self, source: Value, result: Value) -> None:
        """Gives a node's result the 8-bit type and quantization, if any, of the TOSA value that it replaces."""
        if source.type.quant is not None:
            result.type = result.type._replace(dtype=source.type.dtype, quant=source.type.quant)

    def copy_tensor(self, value: Value) -> Value:
        """Appends XNNPACK's Copy: returns a new tensor with the same elements."""
        return self.op("copy", [value])

    def op(
        self,
        name: str,
        inputs: Sequence[Value | None],
        shape: Sequence[int] | None = None,
        dtype: DType | None = None,
        **attributes: Any,
    ) -> Value:
        """Appends an XNNPACK node with one result, and returns the result.

        Args:
            name: the node's name without its opset.
            inputs: its operands; the result has the quantization of the first one unless `dtype` is stated.
            shape: of the result, by default the one that the operands broadcast to.
            dtype: of the result, by default that of the first operand.
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

    def find_or_append(self, name: str, x: Value, types: Sequence[TensorType], **attributes: Any) -> tuple[Value, ...]:
        """Returns the results of an equal XNNPACK node of the graph, or else of a new one that is appended.

        Args:
            name: the node's name without its opset.
            x: its operand.
            types: the types of its results.
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
        """Returns an XNNPACK node that isn't in the graph yet; attributes that aren't given are 0."""
        fields = xnn_ops.BY_OPCODE[f"xnn.{name}"].table().fields()
        defaults = {field: value for field, value in fields.items() if not field.endswith("_id")}
        return Op(f"xnn.{name}", inputs, types, defaults | attributes, location=self.location)

    # ** layout **

    def append_reshape(self, x: Value, shape: tuple[int, ...]) -> Value:
        """Appends XNNPACK's StaticReshape and returns its result; raises UnsupportedError for a shape of rank 0."""
        if not shape:
            raise UnsupportedError("expected a result with dimensions for StaticReshape, found one without dimensions")
        return self.op("static_reshape", [x], shape, num_dims=len(shape), new_shape=shape)

    def append_transpose(self, x: Value, perms: tuple[int, ...]) -> Value:
        """Appends XNNPACK's StaticTranspose, which permutes x's dimensions, and returns its result."""
        shape = tuple(x.type.static[axis] for axis in perms)
        return self.op("static_transpose", [x], shape, num_dims=len(perms), perm=perms)

    def slice(self, x: Value, start: Sequence[int], size: Sequence[int]) -> Value:
        """Appends XNNPACK's StaticSlice; returns x itself if it has the size already."""
        if x.type.shape == tuple(size):
            return x
        offsets, sizes = tuple(start), tuple(size)
        return self.op("static_slice", [x], sizes, num_dims=len(sizes), offsets=offsets, sizes=sizes)

    def concat(self, parts: Sequence[Value], axis: int) -> Value:
        """Appends XNNPACK's Concatenate2 to Concatenate5; more than 5 parts are joined in several steps."""
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
        """Appends XNNPACK's Multiply, a * b; it has no `shift` as TOSA's MUL has, so that must be 0."""
        if shift:
            raise ValueError(f"expected the shift 0 for XNNPACK's Multiply, found {shift}")
        return self.op("multiply", [a, b])

    def convert(self, x: Value, dtype: DType) -> Value:
        """Appends XNNPACK's Convert from floats to floats; a constant is converted at once."""
        if x.type.dtype is dtype:
            return x
        return self.op("convert", [x], dtype=dtype) if x.constant is None else self.const(x.constant, dtype)

    def repeat(self, x: Value, axis: int, times: int) -> Value:
        """Repeats each element along an axis by XNNPACK's Multiply with ones: [1, 2] becomes [1, 1, 1, 2, 2, 2]."""
        shape, ones = list(x.type.static), [1] * (x.type.rank + 1)
        ones[axis + 1] = times
        column = self.reshape(x, (*shape[: axis + 1], 1, *shape[axis + 1 :]))
        shape[axis] *= times
        return self.reshape(self.mul(column, self.const(np.ones(ones), x.type.dtype)), shape)


def xnn_builder() -> XnnBuilder:
    """Returns the builder of the XNNPACK graph under construction; raises TypeError if that is another graph."""
    builder = current()
    if not isinstance(builder, XnnBuilder):
        raise TypeError(f"expected a builder of XNNPACK's nodes, found {type(builder).__name__}")
    return builder
