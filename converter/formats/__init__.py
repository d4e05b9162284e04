"""Bytes to graph and back: files are told apart by their content when read, by their ending when written."""

import os
from collections.abc import Callable

from tosa_converter.errors import FormatError, UsageError
from tosa_converter.formats.flatbuffer import Bytes
from tosa_converter.formats.storage import FilePath, map_file, write_atomically
from tosa_converter.ir import Model

# What identifies a format, and the module and function that read it; imported when needed.
_IDENTIFIERS = {b"TFL3": "tflite", b"TOSA": "tosa"}
_WRITERS = (".tosa", ".spv", ".vgf", ".mlir")  # of TOSA
_SOURCES = {".tflite": ("tfl", "of TFLite operators"), ".xnn": ("xnn", "that was read as XNNGraph")}


def load(path: FilePath) -> Model:
    """Read a model of any supported format (.tflite, .tosa, .spv, .vgf, XNNGraph), told by its content.

    The file is mapped into memory; weights are views of it.

    Raises:
        UsageError: there is no such file.
        FormatError: the content is malformed or of no known format.
    """
    return parse(map_file(path), file=os.fspath(path))


def parse(data: Bytes, *, file: str = "") -> Model:
    """Read a model out of bytes; see `load`."""
    return _reader(data, file)(data, file=file)


def _reader(data: Bytes, file: str) -> Callable[..., Model]:
    found = bytes(data[4:8])
    if found == b"TFL3":
        from tosa_converter.formats.tflite.reader import read_tflite

        return read_tflite
    if found == b"TOSA":
        from tosa_converter.formats.tosa.reader import read_tosa

        return read_tosa
    from tosa_converter.formats.spirv.words import MAGIC_BYTES, VGF_MAGIC

    if bytes(data[:4]) in MAGIC_BYTES:
        from tosa_converter.formats.spirv.reader import read_spirv

        return read_spirv
    if bytes(data[:4]) == VGF_MAGIC:
        from tosa_converter.formats.spirv.vgf import read_vgf

        return read_vgf
    from tosa_converter.formats.xnnpack.reader import looks_like_xnnpack, read_xnnpack

    if looks_like_xnnpack(data):
        return read_xnnpack
    known = ", ".join(f"{name} (identifier {key.decode()})" for key, name in _IDENTIFIERS.items()) + ", SPIR-V, VGF"
    size = f"{len(data)} bytes" if data else "an empty file"
    raise FormatError(f"expected {known} or an XNNGraph, found {size} beginning with {bytes(data[:8])!r}", file=file)


def encode(model: Model, format: str, *, debug: bool = False) -> list[Bytes]:
    """A model in the format of that ending, as pieces to be written one after the other; `.spv` needs `save`.

    Raises:
        MissingExtra: the format needs an optional package.
        UsageError: no writer for that ending.
        VerifyError: the model is illegal at every level and target.
        UnsupportedError: the model can't be expressed in the format.
    """
    from tosa_converter.rules.gate import require_legal

    require_legal(model)
    if format == ".tosa":
        from tosa_converter.formats.tosa.writer import write_tosa

        return write_tosa(model)
    if format == ".vgf":
        from tosa_converter.formats.spirv.vgf import write_vgf

        return write_vgf(model, debug=debug)
    if format == ".mlir":
        from tosa_converter.formats.mlir import write_mlir

        return [write_mlir(model).encode()]
    if format in _SOURCES:
        return _writer_of_sources(model, format)(model)
    if format == ".spv":
        raise UsageError("a .spv has constants in a file beside it, so it can only be saved to a path")
    raise UsageError(f"expected an output ending in {', '.join(_WRITERS)}, found {format or 'none'!r}")


def _writer_of_sources(model: Model, format: str) -> Callable[[Model], list[Bytes]]:
    opset, kind = _SOURCES[format]
    if model.opset != opset:
        raise UsageError(
            f"{format} holds a graph {kind}, and this one is {model.opset}; "
            f"expected an output ending in {', '.join(_WRITERS)}"
        )
    if format == ".tflite":
        from tosa_converter.formats.tflite.writer import write_tflite

        return write_tflite
    from tosa_converter.formats.xnnpack.writer import write_xnnpack

    return write_xnnpack


def save(model: Model, path: FilePath, *, format: str = "", debug: bool = False) -> int:
    """Write a model in the format of the path's ending, or of `format` (an ending); returns the size in bytes.

    The same model gives the same bytes. A failure leaves what was there before. A `.spv` may come with more files: its
    constants in `<stem>.constants.npz`, graphs besides the main one in `<stem>.<graph>.spv`. With `debug`, `.spv` and
    `.vgf` keep the names of values and the places that operators come from.

    Raises:
        UsageError: no writer for that ending, or the folder can't be written to.
        VerifyError: the model is illegal at every level and target.
        UnsupportedError: the model can't be expressed in the format.
    """
    ending = (format or os.path.splitext(path)[1]).lower()
    if ending not in (".spv", ".vgf"):
        return write_atomically(path, encode(model, ending, debug=debug))
    from tosa_converter.rules.gate import require_legal

    require_legal(model)
    if ending == ".spv":
        from tosa_converter.formats.spirv.constants import save_spirv

        return save_spirv(model, path, debug=debug)
    from tosa_converter.formats.spirv.vgf import save_vgf

    return save_vgf(model, path, debug=debug)
