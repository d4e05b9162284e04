"""Sources that are no plain files, that change, or that have no end; and what a failure leaves behind."""

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.commands import COMMAND, INT8, command, refused, unwrapped

import tosa_converter as tc
from tosa_converter.errors import UnsupportedError, UsageError
from tosa_converter.formats import storage
from tosa_converter.formats.storage import map_file, require_unchanged
from tosa_converter.ir import Graph, Model

BOUND = 60
SIZE = INT8.stat().st_size


def piped(*words: object, stdin: bytes = INT8.read_bytes()) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run([*COMMAND, *map(str, words)], input=stdin, capture_output=True, timeout=BOUND, check=False)


# ** standard input and pipes **


@pytest.mark.parametrize("source", ["-", "/dev/stdin"])
def test_inspect_reads_a_pipe_and_tells_its_size(source: str) -> None:
    done = piped("inspect", source, "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["file"], report["bytes"]) == (0, source, SIZE)
    expected = json.loads(piped("inspect", INT8, "--json").stdout)
    assert {**report, "file": ""} == {**expected, "file": ""}
    checked = json.loads(piped("inspect", source, "--check", "--json").stdout)
    assert checked["source"] == source


def test_a_conversion_tells_the_size_of_a_pipe(tmp_path: Path) -> None:
    done = piped("/dev/stdin", "-o", tmp_path / "m.tosa", "--json")
    assert json.loads(done.stdout)["source_bytes"] == SIZE


def test_verify_reads_standard_input() -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    done = piped("verify", "-", "--json")
    piped_report, expected = json.loads(done.stdout), json.loads(piped("verify", INT8, "--json").stdout)
    assert (done.returncode, piped_report["file"]) == (0, "-")
    for report in (piped_report, expected):
        report["file"] = ""
    assert piped_report["comparisons"][0]["outputs"] == expected["comparisons"][0]["outputs"]


@pytest.mark.parametrize("words", [("run", "-", "--json"), ("diff", "-", INT8), ("diff", INT8, "-")])
def test_other_commands_read_standard_input(words: tuple[object, ...]) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    done = piped(*words)
    assert done.returncode == 0, done.stderr


def test_passes_and_parts_of_standard_input(tmp_path: Path) -> None:
    assert piped("extract", "-", "-o", tmp_path / "part.tflite").returncode == 0
    tosa = b"".join(map(bytes, tc.formats.encode(tc.convert(INT8), ".tosa")))
    assert piped("opt", "-", "-o", tmp_path / "m.tosa", stdin=tosa).returncode == 0


@pytest.mark.parametrize(
    "words", [("inspect", "-"), ("verify", "-"), ("run", "-"), ("opt", "-", "-o", "x.tosa"), ("-", "-o", "x.tosa")]
)
@pytest.mark.parametrize("stdin", [b"", b"nonsense", INT8.read_bytes()[:1000]])
def test_malformed_standard_input(tmp_path: Path, words: tuple[str, ...], stdin: bytes) -> None:
    line = [*COMMAND, *words]
    done = subprocess.run(line, input=stdin, capture_output=True, cwd=tmp_path, timeout=BOUND, check=False)
    assert (done.returncode, done.stdout, unwrapped(done.stderr.decode()).count("\n")) == (3, b"", 1)
    assert os.listdir(tmp_path) == []


# ** devices and files without end **


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/urandom", "/dev/full"])
@pytest.mark.parametrize(
    "words", [["inspect"], ["verify"], ["run"], ["-o", "x.tosa"], ["inspect", "--asm"], ["zoo", "list", "--manifest"]]
)
def test_devices_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], device: str, words: list[str]) -> None:
    line = [device, *words] if words[0] == "-o" else [*words, device]
    assert f"{device}: expected a file or a pipe, found a device" in refused(capsys, tmp_path, 2, *line)


def test_a_pipe_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "_MOST_PIPED", 1 << 26)
    with subprocess.Popen(["cat", "/dev/zero"], stdout=subprocess.PIPE) as endless:
        assert endless.stdout is not None
        with pytest.raises(UsageError, match="found more"):
            map_file(f"/dev/fd/{endless.stdout.fileno()}")
        endless.kill()


def test_files_that_tell_no_size() -> None:
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc")
    assert b"Name:" in bytes(map_file("/proc/self/status"))


# ** files that change while they are read **


class Changing:
    """A file that changes between two looks at it."""

    def __init__(self, path: Path, change: str) -> None:
        self.path, self.change = path, change

    def __call__(self, descriptor: int) -> os.stat_result:
        status = os.stat(descriptor)
        if self.change == "truncated":
            os.truncate(self.path, 100)
        elif self.change == "written to":
            os.utime(self.path, ns=(1, 1))
        return status


@pytest.mark.parametrize("change", ["truncated", "written to"])
def test_a_small_file_that_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    path = tmp_path / "m.tflite"
    path.write_bytes(INT8.read_bytes())
    monkeypatch.setattr(os, "fstat", Changing(path, change))
    with pytest.raises(UsageError, match=r"m\.tflite: the file changed while it was read: try again"):
        map_file(path)


def test_a_small_file_is_a_snapshot(tmp_path: Path) -> None:
    path = tmp_path / "m.tflite"
    path.write_bytes(INT8.read_bytes())
    model = tc.load(path)
    os.truncate(path, 0)
    assert tc.convert(model).report.source_ops


