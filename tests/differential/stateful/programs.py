"""Draws programs: statements in graphs that call each other, over values of a few kinds and variables with state."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from flatbuffers import flexbuffers
from support.cases.draw import NAMES, Draw
from support.tflite_models import Operator, Subgraph, Tensor, build

from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import TensorType

TYPES = ("fp32", "fp16", "i8", "ui8", "i16", "i32", "i64", "bool")
# Operators on two values of a type whose results stay within the type's range if TOSA requires it.
MIXED = {
    **dict.fromkeys(("fp32", "fp16"), (B.ADD, B.SUB, B.MAXIMUM, B.MINIMUM)),
    **dict.fromkeys(("i8", "ui8", "i16"), (B.ADD, B.SUB, B.MUL)),
    "i32": (B.MAXIMUM, B.MINIMUM, B.BITWISE_XOR),
    "i64": (B.MAXIMUM, B.MINIMUM),
    "bool": (B.LOGICAL_AND, B.LOGICAL_OR, B.NOT_EQUAL),
}
ROOTS = ("variable", "if", "while", "stablehlo_case", "stablehlo_while", "call", "stablehlo_composite")


class Kind(NamedTuple):
    """The type and quantization that values of one kind share."""

    type: str
    shape: tuple[int, ...]


Encode: TypeAlias = Callable[..., bytes]
YES, NUMBER, HANDLE = Kind("bool", ()), Kind("i32", ()), Kind("resource", ())


class Program(NamedTuple):
    """A model, the arrays of each step, and an equivalent model of operators that LiteRT has kernels for."""

    data: bytes
    steps: list[list[Array]]
    judged: bytes
    bounded: bool  # the conversion knows the number of rounds of every loop
    stateful: bool


class File:
    """The state that the graphs of a program share.

    `plain` is for a file without the operators that LiteRT has no kernels of: a CASE is a chain of IFs there.
    """

    def __init__(self, d: Draw, *, plain: bool) -> None:
        self.d = d
        self.plain = plain
        self.graphs: list[Subgraph] = []
        self.kinds = [Kind(d.among(*TYPES), d.shape(0, 4, 3)) for _ in range(d.whole(1, 2))]
        self.variables = {f"v{i}": d.among(*self.kinds) for i in range(d.whole(1, 3))}
        self.bounded = True
        self.stateful = False

    def named(self, graph: "Graph", inputs: Sequence[int], outputs: Sequence[int]) -> int:
        """Adds a finished graph; returns its number."""
        self.graphs.append(Subgraph(graph.tensors, graph.operators, inputs, outputs))
        return len(self.graphs)


class Graph:
    """A graph under construction; `assigned` are the variables that are certainly written.

    One that is `plain` draws nothing: it is for the judged file only.
    """

    def __init__(self, file: File, assigned: set[str], *, plain: bool = False) -> None:
        self.file = file
        self.d = file.d
        self.plain = plain
        self.tensors: list[Tensor] = []
        self.operators: list[Operator] = []
        self.values: dict[Kind, list[int]] = {}
        self.handles: dict[str, int] = {}
        self.limits: list[int] = []
        self.assigned = set(assigned)

    def tensor(self, kind: Kind, data: Array | None = None) -> int:
        """Adds a tensor, which isn't among the values yet."""
        name = "resource" if kind is HANDLE else NAMES[kind.type]
        quant = {} if kind is HANDLE or self.plain else self.d.quant(kind.type)
        self.tensors.append(Tensor(kind.shape, name, data, **quant))
        return len(self.tensors) - 1

    def constant(self, kind: Kind) -> int:
        """Adds a constant of random elements."""
        return self.tensor(kind, self.d.values(kind.shape, kind.type))

    def whole(self, number: int) -> int:
        """Adds a constant integer."""
        return self.tensor(NUMBER, np.array(number, np.int32))

    def emit(self, builtin: B, inputs: Sequence[int], kinds: Sequence[Kind], **options: Any) -> list[int]:
        """Adds an operator; returns its results."""
        results = [self.tensor(kind) for kind in kinds]
        self.operators.append(Operator(builtin, inputs, results, options))
        return results

    def keep(self, kinds: Sequence[Kind], places: Sequence[int]) -> None:
        """Adds tensors to the values that later statements may read."""
        for kind, place in zip(kinds, places, strict=True):
            self.values.setdefault(kind, []).append(place)

    def value(self, kind: Kind) -> int:
        """Draws one of the values of a kind, or adds a constant."""
        places = self.values.get(kind, [])
        return self.constant(kind) if not places or self.d.whole(0, 5) == 0 else self.d.among(*places)

    def handle(self, name: str) -> int:
        """Returns the handle of a variable, which this graph creates or has as an operand."""
        if name not in self.handles:
            (self.handles[name],) = self.emit(B.VAR_HANDLE, [], [HANDLE], shared_name=name)
        return self.handles[name]

    def distinct_outputs(self, kinds: Sequence[Kind], places: Sequence[int]) -> list[int]:
        """Returns distinct outputs of a called graph: LiteRT loses the first of two equal ones."""
        seen: set[int] = set()
        distinct = []
        for kind, place in zip(kinds, places, strict=True):
            distinct.append(self.constant(kind) if place in seen else place)
            seen.add(place)
        return distinct

    # ** statements **

    def mix(self, kind: Kind) -> int:
        """Adds an operator on two drawn values; returns its result."""
        return self.mixed(kind, self.value(kind), self.value(kind))

    def mixed(self, kind: Kind, a: int, b: int) -> int:
        """Adds an operator on two values; returns its result."""
        builtin = self.d.among(*MIXED[kind.type])
        compute_kind = Kind("fp32", kind.shape) if kind.type == "fp16" else kind
        if compute_kind is not kind:
            a, b = (self.cast(value, compute_kind) for value in (a, b))
        small = {"pot_scale_int16": False} if builtin in (B.ADD, B.SUB) else {}
        (result,) = self.emit(builtin, [a, b], [compute_kind], **small)
        return result if compute_kind is kind else self.cast(result, kind)

    def cast(self, value: int, kind: Kind) -> int:
        """Casts a value to another kind."""
        types = {"fp32": TensorType.FLOAT32, "fp16": TensorType.FLOAT16}
        before = next(types[word] for word in types if NAMES[word] == self.tensors[value].dtype)
        (converted,) = self.emit(B.CAST, [value], [kind], in_data_type=before, out_data_type=types[kind.type])
        return converted

    def read(self) -> None:
        """Reads a variable; returns its value."""
        if self.assigned:
            name = self.d.among(*sorted(self.assigned))
            kind = self.file.variables[name]
            self.keep([kind], self.emit(B.READ_VARIABLE, [self.handle(name)], [kind]))
            self.file.stateful = True

    def assign(self, name: str = "") -> None:
        """Assigns a new value to a variable."""
        name = name or self.d.among(*self.file.variables)
        kind = self.file.variables[name]
        value = self.mix(kind) if self.d.coin() else self.value(kind)
        self.emit(B.ASSIGN_VARIABLE, [self.handle(name), value], [])
        self.assigned.add(name)

    def statements(self, depth: int, root: str = "") -> None:
        """Adds a few statements, one of which is of the given kind."""
        kinds = self.file.kinds
        deeper = [word for word in ROOTS if word != "variable"] if depth else []
        few = [self.d.among("mix", "mix", "read", "assign", *deeper[: self.d.whole(0, 6)]) for _ in range(3)]
        if root == "variable":
            few = [*few[:1], "read", "assign", "read"]
        for word in [*few[:1], *[root] * (root not in ("", "variable")), *few[1:]]:
            if word == "mix":
                kind = self.d.among(*kinds)
                self.keep([kind], [self.mix(kind)])
            elif word == "read":
                self.read()
            elif word == "assign":
                self.assign()
            else:
                STATEMENTS[word](self, depth - 1)

    # ** graphs in graphs **

    def operands(self) -> "Operands":
        """Draws the operands of inner graphs: values, in some cases handles, and the bound of loops."""
        kinds = [self.d.among(*self.file.kinds) for _ in range(self.d.whole(1, 3))]
        handed = [name for name in self.file.variables if self.d.whole(0, 3) == 0]
        limits = self.limits[: self.d.whole(0, 1)]
        places = [*map(self.value, kinds), *map(self.handle, handed), *limits]
        return Operands(kinds, handed, len(limits), places)

    def inner(self, operands: "Operands", *first: Kind, plain: bool = False) -> "Graph":
        """Returns a new graph whose inputs are `first`, then the operands."""
        graph = Graph(self.file, self.assigned, plain=plain)
        for kind in first:
            graph.tensor(kind)
        graph.keep(operands.kinds, [graph.tensor(kind) for kind in operands.kinds])
        graph.handles = {name: graph.tensor(HANDLE) for name in operands.handed}
        graph.limits = [graph.tensor(NUMBER) for _ in range(operands.limits)]
        return graph

    def branches(self, operands: "Operands", count: int, depth: int) -> tuple[list[int], list[Kind]]:
        """Draws graphs to choose from; returns their numbers and the kinds of their results."""
        kinds = [self.d.among(*self.file.kinds) for _ in range(self.d.whole(1, 2))]
        numbers, assigned = [], []
        for _ in range(count):
            graph = self.inner(operands)
            graph.statements(depth)
            outputs = graph.distinct_outputs(kinds, [graph.value(kind) for kind in kinds])
            numbers.append(self.file.named(graph, range(len(operands.places)), outputs))
            assigned.append(graph.assigned)
        self.assigned |= set.intersection(*assigned)
        return numbers, kinds


