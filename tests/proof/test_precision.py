"""The checker against Arm's verification library, and against the words of clause 1.10.3 where that is more lenient."""

import ctypes
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from support.kernel_cases import Case, graph_of, random

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.ir import Array, Op, TensorType, Value
from tosa_converter.proof import precision
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

CODES = {DType.FP16: 2, DType.FP32: 3}


class Tensor(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("shape", ctypes.POINTER(ctypes.c_int32)),
        ("num_dims", ctypes.c_int32),
        ("data_type", ctypes.c_int),
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_size_t),
    )


def tensor(array: Array, code: int) -> Tensor:
    shape = (ctypes.c_int32 * array.ndim)(*array.shape)
    return Tensor(b"y", shape, array.ndim, code, array.ctypes.data, array.nbytes)


@pytest.fixture(scope="module")
def library() -> Callable[..., bool]:
    package = pytest.importorskip("tosa_reference_model", reason="needs tosa-tools")
    verify_library = ctypes.CDLL(str(Path(package.__file__).parent / "libtosa_reference_verify_lib.so"))
    verify_library.tvf_verify_data.restype = ctypes.c_bool

    def verify(reference: Array, bounds: Array | None, output: Array, dtype: DType, mode: str, **info: Any) -> bool:
        body = {"mode": mode, "data_type": dtype.name, "shape": list(output.shape), **info}
        config = json.dumps({"version": "1.2", "tensors": {"y": body}}).encode()
        bound = None if bounds is None else ctypes.byref(tensor(bounds, 99))
        return bool(
            verify_library.tvf_verify_data(
                ctypes.byref(tensor(reference, 99)), bound, ctypes.byref(tensor(output, CODES[dtype])), config
            )
        )

    return verify


def nudged(exact: Array, dtype: DType, ulps: int) -> Array:
    """The nearest values of the type, moved by so many of its steps."""
    near = exact.astype(dtype.numpy)
    for _ in range(abs(ulps)):
        near = np.nextafter(near, dtype.numpy.type(np.copysign(np.inf, ulps)))
    return np.asarray(near)


RULES: list[tuple[OpDef, tuple[float, float], dict[str, Any]]] = [
    (ops.ADD, (-4, 4), {"mode": "ULP", "ulp_info": {"ulp": 0.5}}),
    (ops.ERF, (-2, 2), {"mode": "ULP", "ulp_info": {"ulp": 5}}),
    (ops.RECIPROCAL, (0.1, 4), {"mode": "ULP", "ulp_info": {"ulp": 1}}),
    (ops.RSQRT, (0.1, 4), {"mode": "ULP", "ulp_info": {"ulp": 2}}),
]


@pytest.mark.parametrize("dtype", [DType.FP16, DType.FP32])
@pytest.mark.parametrize(("row", "limits", "info"), RULES, ids=[row.name for row, _, _ in RULES])
def test_units_in_the_last_place_as_arms_library_counts_them(
    library: Callable[..., bool], row: OpDef, limits: tuple[float, float], info: dict[str, Any], dtype: DType
) -> None:
    rng = np.random.default_rng(2)
    verdicts = set()
    for steps in range(-7, 8):
        inputs = [random(rng, dtype, (1,), *limits) for _ in row.inputs]
        _, op, _ = graph_of(row, Case([(dtype, x) for x in inputs]))
        exact = precision.reference(op, inputs)[0]
        output = nudged(exact, dtype, steps)
        (verdict,) = precision.check(op, inputs, [output])
        assert verdict.compliant == library(exact, None, output, dtype, **info), (steps, verdict)
        verdicts.add(verdict.compliant)
    assert verdicts == {True, False}


@pytest.mark.parametrize("dtype", [DType.FP16, DType.FP32])
def test_absolute_bounds_as_arms_library_has_them(library: Callable[..., bool], dtype: DType) -> None:
    rng = np.random.default_rng(4)
    verdicts = set()
    for steps in range(-12, 13):
        x = random(rng, dtype, (1,), -3, 3)
        _, op, _ = graph_of(ops.EXP, Case([(dtype, x)]))
        exact, bound = precision.reference(op, [x])[0], 1 + np.abs(x.astype(np.float64))
        output = nudged(exact, dtype, steps)
        (verdict,) = precision.check(op, [x], [output])
        theirs = library(exact, bound, output, dtype, "ABS_ERROR", abs_error_info={"lower_bound": 0})
        assert verdict.compliant == theirs, (steps, verdict)
        verdicts.add(verdict.compliant)
    assert verdicts == {True, False}


