"""The names that options take, for `--help`; found when it is asked for, since an engine's row imports numpy."""

from collections.abc import Iterable

from tosa_converter.engines import ENGINES
from tosa_converter.legalize.tflite.borders import LAYOUTS, TYPES
from tosa_converter.options import NUMERICS
from tosa_converter.schemas.presets import PRESETS
from tosa_converter.schemas.tosa_target import EXTENSIONS, LEVELS, PROFILES, VERSIONS


def help_values() -> dict[str, str]:
    """Returns what placeholders in help texts become: for {profiles} the names of the profiles, and so on."""
    return {
        "presets": _join_names(PRESETS),
        "profiles": _join_names(PROFILES),
        "extensions": _join_names(extension.name for extension in EXTENSIONS),
        "levels": _join_names(LEVELS),
        "versions": _join_names(VERSIONS),
        "numerics": _join_names(NUMERICS),
        "engines": _join_names(ENGINES),
        "io_types": _join_names(TYPES),
        "io_layouts": _join_names(LAYOUTS),
    }


def _join_names(names: Iterable[str]) -> str:
    """Returns names in lower case, separated by commas."""
    return ", ".join(names).lower()