class Operands(NamedTuple):
    """The operands of a called graph: values of kinds, handles of variables, bounds of loops, and their places."""

    kinds: list[Kind]
    handed: list[str]
    limits: int
    places: list[int]


def conditional(graph: Graph, depth: int) -> None:
    """Adds an IF."""
    operands = graph.operands()
    (then, otherwise), kinds = graph.branches(operands, 2, depth)
    options = {"then_subgraph_index": then, "else_subgraph_index": otherwise}
    graph.keep(kinds, graph.emit(B.IF, [graph.value(YES), *operands.places], kinds, **options))


def case(graph: Graph, depth: int) -> None:
    """Adds a STABLEHLO_CASE, or a chain of IFs whose graphs call graphs that also take the number."""
    operands = graph.operands()
    numbers, kinds = graph.branches(operands, graph.d.whole(1, 3), depth)
    (index,) = graph.limits or [graph.whole(graph.d.whole(-1, 3))]
    if graph.file.plain and len(numbers) > 1:
        places = chain(graph, index, operands, numbers, kinds)
    elif graph.file.plain:
        places = always(graph, operands, numbers[0], kinds)
    else:
        options = {"branch_subgraph_indices": tuple(numbers)}
        places = graph.emit(B.STABLEHLO_CASE, [index, *operands.places], kinds, **options)
    graph.keep(kinds, places)


