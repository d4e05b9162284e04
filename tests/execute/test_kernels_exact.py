"""Cases computed by hand from the pseudocode, which random tests hardly reach; and every REQUIRE."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from support.kernel_cases import legal_signs, planned, single
from support.tosa_graphs import RESCALE

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnpredictableError
from tosa_converter.execute.definition.base import Kernel
from tosa_converter.execute.definition.scaling import reciprocal_scale
from tosa_converter.execute.definition.table import bind_definition
from tosa_converter.execute.fast.gemm import RightMatrix
from tosa_converter.execute.fast.rescale import GuardedRescaler
from tosa_converter.execute.fast.rescale_proof import Scaling
from tosa_converter.ir import Array, Op, TensorType, Value
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

I8, I16, I32, SHAPE = np.int8, np.int16, np.int32, np.int64


def run(row: OpDef, *operands: Array, check: bool = True, **attributes: Any) -> Array:
    op = single(row, *operands, **attributes)
    if not check:
        return np.asarray(planned(op, check=False)(*operands))
    output, expected = (attempted(form, operands) for form in (planned(op), bind_definition(op)))
    if isinstance(output, UnpredictableError) or isinstance(expected, UnpredictableError):
        assert isinstance(output, UnpredictableError)
        assert isinstance(expected, UnpredictableError)
        raise output
    if not op.result.type.dtype.is_float:
        np.testing.assert_array_equal(output, expected)
    return np.asarray(output)


def attempted(form: Kernel, operands: Sequence[Array]) -> Array | UnpredictableError:
    try:
        return np.asarray(form(*operands))
    except UnpredictableError as error:
        return error


def a(values: object, dtype: type[np.generic] = I32) -> Array:
    return np.array(values, dtype)


def listed(values: Array) -> list[int]:
    return [int(value) for value in values.ravel()]


def rescaled(
    values: Array, multiplier: int, shift: int, *, check: bool = True, out: DType = DType.I32, **more: Any
) -> list[int]:
    attributes = RESCALE | more
    kind = I32 if attributes["scale32"] else I16
    zeros = a([0], values.dtype.type), a([0], out.numpy.type)
    scale = a([multiplier], kind), a([shift], I8)
    return listed(run(ops.RESCALE, values, *scale, *zeros, check=check, out=out, **attributes))


def literal_scale_32(value: int, multiplier: int, shift: int, double_round: bool) -> int:
    """Computes apply_scale_32 as chapter 4.5.5 states it, on Python's integers."""
    rounding = 1 << (shift - 1)
    if double_round and shift > 31:
        rounding += 1 << 30 if value >= 0 else -(1 << 30)
    return (value * multiplier + rounding) >> shift


