"""Options that can't do anything beside others: each is refused by its name, with the reason.

A row says when an option of a command applies. What depends on the kind of source stands beside what takes it:
`conversion.require_applicable` for conversions, `formats.save` for outputs.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from tosa_converter.errors import UsageError

Arguments = Mapping[str, Any]  # by the names of a command's parameters


class Row(NamedTuple):
    """An option that applies only to some calls of a command."""

    command: str
    option: str  # the parameter's name
    flag: str
    reason: str
    applies: Callable[[Arguments], bool]


def _files(arguments: Arguments) -> bool:
    return any(arguments.get(name) for name in ("input", "image", "audio", "samples"))


def _one_output(arguments: Arguments) -> bool:
    return not arguments.get("partial")


_CHECKS = ("check", "profile", "extension", "level", "target")
_SCALED = ("image", "audio", "samples")
_ASM = "--asm prints the assembly alone"
_OF_CLUSTER = "the cluster of --scheduler has its own workers"
_OF_FILES = "the inputs come from files"
_OF_CHAINS = "--partial writes a chain of files of its own"
_OF_EXPLANATIONS = "--explain writes no file"
_OF_CHECKS = "it is for a check of a source (--check or --target)"

ROWS = (
    Row("convert", "limit", "--limit", "it bounds the runs of --float", lambda a: bool(a.get("float_type"))),
    *(
        Row("convert", name, f"--{name.replace('_', '-')}", _OF_CHAINS, _one_output)
        for name in ("format", "dump_ir", "debug_info", "delegate", "iree_flag", "jobs", "timeout", "verbose")
    ),
    *(
        Row("convert", name, f"--{name.replace('_', '-')}", _OF_EXPLANATIONS, lambda a: not a.get("explain"))
        for name in ("format", "dump_ir", "debug_info", "iree_flag", "jobs", "timeout", "verbose", "limit")
    ),
    *(
        Row(
            "inspect",
            name,
            f"--{name.replace('_', '-')}",
            _ASM,
            lambda a: not a.get("asm"),
        )
        for name in ("json", "tensors", "signature", *_CHECKS)
    ),
    *(
        Row("inspect", name, flag, _OF_CHECKS, lambda a: any(a.get(one) for one in _CHECKS) and not a.get("asm"))
        for name, flag in (
            ("numerics", "--numerics"),
            ("input_shapes", "--input-shape"),
            ("rules", "--plugin"),
            ("allow_custom", "--allow-custom"),
            ("verbose", "--verbose"),
        )
    ),
    *(
        Row("inspect", name, f"--{name}", "--target says it all", lambda a: not a.get("target"))
        for name in ("profile", "extension", "level")
    ),
    *(Row(command, "seed", "--seed", _OF_FILES, lambda a: not _files(a)) for command in ("run", "verify")),
    Row("verify", "runs", "--runs", _OF_FILES, lambda a: not _files(a)),
    *(
        Row(command, "scale", "--scale", "it is for images and sounds", lambda a: any(a.get(name) for name in _SCALED))
        for command in ("run", "verify")
    ),
    Row(
        "zoo verify",
        "jobs",
        "--jobs",
        _OF_CLUSTER,
        lambda a: not a.get("scheduler"),
    ),
    *(
        Row("show", name, flag, "--svg opens no browser", lambda a: not a.get("svg"))
        for name, flag in (("port", "--port"), ("no_open", "--no-open"), ("adapters", "--adapters"))
    ),
)


def require_applicable(command: str, given: Collection[str], arguments: Arguments) -> None:
    """Refuse options that would do nothing.

    Args:
        command: its words, as in "zoo verify".
        given: the names of the parameters that the command line says.
        arguments: all parameters, or those that aren't their defaults.

    Raises:
        UsageError: for the first of them.
    """
    for row in ROWS:
        if row.command == command and row.option in given and not row.applies(arguments):
            raise UsageError(f"tflite-to-tosa {command}: '{row.flag}' can't apply: {row.reason}")
