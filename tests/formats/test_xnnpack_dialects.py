"""ExecuTorch's dialects and programs: constants are found at any place, and faults are reported."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.mutated_tables import mutant
from support.xnnpack_cases import GROUPS, XnnpackCase, cases
from support.xnnpack_graphs import official_graph, parts, program, tables, wrapped

import tosa_converter as tc
from tosa_converter.errors import ConverterError, FormatError, UnsupportedError, UsageError
from tosa_converter.formats import flatbuffer, parse
from tosa_converter.schemas import executorch, xnnpack
from tosa_converter.schemas.xnnpack import XNNDatatype

NETWORK = cases("networks")["mlp.pte"]
LAYER = cases("qint8")["conv.xnn"]
BLOCKS = cases("fp32")["linear_blocks.xnn"]


def computes(data: bytes, case: XnnpackCase) -> bool:
    """Returns whether a file still gives the case's outputs."""
    model = parse(data)
    inputs = {value.name: x for value, x in zip(model.main.inputs, case.inputs, strict=True)}
    outputs = tc.run(tc.convert(model), inputs).values()
    return all(np.allclose(x, y, rtol=0, atol=1e-5) for x, y in zip(outputs, case.outputs, strict=True))


def as_xn00(data: bytes) -> bytes:
    """Returns PyTorch's file under ExecuTorch's identifier, behind 16 bytes."""
    return (16 + int.from_bytes(data[:4], "little")).to_bytes(4, "little") + b"XN00" + bytes(8) + data


def test_executorchs_identifier_on_pytorchs_bytes_is_read() -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    for data in (official_graph(), as_xn00(official_graph())):
        assert np.array_equal(tc.run(tc.convert(parse(data)), {"v0": x})["v2"], x + np.array([10, 20, 30], np.float32))


@pytest.mark.parametrize("case", [LAYER, BLOCKS], ids=lambda c: c.file)
def test_constants_in_the_graph_itself_are_read(case: XnnpackCase) -> None:
    root, constants = tables(case.data)
    stored = [np.frombuffer(constants, np.uint8, entry.size, entry.offset) for entry in root.constant_data]
    root.constant_buffer = (xnnpack.Buffer(), *(xnnpack.Buffer(storage=raw) for raw in stored[1:]))
    root.constant_data = ()
    assert computes(b"".join(map(bytes, flatbuffer.write(root, b"XN00"))), case)


def test_scales_in_the_table_are_read() -> None:
    def listed(root: xnnpack.XNNGraph) -> None:
        for value in root.xvalues:
            if isinstance(value.xvalue, xnnpack.XNNQuantizedTensorValue):
                params = value.xvalue.quant_params
                if isinstance(params, xnnpack.PerChannelQuant):
                    entry = root.constant_data[params.scale_buffer_idx]
                    scales = np.frombuffer(tables(LAYER.data)[1], np.float32, params.num_scales, entry.offset)
                    params.scale, params.scale_buffer_idx = tuple(scales.tolist()), 0

    assert computes(changed(LAYER, listed), LAYER)


def changed(case: XnnpackCase, change: Callable[[xnnpack.XNNGraph], Any]) -> bytes:
    """Returns the case's file with changed tables."""
    root, constants = tables(case.data)
    change(root)
    return wrapped(root, constants)


def tensor(root: xnnpack.XNNGraph, index: int) -> xnnpack.XNNTensorValue:
    """Returns a quantized tensor of a graph."""
    value = root.xvalues[index].xvalue
    assert isinstance(value, xnnpack.XNNQuantizedTensorValue)
    assert value.tensor_value is not None
    return value.tensor_value


def params(root: xnnpack.XNNGraph, index: int) -> Any:
    """Returns the quantization parameters of a value."""
    value = root.xvalues[index].xvalue
    assert isinstance(value, xnnpack.XNNQuantizedTensorValue)
    return value.quant_params


def bare(root: xnnpack.XNNGraph) -> None:
    """Removes the first value's parameters."""
    root.xvalues[0].xvalue = tensor(root, 0)


