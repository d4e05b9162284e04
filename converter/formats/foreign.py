"""Files that people take for models: what each is, recognized by its first bytes, and what to do with it.

This module is imported when no format of this package recognizes a file.
"""

import os
from typing import NamedTuple

from tosa_converter.formats.flatbuffer import Bytes

EDGE = 1 << 16  # bytes at both ends of a file that are looked at; a zip has the names of its members at its end


class Foreign(NamedTuple):
    """A kind of file that this package doesn't read; {file} in `step` stands for its name, quoted for a shell."""

    kind: str
    step: str


class _Mark(NamedTuple):
    """Bytes at an offset, and the kind of file that has them there."""

    offset: int
    magic: bytes
    foreign: Foreign


_KERAS = "convert it with tf.lite.TFLiteConverter.from_keras_model"
_SAVED_MODEL = "convert it with tf.lite.TFLiteConverter.from_saved_model"
_TORCH = "export the model to TFLite with litert-torch, or to an ExecuTorch program (.pte) for XNNPACK"
_WEIGHTS = "export the model that these weights belong to as TFLite"
_IMAGE = "give a model, and the image as its input: tflite-to-tosa run MODEL --image {file}"
_ARRAYS = "give a model, and the arrays as its input: tflite-to-tosa run MODEL --input {file}"
_SOURCE = "give the model that it was compiled from"
_BINARY = "give the model's own file"
_COREML = "convert the model that it was made from to TFLite"
ONNX = Foreign("an ONNX model", "convert it to TFLite first, for example with onnx2tf")
SAVED_MODEL = Foreign("a TensorFlow SavedModel", _SAVED_MODEL)
GRAPH_DEF = Foreign("a TensorFlow graph", "convert it with tf.compat.v1.lite.TFLiteConverter.from_frozen_graph")
PICKLE = Foreign("a Python pickle, as older versions of PyTorch write", _TORCH)
CORE_ML = Foreign("a Core ML model", _COREML)
JSON = Foreign("JSON", "give a model; of a folder of --partial, give the folder itself")
SAFETENSORS = Foreign("weights in safetensors, without a graph", _WEIGHTS)
WEB_PAGE = Foreign("a web page", "download the file itself: its direct or raw link")
ZIP = Foreign("a zip archive without a model", "give an archive with a model in it, or the model itself")

MARKS = (
    _Mark(0, b"\x1f\x8b", Foreign("a gzip archive", "gunzip {file}")),
    _Mark(0, b"BZh", Foreign("a bzip2 archive", "bunzip2 {file}")),
    _Mark(0, b"\xfd7zXZ\0", Foreign("an xz archive", "unxz {file}")),
    _Mark(0, b"\x28\xb5\x2f\xfd", Foreign("a zstd archive", "unzstd {file}")),
    _Mark(0, b"7z\xbc\xaf\x27\x1c", Foreign("a 7z archive", "7z x {file}")),
    _Mark(257, b"ustar", Foreign("a tar archive", "tar xf {file}, then give the model that is in it")),
    _Mark(0, b"version https://git-lfs", Foreign("a git-lfs pointer, not the file itself", "git lfs pull")),
    _Mark(0, b"\x89HDF\r\n\x1a\n", Foreign("an HDF5 file, as Keras writes (.h5)", _KERAS)),
    _Mark(0, b"GGUF", Foreign("weights in GGUF, without a graph", _WEIGHTS)),
    _Mark(0, b"LITERTLM", Foreign("a LiteRT-LM bundle without a model", "give one that has a TFLite model")),
    _Mark(4, b"FT01", Foreign("ExecuTorch's data (.ptd), without a program", "give the program (.pte) beside it")),
    _Mark(4, b"ORTM", Foreign("an ONNX Runtime model (.ort)", "convert its ONNX model to TFLite")),
    _Mark(4, b"CIR0", Foreign("a Circle model", "give the TFLite model that it was made from")),
    _Mark(
        4, b"ET1", Foreign("an ExecuTorch program of another version", "export it again with ExecuTorch 1.0 or later")
    ),
    _Mark(4, b"IREE", Foreign("a compiled IREE module (.vmfb)", _SOURCE)),
    _Mark(0, b"\x7fELF", Foreign("a program or library (ELF)", _BINARY)),
    _Mark(0, b"MZ", Foreign("a program or library for Windows", _BINARY)),
    _Mark(0, b"\x89PNG\r\n", Foreign("a PNG image", _IMAGE)),
    _Mark(0, b"\xff\xd8\xff", Foreign("a JPEG image", _IMAGE)),
    _Mark(0, b"GIF8", Foreign("a GIF image", _IMAGE)),
    _Mark(8, b"WEBP", Foreign("a WebP image", _IMAGE)),
    _Mark(
        8, b"WAVE", Foreign("a WAV recording", _IMAGE.replace("image", "recording", 1).replace("--image", "--audio"))
    ),
    _Mark(0, b"\x93NUMPY", Foreign("a numpy array (.npy)", _ARRAYS)),
    _Mark(0, b"%PDF", Foreign("a PDF document", _BINARY)),
)
# Parts of the names of members, in this order, and what an archive with such a member is.
MEMBERS = (
    (b"data.pkl", Foreign("a PyTorch model or its weights", _TORCH)),
    (b"MAR-INF/", Foreign("a TorchServe archive (.mar)", f"unzip {{file}}, then {_TORCH}")),
    (b"model.weights.h5", Foreign("a Keras model (.keras)", _KERAS)),
    (b"saved_model.pb", Foreign("a zip archive with a TensorFlow SavedModel", f"unzip {{file}}, then {_SAVED_MODEL}")),
    (b".mlmodel", Foreign("a zip archive with a Core ML model", _COREML)),
    (b".onnx", Foreign("a zip archive with an ONNX model", f"unzip {{file}}, then {ONNX.step}")),
    (b".npy", Foreign("an archive of numpy arrays (.npz)", _ARRAYS)),
    (b"module.fb", Foreign("a compiled IREE module (.vmfb)", _SOURCE)),
)
# Protocol buffers have no magic number. The first byte is a field's number and kind: 0x08 is an integer in field 1, the
# version of the format; then comes, of ONNX, the name of the producer (0x12) or another of its fields, and of a
# SavedModel, whose version is 1, its graph (0x12). 0x0a is a text or a message in field 1: a node of a GraphDef.
_ONNX_FIELDS = b"\x12\x1a\x22\x28\x32\x3a\x42"
_LATEST_ONNX = 64  # versions; 13 is the newest
_ENDINGS = {".onnx": ONNX, ".pb": GRAPH_DEF, ".mlmodel": CORE_ML, ".pt": PICKLE, ".pth": PICKLE}
_PICKLES = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
FOLDERS = (
    ("saved_model.pb", Foreign("a folder with a TensorFlow SavedModel", _SAVED_MODEL)),
    ("Manifest.json", Foreign("a Core ML package (.mlpackage)", _COREML)),
)


