"""Everything that Model Explorer and its adapters are asked, with stand-ins for them."""

import json
import sys
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

import pytest

from tosa_converter.errors import ConverterError, MissingExtra, UsageError
from tosa_converter.pictures import server
from tosa_converter.pictures.server import Column, read_by_adapter, serve


class Config:
    """As Model Explorer's: it keeps what it is given."""

    def __init__(self) -> None:
        self.graphs_list: list[str] = []
        self.model_sources: list[dict[str, str]] = []
        self.node_data_sources: list[str] = []
        self.node_data_target_models: list[str] = []

    def add_node_data(self, name: str, text: str, target: str) -> None:
        self.node_data_sources.append(f"{name} {text}")
        self.node_data_target_models.append(target)

    def add_model_from_path(self, path: str) -> None:
        self.model_sources.append({"url": path})

    def to_url_param_value(self) -> str:
        raise NotImplementedError


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What was served last."""
    record: dict[str, Any] = {}

    def visualize(config: Config, **options: Any) -> None:
        if options["port"] == 1:
            raise SystemExit(1)
        record.update(options, graphs=config.graphs_list, address=json.loads(unquote(config.to_url_param_value())))

    explorer = SimpleNamespace(config=Config, visualize_from_config=visualize, Adapter=Adapter)
    monkeypatch.setitem(sys.modules, "model_explorer", explorer)
    return record


class Adapter:
    """What adapters derive from."""


def pane(name: str, graph: str) -> dict[str, Any]:
    return {
        "selectedCollectionLabel": name,
        "selectedGraphId": graph,
        "selectedNodeId": "",
        "deepestExpandedGroupNodeIds": [],
        "widthFraction": 0.5,
    }


def test_everything_is_handed_on(shown: dict[str, Any]) -> None:
    files = {"a.tflite": [{"id": "main"}, {"id": "other"}], "a.tosa": [{"id": "main_0"}]}
    columns = [Column("error", "a.tosa", {"main_0": {"results": {}}}), Column("SQNR", "a.tflite", {})]
    serve(files, columns, ["b.vgf", "c.spv"], port=8123, browser=False)
    installed = shown.pop("extensions")
    assert set(installed) <= set(server.ADAPTERS.values())
    assert shown == {
        "port": 8123,
        "no_open_in_browser": True,
        "graphs": [json.dumps({"graphs": graphs}) for graphs in files.values()],
        "address": {
            "models": [{"url": url} for url in ("graphs://a.tflite/0", "graphs://a.tosa/1", "b.vgf", "c.spv")],
            "nodeData": ['error {"main_0": {"results": {}}}', "SQNR {}"],
            "nodeDataTargets": ["a.tosa", "a.tflite"],
            "uiState": {"paneStates": [pane("a.tflite", "main"), pane("a.tosa", "main_0")]},
            "sync": {"mode": "match_node_id"},
        },
    }


def test_what_is_usual(shown: dict[str, Any]) -> None:
    serve({"a.tflite": [{"id": "main"}]})
    assert (shown["port"], shown["no_open_in_browser"]) == (8080, False)
    assert shown["address"] == {"models": [{"url": "graphs://a.tflite/0"}], "nodeData": [], "nodeDataTargets": []}


@pytest.mark.parametrize("installed", [True, False])
def test_adapters_that_are_installed_are_asked(
    installed: bool, shown: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: installed or None)
    serve({"a.tflite": [{"id": "main"}]})
    assert shown["extensions"] == list(server.ADAPTERS.values()) * installed


@pytest.mark.usefixtures("shown")
def test_a_port_that_is_taken() -> None:
    with pytest.raises(UsageError):
        serve({"a.tflite": [{"id": "main"}]}, port=1)


def test_without_model_explorer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "model_explorer", None)
    with pytest.raises(MissingExtra):
        serve({"a.tflite": [{"id": "main"}]})


def test_which_files_have_adapters() -> None:
    endings = {".spv"} | ({".tosa", ".vgf"} if sys.version_info < (3, 13) else set())
    assert server.ADAPTERS.keys() == endings
    assert all(name.startswith(f"{ending[1:].replace('spv', 'spirv')}_") for ending, name in server.ADAPTERS.items())
    assert {name.replace("-", "_") for name in server.PACKAGES} == {"ai_edge_model_explorer", *server.ADAPTERS.values()}


@pytest.mark.parametrize("form", ["graphs", "collections", "both", "error"])
@pytest.mark.usefixtures("shown")
def test_labels_of_an_adapter(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both forms of answers that adapters give."""

    def graph(*labels: str) -> SimpleNamespace:
        return SimpleNamespace(nodes=[SimpleNamespace(label=label) for label in labels])

    answers = {
        "graphs": {"graphs": [graph("a", "b"), graph("c")]},
        "collections": {
            "graphs": [],
            "graphCollections": [SimpleNamespace(graphs=[graph("a", "b")]), SimpleNamespace(graphs=[graph("c")])],
        },
        "both": {"graphs": [graph("a", "b"), graph("c")], "graphCollections": [SimpleNamespace(graphs=[graph("d")])]},
    }

    class Reads(Adapter):
        def convert(self, path: str, settings: dict[str, Any]) -> Any:
            assert (path, settings) == ("folder.x/m.spv", {})
            return answers[form]

    main = SimpleNamespace(Reads=Reads, Adapter=Adapter, number=3, other=str)
    monkeypatch.setitem(sys.modules, f"{server.ADAPTERS['.spv']}.main", main)
    monkeypatch.setitem(sys.modules, server.ADAPTERS[".spv"], SimpleNamespace(main=main))
    if form == "error":
        with pytest.raises(ConverterError):
            read_by_adapter("folder.x/m.spv")
    else:
        assert read_by_adapter("folder.x/m.spv") == ["a", "b", "c"]
