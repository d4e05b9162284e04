"""Values in single-assignment form and the operators that compute them, in order."""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Any, NamedTuple

from tosa_converter.display import Displayed, few, short_line
from tosa_converter.graph_text import text_of
from tosa_converter.ir.types import Array, Attribute, TensorType
from tosa_converter.schemas.opsets import (
    RAW_CONSTANT,
    SPARSE_CONSTANT,
    TFL_CONSTANT,
    VARIABLE,
    XNN_CONSTANT,
    base_name,
    opset_of,
)
from tosa_converter.schemas.tosa_ops import BY_OPCODE, CONST, CONST_SHAPE, OpDef

ELIDED = 16  # elements of a constant that are more are left out of text for people

CONSTANTS = frozenset({TFL_CONSTANT, XNN_CONSTANT, CONST.opcode, CONST_SHAPE.opcode})
DECLARATIONS = CONSTANTS | {RAW_CONSTANT, SPARSE_CONSTANT, VARIABLE}  # of tensors in a file: they compute nothing


class Form(Enum):
    """How a value of a conversion holds a source value's elements, if not as they are: in another type or shape.

    A member's text ends the value's name, for people; code reads `Value.origin`.
    """

    FLIPPED = "_int8"  # int8 for uint8: the top bit is flipped
    FLAT = "_flat"  # in another shape
    FP16 = "_fp16"
    BF16 = "_bf16"


_ENDINGS = tuple(form.value for form in Form)


class Origin(NamedTuple):
    """The name of the source value that a value of its conversion holds, and the other form in which it does."""

    name: str
    form: Form

    @classmethod
    def of(cls, name: str) -> "Origin | None":
        """Returns the origin that the ending of a name in a TOSA file tells; None for names without such an ending.

        "x_int8" is the source's value x in another form: uint8 with the top bit flipped.
        """
        if not name.endswith(_ENDINGS):
            return None
        return next(cls(name.removesuffix(form.value), form) for form in Form if name.endswith(form.value))


class Value:
    """One tensor: the result of an operator, or an input of a graph.

    `origin` tells which source value this one holds in another type or shape; None if it has that value's name.
    """

    __slots__ = ("name", "origin", "producer", "type")

    def __init__(self, type: TensorType, name: str = "", producer: "Op | None" = None) -> None:
        """Creates a value of a type; `producer` is the operator that computes it, None for an input of a graph."""
        self.type = type
        self.name = name
        self.producer = producer
        self.origin: Origin | None = None

    @property
    def constant(self) -> Array | None:
        """The elements, if a constant operator defines this value; otherwise None."""
        op = self.producer
        if op is None or op._name not in CONSTANTS:
            return None
        values: Array = op.attributes["values"]
        return values

    def __repr__(self) -> str:
        return f"%{self.name or '_'}: {self.type}"


class Op(Displayed):
    """One operator of a graph, created from the definition (OpDef) of a TOSA operator or from a name of any opset.

    `row` is that definition; None for operators of other opsets.
    """

    __slots__ = ("_name", "attributes", "inputs", "location", "regions", "results", "row")
    row: OpDef | Any  # whoever knows that an operator is TOSA's needn't ask for None

    def __init__(
        self,
        operator: str | OpDef,
        inputs: Sequence[Value | None],
        result_types: Sequence[TensorType],
        attributes: dict[str, Attribute] | None = None,
        *,
        regions: "Sequence[Graph]" = (),
        location: str = "",
        result_names: Sequence[str] = (),
    ) -> None:
        """Creates an operator and its result values; `result_names` are empty or have a name for each result."""
        if isinstance(operator, OpDef):
            self._name, self.row = operator.opcode, operator
        else:
            self._name, self.row = operator, BY_OPCODE.get(operator)
        self.inputs = tuple(inputs)
        self.attributes = attributes or {}
        self.regions = tuple(regions)
        self.location = location
        if result_names:
            self.results = tuple([Value(t, n, self) for t, n in zip(result_types, result_names, strict=True)])
        else:
            self.results = tuple([Value(type, "", self) for type in result_types])

    @property
    def name(self) -> str:
        """The full name, opset first: `tosa.add`.

        It stands for a definition, so setting the name also sets `row`, the definition of a TOSA operator.
        """
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        """The operator's name with its opset, such as `tosa.add`; setting it also sets `row`."""
        self._name, self.row = name, BY_OPCODE.get(name)

    @property
    def opset(self) -> str:
        """The opset that defines the operator: `tosa`, `tfl`, `xnn`, `aten` or `chain`."""
        return opset_of(self._name)

    @property
    def base_name(self) -> str:
        """The operator's name without its opset: `add` of `tosa.add`."""
        return base_name(self._name)

    @property
    def declares(self) -> bool:
        """Whether the operator declares a tensor of a file, such as a constant, and computes nothing."""
        return self._name in DECLARATIONS

    @property
    def result(self) -> Value:
        """The result of an operator that has exactly one."""
        (value,) = self.results
        return value

    @property
    def operands(self) -> tuple[Value, ...]:
        """The inputs without those that are absent (None)."""
        inputs = self.inputs
        return tuple([value for value in inputs if value is not None]) if None in inputs else inputs  # type: ignore[return-value]

    def attribute(self, name: str) -> Attribute:
        """Returns an attribute; if it is absent, the default that the operator's definition gives it, or None."""
        value = self.attributes.get(name)
        return self.row.defaults.get(name) if value is None and self.row is not None else value

    def __repr__(self) -> str:
        return short_line(f"{self.name}({few(self.inputs)}) -> {few(self.results)}")


