"""Files of other formats: each is named in one sentence with what to do next, and hostile ones end as malformed."""

import gzip
import io
import json
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest
from support.commands import INT8, command, unwrapped
from support.containers import litertlm_of, ptd_of, section

import tosa_converter as tc
from tosa_converter.formats import foreign


def zipped(*names: str) -> bytes:
    """Returns a zip archive of empty members with these names."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return content.getvalue()


def arrays() -> bytes:
    """Returns an archive of arrays as numpy writes it."""
    content = io.BytesIO()
    np.savez(content, x=np.zeros(3))
    return content.getvalue()


def array() -> bytes:
    """Returns an array as numpy writes it."""
    content = io.BytesIO()
    np.save(content, np.zeros(3))
    return content.getvalue()


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
FILES = [
    ("m.tflite.gz", gzip.compress(INT8.read_bytes()), "a gzip archive", "gunzip m.tflite.gz"),
    ("m.zip", zipped("readme"), "a zip archive without a model", "give an archive with a model in it"),
    ("m.pt", zipped("m/data.pkl", "m/version"), "a PyTorch model or its weights", "litert-torch"),
    ("m.mar", zipped("MAR-INF/MANIFEST.json", "m.pth"), "a TorchServe archive (.mar)", "litert-torch"),
    ("m.keras", zipped("config.json", "model.weights.h5"), "a Keras model (.keras)", "from_keras_model"),
    ("m.zip", zipped("m/saved_model.pb"), "a zip archive with a TensorFlow SavedModel", "from_saved_model"),
    ("m.mlpackage.zip", zipped("m/Data/model.mlmodel"), "a zip archive with a Core ML model", "to TFLite"),
    ("m.zip", zipped("m.onnx"), "a zip archive with an ONNX model", "onnx2tf"),
    ("x.npz", arrays(), "an archive of numpy arrays (.npz)", "run MODEL --input x.npz"),
    ("x.npy", array(), "a numpy array (.npy)", "run MODEL --input x.npy"),
    ("m.h5", b"\x89HDF\r\n\x1a\n" + bytes(40), "an HDF5 file, as Keras writes (.h5)", "from_keras_model"),
    ("m.onnx", b"\x08\x08\x12\x07pytorch\x1a\x052.0.0:", "an ONNX model", "onnx2tf"),
    ("model", b"\x08\x0a:\x0cname", "an ONNX model", "onnx2tf"),
    ("saved_model.pb", b"\x08\x01\x12\xff\x01", "a TensorFlow SavedModel", "from_saved_model"),
    ("frozen.pb", b"\n\x20\n\x05input", "a TensorFlow graph", "from_frozen_graph"),
    ("m.pt", b"\x80\x02}q\x00.", "a Python pickle", "litert-torch"),
    ("weights.bin", b"\x80\x04\x95\x00", "a Python pickle", "litert-torch"),
    ("m.safetensors", (60).to_bytes(8, "little") + b'{"a":{}}', "weights in safetensors", "as TFLite"),
    ("m.gguf", b"GGUF\x03\0\0\0", "weights in GGUF", "as TFLite"),
    ("m.tflite", POINTER, "a git-lfs pointer, not the file itself", "git lfs pull"),
    ("m.tflite", b"\n<!DOCTYPE html><html><title>Sign in", "a web page", "direct or raw link"),
    ("lib.so", b"\x7fELF\x02\x01\x01" + bytes(60), "a program or library (ELF)", "the model's own file"),
    ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(40), "a PNG image", "run MODEL --image a.png"),
    ("a.jpg", b"\xff\xd8\xff\xe0" + bytes(40), "a JPEG image", "run MODEL --image a.jpg"),
    ("a.wav", b"RIFF\x24\0\0\0WAVEfmt ", "a WAV recording", "run MODEL --audio a.wav"),
    ("a.json", b'{"a": 1}', "JSON", "a folder of --partial"),
    ("m.mlmodel", b"\x08\x04\x12\x10", "a Core ML model", "to TFLite"),
    ("m.litertlm", litertlm_of([(section(4), b"x")]), "a LiteRT-LM bundle without a model", "has a TFLite model"),
    ("m.ptd", ptd_of({"a": b"x"}), "ExecuTorch's data (.ptd)", "the program (.pte) beside it"),
    ("m.ort", b"\x18\0\0\0ORTM" + bytes(40), "an ONNX Runtime model (.ort)", "its ONNX model"),
    ("m.pte", b"\x18\0\0\0ET11" + bytes(40), "an ExecuTorch program of another version", "export it again"),
    ("m.tar", bytes(257) + b"ustar\0" + bytes(200), "a tar archive", "tar xf m.tar"),
]


@pytest.mark.parametrize(("name", "content", "kind", "step"), FILES, ids=[f"{row[0]}: {row[2]}" for row in FILES])
def test_each_kind_is_named_with_what_to_do(
    name: str,
    content: bytes,
    kind: str,
    step: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(content)
    assert command(name, "-o", "out.tosa") == 3
    first, last = unwrapped(capsys.readouterr().err).splitlines()
    expected = "a TFLite model, an XNNPACK graph, an ExecuTorch program or TOSA"
    assert first.startswith(f"error: {name}: expected {expected}, found {kind}")
    assert last.startswith("  next: ")
    assert step in last
    assert command("inspect", name, "--json") == 3
    figures = json.loads(capsys.readouterr().out)["error"]
    assert figures["found"].startswith(kind)
    assert step in figures["next"]


def test_every_row_of_the_table_is_reached() -> None:
    for row in foreign.MARKS:
        data = bytes(row.offset) + row.magic + bytes(100)
        assert foreign.recognize_foreign(data, "") == row.foreign
    for member, kind in foreign.MEMBERS:
        assert foreign.recognize_foreign(zipped(f"m{member.decode()}"), "") == kind


@pytest.mark.parametrize(("name", "kind"), [("saved_model.pb", "TensorFlow SavedModel"), ("Manifest.json", "Core ML")])
def test_folders_of_other_tools(name: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(tc.UsageError, match=f"expected a model, found a .*{kind}"):
        tc.load(tmp_path)
    assert command("inspect", tmp_path) == 2
    assert f"{kind}" in unwrapped(capsys.readouterr().err)
    for output in ("m.tosa", "folder"):
        assert command(tmp_path, "-o", tmp_path / output) == 2
        assert f"{kind}" in unwrapped(capsys.readouterr().err)


@pytest.mark.parametrize("length", [0, 1, 2, 4, 7, 8, 9, 100])
def test_cut_files_end_as_malformed(length: int) -> None:
    for name, content, _, _ in FILES:
        with pytest.raises(tc.FormatError):
            tc.load(content[:length])
        assert isinstance(foreign.recognize_foreign(content[:length], name), foreign.Foreign | None)


def test_a_name_cannot_be_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a; rm -rf b\x1b[31m.gz"
    path.write_bytes(gzip.compress(b"a"))
    assert command("inspect", path) == 3
    err = unwrapped(capsys.readouterr().err)
    assert f"gunzip '{os.path.dirname(path)}/a; rm -rf b\\x1b[31m.gz'" in err


def test_only_the_ends_of_a_file_are_read() -> None:
    middle = zipped("readme")[:30] + bytes(3 * foreign.EDGE)
    data = middle[: 2 * foreign.EDGE] + b"m.tflite" + middle[: 2 * foreign.EDGE]
    assert foreign.recognize_foreign(data, "") == foreign.ZIP
