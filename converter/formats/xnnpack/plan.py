"""Converts a plan of an ExecuTorch program to one graph: the nodes of delegates, and portable kernels."""

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.formats.xnnpack.memory import VIEW, Memory
from tosa_converter.formats.xnnpack.program_states import ProgramStates, is_constant
from tosa_converter.ir import Graph, Model, Op, Signature, TensorType, Value
from tosa_converter.ir.edit import substitute
from tosa_converter.schemas import aten_ops, executorch
from tosa_converter.schemas.executorch import ScalarType

if TYPE_CHECKING:
    from tosa_converter.formats.xnnpack.program import Program

KERNEL = "xnn.kernel"  # one that `aten_ops` doesn't have
SIZE = "aten::sym_size.int"
COPY = "aten::copy_"
ET_VIEW = "executorch_prim::et_view.default"
# Arithmetic on sizes: both operands, then the result.
ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "executorch_prim::add.Scalar": operator.add,
    "executorch_prim::floordiv.Scalar": operator.floordiv,
    "executorch_prim::mod.Scalar": operator.mod,
    "executorch_prim::mul.Scalar": operator.mul,
    "executorch_prim::sub.Scalar": operator.sub,
}
DATA_FILES = "data_files"  # the key of a model's metadata with the files beside the program that were read
MOST_ITEMS = 1 << 20  # of all lists that instructions name, for several may name one
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
SCALARS: dict[str, tuple[type[executorch.KernelTypes], ...]] = {
    "int": (executorch.Int,),
    "number": (executorch.Int, executorch.Double, executorch.Boolean),
    "bool": (executorch.Boolean,),
    "str": (executorch.String,),
    "numbers": (executorch.DoubleList,),
}


class Call(NamedTuple):
    """The indices of the values that an instruction names, and the instruction's place for messages."""

    args: Sequence[int]
    place: str


