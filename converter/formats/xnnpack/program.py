"""The reader of ExecuTorch's programs (.pte): graphs of the XNNPACK delegate as one, or one of them alone."""

import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError, UsageError
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.elements import unpack
from tosa_converter.formats.xnnpack.reader import read_xnnpack
from tosa_converter.formats.xnnpack.values import check_spans
from tosa_converter.ir import Graph, Model, Op, Signature, TensorType, Value
from tosa_converter.schemas import executorch
from tosa_converter.schemas.executorch import ScalarType

KERNEL = "xnn.kernel"  # what ExecuTorch computes outside of delegates
DTYPES = {
    ScalarType.BYTE: DType.UI8,
    ScalarType.CHAR: DType.I8,
    ScalarType.SHORT: DType.I16,
    ScalarType.INT: DType.I32,
    ScalarType.LONG: DType.I64,
    ScalarType.HALF: DType.FP16,
    ScalarType.FLOAT: DType.FP32,
    ScalarType.DOUBLE: DType.FP64,
    ScalarType.BOOL: DType.BOOL,
    ScalarType.BFLOAT16: DType.BF16,
}


def read_program(data: flatbuffer.Bytes, *, file: str = "", delegate: int | None = None) -> Model:
    """Decode a `.pte` file's first plan; inputs and outputs are called input_0, ... and output_0, ...

    Delegates' graphs stand where they are called; what else is computed becomes `xnn.kernel` with the kernel's name as
    `custom_code`.

    Args:
        data: the file's bytes.
        file: the name used in errors.
        delegate: the number of the one whose graph is read instead.

    Raises:
        UsageError: there is no such delegate.
        FormatError: malformed bytes, or parts that don't fit together.
        UnsupportedError: control flow, delegates but XNNPACK's, or what `read_xnnpack` refuses.
    """
    try:
        program = _Program(data, file)
        if delegate is not None:
            if not 0 <= delegate < len(program.plan.delegates):
                raise UsageError(f"no delegate {delegate}, the program has {len(program.plan.delegates)}")
            return program.delegate(delegate)
        return _Plan(program).model()
    except FormatError as error:
        error.file = file
        raise


class _Program:
    """The tables of a file, and what lies behind them."""

    def __init__(self, data: flatbuffer.Bytes, file: str) -> None:
        self.file = file
        self.root = flatbuffer.read(executorch.Program, data, executorch.IDENTIFIER, file=file)
        if not self.root.execution_plan:
            raise FormatError("expected a plan, found none", path="Program.execution_plan")
        self.plan = self.root.execution_plan[0]
        self.segments = list(_segments(data, self.root.segments))
        self.named = {entry.key: self.segment(entry.segment_index, entry.key) for entry in self.root.named_data}

    def segment(self, index: int, what: str) -> flatbuffer.Bytes:
        if index >= len(self.segments):
            raise FormatError(f"{what}: no segment {index}, there are {len(self.segments)}", path="Program.segments")
        return self.segments[index]

    def delegate(self, index: int) -> Model:
        """The graph of one delegate.

        Raises:
            UnsupportedError: it isn't XNNPACK's.
        """
        found, place = self.plan.delegates[index], f"ExecutionPlan.delegates[{index}]"
        if found.id != executorch.XNNPACK:
            raise UnsupportedError(f"delegate {index} is {found.id!r}, not {executorch.XNNPACK}")
        if found.processed is None:
            raise FormatError("a delegate without data", path=place)
        number = found.processed.index
        if found.processed.location == executorch.DataLocation.SEGMENT:
            return read_xnnpack(self.segment(number, place), file=self.file, named=self.named)
        inline = self.root.backend_delegate_data
        content = inline[number].data if number < len(inline) else None
        if content is None:
            raise FormatError(f"no inline data {number}, there are {len(inline)}", path=place)
        return read_xnnpack(content.data, file=self.file, named=self.named)

    def constant(self, tensor: executorch.Tensor, type: TensorType, place: str) -> Op:
        """A tensor whose elements are in the file."""
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
        return Op("xnn.const", (), [type], {"values": unpack(raw, type.dtype, type.static)}, location=place)


