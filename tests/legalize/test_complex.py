"""Complex numbers are pairs: other lengths than LiteRT's, targets without transforms, and refusals."""

from typing import Any

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B

COMPLEX = Tensor((2, 3), "complex64")


def parts(shape: tuple[int, ...], lengths: tuple[int, int]) -> bytes:
    """Returns both parts of a transform."""
    tensors = [Tensor(shape), Tensor((2,), "int32", np.array(lengths)), Tensor((), "complex64"), Tensor(()), Tensor(())]
    operators = [Operator(B.RFFT2D, [0, 1], [2]), Operator(B.REAL, [2], [3]), Operator(B.IMAG, [2], [4])]
    return build(tensors, operators, [0], [3, 4])


def transformed(shape: tuple[int, ...], lengths: tuple[int, int], **options: Any) -> tuple[Array, Array, tc.Model]:
    x = np.random.default_rng(7).standard_normal(shape).astype(np.float32)
    model = tc.convert(tc.load(parts(shape, lengths)), **options)
    real, imag = tc.run(model, {"t0": x}).values()
    return real + 1j * imag.astype(np.float64), np.fft.rfft2(x.astype(np.float64), lengths), model


@pytest.mark.parametrize("lengths", [(1, 3), (1, 5), (3, 4), (6, 7), (5, 1), (12, 10)])
@pytest.mark.parametrize("shape", [(4, 5), (2, 1, 9), (2, 2, 7, 12)])
def test_lengths_other_than_powers_of_two_equal_numpy(shape: tuple[int, ...], lengths: tuple[int, int]) -> None:
    got, want, model = transformed(shape, lengths)
    assert np.abs(got - want).max() <= 1e-5 * np.abs(want).max()
    assert "tosa.rfft2d" not in str(model)


def test_a_target_without_transforms_gets_matrices() -> None:
    got, want, model = transformed((3, 8), (4, 8), target=tc.Target.parse("pro-fp"))
    assert np.abs(got - want).max() <= 1e-5 * np.abs(want).max()
    assert "tosa.rfft2d" not in str(model)
    assert "tosa.rfft2d" in str(transformed((3, 8), (4, 8))[2])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (build([COMPLEX, Tensor((2, 3))], [Operator(B.REAL, [0], [1])], [0], [1]), "graph input 't0'"),
        (
            build(
                [Tensor((2, 4)), Tensor((2,), "int32", np.array([2, 4])), COMPLEX],
                [Operator(B.RFFT2D, [0, 1], [2])],
                [0],
                [2],
            ),
            "graph output 't2'",
        ),
    ],
)
def test_graphs_take_and_give_no_complex_tensors(data: bytes, words: str) -> None:
    with pytest.raises(UnsupportedError, match=f"(?s){words}.*TOSA has no type complex64"):
        tc.convert(tc.load(data))


def test_squares_of_large_magnitudes_overflow() -> None:
    x = np.full((1, 4), 3e19, np.float32)
    tensors = [Tensor((1, 4)), Tensor((2,), "int32", np.array([1, 4])), COMPLEX, Tensor(())]
    operators = [Operator(B.RFFT2D, [0, 1], [2]), Operator(B.COMPLEX_ABS, [2], [3])]
    model = tc.convert(tc.load(build(tensors, operators, [0], [3])))
    (got,) = tc.run(model, {"t0": x}).values()
    assert got.tolist() == [[np.inf, 0, 0]]


def test_a_spectrogram_as_exporters_write_it_equals_litert() -> None:
    """Frames of 400 samples are windowed, transformed as 512, and reduced to magnitudes."""
    rng = np.random.default_rng(3)
    window = np.hanning(400).astype(np.float32)
    tensors = [
        Tensor((1, 6, 400)),
        Tensor((400,), data=window),
        Tensor((1, 6, 400)),
        Tensor((), "int32", np.array(-2)),
        Tensor((1, 6, 1, 400)),
        Tensor((2,), "int32", np.array([1, 512])),
        Tensor((1, 6, 1, 257), "complex64"),
        Tensor((1, 6, 257), "complex64"),
        Tensor((1, 6, 257)),
    ]
    operators = [
        Operator(B.MUL, [0, 1], [2]),
        Operator(B.EXPAND_DIMS, [2, 3], [4]),
        Operator(B.RFFT2D, [4, 5], [6]),
        Operator(B.SQUEEZE, [6], [7], {"squeeze_dims": (2,)}),
        Operator(B.COMPLEX_ABS, [7], [8]),
    ]
    data = build(tensors, operators, [0], [8])
    x = rng.standard_normal((1, 6, 400)).astype(np.float32)
    (got,) = tc.run(tc.convert(tc.load(data)), {"t0": x}).values()
    (want,) = run_litert(data, [x])
    assert np.abs(got - want).max() <= 1e-5 * np.abs(want).max()
