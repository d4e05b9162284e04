"""Random operators: their numbers in successive runs, their refusals, and the counter beyond 32 bits."""

import numpy as np
import pytest
from support.tflite_models import Operator, Subgraph, Tensor, build

import tosa_converter as tc
from tosa_converter.engines import source_engine
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B

FACTORS, STEPS, WORD = (0xD2511F53, 0xCD9E8D57), (0x9E3779B9, 0xBB67AE85), (1 << 32) - 1


def uniform(count: int, seed: int, seed2: int) -> bytes:
    """Returns a model that draws so many numbers."""
    options = {"seed": seed, "seed2": seed2}
    tensors = [Tensor((1,), "int32", np.array([count])), Tensor((count,))]
    return build(tensors, [Operator(B.RANDOM_UNIFORM, [0], [1], options)], [], [1])


def multinomial(logits: Array, count: int) -> bytes:
    """Returns a model that draws so many classes for each row of logits."""
    result = Tensor((len(logits), max(count, 0)), "int64")
    tensors = [Tensor(logits.shape), Tensor((), "int32", np.array(count)), result]
    return build(tensors, [Operator(B.MULTINOMIAL, [0, 1], [2], {"seed": 1})], [0], [2])


def philox(number: int, key: int) -> list[int]:
    """Returns the block of that number, by the definition of Philox 4x32 with 10 rounds."""
    x = [number >> 32 * i & WORD for i in range(4)]
    for i in range(10):
        a, b = FACTORS[0] * x[0], FACTORS[1] * x[2]
        keys = [(key >> 32 * j & WORD) + i * STEPS[j] & WORD for j in range(2)]
        x = [b >> 32 ^ x[1] ^ keys[0], b & WORD, a >> 32 ^ x[3] ^ keys[1], a & WORD]
    return x


def fractions(words: list[int]) -> list[float]:
    return [(word & 0x7FFFFF) / 2.0**23 for word in words]


def test_the_definition_gives_the_published_blocks() -> None:
    """The blocks are Random123's known answers."""
    assert philox(0, 0) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert philox((1 << 128) - 1, (1 << 64) - 1) == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]


@pytest.mark.parametrize("counter", [2**32 - 3, 2**40 + 2**31 - 1, 2**63 - 8, 0])
def test_the_counter_has_64_bits(counter: int) -> None:
    """LiteRT would need hours to pass 32 bits, so the definition judges."""
    model = tc.convert(uniform(27, -7, 2**31 - 1), state="io")
    (state,) = model.main_states
    words = np.array([counter & WORD, counter >> 32], np.uint32).view(np.int32)
    numbers, gone = tc.run(model, {state.input: words}).values()
    key, upper = -7 & (1 << 64) - 1, 2**31 - 1 << 64
    expected = [x for i in range(7) for x in fractions(philox(counter + i | upper, key))]
    assert numbers.tolist() == expected[:27]
    assert gone.view(np.uint32).tolist() == [counter + 7 & WORD, counter + 7 >> 32]


def test_the_counters_advance_in_ten_runs() -> None:
    """Four operators of the file each have a counter and a seed of their own."""
    shape, numbers = Tensor((2,), "int32", np.array([3, 3])), Tensor((3, 3))
    pairs = [(B.RANDOM_UNIFORM, 3, 0), (B.RANDOM_UNIFORM, 2**33 + 3, 1), (B.RANDOM_STANDARD_NORMAL, 0, -1)]
    operators = [Operator(b, [0], [i], {"seed": s, "seed2": t}) for i, (b, s, t) in enumerate(pairs, 1)]
    source = tc.load(build([shape, numbers, numbers, numbers], operators, [], [1, 2, 3]))
    runs = source_engine(source).run_steps(source, [{}] * 10)
    for state in ("variables", "io"):
        for ours, expected in zip(tc.run_steps(tc.convert(source, state=state), [{}] * 10), runs, strict=True):
            drawn = list(ours.values())[:3]
            for i, want in enumerate(expected.values()):
                np.testing.assert_allclose(drawn[i], want, atol=1e-6 * (i == 2), rtol=0)


