"""Graphs and node data for Model Explorer: every edge has its ends, and ids map to the source."""

import json
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest
from support.commands import INT8, MODELS

import tosa_converter as tc
from tosa_converter.cli.show import _graphs
from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError
from tosa_converter.ir import CONSTANTS, Graph, Model, Op, TensorType, Value
from tosa_converter.pictures.explorer import LAYER, graphs_of, places_of
from tosa_converter.pictures.overlay import BAD, FAIR, GOOD, OF_SOURCE, overlays, read_figures
from tosa_converter.pictures.server import serve

SCAN = MODELS / "loop_scan_float32.tflite"
EVIL = "</script>\x1b[31m/;\u202e ' \"&"


def operators(graph: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        node for node in graph["nodes"] if node["label"] != "const" and node["id"].split()[0] not in ("input", "output")
    ]


@pytest.mark.parametrize("path", [INT8, SCAN, MODELS / "signatures_int8.tflite", MODELS / "loop_lstm_dynamic.tflite"])
def test_edges_have_their_ends(path: Path) -> None:
    source = tc.load(path)
    for model in (source, tc.convert(source)):
        graphs = graphs_of(model)
        ids = [graph["id"] for graph in graphs]
        assert len(set(ids)) == len(ids)
        for graph in graphs:
            outputs = {node["id"]: len(node["outputsMetadata"]) for node in graph["nodes"]}
            assert len(outputs) == len(graph["nodes"])
            for node in graph["nodes"]:
                assert set(node.get("subgraphIds", ())) <= set(ids)
                assert all(int(e["sourceNodeOutputId"]) < outputs[e["sourceNodeId"]] for e in node["incomingEdges"])
        walked = [op for graph in model.graphs.values() for op in graph.walk() if op.name not in CONSTANTS]
        assert sum(len(operators(graph)) for graph in graphs) == len(walked)


def test_ids_are_the_source_map(tmp_path: Path) -> None:
    source = tc.load(INT8)
    converted = tc.convert(source)
    tc.save(converted, tmp_path / "m.tosa")
    (left,), (right,) = _graphs(["a", "b"], [source, tc.load(tmp_path / "m.tosa")]).values()
    assert (left["id"], right["id"]) == ("main", "main_0")
    places = {node["id"]: attrs(node)["place"] for node in operators(left)}
    expected = {place: Counter(op.name for op in ops) for place, ops in converted.report.source_map.items()}
    operators_by_place: dict[str, Counter[str]] = {}
    for node in operators(right):
        id = node["namespace"] + LAYER if node["namespace"] else node["id"]
        operators_by_place.setdefault(places[id], Counter())[f"tosa.{node['label']}"] += 1
    assert operators_by_place == expected


def attrs(node: dict[str, Any]) -> dict[str, str]:
    return {pair["key"]: pair["value"] for pair in node["attrs"]}


def test_slashes_in_file_names_divide_no_layer() -> None:
    x = Value(TensorType(DType.I32, (2,)), EVIL)
    first = Op("tosa.abs", [x], [x.type], location=EVIL)
    second = Op("tosa.abs", [first.result], [x.type], location=EVIL, result_names=[EVIL])
    values = Op("tosa.const", (), [TensorType(DType.I8, (1 << 16,))], {"values": np.zeros(1 << 16, np.int8)})
    (graph,) = graphs_of(Model({EVIL: Graph(EVIL, [x], [second.result], [first, second, values])}))
    (layer,) = {node["namespace"] for node in operators(graph)}
    assert not set("/;") & set(layer)
    assert len(json.dumps(graph)) < 4000


# ** node data **


@pytest.fixture(scope="module")
def figures() -> dict[str, Any]:
    return tc.verify(str(INT8), layers=True).figures()


