"""Schemes: how families of kernels read the operands of convolutions, layers and products, and make results of sums.

An operator has one function, which takes a scheme; its rows name a scheme for each combination of element types:

    def conv_2d(match, scheme):
        plan = scheme.convolution(match, CONV_2D, window(match, "filter"))
        return plan.convert_sums(*convolved_groups(plan.operands, plan.window, groups))

| scheme | module | operands | sums | result |
| --- | --- | --- | --- | --- |
| FLOAT | quant.floats | as they are | floats | activation |
| LITERT_8 | quant.litert_8 | int8, uint8 flipped | i32 | multiplier of 31 bits, rounded twice; layers once |
| LITERT_16 | quant.litert_16 | int16 by int8 | i48 | multiplier of 15 bits; layers 42 bits of fraction |
| HYBRID | quant.hybrid | floats quantized at run time | i32 | scales of rows and channels, bias, activation |
| XNNPACK_FLOAT | xnnpack.schemes | floats in the input's type | floats | bounds |
| XNNPACK_8 | xnnpack.schemes | int8, uint8 flipped | i32 | a float, times a float, rounded; bounds |
| XNNPACK_DYNAMIC | xnnpack.dynamic | rows quantized by a Convert | i32 | scales of rows and channels, bias, bounds |
"""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import NamedTuple, TypeAlias

from tosa_converter.dtypes import DType
from tosa_converter.legalize.ops.matrix import Product
from tosa_converter.legalize.ops.windows import Operands, Window
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.rule import Check, Rule
from tosa_converter.schemas.opsets import base_name


class OperandKeys(NamedTuple):
    """The names of an operator's operands, and the dimension of the weight that counts the result's channels."""

    x: Key = "input"
    weight: Key = "filter"
    bias: Key = "bias"
    axis: int = 0


class ConvolutionPlan(NamedTuple):
    """What a scheme prepares for a convolution: operands, window, and what makes the result from the sums.

    `convert_sums` gets the sums of each group of channels; it requantizes or dequantizes them and applies bias and
    activation. The window is the operator's, or another one if the input is padded already.
    """

    operands: Operands
    window: Window
    convert_sums: Callable[..., Expr]


class LayerPlan(NamedTuple):
    """What a scheme prepares for a dense layer: operands, and `convert_sums` from sums [..., outputs] to outputs."""

    operands: Operands
    convert_sums: Callable[[Expr], Expr]


class ProductPlan(NamedTuple):
    """What a scheme prepares for a matrix product: operands, zero points, the type of the sums, and `convert_sums`."""

    left: Expr
    right: Expr
    convert_sums: Callable[[Product], Expr]
    left_zp: int = 0
    right_zp: int = 0
    dtype: DType | None = None


# Returns both operands of a product as [..., rows, depth] and [..., depth, columns].
TransposeOperands: TypeAlias = Callable[[Expr, Expr], tuple[Expr, Expr]]


class Scheme(NamedTuple):
    """How one family of kernels reads the operands of convolutions, layers and products, and scales their sums.

    Each field takes the match of an operator and returns what to compute. `transposed` is that of transposed
    convolutions; `product` takes the function that transposes its operands as the operator's options say.
    """

    convolution: Callable[[Match, OperandKeys, Window], ConvolutionPlan]
    transposed: Callable[[Match, OperandKeys, Window], ConvolutionPlan]
    layer: Callable[[Match, OperandKeys], LayerPlan]
    product: Callable[[Match, TransposeOperands], ProductPlan]


class TypedScheme(NamedTuple):
    """A scheme, the element types of operands that it takes (as in `Rule.types`), and checks: one kind of kernel."""

    scheme: Scheme
    types: str
    checks: tuple[Check, ...] = ()


def scheme_rules(
    operator: str, lower: Callable[..., Expr], of: tuple[Key, ...], **kinds: TypedScheme
) -> Iterator[Rule]:
    """Yields the rules of an operator, one for each kind of kernel, such as float, int8 or hybrid.

    `lower` takes a match and the scheme of a kind. `of` names the operands whose element types choose the rule.
    """
    for name, kind in kinds.items():
        label = f"{name}.{base_name(operator)}"
        yield Rule(operator, kind.types, _with_scheme(lower, kind.scheme), kind.checks, of=of, label=label)


def _with_scheme(lower: Callable[..., Expr], scheme: Scheme) -> Callable[[Match], Expr]:
    """Returns a rule's build function that calls `lower` with the match and this scheme."""

    @wraps(lower)
    def build(match: Match) -> Expr:
        """Calls `lower` with the match and the scheme."""
        return lower(match, scheme)

    return build
