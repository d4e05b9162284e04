"""Models with weights of 4 or 2 bits that have a scale for each block of a row, as ai-edge-quantizer writes them."""

from typing import Any

import numpy as np

from support.tflite_models import Operator, Tensor, build
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BlockwiseQuantization, BuiltinOperator

ROWS, OUTPUTS, DEPTH = 5, 12, 256
SCALES = 1  # the index of the tensor of scales in every model here


def random_levels(bits: int, shape: tuple[int, ...]) -> Array:
    """Random integers of a number of bits, with the extremes of the type."""
    low = -(1 << bits - 1)
    return np.random.default_rng(bits).integers(low, -low, shape).astype(np.int8)


def random_scales(count: int) -> Array:
    """Random scales of fp16, most of which bf16 doesn't hold."""
    return np.random.default_rng(3).uniform(0.01, 0.2, count).astype(np.float16)


def details(block: int, **fields: Any) -> BlockwiseQuantization:
    """The table that ai-edge-quantizer writes: the scales are a tensor, and -1 stands for no zero points."""
    return BlockwiseQuantization(**{"scales": SCALES, "zero_points": -1, "block_size": block, **fields})


def matrix(bits: int, rows: int, block: int, **fields: Any) -> list[Tensor]:
    """A quantized matrix [rows, DEPTH] and the tensor of its scales."""
    count = DEPTH // block
    return [
        Tensor([rows, DEPTH], f"int{bits}", random_levels(bits, (rows, DEPTH)), details=details(block, **fields)),
        Tensor([rows, count], "float16", random_scales(rows * count).reshape(rows, count)),
    ]


def layer(bits: int, block: int, *, bias: bool = True, levels: Array | None = None, **options: Any) -> bytes:
    """A FULLY_CONNECTED of rows by blockwise weights."""
    tensors = [*matrix(bits, OUTPUTS, block), Tensor([ROWS, DEPTH]), Tensor([ROWS, OUTPUTS])]
    if levels is not None:
        tensors[0].data = levels
    inputs = [2, 0]
    if bias:
        tensors.append(Tensor([OUTPUTS], data=np.random.default_rng(5).normal(size=OUTPUTS)))
        inputs.append(4)
    return build(tensors, [Operator(BuiltinOperator.FULLY_CONNECTED, inputs, [3], options)], [2], [3])


def embedding(bits: int, block: int, result: str = "float32") -> bytes:
    """An EMBEDDING_LOOKUP in a table with blockwise scales."""
    tensors = [*matrix(bits, 20, block), Tensor([4], "int32"), Tensor([4, DEPTH], result)]
    return build(tensors, [Operator(BuiltinOperator.EMBEDDING_LOOKUP, [2, 0], [3])], [2], [3])
