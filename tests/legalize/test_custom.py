"""Custom operators and detection: forms, ties, special values, and refusals; the differential suite covers the rest."""

import contextlib
import struct
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support import mediapipe_operators as published
from support.cases import landmarks
from support.cases.case import Case, ints, packed, tensor
from support.cases.table import customs
from support.flex import CASES, flex_and_builtin, node
from support.tflite_models import Tensor, run_litert

import tosa_converter as tc
from tosa_converter.errors import BrokenPassError, ConverterError, UnsupportedError
from tosa_converter.formats.mlir.writer import write_mlir
from tosa_converter.ir import Array
from tosa_converter.legalize.custom.detection import unwritten_detections
from tosa_converter.legalize.custom.options import Settings
from tosa_converter.legalize.custom.tensorflow import MEANINGS, _option_value
from tosa_converter.schemas.tflite import BuiltinOperator as B

F32 = np.float32


def scalar(value: float) -> Tensor:
    return Tensor((), data=F32(value))


def suppression(size: int, iou: float, threshold: float, boxes: int = 4, *sigma: float) -> bytes:
    operands = (Tensor((boxes, 4)), Tensor((boxes,)), ints(size, shape=()), *map(scalar, (iou, threshold, *sigma)))
    results = (tensor("int32", ()), *[tensor("float32", ())] * len(sigma), tensor("int32", ()))
    return Case(B.NON_MAX_SUPPRESSION_V5 if sigma else B.NON_MAX_SUPPRESSION_V4, operands, results).file()


def chosen(data: bytes, form: str, *arrays: Array) -> list[Array]:
    model = tc.convert(data, control_flow=form)
    assert ("tosa.while_loop" in model.report.tosa_ops) == (form == "keep")
    return list(tc.run(model, dict(zip((value.name for value in model.main.inputs), arrays, strict=True))).values())


APART = np.array([[i, i, i + 1, i + 1] for i in range(4)], F32)


@pytest.mark.parametrize("form", ["keep", "flatten"])
def test_the_first_of_equal_scores_is_chosen(form: str) -> None:
    places, number = chosen(suppression(3, 0.5, 0), form, APART, np.array([0.5, 0.7, 0.5, 0.7], F32))
    assert places.tolist() == [1, 3, 0]
    assert number == 3


@pytest.mark.parametrize("form", ["keep", "flatten"])
def test_nan_scores_and_scores_up_to_the_threshold_are_skipped(form: str) -> None:
    scores = np.array([np.nan, 0.5, -np.inf, np.inf], F32)
    places, number = chosen(suppression(3, 0.5, 0.5), form, APART, scores)
    assert places.tolist() == [3, 0, 0]
    assert number == 1
    places, number = chosen(suppression(3, 0.5, -np.inf), form, APART, np.full(4, np.nan, F32))
    assert places.tolist() == [0, 0, 0]
    assert number == 0


@pytest.mark.parametrize("form", ["keep", "flatten"])
def test_an_overlap_equal_to_the_threshold_suppresses(form: str) -> None:
    """The quotient of the areas rounds to 1 / 3 in float32."""
    boxes = np.array([[0, 0, 2, 1], [1, 0, 3, 1], [7, 0, 8, 1], [7, 0, 8, 1]], F32)
    scores = np.array([0.9, 0.8, 0.7, 0.6], F32)
    places, number = chosen(suppression(4, float(F32(1) / F32(3)), 0), form, boxes, scores)
    assert places.tolist() == [0, 2, 0, 0]
    assert number == 2


@pytest.mark.parametrize("side", [1e-11, 1.0, 1e17])
def test_overlaps_equal_litert_between_the_noted_areas(side: float) -> None:
    data = suppression(4, 0.5, 0.0, 12)
    assert any("areas lie between 1e-23 and 4e34" in note.text for note in tc.convert(data).report.notes)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        arrays = [(rng.uniform(0, 1, (12, 4)) * side).astype(F32), rng.permutation(12).astype(F32) + 1]
        for ours, theirs in zip(chosen(data, "keep", *arrays), run_litert(data, arrays), strict=True):
            np.testing.assert_array_equal(ours, theirs)


def detection(**options: Any) -> bytes:
    case = next(case for case in customs() if case.custom_code == "TFLite_Detection_PostProcess")
    return replace(case, options={**case.options, **options}).file()