FAULTS: dict[str, Callable[[xnnpack.XNNGraph], Any]] = {
    "value 0: xnn_datatype_qint8 without quantization parameters": bare,
    "value 0: xnn_datatype_qpint8 is packed": lambda r: setattr(tensor(r, 0), "datatype", XNNDatatype(11)),
    "value 0: dq_datatype xnn_datatype_qint8": lambda r: setattr(tensor(r, 0), "dq_datatype", XNNDatatype(3)),
    "expected PerTensorQuant for xnn_datatype_qint8": lambda r: setattr(tensor(r, 1), "datatype", XNNDatatype(3)),
    "positive scales, found 0.0": lambda r: setattr(params(r, 0), "scale", 0.0),
    "positive scales, found inf": lambda r: setattr(params(r, 0), "scale", np.inf),
    "a zero point of i8, found 200": lambda r: setattr(params(r, 0), "zero_point", 200),
    "a channel_dim below 4, found 4": lambda r: setattr(params(r, 1), "channel_dim", 4),
    "expected 3 scales, found 6": lambda r: setattr(params(r, 1), "channel_dim", 1),
    "expected 600 scales, found 24 bytes": lambda r: setattr(params(r, 1), "num_scales", 600),
    "no constant buffer 77": lambda r: setattr(params(r, 1), "scale_buffer_idx", 77),
    "value 0 has flags 5": lambda r: setattr(tensor(r, 0), "flags", 5),
    "has the external id 0 of another": lambda r: setattr(tensor(r, 3), "external_id", 0),
    "expected 144 bytes for constant": lambda r: setattr(r.constant_data[2], "size", 9),
    "within 240 bytes, found bytes 1099511627776 to": lambda r: setattr(r.constant_data[1], "offset", 1 << 40),
    "overlap those before them": lambda r: setattr(r.constant_data[1], "offset", 40),
    "lies in the program": lambda r: setattr(r.constant_data[1], "named_key", "weight"),
}


@pytest.mark.parametrize("message", FAULTS)
def test_a_fault_has_one_error(message: str) -> None:
    with pytest.raises((FormatError, UnsupportedError)) as caught:
        parse(changed(LAYER, FAULTS[message]))
    assert message in str(caught.value)
    assert all(line.startswith("next: ") for line in caught.value.lines[1:])


def test_a_constant_without_bytes_needs_no_place() -> None:
    """Its offset may lie behind the end, so only its size is wrong."""

    def change(root: xnnpack.XNNGraph) -> None:
        root.constant_data[2].size, root.constant_data[2].offset = 0, 1 << 40

    with pytest.raises(FormatError, match=r"expected 144 bytes for constant .*, found 0"):
        parse(changed(LAYER, change))


@pytest.mark.parametrize(("size", "channel_dim"), [(0, 0), (24, 0), (48, 0), (32, 1)])
def test_groups_that_do_not_divide_a_row_are_refused(size: int, channel_dim: int) -> None:
    def change(root: xnnpack.XNNGraph) -> None:
        quant_params = [getattr(value.xvalue, "quant_params", None) for value in root.xvalues]
        (grouped,) = [params for params in quant_params if isinstance(params, xnnpack.PerChannelGroupQuant)]
        grouped.group_size, grouped.channel_dim = size, channel_dim

    with pytest.raises(FormatError, match=f"groups that divide the last dimension of .*, found groups of {size}"):
        parse(changed(BLOCKS, change))


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (8, 8, "header of 30 bytes, found 8"),
        (18, 40, "overlap"),
        (10, 1 << 20, "within 1088 bytes"),
        (22, 1 << 40, "within 1088 bytes"),
    ],
)
def test_headers_with_wrong_offsets_are_refused(place: int, value: int, message: str) -> None:
    data = bytearray(LAYER.data)
    width = {8: 2, 22: 8}.get(place, 4)
    data[place : place + width] = value.to_bytes(width, "little")
    with pytest.raises(FormatError, match=message):
        parse(bytes(data))


# ** programs **


def delegate(root: executorch.Program) -> executorch.BackendDelegate:
    """Returns the first delegate."""
    return root.execution_plan[0].delegates[0]