@pytest.mark.parametrize("double_round", [False, True])
@pytest.mark.parametrize("shift", [2, 30, 31, 32, 37, 43, 45, 50, 62])
@pytest.mark.parametrize("limits", [(-128, 127), (-32768, 32767), (-(2**31), 2**31 - 1)])
def test_scale_is_the_pseudocode_to_the_letter(limits: tuple[int, int], shift: int, double_round: bool) -> None:
    rng = np.random.default_rng(shift)
    multipliers = [1, 3, (1 << 30), (1 << 30) + 1, (1 << 31) - 1, *rng.integers(1 << 30, 1 << 31, 20).tolist()]
    peak = min(1 << (shift - 1), 1 << 31)
    for multiplier in multipliers:
        # halves: where value * multiplier is nearest to an odd multiple of 2**(shift-1)
        halves = [((2 * k + 1) << (shift - 1)) // multiplier + d for k in range(-130, 131, 13) for d in (-1, 0, 1)]
        values = [v for v in (*halves, *rng.integers(-peak, peak, 50).tolist(), 0, -1, 1) if -peak <= v < peak]
        offset = 5 if limits[1] < 1 << 20 else 0
        scale = GuardedRescaler.prepare(
            Scaling(np.array(multiplier), np.array(shift), offset, *limits, double_round), 1 << 31
        )
        expected = [
            min(max(literal_scale_32(v, multiplier, shift, double_round) + offset, limits[0]), limits[1])
            for v in values
        ]
        assert scale(np.array(values, np.int64), np.dtype(np.int64)).tolist() == expected


def test_most_scales_are_exact_in_fp64_and_extreme_ones_are_guarded() -> None:
    def prepared(shift: int, limits: tuple[int, int]) -> bool:
        multiplier = np.array((1 << 31) - 1)
        return GuardedRescaler.prepare(Scaling(multiplier, np.array(shift), 0, *limits, False), 1 << 31).guard == 0

    assert prepared(40, (-128, 127))
    assert not prepared(50, (-128, 127))
    assert not prepared(31, (-(2**31), 2**31 - 1))


def test_double_round_moves_ties_away_from_zero() -> None:
    # shift 32, multiplier 1 << 30: a quarter. 2 * 0.25 is a tie, and -2 * 0.25 too.
    assert rescaled(a([2, -2, 1, -1]), 1 << 30, 32) == [1, 0, 0, 0]
    assert rescaled(a([2, -2, 1, -1]), 1 << 30, 32, rounding_mode="DOUBLE_ROUND") == [1, -1, 1, 0]
    # shift 31 and less: nothing is added
    assert rescaled(a([1, -1]), 1 << 30, 31, rounding_mode="DOUBLE_ROUND") == [1, 0]


def test_rescale_saturates_and_reads_unsigned_values() -> None:
    assert rescaled(a([1000, -1000]), 1 << 30, 32, out=DType.I8) == [127, -128]
    assert rescaled(a([-1, 127], I8), 1 << 30, 30, out=DType.I16, input_unsigned=True) == [255, 127]
    assert rescaled(a([300, -7], I16), 1 << 30, 30, out=DType.I8, output_unsigned=True) == [-1, 0]


def test_rescale_of_i48_keeps_all_bits() -> None:
    x = Value(TensorType(DType.I48, (2,)))
    operands = [x, *(Value(TensorType(d, (1,))) for d in (DType.I16, DType.I8, DType.I48, DType.I32))]
    attributes = {"scale32": False, "rounding_mode": "SINGLE_ROUND", "per_channel": False}
    op = Op(
        "tosa.rescale",
        operands,
        [TensorType(DType.I32, (2,))],
        attributes | {"input_unsigned": False, "output_unsigned": False},
    )
    zero = np.zeros(1, np.int64)
    values = np.array([(1 << 46) + (1 << 15), -(1 << 46) - 1])
    result = planned(op)(values, a([1 << 14], I16), a([30], I8), zero, a([0]))
    assert np.asarray(result).tolist() == [(1 << 30) + 1, -(1 << 30)]


def test_reciprocal_scale_divides_exactly() -> None:
    counts = np.arange(1, 300)
    multiplier, shift = reciprocal_scale(counts)
    assert multiplier.min() >= 1 << 30
    assert multiplier.max() < 1 << 31
    for count, m, s in zip(counts.tolist(), multiplier.tolist(), shift.tolist(), strict=True):
        assert literal_scale_32(count * 77, m, s, False) == 77


def test_products_are_exact_whatever_way_they_take() -> None:
    rng = np.random.default_rng(1)
    kinds = set()
    for depth, peak in ((64, 128), (4000, 128), (9000, 128), (300, 32768)):
        matrix = rng.integers(-127, 128, (depth, 3))
        left = rng.integers(-peak, peak, (5, depth))
        right = RightMatrix.of_integers(matrix, peak)
        kinds.add((right.compute_dtype, len(right.parts) > 1))
        np.testing.assert_array_equal(right.multiply(left.astype(right.compute_dtype)), left @ matrix)
    assert len(kinds) == 3  # one fp32 product, several, one in fp64


def test_shifts_equal_the_pseudocode() -> None:
    assert run(ops.ARITHMETIC_RIGHT_SHIFT, a([5, -5, 7, -128], I8), a([1, 1, 0, 7], I8), round=True).tolist() == [
        3,
        -2,
        7,
        -1,
    ]
    assert run(ops.ARITHMETIC_RIGHT_SHIFT, a([5, -5], I8), a([1, 1], I8), round=False).tolist() == [2, -3]
    assert run(ops.LOGICAL_RIGHT_SHIFT, a([-1, -128], I8), a([1, 7], I8)).tolist() == [127, 1]
    assert run(ops.LOGICAL_LEFT_SHIFT, a([3, 127], I8), a([7, 1], I8)).tolist() == [-128, -2]


def test_mul_keeps_the_low_bits_or_rounds() -> None:
    big = a([65537, -65537])
    assert run(ops.MUL, big, big[::-1].copy(), a([0], I8)).tolist() == [-131073, -131073]
    assert run(ops.MUL, a([3, -3]), a([5, 5]), a([1], I8)).tolist() == [8, -7]


def test_intdiv_truncates() -> None:
    assert run(ops.INTDIV, a([7, -7, 2**31 - 1]), a([-2, 2, 1])).tolist() == [-3, -3, 2**31 - 1]


@pytest.mark.parametrize("far", [[], [2.0**31], [-(2.0**31)], [np.inf, -np.inf, 2.0**31 - 128]])
@pytest.mark.parametrize("count", [7, 5001])
def test_casts_to_i32_round_to_even_and_saturate(count: int, far: list[float]) -> None:
    values = np.linspace(-(2.0**24), 2.0**24, count).astype(F32)
    values[:7] = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 2.0**30 - 64]
    values[count - len(far) :] = far
    integers = run(ops.CAST, values, out=DType.I32).tolist()
    assert integers == [int(min(max(v if np.isinf(v) else round(v), -(2**31)), 2**31 - 1)) for v in values.tolist()]


