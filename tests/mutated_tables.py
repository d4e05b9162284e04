"""Mutations that know the schema: fields of well-formed files set to extreme values, vectors cut, grown and shuffled.

`python tests/mutated_tables.py tflite|tosa FIRST LAST` runs the seeds from FIRST to before LAST through load, convert,
encode, verify and run under a limit of memory and of time, and prints every one that ends in anything but our errors.
"""

import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from random_models import Sketch

import tosa_converter as tc
from tosa_converter import flatbuffer
from tosa_converter.comparison import random_inputs
from tosa_converter.errors import ConverterError
from tosa_converter.files import encode, parse
from tosa_converter.schemas import tflite, tosa
from tosa_converter.schemas.enumeration import IntEnum
from tosa_converter.schemas.flat import Table
from tosa_converter.verify import verify

MODELS = Path(__file__).parent.parent / "models"
MEMORY = 2 << 30
SECONDS = 10
COMPUTED = 1 << 24  # elements that a file may ask for and still be run
INTEGERS = (
    0,
    1,
    -1,
    2,
    3,
    7,
    8,
    9,
    -2,
    127,
    -128,
    255,
    65535,
    1 << 20,
    40000000,
    2**31 - 1,
    -(2**31),
    2**31,
    2**63 - 1,
)
FLOATS = (np.nan, np.inf, -np.inf, 0.0, -1.0, 1e-45, 3e38, 1e-12, 1e12, 0.5)
ROOTS: dict[str, tuple[type[Table], bytes]] = {
    "tflite": (tflite.Model, tflite.IDENTIFIER),
    "tosa": (tosa.TosaGraph, tosa.IDENTIFIER),
}


def base(kind: str, seed: int) -> bytes:
    """A well-formed file."""
    if seed % 8 == 0:
        data = (MODELS / ("digits_int8.tflite" if seed % 16 else "digits_float32.tflite")).read_bytes()
    else:
        dtype = ("int8", "float32", "uint8")[seed % 3]
        data, _ = (
            Sketch(seed % 100, dtype, unknown_batch=kind == "tflite" and seed % 5 == 0).grow(3 + seed % 4).finish()
        )
    return data if kind == "tflite" else b"".join(map(bytes, encode(tc.convert(parse(data)), ".tosa")))


def mutant(kind: str, seed: int) -> bytes:
    """A file with one to three fields changed."""
    rng = np.random.default_rng(seed)
    cls, identifier = ROOTS[kind]
    root = flatbuffer.read(cls, base(kind, seed), identifier)
    for _ in range(int(rng.integers(1, 4))):
        fields = _fields(root)
        table, field = fields[int(rng.integers(len(fields)))]
        setattr(table, field.name, _changed(rng, field, getattr(table, field.name)))
    return b"".join(map(bytes, flatbuffer.write(root, identifier)))


def _fields(table: Table) -> list[tuple[Table, flatbuffer.Field]]:
    found = []
    for field in flatbuffer.layout(type(table)).fields:
        value = getattr(table, field.name)
        if value is None or field.kind == "union":
            continue
        found.append((table, field))
    inner = [getattr(table, field.name) for field in flatbuffer.layout(type(table)).fields]
    for value in inner:
        for child in value if isinstance(value, tuple) else (value,):
            if isinstance(child, Table):
                found += _fields(child)
    return found


def _changed(rng: np.random.Generator, field: flatbuffer.Field, value: Any) -> Any:
    if field.kind == "scalar":
        return _scalar(rng, field.code, value)
    if field.kind == "string":
        return ("", "x", "é", f"{value}2")[int(rng.integers(4))]
    if field.kind == "table":
        return None
    if field.kind == "view":
        return _view(rng, value)
    items = list(value)
    place, kind = int(rng.integers(max(len(items), 1))), int(rng.integers(4))
    if field.kind == "scalars" and kind > 1:
        items[place : place + 1] = [_scalar(rng, field.member, 0)] * int(rng.integers(1, 9) if kind > 2 else 1)
    elif kind % 2 and items:
        items.insert(int(rng.integers(len(items))), items[place])
    else:
        del items[place : place + 1]
    return tuple(items)


def _scalar(rng: np.random.Generator, code: str, value: Any) -> Any:
    if isinstance(value, IntEnum):
        members = list(type(value))
        return members[int(rng.integers(len(members)))]
    if code in "fd":
        return FLOATS[int(rng.integers(len(FLOATS)))]
    wanted = INTEGERS[int(rng.integers(len(INTEGERS)))] if rng.integers(3) else int(value) + int(rng.integers(-2, 3))
    return np.array(wanted & 0xFFFFFFFFFFFFFFFF, np.uint64).astype(np.dtype("<" + code)).item()


def _view(rng: np.random.Generator, value: Any) -> Any:
    array = value.copy()
    kind = int(rng.integers(4))
    if kind == 0 or not array.size:
        return array[: int(rng.integers(array.size + 1))].copy()
    if kind == 1:
        return np.concatenate([array, array])
    elements = array.view("<i4") if array.dtype == np.uint8 and not array.size % 4 else array
    chosen = FLOATS if elements.dtype.kind == "f" else INTEGERS
    wanted = np.array(chosen[int(rng.integers(len(chosen)))])
    elements[int(rng.integers(elements.size))] = wanted.astype(elements.dtype)
    return array


def use(kind: str, data: bytes) -> None:
    """Everything that a user does with a file."""
    model = parse(data)
    converted = tc.convert(model) if kind == "tflite" else model
    verify(converted)
    again = parse(b"".join(map(bytes, encode(converted, ".tosa"))))
    verify(again)
    encode(converted, ".mlir")
    values = [*again.main.inputs, *(value for op in again.main.ops for value in op.results)]
    if sum(value.type.elements for value in values) < COMPUTED:
        tc.run(again, random_inputs(again.main.inputs, {}, 0))


class TooLong(BaseException):
    """Raised by the alarm."""


def _alarm(_: int, __: FrameType | None) -> None:
    raise TooLong


def main(kind: str, first: str, last: str) -> int:
    """The exit status: 0 if nothing but our errors came."""
    signal.signal(signal.SIGALRM, _alarm)
    use("tflite", (MODELS / "digits_int8.tflite").read_bytes())  # all modules are imported by now
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    outcomes: Counter[str] = Counter()
    failed = 0
    started = time.monotonic()
    for seed in range(int(first), int(last)):
        signal.alarm(SECONDS)
        try:
            use(kind, mutant(kind, seed))
            outcomes["accepted"] += 1
        except ConverterError as error:
            outcomes[type(error).__name__] += 1
        except (Exception, TooLong) as error:
            failed += 1
            print(f"{kind} {seed}: {error!r}\n{''.join(traceback.format_tb(error.__traceback__)[-3:])}")
        finally:
            signal.alarm(0)
    print(f"{failed} of {int(last) - int(first)} failed in {time.monotonic() - started:.0f} s; {dict(outcomes)}")
    return int(failed > 0)


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.chdir(tempfile.gettempdir())
    sys.exit(main(*sys.argv[1:]))
