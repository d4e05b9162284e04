"""IREE modules (.vmfb): what IREE's compiler makes of a graph's MLIR text. They are written only."""

import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tosa_converter.errors import MissingExtra, UnsupportedError, shortened
from tosa_converter.formats.flatbuffer import Bytes
from tosa_converter.formats.mlir.iree import iree_element, iree_mlir
from tosa_converter.ir import Model, TensorType

EXTRA = "iree"
# Flags of iree-compile for the processor that the compiler runs on, unless somebody names a target.
HOST = ("--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host")
_TARGET = re.compile(r"--iree-hal-target-(backends|device)\b")
_LOCATION = re.compile(r'loc\((?:callsite\()?"((?:[^"\\]|\\.)*)"')
_DETAILS = re.compile(r": %|: \"| #hal\.")  # what the compiler adds of its own representation
_MOST_ERRORS = 5
# The devices of iree-run-module by the compiler's targets, and the processor.
_DEVICES = {"vulkan": "vulkan", "cuda": "cuda", "rocm": "hip", "metal": "metal"}
_HERE = "local-task"


def write_vmfb(model: Model, *, flags: Sequence[str] = ()) -> list[Bytes]:
    """Compile a TOSA model.

    Args:
        model: of TOSA operators; its functions and arguments keep their names.
        flags: of iree-compile; without one that names a target it is this machine's processor.

    Raises:
        MissingExtra: the compiler is not installed.
        UnsupportedError: it refuses the model; the lines say where and why.
    """
    return [compiled(iree_mlir(model), flags, model.source)]


def compiled(text: str, flags: Sequence[str], about: str) -> bytes:
    """What iree-compile makes of MLIR text, `about` in messages; see `write_vmfb`."""
    try:
        from iree.compiler import tools
    except ImportError:
        raise MissingExtra("IREE's compiler", EXTRA) from None
    with tempfile.TemporaryDirectory(prefix="tosa-iree-") as folder:
        path = Path(folder) / "model.mlir"
        path.write_text(text, "utf-8")
        try:
            found: bytes = tools.compile_file(str(path), input_type="tosa", extra_args=targeted(flags))
        except tools.CompilerToolError as error:
            lines = list(dict.fromkeys(_problems(str(error))))[:_MOST_ERRORS]
            raise UnsupportedError(f"IREE refuses {about or 'the model'}:", *lines) from None
    return found


def targeted(flags: Sequence[str]) -> list[str]:
    """The flags, behind those for this machine if none names a target."""
    return [*(() if any(map(_TARGET.match, flags)) else HOST), *flags]


def _problems(text: str) -> Iterator[str]:
    """Every error of the compiler with the operator that it is about, where it says."""
    said = text.partition("Diagnostics:\n")[2].partition("\n\nInvoked with:")[0].splitlines()
    for line in [line for line in said if "error:" in line] or said[:1]:
        place, message = _LOCATION.search(line), line.partition("error:")[2] or line
        message = _DETAILS.split(re.sub(r"^ *loc\(.*?\): ", "", message))[0].strip()
        yield shortened(f"{place[1]}: {message}" if place else message)


def usage(model: Model, path: str, flags: Sequence[str]) -> str:
    """The command that runs a module: its function, and an argument for each input."""
    import shlex

    device = next((device for backend, device in _DEVICES.items() if any(backend in flag for flag in flags)), _HERE)
    inputs = [f"--input={_argument(value.type)}" for value in model.main.inputs]
    words = [f"--module={path}", f"--device={device}", f"--function={model.main.name}", *inputs]
    return shlex.join(["iree-run-module", *words])


def _argument(type: TensorType) -> str:
    """Zeros of a type, as iree-run-module reads them."""
    return "x".join((*map(str, type.static), f"{iree_element(type.dtype)}=0"))
