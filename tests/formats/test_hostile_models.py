"""Models with contradictory or huge numbers are refused with a reason, at a small file's cost."""

import math
import resource
from pathlib import Path

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.errors import FormatError, UnsupportedError, UsageError, VerifyError
from tosa_converter.formats import parse
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import Padding

LARGE = 0x7FFFFFFF


def ints(*values: int) -> Tensor:
    return Tensor((len(values),), "int32", np.array(values, np.int32))


def image(dtype: str = "float32") -> Tensor:
    return Tensor((1, 2, 2, 1), dtype, scale=0.1 if dtype == "int8" else None)


def add(scale: float, zero_point: int = 0) -> bytes:
    """Returns a quantized ADD, one of whose operands has this quantization."""
    tensors = [image("int8"), Tensor((1, 2, 2, 1), "int8", scale=scale, zero_point=zero_point), image("int8")]
    return build(tensors, [Operator(B.ADD, (0, 1), (2,))], (0, 1), (2,))


@pytest.mark.parametrize("scale", [-1.0, math.nan, math.inf, -math.inf])
def test_invalid_scales_are_refused(scale: float) -> None:
    with pytest.raises(FormatError, match=r"tensors\[1\].quantization: expected finite scales of 0 or more"):
        parse(add(scale))


@pytest.mark.parametrize(
    ("scale", "zero_point", "reason"),
    [
        (0.0, 0, "expected a positive scale, found 0"),
        (1e30, 0, "found a finer one"),
        (3e38, 0, "expected a finite ratio of scales, found infinity"),
        (0.1, 200, "expected a zero point inside the range of its type, found 200"),
        (0.1, -129, "expected a zero point inside the range of its type, found -129"),
        (0.1, 2**62, "expected a zero point inside the range"),
    ],
)
def test_quantization_without_a_rule_is_refused(
    scale: float, zero_point: int, reason: str, recwarn: pytest.WarningsRecorder
) -> None:
    with pytest.raises(UnsupportedError, match=rf"ADD at main:0 \('t2'\) can't be converted\n.*{reason}"):
        tc.convert(parse(add(scale, zero_point)))
    assert not recwarn.list


@pytest.mark.parametrize("zero_point", [128, -129, 2**62])
def test_a_zero_point_of_weights_beyond_int8_is_refused(zero_point: int) -> None:
    weight = Tensor((3, 4), "int8", np.ones((3, 4), np.int8), scale=0.1, zero_point=zero_point)
    tensors = [Tensor((1, 4), "int8", scale=0.1), weight, Tensor((1, 3), "int8", scale=0.1)]
    data = build(tensors, [Operator(B.FULLY_CONNECTED, (0, 1, -1), (2,))], (0,), (2,))
    with pytest.raises(
        UnsupportedError, match=f"expected a zero point inside the range of its type, found {zero_point}"
    ):
        tc.convert(parse(data))


@pytest.mark.parametrize("scale", [1e-45, 1e-30])
def test_a_tiny_scale_adds_nothing(scale: float) -> None:
    data = add(scale)
    values = np.array([-128, -1, 7, 127], np.int8).reshape(1, 2, 2, 1)
    (got,) = tc.run(tc.convert(parse(data)), {"t0": values, "t1": values}).values()
    np.testing.assert_array_equal(got, run_litert(data, [values, values])[0])


@pytest.mark.parametrize("shape", [(-1, 1, -1, 4), (2, 2, -2, -1)])
def test_constants_of_an_unknown_shape_are_refused(shape: tuple[int, ...]) -> None:
    weight = Tensor(shape, "float32", np.ones(4, np.float32), signature=(-1, 2, 2, 1))
    with pytest.raises(FormatError, match=r"expected a known shape for a constant|of shape|shape of"):
        parse(build([image(), weight, image()], [Operator(B.ADD, (0, 1), (2,))], (0,), (2,)))