def test_data_belong_to_their_operators(figures: dict[str, Any], tmp_path: Path) -> None:
    rows = figures["operators"][0]["operators"]
    rows[3]["whole"] |= {"mismatches": 7, "max_abs": 2.0, "sqnr_db": 30.0}
    (tmp_path / "layers.json").write_text(json.dumps(figures))
    read = read_figures(tmp_path / "layers.json")
    source, converted = tc.load(INT8), tc.convert(INT8)
    (graph,), columns = (
        graphs_of(source),
        {measure.name: (measure, results) for measure, (results,) in overlays(read, source)},
    )
    assert list(columns) == [measure.name for measure in OF_SOURCE.values()]
    place = {node["id"]: attrs(node)["place"] for node in operators(graph)}
    _, mismatches = columns["mismatching elements"]
    assert {place[id]: count for id, count in mismatches.items()} == {
        row["location"]: row["whole"]["mismatches"] for row in rows
    }
    measure, results = columns["mismatching elements"]
    colours = {place[id]: result["bgColor"] for id, result in measure.data(results)["results"].items()}
    assert colours == {row["location"]: BAD if i == 3 else GOOD for i, row in enumerate(rows)}
    ((measure, (clauses,)),) = overlays(read, converted)
    assert len(clauses) == len(figures["layers"]) == converted.report.tosa_ops.total()
    assert set(clauses.values()) == {0.0}
    errors = measure.data({"a": 0.0, "b": 1.0, "c": 1.5})["results"]
    assert [row["bgColor"] for row in errors.values()] == [GOOD, GOOD, BAD]
    assert overlays(read, tc.load(SCAN)) == []


def test_every_signature_has_its_data() -> None:
    path = MODELS / "signatures_int8.tflite"
    figures = tc.verify(str(path), layers=True).figures()
    source = tc.load(path)
    (measure, by_graph), *_ = overlays(figures, source)
    compared = [{row["index"] for row in graph["operators"] if row["whole"]} for graph in figures["operators"]]
    assert [len(results) for results in by_graph] == list(map(len, compared)) == [3, 2, 3]
    assert {measure.worst(results.values()) for results in by_graph} == {0}


def test_malformed_data_color_nothing(figures: dict[str, Any]) -> None:
    odd = json.loads(json.dumps(figures))
    for row in odd["layers"]:
        row |= {"op": ["tosa.add"], "worst": float("nan")}
    for row in odd["operators"][0]["operators"]:
        row["whole"] = dict.fromkeys(OF_SOURCE, "1e9")
    assert overlays(odd, tc.convert(INT8)) == overlays(odd, tc.load(INT8)) == []


@pytest.mark.parametrize("text", [b"", b"\xff", b"[]", b'{"operators": [1], "layers": []}', b"[" * 100_000])
def test_other_data_are_refused(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "layers.json").write_bytes(text)
    with pytest.raises(FormatError, match="expected what verify --layers --json prints"):
        read_figures(tmp_path / "layers.json")


def test_ids_distinguish_one_operator_from_several_at_a_place() -> None:
    """One operator at a place has the layer's name as its id; several are inside the layer, and constants in none."""
    x = Value(TensorType(DType.I32, (2,)), "x")
    ops = [Op("tosa.const", (), [x.type], {"values": np.zeros(2, np.int32)}, location="main:0 ADD 'y'")]
    for location in ("main:0 ADD 'y'", "main:1 SUB 'z'", "main:1 SUB 'w'", ""):
        ops.append(Op("tosa.abs", [x], [x.type], location=location))
    layer = "main:1 SUB"
    assert list(places_of(Graph("main", [x], [ops[-1].result], ops)).values()) == [
        ("op 0", ""),
        (f"main:0 ADD{LAYER}", ""),
        ("op 2", layer),
        ("op 3", layer),
        ("op 4", ""),
    ]


@pytest.mark.parametrize("places", [("a",), ("b",), ("a", "b"), ()])
def test_a_column_is_shown_if_any_graph_has_a_number(places: tuple[str, ...]) -> None:
    x = Value(TensorType(DType.FP32, (2,)), "x")
    ops = {name: Op("tosa.abs", [x], [x.type], location=name) for name in "ab"}
    model = Model({name: Graph(name, [x], [op.result], [op]) for name, op in ops.items()})
    layers = [{"op": "tosa.abs", "location": place, "worst": 0.5} for place in places]
    columns = overlays({"layers": layers}, model)
    assert [[list(graph.values()) for graph in results] for _, results in columns] == (
        [[[0.5] if name in places else [] for name in "ab"]] if places else []
    )


