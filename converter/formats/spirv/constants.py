"""The elements of a module's graph constants: an `.npz` beside the `.spv`, its arrays named by the constants' numbers.

Arrays are stored uncompressed, so that reading maps them and writing copies nothing. Element types that numpy lacks are
stored as unsigned integers of their width.
"""

import ast
import contextlib
import re
import struct
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UsageError
from tosa_converter.formats.borders import encode_borders
from tosa_converter.formats.spirv.globals import ConstantSource
from tosa_converter.formats.spirv.writer import Module, module_type, write_spirv
from tosa_converter.formats.storage import FilePath, atomically, map_file
from tosa_converter.ir import Array, Model, TensorType, Value, unique_names

EPOCH = (1980, 1, 1, 0, 0, 0)  # the same constants give the same bytes
_LOCAL_HEADER = 30  # bytes before the name of a member; its lengths of name and extra field stand at 26
_NPY_MAGIC = b"\x93NUMPY\x01\x00"


def path_beside(path: Path) -> Path:
    """Returns the path of the `.npz` file that holds the graph constants of a SPIR-V module."""
    return path.with_name(f"{path.stem}.constants.npz")


def storage_dtype(dtype: DType) -> "np.dtype[Any]":
    """Returns the numpy type that stores a constant's elements: their own, or an unsigned integer of that width."""
    stored = dtype.numpy
    return stored if stored.isbuiltin == 1 else np.dtype(f"u{stored.itemsize}")


def storage_array(value: Value) -> Array:
    """Returns a graph constant's elements as the array that its `.npz` file stores; a view if nothing is converted."""
    assert value.constant is not None
    return storage_elements(value.constant, module_type(value.type))


def storage_elements(elements: Array, type: TensorType) -> Array:
    """Returns a constant's elements as the array that an `.npz` file stores; a view if nothing is converted."""
    array = np.ascontiguousarray(elements, type.dtype.numpy)
    return array.view(storage_dtype(type.dtype)).reshape(type.static)


def save_spirv(model: Model, path: FilePath, *, debug: bool = False) -> int:
    """Writes a module for each graph, at `graph_paths`, and its constants beside it; returns the size of all files.

    Each graph's files replace older ones together, once both are complete. `debug` keeps names and locations.

    Raises:
        UsageError: the folder can't be written to.
        UnsupportedError: a graph can't be a module.
    """
    named = [(graph, model.caller_names(graph)) for graph in model.graphs.values()]
    modules = [
        write_spirv(graph, debug=debug, called=called, borders=encode_borders(model, graph, called))
        for graph, called in named
    ]
    return sum(map(_save_module, modules, graph_paths(model, path)))


def graph_paths(model: Model, path: FilePath) -> list[Path]:
    """Returns a path for each graph of a model: the path itself for one, `<stem>.<graph>` for several."""
    target = Path(path)
    if len(model.graphs) == 1:
        return [target]
    names = unique_names(re.sub(r"[^\w.-]", "_", name) for name in model.graphs)
    return [target.with_name(f"{target.stem}.{name}{target.suffix}") for name in names]


def _save_module(module: Module, path: Path) -> int:
    """Writes a SPIR-V module and, beside it, its constants; returns the size of both in bytes."""
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(atomically(path))
        file.write(module.words.data)
        if not module.constants:
            return file.tell()
        # The stack leaves its last context first, so the constants are replaced before the module that needs them.
        constants_beside = stack.enter_context(atomically(path_beside(path)))
        write_constants(constants_beside, module.constants)
        return file.tell() + constants_beside.tell()


def write_constants(file: IO[bytes], constants: Sequence[Value]) -> None:
    """Writes the elements of graph constants as an `.npz`, without copying them."""
    write_arrays(file, ((str(number), storage_array(value)) for number, value in enumerate(constants)))


