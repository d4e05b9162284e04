"""Models out of files, bytes and streams."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import IO, TypeAlias

from tosa_converter import formats
from tosa_converter.errors import UsageError
from tosa_converter.formats.storage import Bytes, map_file
from tosa_converter.ir import Model
from tosa_converter.rewriting import signatures

Source: TypeAlias = str | PathLike[str] | bytes | bytearray | memoryview | IO[bytes]


def load(source: Source, *, delegate: int | None = None) -> Model:
    """Reads a model of a supported format: .tflite, .tosa, .spv, .vgf, .mlir, .mlirbc, .pte, XNNGraph, by its content.

    Args:
        source: a path, whose file is mapped into memory so that weights are views of it; or the bytes themselves, or a
            file that is open for reading bytes.
        delegate: of a program (.pte), the number of the delegate whose graph is read instead of the whole.

    Returns:
        The model, with weights as views of the file. Shapes and types are those of the file.

    Raises:
        UsageError: there is no such file or delegate, or the source is something else.
        FormatError: the content is malformed or of no known format.

    Example:
        >>> import tosa_converter as tc
        >>> tc.load("models/digits_int8.tflite").opset
        'tfl'
    """
    if isinstance(source, str | PathLike):
        return formats.load(source, delegate=delegate)
    content, _ = read_content(source)
    return formats.parse(content, delegate=delegate)


def read_content(source: Source) -> tuple[Bytes, str]:
    """Returns the bytes of a model and the name of its file, "" where there is none.

    Raises:
        UsageError: there is no such file, or the source is something else.
    """
    if isinstance(source, str | PathLike):
        path = formats.model_file(source)
        return map_file(path), path
    content = source.read() if hasattr(source, "read") else source
    if not isinstance(content, bytes | bytearray | memoryview):
        raise UsageError(f"expected a path, bytes or a file of bytes, found {type(content).__name__}")
    return bytes(content), ""


def as_model(model: Model | Source, signature: str = "") -> Model:
    """Returns a model, which is read if it is a file's path or content; with a signature, that signature's model."""
    model = model if isinstance(model, Model) else load(model)
    return signatures.select_signature(model, signature) if signature else model


def selected(model: Model | Source, signature: str) -> Model:
    """Returns the model of one signature, with its graph as the main graph.

    Args:
        model: of any opset, or what `load` takes.
        signature: its name; graphs of TOSA files go by their own.

    Raises:
        UsageError: the model has no such signature.

    Example:
        >>> import tosa_converter as tc
        >>> [value.name for value in tc.selected("models/signatures_int8.tflite", "encode").main.inputs]
        ['encode_x:0']
    """
    return signatures.select_signature(as_model(model), signature)


def names_of(names: str | Sequence[str]) -> Sequence[str]:
    """Returns a sequence of names; a string is a single name, as names of tensors may contain commas."""
    return [names] if isinstance(names, str) else names
