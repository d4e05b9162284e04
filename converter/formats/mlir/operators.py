"""Operators and modules of the TOSA dialect from their parts: the same for MLIR text and MLIR bytecode."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tosa_converter.formats.borders import attach_borders
from tosa_converter.formats.mlir.attributes import Attribute
from tosa_converter.formats.mlir.properties import Properties, elements_type
from tosa_converter.formats.mlir.source import Source
from tosa_converter.formats.mlir.writer import BORDERS
from tosa_converter.formats.ranks import rank_tensors
from tosa_converter.ir import Graph, Model, Op, Signature, TensorType, Value, unique_names
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import CONSTANTS, Kind, OpDef

MAIN = "main"  # the function that other tools take for the graph of a module
NAME = "tosa.tensor_name"


class VariableUse(NamedTuple):
    """The name of a variable that an operator reads or writes, and where the operator stands in the file."""

    name: str
    at: int


class Module:
    """The functions and variables of an MLIR file as they are read, and the model that they make in the end."""

    def __init__(self, source: Source) -> None:
        """Prepares to collect functions and variables of an MLIR file."""
        self.source = source
        self.properties = Properties(source)
        self.graphs: dict[str, Graph] = {}
        self._outputs: dict[str, Sequence[str]] = {}  # their names, by the graph's
        self._variables: dict[str, dict[str, Any]] = {}  # their attributes
        self._records: dict[str, str] = {}  # of the borders of functions' sources
        self._uses: list[VariableUse] = []

    # ** operators **

    def build_operator(
        self,
        row: OpDef,
        operands: Sequence[Value],
        attributes: Mapping[str, Attribute],
        regions: Sequence[Graph],
        results: list[TensorType],
        at: int,
    ) -> Op:
        """Returns an operator of the kind `row` from its parts, after checks of attributes and regions.

        A variable that it reads or writes may be declared later.
        """
        region_count = sum(attr.kind is Kind.GRAPH for attr in row.attributes)
        if len(regions) != region_count:
            raise self.source.wrong(at, f"{row.opcode} with {region_count} regions", str(len(regions)))
        element = operands[0].type.dtype if operands else None
        values = self.properties.read_attributes(row, attributes, element, at)
        elements = elements_type(attributes["values"]) if row in CONSTANTS else None
        if elements is not None and [elements] != results:
            expected = f"elements of the result's type, {type_list(results)}"
            raise self.source.wrong(attributes["values"].at, expected, str(elements))
        if row in (ops.VARIABLE_READ, ops.VARIABLE_WRITE):
            self._uses.append(VariableUse(values["name"], at))
        types = rank_tensors(row, operands, results, values, regions)
        if types is None:
            raise self.source.unsupported(f"{row.opcode} doesn't tell the rank of its unranked tensors", at)
        return Op(row, operands, types, values, regions=regions)

    # ** variables **

    def add_variable(self, attributes: dict[str, Any], at: int) -> None:
        """Adds a variable by its attributes; its name must be new and its dimensions known."""
        name = attributes["name"]
        if name in self._variables:
            raise self.source.wrong(at, "a variable of another name", f"@{name} twice")
        if any(size is None or size < 0 for size in attributes["var_shape"]):
            raise self.source.unsupported(f"variable @{name} has unknown dimensions", at)
        self._variables[name] = attributes

    def _declare_variables(self, graphs: dict[str, Graph]) -> None:
        """Adds a VARIABLE to each graph for the module's variables that it uses.

        The first graph gets unused ones too. Raises FormatError for a variable that the module doesn't declare.
        """
        for name, at in self._uses:
            if name not in self._variables:
                raise self.source.wrong(at, f"variable @{name} in the module", "none")
        used = [dict.fromkeys(_used_variables(graph)) for graph in graphs.values()]
        unused = self._variables.keys() - {name for names in used for name in names}
        used[0] |= dict.fromkeys(name for name in self._variables if name in unused)
        for graph, names in zip(graphs.values(), used, strict=True):
            graph.ops[:0] = [Op(ops.VARIABLE, (), (), dict(self._variables[name])) for name in names]

    # ** functions **

    def add_graph(self, graph: Graph, name: str, at: int, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        """Registers the graph of a function that was read, under the function's name, which must be new.

        `inputs` and `outputs` are the names of tensors that the file states, "" for none; those of outputs are applied
        at the end of the file. `at` is where the function's name stands.
        """
        if name in self.graphs:
            raise self.source.wrong(at, "a function of another name", f"@{name} twice")
        for value, preferred_name in zip(graph.inputs, inputs, strict=False):
            value.name = preferred_name or value.name
        graph.name = name
        self.graphs[name], self._outputs[name] = graph, outputs

    def keep_border_record(self, name: str, attributes: Mapping[str, Attribute]) -> None:
        """Keeps the record of the source's input and output types that a function has as an attribute."""
        record = attributes.get(BORDERS)
        if record is not None and isinstance(record.value, bytes):
            self._records[name] = record.value.decode("ascii", "replace")

    def tensor_name(self, attributes: Mapping[str, Attribute]) -> str:
        """Returns the name that the attributes of an argument or result give its tensor, or ""."""
        name = attributes.get(NAME)
        return self.source.decode_utf8(name.value, name.at) if name and isinstance(name.value, bytes) else ""

    def tensor_names(self, attribute: Attribute | None) -> list[str]:
        """Returns the tensors' names, or "", from a function's list of dictionaries for arguments or results."""
        items = attribute.value if attribute is not None and isinstance(attribute.value, list) else []
        return [self.tensor_name(item.value) if isinstance(item.value, dict) else "" for item in items]

    def model(self, file: str, quantized: str) -> Model:
        """Returns the functions as the graphs of a model, once all are read.

        `quantized` is the place where the parameters of `!quant.uniform` were passed over, "" for none.
        """
        for name, preferred_names in self._outputs.items():
            _name_outputs(self.graphs[name], preferred_names)
        order = sorted(self.graphs, key=lambda name: name != MAIN)
        graphs = {name: self.graphs[name] for name in order}
        self._declare_variables(graphs)
        model = Model(graphs, {name: Signature.of(graph) for name, graph in graphs.items()}, source=file)
        for name, record in self._records.items():
            if name in graphs:
                attach_borders(model, graphs[name], record)
        if quantized:
            reason = "TOSA states quantization by operators, so the parameters of `!quant.uniform` are ignored"
            model.notes.append((quantized, reason))
        return model


