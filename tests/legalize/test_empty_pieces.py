"""Values without elements: TOSA has none, so shape arithmetic with them folds away.

LiteRT's reference kernels say what reductions of nothing, joined empty pieces and the like are.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.legalizing import Const, check, compare, executed, legalized, single
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.errors import UnsupportedError
from tosa_converter.proof.compare import Comparison
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import TensorType


class Program:
    """A model under construction; lists and numbers as operands are constants of i32."""

    def __init__(self, *inputs: Tensor) -> None:
        self.tensors = list(inputs)
        self.inputs = list(range(len(inputs)))
        self.operators: list[Operator] = []

    def place(self, operand: Any) -> int:
        """Returns the index of an operand; a `range` of one number names a tensor."""
        if isinstance(operand, range):
            return operand[0]
        data = np.asarray(operand) if isinstance(operand, np.ndarray) else np.asarray(operand, np.int32)
        self.tensors.append(Tensor(data.shape, str(data.dtype), data))
        return len(self.tensors) - 1

    def add(self, builtin: B, *operands: Any, dtype: str = "int32", results: int = 1, **options: Any) -> Any:
        """Adds an operator; returns its result as a range that names it, or a list of results."""
        places = [self.place(operand) for operand in operands]
        first = len(self.tensors)
        self.tensors += [Tensor((), dtype) for _ in range(results)]
        self.operators.append(Operator(builtin, places, range(first, first + results), options))
        result_places = [range(i, i + 1) for i in range(first, first + results)]
        return result_places[0] if results == 1 else result_places

    def bytes(self, *outputs: range) -> bytes:
        """Returns the file."""
        return build(self.tensors, self.operators, self.inputs, [output[0] for output in outputs])


def short_time_fourier_transform(samples: int, length: int, step: int, *, pad_end: bool) -> bytes:
    """Returns the graph of `tf.signal.stft` of signals [?, samples]; only the last size is known.

    `tf.signal.frame` splits the shape into what is before the axis, the axis and what is behind it: nothing.
    """
    program = Program(Tensor((1, samples), signature=(-1, samples)))
    add, signal = program.add, range(1)
    shape = add(B.SHAPE, signal, out_type=TensorType.INT32)
    outer, size, inner = add(B.SPLIT_V, shape, [1, 1, 0], 0, results=3, num_splits=3)
    size = add(B.RESHAPE, size, np.zeros(0, np.int32))
    if pad_end:
        frames = add(B.NEG, add(B.FLOOR_DIV, add(B.NEG, size), step))
        reach = add(B.ADD, add(B.MUL, add(B.SUB, frames, 1), step), length)
        missing = add(B.MAXIMUM, add(B.SUB, reach, size), 0)
        edges = [add(B.PACK, _count(program, part), 2, values_count=2, axis=0) for part in (outer, inner)]
        before, behind = (add(B.FILL, edge, 0) for edge in edges)
        last = add(B.RESHAPE, add(B.PACK, 0, missing, values_count=2, axis=0), [1, 2])
        amounts = add(B.CONCATENATION, before, last, behind, axis=0)
        signal = add(B.PADV2, signal, amounts, np.zeros((), np.float32), dtype="float32")
        shape = add(B.SHAPE, signal, out_type=TensorType.INT32)
        size = add(B.STRIDED_SLICE, shape, [1], [2], [1], shrink_axis_mask=1)
    else:
        whole = add(B.FLOOR_DIV, add(B.SUB, size, length), step)
        frames = add(B.MAXIMUM, add(B.ADD, whole, 1), 0)
    piece = int(np.gcd(length, step))
    pieces = add(B.FLOOR_DIV, size, piece)
    used = add(B.PACK, add(B.MUL, pieces, piece), values_count=1, axis=0)
    end = add(B.CONCATENATION, outer, used, inner, axis=0)
    cut = add(B.STRIDED_SLICE, signal, add(B.ZEROS_LIKE, shape), end, [1, 1], dtype="float32")
    grid = add(B.CONCATENATION, outer, add(B.PACK, pieces, piece, values_count=2, axis=0), inner, axis=0)
    grid = add(B.RESHAPE, cut, grid, dtype="float32")
    starts = add(B.MUL, add(B.RANGE, 0, frames, 1), step // piece)
    starts = add(B.RESHAPE, starts, add(B.PACK, frames, 1, values_count=2, axis=0))
    chosen = add(B.ADD, starts, np.arange(length // piece, dtype=np.int32)[None])
    taken = add(B.GATHER, grid, chosen, dtype="float32", axis=1)
    framed = add(B.CONCATENATION, outer, add(B.PACK, frames, length, values_count=2, axis=0), inner, axis=0)
    windowed = add(
        B.MUL, add(B.RESHAPE, taken, framed, dtype="float32"), np.hanning(length).astype("f"), dtype="float32"
    )
    bins = 1 << (length - 1).bit_length()
    padded = add(B.PAD, windowed, [[0, 0], [0, 0], [0, bins - length]], dtype="float32")
    rows = add(B.EXPAND_DIMS, padded, -2, dtype="float32")
    spectrum = add(B.SQUEEZE, add(B.RFFT2D, rows, [1, bins], dtype="complex64"), dtype="complex64", squeeze_dims=(-2,))
    return program.bytes(*(add(part, spectrum, dtype="float32") for part in (B.REAL, B.IMAG)))


def _count(program: Program, part: range) -> Any:
    """Adds `tf.size` of a vector."""
    shape = program.add(B.SHAPE, part, out_type=TensorType.INT32)
    return program.add(B.REDUCE_PROD, shape, [0])


@pytest.mark.parametrize("pad_end", [False, True])
@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize(("samples", "length", "step"), [(160, 32, 16), (150, 24, 10)])
def test_a_short_time_fourier_transform_of_any_batch_is_equal(
    samples: int, length: int, step: int, batch: int, pad_end: bool, tmp_path: Path
) -> None:
    path = tmp_path / "stft.tflite"
    path.write_bytes(short_time_fourier_transform(samples, length, step, pad_end=pad_end))
    source = tc.load(path)
    model = tc.convert(source, input_shapes={"t0": (batch, samples)})
    frames = -(-samples // step) if pad_end else (samples - length) // step + 1
    assert model.main.outputs[0].type.shape == (batch, frames, (1 << (length - 1).bit_length()) // 2 + 1)
    (report,) = tc.compare(source, model, runs=2)
    assert isinstance(report, Comparison)
    assert report.reference == "litert"
    assert report.verdict, report.outputs


def ints(*values: int) -> Const:
    return Const(np.array(values, np.int32))


def number(value: int) -> Const:
    return Const(np.array(value, np.int32))


def nothing(*shape: int, dtype: str = "int32") -> Const:
    return Const(np.zeros(shape, dtype))


TO_FLOAT = {"in_data_type": TensorType.INT32, "out_data_type": TensorType.FLOAT32}
EMPTY: dict[str, tuple[B, list[Const], list[str], dict[str, Any]]] = {
    "SPLIT_V": (B.SPLIT_V, [ints(3, 4, 5), ints(1, 0, 2), number(0)], ["int32"] * 3, {"num_splits": 3}),
    "SPLIT_V with the rest": (B.SPLIT_V, [ints(3, 4), ints(2, -1), number(0)], ["int32"] * 2, {"num_splits": 2}),
    "SPLIT of nothing": (B.SPLIT, [number(0), nothing(0)], ["int32"] * 2, {"num_splits": 2}),
    "SPLIT into nothings": (B.SPLIT, [number(0), nothing(3, 0)], ["int32"] * 3, {"num_splits": 3}),
    "SLICE": (B.SLICE, [ints(3, 4, 5), ints(1), ints(0)], ["int32"], {}),
    "SLICE to the end": (B.SLICE, [ints(3, 4, 5), ints(3), ints(-1)], ["int32"], {}),
    "GATHER_ND": (B.GATHER_ND, [ints(3, 4, 5), nothing(0, 1)], ["int32"], {}),
    "CONCATENATION": (B.CONCATENATION, [ints(3, 4, 5), nothing(0)], ["int32"], {"axis": 0}),
    "CONCATENATION of rows": (
        B.CONCATENATION,
        [nothing(3, 0), Const(np.ones((3, 2), np.int32)), nothing(3, 0)],
        ["int32"],
        {"axis": 1},
    ),
    "PACK": (B.PACK, [nothing(0), nothing(0)], ["int32"], {"values_count": 2, "axis": 1}),
    "FILL": (B.FILL, [ints(0, 3), number(7)], ["int32"], {}),
    "FILL of a scalar": (B.FILL, [nothing(0), number(7)], ["int32"], {}),
    "PAD": (B.PAD, [nothing(0), Const(np.array([[1, 2]], np.int32))], ["int32"], {}),
    "PADV2": (B.PADV2, [nothing(0), Const(np.array([[1, 2]], np.int32)), number(9)], ["int32"], {}),
    "PAD of nothings": (B.PAD, [nothing(3, 0), Const(np.array([[1, 2], [0, 0]], np.int32))], ["int32"], {}),
    "SUM": (B.SUM, [nothing(0), ints(0)], ["int32"], {}),
    "SUM of rows": (B.SUM, [nothing(3, 0), ints(1)], ["int32"], {}),
    "SUM of floats": (B.SUM, [nothing(0, 3, dtype="float32"), ints(0)], ["float32"], {}),
    "REDUCE_PROD": (B.REDUCE_PROD, [nothing(0), ints(0)], ["int32"], {}),
    "REDUCE_PROD that keeps": (B.REDUCE_PROD, [nothing(0, 3), ints(0)], ["int32"], {"keep_dims": True}),
    "REDUCE_MAX": (B.REDUCE_MAX, [nothing(0), ints(0)], ["int32"], {}),
    "REDUCE_MAX of floats": (B.REDUCE_MAX, [nothing(0, 3, dtype="float32"), ints(0)], ["float32"], {}),
    "REDUCE_MAX of no rows": (B.REDUCE_MAX, [nothing(0, 3), ints(1)], ["int32"], {}),
    "REDUCE_MIN": (B.REDUCE_MIN, [nothing(0, 3), ints(0)], ["int32"], {}),
    "REDUCE_MIN of floats": (B.REDUCE_MIN, [nothing(0, 3, dtype="float32"), ints(0)], ["float32"], {}),
    "MEAN": (B.MEAN, [nothing(0, 3, dtype="float32"), ints(0)], ["float32"], {}),
    "REDUCE_ALL": (B.REDUCE_ALL, [nothing(0, dtype="bool"), ints(0)], ["bool"], {}),
    "REDUCE_ANY": (B.REDUCE_ANY, [nothing(0, dtype="bool"), ints(0)], ["bool"], {}),
    "TRANSPOSE": (B.TRANSPOSE, [nothing(0, 3), ints(1, 0)], ["int32"], {}),
    "BROADCAST_ARGS": (B.BROADCAST_ARGS, [nothing(0), ints(2, 3)], ["int32"], {}),
    "REVERSE_V2": (B.REVERSE_V2, [nothing(0, 3), ints(0)], ["int32"], {}),
    "EXPAND_DIMS": (B.EXPAND_DIMS, [nothing(0), number(0)], ["int32"], {}),
    "SQUEEZE": (B.SQUEEZE, [nothing(1, 0)], ["int32"], {}),
    "ADD": (B.ADD, [nothing(0), ints(1)], ["int32"], {}),
    "MAXIMUM": (B.MAXIMUM, [nothing(0), number(2)], ["int32"], {}),
    "EQUAL": (B.EQUAL, [nothing(0), number(2)], ["bool"], {}),
    "SELECT_V2": (B.SELECT_V2, [nothing(0, dtype="bool"), nothing(0), nothing(0)], ["int32"], {}),
    "CAST": (B.CAST, [nothing(0)], ["float32"], TO_FLOAT),
    "EXP": (B.EXP, [nothing(0, 4, dtype="float32")], ["float32"], {}),
    "SOFTMAX": (B.SOFTMAX, [nothing(0, 4, dtype="float32")], ["float32"], {"beta": 1.0}),
    "FULLY_CONNECTED": (
        B.FULLY_CONNECTED,
        [nothing(0, 3, dtype="float32"), nothing(2, 3, dtype="float32")],
        ["float32"],
        {},
    ),
    "BATCH_MATMUL": (
        B.BATCH_MATMUL,
        [nothing(0, 3, dtype="float32"), nothing(3, 2, dtype="float32")],
        ["float32"],
        {},
    ),
    "BATCH_MATMUL of no depth": (
        B.BATCH_MATMUL,
        [nothing(2, 0, dtype="float32"), nothing(0, 2, dtype="float32")],
        ["float32"],
        {},
    ),
    "ONE_HOT": (B.ONE_HOT, [nothing(0), number(3), number(1), number(0)], ["int32"], {"axis": -1}),
    "ONE_HOT of no depth": (B.ONE_HOT, [ints(1, 2), number(0), number(1), number(0)], ["int32"], {"axis": -1}),
    "TOPK_V2": (B.TOPK_V2, [Const(np.ones((2, 3), np.float32)), number(0)], ["float32", "int32"], {}),
    "WHERE": (B.WHERE, [nothing(3, dtype="bool")], ["int64"], {}),
    "SCATTER_ND": (B.SCATTER_ND, [nothing(0, 1), nothing(0), ints(4)], ["int32"], {}),
    "SCATTER_ND into nothing": (B.SCATTER_ND, [nothing(0, 1), nothing(0), ints(0)], ["int32"], {}),
    "DYNAMIC_UPDATE_SLICE": (B.DYNAMIC_UPDATE_SLICE, [ints(3, 4, 5), nothing(0), ints(1)], ["int32"], {}),
    "EMBEDDING_LOOKUP": (B.EMBEDDING_LOOKUP, [nothing(0), nothing(4, 2, dtype="float32")], ["float32"], {}),
}


@pytest.mark.parametrize("name", EMPTY)
def test_values_without_elements_fold(name: str) -> None:
    """They fold to LiteRT's results; an empty result is tested by its shape, as no output is empty."""
    builtin, operands, dtypes, options = EMPTY[name]
    sizes = [array.size for array in run_litert(single(builtin, operands, dtypes, **options)[0], [])]
    program = Program()
    results = program.add(builtin, *(operand.data for operand in operands), results=len(dtypes), **options)
    outputs = []
    for result, dtype, size in zip(results if len(dtypes) > 1 else [results], dtypes, sizes, strict=True):
        program.tensors[result[0]].dtype = dtype
        outputs.append(result if size else program.add(B.SHAPE, result, out_type=TensorType.INT32))
    data = program.bytes(*outputs)
    model = legalized(data)
    assert [value.producer.name for value in model.main.outputs if value.producer] == ["tosa.const"] * len(outputs)
    compare(executed(model, []), run_litert(data, []), 0)


def test_run_time_values_leave_empty_pieces_out() -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    data, _ = single(B.SPLIT_V, [x, ints(0, 2, 1), number(0)], ["float32"] * 3, num_splits=3)
    with pytest.raises(UnsupportedError, match="no empty tensors"):
        legalized(data)
    check(B.CONCATENATION, [x, nothing(3, 0, dtype="float32")], axis=1)
    check(B.DYNAMIC_UPDATE_SLICE, [x, nothing(0, 4, dtype="float32"), ints(1, 0)])