def product(dtype: DType = DType.FP32, depth: int = 9) -> tuple[Op, list[Array]]:
    rng = np.random.default_rng(6)
    a, b = random(rng, dtype, (1, 40, depth)), random(rng, dtype, (1, depth, 30))
    zero = np.zeros(1, dtype.numpy)
    _, op, _ = graph_of(ops.MATMUL, Case([(dtype, x) for x in (a, b, zero, zero)], out=dtype))
    return op, [a, b, zero, zero]


def bound_of(op: Op, inputs: list[Array]) -> Array:
    """One step of the dot product, by the formula of the clause."""
    a, b = (np.abs(x.astype(np.float64)) for x in inputs[:2])
    frac = precision.FORMATS[op.result.type.dtype].normal_frac
    return np.asarray(a @ b * 2.0 ** (-1 - frac))


def test_a_dot_product_may_be_off_by_its_length() -> None:
    op, inputs = product()
    exact = precision.reference(op, inputs)[0]
    (right,) = precision.check(op, inputs, [exact.astype(np.float32)])
    assert right.compliant
    assert right.worst < 1 / 9
    for steps, compliant in ((8.9, True), (9.1, False)):
        output = exact.copy()
        output[0, 3, 4] += steps * bound_of(op, inputs)[0, 3, 4]
        (verdict,) = precision.check(op, inputs, [output])
        assert verdict.compliant is compliant
        assert compliant or (verdict.wrong == 1 and "[0, 3, 4]" in verdict.message)


def test_many_errors_at_once_break_the_variance() -> None:
    op, inputs = product()
    step = bound_of(op, inputs)
    exact = precision.reference(op, inputs)[0]
    signs = np.where(np.arange(step.size).reshape(step.shape) % 2, 1.0, -1.0)
    # squared errors of 0.4 * 9 per element are the limit
    assert precision.check(op, inputs, [exact + 1.85 * signs * step])[0].compliant
    (verdict,) = precision.check(op, inputs, [exact + 1.95 * signs * step])
    assert not verdict.compliant
    assert "squared errors" in verdict.message


def test_errors_to_one_side_are_a_bias_in_sets_3_to_5() -> None:
    op, inputs = product()
    output = precision.reference(op, inputs)[0] + 0.5 * bound_of(op, inputs)
    assert precision.check(op, inputs, [output])[0].compliant
    assert precision.check(op, inputs, [output], test_set=2)[0].compliant
    (verdict,) = precision.check(op, inputs, [output], test_set=3)
    assert not verdict.compliant
    assert "sum up to" in verdict.message


def test_without_local_bound_the_largest_input_counts_everywhere() -> None:
    x = np.ones((1, 1, 4, 1), np.float32)
    x[0, 0, 0, 0] = 1000
    weights, zero = np.ones((1, 1, 1, 1), np.float32), np.zeros(1, np.float32)
    sizes = {"pad": (0,) * 4, "stride": (1, 1), "dilation": (1, 1), "acc_type": "FP32"}
    off = x.copy()
    off[0, 0, 3, 0] += 100 * 2.0**-24
    for local, compliant in ((True, False), (False, True)):
        operands = [x, weights, zero, zero, zero]
        _, op, _ = graph_of(ops.CONV2D, Case([(DType.FP32, v) for v in operands], sizes | {"local_bound": local}))
        assert precision.check(op, operands, [off])[0].compliant is compliant


def test_nan_must_stay_and_must_not_appear() -> None:
    op, inputs = product()
    inputs[0][0, 2, 0] = np.nan
    output = precision.reference(op, inputs)[0].astype(np.float32)
    assert precision.check(op, inputs, [output])[0].compliant
    cleaned = np.where(np.isnan(output), np.float32(0), output)
    assert precision.check(op, inputs, [cleaned])[0].wrong == 30
    output[0, 0, 0] = np.nan
    assert precision.check(op, inputs, [output])[0].wrong == 1


