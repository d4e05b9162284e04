"""Profiles, extensions, levels and enumerations of TOSA 1.0 (chapters 1.6, 1.7 and 3)."""

from typing import NamedTuple

VERSION = (1, 0, 0)  # the newest one that is no draft


class Extension(NamedTuple):
    """A profile extension and the profiles that it may extend."""

    name: str
    profiles: tuple[str, ...]


class Level(NamedTuple):
    """The maxima that LEVEL_CHECK compares with."""

    name: str
    MAX_RANK: int
    MAX_KERNEL: int
    MAX_STRIDE: int
    MAX_SCALE: int
    MAX_LOG2_SIZE: int
    MAX_NESTING: int
    MAX_TENSOR_LIST_SIZE: int


PROFILES = ("PRO-INT", "PRO-FP")

EXTENSIONS = (
    Extension("EXT-INT16", ("PRO-INT",)),
    Extension("EXT-INT4", ("PRO-INT",)),
    Extension("EXT-BF16", ("PRO-FP",)),
    Extension("EXT-FP8E4M3", ("PRO-FP",)),
    Extension("EXT-FP8E5M2", ("PRO-FP",)),
    Extension("EXT-FFT", ("PRO-FP",)),
    Extension("EXT-VARIABLE", ("PRO-INT", "PRO-FP")),
    Extension("EXT-CONTROLFLOW", ("PRO-INT", "PRO-FP")),
    Extension("EXT-DYNAMIC", ("PRO-INT", "PRO-FP")),
    Extension("EXT-DOUBLEROUND", ("PRO-INT",)),
    Extension("EXT-INEXACTROUND", ("PRO-INT",)),
)

LEVEL_8K = Level("8K", 6, 8192, 8192, 256, 31, 6, 64)
LEVEL_NONE = Level("none", 32, 2147483647, 2147483647, 2048, 63, 256, 256)
LEVELS = {level.name: level for level in (LEVEL_8K, LEVEL_NONE)}

# The values are those of TOSA.001000.1. The flatbuffer schema has the same, but for acc_type: there it is an element
# type, so that INT32, FP16, FP32 and INT48 are 5, 8, 7 and 6.
ENUMERATIONS: dict[str, dict[str, int]] = {
    "resize_mode": {"NEAREST_NEIGHBOR": 1, "BILINEAR": 2},
    "acc_type": {"INT32": 1, "FP16": 2, "FP32": 3, "INT48": 4},
    "nan_mode": {"PROPAGATE": 1, "IGNORE": 2},
    "rounding_mode": {"SINGLE_ROUND": 1, "INEXACT_ROUND": 2, "DOUBLE_ROUND": 3},
}

# What an enumerant asks of the target beyond the operator's own row.
ENUMERANT_EXTENSIONS = {"INEXACT_ROUND": "EXT-INEXACTROUND", "DOUBLE_ROUND": "EXT-DOUBLEROUND"}
