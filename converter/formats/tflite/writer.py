"""The TFLite writer: `tfl.*` graphs as a `.tflite` file; weights are views of what they were read from."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from tosa_converter.errors import UnsupportedError
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.elements import pack
from tosa_converter.formats.tflite.extras import INTERMEDIATES, OperatorExtras
from tosa_converter.formats.tflite.reader import DTYPES
from tosa_converter.ir import Array, Graph, Model, Op, Quant, Signature, Value
from tosa_converter.schemas import tfl_ops, tflite
from tosa_converter.schemas.opsets import VARIABLE
from tosa_converter.schemas.tflite import BuiltinOperator

SCHEMA_VERSION = 3
_TYPES = {dtype: type for type, dtype in DTYPES.items()}
# Places in memory by the numbers of tensors, which aren't kept: TensorFlow Lite Micro plans anew without it.
_PLAN = "OfflineMemoryAllocation"


def write_tflite(model: Model) -> list[flatbuffer.Bytes]:
    """Returns a TFLite model as the pieces of a file; tensors are numbered in order of appearance.

    Operators get the version that they were read with, else 1, which every kernel of LiteRT takes. Constants that share
    memory share a buffer.

    Raises:
        UnsupportedError: an operator, option or element type that the schema doesn't have, quantization whose
            parameters are tensors, or a file beyond 2 GB.
    """
    return flatbuffer.write(_Writer(model).root, tflite.IDENTIFIER)


class _Writer:
    """Encodes a TFLite file: the tables that its subgraphs share."""

    def __init__(self, model: Model) -> None:
        """Encodes all subgraphs of a model, and the tables that they share, into `root`.

        Metadata that is text, or TensorFlow Lite Micro's plan of its memory, is left out.
        """
        self.model = model
        self.buffers = [tflite.Buffer()]  # the first one is for tensors without data
        self.places: dict[tuple[int, int], int] = {}  # of buffers by their memory: address, size
        self.codes: dict[tuple[BuiltinOperator, str, int], int] = {}
        self.graphs = {name: _Subgraph(self, graph) for name, graph in model.graphs.items()}
        metadata = tuple(
            tflite.Metadata(name=name, buffer=self.buffer_index(_as_array(content)))
            for name, content in model.metadata.items()
            # The plan holds offsets by tensor number, and numbers change. Text is the description, or of other formats.
            if name != _PLAN and not isinstance(content, str)
        )
        signatures = tuple(self._signature_table(key, signature) for key, signature in model.signatures.items())
        self.root = tflite.Model(
            version=SCHEMA_VERSION,
            operator_codes=tuple(map(_operator_code, self.codes)),
            subgraphs=tuple(graph.table(name) for name, graph in self.graphs.items()),
            description=str(model.metadata.get("description", "")),
            buffers=tuple(self.buffers),
            metadata=metadata,
            signature_defs=signatures,
        )

    def buffer_index(self, content: Array | None) -> int:
        """Returns the index of the buffer with these bytes; arrays at the same memory share one, 0 is the empty one."""
        if content is None or not content.size:
            return 0
        # Address and size: views of one place are one buffer, though they are different objects. Every array stays
        # in `buffers`, so no other can get an address that is taken.
        memory = (content.__array_interface__["data"][0], content.nbytes)
        place = self.places.setdefault(memory, len(self.buffers))
        if place == len(self.buffers):
            self.buffers.append(tflite.Buffer(data=content))
        return place

    def code_index(self, builtin: BuiltinOperator, custom_code: str, version: int) -> int:
        """Returns the index of an operator code, which is added when it is first asked for."""
        return self.codes.setdefault((builtin, custom_code, version), len(self.codes))

    def _signature_table(self, key: str, signature: Signature) -> tflite.SignatureDef:
        """Returns the flatbuffer table of a signature."""
        graph = self.graphs[signature.graph]
        return tflite.SignatureDef(
            signature_key=key,
            subgraph_index=list(self.graphs).index(signature.graph),
            inputs=graph.signature_tensors(signature.inputs),
            outputs=graph.signature_tensors(signature.outputs),
        )


def _as_array(content: Any) -> Array | None:
    """Returns bytes as a numpy array; anything else is returned as it is."""
    return np.frombuffer(content, np.uint8) if isinstance(content, bytes | bytearray | memoryview) else content


def _operator_code(key: tuple[BuiltinOperator, str, int]) -> tflite.OperatorCode:
    """Returns the flatbuffer table of an operator code, with both of its fields.

    Old readers use the first field, which ends at 127.
    """
    builtin, custom_code, version = key
    return tflite.OperatorCode(
        # CONV_2D (3) is 3 and 3; code 150 is 127 and 150.
        deprecated_builtin_code=min(int(builtin), int(BuiltinOperator.PLACEHOLDER_FOR_GREATER_OP_CODES)),
        builtin_code=builtin,
        custom_code=custom_code,
        version=version,
    )


class _Subgraph:
    """Collects the flatbuffer tables of one graph: its tensors and operators."""

    def __init__(self, writer: _Writer, graph: Graph) -> None:
        """Encodes the tensors and operators of a graph."""
        self.writer = writer
        self.indices: dict[Value, int] = {}
        self.tensors: list[tflite.Tensor] = []
        self.inputs = self.tensor_indices(graph.inputs)
        self.operators = tuple(self.operator_table(op) for op in graph.ops if not op.declares)
        self.outputs = self.tensor_indices(graph.outputs)

    def table(self, name: str) -> tflite.SubGraph:
        """Returns the subgraph's flatbuffer table; call it after all signatures, which may add tensors."""
        return tflite.SubGraph(
            name=name,
            tensors=tuple(self.tensors),
            inputs=self.inputs,
            outputs=self.outputs,
            operators=self.operators,
        )

    def tensor_indices(self, values: Iterable[Value | None]) -> tuple[int, ...]:
        """Returns the indices of values' tensors, -1 for absent ones."""
        return tuple(-1 if value is None else self.tensor_index(value) for value in values)

    def tensor_index(self, value: Value) -> int:
        """Returns the index of a value's tensor, which is added when it is first asked for."""
        index = self.indices.get(value)
        if index is None:
            tensor = self.tensor_table(value)  # which may add a tensor of scales before it
            index = self.indices[value] = len(self.tensors)
            self.tensors.append(tensor)
        return index

    def signature_tensors(self, values: dict[str, Value]) -> tuple[tflite.TensorMap, ...]:
        """Returns a signature's inputs or outputs as tables of a name and a tensor index."""
        return tuple(
            tflite.TensorMap(name=name, tensor_index=self.tensor_index(value)) for name, value in values.items()
        )

    def tensor_table(self, value: Value) -> tflite.Tensor:
        """Returns the flatbuffer table of a value's tensor: type, shape, buffer and quantization.

        Raises UnsupportedError for an element type that TFLite doesn't have.
        """
        op, type = value.producer, value.type
        if type.dtype not in _TYPES:
            raise UnsupportedError(f"{value.name}: TFLite has no element type {type.dtype.value}")
        attributes = op.attributes if op is not None and op.declares else {}
        # None x 8 is written as shape [1, 8] with shape_signature [-1, 8].
        default = self.writer.model.default_shapes.get(value, type.shape)
        return tflite.Tensor(
            shape=tuple(1 if size is None else size for size in default),
            shape_signature=tuple(-1 if size is None else size for size in type.shape) if None in type.shape else (),
            has_rank=True,
            type=_TYPES[type.dtype],
            name=value.name,
            buffer=self.writer.buffer_index(_constant_bytes(value, attributes)),
            quantization=self.quantization_table(value),
            is_variable=op is not None and op.name == VARIABLE,
            sparsity=attributes.get("sparsity"),
        )

    def quantization_table(self, value: Value) -> tflite.QuantizationParameters | None:
        """Returns the flatbuffer table of a tensor's quantization; None without any.

        Scales of blocks become a tensor of fp16. Raises UnsupportedError for scales that fp16 doesn't hold.
        """
        quant = value.type.quant
        if quant is None or not quant.block:
            return _quantization_table(quant, self.writer.model.extras.get(value), value.name)
        scales = np.array(quant.scale, np.float16)
        if not np.array_equal(scales, quant.scale):
            raise UnsupportedError(f"{value.name}: TFLite has scales of blocks in fp16, which doesn't hold these")
        rows, depth = value.type.static
        type = tflite.TensorType.FLOAT16
        buffer = self.writer.buffer_index(scales.view(np.uint8))
        shape = rows, depth // quant.block
        self.tensors.append(
            tflite.Tensor(shape=shape, has_rank=True, type=type, name=f"{value.name}_scales", buffer=buffer)
        )
        details = tflite.BlockwiseQuantization(scales=len(self.tensors) - 1, zero_points=-1, block_size=quant.block)
        return tflite.QuantizationParameters(details=details)

    def operator_table(self, op: Op) -> tflite.Operator:
        """Returns the flatbuffer table of an operator; raises UnsupportedError if TFLite has no such operator."""
        row = tfl_ops.BY_OPCODE.get(op.name)
        if row is None:
            raise UnsupportedError(f"{op.location or self}: {op.name} is not an operator of TFLite")
        extras: OperatorExtras = self.writer.model.extras.get(op, _NONE)
        custom = row.builtin is BuiltinOperator.CUSTOM
        options = None if custom or row.options is None else _options_table(op, row.options)
        raw = op.attributes.get("custom_options", b"") if custom else b""
        return tflite.Operator(
            opcode_index=self.writer.code_index(
                row.builtin, op.attributes["custom_code"] if custom else "", extras.version
            ),
            inputs=self.tensor_indices(op.inputs),
            outputs=self.tensor_indices(op.results),
            builtin_options=options if isinstance(options, tflite.BuiltinOptions) else None,
            builtin_options_2=options if isinstance(options, tflite.BuiltinOptions2) else None,
            custom_options=np.frombuffer(raw, np.uint8) if raw else None,
            mutating_variable_inputs=extras.mutating_variable_inputs,
            intermediates=self.tensor_indices(extras.intermediates),
        )


