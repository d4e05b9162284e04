"""Writing a file keeps the old file's permissions, kind and, if anything fails, content."""

import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.commands import INT8

import tosa_converter as tc
from tosa_converter.errors import UsageError
from tosa_converter.formats import encode, load, save, storage
from tosa_converter.formats.storage import write_atomically

posix = pytest.mark.skipif(os.name != "posix", reason="permissions, pipes and links of POSIX")


def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "m.tosa"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_atomically(path, [b"new"])
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640 or os.name != "posix"
    write_atomically(tmp_path / "fresh", [b"new"])
    os.umask(mask := os.umask(0))
    assert stat.S_IMODE((tmp_path / "fresh").stat().st_mode) == 0o666 & ~mask or os.name != "posix"


def test_a_read_only_file_stays_as_it_is(tmp_path: Path) -> None:
    """A superuser, whom the system would let write, is refused too."""
    path = tmp_path / "m.tosa"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(UsageError, match=r"m\.tosa: can't write: the file is read-only"):
        write_atomically(path, [b"new"])
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["m.tosa"]


@posix
@pytest.mark.parametrize("ending", [".tosa", ".vgf", ".mlir", ".mlirbc"])
def test_a_pipe_stays_a_pipe_and_is_written_to(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"pipe{ending}"
    os.mkfifo(path)
    model = tc.convert(load(INT8))
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(path.read_bytes()), daemon=True)
    reader.start()
    size = save(model, path)
    reader.join(30)
    assert received == [b"".join(map(bytes, encode(model, ending)))]
    assert size == len(received[0])
    assert stat.S_ISFIFO(path.stat().st_mode)


@posix
def test_a_failure_leaves_a_pipe_alone(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"some"
        raise UsageError("no more")

    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="no more"):  # and doesn't wait for a reader
        write_atomically(tmp_path / "pipe", pieces())


@posix
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    for content in (b"first", b"second"):  # the first one makes the file that the link leads to
        write_atomically(tmp_path / "link", [content])
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "file").read_bytes() == content


@pytest.mark.parametrize("mapped", [True, False])
def test_a_model_is_written_over_its_source(mapped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its weights are views of the file that is replaced."""
    monkeypatch.setattr(storage, "WHOLE", 0 if mapped else storage.WHOLE)
    path = tmp_path / "m.tosa"
    save(tc.convert(load(INT8)), path)
    content, model = path.read_bytes(), load(path)
    weights = next(op.attributes["values"] for op in model.main.ops if op.name == "tosa.const")
    owner = weights
    while isinstance(owner, np.ndarray):
        owner = owner.base
    assert isinstance(owner, memoryview) == mapped
    for _ in range(2):
        assert save(model, path) == len(content)
        assert path.read_bytes() == content
    assert tc.run(model, {model.main.inputs[0].name: np.zeros((1, 8, 8, 1), np.int8)})


def test_a_conversion_cannot_be_written_as_an_xnngraph(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"a \.xnn holds a graph of xnn operators, this one is of tosa operators"):
        save(tc.convert(load(INT8)), tmp_path / "m.xnn")
    with pytest.raises(UsageError, match=r"ending in \.tosa, \.spv, \.vgf, \.mlir, \.mlirbc, \.vmfb, found '\.onnx'"):
        save(tc.convert(load(INT8)), tmp_path / "m.onnx")
    assert not list(tmp_path.iterdir())
