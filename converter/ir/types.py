"""Types of tensors: element type, shape, quantization."""

from functools import lru_cache
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

Shape: TypeAlias = tuple[int | None, ...]

Attribute: TypeAlias = Any  # int, float, bool, str, bytes, tuple of these, enum member or numpy array


class Quant(NamedTuple):
    """Affine quantization: real = scale * (stored - zero_point), one pair or one pair per index along `axis`.

    If `block` isn't 0, each index along `axis` has a scale for every `block` elements of the last dimension. If `rows`
    isn't 0, scales are computed at run time, one for each index of all but the last `rows` dimensions.
    """

    scale: tuple[float, ...]
    zero_point: tuple[int, ...]
    axis: int | None = None
    block: int = 0
    rows: int = 0

    @property
    def per_tensor(self) -> bool:
        """Whether there is only one scale and zero point, for the whole tensor."""
        return len(self.scale) == 1


class TensorType(NamedTuple):
    """The type of a tensor: element type, shape (None marks an unknown dimension) and quantization."""

    dtype: DType
    shape: Shape
    quant: Quant | None = None

    @property
    def rank(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def static(self) -> tuple[int, ...]:
        """The shape of a type without unknown dimensions.

        Raises:
            UnsupportedError: a dimension is unknown; a conversion fixes it by its input shapes.
        """
        if None in self.shape:
            raise UnsupportedError(f"expected known dimensions, found {self}: convert the model with input shapes")
        return self.shape  # type: ignore[return-value]  # no None is left

    @property
    def elements(self) -> int:
        """Number of elements; the shape must be known."""
        return prod(self.static)

    def __str__(self) -> str:
        """Returns the type as text: i8[1x?x3] <0.5:-128>, with scale and zero point."""
        dims = "x".join("?" if size is None else str(size) for size in self.shape)
        quant = ""
        if self.quant is not None and self.quant.rows:
            quant = " <at run time>"
        elif self.quant is not None:
            first = f"{self.quant.scale[0]:.6g}:{self.quant.zero_point[0]}"
            quant = f" <{first}>" if self.quant.per_tensor else f" <{first}.. per axis {self.quant.axis}>"
        return f"{self.dtype.value}[{dims}]{quant}"


@lru_cache(1024)
def plain_type(dtype: DType, shape: Shape) -> TensorType:
    """Returns a TensorType without quantization, cached, so that many values share one object."""
    return TensorType(dtype, shape)
