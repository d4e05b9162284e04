"""Programs with mutable buffers or with data in files beside them (models/programs), judged by ExecuTorch's runs."""

import shutil
import struct
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from support.commands import MODELS, command, unwrapped
from support.containers import ptd_of, zip_of

import tosa_converter as tc
from tosa_converter.engines import ENGINES
from tosa_converter.errors import ConverterError, FormatError, UnsupportedError, UsageError
from tosa_converter.formats import flatbuffer, parse
from tosa_converter.formats.xnnpack.flat_tensor import read_flat_tensor
from tosa_converter.ir import Array
from tosa_converter.schemas import executorch, flat_tensor
from tosa_converter.schemas.executorch import AllocationDetails, EValue, Tensor

FOLDER = MODELS / "programs"
WITH_STATE = ["cache", "counter", "counter_from_1", "window"]
WITH_DATA = {"layers": "_default_external_constant.ptd", "layers_delegated": "layers_of_a_delegate.ptd"}


def steps(name: str) -> tuple[list[Mapping[str, Array]], Array]:
    """Returns the inputs of each run, and ExecuTorch's outputs of all runs."""
    with np.load(FOLDER / "steps.npz") as arrays:
        inputs = {f"input_{i}": arrays[f"{name}.x{i}"] for i in range(2) if f"{name}.x{i}" in arrays}
        outputs = arrays[f"{name}.y0"]
    narrowed = {key: x.astype(np.int32) if x.dtype == np.int64 else x for key, x in inputs.items()}
    return [{key: x[i] for key, x in narrowed.items()} for i in range(len(outputs))], outputs


