"""Chains of integer operators on one byte become one TABLE with LiteRT's results for all 256 values."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build, run_litert
from support.xnnpack_cases import ON_X86

import tosa_converter as tc
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import ActivationFunctionType as Fused
from tosa_converter.schemas.tflite import BuiltinOperator as B

FREE = (B.ADD, B.SUB, B.MUL, B.LEAKY_RELU, B.HARD_SWISH, B.RELU, B.RELU6, B.QUANTIZE)  # any scale of the result
FIXED = {B.LOGISTIC: (1 / 256, -128), B.TANH: (1 / 128, 0)}  # scale and zero point of the result, as int8
SAME = (B.MAXIMUM, B.MINIMUM)  # one scale of operands and result
OPTIONS: dict[B, dict[str, Any]] = {B.LEAKY_RELU: {"alpha": 0.1}}
SCALE, ZERO = 0.03, 5


class Chain:
    """A model whose input is all values of a type; `last` is the value that the next operator reads."""

    def __init__(self, dtype: str, shape: Sequence[int] = (1, 256)) -> None:
        limits = np.iinfo(dtype)
        self.dtype, self.shape = dtype, tuple(shape)
        self.values: Array = np.arange(limits.min, limits.max + 1, dtype=dtype).reshape(self.shape)
        self.tensors: list[Tensor] = []
        self.operators: list[Operator] = []
        self.last = self.tensor(SCALE, ZERO)

    def tensor(self, scale: float, zero_point: int, data: Array | None = None) -> int:
        """Adds a tensor, whose zero point is stated as that of int8; returns its index."""
        zero_point += 128 * (self.dtype == "uint8")
        shape = self.shape if data is None else data.shape
        self.tensors.append(Tensor(shape, self.dtype, data=data, scale=scale, zero_point=zero_point))
        return len(self.tensors) - 1

    def scalar(self, stored: int, scale: float = 0.02, zero_point: int = 0) -> int:
        """Adds a constant of one element, stated as that of int8."""
        data = np.full((1,), stored + 128 * (self.dtype == "uint8")).astype(self.dtype)
        return self.tensor(scale, zero_point, data)

    def apply(
        self, builtin: B, *further_operands: int, scale: float = SCALE, zero_point: int = ZERO, **options: Any
    ) -> int:
        """Adds an operator on the last value and further operands."""
        result = self.tensor(scale, zero_point)
        options = {**OPTIONS.get(builtin, {}), **options}
        self.operators.append(Operator(builtin, (self.last, *further_operands), (result,), options))
        self.last = result
        return result

    def file(self, *outputs: int) -> bytes:
        """Returns the model, with the last value as an output."""
        return build(self.tensors, self.operators, (0,), (self.last, *outputs))


def operators(model: tc.Model) -> list[str]:
    return [op.name.removeprefix("tosa.") for op in model.main if "const" not in op.name]


def check(chain: Chain, numerics: str = "reference") -> list[str]:
    """Compares all outputs with LiteRT's on every value; returns the conversion's operators."""
    data = chain.file()
    kernels = "BUILTIN" if numerics == "xnnpack" else "BUILTIN_REF"
    (expected,) = run_litert(data, [chain.values], kernels=kernels)
    model = tc.convert(data, numerics=numerics)
    (result,) = tc.run(model, {"t0": chain.values.view(np.int8)}).values()
    np.testing.assert_array_equal(result.view(expected.dtype), expected)
    return operators(model)


def random_chain(seed: int) -> Chain:
    """Draws 2 to 6 operators; each reads the last result and a constant, the input or an earlier result."""
    rng = np.random.default_rng(seed)
    chain = Chain(("int8", "uint8")[seed % 2], [(1, 256), (2, 8, 16), (256,)][seed % 3])
    for _ in range(rng.integers(2, 7)):
        builtin = rng.choice(np.array([*FREE, *FIXED, *SAME], object))
        scale, zero_point = float(rng.uniform(0.004, 0.1)), int(rng.integers(-128, 128))
        if builtin in FIXED:
            scale, zero_point = FIXED[builtin]
        further_operands: tuple[int, ...] = ()
        if builtin in SAME:
            before = chain.tensors[chain.last]
            scale, zero_point = before.scale, before.zero_point - 128 * (chain.dtype == "uint8")
            further_operands = (chain.scalar(int(rng.integers(-128, 128)), scale, zero_point),)
        elif builtin in (B.ADD, B.SUB, B.MUL):
            constant = chain.scalar(int(rng.integers(-128, 128)), float(rng.uniform(0.004, 0.1)))
            results = [op.outputs[0] for op in chain.operators]
            further_operands = (int(rng.choice([constant, 0, *results])),)
        fused = rng.choice(np.array([Fused.NONE, Fused.RELU, Fused.RELU6], object))
        options = {"fused_activation_function": fused} if builtin in (B.ADD, B.SUB, B.MUL) else {}
        chain.apply(builtin, *further_operands, scale=scale, zero_point=zero_point, **options)
    return chain


@pytest.mark.parametrize("seed", range(60))
def test_random_chains_equal_litert(seed: int) -> None:
    assert set(check(random_chain(seed))) <= {"table", "clamp"}


@ON_X86
@pytest.mark.parametrize("seed", range(60, 90))
def test_random_chains_equal_the_delegate(seed: int) -> None:
    assert set(check(random_chain(seed), "xnnpack")) <= {"table", "clamp"}


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_silu_becomes_one_table(dtype: str) -> None:
    """The chain is x * logistic(x), where x is the sum of two tensors."""
    chain = Chain(dtype)
    chain.apply(B.LOGISTIC, scale=1 / 256, zero_point=-128)
    chain.apply(B.MUL, 0)
    assert check(chain) == ["table"]


def test_hard_swish_of_four_operators_becomes_one_table() -> None:
    chain = Chain("int8")
    chain.apply(B.ADD, chain.scalar(100, 0.03), scale=0.05)
    chain.apply(B.RELU6, scale=6 / 255, zero_point=-128)
    chain.apply(B.MUL, 0, scale=0.08)
    chain.apply(B.MUL, chain.scalar(127, 1 / 6 / 127), scale=0.03)
    assert check(chain) == ["table"]


def test_bounds_by_constants_are_a_clamp() -> None:
    chain = Chain("int8")
    chain.apply(B.MAXIMUM, chain.scalar(-20, SCALE, ZERO))
    chain.apply(B.MINIMUM, chain.scalar(90, SCALE, ZERO))
    assert check(chain) == ["clamp"]


def test_the_source_is_the_nearest_value_that_is_read_elsewhere() -> None:
    """ADD's result is an output, so the island begins behind it."""
    chain = Chain("int8")
    offset = chain.apply(B.ADD, chain.scalar(50))
    chain.apply(B.LOGISTIC, scale=1 / 256, zero_point=-128)
    chain.apply(B.MUL, offset)
    expected = run_litert(chain.file(offset), [chain.values])
    model = tc.convert(chain.file(offset))
    assert operators(model)[-1] == "table"
    assert operators(model).count("table") == 1
    for result, array in zip(tc.run(model, {"t0": chain.values}).values(), expected, strict=True):
        np.testing.assert_array_equal(result, array)


def test_an_inner_value_that_is_read_elsewhere_stays() -> None:
    chain = Chain("int8")
    logistic = chain.apply(B.LOGISTIC, scale=1 / 256, zero_point=-128)
    chain.apply(B.MUL, 0)
    assert "mul" in operators(tc.convert(chain.file(logistic)))


def test_constants_of_several_elements_stay() -> None:
    chain = Chain("int8")
    vector = chain.tensor(0.02, 0, np.arange(-128, 128, dtype=np.int8))
    chain.apply(B.MUL, vector)
    chain.apply(B.MUL, vector)
    assert check(chain).count("mul") == 2


def test_one_operator_stays() -> None:
    chain = Chain("int8")
    chain.apply(B.MUL, chain.scalar(50))
    assert "table" not in check(chain)
