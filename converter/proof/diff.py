"""Two models beside each other: whether they compute the same, and where their operators differ."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import SequenceMatcher
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from tosa_converter.display import Summarized
from tosa_converter.dtypes import DType
from tosa_converter.engines import Engine
from tosa_converter.engines.stepped import MultiStepEngine
from tosa_converter.errors import UsageError
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, Value, name_with_location
from tosa_converter.ir.edit import equal_attributes, equal_constants
from tosa_converter.proof.borders import BorderDifference, border_differences
from tosa_converter.proof.compare import FLOAT_TOLERANCE, OutputReport, compared_outputs, with_state_as_inputs
from tosa_converter.proof.input_sets import first_sizes, given_inputs, given_outputs
from tosa_converter.proof.places import HANDLE
from tosa_converter.schemas.opsets import VARIABLE

STRUCTURE, WIRING, VALUES = "structure", "wiring", "values"


class SetsOf(Protocol):
    """A function that makes the sets of inputs of a model."""

    def __call__(
        self, model: Model, shapes: Mapping[str, tuple[int, ...]], steps: int, stateful: bool
    ) -> tuple[Sequence[Mapping[str, Array]], int]:
        """Returns sets of arrays by input name, and the number of steps in each.

        The number is 0 for runs without steps; else the arrays are [steps, ...].

        Args:
            model: whose main graph the inputs are for.
            shapes: of all its inputs, by name.
            steps: that the user asks for, or 0.
            stateful: whether one of the models keeps state from run to run.
        """


class Change(NamedTuple):
    """A difference between the operators of two models.

    `kind` is STRUCTURE where only one model has the operator, WIRING where operands come from other operators, VALUES
    where constants or attributes differ.
    """

    kind: str
    graph: str
    first: str  # the operator's place, empty where the other side alone has one
    second: str
    text: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Diff(Summarized):
    """How two models differ: in their outputs on the same inputs, their operators, and their inputs and outputs."""

    first: str
    second: str
    engines: tuple[str, str]
    outputs: tuple[
        OutputReport, ...
    ]  # of the second, the first being the reference; empty where they can't be compared
    changes: tuple[Change, ...]
    borders: tuple[BorderDifference, ...] = ()  # inputs and outputs that stand for something else
    note: str = ""  # why the outputs, or the operators, aren't compared

    @property
    def same_function(self) -> bool:
        """Whether every output is within its tolerance, and inputs and outputs have equal types, scales and layouts.

        Another name alone doesn't count: it has no `meaning`.
        """
        meant = not any(border.meaning for border in self.borders)
        return meant and bool(self.outputs) and all(output.verdict for output in self.outputs)

    @property
    def same_operators(self) -> bool:
        """Returns whether the operators were compared and don't differ."""
        return not self.changes and not self.note

    def figures(self) -> dict[str, Any]:
        """Returns the report as plain data."""
        borders = [border._asdict() for border in self.borders]
        return {
            **asdict(self),
            "borders": borders,
            "same_function": self.same_function,
            "same_operators": self.same_operators,
        }


