"""VGF files: a graph module with its constants, inputs and outputs in one file, read and written by the VGF library.

A file has one segment, whose module is a graph's. Names of inputs and outputs are the file's.
"""

import io
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any, TypeVar

import numpy as np

from tosa_converter.errors import FormatError, MissingExtra, UnsupportedError
from tosa_converter.formats.borders import encode_borders
from tosa_converter.formats.shared import SharedArrays
from tosa_converter.formats.spirv.constants import graph_paths, storage_array
from tosa_converter.formats.spirv.reader import read_spirv
from tosa_converter.formats.spirv.writer import Module, module_type, write_spirv
from tosa_converter.formats.storage import Bytes, FilePath, atomically
from tosa_converter.ir import Array, Graph, Model, Signature, TensorType, Value
from tosa_converter.schemas.vulkan import DESCRIPTOR_TYPE_TENSOR, FORMATS

T = TypeVar("T")

# The header's entry for the section of constants: its offset and size. The section begins with its version and the
# number of constants; each has a record: index of its resource, sparse dimension, size, and offset behind the records.
_SECTION = struct.Struct("<QQ")
_CONSTANTS_ENTRY = 64
_CONSTANTS = struct.Struct("<8sQ")
_CONSTANTS_VERSION = b"CONST00\0"
_CONSTANT = struct.Struct("<IiQQ")
HEADERS_VERSION = 0  # the writer wasn't compiled against any Vulkan headers


def save_vgf(model: Model, path: FilePath, *, debug: bool = False) -> int:
    """Writes a TOSA model as a `.vgf` file for each graph, at `graph_paths`, and returns the size of all.

    Raises:
        MissingExtra: the VGF library is not installed.
        UnsupportedError: a graph can't be a graph module.
        UsageError: the folder can't be written to.
    """
    encoders = [_fill_encoder(model, graph, debug) for graph in model.graphs.values()]
    size = 0
    for encoder, target in zip(encoders, graph_paths(model, path), strict=True):
        with atomically(target) as file:
            _write_encoded(encoder, file)
            size += file.tell()
    return size


def write_vgf(model: Model, *, debug: bool = False) -> list[Bytes]:
    """Returns a TOSA model of one graph as the bytes of a `.vgf` file; `debug` keeps names and locations."""
    if len(model.graphs) > 1:
        raise UnsupportedError(
            f"a VGF holds one graph, the model has {', '.join(model.graphs)}",
            "next: take one graph with --signature NAME, or write a .tosa",
        )
    stream = io.BytesIO()
    _write_encoded(_fill_encoder(model, model.main, debug), stream)
    return [stream.getbuffer()]


def _fill_encoder(model: Model, graph: Graph, debug: bool) -> "_Encoder":
    """Returns the VGF library's encoder, filled with a graph as a SPIR-V module, its constants and its interface.

    `debug` keeps names and locations.
    """
    called = model.caller_names(graph)
    return _Encoder(
        _import_library(),
        write_spirv(graph, debug=debug, called=called, borders=encode_borders(model, graph, called)),
        called,
    )


def _write_encoded(encoder: "_Encoder", stream: IO[bytes]) -> None:
    """Writes the VGF file of an encoder to a stream; raises UnsupportedError if the library can't.

    The library would hold all constants in memory three times over, so it writes a byte for each, and their section,
    the last of the file, is written here: a version, their number, a record for each, and their elements.
    """
    buffer = io.BytesIO()
    if not encoder.encoder.WriteTo(buffer):
        raise UnsupportedError("the VGF library can't write the model")
    data = bytearray(buffer.getbuffer())
    begin, _ = _SECTION.unpack_from(data, _CONSTANTS_ENTRY)
    version, count = _CONSTANTS.unpack_from(data, begin)
    if version != _CONSTANTS_VERSION or count != len(encoder.constants):
        raise UnsupportedError(f"expected a VGF library that writes constants as {_CONSTANTS_VERSION!r}")
    records, pieces, size = _lay_out_constants(encoder.constants, data[begin + _CONSTANTS.size :])
    _SECTION.pack_into(data, _CONSTANTS_ENTRY, begin, _CONSTANTS.size + len(records) + size)
    stream.write(data[: begin + _CONSTANTS.size] + records)
    for piece in pieces:
        stream.write(piece)


