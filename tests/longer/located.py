"""Plants random faults in conversions; `compare_layers` must locate each at its operator.

`python -m longer.located --count 100 --seed 1` converts ten networks, changes one operator of TOSA at a time (a
RESCALE's shift, one weight, a permutation, a pad ...) so that what some operator of the source gives is another by a
run, and counts at which operator both sides are said to part. `--clean` looks for false alarms instead, at all networks
of models/small and of the zoo. Exit status 1 if a fault is blamed on another operator, or an alarm is false.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import tosa_converter as tc
from tosa_converter.engines.engine import run_with_state
from tosa_converter.errors import ConverterError
from tosa_converter.execute.plan import Context, Executable
from tosa_converter.ir import Array, Graph, Model, Op
from tosa_converter.proof import zoo
from tosa_converter.proof.compare import FLOAT_TOLERANCE
from tosa_converter.proof.input_sets import random_sets
from tosa_converter.proof.judgement import difference, largest
from tosa_converter.proof.places import find_places
from tosa_converter.rules.graph import find_problems
from tosa_converter.schemas import tosa_ops as ops

SMALL = Path(__file__).parents[2] / "models" / "small"
NETWORKS = (
    "detector.float32",
    "torch_convnext_small.float32",
    "keywords.float32",
    "lstm_stateful.dynamic",
    "detector.int8",
    "detector.uint8_io",
    "detector.int16x8",
    "encoder.int8",
    "torch_mobilenet_v2_small.int8",
    "keywords.int8",
)
STEPS = 4  # steps of networks with state
TRIES = 200  # attempts to plant a fault that changes a result
TOKENS = 200  # tokens in the embeddings of models/small
WINDOWS = (ops.CONV2D, ops.DEPTHWISE_CONV2D, ops.TRANSPOSE_CONV2D, ops.MATMUL)
Random = np.random.Generator
Fault = Callable[[Graph, Op, Random], bool]  # returns whether it changed something


def _operand(graph: Graph, op: Op, place: int, edit: Callable[[Array], Array]) -> bool:
    """Gives an operator a changed constant of its own; other readers keep the old one."""
    old = op.operands[place].constant if place < len(op.operands) else None
    if old is None or not old.size:
        return False
    new = np.ascontiguousarray(edit(old.copy()), old.dtype)
    value = op.operands[place]
    const_op = Op(ops.CONST, (), [value.type], {"values": new})
    if value.producer is None or value.producer.row is not ops.CONST or np.array_equal(new, old):
        return False
    graph.ops.insert(graph.ops.index(op), const_op)
    op.inputs = tuple([const_op.result if i == place else operand for i, operand in enumerate(op.inputs)])
    return True


def _at_one_element(rng: Random, change: Callable[[Any], Any]) -> Callable[[Array], Array]:
    def edit(values: Array) -> Array:
        i = rng.integers(values.size)
        values.reshape(-1)[i] = change(values.reshape(-1)[i])
        return values

    return edit


def _stepped(value: Any) -> Any:
    """Increases an element by one step; the largest one wraps."""
    return value * 1.25 + 0.01 if isinstance(value, np.floating) else value ^ value.dtype.type(1)


def shift(graph: Graph, op: Op, rng: Random) -> bool:
    """Changes a RESCALE's shift by one."""
    return op.row is ops.RESCALE and _operand(graph, op, 2, _at_one_element(rng, lambda n: n + (1 if n < 40 else -1)))


def multiplier(graph: Graph, op: Op, rng: Random) -> bool:
    """Reduces a RESCALE's multiplier by a 64th."""
    return op.row is ops.RESCALE and _operand(graph, op, 1, _at_one_element(rng, lambda n: n - (n >> 6)))


def zero_point(graph: Graph, op: Op, rng: Random) -> bool:
    """Changes a zero point by one."""
    row, dtype = op.row, op.operands[0].type.dtype if op.operands else None
    if row is ops.RESCALE:
        return op.results[0].type.dtype.bits == 8 and _operand(graph, op, 4, _at_one_element(rng, _stepped))
    small = dtype is not None and dtype.bits == 8 and dtype.is_integer
    return small and row in WINDOWS[:3] and _operand(graph, op, 3, _at_one_element(rng, _stepped))


def weight(graph: Graph, op: Op, rng: Random) -> bool:
    """Changes one weight."""
    floats = bool(op.operands) and op.operands[0].type.dtype.is_float
    change = (lambda n: n * 2 + 0.25) if floats else (lambda n: n ^ n.dtype.type(64))
    return op.row in WINDOWS and _operand(graph, op, 1, _at_one_element(rng, change))


def kernel(graph: Graph, op: Op, _: Random) -> bool:
    """Swaps height and width of a square kernel."""
    axes = (0, 1) if op.row is ops.DEPTHWISE_CONV2D else (1, 2)
    shape = op.operands[1].type.static if op.row in WINDOWS[:3] else ()
    square = len(shape) == 4 and shape[axes[0]] == shape[axes[1]] > 1
    return square and _operand(graph, op, 1, lambda values: values.swapaxes(*axes))


