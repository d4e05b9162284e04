"""Types in MLIR text: tensors, shapes, element types, and aliases for them."""

import re
from typing import NamedTuple

from tosa_converter.dtypes import DType
from tosa_converter.formats.later import refused_type
from tosa_converter.formats.mlir.lexer import Lexer
from tosa_converter.formats.mlir.writer import element_type
from tosa_converter.formats.ranks import UNRANKED
from tosa_converter.ir import TensorType, plain_type
from tosa_converter.schemas.tosa_target import LEVEL_NONE

MAX_RANK = LEVEL_NONE.MAX_RANK
ELEMENT_TYPES = {element_type(dtype): dtype for dtype in DType}  # `index` is that of shapes

# 18 digits are below 10**18 < 2**60, so a size fits int64; an element type has no digit at its begin.
_TENSOR = re.compile(r"tensor<((?:\*x)|(?:(?:\d{1,18}|\?)x)*+)(.+)>")
_SHAPE = re.compile(r"!tosa\.shape<(\d{1,9})>")
_QUANTIZED = re.compile(r"!quant\.(?:uniform|any)<([iu]+\d+)\b.*>")  # i8, u8 or ui8


class FunctionType(NamedTuple):
    """The type of a function or operator."""

    inputs: list[TensorType]
    outputs: list[TensorType]


def matches_text(type: TensorType, stated: TensorType) -> bool:
    """Returns whether a value's type is the one that MLIR text states, which may leave out its rank."""
    return type is stated or type == stated or (stated.shape == UNRANKED and type.dtype is stated.dtype)


class Types:
    """Reads types, and caches them by their spelling."""

    def __init__(self, lexer: Lexer) -> None:
        """Prepares to read the types of an MLIR text, which may define aliases besides the element types known here."""
        self.lexer = lexer
        self.known: dict[str, TensorType | DType] = dict(ELEMENT_TYPES)
        self.quantized = ""  # where quantization parameters were passed over

    def alias(self) -> None:
        """Reads the definition of a type alias, `!name = type`, and keeps it."""
        name = self.lexer.take_kind("type", "the name of a type")
        self.lexer.expect("=")
        self.known[name] = self.any()

    def any(self) -> TensorType | DType:
        """Reads the type that is next in MLIR text: of a tensor, a shape or an element."""
        lexer = self.lexer
        type = self.known.get(lexer.token)
        if type is None:
            if lexer.kind not in ("tensor", "type", "word"):
                raise lexer.error("a type")
            type = self.known[lexer.token] = self._parse_type(lexer.token)
        lexer.advance()
        return type

    def tensor(self) -> TensorType:
        """Reads the type of a tensor, or of a shape, which is spelled `!tosa.shape<n>`."""
        lexer, at = self.lexer, self.lexer.at
        type = self.elements()
        if type.dtype is DType.SHAPE and lexer.text.startswith("tensor", at):
            raise lexer.error("!tosa.shape<...> for a shape", at)
        return type

    def elements(self) -> TensorType:
        """Reads the type of a constant's elements; those of a shape are `tensor<...xindex>`."""
        at = self.lexer.at
        type = self.any()
        if isinstance(type, DType):
            raise self.lexer.error("the type of a tensor", at)
        return type

    def results(self) -> list[TensorType]:
        """Reads the types of an operator's results, `-> type`, `-> (types)` or nothing."""
        if not self.lexer.take("->"):
            return []
        return self.lexer.read_list(")", self.tensor) if self.lexer.take("(") else [self.tensor()]

    def signature(self) -> FunctionType:
        """Reads the type of an operator: `(operand types) -> result types`."""
        self.lexer.expect("(")
        inputs = self.lexer.read_list(")", self.tensor)
        if self.lexer.token != "->":
            raise self.lexer.error("'->'")
        return FunctionType(inputs, self.results())

    def _parse_type(self, token: str) -> TensorType | DType:
        """Parses the spelling of a type that isn't in the cache: `tensor<...>` or `!tosa.shape<n>`."""
        tensor, shape = _TENSOR.fullmatch("".join(token.split())), _SHAPE.fullmatch(token)
        if shape:
            return plain_type(DType.SHAPE, (int(shape[1]),))
        if token == "tensor":
            raise self.lexer.error("the type of a tensor with '<' and '>' in one line")
        if tensor is None:
            raise self.lexer.unsupported(refused_type(token), self.lexer.at)
        if tensor[1] == "*x":
            return plain_type(self._parse_element(tensor[2]), UNRANKED)
        # tensor<2x?xf32> has "2x?x" in front of its element type: 2, ? and an empty text, which is dropped.
        sizes = tensor[1].split("x")[:-1]
        if len(sizes) > MAX_RANK:
            raise self.lexer.error(f"at most {MAX_RANK} dimensions", actual=str(len(sizes)))
        return plain_type(self._parse_element(tensor[2]), tuple(None if size == "?" else int(size) for size in sizes))

    def _parse_element(self, text: str) -> DType:
        """Returns an element type by its spelling; for `!quant.uniform<...>` the type that it stores.

        The parameters of a quantization are dropped. `quantized` keeps the place of the first one, for a note in the
        report.
        """
        quantized = _QUANTIZED.fullmatch(text)
        if quantized:
            self.quantized = self.quantized or self.lexer.place(self.lexer.at)
            text = quantized[1].replace("ui", "u").replace("u", "ui")
        dtype = self.known.get(text)
        if isinstance(dtype, DType):
            return dtype
        raise self.lexer.unsupported(refused_type(text), self.lexer.at)
