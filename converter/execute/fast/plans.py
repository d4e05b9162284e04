"""The fast form of each operator, joined to its record.

A plan accepts an operator, and returns a function of its operands' arrays, or declines and returns None. Where it
accepts, the function equals the operator's definition: integers bit for bit, floats within the precision clause.
"""

from tosa_converter.execute.definition.table import FUNCTIONS, REDUCTIONS
from tosa_converter.execute.fast import (
    cast,
    convolution,
    depthwise,
    elementwise,
    fft,
    gemm,
    layout,
    lookup,
    pool,
    reduce,
    rescale,
    resize,
    transposed,
    unary,
)
from tosa_converter.execute.fast.base import BindKernel
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

FAST: dict[OpDef, BindKernel] = {
    **{row: elementwise.numpy_function(function) for row, function in FUNCTIONS.items()},
    **{row: reduce.reduction(*functions) for row, functions in REDUCTIONS.items()},
    ops.ARGMAX: reduce.argmax,
    ops.AVG_POOL2D: pool.avg_pool2d,
    ops.CONV2D: convolution.choose_convolution_kernel,
    ops.CONV3D: convolution.choose_convolution_kernel,
    ops.DEPTHWISE_CONV2D: depthwise.depthwise_conv2d,
    ops.FFT2D: fft.fft2d,
    ops.MATMUL: gemm.matmul,
    ops.MAX_POOL2D: pool.max_pool2d,
    ops.RFFT2D: fft.rfft2d,
    ops.TRANSPOSE_CONV2D: transposed.transpose_conv2d,
    ops.CLAMP: elementwise.clamp,
    ops.ERF: unary.error_function,
    ops.SIGMOID: unary.sigmoid,
    ops.ADD: elementwise.add,
    ops.ARITHMETIC_RIGHT_SHIFT: elementwise.arithmetic_right_shift,
    ops.INTDIV: elementwise.intdiv,
    ops.LOGICAL_LEFT_SHIFT: elementwise.logical_left_shift,
    ops.LOGICAL_RIGHT_SHIFT: elementwise.logical_right_shift,
    ops.MAXIMUM: elementwise.maximum,
    ops.MINIMUM: elementwise.minimum,
    ops.MUL: elementwise.multiply,
    ops.POW: elementwise.power,
    ops.SUB: elementwise.subtract,
    ops.TABLE: lookup.table,
    ops.ABS: elementwise.absolute,
    ops.CLZ: unary.count_leading_zeros,
    ops.EXP: unary.exponential,
    ops.NEGATE: unary.negate,
    ops.RSQRT: unary.reciprocal_square_root,
    ops.SELECT: elementwise.select,
    ops.REDUCE_SUM: reduce.reduce_sum,
    ops.RESHAPE: layout.reshape,
    ops.SLICE: layout.slice_,
    ops.GATHER: layout.gather,
    ops.RESIZE: resize.Resize,
    ops.CAST: cast.cast,
    ops.RESCALE: rescale.rescale,
    ops.MAX_POOL2D_ADAPTIVE: pool.adaptive_pool(ops.MAX_POOL2D),
    ops.AVG_POOL2D_ADAPTIVE: pool.adaptive_pool(ops.AVG_POOL2D),
    ops.ROW_GATHER: layout.row_gather,
    ops.MATMUL_T: gemm.matmul,
}
