"""What differences and media stand on, by hand: pairs of models and operators, sizes, ranges of integers."""

from collections.abc import Sequence

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.ir import Array, Graph, Model, Op, Quant, TensorType, Value
from tosa_converter.proof.diff import _fit, _pair_operators, _pairs, _unlike
from tosa_converter.proof.input_sets import first_sizes
from tosa_converter.proof.media import (
    Depth,
    Picture,
    _depth,
    _integers,
    _scale_numbers,
    image_input,
    integer_range,
    picture_of,
    real_range,
    store_reals,
)


def value(dtype: DType, *shape: int | None, quant: Quant | None = None) -> Value:
    return Value(TensorType(dtype, shape, quant), "x")


# ** differences **


@pytest.mark.parametrize(
    ("a", "b", "fits"),
    [
        (value(DType.I8, 2, 3), value(DType.UI8, 2, 3), True),
        (value(DType.I8, 2, 3), value(DType.I8, None, 3), True),
        (value(DType.I8, 2, 3), value(DType.I8, 2, 4), False),
        (value(DType.I8, 2, 3), value(DType.I8, 2), False),
        (value(DType.I8, 2, 3), value(DType.I8, 2, 3, 1), False),
        (value(DType.I8, 2, 3), value(DType.I16, 2, 3), False),
        (value(DType.I32, 2, 3), value(DType.FP32, 2, 3), False),
        (value(DType.FP32, 2, 3), value(DType.FP32, 2, 3), True),
        (value(DType.FP16, 2, 3), value(DType.FP32, 2, 3), False),
        (value(DType.BOOL, 2), value(DType.BOOL, 2), True),
        (value(DType.STRING, 2), value(DType.STRING, 2), False),
        (value(DType.I32, 2), value(DType.RESOURCE, 2), False),
    ],
)
def test_arrays_that_both_models_take(a: Value, b: Value, fits: bool) -> None:
    assert _fit(a, b) == _fit(b, a) == fits
    sides = [Model({"main": Graph("main", [x], [x])}) for x in (a, b)]
    message = _unlike(*sides)
    assert (message == "") == fits
    assert fits or message == f"inputs of {a.type} and of {b.type} aren't compared"


def test_as_many_inputs_and_outputs_as_the_other() -> None:
    x, y = value(DType.I8, 2, quant=Quant((0.5,), (1,))), value(DType.I8, 2)
    one_input, two_inputs = (Model({"main": Graph("main", ins, outs)}) for ins, outs in (([x], [x]), ([x, y], [x])))
    more = Model({"main": Graph("main", [x], [x, x])})
    assert _unlike(one_input, two_inputs) == "inputs of i8[2] and of i8[2], i8[2] aren't compared"
    assert _unlike(one_input, more) == "outputs of i8[2] and of i8[2], i8[2] aren't compared"
    assert _pairs({"a": one_input}, {"b": two_inputs}) == {"": (one_input, two_inputs)}
    assert _pairs({"a": one_input, "b": two_inputs}, {"b": one_input, "a": more}) == {
        "a": (one_input, more),
        "b": (two_inputs, one_input),
    }
    assert _pairs({"a": one_input, "b": two_inputs}, {"b": one_input, "c": more}) == {}
    assert _pairs({"a": one_input, "b": two_inputs}, {"a": one_input}) == {}


def test_sizes_that_one_side_states() -> None:
    assert first_sizes((None, 2, None), (3, None, None)) == (3, 2, 1)
    assert first_sizes((2,), (3,), (4,)) == (2,)
    assert first_sizes((None,), (None,), (7,)) == (7,)
    assert first_sizes((), ()) == ()


@pytest.mark.parametrize(
    ("first", "second", "pairs"),
    [
        ("abc", "abc", ["aa", "bb", "cc"]),
        ("abc", "ac", ["aa", "b-", "cc"]),
        ("ac", "abc", ["aa", "-b", "cc"]),
        ("ab", "ac", ["aa", "b-", "-c"]),
        ("", "a", ["-a"]),
        ("aab", "ab", ["aa", "a-", "bb"]),
        ("abcd", "xbcy", ["a-", "-x", "bb", "cc", "d-", "-y"]),
    ],
)
def test_operators_of_one_form_are_paired_in_order(first: str, second: str, pairs: list[str]) -> None:
    names = {"a": "abs", "b": "exp", "c": "floor", "d": "ceil", "x": "sin", "y": "cos"}
    x = value(DType.FP32, 2)
    sides = [[Op(f"tosa.{names[letter]}", [x], [x.type]) for letter in side] for side in (first, second)]
    letters = {f"tosa.{name}": letter for letter, name in names.items()}
    letter_pairs = ["".join("-" if op is None else letters[op.name] for op in pair) for pair in _pair_operators(*sides)]
    assert letter_pairs == pairs


# ** media **


@pytest.mark.parametrize(
    ("shape", "picture"),
    [
        ((4, 6), Picture(4, 6, 1, False)),
        ((None, 6), Picture(None, 6, 1, False)),
        ((4, 6, 3), Picture(4, 6, 3, False)),
        ((4, 6, 1), Picture(4, 6, 1, False)),
        ((4, 6, 4), Picture(4, 6, 4, False)),
        ((3, 4, 6), Picture(4, 6, 3, True)),
        ((4, 5, 6), Picture(5, 6, 4, True)),
        ((1, 3, 3), Picture(1, 3, 3, False)),
        ((2, 4, 6, 3), Picture(4, 6, 3, False)),
        ((2, 1, 4, 6), Picture(4, 6, 1, True)),
        ((2, 3, 4, 2), Picture(4, 2, 3, True)),
        ((4, 6, 2), Picture(6, 2, 4, True)),
        ((2, 6, 2), None),
        ((6,), None),
        ((1, 2, 3, 4, 3), None),
    ],
)
def test_how_an_input_holds_images(shape: tuple[int | None, ...], picture: Picture | None) -> None:
    """Channels are 1, 3 or 4, last if they can be."""
    if picture is None:
        with pytest.raises(UsageError, match=r"expected \[N, H, W, C\] with 1, 3 or 4 channels"):
            picture_of(value(DType.UI8, *shape))
    else:
        assert picture_of(value(DType.UI8, *shape)) == picture


