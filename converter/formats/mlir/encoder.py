"""Encodes a model as MLIR text, plain or in the dialect of a compiler."""

from collections.abc import Iterator

from tosa_converter.errors import UsageError
from tosa_converter.formats.mlir.iree import IreeFunction
from tosa_converter.formats.mlir.writer import stream_mlir
from tosa_converter.ir import Model


def encode_mlir(model: Model, *, debug: bool = False, dialect: str = "") -> Iterator[bytes]:
    """Returns the pieces of a model's MLIR text in UTF-8; `dialect` "iree" spells it as that compiler takes it.

    Raises:
        UsageError: no such dialect.
        UnsupportedError: an operator that the dialect has no form for.
    """
    if dialect not in ("", "iree"):
        raise UsageError(f"expected dialect iree, found {dialect!r}")
    return stream_mlir(model, names=debug, dialect=IreeFunction if dialect else None)
