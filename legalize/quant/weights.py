"""Integer weights of operators whose activations are floats."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.operators import reduce_sum

F32 = np.float32
MEASURED_ROWS = 8
UNQUANTIZED = "the input stays in floats, which LiteRT's kernel quantizes"


def stored_weights(match: Match, key: Key) -> Expr:
    """Returns integer weights as int8: narrower ones are widened; uint8 keeps its bits, as hybrid kernels read them."""
    if match.source(key).type.dtype in (DType.I4, DType.I2):
        return const(match.constant(key).astype(np.int8), DType.I8)
    return match[key]


def weight_scales(match: Match, key: Key) -> Array:
    """Returns the scale of weights, or one for each channel, as a float32 vector."""
    return np.asarray(match.quant(key).scale, F32)


def block_scales(match: Match, key: Key) -> Array:
    """Returns the scales of weights with a scale for each block of a row, as a float32 matrix [rows, blocks]."""
    quant = match.quant(key, blocks=True)
    return np.asarray(quant.scale, F32).reshape(match.source(key).type.static[0], -1)


def has_blocks(match: Match, key: Key) -> bool:
    """Returns whether weights have a scale for each block of a row."""
    quant = match.source(key).type.quant
    return quant is not None and quant.block > 0


def has_several_scales(match: Match, key: Key) -> bool:
    """Returns whether the weights' channels differ in scale."""
    return len(set(match.quant(key).scale)) > 1


def channel_sums(weight: Expr, axis: int) -> Expr:
    """Returns the sum of the weights of each channel in i32, [channels]."""
    shape, summed_axes = weight.shape, tuple(i for i in range(weight.rank) if i != axis)
    if weight.constant is not None:
        return const(weight.constant.sum(summed_axes, dtype=np.int32), DType.I32)
    columns = weight.transpose((axis, *summed_axes))
    rows = columns.cast(DType.I32).reshape((shape[axis], weight.size // shape[axis]))
    return reduce_sum(rows, 1).reshape((shape[axis],))


def real_weights(match: Match, key: Key, axis: int) -> Expr:
    """Returns weights that are dequantized, in floats; a note says how much that changes results.

    The dimension `axis` is that of the outputs. Constant weights are multiplied at conversion, unless the options keep
    them as they are stored. Weights with a scale for each block of a row are multiplied in the shape [rows, blocks,
    elements].
    """
    weight, scale = stored_weights(match, key), _scales_of_elements(match, key)
    levels, factors = weight, scale
    if has_blocks(match, key):
        factors = block_scales(match, key)[..., None]
        levels = weight.reshape((*factors.shape[:-1], match.quant(key, blocks=True).block))
    real = levels.cast(DType.FP32)
    if weight.constant is None:
        match.note(UNQUANTIZED)
        return real * const(factors, DType.FP32)
    values = weight.constant.astype(F32) * scale
    moved = measure_quantization_error(np.moveaxis(values, axis, -1).reshape(-1, values.shape[axis]))
    match.note(f"{UNQUANTIZED}: results differ by up to {moved:.1%} of the largest on random inputs")
    if real.constant is None:  # weights stay as they are stored
        return (real * const(factors, DType.FP32)).reshape(weight.shape)
    return const(values, DType.FP32)


def _scales_of_elements(match: Match, key: Key) -> Array:
    """Returns the scales of weights in a shape that broadcasts to theirs."""
    if has_blocks(match, key):
        return np.repeat(block_scales(match, key), match.quant(key, blocks=True).block, axis=1)
    axis = match.quant(key).axis
    return weight_scales(match, key).reshape([-1 if i == axis else 1 for i in range(match.source(key).type.rank)])


def measure_quantization_error(weight: Array) -> float:
    """Returns how much quantizing the input to 8 bits changes products, as a fraction of the largest.

    Weights are [terms,channels]; the inputs are a few random rows, quantized symmetrically.
    """
    x = np.random.default_rng(0).standard_normal((MEASURED_ROWS, len(weight)), F32)
    scale = np.abs(x).max(1, keepdims=True) / F32(127)
    exact = x @ weight
    largest = float(np.abs(exact).max(initial=0))
    return float(np.abs(np.rint(x / scale) * scale @ weight - exact).max(initial=0)) / largest if largest else 0.0
