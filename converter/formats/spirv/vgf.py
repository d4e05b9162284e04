"""VGF files: graph modules with their constants, inputs and outputs in one file, read and written by the VGF library.

A file has a segment for each graph, with a module of its own. Names of inputs and outputs are the file's; in a file of
several segments they are `<segment>/<name>`, where the segment has the graph's name.
"""

import functools
import io
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from tosa_converter.errors import FormatError, MissingExtra, UnsupportedError
from tosa_converter.formats.borders import encode_borders
from tosa_converter.formats.elements import EXPANSION, SPLATS
from tosa_converter.formats.shared import SharedArrays
from tosa_converter.formats.spirv.constants import storage_array
from tosa_converter.formats.spirv.reader import read_spirv
from tosa_converter.formats.spirv.writer import Module, module_type, write_spirv
from tosa_converter.formats.storage import Bytes
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
SEPARATOR = "/"  # between the names of a segment and of its input or output
HEADERS_VERSION = 0  # the writer wasn't compiled against any Vulkan headers


def write_vgf(model: Model, *, debug: bool = False) -> list[Bytes]:
    """Returns a TOSA model as the bytes of a `.vgf` file, in pieces; `debug` keeps names and locations.

    Each graph is a segment with the graph's name. Constants that several graphs read are written once.

    Raises:
        MissingExtra: the VGF library is not installed.
        UnsupportedError: a graph can't be a graph module.
    """
    encoder = _Encoder(_import_library(), prefixed=len(model.graphs) > 1)
    for graph in model.graphs.values():
        called = model.caller_names(graph)
        borders = encode_borders(model, graph, called)
        first_binding = encoder.binding_count
        encoder.add_segment(
            write_spirv(graph, debug=debug, called=called, borders=borders, first_binding=first_binding), called
        )
    return _file_pieces(encoder)


def _file_pieces(encoder: "_Encoder") -> list[Bytes]:
    """Returns the VGF file of an encoder in pieces; raises UnsupportedError if the library can't write it.

    The library would hold all constants in memory three times over, so it writes only one byte for each. This function
    replaces their section, the last of the file: a version, the number of constants, a table with the size and offset
    of each, and their elements.
    """
    buffer = io.BytesIO()
    encoder.finish()
    if not encoder.encoder.WriteTo(buffer):
        raise UnsupportedError("the VGF library can't write the model")
    data = bytearray(buffer.getbuffer())
    begin, _ = _SECTION.unpack_from(data, _CONSTANTS_ENTRY)
    version, count = _CONSTANTS.unpack_from(data, begin)
    if version != _CONSTANTS_VERSION or count != len(encoder.constants):
        raise UnsupportedError(f"expected a VGF library that writes constants as {_CONSTANTS_VERSION!r}")
    records, pieces, size = _lay_out_constants(encoder.constants, data[begin + _CONSTANTS.size :])
    _SECTION.pack_into(data, _CONSTANTS_ENTRY, begin, _CONSTANTS.size + len(records) + size)
    return [bytes(data[: begin + _CONSTANTS.size]), bytes(records), *pieces]


