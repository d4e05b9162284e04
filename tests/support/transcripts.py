"""Transcripts: files of commands with everything they print, and the small files that the commands use."""

import contextlib
import io
import os
import re
import shlex
import struct
import subprocess
import sys
import wave
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from support.commands import MODELS, command
from support.tflite_models import Operator, Tensor, build
from tosa_converter.schemas.tflite import BuiltinOperator as B

# Times differ from run to run, and so do the keys of results, which hold versions.
_VARYING = (
    (re.compile(r" *\b\d[\d.]*(?:e[-+]\d+)? (ms|s)\b"), r" N \1"),
    (re.compile(r'("\w*seconds"): [-\d.e]+'), r"\1: N"),
    (re.compile(r'("clock"): \{[^}]*\}'), r"\1: N"),
    (re.compile(r'("key"): "[0-9a-f]{64}"'), r'\1: "N"'),
    (re.compile(r"^((?:\d+ \w+(?:, )?)+) \| [\d.e-]+ \| [\d.e-]+$", re.MULTILINE), r"\1 | N | N"),  # columns of pages
    (re.compile(r"^(PRO-\w+ \| )?\d+\.\d$", re.MULTILINE), r"\1N"),
    (re.compile(r"\b(LiteRT|numpy|Python) \| \d[\w.]*"), r"\1 | N"),
    (re.compile(r'(\btime)="[\d.]+"'), r'\1="N"'),
)
_ONCE = "INFO: Created TensorFlow Lite XNNPACK delegate"  # LiteRT says so once in a process
_SHELL = re.compile(r"[|<>&;$`*]")


class Step(NamedTuple):
    """A command with what it prints on both streams and its exit status."""

    command: str
    output: str


def read(path: Path) -> list[tuple[str, list[Step]]]:
    """Returns the sections of a transcript: the lines of comment before the commands, and the commands."""
    sections: list[tuple[str, list[Step]]] = [("", [])]
    for part in re.split(r"^(?=\$ |# )", path.read_text("utf-8"), flags=re.MULTILINE):
        if part.startswith("# "):
            if sections[-1][1]:
                sections.append(("", []))
            sections[-1] = (sections[-1][0] + part.rstrip("\n") + "\n", [])
        elif part.startswith("$ "):
            words, _, output = part[2:].partition("\n")
            sections[-1][1].append(Step(words, output.rstrip("\n")))
    return sections


def text(sections: list[tuple[str, list[Step]]]) -> str:
    """Returns a transcript as a file has it."""
    parts = []
    for comment, steps in sections:
        parts += [comment] if comment else []
        parts += [f"$ {step.command}\n{step.output}\n\n" for step in steps]
    return "".join(parts).rstrip("\n") + "\n"


def run(line: str) -> str:
    """Runs a command in the current folder, in this process unless it needs a shell; returns what it prints."""
    words = shlex.split(line)
    if words[0] != "tflite-to-tosa" or _SHELL.search(line):
        environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
        done = subprocess.run(
            ["bash", "-c", line], env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        return _normal(done.stdout, done.stderr, done.returncode)
    out, error = _stream(), _stream()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        status = command(*words[1:])
    return _normal(_content(out), _content(error), status)


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)


def _content(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def _normal(out: str, error: str, status: int) -> str:
    """Returns both streams and the status, without times and ends of lines that are blank."""
    lines = [line.rstrip() for line in out.splitlines()]
    lines += [f"stderr: {line.rstrip()}" for line in error.splitlines()]
    lines += [f"exit status {status}"] if status else []
    result = "\n".join(line for line in lines if _ONCE not in line).replace(f"{os.getcwd()}/", "")
    for pattern, replacement in _VARYING:
        result = pattern.sub(replacement, result)
    return _without_clocks(result)


def _without_clocks(report: str) -> str:
    """Returns a report without the columns of times, which are the last ones of their table."""
    end = None
    lines = []
    for line in report.splitlines():
        if "source ms" in line:
            end = line.index("  source ms")
        elif not line.startswith("    "):
            end = None
        is_row = "source ms" in line or re.match(r" +\d+  [A-Z]", line)
        lines.append(line[:end].rstrip() if is_row else line)
    return "\n".join(lines)


def write_files(folder: Path) -> None:
    """Writes the models and inputs that transcripts name; `models` leads to those of the repository."""
    (folder / "models").symlink_to(MODELS)
    for name, data in _models().items():
        (folder / name).write_bytes(data)
    (folder / "notes.txt").write_text("no model\n")
    (folder / "cut.tflite").write_bytes((MODELS / "digits_int8.tflite").read_bytes()[:3000])
    (folder / "empty.tflite").write_bytes(b"")
    (folder / "plugin.py").write_text(_PLUGIN)
    (folder / "wrong.py").write_text(_WRONG)
    (folder / "text_of.py").write_text(_TEXT_OF)
    (folder / "slow.py").write_text(_SLOW)
    (folder / "no-rules.py").write_text("ANSWER = 42\n")
    (folder / "faulty.py").write_text("RULES = 1 / 0\n")
    x = np.arange(6, dtype=np.float32).reshape(2, 3) - 2
    np.save(folder / "x.npy", x)
    np.save(folder / "x-double.npy", x.astype(np.float64))
    np.save(folder / "x-wide.npy", np.zeros((2, 4), np.float32))
    np.savez(folder / "x.npz", x=x)
    np.savez(folder / "other.npz", z=x)
    np.save(folder / "x-steps.npy", np.stack([x, x + 1]))
    (folder / "samples").mkdir()
    np.save(folder / "samples" / "a.npy", x)
    np.save(folder / "samples" / "b.npy", -x)
    (folder / "nothing").mkdir()
    _save_sound(folder / "tone.wav", [0, 16384, -16384, 32767, -32768, 1, 8192, -8192])
    (folder / "red.png").write_bytes(_png(4, 2, (255, 51, 0)))
    (folder / "two.toml").write_text(_MANIFEST)
    (folder / "bad.toml").write_text('[[model]]\nname = "a"\n')


def _save_sound(path: Path, samples: list[int]) -> None:
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 16000, len(samples), "NONE", ""))
        file.writeframes(struct.pack(f"<{len(samples)}h", *samples))