_NONE = OperatorExtras()


def _constant_bytes(value: Value, attributes: dict[str, Any]) -> Array | None:
    """Returns the bytes of a constant as TFLite stores them, raw ones as they were read; None for other values.

    `attributes` are those of the operator that declares it.
    """
    values = attributes.get("values")
    if values is None or value.constant is None:
        return values
    return pack(values, value.type.dtype)


def _quantization_table(
    quant: Quant | None, details: tflite.QuantizationDetails | None, name: str
) -> tflite.QuantizationParameters | None:
    """Returns the flatbuffer table of a tensor's quantization, or None if it has none.

    Raises UnsupportedError for blockwise and multi-axis parameters; custom `details` are kept.
    """
    if isinstance(details, tflite.BlockwiseQuantization | tflite.MultiAxisQuantization):
        raise UnsupportedError(f"{name}: quantization whose parameters are tensors can't be written")
    if quant is None:
        return None if details is None else tflite.QuantizationParameters(details=details)
    return tflite.QuantizationParameters(
        scale=np.array(quant.scale, np.float32),
        zero_point=np.array(quant.zero_point, np.int64),
        quantized_dimension=quant.axis or 0,
        details=details,
    )


def _options_table(op: Op, table: type[Any]) -> Any:
    """Returns the options table of an operator; raises UnsupportedError for an attribute that the table lacks.

    Attributes that TFLite has no option for are left out: intermediates, which are tensors, and the user's bounds.
    """
    unwritten = (INTERMEDIATES, tfl_ops.BOUND) if op.name in tfl_ops.BOUNDED else (INTERMEDIATES,)
    attributes = {name: value for name, value in op.attributes.items() if name not in unwritten}
    unknown = sorted(attributes.keys() - table.__annotations__.keys())
    if unknown:
        raise UnsupportedError(f"{op.location or op.name}: {table.__name__} has no {', '.join(unknown)}")
    return table(**attributes)
