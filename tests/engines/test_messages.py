"""Messages between processes come back as they were sent; both ends refuse hostile ones."""

import io
import json
import math
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tosa_converter.engines.messages import LONGEST_HEAD, MessageError, fits, read_message, write_message
from tosa_converter.engines.process import Worker
from tosa_converter.errors import ConverterError, UsageError
from tosa_converter.ir import Array


def returned(value: object) -> object:
    stream = io.BytesIO()
    write_message(stream, value)
    stream.seek(0)
    back = read_message(stream)
    assert stream.read() == b""
    return back


def test_plain_values_come_back() -> None:
    value = {"a": [1, -(2**70), 0.1, math.inf, True, None], 2: ("x\udcff\n", b"\0\xff"), "": {}}
    assert returned(value) == value
    assert math.isnan(returned(math.nan))  # type: ignore[arg-type]  # a float
    assert returned([np.float32(0.5), np.int64(3), Path("/x")]) == [0.5, 3, "/x"]


@pytest.mark.parametrize("dtype", ["?", "i1", "<u2", ">i4", "i8", "f2", "f4", "f8", "c8", "V3"])
@pytest.mark.parametrize("shape", [(), (0,), (2, 3)])
def test_arrays_come_back(dtype: str, shape: tuple[int, ...]) -> None:
    array = np.frombuffer(np.random.default_rng(0).bytes(math.prod(shape) * np.dtype(dtype).itemsize), dtype)
    check(array.reshape(shape))
    check(array.reshape(shape).T)


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "int4", "uint4"])
def test_arrays_of_further_types_come_back(name: str) -> None:
    check(np.arange(6).reshape(2, 3).astype(getattr(ml_dtypes, name)))


def check(array: Array) -> None:
    back = returned(array)
    assert isinstance(back, np.ndarray)
    assert (back.dtype, back.shape, back.tobytes()) == (array.dtype, array.shape, array.tobytes())


def test_an_array_is_sent_once() -> None:
    array = np.zeros(1 << 16, np.uint8)
    stream = io.BytesIO()
    write_message(stream, [[array]] * 50)
    assert stream.tell() < 2 * array.nbytes


@pytest.mark.parametrize("value", [object(), {1, 2}, lambda: 1, np.array([{}], object), 1j])
def test_objects_without_a_form_are_refused(value: object) -> None:
    stream = io.BytesIO()
    with pytest.raises(MessageError, match="can't be sent"):
        write_message(stream, [1, value])
    assert stream.getvalue() == b""


def message(head: object, rest: bytes = b"") -> bytes:
    text = head if isinstance(head, bytes) else json.dumps(head).encode()
    return len(text).to_bytes(8, "little") + text + rest