def diff_models(
    first: Model,
    second: Model,
    engines: tuple[Engine, Engine],
    *,
    by_signature: Callable[[Model], dict[str, Model]],
    sets_of: SetsOf,
    steps: int,
) -> Diff:
    """Runs two models on the same inputs, and compares their operators if both are of one opset.

    What can't be compared is left out, and the notes say why.

    Args:
        first: the reference.
        second: of the same signatures, whose inputs and outputs are in the same order.
        engines: what runs each.
        by_signature: splits a model into one model for each signature.
        sets_of: makes the inputs of both, by the names of the first one's inputs.
        steps: of each run, 0 for as many as the arrays of the inputs have.

    Raises:
        ConverterError: an engine fails.
    """
    notes, changes, outputs = [], list[Change](), list[OutputReport]()
    if first.opset == second.opset:
        changes = [*_compare_graphs(first, second)]
    else:
        notes.append(f"operators of {first.opset} and of {second.opset} aren't compared")
    sides = by_signature(first), by_signature(second)
    pairs = {name: _with_unknown_state_as_inputs(*pair) for name, pair in _pairs(*sides).items()}
    unlike = (
        next(filter(None, (_unlike(*pair) for pair in pairs.values())), "") if pairs else _unlike_signatures(*sides)
    )
    if unlike:
        notes.append(unlike)
    else:
        stateful = any(_keeps_state(side) for pair in pairs.values() for side in pair)
        for name, pair in pairs.items():
            reports = _compare_outputs(*pair, engines, partial(sets_of, steps=steps, stateful=stateful))
            outputs += [replace(report, name=_prefix_signature(name, report.name)) for report in reports]
    borders = [
        border._replace(place=_prefix_signature(name, border.place))
        for name, pair in pairs.items()
        for border in border_differences(*pair)
    ]
    names = engines[0].name, engines[1].name
    return Diff(first.source, second.source, names, tuple(outputs), tuple(changes), tuple(borders), "; ".join(notes))


def _prefix_signature(signature: str, name: str) -> str:
    """Returns a name with that of the signature in front, if the model has several."""
    return f"{signature}: {name}" if signature else name


# ** what they compute **


def _pairs(first: Mapping[str, Model], second: Mapping[str, Model]) -> dict[str, tuple[Model, Model]]:
    """Returns pairs of models by signature, or "" for the only one; an empty dict if the signatures differ."""
    if len(first) == len(second) == 1:
        return {"": (next(iter(first.values())), next(iter(second.values())))}
    return {name: (first[name], second[name]) for name in first} if first.keys() == second.keys() else {}


def _with_unknown_state_as_inputs(first: Model, second: Model) -> tuple[Model, Model]:
    """Returns both models, with state as inputs and outputs if some initial values are unknown."""
    unknown = any(state.initial is None for side in (first, second) for state in side.main_states)
    return with_state_as_inputs(first, second) if unknown else (first, second)


def _unlike_signatures(*sides: Mapping[str, Model]) -> str:
    """Returns why models with different signatures are not compared, with the names of their graphs."""
    texts = [", ".join(model.main.name for model in side.values()) for side in sides]
    return f"graphs of {texts[0]} and of {texts[1]} aren't compared, as signatures differ"


def _keeps_state(model: Model) -> bool:
    """Returns whether a model keeps state from run to run."""
    return model.stateful or any(op.name in (VARIABLE, HANDLE) for graph in model.graphs.values() for op in graph)


def _unlike(first: Model, second: Model) -> str:
    """Returns why two models can't be run and compared on the same arrays, or "" if inputs and outputs fit."""
    sides = [given_inputs(first), given_inputs(second)], [given_outputs(first), given_outputs(second)]
    for kind, (mine, theirs) in zip(("inputs", "outputs"), sides, strict=True):
        types = [", ".join(str(value.type._replace(quant=None)) for value in values) for values in (mine, theirs)]
        if len(mine) != len(theirs) or not all(map(_fit, mine, theirs)):
            return f"{kind} of {types[0]} and of {types[1]} aren't compared"
    return ""


def _fit(a: Value, b: Value) -> bool:
    """Returns whether one array can be the value of both: known sizes agree, and elements have one width and kind."""
    dtypes = a.type.dtype, b.type.dtype
    if not all(dtype.is_float or dtype.is_integer or dtype is DType.BOOL for dtype in dtypes):
        return False
    kinds = {(dtype.is_float, dtype.numpy.itemsize) for dtype in dtypes}
    sizes = zip(a.type.shape, b.type.shape, strict=False)
    return len(kinds) == 1 and a.type.rank == b.type.rank and all(None in pair or len({*pair}) == 1 for pair in sizes)