def _png(width: int, height: int, color: tuple[int, int, int]) -> bytes:
    """Returns an image of one color."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes(color) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


_WRONG = """import tosa_converter as tc


def double(match: tc.Match) -> tc.Expr:
    return match[0] + match[0]


RULES = (tc.Rule("tfl.relu", "fp32", double), tc.Rule("tfl.neg", "fp32", double))
"""

_SLOW = """import time
import tosa_converter as tc


def log(text):
    with open("log.txt", "a") as file:
        print(text, file=file)


def slow(match: tc.Match) -> tc.Expr:
    log("begin")
    time.sleep(0.5)
    log("end")
    raise tc.Decline("logged")


RULES = (tc.Rule("tfl.relu", "fp32", slow),)
"""

_TEXT_OF = """import re, sys
from html import unescape
page = re.sub(r"<(style|script|svg|head)\\b.*?</\\1>", "", open(sys.argv[1]).read(), flags=re.DOTALL)
text = unescape(re.sub(r"<[^>]+>", "|", page))
print("\\n".join(re.sub(r"[| ]*[|][| ]*", " | ", line).strip(" |") for line in text.splitlines() if line.strip(" |")))
"""

_MANIFEST = """[[model]]
name = "sum"
source = "file"
path = "sum.tflite"
kind = "float32"
licence = "Apache-2.0"

[[model]]
name = "mystery"
source = "file"
path = "mystery.tflite"
kind = "float32"
expect = "refused"
"""

_PLUGIN = """import tosa_converter as tc


def mystery(match: tc.Match) -> tc.Expr:
    match.note("taken for twice its input")
    return match[0] + match[0]


def hard(match: tc.Match) -> tc.Expr:
    raise tc.Decline("only on Sundays")


@tc.condition("the input has rank 3")
def has_rank_3(match: tc.Match) -> str | None:
    return None if match[0].rank == 3 else f"expected rank 3, found {match[0].type}"


RULES = (
    tc.Rule("custom.Mystery", "fp32", mystery),
    tc.Rule("tfl.relu", "fp32", hard),
    tc.Rule("tfl.abs", "fp32", mystery, (has_rank_3,)),
)
"""


def _models() -> dict[str, bytes]:
    """Returns small models by their files' names; floats are multiples of a half, so that every sum is exact."""
    row = np.array([0.5, -1, 2], np.float32)
    sum_tensors = [Tensor((2, 3), name="x"), Tensor((3,), name="bias", data=row), Tensor((2, 3), name="y")]
    relu_tensors = [*sum_tensors, Tensor((2, 3), name="z")]
    relu = [Operator(B.ADD, (0, 1), (2,)), Operator(B.RELU, (2,), (3,))]
    other = [_with_data(tensor, "bias", row * [1, 1, 1.5]) for tensor in relu_tensors]
    mystery = Operator(B.CUSTOM, (2,), (3,), custom_code="Mystery", custom_options=b"\1\2")
    after = [Operator(B.ADD, (0, 1), (2,)), mystery, Operator(B.ABS, (3,), (4,))]
    dynamic = [Tensor((1, 3), name="x", signature=(-1, 3)), Tensor((1, 3), name="y", signature=(-1, 3))]
    bytes_ = [
        Tensor((4,), "int8", name="a", scale=0.5, zero_point=-3),
        Tensor((4,), "int8", name="b", scale=0.25, zero_point=4),
        Tensor((4,), "int8", name="sum", scale=0.75, zero_point=1),
    ]
    image = [Tensor((1, 2, 4, 3), name="image"), Tensor((1, 2, 4, 3), name="twice")]
    sound = [Tensor((1, 4), name="sound"), Tensor((1, 4), name="twice")]
    where = [Tensor((6,), "bool", name="mask"), Tensor((0, 1), "int64", name="rows", signature=(-1, 1))]
    svd = [Tensor((2, 3), name="x"), Tensor((2,), "int32", name="y")]
    return {
        "sum.tflite": build(relu_tensors, relu, (0,), (3,)),
        "other.tflite": build(other, relu, (0,), (3,)),
        "mystery.tflite": build([*relu_tensors, Tensor((2, 3), name="end")], after, (0,), (4,)),
        "dynamic.tflite": build(dynamic, [Operator(B.NEG, (0,), (1,))], (0,), (1,)),
        "bytes.tflite": build(bytes_, [Operator(B.ADD, (0, 1), (2,))], (0, 1), (2,)),
        "image.tflite": build(image, [Operator(B.ADD, (0, 0), (1,))], (0,), (1,)),
        "sound.tflite": build(sound, [Operator(B.ADD, (0, 0), (1,))], (0,), (1,)),
        "where.tflite": build(where, [Operator(B.WHERE, (0,), (1,))], (0,), (1,)),
        "refused.tflite": build(svd, [Operator(B.LSH_PROJECTION, (0, 0), (1,))], (0,), (1,)),
    }


def _with_data(tensor: Tensor, name: str, values: Any) -> Tensor:
    """Returns a tensor with other elements, if it has this name."""
    return replace(tensor, data=np.asarray(values, np.float32)) if tensor.name == name else tensor