def test_a_delegate_inside_of_the_program_is_read() -> None:
    root, segments = parts(NETWORK.data)
    segment = root.segments[delegate(root).processed.index]  # type: ignore[union-attr]
    blob = segments[segment.offset : segment.offset + segment.size]
    inside = executorch.BackendDelegateInlineData(data=np.frombuffer(blob, np.uint8))
    root.backend_delegate_data = (inside,)
    delegate(root).processed = executorch.BackendDelegateDataReference()
    assert computes(program(root, segments), NETWORK)


def test_one_delegate_of_a_program_is_selected() -> None:
    whole = tc.load(NETWORK.data)
    alone = tc.load(NETWORK.data, delegate=0)
    assert [op.name for op in alone.main] == [op.name for op in whole.main]
    with pytest.raises(UsageError, match="no delegate 1, the program has 1"):
        tc.load(NETWORK.data, delegate=1)
    with pytest.raises(UsageError, match=r"expected a program \(.pte\) to read a delegate from, found XNNGraph"):
        tc.load(LAYER.data, delegate=0)


PROGRAM_FAULTS: dict[str, Callable[[executorch.Program], Any]] = {
    "the program has no data named": lambda r: setattr(r.named_data[0], "key", "elsewhere"),
    "no segment 40": lambda r: setattr(r.named_data[0], "segment_index", 40),
    "overlap those before them": lambda r: setattr(r.segments[2], "offset", r.segments[1].offset + 16),
    "no segment 2, there are 0": lambda r: setattr(r, "segments", ()),
    "delegate 0 is 'CoreMLBackend'": lambda r: setattr(delegate(r), "id", "CoreMLBackend"),
    "a delegate without data": lambda r: setattr(delegate(r), "processed", None),
    "no delegate 3": lambda r: setattr(call(r), "delegate_index", 3),
    "1 arguments for 1 inputs and 1 outputs": lambda r: setattr(call(r), "args", (0,)),
    "no value 99": lambda r: setattr(r.execution_plan[0], "inputs", (99,)),
    "is used before any instruction writes it": lambda r: setattr(r.execution_plan[0].chains[0], "instructions", ()),
    "expected a plan, found none": lambda r: setattr(r, "execution_plan", ()),
}


def call(root: executorch.Program) -> executorch.DelegateCall:
    """Returns the first call of a delegate."""
    arguments = next(i.instr_args for i in root.execution_plan[0].chains[0].instructions)
    assert isinstance(arguments, executorch.DelegateCall)
    return arguments


@pytest.mark.parametrize("message", PROGRAM_FAULTS)
def test_a_programs_fault_has_one_error(message: str) -> None:
    root, segments = parts(NETWORK.data)
    PROGRAM_FAULTS[message](root)
    with pytest.raises((FormatError, UnsupportedError)) as caught:
        parse(program(root, segments))
    assert message in str(caught.value)


def test_segments_are_where_the_header_says() -> None:
    root, segments = parts(NETWORK.data)
    with pytest.raises(FormatError, match="segments behind the 1368 bytes of the program"):
        parse(program(root, segments, base=1 << 40))
    data = bytearray(NETWORK.data)
    data[8:12] = b"????"
    with pytest.raises(FormatError, match="a header with the place of segments"):
        parse(bytes(data))


# ** damage **


def tried(data: bytes) -> None:
    """Reads and converts the bytes, or catches the refusal."""
    try:
        tc.convert(parse(data))
    except ConverterError:
        return


@pytest.mark.parametrize("group", GROUPS)
def test_damaged_bytes_are_read_or_refused(group: str) -> None:
    rng = np.random.default_rng(5)
    for case in cases(group).values():
        for _ in range(3):
            data = bytearray(case.data)
            place = int(rng.integers(min(len(data), 1500)))
            data[place] = int(rng.integers(256))
            tried(bytes(data))
        tried(case.data[: int(rng.integers(len(case.data)))])


@pytest.mark.parametrize("group", GROUPS)
def test_damaged_tables_are_read_or_refused(group: str) -> None:
    rng = np.random.default_rng(6)
    for case in cases(group).values():
        kind = "pte" if case.file.endswith(".pte") else "xnn"
        for _ in range(3):
            tried(mutant(kind, case.data, rng))