@pytest.mark.parametrize("state", ["variables", "io"])
@pytest.mark.parametrize("name", WITH_STATE)
def test_state_lasts_from_run_to_run(name: str, state: str) -> None:
    inputs, expected = steps(name)
    model = tc.convert(FOLDER / f"{name}.pte", state=state)
    assert ("variable" in str(model.report.tosa_ops)) == (state == "variables")
    runs = tc.run_steps(model, inputs)
    assert np.allclose(np.stack([run["output_0"] for run in runs]), expected, rtol=1e-5, atol=1e-6)
    alone = tc.run_steps(model, inputs[1:2])  # a sequence of its own begins anew
    assert not np.allclose(alone[0]["output_0"], expected[1], rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("name", WITH_DATA)
def test_data_beside_a_program_is_read(name: str) -> None:
    inputs, expected = steps(name)
    model = tc.convert(FOLDER / f"{name}.pte")
    outputs = [tc.run(model, arrays)["output_0"] for arrays in inputs]
    assert np.allclose(np.stack(outputs), expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", [*WITH_STATE, *WITH_DATA])
def test_executorch_and_the_conversion_agree(name: str) -> None:
    if ENGINES["executorch"].missing():
        pytest.skip("executorch is not installed")
    assert tc.verify(FOLDER / f"{name}.pte").verdict


def test_a_state_has_its_initial_value_and_a_note_where_there_is_none() -> None:
    ((state,),) = tc.convert(FOLDER / "counter_from_1.pte", state="io").states.values()
    assert state.initial is not None
    assert state.initial.tolist() == [1, 2, 3, 4]
    notes = tc.convert(FOLDER / "counter.pte").report.notes
    assert [note.text for note in notes] == ["state 'state_0' has no initial value in the model: it starts with zeros"]


def test_missing_data_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "layers.pte"
    shutil.copy(FOLDER / "layers.pte", path)
    assert command("inspect", path) == 2
    first, last = unwrapped(capsys.readouterr().err).splitlines()
    assert first == f"error: {path}: expected a .ptd file beside it with the data 'first.weight', found none"
    assert last.endswith(f"as {tmp_path / 'layers.ptd'}")
    with pytest.raises(UsageError, match=r"expected a .ptd file beside it"):
        tc.load(path.read_bytes())
    shutil.copy(FOLDER / "layers_delegated.pte", tmp_path / "d.pte")
    with pytest.raises(FormatError, match=r"no .ptd file beside it has"):
        tc.load(tmp_path / "d.pte")


def test_the_file_with_the_programs_stem_comes_first(tmp_path: Path) -> None:
    data = FOLDER / WITH_DATA["layers"]
    shutil.copy(FOLDER / "layers.pte", tmp_path / "layers.pte")
    for name in ("a.ptd", "b.ptd"):
        shutil.copy(data, tmp_path / name)
    with pytest.raises(FormatError, match=r"expected one file of data with 'first.weight', found a.ptd and b.ptd"):
        tc.load(tmp_path / "layers.pte")
    values = {key: bytes(view) for key, view in read_flat_tensor(data.read_bytes()).items()}
    (tmp_path / "layers.ptd").write_bytes(ptd_of({key: bytes(len(value)) for key, value in values.items()}))
    outputs = tc.run(tc.convert(tmp_path / "layers.pte"), {"input_0": np.ones((1, 8), np.float32)})
    assert not outputs["output_0"].any()


def test_data_is_no_link_out_of_the_folder(tmp_path: Path) -> None:
    shutil.copy(FOLDER / "layers.pte", tmp_path / "layers.pte")
    (tmp_path / "layers.ptd").symlink_to(FOLDER / WITH_DATA["layers"])
    with pytest.raises(UsageError, match="expected a regular file in the folder of"):
        tc.load(tmp_path / "layers.pte")


def test_a_cache_of_downloads_is_read(tmp_path: Path) -> None:
    """Model and data are links to files of one other folder."""
    blobs, snapshot = tmp_path / "blobs", tmp_path / "snapshot"
    blobs.mkdir()
    snapshot.mkdir()
    for name, blob in (("layers.pte", "1a"), (WITH_DATA["layers"], "2b")):
        shutil.copy(FOLDER / name, blobs / blob)
        (snapshot / name).symlink_to(blobs / blob)
    assert len(tc.load(snapshot / "layers.pte").main.inputs) == 1


def test_a_program_in_an_archive_has_no_files_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "m.zip"
    path.write_bytes(zip_of({"layers.pte": (FOLDER / "layers.pte").read_bytes()}))
    shutil.copy(FOLDER / WITH_DATA["layers"], tmp_path / "layers.ptd")
    with pytest.raises(UsageError, match=r"expected a .ptd file beside it"):
        tc.load(f"{path}:layers.pte")


# ** hostile data **

DATA = ptd_of({"a": b"1234", "b": b"5678"})


def with_table(change: Callable[[flat_tensor.FlatTensor], object]) -> bytes:
    """Returns a file of data with a changed table, whose segments come behind as before."""
    fields = struct.unpack_from(flat_tensor.HEADER, DATA, flat_tensor.HEADER_PLACE)
    root = flatbuffer.read(flat_tensor.FlatTensor, DATA[: fields[4]], flat_tensor.IDENTIFIER)
    change(root)
    table = b"".join(map(bytes, flatbuffer.write(root, flat_tensor.IDENTIFIER)))
    room = fields[2]
    begin = -(-(len(table) + room) // 16) * 16
    header = struct.pack(flat_tensor.HEADER, *fields[:2], room, len(table), begin, fields[5])
    (place,) = struct.unpack_from("<I", table)
    moved = struct.pack("<I", place + room) + table[4:8] + header.ljust(room, b"\0") + table[8:]
    return moved.ljust(begin, b"\0") + DATA[fields[4] :]


def with_header(number: int, value: int) -> bytes:
    """Returns a file of data with another number in its header."""
    fields = list(struct.unpack_from(flat_tensor.HEADER, DATA, flat_tensor.HEADER_PLACE))
    fields[number] = value
    changed = bytearray(DATA)
    struct.pack_into(flat_tensor.HEADER, changed, flat_tensor.HEADER_PLACE, *fields)
    return bytes(changed)


FAULTS: dict[str, tuple[Callable[[], bytes], str]] = {
    "cut": (lambda: DATA[:30], "expected a header of 48 bytes, found 30 bytes"),
    "cut in the data": (lambda: DATA[:-1], "bytes of tables and 20 of data within"),
    "header": (lambda: with_header(1, 8), "expected the header b'FH01'"),
    "place": (lambda: with_header(4, 1 << 60), "bytes of tables and 20 of data within"),
    "size": (lambda: with_header(5, 1 << 60), "within"),
    "table": (lambda: with_header(3, 1 << 60), "of tables"),
    "segment": (lambda: with_table(lambda r: setattr(r.named_data[0], "segment_index", 9)), "no segment 9"),
    "outside": (lambda: with_table(lambda r: setattr(r.segments[1], "offset", 1 << 60)), "expected pieces within"),
    "overlap": (lambda: with_table(lambda r: setattr(r.segments[1], "offset", 2)), "overlap those before them"),
    "twice": (lambda: with_table(lambda r: setattr(r.named_data[1], "key", "a")), "the name 'a' is another entry's"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_data_has_one_error(fault: str) -> None:
    make, message = FAULTS[fault]
    with pytest.raises(FormatError) as caught:
        read_flat_tensor(make(), file="m.ptd")
    assert message in str(caught.value)
    assert len(caught.value.lines) == 1


def test_a_later_version_of_data_is_unsupported() -> None:
    with pytest.raises(UnsupportedError, match="expected data of version 0 or before, found 3"):
        read_flat_tensor(with_table(lambda r: setattr(r, "version", 3)))


def test_every_byte_of_data_ends_in_our_errors() -> None:
    read = refused = 0
    for place in range(len(DATA)):
        for value in {DATA[place] ^ 1, DATA[place] ^ 0x80, 255 - DATA[place]}:
            try:
                table = read_flat_tensor(DATA[:place] + bytes([value]) + DATA[place + 1 :])
                assert all(len(view) <= 24 for view in table.values())
                read += 1
            except ConverterError:
                refused += 1
    assert read > 50
    assert refused > 100


# ** hostile state **


def tensor(place: int, *, data: int = 0, sizes: tuple[int, ...] = (4,), order: tuple[int, ...] = ()) -> EValue:
    """Returns a tensor of floats in memory."""
    where = AllocationDetails(memory_id=1, memory_offset_low=place)
    kind = executorch.ScalarType.FLOAT
    return EValue(
        val=Tensor(scalar_type=kind, sizes=sizes, dim_order=order, data_buffer_idx=data, allocation_info=where)
    )


def program(values: tuple[EValue, ...], *calls: tuple[str, tuple[int, ...]], offsets: tuple[int, ...] = ()) -> bytes:
    """Returns a program of one input, value 0, and one output, value 1, of calls by kernel and arguments."""
    names = [name for name, _ in calls]
    plan = executorch.ExecutionPlan(
        name="forward",
        values=values,
        inputs=(0,),
        outputs=(1,),
        chains=(
            executorch.Chain(
                instructions=tuple(
                    executorch.Instruction(instr_args=executorch.KernelCall(op_index=i, args=args))
                    for i, (_, args) in enumerate(calls)
                )
            ),
        ),
        operators=tuple(executorch.Operator(name=name, overload="" if name.endswith("_") else "out") for name in names),
    )
    segment = (executorch.SubsegmentOffsets(segment_index=0, offsets=offsets),) if offsets else ()
    root = executorch.Program(
        execution_plan=(plan,), mutable_data_segments=segment, segments=(executorch.DataSegment(),)
    )
    return b"".join(map(bytes, flatbuffer.write(root, executorch.IDENTIFIER)))


NO = EValue(val=executorch.Boolean())
X, Y, STATE = tensor(0), tensor(64), tensor(128)
ALPHA = EValue(val=executorch.Int(int_val=1))
ADD = ("aten::add", (2, 0, 4, 1, 1))
COPY = ("aten::copy_", (2, 1, 3, 2))


def test_a_buffer_that_is_read_and_written_is_state() -> None:
    model = parse(program((X, Y, STATE, NO, ALPHA), ADD, COPY))
    assert [op.name for op in model.main] == ["xnn.pseudo_read", "aten.add.out", "xnn.pseudo_store"]


STATES: dict[str, tuple[bytes, str]] = {
    "never written": (program((X, Y, STATE, NO, ALPHA), ADD), "value 2 is used before any instruction writes it"),
    "used again": (
        program((X, Y, STATE, NO, ALPHA, tensor(136)), ADD, ("aten::neg", (0, 5, 5))),
        "value 2 is used before any instruction writes it",
    ),
    "over an input": (
        program((X, Y, tensor(8), NO, ALPHA), ADD, COPY),
        "value 2 is used before any instruction writes it",
    ),
    "no segment": (program((X, Y, tensor(128, data=1), NO, ALPHA), ADD, COPY), "no segment 0 of state, there are 0"),
    "no elements": (
        program((X, Y, tensor(128, data=7), NO, ALPHA), ADD, COPY, offsets=(0, 0)),
        "no constant 7, there are 2",
    ),
    "too few bytes": (
        program((X, Y, tensor(128, data=1), NO, ALPHA), ADD, COPY, offsets=(0, 0)),
        "16 bytes",
    ),
    "copy of three": (
        program((X, Y, STATE, NO, ALPHA), ADD, ("aten::copy_", (2, 1, 2))),
        "expected a tensor, its new elements and itself",
    ),
}


@pytest.mark.parametrize("fault", STATES)
def test_a_fault_of_state_has_one_error(fault: str) -> None:
    data, message = STATES[fault]
    with pytest.raises(FormatError) as caught:
        parse(data)
    assert message in str(caught.value)
    assert len(caught.value.lines) == 1


def test_a_copy_casts_and_broadcasts() -> None:
    wide = tensor(128, sizes=(2, 4))
    model = parse(program((X, tensor(64, sizes=(2, 4)), wide, NO, ALPHA), ADD, ("aten::copy_", (2, 0, 3, 2))))
    assert [op.name for op in model.main][1:] == ["aten.add.out", "aten.expand_copy.out", "xnn.pseudo_store"]
    outputs = tc.run_steps(tc.convert(model), [{"input_0": np.arange(4, dtype=np.float32)}] * 2)
    assert np.array_equal(outputs[1]["output_0"], np.tile(2 * np.arange(4), (2, 1)))
