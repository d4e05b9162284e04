"""The kernel of every operator, joined to its row."""

import numpy as np

from tosa_converter.execute.kernels.base import Kernel, Mode
from tosa_converter.execute.kernels.control import (
    ControlKernel,
    cond_if,
    custom,
    variable,
    variable_read,
    variable_write,
    while_loop,
)
from tosa_converter.execute.kernels.conv import convolution
from tosa_converter.execute.kernels.convert import cast
from tosa_converter.execute.kernels.depthwise import depthwise_conv2d
from tosa_converter.execute.kernels.elementwise import (
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
from tosa_converter.execute.kernels.fft import fft2d, rfft2d
from tosa_converter.execute.kernels.gemm import matmul
from tosa_converter.execute.kernels.layout import (
    concat,
    constant,
    gather,
    identity,
    pad,
    reshape,
    reverse,
    scatter,
    slice_,
    tile,
    transpose,
)
from tosa_converter.execute.kernels.pool import avg_pool2d, max_pool2d
from tosa_converter.execute.kernels.reduce import argmax, reduce_sum, reduction
from tosa_converter.execute.kernels.rescale import rescale, table
from tosa_converter.execute.kernels.resize import Resize
from tosa_converter.execute.kernels.transpose_conv import transpose_conv2d
from tosa_converter.execute.kernels.unary import (
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

__all__ = ["CONTROL", "KERNELS", "Kernel", "Mode"]

KERNELS: dict[OpDef, Kernel] = {
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
    ops.CONCAT: concat,
    ops.PAD: pad,
    ops.RESHAPE: reshape,
    ops.REVERSE: reverse,
    ops.SLICE: slice_,
    ops.TILE: tile,
    ops.TRANSPOSE: transpose,
    ops.GATHER: gather,
    ops.SCATTER: scatter,
    ops.RESIZE: Resize,
    ops.CAST: cast,
    ops.RESCALE: rescale,
    ops.CONST: constant,
    ops.IDENTITY: identity,
    ops.CONST_SHAPE: constant,
}

# Those of the operators with the trait `control`.
CONTROL: dict[OpDef, ControlKernel] = {
    ops.CUSTOM: custom,
    ops.COND_IF: cond_if,
    ops.WHILE_LOOP: while_loop,
    ops.VARIABLE: variable,
    ops.VARIABLE_WRITE: variable_write,
    ops.VARIABLE_READ: variable_read,
}
