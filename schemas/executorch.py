"""ExecuTorch's programs (program.fbs of version 1.5) as rows, and the header that stands inside of their file."""

from __future__ import annotations

from tosa_converter.schemas.flat import (
    F64,
    I8,
    I32,
    I64,
    U8,
    U32,
    U64,
    Blob,
    Blob16,
    Bool,
    ByteEnum,
    OneOf,
    Opt,
    Str,
    Table,
    Vec,
)

IDENTIFIER = b"ET12"
XNNPACK = "XnnpackBackend"  # the delegate whose graphs are XNNGraphs

# Behind the identifier (extended_header.h); the size of the segments came later.
HEADER_IDENTIFIER = b"eh00"
HEADER_PLACE = 8
HEADER = "<4sIQQ"  # identifier, size of the header, size of the program, place of the segments


class ScalarType(ByteEnum):
    BYTE = 0
    CHAR = 1
    SHORT = 2
    INT = 3
    LONG = 4
    HALF = 5
    FLOAT = 6
    DOUBLE = 7
    BOOL = 11
    QINT8 = 12
    QUINT8 = 13
    QINT32 = 14
    BFLOAT16 = 15
    QUINT4X2 = 16
    QUINT2X4 = 17
    BITS16 = 22
    FLOAT8E5M2 = 23
    FLOAT8E4M3FN = 24
    FLOAT8E5M2FNUZ = 25
    FLOAT8E4M3FNUZ = 26
    UINT16 = 27
    UINT32 = 28
    UINT64 = 29


class TensorShapeDynamism(ByteEnum):
    STATIC = 0
    DYNAMIC_BOUND = 1
    DYNAMIC_UNBOUND = 2


class TensorDataLocation(ByteEnum):
    SEGMENT = 0
    EXTERNAL = 1


class DeviceType(ByteEnum):
    CPU = 0
    CUDA = 1


class DataLocation(ByteEnum):
    INLINE = 0
    SEGMENT = 1


class ContainerMetadata(Table):
    encoded_inp_str: Str = ""
    encoded_out_str: Str = ""


class AllocationDetails(Table):
    memory_id: U32 = 0
    memory_offset_low: U32 = 0
    memory_offset_high: U32 = 0


class ExtraTensorInfo(Table):
    mutable_data_segments_idx: U64 = 0
    fully_qualified_name: Str = ""
    location: TensorDataLocation = TensorDataLocation.SEGMENT
    device_type: DeviceType = DeviceType.CPU
    device_index: I8 = 0


class KernelTypes(Table):
    """Union of its subclasses, numbered from 1 in this order."""


class Null(KernelTypes):
    pass


class Int(KernelTypes):
    int_val: I64 = 0


class Boolean(KernelTypes):
    bool_val: Bool = False


class Double(KernelTypes):
    double_val: F64 = 0.0


class Tensor(KernelTypes):
    scalar_type: ScalarType = ScalarType.BYTE
    storage_offset: I32 = 0
    sizes: Vec[I32] = ()
    dim_order: Vec[U8] = ()
    requires_grad: Bool = False
    data_buffer_idx: U32 = 0
    allocation_info: Opt[AllocationDetails] = None
    layout: I8 = 0
    shape_dynamism: TensorShapeDynamism = TensorShapeDynamism.STATIC
    extra_tensor_info: Opt[ExtraTensorInfo] = None


class String(KernelTypes):
    string_val: Str = ""


class IntList(KernelTypes):
    items: Vec[I64] = ()


class DoubleList(KernelTypes):
    items: Vec[F64] = ()


class BoolList(KernelTypes):
    items: Vec[Bool] = ()


class TensorList(KernelTypes):
    items: Vec[I32] = ()


class OptionalTensorList(KernelTypes):
    items: Vec[I32] = ()


class EValue(Table):
    val: OneOf[KernelTypes] = None


class Operator(Table):
    name: Str = ""
    overload: Str = ""


class InstructionArguments(Table):
    """Union of its subclasses, numbered from 1 in this order."""


class KernelCall(InstructionArguments):
    op_index: I32 = 0
    args: Vec[I32] = ()


class DelegateCall(InstructionArguments):
    delegate_index: I32 = 0
    args: Vec[I32] = ()


class MoveCall(InstructionArguments):
    move_from: I32 = 0
    move_to: I32 = 0


class JumpFalseCall(InstructionArguments):
    cond_value_index: I32 = 0
    destination_instruction: I32 = 0


class FreeCall(InstructionArguments):
    value_index: I32 = 0


class Instruction(Table):
    instr_args: OneOf[InstructionArguments] = None


class Frame(Table):
    filename: Str = ""
    lineno: I32 = 0
    name: Str = ""
    context: Str = ""


class FrameList(Table):
    items: Vec[Frame] = ()


class BackendDelegateDataReference(Table):
    location: DataLocation = DataLocation.INLINE
    index: U32 = 0


class CompileSpec(Table):
    key: Str = ""
    value: Opt[Blob] = None


class BackendDelegate(Table):
    id: Str = ""
    processed: Opt[BackendDelegateDataReference] = None
    compile_specs: Vec[CompileSpec] = ()


class Chain(Table):
    inputs: Vec[I32] = ()
    outputs: Vec[I32] = ()
    instructions: Vec[Instruction] = ()
    stacktrace: Vec[FrameList] = ()


class NonConstBufferDevice(Table):
    buffer_idx: I32 = 0
    device_type: DeviceType = DeviceType.CPU
    device_index: I8 = 0


class ExecutionPlan(Table):
    name: Str = ""
    container_meta_type: Opt[ContainerMetadata] = None
    values: Vec[EValue] = ()
    inputs: Vec[I32] = ()
    outputs: Vec[I32] = ()
    chains: Vec[Chain] = ()
    operators: Vec[Operator] = ()
    delegates: Vec[BackendDelegate] = ()
    non_const_buffer_sizes: Vec[I64] = ()
    non_const_buffer_device: Vec[NonConstBufferDevice] = ()


class Buffer(Table):
    storage: Opt[Blob16] = None


class BackendDelegateInlineData(Table):
    data: Opt[Blob16] = None


class DataSegment(Table):
    offset: U64 = 0
    size: U64 = 0


class SubsegmentOffsets(Table):
    segment_index: U32 = 0
    offsets: Vec[U64] = ()


class NamedData(Table):
    key: Str = ""
    segment_index: U32 = 0


class Program(Table):
    version: U32 = 0
    execution_plan: Vec[ExecutionPlan] = ()
    constant_buffer: Vec[Buffer] = ()
    backend_delegate_data: Vec[BackendDelegateInlineData] = ()
    segments: Vec[DataSegment] = ()
    constant_segment: Opt[SubsegmentOffsets] = None
    mutable_data_segments: Vec[SubsegmentOffsets] = ()
    named_data: Vec[NamedData] = ()