def bias(graph: Graph, op: Op, _: Random) -> bool:
    """Drops a bias."""
    return op.row in WINDOWS[:3] and _operand(graph, op, 2, np.zeros_like)


def pad(_graph: Graph, op: Op, _: Random) -> bool:
    """Moves the padding of a window to the other side."""
    if op.row in (*WINDOWS[:2], ops.AVG_POOL2D, ops.MAX_POOL2D):
        before = op.attributes["pad"]
        turned = tuple(before[i ^ 1] for i in range(4))
        op.attributes = op.attributes | {"pad": turned}
        return bool(turned != tuple(before))
    return False


def permutation(_graph: Graph, op: Op, rng: Random) -> bool:
    """Swaps two equally long axes of a TRANSPOSE."""
    if op.row is not ops.TRANSPOSE:
        return False
    perms, shape = list(op.attributes["perms"]), op.operands[0].type.static
    pairs = [(i, j) for i in range(len(perms)) for j in range(i) if shape[perms[i]] == shape[perms[j]] > 1]
    if not pairs:
        return False
    i, j = pairs[rng.integers(len(pairs))]
    perms[i], perms[j] = perms[j], perms[i]
    op.attributes = op.attributes | {"perms": tuple(perms)}
    return True


def bound(_graph: Graph, op: Op, rng: Random) -> bool:
    """Moves a bound of a CLAMP inwards."""
    if op.row is not ops.CLAMP:
        return False
    low, high = op.attributes["min_val"], op.attributes["max_val"]
    middle = min(high, max(low, 0)) if isinstance(low, float) else (low + high) // 2
    moved = (0.5 * min(high, 2.0) + 0.01) if isinstance(low, float) else middle
    op.attributes = op.attributes | ({"max_val": moved} if rng.integers(2) else {"min_val": moved})
    return True