BLOB = {"blob": 0}
HOSTILE = {
    "a pickle": b"\x80\x05\x95\x1a\0\0\0\0\0\0\0\x8c\x02os\x94\x8c\x06system\x94\x93\x94.",
    "a long head": (LONGEST_HEAD + 1).to_bytes(8, "little"),
    "the longest head": b"\xff" * 8,
    "no JSON": message(b"{"),
    "deep": message(b"[" * 30_000),
    "another head": message({"value": 1}),
    "a number": message(b"7" * 5000),
    "an unknown kind": message([{"code": "import os"}, []]),
    "two kinds": message([{"tuple": [], "dict": []}, []]),
    "an array that isn't there": message([BLOB, []]),
    "an array of objects": message([BLOB, [["|O", [1]]]], bytes(8)),
    "an array of structures": message([BLOB, [["i4,O", [1]]]], bytes(8)),
    "an unknown type": message([BLOB, [["finfo", [1]]]], bytes(8)),
    "a type that is a function": message([BLOB, [["__import__", [1]]]], bytes(8)),
    "terabytes": message([BLOB, [["<f4", [1 << 40]]]]),
    "more than numbers can say": message([BLOB, [["<f4", [1 << 63] * 32]]]),
    "negative sizes": message([BLOB, [["<f4", [-1, -1]]]], bytes(4)),
    **{f"bytes of {sizes}": message([BLOB, [["bytes", sizes]]], b"x" * 4) for sizes in ([-1], [-1, -1], [-2, -2])},
    **{f"elements of {sizes}": message([BLOB, [["<f4", sizes]]], bytes(4)) for sizes in ([-1], [0, -1], [-1, 1, -1])},
    "a size that is a truth": message([BLOB, [["<f4", [True]]]], bytes(4)),
    "many dimensions": message([BLOB, [["<f4", [1] * 65]]], bytes(4)),
    "keys that can't be": message([{"dict": [[[1], 2]]}, []]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_messages_are_refused(name: str) -> None:
    with pytest.raises(MessageError):
        read_message(io.BytesIO(HOSTILE[name]))


def test_a_truncated_message_is_an_error() -> None:
    stream = io.BytesIO()
    write_message(stream, {"a": np.arange(5)})
    content = stream.getvalue()
    for size in range(len(content)):
        with pytest.raises(EOFError):
            read_message(io.BytesIO(content[:size]))


def test_damaged_messages_end_in_an_error() -> None:
    stream = io.BytesIO()
    write_message(stream, ({"a": [np.arange(5), "text", 1.5]}, None))
    content, rng = stream.getvalue(), np.random.default_rng(0)
    for _ in range(3000):
        damaged = bytearray(content)
        for _ in range(int(rng.integers(1, 4))):
            damaged[int(rng.integers(len(damaged)))] = int(rng.integers(256))
        try:
            read_message(io.BytesIO(bytes(damaged)))
        except (MessageError, EOFError):
            continue


def test_forms_of_messages_are_checked() -> None:
    assert fits([1, [2.0, 3.0]], (int, [float]))
    assert fits({"a": np.zeros(1)}, {str: np.ndarray})
    assert not fits([1, [2.0, "3"]], (int, [float]))
    assert not fits([1], (int, int))
    assert not fits({"a": 1}, {str: np.ndarray})
    assert not fits("ab", [str])


ANSWER = "import sys; sys.stdin.buffer.read(8); sys.stdout.buffer.write({!r}); sys.stdout.flush(); sys.stdin.read()"


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_worker_is_an_error_and_ends(name: str) -> None:
    """Any answer is an error that names the worker, and the worker ends."""
    worker = Worker("litert", "LiteRT", "verify")
    worker.command = [sys.executable, "-c", ANSWER.format(HOSTILE[name])]
    with pytest.raises(ConverterError, match=r"^the LiteRT worker's answer on m\.tflite is malformed: "):
        worker.ask("m.tflite", 1)
    assert worker.process is None


@pytest.mark.parametrize("answer", [None, [1], [[1], ["fails"]], [[1], 3], [1, None], ["x", None], [[1, "x"], None]])
def test_answers_of_another_form_are_errors(answer: object) -> None:
    worker = Worker("litert", "LiteRT", "verify")
    stream = io.BytesIO()
    write_message(stream, answer)
    worker.command = [sys.executable, "-c", ANSWER.format(stream.getvalue())]
    with pytest.raises(ConverterError, match="is malformed: expected another form"):
        worker.ask("m.tflite", 1, form=[int])


@pytest.mark.parametrize("request_bytes", [HOSTILE["a pickle"], HOSTILE["terabytes"], message([7, []])])
def test_a_malformed_request_ends_the_worker(request_bytes: bytes) -> None:
    worker = Worker("job", "job's", "")
    process = worker.started()
    assert process.stdin is not None
    process.stdin.write(request_bytes)
    process.stdin.flush()
    assert process.wait(timeout=60) in (0, 1)
    worker.close()


def test_a_request_that_cannot_be_sent_is_an_error() -> None:
    worker = Worker("job", "job's", "")
    with pytest.raises(UsageError, match="about m: a value of type builtin_function_or_method can't be sent"):
        worker.ask("m", len)
