"""IREE modules (.vmfb), compiled by IREE from a graph's MLIR text; the format is only written."""

import re
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tosa_converter.errors import MissingExtra, UnsupportedError, UsageError, shortened
from tosa_converter.formats.mlir.iree import iree_element, iree_mlir
from tosa_converter.formats.storage import Bytes, temporary_folder
from tosa_converter.ir import Model, TensorType
from tosa_converter.processes import output_of
from tosa_converter.schemas.presets import PRESETS, TILED

EXTRA = "iree"
HOST = PRESETS["iree-cpu"].flags  # unless somebody names a target
FLAGS = ("--iree-input-type=tosa", "--mlir-print-debuginfo", "--mlir-print-op-on-diagnostic=false")
SECONDS = 600  # for one model
# Products of several matrices: in tiles, IREE computes others where the right ones of int8 have a zero point, and where
# the left ones of fp32 are themselves the product with a row that only the run knows.
_BATCHES = re.compile(r'"tosa\.matmul".*? : \(tensor<(?!1x)')
_TARGET = re.compile(r"--iree-hal-target-(backends|device)\b")
_NAMELESS = "flags for Vulkan: expected --iree-vulkan-target=DEVICE, found none; IREE's default computes int8 wrong"
_LOCATION = re.compile(r'loc\((?:callsite\()?"((?:[^"\\]|\\.)*)"')
_DETAILS = re.compile(r": %|: \"| #hal\.")  # what the compiler adds of its own representation
_MOST_ERRORS = 5
# The devices of iree-run-module by the compiler's targets, and the processor.
_DEVICES = {"vulkan": "vulkan", "cuda": "cuda", "rocm": "hip", "metal": "metal"}
_HERE = "local-task"


class _TooLongError(UnsupportedError):
    """Says that IREE's compiler took too long; another attempt with other flags would take as long."""


def write_vmfb(model: Model, *, flags: Sequence[str] = ()) -> list[Bytes]:
    """Returns a TOSA model compiled by IREE.

    Args:
        model: of TOSA operators; its functions and arguments keep their names.
        flags: of iree-compile; without one that names a target it is this machine's processor.

    Raises:
        MissingExtra: the compiler is not installed.
        UsageError: the target is Vulkan, and no flag names the device.
        UnsupportedError: the compiler refuses the model (the lines say where and why), crashes or takes too long.
    """
    return [compile_text(iree_mlir(model), flags, model.source)]


def compile_text(text: str, flags: Sequence[str], about: str) -> bytes:
    """Compiles MLIR text with IREE and returns the module's bytes; `about` names the model in messages.

    Data tiling (the flag TILED) may make the compiler refuse a model, so it is compiled again without the flag then;
    but not after a timeout, as that would take as long.
    """
    flags = without_unsafe_tiles(text, add_target(flags))
    if TILED in flags:
        try:
            return _run_compiler(text, flags, about)
        except _TooLongError:
            raise
        except UnsupportedError:  # tiles may take more of the stack than it allows
            flags = _remove_tiles(flags)
    return _run_compiler(text, flags, about)


def without_unsafe_tiles(text: str, flags: Sequence[str]) -> list[str]:
    """Returns IREE's flags without data tiling if the MLIR text has products that IREE tiles wrongly."""
    return _remove_tiles(flags) if _BATCHES.search(text) else list(flags)


def _remove_tiles(flags: Sequence[str]) -> list[str]:
    """Returns IREE's flags without the one that asks for data tiling."""
    return [flag for flag in flags if flag != TILED]


def _run_compiler(text: str, flags: Sequence[str], about: str) -> bytes:
    """Compiles MLIR text by iree-compile with exactly these flags, and returns the module's bytes.

    `about` names the model in messages, "" if it has no file. Raises UnsupportedError if the compiler refuses, crashes
    or times out.
    """
    try:
        from iree.compiler import tools
    except ImportError:
        raise MissingExtra("IREE's compiler", EXTRA) from None
    find_tool, about = tools.binaries.find_tool, about or "the model"
    with temporary_folder() as folder:
        path, output = Path(folder) / "model.mlir", Path(folder) / "model.vmfb"
        path.write_text(text, "utf-8")
        command = [find_tool("iree-compile"), path, "-o", output, *FLAGS, *flags]
        command.append(f"--iree-llvmcpu-embedded-linker-path={find_tool('iree-lld')}")
        try:
            process = output_of(command, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise _TooLongError(f"IREE's compiler took more than {SECONDS} s for {about}") from None
        log = process.stderr.decode("utf-8", "replace")
        # A signal ends a process with the negative of its number: -11 is SIGSEGV.
        if process.returncode < 0:
            crash = f"IREE's compiler ended with {signal.Signals(-process.returncode).name} on {about}"
            raise UnsupportedError(crash, *_first_errors(log))
        if process.returncode or not output.exists():  # a flag may ask for something else
            raise UnsupportedError(f"IREE refuses {about}:", *(_first_errors(log) or log.splitlines()[:1]))
        return output.read_bytes()


def add_target(flags: Sequence[str]) -> list[str]:
    """Returns IREE's flags, with those for this machine's processor in front if none names a target.

    It raises UsageError for Vulkan without a device.
    """
    if any("vulkan" in flag for flag in flags) and not any(flag.startswith("--iree-vulkan-target=") for flag in flags):
        raise UsageError(_NAMELESS)
    return [*(() if any(map(_TARGET.match, flags)) else HOST), *flags]


def _first_errors(log: str) -> list[str]:
    """Returns the first distinct errors in the log of IREE's compiler, each with its operator if the log names one."""
    return list(dict.fromkeys(_shorten_error(line) for line in log.splitlines() if "error:" in line))[:_MOST_ERRORS]


def _shorten_error(line: str) -> str:
    """Returns an error line of IREE's compiler as `operator: message`, without compiler internals."""
    place, message = _LOCATION.search(line), line.partition("error:")[2]
    message = _DETAILS.split(re.sub(r"^ *loc\(.*?\): ", "", message))[0].strip()
    return shortened(f"{place[1]}: {message}" if place else message)


def run_command(model: Model, path: str, flags: Sequence[str]) -> str:
    """Returns a shell command that runs an IREE module's function, with zeros for each input.

    The device follows from the target that the compiler's `flags` name, this processor by default.
    """
    import shlex

    device = next((device for backend, device in _DEVICES.items() if any(backend in flag for flag in flags)), _HERE)
    inputs = [f"--input={_zeros_argument(value.type)}" for value in model.main.inputs]
    command = [f"--module={path}", f"--device={device}", f"--function={model.main.name}", *inputs]
    return shlex.join(["iree-run-module", *command])


def _zeros_argument(type: TensorType) -> str:
    """Returns an argument of iree-run-module that stands for zeros of a type, such as `2x3xf32=0`."""
    return "x".join((*map(str, type.static), f"{iree_element(type.dtype)}=0"))