def test_casts_equal_the_pseudocode() -> None:
    floats = np.array([0.5, 1.5, -2.5, 1e10, -1e10, np.inf], np.float32)
    assert run(ops.CAST, floats, out=DType.I8).tolist() == [0, 2, -2, 127, -128, 127]
    assert run(ops.CAST, floats, out=DType.I32).tolist() == [0, 2, -2, 2**31 - 1, -(2**31), 2**31 - 1]
    assert run(ops.CAST, a([300, -129, 65535]), out=DType.I8).tolist() == [44, 127, -1]
    # OCP, not saturating: 464 is the tie between 448 and what would be 480
    over = run(ops.CAST, np.array([448, 464, 465, -np.inf], np.float32), out=DType.FP8E4M3).astype(np.float64)
    np.testing.assert_array_equal(over, [448, 448, np.nan, np.nan])
    assert run(ops.CAST, np.array([61440, 57344], np.float32), out=DType.FP8E5M2).astype(float).tolist() == [
        np.inf,
        57344,
    ]


@pytest.mark.parametrize(("dtype", "precision"), [(DType.FP32, 24), (DType.FP16, 11), (DType.BF16, 8)])
def test_casts_of_i32_round_once(dtype: DType, precision: int) -> None:
    """Casts round to `precision` bits, ties to even; rounding to fp32 first would go the other way near ties."""
    rng = np.random.default_rng(precision)
    top = 16 if dtype is DType.FP16 else 31  # the range of fp16 ends there
    values = [0, 1, -1, *rng.integers(-(1 << top - 1), 1 << top - 1, 200).tolist()]
    for bits in range(precision + 1, top):
        half = 1 << (bits - precision - 1)
        leading = rng.integers(1 << (precision - 1), 1 << precision, 8).tolist()
        values += [sign * (n * 2 * half + half + by) for n in leading for by in (-1, 0, 1) for sign in (1, -1)]
    rounded = run(ops.CAST, a(values), out=dtype).astype(np.float64).tolist()
    expected = []
    for value in values:
        unit = 1 << max(0, abs(value).bit_length() - precision)
        expected.append(round(Fraction(value, unit)) * unit)  # to even
    assert rounded == expected


def test_argmax_takes_the_first_and_orders_nan() -> None:
    assert run(ops.ARGMAX, a([[3, 7, 7]], I8), axis=1, nan_mode="PROPAGATE").tolist() == [1]
    odd = np.array([[1, np.nan, 5], [np.nan, -np.inf, np.nan], [np.nan] * 3], np.float32)
    assert run(ops.ARGMAX, odd, axis=1, nan_mode="PROPAGATE").tolist() == [1, 0, 0]
    assert run(ops.ARGMAX, odd, axis=1, nan_mode="IGNORE").tolist() == [2, 1, 0]


def test_nearest_resize_takes_the_second_from_one_half_on() -> None:
    x = a([1, 2, 3], I8).reshape(1, 1, 3, 1)
    scale, offset, border = a([1, 1, 2, 1], SHAPE), a([0, 0], SHAPE), a([0, 0], SHAPE)
    assert run(ops.RESIZE, x, scale, offset, border, mode="NEAREST_NEIGHBOR").reshape(-1).tolist() == [1, 2, 2, 3, 3]