def _lay_out_constants(constants: Sequence[Array], records: bytearray) -> tuple[bytearray, list[Bytes], int]:
    """Returns the table of a VGF's constants with sizes and offsets, their bytes in pieces, and the number of bytes.

    `records` is the table as the library wrote it, for one byte each. Equal constants are written once, and each begins
    at a multiple of 8 bytes.
    """
    pieces: list[Bytes] = []
    shared, size = SharedArrays(), 0
    for number, array in enumerate(constants):
        content, end = array.reshape(-1).view(np.uint8), size

        # The defaults bind this round's values.
        def add(content: Array = content, end: int = end) -> int:
            """Appends the elements and their padding to `pieces`, and returns their offset."""
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
    """Fills the library's encoder with modules, their constants and their interfaces.

    All segments use descriptor set 0. Bindings are numbered through the file, because a runtime that runs all segments
    knows inputs and outputs by their bindings alone.
    """

    def __init__(self, vgf: Any, *, prefixed: bool) -> None:
        """Starts a VGF file; with `prefixed`, names of inputs and outputs are `<segment>/<name>`."""
        self.vgf = vgf
        self.encoder = vgf.CreateEncoder(HEADERS_VERSION)
        self.prefixed = prefixed
        self.binding_count = 0
        self.constants: list[Array] = []
        self.shared = SharedArrays()
        self.references: list[Any] = []  # the library's, by the number of a constant
        self.inputs: list[tuple[Any, str]] = []  # binding slots and names
        self.outputs: list[tuple[Any, str]] = []

    def add_segment(self, module: Module, called: Mapping[Value, str]) -> None:
        """Adds a SPIR-V module, its constants, and its inputs and outputs with their names.

        `called` has the names that callers know them by, "" for none.
        """
        encoder, name = self.encoder, module.entry_point
        code = encoder.AddModule(self.vgf.ModuleType.Graph, name, name, module.words)
        constants = self._bind_constants(module.constants)
        inputs = [self._add_slot(value, encoder.AddInputResource) for value in module.inputs]
        outputs = [self._add_slot(value, encoder.AddOutputResource) for value in module.outputs]
        descriptors = [encoder.AddDescriptorSetInfo([*inputs, *outputs], 0)]
        encoder.AddSegmentInfo(code, name, descriptors, inputs, outputs, constants)
        prefix = f"{name}{SEPARATOR}" if self.prefixed else ""
        input_names = [prefix + (called[value] or f"input_{i}") for i, value in enumerate(module.inputs)]
        output_names = [prefix + (called[value] or f"output_{i}") for i, value in enumerate(module.outputs)]
        self.inputs += zip(inputs, input_names, strict=True)
        self.outputs += zip(outputs, output_names, strict=True)

    def finish(self) -> None:
        """Adds the inputs and outputs of all segments as the file's, and ends encoding."""
        # Each part is a pair of binding slots and names.
        input_slots, input_names = ([part[i] for part in self.inputs] for i in (0, 1))
        output_slots, output_names = ([part[i] for part in self.outputs] for i in (0, 1))
        self.encoder.AddModelSequenceInputsOutputs(input_slots, input_names, output_slots, output_names)
        self.encoder.Finish()

    def _add_slot(self, value: Value, add_resource: Callable[..., Any]) -> Any:
        """Returns the next binding slot, which is for a new input or output resource.

        Two inputs and an output bind 0, 1 and 2, as the module's variables do; the next segment goes on with 3.
        """
        slot = self.encoder.AddBindingSlot(self.binding_count, add_resource(*self._describe_tensor(value)))
        self.binding_count += 1
        return slot

    def _bind_constants(self, constants: Sequence[Value]) -> list[Any]:
        """Returns the bindings of a module's graph constants, by their numbers.

        A constant of an earlier segment that has the same elements and type is bound again. Equal constants of one
        module stay apart here: they share only their elements, see `_lay_out_constants`.
        """
        numbers: dict[int, None] = {}  # in the order of the module's constants, each once
        for value in constants:
            _, *described = self._describe_tensor(value)
            array = storage_array(value)

            def add(array: Array = array, described: Sequence[Any] = described) -> int:
                """Adds a constant of one byte in place of its elements, and returns its number in the file."""
                # `_file_pieces` writes the elements: the library would hold all of them in memory several times.
                resource = self.encoder.AddConstantResource(*described)
                self.references.append(self.encoder.AddConstant(resource, np.zeros(1, np.uint8)))
                self.constants.append(array)
                return len(self.constants) - 1

            number = self.shared.number(array.reshape(-1).view(np.uint8), add, kind=repr(described))
            numbers[add() if number in numbers else number] = None  # an equal one of this module is added again
        return [self.vgf.GraphConstantBindingRef(i, self.references[number]) for i, number in enumerate(numbers)]

    def _describe_tensor(self, value: Value) -> tuple[int, int, list[int], list[int]]:
        """Returns a tensor's descriptor type, Vulkan format, shape and strides for a VGF; no strides mean packed.

        A tensor of rank 0 has rank 0 here, although it is [1] in the module.
        """
        format = FORMATS[module_type(value.type).dtype.value].number
        return DESCRIPTOR_TYPE_TENSOR, format, list(value.type.static), []


def read_vgf(data: Bytes, *, file: str = "") -> Model:
    """Reads a `.vgf` file, whose segments become the graphs of a model.

    Raises:
        FormatError: malformed bytes, or a malformed module in it.
        MissingExtra: the VGF library is not installed.
        UnsupportedError: segments that pass tensors to each other, shaders, sparse constants.
    """
    return _decode(data, file, lambda decoder: decoder.model(file))


