"""MLIR text: TOSA graphs in the generic form that `tosa-opt` parses, and graphs of other opsets for people to read.

TOSA attributes are printed by the kind that the operator's row gives them.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.formats.borders import encode_borders
from tosa_converter.formats.elements import round_element
from tosa_converter.formats.mlir.resources import RAW, Resources
from tosa_converter.formats.tosa.writer import VARIABLES, variable_declaration
from tosa_converter.ir import ELIDED, Array, Graph, Model, Op, TensorType, Value, unique_names
from tosa_converter.rules.types import ACCUMULATORS
from tosa_converter.schemas.enumeration import IntEnum
from tosa_converter.schemas.tosa_ops import CONST_SHAPE, TRANSPOSE, VARIABLE, Attr, Kind

_TYPES = {
    DType.BOOL: "i1",
    DType.UI4: "ui4",
    DType.FP16: "f16",
    DType.BF16: "bf16",
    DType.FP32: "f32",
    DType.FP64: "f64",
    DType.FP8E4M3: "f8E4M3FN",
    DType.FP8E5M2: "f8E5M2",
    DType.COMPLEX64: "complex<f32>",
    DType.COMPLEX128: "complex<f64>",
    DType.SHAPE: "index",
    DType.STRING: "!tf_type.string",
    DType.RESOURCE: "!tf_type.resource",
    DType.VARIANT: "!tf_type.variant",
}
BORDERS = "tosa_converter.borders"  # the attribute of a function that says what its source's borders are
MARK = "\0"  # no line has it, because names are quoted
PIECE = 1 << 20  # bytes of a constant that are turned into digits at once
LEFT_OUT = "__elided__"  # the resource of a constant whose elements are left out, also of other tools


def readable_text(graph: Graph | Model) -> str:
    """Returns the text of a graph or model without the elements of large constants."""
    return write_mlir(Model({graph.name: graph}) if isinstance(graph, Graph) else graph, elide=ELIDED)


def write_mlir(
    model: Model,
    *,
    elide: int | None = None,
    called: bool = False,
    names: bool = False,
    dialect: "type[Function] | None" = None,
) -> str:
    """Returns a model as MLIR text, a module with one function per graph.

    Args:
        model: any stage.
        elide: leave out the elements of constants with more than this many.
        called: name inputs and outputs as signatures do, and give functions the record of the source's types.
        names: keep the names of all values, in locations: MLIR itself has them for inputs and outputs only.
        dialect: the class that prints functions as a compiler takes them; plain TOSA if None.
    """
    return "\n".join([*_module_lines(model, _Form(elide, called, names, dialect=dialect or Function)), ""])


def stream_mlir(model: Model, *, names: bool = False, dialect: "type[Function] | None" = None) -> Iterator[bytes]:
    """Yields the text of `write_mlir`, with callers' names, in pieces of UTF-8.

    The digits of a large constant are made piece by piece: 1 GB of weights has 2 GB of digits.
    """
    large: list[Array] = []
    text: list[str] = []
    for line in _module_lines(
        model, _Form(elide=None, called=True, names=names, dialect=dialect or Function, large=large)
    ):
        # Split at the MARKs, a line is text, an index into `large`, text, and so on.
        before, *rest = f"{line}\n".split(MARK)
        text.append(before)
        for number, after in zip(rest[::2], rest[1::2], strict=True):
            yield "".join(text).encode()
            yield from _hexadecimal(large[int(number)])
            text = [after]
    yield "".join(text).encode()


class _Form(NamedTuple):
    """How a model is printed: the options of `write_mlir`, and where constants to be streamed are collected."""

    elide: int | None
    called: bool
    names: bool
    dialect: "type[Function]"
    large: list[Array] | None = None


def _module_lines(model: Model, form: _Form) -> Iterator[str]:
    """Yields the lines of a module as MLIR text.

    If `form.large` is a list, large constants are appended to it. In place of its digits, the line has its index in
    that list between two MARKs, for the caller to replace.
    """
    yield "module {"
    variables = variable_symbols(model)
    for symbol, op in variables.values():
        yield f"  {_variable_line(symbol, op, form.elide)}"
    symbols = {name: symbol for name, (symbol, _) in variables.items()}
    resources = Resources(model) if form.elide is None else None
    for graph in model.graphs.values():
        by_caller = model.caller_names(graph) if form.called else {}
        function = form.dialect(form.elide, symbols, by_caller, form.names)
        function.large, function.resources = form.large, resources
        yield from function.lines(graph, encode_borders(model, graph, by_caller) if form.called else "")
    yield "}"
    if resources is not None:
        yield from resources.section(lambda values: _digits(values, form.large))


def _hexadecimal(values: Array) -> Iterator[bytes]:
    """Yields the bytes of an array as hexadecimal digits, piece by piece."""
    content = values.reshape(-1).view(np.uint8)
    for start in range(0, content.size, PIECE):
        yield content[start : start + PIECE].tobytes().hex().upper().encode()


def variable_symbols(model: Model) -> dict[str, tuple[str, Op]]:
    """Returns by a variable's name its unique symbol in the module, and the operator that declares or first uses it."""
    declarations: dict[str, Op] = {}
    ops = [op for graph in model.graphs.values() for op in graph.walk() if op.row in VARIABLES]
    for op in sorted(ops, key=lambda op: op.row is not VARIABLE):
        declarations.setdefault(str(op.attributes.get("name")), op)
    symbols = unique_names(declarations, (graph.name for graph in model.graphs.values()))
    return dict(zip(declarations, zip(symbols, declarations.values(), strict=True), strict=True))


