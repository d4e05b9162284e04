"""Programs with portable kernels: kinds of values, memory that tensors share, and faults of both."""

import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.xnnpack_cases import cases
from support.xnnpack_graphs import parts, program

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import ConverterError, FormatError, UnsupportedError
from tosa_converter.formats import flatbuffer, parse
from tosa_converter.formats.xnnpack import plan
from tosa_converter.formats.xnnpack.wrapper import wrap_in_program
from tosa_converter.ir import Model, TensorType
from tosa_converter.schemas import executorch
from tosa_converter.schemas.executorch import AllocationDetails, EValue, Int, IntList, Tensor

FLOAT = executorch.ScalarType.FLOAT


def changed(file: str, change: Callable[[executorch.Program], Any]) -> bytes:
    """Returns a case's program with changed tables."""
    root, segments = parts(cases("kernels")[file].data)
    change(root)
    return program(root, segments)


def kernel(root: executorch.Program, name: str) -> executorch.KernelCall:
    """Returns the first call of a kernel."""
    plan = root.execution_plan[0]
    calls = [i.instr_args for chain in plan.chains for i in chain.instructions]
    kernel_calls = [call for call in calls if isinstance(call, executorch.KernelCall)]
    return next(call for call in kernel_calls if plan.operators[call.op_index].name == f"aten::{name}")


def argument(root: executorch.Program, name: str, position: int) -> Any:
    """Returns the value of an argument of the first call of a kernel."""
    return root.execution_plan[0].values[kernel(root, name).args[position]].val


def with_argument(root: executorch.Program, name: str, position: int, value: executorch.KernelTypes | None) -> None:
    """Replaces the value of an argument."""
    plan, call = root.execution_plan[0], kernel(root, name)
    call.args = (*call.args[:position], len(plan.values), *call.args[position + 1 :])
    plan.values = (*plan.values, EValue(val=value))


def last_operator(root: executorch.Program, index: int) -> None:
    """Makes the first kernel call name another operator."""
    call = root.execution_plan[0].chains[0].instructions[0].instr_args
    assert isinstance(call, executorch.KernelCall)
    call.op_index = index


def made_constant(tensor: Tensor) -> None:
    """Marks a tensor as having its elements in the file."""
    tensor.data_buffer_idx, tensor.allocation_info = 1, None


FAULTS: dict[str, tuple[str, Callable[[executorch.Program], Any]]] = {
    "expected ints": ("moves.pte", lambda r: with_argument(r, "permute_copy", 1, Int())),
    "expected int": ("moves.pte", lambda r: with_argument(r, "unsqueeze_copy", 1, IntList())),
    "not a tensor": ("moves.pte", lambda r: with_argument(r, "permute_copy", 0, Int())),
    "not a list of tensors": ("moves.pte", lambda r: with_argument(r, "cat", 0, Int())),
    "expected 4 values, found 2": ("moves.pte", lambda r: setattr(kernel(r, "permute_copy"), "args", (0, 1))),
    "expected its results as return values": (
        "moves.pte",
        lambda r: with_argument(r, "permute_copy", 3, Int()),
    ),
    "no value 999": ("moves.pte", lambda r: setattr(argument(r, "permute_copy", 1), "items", (999,))),
    "no operator 99": ("moves.pte", lambda r: last_operator(r, 99)),
    "an order of the dimensions of value 36, found [0, 0]": (
        "moves.pte",
        lambda r: setattr(argument(r, "cat", 2), "dim_order", (0, 0)),
    ),
    "is a constant, but": ("copies.pte", lambda r: made_constant(argument(r, "clone", 2))),
}


@pytest.mark.parametrize("message", FAULTS)
def test_a_fault_has_one_error(message: str) -> None:
    file, change = FAULTS[message]
    data = changed(file, change)
    with pytest.raises((FormatError, UnsupportedError)) as caught:
        parse(data)
    assert message in str(caught.value)
    assert len(caught.value.lines) == 1