def entry(graph: Graph, op: Op, rng: Random) -> bool:
    """Changes one entry of a TABLE by one, in the middle, where most elements are."""

    def edit(values: Array) -> Array:
        values[values.size // 2 + rng.integers(-9, 9)] ^= 1
        return values

    return op.row is ops.TABLE and _operand(graph, op, 1, edit)


def parts(_graph: Graph, op: Op, rng: Random) -> bool:
    """Swaps two parts of a CONCAT."""
    if op.row is not ops.CONCAT or len({value.type for value in op.operands}) > 1 or len(set(op.operands)) < 2:
        return False
    i = rng.integers(len(op.inputs) - 1)
    swapped = [*op.inputs[:i], op.inputs[i + 1], op.inputs[i], *op.inputs[i + 2 :]]
    op.inputs = tuple(swapped)
    return True


def sign(_graph: Graph, op: Op, _: Random) -> bool:
    """Replaces ADD by SUB or MAXIMUM by MINIMUM, and the reverse."""
    opposite = {ops.ADD: ops.SUB, ops.SUB: ops.ADD, ops.MAXIMUM: ops.MINIMUM, ops.MINIMUM: ops.MAXIMUM}
    if op.row not in opposite:
        return False
    op.name = opposite[op.row].opcode
    return True


def constant(graph: Graph, op: Op, rng: Random) -> bool:
    """Changes one element of a constant operand of ADD, SUB or MUL."""
    place = next((i for i, value in enumerate(op.operands[:2]) if value.constant is not None), -1)
    return (
        op.row in (ops.ADD, ops.SUB, ops.MUL)
        and place >= 0
        and _operand(graph, op, place, _at_one_element(rng, _stepped))
    )


FAULTS: tuple[Fault, ...] = (
    shift,
    multiplier,
    zero_point,
    weight,
    kernel,
    bias,
    pad,
    permutation,
    bound,
    entry,
    parts,
    sign,
    constant,
)


class Network(NamedTuple):
    """A source, its inputs for one run or several, and the unbroken results of its operators."""

    source: Model
    inputs: dict[str, Array]
    steps: int
    results: list[Array]


class Planted(NamedTuple):
    """A broken conversion, and the operator of its main graph that is broken or contains the broken one."""

    model: Model
    op: Op
    fault: str


def network(path: Path, seed: int) -> Network:
    """Returns a network with random inputs."""
    source = tc.load(path)
    model = tc.convert(source)
    steps = STEPS if model.stateful else 0
    inputs = draw_inputs(source, model, seed, steps)
    return Network(source, inputs, steps, results(source, model, inputs, steps))


def draw_inputs(source: Model, model: Model, seed: int, steps: int) -> dict[str, Array]:
    """Returns random inputs, [steps, ...] for several steps; those of i32 are token numbers."""
    inputs = random_sets(source, model, seed, steps)(0)
    return inputs | {name: np.abs(array) % TOKENS for name, array in inputs.items() if array.dtype == np.int32}


def results(source: Model, model: Model, inputs: dict[str, Array], steps: int) -> list[Array]:
    """Returns the results of the source's operators as the model computes them in the last step."""
    values = [
        place.value
        for places_of_value in find_places(source, model).values()
        for place in places_of_value
        if place.value.producer
    ]
    values = [value for value in values if value.constant is None]
    executable, context = Executable(model.main, keep=values), Context()
    runs = [{name: array[i] for name, array in inputs.items()} for i in range(steps)] if steps else [inputs]
    runs = [dict(zip((v.name for v in model.main.inputs), run.values(), strict=True)) for run in runs]
    return list(run_with_state(model, runs, lambda _, arrays: executable.run(arrays, context=context))[-1].values())


def _operators(graph: Graph) -> Iterator[tuple[Graph, Op, Op]]:
    """Yields each operator with operands, its graph, and the operator of the outermost graph that contains it."""
    for op in graph.ops:
        if op.operands:
            yield graph, op, op
        yield from ((inner, inner_op, op) for region in op.regions for inner, inner_op, _ in _operators(region))


def plant(source_network: Network, rng: Random) -> Planted:
    """Returns a fresh conversion with a fault that changes a result of some operator."""
    for _ in range(TRIES):
        model = tc.convert(source_network.source)
        fault, candidates = FAULTS[rng.integers(len(FAULTS))], list(_operators(model.main))
        order = (candidates[i] for i in rng.permutation(len(candidates)))
        op = next((outer for graph, op, outer in order if fault(graph, op, rng)), None)
        model.main.verified = None
        if op is not None and not find_problems(model) and _changed(source_network, model):
            return Planted(model, op, fault.__name__)
    raise RuntimeError(f"{source_network.source.source}: no fault in {TRIES} changes anything")


def _changed(source_network: Network, model: Model) -> bool:
    """Returns whether a result differs beyond the tolerance of floats; False if an overflow ends the run."""
    try:
        now = results(source_network.source, model, source_network.inputs, source_network.steps)
    except tc.UnpredictableError:
        return False
    return any(map(_differs, source_network.results, now))


def _differs(before: Array, now: Array) -> bool:
    bound = FLOAT_TOLERANCE * largest(before) if before.dtype.kind == "f" else 0.0
    return bool((difference(before, now) > bound).any())


def locate(source_network: Network, planted: Planted) -> tuple[str, tc.OperatorComparison]:
    """Returns the reported location: its operator, a group around it, elsewhere, or nowhere; and the report."""
    report = tc.compare_layers(
        source_network.source, planted.model, inputs=source_network.inputs, steps=source_network.steps
    )
    guilty, place = report.guilty, planted.op.location
    if guilty is None:
        return "nowhere", report
    if guilty.location == place:
        return "located", report
    inside = {row.location for row in report.operators if row.inside == guilty.tensor}
    return "with others" if place in inside else "elsewhere", report


def study(count: int, seed: int) -> Iterator[tuple[str, str, str, str]]:
    """Yields network, fault, verdict and location for each of `count` faults."""
    rng = np.random.default_rng(seed)
    networks = {name: network(SMALL / f"{name}.tflite", seed) for name in NETWORKS}
    for i in range(count):
        name = NETWORKS[i % len(NETWORKS)]
        planted = plant(networks[name], rng)
        verdict, report = locate(networks[name], planted)
        where = f"{planted.op.name} of {planted.op.location}"
        yield name, planted.fault, verdict, where if verdict == "located" else f"{where}: {report.sentence}"


def clean() -> Iterator[tuple[str, str, str]]:
    """Yields name, verdict and sentence for every unchanged network."""
    paths = [*sorted(SMALL.glob("*.tflite")), *(zoo.path_of(model) for model in zoo.manifest())]
    for path in (path for path in paths if path.exists()):
        try:
            source = tc.load(path)
            model = tc.convert(source)
            steps = STEPS if model.stateful else 0
            report = tc.compare_layers(
                source, model, inputs=draw_inputs(source, model, 0, steps), steps=steps, bisect=True
            )
        except ConverterError as error:
            yield path.name, "refused", str(error).splitlines()[0]
            continue
        yield path.name, "false alarm" if not report.verdict else "clean", f"{report.counts} {report.sentence}"


def main(words: list[str]) -> int:
    """Prints one line per fault or network, and a summary; returns the exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clean", action="store_true")
    arguments = parser.parse_args(words)
    counts: Counter[str] = Counter()
    for *place, verdict, text in clean() if arguments.clean else study(arguments.count, arguments.seed):
        counts[verdict] += 1
        print(f"{verdict:<12}{' '.join(place):<44}{text}", flush=True)
    print(dict(counts))
    return int(counts["elsewhere"] + counts["false alarm"] > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
