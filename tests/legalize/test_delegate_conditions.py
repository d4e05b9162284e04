"""Every condition of the delegate's table separates an operator that just meets it from one that just doesn't.

LiteRT is asked which of both its delegate takes, where it accepts the operators at all.
"""

from typing import Any, NamedTuple

import numpy as np
import pytest
from support.cases.case import Case, ints, tensor
from support.tflite_models import Tensor
from support.xnnpack_cases import ON_X86

import tosa_converter as tc
from tosa_converter.errors import UnsupportedError
from tosa_converter.legalize.tflite.delegate import RULES
from tosa_converter.rewriting.driver import RulePass, run_pass
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.report import Options
from tosa_converter.rewriting.rule import Check, Rule
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import FullyConnectedOptionsWeightsFormat, Padding


class Pair(NamedTuple):
    """A condition, an operator that meets it, one that doesn't, and the reason against the latter."""

    condition: str
    inside: Case
    outside: Case
    reason: str
    by_litert: bool = True  # whether LiteRT accepts the second operator

    def __str__(self) -> str:
        return f"{self.inside.builtin.name}-{self.condition}"


# ** operators **


def int8(*shape: int, scale: Any = 0.5, zero_point: Any = 0, data: Any = None, axis: int = 0) -> Tensor:
    return Tensor(shape, "int8", data, scale=scale, zero_point=zero_point, axis=axis)


def weights(*shape: int, scale: Any = 0.5, axis: int = 0, dtype: str = "int8", zero_point: Any = 0) -> Tensor:
    data = (np.arange(np.prod(shape)).reshape(shape) % 3 - 1).astype(np.int8)
    zero_points = np.broadcast_to(zero_point, np.shape(scale))
    return Tensor(shape, dtype, data, scale=scale, zero_point=zero_points if np.ndim(scale) else zero_point, axis=axis)


def bias(count: int) -> Tensor:
    return Tensor((count,), "int32", np.zeros(count, np.int32), scale=0.25, zero_point=0)


WINDOW = {"padding": Padding.VALID, "stride_h": 1, "stride_w": 1}
X, BIAS = int8(1, 4, 4, 2), bias(3)
SOFT = {"fused_activation_function": Activation.TANH}


def unary(builtin: B, x: Tensor, y: Tensor, **options: Any) -> Case:
    return Case(builtin, (x,), (y,), options)


def binary(builtin: B, a: float, b: float, result: float, **options: Any) -> Case:
    return Case(builtin, (int8(2, 3, scale=a), int8(2, 3, scale=b)), (int8(2, 3, scale=result),), options)


def quantize(scale: float, result: float = 1.0) -> Case:
    return unary(B.QUANTIZE, int8(2, 3, scale=scale), int8(2, 3, scale=result))


def leaky_relu(alpha: float, result: float = 0.5) -> Case:
    return unary(B.LEAKY_RELU, int8(2, 3), int8(2, 3, scale=result), alpha=alpha)


def convolution(x: Tensor = X, weight: Tensor | None = None, offset: Tensor | None = BIAS, **options: Any) -> Case:
    return Case(
        B.CONV_2D, (x, weight or weights(3, 1, 1, 2), offset), (options.pop("y", int8(1, 4, 4, 3)),), WINDOW | options
    )


def depthwise(weight: Tensor, channels: int = 2) -> Case:
    result = int8(1, 4, 4, weight.shape[3])
    options = WINDOW | {"depth_multiplier": 2}
    return Case(B.DEPTHWISE_CONV_2D, (int8(1, 4, 4, channels), weight, bias(weight.shape[3])), (result,), options)


def transposed(
    size: int = 9, weight: Tensor | None = None, shape: Tensor | None = None, padding: Padding = Padding.VALID
) -> Case:
    shape = shape or ints(1, size, size, 3)
    operands = (shape, weight or weights(3, 3, 3, 2), X, BIAS)
    return Case(
        B.TRANSPOSE_CONV, operands, (int8(1, size, size, 3),), {"padding": padding, "stride_h": 2, "stride_w": 2}
    )


