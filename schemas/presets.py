"""Targets by name: what runs a conversion, and what that means for its profiles, borders, forms and numerics."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

NARROW_WEIGHTS = frozenset({"i4", "packed"})


class Preset(NamedTuple):
    """A target by name, with the options that suit it; what the user states takes precedence.

    Attributes:
        tool: what compiles or runs the file.
        about: the line of the targets' list.
        target: profiles, extensions and level, as `Target.parse` reads them.
        stored: whether inputs and outputs are integers where QUANTIZE or DEQUANTIZE makes them floats in the source.
        state, control_flow, weights: as for `convert`.
        numerics: as for `convert`, "" for those of the source.
        ending: of the file that the tool takes.
        flags: of IREE's compiler.
        avoids: operators and forms that give way to others where there are any.
        refuses: operators and forms that the tool doesn't take, with the reason.
        joins: operators that the tool fuses with the RESCALEs in front, so that these are not shared with others.
        products: whether windows become slices and convolutions matrix products where that is faster.
        narrow_weights: forms of stored weights of 4 and 2 bits: "i4", and "packed" in bytes that operators unpack.
    """

    name: str
    tool: str
    about: str
    target: str
    stored: bool = False
    state: str = "variables"
    control_flow: str = "keep"
    numerics: str = ""
    ending: str = ".tosa"
    flags: tuple[str, ...] = ()
    avoids: frozenset[str] = frozenset()
    refuses: Mapping[str, str] = MappingProxyType({})
    joins: frozenset[str] = frozenset()
    products: bool = False
    weights: str = "expanded"
    narrow_weights: frozenset[str] = NARROW_WEIGHTS


INTEGERS = "pro-int,ext-int16,ext-int4,ext-doubleround"
FLOATS = "pro-fp,ext-bf16,ext-fft"
VULKANS = f"{INTEGERS},{FLOATS},ext-inexactround,ext-fp8e4m3,ext-fp8e5m2"
COMPILED = f"{INTEGERS},{FLOATS},ext-controlflow,ext-inexactround,none"  # as longer.iree finds IREE 3.13


# As Vela 5.2 takes graphs of one operator; some sizes of ARGMAX, CONV3D, RESIZE, TRANSPOSE_CONV2D it refuses besides.
LACKS = {
    "the NPU has no look-ups by index": "GATHER SCATTER",
    "the NPU has no booleans": "EQUAL GREATER GREATER_EQUAL LOGICAL_AND LOGICAL_NOT LOGICAL_OR LOGICAL_XOR "
    "REDUCE_ALL REDUCE_ANY SELECT",
    "the NPU has no such unit": "BITWISE_AND BITWISE_NOT BITWISE_OR BITWISE_XOR INTDIV LOGICAL_RIGHT_SHIFT",
}
SMALL = MappingProxyType({name: why for why, names in LACKS.items() for name in names.split()})


def _npu(name: str, about: str, refuses: Mapping[str, str], *avoids: str) -> Preset:
    """Returns the preset of an Ethos-U NPU for Vela, which takes integers only and keeps no state.

    `refuses` has the reason why Vela refuses an operator, by name; `avoids` names further operators that are replaced
    by other forms if there are any.
    """
    return Preset(
        name,
        "vela",
        about,
        INTEGERS,
        stored=True,
        state="io",
        control_flow="flatten",
        numerics="compact",
        avoids=frozenset((*refuses, *avoids)),
        refuses=refuses,
        joins=frozenset({"ADD", "SUB"}),
        # Vela 5.2 compiles weights of i4 and of i8 to the same bytes. It would unpack bytes at run time, and Ethos-U55
        # can't.
        weights="stored",
        narrow_weights=frozenset({"i4"}),
    )


# SPIR-V has no i4, and the MLIR for IREE widens it to i8: IREE has it as weights of no TOSA operator.
PACKED = frozenset({"packed"})


def _iree(name: str, about: str, backend: str, *flags: str) -> Preset:
    """Returns the preset of an IREE backend; `flags` are further flags of IREE's compiler."""
    flags = (f"--iree-hal-target-backends={backend}", *flags)
    preset = Preset(name, "iree", about, COMPILED, state="io", ending=".vmfb, .mlir", flags=flags)
    return preset._replace(narrow_weights=PACKED)


TILED = "--iree-opt-data-tiling"  # matrices in tiles as the processor's instructions take them
# LLVM's vectors for what IREE leaves scalar.
VECTORS = (
    "--iree-llvmcpu-loop-vectorization",
    "--iree-llvmcpu-loop-unrolling",
    "--iree-llvmcpu-loop-interleaving",
    "--iree-llvmcpu-slp-vectorization",
)
VULKAN = "Vulkan devices with VK_ARM_data_graph"
ROWS = (
    _npu("ethos-u55", "Arm's NPU Ethos-U55", SMALL, "RESIZE", "TRANSPOSE_CONV2D"),
    _npu("ethos-u65", "Arm's NPU Ethos-U65", SMALL, "RESIZE", "TRANSPOSE_CONV2D"),
    _npu("ethos-u85", "Arm's NPU Ethos-U85", {}, "GATHER", "TRANSPOSE_CONV2D"),
    Preset("vulkan-ml", "vulkan", VULKAN, VULKANS, False, "io", "flatten", ending=".spv, .vgf", narrow_weights=PACKED),
    _iree(
        "iree-cpu", "this machine's processor", "llvm-cpu", "--iree-llvmcpu-target-cpu=host", TILED, *VECTORS
    )._replace(products=True),
    _iree("iree-vulkan", "Vulkan devices", "vulkan-spirv"),
    _iree("iree-cuda", "Nvidia's devices", "cuda"),
    _iree("iree-rocm", "AMD's devices", "rocm"),
    _iree("iree-metal", "Apple's devices", "metal-spirv"),
)
PRESETS = {preset.name: preset for preset in ROWS}


def named(text: str) -> Preset | None:
    """Returns the preset with this name in any case, or None."""
    return PRESETS.get(text.strip().lower())
