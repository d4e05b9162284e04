"""Random models of one quantized operator, run by our executor, the reference model and LiteRT's reference kernels."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest

from support.legalizing import as_signless, executed, reference_model
from support.random_numbers import Numbers
from support.tflite_models import REFERENCE, Operator, Tensor, build, run_litert
from tosa_converter.formats.tflite.reader import read_tflite
from tosa_converter.ir import Array, Model
from tosa_converter.legalize.rule_modules import TFLITE
from tosa_converter.rewriting.driver import RulePass, run_pass
from tosa_converter.rewriting.report import Options
from tosa_converter.rules.target import Target
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation
from tosa_converter.schemas.tflite import BuiltinOperator
from tosa_converter.schemas.tflite import BuiltinOperator as Op

LEGALIZE = RulePass("legalize", TFLITE)
BASE = Target.parse("pro-int,pro-fp")
TYPES = ("int8", "uint8")
ACTIVATIONS = (Activation.NONE, Activation.RELU, Activation.RELU6, Activation.RELU_N1_TO_1)
# The operator, its version, the input's scale range, the result's (a factor of the input's if it ends in x), a result
# that the kernel insists on, options.
UNARY: tuple[tuple[Op, int, tuple[float, float], tuple[float, float], bool, tuple[float, int] | None], ...] = (
    (Op.LOGISTIC, 2, (0.001, 0.2), (1, 1), False, (1 / 256, -128)),
    (Op.TANH, 2, (0.001, 0.2), (1, 1), False, (1 / 128, 0)),
    (Op.EXP, 2, (0.0002, 0.04), (0.01, 0.5), False, None),
    (Op.LOG, 2, (0.001, 0.2), (0.01, 0.1), False, None),
    (Op.GELU, 1, (0.001, 0.1), (0.3, 2), True, None),
    (Op.HARD_SWISH, 1, (0.001, 0.2), (0.3, 2), True, None),
    (Op.LEAKY_RELU, 2, (0.001, 0.2), (0.3, 3), True, None),
    (Op.RELU, 2, (0.001, 0.2), (0.3, 3), True, None),
    (Op.RELU6, 2, (0.001, 0.2), (0.3, 3), True, None),
    (Op.RELU_N1_TO_1, 1, (0.001, 0.2), (0.3, 3), True, None),
    (Op.RELU_0_TO_1, 1, (0.001, 0.2), (0.3, 3), True, None),
    (Op.ABS, 3, (0.001, 0.2), (0.3, 3), True, None),
    (Op.NEG, 1, (0.001, 0.2), (1, 1), True, None),
    (Op.QUANTIZE, 2, (0.001, 0.2), (0.1, 10), True, None),
)
SIGNED_ONLY = (Op.EXP, Op.LOG, Op.ABS, Op.NEG)  # whose kernels have int8 only
_KERNELS = [(row, dtype) for row in UNARY for dtype in TYPES if dtype == "int8" or row[0] not in SIGNED_ONLY]
EVERY_UNARY = pytest.mark.parametrize(("row", "dtype"), _KERNELS, ids=[f"{row[0].name}-{t}" for row, t in _KERNELS])


class Operand(NamedTuple):
    """A tensor, and its array if it is an input."""

    tensor: Tensor
    fed: Array | None


def quantized(
    array_or_shape: Any, scale: Any, zero_point: Any = 0, dtype: str = "int8", *, constant: bool = False, axis: int = 0
) -> Operand:
    """Returns a tensor of a shape, or of an array, which is fed unless constant."""
    data = array_or_shape if isinstance(array_or_shape, np.ndarray) else None
    shape = data.shape if data is not None else tuple(array_or_shape)
    tensor = Tensor(shape, dtype, data if constant else None, scale=scale, zero_point=zero_point, axis=axis)
    return Operand(tensor, None if constant else data)


def plain(array_or_shape: Any, dtype: str = "float32") -> Operand:
    """Returns a tensor without quantization."""
    return quantized(array_or_shape, None, dtype=dtype)


def constant(values: Any, dtype: str = "int32") -> Operand:
    """Returns a constant without quantization."""
    array = np.asarray(values, dtype)
    return Operand(Tensor(array.shape, dtype, array), None)


def model(
    builtin: BuiltinOperator, operands: Sequence[Operand | None], result: Operand, version: int = 1, **options: Any
) -> tuple[bytes, list[Array]]:
    """Returns a model of one operator, and its input arrays."""
    present = [operand for operand in operands if operand is not None]
    numbers = iter(range(len(present)))
    places = [-1 if operand is None else next(numbers) for operand in operands]
    fed = {i: operand.fed for i, operand in enumerate(present) if operand.fed is not None}
    operator = Operator(builtin, places, [len(present)], options, version=version)
    data = build([*(operand.tensor for operand in present), result.tensor], [operator], list(fed), [len(present)])
    return data, list(fed.values())


def converted(data: bytes, **options: Any) -> Model:
    """Returns the TOSA model."""
    return run_pass(read_tflite(data), LEGALIZE, Options(**options))


def assert_exact(
    data: bytes,
    arrays: Sequence[Array],
    *,
    target: Target | None = None,
    by_reference_model: bool = False,
    kernels: str = REFERENCE,
) -> Model:
    """Asserts that every element of ours equals LiteRT's; returns our model."""
    (want,) = run_litert(data, list(arrays), kernels=kernels)
    ours = converted(data, target=target)
    assert target is None or not target.problems(ours)
    narrowed = [as_signless(array) for array in arrays]
    runs = [executed(ours, narrowed)]
    if by_reference_model:
        runs.append(reference_model(ours, narrowed))
    for (got,) in runs:
        assert got.shape == want.shape
        np.testing.assert_array_equal(got.view(want.dtype), want)
    return ours


def operators(ours: Model) -> list[str]:
    """Returns the names of the operators except constants, in order."""
    return [op.name.removeprefix("tosa.") for op in ours.main.ops if "const" not in op.name]


class Draw(Numbers):
    """Random numbers with a fixed seed."""

    def stored(self, shape: Sequence[int], dtype: str = "int8") -> Array:
        """Returns elements over the whole range."""
        return self.rng.integers(0, 256, tuple(shape)).astype(np.uint8).view(dtype)

    def zero_point(self, dtype: str = "int8") -> int:
        """Returns a zero point, mostly an end of the range."""
        return int(self.rng.choice([-128, 0, 127, int(self.rng.integers(-128, 128))])) + origin(dtype)

    def scale(self, low: float, high: float, size: int | None = None) -> Any:
        """Returns log-uniform numbers."""
        return np.exp(self.rng.uniform(np.log(low), np.log(high), size)).astype(np.float32)

    def ints(self, low: int, high: int, count: int) -> list[int]:
        """Returns integers from low to high."""
        return [int(value) for value in self.rng.integers(low, high + 1, count)]


def origin(dtype: str) -> int:
    """Returns the difference between stored values of a type and those of int8."""
    return 128 if dtype == "uint8" else 0


def every_value(dtype: str = "int8") -> Array:
    """Returns all 256 stored values."""
    return np.arange(256, dtype=np.uint8).view(dtype).reshape(1, 256)


def every_pair(dtype: str = "int8") -> tuple[Array, Array]:
    """Returns all pairs of stored values."""
    values = every_value(dtype)[0]
    return np.repeat(values, 256).reshape(256, 256), np.tile(values, 256).reshape(256, 256)
