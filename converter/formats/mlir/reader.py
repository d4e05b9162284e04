"""The MLIR reader: a module of the TOSA dialect, in the generic form or in that which `tosa-opt` prints."""

from collections.abc import Callable

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError
from tosa_converter.formats.later import refused_operator
from tosa_converter.formats.mlir.attributes import Attribute, Attributes
from tosa_converter.formats.mlir.lexer import Lexer
from tosa_converter.formats.mlir.locations import Location, Locations
from tosa_converter.formats.mlir.operators import Module, type_list
from tosa_converter.formats.mlir.properties import elements_type
from tosa_converter.formats.mlir.regions import RETURNS, Argument, Regions
from tosa_converter.formats.mlir.types import FunctionType, Types, matches_text
from tosa_converter.formats.storage import Bytes
from tosa_converter.ir import Model, Op, TensorType, Value
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import BY_OPCODE


def read_mlir(data: Bytes, *, file: str = "") -> Model:
    """Decodes a module of the TOSA dialect; each of its functions becomes a graph, `main` the first one.

    Inputs and outputs are called as `tosa.tensor_name` says, else as in the text and `output_0`, `output_1`. An output
    that is listed twice, or that is an input of another name, gets an IDENTITY. Every graph declares the variables that
    it uses. `!quant.uniform` counts as the type that it stores, which the model's notes say.

    Raises:
        FormatError: malformed text, with line and column.
        UnsupportedError: operators, types or nesting beyond TOSA 1.1 and this reader.
    """
    try:
        return _Reader(Lexer(str(data, "latin-1"))).model(file)
    except FormatError as error:
        error.file = file
        raise


