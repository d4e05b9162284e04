"""The names that options take, for `--help`; found when it is asked for, since an engine's row imports numpy."""

from collections.abc import Iterable

from tosa_converter.engines import ENGINES
from tosa_converter.legalize.tflite.borders import LAYOUTS, TYPES
from tosa_converter.options import NUMERICS
from tosa_converter.schemas.presets import PRESETS
from tosa_converter.schemas.tosa_target import EXTENSIONS, LEVELS, PROFILES


def listed() -> dict[str, str]:
    """Returns the names that stand for {profiles} and the like in help texts."""
    return {
        "presets": _among(PRESETS),
        "profiles": _among(PROFILES),
        "extensions": _among(extension.name for extension in EXTENSIONS),
        "levels": _among(LEVELS),
        "numerics": _among(NUMERICS),
        "engines": _among(ENGINES),
        "io_types": _among(TYPES),
        "io_layouts": _among(LAYOUTS),
    }


def _among(names: Iterable[str]) -> str:
    return ", ".join(names).lower()
