"""The reader of ExecuTorch programs (.pte): a plan as one graph, or one of its delegates alone."""

import struct
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tosa_converter.errors import FormatError, UnsupportedError, UsageError
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.data_files import DataFiles, data_error
from tosa_converter.formats.elements import unpack
from tosa_converter.formats.xnnpack.flat_tensor import ENDING, ExternalData
from tosa_converter.formats.xnnpack.plan import Plan
from tosa_converter.formats.xnnpack.reader import read_xnnpack
from tosa_converter.formats.xnnpack.values import check_spans
from tosa_converter.ir import Array, Model, Op, TensorType
from tosa_converter.schemas import executorch
from tosa_converter.schemas.opsets import XNN_CONSTANT


def read_program(
    data: flatbuffer.Bytes, *, file: str = "", delegate: int | None = None, data_files: DataFiles | None = None
) -> Model:
    """Reads the first plan of a `.pte` file; inputs and outputs are called input_0, ... and output_0, ...

    The operators of a delegate's graph replace the call of the delegate. Portable kernels become `aten.*`; those that
    `aten_ops` lacks become `xnn.kernel` with the name as `custom_code`.

    Args:
        data: the file's bytes.
        file: the name used in errors.
        delegate: the number of a delegate, whose graph is read instead of the plan.
        data_files: the files that may hold constants outside of the program (.ptd).

    Raises:
        UsageError: there is no such delegate, or data outside of the program is missing.
        FormatError: malformed bytes, or parts that don't fit together.
        UnsupportedError: control flow, a delegate that isn't XNNPACK's, or what `read_xnnpack` refuses.
    """
    try:
        program = Program(data, file, ExternalData(data_files or DataFiles(file)))
        if delegate is not None:
            if not 0 <= delegate < len(program.plan.delegates):
                count = len(program.plan.delegates)
                raise UsageError(
                    f"no delegate {delegate}, the program has {count}",
                    f"next: give --delegate from 0 to {count - 1}" if count else "next: leave out --delegate",
                )
            model = program.delegate(delegate)
            model.metadata["delegate"] = delegate
            return model
        return Plan(program).model()
    except FormatError as error:
        error.file = file
        raise


class NamedData(Mapping[str, flatbuffer.Bytes]):
    """The data of delegates by name: in the program, or in the files beside it."""

    def __init__(self, inside: dict[str, flatbuffer.Bytes], external: ExternalData) -> None:
        """Keeps the data of delegates by name: what lies in the program, and the files beside it."""
        self.inside = inside
        self.external = external

    def __getitem__(self, name: str) -> flatbuffer.Bytes:
        """Returns the data with that name; raises KeyError if neither program nor files have it."""
        data = self.inside.get(name)
        data = self.external.find(name) if data is None else data
        if data is None:
            raise KeyError(name)
        return data

    def __iter__(self) -> Iterator[str]:
        """Returns the names of the data in the program itself; names in the files beside it aren't listed."""
        return iter(self.inside)

    def __len__(self) -> int:
        """Returns the number of names of data in the program itself; the files beside it aren't counted."""
        return len(self.inside)


