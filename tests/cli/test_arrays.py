"""The arrays that `run` reads and writes: damaged, hostile, oddly named."""

import io
import json
import resource
import struct
import time
import zipfile
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from support.commands import INT8, command
from support.sketch import Sketch

import tosa_converter as tc
from tosa_converter.cli.arrays import read_inputs, read_outputs, save_outputs
from tosa_converter.conversion import Converted
from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.formats import parse
from tosa_converter.ir import Array, Model
from tosa_converter.schemas import tosa_ops as ops

IMAGE = np.arange(64, dtype=np.int8).reshape(1, 8, 8, 1)


def saved(array: Array, **options: bool) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, **options)
    return stream.getvalue()


def header(text: str, version: int = 1, elements: bytes = bytes(64)) -> bytes:
    """A .npy file with this header, whatever it says."""
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text.encode() + elements


def archive(member: bytes, name: str = "x.npy", compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as file:
        file.writestr(name, member)
    return stream.getvalue()


def encrypted() -> bytes:
    data = bytearray(archive(saved(IMAGE), compression=zipfile.ZIP_STORED))
    for start in (data.index(b"PK\x03\x04") + 6, data.index(b"PK\x01\x02") + 8):
        data[start] |= 1
    return bytes(data)


PLAIN = "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 8, 8, 1), }"
DAMAGED = {
    "empty": (b"", "as numpy saves it"),
    "text": (b"text", "as numpy saves it"),
    "no version": (b"\x93NUMPY\x07\x00", "as numpy saves it"),
    "no length": (b"\x93NUMPY\x01\x00", "input"),
    "cut header": (saved(IMAGE)[:40], "header of a plain array"),
    "cut elements": (saved(IMAGE)[:-1], "expected 64 bytes of elements, found at most 63"),
    "open bracket": (header(PLAIN[:-3]), "header of a plain array"),
    "unclosed string": (header("{'descr': '|i1"), "header of a plain array"),
    "nested": (header("[" * 9000), "header of a plain array"),
    "long header": (header(PLAIN + " " * 20000), "header of a plain array"),
    "huge header": (header(PLAIN, 2).replace(struct.pack("<I", len(PLAIN)), b"\xff\xff\xff\xff"), "plain array"),
    "objects": (saved(np.array([{}], object), allow_pickle=True), "header of a plain array"),
    "structure": (saved(np.zeros(1, [("a", "i1")])), "header of a plain array"),
    "no such type": (header(PLAIN.replace("|i1", "<f7")), "numpy has no type '<f7'"),
    "another type": (saved(IMAGE.astype(np.int32)), r"expected i8[1x8x8x1] .*, found int32[1, 8, 8, 1]"),
    "another shape": (saved(IMAGE[:, :4]), "found int8[1, 4, 8, 1]"),
    "petabytes": (header(PLAIN.replace("(1,", "(1125899906842624,")), "found int8[1125899906842624, 8, 8, 1]"),
    "negative": (header(PLAIN.replace("(1,", "(-1,")), "header of a plain array"),
    "no archive": (b"PK\x03\x04 no archive", "not a zip file"),
    "inflating": (archive(saved(np.zeros((1 << 20, 8, 8, 1), np.int8))), "found int8[1048576, 8, 8, 1]"),
    "stranger": (archive(saved(IMAGE), "y.npy"), "no input is called 'y'"),
    "bzip2": (archive(saved(IMAGE), compression=zipfile.ZIP_BZIP2), "expected a stored or deflated member"),
    "encrypted": (encrypted(), "encrypted"),
    "wrong checksum": (archive(saved(IMAGE), compression=0).replace(IMAGE.tobytes(), bytes(64)), "Bad CRC-32"),
    "cut archive": (archive(saved(IMAGE))[:-8], "not a zip file"),
}


@pytest.fixture(scope="module")
def model() -> Model:
    converted = tc.convert(parse(INT8.read_bytes()))
    converted.main.inputs[0].name = "x"
    return converted


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_inputs_are_refused_in_one_line(tmp_path: Path, model: Converted, name: str) -> None:
    content, words = DAMAGED[name]
    path = tmp_path / "input"
    path.write_bytes(content)
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    with pytest.raises(UsageError) as caught:
        read_inputs(model, [str(path)])
    assert "\n" not in str(caught.value)
    assert all(part in str(caught.value) for part in words.split(" .*"))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 << 10
    assert time.monotonic() - started < 2


OUTPUT = np.arange(10, dtype=np.int8).reshape(1, 10)
DAMAGED_OUTPUTS = {
    **{name: row for name, row in DAMAGED.items() if "i8[" not in row[1] and "found int8" not in row[1]},
    "no length": (b"\x93NUMPY\x01\x00", "outputs"),
    "cut elements": (saved(OUTPUT)[:-1], "expected 10 bytes of elements, found at most 9"),
    "stranger": (archive(saved(OUTPUT), "y.npy"), "expected one array for each of 'scores', found one for 'y'"),
    "far position": (archive(saved(OUTPUT), "arr_1.npy"), "found one for 'arr_1'"),
    "another shape": (saved(OUTPUT[:, :4]), "expected i8[1x10] .*, found int8[1, 4]"),
    "four dimensions more": (saved(OUTPUT[None, None, None]), "found int8[1, 1, 1, 1, 10]"),
    "petabytes": (header(PLAIN.replace("(1, 8, 8, 1)", "(1125899906842624, 1, 10)")), "elements, found at most"),
    "inflating": (archive(saved(np.zeros((1 << 20, 8, 8), np.int8)), "scores.npy"), "found int8[1048576, 8, 8]"),
    "bzip2": (archive(saved(OUTPUT), "scores.npy", zipfile.ZIP_BZIP2), "expected a stored or deflated member"),
    "encrypted": (encrypted().replace(b"x.npy", b"arr_0"), "encrypted"),
    "wrong checksum": (
        archive(saved(OUTPUT), "arr_0.npy", 0).replace(OUTPUT.tobytes(), bytes(10)),
        "Bad CRC-32",
    ),
}


@pytest.mark.parametrize("name", DAMAGED_OUTPUTS)
def test_damaged_outputs_are_refused_in_one_line(tmp_path: Path, model: Converted, name: str) -> None:
    content, words = DAMAGED_OUTPUTS[name]
    path = tmp_path / "device"
    path.write_bytes(content)
    model.main.outputs[0].name = "scores"
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    with pytest.raises(UsageError) as caught:
        read_outputs(model, str(path))
    assert str(caught.value).startswith(f"outputs {path}")
    assert "\n" not in str(caught.value)
    assert all(part in str(caught.value) for part in words.split(" .*"))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 << 10
    assert time.monotonic() - started < 2


@pytest.mark.parametrize(
    ("content", "shape"),
    [
        (saved(OUTPUT), (1, 10)),
        (archive(saved(OUTPUT), "scores.npy"), (1, 10)),
        (archive(saved(OUTPUT), "arr_0.npy", zipfile.ZIP_STORED), (1, 10)),
        (archive(saved(np.stack([OUTPUT] * 3)), "scores"), (3, 1, 10)),
        (archive(saved(np.stack([[OUTPUT] * 3] * 2)), "scores"), (2, 3, 1, 10)),
    ],
)
def test_whole_outputs(tmp_path: Path, model: Converted, content: bytes, shape: tuple[int, ...]) -> None:
    model.main.outputs[0].name = "scores"
    (tmp_path / "device").write_bytes(content)
    arrays = read_outputs(model, str(tmp_path / "device"))
    np.testing.assert_array_equal(arrays["scores"], np.broadcast_to(OUTPUT, shape))


def test_outputs_that_were_saved_are_read_by_the_same_rule(tmp_path: Path) -> None:
    names = [*NAMES, "\x1b[2J\u2029"]
    s = Sketch(x=(DType.I32, (2,)))
    values = [s.builder.emit(ops.ABS, s.graph.inputs[0]) for _ in names]
    for value, name in zip(values, names, strict=True):
        value.name = name
    saved_model = Model({"main": s.done(*values)})
    values[8].name = ""
    save_outputs(str(tmp_path / "out.npz"), {name: np.full(2, i, np.int32) for i, name in enumerate(names)})
    arrays = read_outputs(saved_model, str(tmp_path / "out.npz"))
    assert {name: array[0] for name, array in arrays.items()} == {name: i for i, name in enumerate(names)}
    np.save(tmp_path / "out.npy", np.zeros(2, np.int32))
    with pytest.raises(UsageError, match=f"expected a .npz, as the model has {len(names)} outputs"):
        read_outputs(saved_model, str(tmp_path / "out.npy"))


@pytest.mark.parametrize(
    "content",
    [
        saved(IMAGE),
        saved(np.asfortranarray(IMAGE)),
        saved(IMAGE.view(np.uint8)),
        archive(saved(IMAGE)),
        archive(saved(IMAGE), compression=zipfile.ZIP_STORED),
        archive(saved(IMAGE), name="x"),
        header(PLAIN, 3, IMAGE.tobytes()),
        header(PLAIN.replace("'", '"'), 1, IMAGE.tobytes()),
    ],
)
def test_whole_inputs(tmp_path: Path, model: Converted, content: bytes) -> None:
    path = tmp_path / "input"
    path.write_bytes(content)
    (array,) = read_inputs(model, [f"x={path}" if content[:2] != b"PK" else str(path)]).values()
    np.testing.assert_array_equal(array.view(np.int8), IMAGE)


def test_other_byte_orders_and_types_that_numpy_lacks(tmp_path: Path) -> None:
    s = Sketch(x=(DType.FP32, (2, 3)), y=(DType.BF16, (4,)))
    model = Model({"main": s.done(*s.graph.inputs)})
    x, y = np.arange(6, dtype=">f4").reshape(2, 3, order="F"), np.arange(4).astype(ml_dtypes.bfloat16)
    (tmp_path / "x.npy").write_bytes(saved(x))
    (tmp_path / "y.npy").write_bytes(saved(y))
    arrays = read_inputs(model, [f"x={tmp_path / 'x.npy'}", f"y={tmp_path / 'y.npy'}"])
    assert arrays["x"].dtype == np.float32
    np.testing.assert_array_equal(arrays["x"], x)
    np.testing.assert_array_equal(arrays["y"].view(ml_dtypes.bfloat16), y)
    with pytest.raises(UsageError, match="expected NAME=FILE with one of the inputs x, y, found no name"):
        read_inputs(model, [str(tmp_path / "x.npy")])
    with pytest.raises(UsageError, match=r"expected one array for 'x', found two"):
        read_inputs(model, [f"x={tmp_path / 'x.npy'}"] * 2)


NAMES = {
    "file": "file",
    "allow_pickle": "allow_pickle",
    "a/b:0": "a/b:0",
    "../../up": "_/_/up",
    "/root": "_/root",
    "nul\0x": "nul_x",
    "..\\up": ".._up",
    "\x1b[2J\u202e": "_[2J_",
    "": "_",
    "_": "__8",
    "n" * 70000: "n" * 200,
}


def test_outputs_get_safe_names_in_an_archive(tmp_path: Path) -> None:
    arrays = {name: np.full(2, i, np.int32) for i, name in enumerate(NAMES)}
    path = tmp_path / "out.npz"
    members = save_outputs(str(path), arrays)
    assert members[:8] == list(NAMES.values())[:8]
    assert members[8:] == ["_", "__9", "n" * 200]
    with np.load(path) as npz:
        assert [npz[name][0] for name in members] == list(range(len(NAMES)))
    with zipfile.ZipFile(path) as zipped:
        zipped.extractall(tmp_path / "unpacked")
    assert {file.parent.parent for file in tmp_path.rglob("*.npy")} >= {tmp_path}
    first = path.read_bytes()
    save_outputs(str(path), arrays)
    assert path.read_bytes() == first


def renamed_output(tmp_path: Path, *names: str) -> Path:
    s = Sketch(x=(DType.FP32, (3,)))
    values = [s.builder.emit(ops.ABS if i % 2 else ops.FLOOR, s.graph.inputs[0]) for i, _ in enumerate(names)]
    for value, name in zip(values, names, strict=True):
        value.name = name
    tc.save(Model({"main": s.done(*values)}), tmp_path / "m.tosa")
    return tmp_path / "m.tosa"


def test_a_name_that_had_to_change_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = renamed_output(tmp_path, "../up", "plain")
    assert command("run", model, "-o", tmp_path / "out.npz", "--json") == 0
    rows = json.loads(capsys.readouterr().out)["outputs"]
    assert [row.get("member") for row in rows] == ["_/up", None]
    assert command("run", model, "-o", tmp_path / "out.npz") == 0
    assert "saved as _/up" in capsys.readouterr().out


def test_a_npy_is_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = renamed_output(tmp_path, "y")
    np.save(tmp_path / "x.npy", np.array([1.5, -2.5, 3], np.float32))
    assert command("run", model, "-i", tmp_path / "x.npy", "-o", tmp_path / "out.npy") == 0
    assert np.load(tmp_path / "out.npy").tolist() == [1, -3, 3]
    capsys.readouterr()
    two = renamed_output(tmp_path, "y", "z")
    for words, reason in (
        ((two, "-o", tmp_path / "out.npy"), "the model has 2 outputs"),
        ((model, "-o", tmp_path / "out.bin"), "ending in .npy or .npz"),
        ((model, "-o", tmp_path / "out"), "ending in .npy or .npz"),
    ):
        assert command("run", *words) == 2
        assert reason in capsys.readouterr().err


def test_outputs_that_have_no_mean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = renamed_output(tmp_path, "y")
    np.save(tmp_path / "x.npy", np.array([np.inf, -np.inf, 1], np.float32))
    assert command("run", model, "-i", tmp_path / "x.npy") == 0
    assert "mean nan" in capsys.readouterr().out


def test_an_input_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = renamed_output(tmp_path, "y")
    np.save(tmp_path / "x.npy", np.ones(3, np.float32))
    (tmp_path / "link.npy").symlink_to(tmp_path / "x.npy")
    before = (tmp_path / "x.npy").read_bytes()
    for output in ("x.npy", "link.npy"):
        for source in (tmp_path / "x.npy", f"x={tmp_path / 'x.npy'}"):
            assert command("run", model, "-i", source, "-o", tmp_path / output) == 2
            assert "the output would replace it" in capsys.readouterr().err
    assert (tmp_path / "x.npy").read_bytes() == before


# ** TFLite **


def test_what_does_not_fit_a_tflite_model_is_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    source = tc.load(INT8)
    name = source.main.inputs[0].name
    for wrong, message in (
        (IMAGE.astype(np.float32), "found float32[1, 8, 8, 1]"),
        (IMAGE[:, :4], "found int8[1, 4, 8, 1]"),
        (IMAGE[0], "found int8[8, 8, 1]"),
    ):
        np.save(tmp_path / "x.npy", wrong)
        assert command("run", INT8, "-i", tmp_path / "x.npy") == 2
        assert message in capsys.readouterr().err
        with pytest.raises(UsageError, match="expected i8"):
            tc.run(source, {name: wrong})
    batch = np.repeat(IMAGE, 3, axis=0)
    (expected,) = tc.run(source, {name: batch}).values()
    assert expected.shape == (3, 10)
    (named,) = tc.run(source, {"image": batch}).values()  # the signature's name
    np.testing.assert_array_equal(named, expected)
    with pytest.raises(UsageError, match="found two"):
        tc.run(source, {"image": batch, name: batch})
    with pytest.raises(UsageError, match="no input is called 'nobody'"):
        tc.run(source, {"nobody": batch})
    with pytest.raises(UsageError, match="no input for"):
        tc.run(source, {})


def test_members_that_had_to_change_are_read_by_the_same_rule(tmp_path: Path) -> None:
    """What `--extract` writes beside an operator, whose inputs may be called anything."""
    names = [*NAMES, "\x1b[2J\u2029"]
    s = Sketch(**{f"x{i}": (DType.I32, (2,)) for i, _ in enumerate(names)})
    for value, name in zip(s.graph.inputs, names, strict=True):
        value.name = name
    arrays = {name: np.full(2, i, np.int32) for i, name in enumerate(names)}
    save_outputs(str(tmp_path / "in.npz"), arrays)
    read = read_inputs(Model({"main": s.done(s.graph.inputs[0])}), [str(tmp_path / "in.npz")])
    assert {name: array[0] for name, array in read.items()} == {name: i for i, name in enumerate(names)}