def recognize_identifier(identifier: bytes) -> Foreign | None:
    """Returns which format of another tool has this flatbuffer identifier, or None."""
    return next((row.foreign for row in MARKS if row.offset == 4 and identifier.startswith(row.magic)), None)


def recognize_foreign(data: Bytes, file: str) -> Foreign | None:
    """Returns the format of another tool that a file has, or None; messages about the file name it.

    Only the first and the last 64 KB are read, which have the names of a zip archive's members.
    """
    begin = bytes(data[:EDGE])
    if begin.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        names = begin + bytes(data[-EDGE:])
        return next((foreign for member, foreign in MEMBERS if member in names), ZIP)
    for mark in MARKS:
        if begin[mark.offset :].startswith(mark.magic):
            return mark.foreign
    return _by_structure(begin, os.path.splitext(file)[1].lower())


def _by_structure(begin: bytes, ending: str) -> Foreign | None:
    """Returns the format of a file without a magic number, by its first bytes, or its ending if these may be several.

    Returns None if no known format fits.
    """
    text = begin.lstrip()[:64].lower()
    if text.startswith((b"<!doctype html", b"<html")):
        return WEB_PAGE
    # safetensors: the size of a JSON header in 8 bytes, then the header.
    if begin[8:9] == b"{" and int.from_bytes(begin[:8], "little") < 1 << 32:
        return SAFETENSORS
    if text.startswith((b"{", b"[")):
        return JSON
    if begin.startswith(b"\x08\x01\x12") and ending != ".onnx":
        return SAVED_MODEL
    if ending in _ENDINGS and begin:
        return _ENDINGS[ending]
    if begin.startswith(b"\x08") and len(begin) > 2 and begin[1] < _LATEST_ONNX and begin[2] in _ONNX_FIELDS:
        return ONNX
    return PICKLE if begin.startswith(_PICKLES) else None


def recognize_folder(path: str) -> Foreign | None:
    """Returns which format of another tool a folder has, by the files in it, or None."""
    return next((foreign for name, foreign in FOLDERS if os.path.isfile(os.path.join(path, name))), None)


def next_step(foreign: Foreign, file: str) -> str:
    """Returns the last line of a message about a file of another tool: what to do with it, such as a command to run."""
    from shlex import quote

    return f"next: {foreign.step.replace('{file}', quote(file or 'FILE'))}"
