"""Regions and operators in MLIR text.

What an operator has comes from its row: the generic form is the same for all of them, and of the pretty form, which
`tosa-opt` prints, only the operators of `_PRETTY` have one of their own.
"""

from collections.abc import Callable
from typing import NamedTuple

from tosa_converter.formats.later import refused_operator
from tosa_converter.formats.mlir.attributes import Attribute, Attributes
from tosa_converter.formats.mlir.locations import Location
from tosa_converter.formats.mlir.operators import Module, type_list
from tosa_converter.formats.mlir.scopes import Scope, pass_captures
from tosa_converter.formats.mlir.types import FunctionType, matches_text
from tosa_converter.formats.ranks import UNRANKED
from tosa_converter.ir import Graph, Op, TensorType, Value
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import BY_OPCODE, OpDef

RETURNS = ("return", "func.return")
_YIELD = ("tosa.yield",)


class Operand(NamedTuple):
    """The use of a value, and where."""

    name: str
    at: int


class Argument(NamedTuple):
    """An argument of a function or region; one that is only declared has no name."""

    name: str
    type: TensorType
    at: int
    attributes: dict[str, Attribute]
    location: Location | None = None


class _Parts(NamedTuple):
    """The parts of an operator's text, whether it is in the generic or in its own form."""

    operands: list[Operand]
    attributes: dict[str, Attribute]
    regions: list[Graph]
    type: FunctionType


