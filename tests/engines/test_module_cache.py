"""The cache of compiled modules, which are code: nobody else reads or writes it, and its size is limited."""

import os
import stat
from pathlib import Path

import pytest

from tosa_converter.engines.module_cache import SIZE, ModuleCache
from tosa_converter.errors import UsageError

posix = pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(SIZE, raising=False)
    return tmp_path / "tosa-converter" / "iree"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@posix
def test_the_cache_is_private(folder: Path) -> None:
    """The umask, or an existing folder, makes no difference."""
    before = os.umask(0)
    try:
        path = ModuleCache("iree", ".vmfb").add("a", b"module")
        assert (mode(folder), mode(path)) == (0o700, 0o600)
        folder.chmod(0o777)
        assert ModuleCache("iree", ".vmfb").find("a") == path
        assert mode(folder) == 0o700
    finally:
        os.umask(before)


@posix
def test_modules_of_other_users_are_not_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = ModuleCache("iree", ".vmfb")
    path = cache.add("a", b"module")
    path.chmod(0o666)
    with pytest.raises(UsageError, match=r"a\.vmfb: expected a file of this user that others can't write to"):
        cache.find("a")
    path.unlink()
    (folder / "b.vmfb").write_bytes(b"module")
    path.symlink_to("b.vmfb")
    with pytest.raises(UsageError, match="expected a file of this user"):
        cache.find("a")
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    with pytest.raises(UsageError, match=f"expected a folder of this user; {SIZE}=0 does without"):
        cache.find("b")
    with pytest.raises(UsageError, match="expected a folder of this user"):
        cache.add("c", b"")


def test_the_oldest_modules_are_removed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SIZE, "1")
    cache = ModuleCache("iree", ".vmfb")
    third = bytes(400 << 10)
    for age, name in enumerate("abc"):
        os.utime(cache.add(name, third), ns=(age, age))
        (folder / "notes.txt").touch()
        if name == "b":
            assert cache.find("a")  # which is the one used last then
            os.utime(folder / "a.vmfb", ns=(5, 5))
    assert sorted(path.name for path in folder.iterdir()) == ["a.vmfb", "c.vmfb", "notes.txt"]
    cache.add("large", bytes(3 << 20))
    assert sorted(path.name for path in folder.iterdir()) == ["large.vmfb", "notes.txt"]


def test_the_cache_can_be_turned_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SIZE, "0")
    cache = ModuleCache("iree", ".vmfb")
    path = cache.add("a", b"module")
    assert path.read_bytes() == b"module"
    assert cache.find("a") == path
    assert not folder.exists()
    assert mode(path.parent) == 0o700 or os.name != "posix"
    cache._temporary.close()
    assert not path.exists()


@pytest.mark.parametrize("text", ["", "-1", "many", "1e9", "9" * 30, "\u0661"])
def test_a_malformed_size_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(SIZE, text)
    with pytest.raises(UsageError, match=f"{SIZE}: expected megabytes"):
        ModuleCache("iree", ".vmfb").find("a")