class Graph(Displayed):
    """Operators in order, each after those whose results it reads, with inputs and outputs.

    `verified` is what the verifier saw last; it belongs to rules/gate.py.
    """

    __slots__ = ("inputs", "name", "ops", "outputs", "verified")

    def __init__(
        self, name: str, inputs: Iterable[Value] = (), outputs: Iterable[Value] = (), ops: Iterable[Op] = ()
    ) -> None:
        """Creates a graph; the lists of inputs, outputs and operators are copied, and may be changed afterwards."""
        self.name = name
        self.inputs = list(inputs)
        self.outputs = list(outputs)
        self.ops = list(ops)
        self.verified: Any = None  # set by rules/gate.py

    def __len__(self) -> int:
        """Number of operators, without those in regions."""
        return len(self.ops)

    def __iter__(self) -> Iterator[Op]:
        """Iterates over the operators in order, without those in regions."""
        return iter(self.ops)

    def __getitem__(self, name: str) -> Value:
        """Returns the value with this name: an input, or else the first result.

        Raises:
            KeyError: there is none.
        """
        for value in (*self.inputs, *(value for op in self.ops for value in op.results)):
            if value.name == name:
                return value
        raise KeyError(name)

    def __repr__(self) -> str:
        return short_line(
            f"<Graph {self.name!r}, {len(self)} operators: ({few(self.inputs)}) -> ({few(self.outputs)})>"
        )

    def __str__(self) -> str:
        """MLIR text without the elements of large constants."""
        return text_of(self)

    def uses(self) -> dict[Value, list[Op]]:
        """Returns, for each value that is read, its readers in order; one that reads it twice is there twice."""
        users: dict[Value, list[Op]] = {}
        for op in self.ops:
            for value in op.operands:
                users.setdefault(value, []).append(op)
        return users

    def walk(self) -> Iterator[Op]:
        """Yields every operator; those of its regions (branches, bodies) come right after it."""
        for op in self.ops:
            yield op
            for region in op.regions:
                yield from region.walk()

    def walk_graphs(self) -> Iterator["Graph"]:
        """Yields this graph, then the graphs of its operators' regions (branches, bodies) at every depth."""
        yield self
        for op in self.ops:
            for region in op.regions:
                yield from region.walk_graphs()


def name_with_location(name: str, location: str) -> str:
    """Returns an operator's name for messages, with its location if that is known."""
    return f"{name} at {location}" if location else name


def unique_names(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """Returns the names in order; `_` and the position are appended to one that is taken or repeats an earlier one."""
    seen = set(taken)
    unique: list[str] = []
    for i, name in enumerate(names):
        # "a", "a" and "a_1" become "a", "a_1" and "a_1_2". A name grows each turn, so the loop ends.
        while name in seen:
            name = f"{name}_{i}"
        seen.add(name)
        unique.append(name)
    return unique