@pytest.mark.parametrize("form", ["keep", "flatten"])
@pytest.mark.parametrize("regular", [False, True])
def test_a_detection_score_equal_to_the_threshold_counts(form: str, regular: bool) -> None:
    scores = np.array([[[1, 0.5, 0.25], [1, 0.25, 0.5], [1, 0.25, 0.25]]], F32)  # the first is the background's
    anchors = np.array([[i, i, 0.5, 0.5] for i in range(3)], F32)
    data = detection(nms_score_threshold=0.5, use_regular_nms=regular)
    corners, classes, detected_scores, number = chosen(data, form, np.zeros((1, 3, 4), F32), scores, anchors)
    assert (classes.tolist(), detected_scores.tolist(), number.tolist()) == ([[0, 1]], [[0.5, 0.5]], [2])
    assert corners.tolist() == [[[-0.25] * 2 + [0.25] * 2, [0.75] * 2 + [1.25] * 2]]


@pytest.mark.parametrize("most", range(-1, 4))
@pytest.mark.parametrize("per_box", range(-1, 4))
@pytest.mark.parametrize("regular", [False, True])
def test_detections_that_litert_does_not_write(most: int, per_box: int, regular: bool) -> None:
    """Of two classes and `number` selected boxes; entry by entry, as the kernel's loops go."""
    options = {"max_detections": most, "max_classes_per_detection": per_box, "use_regular_nms": regular}
    (op,) = (op for op in tc.load(detection(**options, num_classes=2)).main if op.name == "tfl.custom")
    for number in range(4):
        mask = unwritten_detections(tc.Match(op, {}), number)
        count = max(most, 0) * max(per_box, 0)
        written = set(range(most)) if regular else {
            box * per_box + entry for box in range(number) for entry in range(min(per_box, 2))
        }  # fmt: skip
        assert mask.tolist() == [entry not in written for entry in range(count)]


def test_a_spectrogram_needs_one_window() -> None:
    (case,) = (case for case in customs() if case.custom_code == "AudioSpectrogram")  # with windows of 4
    four, three = (tensor("float32", (count, 1)) for count in (4, 3))
    conversion = tc.convert(replace(case, operands=(four,), results=(tensor("float32", (1, 1, 3)),)).file())
    assert conversion.main.outputs[0].type.shape == (1, 1, 3)
    with pytest.raises(UnsupportedError, match="expected at least 4 samples, one window, found 3"):
        tc.convert(replace(case, operands=(three,)).file())


def test_a_missing_option_is_zero() -> None:
    settings = Settings({"n": 2.9})
    assert (settings.integer("n"), settings.integer("absent"), settings.real("absent")) == (2, 0, 0.0)


@pytest.mark.parametrize(
    ("value", "is_read"), [(-(2**31), True), (2**31 - 1, True), (2**31, False), (-(2**31) - 1, False)]
)
def test_attributes_of_tensorflow_have_32_bits(value: int, *, is_read: bool) -> None:
    if is_read:
        assert _option_value(value, 0) == value
    else:
        with pytest.raises(tc.FormatError, match="expected an attribute of 32 bits"):
            _option_value(value, 0)


def test_inconsistent_options_are_refused_with_a_reason() -> None:
    for data, reason in refused():
        with pytest.raises(UnsupportedError, match=reason):
            tc.convert(data)


def refused() -> Iterator[tuple[bytes, str]]:
    by_code = {case.custom_code: case for case in customs()}
    yield suppression(0, 0.5, 0), "TOSA has no empty tensors"
    yield suppression(-1, 0.5, 0), "expected max_output_size of 0 or more, found -1"
    yield suppression(2, 0.5, 0, 4, -1.0), "expected a sigma of 0 or more, found -1.0"
    yield detection(nms_iou_threshold=0.0), r"expected an nms_iou_threshold in \(0, 1\], found 0.0"
    yield detection(num_classes=5), "5 or 6 scores a box"
    for name in ("num_classes", "max_detections", "max_classes_per_detection"):
        yield detection(**{name: 0}), f"expected {name} of 1 or more, found 0|and 0 or 1 scores a box"
    for axis in "yxhw":
        yield detection(**{f"{axis}_scale": 0.0}), "expected scales of coordinates other than 0"
    yield detection(max_detections="many"), "expected option max_detections to be an integer of 32 bits, found 'many'"
    no_map = replace(by_code["AudioSpectrogram"], custom_options=b"\x01\x02")
    yield no_map.file(), "found malformed bytes: not a flexbuffer|expected a map of custom options"
    rate = replace(by_code["Mfcc"], operands=(tensor("float32", (1, 2, 9)), tensor("int32", (1,))))
    yield rate.file(), "must be constant"
    strided = replace(by_code["MaxUnpooling2D"], custom_options=struct.pack("<6i", 2, 3, 3, 2, 2, 0))
    yield strided.file(), "expected strides of at most the window"
    yield replace(by_code["Mfcc"], custom_code="FlexErf").file(), "the custom operator 'FlexErf' is not known"


