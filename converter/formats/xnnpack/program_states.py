"""Mutable buffers of ExecuTorch programs, such as a cache of keys and values: state that persists from run to run.

A program doesn't name them. A buffer is a tensor in planned memory that a run reads before it writes it, and that holds
its next value when the run ends. What it begins with is in the file where the exporter was asked for it; elsewhere
ExecuTorch leaves the memory as it is, and zeros stand for it here.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.formats.xnnpack.memory import VIEW, StoredValue
from tosa_converter.ir import Op, Value
from tosa_converter.schemas import executorch
from tosa_converter.schemas.opsets import XNN_CONSTANT, XNN_READ, XNN_STORE

if TYPE_CHECKING:
    from tosa_converter.formats.xnnpack.plan import Plan


class _Buffer(NamedTuple):
    """A mutable buffer: the operator that reads it, the tensor's table, and whether the file has its elements."""

    op: Op
    tensor: executorch.Tensor
    place: str


def is_constant(tensor: executorch.Tensor) -> bool:
    """Returns whether a tensor has its elements in the file, or in one beside it, and no memory that runs write."""
    return has_elements(tensor) and tensor.allocation_info is None


def has_elements(tensor: executorch.Tensor) -> bool:
    """Returns whether a tensor has elements in the file, or in one beside it.

    A buffer index of 0 means none in the file; for a file beside it, 0 is an index like any other.
    """
    info = tensor.extra_tensor_info
    is_external = info is not None and info.location == executorch.TensorDataLocation.EXTERNAL
    return is_external or tensor.data_buffer_idx != 0


class ProgramStates:
    """The mutable buffers of a program, found while its instructions become operators."""

    def __init__(self, plan: "Plan") -> None:
        """Starts without mutable buffers; `plan` is the reader of the program's instructions."""
        self.plan = plan
        self.buffers: dict[int, _Buffer] = {}  # by the number of the tensor that is read first

    def read(self, index: int, place: str) -> StoredValue:
        """Adds an operator that reads what the last run left in a tensor, and returns its result.

        It is called for a tensor that this run reads before it writes it.

        Raises:
            FormatError: the tensor has no memory, or shares it with a value of this run.
        """
        tensor, type = self.plan.tensor(index, place), self.plan.type(index, place)
        where = tensor.allocation_info
        if where is None or not type.elements or self.plan.memory.overlaps(where, type):
            raise _unwritten(index, place)
        order = self.plan.order(index, place)
        initial = self.plan.program.elements(tensor, type, order, place) if has_elements(tensor) else None
        info = tensor.extra_tensor_info
        name = (info.fully_qualified_name if info is not None else "") or f"state_{len(self.buffers)}"
        elements = np.zeros(type.static, type.dtype.numpy) if initial is None else initial
        attributes = {"name": name, "initial": elements, "unset": initial is None}
        op = Op(XNN_READ, (), [type], attributes, location=f"{self.plan.graph.name} state {name}", result_names=[name])
        self.plan.graph.ops.append(op)
        self.buffers[index] = _Buffer(op, tensor, place)
        self.plan.memory.write(index, where, op.result, order)
        return StoredValue(op.result, order)

    def store(self) -> None:
        """Adds operators that store what each buffer holds at the end of a run.

        A buffer that no run changes becomes a constant.

        Raises:
            FormatError: a tensor is read that no run writes, or that this run reuses for something else.
            UnsupportedError: the dimensions of a buffer lie in memory in another order than at the beginning.
        """
        for index, (op, tensor, place) in self.buffers.items():
            stored = self.plan.memory.read(index, tensor.allocation_info, op.result.type)
            # None: the run has used the memory for something else. Unset: nothing writes the tensor, and the file has
            # no elements with which it could begin.
            if stored is None or (stored.value is op.result and op.attributes["unset"]):
                raise _unwritten(index, place)
            if stored.value is op.result:
                op.name, op.attributes = XNN_CONSTANT, {"values": op.attributes["initial"]}
                continue
            if stored.order != self.plan.order(index, place):
                raise UnsupportedError(f"value {index} is state whose dimensions lie in memory in two orders")
            self._store(op, stored.value)

    def _store(self, read: Op, value: Value) -> None:
        """Adds the operator that stores a buffer's next value, in the shape in which it was read."""
        type = read.result.type
        if value.type.shape != type.shape:
            value = self.plan.emit(VIEW, [value], type, read.location, size=type.static)
        attributes = {
            "name": read.attributes["name"],
            "initial": read.attributes["initial"],
            "shape": type.shape,
            "declared": True,  # reading the state declares its variables
        }
        self.plan.graph.ops.append(Op(XNN_STORE, [value], (), attributes, location=read.location))


def _unwritten(index: int, place: str) -> FormatError:
    """Returns the error about a tensor that is read, though no instruction gives it a value."""
    return FormatError(f"value {index} is used before any instruction writes it", path=place)