def _compare_outputs(
    first: Model,
    second: Model,
    engines: tuple[Engine, Engine],
    sets_of: Callable[[Model, Mapping[str, tuple[int, ...]]], tuple[Sequence[Mapping[str, Array]], int]],
) -> list[OutputReport]:
    """Runs both models on the same inputs and returns the reports of their outputs.

    `sets_of` makes the arrays, also for inputs that hold state, from the first model and the shapes of its inputs. A
    size that one model leaves open is that of the other one, or of the default shapes.
    """
    inputs = given_inputs(first)
    pairs = zip(inputs, given_inputs(second), strict=True)
    default_shapes = first.default_shapes | second.default_shapes
    shapes = {
        a.name: first_sizes(a.type.shape, b.type.shape, *(default_shapes[v] for v in (a, b) if v in default_shapes))
        for a, b in pairs
    }
    states = {value.name: first_sizes(value.type.shape) for value in first.main.inputs if value.name not in shapes}
    arrays_by_name, steps = sets_of(first, shapes | states)
    sets = [[_input_array(value, arrays) for value in inputs] for arrays in arrays_by_name]
    sides = zip((first, second), engines, strict=True)
    results = [[_run_model(model, engine, arrays, steps) for arrays in sets] for model, engine in sides]
    return compared_outputs(given_outputs(first), results[0], results[1], FLOAT_TOLERANCE, steps)


def _input_array(value: Value, arrays: Mapping[str, Array]) -> Array:
    """Returns the array of an input; raises UsageError if there is none, or its elements have another size."""
    if value.name not in arrays:
        raise UsageError(f"no input for {value.name!r}", f"next: add --input {value.name}=FILE.npy")
    array, dtype = arrays[value.name], value.type.dtype.numpy
    if array.dtype.itemsize != dtype.itemsize:
        raise UsageError(f"input {value.name!r}: expected {dtype}, found {array.dtype}")
    return array


def _run_model(model: Model, engine: Engine, arrays: Sequence[Array], steps: int) -> list[Array]:
    """Returns the outputs of a run; `steps` is the number of its steps, 0 for a model that runs once.

    The bits of the arrays are read in the types of the model's inputs: TOSA's integers are signless.
    """
    pairs = zip(given_inputs(model), arrays, strict=True)
    inputs = {value.name: array.view(value.type.dtype.numpy) for value, array in pairs}
    return list((MultiStepEngine(engine, steps) if steps else engine).run(model, inputs).values())


# ** their operators **


def _compare_graphs(first: Model, second: Model) -> Iterator[Change]:
    """Yields the differences between the operators of two models, graph by graph."""
    main = first.main, second.main
    yield from _compare_operators(*main)
    called = [{graph.name: graph for graph in model.graphs.values() if graph not in main} for model in (first, second)]
    for name in sorted(called[0].keys() | called[1].keys()):
        graphs = [side.get(name) for side in called]
        if graphs[0] is not None and graphs[1] is not None:
            yield from _compare_operators(graphs[0], graphs[1])
        else:
            places = ["" if graph is None else f"graph {name!r}" for graph in graphs]
            yield Change(STRUCTURE, name, places[0], places[1], "only one side has this graph")


def _compare_operators(first: Graph, second: Graph) -> Iterator[Change]:
    """Yields the differences between the operators of two graphs, in the order of the first."""
    sides = [[op for op in graph.ops if op.name not in CONSTANTS] for graph in (first, second)]
    twins: dict[Value, Value] = dict(zip(first.inputs, second.inputs, strict=False))
    for a, b in _pair_operators(*sides):
        if a is None or b is None:
            op = a or b
            assert op is not None
            yield Change(STRUCTURE, first.name, _operator_text(a), _operator_text(b), _name_and_types(op))
            continue
        yield from _compare_pair(first.name, a, b, twins)
        twins.update(zip(a.results, b.results, strict=False))
    outputs = [(twins.get(a), b) for a, b in zip(first.outputs, second.outputs, strict=False)]
    if any(a is not b and not equal_constants(a, b) for a, b in outputs) or len(first.outputs) != len(second.outputs):
        yield Change(WIRING, first.name, "outputs", "outputs", "they come from other operators")


