"""Serves models in Model Explorer: converted ones, and files that its adapters read."""

import importlib.util
import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote

from tosa_converter.errors import ConverterError, MissingExtra, UsageError
from tosa_converter.pictures.explorer import Json

# Arm's adapters, by the ending of what they read; two of them aren't for Python 3.13.
_BELOW_313 = {".tosa": "tosa_adapter_model_explorer", ".vgf": "vgf_adapter_model_explorer"}
ADAPTERS = {".spv": "spirv_adapter_model_explorer", **(_BELOW_313 if sys.version_info < (3, 13) else {})}
PACKAGES = {"ai-edge-model-explorer": "model_explorer", **{name.replace("_", "-"): name for name in ADAPTERS.values()}}
ANY_PORT = 8080  # or one behind it that is free


class Column(NamedTuple):
    """A set of node data in Model Explorer: its name, the name of its file, and numbers with colours by graph."""

    name: str
    file: str
    graphs: Json


def serve(
    files: Mapping[str, Sequence[Json]],
    columns: Sequence[Column] = (),
    paths: Sequence[str] = (),
    *,
    port: int = ANY_PORT,
    browser: bool = True,
) -> None:
    """Serves Model Explorer, to this machine only, until it is interrupted; it prints its address.

    Args:
        files: graphs by the name of their file; the first graphs of two files are side by side.
        columns: what colours their nodes.
        paths: files that adapters of Model Explorer read.
        port: of this machine.
        browser: whether to open one.

    Raises:
        MissingExtra: Model Explorer isn't installed.
        UsageError: the port is taken.
    """
    try:
        import model_explorer
    except ImportError:
        raise MissingExtra("show", "show") from None
    config = model_explorer.config()
    for index, (name, graphs) in enumerate(files.items()):
        config.graphs_list.append(json.dumps({"graphs": graphs}))
        config.model_sources.append({"url": f"graphs://{name}/{index}"})
    for column in columns:
        config.add_node_data(column.name, json.dumps(column.graphs), column.file)
    for path in paths:
        config.add_model_from_path(path)
    state = _two_panes({name: graphs[0]["id"] for name, graphs in files.items()}) if len(files) == 2 else {}
    shown = {
        "models": config.model_sources,
        "nodeData": config.node_data_sources,
        "nodeDataTargets": config.node_data_target_models,
        **state,
    }
    config.to_url_param_value = lambda: quote(json.dumps(shown))  # its own leaves out what is side by side
    adapters = [name for name in ADAPTERS.values() if importlib.util.find_spec(name)]
    try:
        model_explorer.visualize_from_config(config, port=port, extensions=adapters, no_open_in_browser=not browser)
    except SystemExit:
        raise UsageError(f"port {port} is in use", "next: name another one with --port") from None


def read_by_adapter(path: str) -> list[str]:
    """Reads a file by Arm's adapter for Model Explorer; returns the labels of its nodes.

    Raises:
        ConverterError: the adapter fails.
    """
    from model_explorer import Adapter

    name = ADAPTERS[os.path.splitext(path)[1]]
    module = importlib.import_module(f"{name}.main")
    (adapter,) = (item for item in vars(module).values() if isinstance(item, type) and Adapter in item.__bases__)
    try:
        answer = adapter().convert(path, {})
    except Exception as error:  # somebody else's code
        raise ConverterError(f"{name}: {type(error).__name__}: {error}") from None
    graphs = answer.get("graphs") or [graph for item in answer["graphCollections"] for graph in item.graphs]
    return [node.label for graph in graphs for node in graph.nodes]


def _two_panes(graphs: Mapping[str, str]) -> Json:
    """Returns Model Explorer's settings for two panes, a graph in each, which select nodes with equal ids together."""
    panes = [
        {
            "selectedCollectionLabel": name,
            "selectedGraphId": graph,
            "selectedNodeId": "",
            "deepestExpandedGroupNodeIds": [],
            "widthFraction": 0.5,
        }
        for name, graph in graphs.items()
    ]
    return {"uiState": {"paneStates": panes}, "sync": {"mode": "match_node_id"}}