class _Reader:
    """Reads one MLIR text."""

    def __init__(self, lexer: Lexer) -> None:
        """Prepares the reader of a module in MLIR text, with empty tables for what the text will define."""
        self.lexer = lexer
        self.types = Types(lexer)
        self.locations = Locations(lexer)
        self.attributes = Attributes(lexer, self.types, self.locations)
        self.module = Module(lexer)
        self.regions = Regions(self.attributes, self.module)
        self.notes: list[tuple[str, str]] = []  # places and texts
        self.resources: dict[str, tuple[int, int]] = {}  # where their strings begin and end

    def model(self, file: str) -> Model:
        """Reads the whole MLIR text, and returns its functions as the graphs of a model.

        What may be defined behind its use is set once all is read: elements, locations, names of outputs, variables.
        """
        while self.lexer.kind != "end":
            self._read_item()
        if not self.module.graphs:
            raise self.lexer.error("a function with a body")
        self.module.properties.resolve(self.resources, self.attributes.dense)
        for owner, location in self.regions.located:
            self._set_location(owner, location)
        model = self.module.model(file, self.types.quantized)
        model.notes[:0] = self.notes
        return model

    def _set_location(self, owner: Op | Value, location: Location) -> None:
        """Sets the location of an operator, and names its results as the location says."""
        if isinstance(owner, Op):
            owner.location = self.locations.text(location)
        values = owner.results if isinstance(owner, Op) else (owner,)
        for value, name in zip(values, self.locations.resolve_alias(location).names, strict=False):
            value.name = value.name or name

    # ** the module **

    def _read_item(self) -> None:
        """Reads one item of MLIR text or of a module: an alias, function, variable, module or section."""
        lexer = self.lexer
        if lexer.kind == "attribute":
            self.attributes.alias()
        elif lexer.kind == "type":
            self.types.alias()
        elif lexer.token in _ITEMS:
            at, read = lexer.at, _ITEMS[lexer.token]
            lexer.advance()
            read(self, at)
        else:
            name = lexer.token.strip('"')
            if lexer.kind in ("word", "string") and "." in name and name not in BY_OPCODE:
                raise lexer.unsupported(refused_operator(name), lexer.at)
            raise lexer.error("a module, a function, a variable or an alias")

    def _read_items(self) -> None:
        """Reads the items of a module up to its closing bracket."""
        self.lexer.enter()
        while not self.lexer.take("}"):
            self._read_item()
        self.lexer.leave()

    def _read_module(self, _at: int) -> None:
        """Reads the rest of a module behind its keyword: `@name attributes {...} {items}`."""
        lexer = self.lexer
        if lexer.kind == "symbol":
            lexer.advance()
        if lexer.take("attributes"):
            self.attributes.read_if_next()
        lexer.expect("{")
        self._read_items()
        self.locations.read_if_next()

    def _read_generic_module(self, _at: int) -> None:
        """Reads a module behind its name in the generic form: `() <{...}> ({items}) {...} : () -> ()`."""
        lexer = self.lexer
        self._read_generic_begin()
        lexer.expect("(")
        lexer.expect("{")
        if lexer.kind == "block":
            lexer.advance()
            lexer.expect(":")
        self._read_items()
        lexer.expect(")")
        self._read_generic_end()

    def _read_generic_begin(self) -> dict[str, Attribute]:
        """Reads `() <{...}>`, which begins an operator without operands in the generic form; returns the properties."""
        self.lexer.expect("(")
        self.lexer.expect(")")
        return self.attributes.properties()

    def _read_generic_end(self) -> dict[str, Attribute]:
        """Reads `{...} : () -> ()`, which ends an operator in the generic form; returns the attributes."""
        attributes = self.attributes.read_if_next()
        self.lexer.expect(":")
        self.types.signature()
        self.locations.read_if_next()
        return attributes

    # ** resources **

    def _read_sections(self, _at: int) -> None:
        """Reads the sections at the end, such as `{-# dialect_resources: {builtin: {key: "0x..."}} #-}`.

        Only the strings' positions are kept; those that a constant refers to are decoded after all text is read.
        """
        self.lexer.read_list("#-}", self._read_section)

    def _read_section(self) -> None:
        """Reads a section at the end of MLIR text: keeps dialect resources (constants), and skips any other."""
        if self._read_key() == "dialect_resources":
            self.lexer.expect("{")
            self.lexer.read_list("}", self._read_dialect)
        else:
            self.lexer.skip_group()

    def _read_dialect(self) -> None:
        """Reads the resources of one dialect, `builtin: {key: "0x...", ...}`; skips those of others."""
        if self._read_key() != "builtin":
            self.lexer.skip_group()
            return
        self.lexer.expect("{")
        self.lexer.read_list("}", self._read_resource)

    def _read_resource(self) -> None:
        """Reads `key: "0x..."`, and records where the string of that resource begins and ends."""
        at, key, lexer = self.lexer.at, self._read_key(), self.lexer
        if key in self.resources:
            raise lexer.error("a resource of another key", at, f"{key!r} twice")
        self.resources[key] = lexer.at, lexer.end
        lexer.take_kind("string", "a string of hexadecimal digits")

    def _read_key(self) -> str:
        """Reads a key and the colon behind it in a section of resources, and returns the key."""
        key = self.lexer.name() if self.lexer.kind == "string" else self.lexer.take_kind("word", "a key")
        self.lexer.expect(":")
        return key

    # ** variables **

    def _read_variable(self, at: int) -> None:
        """Reads a variable, `tosa.variable @name = dense<...> : type` or `@name : type`, and adds it to the module."""
        lexer = self.lexer
        name, initial = lexer.symbol(), None
        if lexer.take("="):
            initial = self.attributes.any()
            type = elements_type(initial)
            if type is None:
                raise lexer.error("elements", initial.at)
        else:
            lexer.expect(":")
            type = self.types.tensor()
        variable = {"name": name, "var_shape": type.shape, "type": type.dtype}
        if initial is not None:
            attr = ops.VARIABLE.attributes[-1]
            variable[attr.name] = self.module.properties.elements(ops.VARIABLE, attr, initial, variable)
        self.attributes.read_if_next()
        self.locations.read_if_next()
        self.module.add_variable(variable, at)

    def _read_generic_variable(self, at: int) -> None:
        """Reads `"tosa.variable"() <{...}> : () -> ()`, a variable in the generic form, and adds it to the module's."""
        attributes = self._read_generic_begin()
        attributes |= self._read_generic_end()
        self.module.add_variable(self.module.properties.read_attributes(ops.VARIABLE, attributes, None, at), at)

    # ** functions **

    def _read_function(self, at: int) -> None:
        """Reads a function into a graph: `func.func @name(%arg0: type {...}) -> (type {...}) attributes {} {...}`.

        A function without a body is a declaration, and is skipped.
        """
        lexer = self.lexer
        if lexer.token in ("private", "public", "nested"):
            lexer.advance()
        name = lexer.symbol("the name of a function")
        lexer.expect("(")
        arguments = [item for item in lexer.read_list(")", self._read_parameter) if item is not None]
        results = self._read_results()
        attributes = self.attributes.read_if_next() if lexer.take("attributes") else {}
        if lexer.token == "{":
            self.module.keep_border_record(name, attributes)
            graph = self.regions.region(RETURNS, arguments, [type for type, _ in results])
            inputs = [self.module.tensor_name(argument.attributes) for argument in arguments]
            self.module.add_graph(
                graph,
                name,
                at,
                inputs,
                [self.module.tensor_name(result_attributes) for _, result_attributes in results],
            )
        self.locations.read_if_next()

    def _read_parameter(self) -> Argument | None:
        """Reads an argument of a function; one that is no tensor, `%arg0: index`, gives None and a note on its place.

        No operator of TOSA reads such an argument.
        """
        lexer = self.lexer
        type = Lexer(lexer.text, lexer.at)
        if type.kind == "value":
            type.advance()
            type.take(":")
        if not isinstance(self.types.known.get(type.token), DType):
            return self.regions.argument()
        text = f"argument {lexer.token} is left out: expected a tensor, found {type.token}"
        self.notes.append((lexer.place(lexer.at), text))
        while lexer.at <= type.at:
            lexer.advance()
        self.attributes.read_if_next()
        self.locations.read_if_next()
        return None

    def _read_results(self) -> list[tuple[TensorType, dict[str, Attribute]]]:
        """Reads the results of a function, `-> type`, `-> (type {attributes}, ...)` or nothing."""
        if not self.lexer.take("->"):
            return []
        return self.lexer.read_list(")", self._read_result) if self.lexer.take("(") else [(self.types.tensor(), {})]

    def _read_result(self) -> tuple[TensorType, dict[str, Attribute]]:
        """Reads the type of a function's result, and its attributes."""
        return self.types.tensor(), self.attributes.read_if_next()

    def _read_generic_function(self, at: int) -> None:
        """Reads `"func.func"() <{sym_name = ..., function_type = ...}> ({...}) {...} : () -> ()` into a graph.

        A function with an empty region is only declared, and is skipped.
        """
        lexer = self.lexer
        attributes = self._read_generic_begin()
        name, type = attributes.get("sym_name"), attributes.get("function_type")
        if (
            name is None
            or not isinstance(name.value, bytes)
            or type is None
            or not isinstance(type.value, FunctionType)
        ):
            raise lexer.error("a function with sym_name and function_type", at)
        lexer.expect("(")
        if Lexer(lexer.text, lexer.end).token == "}":
            lexer.skip_group()  # it is only declared
        else:
            graph = self.regions.region(RETURNS, [], type.value.outputs)
            types = [value.type for value in graph.inputs]
            if len(types) != len(type.value.inputs) or not all(map(matches_text, types, type.value.inputs)):
                raise lexer.error(f"arguments {type_list(type.value.inputs)}", type.at, type_list(types))
            names = [self.module.tensor_names(attributes.get(key)) for key in ("arg_attrs", "res_attrs")]
            self.module.add_graph(graph, lexer.decode_utf8(name.value, name.at), at, *names)
        lexer.expect(")")
        self.module.keep_border_record(lexer.decode_utf8(name.value, name.at), self._read_generic_end())


_ITEMS: dict[str, Callable[[_Reader, int], None]] = {
    "module": _Reader._read_module,
    '"builtin.module"': _Reader._read_generic_module,
    "func.func": _Reader._read_function,
    '"func.func"': _Reader._read_generic_function,
    "tosa.variable": _Reader._read_variable,
    '"tosa.variable"': _Reader._read_generic_variable,
    "{-#": _Reader._read_sections,
}
