"""Facts of Vulkan that files and engines for graph modules need."""

from typing import NamedTuple


class Format(NamedTuple):
    """A VkFormat of one component."""

    name: str
    number: int


# By element type as the specification of TOSA spells it.
FORMATS: dict[str, Format] = {
    "bool": Format("VK_FORMAT_R8_BOOL_ARM", 1000460000),
    "i8": Format("VK_FORMAT_R8_SINT", 14),
    "i16": Format("VK_FORMAT_R16_SINT", 75),
    "i32": Format("VK_FORMAT_R32_SINT", 99),
    "i48": Format("VK_FORMAT_R64_SINT", 111),
    "fp16": Format("VK_FORMAT_R16_SFLOAT", 76),
    "fp32": Format("VK_FORMAT_R32_SFLOAT", 100),
    "bf16": Format("VK_FORMAT_R16_SFLOAT_FPENCODING_BFLOAT16_ARM", 1000460001),
    "fp8e4m3": Format("VK_FORMAT_R8_SFLOAT_FPENCODING_FLOAT8E4M3_ARM", 1000460002),
    "fp8e5m2": Format("VK_FORMAT_R8_SFLOAT_FPENCODING_FLOAT8E5M2_ARM", 1000460003),
}
DESCRIPTOR_TYPE_TENSOR = 1000460000  # VK_DESCRIPTOR_TYPE_TENSOR_ARM
HEADER_VERSION = 309  # of the first Vulkan headers with all of the above
