"""The part of SPIR-V that graph modules use, as rows: instructions with their operands, enumerations, magic numbers.

The facts are those of the SPIR-V specification, of SPV_ARM_tensors and SPV_ARM_graph, and of the instruction set
TOSA.001000.1, whose instruction numbers the operators' rows have.
"""

from typing import NamedTuple

from tosa_converter.schemas.tosa_ops import OPERATORS, OpDef

MAGIC = 0x07230203
VERSION = 0x00010500  # 1.5, the first one with the Vulkan memory model in its core
HEADER_WORDS = 5  # magic number, version, generator, bound of the ids, schema
MAX_WORDS = 0xFFFF  # of one instruction

INSTRUCTION_SET = "TOSA.001000.1"
# By their numbers; data nodes, custom operators, control flow and variables have none.
INSTRUCTIONS: dict[int, OpDef] = {row.spirv: row for row in OPERATORS if row.spirv is not None}

# What names graphs, operators and tensors within a graph, where OpLine may not stand.
DEBUG_SET = "NonSemantic.Graph.DebugInfo.1"
DEBUG_EXTENSION = "SPV_KHR_non_semantic_info"
DEBUG_GRAPH, DEBUG_OPERATION, DEBUG_TENSOR = 1, 2, 3

ENUMERATIONS: dict[str, dict[str, int]] = {
    "Capability": {
        "Matrix": 0,
        "Shader": 1,
        "Float16": 9,
        "Float64": 10,
        "Int64": 11,
        "Int16": 22,
        "Int8": 39,
        "TensorsARM": 4174,
        "GraphARM": 4191,
        "Float8EXT": 4212,
        "BFloat16TypeKHR": 5116,
        "VulkanMemoryModel": 5345,
        "ReplicatedCompositesEXT": 6024,
    },
    "AddressingModel": {"Logical": 0},
    "MemoryModel": {"GLSL450": 1, "Vulkan": 3},
    "StorageClass": {"UniformConstant": 0},
    "Decoration": {"Binding": 33, "DescriptorSet": 34},
    "FPEncoding": {"BFloat16KHR": 0, "Float8E4M3EXT": 4214, "Float8E5M2EXT": 4215},
    "SourceLanguage": {"Unknown": 0},
}

# Every graph module declares these.
BASE_CAPABILITIES = ("Shader", "Matrix", "TensorsARM", "GraphARM", "VulkanMemoryModel")
BASE_EXTENSIONS = ("SPV_ARM_tensors", "SPV_ARM_graph")
CAPABILITY_EXTENSIONS = {
    "BFloat16TypeKHR": "SPV_KHR_bfloat16",
    "Float8EXT": "SPV_EXT_float8",
    "ReplicatedCompositesEXT": "SPV_EXT_replicated_composites",
}


class Instruction(NamedTuple):
    """One instruction of the core.

    `operands` lists the words behind the first: `type` and `result` are ids that say what the instruction makes, `id`
    is another id, `word` a literal number, `string` a literal text, anything else an enumeration. A `?` behind one
    means that it may be absent, a `*` any number of them. `constant` is a literal number of the result's own type.
    """

    name: str
    opcode: int
    operands: tuple[str, ...]


def _row(name: str, opcode: int, operands: str = "") -> Instruction:
    """Returns an instruction; `operands` are the kinds of its operands, such as `type result id? word*`."""
    return Instruction(name, opcode, tuple(operands.split()))


UNDEF = _row("OpUndef", 1, "type result")
SOURCE_CONTINUED = _row("OpSourceContinued", 2, "string")
SOURCE = _row("OpSource", 3, "SourceLanguage word id? string?")
SOURCE_EXTENSION = _row("OpSourceExtension", 4, "string")
NAME = _row("OpName", 5, "id string")
MEMBER_NAME = _row("OpMemberName", 6, "id word string")
STRING = _row("OpString", 7, "result string")
LINE = _row("OpLine", 8, "id word word")
EXTENSION = _row("OpExtension", 10, "string")
EXT_INST_IMPORT = _row("OpExtInstImport", 11, "result string")
EXT_INST = _row("OpExtInst", 12, "type result id word id*")
MEMORY_MODEL = _row("OpMemoryModel", 14, "AddressingModel MemoryModel")
CAPABILITY = _row("OpCapability", 17, "Capability")
TYPE_VOID = _row("OpTypeVoid", 19, "result")
TYPE_BOOL = _row("OpTypeBool", 20, "result")
TYPE_INT = _row("OpTypeInt", 21, "result word word")
TYPE_FLOAT = _row("OpTypeFloat", 22, "result word FPEncoding?")
TYPE_ARRAY = _row("OpTypeArray", 28, "result id id")
TYPE_STRUCT = _row("OpTypeStruct", 30, "result id*")
TYPE_POINTER = _row("OpTypePointer", 32, "result StorageClass id")
CONSTANT_TRUE = _row("OpConstantTrue", 41, "type result")
CONSTANT_FALSE = _row("OpConstantFalse", 42, "type result")
CONSTANT = _row("OpConstant", 43, "type result constant")
CONSTANT_COMPOSITE = _row("OpConstantComposite", 44, "type result id*")
CONSTANT_NULL = _row("OpConstantNull", 46, "type result")
VARIABLE = _row("OpVariable", 59, "type result StorageClass")
DECORATE = _row("OpDecorate", 71, "id Decoration word*")
COMPOSITE_EXTRACT = _row("OpCompositeExtract", 81, "type result id word*")
NO_LINE = _row("OpNoLine", 317)
MODULE_PROCESSED = _row("OpModuleProcessed", 330, "string")
TYPE_TENSOR = _row("OpTypeTensorARM", 4163, "result id id? id?")
GRAPH_CONSTANT = _row("OpGraphConstantARM", 4181, "type result word")
GRAPH_ENTRY_POINT = _row("OpGraphEntryPointARM", 4182, "id string id*")
GRAPH = _row("OpGraphARM", 4183, "type result")
GRAPH_INPUT = _row("OpGraphInputARM", 4184, "type result id id*")
GRAPH_SET_OUTPUT = _row("OpGraphSetOutputARM", 4185, "id id id*")
GRAPH_END = _row("OpGraphEndARM", 4186)
TYPE_GRAPH = _row("OpTypeGraphARM", 4190, "result word id*")
CONSTANT_COMPOSITE_REPLICATE = _row("OpConstantCompositeReplicateEXT", 4461, "type result id")

CORE: tuple[Instruction, ...] = tuple(row for row in tuple(globals().values()) if isinstance(row, Instruction))
BY_OPCODE: dict[int, Instruction] = {row.opcode: row for row in CORE}

# What describes a module and changes nothing of what it computes.
DEBUG = frozenset({SOURCE_CONTINUED, SOURCE, SOURCE_EXTENSION, MEMBER_NAME, LINE, NO_LINE, MODULE_PROCESSED})
