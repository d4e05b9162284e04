"""What a shape rule stands on: the operands of one operator, and the conditions that it finds violated."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

from tosa_converter.dtypes import DType
from tosa_converter.errors import VerifyError
from tosa_converter.ir import Graph, Shape, TensorType, Value, name_with_location
from tosa_converter.schemas.tosa_ops import OpDef
from tosa_converter.schemas.tosa_target import Level

UNKNOWN_DIMENSIONS = "every dimension"  # how a condition begins that a value of unknown size violates
EMPTY = "dimension < 1"  # clause 1.11.1, of every tensor
RANK_LIMIT = "rank(shape) <= MAX_RANK"
_WORDS = {"error": "ERROR_IF({})", "level": "LEVEL_CHECK({})", "require": "REQUIRE({})"}


class Problem(NamedTuple):
    """One violated condition: its kind, the operator with its location, the condition, and what was found.

    Kinds: error (an ERROR_IF: the graph is illegal), level (a LEVEL_CHECK: it exceeds the level), require (a REQUIRE
    that constants already violate: the result is unpredictable), type (no row of the type table), target (it needs more
    than the target has), attribute, operand or structure (the graph itself is malformed).
    """

    kind: str
    op: str
    location: str
    condition: str
    finding: str

    def __str__(self) -> str:
        """Returns the problem as one line: operator and location, condition, and what was found."""
        place = name_with_location(self.op, self.location)
        condition = _WORDS.get(self.kind, "{}").format(self.condition)
        return f"{place}: {condition}: found {self.finding}" if self.finding else f"{place}: {condition}"


class StopCheckError(Exception):
    """Raised to end an operator's check when the remaining conditions make no sense; the problem is recorded."""


class Check:
    """One operator while its shape rule checks it; violated conditions are collected in `problems`.

    `regions` are the graphs of a control-flow operator, `variables` the types of the declared variables, `shapes` the
    elements of values that shape operators compute from what is known. Without a level, LEVEL_CHECKs are left out.
    """

    __slots__ = ("attributes", "inputs", "level", "location", "problems", "regions", "row", "shapes", "variables")

    def __init__(
        self,
        row: OpDef,
        inputs: Sequence[Value | None],
        attributes: Mapping[str, Any],
        *,
        level: Level | None = None,
        location: str = "",
        regions: Sequence[Graph] = (),
        variables: Mapping[str, TensorType] | None = None,
        shapes: Mapping[Value, list[int]] = MappingProxyType({}),
    ) -> None:
        """Starts a check of one operator, without problems so far."""
        self.row = row
        self.inputs = inputs
        self.attributes = attributes
        self.level = level
        self.location = location
        self.regions = regions
        self.variables = variables
        self.shapes = shapes
        self.problems: list[Problem] = []

    # ** conditions **

    def problem(self, kind: str, condition: str, finding: str) -> None:
        """Records a violated condition of this operator.

        `kind` is one of Problem's, such as "error" for an ERROR_IF, `condition` the specification's text, `finding`
        what is there instead.
        """
        self.problems.append(Problem(kind, self.row.opcode, self.location, condition, finding))

    def error_if(self, holds: bool, condition: str, **values: Any) -> None:
        """Records an ERROR_IF of the specification if it holds; `condition` quotes it, `values` are shown with it."""
        if holds:
            self.problem("error", condition, _name_values(values))

    def require(self, holds: bool, condition: str, **values: Any) -> None:
        """Records a REQUIRE of the specification unless it holds; `condition` quotes it, `values` are shown with it."""
        if not holds:
            self.problem("require", condition, _name_values(values))

    def level_check(self, value: float, limit: str, quantity: str) -> None:
        """Records LEVEL_CHECK(quantity <= limit) if `value` exceeds the level's limit of that name."""
        if self.level is None:
            return
        maximum = getattr(self.level, limit)
        if value > maximum:
            self.problem("level", f"{quantity} <= {limit}", f"{quantity} = {value}, {limit} = {maximum}")

    def stop(self, kind: str, condition: str, finding: str) -> NoReturn:
        """Records a violated condition and ends the check, because the remaining conditions depend on this one."""
        self.problem(kind, condition, finding)
        raise StopCheckError

    # ** operands and attributes **

    def dtype(self, index: int) -> DType:
        """Returns the element type of an operand; ends the check if the operand is absent."""
        value = self.inputs[index]
        if value is None:
            self.stop("operand", f"{self.row.inputs[index].name} must be present", "none")
        return value.type.dtype

    def constant(self, index: int) -> "list[Any] | None":
        """Returns the elements of a constant or computed shape operand as a flat list; None if only a run knows them.

        A constant whose array hasn't the shape of its type counts as unknown: the problem is reported at the constant
        itself.
        """
        value = self.inputs[index]
        array = None if value is None else value.constant
        if value is not None and value in self.shapes:
            return self.shapes[value]
        if value is None or array is None or array.shape != value.type.shape:  # the constant's own problem
            return None
        elements: list[Any] = (array if array.ndim == 1 else array.ravel()).tolist()
        return elements

    def attribute(self, name: str, default: Any = None) -> Any:
        """Returns an attribute, or `default` if it is absent; ends the check if there is neither."""
        value = self.attributes.get(name, default)
        if value is None:
            self.stop("attribute", f"attribute {name} must be given", "none")
        return value

    def sizes(self, name: str, length: int) -> tuple[int, ...]:
        """Returns an attribute that must list `length` integers; ends the check if it doesn't."""
        values = tuple(self.attribute(name))
        if len(values) != length:
            self.stop("attribute", f"attribute {name} must have {length} elements", str(list(values)))
        return values

    def axis(self, rank: int, of: str = "rank(shape1)") -> int:
        """Returns the attribute axis; ends the check unless it is in [0, rank). `of` names the rank in messages."""
        axis: int = self.attribute("axis")
        if not 0 <= axis < rank:
            self.stop("error", f"axis < 0 || axis >= {of}", f"axis = {axis}, {of} = {rank}")
        return axis

    def zero_point(self, index: int, variable: str) -> None:
        """Records an ERROR_IF if operand `index`, a zero point, is a constant other than 0 of another type than int8.

        `variable` is the name of that type in the condition's text.
        """
        if self.dtype(index) is DType.I8:
            return
        values = self.constant(index)
        if values and values[0] != 0:
            name = self.row.inputs[index].name
            self.problem("error", f"!is_same<{variable},i8_t>() && {name} != 0", f"{name} = {values[0]}")

    def same_dimension(self, name: str, first: int | None, second: int | None) -> None:
        """Records a problem if two operands differ in dimension `name`, which they share in the table of arguments."""
        if first != second:
            self.problem("error", f"operands must agree in dimension {name}", f"{first} and {second}")

    def raise_problems(self) -> None:
        """Raises VerifyError with all recorded problems, if there are any."""
        if self.problems:
            raise VerifyError([str(p) for p in self.problems], [p.kind for p in self.problems])


def _name_values(values: Mapping[str, Any]) -> str:
    """Returns values with their names as text for messages: "axis = 4, rank = 3"."""
    return ", ".join(f"{name} = {list(value) if isinstance(value, tuple) else value}" for name, value in values.items())


Sizes = tuple[int, ...]  # of a tensor whose dimensions are known
Shapes = tuple[Shape, ...]