def _segments(data: flatbuffer.Bytes, rows: Sequence[executorch.DataSegment]) -> Iterator[flatbuffer.Bytes]:
    """The pieces of a file behind its program, where its header says they begin."""
    if not rows:
        return
    end = executorch.HEADER_PLACE + struct.calcsize(executorch.HEADER)
    if len(data) < end:
        raise FormatError(f"expected a header of {end} bytes, found {len(data)}", path="Program")
    identifier, length, size, base = struct.unpack_from(executorch.HEADER, data, executorch.HEADER_PLACE)
    if identifier != executorch.HEADER_IDENTIFIER or length < struct.calcsize(executorch.HEADER):
        raise FormatError(f"segments without a header that says where ({identifier!r})", path="Program")
    if size > base or base > len(data):
        raise FormatError(f"segments from byte {base} on, behind {size} of a program, in {len(data)}", path="Program")
    check_spans([(row.offset, row.size) for row in rows], len(data) - base, "Program.segments")
    view = memoryview(data)
    for row in rows:
        yield view[base + row.offset : base + row.offset + row.size]


class _Call(NamedTuple):
    """What an instruction calls, and the values that it names."""

    args: Sequence[int]
    place: str


class _Plan:
    """A plan on its way into one graph."""

    def __init__(self, program: _Program) -> None:
        self.program = program
        self.plan = program.plan
        self.graph = Graph(self.plan.name or "forward")
        self.made: dict[int, Value] = {}

    def model(self) -> Model:
        for i, index in enumerate(self.plan.inputs):
            value = Value(self.type(index, "ExecutionPlan.inputs"), f"input_{i}")
            self.graph.inputs.append(value)
            self.made[index] = value
        for chain in self.plan.chains:
            for i, instruction in enumerate(chain.instructions):
                self.instruction(instruction.instr_args, f"{self.graph.name}:{i}")
        self.graph.outputs = [self.use(index, "ExecutionPlan.outputs") for index in self.plan.outputs]
        for i, value in enumerate(self.graph.outputs):
            if value not in self.graph.inputs:
                value.name = f"output_{i}"
        inputs, outputs = ({v.name: v for v in values} for values in (self.graph.inputs, self.graph.outputs))
        signature = Signature(self.graph.name, inputs, outputs)
        name = self.graph.name
        return Model({name: self.graph}, {name: signature}, {}, self.program.file, empty="xnn")

    def instruction(self, args: executorch.InstructionArguments | None, place: str) -> None:
        if isinstance(args, executorch.DelegateCall):
            self.inline(args.delegate_index, _Call(args.args, place))
        elif isinstance(args, executorch.KernelCall):
            self.kernel(args.op_index, _Call(args.args, place))
        elif not isinstance(args, executorch.FreeCall):
            raise UnsupportedError(f"{place}: {type(args).__name__}, by which a program chooses where it goes on")

    def inline(self, index: int, call: _Call) -> None:
        """The operators of a delegate; its arguments are its external values, inputs before outputs."""
        if not 0 <= index < len(self.plan.delegates):
            raise FormatError(f"no delegate {index}, there are {len(self.plan.delegates)}", path=call.place)
        inner = self.program.delegate(index).main
        count = len(inner.inputs)
        if len(call.args) != count + len(inner.outputs):
            found = f"{len(call.args)} arguments for {count} inputs and {len(inner.outputs)} outputs"
            raise FormatError(f"delegate {index}: {found}", path=call.place)
        given = [
            self.fitted(self.use(argument, call.place), value.type, call.place)
            for argument, value in zip(call.args, inner.inputs, strict=False)
        ]
        moved = dict(zip(inner.inputs, given, strict=True))
        for op in inner.ops:
            op.inputs = tuple([moved.get(value, value) if value is not None else None for value in op.inputs])
            op.location = f"{call.place} delegate {index} {op.location}"
        self.graph.ops += inner.ops
        for argument, value in zip(call.args[count:], inner.outputs, strict=True):
            type = self.type(argument, call.place)
            self.made[argument] = self.fitted(moved.get(value, value), type, call.place)

    def fitted(self, value: Value, type: TensorType, place: str) -> Value:
        """A value across a delegate's border, where XNNPACK has a dimension more for numbers; sizes may vary.

        Raises:
            FormatError: it is of another type.
        """
        if value.type.dtype is type.dtype and value.type.rank == type.rank:
            return value
        if value.type.dtype is not type.dtype or value.type.elements != type.elements:
            raise FormatError(f"{value.type} on one side of a delegate's border, {type} on the other", path=place)
        shape = {"num_dims": type.rank, "new_shape": type.static, "flags": 0}
        op = Op("xnn.static_reshape", [value], [TensorType(type.dtype, type.shape)], shape, location=place)
        self.graph.ops.append(op)
        return op.result

    def kernel(self, index: int, call: _Call) -> None:
        """An operator outside of delegates: of the tensors that it names, those that nothing made are its results."""
        if not 0 <= index < len(self.plan.operators):
            raise FormatError(f"no operator {index}, there are {len(self.plan.operators)}", path=call.place)
        row = self.plan.operators[index]
        tensors = [argument for argument in dict.fromkeys(call.args) if self.is_tensor(argument, call.place)]
        results = [
            argument for argument in tensors if argument not in self.made and not self.tensor(argument).data_buffer_idx
        ]
        operands = [self.use(argument, call.place) for argument in tensors if argument not in results]
        name = f"{row.name}.{row.overload}" if row.overload else row.name
        types = [self.type(argument, call.place) for argument in results]
        op = Op(KERNEL, operands, types, {"custom_code": name}, location=f"{call.place} {name}")
        self.graph.ops.append(op)
        self.made |= dict(zip(results, op.results, strict=True))

    def is_tensor(self, index: int, place: str) -> bool:
        if not 0 <= index < len(self.plan.values):
            raise FormatError(f"no value {index}, there are {len(self.plan.values)}", path=place)
        return isinstance(self.plan.values[index].val, executorch.Tensor)

    def tensor(self, index: int) -> executorch.Tensor:
        found = self.plan.values[index].val
        assert isinstance(found, executorch.Tensor)
        return found

    def type(self, index: int, place: str) -> TensorType:
        """The type of a tensor.

        Raises:
            FormatError: the value is none, or it has a negative size.
            UnsupportedError: an element type or an order of dimensions that this reader doesn't know.
        """
        if not self.is_tensor(index, place):
            raise FormatError(f"value {index} is {self.plan.values[index].val!r}, not a tensor", path=place)
        tensor = self.tensor(index)
        if tensor.scalar_type not in DTYPES:
            raise UnsupportedError(f"value {index} has elements of type {tensor.scalar_type.name}")
        if tensor.dim_order and list(tensor.dim_order) != list(range(len(tensor.sizes))):
            raise UnsupportedError(f"value {index} has its dimensions in the order {list(tensor.dim_order)}")
        if min(tensor.sizes, default=0) < 0:
            raise FormatError(f"value {index} has sizes {list(tensor.sizes)}", path=place)
        return TensorType(DTYPES[tensor.scalar_type], tuple(tensor.sizes))

    def use(self, index: int, place: str) -> Value:
        found = self.made.get(index)
        if found is not None:
            return found
        type = self.type(index, place)
        tensor = self.tensor(index)
        if not tensor.data_buffer_idx:
            raise FormatError(f"value {index} is used before anything makes it", path=place)
        op = self.program.constant(tensor, type, place)
        self.graph.ops.append(op)
        self.made[index] = op.result
        return op.result
