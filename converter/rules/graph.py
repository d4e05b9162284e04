"""The verifier: checks every condition of the specification that a graph can break before it runs.

Graphs of any opset must be in single-assignment form, values made before they are used. Operators of TOSA must also
meet chapter 2 of the specification: arguments, type tables, compile-time constants, ERROR_IF, LEVEL_CHECK.
"""

from collections.abc import Hashable, Iterable, Sequence

import numpy as np

from tosa_converter.errors import VerifyError
from tosa_converter.ir import Graph, Model, Op, Value
from tosa_converter.rules.conditions import UNKNOWN_DIMENSIONS, Problem
from tosa_converter.rules.inference import Forms
from tosa_converter.rules.operator import Known, limit_problems, operator_problems
from tosa_converter.rules.target import Target
from tosa_converter.schemas.tosa_ops import CONSTANTS, VARIABLE
from tosa_converter.schemas.tosa_target import LEVEL_8K, Level

_NEXT = "next: convert it with --input-shape (input_shapes), which states the sizes of inputs"


def verify(model: Model | Graph, *, target: Target | str | None = None, level: Level | None = LEVEL_8K) -> None:
    """Raises VerifyError with all problems of a model or graph, if it has any.

    Args:
        model: of any opset; for operators of other opsets than tosa only the structure is checked.
        target: profiles, extensions and level to keep to; without it any row of a type table will do.
        level: whose limits to keep to when no target is given; None for no limits.
    """
    target = Target.parse(target) if isinstance(target, str) else target
    problems = find_problems(model, target=target, level=level)
    if problems:
        raise verify_error(problems)


def verify_error(problems: Sequence[Problem]) -> VerifyError:
    """Returns the error with a line for each problem; of unknown dimensions the first, and how many more there are.

    They go on from an input to all that depends on it, so the other lines would say nothing new.
    """
    unknown = [problem for problem in problems if problem.condition.startswith(UNKNOWN_DIMENSIONS)]
    if not unknown:
        return VerifyError([str(problem) for problem in problems])
    more = f", and {len(unknown) - 1} more that follow from it" if len(unknown) > 1 else ""
    rest = [str(problem) for problem in problems if problem not in unknown]
    error = VerifyError([f"{unknown[0]}{more}", *rest])
    error.args = (*error.args, _NEXT)
    return error


def find_problems(
    model: Model | Graph, *, target: Target | None = None, level: Level | None = LEVEL_8K
) -> list[Problem]:
    """Returns all problems of a model or graph, for which `verify` raises an error.

    `level` counts only without a target, which has a level of its own.
    """
    verifier = _Verifier(target, level if target is None else target.level)
    verifier.foreign = isinstance(model, Model) and model.opset != "tosa"
    for graph in [model] if isinstance(model, Graph) else model.graphs.values():
        verifier.known = Known({}, {})  # each graph is an execution of its own
        verifier.check_graph(graph)
    if isinstance(model, Model):
        verifier.check_signatures(model)
    return verifier.problems


def find_structure_problems(model: Model) -> list[Problem]:
    """Returns the problems of a model's structure: single assignment, order, and names in signatures.

    TOSA operators among those of another opset (during a conversion from TOSA) needn't meet the TOSA specification.
    """
    verifier = _Verifier(None, None)
    verifier.foreign = verifier.structure_only = True
    for graph in model.graphs.values():
        verifier.check_graph(graph)
    verifier.check_signatures(model)
    return verifier.problems


def _constant_form(op: Op) -> Hashable:
    """Returns a key of all that a constant's conditions depend on, type and shape; None for a malformed constant."""
    values = op.attributes.get("values")
    if op.inputs or len(op.results) != 1 or len(op.attributes) != 1 or not isinstance(values, np.ndarray):
        return None
    return op.row, op.results[0].type, values.dtype, values.shape


def _is_tosa(op: Op) -> bool:
    """Returns whether an operator is one of TOSA, or is named like one (`tosa.`...)."""
    return op.row is not None or op.opset == "tosa"


