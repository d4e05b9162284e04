"""Messages between this process and its workers: plain data and arrays, in a form that can't run code.

A message is 8 bytes that tell how long its head is, the head in JSON, and the bytes of arrays one after the other. The
head has the value and the element type and shape of each array. Both ends take the other for hostile: what is too long
for the memory, has another type or refers to an array that isn't there is refused.
"""

import json
import os
import re
from collections.abc import Mapping
from math import prod
from typing import IO, Any, TypeAlias

import ml_dtypes
import numpy as np

from tosa_converter.errors import UsageError
from tosa_converter.ir import Array
from tosa_converter.memory import require_memory

LONGEST_HEAD = 1 << 26  # bytes; Python's objects for them take up to 20 times as much
_LENGTH = 8  # bytes
_NUMPY = re.compile(r"[<>|][biufc](1|2|4|8|16)|\|V[1-9]\d?")
_FURTHER = frozenset({"bfloat16", "float8_e4m3fn", "float8_e5m2", "int2", "int4", "uint2", "uint4"})  # of ml_dtypes
_MOST_DIMENSIONS = 32  # that numpy has
_BYTES = "bytes"  # in place of an element type

Form: TypeAlias = Any
"""What a value has to be: a type; [form] for any number of them; (form, ...) for one each; {str: form} by name."""


class MessageError(Exception):
    """Raised for a value that can't be sent, and for bytes that aren't a message."""


def write_message(stream: IO[bytes], value: object) -> None:
    """Writes a message: None, numbers, texts, bytes, arrays, and lists, tuples and dictionaries of them.

    An array that occurs several times is sent once. A subtype becomes its plain type: a named tuple becomes a tuple.

    Raises:
        MessageError: the value has something else in it.
        OSError: the stream can't be written to.
    """
    blobs: _Blobs = {}
    tree = _encode(value, blobs)
    kinds = [
        [_BYTES, [len(blob)]] if isinstance(blob, bytes) else [_element_type_name(blob), blob.shape]
        for _, blob in blobs.values()
    ]
    # int16 1 2 is 29 (8 bytes), [{"blob": 0}, [["<i2", [2]]]] (29 bytes) and 01 00 02 00.
    head = json.dumps([tree, kinds]).encode()
    stream.write(len(head).to_bytes(_LENGTH, "little") + head)
    for _, blob in blobs.values():
        stream.write(blob if isinstance(blob, bytes) else np.ascontiguousarray(blob).reshape(-1).view(np.uint8).data)
    stream.flush()


_Blobs: TypeAlias = dict[int, tuple[int, Array | bytes]]  # by identity: their number, and themselves


def _encode(value: object, blobs: _Blobs) -> object:
    """Returns a value in JSON's types: tuples, dictionaries, arrays and bytes as {kind: content}, paths as strings."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, bytes | np.ndarray):
        if isinstance(value, np.ndarray) and value.dtype.hasobject:
            raise MessageError("an array of objects can't be sent to another process")
        # The entry refers to the value, so no other object can get its identity before the message is written.
        # [x, y, x] is {"blob": 0}, {"blob": 1}, {"blob": 0}.
        return {"blob": blobs.setdefault(id(value), (len(blobs), value))[0]}
    if isinstance(value, np.generic):
        return _encode(value.item(), blobs)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, list | tuple):
        items = [_encode(item, blobs) for item in value]
        return items if isinstance(value, list) else {"tuple": items}
    if isinstance(value, Mapping):
        return {"dict": [[_encode(key, blobs), _encode(item, blobs)] for key, item in value.items()]}
    raise MessageError(f"a value of type {type(value).__name__} can't be sent to another process")


def _element_type_name(array: Array) -> str:
    """Returns the name of an array's element type in a message: ml_dtypes' name, or else numpy's such as "<f4"."""
    return array.dtype.name if array.dtype.name in _FURTHER else array.dtype.str


def read_message(stream: IO[bytes]) -> object:
    """Reads a value that `write_message` wrote.

    Raises:
        EOFError: the stream has ended.
        MessageError: these bytes are no message, or there is no memory for it.
    """
    length = int.from_bytes(_read_bytes(stream, _LENGTH), "little")
    if length > LONGEST_HEAD:
        raise MessageError(f"expected a head of at most {LONGEST_HEAD} bytes, found {length}")
    try:
        tree, kinds = json.loads(bytes(_read_bytes(stream, length)))
        blobs = [_read_blob(stream, *kind) for kind in kinds]
        return _decode(tree, blobs)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError, OverflowError) as error:
        raise MessageError(f"expected a message: {type(error).__name__}") from None
    except UsageError as error:
        raise MessageError(str(error)) from None


def _read_blob(stream: IO[bytes], element: str, shape: list[int]) -> Array | bytes:
    """Reads bytes, or an array of this element type and shape, from a stream.

    `element` is _BYTES, the name of a type of ml_dtypes (_FURTHER), or a type of numpy such as "<f4".

    Raises:
        ValueError: no message has such a shape or element type.
    """
    if not all(type(size) is int and size >= 0 for size in shape) or len(shape) > _MOST_DIMENSIONS:
        raise ValueError
    # prod of Python's integers doesn't overflow: [2**40, 2**40] is 2**80, which `require_memory` refuses.
    elements = prod(shape)
    if element == _BYTES:
        return _read_bytes(stream, elements).tobytes()
    if element not in _FURTHER and not _NUMPY.fullmatch(element):
        raise ValueError
    dtype = np.dtype(getattr(ml_dtypes, element) if element in _FURTHER else element)
    return _read_bytes(stream, elements * dtype.itemsize).view(dtype).reshape(shape)


def _read_bytes(stream: IO[bytes], count: int) -> Array:
    """Reads exactly `count` bytes of a stream into an array.

    Raises:
        EOFError: it ends before.
        UsageError: the memory doesn't hold them.
    """
    require_memory("a message", count)
    content = np.empty(count, np.uint8)
    view, done = content.data, 0
    # Without a buffer a pipe gives 64 KB at a time (Linux): 1 MB takes 16 rounds. Only the end of it reads 0 bytes.
    while done < count:
        read = stream.readinto(view[done:])  # type: ignore[attr-defined]  # of every stream of bytes
        if not read:
            raise EOFError
        done += read
    return content


def _decode(tree: Any, blobs: list[Array | bytes]) -> object:
    """Returns the value that a JSON tree from `_encode` stands for; `blobs` are its arrays and bytes."""
    if isinstance(tree, list):
        return [_decode(item, blobs) for item in tree]
    if not isinstance(tree, dict):
        return tree
    ((kind, content),) = tree.items()
    if kind == "blob":
        return blobs[content]
    if kind == "tuple":
        return tuple(_decode(item, blobs) for item in content)
    if kind != "dict":
        raise KeyError(kind)
    return {_decode(key, blobs): _decode(item, blobs) for key, item in content}


def fits(value: object, form: Form) -> bool:
    """Returns whether a value has a form: a type, [form] of any length, (form, ...) of that length, or {type: form}."""
    if isinstance(form, list):
        return isinstance(value, list | tuple) and all(fits(item, form[0]) for item in value)
    if isinstance(form, tuple):
        same = isinstance(value, list | tuple) and len(value) == len(form)
        return same and all(map(fits, value, form))  # type: ignore[call-overload]  # it is a sequence
    if isinstance(form, dict):
        ((key, item),) = form.items()
        return isinstance(value, dict) and all(isinstance(k, key) and fits(v, item) for k, v in value.items())
    return isinstance(value, form)
