"""Limits of the guesses of quantized operators, on both sides; LiteRT judges what comes back."""

from collections.abc import Callable

import numpy as np
import pytest
from support.cases.case import Case
from support.expressions import build_model
from support.tflite_models import Tensor

import tosa_converter as tc
from tosa_converter.conversion import count_ops
from tosa_converter.dtypes import DType
from tosa_converter.engines import engine_named
from tosa_converter.ir import Array, Border, Model, Quant, TensorType, Value
from tosa_converter.legalize.invert.tflite.arithmetic import propose_sum_operands
from tosa_converter.legalize.invert.tflite.candidates import OutputRescale
from tosa_converter.legalize.invert.tflite.integers import rescale_parameters_of
from tosa_converter.legalize.invert.tflite.ratios import nearest_floats, neighbours
from tosa_converter.legalize.invert.tflite.scale_solver import ScaleSolver
from tosa_converter.legalize.invert.tflite.short_layers import _output_mantissas
from tosa_converter.rewriting.expr import Expr, clamp, const, where
from tosa_converter.rewriting.operators import conv2d, rescale
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import BuiltinOperator

HALF = 1 << 30  # the multiplier of 1/2 with a shift of 31
RNG = np.random.default_rng(7)
BYTES = RNG.integers(-128, 128, (1, 5, 4, 3)).astype(np.int8)
SHORTS = RNG.integers(-(1 << 15), 1 << 15, (1, 5, 4, 3)).astype(np.int16)
WEIGHTS = RNG.integers(-127, 128, (2, 1, 1, 3))


def written(model: Model, *arrays: Array) -> Model:
    """Returns the model as TFLite, after LiteRT computed from its file what the executor does from the TOSA graph."""
    pytest.importorskip("ai_edge_litert", reason="needs LiteRT")
    names = [value.name for value in model.main.inputs]
    expected = tc.run(model, dict(zip(names, arrays, strict=True)))
    back = tc.to_tflite(model)
    file = tc.load(b"".join(map(bytes, tc.formats.encode(back, ".tflite"))))
    results = engine_named("litert").run(file, dict(zip(names, arrays, strict=True)))
    for expected_array, array in zip(expected.values(), results.values(), strict=True):
        np.testing.assert_array_equal(expected_array, array)
    return back


def names_of(formula: Callable[..., Expr | list[Expr]], *arrays: Array) -> dict[str, int]:
    """Returns how many of each operator a formula becomes, without the RESHAPEs at borders, checked by `written`."""
    counts = count_ops(written(build_model(formula, *arrays), *arrays))
    return {name.partition(".")[2]: count for name, count in counts.items() if name != "tfl.reshape"}


def convolved(x: Expr, input_zp: int = 0) -> Expr:
    """Returns sums of a convolution by two kernels of one pixel."""
    bias = const([900, -50], DType.I48 if x.dtype is DType.I16 else DType.I32)
    return conv2d(x, const(WEIGHTS, DType.I8), bias, pad=(0, 0, 0, 0), input_zp=input_zp)


@pytest.mark.parametrize(
    ("multiplier", "shift"), [(1 << 14, 8), (1 << 14, 46), ((1 << 15) - 1, 22), (1 << 10, 42), (0, 30)]
)
def test_short_layers_have_these_shifts(multiplier: int, shift: int) -> None:
    counts = names_of(lambda x: rescale(convolved(x), DType.I16, [multiplier], [shift]), SHORTS)
    assert counts == {"conv_2d": 1}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("lowest", [1.0, 1.98], ids=["any", "largest"])
def test_the_scale_of_a_short_layers_result_is_a_candidate(lowest: float, seed: int) -> None:
    """A multiplier times it is an integer of up to 49 bits, and off by at most 1/16 in doubles."""
    rng = np.random.default_rng(seed)
    input_scale, output_scale = rng.uniform(lowest, 2, 2).astype(np.float32).astype(float)
    weight_scales = rng.uniform(lowest, 2, 6).astype(np.float32).astype(float)
    real = input_scale * weight_scales / output_scale * 2.0**-20
    candidates = _output_mantissas(np.frexp(real)[0])
    assert int(output_scale * 2**23) in candidates
    assert len(candidates) < 2**23 * 0.25**6  # a fifth by chance, for each of 6 multipliers