def _variable_line(symbol: str, op: Op, elide: int | None) -> str:
    """Returns the line that declares a variable in the module; `elide` leaves out larger initial values."""
    type, initial = variable_declaration(op)
    dense = Function(elide, {}, {}).constant_text
    attributes = {"sym_name": _quote(symbol), "type": element_type(type.dtype)}
    attributes["var_shape"] = dense(np.array(type.static, np.int64), TensorType(DType.SHAPE, (type.rank,)))
    if initial is not None:
        attributes["initial_value"] = dense(initial, type)
    return f'"{VARIABLE.opcode}"() <{{{", ".join(f"{k} = {v}" for k, v in attributes.items())}}}> : () -> ()'


def element_type(dtype: DType) -> str:
    """Returns MLIR's spelling of an element type, such as f32 or i8."""
    return _TYPES.get(dtype, dtype.value)


class Function:
    """Prints one function of a module; values are numbered in order."""

    def __init__(
        self, elide: int | None, symbols: Mapping[str, str], called: Mapping[Value, str], named: bool = False
    ) -> None:
        """Prepares to print a graph as an MLIR function.

        Constants of more than `elide` elements are printed without them, unless it is None. `symbols` are the module's
        names of variables, `called` the callers' names of inputs and outputs. `named` keeps the names of all values in
        locations.
        """
        self.elide = elide
        self.large: list[Array] | None = None  # gets large constants, whose digits the caller writes
        self.resources: Resources | None = None  # constants whose digits stand behind the module
        self.symbols = symbols  # of variables
        self.called = called  # inputs and outputs
        self.named = named
        self.names: dict[Value, str] = {}
        self.count = 0  # of names

    def element(self, dtype: DType) -> str:
        """Returns MLIR's spelling of an element type; a dialect may override it."""
        return element_type(dtype)

    def type(self, type: TensorType) -> str:
        """Returns the text of a tensor's type in MLIR, with its quantization if it has one, or of a shape's.

        Scales that are computed at run time can't be written, so such a quantization is `!quant.any`.
        """
        if type.dtype is DType.SHAPE:
            return f"!tosa.shape<{type.shape[0]}>"
        dims = "".join("?x" if size is None else f"{size}x" for size in type.shape)
        element = self.element(type.dtype)
        if type.quant is not None:
            quant = type.quant
            if quant.rows:
                return f"tensor<{dims}!quant.any<{element}:f32>>"
            pairs = [f"{s!r}:{z}" for s, z in zip(quant.scale, quant.zero_point, strict=True)]
            params = pairs[0] if quant.per_tensor else "{" + ", ".join(pairs) + "}"
            axis = "" if quant.axis is None else f":{quant.axis}"
            if quant.block:
                # Groups of 32 in weights [4, 64] are written :{0:1, 1:32}, one scale for 1 x 32 elements.
                axis = f":{{{quant.axis}:1, {type.rank - 1}:{quant.block}}}"
            element = f"!quant.uniform<{element}:f32{axis}, {params}>"
        return f"tensor<{dims}{element}>"

    def lines(self, graph: Graph, borders: str = "") -> Iterator[str]:
        """Yields the lines of a function; `borders`, the record of the source's types, becomes its attribute."""
        arguments = ", ".join(
            f"{self.name(v, f'%arg{i}')}: {self.type(v.type)} {{tosa.tensor_name = {self.label(v)}}}"
            for i, v in enumerate(graph.inputs)
        )
        results = ", ".join(f"{self.type(v.type)} {{tosa.tensor_name = {self.label(v)}}}" for v in graph.outputs)
        attributes = f" attributes {{{BORDERS} = {_quote_record(borders)}}}" if borders else ""
        yield f"  func.func @{_quote(graph.name)}({arguments}) -> ({results}){attributes} {{"
        yield from self.body(graph, "    ")
        types = ", ".join(self.type(v.type) for v in graph.outputs)
        yield f"    return {self.operand_names(graph.outputs)} : {types}" if graph.outputs else "    return"
        yield "  }"

    def body(self, graph: Graph, indent: str) -> Iterator[str]:
        """Yields the lines of a graph's operators; declarations of variables stand in the module instead."""
        for op in graph.ops:
            if op.row is not VARIABLE:  # the module has it
                yield from self.op(op, indent)

    def name(self, value: Value, preferred_name: str = "") -> str:
        """Returns a value's name in the text, such as %0.

        A value without one gets `preferred_name`, or else a new number.
        """
        name = self.names.get(value)
        if name is None:
            name = self.names[value] = preferred_name or self.new_name()
            self.count += bool(preferred_name)  # it takes a number all the same
        return name

    def new_name(self) -> str:
        """Returns a name that no value in the function has yet, such as %3."""
        self.count += 1
        return f"%{self.count - 1}"

    def label(self, value: Value) -> str:
        """Returns the quoted name by which callers know an input or output: the signature's, or the value's own."""
        return _quote(self.called.get(value, value.name))

    def operand_names(self, values: Sequence[Value | None]) -> str:
        """Returns the operands' names with commas between them; `%none` stands for an absent operand."""
        return ", ".join("%none" if value is None else self.name(value) for value in values)

    def op(self, op: Op, indent: str) -> Iterator[str]:
        """Yields the lines of an operator in MLIR's generic form, with its regions."""
        results = ", ".join(self.name(value) for value in op.results)
        attributes = ", ".join(f"{key} = {text}" for key, text in self.attributes(op))
        ins = ", ".join("none" if v is None else self.type(v.type) for v in op.inputs)
        outs = ", ".join(self.type(v.type) for v in op.results)
        head = f"{indent}{results + ' = ' if results else ''}{_quote(op.name)}({self.operand_names(op.inputs)})"
        properties = f" <{{{attributes}}}>" if attributes else ""
        tail = f" : ({ins}) -> {outs if len(op.results) == 1 else f'({outs})'} loc({self.location(op)})"
        if not op.regions:
            yield head + properties + tail
            return
        yield head + properties + " ({"
        for i, region in enumerate(op.regions):
            if i:
                yield f"{indent}}}, {{"
            yield from self.region(region, indent + "  ")
        yield f"{indent}}})" + tail

    def location(self, op: Op) -> str:
        """Returns the text of an operator's location, with the names of its results if they are kept."""
        return self.location_with_names(
            [self.called.get(value, value.name) for value in op.results], _quote(op.location)
        )

    def location_with_names(self, names: Sequence[str], place: str) -> str:
        """Returns the location text `place`, fused with the names of values if the printer keeps names."""
        if not self.named or not any(names):
            return place
        return f"fused<[{', '.join(map(_quote, names))}]>[{place}]"

    def region(self, graph: Graph, indent: str) -> Iterator[str]:
        """Yields the lines of a region of COND_IF or WHILE_LOOP: a block with arguments, ended by `tosa.yield`."""
        places = [f" loc({self.location_with_names([v.name], 'unknown')})" if self.named else "" for v in graph.inputs]
        arguments = ", ".join(
            f"{self.name(v)}: {self.type(v.type)}{place}" for v, place in zip(graph.inputs, places, strict=True)
        )
        label = graph.name if self.named and graph.name.isidentifier() else "bb0"
        yield f"{indent}^{label}({arguments}):"
        yield from self.body(graph, indent + "  ")
        types = ", ".join(self.type(v.type) for v in graph.outputs)
        yield f'{indent}  "tosa.yield"({self.operand_names(graph.outputs)}) : ({types}) -> ()'

    def attributes(self, op: Op) -> Iterator[tuple[str, str]]:
        """Yields (name, text) of each attribute of an operator; a variable's name becomes its symbol in the module."""
        row = op.row
        if row is None:
            for key, value in op.attributes.items():
                yield key, self.other_attribute(value, op)
            return
        for attr in row.attributes:
            value = op.attributes.get(attr.name)
            if row in VARIABLES:  # VARIABLE_READ or VARIABLE_WRITE, which have no attribute but the name
                yield attr.name, _quote(self.symbols[str(value)])
            elif value is not None:
                yield attr.name, self.tosa_attribute(attr, value, op)

    def tosa_attribute(self, attr: Attr, value: Any, op: Op) -> str:
        """Returns the value of a TOSA attribute as MLIR text; its form depends on the attribute's kind."""
        if attr.kind is Kind.BOOL:
            return "true" if value else "false"
        if attr.kind is Kind.ENUMERANT:
            return element_type(ACCUMULATORS[value]) if attr.of == "acc_type" else f"#tosa.{attr.of}<{value}>"
        if isinstance(value, np.ndarray):
            type = TensorType(DType.SHAPE, value.shape) if op.row is CONST_SHAPE else None
            return self.constant_text(value, type or constant_type(op, value))
        if attr.is_list:
            width = "i32" if op.row is TRANSPOSE else "i64"  # as the dialect declares its lists
            return f"array<{width}: {', '.join(map(str, value))}>"
        if attr.kind is Kind.ELEMENT:
            return _number_text(value, op.operands[0].type.dtype)
        if attr.kind in (Kind.STR, Kind.BYTES):
            return _quote(value)
        return f"{value} : i32"

    def other_attribute(self, value: Any, op: Op) -> str:
        """Returns the text of an attribute of an operator that isn't TOSA's, by the type of its value."""
        if isinstance(value, Enum | IntEnum):
            return _quote(value.name)
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int):
            return f"{value} : i64"
        if isinstance(value, float):
            return _number_text(value, DType.FP32)
        if isinstance(value, tuple) and any(isinstance(part, tuple | float) for part in value):
            return f"[{', '.join(self.other_attribute(part, op) for part in value)}]"
        if isinstance(value, tuple):
            return f"array<i64: {', '.join(map(str, value))}>"
        if isinstance(value, np.ndarray):
            return self.constant_text(value, constant_type(op, value))
        return _quote(value if isinstance(value, bytes) else str(value))

    def constant_text(self, values: Array, type: TensorType) -> str:
        """Returns the text of a constant's elements: hexadecimal bytes where MLIR takes them, else one by one.

        A `dense_resource` replaces the elements of a constant that has more than `elide` of them, or that shares them
        with others: those stand behind the module.
        """
        dims = "".join(f"{size}x" for size in values.shape)
        tensor = f"tensor<{dims}{self.element(type.dtype)}>"
        if self.elide is not None and values.size > self.elide:
            return f"dense_resource<{LEFT_OUT}> : {tensor}"
        key = self.resources.key(values) if self.resources else ""
        if key:
            return f"dense_resource<{key}> : {tensor}"
        if values.size == 0:
            return f"dense<> : {tensor}"
        if type.dtype in RAW:
            return f'dense<"0x{_digits(np.ascontiguousarray(values), self.large)}"> : {tensor}'
        texts = ["true" if v else "false" for v in values.flat] if values.dtype == bool else map(str, values.flat)
        return f"dense<{_nested_list(list(texts), values.shape)}> : {tensor}"