def layer(depth: int = 4, dtype: str = "int8", scale: Any = 0.5, x: str = "int8", **options: Any) -> Case:
    result = options.pop("y", tensor(x, (3, 2), scale=0.5))
    weight = weights(2, depth, scale=scale, dtype=dtype)
    return Case(B.FULLY_CONNECTED, (tensor(x, (3, depth), scale=0.5), weight, None), (result,), options)


def product(right: Tensor, left: Tensor | None = None) -> Case:
    left = left or int8(1, 3, 4)
    result = (*left.shape[:2], right.shape[-1])
    y = int8(*result) if left.scale else Tensor(result)
    return Case(B.BATCH_MATMUL, (left, right), (y,), {"adj_x": False, "adj_y": False})


def pool(stride_h: int, stride_w: int, result_scale: float = 0.5) -> Case:
    height, width = ((4 - 2) // stride + 1 for stride in (stride_h, stride_w))
    options = {"padding": Padding.VALID, "stride_h": stride_h, "stride_w": stride_w}
    options |= {"filter_height": 2, "filter_width": 2}
    return Case(B.MAX_POOL_2D, (X,), (int8(1, height, width, 2, scale=result_scale),), options)


def resize(size: Tensor, y: Tensor | None = None) -> Case:
    return Case(B.RESIZE_BILINEAR, (X, size), (y or int8(1, 8, 8, 2),), {})


def mean(axes: Tensor, shape: tuple[int, ...], x: Tensor = X, builtin: B = B.MEAN) -> Case:
    return Case(builtin, (x, axes), (int8(*shape),), {"keep_dims": False})


def float_product(scale: Any, axis: int = 2) -> Case:
    return product(weights(1, 4, 5, scale=scale, axis=axis), Tensor((1, 3, 4)))


COMPUTED = int8(3, 1, 1, 2)
CHANNELS = [0.5, 0.25, 0.125]
MOST = (1 << 31) // 255  # elements of a sum

PAIRS = [
    Pair(
        "operands and result are of 8 bits with one scale each",
        binary(B.MUL, 0.5, 0.5, 0.5),
        Case(B.MUL, (int8(2, 3), int8(2, 3)), (Tensor((2, 3), "int32", scale=0.5),)),
        "expected 't2' to have 8 bits, found i32",
    ),
    Pair(
        "operand and result are of one type",
        quantize(0.5),
        unary(B.QUANTIZE, int8(2, 3), tensor("uint8", (2, 3), scale=1.0)),
        "expected a result of i8, found ui8",
        by_litert=False,  # its delegate takes that too, and one result differs
    ),
    Pair(
        "the operand is fp32, the result of 8 bits with one scale",
        unary(B.QUANTIZE, Tensor((2, 3)), int8(2, 3)),
        unary(B.QUANTIZE, Tensor((2, 3)), tensor("int16", (2, 3))),
        "expected a result of fp32, found i16|expected 't1' to have 8 bits, found i16",
    ),
    Pair(
        "a fused activation is a range",
        binary(B.ADD, 0.5, 0.5, 0.5, fused_activation_function=Activation.RELU_N1_TO_1),
        binary(B.ADD, 0.5, 0.5, 0.5, **SOFT),
        "expected RELU, RELU6, RELU_N1_TO_1 or no fused activation, found TANH",
    ),
    Pair(
        "input/output scale ratios are in [2^-10, 2^8)",
        binary(B.ADD, 0.5, 255.5, 1.0),
        binary(B.ADD, 0.5, 256.0, 1.0),
        r"expected input/output scale ratios in \[2\^-10, 2\^8\), found 0.5 and 256",
    ),
    Pair(
        "input/output scale ratios are in [2^-10, 2^8)",
        binary(B.SUB, 2.0**-10, 0.5, 1.0),
        binary(B.SUB, 2.0**-10 * (1 - 2.0**-20), 0.5, 1.0),
        r"expected input/output scale ratios in \[2\^-10, 2\^8\), found 0.00097656 and 0.5",
    ),
    Pair(
        "input/output scale ratios are in [2^-8, 2^7]",
        quantize(2.0**7),
        quantize(2.0**7 * (1 + 2.0**-20)),
        r"expected an input/output scale ratio in \[2\^-8, 2\^7\], found 128",
    ),
    Pair(
        "input/output scale ratios are in [2^-8, 2^7]",
        quantize(2.0**-8),
        quantize(2.0**-8 * (1 - 2.0**-20)),
        r"expected an input/output scale ratio in \[2\^-8, 2\^7\], found 0.0039062",
    ),
    Pair(
        "the ratio of the scales' product to the result's scale is in [2^-16, 2^8)",
        binary(B.MUL, 2.0**-8, 2.0**-8, 1.0),
        binary(B.MUL, 2.0**-8, 2.0**-8 * (1 - 2.0**-20), 1.0),
        r"expected a product/output scale ratio in \[2\^-16, 2\^8\), found 1.5259e-05",
    ),
    Pair(
        "the scale ratio and its product with the slope fit 256ths of 16 bits",
        leaky_relu(2.0**-8),
        leaky_relu(2.0**-8 * (1 - 2.0**-20)),
        r"expected slope times scale ratio in \[2\^-8 - 2\^7, -2\^-8\] or \[2\^-8, 2\^7\], found 0.0039062",
    ),
    Pair(
        "the scale ratio and its product with the slope fit 256ths of 16 bits",
        leaky_relu(0.5, 2.0**-8),
        leaky_relu(0.5, 2.0**-8 * (1 - 2.0**-20)),
        r"expected an input/output scale ratio in \[2\^-8, 2\^7\], found 128",
    ),
    Pair(
        "constant in the file: axis",
        mean(ints(1, 2), (1, 2)),
        mean(Tensor((2,), "int32"), (1, 2)),
        "expected 't1' to be constant, found a computed tensor",
    ),
    Pair(
        "constant in the file: axes",
        mean(ints(1, 2), (1, 2), builtin=B.SUM),
        mean(Tensor((2,), "int32"), (1, 2), builtin=B.SUM),
        "expected 't1' to be constant, found a computed tensor",
    ),
    Pair(
        "sums of 8-bit elements over one or more axes fit 32 bits",
        mean(ints(1), (2,), int8(2, MOST)),
        mean(ints(1), (2,), int8(2, MOST + 1)),
        f"expected sums of 1 to {MOST} elements over 1 or more axes, found {MOST + 1} over 1",
        by_litert=False,  # the delegate takes it, and its sums overflow
    ),
    Pair(
        "sums of 8-bit elements over one or more axes fit 32 bits",
        mean(ints(0), (4, 4, 2)),
        mean(Tensor((0,), "int32", np.zeros(0, np.int32)), (1, 4, 4, 2)),
        "expected sums of 1 to .* found 1 over 0",
    ),
    Pair(
        "sums of 8-bit elements over one or more axes fit 32 bits",
        mean(ints(1), (2,), int8(2, 1)),
        mean(ints(1), (2,), int8(2, 0)),
        f"expected sums of 1 to {MOST} elements over 1 or more axes, found 0 over 1",
        by_litert=False,
    ),
    Pair(
        "operands and results share one quantization",
        pool(1, 1),
        pool(1, 1, result_scale=0.25),
        "the operands and results differ in quantization",
        by_litert=False,
    ),
    Pair(
        "strides are inside the window",
        pool(2, 2),
        pool(2, 3),
        r"expected strides of at most the window \[2, 2\], found \[2, 3\]",
    ),
    Pair(
        "constant in the file: size",
        resize(ints(8, 8)),
        resize(Tensor((2,), "int32")),
        "expected 't1' to be constant, found a computed tensor",
    ),
    Pair(
        "operand and result are images in the file",
        resize(ints(8, 8)),
        resize(ints(8, 8), int8()),
        "expected 't2' to have 4 dimensions in the file, found i8",
    ),
    Pair(
        "constant in the file: filter, bias",
        convolution(),
        convolution(weight=COMPUTED),
        "expected 't1' to be constant, found a computed tensor",
    ),
    Pair(
        "constant in the file: filter, bias",
        convolution(),
        convolution(offset=Tensor((3,), "int32", scale=0.25)),
        "expected 't2' to be constant, found a computed tensor",
    ),
    Pair("bias is present", convolution(), convolution(offset=None), "expected a bias, found none", by_litert=False),
    Pair(
        "filter has one scale or scales along axis 0",
        convolution(weight=weights(3, 1, 1, 2, scale=CHANNELS)),
        convolution(weight=weights(3, 1, 1, 2, scale=CHANNELS[:2], axis=3)),
        "expected 't1' to have scales along axis 0, found axis 3",
        by_litert=False,
    ),
    Pair(
        "filter has one scale or scales along axis 3",
        depthwise(weights(1, 1, 1, 4, scale=[0.5, 0.25, 0.125, 1.0], axis=3)),
        depthwise(weights(1, 4, 1, 4, scale=[0.5, 0.25, 0.125, 1.0], axis=1)),
        "expected 't1' to have scales along axis 3, found axis 1",
        by_litert=False,
    ),
    Pair(
        "channels divide into groups",
        convolution(int8(1, 4, 4, 6), weights(3, 1, 1, 2)),
        convolution(int8(1, 4, 4, 5), weights(3, 1, 1, 2)),
        "expected a multiple of 2 channels, found 5",
        by_litert=False,
    ),
    Pair(
        "channels divide into groups",
        depthwise(weights(1, 1, 1, 4)),
        depthwise(weights(1, 1, 1, 4), channels=0),
        "expected a multiple of 1 channels, found 0",
        by_litert=False,
    ),
    Pair(
        "constant in the file: output_shape, weights, bias",
        transposed(),
        transposed(weight=int8(3, 3, 3, 2)),
        "expected 't1' to be constant, found a computed tensor",
    ),
    Pair(
        "constant in the file: output_shape, weights, bias",
        transposed(),
        transposed(shape=Tensor((4,), "int32")),
        "expected 't0' to be constant, found a computed tensor",
    ),
    Pair(
        "weights has one scale or scales along axis 0",
        transposed(weight=weights(3, 3, 3, 2, scale=CHANNELS)),
        transposed(weight=weights(3, 3, 3, 2, scale=CHANNELS, axis=1)),
        "expected 't1' to have scales along axis 0, found axis 1",
        by_litert=False,
    ),
    Pair(
        "a convolution of the result has the operand's size",
        transposed(10),
        transposed(11),
        "expected 5 elements for a result of 11, found 4",
        by_litert=False,  # its own kernel refuses it
    ),
    Pair(
        "a convolution of the result has the operand's size",
        transposed(7, padding=Padding.SAME),
        transposed(6, padding=Padding.SAME),
        "expected 3 elements for a result of 6, found 4",
        by_litert=False,
    ),
    Pair(
        "a convolution of the result has the operand's size",
        transposed(7, weights(3, 2, 2, 2), padding=Padding.SAME),
        transposed(7, weights(3, 1, 1, 2), padding=Padding.SAME),
        "expected kernels of at least the stride 2, found 1",
    ),
    Pair(
        "a convolution of the result has the operand's size",
        transposed(9, weights(3, 3, 3, 2)),
        transposed(9, weights(3, 10, 3, 2)),
        "expected 0 elements for a result of 9, found 4",
        by_litert=False,
    ),
    Pair(
        "a convolution of the result has the operand's size",
        transposed(7, weights(3, 9, 9, 2), padding=Padding.SAME),
        transposed(9, weights(3, 9, 9, 2), padding=Padding.SAME),
        "expected 5 elements for a result of 9, found 4",
        by_litert=False,
    ),
    Pair(
        "weights aren't shuffled",
        layer(),
        layer(weights_format=FullyConnectedOptionsWeightsFormat.SHUFFLED4x16INT8),
        "expected weights of format DEFAULT, found SHUFFLED4x16INT8",
        by_litert=False,
    ),
    Pair(
        "rows of weights fill bytes; of i2 each has a scale",
        layer(6, "int4"),
        layer(5, "int4"),
        "expected rows of a multiple of 2 weights, found 5",
    ),
    Pair(
        "rows of weights fill bytes; of i2 each has a scale",
        layer(8, "int2", scale=[0.5, 0.25]),
        layer(8, "int2"),
        "expected 2 scales for 2 rows of i2, found 1",
    ),
    Pair(
        "the right side has a zero point of 0",
        product(int8(1, 4, 5)),
        product(int8(1, 4, 5, zero_point=1)),
        "expected a right side with a zero point of 0, found 1",
    ),
    Pair(
        "constant in the file: y",
        float_product(0.5),
        product(int8(1, 4, 5), Tensor((1, 3, 4))),
        "expected 't1' to be constant, found a computed tensor",
        by_litert=False,  # the delegate reads it before it is computed
    ),
    Pair(
        "y has one scale or scales along its columns",
        float_product([0.5, 0.25, 0.5, 0.25, 0.5]),
        float_product([0.5, 0.25, 0.5, 0.25], axis=1),
        "expected 't1' to have scales along axis 2, found axis 1",
        by_litert=False,
    ),
    Pair(
        "y has one scale or scales along its columns",
        float_product([0.5] * 5),
        product(weights(1, 4, 5, scale=[0.5] * 5, axis=2, zero_point=[0, 0, 1, 0, 0]), Tensor((1, 3, 4))),
        "expected 't1' to have zero points of 0, found i8",
        by_litert=False,
    ),
]


def naming_their_condition(rule: Rule) -> Rule:
    """Returns the rule with checks whose reasons begin with the condition."""

    def named(check: Check) -> Check:
        def reason(match: Match) -> str | None:
            text = check(match)
            return None if text is None else f"{check.condition}: {text}"

        return Check(check.condition, reason)

    return rule._replace(checks=tuple(map(named, rule.checks)))


DELEGATE = RulePass("delegate", tuple(map(naming_their_condition, RULES)))


def taken(case: Case, numerics: str = "xnnpack") -> None:
    """Converts an operator by the table alone.

    Raises:
        UnsupportedError: a condition is against it.
    """
    run_pass(tc.load(case.file()), DELEGATE, Options(numerics))


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_a_condition_separates_two_operators(pair: Pair) -> None:
    taken(pair.inside)
    with pytest.raises(UnsupportedError) as refusal:
        taken(pair.outside)
    assert pair.condition in str(refusal.value)
    refusal.match(pair.reason)


@ON_X86
@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.by_litert], ids=str)
def test_litert_separates_the_operators_alike(pair: Pair) -> None:
    interpreters = pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")
    for case, expected in ((pair.inside, True), (pair.outside, False)):
        interpreter = interpreters.Interpreter(model_content=case.file())
        interpreter.allocate_tensors()
        assert ("DELEGATE" in {op["op_name"] for op in interpreter._get_ops_details()}) is expected


def test_other_numerics_are_declined() -> None:
    with pytest.raises(UnsupportedError, match="expected the numerics xnnpack, found reference"):
        taken(quantize(0.5), "reference")


def test_every_condition_has_a_pair() -> None:
    conditions = {check.condition for rule in RULES for check in rule.checks}
    assert conditions == {pair.condition for pair in PAIRS} | {"numerics are xnnpack"}


@pytest.mark.parametrize(
    ("depth", "scale", "clamps"), [(4, 128.0, 0), (512, 128.0, 1), (40_000, 0.24, 0), (40_000, 0.26, 1)]
)
def test_reals_are_clamped_where_sums_may_exceed_rescale(depth: int, scale: float, clamps: int) -> None:
    """RESCALE takes magnitudes below 2**29; 32-bit sums may reach 2**31."""
    operands = int8(1, 3, depth, scale=1.0), int8(1, depth, 5, scale=scale)
    case = Case(B.BATCH_MATMUL, operands, (int8(1, 3, 5, scale=1.0),), {"adj_x": False, "adj_y": False})
    model = tc.convert(tc.load(case.file()), numerics="xnnpack")
    assert [op.name for op in model.main].count("tosa.clamp") == clamps
