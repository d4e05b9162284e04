"""The graphs of one file, with the facts that callers know them by: signatures, state and borders."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from tosa_converter.display import LONGEST, Displayed, few, short_line
from tosa_converter.dtypes import SIGNLESS
from tosa_converter.graph_text import text_of
from tosa_converter.ir.graph import Graph, Op, Value
from tosa_converter.ir.types import Array, Shape, TensorType
from tosa_converter.schemas.tosa_ops import VARIABLE


class Signature(NamedTuple):
    """A named entry point of a model: its graph, and the caller's names for the graph's inputs and outputs."""

    graph: str
    inputs: dict[str, Value]
    outputs: dict[str, Value]

    @classmethod
    def of(cls, graph: Graph) -> "Signature":
        """Returns the signature in which inputs and outputs have the graph's own names."""
        return cls(
            graph.name, {value.name: value for value in graph.inputs}, {value.name: value for value in graph.outputs}
        )

    def with_values(self, inputs: Mapping[Value, Value], outputs: Mapping[Value, Value]) -> "Signature":
        """Returns a copy of the signature in which values are replaced, as the maps from old to new say."""
        return Signature(
            self.graph,
            {name: inputs.get(value, value) for name, value in self.inputs.items()},
            {name: outputs.get(value, value) for name, value in self.outputs.items()},
        )


# Behind the name of an input that is state, in the name of the output that is the next run's input. A conversion has
# `Model.states`; of a file of TOSA that some other tool wrote, these names are all that says what is state.
NEXT = ".next"


class State(NamedTuple):
    """A state that persists between runs: the names of the input that takes it and the output that has its next value.

    `initial` has the elements for the first run, `type` is that of the source's variable; None where unknown. `carried`
    says that the source has both as an input and an output too, such as a decoder's cache: its callers carry it.
    """

    input: str
    output: str
    initial: Array | None
    type: "TensorType | None" = None
    carried: bool = False


class Border(NamedTuple):
    """What the source model says about a graph's input or output: its name, type and order of dimensions.

    Dimension i of the graph's value is dimension `permutation[i]` of the source's; empty where the order is the same.
    """

    name: str
    type: TensorType
    permutation: tuple[int, ...] = ()

    @classmethod
    def of(cls, value: Value) -> "Border":
        """Returns the name and type of a source's own input or output, as a `Border` without permutation.

        Quantization per block (`block`) or with scales computed at run time (`rows`) is left out.
        """
        quant = value.type.quant
        return cls(value.name, value.type._replace(quant=None if quant and (quant.block or quant.rows) else quant))

    @property
    def shape(self) -> Shape:
        """The source's shape, with dimensions in the order of the graph's value."""
        shape = self.type.shape
        # A source of [1, 3, 224, 224] that the graph has as NHWC: permutation (0, 2, 3, 1) gives (1, 224, 224, 3).
        return tuple(shape[axis] for axis in self.permutation) if self.permutation else shape

    def fits(self, type: TensorType) -> bool:
        """Returns whether a value of this type can hold the source's elements.

        The known sizes must agree, and the element types must be equal but for sign, or both floats.
        """
        dtype = SIGNLESS.get(self.type.dtype, self.type.dtype)
        shape, other = self.shape or (1,), type.shape or (1,)  # SPIR-V has no rank 0
        sizes = zip(shape, other, strict=False)
        same = len(shape) == len(other) and all(None in pair or pair[0] == pair[1] for pair in sizes)
        return same and (dtype is type.dtype or (dtype.is_float and type.dtype.is_float))


def borders_of_moved(borders: Mapping[Value, Border], *moves: Mapping[Value, Value]) -> dict[Value, Border]:
    """Returns what `borders` has for old values, by the new values that replace them.

    Each of `moves` maps old values to new ones.
    """
    return {new: borders[old] for moved in moves for old, new in moved.items() if old in borders}


def _new_values(value: Value, *moves: Mapping[Value, Value]) -> list[Value]:
    """Returns the values that replace a value, one from each map that has it; the value itself if no map does."""
    return [moved[value] for moved in moves if value in moved] or [value]


