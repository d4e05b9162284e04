"""A model as graphs of Model Explorer, in the JSON that its adapters give it, with ids that files of one model share.

Operators of one place of the source map are a layer of that name, and a single one is a node under the id of such a
layer: by equal ids Model Explorer leads from a source operator to all that it became, and back.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

from tosa_converter.errors import shortened
from tosa_converter.ir import CONSTANTS, ELIDED, Attribute, Graph, Model, Op, Value, unique_names

LAYER = "___group___"  # behind the name of a layer, its id
_SEPARATORS = str.maketrans("/;", "\N{DIVISION SLASH},")  # they would divide the name of a layer
_HIDDEN = "const"  # Model Explorer shows nodes of this label only when it is asked to
_MOST = 200  # characters of an attribute

Json: TypeAlias = dict[str, Any]
Ends: TypeAlias = dict[Value, tuple[str, int]]  # where an edge begins: the node, and which of its outputs


def all_graphs(model: Model) -> list[Graph]:
    """Returns the graphs of a model and of its operators' regions, each once; those of regions after their owner's."""
    return list(dict.fromkeys(inner for graph in model.graphs.values() for inner in graph.walk_graphs()))


def graphs_of(model: Model, taken: Iterable[str] = ()) -> list[Json]:
    """Returns every graph of a model as Model Explorer's JSON, with unique ids that aren't among `taken`."""
    every = all_graphs(model)
    ids = dict(zip(every, unique_names((graph.name for graph in every), taken), strict=True))
    return [_graph_json(graph, ids) for graph in every]


class Place(NamedTuple):
    """Where Model Explorer shows an operator: the id of its node, and the layer that the node is in ("" for none)."""

    id: str
    layer: str


def places_of(graph: Graph) -> dict[Op, Place]:
    """Returns the id of each operator's node in Model Explorer, and the layer (a group of nodes) that the node is in.

    Operators with the same source location, apart from constants, share a layer of that name. An operator alone at its
    location has the id of such a layer.
    """
    names = {op: op.location.partition(" '")[0].translate(_SEPARATORS) for op in graph.ops}  # without the tensor's
    count = Counter(name for op, name in names.items() if name and op.name not in CONSTANTS)
    return {
        op: Place(name + LAYER, "")
        if count[name] == 1 and op.name not in CONSTANTS
        else Place(f"op {i}", name if count[name] > 1 else "")
        for i, (op, name) in enumerate(names.items())
    }


def _graph_json(graph: Graph, ids: dict[Graph, str]) -> Json:
    """Returns a graph as Model Explorer's JSON: nodes for inputs, operators and outputs, with edges."""
    ends: Ends = {}
    nodes = [_make_node(f"input {i}", value.name, ends, results=(value,)) for i, value in enumerate(graph.inputs)]
    nodes += [_operator_node(op, place, ends, ids) for op, place in places_of(graph).items()]
    nodes += [_make_node(f"output {i}", value.name, ends, operands=(value,)) for i, value in enumerate(graph.outputs)]
    return {"id": ids[graph], "nodes": nodes}


def _operator_node(op: Op, place: Place, ends: Ends, ids: dict[Graph, str]) -> Json:
    """Returns an operator's node in Model Explorer's JSON, with its attributes and the ids of its regions' graphs."""
    label = _HIDDEN if op.name in CONSTANTS else op.attributes.get("custom_code") or op.base_name
    return _make_node(place.id, label, ends, op.inputs, op.results) | {
        "namespace": place.layer,
        "subgraphIds": [ids[region] for region in op.regions],
        "attrs": _key_value_list(
            {
                "place": op.location,
                **{_attribute_key(name): attribute_text(value) for name, value in op.attributes.items()},
            }
        ),
        "inputsMetadata": [
            {"id": str(i), "attrs": _key_value_list({"__tensor_tag": op.row.input(i).name})}
            for i in range(len(op.inputs) if op.row is not None and op.row.inputs else 0)
        ],
    }


def _make_node(
    id: str, label: str, ends: Ends, operands: Iterable[Value | None] = (), results: Iterable[Value] = ()
) -> Json:
    """Returns a node as Model Explorer's JSON, with its incoming edges.

    `ends` maps earlier values to the node and output number at which their edges begin; the results are added to it.
    """
    edges = [(i, *ends[value]) for i, value in enumerate(operands) if value in ends]
    ends |= {value: (id, i) for i, value in enumerate(results)}
    return {
        "id": id,
        "label": label or id,
        "namespace": "",
        "incomingEdges": [
            {"sourceNodeId": source, "sourceNodeOutputId": str(output), "targetNodeInputId": str(i)}
            for i, source, output in edges
        ],
        "outputsMetadata": [
            {"id": str(i), "attrs": _key_value_list({"tensor_name": value.name, "tensor_shape": str(value.type)})}
            for i, value in enumerate(results)
        ],
    }


def _attribute_key(attribute: str) -> str:
    """Returns an attribute's key for Model Explorer, which shows the elements of constants under `__value`."""
    return "__value" if attribute == "values" else attribute


def _key_value_list(texts: dict[str, str]) -> list[Json]:
    """Returns texts as Model Explorer's list of key and value pairs; empty texts are left out."""
    return [{"key": key, "value": value} for key, value in texts.items() if value]


def attribute_text(value: Attribute) -> str:
    """Returns an attribute as a short text for people; of a large array only the first elements."""
    if hasattr(value, "ravel"):
        more = " ..." if value.size > ELIDED else ""
        return shortened(f"{value.ravel()[:ELIDED].tolist()}{more}", _MOST)
    return shortened(getattr(value, "name", None) or repr(value), _MOST)