class Regions:
    """Reads regions into graphs; locations are resolved at the end of the text."""

    def __init__(self, attributes: Attributes, module: Module) -> None:
        """Prepares to read regions and operators of MLIR text, which share the attributes' reader and its lexer."""
        self.module = module
        self.lexer = attributes.lexer
        self.types = attributes.types
        self.locations = attributes.locations
        self.attributes = attributes
        self.located: list[tuple[Op | Value, Location]] = []
        self.scope: Scope | None = None  # of the region that is being read
        self.captures: dict[Graph, dict[Value, Value]] = {}  # by region, until its operator is built

    def region(
        self, ends: tuple[str, ...], arguments: list[Argument], results: list[TensorType] | None = None
    ) -> Graph:
        """Reads `{^bb0(%arg: type): operators}` into a graph; a block without a list of its own has `arguments`.

        The last operator is a terminator, such as `return`: its name is one of `ends`, and its operands are the graph's
        outputs, which must have the types `results` if these are stated. The label names the graph, unless it is the
        `^bb0` that other tools write.
        """
        lexer = self.lexer
        lexer.enter()
        lexer.expect("{")
        name = ""
        if lexer.kind == "block":
            name = lexer.take_kind("block", "a label")[1:]
            arguments = lexer.read_list(")", self.argument) if lexer.take("(") else []
            lexer.expect(":")
        outer = self.scope if ends is _YIELD else None
        self.scope = scope = Scope(Graph("" if name == "bb0" else name), outer)
        for argument in arguments:
            self._add_input(scope, argument, named=ends == RETURNS)
        while lexer.token.strip('"') not in ends:
            self._read_operator(scope)
        self._read_return(scope, results)
        for argument, value in zip(arguments, scope.graph.inputs, strict=False):
            if value.type.shape == UNRANKED:
                raise lexer.unsupported(f"no operator tells the rank of argument {argument.name}", argument.at)
        lexer.expect("}")
        lexer.leave()
        self._leave_scope(scope)
        return scope.graph

    def _leave_scope(self, scope: Scope) -> None:
        """Ends a region, and keeps what it captured for the operator that has it."""
        self.scope = scope.outer
        if scope.captured:
            self.captures[scope.graph] = scope.captured
        for constant, clone in scope.constants:
            self.module.properties.await_same(constant.attributes, clone.attributes)

    def argument(self) -> Argument:
        """Reads an argument, `%arg: type {attributes}`; one of a function without a body has no name."""
        lexer, at = self.lexer, self.lexer.at
        name = ""
        if lexer.kind == "value":
            name = self._read_operand().name
            lexer.expect(":")
        type = self.types.tensor()
        return Argument(name, type, at, self.attributes.read_if_next(), self.locations.read_if_next())

    def _add_input(self, scope: Scope, argument: Argument, *, named: bool) -> None:
        """Adds an argument as an input of the region's graph.

        `named` takes over the name in the text, as for functions; else the location may name it, once locations are
        resolved.
        """
        value = Value(argument.type, argument.name[1:] if named else "")
        scope.graph.inputs.append(value)
        self._bind(scope, argument.name, (value,), argument.at)
        if argument.location is not None and not named:
            self.located.append((value, argument.location))

    def _read_yield_region(self, arguments: list[Argument] | None = None) -> Graph:
        """Reads a region of COND_IF or WHILE_LOOP, which ends with `tosa.yield`, into a graph."""
        return self.region(_YIELD, arguments or [])

    # ** values **

    def _bind(self, scope: Scope, name: str, values: tuple[Value, ...], at: int) -> None:
        """Binds a name in the text to an operator's results; raises FormatError if the region has that name already."""
        if not name or name in scope.values:
            raise self.lexer.error("a value of another name", at)
        scope.values[name] = values

    def _find_value(self, scope: Scope, operand: Operand) -> Value:
        """Returns the value that an operand such as `%0` or `%0#1` names in its region.

        Raises FormatError for a name that isn't defined before, and for `%0` of several results.
        """
        name, _, index = operand.name.partition("#")
        values = scope.find(name)
        number = int(index or 0)
        if number >= len(values) or (not index and len(values) > 1):
            raise self.lexer.error("a value that is made before it is used", operand.at)
        return values[number]

    def _read_operand(self) -> Operand:
        """Reads the name of an operand, `%name`, and keeps its position."""
        at = self.lexer.at
        return Operand(self.lexer.take_kind("value", "a value"), at)

    def _read_operands(self) -> list[Operand]:
        """Reads the names of operands, `%0, %1`, if there are any."""
        lexer = self.lexer
        operands = [self._read_operand()] if lexer.kind == "value" else []
        while operands and lexer.take(","):
            operands.append(self._read_operand())
        return operands

    def _typed_values(self, scope: Scope, operands: list[Operand], types: list[TensorType], at: int) -> list[Value]:
        """Returns the values of operands; raises FormatError unless they have the types that the text states."""
        if len(operands) != len(types):
            raise self.lexer.error(f"types of {len(operands)} operands", at, str(len(types)))
        values = [self._find_value(scope, operand) for operand in operands]
        for value, type, operand in zip(values, types, operands, strict=True):
            if not matches_text(value.type, type):
                actual = f"{operand.name} of {value.type}"
                raise self.lexer.error(f"{type}, as the types behind it say", operand.at, actual)
        return values

    def _read_return(self, scope: Scope, results: list[TensorType] | None) -> None:
        """Reads the terminator of a region, `return %0 : type` or in the generic form, and sets the graph's outputs.

        Raises FormatError unless they have the types `results`; None is for any types.
        """
        lexer, at = self.lexer, self.lexer.at
        types: list[TensorType] = []
        if lexer.kind == "string":
            lexer.advance()
            lexer.expect("(")
            operands = lexer.read_list(")", self._read_operand)
            lexer.expect(":")
            types = self.types.signature().inputs
        else:
            lexer.advance()
            operands = self._read_operands()
            while len(types) < len(operands):
                lexer.expect("," if types else ":")
                types.append(self.types.tensor())
        scope.graph.outputs = self._typed_values(scope, operands, types, at)
        if results is not None and types != results:
            raise lexer.error(f"results {type_list(results)}", at, type_list(types))
        self.locations.read_if_next()

    # ** operators **

    def _read_operator(self, scope: Scope) -> None:
        """Reads `%0 = operator ...` in either form, with its location, and adds it to the region's graph."""
        lexer = self.lexer
        names = self._read_result_names() if lexer.kind == "value" else []
        at, generic = lexer.at, lexer.kind == "string"
        name = lexer.name() if generic else lexer.take_kind("word", "an operator or a terminator")
        row = BY_OPCODE.get(name)
        if row is None:
            raise lexer.unsupported(refused_operator(name), at)
        if row is ops.VARIABLE:
            raise lexer.error(f"{name} in the module", at, "it in a function")
        parts = self._read_generic_form() if generic else _PRETTY.get(row, Regions._read_plain_form)(self, at)
        values = self._typed_values(scope, parts.operands, parts.type.inputs, at)
        op = self.module.build_operator(row, values, parts.attributes, parts.regions, parts.type.outputs, at)
        pass_captures(op, [self.captures.pop(region, {}) for region in parts.regions])
        if names:
            self._name_results(scope, names, op.results[: len(parts.type.outputs)], row, at)
        scope.graph.ops.append(op)
        location = self.locations.read_if_next()
        if location is not None:
            self.located.append((op, location))

    def _read_result_names(self) -> list[tuple[Operand, int]]:
        """Reads `%0, %1:2 =`; returns each name with the number of results that it stands for."""
        results: list[tuple[Operand, int]] = []
        while not results or self.lexer.take(","):
            name = self._read_operand()
            results.append((name, self.attributes.integer() if self.lexer.take(":") else 1))
        self.lexer.expect("=")
        return results

    def _name_results(
        self, scope: Scope, names: list[tuple[Operand, int]], results: tuple[Value, ...], row: OpDef, at: int
    ) -> None:
        """Binds names to an operator's results, in order; each name stands for as many results as its count."""
        # `%0:2, %1 =` has the counts 2 and 1: %0 stands for results 0 and 1, %1 for result 2.
        counts = [count for _, count in names]
        if sum(counts) != len(results) or min(counts) < 1:
            raise self.lexer.error(f"{sum(counts)} results", at, f"{row.opcode} with {len(results)}")
        begin = 0
        for name, count in names:
            self._bind(scope, name.name, results[begin : begin + count], name.at)
            begin += count

    def _read_generic_form(self) -> _Parts:
        """Reads an operator behind its name in the generic form, `(%0) <{...}> ({...}) {...} : (types) -> types`."""
        lexer = self.lexer
        lexer.expect("(")
        operands = lexer.read_list(")", self._read_operand)
        attributes = self.attributes.properties()
        regions = lexer.read_list(")", self._read_yield_region) if lexer.take("(") else []
        attributes |= self.attributes.read_if_next()
        lexer.expect(":")
        return _Parts(operands, attributes, regions, self.types.signature())

    def _read_plain_form(self, _at: int) -> _Parts:
        """Reads an operator without a form of its own behind its name: `%0, %1 {attributes} : (types) -> types`."""
        operands, attributes = self._read_operands(), self.attributes.read_if_next()
        self.lexer.expect(":")
        return _Parts(operands, attributes, [], self.types.signature())

    def _read_variable_read(self, _at: int) -> _Parts:
        """Reads VARIABLE_READ behind its name: `@name : type`."""
        attributes = self._read_variable_name() | self.attributes.read_if_next()
        self.lexer.expect(":")
        return _Parts([], attributes, [], FunctionType([], [self.types.tensor()]))

    def _read_variable_write(self, _at: int) -> _Parts:
        """Reads VARIABLE_WRITE behind its name: `@name, %0 : type`."""
        attributes = self._read_variable_name()
        self.lexer.expect(",")
        operand = self._read_operand()
        attributes |= self.attributes.read_if_next()
        self.lexer.expect(":")
        return _Parts([operand], attributes, [], FunctionType([self.types.tensor()], []))

    def _read_variable_name(self) -> dict[str, Attribute]:
        """Reads the symbol `@name` of a variable.

        Returns it as the attribute that VARIABLE_READ and VARIABLE_WRITE have.
        """
        return {ops.VARIABLE_READ.attributes[0].name: Attribute(self.attributes.symbol(), self.lexer.at)}

    def _read_cond_if(self, at: int) -> _Parts:
        """Reads COND_IF behind its name: `%0 (%arg0 = %1) : type (types) -> types {...} else {...}`."""
        lexer = self.lexer
        condition = self._read_operand()
        names, values = self._read_assignments()
        lexer.expect(":")
        type = self.types.tensor()
        inputs, outputs = self.types.signature() if lexer.token == "(" else FunctionType([], self.types.results())
        arguments = self._make_arguments(names, inputs, at)
        then = self._read_yield_region(arguments)
        lexer.expect("else")
        regions = [then, self._read_yield_region(arguments)]
        return _Parts(
            [condition, *values], self.attributes.read_if_next(), regions, FunctionType([type, *inputs], outputs)
        )

    def _read_while_loop(self, at: int) -> _Parts:
        """Reads WHILE_LOOP behind its name: `(%arg0 = %0) : (types) -> types {...} do {...} attributes {...}`."""
        lexer = self.lexer
        names, values = self._read_assignments()
        lexer.expect(":")
        type = self.types.signature()
        arguments = self._make_arguments(names, type.inputs, at)
        condition = self._read_yield_region(arguments)
        lexer.expect("do")
        regions = [condition, self._read_yield_region(arguments)]
        lexer.take("attributes")
        return _Parts(values, self.attributes.read_if_next(), regions, type)

    def _read_assignments(self) -> tuple[list[Operand], list[Operand]]:
        """Reads `(%name = %value, ...)`, if it is next; returns the region's argument names, and the operands."""
        pairs = self.lexer.read_list(")", self._read_assignment) if self.lexer.take("(") else []
        return [name for name, _ in pairs], [value for _, value in pairs]

    def _read_assignment(self) -> tuple[Operand, Operand]:
        """Reads `%name = %value`: an argument of a region, and the operand that it stands for."""
        name = self._read_operand()
        self.lexer.expect("=")
        return name, self._read_operand()

    def _make_arguments(self, names: list[Operand], types: list[TensorType], at: int) -> list[Argument]:
        """Returns the arguments of a region from their names and types, which must be equally many."""
        if len(names) != len(types):
            raise self.lexer.error(f"types of {len(names)} operands", at, str(len(types)))
        return [Argument(name.name, type, name.at, {}) for name, type in zip(names, types, strict=True)]


_PRETTY: dict[OpDef, Callable[[Regions, int], _Parts]] = {
    ops.VARIABLE_READ: Regions._read_variable_read,
    ops.VARIABLE_WRITE: Regions._read_variable_write,
    ops.COND_IF: Regions._read_cond_if,
    ops.WHILE_LOOP: Regions._read_while_loop,
}
