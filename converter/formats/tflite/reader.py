"""The TFLite reader: a file becomes `tfl.*` graphs one to one; weights are views of the file."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError, listed
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.data_files import DataFiles
from tosa_converter.formats.elements import reshape_elements
from tosa_converter.formats.tflite.external_buffers import ExternalBuffers
from tosa_converter.formats.tflite.extras import INTERMEDIATES, OperatorExtras
from tosa_converter.formats.tflite.prepare import UNCOUNTED_RESULTS, import_note, import_problem
from tosa_converter.formats.tflite.quantization import read_block_size, read_scales
from tosa_converter.formats.tflite.sparse import stored_elements
from tosa_converter.ir import Array, Graph, Model, Op, Quant, Shape, Signature, TensorType, Value, unique_names
from tosa_converter.schemas import tfl_ops, tflite
from tosa_converter.schemas.flat import Table
from tosa_converter.schemas.opsets import RAW_CONSTANT, SPARSE_CONSTANT, TFL_CONSTANT, VARIABLE
from tosa_converter.schemas.tflite import BuiltinOperator

DTYPES: dict[tflite.TensorType, DType] = {
    tflite.TensorType.FLOAT32: DType.FP32,
    tflite.TensorType.FLOAT16: DType.FP16,
    tflite.TensorType.INT32: DType.I32,
    tflite.TensorType.UINT8: DType.UI8,
    tflite.TensorType.INT64: DType.I64,
    tflite.TensorType.STRING: DType.STRING,
    tflite.TensorType.BOOL: DType.BOOL,
    tflite.TensorType.INT16: DType.I16,
    tflite.TensorType.COMPLEX64: DType.COMPLEX64,
    tflite.TensorType.INT8: DType.I8,
    tflite.TensorType.FLOAT64: DType.FP64,
    tflite.TensorType.COMPLEX128: DType.COMPLEX128,
    tflite.TensorType.UINT64: DType.UI64,
    tflite.TensorType.RESOURCE: DType.RESOURCE,
    tflite.TensorType.VARIANT: DType.VARIANT,
    tflite.TensorType.UINT32: DType.UI32,
    tflite.TensorType.UINT16: DType.UI16,
    tflite.TensorType.INT4: DType.I4,
    tflite.TensorType.BFLOAT16: DType.BF16,
    tflite.TensorType.INT2: DType.I2,
    tflite.TensorType.UINT4: DType.UI4,
    tflite.TensorType.FLOAT8_E4M3FN: DType.FP8E4M3,
    tflite.TensorType.FLOAT8_E5M2: DType.FP8E5M2,
}
_BLOCKWISE_TYPES = (DType.I4, DType.I2)  # LiteRT computes blocks of these only
# Constants whose elements are not stored one by one: the attribute `values` holds what the file has.
_RAW_TYPES = (DType.STRING, DType.RESOURCE, DType.VARIANT)
MAX_DIMENSION = 0x7FFFFFFF
MOST_UNWRITTEN = 1 << 16  # elements of an operator's results that its kernel doesn't write


def read_tflite(data: flatbuffer.Bytes, *, file: str = "", data_files: DataFiles | None = None) -> Model:
    """Reads a `.tflite` file; `data_files` are those that may hold external buffers.

    Operators are named after their builtin code (`tfl.conv_2d`), custom ones `tfl.custom` with the attribute
    `custom_code`; attributes are the fields of their options table. An unknown dimension is None in a value's shape,
    and `Model.default_shapes` has the shape to use when nobody gives another.

    Raises:
        FormatError: malformed bytes, indices that point nowhere, or operators that LiteRT refuses, all of them.
        UnsupportedError: a signature whose input is none of its graph.
    """
    try:
        root = flatbuffer.read(tflite.Model, data, tflite.IDENTIFIER, file=file)
        return _Reader(root, data, data_files or DataFiles(file)).model(file)
    except FormatError as error:
        error.file = file
        raise


class _Reader:
    """Reads one TFLite file: the tables that its subgraphs share, and what is found out about them."""

    def __init__(self, root: tflite.Model, data: flatbuffer.Bytes, files: DataFiles) -> None:
        """Decodes a file's operator codes, which its subgraphs share.

        The readers of subgraphs add to `problems`, `notes` and `extras`.
        """
        self.root = root
        self.data = data
        self.external_buffers = ExternalBuffers(root, files)
        self.codes = [_builtin_code(code, i) for i, code in enumerate(root.operator_codes)]
        self.problems: list[str] = []
        self.notes: list[tuple[str, str]] = []
        self.extras: dict[Op | Value, Any] = {}
        self._elements: dict[tuple[int, int, DType], Array] = {}

    def model(self, file: str) -> Model:
        """Returns the model of all subgraphs.

        Raises:
            FormatError: LiteRT would refuse operators, all of which are listed, or the file contradicts itself.
        """
        if not self.root.subgraphs:
            raise FormatError("expected at least one subgraph, found none", path="Model.subgraphs")
        names = unique_names(graph.name or f"subgraph_{i}" for i, graph in enumerate(self.root.subgraphs))
        readers = [_Subgraph(self, i, name) for i, name in enumerate(names)]
        if self.problems:
            raise FormatError(*listed(self.problems))
        model = Model({reader.graph.name: reader.graph for reader in readers}, source=file, opset="tfl")
        model.notes = self.notes
        model.extras = self.extras
        model.default_shapes = {value: shape for reader in readers for value, shape in reader.shapes.items()}
        model.metadata = {entry.name: self.buffer(entry.buffer, "Model.metadata") for entry in self.root.metadata}
        model.metadata["description"] = self.root.description
        for i, definition in enumerate(self.root.signature_defs):
            signature = self.signature(definition, readers, f"Model.signature_defs[{i}]")
            model.signatures[definition.signature_key] = signature
        # LiteRT gets the model written anew in two cases: its interpreter reads no data files, and a signature's output
        # that its graph doesn't list was added to the graph.
        has_external_buffers = any(tensor.external_buffer for reader in readers for tensor in reader.table.tensors)
        model.edited = has_external_buffers or any(
            len(reader.graph.outputs) > len(reader.table.outputs) for reader in readers
        )
        return model

    def signature(self, definition: tflite.SignatureDef, readers: "list[_Subgraph]", place: str) -> Signature:
        """Returns a signature of the file; adds an output that its graph lacks, and refuses such an input."""
        if definition.subgraph_index >= len(readers):
            raise FormatError(f"no subgraph {definition.subgraph_index}", path=place)
        reader, key = readers[definition.subgraph_index], definition.signature_key
        inputs = {
            entry.name: reader.signature_value(entry.tensor_index, f"{place}.inputs") for entry in definition.inputs
        }
        outputs = {
            entry.name: reader.signature_value(entry.tensor_index, f"{place}.outputs") for entry in definition.outputs
        }
        for name, value in inputs.items():
            if value not in reader.graph.inputs:
                reason = f"the signature {key!r} takes {value.name!r} as {name!r}, which is no input of its graph"
                raise UnsupportedError(reason, places=[reason])
        for name, value in outputs.items():
            if value not in reader.graph.outputs:
                reader.graph.outputs.append(value)
                text = (
                    f"{value.name!r} is an output: signature {key!r} names it as {name!r}, the subgraph doesn't list it"
                )
                self.notes.append((f"output {value.name!r}", text))
        return Signature(reader.graph.name, inputs, outputs)

    def elements(self, raw: Array, dtype: DType) -> Array:
        """Returns the elements in a constant's bytes; graphs that read the same bytes share one array."""
        stretch = raw.ctypes.data, raw.size, dtype
        if stretch not in self._elements:
            self._elements[stretch] = stored_elements(raw, dtype)
        return self._elements[stretch]

    def tensor_data(self, tensor: tflite.Tensor, place: str) -> Array | None:
        """Returns the bytes of a tensor, in the file or in a data file beside it; None if it has none."""
        if tensor.external_buffer:
            return self.external_buffers.find(tensor, place)
        return self.buffer(tensor.buffer, place)

    def buffer(self, index: int, place: str) -> Array | None:
        """Returns a buffer's bytes, if they lie in the file, or None if it is empty, as buffer 0 always is."""
        if index >= len(self.root.buffers):
            raise FormatError(f"no buffer {index}, the file has {len(self.root.buffers)}", path=place)
        buffer = self.root.buffers[index]
        if buffer.offset > 1 and buffer.size:  # the flatbuffer writes 1 as a placeholder for "behind the file"
            if buffer.offset + buffer.size > len(self.data):
                raise FormatError(
                    f"buffer {index} takes bytes {buffer.offset} to {buffer.offset + buffer.size}, "
                    f"the file has {len(self.data)}",
                    path=place,
                )
            return np.frombuffer(self.data, np.uint8, buffer.size, buffer.offset)
        return buffer.data if buffer.data is not None and buffer.data.size else None


