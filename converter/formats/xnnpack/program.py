"""The reader of ExecuTorch programs (.pte): a plan as one graph, or one of its delegates alone."""

import struct
from collections.abc import Iterator, Sequence

import numpy as np

from tosa_converter.errors import FormatError, UnsupportedError, UsageError
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.elements import unpack
from tosa_converter.formats.xnnpack.plan import Plan
from tosa_converter.formats.xnnpack.reader import read_xnnpack
from tosa_converter.formats.xnnpack.values import check_spans
from tosa_converter.ir import Model, Op, TensorType
from tosa_converter.schemas import executorch
from tosa_converter.schemas.opsets import XNN_CONSTANT


def read_program(data: flatbuffer.Bytes, *, file: str = "", delegate: int | None = None) -> Model:
    """Reads the first plan of a `.pte` file; inputs and outputs are called input_0, ... and output_0, ...

    Delegates' graphs stand where they are called. Portable kernels become `aten.*`, those that `aten_ops` doesn't have
    `xnn.kernel` with the name as `custom_code`.

    Args:
        data: the file's bytes.
        file: the name used in errors.
        delegate: the number of the one whose graph is read instead.

    Raises:
        UsageError: there is no such delegate.
        FormatError: malformed bytes, or parts that don't fit together.
        UnsupportedError: control flow, state, delegates but XNNPACK's, or what `read_xnnpack` refuses.
    """
    try:
        program = Program(data, file)
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


class Program:
    """The tables of a `.pte` file, and the segments behind them."""

    def __init__(self, data: flatbuffer.Bytes, file: str) -> None:
        """Decodes the tables of a `.pte` file, and finds its segments."""
        self.file = file
        self.root = flatbuffer.read(executorch.Program, data, executorch.IDENTIFIER, file=file)
        if not self.root.execution_plan:
            raise FormatError("expected a plan, found none", path="Program.execution_plan")
        self.plan = self.root.execution_plan[0]
        self.segments = list(_segments(data, self.root.segments))
        self.named = {entry.key: self.segment(entry.segment_index, entry.key) for entry in self.root.named_data}

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
        index, constants = tensor.data_buffer_idx, self.root.constant_segment
        if constants is not None and constants.offsets:
            if index >= len(constants.offsets):
                raise FormatError(f"no constant {index}, there are {len(constants.offsets)}", path=place)
            segment = self.segment(constants.segment_index, place)
            raw = np.frombuffer(segment, np.uint8)[constants.offsets[index] :]
        else:
            buffers = self.root.constant_buffer
            storage = buffers[index].storage if index < len(buffers) else None
            if storage is None:
                raise FormatError(f"no constant {index}, there are {len(buffers)}", path=place)
            raw = storage
        # [1, 3, 4, 5] in the order 0 2 3 1 is stored as [1, 4, 5, 3]; argsort gives 0 3 1 2, the way back.
        stored = unpack(raw, type.dtype, tuple(type.static[axis] for axis in order))
        return Op(XNN_CONSTANT, (), [type], {"values": stored.transpose(np.argsort(order))}, location=place)


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