def chain(graph: Graph, index: int, operands: Operands, numbers: Sequence[int], kinds: Sequence[Kind]) -> list[int]:
    """Adds a chain of IFs that stands for a CASE; returns its results."""
    if len(numbers) == 1:
        return always(graph, operands, numbers[0], kinds)
    (is_first,) = graph.emit(B.EQUAL, [index, graph.whole(0)], [YES])
    then, otherwise = (graph.inner(operands, NUMBER, plain=True) for _ in range(2))
    inner = operands._replace(places=[*range(1, 1 + len(operands.places))])
    call_first = always(then, inner, numbers[0], kinds)
    first = graph.file.named(then, [0, *inner.places], call_first)
    (lower,) = otherwise.emit(B.SUB, [0, otherwise.whole(1)], [NUMBER], pot_scale_int16=False)
    call_first = chain(otherwise, lower, inner, numbers[1:], kinds)
    rest = graph.file.named(otherwise, [0, *inner.places], call_first)
    options = {"then_subgraph_index": first, "else_subgraph_index": rest}
    return graph.emit(B.IF, [is_first, index, *operands.places], kinds, **options)


def always(graph: Graph, operands: Operands, number: int, kinds: Sequence[Kind]) -> list[int]:
    """Calls a graph by an IF: LiteRT's composites return wrong tensors if tensors have no fixed size."""
    graph.file.graphs.append(graph.file.graphs[number - 1])
    options = {"then_subgraph_index": number, "else_subgraph_index": len(graph.file.graphs)}
    return graph.emit(B.IF, [graph.tensor(YES, np.array(1, bool)), *operands.places], kinds, **options)


def composite(number: int) -> dict[str, Any]:
    """Returns the options of a composite."""
    attributes = np.frombuffer(flexbuffers.Dumps({}), np.uint8)
    return {"name": "mine", "decomposition_subgraph_index": number, "composite_attributes": attributes}


def called(graph: Graph, depth: int, *, call: bool) -> None:
    """Adds a CALL or STABLEHLO_COMPOSITE."""
    operands = graph.operands()
    (number,), kinds = graph.branches(operands, 1, depth)
    if graph.file.plain:
        places = always(graph, operands, number, kinds)
    elif call:
        places = graph.emit(B.CALL, operands.places, kinds, subgraph=number)
    else:
        places = graph.emit(B.STABLEHLO_COMPOSITE, operands.places, kinds, **composite(number))
    graph.keep(kinds, places)