def test_an_unknown_size_without_a_signature_is_taken_for_1() -> None:
    unknown = Tensor((-1, 2, 2, 1))
    tosa = tc.convert(parse(build([unknown, unknown], [Operator(B.RELU, (0,), (1,))], (0,), (1,))))
    assert tosa.main.inputs[0].type.shape == (1, 2, 2, 1)


def resized(builtin: B, dtype: str, height: int, width: int, **options: bool) -> bytes:
    operator = Operator(builtin, (0, 1), (2,), options)
    return build([image(dtype), ints(height, width), image(dtype)], [operator], (0,), (2,))


def filled(builtin: B, *sizes: int) -> bytes:
    """Returns FILL, BROADCAST_TO, TILE or ZEROS_LIKE to a shape."""
    single_element = Tensor((1,) * len(sizes), "int8", scale=0.1)
    if builtin is B.FILL:
        tensors = [ints(*sizes), Tensor((), "float32", np.float32(1)), Tensor((1,))]
        return build(tensors, [Operator(B.FILL, (0, 1), (2,))], (), (2,))
    if builtin is B.RANGE:
        scalars = [Tensor((), "int32", np.int32(value)) for value in (0, sizes[0], 1)]
        return build([*scalars, Tensor((1,), "int32")], [Operator(B.RANGE, (0, 1, 2), (3,))], (), (3,))
    return build([single_element, ints(*sizes), single_element], [Operator(builtin, (0, 1), (2,))], (0,), (2,))


GREEDY = {
    **{
        f"{builtin.name} {dtype} {height}x{width}": resized(builtin, dtype, height, width, **options)
        for builtin in (B.RESIZE_BILINEAR, B.RESIZE_NEAREST_NEIGHBOR)
        for dtype in ("int8", "float32")
        for height, width, options in (
            (LARGE, LARGE, {}),
            (LARGE, 1, {"half_pixel_centers": True}),
            (8191, 8191, {"half_pixel_centers": True}),
            (1 << 20, 1 << 20, {}),
        )
    },
    **{
        f"{builtin.name} {sizes}": filled(builtin, *sizes)
        for builtin in (B.FILL, B.BROADCAST_TO, B.TILE, B.RANGE)
        for sizes in ((LARGE, LARGE), (1 << 26, 1 << 6))
    },
}