def _lay_out_constants(constants: Sequence[Array], records: bytearray) -> tuple[bytearray, list[Bytes], int]:
    """Returns the records of constants with their sizes and offsets, their bytes in pieces, and the size of these.

    Equal constants are written once, and each begins at a multiple of 8 bytes.
    """
    pieces: list[Bytes] = []
    shared, size = SharedArrays(), 0
    for number, array in enumerate(constants):
        content, end = array.reshape(-1).view(np.uint8), size

        def add(content: Array = content, end: int = end) -> int:
            """Appends the elements and their padding, and returns where they begin."""
            pieces.extend((content.data, bytes(-content.size % 8)))
            return end

        offset = shared.number(content, add)
        size += content.size + -content.size % 8 if offset == end else 0
        index, sparsity, _, _ = _CONSTANT.unpack_from(records, number * _CONSTANT.size)
        _CONSTANT.pack_into(records, number * _CONSTANT.size, index, sparsity, content.size, offset)
    return records[: len(constants) * _CONSTANT.size], pieces, size


def _import_library() -> Any:
    """Imports and returns the VGF library; raises MissingExtra if it isn't installed."""
    try:
        import vgfpy
    except ImportError:
        raise MissingExtra("VGF", "vgf") from None
    return vgfpy


class _Encoder:
    """Fills the library's encoder with a module, its constants and its interface."""

    def __init__(self, vgf: Any, module: Module, called: Mapping[Value, str]) -> None:
        """Adds a SPIR-V module, its constants, and its inputs and outputs with their names to a new VGF file."""
        self.vgf = vgf
        self.encoder = encoder = vgf.CreateEncoder(HEADERS_VERSION)
        name = module.entry_point
        code = encoder.AddModule(vgf.ModuleType.Graph, name, name, module.words)
        self.constants = [storage_array(value) for value in module.constants]
        constants = [
            vgf.GraphConstantBindingRef(number, self._add_constant(value))
            for number, value in enumerate(module.constants)
        ]
        inputs = [
            encoder.AddBindingSlot(i, encoder.AddInputResource(*self._describe_tensor(value)))
            for i, value in enumerate(module.inputs)
        ]
        outputs = [
            # Numbers go on behind the inputs': two inputs and an output bind 0, 1 and 2, as the module's variables do.
            encoder.AddBindingSlot(i, encoder.AddOutputResource(*self._describe_tensor(value)))
            for i, value in enumerate(module.outputs, len(inputs))
        ]
        descriptors = [encoder.AddDescriptorSetInfo([*inputs, *outputs], 0)]
        encoder.AddSegmentInfo(code, name, descriptors, inputs, outputs, constants)
        input_names = [called[value] or f"input_{i}" for i, value in enumerate(module.inputs)]
        output_names = [called[value] or f"output_{i}" for i, value in enumerate(module.outputs)]
        encoder.AddModelSequenceInputsOutputs(inputs, input_names, outputs, output_names)
        encoder.Finish()

    def _describe_tensor(self, value: Value) -> tuple[int, int, list[int], list[int]]:
        """Returns a tensor's descriptor type, Vulkan format, shape and strides for a VGF; no strides mean packed.

        A tensor of rank 0 keeps its rank here, other than in the module.
        """
        format = FORMATS[module_type(value.type).dtype.value].number
        return DESCRIPTOR_TYPE_TENSOR, format, list(value.type.static), []

    def _add_constant(self, value: Value) -> Any:
        """Adds a graph constant to the VGF file, and returns the reference to it.

        The library gets one byte in place of the elements, which `_write_encoded` writes: the library would hold all of
        them in memory several times.
        """
        _, *described = self._describe_tensor(value)
        return self.encoder.AddConstant(self.encoder.AddConstantResource(*described), np.zeros(1, np.uint8))


def read_vgf(data: Bytes, *, file: str = "") -> Model:
    """Reads a `.vgf` file of one graph segment.

    Raises:
        FormatError: malformed bytes, or a malformed module in it.
        MissingExtra: the VGF library is not installed.
        UnsupportedError: several segments, shaders, sparse constants.
    """
    return _decode(data, file, lambda decoder: decoder.model(file))


def vgf_module(data: Bytes) -> bytes:
    """Returns the SPIR-V module in a `.vgf` file as bytes; raises the errors of `read_vgf`."""
    return _decode(data, "", _Decoder.module)


def _decode(data: Bytes, file: str, decode: Callable[["_Decoder"], T]) -> T:
    """Returns what `decode` makes of a VGF file; the library's exceptions become FormatError."""
    vgf = _import_library()
    try:
        return decode(_Decoder(vgf, data))
    except FormatError as wrong:
        wrong.file = wrong.file or file
        raise
    except (RuntimeError, ValueError, IndexError, TypeError) as wrong:  # the library's own
        raise FormatError(f"the VGF library refuses it: {wrong}", file=file) from None


