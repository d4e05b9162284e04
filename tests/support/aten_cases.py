"""Cases of ATen's kernels: one operator each, in every type that a rule states, with the results of numpy."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value
from tosa_converter.schemas import aten_ops

HELD = {DType.I64: np.int32, DType.UI8: np.int8}  # the TOSA types of elements that TOSA has no type for
FLOATS = (DType.FP32, DType.FP16)
INTEGERS = (DType.I32, DType.I64)
NUMBERS = (*FLOATS, *INTEGERS)
Definition = Callable[..., Any]

VALUES = {
    "float": np.array([[-7.5, -2.0, -1.0, -0.25, -0.0, 0.0], [0.5, 1.0, 1.5, 2.5, 3.0, 8.0]]),
    "integer": np.array([[-100, -7, -3, -2, -1, 0], [0, 1, 2, 5, 6, 99]]),
    "bool": np.array([[0, 1, 1, 0, 1, 0], [1, 1, 0, 0, 0, 1]]),
    "bytes": np.array([[-128, -3, -1, 0, 1, 2], [3, 7, 8, 64, 126, 127]]),
}
POSITIVE = np.array([[0.1, 0.25, 0.5, 0.75, 1.0, 1.5], [2.0, 2.5, 3.0, 4.0, 7.0, 8.0]])
OTHERS = {  # second operands: some equal to the first, none 0
    "float": np.array([[2.0, -2.0, 3.0, -0.25, 1.0, -1.0], [0.5, -4.0, 1.5, 0.75, -3.0, 8.0]]),
    "integer": np.array([[7, -7, 2, -2, 3, -1], [5, 1, -2, 3, -6, 10]]),
    "bool": np.array([[0, 0, 1, 1, 1, 0], [0, 1, 1, 0, 1, 0]]),
}


class AtenCase(NamedTuple):
    """One operator with its tensors and attributes, the types of its results, and the expected results."""

    kernel: str
    inputs: tuple[tuple[DType, Array], ...]
    attributes: dict[str, Any]
    outputs: tuple[tuple[DType, Array], ...]
    constants: tuple[int, ...] = ()  # the operands that are constants of the file

    @property
    def label(self) -> str:
        """Returns the kernel with its types and attributes."""
        types = "*".join(dtype.value for dtype, _ in self.inputs)
        return f"{self.kernel}[{types}]" + "".join(f" {key}={value}" for key, value in self.attributes.items())

    @property
    def model(self) -> Model:
        """Returns a model of this operator alone."""
        operands = [
            Op("xnn.const", (), [TensorType(dtype, x.shape)], {"values": x}).result
            if i in self.constants
            else Value(TensorType(dtype, x.shape), f"x{i}")
            for i, (dtype, x) in enumerate(self.inputs)
        ]
        op = Op(f"aten.{self.kernel}", operands, [TensorType(t, y.shape) for t, y in self.outputs], self.attributes)
        makers = [value.producer for value in operands if value.producer is not None]
        inputs = [value for value in operands if value.producer is None]
        return Model({"forward": Graph("forward", inputs, list(op.results), [*makers, op])}, opset="xnn")

    def run(self) -> list[Array]:
        """Returns the results of the conversion, in order."""
        model = self.model
        feed = {f"x{i}": as_stored(x, dtype) for i, (dtype, x) in enumerate(self.inputs) if i not in self.constants}
        return list(tc.run(tc.convert(model), feed).values())


def as_stored(x: Array, dtype: DType) -> Array:
    """Returns an array as TOSA stores elements of a type."""
    return x.astype(HELD.get(dtype, dtype.numpy))


def kind(dtype: DType) -> str:
    """Returns the key in VALUES of a type."""
    if dtype in (DType.I8, DType.UI8):
        return "bytes"
    return "float" if dtype.is_float else "bool" if dtype is DType.BOOL else "integer"


def case(
    kernel: str,
    dtypes: tuple[DType, ...],
    result: DType,
    define: Definition,
    operands: tuple[Array, ...],
    **fields: Any,
) -> AtenCase:
    """Returns a case whose result numpy computes; floats are computed in fp64."""
    arrays = tuple(x.astype(dtype.numpy) for x, dtype in zip(operands, dtypes, strict=True))
    wide = [x.astype(np.float64 if dtype.is_float else x.dtype) for x, dtype in zip(arrays, dtypes, strict=True)]
    result_array = np.asarray(define(*wide)).astype(result.numpy)
    rows = aten_ops.BY_OPCODE[f"aten.{kernel}"].arguments
    attributes = {argument.name: fields.get(argument.name) for argument in rows if not argument.is_tensor}
    return AtenCase(kernel, tuple(zip(dtypes, arrays, strict=True)), attributes, ((result, result_array),))


def as_float(dtype: DType) -> DType:
    """Returns the result type of a function: fp32 for integers."""
    return dtype if dtype.is_float else DType.FP32


def erf(x: Array) -> Array:
    from math import erf

    return np.asarray(np.vectorize(erf)(x))


def every_unary() -> Iterator[AtenCase]:
    """Yields kernels of one operand without attributes."""
    same: dict[str, tuple[tuple[DType, ...], Definition]] = {
        "abs": (NUMBERS, np.abs),
        "bitwise_not": ((*INTEGERS, DType.BOOL), np.invert),
        "ceil": (FLOATS, np.ceil),
        "floor": (FLOATS, np.floor),
        "neg": (NUMBERS, np.negative),
        "relu": (NUMBERS, lambda x: np.maximum(x, 0)),
        "round": (FLOATS, np.rint),
        "sign": (NUMBERS, np.sign),
    }
    for name, (dtypes, define) in same.items():
        for dtype in dtypes:
            yield case(f"{name}.out", (dtype,), dtype, define, (VALUES[kind(dtype)],))
    anywhere: dict[str, Definition] = {
        "cos": np.cos,
        "erf": erf,
        "exp": lambda x: np.exp(x.astype(np.float64)),
        "expm1": lambda x: np.expm1(x.astype(np.float64)),
        "sigmoid": lambda x: 1 / (1 + np.exp(-x.astype(np.float64))),
        "sin": np.sin,
        "tanh": np.tanh,
    }
    for name, define in anywhere.items():
        for dtype in NUMBERS:
            values = np.clip(VALUES[kind(dtype)], -7, 7)
            yield case(f"{name}.out", (dtype,), as_float(dtype), define, (values,))
    above: dict[str, Definition] = {
        "log": lambda x: np.log(x.astype(np.float64)),
        "log1p": lambda x: np.log1p(x.astype(np.float64)),
        "reciprocal": lambda x: 1 / x.astype(np.float64),
        "rsqrt": lambda x: 1 / np.sqrt(x.astype(np.float64)),
    }
    for name, define in above.items():
        for dtype in NUMBERS:
            values = POSITIVE if dtype.is_float else np.arange(1, 13).reshape(2, 6)
            yield case(f"{name}.out", (dtype,), as_float(dtype), define, (values,))
    for dtype in FLOATS:
        yield case("sqrt.out", (dtype,), dtype, np.sqrt, (POSITIVE,))
        special = np.array([[np.nan, np.inf, -np.inf], [0.0, -0.0, np.nan]])
        yield case("isnan.out", (dtype,), DType.BOOL, np.isnan, (special,))
    for dtype in (*NUMBERS, DType.BOOL):
        yield case("logical_not.out", (dtype,), DType.BOOL, np.logical_not, (VALUES[kind(dtype)],))


def every_function() -> Iterator[AtenCase]:
    """Yields kernels of one operand with attributes."""
    bounds = [(-2, 5), (None, 2), (-1, None), (6, 1)]
    for dtype in NUMBERS:
        for low, high in [*bounds, *([(-0.5, 1.25)] if dtype.is_float else [])]:

            def clamped(x: Array, low: Any = low, high: Any = high) -> Array:
                x = x if low is None else np.maximum(x, low)
                return x if high is None else np.minimum(x, high)

            yield case("clamp.out", (dtype,), dtype, clamped, (VALUES[kind(dtype)],), min=low, max=high)
    for dtype in FLOATS:
        x = (VALUES["float"],)
        yield case("hardtanh.out", (dtype,), dtype, lambda x: np.clip(x, -1.5, 2.5), x, min_val=-1.5, max_val=2.5)
        yield case("leaky_relu.out", (dtype,), dtype, lambda x: np.where(x < 0, 0.25 * x, x), x, negative_slope=0.25)
        for alpha, scale, inner in ((1.0, 1.0, 1.0), (1.5, 0.5, 0.25)):

            def elu(x: Array, alpha: float = alpha, scale: float = scale, inner: float = inner) -> Array:
                return scale * np.where(x > 0, x, alpha * np.expm1(x * inner))

            yield case("elu.out", (dtype,), dtype, elu, x, alpha=alpha, scale=scale, input_scale=inner)
        yield case("gelu.out", (dtype,), dtype, lambda x: x / 2 * (1 + erf(x / np.sqrt(2))), x, approximate="none")
        yield case(
            "gelu.out",
            (dtype,),
            dtype,
            lambda x: x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
            x,
            approximate="tanh",
        )
        for exponent in (2, 3, 0.5, -1, -0.5, 1):
            yield case(
                "pow.Tensor_Scalar_out",
                (dtype,),
                dtype,
                lambda x, exponent=exponent: x ** float(exponent),
                (POSITIVE,),
                exponent=exponent,
            )


def every_pair() -> Iterator[AtenCase]:
    """Yields kernels of two operands, and of an operand and a number, with broadcasting."""
    for dtype in NUMBERS:
        a, b = VALUES[kind(dtype)], OTHERS[kind(dtype)]
        two = (dtype, dtype)
        for operands in ((a, b), (a, b[:1]), (a[:, :1], b)):
            yield case("add.out", two, dtype, np.add, operands, alpha=1)
            yield case("sub.out", two, dtype, np.subtract, operands, alpha=1)
            yield case("mul.out", two, dtype, np.multiply, operands)
            yield case("minimum.out", two, dtype, np.minimum, operands)
            yield case("maximum.out", two, dtype, np.maximum, operands)
            yield case("div.out", two, as_float(dtype), np.true_divide, operands)
        yield case("add.out", two, dtype, lambda a, b: a + 3 * b, (a, b), alpha=3)
        yield case("sub.out", two, dtype, lambda a, b: a - 3 * b, (a, b), alpha=3)
        yield case("div.out_mode", two, as_float(dtype), np.true_divide, (a, b), rounding_mode=None)
        yield case("div.out_mode", two, dtype, np.floor_divide, (a, b), rounding_mode="floor")
        yield case("mul.Scalar_out", (dtype,), dtype, lambda a: a * 3, (a,), other=3)
        for other in (3, -3):
            yield case(
                "remainder.Scalar_out",
                (dtype,),
                dtype,
                lambda a, other=other, rest=np.remainder if dtype.is_float else np.fmod: rest(a, other),
                (a,),
                other=other,
            )
    for dtype in INTEGERS:
        a, b = VALUES["integer"], OTHERS["integer"]
        yield case("div.out_mode", (dtype, dtype), dtype, lambda a, b: np.trunc(a / b), (a, b), rounding_mode="trunc")
        for other in (3, -3):
            yield case("fmod.Scalar_out", (dtype,), dtype, lambda a, other=other: np.fmod(a, other), (a,), other=other)


COMPARISONS: dict[str, Definition] = {
    "eq": np.equal,
    "ge": np.greater_equal,
    "gt": np.greater,
    "le": np.less_equal,
    "lt": np.less,
    "ne": np.not_equal,
}


def every_comparison() -> Iterator[AtenCase]:
    """Yields comparisons of tensors and with numbers, logical and bitwise operators, and selections."""
    for name, define in COMPARISONS.items():
        for dtype in (*NUMBERS, DType.BOOL):
            a, b = VALUES[kind(dtype)], OTHERS[kind(dtype)]
            yield case(f"{name}.Tensor_out", (dtype, dtype), DType.BOOL, define, (a, b))
            yield case(f"{name}.Scalar_out", (dtype,), DType.BOOL, lambda a, define=define: define(a, 1), (a,), other=1)
        whole, half = VALUES["integer"], lambda a, define=define: define(a, 1.5)
        yield case(f"{name}.Scalar_out", (DType.I32,), DType.BOOL, half, (whole,), other=1.5)
    for name in ("and", "or", "xor"):
        bits, truth = getattr(np, f"bitwise_{name}"), getattr(np, f"logical_{name}")
        for dtype in (*INTEGERS, DType.BOOL):
            operands = VALUES[kind(dtype)], OTHERS[kind(dtype)]
            yield case(f"bitwise_{name}.Tensor_out", (dtype, dtype), dtype, bits, operands)
        for dtype in (*NUMBERS, DType.BOOL):
            operands = VALUES[kind(dtype)], OTHERS[kind(dtype)]
            yield case(f"logical_{name}.out", (dtype, dtype), DType.BOOL, truth, operands)
    for dtype in (*NUMBERS, DType.BOOL):
        choices = (VALUES["bool"], VALUES[kind(dtype)], OTHERS[kind(dtype)])
        yield case("where.self_out", (DType.BOOL, dtype, dtype), dtype, np.where, choices)


def every_reduction() -> Iterator[AtenCase]:
    """Yields reductions over one dimension, several and all, with and without keeping them."""
    for dtype in NUMBERS:
        x = np.stack([VALUES[kind(dtype)], OTHERS[kind(dtype)]])
        for dims in ((0,), (1, -1), (0, 2), ()):
            for keepdim in (False, True):
                fields: dict[str, Any] = {"dim": dims, "keepdim": keepdim}
                over: dict[str, Any] = {"axis": dims or None, "keepdims": keepdim}
                if dtype.is_float:
                    yield case("mean.out", (dtype,), dtype, lambda x, over=over: np.mean(x, **over), (x,), **fields)
                    yield case(
                        "var.correction_out",
                        (dtype,),
                        dtype,
                        lambda x, over=over: np.var(x, ddof=1, **over),
                        (x,),
                        correction=1,
                        **fields,
                    )
                yield case("sum.IntList_out", (dtype,), dtype, lambda x, over=over: np.sum(x, **over), (x,), **fields)
                yield case("amax.out", (dtype,), dtype, lambda x, over=over: np.max(x, **over), (x,), **fields)
                yield case("amin.out", (dtype,), dtype, lambda x, over=over: np.min(x, **over), (x,), **fields)
        for dim in (0, 1, -1):
            flat: dict[str, Any] = {"dim": dim, "keepdim": False}
            for name in ("argmax", "argmin"):
                find = getattr(np, name)
                yield case(f"{name}.out", (dtype,), DType.I64, lambda x, f=find, d=dim: f(x, d), (x,), **flat)
            for name in ("max", "min"):
                values = case(
                    f"{name}.dim_{name}", (dtype,), dtype, lambda x, n=name, d=dim: getattr(x, n)(d), (x,), **flat
                )
                places = getattr(np, f"arg{name}")(values.inputs[0][1], dim).astype(np.int64)
                yield values._replace(outputs=(*values.outputs, (DType.I64, places)))
            yield case("cumsum.out", (dtype,), dtype, lambda x, d=dim: np.cumsum(x, d), (x,), dim=dim)
            if dtype.is_float:
                yield case("prod.int_out", (dtype,), dtype, lambda x, d=dim: np.prod(x, d), (np.abs(x) / 4,), **flat)
        for name in ("argmax", "argmin"):
            find = getattr(np, name)
            yield case(f"{name}.out", (dtype,), DType.I64, lambda x, f=find: f(x), (x,), dim=None, keepdim=False)
        for name in ("max", "min"):
            yield case(f"{name}.unary_out", (dtype,), dtype, lambda x, n=name: getattr(x, n)(), (x,))
        if dtype.is_float:
            yield case("mean.dtype_out", (dtype,), dtype, np.mean, (x,))
    for dtype in (*NUMBERS, DType.BOOL):
        x = np.stack([VALUES[kind(dtype)], np.zeros((2, 6))])
        for dim in (0, 1, -1):
            yield case("any.out", (dtype,), DType.BOOL, lambda x, d=dim: np.any(x, d), (x,), dim=dim, keepdim=False)
        yield case("any.all_out", (dtype,), DType.BOOL, np.any, (x,))
        yield case("any.all_out", (dtype,), DType.BOOL, np.any, (np.zeros((2, 3)),))


def every_case() -> Iterator[AtenCase]:
    """Yields the cases of all kernels."""
    for make in (every_unary, every_function, every_pair, every_comparison, every_reduction):
        yield from make()
