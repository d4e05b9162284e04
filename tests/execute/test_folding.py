"""Expanded weights: which are kept from run to run, and how much memory the others take."""

import tracemalloc

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.execute import folding
from tosa_converter.execute.folding import drop_intermediates, ops_to_fold
from tosa_converter.execute.limits import peak_bytes
from tosa_converter.execute.plan import Executable
from tosa_converter.ir import Model
from tosa_converter.schemas.tflite import BuiltinOperator as B

LAYERS, SIZE = 6, 256
EXPANDED = SIZE * SIZE * 4  # bytes of a layer's weights in fp32


@pytest.fixture(scope="module")
def model() -> Model:
    """Six layers of int8 weights behind DEQUANTIZEs, which the file has in front of all layers."""
    rng = np.random.default_rng(0)
    tensors, layers, expansions = [Tensor([1, SIZE])], [], []
    last = 0
    for _ in range(LAYERS):
        at = len(tensors)
        levels = rng.integers(-127, 128, (SIZE, SIZE)).astype(np.int8)
        bias = Tensor([SIZE], data=np.zeros(SIZE, np.float32))
        tensors += [Tensor([SIZE, SIZE], "int8", levels, 0.001), Tensor([SIZE, SIZE]), bias, Tensor([1, SIZE])]
        expansions.append(Operator(B.DEQUANTIZE, [at], [at + 1]))
        layers.append(Operator(B.FULLY_CONNECTED, [last, at + 1, at + 2], [at + 3]))
        last = at + 3
    return tc.convert(build(tensors, [*expansions, *layers], [0], [last]), weights="stored")


def test_small_weights_are_expanded_once(model: Model) -> None:
    """CAST, MUL and RESHAPE of each layer are done before the first run, and only the last result stays."""
    plan = Executable(model)
    assert len(ops_to_fold(model.main)) == 2 * LAYERS
    assert [step.ops[-1].name for step in plan._steps] == ["tosa.reshape", *["tosa.conv2d"] * LAYERS, "tosa.reshape"]
    assert sorted({array.nbytes for array in plan._folded.values()}) == [EXPANDED]
    assert len(plan._folded) == LAYERS


def test_values_to_keep_are_computed(model: Model) -> None:
    casts = [op.result for op in model.main.ops if op.name == "tosa.cast"]
    run = Executable(model, keep=casts).run([np.zeros((1, SIZE), np.float32)])
    expected = [value.producer.operands[0].constant for value in casts if value.producer is not None]
    for array, levels in zip(list(run.values())[1:], expected, strict=True):
        assert levels is not None
        np.testing.assert_array_equal(array, levels.astype(np.float32))


def test_large_weights_are_expanded_one_layer_at_a_time(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.default_rng(1).normal(size=(1, SIZE)).astype(np.float32)
    (expected,) = Executable(model).run([x]).values()
    monkeypatch.setattr(folding, "KEPT_BYTES", EXPANDED)  # of one layer: its CAST grows by three quarters of that
    tracemalloc.start()
    plan = Executable(model)
    (actual,) = plan.run([x]).values()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert actual.tobytes() == expected.tobytes()
    # The one that is kept, and in the kernel of another layer its CAST, product and transposed copy.
    assert peak < 4.5 * EXPANDED
    assert peak_bytes(model.main) < 4.5 * EXPANDED
    assert len(plan._folded) == 1


def test_bounds_count_what_a_run_keeps(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    of_all = peak_bytes(model.main)
    monkeypatch.setattr(folding, "KEPT_BYTES", 0)
    assert not ops_to_fold(model.main)
    assert peak_bytes(model.main) < of_all / 2


def test_intermediates_are_what_only_folded_operators_read(model: Model) -> None:
    ops = [op for op in model.main.ops if op.name in ("tosa.cast", "tosa.mul")]
    folded = {op.result: np.zeros(1) for op in ops}
    dropped = drop_intermediates(model.main, folded, {})
    assert set(dropped) == {op.result for op in ops if op.name == "tosa.cast"}
    assert set(folded) == {op.result for op in ops if op.name == "tosa.mul"}
