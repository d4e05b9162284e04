"""The builder of graphs of a source format: constants have quantization, and their layouts are folded."""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, TensorType, Value
from tosa_converter.rewriting.builder import Builder


class SourceBuilder(Builder):
    """Appends operators of a source format such as TFLite; `constant` is the operator name of its constants."""

    constant: str

    def _const(self, array: Array, dtype: DType) -> Value:
        """Returns a constant of the source format (TFLite's or XNNPACK's) without quantization."""
        return self.with_quant(array, TensorType(dtype, array.shape))

    def with_quant(self, array: Array, type: TensorType) -> Value:
        """Returns a constant of the source format (TFLite's or XNNPACK's) of a type that may have quantization."""
        return Op(self.constant, (), [type], {"values": array}, location=self.location).result

    def is_own_constant(self, constant: Value) -> bool:
        """Returns whether a constant was made by this builder's format (TFLite or XNNPACK), and not by TOSA.

        Such a constant is used as it is, with its quantization.
        """
        return constant.producer is not None and constant.producer.name == self.constant

    def reshape(self, x: Value, shape: Sequence[int]) -> Value:
        """Returns a value in another shape: x itself if it has it, a reshaped constant, or a new operator's result."""
        shape = tuple(shape)
        if x.type.shape == shape:
            return x
        if x.constant is not None:
            return self.with_quant(x.constant.reshape(shape), x.type._replace(shape=shape))
        return self.append_reshape(x, shape)

    def transpose(self, x: Value, perms: Sequence[int]) -> Value:
        """Returns a value with permuted dimensions: x itself, a transposed constant, or a new operator's result."""
        perms = tuple(perms)
        if perms == tuple(range(x.type.rank)):
            return x
        if x.constant is not None:
            turned = np.ascontiguousarray(x.constant.transpose(perms))
            return self.with_quant(turned, x.type._replace(shape=turned.shape))
        return self.append_transpose(x, perms)

    @abstractmethod
    def append_reshape(self, x: Value, shape: tuple[int, ...]) -> Value:
        """Appends the source format's operator that reshapes x, and returns its result."""

    @abstractmethod
    def append_transpose(self, x: Value, perms: tuple[int, ...]) -> Value:
        """Appends the source format's operator that permutes x's dimensions, and returns its result."""
