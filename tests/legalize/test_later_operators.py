"""Operators of TOSA 1.1 in conversions whose target has it: MATMUL_T and ROW_GATHER, judged by LiteRT."""

import numpy as np
import pytest
from support.cases.case import Case
from support.cases.table import bases
from support.legalizing import reference_model
from support.quantized_models import Draw, assert_exact, model, operators, plain, quantized
from support.quantized_models import constant as constants
from support.tflite_models import run_litert

import tosa_converter as tc
from tosa_converter.errors import UnsupportedError
from tosa_converter.formats import parse
from tosa_converter.ir import Array
from tosa_converter.rules.target import Target, needs
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tosa_target import DRAFT

EVERYTHING = "pro-int,pro-fp,ext-int16,ext-int4,ext-bf16,ext-doubleround"
LATER = Target.parse(f"{EVERYTHING},1.1")
READ_BY_ROW = (B.GATHER, B.EMBEDDING_LOOKUP)
MULTIPLIED = (B.FULLY_CONNECTED, B.BATCH_MATMUL)


def dense(seed: int) -> tuple[bytes, list[Array]]:
    """Draws a FULLY_CONNECTED of int8 with one scale of weights or one for each row, with a bias or without."""
    draw = Draw(seed)
    rows, depth, out = draw.ints(1, 5, 1)[0], draw.ints(1, 200, 1)[0], draw.ints(1, 30, 1)[0]
    scales = np.atleast_1d(draw.scale(0.0005, 0.01, draw.among(1, out)))
    bias = quantized(draw.rng.integers(-5000, 5000, out).astype(np.int32), 0.02 * scales, 0, "int32", constant=True)
    zero_point = draw.among(0, 3) * (len(scales) == 1)
    return model(
        B.FULLY_CONNECTED,
        [
            quantized(draw.stored((rows, depth)), 0.02, draw.zero_point(), "int8"),
            quantized(draw.stored((out, depth)), scales, zero_point, "int8", constant=True),
            bias if seed % 2 else None,
        ],
        quantized((rows, out), float(draw.scale(0.02, 0.2)), draw.zero_point(), "int8"),
        version=7,
    )


@pytest.mark.parametrize("seed", range(40))
def test_dense_layers_of_bytes_are_products_by_rows(seed: int) -> None:
    """The weight is a constant in the layout of the source's file."""
    ours = assert_exact(*dense(seed), target=LATER, by_reference_model=seed < 6)
    assert "matmul_t" in operators(ours)
    assert "conv2d" not in operators(ours)


def later_operators(case: Case) -> frozenset[str]:
    """Returns which of the operators of 1.1 a case's conversion has."""
    return frozenset({"matmul_t", "row_gather"} & set(operators(tc.convert(parse(case.file()), target=LATER))))


CASES = [case for case in bases() if case.builtin in (*READ_BY_ROW, *MULTIPLIED)]
USED = {i: names for i, case in enumerate(CASES) if (names := later_operators(case))}


@pytest.mark.parametrize("case", [CASES[i] for i in USED], ids=[f"{CASES[i].builtin.name}-{i}" for i in USED])
def test_results_are_those_of_litert(case: Case) -> None:
    data, arrays = case.model()
    ours = tc.convert(parse(data), target=LATER)
    expected = run_litert(data, arrays)
    feed = [x.view(f"i{x.itemsize}") if x.dtype.kind == "u" else x for x in arrays]
    feed = [x.astype(np.int32) if x.dtype == np.int64 else x for x in feed]
    for got, want in zip(reference_model(ours, feed), expected, strict=True):
        # LiteRT keeps the first rows of some hybrid layers.
        first = got.reshape(-1)[: want.size]
        if want.dtype.kind == "f":
            np.testing.assert_allclose(first, want.reshape(-1), atol=1e-5 * np.abs(want).max(), rtol=0)
        else:
            np.testing.assert_array_equal(first, want.astype(got.dtype).reshape(-1))


def test_the_operators_are_used() -> None:
    assert {(CASES[i].builtin, *names) for i, names in USED.items()} == {
        (B.FULLY_CONNECTED, "matmul_t"),
        (B.GATHER, "row_gather"),
        (B.EMBEDDING_LOOKUP, "row_gather"),
    }


@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("batches", [((2, 3), (2, 3)), ((2, 3), ()), ((2, 1), (3,))])
@pytest.mark.parametrize("dtype", ["int8", "float32"])
def test_products_take_the_right_side_by_rows(dtype: str, batches: tuple[tuple[int, ...], ...], constant: bool) -> None:
    """BATCH_MATMUL with adj_y needs no TRANSPOSE."""
    draw = Draw(len(batches[1]))
    left, right = (draw.stored((*batch, size, 7)) for batch, size in zip(batches, (4, 5), strict=True))
    shape = (*np.broadcast_shapes(*batches), 4, 5)
    if dtype == "int8":
        sides = [quantized(left, 0.02, 3, dtype), quantized(right, 0.03, -5, dtype, constant=constant)]
        result = quantized(shape, 0.1, 4, dtype)
    else:
        reals = [x.astype(np.float32) / 16 for x in (left, right)]
        sides, result = [plain(reals[0]), constants(reals[1], dtype) if constant else plain(reals[1])], plain(shape)
    data, arrays = model(B.BATCH_MATMUL, sides, result, version=4, adj_y=True)
    ours = tc.convert(parse(data), target=LATER)
    assert "matmul_t" in operators(ours)
    assert "transpose" not in operators(ours)
    ((got,), (want,)) = reference_model(ours, arrays), run_litert(data, arrays)
    np.testing.assert_allclose(got, want, atol=0 if dtype == "int8" else 1e-5 * np.abs(want).max(), rtol=0)


@pytest.mark.parametrize("target", [None, EVERYTHING, f"{EVERYTHING},1.0"])
def test_without_1_1_nothing_changes(target: str | None) -> None:
    for case in CASES:
        ours = tc.convert(parse(case.file()), target=target)
        assert needs(ours).version < DRAFT
        assert not {"matmul_t", "row_gather"} & set(operators(ours))


def test_spirv_has_no_set_for_it() -> None:
    ours = tc.convert(parse(dense(0)[0]), target=LATER)
    with pytest.raises(
        UnsupportedError, match=r"matmul_t .*has no instruction for it, an operator of TOSA 1\.1"
    ) as error:
        tc.save(ours, "never.spv")
    assert "next: leave 1.1 out of --target" in str(error.value.args)
    with pytest.raises(UnsupportedError, match=r"MATMUL_T at .*\nan operator of the draft of TOSA 1\.1"):
        tc.to_tflite(ours)
