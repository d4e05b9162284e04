"""Operations of MLIR bytecode as a tree of regions, whatever their dialect; values are numbers."""

from typing import NamedTuple

from tosa_converter.formats.mlir.bytecode.cursor import Cursor
from tosa_converter.formats.mlir.bytecode.tables import OpName, Tables, read_section
from tosa_converter.formats.mlir.lexer import MAX_NESTING
from tosa_converter.schemas.mlir_bytecode import Has, Section, Version


class Argument(NamedTuple):
    """An argument of a block: the places where the numbers of its type and of its location stand; None without one."""

    type_at: int
    type: int
    location: int | None


class Operation(NamedTuple):
    """An operation: its parts are numbers of attributes, types and values.

    `results` are the numbers of types with where they stand, `first_result` is the number of the first result and
    `operands` those of values with where they stand. `attributes` and `properties` are None without any.
    """

    name: OpName
    at: int
    location: int
    attributes: int | None
    properties: int | None
    first_result: int
    results: list[tuple[int, int]]
    operands: list[tuple[int, int]]
    regions: "list[Block]"


class Block(NamedTuple):
    """The one block of a region; `first_value` is the number of its first argument."""

    arguments: list[Argument]
    first_value: int
    operations: list[Operation]
    at: int


class _Scope:
    """The numbers of values in a region that sees none around it: each region within continues behind the others."""

    def __init__(self) -> None:
        """Prepares to number values from 0 on."""
        self.bound = 0  # behind all numbers of the regions that are being read
        self.next = 0  # number of the next value


class Operations:
    """Reads the section of operations."""

    def __init__(self, tables: Tables) -> None:
        """Prepares to read the operations of a file by its tables."""
        self.tables = tables
        self.source = tables.source
        self.version = tables.version
        self._depth = 0

    def read(self) -> list[Operation]:
        """Reads all operations of the file: one module, as MLIR's own tools write it."""
        cursor = self.tables.ir()
        count, _ = cursor.number_and_flag()
        scope = _Scope()
        operations = [self._read_operation(cursor, scope) for _ in range(count)]
        cursor.require_end("the operations")
        return operations

    def _read_operation(self, cursor: Cursor, scope: _Scope) -> Operation:
        """Reads an operation and its regions."""
        tables, at = self.tables, cursor.at
        name = tables.op_names[cursor.index(len(tables.op_names), "operators' names")]
        mask = cursor.byte()
        if mask & ~_KNOWN:
            raise cursor.source.wrong(cursor.at - 1, f"a mask of at most {_KNOWN:02x}")
        location = cursor.index(len(tables.attributes), "attributes")
        attributes = cursor.index(len(tables.attributes), "attributes") if mask & Has.ATTRIBUTES else None
        properties = cursor.varint() if mask & Has.PROPERTIES else None
        results = self._read_numbers(cursor, "results") if mask & Has.RESULTS else []
        first_result = scope.next
        scope.next += len(results)
        operands = self._read_numbers(cursor, "operands") if mask & Has.OPERANDS else []
        if mask & Has.SUCCESSORS:
            raise self.source.unsupported(f"{name.name} has successors, and TOSA's regions are one block", at)
        if mask & Has.USE_LISTS:
            self._skip_use_lists(cursor, len(results))
        regions = self._read_regions(cursor, scope) if mask & Has.REGIONS else []
        return Operation(name, at, location, attributes, properties, first_result, results, operands, regions)

    def _read_numbers(self, cursor: Cursor, subject: str) -> list[tuple[int, int]]:
        """Reads how many numbers follow, and returns each behind the place where it stands."""
        numbers = []
        for _ in range(cursor.count(subject)):
            at = cursor.at
            numbers.append((at, cursor.varint()))
        return numbers

    def _skip_use_lists(self, cursor: Cursor, values: int) -> None:
        """Advances past the order of the uses of an operation's results, or of a block's arguments.

        MLIR's tools keep it to print and traverse in the order of before; a graph doesn't have it.
        """
        for _ in range(1 if values == 1 else cursor.count("orders")):
            if values != 1:
                cursor.varint()
            at = cursor.at
            count, _ = cursor.number_and_flag()
            if count > cursor.end - cursor.at:
                raise cursor.source.wrong(at, f"at most {cursor.end - cursor.at} uses", str(count))
            for _ in range(count):
                cursor.varint()

    # ** regions **

    def _read_regions(self, cursor: Cursor, scope: _Scope) -> list[Block]:
        """Reads the regions of an operation; those that see no values around them number theirs from 0 on."""
        at = cursor.at
        count, isolated = cursor.number_and_flag()
        if count > cursor.end - cursor.at:
            raise cursor.source.wrong(at, f"at most {cursor.end - cursor.at} regions", str(count))
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise self.source.unsupported(f"regions nest deeper than {MAX_NESTING}", at)
        if isolated and self.version >= Version.LAZY_REGIONS:
            kind, cursor = read_section(cursor)
            if kind != Section.IR:
                raise cursor.source.wrong(at, f"a section of kind {int(Section.IR)}", f"kind {kind}")
        regions = [self._read_region(cursor, _Scope() if isolated else scope) for _ in range(count)]
        if isolated and self.version >= Version.LAZY_REGIONS:
            cursor.require_end("the regions")
        self._depth -= 1
        return regions

    def _read_region(self, cursor: Cursor, scope: _Scope) -> Block:
        """Reads a region: how many blocks and values it has, and its one block; an empty one has no operations."""
        at = cursor.at
        blocks = cursor.varint()
        if not blocks:
            return Block([], 0, [], at)
        if blocks > 1:
            raise self.source.unsupported(f"a region of {blocks} blocks; those of TOSA's operators are one block", at)
        values = cursor.varint()
        # A region of 5 values numbers them 0 to 4. One within it begins at 5, wherever it stands, and so does the next
        # one, as they can't see each other's values.
        outer_next, scope.next = scope.next, scope.bound
        scope.bound += values
        block = self._read_block(cursor, scope)
        if scope.next != scope.bound:
            raise cursor.source.wrong(at, f"{scope.next - (scope.bound - values)} values in a region", str(values))
        scope.bound -= values
        scope.next = outer_next
        return block

    def _read_block(self, cursor: Cursor, scope: _Scope) -> Block:
        """Reads a block: its arguments and operations."""
        at = cursor.at
        count, has_arguments = cursor.number_and_flag()
        first_value = scope.next
        arguments = self._read_arguments(cursor) if has_arguments else []
        scope.next += len(arguments)
        if count > cursor.end - cursor.at:
            raise cursor.source.wrong(at, f"at most {cursor.end - cursor.at} operations", str(count))
        operations = [self._read_operation(cursor, scope) for _ in range(count)]
        return Block(arguments, first_value, operations, at)

    def _read_arguments(self, cursor: Cursor) -> list[Argument]:
        """Reads the arguments of a block, and passes over the order of their uses."""
        arguments = []
        for _ in range(cursor.count("arguments")):
            at = cursor.at
            type, located = (
                cursor.number_and_flag() if self.version >= Version.SHORT_ARGUMENTS else (cursor.varint(), True)
            )
            location = cursor.index(len(self.tables.attributes), "attributes") if located else None
            arguments.append(Argument(at, type, location))
        if self.version >= Version.USE_LISTS and cursor.byte() & Has.USE_LISTS:
            self._skip_use_lists(cursor, len(arguments))
        return arguments


_KNOWN = 0x7F  # all bits of a mask that the format has
