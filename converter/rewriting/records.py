"""Records of several TOSA values that together hold one tensor of the source, such as a complex one."""

from typing import TypeAlias

from tosa_converter.dtypes import DType
from tosa_converter.ir import TensorType, Value
from tosa_converter.rewriting.expr import Expr


class TensorRecord:
    """One tensor of the source that TOSA holds as several values.

    A lowering returns a record instead of an expression. Lowerings of the operators that read it call
    `match.record(key, kind)`; all others decline the operand because of its type.

    Args:
        type: the tensor's element type and shape in the source.
    """

    __slots__ = ("type",)

    def __init__(self, type: TensorType) -> None:
        """Stores the tensor's type in the source; subclasses store the values that hold it in TOSA."""
        self.type = type

    @property
    def parts(self) -> tuple[Value, ...]:
        """The TOSA values that hold the tensor, one for each slot of the record's class."""
        return tuple(getattr(self, name).value for name in self.__slots__)


class Complex(TensorRecord):
    """A complex tensor as two tensors of floats."""

    __slots__ = ("imag", "real")

    def __init__(self, real: Expr, imag: Expr) -> None:
        """Takes the real and the imaginary part, two tensors of floats of one shape."""
        super().__init__(TensorType(DType.COMPLEX64, real.type.shape))
        self.real = real
        self.imag = imag


Translation: TypeAlias = Value | TensorRecord  # what a source value becomes
