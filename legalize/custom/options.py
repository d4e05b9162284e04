"""What custom operators share: options in FlexBuffers or structures of C, and operands as reals."""

import struct
from typing import Any, NamedTuple

import numpy as np

import tosa_converter as tc
from tosa_converter.formats.flexbuffer import decode


class Settings(NamedTuple):
    """A custom operator's options by their keys; a missing option is 0, as in the FlexBuffers reader."""

    values: dict[str, Any]

    def real(self, key: str, default: float = 0) -> float:
        """Returns an option of a custom operator as the fp32 number that C++ reads; `default` if it is absent.

        Raises:
            Decline: it isn't a number.
        """
        value = self.values.get(key, default)
        if not isinstance(value, int | float):
            raise tc.Decline(f"expected option {key} to be a number, found {value!r}")
        return float(np.float32(value))

    def integer(self, key: str, default: int = 0) -> int:
        """Returns an option of a custom operator as a 32-bit integer; a float is truncated.

        Raises:
            Decline: it isn't a number, or out of range.
        """
        value = self.values.get(key, default)
        if not isinstance(value, int | float) or not _fits(value):
            raise tc.Decline(f"expected option {key} to be an integer of 32 bits, found {value!r}")
        return int(value)

    def integers(self, key: str, count: int | None = None) -> list[int]:
        """Returns an option of a custom operator, a list of 32-bit integers: `count` of them unless that is None.

        Raises:
            Decline: it isn't such a vector.
        """
        value = self.values.get(key)
        if not isinstance(value, list) or not all(isinstance(item, int) and _fits(item) for item in value):
            raise tc.Decline(f"expected option {key} to be a list of integers of 32 bits, found {value!r}")
        if count not in (None, len(value)):
            raise tc.Decline(f"expected option {key} to be {count} integers, found {value!r}")
        return list(map(int, value))


def _fits(value: float) -> bool:
    """Returns whether a number fits a signed integer of 32 bits."""
    return -(1 << 31) <= value < 1 << 31


def read_settings(match: tc.Match) -> Settings:
    """Returns the options of an operator whose custom options are a FlexBuffers map.

    Raises:
        Decline: the bytes aren't a map.
    """
    try:
        values = decode(match.op.attributes["custom_options"])
    except tc.FormatError as error:
        raise tc.Decline(f"expected custom options in FlexBuffers, found malformed bytes: {error}") from None
    if not isinstance(values, dict):
        raise tc.Decline(f"expected a map of custom options, found {values!r}")
    return Settings(values)


def read_integers(match: tc.Match, count: int) -> tuple[int, ...]:
    """Returns the first `count` 32-bit fields of custom options that are a C structure.

    Raises:
        Decline: there are too few bytes.
    """
    data: bytes = match.op.attributes["custom_options"]
    if len(data) < 4 * count:
        raise tc.Decline(f"expected {4 * count} bytes of custom options, found {len(data)}")
    return struct.unpack_from(f"<{count}i", data)


def dequantize_operand(match: tc.Match, key: int) -> tc.Expr:
    """Returns the reals that a quantized operand stands for, by the rules of TFLite's DEQUANTIZE."""
    operand = match.source(key)
    real: tc.Expr
    (real,) = match.builtin("tfl.dequantize", [operand], [tc.TensorType(tc.DType.FP32, operand.type.shape)])
    return real