def _digits(values: Array, large: list[Array] | None) -> str:
    """Returns the bytes of an array as hexadecimal digits.

    A large array is appended to `large` instead, if that is a list: then the text is its index between MARKs, in place
    of which `stream_mlir` writes the digits piece by piece.
    """
    if large is None or values.nbytes <= PIECE:
        return values.tobytes().hex().upper()
    large.append(values)
    return f"{MARK}{len(large) - 1}{MARK}"


def constant_type(op: Op, values: Array) -> TensorType:
    """Returns the type in which a constant's elements are written.

    It is the result's, or i8 if the array has another shape than that (raw bytes), or fp32 for an operator without a
    result.
    """
    type = op.results[0].type if op.results else TensorType(DType.FP32, values.shape)
    return type if type.shape == values.shape else TensorType(DType.I8, values.shape)


def _nested_list(texts: list[str], shape: tuple[int, ...]) -> str:
    """Returns the texts of elements as nested lists of a shape, such as `[[1, 2], [3, 4]]`."""
    if not shape:
        return texts[0]
    # 6 texts of shape 2x3: texts 0 to 2 are the first row and 3 to 5 the second, as step is 3.
    step = len(texts) // shape[0]
    return "[" + ", ".join(_nested_list(texts[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])) + "]"


def _number_text(value: float, dtype: DType) -> str:
    """Returns the text of a number and its type; a float is written by its bits in hexadecimal, which is exact."""
    if not dtype.is_float:
        return f"{value} : {element_type(dtype)}"
    # 1.0 of fp32 is 00 00 80 3f in memory, and written from the highest byte on: 0x3F800000.
    bits = round_element(value, dtype).tobytes()[::-1].hex().upper()
    return f"0x{bits} : {element_type(dtype)}"


def _quote(text: str | bytes) -> str:
    """Returns a text in quotes, with bytes that aren't printable ASCII escaped."""
    raw = text if isinstance(text, bytes) else text.encode()
    plain = all(b" "[0] <= byte <= b"~"[0] and byte not in b'"\\' for byte in raw)
    return '"' + (raw.decode() if plain else "".join(f"\\{byte:02X}" for byte in raw)) + '"'


def _quote_record(text: str) -> str:
    """Returns a border record, as `encode_borders` returns it, as a string in MLIR text.

    A record is printable ASCII, so only backslashes and quotes are escaped.
    """
    return '"' + text.replace("\\", "\\5C").replace('"', "\\22") + '"'