def test_lists_that_several_name_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few bytes must not cause hours of work: many instructions may name one list."""
    monkeypatch.setattr(plan, "MOST_ITEMS", 40)
    with pytest.raises(FormatError, match="lists of more than 40 values in all"):
        parse(cases("kernels")["moves.pte"].data)


def test_kernels_that_are_not_known_are_counted() -> None:
    data = cases("kernels")["unary.pte"].data.replace(b"aten::mul", b"aten::mil")
    with pytest.raises(UnsupportedError, match="2 operators can't be converted") as caught:
        tc.convert(parse(data))
    assert "     2 aten::mil.out: a kernel of ExecuTorch that isn't known" in str(caught.value)


def test_control_flow_is_refused() -> None:
    def change(root: executorch.Program) -> None:
        root.execution_plan[0].chains[0].instructions[0].instr_args = executorch.JumpFalseCall()

    with pytest.raises(UnsupportedError, match="JumpFalseCall is control flow"):
        parse(changed("copies.pte", change))


# ** memory **


def tensor(place: int, *sizes: int, order: tuple[int, ...] = (), kind: executorch.ScalarType = FLOAT) -> EValue:
    """Returns a tensor in memory."""
    where = AllocationDetails(memory_id=1, memory_offset_low=place)
    return EValue(val=Tensor(scalar_type=kind, sizes=sizes, dim_order=order, allocation_info=where))


def negated_twice(*values: EValue) -> Model:
    """Returns the graph y = -x, z = -y' of a program whose tensors x, y, y', z lie at these places."""
    calls = [executorch.KernelCall(args=args) for args in ((0, 1, 1), (2, 3, 3))]
    plan = executorch.ExecutionPlan(
        name="forward",
        values=values,
        inputs=(0,),
        outputs=(3,),
        chains=(executorch.Chain(instructions=tuple(executorch.Instruction(instr_args=call) for call in calls)),),
        operators=(executorch.Operator(name="aten::neg", overload="out"),),
    )
    root = executorch.Program(execution_plan=(plan,))
    return parse(b"".join(map(bytes, flatbuffer.write(root, executorch.IDENTIFIER))))


def test_a_tensor_at_the_same_place_is_a_view() -> None:
    """The exporter leaves out copies that only change sizes."""
    model = negated_twice(tensor(0, 2, 3), tensor(64, 2, 3), tensor(64, 3, 2), tensor(0, 3, 2))
    assert [op.name for op in model.main] == ["aten.neg.out", "aten.view_copy.out", "aten.neg.out"]
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert np.array_equal(tc.run(tc.convert(model), {"input_0": x})["output_0"], x.reshape(3, 2))


@pytest.mark.parametrize(
    ("views", "message"),
    [
        (tensor(64, 5), "used before any instruction writes it"),
        (tensor(68, 5), "used before any instruction writes it"),
        (tensor(128, 2, 3), "used before any instruction writes it"),
        (tensor(64, 2, 3, kind=executorch.ScalarType.INT), "used before any instruction writes it"),
        (tensor(64, 2, 3, order=(1, 0)), "whose dimensions lie in memory in another order"),
    ],
)
def test_a_tensor_at_an_overlapping_place_is_refused(views: EValue, message: str) -> None:
    with pytest.raises(ConverterError, match=message):
        negated_twice(tensor(0, 2, 3), tensor(64, 2, 3), views, tensor(256, 2, 3))


def test_a_partly_overwritten_tensor_is_refused() -> None:
    values = tensor(0, 2, 3), tensor(64, 2, 3), tensor(0, 2, 3), tensor(80, 2)
    assert negated_twice(*values).main.outputs[0].type.shape == (2,)
    values = tensor(0, 2, 3), tensor(16, 2, 3), tensor(0, 2, 3), tensor(128, 2, 3)
    with pytest.raises(FormatError, match="value 2 is used before any instruction writes it"):
        negated_twice(*values)


# ** programs around graphs **


@pytest.mark.parametrize("label", ["fp32/add.xnn", "qint8/conv.xnn", "fp32/linear_blocks.xnn"])
def test_a_program_around_a_graph_is_read_as_the_graph(label: str) -> None:
    group, file = label.split("/")
    case = cases(group)[file]
    model = parse(case.data)
    types = ([value.type for value in values] for values in (model.main.inputs, model.main.outputs))
    unwrapped = parse(wrap_in_program(case.data, *types))
    assert [(op.name, op.attributes.keys()) for op in unwrapped.main] == [
        (op.name, op.attributes.keys()) for op in model.main
    ]
    assert [v.type for op in unwrapped.main for v in op.results] == [v.type for op in model.main for v in op.results]


def test_tensors_of_a_program_are_64_bytes_apart_and_aligned() -> None:
    """Each begins at the first multiple of 64 that is at least 64 bytes behind the previous one."""
    sizes = [1, 63, 64, 65, 128, 129, 256]
    types = [TensorType(DType.I8, (size,)) for size in sizes]
    program = wrap_in_program(cases("fp32")["add.xnn"].data, types[:4], types[4:])
    plan = flatbuffer.read(executorch.Program, program, executorch.IDENTIFIER).execution_plan[0]
    places = []
    for value in plan.values:
        assert isinstance(value.val, Tensor)
        assert value.val.allocation_info is not None
        assert value.val.allocation_info.memory_id == 1
        places.append(value.val.allocation_info.memory_offset_low)
    assert [*places, plan.non_const_buffer_sizes[1]] == [0, 128, 256, 384, 576, 768, 1024, 1344]


def test_fields_behind_the_end_that_a_vtable_states_are_read() -> None:
    """flatbuffers for Python up to 25.2 writes such programs: tables of several sizes share a vtable."""
    case = cases("kernels")["copies.pte"]
    data = bytearray(case.data)
    (root,) = struct.unpack_from("<I", data)
    vtable = root - struct.unpack_from("<i", data, root)[0]
    struct.pack_into("<H", data, vtable + 2, 4)
    assert [op.name for op in parse(bytes(data)).main] == [op.name for op in parse(case.data).main]


@pytest.mark.parametrize("dynamism", [1, 2])
def test_a_program_of_unknown_sizes_notes_that_the_largest_is_converted(dynamism: int) -> None:
    file = next(iter(cases("kernels")))

    def change(root: executorch.Program) -> None:
        steps = root.execution_plan[0]
        tensor = steps.values[steps.inputs[0]].val
        assert isinstance(tensor, Tensor)
        tensor.shape_dynamism = executorch.TensorShapeDynamism(dynamism)

    plain = tc.convert(parse(changed(file, lambda _root: None))).report.notes
    notes = [note for note in tc.convert(parse(changed(file, change))).report.notes if note not in plain]
    assert [note.location for note in notes] == ["input 'input_0'"]
    assert notes[0].text.startswith("the program takes other sizes too; this is for the largest, ")