@pytest.mark.parametrize("number", [np.inf, -np.inf, float("nan"), "1", None])
def test_infinite_numbers_leave_their_node_without_a_result(number: object, figures: dict[str, Any]) -> None:
    odd = json.loads(json.dumps(figures))
    odd["operators"][0]["operators"][3]["whole"]["sqnr_db"] = number
    odd["operators"][0]["operators"][4]["whole"]["sqnr_db"] = 30
    shown = {measure.name: results for measure, (results,) in overlays(odd, tc.load(INT8))}["SQNR in dB"]
    expected = [row["whole"]["sqnr_db"] for row in odd["operators"][0]["operators"] if row["whole"]]
    assert list(shown.values()) == [x for x in expected if isinstance(x, int | float) and np.isfinite(x)]
    assert 30 in shown.values()


def test_gradients_go_from_the_lowest_to_the_highest_number() -> None:
    """0 is the lowest number and 1 the highest: many decibels are good, and small differences."""
    stops = {name: measure.data({"a": 1.0})["gradient"] for name, measure in OF_SOURCE.items()}
    colours = {name: [(stop["stop"], stop["bgColor"]) for stop in gradient] for name, gradient in stops.items()}
    assert colours == {
        "mismatches": [],
        "sqnr_db": [(0, BAD), (0.5, FAIR), (1, GOOD)],
        "max_abs": [(0, GOOD), (0.5, FAIR), (1, BAD)],
        "origin": [],
    }


def test_only_the_operator_that_differs_by_itself_is_red() -> None:
    """Of a chain of three, the second differs by itself; the third inherits that with a larger difference."""
    x = Value(TensorType(DType.FP32, (2,)), "x")
    ops = [Op("tfl.abs", [x], [x.type], location=f"main:{i}") for i in range(4)]
    model = Model({"main": Graph("main", [x], [ops[-1].result], ops)}, opset="tfl")
    rows = []
    for i, (alone, whole) in enumerate([(0.0, 0.0), (0.5, 0.5), (0.0, 9.0)]):
        figures = [{"mismatches": 1, "sqnr_db": 9.0, "max_abs": d, "verdict": not d} for d in (alone, whole)]
        rows.append(
            {"type": "tfl.abs", "location": f"main:{i}", "alone": figures[0], "whole": figures[1], "verdict": not alone}
        )
    rows.append({"type": "tfl.abs", "location": "main:3", "alone": None, "whole": None, "verdict": None})
    (*_, (measure, (numbers,))) = overlays({"operators": [{"operators": rows}]}, model)
    colours = [result["bgColor"] for result in measure.data(numbers)["results"].values()]
    assert colours == [GOOD, BAD, FAIR]  # and the last one, which isn't compared, has none


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_graphs_of_two_files_are_side_by_side(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Model Explorer reads this address; the package itself isn't needed."""
    fields = "graphs_list", "model_sources", "node_data_sources", "node_data_target_models"
    config = SimpleNamespace(**{name: [] for name in fields})
    explorer = SimpleNamespace(config=lambda: config, visualize_from_config=lambda *_, **_options: None)
    monkeypatch.setitem(sys.modules, "model_explorer", explorer)
    names = [f"m{i}.tflite" for i in range(count)]
    serve({name: [{"id": f"graph of {name}", "nodes": []}] for name in names}, browser=False)
    shown = json.loads(unquote(config.to_url_param_value()))
    assert [source["url"] for source in shown["models"]] == [f"graphs://{name}/{i}" for i, name in enumerate(names)]
    panes = shown.get("uiState", {}).get("paneStates", [])
    expected = [(name, f"graph of {name}", 0.5) for name in names] if count == 2 else []
    keys = "selectedCollectionLabel", "selectedGraphId", "widthFraction"
    assert [tuple(pane[key] for key in keys) for pane in panes] == expected
