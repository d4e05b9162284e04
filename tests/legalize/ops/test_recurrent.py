"""Steps over sequences, and LSTM, RNN and SVDF cells, equal their definitions in numpy."""

from collections.abc import Sequence

import numpy as np
import pytest
from support.expressions import count_operators, evaluate

from tosa_converter.ir import Array
from tosa_converter.legalize.ops.recurrent import (
    lstm_step,
    push_features,
    rnn_step,
    run_steps,
    svdf_sums,
    swap_batch_and_time,
)
from tosa_converter.rewriting.expr import Expr, clamp, maximum


def f32(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x.astype(np.float64)))


@pytest.mark.parametrize("shape", [(2, 3, 4), (1, 3, 4), (3, 1, 4)])
def test_batch_and_time_change_places(shape: tuple[int, ...]) -> None:
    x = f32(*shape)
    (y,) = evaluate(swap_batch_and_time, x)
    np.testing.assert_array_equal(y, x.swapaxes(0, 1))


@pytest.mark.parametrize("loop", [False, True])
@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("time", [1, 2, 5])
def test_every_step_runs_once_and_in_order(loop: bool, backward: bool, time: int) -> None:
    """A weighted running sum shows the order of the steps, and a second state counts them."""
    x, start = f32(time, 2, 3), f32(1, 2, 3, seed=1)

    def step(x: Expr, states: Sequence[Expr]) -> Sequence[Expr]:
        return states[0] * 0.5 + x, states[1] + 1

    def formula(x: Expr, total: Expr, steps: Expr) -> list[Expr]:
        result = run_steps(x, [total, steps], step, loop=loop, backward=backward)
        return [result.outputs, *result.states]

    arrays = x, start, np.zeros((1, 1, 1), np.float32)
    assert count_operators(formula, *arrays)["while_loop"] == (loop and time > 1)
    outputs, total, steps = evaluate(formula, *arrays)
    expected, state = np.empty_like(x), start
    for i in reversed(range(time)) if backward else range(time):
        state = state * np.float32(0.5) + x[i : i + 1]
        expected[i : i + 1] = state
    np.testing.assert_array_equal(outputs, expected)
    np.testing.assert_array_equal(total, state)
    assert steps.item() == time


@pytest.mark.parametrize("loop", [False, True])
def test_steps_may_change_the_size_of_integers(loop: bool) -> None:
    """The output [1,batch,2] is wider than the input [1,batch,1]."""
    x = np.arange(4, dtype=np.int32).reshape(4, 1, 1)
    state = np.array([[[10, 20]]], np.int32)
    (outputs,) = evaluate(lambda x, s: run_steps(x, [s], lambda x, s: [s[0] + x], loop=loop).outputs, x, state)
    np.testing.assert_array_equal(outputs, np.cumsum(x, 0) + state)


def test_an_rnn_step_equals_numpy() -> None:
    x, hidden = f32(1, 2, 3), f32(1, 2, 3, seed=1)
    (y,) = evaluate(lambda x, h: rnn_step(x, h, lambda h: h * 2), x, hidden)
    np.testing.assert_allclose(y, np.tanh(x + hidden * 2), rtol=1e-6)
    (y,) = evaluate(lambda x, h: rnn_step(x, h, lambda h: h * 2, lambda x: maximum(x, 0)), x, hidden)
    np.testing.assert_array_equal(y, np.maximum(x + hidden * 2, 0))


@pytest.mark.parametrize("coupled", [False, True])
def test_an_lstm_step_equals_numpy(coupled: bool) -> None:
    """The output gate's peephole reads the new state, those of the other gates the old one."""
    sums = f32(4, 1, 2, 3)
    state = f32(1, 2, 3, seed=1)
    names = ("input", "forget", "cell", "output")
    asked = []

    def formula(sums: Expr, state: Expr) -> Sequence[Expr]:
        def gate(name: str, state: Expr) -> Expr:
            asked.append(name)
            return sums.part(0, names.index(name), 1).reshape((1, 2, 3)) + state * 0.25

        return lstm_step(gate, state, coupled=coupled, clip=lambda state: clamp(state, -0.5, 0.5))

    hidden, next_state = evaluate(formula, sums, state)
    i, f, c, o = (x.astype(np.float64) for x in sums)
    forget = sigmoid(f + state / 4)
    update = 1 - forget if coupled else sigmoid(i + state / 4)
    expected = np.clip(forget * state + update * np.tanh(c + state / 4), -0.5, 0.5)
    np.testing.assert_allclose(next_state, expected, rtol=1e-5)
    np.testing.assert_allclose(hidden, sigmoid(o + expected / 4) * np.tanh(expected), rtol=1e-5)
    assert sorted(asked) == sorted(names[coupled:])


@pytest.mark.parametrize("length", [1, 4])
@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_svdf_memory_equals_numpy(length: int, dtype: type) -> None:
    memory: Array = (f32(2, 6, length) * 100).astype(dtype)
    features: Array = (f32(1, 2, 6, seed=1) * 100).astype(np.int8 if dtype is np.int32 else dtype)
    weight: Array = (f32(6, length, seed=2) * 10).astype(dtype)
    (pushed,) = evaluate(push_features, memory, features)
    np.testing.assert_array_equal(pushed, np.concatenate([memory[:, :, 1:], features[0][:, :, None]], 2))
    (sums,) = evaluate(lambda memory, weight: svdf_sums(memory, weight, 3), memory, weight)
    exact = (memory.astype(np.float64) * weight).sum(2).reshape(2, 2, 3).sum(2)
    np.testing.assert_allclose(sums, exact, rtol=1e-4, atol=1e-3)
