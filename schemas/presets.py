"""Targets by name: what runs a conversion, and what that means for its profiles, borders, forms and numerics."""

from typing import NamedTuple


class Preset(NamedTuple):
    """A target by name; where the user says something, it gives way.

    `target` is a list as `Target.parse` reads it. With `stored`, borders that QUANTIZE and DEQUANTIZE make floats are
    integers. `state`, `control_flow` and `numerics` are as for `convert`, numerics "" those of the source. `ending` is
    of the file that it takes, `flags` are IREE's compiler's. What it `avoids` gives way to other forms where there are
    any; `refuses` are operators with the reason.
    """

    name: str
    about: str
    target: str
    stored: bool = False
    state: str = "variables"
    control_flow: str = "keep"
    numerics: str = ""
    ending: str = ".tosa"
    flags: tuple[str, ...] = ()
    avoids: frozenset[str] = frozenset()
    refuses: tuple[tuple[str, str], ...] = ()


INTEGERS = "pro-int,ext-int16,ext-int4,ext-doubleround"
FLOATS = "pro-fp,ext-bf16,ext-fft,ext-inexactround"
EVERYTHING = f"{INTEGERS},{FLOATS}"


def _npu(name: str, about: str, avoids: str = "") -> Preset:
    """For Vela, which takes integers alone and keeps no state."""
    return Preset(name, about, INTEGERS, True, "io", "flatten", "compact", avoids=frozenset(avoids.split()))


def _iree(name: str, about: str, backend: str, *flags: str) -> Preset:
    flags = (f"--iree-hal-target-backends={backend}", *flags)
    return Preset(name, about, f"{EVERYTHING},ext-controlflow,none", state="io", ending=".mlir", flags=flags)


VULKAN = "Vulkan devices with VK_ARM_data_graph"
ROWS = (
    _npu("ethos-u55", "Ethos-U55 by Vela", "GATHER"),
    _npu("ethos-u65", "Ethos-U65 by Vela", "GATHER"),
    _npu("ethos-u85", "Ethos-U85 by Vela"),
    Preset("vulkan-ml", VULKAN, f"{EVERYTHING},ext-fp8e4m3,ext-fp8e5m2", False, "io", "flatten", ending=".spv, .vgf"),
    _iree("iree-cpu", "this machine's processor by IREE", "llvm-cpu", "--iree-llvmcpu-target-cpu=host"),
    _iree("iree-vulkan", "Vulkan devices by IREE", "vulkan-spirv"),
    _iree("iree-cuda", "Nvidia's devices by IREE", "cuda"),
    _iree("iree-rocm", "AMD's devices by IREE", "rocm"),
    _iree("iree-metal", "Apple's devices by IREE", "metal-spirv"),
)
PRESETS = {preset.name: preset for preset in ROWS}
