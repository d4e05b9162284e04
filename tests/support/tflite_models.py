"""Writes small TFLite models with the schema's rows, and runs LiteRT's kernels on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest

from tosa_converter.formats import flatbuffer
from tosa_converter.ir import Array
from tosa_converter.schemas import tfl_ops, tflite
from tosa_converter.schemas.tflite import BuiltinOperator

TENSOR_TYPES = {
    "float32": tflite.TensorType.FLOAT32,
    "float16": tflite.TensorType.FLOAT16,
    "int32": tflite.TensorType.INT32,
    "uint8": tflite.TensorType.UINT8,
    "int64": tflite.TensorType.INT64,
    "bool": tflite.TensorType.BOOL,
    "int16": tflite.TensorType.INT16,
    "int8": tflite.TensorType.INT8,
    "float64": tflite.TensorType.FLOAT64,
    "complex64": tflite.TensorType.COMPLEX64,
    "uint16": tflite.TensorType.UINT16,
    "uint32": tflite.TensorType.UINT32,
    "bfloat16": tflite.TensorType.BFLOAT16,
    "int4": tflite.TensorType.INT4,
    "int2": tflite.TensorType.INT2,
    "resource": tflite.TensorType.RESOURCE,
}
LEAST_VERSIONS = {BuiltinOperator.BROADCAST_TO: 2}


@dataclass
class Tensor:
    """One tensor of a model; `data` makes it a constant, `scale` quantizes it, `array` is the input array."""

    shape: Sequence[int]
    dtype: str = "float32"
    data: Any = None
    scale: Any = None
    zero_point: Any = 0
    axis: int = 0
    signature: Sequence[int] = ()
    sparsity: Any = None
    details: Any = None  # of the quantization, such as BlockwiseQuantization
    block_scales: Any = None  # [rows, blocks], which become a tensor of fp16 behind the others
    raw: Any = None  # bytes to store instead of `data`
    name: str = ""
    variable: bool = False
    array: Any = None

    @property
    def fed(self) -> bool:
        """Returns whether the tensor is an input of a model of one operator."""
        return self.data is None and self.raw is None and not self.variable

    @property
    def constant(self) -> "Tensor":
        """Returns the tensor with its array as a constant."""
        return replace(self, data=self.array)


@dataclass
class Operator:
    """One operator: indices into the tensor list, and options as the table's fields."""

    builtin: BuiltinOperator
    inputs: Sequence[int]
    outputs: Sequence[int]
    options: dict[str, Any] = field(default_factory=dict)
    custom_code: str = ""
    custom_options: bytes = b""
    version: int = 0  # the lowest version with a LiteRT kernel
    intermediates: Sequence[int] = ()


class Subgraph(NamedTuple):
    """One graph of a model."""

    tensors: Sequence[Tensor]
    operators: Sequence[Operator]
    inputs: Sequence[int]
    outputs: Sequence[int]


def build(
    tensors: Sequence[Tensor],
    operators: Sequence[Operator],
    inputs: Sequence[int],
    outputs: Sequence[int],
    called: Sequence[Subgraph] = (),
) -> bytes:
    """Returns the bytes of a `.tflite` file; unnamed tensors are t0, t1, ...; `called` are other subgraphs."""
    buffers: list[tflite.Buffer] = [tflite.Buffer()]
    codes: list[tflite.OperatorCode] = []
    main = _subgraph(Subgraph(tensors, operators, inputs, outputs), "main", buffers, codes)
    called_graphs = [_subgraph(graph, f"called_{i}", buffers, codes) for i, graph in enumerate(called)]
    root = tflite.Model(
        version=3, operator_codes=tuple(codes), subgraphs=(main, *called_graphs), buffers=tuple(buffers)
    )
    return b"".join(bytes(piece) for piece in flatbuffer.write(root, tflite.IDENTIFIER))


def signed(data: bytes, inputs: Mapping[str, int], outputs: Mapping[str, int], key: str = "serving_default") -> bytes:
    """Returns the file with a further signature of its main graph; inputs and outputs are tensors by index."""
    root = flatbuffer.read(tflite.Model, data, tflite.IDENTIFIER)
    maps = [
        tuple(tflite.TensorMap(name=name, tensor_index=index) for name, index in names.items())
        for names in (inputs, outputs)
    ]
    signature = tflite.SignatureDef(inputs=maps[0], outputs=maps[1], signature_key=key)
    fields = dict(root.fields()) | {"signature_defs": (*root.signature_defs, signature)}
    return b"".join(bytes(piece) for piece in flatbuffer.write(tflite.Model(**fields), tflite.IDENTIFIER))


def _subgraph(
    graph: Subgraph, name: str, buffers: list[tflite.Buffer], codes: list[tflite.OperatorCode]
) -> tflite.SubGraph:
    rows = [_tensor(i, tensor, buffers) for i, tensor in enumerate(graph.tensors)]
    for i, tensor in enumerate(graph.tensors):
        if tensor.block_scales is not None:
            details = tflite.BlockwiseQuantization(
                scales=len(rows), zero_points=-1, block_size=tensor.shape[1] // tensor.block_scales.shape[1]
            )
            rows[i].quantization = tflite.QuantizationParameters(details=details)
            scales = Tensor(tensor.block_scales.shape, "float16", tensor.block_scales)
            rows.append(_tensor(len(rows), scales, buffers))
    tables = []
    for operator in graph.operators:
        code = min(operator.builtin, BuiltinOperator.PLACEHOLDER_FOR_GREATER_OP_CODES)
        codes.append(
            tflite.OperatorCode(
                deprecated_builtin_code=int(code),
                builtin_code=operator.builtin,
                custom_code=operator.custom_code,
                version=operator.version or LEAST_VERSIONS.get(operator.builtin, 1),
            )
        )
        tables.append(_operator(len(codes) - 1, operator))
    return tflite.SubGraph(
        tensors=tuple(rows),
        inputs=tuple(graph.inputs),
        outputs=tuple(graph.outputs),
        operators=tuple(tables),
        name=name,
    )