POOLS = {name: case for case in customs() if (name := case.custom_code) in ("MaxPoolingWithArgmax2D", "MaxUnpooling2D")}


@pytest.mark.parametrize("place", range(1, 5))
@pytest.mark.parametrize("name", POOLS)
def test_windows_and_strides_of_1_convert_and_those_of_0_are_refused(name: str, place: int) -> None:
    """The options are padding, strides along width and height, width and height of the window, activation."""
    case = POOLS[name]
    numbers = list(struct.unpack("<6i", case.custom_options or b""))
    numbers[place] = 0
    with pytest.raises(UnsupportedError, match=r"padding \d of a window"):
        tc.convert(replace(case, custom_options=struct.pack("<6i", *numbers)).file())
    x = case.operands[0]
    assert x is not None
    results = tuple(replace(result, shape=x.shape) for result in case.results)
    operands = tuple(operand if operand is None else replace(operand, shape=x.shape) for operand in case.operands)
    pooling = replace(case, operands=operands, results=results, custom_options=struct.pack("<6i", 2, 1, 1, 1, 1, 0))
    model = tc.convert(pooling.file())
    feed = tc.random_inputs(model, seed=2)
    if name == "MaxPoolingWithArgmax2D":
        np.testing.assert_array_equal(next(iter(tc.run(model, feed).values())), next(iter(feed.values())))


def test_landmarks_in_one_place_have_the_direction_of_the_x_axis() -> None:
    """atan2 of zeros is 0."""
    case = next(case for case in customs() if case.custom_code == "Landmarks2TransformMatrix")
    x = np.array([[[4, 2, 0], [4, 2, 0], [8, 6, 0]]], F32)
    model = tc.convert(case.file())
    (matrix,) = tc.run(model, {model.main.inputs[0].name: x}).values()
    assert matrix[0, :2].tolist() == [[2, 0, 0, 3], [0, 3, 0, 1]]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"scale_x": 0.0}, "expected scale_x and scale_y above 0, found 0.0 and 1.5"),
        ({"scale_y": 0.0}, "expected scale_x and scale_y above 0, found 1.5 and 0.0"),
        ({"scale_y": -1.0}, "expected scale_x and scale_y above 0, found 1.5 and -1.0"),
        ({"output_width": 0}, "output_width"),
        ({"output_height": -1}, "output_height"),
        ({"scale_x": 0.001, "scale_y": 0.001, "output_height": 1, "output_width": 1}, ""),
    ],
)
def test_sizes_of_a_crop_must_be_above_0(options: dict[str, float], reason: str) -> None:
    case = next(case for case in customs() if case.custom_code == "Landmarks2TransformMatrix")
    crop = replace(case, options={**case.options, **options})
    if reason:
        with pytest.raises(UnsupportedError, match=reason):
            tc.convert(crop.file())
    else:
        tc.convert(crop.file())


@pytest.mark.parametrize(
    ("options", "converts"),
    [
        ({}, True),
        ({"output_hw": (2, 2), "input_hw": (1, 1), "landmarks_range": 1}, True),
        ({"output_hw": (1, 2)}, False),
        ({"output_hw": (2, 1)}, False),
        ({"input_hw": (0, 1)}, False),
        ({"input_hw": (1, 0)}, False),
        ({"landmarks_range": 0}, False),
        ({"bbox_size_multiplier": 0.0}, False),
        ({"bbox_size_multiplier": -1.0}, True),
        ({"dimensions": 2}, False),
    ],
)
def test_sizes_of_a_crop_of_version_1_must_be_above_1(options: dict[str, Any], converts: bool) -> None:
    case = [case for case in customs() if case.custom_code == "Landmarks2TransformMatrix"][1]
    crop = replace(case, options={**case.options, **options})
    if converts:
        tc.convert(crop.file())
    else:
        with pytest.raises(
            UnsupportedError, match="expected output_hw of 2 or more, input_hw and landmarks_range of 1"
        ):
            tc.convert(crop.file())


# ** TensorFlow's operators **


