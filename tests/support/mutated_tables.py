"""Mutations that know the schema: extreme values in fields, vectors cut, grown and shuffled, names exchanged."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from support.xnnpack_graphs import parts, program, tables, wrapped
from tosa_converter.formats import flatbuffer
from tosa_converter.schemas import executorch, tflite, tosa, xnnpack
from tosa_converter.schemas.enumeration import IntEnum
from tosa_converter.schemas.flat import Table

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
NAMES = (
    "",
    "x",
    "é",
    "file",
    "allow_pickle",
    "../../escaped",
    "/absolute",
    "a\\b",
    "nul\0",
    "\x1b[2J",
    "line\nequivalent",
    "\u202eright to left",
    "long" * 1000,
)
Replace = Callable[[str, str], None]
ROOTS: dict[str, tuple[type[Table], bytes]] = {
    "tflite": (tflite.Model, tflite.IDENTIFIER),
    "tosa": (tosa.TosaGraph, tosa.IDENTIFIER),
    "xnn": (xnnpack.XNNGraph, b""),
    "pte": (executorch.Program, executorch.IDENTIFIER),
}


def mutant(kind: str, data: bytes, rng: np.random.Generator) -> bytes:
    """Returns a flatbuffer with one to three changed fields, and in some cases a changed name."""
    root, written = _opened(kind, data)
    for _ in range(int(rng.integers(1, 4)) if not rng.integers(3) else 1):
        fields = _fields(root)
        table, field = fields[int(rng.integers(len(fields)))]
        setattr(table, field.name, _changed(rng, field, getattr(table, field.name)))
    if not rng.integers(4):
        _rename(root, rng)
    return written(root)


def _opened(kind: str, data: bytes) -> tuple[Any, Callable[[Any], bytes]]:
    """Returns the tables of a file, and a function that writes them as a file."""
    if data[4:8] == b"XH00":
        graph, constants = tables(data)
        return graph, lambda root: wrapped(root, constants)
    if kind == "pte":
        root, segments = parts(data)
        return root, lambda root: program(root, segments)
    cls, identifier = ROOTS[kind]
    return flatbuffer.read(cls, data, identifier), lambda root: b"".join(map(bytes, flatbuffer.write(root, identifier)))


def _rename(root: Table, rng: np.random.Generator) -> None:
    """Gives a hostile name, or that of another item, to one or all uses of a name."""
    names = sorted({name for _, name in _names(root)})
    if not names:
        return
    old = names[int(rng.integers(len(names)))]
    choices = (*NAMES, *names)
    new = choices[int(rng.integers(len(choices)))]
    places = [replace for replace, name in _names(root) if name == old]
    for replace in places if rng.integers(2) else places[-1:]:
        replace(old, new)


def _names(table: Table) -> Iterator[tuple[Replace, str]]:
    """Yields every string of a file with a function that replaces it."""

    def replacing_string(field: str) -> Replace:
        return lambda _, new: setattr(table, field, new)

    def replacing_item(field: str) -> Replace:
        return lambda old, new: setattr(table, field, tuple(new if x == old else x for x in getattr(table, field)))

    for field in flatbuffer.layout(type(table)).fields:
        value = getattr(table, field.name)
        if isinstance(value, str):
            yield replacing_string(field.name), value
        for child in value if isinstance(value, tuple) else (value,):
            if isinstance(child, Table):
                yield from _names(child)
            elif isinstance(child, str) and field.kind == "strings":
                yield replacing_item(field.name), child


def _fields(table: Table) -> list[tuple[Table, flatbuffer.Field]]:
    fields = []
    for field in flatbuffer.layout(type(table)).fields:
        value = getattr(table, field.name)
        if value is None or field.kind == "union":
            continue
        fields.append((table, field))
    inner = [getattr(table, field.name) for field in flatbuffer.layout(type(table)).fields]
    for value in inner:
        for child in value if isinstance(value, tuple) else (value,):
            if isinstance(child, Table):
                fields += _fields(child)
    return fields


def _changed(rng: np.random.Generator, field: flatbuffer.Field, value: Any) -> Any:
    if field.kind == "scalar":
        return _scalar(rng, field.code, value)
    if field.kind == "string":
        return (*NAMES, f"{value}2")[int(rng.integers(len(NAMES) + 1))]
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
    number = INTEGERS[int(rng.integers(len(INTEGERS)))] if rng.integers(3) else int(value) + int(rng.integers(-2, 3))
    return np.array(number & 0xFFFFFFFFFFFFFFFF, np.uint64).astype(np.dtype("<" + code)).item()


def _view(rng: np.random.Generator, value: Any) -> Any:
    array = value.copy()
    kind = int(rng.integers(4))
    if kind == 0 or not array.size:
        return array[: int(rng.integers(array.size + 1))].copy()
    if kind == 1:
        return np.concatenate([array, array])
    elements = array.view("<i4") if array.dtype == np.uint8 and not array.size % 4 else array
    chosen = FLOATS if elements.dtype.kind == "f" else INTEGERS
    element = np.array(chosen[int(rng.integers(len(chosen)))])
    elements[int(rng.integers(elements.size))] = element.astype(elements.dtype)
    return array
