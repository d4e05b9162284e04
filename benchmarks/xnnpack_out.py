"""TFLite -> TOSA -> XNNGraph: which models go, and whether XNNPACK computes the same; the nodes that are written.

python benchmarks/xnnpack_out.py [MODEL ...]  # without a model, writes docs/results/xnnpack-out.md

Needs the engines `executorch`, which runs the graphs, and `litert`. Nothing but the bytes of the `.tosa` goes to the
writer.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import tosa_converter as tc
from tosa_converter.conversion import count_ops
from tosa_converter.engines import ENGINES, Arrays, source_engine
from tosa_converter.engines.executor import Executor
from tosa_converter.formats import encode
from tosa_converter.proof.compare import compare_runs

FOLDER = Path(__file__).parent.parent / "models"
sys.path += [str(FOLDER), str(FOLDER.parent / "tests")]
from longer.tflite_out import every_model, first_line  # noqa: E402
from support.results_page import measured_part  # noqa: E402
from support.xnnpack_table import nodes  # noqa: E402

NODES = """## Nodes

What nodes become in TOSA is in [operators](../reference/operators.md). Here is what TOSA's operators are written
as, by the graphs of models/xnnpack: of those that a node is written from, the shortest of floats and of bytes.

| node | from floats | from bytes |
| --- | --- | --- |
"""
ZOO = """
## Models

TFLite to TOSA with `--numerics xnnpack --state io --control-flow flatten`, and from its bytes alone to XNNGraph.
Operators are counted without constants; outputs are those of XNNPACK, through ExecuTorch, on random inputs, compared
with the TOSA graph's. Floats beyond 1e-5 of the largest are judged as `verify` does: against the source, by the
spread of LiteRT's own runs.

| model | operators | TOSA | nodes | in XNNPACK |
| --- | ---: | ---: | ---: | --- |"""


LIMIT = 900.0  # seconds that a run of the executor may take


class Written:
    """XNNPACK on what is written of a TOSA graph."""

    name = "executorch"
    opsets = frozenset({"tosa"})

    def __init__(self, graph: tc.ir.Model) -> None:
        self.graph = graph

    def takes(self, model: tc.ir.Model) -> bool:
        """The graph that the other was written of."""
        return model.opset in self.opsets

    def run(self, model: tc.ir.Model, inputs: Arrays) -> dict[str, tc.ir.Array]:
        """Outputs by the names of the written graph."""
        pairs = zip(self.graph.main.inputs, model.main.inputs, strict=True)
        return ENGINES[self.name].run(self.graph, {x.name: inputs[y.name].view(x.type.dtype.numpy) for x, y in pairs})

    def run_steps(self, model: tc.ir.Model, steps: Sequence[Arrays]) -> list[dict[str, tc.ir.Array]]:
        """Runs in a row: state is at the borders."""
        return [self.run(model, inputs) for inputs in steps]


class Row(NamedTuple):
    """What came of a model."""

    name: str
    counts: tuple[int, ...]
    equal: str


def written(path: Path) -> Row:
    """A model as XNNGraph."""
    source = tc.load(path)
    counts: tuple[int, ...] = (count_ops(source).total(),)
    try:
        signature = next(iter(source.signatures)) if len(source.signatures) > 1 else ""
        forms = {"state": "io", "control_flow": "flatten", "signature": signature}
        tosa = tc.convert(source, numerics="xnnpack", **forms)
        counts += (count_ops(tosa).total(),)
        graph = tc.to_xnn(b"".join(map(bytes, encode(tosa, ".tosa"))))
    except tc.ConverterError as error:
        return Row(path.name, counts, f"refused: {_reasons(error)}")
    counts += (count_ops(graph).total(),)
    rounded = " (softmax of floats)" if graph.notes else ""
    return Row(path.name, counts, ", ".join(dict.fromkeys(_verdicts(source, tosa, graph))) + rounded)


def _verdicts(source: tc.ir.Model, tosa: tc.ir.Model, graph: tc.ir.Model) -> Iterator[str]:
    """For each output how far XNNPACK is off the TOSA graph, and by which rule that is right or wrong."""
    engine, stateful = Written(graph), bool(tosa.main_states)
    tosa.states = dict.fromkeys(tosa.graphs, ())  # inputs like others
    (comparison,) = compare_runs(tosa, Executor(LIMIT), tosa, [engine], [_inputs(tosa, 0)])
    judged = comparison
    if any(not output.verdict and output.type.startswith("fp") for output in comparison.outputs) and not stateful:
        further = partial(_inputs, source)
        (judged,) = compare_runs(source, source_engine(source), tosa, [engine], [further(0)], further=further)
    for output, second in zip(comparison.outputs, judged.outputs, strict=True):
        if not output.mismatches:
            yield "equal"
        elif output.type.startswith("fp"):
            rule = "" if output.verdict else f" ({second.rule})"
            yield f"within {output.max_abs / output.reference_max:.1e}{rule}"
        else:
            yield f"{output.mismatches} of {output.elements} differ"


def _inputs(model: tc.ir.Model, seed: int) -> dict[str, tc.ir.Array]:
    return tc.random_inputs(model, seed=seed)


def _reasons(error: tc.ConverterError) -> str:
    """The operators of a refusal, with their reasons."""
    places = getattr(error, "places", ()) or error.lines
    kinds = Counter(line.partition(": ")[2].partition("(")[0] or line for line in places)
    return "; ".join(f"{n} {name}" for name, n in kinds.most_common(4)) or first_line(error)


def main() -> None:
    """Writes the page, or prints the rows of single models."""
    if len(sys.argv) > 1:
        print_rows(Path(name) for name in sys.argv[1:])
        return
    with measured_part("xnnpack-out.md"):
        print(NODES.rstrip())
        print("\n".join(nodes()))
        print(ZOO)
        print_rows(every_model())


def print_rows(paths: Iterable[Path]) -> None:
    """Prints the row of each model, and how many were written."""
    rows = []
    for path in paths:
        rows.append(written(path))
        counts = [str(n) for n in rows[-1].counts] + [""] * (3 - len(rows[-1].counts))
        print(f"| {path.name} | {' | '.join(counts)} | {rows[-1].equal} |", flush=True)
    equal = sum(not row.equal.startswith("refused") for row in rows)
    print(f"\n{equal} of {len(rows)} models go.", flush=True)


if __name__ == "__main__":
    main()
    os._exit(0)  # ExecuTorch's threads would be waited for