@pytest.mark.parametrize("name", GREEDY)
def test_a_small_file_can_not_ask_for_gigabytes(name: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises((UnsupportedError, VerifyError)):
        tc.convert(parse(GREEDY[name]))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 << 10


def test_a_graph_that_needs_too_much_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from tosa_converter.execute.plan import Executable

    def exhausted(*_: object) -> None:
        raise MemoryError("Unable to allocate 2.00 GiB")

    tosa = tc.convert(parse(add(0.1)))
    monkeypatch.setattr(Executable, "_execute", exhausted)
    with pytest.raises(UsageError, match="more memory than is free: Unable to allocate"):
        tc.run(tosa, {f"t{i}": np.zeros((1, 2, 2, 1), np.int8) for i in range(2)})


@pytest.mark.parametrize("results", [0, 2])
def test_a_wrong_number_of_results_is_refused(results: int) -> None:
    tensors = [Tensor((1, 4)) for _ in range(3)]
    result_places = tuple(range(1, 1 + results))
    with pytest.raises(FormatError, match=f"expected 1 results, found {results}"):
        tc.convert(parse(build(tensors, [Operator(B.LOGISTIC, (0,), result_places)], (0,), (0,))))


# ** legal models that TOSA can't hold **

X = Tensor((1, 4))
RELU = Operator(B.RELU, (0,), (1,))
SEVEN = Tensor((1,) * 7)
WINDOW = {"stride_h": 1, "stride_w": 1, "filter_width": 1, "padding": Padding.VALID}
UNHOLDABLE = {
    "fp64 output": (
        build([X, X, Tensor((2,), "float64", np.ones(2))], [RELU], (0,), (1, 2)),
        "graph output 't2' can't be converted\nTOSA has no type fp64",
    ),
    "complex output": (
        build([X, X, Tensor((2,), "complex64", np.ones(2))], [RELU], (0,), (1, 2)),
        "graph output 't2' can't be converted\nTOSA has no type complex64",
    ),
    "fp64 identity": (
        build([Tensor((2,), "float64")], [], (0,), (0,)),
        "graph input 't0' can't be converted\nTOSA has no type fp64",
    ),
    "rank 7": (
        build([SEVEN, SEVEN], [RELU], (0,), (1,)),
        r"level 8K:\n.*MAX_RANK = 6",
    ),
    "rank 7 identity": (
        build([SEVEN], [], (0,), (0,)),
        r"level 8K:\n.*MAX_RANK = 6",
    ),
    "empty": (build([Tensor((0, 4))] * 2, [RELU], (0,), (1,)), "TOSA has no empty tensors"),
    "kernel": (
        build(
            [Tensor((1, 9000, 1, 1)), Tensor((1, 1, 1, 1))],
            [Operator(B.MAX_POOL_2D, (0,), (1,), {**WINDOW, "filter_height": 9000})],
            (0,),
            (1,),
        ),
        r"level 8K:\n.*MAX_KERNEL = 8192",
    ),
}


@pytest.mark.parametrize("name", UNHOLDABLE)
def test_types_and_sizes_that_tosa_lacks_are_unsupported(name: str) -> None:
    data, words = UNHOLDABLE[name]
    with pytest.raises(UnsupportedError, match=words):
        tc.convert(parse(data))


def test_an_input_listed_twice_is_one(tmp_path: Path) -> None:
    """LiteRT has one tensor for both entries of the list."""
    path = tmp_path / "m.tflite"
    path.write_bytes(build([X, X], [RELU], (0, 0), (1,)))
    model = tc.load(path)
    assert [value.name for value in model.main.inputs] == ["t0"]
    assert all(comparison.verdict for comparison in tc.compare(model, tc.convert(model)))


def test_a_tensor_without_a_producer_is_refused() -> None:
    with pytest.raises(FormatError, match=r"tensors\[2\]: fp32\[1x4\] is no input, has no data, and no operator"):
        parse(build([X, X, X], [Operator(B.ADD, (0, 2), (1,))], (0,), (1,)))


def test_a_message_is_bounded() -> None:
    with pytest.raises(UnsupportedError) as refused:
        tc.convert(parse(build([X, X], [Operator(B.CUSTOM, (0,) * 100_000, (1,), custom_code="Unknown")], (0,), (1,))))
    assert len(str(refused.value)) < 2000
    assert "characters)" in refused.value.places[0]
    assert len(refused.value.places[0]) < 2000


def test_unsupported_operators_are_summed_up() -> None:
    operators = [Operator(B.LSH_PROJECTION, (0,), (1 + i,)) for i in range(40)] + [Operator(B.SKIP_GRAM, (0,), (41,))]
    with pytest.raises(UnsupportedError) as refused:
        tc.convert(parse(build([X] * 42, operators, (0,), tuple(range(1, 42)))))
    lines = str(refused.value).splitlines()
    assert lines == [
        "41 operators can't be converted: 40 LSH_PROJECTION, 1 SKIP_GRAM",
        "    40 LSH_PROJECTION: it adds in fp64, a type that TOSA doesn't have",
        f"       at {', '.join(f'main:{i}' for i in range(10))}, and 30 more",
        "     1 SKIP_GRAM: its operands and results are strings, which TOSA doesn't have",
        "       at main:40",
    ]
    assert len(refused.value.places) == 41
    assert refused.value.places[0].startswith("main:0 LSH_PROJECTION 't1': tfl.lsh_projection(fp32[1x4]): it adds")
