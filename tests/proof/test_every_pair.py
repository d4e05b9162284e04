"""`verify SOURCE EXISTING` for every pair of formats that `load` reads."""

from itertools import product
from pathlib import Path

import pytest
from support.commands import command
from support.some import some
from support.xnnpack_cases import cases

import tosa_converter as tc
from tosa_converter.formats.table import FORMATS

KINDS = (".tflite", ".tosa", ".spv", ".vgf", ".mlir", ".mlirbc", ".xnn", ".pte", ".json")
MANIFEST = "manifest.json"  # of a chain


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network of two layers in every format."""
    folder = tmp_path_factory.mktemp("pairs")
    (folder / "m.pte").write_bytes(cases("networks")["mlp.pte"].data)
    model = tc.convert(folder / "m.pte")
    for ending in (".tosa", ".spv", ".vgf", ".mlir", ".mlirbc"):
        tc.save(model, folder / f"m{ending}")
    tc.save(tc.to_xnn(model), folder / "m.xnn")
    tc.save(tc.to_tflite(model), folder / "m.tflite")
    tc.save(tc.convert_partially(folder / "m.tflite"), folder / MANIFEST)
    return folder


def path_of(folder: Path, kind: str) -> Path:
    return folder / (MANIFEST if kind == ".json" else f"m{kind}")


def test_every_format_is_here() -> None:
    assert set(KINDS) == {row.ending for row in FORMATS if row.read}


@pytest.mark.parametrize(("first", "second"), [*product(KINDS, KINDS)])
def test_every_pair(folder: Path, first: str, second: str) -> None:
    done = tc.verify(path_of(folder, first), path_of(folder, second), layers=True, bisect=True)
    assert done.verdict
    (operators,) = done.operators
    if ".json" in (first, second):
        assert (
            operators.note
            == "a chain has its steps, not its operators: outputs are compared only, and no operator is timed"
        )
    else:
        assert operators.guilty is None
        assert operators.note.startswith("matched with the file: ")
        assert sum(row.whole is not None for row in operators.operators) >= 2
    converted = [note.location for note in done.notes if "its conversion, run by executor, " in note.text]
    expected = [str(path_of(folder, kind)) for kind in (first, second) if kind in (".xnn", ".pte")]
    assert converted == expected


@pytest.mark.parametrize("source", [".tflite", ".tosa", ".pte"])
def test_a_fault_in_an_xnngraph_is_found_at_its_operator(folder: Path, tmp_path: Path, source: str) -> None:
    graph = tc.load(folder / "m.xnn")
    second = [op for op in graph.main if op.name == "xnn.fully_connected"][1]
    bias = some(second.operands[2].producer)
    bias.attributes["values"] = bias.attributes["values"] + 1
    graph.edited = True
    tc.save(graph, tmp_path / "wrong.xnn")
    done = tc.verify(path_of(folder, source), tmp_path / "wrong.xnn", layers=True)
    assert not done.verdict
    guilty = some(done.operators[0].guilty)
    assert guilty.type.removeprefix("tosa.").removeprefix("tfl.") in ("conv2d", "fully_connected")
    assert guilty.index == {".tflite": 1}.get(source, 3)  # RESHAPE and CONV2D of the first layer, then of the second


def test_the_screen_names_what_ran(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)  # long paths are shortened
    assert command("verify", "m.tflite", "m.xnn") == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "m.xnn computes the same as LiteRT" in words
    assert "note m.xnn: no engine compares it: its conversion, run by executor, is compared" in words