@pytest.mark.parametrize(
    ("dtype", "ends"),
    [
        (DType.I8, (-128, 127)),
        (DType.UI8, (0, 255)),
        (DType.I4, (-8, 7)),
        (DType.I16, (-32768, 32767)),
        (DType.UI16, (0, 65535)),
        (DType.UI32, (0, 2**32 - 1)),
        (DType.I32, (-(2**31), 2**31 - 1)),
        (DType.I64, (-(2**53), 2**53)),
    ],
)
def test_ranges_of_integers(dtype: DType, ends: tuple[int, int]) -> None:
    x = value(dtype, 2)
    assert integer_range(x.type) == ends
    np.testing.assert_array_equal(real_range(x), ends)
    assert store_reals(x, np.array([-1e300, 1e300])).tolist() == list(ends)
    quantized = value(dtype, 2, quant=Quant((0.5,), (3,)))
    np.testing.assert_array_equal(real_range(quantized), (np.array(ends) - 3) * 0.5)


def test_reals_round_to_the_nearest_and_ties_to_even() -> None:
    x = value(DType.I8, 5, quant=Quant((0.5,), (10,)))
    assert store_reals(x, np.array([0.25, 0.75, -0.25, 0.26, 100])).tolist() == [10, 12, 10, 11, 127]
    assert store_reals(value(DType.FP16, 1), np.array([1e9])).tolist() == [np.inf]
    for scale in (0.0, -1.0, np.inf, np.nan):
        with pytest.raises(UsageError, match="expected one finite scale beyond 0"):
            store_reals(value(DType.I8, 1, quant=Quant((scale,), (0,))), np.zeros(1))
    with pytest.raises(UsageError, match="expected one finite scale beyond 0"):
        real_range(value(DType.I8, 2, quant=Quant((1.0, 2.0), (0, 0), 0)))


PIXELS = Depth(0, 255, 255, "0..1")
PIXEL = np.array([0.0, 51.0, 255.0])


@pytest.mark.parametrize(
    ("dtype", "quant", "scale", "expected"),
    [
        (DType.FP32, None, "", [0, 0.2, 1]),
        (DType.FP32, None, "-1..1", [-1, -0.6, 1]),
        (DType.FP32, None, "raw", [0, 51, 255]),
        (DType.FP32, None, "51,2", [-25.5, 0, 102]),
        (DType.UI8, None, "", [0, 51, 255]),
        (DType.I8, None, "", [-128, -77, 127]),
        (DType.I16, None, "", [-32768, -19661, 32767]),
        (DType.I32, None, "", [0, 51, 255]),
        (DType.I32, Quant((0.5,), (0,)), "raw", [0, 102, 510]),
        (DType.I8, Quant((1 / 128,), (0,)), "-1..1", [-128, -77, 127]),
        (DType.I8, Quant((1 / 256,), (-128,)), "0..1", [-128, -77, 127]),
        (DType.I8, Quant((5.0,), (7,)), "", [-128, -77, 127]),
    ],
)
def test_pixels_as_an_input_stores_them(
    dtype: DType, quant: Quant | None, scale: str, expected: Sequence[float]
) -> None:
    elements = _scale_numbers(value(dtype, 3, quant=quant), PIXEL, PIXELS, scale)
    assert elements.dtype == dtype.numpy
    np.testing.assert_allclose(elements, expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("bits", "depth"),
    [
        (8, Depth(-128, 127, 128, "-1..1")),
        (16, Depth(-32768, 32767, 32768, "-1..1")),
        (24, Depth(-(2**23), 2**23 - 1, 2**23, "-1..1")),
    ],
)
def test_numbers_of_sounds(bits: int, depth: Depth) -> None:
    assert _depth(bits) == depth


@pytest.mark.parametrize(
    ("width", "data", "expected"),
    [
        (1, [0, 128, 255], [-128, 0, 127]),
        (2, [0, 128, 255, 127, 1, 0], [-32768, 32767, 1]),
        (3, [0, 0, 128, 255, 255, 127, 1, 0, 0], [-(2**23), 2**23 - 1, 1]),
        (4, [0, 0, 0, 128, 255, 255, 255, 127, 1, 0, 0, 0], [-(2**31), 2**31 - 1, 1]),
    ],
)
def test_samples_of_every_width(width: int, data: list[int], expected: list[float]) -> None:
    raw: Array = np.array(data, np.uint8).reshape(-1, 1, width)
    assert _integers(raw).reshape(-1).tolist() == expected


def test_images_of_four_channels(tmp_path: object) -> None:
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    pixels = np.random.default_rng(0).integers(0, 256, (4, 6, 4), dtype=np.uint8)
    path = f"{tmp_path}/x.png"
    image.fromarray(pixels).save(path)
    np.testing.assert_array_equal(image_input(path, value(DType.UI8, 4, 6, 4)), pixels)
    np.testing.assert_array_equal(image_input(path, value(DType.UI8, 4, 4, 6)), pixels.transpose(2, 0, 1))
    np.testing.assert_array_equal(image_input(path, value(DType.UI8, 2, 4, 6, 4)), np.stack([pixels] * 2))
    np.testing.assert_array_equal(image_input(path, value(DType.UI8, 4, 6, 3)), pixels[..., :3])
