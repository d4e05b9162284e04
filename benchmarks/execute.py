"""Our executor against the TOSA reference model, and against LiteRT, over the zoo.

    pip install -e '.[verify]'
    python benchmarks/execute.py [--runs 5] [MODEL ...]

All run the same model on the same inputs in one thread: LiteRT's reference kernels, its optimized kernels without
XNNPACK, the reference model (its whole call, for it has no other), and our executor with checks off, compiled once.
Medians. Ratios say how many times as long as ours the other takes. Memory is the peak of everything that our executor
allocates to compile and run, plus the weights, as a multiple of the weights plus the largest set of values that are
alive at once.
"""

import argparse
import os
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from measure import geometric_mean, muted, seconds, table

import tosa_converter as tc
from tosa_converter import formats
from tosa_converter.errors import ConverterError
from tosa_converter.execute.plan import Executable
from tosa_converter.ir import CONSTANTS, Graph, Value
from tosa_converter.proof import zoo
from tosa_converter.proof.compare import random_inputs


def litert(path: Path, arrays: list[np.ndarray], resolver: str) -> Callable[[], None] | None:
    """A call of LiteRT, None where it refuses the model."""
    from ai_edge_litert import interpreter as runtime

    try:
        interpreter = runtime.Interpreter(
            model_path=str(path), experimental_op_resolver_type=getattr(runtime.OpResolverType, resolver), num_threads=1
        )
        details = interpreter.get_input_details()
        for detail, array in zip(details, arrays, strict=True):
            interpreter.resize_tensor_input(detail["index"], array.shape)
        interpreter.allocate_tensors()
    except (RuntimeError, ValueError):
        return None

    def call() -> None:
        for detail, array in zip(details, arrays, strict=True):
            interpreter.set_tensor(detail["index"], array)
        interpreter.invoke()

    return call


def reference_model(model: tc.Model, arrays: list[np.ndarray]) -> Callable[[], object]:
    """A call of the reference model in this process."""
    import tosa_reference_model

    content = b"".join(map(bytes, formats.encode(model, ".tosa")))
    return lambda: tosa_reference_model.run(content, arrays, tosa_level="EIGHTK")


def live_bytes(graph: Graph) -> tuple[int, int]:
    """The bytes of a graph's constants, and of the largest set of other values that some operator finds alive."""
    ops = [op for op in graph.ops if op.name not in CONSTANTS]
    last = {value: i for i, op in enumerate(ops) for value in (*op.results, *op.operands)}
    last.update(dict.fromkeys(graph.outputs, len(ops)))
    alive = {value for value in graph.inputs if value in last}
    largest = 0
    for i, op in enumerate(ops):
        alive.update(op.results)
        largest = max(largest, sum(map(_bytes, alive)))
        alive = {value for value in alive if last[value] > i}
    return sum(_bytes(op.result) for op in graph.ops if op.name in CONSTANTS), largest


def _bytes(value: Value) -> int:
    return value.type.elements * value.type.dtype.bits // 8


def memory(model: tc.Model, inputs: dict[str, np.ndarray]) -> tuple[int, float]:
    """Peak memory in bytes, and as a multiple of weights and largest live set."""
    weights, alive = live_bytes(model.main)
    tracemalloc.start()
    Executable(model.main, check=False).run(inputs)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak + weights, (peak + weights) / (weights + alive)


def measure(path: Path, runs: int) -> tuple[list[float | None], tuple[int, float]]:
    """Seconds of: ours, reference model, LiteRT's reference kernels, LiteRT's optimized kernels; and our memory."""
    source = tc.load(path)
    model = tc.convert(source)
    inputs = random_inputs(source.main.inputs, {v.name: s for v, s in source.default_shapes.items()}, 0)
    arrays = list(inputs.values())
    named = dict(zip((value.name for value in model.main.inputs), arrays, strict=True))
    executable = Executable(model.main, check=False)
    calls = [
        lambda: executable.run(named),
        reference_model(model, arrays),
        litert(path, arrays, "BUILTIN_REF"),
        litert(path, arrays, "BUILTIN_WITHOUT_DEFAULT_DELEGATES"),
    ]
    with muted():
        times = [seconds(call, 1 if i == 1 else runs) if call else None for i, call in enumerate(calls)]
    return times, memory(model, named)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("models", nargs="*")
    arguments = parser.parse_args()
    rows, ratios, multiples = [], [[], [], []], []
    for entry, path in zoo.fetch(zoo.select(arguments.models)):
        try:
            (ours, *others), (peak, multiple) = measure(path, arguments.runs)
        except ConverterError as error:
            print(f"{entry.name}: {str(error).splitlines()[0]}", file=sys.stderr)
            continue
        for column, other in zip(ratios, others, strict=True):
            column += [other / ours] if other else []
        cells = [f"{other * 1e3:.1f} ({other / ours:.2f}x)" if other else "-" for other in others]
        rows.append([entry.name, f"{ours * 1e3:.2f}", *cells, f"{peak / 1e6:.1f} ({multiple:.1f}x)"])
        multiples.append(multiple)
        print(entry.name, file=sys.stderr)
    print(
        table(
            ["model", "ours ms", "reference model", "LiteRT reference kernels", "LiteRT optimized", "memory MB"], rows
        )
    )
    names = ("the reference model", "LiteRT's reference kernels", "LiteRT's optimized kernels")
    for name, column in zip(names, ratios, strict=True):
        print(f"\n{name}: geometric mean {geometric_mean(column):.2f}x of our time over {len(column)} models")
    print(f"\nmemory: geometric mean {geometric_mean(multiples):.1f}x, largest {max(multiples, default=1):.1f}x")


if __name__ == "__main__":
    main()
