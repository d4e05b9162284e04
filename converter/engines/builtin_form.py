"""Replaces MediaPipe's custom operator by the equivalent builtin one, so that all of LiteRT's kernels can run a model.

Convolution2DTransposeBias, which LiteRT has in XNNPACK only, is TRANSPOSE_CONV with its operands in another order and
its options in three integers.
"""

import struct

import numpy as np

from tosa_converter.formats import flatbuffer
from tosa_converter.schemas import tflite
from tosa_converter.schemas.tfl_ops import CUSTOM_PADDING, TRANSPOSE_BIAS
from tosa_converter.schemas.tflite import BuiltinOperator, TensorType


def builtin_form(data: bytes) -> bytes:
    """Returns the TFLite file with TRANSPOSE_CONV for every custom Convolution2DTransposeBias; b"" if it has none.

    LiteRT computes the custom operator in XNNPACK only, and the builtin one with all its kernels.

    Args:
        data: a `.tflite` file that converts, so that its operands and options are known to be in order.
    """
    model = flatbuffer.read(tflite.Model, data, tflite.IDENTIFIER)
    custom = {i for i, code in enumerate(model.operator_codes) if code.custom_code == TRANSPOSE_BIAS}
    for graph in model.subgraphs:
        for op in graph.operators:
            if op.opcode_index in custom:
                _convert_to_transpose_conv(op, graph, model)
    for i in custom:
        code = model.operator_codes[i]
        code.custom_code, code.version = "", 3  # the first one with a bias
        code.builtin_code = BuiltinOperator.TRANSPOSE_CONV
        code.deprecated_builtin_code = int(BuiltinOperator.TRANSPOSE_CONV)
    return b"".join(map(bytes, flatbuffer.write(model, tflite.IDENTIFIER))) if custom else b""


def _convert_to_transpose_conv(op: tflite.Operator, graph: tflite.SubGraph, model: tflite.Model) -> None:
    """Turns Convolution2DTransposeBias (input, weight, bias) into TRANSPOSE_CONV (shape, weight, input, bias)."""
    # 01 00 00 00 02 00 00 00 02 00 00 00: padding 1 and strides of 2, in 12 bytes.
    padding, stride_w, stride_h = struct.unpack_from("<3i", np.asarray(op.custom_options).tobytes())
    shape = np.array(graph.tensors[op.outputs[0]].shape, np.int32)
    tensor = tflite.Tensor(shape=(4,), type=TensorType.INT32, buffer=len(model.buffers), name="shape", has_rank=True)
    model.buffers = (*model.buffers, tflite.Buffer(data=shape.view(np.uint8)))
    x, weight, bias = op.inputs
    op.inputs = (len(graph.tensors), weight, x, bias)
    graph.tensors = (*graph.tensors, tensor)
    op.custom_options = None
    op.builtin_options = tflite.TransposeConvOptions(
        padding=CUSTOM_PADDING[padding], stride_w=stride_w, stride_h=stride_h
    )
