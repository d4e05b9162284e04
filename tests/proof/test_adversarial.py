"""Adversarial inputs: what they hold, of which models, and that they find what random ones don't."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from longer.adversarial import FAULTS
from support.commands import INT8, MODELS, ROOT, command
from support.quantized_models import Draw, Operand, constant, model, plain, quantized
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.ir import Array, Op
from tosa_converter.legalize.quant import litert_8
from tosa_converter.proof.indices import index_limits
from tosa_converter.proof.ties import Ties
from tosa_converter.rewriting.match import Match
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import Padding

pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
WINDOW = {"padding": Padding.SAME, "stride_w": 2, "stride_h": 1}


def input_operand(shape: Sequence[int], scale: float, zero_point: int = 3, dtype: str = "int8") -> Operand:
    return quantized(np.zeros(tuple(shape), dtype), scale, zero_point, dtype)


def sets(data: bytes, runs: int = 12, **options: Any) -> list[Array]:
    """The first input of each set."""
    return [next(iter(arrays.values())) for arrays in tc.adversarial_inputs(data, runs=runs, **options)]


def main_op(source: tc.Model) -> Op:
    return next(op for op in source.main.ops if op.name != "tfl.pseudo_const")


def layer(dtype: str = "uint8") -> bytes:
    """A FULLY_CONNECTED, of uint8 one of those that tell a product of scales in float32 from that in double."""
    draw = Draw(6)
    x = input_operand((1, 64), draw.scale(0.01, 0.05), draw.zero_point(dtype), dtype)
    zero_point = 128 if dtype == "uint8" else 0
    weights = quantized(draw.stored((10, 64), dtype), draw.scale(0.0003, 0.001), zero_point, dtype, constant=True)
    y = quantized((1, 10), draw.scale(0.1, 0.4), draw.zero_point(dtype), dtype)
    return model(B.FULLY_CONNECTED, (x, weights, None), y, 4)[0]


def test_a_seed_and_a_number_say_everything() -> None:
    first, repeated, more = (tc.adversarial_inputs(INT8, runs=runs, seed=3) for runs in (4, 4, 7))
    other = tc.adversarial_inputs(INT8, runs=4, seed=4)
    for a, b, c in zip(first, repeated, more, strict=False):
        assert all(np.array_equal(a[name], b[name]) and np.array_equal(a[name], c[name]) for name in a)
    for a, b in zip(first[:3], other, strict=False):  # the next is a pattern
        assert not any(np.array_equal(a[name], b[name]) for name in a)


def test_sets_of_steps_have_them_in_front() -> None:
    path = MODELS / "small" / "keywords.int8.tflite"
    (x,) = tc.load(path).main.inputs
    assert [arrays[x.name].shape for arrays in tc.adversarial_inputs(path, runs=2, steps=3)] == [(3, 1, 20)] * 2
    proof = tc.verify(path, adversarial=True, steps=3)
    assert proof.verdict
    assert (proof.comparisons[0].inputs, proof.comparisons[0].steps) == ("adversarial", 3)


@pytest.mark.parametrize("name", ["detector.int8", "torch_bert_small.int8", "lstm.int8", "bidirectional.int8"])
def test_sound_conversions_stay_equal(name: str) -> None:
    assert tc.verify(MODELS / "small" / f"{name}.tflite", adversarial=True, runs=6).verdict


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("verify", INT8, "--adversarial", "--runs", 6) == 0
    assert "6 adversarial inputs" in " ".join(capsys.readouterr().out.split())


# ** ties **


def levels(op: Op, x: Array) -> Array:
    """The results of a tied operator before they are rounded, in steps, in fp64."""
    (sx, zx), (sy, _) = ((v.type.quant.scale[0], v.type.quant.zero_point[0]) for v in (op.operands[0], op.results[0]))  # type: ignore[union-attr]
    centered = x.astype(np.int64) - zx
    if op.name == "tfl.mean":
        return np.asarray(centered.mean((1, 2)) * sx / sy)
    if op.name == "tfl.average_pool_2d":
        return np.asarray(centered.reshape(1, 3, 2, 3, 3, 5).mean((2, 4)) * sx / sy)
    weight = op.operands[1]
    assert weight.type.quant is not None
    assert weight.constant is not None
    taps = weight.constant.astype(np.int64) - np.int64(weight.type.quant.zero_point[0])
    scales = sx * np.array(weight.type.quant.scale) / sy
    if op.name == "tfl.fully_connected":
        return np.asarray(centered @ taps.T * scales)
    height, width = x.shape[1:3]  # SAME, strides (1, 2), windows of 3 by 3: one pixel in front, of even widths none
    padded = np.pad(centered, ((0, 0), (1, 1), (0, 1), (0, 0)))
    cut = [padded[:, i : i + height, j : j + width : 2] for i in range(3) for j in range(3)]
    patches = np.stack(cut, 3).reshape(*cut[0].shape[:3], 9, -1)
    if op.name == "tfl.conv_2d":
        return np.asarray(np.einsum("nhwkc,okc->nhwo", patches, taps.reshape(len(taps), 9, -1)) * scales)
    return np.asarray(np.einsum("nhwkc,kc->nhwc", patches, taps.reshape(9, -1)) * scales)


def convolution(builtin: B) -> bytes:
    draw = Draw(1)
    deep = builtin is B.DEPTHWISE_CONV_2D
    shape = (1, 3, 3, 4) if deep else (4, 3, 3, 4)
    weights = quantized(draw.stored(shape), draw.scale(0.001, 0.01, 4), [0] * 4, constant=True, axis=3 if deep else 0)
    options = WINDOW | {"dilation_w_factor": 1, "dilation_h_factor": 1} | ({"depth_multiplier": 1} if deep else {})
    y = quantized((1, 6, 3, 4), 0.1, 5)
    return model(builtin, (input_operand((1, 6, 6, 4), 0.03), weights, None), y, 3, **options)[0]


def pool() -> bytes:
    options = {"filter_width": 3, "filter_height": 2, "stride_w": 3, "stride_h": 2, "padding": Padding.VALID}
    return model(B.AVERAGE_POOL_2D, (input_operand((1, 6, 9, 5), 0.1),), quantized((1, 3, 3, 5), 0.1, 3), 2, **options)[
        0
    ]


def mean() -> bytes:
    operands = input_operand((1, 4, 5, 3), 0.03), constant([1, 2])
    return model(B.MEAN, operands, quantized((1, 3), 0.02, 1), 2)[0]


@pytest.mark.parametrize(
    ("data", "near"),
    [
        (layer(), 1e-5),
        (layer("int8"), 1e-5),
        (convolution(B.CONV_2D), 1e-4),
        (convolution(B.DEPTHWISE_CONV_2D), 3e-2),
        (mean(), 0.03),
    ],
    ids=["layer uint8", "layer int8", "convolution", "deep convolution", "mean"],
)
def test_sums_are_next_to_ties(data: bytes, near: float) -> None:
    """Of each number at least one result is as near; a random one is with twice that chance."""
    source = tc.load(data)
    op = main_op(source)
    (x,) = source.main.inputs
    ties = Ties(op, {x: x.type.static})
    for number in range(4):
        real_levels = levels(op, ties.values(number, np.random.default_rng(number))[x])
        distance = np.abs(real_levels - np.floor(real_levels) - 0.5)
        assert distance.min() < near * (1 if number % 2 == 0 else 50)


def test_pools_tie_in_every_channel() -> None:
    source = tc.load(pool())
    (x,) = source.main.inputs
    real_levels = levels(
        main_op(source), Ties(main_op(source), {x: x.type.static}).values(0, np.random.default_rng(0))[x]
    )
    assert np.count_nonzero(np.abs(real_levels - np.floor(real_levels) - 0.5) < 1e-9) > 10


def test_pairs_of_values_tie() -> None:
    y = quantized((1, 40), 0.03717, 1)
    source = tc.load(model(B.ADD, (input_operand((1, 40), 0.01131), input_operand((1, 40), 0.02319, -9)), y, 2)[0])
    a, b = source.main.inputs
    elements = Ties(main_op(source), {a: (1, 40), b: (1, 40)}).values(0, np.random.default_rng(0))
    real = ((elements[a] - 3) * 0.01131 + (elements[b] + 9) * 0.02319) / 0.03717
    assert np.abs(real - np.floor(real) - 0.5).max() < 1e-3


def test_what_is_quantized_in_front_is_aimed_at_too() -> None:
    """Floats that QUANTIZE takes to the elements that were found."""
    source = tc.load(layer("int8"))
    inner = source.main.inputs[0].type.quant
    assert inner is not None
    op = main_op(source)
    weights, y = op.operands[1], op.results[0]
    assert weights.type.quant is not None
    assert y.type.quant is not None
    tensors = [
        Tensor((1, 64)),
        Tensor((1, 64), "int8", scale=inner.scale[0], zero_point=inner.zero_point[0]),
        Tensor((10, 64), "int8", weights.constant, scale=weights.type.quant.scale[0], zero_point=0),
        Tensor((1, 10), "int8", scale=y.type.quant.scale[0], zero_point=y.type.quant.zero_point[0]),
    ]
    steps = [Operator(B.QUANTIZE, (0,), (1,)), Operator(B.FULLY_CONNECTED, (1, 2, -1), (3,), version=4)]
    (floats, *_) = sets(build(tensors, steps, (0,), (3,)))[2::6]
    stored = floats / np.float64(inner.scale[0]) + inner.zero_point[0]
    np.testing.assert_allclose(stored, np.rint(stored), atol=1e-4)


# ** special elements **


def test_special_floats_where_their_results_are_defined() -> None:
    quantizing = model(B.QUANTIZE, (plain(np.zeros((1, 32), np.float32)),), input_operand((1, 32), 0.1))[0]
    adding = model(B.ADD, [plain(np.zeros((1, 32), np.float32))] * 2, plain((1, 32)))[0]
    every = np.concatenate(sets(quantizing))
    assert np.isnan(every).any()
    assert {np.inf, -np.inf, float(np.finfo(np.float32).max), 2.0**31} <= set(every.ravel().tolist())
    assert (np.signbit(every) & (every == 0)).any()
    every = np.concatenate(sets(adding))
    assert np.isfinite(every).all()
    assert (np.abs(every[every != 0]).min() < np.finfo(np.float32).tiny) & (np.abs(every).max() <= 8)


def test_ends_of_integers() -> None:
    limits = np.iinfo(np.int32)
    wide = quantized(np.zeros((1, 16), np.int32), 0.1, 0, "int32")
    elements = np.concatenate(sets(model(B.QUANTIZE, (wide,), input_operand((1, 16), 0.05), 2)[0]))
    assert {limits.min, limits.max} <= set(elements.ravel().tolist())
    adding = model(B.ADD, [plain(np.zeros((1, 16), np.int32), "int32")] * 2, plain((1, 16), "int32"))[0]
    assert np.abs(np.concatenate(sets(adding))).max() == 1000  # beyond, sums overflow
    elements = np.concatenate(sets(layer("int8")))
    assert {-128, 127} <= set(elements.ravel().tolist())
    assert any(len(set(array.ravel().tolist())) == 1 for array in sets(layer("int8"), 24))


def test_types_without_random_values() -> None:
    source = tc.Model({"main": tc.Graph("main", [tc.Value(tc.TensorType(tc.DType.STRING, (2,)), "x")])}, opset="tfl")
    with pytest.raises(tc.UsageError, match="no random values of string"):
        tc.adversarial_inputs(source)


def test_unsigned_integers_of_32_bits() -> None:
    data = build([Tensor((9,), "uint32"), Tensor((9,), "uint32")], [Operator(B.BITWISE_XOR, (0, 0), (1,))], (0,), (1,))
    assert tc.random_inputs(data)["t0"].max() <= 1000
    assert tc.verify(data, runs=2).verdict
    assert tc.verify(data, adversarial=True, runs=5).verdict


GATHERED = [Tensor((7, 2), "float32", np.zeros((7, 2), np.float32)), Tensor((2, 3), "int32"), Tensor((2, 3, 2))]


def test_indices_keep_to_the_rows() -> None:
    data = build(GATHERED, [Operator(B.GATHER, (0, 1), (2,), {"axis": 0})], (1,), (2,))
    assert index_limits(tc.load(data)) == {"t1": (0, 6)}
    every = np.concatenate(sets(data))
    assert {0, 6} <= set(every.ravel().tolist()) <= set(range(7))
    assert all(0 <= value < 7 for value in tc.random_inputs(data)["t1"].ravel().tolist())
    assert tc.verify(data, runs=3).verdict
    assert tc.verify(data, adversarial=True, runs=6).verdict
    assert set(tc.random_inputs(data, ranges={"t1": (2, 2)})["t1"].ravel().tolist()) == {2}


def test_indices_behind_a_reshape_and_in_vectors() -> None:
    tensors = [*GATHERED, Tensor((6,), "int32"), Tensor((6, 2)), Tensor((1,), "int32", np.array([6], np.int32))]
    steps = [Operator(B.RESHAPE, (1, 5), (3,)), Operator(B.EMBEDDING_LOOKUP, (3, 0), (4,))]
    assert index_limits(tc.load(build(tensors, steps, (1,), (4,)))) == {"t1": (0, 6)}
    vectors = [Tensor((7, 2), data=np.zeros((7, 2), np.float32)), Tensor((3, 2), "int32"), Tensor((3,))]
    data = build(vectors, [Operator(B.GATHER_ND, (0, 1), (2,))], (1,), (2,))
    assert index_limits(tc.load(data)) == {"t1": (0, 1)}


# ** what they find **


def test_a_multiplier_that_is_a_last_bit_off_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The product of the scales in float32, as it once was: `longer.adversarial` has more such faults."""

    def rounded(match: Match, index: Any, scale: np.float32, to: Any) -> Array:
        weights = np.array(match.quant(index).scale, np.float32)
        return np.asarray((scale * weights).astype(np.float64) / np.float64(to.scale))

    right = tc.convert(layer())
    monkeypatch.setattr(litert_8, "real_scales", rounded)
    source, wrong = tc.load(layer()), tc.convert(layer())
    assert tc.compare(source, right, adversarial=True, runs=6)[0].verdict
    assert not tc.compare(source, wrong, adversarial=True, runs=6)[0].verdict
    assert tc.compare(source, wrong, runs=60)[0].verdict


def test_the_longer_check_still_plants_its_faults() -> None:
    for fault in FAULTS:
        assert (ROOT / fault.file).read_text().count(fault.right) == 1, fault.fix
        assert fault.build(Draw(0))
