"""The arrays of `run`: inputs out of .npy and .npz files that may be hostile, outputs into them.

A file's header is compared with the input's type before any element is read, so that nothing larger than the input is
ever allocated or inflated. Pickled objects are never loaded.
"""

import math
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import IO, Any

import numpy as np

from tosa_converter.errors import UsageError, did_you_mean, list_names
from tosa_converter.execute.inputs import convert_input, main_inputs, require_fit
from tosa_converter.formats.storage import atomically
from tosa_converter.ir import Array, Model, Value, unique_names
from tosa_converter.memory import require_memory

_MAGIC = b"\x93NUMPY"
# 93 4E 55 4D 50 59 01 00 76 00: the magic, version 1.0, and a header of 0x0076 = 118 bytes, little endian. Version 2.0
# has 4 bytes for it, for records with many fields; 3.0 is 2.0 with a header in UTF-8.
_LENGTHS = {1: "<H", 2: "<I", 3: "<I"}  # of the header, by version
_HEADER = 10_000  # bytes of a header at most, as numpy has it
_FIELDS = (
    r"""['"]descr['"] ?: ?['"]([<>=|]?[?a-zA-Z]\d{0,4})['"]""",
    r"""['"]fortran_order['"] ?: ?(True|False)""",
    r"""['"]shape['"] ?: ?\(((?:\d{1,19}, ?)*(?:\d{1,19})?)\)""",
)
# What zipfile and zlib raise on a damaged archive.
_DAMAGED = (
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
    struct.error,
    zlib.error,
    zipfile.BadZipFile,
)
_MEMBER = 200  # characters of a member's name at most


def read_inputs(model: Model, texts: Sequence[str], steps: int = 0) -> dict[str, Array]:
    """Returns arrays by the names of the main graph's inputs, from files named as FILE or NAME=FILE.

    Of several steps, an array may be for one of them or, with one more dimension in front, for all.

    Raises:
        UsageError: a file that can't be read, is damaged or doesn't fit its input; a name that no input has.
    """
    inputs = main_inputs(model)
    arrays: dict[str, Array] = {}
    for text in texts:
        name, path = split_input(text, inputs)
        try:
            with open(path, "rb") as file:
                read = _members(path, file, inputs, name, steps) if file.peek(4)[:4] == b"PK\x03\x04" else None
                if read is None:
                    value = _only(path, name, model, inputs)
                    size = os.fstat(file.fileno()).st_size or math.inf  # a pipe has none
                    read = {value.name: _read_array(path, file, size, value, steps)}
        except _DAMAGED as error:
            raise UsageError(f"input {path}: {getattr(error, 'strerror', None) or error}") from None
        repeated = sorted(arrays.keys() & read)
        if repeated:
            raise UsageError(f"input {path}: expected one array for {repeated[0]!r}, found two")
        arrays |= read
    return arrays


def split_input(text: str, names: Collection[str]) -> tuple[str, str]:
    """Returns the name and the file of a text NAME=FILE or FILE; both may contain equals signs."""
    # Names may contain each other: of the inputs "a" and "a=b", the text "a=b=c.npy" is for the longer one, and c.npy
    # its file.
    name = max((name for name in names if text.startswith(f"{name}=")), key=len, default="")
    if name:
        return name, text[len(name) + 1 :]
    return ("", text) if os.path.exists(text) else (text.rpartition("=")[0], text.rpartition("=")[2])


def _only(path: str, name: str, model: Model, inputs: Mapping[str, Value]) -> Value:
    """Returns the input that a .npy file is for: the one that the user names, or the model's only input."""
    if name in inputs:
        return inputs[name]
    if not name and len(model.main.inputs) == 1:
        return model.main.inputs[0]
    raise _unknown_input_error(path, name, inputs)


def _unknown_input_error(path: str, name: str, inputs: Mapping[str, Value]) -> UsageError:
    """Returns the error for an array whose name is missing or that of no input."""
    names = list_names(sorted(inputs))
    if not name:
        return UsageError(f"input {path}: expected NAME=FILE with one of the inputs {names}, found no name")
    return UsageError(f"input {path}: no input is called {name!r}; there are {names}{did_you_mean(name, inputs)}")


def _members(path: str, file: IO[bytes], inputs: Mapping[str, Value], name: str, steps: int) -> dict[str, Array]:
    """Returns the arrays of a .npz archive by the names of inputs; members may be named as `save_outputs` does."""
    if name:
        raise UsageError(f"input {path}: expected no name before an archive, which has its own, found {name!r}")
    arrays: dict[str, Array] = {}
    with zipfile.ZipFile(file) as archive:
        keys = [info.filename.removesuffix(".npy") for info in archive.infolist()]
        named = inputs if inputs.keys() >= set(keys) else _inputs_by_saved_name(inputs.values())
        for key, info in zip(keys, archive.infolist(), strict=True):
            place = f"{path}[{key}]"
            if key not in named:
                raise _unknown_input_error(path, key, inputs)
            value = named[key]
            if value.name in arrays:
                raise UsageError(f"input {place}: expected one array for {value.name!r}, found two")
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise UsageError(f"input {place}: expected a stored or deflated member, found {info.compress_type}")
            with archive.open(info) as member:
                arrays[value.name] = _read_array(place, member, info.file_size, value, steps)
    return arrays


