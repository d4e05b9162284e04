"""What the readers of MLIR text and of MLIR bytecode have in common: errors that name a place in the file."""

from tosa_converter.errors import FormatError, UnsupportedError


class Source:
    """A file of MLIR, text or bytecode, in which a position is a number; subclasses say how messages name it."""

    def place(self, at: int) -> str:
        """Returns how messages call a position of the file, such as `line 1, column 1` or `byte 12`."""
        raise NotImplementedError

    def describe(self, at: int) -> str:
        """Returns what stands at a position of the file, as messages show it."""
        raise NotImplementedError

    def decode_utf8(self, raw: bytes, at: int) -> str:
        """Returns the text of UTF-8 bytes; `at` is their position in the file, for the message."""
        try:
            return raw.decode()
        except UnicodeDecodeError:
            raise self.wrong(at, "UTF-8") from None

    def wrong(self, at: int, expected: str, actual: str = "") -> FormatError:
        """Returns the error for a place of the file that isn't as expected; `actual` is "" for what stands there."""
        return FormatError(f"expected {expected}, found {actual or self.describe(at)}", path=self.place(at))

    def unsupported(self, message: str, at: int) -> UnsupportedError:
        """Returns the error for a place of the file that TOSA 1.0, or this converter, doesn't have."""
        return UnsupportedError(f"{self.place(at)}: {message}")
