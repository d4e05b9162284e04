"""Tensors of a source that TOSA has no tensor for: records of several values that stand for one."""

from typing import TypeAlias

from tosa_converter.dtypes import DType
from tosa_converter.ir import TensorType, Value
from tosa_converter.rewriting.expr import Expr


class TensorRecord:
    """One tensor of the source that TOSA holds as several.

    A lowering returns a record in place of an expression. Lowerings of its users take it by `match.record(key, kind)`;
    for all other lowerings the operand has a type that they don't take.

    Args:
        type: element type and shape that the tensor has in the source.
    """

    __slots__ = ("type",)

    def __init__(self, type: TensorType) -> None:
        self.type = type

    @property
    def parts(self) -> tuple[Value, ...]:
        """The values that hold the tensor."""
        return tuple(getattr(self, name).value for name in self.__slots__)


class Complex(TensorRecord):
    """A complex tensor as two of floats."""

    __slots__ = ("imag", "real")

    def __init__(self, real: Expr, imag: Expr) -> None:
        super().__init__(TensorType(DType.COMPLEX64, real.type.shape))
        self.real = real
        self.imag = imag


Translation: TypeAlias = Value | TensorRecord  # what a source value becomes