def write_arrays(file: IO[bytes], arrays: Iterable[tuple[str, Array]]) -> None:
    """Writes arrays by name as an uncompressed `.npz`, without copying them."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays:
            info = zipfile.ZipInfo(f"{name}.npy", EPOCH)
            # Beyond 2 GB a member needs zip64, which is decided before its size is known; 1 GB is a safe limit.
            with archive.open(info, "w", force_zip64=array.nbytes >= zipfile.ZIP64_LIMIT >> 1) as member:
                member.write(_npy_header(array.dtype, array.shape))
                member.write(array.reshape(-1).view(np.uint8).data)


def _npy_header(dtype: "np.dtype[Any]", shape: tuple[int, ...]) -> bytes:
    """Returns the header of a `.npy`, padded so that the elements begin at a multiple of 64."""
    text = repr(_npy_description(dtype, shape)).encode()
    # For float32 [2, 3]: magic 8, length 2, text 57, line feed 1; 60 blanks make that 128 = 2 * 64 bytes, and the
    # length that is stated is 128 - 10 = 118 (76 00).
    text += b" " * (-(len(_NPY_MAGIC) + 2 + len(text) + 1) % 64) + b"\n"
    return _NPY_MAGIC + len(text).to_bytes(2, "little") + text


def _npy_description(dtype: "np.dtype[Any]", shape: tuple[int, ...]) -> dict[str, object]:
    """Returns the dictionary that describes an array in the header of a `.npy` file."""
    return {"descr": dtype.str, "fortran_order": False, "shape": shape}


def constants_beside(file: str) -> ConstantSource:
    """Returns a function that reads constants from the file beside a module; it opens the file at its first call."""
    archive: list[ConstantArchive] = []

    def source(number: int, type: TensorType) -> Array:
        """Returns the elements of the graph constant with that number; opens the archive at the first call."""
        if not archive:
            archive.append(_open_beside(file))
        return archive[0].array(number, type)

    return source


def _open_beside(module: str) -> "ConstantArchive":
    """Returns the archive (`.npz`) of graph constants beside a module; raises FormatError if there is none."""
    try:
        if not module:
            raise UsageError("a module without a file name")
        return ConstantArchive(path_beside(Path(module)))
    except UsageError as wrong:
        message = f"the module has graph constants, whose elements are expected beside it: {wrong}"
        more = () if module else ("next: give the module's path, or write a .vgf, which holds its constants",)
        raise FormatError(message, *more, file=module) from None


class ConstantArchive:
    """A mapped `.npz` file of uncompressed arrays: the graph constants of a module or of a `.tosa`.

    Raises:
        UsageError: there is none.
        FormatError: it is not such an archive.
    """

    def __init__(self, path: Path) -> None:
        """Maps an `.npz` file and reads its directory."""
        self.path = path
        try:
            self.data = memoryview(map_file(path))
            with zipfile.ZipFile(path) as archive:
                self.members = {info.filename: info for info in archive.infolist()}
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as wrong:
            raise self._archive_error("", f"expected an .npz file: {wrong}") from None

    def array(self, number: int, type: TensorType) -> Array:
        """Returns the elements of the graph constant of a number as a view of the mapped file.

        Raises:
            FormatError: it is missing, compressed, cut off, or of another type.
        """
        name = f"{number}.npy"
        if name not in self.members:
            raise self._archive_error(name, f"graph constant {number} is missing; there are {len(self.members)} arrays")
        return self.read(name, type)

    def read(self, name: str, type: TensorType) -> Array:
        """Returns the elements of member `name`, which the archive must have, as a view of the mapped file.

        Raises:
            FormatError: it is compressed, cut off, or of another type.
        """
        info = self.members[name]
        if info.compress_type != zipfile.ZIP_STORED:
            raise self._archive_error(name, "expected a stored array, found a compressed one")
        return self._read_elements(name, self._member_bytes(name, info), type)

    def _member_bytes(self, name: str, info: zipfile.ZipInfo) -> memoryview:
        """Returns the bytes of one `.npy` file in the archive."""
        start = info.header_offset
        if start < 0 or start + _LOCAL_HEADER > len(self.data):
            raise self._archive_error(name, f"expected its header within {len(self.data)} bytes, found it at {start}")
        # A member at byte 0 called "0.npy" without extra field: 30 + 5 + 0, its bytes begin at 35. The lengths in the
        # directory may differ from these, so they are read here.
        lengths = struct.unpack_from("<2H", self.data, start + 26)  # of the name and the extra field
        start += _LOCAL_HEADER + sum(lengths)
        if start + info.file_size > len(self.data):
            raise self._archive_error(
                name, f"expected {info.file_size} bytes at {start}, found {len(self.data)} in the file"
            )
        return self.data[start : start + info.file_size]

    def _read_elements(self, name: str, member: memoryview, type: TensorType) -> Array:
        """Returns the array of a `.npy` file as a view, after checks of its header and size."""
        dtype = storage_dtype(type.dtype)
        header, start = self._parse_header(name, member)
        expected = _npy_description(dtype, type.static)
        size = type.elements * dtype.itemsize
        if header != expected or len(member) - start != size:
            raise self._archive_error(
                name, f"expected {expected} and {size} bytes, found {header} and {len(member) - start}"
            )
        return np.frombuffer(member[start:], dtype).view(type.dtype.numpy).reshape(type.static)

    def _parse_header(self, name: str, member: memoryview) -> tuple[object, int]:
        """Returns the dictionary in a `.npy` file's header, and where the elements begin.

        It doesn't use numpy's reader, which trusts its input too much.
        """
        if bytes(member[:8]) != _NPY_MAGIC or len(member) < 10:
            raise self._archive_error(name, f"expected an array of .npy version 1.0, found {bytes(member[:8])!r}")
        # Magic and version take 8 bytes and the length 2: with 76 00 there (118) the elements begin at byte 128.
        end = 10 + int.from_bytes(member[8:10], "little")
        try:
            return ast.literal_eval(bytes(member[10:end]).decode("latin1").strip()), end
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise self._archive_error(name, "expected the header of an array") from None

    def _archive_error(self, name: str, message: str) -> FormatError:
        """Returns an error that names the archive and the file in it."""
        return FormatError(message, file=str(self.path), path=name)