def test_clz_counts_leading_zeros() -> None:
    assert run(ops.CLZ, a([0, 1, -1, 2**30, 2**24 - 1, 2**24 + 1])).tolist() == [32, 31, 0, 1, 8, 7]


def test_identity_keeps_i4() -> None:
    op = Op("tosa.identity", [Value(TensorType(DType.I4, (2,)))], [TensorType(DType.I4, (2,))])
    assert np.asarray(planned(op)(a([-7, 7], I8))).tolist() == [-7, 7]


EDGE = a([2**31 - 1])
SMALL = a([1])
F32 = np.float32
VIOLATIONS = {
    "add": (ops.ADD, (EDGE, SMALL), {}, "apply_add_s"),
    "sub": (ops.SUB, (-EDGE - 1, SMALL), {}, "apply_sub_s"),
    "abs": (ops.ABS, (-EDGE - 1,), {}, "apply_sub_s"),
    "negate": (ops.NEGATE, (-EDGE - 1, a([0]), a([0])), {}, "apply_sub_s"),
    "intdiv by zero": (ops.INTDIV, (SMALL, a([0])), {}, "value2 != 0"),
    "intdiv overflow": (ops.INTDIV, (-EDGE - 1, a([-1])), {}, "apply_intdiv_s"),
    "mul shift": (ops.MUL, (a([1], I8), a([1], I8), a([1], I8)), {}, "shift == 0"),
    "mul negative shift": (ops.MUL, (SMALL, SMALL, a([-1], I8)), {}, "0 <= shift"),
    "mul overflow": (ops.MUL, (EDGE, EDGE, a([1], I8)), {}, "product >= minimum_s"),
    "shift": (ops.LOGICAL_LEFT_SHIFT, (a([1], I8), a([8], I8)), {}, "value2 <= 7"),
    "right shift": (ops.ARITHMETIC_RIGHT_SHIFT, (SMALL, a([-1])), {"round": False}, "0 <= value2"),
    "pow of a negative": (ops.POW, (a([-1], F32), a([2], F32)), {}, "value1 >= 0"),
    "pow of zero": (ops.POW, (a([0], F32), a([0], F32)), {}, "value2 > 0"),
    "pow of nan": (ops.POW, (a([np.nan], F32), a([1], F32)), {}, "isNaN"),
    "pow of infinity": (ops.POW, (a([np.inf], F32), a([1], F32)), {}, "is_finite"),
    "cast of nan": (ops.CAST, (a([np.nan], F32),), {"out": DType.I8}, "isNaN"),
    "gather": (ops.GATHER, (a([[[1]]], I8), a([[0, 1]])), {}, "k < K"),
    "scatter": (ops.SCATTER, (a([[[1]]], I8), a([[-1, 0]]), a([[[2], [3]]], I8)), {}, "0 <= k"),
    "scatter twice": (ops.SCATTER, (a([[[1], [2]]], I8), a([[0, 0]]), a([[[2], [3]]], I8)), {}, "output_modified"),
    "add downwards": (ops.ADD, (-EDGE - 1, -SMALL), {}, "apply_add_s"),
    "sub upwards": (ops.SUB, (EDGE, -SMALL), {}, "apply_sub_s"),
    "mul shift beyond": (ops.MUL, (SMALL, SMALL, a([64], I8)), {}, "shift <= 63"),
    "mul overflow by one": (ops.MUL, (a([2**16 - 1]), a([2**16 + 1]), a([1], I8)), {}, "product <= maximum_s"),
    "mul underflow by one": (ops.MUL, (a([-6]), a([715827883]), a([1], I8)), {}, "product >= minimum_s"),
    "right shift of i32": (ops.LOGICAL_RIGHT_SHIFT, (SMALL, a([32])), {}, "value2 <= 31"),
    "pow of infinite exponent": (ops.POW, (a([1], F32), a([np.inf], F32)), {}, "is_finite"),
    "pow of nan exponent": (ops.POW, (a([1], F32), a([np.nan], F32)), {}, "isNaN"),
    "pow of zero to a negative": (ops.POW, (a([0], F32), a([-1], F32)), {}, "value2 > 0"),
    "gather below": (ops.GATHER, (a([[[1]]], I8), a([[-1, 0]])), {}, "0 <= k"),
    "scatter beyond": (ops.SCATTER, (a([[[1]]], I8), a([[0, 1]]), a([[[2], [3]]], I8)), {}, "k < K"),
    "scatter twice, apart": (
        ops.SCATTER,
        (a([[[1], [2]]], I8), a([[1, 0, 1]]), a([[[2], [3], [4]]], I8)),
        {},
        "output_modified",
    ),
    "reduce_sum": (ops.REDUCE_SUM, (a([2**31 - 1, 1, -1]),), {"axis": 0}, "apply_add_s"),
    "reduce_sum downwards": (ops.REDUCE_SUM, (a([-(2**31), -1, 1]),), {"axis": 0}, "apply_add_s"),
    "table slope by one": (ops.TABLE, (a([0], I16), a([0] * 256 + [-1, 32767] + [0] * 255, I16)), {}, "slope"),
    "table slope down by one": (ops.TABLE, (a([0], I16), a([0] * 256 + [1, -32768] + [0] * 255, I16)), {}, "slope"),
    "table slope": (ops.TABLE, (a([0], I16), a([0] * 256 + [-32768, 32767] + [0] * 255, I16)), {}, "slope"),
}