def type_list(types: list[TensorType]) -> str:
    """Returns the first types of a list as text for messages, or "none"."""
    return ", ".join(map(str, types[:8])) or "none"


def _used_variables(graph: Graph) -> list[str]:
    """Returns the names of the variables that a graph reads or writes, in order, repeated for each use."""
    return [op.attributes["name"] for op in graph.walk() if op.row in (ops.VARIABLE_READ, ops.VARIABLE_WRITE)]


def _name_outputs(graph: Graph, preferred_names: Sequence[str]) -> None:
    """Names inputs and outputs, each side uniquely; `preferred_names` are those for the outputs, "" for none.

    An output that is listed twice, or that is an input with another name, becomes the result of an IDENTITY.
    """
    seen: set[Value] = set()
    inputs = set(graph.inputs)
    for i, value in enumerate(graph.outputs):
        preferred_name = preferred_names[i] if i < len(preferred_names) else ""
        if value in seen or (value in inputs and preferred_name not in ("", value.name)):
            graph.ops.append(Op(ops.IDENTITY, [value], [value.type], result_names=[value.name]))
            value = graph.outputs[i] = graph.ops[-1].result
        seen.add(value)
        value.name = preferred_name or value.name or f"output_{i}"
    for side in (graph.inputs, [value for value in graph.outputs if value not in inputs]):
        for value, name in zip(side, unique_names(value.name for value in side), strict=True):
            value.name = name