class Model(Displayed):
    """The graphs of one file; the first one is the main graph.

    `source` is where it was read from, for messages; `default_shapes` are for values with unknown dimensions; `opset`
    is that of the operators: `tosa`, `tfl`, `xnn` (with kernels of `aten` among them) or `chain`. `notes` are what the
    reader took otherwise than the file says: place, text; `extras` what only the writer of the same format asks for;
    `edited` says that the file has another graph. `states` are by the name of the graph that has them, `borders` of
    inputs and outputs whose source is known.
    """

    __slots__ = (
        "borders",
        "default_shapes",
        "edited",
        "extras",
        "graphs",
        "metadata",
        "notes",
        "opset",
        "signatures",
        "source",
        "states",
    )

    def __init__(
        self,
        graphs: dict[str, Graph],
        signatures: dict[str, Signature] | None = None,
        metadata: dict[str, Any] | None = None,
        source: str = "",
        default_shapes: dict[Value, tuple[int, ...]] | None = None,
        opset: str = "tosa",
    ) -> None:
        """Creates a model of graphs by name, the main graph first.

        Readers and passes set the other fields, such as the notes of the report.
        """
        self.graphs = graphs
        self.signatures = signatures or {}
        self.metadata = metadata or {}
        self.source = source
        self.default_shapes = default_shapes or {}
        self.opset = opset
        self.notes: list[tuple[str, str]] = []
        self.extras: dict[Op | Value, Any] = {}
        self.edited = False
        self.borders: dict[Value, Border] = {}
        self.states: dict[str, tuple[State, ...]] = {}

    def with_graphs(
        self,
        graphs: dict[str, Graph],
        inputs: Mapping[Value, Value] | None = None,
        outputs: Mapping[Value, Value] | None = None,
        *,
        opset: str = "",
    ) -> "Model":
        """Returns a model with other graphs that keeps what callers know this model by.

        That is its signatures, metadata, source, states, default shapes and the source types of inputs and outputs.
        Notes and extras are about the file, so they aren't copied.

        Args:
            graphs: the new graphs by name, the main graph first.
            inputs: new values by old ones, for graph inputs; values that aren't there stay.
            outputs: the same for graph outputs; None looks these up in `inputs` too.
            opset: of the new operators; "" keeps this model's.
        """
        model = Model(graphs, {}, self.metadata, self.source, opset=opset or self.opset)
        inputs, outputs = inputs or {}, outputs or {}
        model.signatures = {name: s.with_values(inputs, outputs or inputs) for name, s in self.signatures.items()}
        for old, border in self.borders.items():
            for new in _new_values(old, inputs, outputs):
                model.borders[new] = border
        for old, shape in self.default_shapes.items():
            for new in _new_values(old, inputs, outputs):
                if None in new.type.shape:
                    model.default_shapes[new] = shape
        model.states = dict(self.states)
        return model

    def border(self, value: Value) -> Border | None:
        """Returns the name, type and order of dimensions of an input or output in the source; None if unknown.

        They count as unknown if the value's type has changed, so that it can't hold the source's elements.
        """
        border = self.borders.get(value)
        return border if border is not None and border.fits(value.type) else None

    def __repr__(self) -> str:
        source = f" of {self.source}" if self.source else ""
        return short_line(f"<Model{source}, {self.opset}: {few(list(self.graphs.values()), LONGEST)}>")

    def __str__(self) -> str:
        """MLIR text without the elements of large constants."""
        return text_of(self)

    @property
    def main(self) -> Graph:
        """The main graph, which is the first one."""
        return next(iter(self.graphs.values()))

    def caller_names(self, graph: Graph) -> dict[Value, str]:
        """Returns a graph's inputs and outputs with their names in its first signature; their own without one."""
        names = {value: value.name for value in (*graph.inputs, *graph.outputs)}
        for signature in self.signatures.values():
            if signature.graph == graph.name:
                pairs = (*signature.outputs.items(), *signature.inputs.items())
                return names | {value: name for name, value in pairs if value in names}
        return names

    @property
    def main_states(self) -> tuple[State, ...]:
        """The main graph's states, without those that the source's callers carry.

        A TOSA model without recorded states has one for each input X with an output X.next of the same type.
        """
        graph = self.main
        if self.states or self.opset != "tosa":
            return tuple(state for state in self.states.get(graph.name, ()) if not state.carried)
        outputs = {value.name: value.type for value in graph.outputs}
        named = [(value, value.name + NEXT) for value in graph.inputs]
        return tuple(State(value.name, name, None) for value, name in named if outputs.get(name) == value.type)

    @property
    def stateful(self) -> bool:
        """Whether the main graph of a TOSA model has state: variables, or states as inputs and outputs."""
        return bool(self.main_states) or any(op.row is VARIABLE for op in self.main)
