"""What becomes of small files when one byte changes: every byte, and three other values of each.

For 16 bytes together a table says how many of the changed files are read (`r`), and which errors the others give: `F`
is malformed, `U` unsupported, `V` illegal, `C` any other of ours. A hash holds the graphs that are read, and offsets
and paths that errors name; their words are free.

`GOLDEN=write python -m pytest tests/formats/test_every_byte.py` writes the table anew.
"""

import os
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from support import golden
from support.commands import MODELS
from support.containers import litertlm_of, section, zip_of
from support.mlir_texts import CONTROL, DIMS, LOOP
from support.tflite_models import Operator, Tensor, build, diagonal, signed
from support.xnnpack_cases import cases
from support.xnnpack_graphs import official_graph

import tosa_converter as tc
from tosa_converter.errors import ConverterError, FormatError, UnsupportedError, VerifyError
from tosa_converter.formats import encode, parse
from tosa_converter.schemas.tflite import BuiltinOperator as B

TABLE = Path(__file__).with_name("every_byte.tsv")
ROW = 16  # bytes
LETTERS = {FormatError: "F", UnsupportedError: "U", VerifyError: "V"}


def int8_sum() -> bytes:
    """Quantized, with a constant."""
    x, y = (Tensor((1, 3), "int8", name=name, scale=0.5, zero_point=zero) for name, zero in (("x", -3), ("y", 1)))
    row = Tensor((3,), "int8", np.array([1, -2, 3], np.int8), name="row", scale=0.25, zero_point=0)
    return build([x, row, y], [Operator(B.ADD, (0, 1), (2,))], (0,), (2,))


def sparse_weights() -> bytes:
    return build(
        [
            Tensor((2, 2), data=np.array([1, 2], np.float32), sparsity=diagonal(2), name="x"),
            Tensor((2, 2), name="y"),
        ],
        [Operator(B.DENSIFY, (0,), (1,))],
        (),
        (1,),
    )


def custom() -> bytes:
    """A custom operator with a FlexBuffer, in a file with a signature."""
    options = bytes.fromhex("6100 0162 0002 0207 0805 0424 0125 01".replace(" ", "")) + b"\2"
    x = Tensor((2, 3), name="x")
    operator = Operator(B.CUSTOM, (0,), (1,), custom_code="Mystery", custom_options=options)
    return signed(build([x, Tensor((2, 3), name="y")], [operator], (0,), (1,)), {"a": 0}, {"b": 1})


def converted(ending: str) -> bytes:
    return b"".join(map(bytes, encode(tc.convert(int8_sum()), ending)))


FILES: dict[str, Callable[[], bytes]] = {
    "int8.tflite": int8_sum,
    "sparse.tflite": sparse_weights,
    "custom.tflite": custom,
    "official.xnn": official_graph,
    "clamp.xnn": lambda: cases("qint8")["to_fp32.xnn"].data,
    "copies.pte": lambda: cases("kernels")["copies.pte"].data,
    "state.pte": lambda: (MODELS / "programs" / "counter_from_1.pte").read_bytes(),
    "stored.zip": lambda: zip_of({"a": b"1", "m.tflite": int8_sum()}),
    "deflated.zip": lambda: zip_of({"a": b"1", "m.tflite": int8_sum()}, zipfile.ZIP_DEFLATED),
    "one.litertlm": lambda: litertlm_of([(section(3, "aux"), int8_sum()), (section(4), b"words")], 16),
    "int8.tosa": lambda: converted(".tosa"),
    "int8.vgf": lambda: converted(".vgf"),
    "int8.mlir": lambda: converted(".mlir"),
    "int8.mlirbc": lambda: converted(".mlirbc"),
    "control.mlirbc": lambda: b"".join(map(bytes, encode(parse(CONTROL.encode()), ".mlirbc"))),
    "control.mlir": lambda: CONTROL.encode(),
    "captures.mlir": lambda: LOOP.encode(),
    "dims.mlir": lambda: DIMS.encode(),
}


def outcome(data: bytes) -> tuple[str, str]:
    """Returns the letter of what becomes of a file, and what else may not change."""
    try:
        model = parse(data)
    except ConverterError as error:
        letter = next((letter for kind, letter in LETTERS.items() if isinstance(error, kind)), "C")
        return letter, f"{error.path} {error.offset}" if isinstance(error, FormatError) else ""
    return "r", golden.model_text(model) + "".join(map(str, model.signatures.items()))


def row(data: bytes, first: int) -> str:
    """Returns what becomes of a file when a byte of 16 changes."""
    letters: Counter[str] = Counter()
    rest = 0
    for place in range(first, min(first + ROW, len(data))):
        for value in {data[place] ^ 1, data[place] ^ 0x80, 255 - data[place]}:
            letter, text = outcome(data[:place] + bytes([value]) + data[place + 1 :])
            letters[letter] += 1
            rest = zlib.crc32(text.encode("utf-8", "surrogatepass"), rest)
    return " ".join([*(f"{letter}{count}" for letter, count in sorted(letters.items())), f"{rest:08x}"])


@cache
def content(name: str) -> bytes:
    return FILES[name]()


PARTS = [(name, first) for name in FILES for first in range(0, len(content(name)), 16 * ROW)]


@cache
def table() -> dict[tuple[str, int], str]:
    if os.environ.get("GOLDEN") == "write":
        lines = [
            f"{name}\t{first}\t{row(content(name), first)}\n"
            for name in FILES
            for first in range(0, len(content(name)), ROW)
        ]
        TABLE.write_text("".join(lines))
    rows = [line.split("\t") for line in TABLE.read_text().splitlines()]
    return {(name, int(first)): text for name, first, text in rows}


@pytest.mark.parametrize(("name", "begin"), PARTS)
def test_other_bytes(name: str, begin: int) -> None:
    firsts = range(begin, min(begin + 16 * ROW, len(content(name))), ROW)
    assert {first: row(content(name), first) for first in firsts} == {first: table()[name, first] for first in firsts}