@pytest.mark.parametrize("change", ["truncated", "written to"])
def test_a_large_file_is_checked_between_stages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    monkeypatch.setattr(storage, "WHOLE", 1000)
    path = tmp_path / "m.tflite"
    path.write_bytes(INT8.read_bytes())
    model = tc.load(path)
    converted = tc.convert(model)
    require_unchanged(path)
    if change == "truncated":
        os.truncate(path, 100)
    else:
        os.utime(path, ns=(1, 1))
    for stage in (lambda: tc.convert(model), lambda: tc.save(converted, tmp_path / "m.tosa")):
        with pytest.raises(UsageError, match=r"m\.tflite: the file changed while it was read"):
            stage()
    assert os.listdir(tmp_path) == ["m.tflite"]
    assert tc.convert(INT8).report.source_ops  # another file is not to blame


def test_a_large_file_that_is_replaced_stays_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "WHOLE", 1000)
    path = tmp_path / "m.tflite"
    path.write_bytes(INT8.read_bytes())
    model = tc.load(path)
    storage.write_atomically(path, [b"another one"])
    assert tc.convert(model).report.source_ops


def test_truncation_while_a_command_runs(tmp_path: Path) -> None:
    """No signal ends it, whenever the file is cut: it is done, or refuses."""
    content = INT8.read_bytes()
    path, out = tmp_path / "m.tflite", tmp_path / "m.tosa"
    for delay in (0.0, 0.1, 0.15, 0.2, 0.25, 0.3):
        path.write_bytes(content)
        with subprocess.Popen(
            [*COMMAND, str(path), "-o", str(out)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        ) as done:
            time.sleep(delay)
            os.truncate(path, 64)
            _, error = done.communicate(timeout=BOUND)
        assert done.returncode in (0, 2, 3), error


# ** what is refused, and what a failure leaves **


@pytest.mark.parametrize("words", [(), ("--format", "tosa")])
def test_the_source_is_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    path = tmp_path / "m.tflite"
    path.write_bytes(INT8.read_bytes())
    link = tmp_path / "link.tflite"
    link.symlink_to(path)
    for output in (path, link, tmp_path / ".." / tmp_path.name / "m.tflite"):
        assert command(path, "-o", output, *words) == 2
        assert "the output is the source itself" in unwrapped(capsys.readouterr().err)
    assert command("extract", path, "-o", path) == 2
    assert path.read_bytes() == INT8.read_bytes()


def test_passes_do_not_replace_their_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.tosa"
    tc.save(tc.convert(INT8), path)
    assert command("opt", path, "-o", path) == 2
    assert "the output is the source itself" in unwrapped(capsys.readouterr().err)


@pytest.mark.parametrize("ending", [".xnn", ".spv"])
def test_a_model_without_outputs_is_refused_where_readers_do(tmp_path: Path, ending: str) -> None:
    inputs = tc.convert(INT8).main.inputs
    model = Model({"main": Graph("main", inputs, [], [])})
    if ending == ".xnn":
        model = tc.to_xnn(model)
    with pytest.raises(UnsupportedError, match=f"expected at least one output for a {ending}, found none"):
        tc.save(model, tmp_path / f"m{ending}")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("content", [b"nonsense", None])
def test_a_failure_leaves_no_folder_of_dumps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None
) -> None:
    source = tmp_path / "m.tflite"
    if content:
        source.write_bytes(content)
    assert command(source, "-o", tmp_path / "m.tosa", "--dump-ir", tmp_path / "dump") in (2, 3)
    assert not (tmp_path / "dump").exists()
    assert command(INT8, "-o", tmp_path / "m.tosa", "--target", "pro-fp", "--dump-ir", tmp_path / "dump") == 4
    assert not (tmp_path / "dump").exists()
    (tmp_path / "dump").mkdir()
    assert command(INT8, "-o", tmp_path / "m.tosa", "--target", "pro-fp", "--dump-ir", tmp_path / "dump") == 4
    assert (tmp_path / "dump").exists()
    assert command(INT8, "-o", tmp_path / "m.tosa", "--dump-ir", tmp_path / "dump") == 0
    assert list((tmp_path / "dump").glob("*.mlir"))
    capsys.readouterr()


@pytest.mark.parametrize("runs", [10**6, 10**11, 10**30])
@pytest.mark.parametrize("words", [["verify", INT8], ["diff", INT8, INT8], ["zoo", "verify", "--folder", INT8.parent]])
def test_runs_are_bounded(capsys: pytest.CaptureFixture[str], runs: int, words: list[object]) -> None:
    assert command(*words, "--runs", runs) == 2
    assert "100000" in unwrapped(capsys.readouterr().err)


def test_runs_of_the_interface_are_bounded() -> None:
    model = tc.load(INT8)
    for runs in (0, -1, 10**11):
        with pytest.raises(UsageError, match="expected 1 to 100000 runs, found"):
            tc.verify(model, runs=runs)


@pytest.mark.parametrize("descriptors", range(3, 14))
def test_few_file_descriptors(tmp_path: Path, descriptors: int) -> None:
    """A plain message and a status of ours, where Python itself can begin at all."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    code = "import tosa_converter.cli.verify, tosa_converter.proof.report, tosa_converter.legalize.pipelines\n"
    code += "import sys; from tosa_converter.__main__ import process; import tosa_converter.cli.main\n"
    code += f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({descriptors}, {descriptors}))\n"
    code += "process()"
    line = [sys.executable, "-c", code, "verify", str(INT8)]
    done = subprocess.run(line, capture_output=True, timeout=BOUND, check=False, cwd=tmp_path)
    assert done.returncode in (0, 2), done.stderr
    if done.returncode:
        assert b"Errno" not in done.stderr
        assert b"too many open files" in done.stderr.lower()
        assert b"ulimit -n" in done.stderr
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 14