WITHIN = {
    "add": (ops.ADD, (EDGE - 1, SMALL), {}, [2**31 - 1]),
    "add downwards": (ops.ADD, (-EDGE, -SMALL), {}, [-(2**31)]),
    "add of both signs": (ops.ADD, (EDGE, -EDGE - 1), {}, [-1]),
    "sub": (ops.SUB, (-EDGE, SMALL), {}, [-(2**31)]),
    "sub of both signs": (ops.SUB, (-SMALL, -EDGE - 1), {}, [2**31 - 1]),
    "abs": (ops.ABS, (-EDGE,), {}, [2**31 - 1]),
    "negate": (ops.NEGATE, (-EDGE, a([0]), a([0])), {}, [2**31 - 1]),
    "intdiv": (ops.INTDIV, (-EDGE - 1, SMALL), {}, [-(2**31)]),
    "mul shift": (ops.MUL, (EDGE, EDGE, a([63], I8)), {}, [0]),
    "mul shift of 0": (ops.MUL, (SMALL, EDGE, a([0], I8)), {}, [2**31 - 1]),
    "mul": (ops.MUL, (a([2]), EDGE, a([1], I8)), {}, [2**31 - 1]),
    "mul downwards": (ops.MUL, (a([2**16]), -a([2**16]), a([1], I8)), {}, [-(2**31)]),
    "shift": (ops.LOGICAL_LEFT_SHIFT, (a([1], I8), a([7], I8)), {}, [-128]),
    "right shift": (ops.ARITHMETIC_RIGHT_SHIFT, (SMALL, a([0])), {"round": False}, [1]),
    "right shift of i32": (ops.LOGICAL_RIGHT_SHIFT, (-SMALL, a([31])), {}, [1]),
    "pow of zero": (ops.POW, (a([0], F32), a([0.5], F32)), {}, [0]),
    "pow to zero": (ops.POW, (a([2], F32), a([0], F32)), {}, [1]),
    "gather": (ops.GATHER, (a([[[5], [6]]], I8), a([[1, 0]])), {}, [[[6], [5]]]),
    "scatter": (ops.SCATTER, (a([[[1], [2]]], I8), a([[1]]), a([[[3]]], I8)), {}, [[[1], [3]]]),
    "reduce_sum": (ops.REDUCE_SUM, (a([2**31 - 1, -1, 1]),), {"axis": 0}, [2**31 - 1]),
    "reduce_sum downwards": (ops.REDUCE_SUM, (a([-(2**31), 1, -1]),), {"axis": 0}, [-(2**31)]),
    "reduce_sum to the top": (ops.REDUCE_SUM, (a([-1, 2**30, 2**30]),), {"axis": 0}, [2**31 - 1]),
    "reduce_sum to the bottom": (ops.REDUCE_SUM, (a([1, -(2**30), -(2**30) - 1]),), {"axis": 0}, [-(2**31)]),
}


