"""The extended instructions of a module as spirv-dis prints them, with every operand resolved."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from support.spirv_tools import disassemble


class Listed(NamedTuple):
    """One instruction: its name, the type of its result, its operands: constants in full, values by their producer."""

    name: str
    type: str
    operands: tuple[str, ...]


def listing(path: Path, constants: Mapping[int, bytes]) -> list[Listed]:
    """Returns every extended instruction of a module in order.

    Args:
        path: the module.
        constants: the elements of its graph constants by number.
    """
    resolver = _Resolver(constants)
    return [listed for line in disassemble(path).splitlines() if (listed := resolver.line(line)) is not None]


class _Resolver:
    def __init__(self, constants: Mapping[int, bytes]) -> None:
        self.constants = constants
        self.texts: dict[str, str] = {}
        self.parts: dict[str, list[str]] = {}  # the elements of a constant
        self.shapes: dict[str, list[str]] = {}  # shapes of tensor types
        self.count = 0

    def line(self, line: str) -> Listed | None:
        left, equals, right = line.partition(" = ")
        if not equals:
            return None
        name, *words = right.split()
        if name == "OpExtInst":
            return self._instruction(left, words)
        handler = HANDLERS.get(name)
        self.texts[left] = handler(self, left, words) if handler else f"{name} {' '.join(words)}"
        return None

    def _instruction(self, id: str, words: list[str]) -> Listed | None:
        type, _, name, *operands = words
        if name.isdigit():  # instructions of a set for debuggers
            return None
        self.texts[id] = f"value {self.count}"
        self.count += 1
        return Listed(name, self.texts[type], tuple(self.texts[operand] for operand in operands))

    def constant(self, id: str, words: list[str]) -> str:
        self.parts[id] = [" ".join(words[1:])]
        return f"{self.texts[words[0]]} {self.parts[id][0]}"

    def boolean(self, id: str, bit: str) -> str:
        self.parts[id] = [bit]
        return f"bool {bit}"

    def composite(self, id: str, words: list[str]) -> str:
        self.parts[id] = [part for word in words[1:] for part in self.parts[word]]
        return f"{self.texts[words[0]]} {self.parts[id]}"

    def replicated(self, id: str, words: list[str]) -> str:
        self.parts[id] = self.parts[words[1]] * int(self.shapes[words[0]][0])
        return f"{self.texts[words[0]]} {self.parts[id]}"

    def null(self, id: str, words: list[str]) -> str:
        sizes = self.shapes.get(words[0], [])
        self.parts[id] = ["0"] * math.prod(map(int, sizes))
        return f"{self.texts[words[0]]} {self.parts[id]}"

    def tensor(self, id: str, words: list[str]) -> str:
        self.shapes[id] = self.parts[words[2]]
        return f"tensor {self.texts[words[0]]} [{', '.join(self.shapes[id])}]"

    def array(self, _id: str, words: list[str]) -> str:
        return f"array {self.texts[words[0]]}"

    def struct(self, _id: str, words: list[str]) -> str:
        return "{" + ", ".join(self.texts[word] for word in words) + "}"

    def graph_constant(self, _id: str, words: list[str]) -> str:
        return f"{self.texts[words[0]]} {self.constants[int(words[1])].hex()}"

    def input(self, _id: str, words: list[str]) -> str:
        return f"input {self.parts[words[1]][0]}"

    def extract(self, _id: str, words: list[str]) -> str:
        return f"{self.texts[words[1]]} part {words[2]}"


HANDLERS: dict[str, Callable[[_Resolver, str, list[str]], str]] = {
    "OpTypeInt": lambda _r, _id, words: f"int{words[0]}",
    "OpTypeFloat": lambda _r, _id, words: "float" + "".join(words),
    "OpTypeBool": lambda _r, _id, _words: "bool",
    "OpTypeArray": _Resolver.array,
    "OpTypeTensorARM": _Resolver.tensor,
    "OpTypeStruct": _Resolver.struct,
    "OpConstant": _Resolver.constant,
    "OpConstantTrue": lambda r, id, _words: r.boolean(id, "1"),
    "OpConstantFalse": lambda r, id, _words: r.boolean(id, "0"),
    "OpConstantNull": _Resolver.null,
    "OpConstantComposite": _Resolver.composite,
    "OpConstantCompositeReplicateEXT": _Resolver.replicated,
    "OpGraphConstantARM": _Resolver.graph_constant,
    "OpGraphInputARM": _Resolver.input,
    "OpCompositeExtract": _Resolver.extract,
}