def loop(graph: Graph, depth: int, builtin: B = B.WHILE) -> None:
    """Adds a WHILE that counts up to a constant or an operand; values stay, change or become constant."""
    operands = graph.operands()
    before = set(graph.assigned)
    fed = operands.limits and graph.d.coin()
    graph.file.bounded &= not fed
    test, body = graph.inner(operands, NUMBER), graph.inner(operands, NUMBER)
    bound = test.limits[0] if fed else test.whole(graph.d.whole(0, 3))
    (more,) = test.emit(B.LESS, [0, bound], [YES])
    (count,) = body.emit(B.ADD, [0, body.whole(1)], [NUMBER], pot_scale_int16=False)
    body.statements(depth)
    places = range(1 + len(operands.places))
    own = places[1 : 1 + len(operands.kinds)]
    values = [
        graph.d.among(place, body.mix(kind), body.value(kind)) for place, kind in zip(own, operands.kinds, strict=True)
    ]
    values = [place if value in places else value for place, value in zip(own, values, strict=True)]
    outputs = [count, *body.distinct_outputs(operands.kinds, values), *places[1 + len(values) :]]
    numbers = graph.file.named(test, places, [more]), graph.file.named(body, places, outputs)
    kinds = [NUMBER, *operands.kinds, *[HANDLE] * len(operands.handed), *[NUMBER] * operands.limits]
    start = graph.whole(0)
    options = dict(zip(("cond_subgraph_index", "body_subgraph_index"), numbers, strict=True))
    results = graph.emit(builtin, [start, *operands.places], kinds, **options)
    graph.keep(operands.kinds, results[1 : 1 + len(operands.kinds)])
    graph.assigned = before


def stablehlo_loop(graph: Graph, depth: int) -> None:
    """Adds a WHILE of StableHLO."""
    loop(graph, depth, B.WHILE if graph.file.plain else B.STABLEHLO_WHILE)


STATEMENTS: dict[str, Callable[[Graph, int], None]] = {
    "if": conditional,
    "while": loop,
    "stablehlo_case": case,
    "stablehlo_while": stablehlo_loop,
    "call": lambda graph, depth: called(graph, depth, call=True),
    "stablehlo_composite": lambda graph, depth: called(graph, depth, call=False),
}


def begin(main: Graph) -> None:
    """Adds CALL_ONCEs that initialize variables by constants, computed values, and values of other variables."""
    d, names = main.d, [name for name in main.file.variables if main.d.whole(0, 3)]
    for part in (names[: d.whole(0, 3)], names[d.whole(0, 3) :]):
        graph = Graph(main.file, main.assigned)
        for name in part:
            if graph.assigned and d.coin():
                graph.read()
            graph.assign(name)
        if part:
            main.emit(B.CALL_ONCE, [], [], init_subgraph_index=main.file.named(graph, [], []))
            main.assigned |= graph.assigned


def written(d: Draw, root: str, steps: int, *, plain: bool, encode: Encode = build) -> Program:
    """Draws one version of a program."""
    file = File(d, plain=plain)
    main = Graph(file, set())
    fed = [*file.kinds, YES, NUMBER]
    inputs = [main.tensor(kind) for kind in fed]
    main.keep(fed[:-1], inputs[:-1])
    main.limits = inputs[-1:]
    begin(main)
    main.statements(2, root)
    outputs = [main.mix(kind) if d.whole(0, 3) == 0 else main.value(kind) for kind in [*file.kinds, *file.kinds]]
    arrays = [[d.values(kind.shape, kind.type) for kind in fed[:-1]] for _ in range(steps)]
    numbered = [[*step_inputs, np.array(d.whole(-1, 3), np.int32)] for step_inputs in arrays]
    data = encode(main.tensors, main.operators, inputs, outputs, file.graphs)
    return Program(data, numbered, data, file.bounded, file.stateful)


def program(seed: int, root: str, steps: int = 4) -> Program:
    """Draws the program of a seed, with a statement of a kind."""
    judged = written(Draw(seed, "fp32"), root, steps, plain=True)
    return written(Draw(seed, "fp32"), root, steps, plain=False)._replace(judged=judged.data)