class Program:
    """The tables of a `.pte` file, and the segments behind them."""

    def __init__(self, data: flatbuffer.Bytes, file: str, external: ExternalData) -> None:
        """Decodes the tables of a `.pte` file, and finds its segments."""
        self.file = file
        self.external = external
        self.root = flatbuffer.read(executorch.Program, data, executorch.IDENTIFIER, file=file)
        if not self.root.execution_plan:
            raise FormatError("expected a plan, found none", path="Program.execution_plan")
        self.plan = self.root.execution_plan[0]
        self.segments = list(_segments(data, self.root.segments))
        self.named = NamedData(
            {entry.key: self.segment(entry.segment_index, entry.key) for entry in self.root.named_data}, external
        )

    def segment(self, index: int, place: str) -> flatbuffer.Bytes:
        """Returns the bytes of a segment of the .pte file by its index; `place` is for the message.

        Raises:
            FormatError: there is none.
        """
        if index >= len(self.segments):
            raise FormatError(f"{place}: no segment {index}, there are {len(self.segments)}", path="Program.segments")
        return self.segments[index]

    def delegate(self, index: int) -> Model:
        """Returns the model of a delegate of the program by its index.

        Raises:
            UnsupportedError: it isn't XNNPACK's.
        """
        delegate, place = self.plan.delegates[index], f"ExecutionPlan.delegates[{index}]"
        if delegate.id != executorch.XNNPACK:
            raise UnsupportedError(f"delegate {index} is {delegate.id!r}, not {executorch.XNNPACK}")
        if delegate.processed is None:
            raise FormatError("a delegate without data", path=place)
        number = delegate.processed.index
        if delegate.processed.location == executorch.DataLocation.SEGMENT:
            return read_xnnpack(self.segment(number, place), file=self.file, named=self.named)
        inline = self.root.backend_delegate_data
        content = inline[number].data if number < len(inline) else None
        if content is None:
            raise FormatError(f"no inline data {number}, there are {len(inline)}", path=place)
        return read_xnnpack(content.data, file=self.file, named=self.named)

    def constant(self, tensor: executorch.Tensor, type: TensorType, order: Sequence[int], place: str) -> Op:
        """Returns an operator that holds a constant tensor of the program.

        `order` lists the dimensions as they lie in the file, the outermost first.
        """
        return Op(XNN_CONSTANT, (), [type], {"values": self.elements(tensor, type, order, place)}, location=place)

    def elements(self, tensor: executorch.Tensor, type: TensorType, order: Sequence[int], place: str) -> Array:
        """Returns the elements that the file has for a tensor: a constant, or what state begins with.

        `order` lists the dimensions as they lie in the file, the outermost first.
        """
        info = tensor.extra_tensor_info
        if info is not None and info.location == executorch.TensorDataLocation.EXTERNAL:
            raw = np.frombuffer(self.external_bytes(info.fully_qualified_name), np.uint8)
        elif tensor.allocation_info is not None:
            raw = self._initial_bytes(tensor, place)
        else:
            raw = self._constant_bytes(tensor.data_buffer_idx, place)
        # [1, 3, 4, 5] in the order 0 2 3 1 is stored as [1, 4, 5, 3]; argsort gives 0 3 1 2, the way back.
        stored = unpack(raw, type.dtype, tuple(type.static[axis] for axis in order))
        return stored.transpose(np.argsort(order))

    def external_bytes(self, name: str) -> flatbuffer.Bytes:
        """Returns the bytes of that name in the files of data beside the program.

        Raises:
            UsageError: there are none.
        """
        data = self.external.find(name)
        if data is None:
            raise data_error(self.file, name, ENDING)
        return data

    def _constant_bytes(self, index: int, place: str) -> Array:
        """Returns the bytes of the program's constant number `index`; bytes of later constants may follow.

        They do if constants lie in a segment, of which only their offsets are known.
        """
        constants = self.root.constant_segment
        if constants is not None and constants.offsets:
            return self._subsegment(constants, index, place)
        buffers = self.root.constant_buffer
        storage = buffers[index].storage if index < len(buffers) else None
        if storage is None:
            raise FormatError(f"no constant {index}, there are {len(buffers)}", path=place)
        return storage

    def _initial_bytes(self, tensor: executorch.Tensor, place: str) -> Array:
        """Returns the bytes from a state tensor's initial elements on to the end of the segment that holds them."""
        info = tensor.extra_tensor_info
        number = 0 if info is None else info.mutable_data_segments_idx
        if number >= len(self.root.mutable_data_segments):
            count = len(self.root.mutable_data_segments)
            raise FormatError(f"no segment {number} of state, there are {count}", path=place)
        return self._subsegment(self.root.mutable_data_segments[number], tensor.data_buffer_idx, place)

    def _subsegment(self, rows: executorch.SubsegmentOffsets, index: int, place: str) -> Array:
        """Returns the bytes of a segment from its offset number `index`, of those in `rows`, to the segment's end."""
        if index >= len(rows.offsets):
            raise FormatError(f"no constant {index}, there are {len(rows.offsets)}", path=place)
        return np.frombuffer(self.segment(rows.segment_index, place), np.uint8)[rows.offsets[index] :]


def _segments(data: flatbuffer.Bytes, rows: Sequence[executorch.DataSegment]) -> Iterator[flatbuffer.Bytes]:
    """Yields the bytes of each segment of a .pte file; the file's header says where they begin."""
    if not any(row.size for row in rows):  # then a program has no header
        yield from (b"" for _ in rows)
        return
    end = executorch.HEADER_PLACE + struct.calcsize(executorch.HEADER)
    if len(data) < end:
        raise FormatError(f"expected a header of {end} bytes, found {len(data)}", path="Program")
    identifier, length, size, base = struct.unpack_from(executorch.HEADER, data, executorch.HEADER_PLACE)
    if identifier != executorch.HEADER_IDENTIFIER or length < struct.calcsize(executorch.HEADER):
        raise FormatError(f"expected a header with the place of segments, found {identifier!r}", path="Program")
    if size > base or base > len(data):
        raise FormatError(
            f"expected segments behind the {size} bytes of the program, within {len(data)}, found byte {base}",
            path="Program",
        )
    check_spans([(row.offset, row.size) for row in rows], len(data) - base, "Program.segments")
    # Offsets of segments count from `base`: with 4,096, a segment at 64 of 10 bytes is bytes 4,160 to 4,169.
    view = memoryview(data)
    for row in rows:
        yield view[base + row.offset : base + row.offset + row.size]