def test_subnormals_may_be_flushed() -> None:
    x = np.array([1e-40, -1e-40, 1.0], np.float32)
    _, op, _ = graph_of(ops.ABS, Case([(DType.FP32, x)]))
    assert precision.check(op, [x], [np.array([0, 0, 1], np.float32)])[0].compliant
    assert precision.check(op, [x], [np.array([0, 0, 0], np.float32)])[0].wrong == 1


def test_casts_round_once() -> None:
    x = np.array([1 + 2.0**-11, 70000.0, 1e-9], np.float32)
    _, op, _ = graph_of(ops.CAST, Case([(DType.FP32, x)], out=DType.FP16))
    assert precision.check(op, [x], [np.array([1, np.inf, 0], np.float16)])[0].compliant
    assert precision.check(op, [x], [np.array([1 + 2.0**-10, 65504, 0], np.float16)])[0].wrong == 2


def test_inexact_rescale_may_be_off_by_the_rounding() -> None:
    x = np.array([5, 1 << 20], np.int32)
    zero = np.zeros(1, np.int32)
    operands: list[Array] = [x, np.array([1 << 30], np.int32), np.array([31], np.int8), zero, zero]
    kinds = (DType.I32, DType.I32, DType.I8, DType.I32, DType.I32)
    flags: dict[str, Any] = {"scale32": True, "rounding_mode": "INEXACT_ROUND", "per_channel": False}
    flags |= {"input_unsigned": False, "output_unsigned": False}
    _, op, _ = graph_of(ops.RESCALE, Case(list(zip(kinds, operands, strict=True)), flags, DType.I32))
    assert precision.check(op, operands, [np.array([2, 1 << 19], np.int32)])[0].compliant
    assert precision.check(op, operands, [np.array([3, 1 << 19], np.int32)])[0].compliant
    assert precision.check(op, operands, [np.array([4, (1 << 19) + 1], np.int32)])[0].wrong == 2


def test_operators_without_a_clause_are_refused() -> None:
    with pytest.raises(UsageError, match="no precision clause"):
        precision.check(Op("tosa.cond_if", (), []), [], [])


ACCUMULATORS = [
    (ops.AVG_POOL2D, DType.I8, DType.I8, {"acc_type": "INT32"}, DType.I32),
    (ops.AVG_POOL2D, DType.FP16, DType.FP16, {"acc_type": "FP16"}, DType.FP16),
    (ops.REDUCE_SUM, DType.BF16, DType.BF16, {"axis": 0}, DType.FP32),
    (ops.REDUCE_SUM, DType.I32, DType.I32, {"axis": 0}, DType.I32),
    (ops.RFFT2D, DType.FP32, DType.FP32, {}, DType.FP32),
]


@pytest.mark.parametrize(("row", "dtype", "out", "attributes", "expected"), ACCUMULATORS)
def test_what_sums_are_made_in(
    row: OpDef, dtype: DType, out: DType, attributes: dict[str, Any], expected: DType
) -> None:
    """By acc_type, or acc_t of the operator's table of types."""
    operands = [Value(TensorType(dtype, (1, 2, 2, 1)))]
    op = Op(row, operands, [TensorType(out, (1, 1, 1, 1))] * len(row.outputs), attributes)
    assert precision.accumulator(op) is expected


def test_every_clause_can_be_checked() -> None:
    for row in ops.OPERATORS:
        stated = row.precision
        assert (stated is None) == row.control
        if stated is not None:
            assert (stated.clause is ops.Clause.BOUND) == (row in precision.BOUNDS)
            assert (stated.clause is ops.Clause.DOT_PRODUCT) == (stated.length is not None)
            assert (stated.clause is ops.Clause.ULP) == (stated.ulps > 0)


@pytest.mark.parametrize("dtype", precision.FORMATS, ids=lambda dtype: dtype.value)
def test_every_format_has_the_numbers_of_its_type(dtype: DType) -> None:
    """Judged by ml_dtypes; implementations may flush subnormals, but not those of 8 bits."""
    limits = ml_dtypes.finfo(dtype.numpy)  # type: ignore[no-untyped-call]
    expected = (limits.nmant, float(limits.smallest_normal), float(limits.max), dtype.bits > 8)
    assert precision.FORMATS[dtype] == expected
