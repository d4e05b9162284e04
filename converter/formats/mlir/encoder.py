"""Encodes a model as MLIR text, plain or in the dialect of a compiler."""

from tosa_converter.errors import UsageError
from tosa_converter.formats.mlir.iree import iree_mlir
from tosa_converter.formats.mlir.writer import write_mlir
from tosa_converter.ir import Model


def encode_mlir(model: Model, *, debug: bool = False, dialect: str = "") -> list[bytes]:
    """Returns a model as MLIR text in UTF-8; `dialect` "iree" spells it as that compiler takes it, see `save`.

    Raises:
        UsageError: no such dialect.
        UnsupportedError: an operator that the dialect has no form for.
    """
    if dialect not in ("", "iree"):
        raise UsageError(f"expected dialect iree, found {dialect!r}")
    if dialect:
        return [iree_mlir(model, names=debug).encode()]
    return [write_mlir(model, called=True, names=debug).encode()]
