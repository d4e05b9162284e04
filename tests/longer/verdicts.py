"""Checks the verdict: correct networks that round on the way are equal, and planted errors are detected.

`python -m longer.verdicts seeds --count 100` compares conversions of dynamic-range and quantization-aware networks with
LiteRT on as many random inputs, one by one: none may be different.

`python -m longer.verdicts planted --count 20 MODEL ...` multiplies one constant array of a float conversion by 1 + 1e-4
or 1 - 1e-4, as many arrays of each model by random. An error counts if it moves the result of an operator, on the
source's own values, by more than what that operator may differ by: an fp64 run of the operator's piece with and without
the error says how far, apart from what judges. `compare` has to find 95 of 100 of those.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from support.networks import NETWORKS

import tosa_converter as tc
from tosa_converter.engines.litert import LiteRT
from tosa_converter.execute.plan import Executable
from tosa_converter.ir import Array, Graph, Model, Op, Value
from tosa_converter.ir.edit import cut_at
from tosa_converter.proof import zoo
from tosa_converter.proof.compare import FLOAT_TOLERANCE
from tosa_converter.proof.input_sets import random_sets, rename_inputs
from tosa_converter.proof.judgement import difference, largest
from tosa_converter.proof.places import find_places
from tosa_converter.schemas import tosa_ops as ops

SMALL = Path(__file__).parents[2] / "models" / "small"
# Networks whose outputs LiteRT's own kernels, or inputs moved by one unit in the last place, move by over 1e-6 of the
# largest value.
AMPLIFYING = (
    "pose_landmark_full",
    "selfie_segmentation",
    "selfie_segmentation_landscape",
    "hand_landmark_full",
    "hand_landmark_lite",
    "hey_rhasspy",
    "pose_detection",
    "palm_detection_full",
    "palm_detection_lite",
)
STEPS = 6  # steps of networks with state
SIZE = 1e-4


def networks(folder: Path) -> Iterator[Path]:
    """Yields the networks that round on the way: those of models/small, and three of each kind built here."""
    yield from sorted(SMALL.glob("*.dynamic*.tflite"))
    for name, write in NETWORKS.items():
        for kind in ("dynamic", "fake_quant", "pairs"):
            path = folder / f"{name}.{kind}.tflite"
            path.write_bytes(write(kind))
            yield path


def seeds(count: int) -> int:
    """Prints how often each network differs; returns exit status 1 if one does."""
    total = 0
    print("| network | within tolerance | second look | different |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for path in networks(Path(folder)):
            source = tc.load(path)
            model = tc.convert(source)
            steps = STEPS if model.stateful else 0
            comparisons = [tc.compare(source, model, seed=seed, steps=steps)[0] for seed in range(count)]
            looked = sum(any(output.second_look for output in comparison.outputs) for comparison in comparisons)
            different = sum(not comparison.verdict for comparison in comparisons)
            total += different
            print(f"| {path.stem} | {count - looked} | {looked - different} | {different} |", flush=True)
    return int(total > 0)


class Planted(NamedTuple):
    """One error: whether its own operator exceeds its bound, and whether the verdict is a difference."""

    location: str
    share: float  # as a part of its operator's largest value
    counts: bool
    detected: bool


def planted(source: Model, count: int, seed: int) -> Iterator[Planted]:
    """Yields errors planted in a model's conversion, each in one constant array."""
    rng = np.random.default_rng(seed)
    right = tc.convert(source)
    inputs = random_sets(source, right, 0)(0)
    arrays = [i for i, op in enumerate(right.main.ops) if _editable(right.main, op)]
    for number in rng.permutation(arrays)[:count]:
        model = tc.convert(source)
        op = model.main.ops[number]
        factor = np.float32(1 + rng.choice((-SIZE, SIZE)))
        op.attributes = {**op.attributes, "values": op.attributes["values"] * factor}
        share = effect(source, right, model, inputs)
        (comparison,) = tc.compare(source, model, inputs=[inputs])
        users = [user.location for user in model.main.ops if op.results[0] in user.operands]
        yield Planted(users[0], share, share > FLOAT_TOLERANCE, not comparison.verdict)


def _editable(graph: Graph, op: Op) -> bool:
    """Returns whether an operator is a constant of floats, not all 0, that some operator reads."""
    values = op.attributes.get("values")
    used = any(op.results[0] in user.operands for user in graph.ops)
    return op.row is ops.CONST and values is not None and values.dtype == np.float32 and values.any() and used


def effect(source: Model, right: Model, wrong: Model, inputs: dict[str, Array]) -> float:
    """Returns how far an error moves a source operator's result on LiteRT's values, as a part of the largest value."""
    oracle = LiteRT("litert" if LiteRT("litert").takes(source) else "litert-xnnpack")
    results = [value for op in source.main.ops for value in op.results]
    _, observed = oracle.run_observed(source, inputs, [value.name for value in results])
    runs = [_pieces(source, model, observed, inputs) for model in (right, wrong)]
    shares = [0.0]
    for name, array in runs[0].items():
        scale = largest(array)
        shares.append(float(difference(array, runs[1][name]).max(initial=0.0)) / scale if scale else 0.0)
    return max(shares)


def _pieces(source: Model, model: Model, observed: dict[str, Array], inputs: dict[str, Array]) -> dict[str, Array]:
    """Returns the fp64 results of each piece of a conversion on LiteRT's values."""
    places = find_places(source, model)
    fed: dict[Value, Array] = {}
    for value, value_places in places.items():
        for place in value_places:
            array = place.from_source(observed[value.name]) if value.name in observed else None
            if array is not None and place.value.producer is not None and place.value.constant is None:
                fed[place.value] = array
    piece = cut_at(model.main, list(fed))
    arrays = rename_inputs(source, model, inputs) | {name: fed[value] for value, name in piece.stand_ins.items()}
    outputs = Executable(piece.graph, check=False, precise=True, limit=np.inf).run(arrays)
    return {name: outputs[name] for name in piece.computed.values()}


def plant(names: Sequence[str], count: int, seed: int) -> int:
    """Prints a row for each model; returns exit status 1 if fewer than 95 of 100 counting errors are detected."""
    every: list[Planted] = []
    print("| model | planted | beyond their operator's bound | found | also found |\n| --- | --- | --- | --- | --- |")
    for name in names:
        source = tc.load(name if name.endswith(".tflite") else zoo.path_of(*zoo.select([name])))
        rows = list(planted(source, count, seed))
        every += rows
        counted = [row for row in rows if row.counts]
        detected, more = sum(row.detected for row in counted), sum(row.detected for row in rows if not row.counts)
        print(f"| {Path(name).stem} | {len(rows)} | {len(counted)} | {detected} | {more} |", flush=True)
        for row in counted:
            if not row.detected:
                print(f"missed: {row.location}, {row.share:.2g} of its operator's largest", file=sys.stderr)
    counted = [row for row in every if row.counts]
    detected = sum(row.detected for row in counted)
    print(f"{detected} of {len(counted)} found")
    return int(detected < 0.95 * len(counted))


def main() -> int:
    """Parses the command line and runs the check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["seeds", "planted"])
    parser.add_argument("models", nargs="*")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_intermixed_args()
    if arguments.what == "seeds":
        return seeds(arguments.count)
    return plant(arguments.models or AMPLIFYING, arguments.count, arguments.seed)


if __name__ == "__main__":
    sys.exit(main())