def _builtin_code(code: tflite.OperatorCode, index: int) -> BuiltinOperator:
    """Returns the builtin operator of an operator code, the larger of its two fields.

    Old writers fill only the first field, which ends at 127.
    """
    # 127 and 150 is operator 150; 9 and 0, by an old writer, is 9. New writers put min(code, 127) in the first field.
    number = max(code.deprecated_builtin_code, int(code.builtin_code))
    try:
        return BuiltinOperator(number)
    except ValueError:
        raise FormatError(f"unknown builtin code {number}", path=f"Model.operator_codes[{index}]") from None


class _Subgraph:
    """Builds the graph of one TFLite subgraph."""

    def __init__(self, reader: _Reader, index: int, name: str) -> None:
        """Reads subgraph `index` of the file into a graph called `name`, operators in the file's order."""
        self.reader = reader
        self.table = reader.root.subgraphs[index]
        self.place = f"Model.subgraphs[{index}]"
        self.graph = Graph(name)
        self.names = unique_names(tensor.name or f"tensor_{i}" for i, tensor in enumerate(self.table.tensors))
        self.values: dict[int, Value] = {}
        self.shapes: dict[Value, tuple[int, ...]] = {}
        for tensor in dict.fromkeys(self.table.inputs):  # LiteRT takes one that is listed twice for one
            self.graph.inputs.append(
                self._bind(tensor, Value(self._tensor_type(tensor), self._tensor_name(tensor)), "inputs")
            )
        for i, operator in enumerate(self.table.operators):
            self._add_operator(operator, i)
        self.graph.outputs = [self.use(tensor, "outputs") for tensor in self.table.outputs]

    def tensor(self, index: int, place: str = "tensors") -> tflite.Tensor:
        """Returns the table of a tensor by its index; raises FormatError if there is none."""
        if not 0 <= index < len(self.table.tensors):
            raise FormatError(f"no tensor {index}, there are {len(self.table.tensors)}", path=f"{self.place}.{place}")
        return self.table.tensors[index]

    def signature_value(self, index: int, place: str) -> Value:
        """Returns the value of a tensor that a signature names: a result, an input or a constant, but no variable."""
        if index not in self.values:
            tensor = self.table.tensors[index] if 0 <= index < len(self.table.tensors) else None
            if tensor is None or tensor.is_variable or self.reader.tensor_data(tensor, place) is None:
                raise FormatError(f"tensor {index} is neither an input nor made by an operator", path=place)
        return self.use(index, "outputs")

    def use(self, index: int, place: str) -> Value:
        """Returns the value of a tensor by its index: computed before, or a constant or variable that is added now."""
        value = self.values.get(index)
        if value is None:
            value = self._add_constant(index, place)
        return value

    def _bind(self, index: int, value: Value, place: str) -> Value:
        """Binds a tensor's index to its value, and stores its default shape; raises FormatError if it is bound already.

        Details of quantization that aren't in the value's type are stored for the writer; blocks are in the type.
        """
        if index in self.values:
            raise FormatError(f"tensor {index} ({value.name!r}) is made twice", path=f"{self.place}.{place}")
        self.values[index] = value
        tensor = self.tensor(index)
        quantization = tensor.quantization
        has_blocks = value.type.quant is not None and value.type.quant.block
        if quantization is not None and quantization.details is not None and not has_blocks:
            self.reader.extras[value] = quantization.details
        if None in value.type.shape:
            # shape_signature [-1, 8] with shape [1, 8] gives the type None x 8 and the default shape 1 x 8.
            shape = tuple(tensor.shape)
            is_static = len(shape) == value.type.rank and -1 not in shape
            self.shapes[value] = shape if is_static else tuple(size or 1 for size in value.type.shape)
        return value

    def _tensor_name(self, index: int) -> str:
        """Returns the unique name of a tensor, after a check of its index."""
        self.tensor(index)
        return self.names[index]

    def _tensor_type(self, index: int, place: str = "tensors") -> TensorType:
        """Returns the type of a tensor by its index: element type, shape with None for unknown sizes, quantization."""
        tensor = self.tensor(index, place)
        signature = tensor.shape_signature if len(tensor.shape_signature) == len(tensor.shape) else tensor.shape
        for sizes in dict.fromkeys((signature, tensor.shape)):
            if sizes and not (min(sizes) >= -1 and max(sizes) <= MAX_DIMENSION):
                raise FormatError(
                    f"expected sizes of -1 or more, found a shape of {list(sizes)}",
                    path=f"{self.place}.tensors[{index}]",
                )
        shape: Shape = tuple(None if size == -1 else size for size in signature) if -1 in signature else signature
        return TensorType(DTYPES[tensor.type], shape, self._read_quant(tensor, index))

    def _read_quant(self, tensor: tflite.Tensor, index: int) -> Quant | None:
        """Returns the quantization parameters of a tensor, checked, or None if it has none."""
        table = tensor.quantization
        if table is not None and isinstance(table.details, tflite.BlockwiseQuantization):
            return self._read_blocks(tensor, table.details, index)
        if table is None:
            return None
        return read_scales(table, tensor.shape, f"{self.place}.tensors[{index}].quantization")

    def _read_blocks(self, tensor: tflite.Tensor, details: tflite.BlockwiseQuantization, index: int) -> Quant | None:
        """Returns the quantization of a matrix with a scale for each block of a row.

        None if there are zero points, or the element type or rank has no such quantization in LiteRT. The scales are a
        constant tensor of fp16, in rows: a matrix [40, 256] with blocks of 32 has 40 * 8 of them.
        """
        place = f"{self.place}.tensors[{index}].quantization.details"
        shape, block = tensor.shape, read_block_size(details, place)
        has_zero_points = details.zero_points > 0  # 0 is the schema's default, and -1 what writers put for none
        if DTYPES[tensor.type] not in _BLOCKWISE_TYPES or len(shape) != 2 or has_zero_points:
            return None
        scales = self.tensor(details.scales, "quantization.details.scales")
        if block < 1 or shape[1] % block:
            raise FormatError(f"expected blocks that divide rows of {shape[1]}, found blocks of {block}", path=place)
        count = shape[0] * shape[1] // block
        data = self.reader.tensor_data(scales, place)
        if scales.type is not tflite.TensorType.FLOAT16 or data is None or data.size != 2 * count:
            actual = f"{DTYPES[scales.type].value}{list(scales.shape)}"
            raise FormatError(f"expected {count} constant scales of fp16, found a tensor {actual}", path=place)
        values = data.view(np.float16).astype(np.float64)
        if not (np.isfinite(values).all() and (values >= 0).all()):
            raise FormatError("expected finite scales of 0 or more for blocks", path=place)
        return Quant(tuple(values.tolist()), (0,) * count, axis=0, block=block)

    def _add_constant(self, index: int, place: str) -> Value:
        """Adds an operator for a tensor that nothing computes, a constant or variable; returns its result."""
        tensor = self.tensor(index, place)
        type, name = self._tensor_type(index), self.names[index]
        if None in type.shape and -1 not in tensor.shape:  # `shape` has all sizes of a constant
            type = type._replace(shape=tuple(tensor.shape))
        where = f"{self.place}.tensors[{index}]"
        data = self.reader.tensor_data(tensor, where)
        if tensor.is_variable:
            if data is not None:
                raise FormatError(f"expected no data for a variable tensor, found {data.size} bytes", path=where)
            op = Op(VARIABLE, (), [type], {}, location=where, result_names=[name])
        else:
            opcode, attributes = self._constant_attributes(tensor, type, data, where)
            op = Op(opcode, (), [type], attributes, location=where, result_names=[name])
        self.graph.ops.append(op)
        return self._bind(index, op.result, place)

    def _constant_attributes(
        self, tensor: tflite.Tensor, type: TensorType, data: Array | None, where: str
    ) -> tuple[str, dict[str, Any]]:
        """Returns a constant's opcode and attributes: its elements, or raw bytes if it is sparse or of strings.

        Raises:
            FormatError: the constant has no data, another number of bytes than its type, or an unknown size.
        """
        raw = data if data is not None else np.zeros(0, np.uint8)
        if tensor.sparsity is not None:
            return SPARSE_CONSTANT, {"values": raw, "sparsity": tensor.sparsity}
        if type.dtype in _RAW_TYPES:
            return RAW_CONSTANT, {"values": raw}
        if None in type.shape:
            raise FormatError(f"expected a known shape for a constant, found {list(tensor.shape)}", path=where)
        # 3 elements of 4 bits are (12 + 7) // 8 = 2 bytes, and the second one's upper half is padding.
        byte_count = (type.elements * type.dtype.bits + 7) // 8
        if data is None and byte_count:
            raise FormatError(f"{type} is no input, has no data, and no operator before makes it", path=where)
        if tensor.external_buffer:
            raw = raw[:byte_count]  # a slice of a data file may be longer, for LiteRT too
        if raw.size != byte_count:
            raise FormatError(f"expected {byte_count} bytes for constant {type}, found {raw.size}", path=where)
        elements = self.reader.elements(raw, type.dtype)
        return TFL_CONSTANT, {"values": reshape_elements(elements[: type.elements], type.static)}

    def _add_operator(self, operator: tflite.Operator, index: int) -> None:
        """Adds an operator of the file to the graph, with its operands, attributes and results.

        Results that LiteRT's kernel doesn't write become constants of zeros.
        """
        place = f"operators[{index}]"
        if operator.opcode_index >= len(self.reader.codes):
            raise FormatError(f"no operator code {operator.opcode_index}", path=f"{self.place}.{place}")
        row = tfl_ops.BY_BUILTIN.get(self.reader.codes[operator.opcode_index])
        if row is None:
            code = self.reader.codes[operator.opcode_index].name
            raise FormatError(f"{code} is not the code of an operator", path=f"{self.place}.{place}")
        written, unwritten = self._split_results(operator, row, place)
        names = [self._tensor_name(tensor) for tensor in written]
        first = names[0] if names else ""
        op = Op(
            row.opcode,
            [None if tensor == -1 else self.use(tensor, place) for tensor in operator.inputs],
            [self._tensor_type(tensor, place) for tensor in written],
            self._read_attributes(operator, row, place),
            location=f"{self.graph.name}:{index} {row.builtin.name} {first!r}",
            result_names=names,
        )
        self._check_operator(op)
        self._keep_extras(operator, op, place)
        self.graph.ops.append(op)
        for tensor, value in zip(written, op.results, strict=True):
            self._bind(tensor, value, place)
        for tensor in unwritten:
            self._add_zeros_for_unwritten(tensor, op.location, place)

    def _split_results(
        self, operator: tflite.Operator, row: tfl_ops.TflOp, place: str
    ) -> tuple[Sequence[int], Sequence[int]]:
        """Splits an operator's result tensors into those that LiteRT's kernel writes and those that it doesn't.

        The kernels in UNCOUNTED_RESULTS take any number of results and write the first. The others are split off if
        constants of zeros can stand for them: if their shapes are known and they have few elements in all.
        """
        tensors = operator.outputs
        types = [self._tensor_type(tensor, place) for tensor in tensors[1:]] if row.opcode in UNCOUNTED_RESULTS else []
        plain = all(type.dtype not in _RAW_TYPES and None not in type.shape for type in types)
        if plain and sum(type.elements for type in types) <= MOST_UNWRITTEN:
            written = len(tensors) - len(types)
            return tensors[:written], tensors[written:]
        return tensors, ()

    def _add_zeros_for_unwritten(self, tensor: int, location: str, place: str) -> None:
        """Adds a constant of zeros for a result that LiteRT's kernel doesn't write, and a note about it."""
        type, name = self._tensor_type(tensor, place), self._tensor_name(tensor)
        zeros = {"values": np.zeros(type.static, type.dtype.numpy)}
        op = Op(TFL_CONSTANT, (), [type], zeros, location=location, result_names=[name])
        self.graph.ops.append(op)
        self._bind(tensor, op.result, place)
        note = f"LiteRT's kernel writes one result only: zeros stand for {name!r}, which has any values there"
        self.reader.notes.append((location, note))

    def _keep_extras(self, operator: tflite.Operator, op: Op, place: str) -> None:
        """Keeps what only the writer needs: kernel version, mutated inputs and intermediate tensors of an operator."""
        version = self.reader.root.operator_codes[operator.opcode_index].version
        if version != 1 or operator.intermediates or operator.mutating_variable_inputs:
            intermediates = [
                None if i == -1 else Value(self._tensor_type(i, place), self._tensor_name(i))
                for i in operator.intermediates
            ]
            self.reader.extras[op] = OperatorExtras(version, operator.mutating_variable_inputs, tuple(intermediates))

    def _check_operator(self, op: Op) -> None:
        """Records why LiteRT would refuse an operator, or else a note about how it reads it."""
        problem = import_problem(op)
        if problem is not None:
            self.reader.problems.append(f"{op.location}: {problem}")
            return
        note = import_note(op)
        if note is not None:
            self.reader.notes.append((op.location, note))

    def _read_attributes(self, operator: tflite.Operator, row: tfl_ops.TflOp, place: str) -> dict[str, Any]:
        """Returns an operator's attributes: the fields of its options table, or a custom operator's code and bytes.

        The quantization of intermediate tensors, where operators have some, is an attribute too.
        """
        code = self.reader.root.operator_codes[operator.opcode_index]
        options: Table | None = operator.builtin_options or operator.builtin_options_2
        if options is None:
            options = row.options() if row.options is not None else None
        elif row.options is not None and not isinstance(options, row.options):
            raise FormatError(
                f"expected {row.options.__name__}, found {type(options).__name__}", path=f"{self.place}.{place}"
            )
        attributes: dict[str, Any] = dict(options.fields()) if options is not None else {}
        if row.builtin is BuiltinOperator.CUSTOM:
            attributes = {"custom_code": code.custom_code, "custom_options": self._custom_options(operator, place)}
        if row.intermediates:
            types = [None if tensor == -1 else self._tensor_type(tensor, place) for tensor in operator.intermediates]
            attributes[INTERMEDIATES] = tuple(None if type is None else type.quant for type in types)
        return attributes

    def _custom_options(self, operator: tflite.Operator, place: str) -> bytes:
        """Returns the bytes of a custom operator's options, inside the flatbuffer or behind it."""
        start, size = operator.large_custom_options_offset, operator.large_custom_options_size
        if start > 1 and size:
            if start + size > len(self.reader.data):
                raise FormatError("custom options lie outside the file", path=f"{self.place}.{place}")
            return bytes(self.reader.data[start : start + size])
        return b"" if operator.custom_options is None else operator.custom_options.tobytes()
