"""TFLite -> TOSA -> XNNGraph: which models go, and whether XNNPACK computes the same; the nodes that are written.

python benchmarks/xnnpack_out.py [MODEL ...] > docs/results/xnnpack-out.md

Needs the engines `executorch`, which runs the graphs, and `litert`. Nothing but the bytes of the `.tosa` goes to the
writer.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
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
from support.xnnpack_table import nodes  # noqa: E402

PREFACE = """# XNNGraph written from TOSA

[Write TFLite or XNNPACK files](../how-to/write-tflite.md) shows the command. The file has dialect XN01, or PyTorch's first
schema if the graph has additions alone. Written by `python benchmarks/xnnpack_out.py > docs/results/xnnpack-out.md`.

* **Floats** go operator by operator. Clamps become the bounds of nodes; softmax, Hardswish, Gelu, ELU, LeakyReLU and PReLU
  are recognized. REDUCE_SUM is a layer of ones, REDUCE_MAX a pool, TILE and nearest resize are products with ones.
* **Bytes** stand for no real number in TOSA, so any scale is right that gives the same bytes. All have scale 1 and the
  zero point of the RESCALE that makes them. The factor of each channel is the scale of its weights. Where a node needs
  others, Multiply by 1 gives the same bytes another scale, and Add another zero point, exactly.
* **Sums that 24 bits hold** are computed in floats, which are exact: means, products, maxima. AVG_POOL2D is a
  DepthwiseConv2d of ones. A TABLE that no function of XNNPACK has is a layer of 255 steps and one that adds them up.
* **Softmax of bytes**, which XNNPACK doesn't have, is one of floats: results may differ by 1 step, and a note says so.
* **Integers of other numerics** are refused, because XNNPACK rounds otherwise: convert with `--numerics xnnpack`.
* **Dynamic-range layers** are Convert and a layer, if the conversion makes those operators of both.
* **Groups of channels** are one convolution, maxima of distant elements a pool with dilation.
* **Not written**: uint8 except at inputs and outputs, booleans, indices computed at run time, products of two matrices of
  bytes, integers that floats don't hold. ScaledDotProductAttention, which ExecuTorch doesn't run, is written as the nodes
  that it consists of.
* **NaN**: XNNPACK's maxima, minima and pools have a rule of their own, which isn't always TOSA's.

## Nodes

What nodes become in TOSA is in [operators](../reference/operators.md). Here is what TOSA's operators are written as, by the graphs of
models/xnnpack: of those that a node is written from, the shortest of floats and of bytes.

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
    (found,) = compare_runs(tosa, Executor(LIMIT), tosa, [engine], [_inputs(tosa, 0)])
    judged = found
    if any(not output.verdict and output.type.startswith("fp") for output in found.outputs) and not stateful:
        further = partial(_inputs, source)
        (judged,) = compare_runs(source, source_engine(source), tosa, [engine], [further(0)], further=further)
    for output, second in zip(found.outputs, judged.outputs, strict=True):
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
    """The page."""
    print(PREFACE.rstrip())
    for line in nodes():
        print(line)
    print(ZOO, flush=True)
    rows = []
    for path in [Path(name) for name in sys.argv[1:]] or every_model():
        rows.append(written(path))
        counts = [str(n) for n in rows[-1].counts] + [""] * (3 - len(rows[-1].counts))
        print(f"| {path.name} | {' | '.join(counts)} | {rows[-1].equal} |", flush=True)
    equal = sum(not row.equal.startswith("refused") for row in rows)
    print(f"\n{equal} of {len(rows)} models go.", flush=True)


if __name__ == "__main__":
    main()
    os._exit(0)  # ExecuTorch's threads would be waited for