class _Decoder:
    """The library's decoders for the four sections of a file."""

    def __init__(self, vgf: Any, data: Bytes) -> None:
        """Reads the header of a VGF file, and creates the library's decoders for its four sections."""
        raw = bytes(data)
        if len(raw) < vgf.HeaderSize():
            raise FormatError(f"expected a header of {vgf.HeaderSize()} bytes, found {len(raw)}")
        header = vgf.CreateHeaderDecoder(raw, vgf.HeaderSize(), len(raw))
        if header is None or not header.IsValid() or not header.CheckVersion():
            raise FormatError("expected the header of a VGF of this version")
        self.vgf = vgf
        self.sections: list[bytes] = []  # the decoders read these bytes, which must live as long as they do
        self.raw = raw
        self.modules = self._section_decoder(vgf.CreateModuleTableDecoder, header, "ModuleTable")
        self.sequence = self._section_decoder(vgf.CreateModelSequenceTableDecoder, header, "ModelSequenceTable")
        self.resources = self._section_decoder(vgf.CreateModelResourceTableDecoder, header, "ModelResourceTable")
        self.constants = self._section_decoder(vgf.CreateConstantDecoder, header, "Constants")

    def _section_decoder(self, create: Any, header: Any, name: str) -> Any:
        """Returns the library's decoder of a section of the file, after a check that the section lies in it."""
        offset, size = getattr(header, f"Get{name}Offset")(), getattr(header, f"Get{name}Size")()
        if offset + size > len(self.raw):
            raise FormatError(f"expected {name} of {size} bytes at {offset}, found {len(self.raw)} bytes")
        section = self.raw[offset : offset + size]
        self.sections.append(section)
        decoder = create(section, size)
        if decoder is None:
            raise FormatError(f"the VGF library refuses the section {name} at byte {offset}")
        return decoder

    def module(self) -> bytes:
        """Returns the SPIR-V words of the file's only segment."""
        segments = self.sequence.modelSequenceTableSize()
        if segments != 1:
            raise UnsupportedError(f"expected a VGF of one segment, found {segments}")
        index = self.sequence.getSegmentModuleIndex(0)
        if index >= self.modules.size() or not self.modules.hasSPIRVCode(index):
            raise UnsupportedError("expected a VGF with a module of SPIR-V")
        return np.asarray(self.modules.getSPIRVModuleCode(index), np.uint32).tobytes()

    def model(self, file: str) -> Model:
        """Returns the model of the VGF file's only segment; inputs and outputs have the names in the file."""
        words = self.module()
        self.bindings = {
            binding.graphConstantId: binding.constantIndex for binding in self.sequence.getSegmentConstantBindings(0)
        }
        model = read_spirv(words, file=file, constants=self._constant_elements)
        self._rename_interface(model)
        return model

    def _constant_elements(self, number: int, type: TensorType) -> Array:
        """Returns the elements of the graph constant of that number, which the file must hold in this type."""
        index = self.bindings.get(number)
        if index is None or index >= self.constants.size():
            raise FormatError(f"graph constant {number} is missing")
        if self.constants.isSparseConstant(index):
            raise UnsupportedError(f"graph constant {number} is sparse")
        data = np.asarray(self.constants.getConstant(index)).view(np.uint8)
        expected = type.elements * type.dtype.numpy.itemsize
        if data.size != expected:
            raise FormatError(f"graph constant {number}: expected {expected} bytes for {type}, found {data.size}")
        return np.frombuffer(data.tobytes(), type.dtype.numpy).reshape(type.static)

    def _rename_interface(self, model: Model) -> None:
        """Gives inputs and outputs the names in the VGF file.

        If that changes any, the record of the source's types no longer fits, and is dropped with a note.
        """
        graph = model.main
        handles = (
            (graph.inputs, self.sequence.getModelSequenceInputNamesHandle()),
            (graph.outputs, self.sequence.getModelSequenceOutputNamesHandle()),
        )
        before = [value.name for values, _ in handles for value in values]
        for values, handle in handles:
            names = [self.sequence.getName(handle, i) for i in range(self.sequence.getNamesSize(handle))]
            if len(names) == len(values) == len(set(names)):
                for value, name in zip(values, names, strict=True):
                    value.name = name
        renamed = before != [value.name for values, _ in handles for value in values]
        if renamed and model.borders:
            reason = "its record of the source's borders is ignored: the file has other names for inputs or outputs"
            model.notes.append((f"graph {graph.name!r}", reason))
            model.borders, model.states, model.signatures = {}, {}, {graph.name: Signature.of(graph)}
        elif not model.borders:
            model.signatures[graph.name] = Signature.of(graph)