def _pair_operators(first: Sequence[Op], second: Sequence[Op]) -> Iterator[tuple[Op | None, Op | None]]:
    """Yields pairs of operators that correspond by name and types, in order; None where only one side has one."""
    keys = [list(map(_name_and_types, side)) for side in (first, second)]
    # The common beginning is paired in linear time; only the rest goes to the matcher, which takes quadratic time at
    # worst. By default (autojunk) it ignores keys that are over 1 % of 200 or more operators, such as ADDs.
    begin = next((i for i, (a, b) in enumerate(zip(*keys, strict=False)) if a != b), min(map(len, keys)))
    yield from zip(first[:begin], second[:begin], strict=True)
    for tag, i, j, k, end in SequenceMatcher(None, keys[0][begin:], keys[1][begin:], autojunk=False).get_opcodes():
        ours, theirs = first[begin + i : begin + j], second[begin + k : begin + end]
        if tag == "equal":
            yield from zip(ours, theirs, strict=True)
        else:
            yield from ((op, None) for op in ours)
            yield from ((None, op) for op in theirs)


def _compare_pair(graph: str, a: Op, b: Op, twins: Mapping[Value, Value]) -> Iterator[Change]:
    """Yields the differences between two corresponding operators; `twins` pairs the values of both graphs."""
    pairs = [*zip(a.inputs, b.inputs, strict=False)]
    variable = [(x, y) for x, y in pairs if x is not None and y is not None and x.constant is None]
    if len(a.inputs) != len(b.inputs) or any(twins.get(x) is not y for x, y in variable):
        yield Change(WIRING, graph, _operator_text(a), _operator_text(b), "operands come from other operators")
    wrong = [
        i for i, (x, y) in enumerate(pairs) if x is not None and x.constant is not None and not equal_constants(x, y)
    ]
    texts = [f"operand {i}: {_constant_difference(pairs[i])}" for i in wrong]
    names = [
        name for name in {**a.attributes, **b.attributes} if not equal_attributes(a.attribute(name), b.attribute(name))
    ]
    texts += [f"{name}: {_shorten(a.attribute(name))}, {_shorten(b.attribute(name))}" for name in names]
    quants = [i for i, (x, y) in enumerate(zip(a.results, b.results, strict=False)) if x.type.quant != y.type.quant]
    texts += [f"quantization of result {i}: {a.results[i].type}, {b.results[i].type}" for i in quants]
    if texts:
        yield Change(VALUES, graph, _operator_text(a), _operator_text(b), "; ".join(texts))
    for x, y in zip(a.regions, b.regions, strict=False):
        yield from _compare_operators(x, y)


def _name_and_types(op: Op) -> str:
    """Returns an operator's name and types as text; operators correspond if it is the same."""
    operands = ", ".join("none" if value is None else _type_text(value) for value in op.inputs)
    return f"{op.name}({operands}) -> {', '.join(map(_type_text, op.results))}"


def _type_text(value: Value) -> str:
    """Returns the type of a value without its quantization, as text."""
    return str(value.type._replace(quant=None))


def _operator_text(op: Op | None) -> str:
    """Returns an operator's name with its location, or that of its result, as text; "" for None."""
    if op is None:
        return ""
    return name_with_location(op.name, op.location or next((value.name for value in op.results), ""))


def _constant_difference(pair: tuple[Value | None, Value | None]) -> str:
    """Returns how two constants differ, as text: how many elements, and the first of them."""
    arrays = [None if value is None else value.constant for value in pair]
    if arrays[0] is None or arrays[1] is None or arrays[0].shape != arrays[1].shape:
        return "a constant and something else"
    wrong = np.argwhere(arrays[0] != arrays[1])
    if not len(wrong):
        return "other bits of equal numbers"
    index = tuple(wrong[0].tolist())
    return f"{len(wrong)} of {arrays[0].size} elements, at {list(index)} {arrays[0][index]} and {arrays[1][index]}"


def _shorten(value: Any) -> str:
    """Returns an attribute as text of at most 63 characters."""
    text = repr(value.tolist() if isinstance(value, np.ndarray) else value)
    return text if len(text) <= 60 else f"{text[:60]}..."
