"""The assembly listing of a SPIR-V module, in the form that spirv-as reads: `inspect --asm`."""

import math
import shlex
from collections.abc import Iterator

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UsageError
from tosa_converter.formats.spirv.globals import FLOATS, Scalar
from tosa_converter.formats.spirv.vgf import vgf_modules
from tosa_converter.formats.spirv.words import Decoded, instructions, module_words
from tosa_converter.formats.storage import Bytes, FilePath, map_file
from tosa_converter.formats.table import SPIRV_MAGICS, VGF_MAGIC
from tosa_converter.schemas import spirv
from tosa_converter.schemas.spirv import INSTRUCTIONS

_ENUMERANTS = {kind: {number: name for name, number in names.items()} for kind, names in spirv.ENUMERATIONS.items()}


def assembly(data: Bytes) -> Iterator[str]:
    """Yields the assembly listing of a SPIR-V module line by line, as spirv-as reads it.

    Ids are numbers, extended instructions have their names.

    Raises:
        FormatError: malformed words.
        UnsupportedError: an instruction that graph modules don't use.
    """
    words = module_words(data)
    version = int(words[1])
    yield "; SPIR-V"
    yield f"; Version: {version >> 16 & 0xFF}.{version >> 8 & 0xFF}"
    yield f"; Bound: {int(words[3])}"
    listing = _Listing()
    for instruction in instructions(words):
        yield listing.line(instruction)


def file_assembly(path: FilePath) -> Iterator[str]:
    """Yields the assembly listing of a `.spv` file, or of each module in a `.vgf` file.

    Raises:
        UsageError: it is neither.
        FormatError, UnsupportedError: as `assembly`, naming the file.
    """
    data = map_file(path)
    try:
        if bytes(data[:4]) == VGF_MAGIC:
            modules = vgf_modules(data)
            for name, words in modules:
                if len(modules) > 1:
                    yield f"; Segment: {name!r}"
                yield from assembly(words)
            return
        if bytes(data[:4]) not in SPIRV_MAGICS:
            raise UsageError(
                f"{path}: only SPIR-V has an assembly listing: expected a .spv or .vgf file",
                f"next: tflite-to-tosa {shlex.quote(str(path))} -o model.spv",
            )
        yield from assembly(data)
    except FormatError as wrong:
        wrong.file = wrong.file or str(path)
        raise


class _Listing:
    """The listing in progress: the instruction set's id, and the types of numbers, which later lines need."""

    def __init__(self) -> None:
        """Starts an assembly listing: no ids of types and of the TOSA instruction set are known yet."""
        self.tosa = 0
        self.signed: dict[int, bool] = {}
        self.floats: dict[int, DType] = {}

    def line(self, instruction: Decoded) -> str:
        """Returns one instruction in the syntax of spirv-as, such as `%3 = OpTypeInt 32 0`."""
        self._remember(instruction)
        left = f"%{instruction.result} = ".rjust(15) if instruction.result else " " * 15
        type = [f"%{instruction.type}"] if instruction.type else []
        return left + " ".join([instruction.row.name, *type, *self._operand_texts(instruction)])

    def _remember(self, instruction: Decoded) -> None:
        """Keeps what later lines need of an instruction: the instruction set's id, and types of numbers."""
        if instruction.row is spirv.EXT_INST_IMPORT and instruction.operands[0] == spirv.INSTRUCTION_SET:
            self.tosa = instruction.result
        elif instruction.row is spirv.TYPE_INT:
            self.signed[instruction.result] = instruction.operands[1] == 1
        elif instruction.row is spirv.TYPE_FLOAT and tuple(instruction.operands) in FLOATS:
            self.floats[instruction.result] = FLOATS[tuple(instruction.operands)]

    def _number_text(self, instruction: Decoded) -> str:
        """Returns the text of OpConstant's number, by its type: signed, unsigned, or a hexadecimal float."""
        bits = sum(int(word) << 32 * i for i, word in enumerate(instruction.operands))
        if instruction.type in self.floats:
            value = Scalar(self.floats[instruction.type], bits).value
            # 3.0 is 0x1.8000000000000p+1. Infinities and NaNs have no such form: their bits are stated, !0x7f800000.
            return float.hex(value) if math.isfinite(value) else f"!{bits:#x}"
        # Signed numbers of 8 and 16 bits are sign-extended to a word, so bit 31 is the sign: 0xffffffff is -1.
        width = 32 * len(instruction.operands)
        return str(bits - (1 << width) if self.signed.get(instruction.type) and bits >> width - 1 else bits)

    def _operand_texts(self, instruction: Decoded) -> list[str]:
        """Returns the texts of an instruction's operands, each by its kind in the table of instructions.

        The last kind stands for all further operands. A TOSA instruction of OpExtInst gets its name in place of its
        number.
        """
        if instruction.row is spirv.CONSTANT:
            return [self._number_text(instruction)]
        kinds = [kind for kind in instruction.row.operands if kind not in ("type", "result")]
        kinds += kinds[-1:] * (len(instruction.operands) - len(kinds))
        texts = [
            _operand_text(kind.rstrip("?*"), operand)
            for kind, operand in zip(kinds, instruction.operands, strict=False)
        ]
        if (
            instruction.row is spirv.EXT_INST
            and instruction.operands[0] == self.tosa
            and int(instruction.operands[1]) in INSTRUCTIONS
        ):
            texts[1] = INSTRUCTIONS[int(instruction.operands[1])].name
        return texts


def _operand_text(kind: str, operand: int | str) -> str:
    """Returns the text of one operand by its kind: a quoted string, an id, an enumerant or a number."""
    if isinstance(operand, str):
        escaped = operand.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if kind == "id":
        return f"%{operand}"
    return _ENUMERANTS.get(kind, {}).get(operand, str(operand))