def _inputs_by_saved_name(values: Iterable[Value]) -> dict[str, Value]:
    """Returns inputs by the names that `save_outputs` gives to arrays, which are safe as file names."""
    values = list(dict.fromkeys(values))
    return dict(zip(unique_names(_safe(value.name) for value in values), values, strict=True))


def _read_array(place: str, stream: IO[bytes], size: float, value: Value, steps: int) -> Array:
    """Reads an array of at most `size` bytes for an input, after a check of the header's type and shape."""
    dtype, fortran, shape = _read_header(place, stream)
    has_steps = steps > 0 and len(shape) == value.type.rank + 1
    type = value.type._replace(shape=(steps, *value.type.shape)) if has_steps else value.type
    require_fit(value.name, type, dtype.newbyteorder("="), shape)
    count = dtype.itemsize * math.prod(shape)
    available = size
    # Nothing is read or reserved for more bytes than the file has: a header of [1000000, 1000000] floats alone asks for
    # 4 TB.
    if count <= size:
        require_memory(f"input {place}: it", count)
        data = stream.read(count)
        available = len(data)
    if available < count:
        raise UsageError(f"input {place}: expected {count} bytes of elements, found at most {available}")
    array = np.frombuffer(data, dtype).reshape(shape, order="F" if fortran else "C")
    return convert_input(value.name, type, array.astype(dtype.newbyteorder("=")))


def _read_header(place: str, stream: IO[bytes]) -> tuple["np.dtype[Any]", bool, tuple[int, ...]]:
    """Reads the header of a .npy file: element type, whether in Fortran order, and shape.

    It is matched as text: numpy would evaluate it as a Python literal.
    """
    start = stream.read(len(_MAGIC) + 2)
    length = _LENGTHS.get(start[-2]) if start.startswith(_MAGIC) and len(start) == len(_MAGIC) + 2 else None
    if length is None:
        raise UsageError(f"input {place}: expected an array as numpy saves it, found {start!r}")
    (count,) = struct.unpack(length, stream.read(struct.calcsize(length)))
    text = stream.read(min(count, _HEADER)).decode("latin-1")
    matches = [re.search(pattern, text) for pattern in _FIELDS]
    descr, fortran, shape = (match[1] if match else "" for match in matches)
    whole = len(text) == count and text.startswith("{") and text.rstrip().endswith("}")
    if not (whole and all(matches)) or descr.lstrip("<>=|")[0] not in "?biufcV":
        raise UsageError(f"input {place}: expected a header of a plain array, found {text[:80]!r}")
    try:
        dtype = np.dtype(descr)
    except TypeError:
        raise UsageError(f"input {place}: numpy has no type {descr!r}") from None
    return dtype, fortran == "True", tuple(int(size) for size in shape.replace(" ", "").split(",") if size)


def require_output(path: str, count: int, texts: Sequence[str], names: Collection[str]) -> None:
    """Raises UsageError, before anything runs, if outputs can't be saved under a path.

    Args:
        path: the file for the outputs.
        count: the number of outputs.
        texts: FILE or NAME=FILE for each input; these files must not be overwritten.
        names: the names of inputs.
    """
    ending = os.path.splitext(path)[1].lower()
    if ending not in (".npy", ".npz"):
        raise UsageError(f"expected an output ending in .npy or .npz, found {path!r}")
    if ending == ".npy" and count != 1:
        raise UsageError(f"a .npy holds one array, the model has {count} outputs: give a .npz")
    for text in texts:
        source = split_input(text, names)[1]
        if os.path.exists(path) and os.path.exists(source) and os.path.samefile(path, source):
            raise UsageError(f"{path} is an input: the output would replace it")


def save_outputs(path: str, arrays: Mapping[str, Array]) -> list[str]:
    """Writes a .npy or .npz; equal arrays give equal bytes.

    Returns:
        What each array is called in a .npz: its own name unless that makes no safe member of an archive.
    """
    names = unique_names(map(_safe, arrays))
    with atomically(path) as file:
        if path.lower().endswith(".npy"):
            (array,) = arrays.values()
            _write(file, array)
            return list(arrays)
        with zipfile.ZipFile(file, "w") as archive:
            for name, array in zip(names, arrays.values(), strict=True):
                # A ZipInfo without a date is of 1980-01-01, so equal arrays give equal bytes at any time. The size
                # isn't known yet, and without force_zip64 zipfile refuses what turns out to exceed 2**31 - 1 bytes.
                with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                    _write(member, array)
    return names


def _write(file: IO[bytes], array: Array) -> None:
    """Writes an array in numpy's .npy format, never pickled."""
    np.lib.format.write_array(file, array, allow_pickle=False)  # type: ignore[no-untyped-call]


def _safe(name: str) -> str:
    """Returns an output's name as a relative path that is safe to unpack on any system."""
    printable = "".join(c if c.isprintable() and c != "\\" else "_" for c in name)[:_MEMBER]
    return "/".join("_" if part in ("", ".", "..") else part for part in printable.split("/"))