class Plan:
    """Converts the plan of an ExecuTorch program to one graph."""

    def __init__(self, program: "Program") -> None:
        """Prepares to convert the plan of an ExecuTorch program (its list of instructions) into one graph."""
        self.program = program
        self.plan = program.plan
        self.graph = Graph(self.plan.name or "forward")
        self.constants: dict[int, Value] = {}
        self.memory = Memory()
        self.states = ProgramStates(self)
        self.items = 0  # the length of all lists that were read, see `count_items`
        self.sizes: dict[int, int] = {}  # by value index, the numbers that instructions compute (`compute_size`)

    def model(self) -> Model:
        """Returns the model of an ExecuTorch plan: its instructions in order become the operators of one graph."""
        for i, index in enumerate(self.plan.inputs):
            value = Value(self.type(index, "ExecutionPlan.inputs"), f"input_{i}")
            self.graph.inputs.append(value)
            self.write(index, value)
        for chain in self.plan.chains:
            for i, instruction in enumerate(chain.instructions):
                self.add_instruction(instruction.instr_args, f"{self.graph.name}:{i}")
        self.graph.outputs = [self.use(index, "ExecutionPlan.outputs") for index in self.plan.outputs]
        self.states.store()
        for i, value in enumerate(self.graph.outputs):
            if value not in self.graph.inputs:
                value.name = f"output_{i}"
        inputs, outputs = ({v.name: v for v in values} for values in (self.graph.inputs, self.graph.outputs))
        signature = Signature(self.graph.name, inputs, outputs)
        name = self.graph.name
        model = Model({name: self.graph}, {name: signature}, {}, self.program.file, opset="xnn")
        model.notes = list(self._size_notes())
        if self.program.external.paths:
            # A text, because writers take metadata of bytes for a part of the file.
            model.metadata[DATA_FILES] = "\n".join(self.program.external.paths)
        return model

    def _size_notes(self) -> Iterator[tuple[str, str]]:
        """Yields (input, note) for each input that may have other sizes in the ExecuTorch program than in the model."""
        for index, value in zip(self.plan.inputs, self.graph.inputs, strict=True):
            dynamism = self.tensor(index, "ExecutionPlan.inputs").shape_dynamism
            if dynamism is not executorch.TensorShapeDynamism.STATIC:
                sizes = "x".join(map(str, value.type.static)) or "a scalar"
                yield f"input {value.name!r}", f"the program takes other sizes too; this is for the largest, {sizes}"

    def add_instruction(self, args: executorch.InstructionArguments | None, place: str) -> None:
        """Adds the operators of what an instruction of the program calls: a delegate or a kernel; FreeCall adds none.

        Raises:
            UnsupportedError: it is control flow.
        """
        if isinstance(args, executorch.DelegateCall):
            self.inline_delegate(args.delegate_index, Call(args.args, place))
        elif isinstance(args, executorch.KernelCall):
            self.add_kernel(args.op_index, Call(args.args, place))
        elif not isinstance(args, executorch.FreeCall):
            raise UnsupportedError(f"{place}: {type(args).__name__} is control flow, which is not supported")

    def emit(self, name: str, inputs: Sequence[Value | None], type: TensorType, place: str, **attributes: Any) -> Value:
        """Adds an operator with one result to the graph, and returns the result."""
        op = Op(name, inputs, [type], attributes, location=place)
        self.graph.ops.append(op)
        return op.result

    # ** delegates **

    def inline_delegate(self, index: int, call: Call) -> None:
        """Adds the operators of a delegate's graph; the call's arguments are its inputs, then its outputs."""
        if not 0 <= index < len(self.plan.delegates):
            raise FormatError(f"no delegate {index}, there are {len(self.plan.delegates)}", path=call.place)
        inner = self.program.delegate(index).main
        count = len(inner.inputs)
        if len(call.args) != count + len(inner.outputs):
            counts = f"{len(call.args)} arguments for {count} inputs and {len(inner.outputs)} outputs"
            raise FormatError(f"delegate {index}: {counts}", path=call.place)
        arguments = [
            self.cross_border(self.use_in_memory_order(argument, call.place), value.type, call.place)
            for argument, value in zip(call.args, inner.inputs, strict=False)
        ]
        moved = dict(zip(inner.inputs, arguments, strict=True))
        for op in inner.ops:
            op.inputs = substitute(op.inputs, moved)
            op.location = f"{call.place} delegate {index} {op.location}"
        self.graph.ops += inner.ops
        for argument, value in zip(call.args[count:], inner.outputs, strict=True):
            type, order = self.type(argument, call.place), self.order(argument, call.place)
            shape = tuple(type.static[axis] for axis in order)
            # The order 0 2 3 1 has the inverse 0 3 1 2 (order.index), which permutes [n, h, w, c] to [n, c, h, w].
            result = self.cross_border(moved.get(value, value), type._replace(shape=shape), call.place)
            self.write(argument, self.transpose(result, [order.index(axis) for axis in range(type.rank)], call.place))

    def use_in_memory_order(self, index: int, place: str) -> Value:
        """Returns the value of a tensor, transposed to the order of its dimensions in memory, as delegates see it."""
        return self.transpose(self.use(index, place), self.order(index, place), place)

    def transpose(self, value: Value, perm: Sequence[int], place: str) -> Value:
        """Returns a value with its dimensions permuted by `perm`: result dimension i is dimension perm[i].

        If that moves none, it is the value itself.
        """
        if list(perm) == list(range(value.type.rank)):
            return value
        type = value.type._replace(shape=tuple(value.type.static[axis] for axis in perm))
        return self.emit("xnn.static_transpose", [value], type, place, num_dims=type.rank, perm=tuple(perm), flags=0)

    def cross_border(self, value: Value, type: TensorType, place: str) -> Value:
        """Returns a value in the type that it has on the other side of a delegate's border.

        Rank and quantization may differ. A program doesn't say how its tensors are quantized, so a value without
        quantization gets that of `type`, in place. If the types still differ, a view is added; the bytes stay.

        Raises:
            FormatError: it is of another type.
        """
        same_rank = value.type.rank == type.rank
        if value.type.dtype is not type.dtype or not (same_rank or value.type.elements == type.elements):
            raise FormatError(f"{value.type} on one side of a delegate's border, {type} on the other", path=place)
        shape = value.type.shape if same_rank else type.shape
        if value.type.quant is None:
            value.type = value.type._replace(quant=type.quant)
        if shape == value.type.shape and type.quant in (None, value.type.quant):
            return value
        declared = type._replace(shape=shape)
        return self.emit(VIEW, [value], declared, place, size=declared.static)

    # ** kernels **

    def add_kernel(self, index: int, call: Call) -> None:
        """Adds the operator of a portable ExecuTorch kernel, such as `aten.add.out`.

        The call's values are its arguments, its results, and the results again as return values. Kernels that compute a
        size or copy a tensor are evaluated here and add none; those that `aten_ops` lacks become `xnn.kernel`.
        """
        if not 0 <= index < len(self.plan.operators):
            raise FormatError(f"no operator {index}, there are {len(self.plan.operators)}", path=call.place)
        kernel = self.plan.operators[index]
        name = f"{kernel.name}.{kernel.overload}" if kernel.overload else kernel.name
        call = call._replace(place=f"{call.place} {name}")
        if name == SIZE or name in ARITHMETIC:
            self.compute_size(name, call)
            return
        if name == COPY:
            self.copy_into(call)
            return
        row = aten_ops.BY_KERNEL.get(name)
        if row is None:
            self.add_unknown_kernel(name, call)
            return
        count = len(row.arguments)
        if name == ET_VIEW:  # it has no return value, so its result is taken for one
            call = call._replace(args=[*call.args, *call.args[-1:]])
        # aten::add.out has self, other, alpha, then out, and out again as its return value: 3 + 1 + 1 values.
        expected = count + len(row.results) + 1
        if len(call.args) != expected:
            raise FormatError(f"expected {expected} values, found {len(call.args)}", path=call.place)
        operands: list[Value | None] = []
        attributes: dict[str, Any] = {}
        for (argument, optional), value_index in zip(row.arguments.items(), call.args, strict=False):
            if argument.is_tensor:
                operands += self.tensors(value_index, call.place, many=argument.kind == "*", optional=optional)
            else:
                attributes[argument.name] = self.attribute(value_index, argument.kind, call.place, optional=optional)
        many = row.results == ["out*"]
        results = self.tensor_list(call.args[count], call.place) if many else call.args[count:-1]
        if list(self.returned_tensors(call)) != list(results):
            raise FormatError("expected its results as return values, found others", path=call.place)
        self.finish(Op(row.opcode, operands, self.types(results, call.place), attributes, location=call.place), results)

    def compute_size(self, name: str, call: Call) -> None:
        """Computes an integer from a tensor's size or from other integers, and keeps it as the instruction's result."""
        if len(call.args) < 3 or not self.is_a(call.args[2], executorch.Int, call.place):
            raise FormatError(f"expected two operands and a number, found {len(call.args)} values", path=call.place)
        first, second, result = call.args[:3]
        number = self.attribute(second, "int", call.place, optional=False)
        if name == SIZE:
            sizes = self.type(first, call.place).static
            if not -len(sizes) <= number < len(sizes):
                raise FormatError(
                    f"expected a dimension in [-{len(sizes)}, {len(sizes)}), found {number}", path=call.place
                )
            self.sizes[result] = sizes[number]
            return
        try:
            self.sizes[result] = ARITHMETIC[name](self.attribute(first, "int", call.place, optional=False), number)
        except ZeroDivisionError:
            raise FormatError("a division by 0", path=call.place) from None

    def copy_into(self, call: Call) -> None:
        """Records that a tensor has the elements of another one from here on, cast and broadcast to its type."""
        if len(call.args) != 4 or call.args[3] != call.args[0]:
            raise FormatError(f"expected a tensor, its new elements and itself, found {call.args}", path=call.place)
        target, source = call.args[:2]
        value, type = self.use(source, call.place), self.type(target, call.place)
        if value.type.dtype is not type.dtype:
            cast = type._replace(shape=value.type.shape)
            value = self.emit("aten._to_copy.out", [value], cast, call.place, non_blocking=False, memory_format=None)
        if value.type.shape != type.shape:
            value = self.emit("aten.expand_copy.out", [value], type, call.place, size=type.static, implicit=False)
        self.write(target, value)

    def add_unknown_kernel(self, name: str, call: Call) -> None:
        """Adds a kernel that `aten_ops` doesn't have as `xnn.kernel`.

        Its return values are its results, all other tensors its operands.
        """
        results = self.returned_tensors(call) if call.args else ()
        tensors = [index for index in dict.fromkeys(call.args) if self.is_a(index, executorch.Tensor, call.place)]
        operands = [self.use(index, call.place) for index in tensors if index not in results]
        op = Op(KERNEL, operands, self.types(results, call.place), {"custom_code": name}, location=call.place)
        self.finish(op, results)

    def finish(self, op: Op, results: Sequence[int]) -> None:
        """Adds an operator to the graph, and records its results as the ExecuTorch program's tensors `results`."""
        self.graph.ops.append(op)
        for index, value in zip(results, op.results, strict=True):
            self.write(index, value)

    def types(self, indices: Sequence[int], place: str) -> list[TensorType]:
        """Returns the types of the ExecuTorch program's tensors with these indices."""
        return [self.type(index, place) for index in indices]

    def returned_tensors(self, call: Call) -> Sequence[int]:
        """Returns the indices of the tensors that a kernel call returns, as its last argument says; empty if none."""
        last = call.args[-1]
        if self.is_a(last, executorch.TensorList, call.place):
            return self.tensor_list(last, call.place)
        return (last,) if self.is_a(last, executorch.Tensor, call.place) else ()

    def tensors(self, index: int, place: str, *, many: bool, optional: bool) -> list[Value | None]:
        """Returns the operands that a kernel's argument stands for: one tensor, or with `many` those of a list.

        With `optional`, absent ones are None.
        """
        if many:
            absent = (-1,) if optional else ()
            return [None if item in absent else self.use(item, place) for item in self.tensor_list(index, place)]
        return [None if optional and self.is_none(index, place) else self.use(index, place)]

    def tensor_list(self, index: int, place: str) -> Sequence[int]:
        """Returns the indices of the tensors in a list value of the ExecuTorch program."""
        tensor_list = self.value(index, place)
        if not isinstance(tensor_list, executorch.TensorList | executorch.OptionalTensorList):
            raise FormatError(f"value {index} is {tensor_list!r}, not a list of tensors", path=place)
        return self.count_items(tensor_list.items, place)

    def attribute(self, index: int, kind: str, place: str, *, optional: bool) -> Any:
        """Returns the Python value of a kernel's argument that isn't a tensor; None if it is optional and absent.

        A number that an instruction computes (`compute_size`) takes the place of the one in the file.

        Raises:
            FormatError: it is of another kind.
        """
        if optional and self.is_none(index, place):
            return None
        value = self.value(index, place)
        if kind == "ints" and isinstance(value, executorch.IntList):
            items = self.count_items(value.items, place)
            return tuple(self.attribute(item, "int", place, optional=False) for item in items)
        if not isinstance(value, SCALARS.get(kind, ())):
            raise FormatError(f"value {index} is {value!r}, expected {kind}", path=place)
        return self.sizes[index] if index in self.sizes else next(iter(value.fields().values()))

    def count_items(self, items: Sequence[int], place: str) -> Sequence[int]:
        """Returns a list of the program as it is; adds its length to the sum for all lists, which is limited.

        Else a small file could share lists so often that reading it takes too long.
        """
        self.items += len(items)
        if self.items > MOST_ITEMS:
            raise FormatError(f"lists of more than {MOST_ITEMS} values in all", path=place)
        return items

    # ** values **

    def value(self, index: int, place: str) -> executorch.KernelTypes | None:
        """Returns a value of the ExecuTorch program by its index; None for one that the file leaves out."""
        if not 0 <= index < len(self.plan.values):
            raise FormatError(f"no value {index}, there are {len(self.plan.values)}", path=place)
        return self.plan.values[index].val

    def is_a(self, index: int, kind: type[executorch.KernelTypes], place: str) -> bool:
        """Returns whether the ExecuTorch program's value with that index is of a kind, such as a tensor or a list."""
        return isinstance(self.value(index, place), kind)

    def is_none(self, index: int, place: str) -> bool:
        """Returns whether the ExecuTorch program's value with that index is absent."""
        value = self.value(index, place)
        return value is None or isinstance(value, executorch.Null)

    def tensor(self, index: int, place: str) -> executorch.Tensor:
        """Returns the flatbuffer table of the ExecuTorch program's tensor with that index.

        Raises:
            FormatError: the value is none.
        """
        tensor = self.value(index, place)
        if not isinstance(tensor, executorch.Tensor):
            raise FormatError(f"value {index} is {tensor!r}, not a tensor", path=place)
        return tensor

    def type(self, index: int, place: str) -> TensorType:
        """Returns the type of the program's tensor with that index.

        Raises:
            FormatError: the value is none, or it has a negative size.
            UnsupportedError: an element type that this reader doesn't know.
        """
        tensor = self.tensor(index, place)
        if tensor.scalar_type not in DTYPES:
            raise UnsupportedError(f"value {index} has elements of type {tensor.scalar_type.name}")
        if min(tensor.sizes, default=0) < 0:
            raise FormatError(f"expected sizes of 0 or more for value {index}, found {list(tensor.sizes)}", path=place)
        return TensorType(DTYPES[tensor.scalar_type], tuple(tensor.sizes))

    def order(self, index: int, place: str) -> list[int]:
        """Returns the dimensions of the program's tensor with that index as they lie in memory, the outermost first.

        Raises:
            FormatError: they are no permutation.
        """
        tensor = self.tensor(index, place)
        order = list(tensor.dim_order or range(len(tensor.sizes)))
        if sorted(order) != list(range(len(tensor.sizes))):
            raise FormatError(f"expected an order of the dimensions of value {index}, found {order}", path=place)
        return order

    def write(self, index: int, value: Value) -> None:
        """Records that `value` has been computed for the ExecuTorch program's tensor with that index."""
        place = "ExecutionPlan.values"
        tensor = self.tensor(index, place)
        if is_constant(tensor):
            raise FormatError(f"value {index} is a constant, but an instruction writes it", path=place)
        self.memory.write(index, tensor.allocation_info, value, self.order(index, place))

    def use(self, index: int, place: str) -> Value:
        """Returns the value of the program's tensor with that index: a constant, or what its memory holds.

        If that has another shape, it is viewed by `aten.view_copy`.
        """
        type = self.type(index, place)
        tensor = self.tensor(index, place)
        if is_constant(tensor):
            constant = self.constants.get(index)
            if constant is None:
                op = self.program.constant(tensor, type, self.order(index, place), place)
                self.graph.ops.append(op)
                constant = self.constants[index] = op.result
            return constant
        written = self.memory.read(index, tensor.allocation_info, type)
        if written is None:
            written = self.states.read(index, place)
        if written.value.type.shape == type.shape and written.order == self.order(index, place):
            return written.value
        if any(order != sorted(order) for order in (written.order, self.order(index, place))):
            raise UnsupportedError(f"value {index} is a view of one whose dimensions lie in memory in another order")
        return self.emit(VIEW, [written.value], type, place, size=type.static)
