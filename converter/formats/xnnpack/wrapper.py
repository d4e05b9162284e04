"""Wraps an XNNGraph in an ExecuTorch program (.pte) that calls it as its only delegate."""

from collections.abc import Sequence

import numpy as np

from tosa_converter.errors import UnsupportedError
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.xnnpack.plan import DTYPES
from tosa_converter.ir import TensorType
from tosa_converter.schemas import executorch, xnnpack
from tosa_converter.schemas.executorch import Tensor

ALIGNMENT = 64  # of tensors in memory
SLACK = 64  # bytes that XNNPACK may read behind a tensor
_SCALARS = {dtype: scalar for scalar, dtype in DTYPES.items()}


def wrap_in_program(graph: bytes, inputs: Sequence[TensorType], outputs: Sequence[TensorType]) -> bytes:
    """Returns an ExecuTorch program (.pte) whose only method, `forward`, runs an XNNGraph.

    Args:
        graph: the graph as a file; one of PyTorch's schema, which ExecuTorch doesn't know, is given its identifier.
        inputs: types of the inputs in the order of their external ids.
        outputs: those of the outputs, likewise.

    Raises:
        UnsupportedError: an element type that ExecuTorch has not.
    """
    if graph[4:8] not in (xnnpack.HEADER_IDENTIFIER, *xnnpack.IDENTIFIERS):
        # Only the root's offset counts from the file's begin: 10 00 00 00 becomes 20 00 00 00, and all others stay
        # valid. 16 more bytes keep every alignment up to 16.
        graph = (16 + int.from_bytes(graph[:4], "little")).to_bytes(4, "little") + b"XN00" + bytes(8) + graph
    values, end = [], 0
    for type in (*inputs, *outputs):
        values.append(executorch.EValue(val=_tensor_table(type, end)))
        # XNNPACK may read 64 bytes (SLACK) beyond: 64 bytes of tensor take 128 of memory, 65 take 192.
        end += -(-(type.elements * type.dtype.bits // 8 + SLACK) // ALIGNMENT) * ALIGNMENT
    ids = tuple(range(len(values)))
    call = executorch.Instruction(instr_args=executorch.DelegateCall(args=ids))
    delegate = executorch.BackendDelegate(id=executorch.XNNPACK, processed=executorch.BackendDelegateDataReference())
    plan = executorch.ExecutionPlan(
        name="forward",
        container_meta_type=executorch.ContainerMetadata(),
        values=tuple(values),
        inputs=ids[: len(inputs)],
        outputs=ids[len(inputs) :],
        chains=(executorch.Chain(instructions=(call,)),),
        delegates=(delegate,),
        non_const_buffer_sizes=(0, max(end, ALIGNMENT)),
    )
    data = executorch.BackendDelegateInlineData(data=np.frombuffer(graph, np.uint8))
    root = executorch.Program(
        execution_plan=(plan,),
        backend_delegate_data=(data,),
        segments=(executorch.DataSegment(),),  # constants, of which there are none: ExecuTorch wants a place for them
        constant_segment=executorch.SubsegmentOffsets(offsets=(0,)),
    )
    return b"".join(map(bytes, flatbuffer.write(root, executorch.IDENTIFIER)))


def _tensor_table(type: TensorType, place: int) -> Tensor:
    """Returns the ExecuTorch table of an input or output tensor at a byte offset in memory."""
    scalar = _SCALARS.get(type.dtype)
    if scalar is None:
        raise UnsupportedError(f"ExecuTorch has no element type {type}")
    memory = executorch.AllocationDetails(
        memory_id=1, memory_offset_low=place & 0xFFFFFFFF, memory_offset_high=place >> 32
    )
    return Tensor(scalar_type=scalar, sizes=type.static, dim_order=tuple(range(type.rank)), allocation_info=memory)
