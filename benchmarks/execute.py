"""Our executor against the TOSA reference model, and against LiteRT, over the zoo.

    pip install -e '.[verify]'
    python benchmarks/execute.py [--runs 5] [MODEL ...]

All run the same model on the same inputs in one thread: LiteRT's reference kernels, its optimized kernels without
XNNPACK, the reference model (its whole call, for it has no other), and our executor with checks off, compiled once.
Medians. Ratios say how many times as long as ours the other takes.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from measure import geometric_mean, table

import tosa_converter as tc
from tosa_converter import files, zoo
from tosa_converter.comparison import random_inputs
from tosa_converter.errors import ConverterError
from tosa_converter.execute import Executable


def seconds(call: Callable[[], object], runs: int) -> float:
    """Median of several calls after a warm-up."""
    call()
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


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

    content = b"".join(map(bytes, files.encode(model, ".tosa")))
    return lambda: tosa_reference_model.run(content, arrays, tosa_level="EIGHTK")


def measure(path: Path, runs: int) -> list[float | None]:
    """Seconds of: ours, reference model, LiteRT's reference kernels, LiteRT's optimized kernels."""
    source = tc.load(path)
    model = tc.convert(source)
    inputs = random_inputs(source.main.inputs, {v.name: s for v, s in source.default_shapes.items()}, 0)
    arrays = list(inputs.values())
    executable = Executable(model.main, check=False)
    calls = [
        lambda: executable.run(dict(zip((v.name for v in model.main.inputs), arrays, strict=True))),
        reference_model(model, arrays),
        litert(path, arrays, "BUILTIN_REF"),
        litert(path, arrays, "BUILTIN_WITHOUT_DEFAULT_DELEGATES"),
    ]
    return [seconds(call, 1 if i == 1 else runs) if call else None for i, call in enumerate(calls)]


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("models", nargs="*")
    arguments = parser.parse_args()
    rows, ratios = [], [[], [], []]
    for entry, path in zoo.fetch(zoo.select(arguments.models)):
        try:
            ours, *others = measure(path, arguments.runs)
        except ConverterError as error:
            print(f"{entry.name}: {str(error).splitlines()[0]}", file=sys.stderr)
            continue
        for column, other in zip(ratios, others, strict=True):
            column += [other / ours] if other else []
        cells = [f"{other * 1e3:.1f} ({other / ours:.2f}x)" if other else "-" for other in others]
        rows.append([entry.name, f"{ours * 1e3:.2f}", *cells])
        print(entry.name, file=sys.stderr)
    print(table(["model", "ours ms", "reference model", "LiteRT reference kernels", "LiteRT optimized"], rows))
    names = ("the reference model", "LiteRT's reference kernels", "LiteRT's optimized kernels")
    for name, column in zip(names, ratios, strict=True):
        print(f"\n{name}: geometric mean {geometric_mean(column):.2f}x of our time over {len(column)} models")


if __name__ == "__main__":
    main()
