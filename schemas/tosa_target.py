"""Versions, profiles, extensions, levels and enumerations of TOSA 1.0 and the draft of 1.1 (chapters 1.6, 1.7, 3)."""

from typing import NamedTuple

VERSION = (1, 0, 0)  # the newest one that is no draft
DRAFT = (1, 1, 0)  # as of August 2026 (tosa-tools 2026.8)
# The versions by their names in targets. A type table names one beside profiles and extensions where the types came
# later than the operator.
VERSIONS = {"1.0": VERSION, "1.1": DRAFT}


class Extension(NamedTuple):
    """A profile extension, the profiles that it may extend, and the version of the specification that brought it."""

    name: str
    profiles: tuple[str, ...]
    since: tuple[int, int, int] = VERSION


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
    MAX_SHAPE_LEN: int  # since 1.1


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
    Extension("EXT-INT64", ("PRO-INT", "PRO-FP"), DRAFT),
    Extension("EXT-SHAPE", ("PRO-INT", "PRO-FP"), DRAFT),
)

LEVEL_8K = Level("8K", 6, 8192, 8192, 256, 31, 6, 64, 16)
LEVEL_NONE = Level("none", 32, 2147483647, 2147483647, 2048, 63, 256, 256, 64)
LEVELS = {level.name: level for level in (LEVEL_8K, LEVEL_NONE)}

# The values are those of TOSA.001000.1. The flatbuffer schema has the same, but for acc_type: there it is an element
# type, so that INT32, FP16, FP32 and INT48 are 5, 8, 7 and 6.
ENUMERATIONS: dict[str, dict[str, int]] = {
    "resize_mode": {"NEAREST_NEIGHBOR": 1, "BILINEAR": 2},
    "acc_type": {"INT32": 1, "FP16": 2, "FP32": 3, "INT48": 4},
    "nan_mode": {"PROPAGATE": 1, "IGNORE": 2},
    "rounding_mode": {"SINGLE_ROUND": 1, "INEXACT_ROUND": 2, "DOUBLE_ROUND": 3},
}

# Operators of tosa-tools 2026.8 that aren't built, with their state in the draft of 1.1 of August 2026.
REMOVED_OPERATORS = dict.fromkeys(
    (
        "CAST_FROM_BLOCK_SCALED",
        "CAST_TO_BLOCK_SCALED",
        "CONV2D_BLOCK_SCALED",
        "MATMUL_T_BLOCK_SCALED",
        "RESHAPE_BLOCK_SCALED",
        "ROW_GATHER_BLOCK_SCALED",
    ),
    "deprecated in the draft of TOSA 1.1, which removes it before the release",
)
# Element types of block-scaled tensors (MX), by their names in flatbuffers and in MLIR.
UNSETTLED_TYPES = frozenset(
    {"FP4E2M1", "FP6E2M3", "FP6E3M2", "FP8UE8M0", "MXINT8"}
    | {"f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E8M0FNU", "!tosa.mxint8"}
)

# What an enumerant asks of the target beyond the operator's own row.
ENUMERANT_EXTENSIONS = {"INEXACT_ROUND": "EXT-INEXACTROUND", "DOUBLE_ROUND": "EXT-DOUBLEROUND"}
