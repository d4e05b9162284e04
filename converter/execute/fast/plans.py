"""What is quick for which operator, joined to its row.

A plan accepts an operator, and gives a function of its operands' arrays, or declines and gives None. Where it accepts,
the function equals the operator's definition: integers bit for bit, floats within the precision clause.
"""

import numpy as np

from tosa_converter.execute.fast.base import Plan
from tosa_converter.execute.fast.cast import cast
from tosa_converter.execute.fast.convolution import convolution
from tosa_converter.execute.fast.depthwise import depthwise_conv2d
from tosa_converter.execute.fast.elementwise import (
    add,
    arithmetic_right_shift,
    clamp,
    compare,
    intdiv,
    logical_left_shift,
    logical_right_shift,
    multiply,
    nan_aware,
    plain,
    power,
    select,
    subtract,
)
from tosa_converter.execute.fast.fft import fft2d, rfft2d
from tosa_converter.execute.fast.gemm import matmul
from tosa_converter.execute.fast.layout import gather, reshape, slice_
from tosa_converter.execute.fast.lookup import table
from tosa_converter.execute.fast.pool import avg_pool2d, max_pool2d
from tosa_converter.execute.fast.reduce import argmax, reduce_sum, reduction
from tosa_converter.execute.fast.rescale import rescale
from tosa_converter.execute.fast.resize import Resize
from tosa_converter.execute.fast.transposed import transpose_conv2d
from tosa_converter.execute.fast.unary import (
    absolute,
    count_leading_zeros,
    error_function,
    exponential,
    negate,
    reciprocal_square_root,
    sigmoid,
)
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

FAST: dict[OpDef, Plan] = {
    ops.ARGMAX: argmax,
    ops.AVG_POOL2D: avg_pool2d,
    ops.CONV2D: convolution,
    ops.CONV3D: convolution,
    ops.DEPTHWISE_CONV2D: depthwise_conv2d,
    ops.FFT2D: fft2d,
    ops.MATMUL: matmul,
    ops.MAX_POOL2D: max_pool2d,
    ops.RFFT2D: rfft2d,
    ops.TRANSPOSE_CONV2D: transpose_conv2d,
    ops.CLAMP: clamp,
    ops.ERF: error_function,
    ops.SIGMOID: sigmoid,
    ops.TANH: plain(np.tanh),
    ops.ADD: add,
    ops.ARITHMETIC_RIGHT_SHIFT: arithmetic_right_shift,
    ops.BITWISE_AND: plain(np.bitwise_and),
    ops.BITWISE_OR: plain(np.bitwise_or),
    ops.BITWISE_XOR: plain(np.bitwise_xor),
    ops.INTDIV: intdiv,
    ops.LOGICAL_AND: plain(np.logical_and),
    ops.LOGICAL_LEFT_SHIFT: logical_left_shift,
    ops.LOGICAL_RIGHT_SHIFT: logical_right_shift,
    ops.LOGICAL_OR: plain(np.logical_or),
    ops.LOGICAL_XOR: plain(np.logical_xor),
    ops.MAXIMUM: nan_aware(np.maximum, np.fmax),
    ops.MINIMUM: nan_aware(np.minimum, np.fmin),
    ops.MUL: multiply,
    ops.POW: power,
    ops.SUB: subtract,
    ops.TABLE: table,
    ops.ABS: absolute,
    ops.BITWISE_NOT: plain(np.bitwise_not),
    ops.CEIL: plain(np.ceil),
    ops.CLZ: count_leading_zeros,
    ops.COS: plain(np.cos),
    ops.EXP: exponential,
    ops.FLOOR: plain(np.floor),
    ops.LOG: plain(np.log),
    ops.LOGICAL_NOT: plain(np.logical_not),
    ops.NEGATE: negate,
    ops.RECIPROCAL: plain(np.reciprocal),
    ops.RSQRT: reciprocal_square_root,
    ops.SIN: plain(np.sin),
    ops.SELECT: select,
    ops.EQUAL: compare(np.equal),
    ops.GREATER: compare(np.greater),
    ops.GREATER_EQUAL: compare(np.greater_equal),
    ops.REDUCE_ALL: reduction(np.logical_and),
    ops.REDUCE_ANY: reduction(np.logical_or),
    ops.REDUCE_MAX: reduction(np.maximum, np.fmax),
    ops.REDUCE_MIN: reduction(np.minimum, np.fmin),
    ops.REDUCE_PRODUCT: reduction(np.multiply),
    ops.REDUCE_SUM: reduce_sum,
    ops.RESHAPE: reshape,
    ops.SLICE: slice_,
    ops.GATHER: gather,
    ops.RESIZE: Resize,
    ops.CAST: cast,
    ops.RESCALE: rescale,
}
