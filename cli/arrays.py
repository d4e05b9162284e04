"""Arrays of inputs and outputs in .npy and .npz files: read from files that may be hostile, and written.

A file's header is compared with the input's or output's type before any element is read, so that nothing larger is ever
allocated or inflated. Pickled objects are never loaded.
"""

import math
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BufferedReader
from typing import IO, Any, NamedTuple

import numpy as np

from tosa_converter.errors import UsageError, did_you_mean, list_names
from tosa_converter.execute.inputs import convert_input, fits, main_inputs, require_fit
from tosa_converter.formats.storage import atomically
from tosa_converter.ir import Array, Model, Value, unique_names
from tosa_converter.memory import require_memory
from tosa_converter.proof.output_names import number_of_array, output_names

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
DAMAGED = (
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

    An array may be for one run or step or, with one more dimension in front, for several; `steps` is their number, 0
    for any.

    Raises:
        UsageError: a file that can't be read, is damaged or doesn't fit its input; a name that no input has.
    """
    inputs = main_inputs(model)
    arrays: dict[str, Array] = {}
    for text in texts:
        name, path = split_input(text, inputs)
        with _open_arrays("input", path) as file:
            if _is_archive(file):
                read = _members(path, file, inputs, name, steps)
            else:
                value = _input_for_file(path, name, model, inputs)
                read = {value.name: _read_input(f"input {path}", file, _size(file), value, steps)}
        repeated = sorted(arrays.keys() & read)
        if repeated:
            raise UsageError(f"input {path}: expected one array for {repeated[0]!r}, found two")
        arrays |= read
    return arrays


def read_outputs(model: Model, path: str) -> dict[str, Array]:
    """Returns arrays by the names of the main graph's outputs, from a .npz or, for one output, a .npy.

    Members of an archive have an output's name, as it is or as `save_outputs` writes it, or arr_0, arr_1, ... by
    position. Each array may have up to two dimensions more in front, for runs and steps.

    Raises:
        UsageError: a file that can't be read, is damaged, or has an array for no output or of another shape.
    """
    outputs = dict(zip(output_names(model), model.main.outputs, strict=True))
    arrays: dict[str, Array] = {}
    with _open_arrays("outputs", path) as file:
        if not _is_archive(file):
            if len(outputs) != 1:
                raise UsageError(f"outputs {path}: expected a .npz, as the model has {len(outputs)} outputs")
            ((name, value),) = outputs.items()
            return {name: _read_output(f"outputs {path}", file, _size(file), value)}
        with zipfile.ZipFile(file) as archive:
            keys = [info.filename.removesuffix(".npy") for info in archive.infolist()]
            names = _names_of_outputs(model, keys)
            for key, info in zip(keys, archive.infolist(), strict=True):
                name = names.get(key, "")
                if name not in outputs or name in arrays:
                    reason = f"two for {name!r}" if name in arrays else f"one for {key!r}"
                    expected = f"one array for each of {', '.join(map(repr, outputs))}"
                    raise UsageError(f"outputs {path}: expected {expected}, found {reason}")
                with _member(f"outputs {path}[{key}]", archive, info) as member:
                    arrays[name] = _read_output(f"outputs {path}[{key}]", member, info.file_size, outputs[name])
    return arrays


def _names_of_outputs(model: Model, keys: Sequence[str]) -> dict[str, str]:
    """Returns the names of outputs by the members `keys` of an archive.

    Members are outputs' own names or positions, or else all are names as `save_outputs` makes them. Such a name may be
    another output's own name, so it counts only if not all are own names. If neither explains all members, those with
    own names are returned.
    """
    names = output_names(model)
    numbers = {key: number_of_array(model, key) for key in keys}
    own = {key: names[number] for key, number in numbers.items() if number is not None}
    if own.keys() >= set(keys):
        return own
    written = [value.name for value in model.main.outputs]
    # A file that is written here has the names of values, one of `verify --save-outputs` those of `output_names`.
    tables = [dict(zip(unique_names(map(safe_name, texts)), names, strict=True)) for texts in (written, names)]
    return next((table for table in tables if table.keys() >= set(keys)), own)


@contextmanager
def _open_arrays(subject: str, path: str) -> Iterator[BufferedReader]:
    """Context with a file to read; what is damaged in it becomes an error that names the file."""
    try:
        with open(path, "rb") as file:
            yield file
    except DAMAGED as error:
        raise UsageError(f"{subject} {path}: {getattr(error, 'strerror', None) or error}") from None


def _is_archive(file: BufferedReader) -> bool:
    """Returns whether a file begins as a .npz does."""
    return file.peek(4)[:4] == b"PK\x03\x04"


def _size(file: BufferedReader) -> float:
    """Returns the size of a file in bytes; infinite if it is 0, as that of a pipe is."""
    return os.fstat(file.fileno()).st_size or math.inf


def _member(place: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
    """Opens a member of an archive; raises UsageError if it is compressed in a way that numpy never writes."""
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise UsageError(f"{place}: expected a stored or deflated member, found {info.compress_type}")
    return archive.open(info)


def split_input(text: str, names: Collection[str]) -> tuple[str, str]:
    """Returns the input's name and the file of a text NAME=FILE or FILE; the name is "" for a file.

    Both may contain equals signs. A known name counts first, then a file that exists; else the name ends at the last
    equals sign.
    """
    # Names may contain each other: of the inputs "a" and "a=b", the text "a=b=c.npy" is for the longer one, and c.npy
    # its file.
    name = max((name for name in names if text.startswith(f"{name}=")), key=len, default="")
    if name:
        return name, text[len(name) + 1 :]
    return ("", text) if os.path.exists(text) else (text.rpartition("=")[0], text.rpartition("=")[2])


def _input_for_file(path: str, name: str, model: Model, inputs: Mapping[str, Value]) -> Value:
    """Returns the input that a .npy file is for: the one that the user names, or without any name the only one.

    Raises UsageError if there is no such input.
    """
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
    """Returns the arrays of a .npz archive by the names of inputs.

    The members are named as inputs, or else all of them as `save_outputs` names arrays. Raises UsageError if the user
    states a name for the archive, if a member is for no input, or if two are for one.
    """
    if name:
        raise UsageError(f"input {path}: expected no name before an archive, which has its own, found {name!r}")
    arrays: dict[str, Array] = {}
    with zipfile.ZipFile(file) as archive:
        keys = [info.filename.removesuffix(".npy") for info in archive.infolist()]
        named = inputs if inputs.keys() >= set(keys) else _inputs_by_saved_name(inputs.values())
        for key, info in zip(keys, archive.infolist(), strict=True):
            place = f"input {path}[{key}]"
            if key not in named:
                raise _unknown_input_error(path, key, inputs)
            value = named[key]
            if value.name in arrays:
                raise UsageError(f"{place}: expected one array for {value.name!r}, found two")
            with _member(place, archive, info) as member:
                arrays[value.name] = _read_input(place, member, info.file_size, value, steps)
    return arrays


def _inputs_by_saved_name(values: Iterable[Value]) -> dict[str, Value]:
    """Returns inputs by the names that `save_outputs` gives to arrays, which are safe as file names."""
    values = list(dict.fromkeys(values))
    return dict(zip(unique_names(safe_name(value.name) for value in values), values, strict=True))


def _read_input(place: str, stream: IO[bytes], size: float, value: Value, steps: int) -> Array:
    """Reads an array of at most `size` bytes for an input, after a check of the header's type and shape.

    It may have one dimension more in front, for runs or steps; `steps` is its size unless 0.
    """
    header = _read_header(place, stream)
    has_runs = len(header.shape) == value.type.rank + 1
    type = value.type._replace(shape=(steps or None, *value.type.shape)) if has_runs else value.type
    require_fit(value.name, type, header.dtype.newbyteorder("="), header.shape)
    return convert_input(value.name, type, _read_elements(place, stream, size, header))


def _read_output(place: str, stream: IO[bytes], size: float, value: Value) -> Array:
    """Reads an array of at most `size` bytes for an output, after a check of the header's shape.

    It may have up to two dimensions more in front, for runs and steps.
    """
    header = _read_header(place, stream)
    more = len(header.shape) - value.type.rank
    type = value.type._replace(shape=(*(None,) * more, *value.type.shape))
    if not 0 <= more <= 2 or not fits(header.shape, type):
        raise UsageError(f"{place}: expected {value.type}, found {header.dtype}{list(header.shape)}")
    return _read_elements(place, stream, size, header)


class _Header(NamedTuple):
    """What the header of a .npy file says: element type, whether in Fortran order, and shape."""

    dtype: "np.dtype[Any]"
    fortran: bool
    shape: tuple[int, ...]


def _read_elements(place: str, stream: IO[bytes], size: float, header: _Header) -> Array:
    """Reads the elements of an array of at most `size` bytes, in the machine's byte order.

    Raises UsageError if the header asks for more bytes than there are.
    """
    count = header.dtype.itemsize * math.prod(header.shape)
    available = size
    # Nothing is read or reserved for more bytes than the file has: a header of [1000000, 1000000] floats alone asks for
    # 4 TB.
    if count <= size:
        require_memory(f"{place}: it", count)
        data = stream.read(count)
        available = len(data)
    if available < count:
        raise UsageError(f"{place}: expected {count} bytes of elements, found at most {available}")
    array = np.frombuffer(data, header.dtype).reshape(header.shape, order="F" if header.fortran else "C")
    return array.astype(header.dtype.newbyteorder("="))


def _read_header(place: str, stream: IO[bytes]) -> _Header:
    """Reads the header of a .npy file.

    It is matched as text: numpy would evaluate it as a Python literal. Raises UsageError unless it is that of an array
    of plain numbers.
    """
    start = stream.read(len(_MAGIC) + 2)
    # Behind the magic is the version, as two bytes: the major one tells how the header's length is stored.
    length = _LENGTHS.get(start[-2]) if start.startswith(_MAGIC) and len(start) == len(_MAGIC) + 2 else None
    if length is None:
        raise UsageError(f"{place}: expected an array as numpy saves it, found {start!r}")
    (count,) = struct.unpack(length, stream.read(struct.calcsize(length)))
    text = stream.read(min(count, _HEADER)).decode("latin-1")
    matches = [re.search(pattern, text) for pattern in _FIELDS]
    descr, fortran, shape = (match[1] if match else "" for match in matches)
    whole = len(text) == count and text.startswith("{") and text.rstrip().endswith("}")
    if not (whole and all(matches)) or descr.lstrip("<>=|")[0] not in "?biufcV":
        raise UsageError(f"{place}: expected a header of a plain array, found {text[:80]!r}")
    try:
        dtype = np.dtype(descr)
    except TypeError:
        raise UsageError(f"{place}: numpy has no type {descr!r}") from None
    return _Header(dtype, fortran == "True", tuple(int(size) for size in shape.replace(" ", "").split(",") if size))


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
    names = unique_names(map(safe_name, arrays))
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


def safe_name(name: str) -> str:
    """Returns an output's name as a relative path that is safe to unpack on any system, cut if it is very long."""
    printable = "".join(c if c.isprintable() and c != "\\" else "_" for c in name)[:_MEMBER]
    return "/".join("_" if part in ("", ".", "..") else part for part in printable.split("/"))