@pytest.mark.parametrize(("multiplier", "shift"), [(1 << 14, 7), (1 << 14, 47), (1 << 10, 43), (1 << 10, 3)])
def test_short_layers_lack_these_shifts(multiplier: int, shift: int) -> None:
    """1 << 10 is 1 << 14 with 4 more: LiteRT's multipliers have 15 bits."""
    counts = names_of(lambda x: rescale(convolved(x), DType.I16, [multiplier], [shift]), SHORTS)
    assert counts["cast"] > 1


@pytest.mark.parametrize(
    ("rounding", "shift", "name"),
    [
        ("SINGLE_ROUND", 31, "mul"),
        ("SINGLE_ROUND", 32, "cast"),
        ("DOUBLE_ROUND", 32, "mul"),
        ("DOUBLE_ROUND", 37, "mul"),
    ],
)
def test_a_kernel_rounds_once_up_to_a_shift_of_31(rounding: str, shift: int, name: str) -> None:
    def formula(x: Expr, y: Expr) -> Expr:
        wide = [rescale(operand, DType.I32, [HALF], [30]) for operand in (x, y)]
        return rescale(wide[0] * wide[1], DType.I8, [1234567808], [shift], output_zp=3, rounding_mode=rounding)

    counts = names_of(formula, BYTES, BYTES[:, ::-1].copy())
    assert name in counts
    assert name != "mul" or counts == {"mul": 1}


@pytest.mark.parametrize(("shift", "name"), [(16, "quantize"), (15, "cast")])
def test_the_largest_multiplier_of_a_short_quantize(shift: int, name: str) -> None:
    """2**14 and 2**15, which 32 bits don't hold times an element."""
    arrays = np.arange(-4, 4, dtype=np.int16).reshape(1, 8)
    assert name in names_of(lambda x: rescale(x, DType.I16, [HALF], [shift]), arrays)


@pytest.mark.parametrize(
    ("bounds", "names"),
    [
        ((-128, 127), {"conv_2d": 1}),
        ((-128, 126), {"conv_2d": 1, "minimum": 1}),
        ((-127, 127), {"conv_2d": 1, "maximum": 1}),
        ((5, 127), {"conv_2d": 1}),
    ],
)
def test_bounds_are_fused_or_operators(bounds: tuple[int, int], names: dict[str, int]) -> None:
    """RELU begins at the zero point, 5."""

    def formula(x: Expr) -> Expr:
        y = rescale(convolved(x, 7), DType.I8, [1717986918], [39], output_zp=5, rounding_mode="DOUBLE_ROUND")
        return clamp(y, *bounds)

    assert names_of(formula, BYTES) == names


def test_a_rescale_that_is_read_elsewhere_too_ends_without_its_clamp() -> None:
    def formula(x: Expr) -> list[Expr]:
        y = rescale(convolved(x, 7), DType.I8, [1717986918], [39], output_zp=5, rounding_mode="DOUBLE_ROUND")
        return [y, clamp(y, 5, 99)]

    assert names_of(formula, BYTES) == {"conv_2d": 1, "maximum": 1, "minimum": 1}


def test_a_short_rescale_without_a_clamp_is_quantize_and_with_one_from_0_relu() -> None:
    assert names_of(lambda x: rescale(x, DType.I16, [HALF], [31]), SHORTS) == {"quantize": 1}
    assert names_of(lambda x: clamp(rescale(x, DType.I16, [HALF], [31]), 0, 32767), SHORTS) == {"relu": 1}
    counts = names_of(lambda x: clamp(rescale(x, DType.I16, [HALF], [31]), 0, 99), SHORTS)
    assert counts == {"relu": 1, "minimum": 1}
    counts = names_of(lambda x: clamp(rescale(x, DType.I16, [HALF], [31]), 1, 32767), SHORTS)
    assert counts == {"quantize": 1, "maximum": 1}


@pytest.mark.parametrize(("slope", "name"), [(1717986944, "leaky_relu"), (1717986918, "cast")])
def test_slopes_of_16_bits_are_floats(slope: int, name: str) -> None:
    """1717986944 is fp32(0.1) times 2**34, and 1717986918 is 0.1 times that: no float is."""

    def formula(x: Expr) -> Expr:
        below = rescale(x, DType.I16, [slope], [34], rounding_mode="DOUBLE_ROUND")
        return where(x.cast(DType.I32) >= 0, x, below)

    assert name in names_of(formula, SHORTS)


