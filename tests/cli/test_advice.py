"""What an error says to do next helps: full commands run as they are printed, options are those that are missing."""

import shlex
from pathlib import Path

import pytest
from support.commands import INT8, command, unwrapped
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.cli.failure import failure_figures
from tosa_converter.errors import UsageError
from tosa_converter.proof.input_sets import random_inputs
from tosa_converter.schemas.tflite import BuiltinOperator as B

COMMANDS = [
    ("m.tflite", "tflite-to-tosa m.tflite -o model.tosa"),
    ("m.tflite n.tflite", "tflite-to-tosa m.tflite n.tflite -o converted"),
    ("m.tflite -o a.tosa --explain all", "leave out --explain"),
    ("opt m.tflite -o a.tosa", "convert it first: tflite-to-tosa m.tflite -o model.tosa"),
    ("m.tosa --explain 0", "tflite-to-tosa inspect m.tosa"),
    ("inspect m.tflite --asm", "tflite-to-tosa m.tflite -o model.spv"),
    ("extract m.tflite --from nonsense -o a.tflite", "tflite-to-tosa inspect m.tflite --tensors"),
    ("extract m.tflite", "add -o part.tflite"),
    ("extract m.tflite --from sum -o a.tflite", "add --from"),
    ("run m.tflite --against executor", "run it in litert, litert-optimized, litert-xnnpack, or convert it first"),
    ("run m.tflite --limit 3", "leave out --limit"),
    ("verify m.tosa", "add --against tosa-reference-model"),
    ("m.tflite --delegate 0 -o a.tosa", "leave out --delegate"),
    ("m.tflite -o - --format spv", "-o FILE.spv"),
    ("m.tflite -o a.tosa --plugin list.py", "docs/how-to/custom-operators.md shows a plug-in"),
    ("zoo verify nobody", "tflite-to-tosa zoo list"),
    ("zoo list --filter nobody", "tflite-to-tosa zoo list"),
    ("zoo list --folder nothing", "name a folder with .tflite files"),
    ("zoo list --manifest other.toml", "docs/how-to/own-zoo.md shows a manifest"),
    ("zoo verify --folder zoo --results m.tosa --resume", "leave out --resume, or name another file with --results"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    tensors = [Tensor((2,), name=name) for name in ("a", "b", "sum", "result")]
    operators = [Operator(B.ADD, (0, 1), (2,)), Operator(B.ADD, (2, 1), (3,))]
    for name in ("m", "n"):
        Path(f"{name}.tflite").write_bytes(build(tensors, operators, (0, 1), (3,)))
    tc.save(tc.convert("m.tflite"), "m.tosa")
    Path("list.py").write_text("RULES = 42\n")
    Path("other.toml").write_text("[tool]\n")
    Path("nothing").mkdir()
    Path("zoo").mkdir()
    Path("zoo/m.tflite").write_bytes(Path("m.tflite").read_bytes())
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("line", "advice"), COMMANDS, ids=[line for line, _ in COMMANDS])
def test_advice(line: str, advice: str, capsys: pytest.CaptureFixture[str]) -> None:
    if line.startswith(("run", "verify")):
        pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    assert command(*line.split()) in (2, 3)
    last = unwrapped(capsys.readouterr().err).splitlines()[-1].strip()
    assert last.startswith(f"next: {advice}")
    words = shlex.split(last.removeprefix("next: "))
    if "tflite-to-tosa" in words:
        words = words[words.index("tflite-to-tosa") + 1 :]
        end = next((i for i, word in enumerate(words) if word in ("lists", "names", "shows")), len(words))
        assert command(*words[:end]) == 0


def test_a_model_whose_shape_is_open() -> None:
    tensors = [Tensor((1, 2), name=name, signature=(-1, 2)) for name in ("the input", "y")]
    model = tc.load(build(tensors, [Operator(B.ABS, (0,), (1,))], (0,), (1,)))
    with pytest.raises(UsageError) as error:
        random_inputs(model.main.inputs, {}, 0)
    assert error.value.lines[1] == "next: add --input-shape 'the input=1,2', with the sizes of your choice"


def test_a_missing_package_says_how_to_install_it() -> None:
    figures = failure_figures(tc.MissingExtra("LiteRT", "verify"))
    assert figures["next"] == "pip install '.[verify]' in the checkout"
    assert "pip install '.[verify]'" in figures["message"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [(("run", "x.tosa"), "run"), (("x.tosa", "-o", "y.txt"), "convert"), (("zoo", "list"), "zoo"), ((), "convert")],
)
def test_advice_of_a_class_names_the_command(words: tuple[str, ...], expected: str) -> None:
    figures = failure_figures(UsageError("wrong"), words)
    assert figures["next"] == f"tflite-to-tosa {expected} --help lists its arguments, options and their values"


def test_the_names_of_files_are_quoted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "it's $(a) model.tflite"
    path.write_bytes(INT8.read_bytes())
    assert command("opt", path, "-o", tmp_path / "a.tosa") == 2
    words = shlex.split(unwrapped(capsys.readouterr().err).splitlines()[-1])
    assert words[words.index("tflite-to-tosa") + 1] == str(path)