def vgf_modules(data: Bytes) -> list[tuple[str, bytes]]:
    """Returns the name and the SPIR-V module of each segment of a `.vgf` file; raises the errors of `read_vgf`."""
    return _decode(data, "", _Decoder.segment_modules)


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
        self.constant_bytes = np.frombuffer(self.sections[-1], np.uint8)
        self.budget = SPLATS + EXPANSION * len(raw)  # bytes of all constants, as writers may copy shared ones

    def _section_decoder(self, create: Any, header: Any, name: str) -> Any:
        """Returns the library's decoder of a section of the file, after a check that the section lies in it.

        `create` is the library's constructor. The decoder reads the section's bytes later, so `sections` keeps them
        alive.
        """
        offset, size = getattr(header, f"Get{name}Offset")(), getattr(header, f"Get{name}Size")()
        if offset + size > len(self.raw):
            raise FormatError(f"expected {name} of {size} bytes at {offset}, found {len(self.raw)} bytes")
        section = self.raw[offset : offset + size]
        self.sections.append(section)
        decoder = create(section, size)
        if decoder is None:
            raise FormatError(f"the VGF library refuses the section {name} at byte {offset}")
        return decoder

    def segment_modules(self) -> list[tuple[str, bytes]]:
        """Returns the name of each segment and its module's SPIR-V words.

        Segments that share code could make a small file describe a huge model, so all code must fit its section.
        """
        modules: list[tuple[str, bytes]] = []
        room = len(self.sections[0])  # the module table, which holds all code
        for segment in range(self.sequence.modelSequenceTableSize()):
            index = self.sequence.getSegmentModuleIndex(segment)
            if index >= self.modules.size() or not self.modules.hasSPIRVCode(index):
                raise UnsupportedError("expected a VGF with a module of SPIR-V")
            words = np.asarray(self.modules.getSPIRVModuleCode(index), np.uint32).tobytes()
            room -= len(words)
            if room < 0:
                raise FormatError(f"segment {segment}: expected a module of its own, found one of another segment")
            modules.append((self.sequence.getSegmentName(segment), words))
        if not modules:
            raise FormatError("expected a VGF of one segment or more, found none")
        return modules

    def model(self, file: str) -> Model:
        """Returns the model whose graphs are the VGF file's segments; inputs and outputs have the names in the file.

        If there are several segments, a name in the file is `<segment>/<name>`, and the graph's is `<name>`.
        """
        modules = self.segment_modules()
        if len(modules) == 1:
            return self._segment_model(0, modules[0][1], file, "")
        graphs: dict[str, Graph] = {}
        model = Model(graphs, {}, source=file)
        for segment, (name, words) in enumerate(modules):
            self._require_independent(segment)
            part = self._segment_model(segment, words, file, f"{name}{SEPARATOR}")
            if len(part.graphs) > 1 or part.main.name in graphs:
                names = ", ".join(map(repr, part.graphs))
                raise FormatError(f"segment {segment}: expected one graph with a name of its own, found {names}")
            repeated = model.signatures.keys() & part.signatures.keys()
            if repeated:
                raise FormatError(f"segment {segment}: another segment has signature {min(repeated)!r}")
            graphs |= part.graphs
            model.signatures |= part.signatures
            model.borders |= part.borders
            model.states |= part.states
            model.notes += part.notes
        return model

    def _segment_model(self, segment: int, words: bytes, file: str, prefix: str) -> Model:
        """Returns the model of the module `words` of a segment; constants come from the segment's bindings.

        Its inputs and outputs have the names in the file, from which `prefix` is removed.
        """
        bindings = {
            binding.graphConstantId: binding.constantIndex
            for binding in self.sequence.getSegmentConstantBindings(segment)
        }

        def elements(number: int, type: TensorType) -> Array:
            """Returns the elements of the file's constant that is bound to the module's graph constant `number`."""
            return self._constant_elements(number, bindings.get(number), type)

        model = read_spirv(words, file=file, constants=elements)
        self._rename_interface(model, segment, prefix)
        return model

    def _segment_resources(self, segment: int) -> list[list[int]]:
        """Returns the numbers of the resources that are a segment's inputs, and of those that are its outputs."""
        handles = (
            self.sequence.getSegmentInputBindingSlotsHandle(segment),
            self.sequence.getSegmentOutputBindingSlotsHandle(segment),
        )
        return [self._resource_numbers(handle) for handle in handles]

    def _resource_numbers(self, handle: Any) -> list[int]:
        """Returns the number of the resource in each binding slot behind a handle of such slots."""
        count = self.sequence.getBindingsSize(handle)
        return [self.sequence.getBindingSlotMrtIndex(handle, i) for i in range(count)]

    def _require_independent(self, segment: int) -> None:
        """Raises UnsupportedError if a segment reads what another one computes: it would be a part of that one's graph.

        Inputs of an independent segment are inputs of the file, and its outputs are the file's.
        """
        category = self.vgf.ResourceCategory
        for resources, expected in zip(
            self._segment_resources(segment), (category.Input, category.Output), strict=True
        ):
            for resource in resources:
                if resource >= self.resources.size():
                    raise FormatError(f"segment {segment}: resource {resource} is missing")
                if self.resources.getCategory(resource) != expected:
                    raise UnsupportedError(
                        f"segment {segment} passes tensors to other segments: expected segments that are independent"
                    )

    def _constant_elements(self, number: int, index: int | None, type: TensorType) -> Array:
        """Returns the elements of the constant `index` of the file, which must have this type, as a view of its bytes.

        `number` is that of the module's graph constant, for messages.
        """
        if index is None or index >= self.constants.size():
            raise FormatError(f"graph constant {number} is missing")
        if self.constants.isSparseConstant(index):
            raise UnsupportedError(f"graph constant {number} is sparse")
        data = np.asarray(self.constants.getConstant(index)).view(np.uint8)
        expected = type.elements * type.dtype.numpy.itemsize
        if data.size != expected:
            raise FormatError(f"graph constant {number}: expected {expected} bytes for {type}, found {data.size}")
        self.budget -= expected
        if self.budget < 0:
            raise FormatError(f"constants are shared so often that {len(self.raw)} bytes describe too much data")
        # The library's array doesn't keep the bytes alive, so this is a view of `constant_bytes` at the same address.
        begin = data.ctypes.data - self.constant_bytes.ctypes.data if expected else 0
        return self.constant_bytes[begin : begin + expected].view(type.dtype.numpy).reshape(type.static)

    def _rename_interface(self, model: Model, segment: int, prefix: str) -> None:
        """Gives the inputs and outputs of a segment's graph their names in the VGF file, without `prefix`.

        If that changes any, the source's types that the module records no longer fit, and are dropped with a note. A
        module that records none gets a signature of the new names.
        """
        graph = model.main
        sides = (graph.inputs, graph.outputs)
        before = [value.name for values in sides for value in values]
        for values, resources, names in zip(sides, self._segment_resources(segment), self.names, strict=True):
            new_names = [names.get(resource, "").removeprefix(prefix) for resource in resources]
            if all(new_names) and len(new_names) == len(values) == len(set(new_names)):
                for value, name in zip(values, new_names, strict=True):
                    value.name = name
        renamed = before != [value.name for values in sides for value in values]
        if renamed and model.borders:
            reason = "its record of the source's borders is ignored: the file has other names for inputs or outputs"
            model.notes.append((f"graph {graph.name!r}", reason))
            model.borders, model.states, model.signatures = {}, {}, {graph.name: Signature.of(graph)}
        elif not model.borders:
            model.signatures[graph.name] = Signature.of(graph)

    @functools.cached_property
    def names(self) -> tuple[dict[int, str], dict[int, str]]:
        """The names of the file's inputs, and of its outputs, by the numbers of their resources."""
        sequence = self.sequence
        inputs = sequence.getModelSequenceInputBindingSlotsHandle(), sequence.getModelSequenceInputNamesHandle()
        outputs = sequence.getModelSequenceOutputBindingSlotsHandle(), sequence.getModelSequenceOutputNamesHandle()
        return self._names_by_resource(*inputs), self._names_by_resource(*outputs)

    def _names_by_resource(self, slots: Any, names: Any) -> dict[int, str]:
        """Returns names by the numbers of binding slots' resources; empty unless there is one name for each slot."""
        resources = self._resource_numbers(slots)
        if len(resources) != self.sequence.getNamesSize(names):
            return {}
        return {resource: self.sequence.getName(names, i) for i, resource in enumerate(resources)}