@pytest.mark.parametrize("case", WITHIN.values(), ids=WITHIN.keys())
def test_values_at_the_limit_of_a_require_run(case: tuple[OpDef, tuple[Array, ...], dict[str, Any], object]) -> None:
    row, operands, attributes, expected = case
    assert run(row, *operands, **attributes).tolist() == expected


@pytest.mark.parametrize("case", VIOLATIONS.values(), ids=VIOLATIONS.keys())
def test_a_violated_require_is_an_error(case: tuple[OpDef, tuple[Array, ...], dict[str, Any], str]) -> None:
    """An operand of valid elements with one invalid element is refused too."""
    row, operands, attributes, words = case
    data = row.elementwise
    beside = [np.append(x, x.dtype.type(1)) if i < data else x for i, x in enumerate(operands)]
    for inputs in (operands, beside):
        with np.errstate(all="ignore"), pytest.raises(UnpredictableError, match=row.opcode) as caught:
            run(row, *inputs, **attributes)
        assert words in str(caught.value)
        assert "REQUIRE(" in str(caught.value)


@pytest.mark.parametrize(
    ("values", "multiplier", "shift", "more", "words"),
    [
        (a([1]), -1, 30, {}, "multiplier >= 0"),
        (a([1]), 1, 63, {}, "shift <= 62"),
        (a([1]), 1, 1, {}, "2 <= shift"),
        (a([1 << 29]), 1, 30, {}, "value < (1 << (shift - 1))"),
        (a([0, 1 << 29]), 1, 30, {}, "value < (1 << (shift - 1))"),
        (a([-(1 << 29) - 1, 0]), 1, 30, {}, "value >= (-1 << (shift - 1))"),
        (a([1 << 30]), 1 << 14, 2, {"scale32": False}, "result >= minimum<int32_t>"),
    ],
)
def test_a_violated_require_of_rescale_is_an_error(
    values: Array, multiplier: int, shift: int, more: dict[str, Any], words: str
) -> None:
    with pytest.raises(UnpredictableError) as caught:
        rescaled(values, multiplier, shift, **more)
    assert words in str(caught.value)


@pytest.mark.parametrize("rounding", ["SINGLE_ROUND", "DOUBLE_ROUND"])
@pytest.mark.parametrize(
    ("values", "multiplier", "shift"),
    [
        ([1, 0, -1, -2], 3, 2),
        ([1, -2], 2**31 - 1, 2),
        ([3, -1], 0, 30),
        ([(1 << 29) - 1, -(1 << 29)], 2**31 - 1, 30),
        ([2**31 - 1, -(2**31)], 2**31 - 1, 61),
        ([2**31 - 1, -(2**31)], 2**31 - 1, 62),
    ],
)
def test_scales_at_the_limits_of_rescale_run(values: list[int], multiplier: int, shift: int, rounding: str) -> None:
    expected = [literal_scale_32(value, multiplier, shift, rounding == "DOUBLE_ROUND") for value in values]
    assert rescaled(a(values), multiplier, shift, rounding_mode=rounding) == expected


@pytest.mark.parametrize(("low", "high"), [(-(2**31), 2**31 - 1), (-(2**31) + 1, 2**31 - 2)])
def test_results_of_16_bit_scales_may_be_the_last_of_i32(low: int, high: int) -> None:
    """With a shift of 2 and a multiplier of 4, the scale is 1."""
    assert rescaled(a([low, high]), 4, 2, scale32=False) == [low, high]


@pytest.mark.parametrize(("dtype", "zero"), [(DType.I8, 200), (DType.I16, 32768)])
def test_unsigned_zero_points_are_not_negative(dtype: DType, zero: int) -> None:
    zero_point = np.array([zero], f"u{dtype.numpy.itemsize}").view(dtype.numpy)
    scale = a([1 << 30]), a([30], I8)
    into, out_of = RESCALE | {"input_unsigned": True}, RESCALE | {"output_unsigned": True}
    assert run(ops.RESCALE, zero_point, *scale, zero_point, a([0], I8), out=DType.I8, **into).tolist() == [0]
    assert (
        run(ops.RESCALE, a([0], I8), *scale, a([0], I8), zero_point, out=dtype, **out_of).tolist()
        == zero_point.tolist()
    )