def test_a_square_with_a_zero_point_of_its_own_reads_one_view() -> None:
    """The border states another zero point than the RESCALE subtracts, so both operands are one view of the input."""

    def formula(x: Expr) -> Expr:
        wide = rescale(x, DType.I32, [HALF], [30], input_zp=3)
        y = rescale(wide * wide, DType.I8, [1234567808], [38], rounding_mode="DOUBLE_ROUND")
        return rescale(y, DType.I32, [HALF], [30])

    model = build_model(formula, BYTES)
    x = model.main.inputs[0]
    model.borders[x] = Border("x0", TensorType(DType.I8, x.type.shape, Quant((0.0625,), (5,))))
    back = written(model, BYTES)
    product = next(op for op in back.main if op.name == "tfl.mul")
    assert count_ops(back)["tfl.mul"] == 1
    assert product.operands[0] is product.operands[1] is not back.main.inputs[0]


# ** the solver **


def test_floats_nearest_to_a_number() -> None:
    step = 2.0**-23
    assert [float(x) - 1 for x in nearest_floats(1.0, 2)] == [0, -step / 2, step, -step, 2 * step]
    assert [float(x[0]) - 1 for x in neighbours(np.ones(1, np.float32))] == [0, -step / 2, step]


def test_a_restriction_that_nothing_fits_leaves_no_candidates_to_another_tensor() -> None:
    solver, (x, y) = ScaleSolver(), (Value(TensorType(DType.I8, (2,)), name) for name in "xy")
    solver.set_candidates(x, np.array([0.5, 0.25, 0.125]))
    before = solver.snapshot()
    assert not solver.restrict_layer(x, y, np.array([3]), np.array([31]))  # a multiplier has 31 bits
    assert solver.candidate_scales(y) is None
    assert solver[x].tolist() == [0.5, 0.25, 0.125]
    assert solver.keep_rows(x, np.array([2, 0]))
    assert solver[x].tolist() == [0.125, 0.5]
    assert not solver.keep_rows(x, np.array([], int))
    solver.restore(before)
    assert solver[x].tolist() == [0.5, 0.25, 0.125]


# ** searches **


@pytest.mark.parametrize("zero_point", [-7, 40])
def test_a_curve_that_is_flat_around_its_zero_point_comes_back(zero_point: int) -> None:
    """Five elements are 0.5 in steps of 1/256, and nothing states which one is the zero point."""
    x = Tensor((1, 256), "int8", scale=0.003, zero_point=zero_point)
    y = Tensor((1, 256), "int8", scale=1 / 256, zero_point=-128)
    model = tc.convert(Case(BuiltinOperator.LOGISTIC, (x,), (y,)).file())
    model.borders.clear()
    back = written(model, np.arange(-128, 128, dtype=np.int8).reshape(1, 256))
    assert count_ops(back)["tfl.logistic"] == 1


@pytest.mark.parametrize(("smallest", "name"), [(-500000, "add"), (-500001, "add"), (-500002, "bitcast")])
def test_a_constant_of_a_sum_is_its_levels_but_for_roundings(smallest: int, name: str) -> None:
    """1000000 and -500000 are 126 and -63 on the scale 7936.5; an element that is off by 1.5 can't be rounded so."""

    def formula(x: Expr) -> Expr:
        wide = rescale(rescale(x, DType.I32, [HALF], [10]), DType.I32, [HALF], [31])
        constant = const(np.array([1000000, smallest, 0]).reshape(1, 1, 1, 3), DType.I32)
        return rescale(wide + constant, DType.I8, [1517500288], [50], rounding_mode="DOUBLE_ROUND")

    assert name in names_of(formula, BYTES)


def test_the_larger_operand_of_a_sum_is_rescaled_by_a_half_at_most() -> None:
    """Its multiplier is 2**30 with shift 0. A larger one would make the scale of the other operand the larger one."""

    def formula(x: Expr, y: Expr) -> Expr:
        halves = [rescale(rescale(operand, DType.I32, [HALF], [10]), DType.I32, [HALF], [31]) for operand in (x, y)]
        return rescale(halves[0] + halves[1], DType.I8, [1517500288], [50], rounding_mode="DOUBLE_ROUND")

    model = build_model(formula, BYTES, BYTES)
    core = next(op for op in model.main if op.row is ops.ADD)
    root = next(op for op in model.main if op.row is ops.RESCALE and op.operands[0] is core.result)
    scale = rescale_parameters_of(root)
    assert scale is not None
    proposal = propose_sum_operands(core, OutputRescale(root, scale, DType.I8.limits))
    assert proposal is not None
    assert [(rescale.shift, rescale.multipliers[1]) for rescale in proposal.summand_rescales] == [(0, HALF), (0, HALF)]
    assert count_ops(written(model, BYTES, BYTES))["tfl.add"] == 1