def _tensor(index: int, tensor: Tensor, buffers: list[tflite.Buffer]) -> tflite.Tensor:
    place = 0
    if tensor.data is not None or tensor.raw is not None:
        place = len(buffers)
        raw = tensor.raw if tensor.raw is not None else _bytes(tensor)
        buffers.append(tflite.Buffer(data=raw.reshape(-1).view(np.uint8)))
    quant = None
    if tensor.scale is not None:
        scale = np.atleast_1d(np.asarray(tensor.scale, np.float32))
        zero_point = np.broadcast_to(np.asarray(tensor.zero_point, np.int64), scale.shape).copy()
        quant = tflite.QuantizationParameters(scale=scale, zero_point=zero_point, quantized_dimension=tensor.axis)
    elif tensor.details is not None:
        quant = tflite.QuantizationParameters(details=tensor.details)
    return tflite.Tensor(
        shape=tuple(tensor.shape),
        type=TENSOR_TYPES[tensor.dtype],
        buffer=place,
        name=tensor.name or f"t{index}",
        quantization=quant,
        shape_signature=tuple(tensor.signature),
        has_rank=True,
        sparsity=tensor.sparsity,
        is_variable=tensor.variable,
    )


def _bytes(tensor: Tensor) -> Array:
    """Returns the elements as bytes; of 2 and 4 bits, the first is in a byte's lowest bits."""
    bits = {"int4": 4, "int2": 2}.get(tensor.dtype)
    if bits is None:
        return np.ascontiguousarray(tensor.data, ml_dtypes.bfloat16 if tensor.dtype == "bfloat16" else tensor.dtype)
    stored = np.asarray(tensor.data, np.int8).reshape(-1).view(np.uint8) & (1 << bits) - 1
    padded = np.append(stored, np.zeros(-stored.size % (8 // bits), np.uint8)).reshape(-1, 8 // bits)
    return np.asarray(np.bitwise_or.reduce(padded << np.arange(0, 8, bits, dtype=np.uint8), axis=1))


def _operator(index: int, operator: Operator) -> tflite.Operator:
    row = tfl_ops.BY_BUILTIN[operator.builtin]
    table = row.options(**operator.options) if row.options is not None else None
    return tflite.Operator(
        opcode_index=index,
        inputs=tuple(operator.inputs),
        outputs=tuple(operator.outputs),
        builtin_options=table if isinstance(table, tflite.BuiltinOptions) else None,
        builtin_options_2=table if isinstance(table, tflite.BuiltinOptions2) else None,
        custom_options=np.frombuffer(operator.custom_options, np.uint8) if operator.custom_options else None,
        intermediates=tuple(operator.intermediates),
    )


def diagonal(size: int) -> tflite.SparsityParameters:
    """Returns the sparsity of a square matrix that stores the elements of its diagonal."""
    levels = (
        tflite.DimensionMetadata(format=tflite.DimensionType.DENSE, dense_size=size),
        tflite.DimensionMetadata(
            format=tflite.DimensionType.SPARSE_CSR,
            array_segments=tflite.Uint8Vector(values=np.arange(size + 1, dtype=np.uint8)),
            array_indices=tflite.Uint8Vector(values=np.arange(size, dtype=np.uint8)),
        ),
    )
    return tflite.SparsityParameters(traversal_order=(0, 1), dim_metadata=levels)


REFERENCE, OPTIMIZED = "BUILTIN_REF", "BUILTIN_WITHOUT_DEFAULT_DELEGATES"


def run_litert(model: bytes, inputs: Sequence[Array], *, apart: bool = False, kernels: str = REFERENCE) -> list[Array]:
    """Returns the outputs of LiteRT's reference kernels, or of others, in one run."""
    return run_litert_steps(model, [inputs], apart=apart, kernels=kernels)[0]


def run_litert_steps(
    model: bytes, steps: Sequence[Sequence[Array]], *, apart: bool = False, kernels: str = REFERENCE
) -> list[list[Array]]:
    """Returns the outputs of LiteRT's kernels in several runs; `apart` gives every tensor its own memory.

    Without it, LiteRT 2.3.0 may lose a value that SQUEEZE or the like reads and a later operator too: their results
    share its memory, and the next addition is made in place.
    """
    litert = pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")
    interpreter = litert.Interpreter(
        model_content=model,
        experimental_op_resolver_type=getattr(litert.OpResolverType, kernels),
        experimental_preserve_all_tensors=apart,
    )
    for detail, array in zip(interpreter.get_input_details(), steps[0], strict=True):
        interpreter.resize_tensor_input(detail["index"], array.shape)
    interpreter.allocate_tensors()
    outputs = []
    for inputs in steps:
        for detail, array in zip(interpreter.get_input_details(), inputs, strict=True):
            interpreter.set_tensor(detail["index"], array)
        interpreter.invoke()
        outputs.append([interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()])
    return outputs