class _Verifier:
    """Walks over a model and collects problems; `depth` and `known` are those at the operator being checked.

    A `foreign` model has another opset, whose tensors have other limits. With `structure_only`, TOSA's conditions
    aren't checked.
    """

    def __init__(self, target: Target | None, level: Level | None) -> None:
        """Starts a check of a model against a target and the limits of a level; None allows everything."""
        self.target = target
        self.level = level
        self.problems: list[Problem] = []
        self.foreign = False  # callers set these two
        self.structure_only = False
        self.depth = 0
        self.known = Known({}, {})
        self.legal: Forms[bool] = Forms()  # of operators without a problem, which aren't checked again

    def check_graph(self, graph: Graph) -> None:
        """Checks a graph and its regions: structure, and the conditions of each TOSA operator."""
        defined: set[Value | None] = {None}  # an operand that is absent needs no one to make it
        seen: set[str] = set()  # variables that this graph declares: one that it executes begins anew
        self._define(graph.inputs, None, graph, defined)
        if not self.foreign and all(map(_is_tosa, graph.ops)):
            self._check_limits(graph)
        for op in graph.ops:
            if not defined.issuperset(op.inputs):
                for value in op.operands:
                    if value not in defined:
                        self._add_structure_problem(op.name, "every value must be made before it is used", value)
            if not self.structure_only:
                if _is_tosa(op):
                    self._check_operator(op)
                if op.row is VARIABLE:
                    self._check_declaration(op, seen)
            if op.regions:
                self._check_regions(op)
            self._define(op.results, op, op, defined)
        for value in graph.outputs:
            if value not in defined:
                self._add_structure_problem(graph.name, "every output of a graph must be made in it", value)

    def _check_operator(self, op: Op) -> None:
        """Checks one TOSA operator; of constants with equal type and shape only the first is checked.

        In the graphs of control flow, which may never run, violated REQUIREs are no problem.
        """
        form = _constant_form(op) if op.row in CONSTANTS else None
        if form in self.legal:
            return
        problems = operator_problems(op, self.level, self.target, self.known, self.legal)
        if problems:  # a branch or a loop's body may never run, and then its REQUIREs are no one's (2.16.1, 4.3)
            self.problems += [problem for problem in problems if not (self.depth and problem.kind == "require")]
        elif form is not None:
            self.legal[form] = True

    def _check_declaration(self, op: Op, seen: set[str]) -> None:
        """Adds a problem if a graph declares a variable twice; `seen` has the names declared so far."""
        name = str(op.attributes.get("name"))
        if name in seen:
            self.problems.append(Problem("require", op.name, op.location, "!var_tensor.seen", f"name = {name}"))
        seen.add(name)

    def _define(self, values: Iterable[Value], maker: Op | None, owner: Op | Graph, defined: set[Value | None]) -> None:
        """Marks the values that `maker` computes as defined (None: a graph's inputs).

        Adds a problem for a value that is defined already, or that has another operator as its producer.
        """
        for value in values:
            if value in defined:
                self._add_structure_problem(owner.name, "every value must be made once", value)
            if value.producer is not maker:
                self._add_structure_problem(owner.name, "a value's producer must be the operator that makes it", value)
            defined.add(value)

    def _check_limits(self, graph: Graph) -> None:
        """Adds problems for inputs of a graph that are too large, empty, or of too high a rank."""
        for value in graph.inputs:
            for kind, condition, finding in limit_problems(value, self.level):
                self.problems.append(Problem(kind, graph.name, value.name, condition, finding))

    def _check_regions(self, op: Op) -> None:
        """Checks the graphs of a control-flow operator one level deeper; adds a problem if they nest too deep."""
        limit = None if self.level is None or op.opset != "tosa" else self.level.MAX_NESTING
        if limit is not None and self.depth >= limit:
            finding = f"tosa_nesting_depth = {self.depth}, MAX_NESTING = {limit}"
            condition = "tosa_nesting_depth >= MAX_NESTING"
            self.problems.append(Problem("error", op.name, op.location, condition, finding))
            return
        self.depth += 1
        for region in op.regions:
            self.check_graph(region)
        self.depth -= 1

    def check_signatures(self, model: Model) -> None:
        """Adds problems for signatures whose graph, inputs or outputs the model doesn't have."""
        for name, signature in model.signatures.items():
            graph = model.graphs.get(signature.graph)
            if graph is None:
                self.problems.append(Problem("structure", name, "", "a signature must name a graph", signature.graph))
                continue
            for values, borders in ((signature.inputs, graph.inputs), (signature.outputs, graph.outputs)):
                for value in values.values():
                    if value not in borders:
                        self._add_structure_problem(
                            name, f"a signature's values must be those of graph {graph.name}", value
                        )

    def _add_structure_problem(self, where: str, condition: str, value: Value) -> None:
        """Adds a problem with the structure of a graph; `where` names the operator, graph or signature."""
        self.problems.append(Problem("structure", where, value.name, condition, repr(value)))