@pytest.mark.parametrize("row", [ops.CONV2D, ops.DEPTHWISE_CONV2D, ops.TRANSPOSE_CONV2D])
@pytest.mark.parametrize(("bias", "x"), [((1 << 47) - 1, 1), (-(1 << 47), -1)])
def test_sums_of_48_bits_are_exact(row: OpDef, bias: int, x: int) -> None:
    operands = a([[[[x]]]], I16), a([[[[1]]]], I8), a([bias], SHAPE), a([0], I16), a([0], I8)
    types = (DType.I16, DType.I8, DType.I48, DType.I16, DType.I8)
    window = {"pad": (0,) * 4, "out_pad": (0,) * 4, "stride": (1, 1), "dilation": (1, 1), "acc_type": "INT48"}
    values = [Value(TensorType(dtype, array.shape)) for dtype, array in zip(types, operands, strict=True)]
    kernel = planned(Op(row.opcode, values, [TensorType(DType.I48, (1, 1, 1, 1))], window))
    assert np.asarray(kernel(operands[0] * 0, *operands[1:])).ravel().tolist() == [bias]
    with pytest.raises(UnpredictableError, match="apply_add_s"):
        kernel(*operands)


@pytest.mark.parametrize("row", [ops.CONV2D, ops.DEPTHWISE_CONV2D])
def test_infinities_and_nan_stay_in_their_channel(row: OpDef) -> None:
    """Products with padding count in output_bnd (1.10.3), with weights of their own output channel."""
    weight = np.ones((2, 1, 1, 1) if row is ops.CONV2D else (1, 1, 1, 2), F32)
    weight.reshape(-1)[1] = np.inf
    window = {"pad": (0, 0, 1, 0), "stride": (1, 1), "dilation": (1, 1), "acc_type": "FP32"}
    operands = np.ones((1, 1, 1, 1), F32), weight, np.zeros(1, F32), np.zeros(1, F32), np.zeros(1, F32)
    op = single(row, *operands, **window)
    with np.errstate(all="ignore"):
        output = bind_definition(op, precise=True, computes_error_bound=True)(*operands)
    np.testing.assert_array_equal(np.asarray(output).ravel(), [0, np.nan, 1, np.inf])


MOST = 1 << 17  # products of the least i8 with itself, 2**14 each, that make 2**31


