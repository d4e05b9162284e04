"""Tokenizers that users name: `tokenizer.json` of Hugging Face, and SentencePiece's `.model`."""

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tosa_converter.errors import FormatError, MissingExtra, UsageError


class Tokenizer(NamedTuple):
    """The two directions of a tokenizer: text to the numbers of tokens, and back."""

    encode: Callable[[str], list[int]]
    decode: Callable[[Sequence[int]], str]


def load_tokenizer(path: str) -> Tokenizer:
    """Returns the tokenizer of a file.

    Raises:
        UsageError: no such file, or one with another ending.
        MissingExtra: the package that reads it isn't installed.
        FormatError: the package can't read it.
    """
    if not os.path.isfile(path):
        raise UsageError(f"--tokenizer (tokenizer): {path}: no such file")
    ending = os.path.splitext(path)[1].lower()
    if ending not in _LOADERS:
        raise UsageError(
            f"--tokenizer (tokenizer): expected a tokenizer.json or a .model of SentencePiece, found {path}"
        )
    try:
        return _LOADERS[ending](path)
    except ImportError:
        raise MissingExtra(f"a tokenizer of {ending}", "tokenizers") from None
    except Exception as error:  # whatever these packages raise for a malformed file
        raise FormatError(f"no tokenizer: {str(error).splitlines()[0]}", file=path) from None


def _of_hugging_face(path: str) -> Tokenizer:
    """Returns the tokenizer of a tokenizer.json, which the package tokenizers reads."""
    from tokenizers import Tokenizer as Reader

    reader = Reader.from_file(path)
    return Tokenizer(lambda text: list(reader.encode(text).ids), lambda tokens: str(reader.decode(list(tokens))))


def _of_sentencepiece(path: str) -> Tokenizer:
    """Returns the tokenizer of a .model file, which the package sentencepiece reads."""
    from sentencepiece import SentencePieceProcessor

    reader = SentencePieceProcessor(model_file=path)
    return Tokenizer(lambda text: list(reader.encode(text)), lambda tokens: str(reader.decode(list(tokens))))


_LOADERS: dict[str, Callable[[str], Tokenizer]] = {".json": _of_hugging_face, ".model": _of_sentencepiece}
