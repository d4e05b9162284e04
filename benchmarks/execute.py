"""Our executor against the TOSA reference model, LiteRT and IREE, and IREE against LiteRT, over the zoo.

    pip install -e '.[verify,iree]'
    python benchmarks/execute.py [--runs 5] [MODEL ...]

All run the same model on the same inputs in one thread: LiteRT's reference kernels, its optimized kernels without and
with XNNPACK, the reference model (its whole call, for it has no other), IREE the conversion by its preset, and our
executor with checks off, compiled once. LiteRT's inputs are copied in, IREE's lie in its buffers; neither's outputs are
copied out. Medians. Ratios say how many times as long as ours the other takes. Memory is the peak of everything that
our executor allocates to compile and run, plus the weights, as a multiple of the weights plus the largest set of values
that are alive at once.
"""

import argparse
import os
import sys
import tracemalloc
from collections.abc import Callable, Iterable
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from measure import geometric_mean, muted, seconds, table

import tosa_converter as tc
from tosa_converter import formats
from tosa_converter.engines.iree import DRIVER, Iree
from tosa_converter.errors import ConverterError, UnsupportedError
from tosa_converter.execute.plan import Executable
from tosa_converter.ir import CONSTANTS, Graph, Value
from tosa_converter.proof import zoo
from tosa_converter.proof.input_sets import random_inputs

OTHERS = ("reference model", "LiteRT reference kernels", "LiteRT optimized", "LiteRT with XNNPACK", "IREE")


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


def iree(source: tc.Model, arrays: list[np.ndarray]) -> Callable[[], object] | None:
    """A call of what IREE compiles, None where it refuses the model; states that become inputs are zeros."""
    from iree import runtime

    model = tc.convert(source, target="iree-cpu")
    try:
        path = Iree().module(model)
    except UnsupportedError:
        return None
    context = runtime.SystemContext(config=runtime.Config(DRIVER))
    context.add_vm_module(runtime.VmModule.mmap(context.instance, str(path)))
    function = context.modules.module[model.main.name].vm_function
    device, operands = context.config.device, runtime.VmVariantList(len(model.main.inputs))
    states = [np.zeros(value.type.static, value.type.dtype.numpy) for value in model.main.inputs[len(arrays) :]]
    for array in (*arrays, *states):
        on_device = runtime.asdevicearray(device, array)
        operands.push_ref(on_device._buffer_view)

    def call() -> object:
        context.vm_context.invoke(function, operands, results := runtime.VmVariantList(len(model.main.outputs)))
        return results

    return call


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
    """Seconds of ours and of `OTHERS`, and our memory."""
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
        litert(path, arrays, "BUILTIN"),
        iree(source, arrays),
    ]
    with muted():
        times = [seconds(call, 1 if i == 1 else runs) if call else None for i, call in enumerate(calls)]
    return times, memory(model, named)


def against(name: str, times: Iterable[list[float | None]], column: int) -> str:
    """How IREE does against another of `OTHERS`."""
    ratios = [row[column] / row[-1] for row in times if row[column] and row[-1]]
    return f"IREE: geometric mean {geometric_mean(ratios):.2f}x as fast as {name} over {len(ratios)} models"


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("models", nargs="*")
    arguments = parser.parse_args()
    rows, measured, multiples = [], [], []
    for entry, path in zoo.fetch(zoo.select(arguments.models)):
        try:
            times, (peak, multiple) = measure(path, arguments.runs)
        except ConverterError as error:
            print(f"{entry.name}: {str(error).splitlines()[0]}", file=sys.stderr)
            continue
        ours, *theirs = times
        cells = [f"{other * 1e3:.3f} ({other / ours:.2f}x)" if other else "-" for other in theirs]
        rows.append([entry.name, f"{ours * 1e3:.3f}", *cells, f"{peak / 1e6:.1f} ({multiple:.1f}x)"])
        measured.append(times)
        multiples.append(multiple)
        print(entry.name, file=sys.stderr)
    print(table(["model", "ours ms", *OTHERS, "memory MB"], rows))
    for column, name in enumerate(OTHERS, 1):
        ratios = [times[column] / times[0] for times in measured if times[column]]
        print(f"\n{name}: geometric mean {geometric_mean(ratios):.2f}x of our time over {len(ratios)} models")
    for column in (3, 4):
        print(f"\n{against(OTHERS[column - 1], measured, column)}")
    print(f"\nmemory: geometric mean {geometric_mean(multiples):.1f}x, largest {max(multiples, default=1):.1f}x")


if __name__ == "__main__":
    main()