def accumulated(row: OpDef, x: int, weight: int, bias: int, count: int, dtype: type[np.generic] = I8) -> list[int]:
    """Returns a sum of `count` products plus a bias, and a sum of zeros beside it."""
    values = np.zeros((1, 2, count), dtype)
    values[0, 0] = x
    weights, zeros = np.full(count, weight, dtype), [a([0], dtype)] * 2
    if row is ops.MATMUL:
        out = DType.I32 if dtype is I8 else DType.I48
        return listed(run(row, values, weights.reshape(1, -1, 1), *zeros, out=out))
    window: dict[str, Any] = {"pad": (0,) * 4, "stride": (1, 1), "dilation": (1, 1), "acc_type": "INT32"}
    if row is ops.CONV2D:
        return listed(run(row, values[None], weights.reshape(1, 1, 1, -1), a([bias]), *zeros, **window))
    columns = values.reshape(2, 16, count // 16, 1)
    return listed(run(row, columns, weights.reshape(16, -1, 1, 1), a([bias]), *zeros, **window))


@pytest.mark.parametrize(
    ("row", "x", "weight", "bias", "count", "dtype"),
    [
        (ops.MATMUL, -128, -128, 0, MOST - 1, I8),
        (ops.MATMUL, -(2**15), -(2**15), 0, MOST - 1, I16),
        (ops.CONV2D, -128, -128, 2**14 - 1, MOST - 1, I8),
        (ops.CONV2D, -128, 127, -2048, 132103, I8),
        (ops.DEPTHWISE_CONV2D, -128, -128, -1, MOST, I8),
    ],
)
def test_accumulators_are_used_to_the_last_bit(
    row: OpDef, x: int, weight: int, bias: int, count: int, dtype: type[np.generic]
) -> None:
    assert accumulated(row, x, weight, bias, count, dtype) == [x * weight * count + bias, bias]


@pytest.mark.parametrize(
    ("row", "x", "weight", "bias", "count", "dtype"),
    [
        (ops.MATMUL, -128, -128, 0, MOST, I8),
        (ops.MATMUL, -128, 127, 0, 132105, I8),
        (ops.MATMUL, -(2**15), -(2**15), 0, MOST, I16),
        (ops.CONV2D, -128, -128, 2**14, MOST - 1, I8),
        (ops.CONV2D, -128, 127, -(2**15), 132103, I8),
        (ops.DEPTHWISE_CONV2D, -128, -128, 0, MOST, I8),
    ],
)
def test_an_accumulator_overflow_is_an_error(
    row: OpDef, x: int, weight: int, bias: int, count: int, dtype: type[np.generic]
) -> None:
    with pytest.raises(UnpredictableError, match="apply_add_s"):
        accumulated(row, x, weight, bias, count, dtype)


def test_a_slope_that_is_too_steep_counts_only_where_it_is_read() -> None:
    steep = a([0] * 256 + [-32768, 32767] + [0] * 255, I16)
    assert run(ops.TABLE, a([-300], I16), steep).tolist() == [0]
    limits = a([0, 32767, -32768, 0, -32768] + [0] * 508, I16)  # read where it falls or rises as much as it may
    assert run(ops.TABLE, a([-32768 + 1, -32768 + 3 * 128 + 1], I16), limits).tolist() == [32767, -32768]


def test_without_check_sums_wrap() -> None:
    assert run(ops.ADD, EDGE, SMALL, check=False).tolist() == [-(2**31)]


@pytest.mark.parametrize("shift", [-128, -5, 64, 100])
def test_without_check_illegal_shifts_of_products_raise_nothing(shift: int) -> None:
    """The result is undefined; Python's own shift would raise ValueError or OverflowError before the run."""
    assert run(ops.MUL, EDGE, SMALL, a([shift], I8), check=False).dtype == I32


RESCALED = (DType.I8, DType.I16, DType.I32)


@pytest.mark.parametrize(
    ("source", "target", "unsigned"),
    [
        case
        for case in product(RESCALED, RESCALED, ("", "input_unsigned", "output_unsigned"))
        if legal_signs(case[0], case[1], case[2] == "input_unsigned", case[2] == "output_unsigned")
    ],
)
def test_rescale_by_one_moves_and_clips(source: DType, target: DType, unsigned: str) -> None:
    input_type = np.dtype(f"{'u' if unsigned == 'input_unsigned' else 'i'}{source.numpy.itemsize}")
    stored = np.dtype(f"{'u' if unsigned == 'output_unsigned' else 'i'}{target.numpy.itemsize}")
    limits, into = np.iinfo(input_type), np.iinfo(stored)
    values = np.unique(np.linspace(limits.min, limits.max, 999).astype(np.int64).tolist() + list(range(-300, 300)))
    values = values[(values >= limits.min) & (values <= limits.max)]
    zeros = [7 if d is DType.I8 else 0 for d in (source, target)]
    attributes: dict[str, Any] = {"scale32": True, "rounding_mode": "DOUBLE_ROUND", "per_channel": False}
    attributes |= {key: key == unsigned for key in ("input_unsigned", "output_unsigned")}
    result = run(
        ops.RESCALE,
        values.astype(input_type).view(source.numpy),
        a([1 << 30]),
        a([30], I8),
        *(np.array([zero], d.numpy) for zero, d in zip(zeros, (source, target), strict=True)),
        check=False,
        out=target,
        **attributes,
    )
    assert result.dtype == target.numpy
    expected = [min(max(v - zeros[0] + zeros[1], into.min), into.max) for v in values.tolist()]
    assert result.view(stored).tolist() == expected


@pytest.mark.parametrize(("dims", "axis"), [((1, 70001), 1), ((70001, 3), 0), ((2, 70001, 3), 1), ((300, 300, 2), 0)])
def test_long_sums_of_floats_stay_near_fp64(dims: tuple[int, ...], axis: int) -> None:
    """Sequential addition, as in the reference model and LiteRT, would be off by up to 1e-5."""
    x = np.random.default_rng(0).random(dims).astype(np.float32)
    exact = x.astype(np.float64).sum(axis=axis, keepdims=True)
    sums = np.asarray(planned(single(ops.REDUCE_SUM, x, axis=axis))(x))
    assert sums.dtype == np.float32
    assert np.abs(sums / exact - 1).max() < 5e-7
