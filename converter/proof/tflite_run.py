"""A TFLite file that is compared with its source, run in LiteRT as `ConversionRun` runs one of TOSA."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from tosa_converter.engines import ENGINES, Arrays
from tosa_converter.engines.litert import LiteRT
from tosa_converter.execute.plan import Context
from tosa_converter.ir import Array, Graph, Model, Value, unique_names
from tosa_converter.ir.edit import cut_at, extras_of_clones
from tosa_converter.schemas.opsets import VARIABLE


def can_be_observed(model: Model) -> bool:
    """Returns whether parts of a TFLite file can be run by themselves for their values: it keeps no state."""
    return not any(op.name in (VARIABLE, "tfl.var_handle") for graph in model.graphs.values() for op in graph)


class ObservableRun:
    """A run whose values can be chosen: those that it computes, and those that its inputs and constants fix."""

    inputs: dict[str, Array]
    computed: list[Value]
    fixed: dict[Value, Array]

    def observe(self, values: Iterable[Value]) -> None:
        """Chooses the values of the main graph that `values` and `values_from` return.

        Constants and inputs among them need no run: `fixed` holds their arrays.
        """
        distinct = dict.fromkeys(values)
        self.computed = [value for value in distinct if value.producer is not None and value.constant is None]
        self.fixed = {value: value.constant for value in distinct if value.constant is not None}
        self.fixed |= {value: self.inputs[value.name] for value in distinct if value.producer is None}


class TfliteRun(ObservableRun):
    """One run of a TFLite file in LiteRT's reference kernels.

    Args:
        model: of TFLite operators, without state; its values get names of their own.
        inputs: by the model's names.
    """

    def __init__(self, model: Model, inputs: Arrays) -> None:
        """Prepares a TFLite file to be run and observed: gives each value of the main graph its own name for LiteRT."""
        engine = ENGINES[LiteRT().name]
        assert isinstance(engine, LiteRT)
        self.engine, self.model, self.inputs = engine, model, dict(inputs)
        model.edited = True  # LiteRT runs the graph, not the file, whose names may repeat
        values = [*model.main.inputs, *(value for op in model.main.ops for value in op.results)]
        names = unique_names(value.name or f"value_{i}" for i, value in enumerate(values))
        for value, name in zip(values, names, strict=True):
            value.name = name
        self.observe(())

    @cached_property
    def values(self) -> dict[Value, Array]:
        """Returns by value the arrays that the file computes in the whole run."""
        outputs, tensors = self.engine.run_observed(self.model, self.inputs, [value.name for value in self.computed])
        results = dict(zip(self.model.main.outputs, outputs, strict=True))
        results |= {value: tensors[value.name] for value in self.computed if value.name in tensors}
        return {**{value: results[value] for value in self.computed if value in results}, **self.fixed}

    def fresh_context(self) -> Context:
        """Returns a context without variables: only files without state are observed (`can_be_observed`)."""
        return Context()

    def values_from(self, arrays: Mapping[Value, Array], keep: Sequence[Value] = ()) -> dict[Value, Array]:
        """Runs the file with `arrays` in place of some of its own values, wherever operators read these.

        Returns by value what the file itself computes for each replaced value, the values in `keep`, and the observed
        constants and inputs. The graph is cut at the replaced values: their `stand_ins` are inputs, and `clones` maps
        its values to those of the cut graph.
        """
        graph = self.model.main
        piece = cut_at(graph, [value for value in self.computed if value in arrays])
        inputs = {value.name: arrays.get(value, self.inputs[value.name]) for value in graph.inputs}
        inputs |= {name: arrays[value] for value, name in piece.stand_ins.items()}
        names = [value.name for value in keep if value not in piece.computed]
        results = (value for op in graph.ops for value in op.results)
        clones = dict(zip(results, (value for op in piece.graph.ops for value in op.results), strict=True))
        outputs, tensors = self.engine.run_observed(self._model_of(piece.graph, clones), inputs, names)
        computed = dict(zip(piece.computed, outputs, strict=False))
        return {**self.fixed, **computed, **{value: tensors[value.name] for value in keep if value.name in tensors}}

    def run_part(self, graph: Graph, clones: Mapping[Value, Value], arrays: Sequence[Array]) -> list[Array]:
        """Returns the outputs of a part of the main graph for its inputs in order.

        Args:
            graph: operators of the main graph, cloned.
            clones: its values by those of the main graph.
            arrays: its inputs.
        """
        inputs = {value.name: array for value, array in zip(graph.inputs, arrays, strict=True)}
        return self.engine.run_observed(self._model_of(graph, clones), inputs, [])[0]

    def _model_of(self, graph: Graph, clones: Mapping[Value, Value]) -> Model:
        """Returns a model with `graph`, a part of the main graph, as main graph; `clones` maps old values to new."""
        model = self.model.with_graphs({**self.model.graphs, self.model.main.name: graph})
        ops = {old.producer: new.producer for old, new in clones.items()}
        model.extras = extras_of_clones(self.model, {**clones, **ops})
        model.signatures, model.edited = {}, True
        return model