@pytest.mark.parametrize("name", MEANINGS)
def test_flex_and_builtin_operators_give_the_same_graph(name: str) -> None:
    texts = [write_mlir(tc.convert(case.file())) for case in flex_and_builtin(name)]
    assert unplaced(texts[0]) == unplaced(texts[1])


@pytest.mark.parametrize(("name", "option", "value"), [("OneHot", "axis", -1), ("LeakyRelu", "alpha", 0.2)])
def test_attributes_that_a_node_lacks_have_tensorflows_defaults(name: str, option: str, value: float) -> None:
    """As TensorFlow registers them: OneHot `axis: int = -1`, LeakyRelu `alpha: float = 0.2`."""
    flex, builtin = flex_and_builtin(name)
    builtin = replace(builtin, options={**builtin.options, option: value})
    options = {key: stated for key, stated in builtin.options.items() if key != option}
    flex = replace(flex, custom_options=node(name, options, MEANINGS[name]))
    texts = [write_mlir(tc.convert(case.file())) for case in (flex, builtin)]
    assert unplaced(texts[0]) == unplaced(texts[1])


def unplaced(text: str) -> list[str]:
    """Returns the lines without locations and tensor names."""
    return [line.partition(" loc(")[0] for line in text.splitlines() if "func.func" not in line]


def test_an_operator_with_an_unreadable_node_is_refused() -> None:
    case = CASES["cumsum"]
    for raw in (b"", b"\x00" * 9, packed({"a": 1}), node("Cumsum", dict(case.options), MEANINGS["Cumsum"])[:-9]):
        damaged = replace(case, builtin=B.CUSTOM, custom_code="FlexCumsum", custom_options=raw or b"\x00")
        with pytest.raises(UnsupportedError, match="FlexCumsum"):
            tc.convert(damaged.file())


@pytest.mark.parametrize("name", ["Cumsum", "LeakyRelu", "Squeeze", "Sum", "Pack"])
def test_damaged_nodes_convert_or_are_refused(name: str) -> None:
    meaning, rng = MEANINGS[name], np.random.default_rng(len(name))
    case = CASES[meaning.builtin]
    whole = np.frombuffer(node(name, {"alpha": 0.25, **case.options}, meaning), np.uint8)
    for _ in range(60):
        raw = whole.copy()
        raw[rng.integers(0, len(raw), 2)] = rng.integers(0, 256, 2)
        damaged = replace(case, builtin=B.CUSTOM, custom_code=f"Flex{name}", custom_options=raw.tobytes())
        try:
            tc.convert(damaged.file())
        except BrokenPassError as error:
            pytest.fail(str(error))
        except ConverterError:
            continue


@pytest.mark.parametrize("case", [*customs()], ids=lambda case: case.custom_code)
def test_damaged_options_convert_or_are_refused(case: Case) -> None:
    whole, rng = np.frombuffer(case.custom_options or packed(case.options), np.uint8), np.random.default_rng(1)
    for _ in range(25):
        raw = whole.copy()
        raw[rng.integers(0, len(raw), 2)] = rng.integers(0, 256, 2)
        try:
            tc.convert(replace(case, custom_options=raw.tobytes()).file())
        except BrokenPassError as error:
            pytest.fail(str(error))
        except ConverterError:
            continue
    for i, operand in enumerate(case.operands):
        assert operand is not None
        for shape in ((), (2, 3), (1, 2, 3, 4)):
            operands = (*case.operands[:i], replace(operand, shape=shape, data=None), *case.operands[i + 1 :])
            with contextlib.suppress(UnsupportedError):
                tc.convert(replace(case, operands=operands).file())


@pytest.mark.parametrize("changes", [{"landmarks_range": 1}, {"input_hw": (1, 4)}, {"input_hw": (4, 1)}])
def test_the_smallest_images_and_ranges_of_landmarks_equal_numpy(changes: dict[str, Any]) -> None:
    """The images have one row or one column, and landmarks range from 0 to 1."""
    options = landmarks.FIRST | changes
    x = np.random.default_rng(1).uniform(0, options["landmarks_range"], (1, 1, 1, 9)).astype(F32)
    x[..., 3] = x[..., 0] + 0.5  # to the right of the first
    expected = published.matrix_of_first(x, options)
    data = landmarks.network(landmarks.MATRIX, [Tensor(x.shape)], options, expected).data
    (output,) = tc.run(tc.convert(data), {"t0": x}).values()
    np.testing.assert_allclose(output, expected, rtol=1e-4, atol=1e-5)
