"""Programs with one exchanged operand, result, graph number or tensor, or with something left out.

They are converted or refused with one of our errors, in every form; a bug of ours is a traceback.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import pytest
from support.cases.draw import Draw
from support.random_numbers import Numbers
from support.tflite_models import Operator, Subgraph, Tensor, build

import tosa_converter as tc
from differential.stateful.programs import ROOTS, written
from tosa_converter.errors import ConverterError

SEEDS = 40


class Damage(Numbers):
    """A damaged graph, drawn from a seed."""

    def place(self, graph: Subgraph) -> int:
        """Draws one of the tensors."""
        return self.whole(0, len(graph.tensors) - 1)

    def exchanged(self, numbers: Sequence[int], new: int) -> list[int]:
        """Returns the numbers with one of them replaced."""
        at = self.whole(0, max(len(numbers) - 1, 0))
        return [new if i == at else number for i, number in enumerate(numbers)]

    def operator(self, graph: Subgraph, change: Callable[[Operator], Operator]) -> Subgraph:
        """Replaces an operator, mostly one that names graphs."""
        calling = [i for i, op in enumerate(graph.operators) if any("subgraph" in name for name in op.options)]
        places = calling if calling and self.coin() else [*range(len(graph.operators))]
        at = self.among(*places) if places else -1
        return graph._replace(operators=[change(op) if i == at else op for i, op in enumerate(graph.operators)])

    def tensor(self, graph: Subgraph) -> Subgraph:
        """Changes the type or shape of a tensor that isn't constant."""
        at, tensors = self.place(graph), list(graph.tensors)
        dtype = self.among("int32", "float32", "int8", "bool", "resource", "int64")
        shape = self.among((), (1,), (2, 3), (0,), (5, 1, 2))
        change = {"dtype": dtype} if self.coin() else {"shape": shape}
        tensors[at] = Tensor(**{**vars(tensors[at]), "data": None, **change})
        return graph._replace(tensors=tensors)

    def named(self, op: Operator, count: int) -> Operator:
        """Replaces the numbers of graphs."""
        options = dict(op.options)
        for name, value in op.options.items():
            if name.endswith(("_index", "subgraph")):
                options[name] = self.whole(-1, count + 1)
            elif name.endswith("_indices"):
                options[name] = tuple(self.whole(0, count) for _ in value)
        return replace(op, options=options)

    def graph(self, graph: Subgraph, count: int) -> Subgraph:
        """Damages a graph in one way."""
        place = self.place(graph)
        ways: tuple[Callable[[], Subgraph], ...] = (
            lambda: self.operator(graph, lambda op: replace(op, inputs=self.exchanged(op.inputs, place))),
            lambda: self.operator(graph, lambda op: replace(op, inputs=self.exchanged(op.inputs, -1))),
            lambda: self.operator(graph, lambda op: replace(op, inputs=op.inputs[:-1])),
            lambda: self.operator(graph, lambda op: replace(op, outputs=self.exchanged(op.outputs, place))),
            lambda: self.operator(graph, lambda op: self.named(op, count)),
            lambda: self.tensor(graph),
            lambda: graph._replace(outputs=self.exchanged(graph.outputs, place)),
            lambda: graph._replace(inputs=graph.inputs[:-1]),
            lambda: graph._replace(operators=graph.operators[:-1]),
        )
        return self.among(*ways)()  # type: ignore[no-any-return]


def damaged(
    seed: int,
    tensors: Sequence[Tensor],
    operators: Sequence[Operator],
    inputs: Sequence[int],
    outputs: Sequence[int],
    called: Sequence[Subgraph],
) -> bytes:
    """Returns a file with one or two damaged graphs."""
    draw, graphs = Damage(seed), [Subgraph(tensors, operators, inputs, outputs), *called]
    for _ in range(draw.whole(1, 2)):
        at = draw.whole(0, len(called))
        graphs[at] = draw.graph(graphs[at], len(called))
    return build(*graphs[0], called=graphs[1:])


@pytest.mark.parametrize("root", ROOTS)
def test_damaged_programs_are_converted_or_refused(root: str) -> None:
    refused = 0
    for seed in range(SEEDS):
        data = written(Draw(seed, "fp32"), root, 1, plain=seed % 2 == 0, encode=partial(damaged, seed)).data
        for state, control_flow in (("variables", "keep"), ("io", "flatten")):
            try:
                tc.convert(data, state=state, control_flow=control_flow)
                assert tc.check(data) is not None
            except ConverterError:
                refused += 1
    assert 0 < refused < 2 * SEEDS
