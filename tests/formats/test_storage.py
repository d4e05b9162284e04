"""Files as bytes, by hand: from where they are mapped, what is left over of other processes, what lies in folders."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tosa_converter import memory
from tosa_converter.errors import UsageError
from tosa_converter.formats import storage

posix = pytest.mark.skipif(os.name != "posix", reason="maps, links and processes of POSIX")


@posix
@pytest.mark.parametrize(("size", "kind"), [(1, bytes), (9, bytes), (10, memoryview), (11, memoryview)])
def test_from_where_on_files_are_mapped(size: int, kind: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert storage.WHOLE == 64 * 2**20
    monkeypatch.setattr(storage, "WHOLE", 10)
    path = tmp_path / "file.bin"
    path.write_bytes(bytes(range(size)))
    content = storage.map_file(path)
    assert type(content) is kind
    assert bytes(content) == bytes(range(size))
    assert bool(storage._MAPPED) == (kind is memoryview)
    storage.require_unchanged(path)
    path.write_bytes(b"other content")
    if kind is memoryview:
        for name in (path, tmp_path / "file.other"):
            with pytest.raises(UsageError, match=r"file\.bin: the file changed while it was read"):
                storage.require_unchanged(name)
        storage.require_unchanged(tmp_path / "another")
        storage.require_unchanged("")
        content.release()  # type: ignore[union-attr]  # a memoryview
        del content
    else:
        storage.require_unchanged(path)
    assert storage._MAPPED == {}


def test_files_that_tell_no_size_are_read_to_their_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").touch()
    assert storage.map_file(tmp_path / "empty") == b""
    monkeypatch.setattr(storage, "_MOST_PIPED", 3 << 20)
    for size in (3 << 20, (3 << 20) + 1):
        stream = io.BytesIO(b"x" * size)
        if size > 3 << 20:
            with pytest.raises(UsageError, match=r"^pipe: expected at most 3 MB out of a pipe, found more$"):
                storage._read_all(stream, "pipe")
        else:
            assert len(storage._read_all(stream, "pipe")) == size


@posix
def test_devices_and_folders_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^/dev/zero: expected a file or a pipe, found a device$"):
        storage.map_file("/dev/zero")
    with pytest.raises(UsageError, match=f"^{tmp_path}: Is a directory$"):
        storage.map_file(tmp_path)


@posix
def test_files_of_a_folder_are_sorted_and_links_to_folders_not_followed(tmp_path: Path) -> None:
    for name in ("b/2.TOSA", "b/c/1.tosa", "a.tosa", "b.txt", "d.tosa/inner.tosa"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "link").symlink_to("b")
    (tmp_path / "file.tosa").symlink_to("b.txt")
    found = [os.path.relpath(path, tmp_path) for path in storage.files_below(tmp_path, (".tosa", ".mlir"))]
    assert found == ["a.tosa", "b/2.TOSA", "b/c/1.tosa", "d.tosa/inner.tosa", "file.tosa"]
    with pytest.raises(UsageError, match="none: No such file"):
        storage.files_below(tmp_path / "none", (".tosa",))


@posix
def test_what_a_process_that_is_gone_left_behind_is_removed(tmp_path: Path) -> None:
    """Not that of one that runs, of another machine, or of names that aren't ours."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait(timeout=60)
    machine = storage._machine_id()
    assert machine.isalnum()
    kept = [
        f".tosa-{machine}-{os.getpid()}-1",
        f".tosa-{machine}-1-1",  # of somebody else, or of the first process
        f".tosa-elsewhere{machine}-{gone.pid}-1",
        f".tosa-{machine}-x{gone.pid}-1",
        f"tosa-{machine}-{gone.pid}-1",
        "m.tosa",
    ]
    removed = [f".tosa-{machine}-{gone.pid}-1", f".tosa-{machine}-{gone.pid}-folder", f".tosa-{machine}-{'9' * 40}-1"]
    for name in (*kept, *removed):
        if "folder" in name:
            (tmp_path / name).mkdir()
            (tmp_path / name / "inner").touch()
        else:
            (tmp_path / name).touch()
    assert storage.write_atomically(tmp_path / "m.tosa", [b"new", b"er"]) == 5
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)
    assert (tmp_path / "m.tosa").read_bytes() == b"newer"


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert Path(storage.cache_folder("iree")) == Path("/somewhere/tosa-converter/iree")
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    assert Path(storage.cache_folder("iree")) == Path.home() / ".cache" / "tosa-converter" / "iree"


# ** memory **


@pytest.mark.parametrize(
    ("count", "free", "message"),
    [
        (1 << 28, 0.0, ""),
        ((1 << 28) + 1, 2.0**28 + 1, ""),
        ((1 << 28) + 1, 2.0**28, "it needs 256 MB of memory, 256 MB are free"),
        (3 << 30, 2.5 * 2**20, "it needs 3072 MB of memory, 2 MB are free"),
        (3 << 30, float("inf"), ""),
    ],
)
def test_more_than_is_free_is_refused(count: int, free: float, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of up to 256 MB nobody asks."""
    monkeypatch.setattr(memory, "available_memory", lambda: free)
    if message:
        with pytest.raises(UsageError, match=f"^{message}$"):
            memory.require_memory("it", count)
    else:
        memory.require_memory("it", count)


def test_what_the_system_tells(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The least of the machine's, the container's share and the limit on addresses."""
    texts = {"/proc/meminfo": "MemTotal: 99 kB\nMemAvailable:   70 kB\n", "/proc/self/statm": "5 4 3"}
    monkeypatch.setattr(memory, "open", lambda path: io.StringIO(texts[path]), raising=False)
    assert memory._free_of_machine() == 70 * 1024
    resource = pytest.importorskip("resource", reason="limits of POSIX")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1_000_000, resource.RLIM_INFINITY))
    assert memory._free_of_process() == 1_000_000 - 5 * resource.getpagesize()
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, 5))
    assert memory._free_of_process() == float("inf")
    for name, text in (("max", "500"), ("current", "120")):
        (tmp_path / f"memory.{name}").write_text(text)
    monkeypatch.setattr(memory, "Path", lambda path: tmp_path / Path(path).name)
    assert memory._free_of_group() == 380
    assert memory.available_memory() == 380
    (tmp_path / "memory.max").write_text("max")
    assert memory._free_of_group() == float("inf")
    assert memory.available_memory() == 70 * 1024
    texts["/proc/meminfo"] = "MemTotal: 99 kB"
    assert memory.available_memory() == float("inf")