@pytest.mark.parametrize("flow", ["keep", "flatten"])
def test_the_counter_advances_in_a_loop(flow: str) -> None:
    """A WHILE has three rounds in each of two runs."""
    number, yes, x = Tensor((), "int32"), Tensor((), "bool"), Tensor((2, 3))
    options = {"seed": 5, "seed2": 6}
    limit, increment = (Tensor((), "int32", np.array(value)) for value in (3, 1))
    shape = Tensor((2,), "int32", np.array([2, 3]))
    test = Subgraph([number, x, limit, yes], [Operator(B.LESS, [0, 2], [3])], [0, 1], [3])
    adding = [
        Operator(B.ADD, [0, 2], [4]),
        Operator(B.RANDOM_UNIFORM, [3], [5], options),
        Operator(B.ADD, [1, 5], [6]),
    ]
    step = Subgraph([number, x, increment, shape, number, x, x], adding, [0, 1], [4, 6])
    loop = Operator(B.WHILE, [0, 1], [2, 3], {"cond_subgraph_index": 1, "body_subgraph_index": 2})
    begin = Tensor((), "int32", np.array(0))
    source = tc.load(build([begin, x, number, x], [loop], [1], [3], [test, step]))
    steps = [{"t1": np.full((2, 3), i, np.float32)} for i in range(2)]
    expected = source_engine(source).run_steps(source, steps)
    for ours, want in zip(tc.run_steps(tc.convert(source, control_flow=flow), steps), expected, strict=True):
        np.testing.assert_array_equal(ours["t3"], want["t3"])


def test_rows_of_no_finite_logit_give_no_class() -> None:
    """LiteRT returns the number of classes."""
    logits = np.array([[np.inf, np.nan, -np.inf], [0, 1, -np.inf]], np.float32)
    source = tc.load(multinomial(logits, 9))
    model = tc.convert(source)
    (want,), (ours,) = (
        source_engine(source).run(source, {"t0": logits}).values(),
        tc.run(model, {"t0": logits}).values(),
    )
    np.testing.assert_array_equal(ours, want)
    assert (ours[0] == 3).all()
    assert "of fp32, LiteRT's of fp64" in " ".join(note.text for note in model.report.notes)


@pytest.mark.parametrize("count", [1, 0, -1, -(2**31)])
def test_at_least_one_class_is_drawn(count: int) -> None:
    data = multinomial(np.zeros((3, 2), np.float32), count)
    if count > 0:
        (drawn,) = tc.run(tc.convert(data), {"t0": np.zeros((3, 2), np.float32)}).values()
        assert drawn.shape == (3, count)
    else:
        with pytest.raises(UnsupportedError, match=f"expected 1 or more random numbers, found {3 * count}\n"):
            tc.convert(data)


@pytest.mark.parametrize("seeds", [(0, 0), (2**32, -(2**32))])
def test_generators_without_seeds_are_refused(seeds: tuple[int, int]) -> None:
    """LiteRT keeps 32 bits of each seed."""
    with pytest.raises(UnsupportedError, match="LiteRT draws new numbers whenever"):
        tc.convert(uniform(3, *seeds))


def test_run_time_shapes_are_refused() -> None:
    tensors = [Tensor((1,), "int32"), Tensor((3,))]
    data = build(tensors, [Operator(B.RANDOM_UNIFORM, [0], [1], {"seed": 1})], [0], [1])
    with pytest.raises(UnsupportedError, match="must be constant"):
        tc.convert(data)


def test_types_without_a_kernel_are_refused() -> None:
    tensors = [Tensor((1,), "int32", np.array([3])), Tensor((3,), "int32")]
    data = build(tensors, [Operator(B.RANDOM_UNIFORM, [0], [1], {"seed": 1})], [], [1])
    with pytest.raises(FormatError, match="expected fp32, found i32"):
        tc.convert(data)


def test_a_variable_may_begin_with_random_numbers() -> None:
    """LiteRT draws once, so the numbers are constant."""
    handle, x = Tensor((), "resource"), Tensor((3,))
    name, shape = {"shared_name": "sum"}, Tensor((1,), "int32", np.array([3]))
    begin = [
        Operator(B.VAR_HANDLE, [], [0], name),
        Operator(B.RANDOM_UNIFORM, [1], [2], {"seed": 1}),
        Operator(B.ASSIGN_VARIABLE, [0, 2], []),
    ]
    reading = [
        Operator(B.CALL_ONCE, [], [], {"init_subgraph_index": 1}),
        Operator(B.VAR_HANDLE, [], [0], name),
        Operator(B.READ_VARIABLE, [0], [1]),
        Operator(B.ASSIGN_VARIABLE, [0, 2], []),
    ]
    data = build([handle, x, x], reading, [2], [1], [Subgraph([handle, shape, x], begin, [], [])])
    source = tc.load(data)
    steps = [{"t2": np.full(3, i, np.float32)} for i in range(2)]
    expected = source_engine(source).run_steps(source, steps)
    for ours, want in zip(tc.run_steps(tc.convert(source), steps), expected, strict=True):
        np.testing.assert_array_equal(ours["t1"], want["t1"])
