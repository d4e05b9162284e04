"""The project file: where it is found, what it may hold, and that its options do what the typed ones do."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from support.commands import FLOAT, INT8, unwrapped

import tosa_converter as tc
from tosa_converter.cli import app, configuration, main
from tosa_converter.cli.bare import COMMANDS, plain_arguments
from tosa_converter.cli.configuration import ZOO_COMMANDS, find_project
from tosa_converter.cli.effective_options import _lines


class Done(NamedTuple):
    status: int
    out: str
    err: str


class Desk:
    """A project's folder in which commands run."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys

    def run(self, *words: object, project: str | None = None) -> Done:
        if project is not None:
            (self.folder / "tosa.toml").write_text(project, "utf-8")
        with pytest.raises(SystemExit) as exit:
            main.main([str(word) for word in words])
        out, err = self._capsys.readouterr()
        return Done(int(exit.value.code or 0), out, unwrapped(err))

    def shown(self, *words: object, project: str | None = None) -> dict[str, tuple[object, str]]:
        """Returns each option's value and origin, as --show-config has them."""
        done = self.run(*words, "--show-config", "--json", project=project)
        assert done.status == 0, done.err
        return {row["option"]: (row["value"], row["origin"]) for row in json.loads(done.out)["options"]}

    def unused(self, *words: object, project: str) -> dict[str, str]:
        done = self.run(*words, "--show-config", "--json", project=project)
        assert done.status == 0, done.err
        return {row["key"]: row["reason"] for row in json.loads(done.out)["unused"]}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path.parent))
    return Desk(tmp_path, capsys)


# ** the search **


def test_the_nearest_file_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert find_project() is None

    def path() -> str:
        project = find_project()
        assert project is not None
        return project.path

    (tmp_path / "tosa.toml").write_text("runs = 1")
    assert path() == "../../tosa.toml"
    (tmp_path / "a" / "pyproject.toml").write_text('[project]\ndependencies = ["tosa-converter"]\n')
    assert path() == "../../tosa.toml"
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.tosa-converter]\nruns = 2\n")
    assert path() == "../pyproject.toml"
    (inner / "pyproject.toml").write_text("[tool.ruff]\n")
    assert path() == "../pyproject.toml"
    (tmp_path / "a" / "tosa.toml").write_text("")
    assert path() == "../tosa.toml"
    (inner / "tosa.toml").symlink_to("nowhere")
    assert path() == "../tosa.toml"


def test_the_search_ends_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (home / "work").mkdir(parents=True)
    (tmp_path / "tosa.toml").write_text("runs = 1")
    monkeypatch.chdir(home / "work")
    monkeypatch.setenv("HOME", str(home))
    assert find_project() is None


def test_a_removed_folder_has_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert find_project() is None


@pytest.mark.parametrize(
    "text",
    [
        '[tool.tosa-converter]\ntarget = "pro-int"',
        '[tool."tosa-converter"]\ntarget = "pro-int"',
        '[ tool . tosa-converter ]\ntarget = "pro-int"',
        '[tool]\ntosa-converter.target = "pro-int"',
        '[tool]\ntosa-converter = {target = "pro-int"}',
        'tool.tosa-converter.target = "pro-int"',
        'tool = {tosa-converter = {target = "pro-int"}}',
    ],
)
def test_every_form_of_the_table_is_seen(desk: Desk, text: str) -> None:
    (desk.folder / "pyproject.toml").write_text(text)
    assert desk.shown()["--target"] == ("pro-int", "pyproject.toml: tool.tosa-converter.target")


# ** what its options do **


@pytest.mark.parametrize(
    ("words", "project"),
    [
        (
            ["--numerics", "compact", "--target", "pro-int,ext-doubleround"],
            'numerics = "compact"\ntarget = "pro-int,ext-doubleround"',
        ),
        (["--io-type", "uint8", "--io-type", "output_0=float32"], 'io-type = ["uint8", "output_0=float32"]'),
        (["--input-shape", "image=3,8,8,1"], '[convert]\ninput-shape = "image=3,8,8,1"'),
    ],
)
def test_options_do_what_typed_ones_do(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, words: list[str], project: str
) -> None:
    assert desk.run(INT8, "-o", "plain.tosa").status == 0
    assert desk.run(INT8, "-o", "typed.tosa", *words).status == 0
    assert desk.run(INT8, "-o", "bare.tosa", project=project).status == 0
    assert desk.run(INT8, "-o", "without.tosa", "--no-config").status == 0
    monkeypatch.setattr(main, "plain_arguments", lambda _: None)
    assert desk.run(INT8, "-o", "typer.tosa").status == 0
    plain, typed, bare, without, typer = (
        (desk.folder / f"{name}.tosa").read_bytes() for name in ("plain", "typed", "bare", "without", "typer")
    )
    assert plain == without != typed == bare == typer


def test_a_verification_takes_numbers_flags_and_lists(desk: Desk) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    done = desk.run("verify", INT8, "--json", project='runs = 2\n[verify]\nlayers = true\nrange = ["image=0,1"]\n')
    figures = json.loads(done.out)
    assert figures["comparisons"][0]["runs"] == 2
    assert figures["operators"]
    assert figures["options"]["--range"] == {"image": [0.0, 1.0]}


def test_the_command_line_wins_then_the_command_s_table(desk: Desk) -> None:
    project = 'numerics = "compact"\nseed = 1\nruns = 2\n[verify]\nseed = 3\n'
    project += '[zoo.verify]\nruns = 4\n[zoo]\nagainst = "litert"\n'
    shown = desk.shown("verify", "--numerics", "reference", project=project)
    assert shown["--numerics"] == ("reference", "command line")
    assert shown["--seed"] == (3, "tosa.toml: verify.seed")
    assert shown["--runs"] == (2, "tosa.toml: runs")
    assert shown["--steps"] == (0, "default")
    shown = desk.shown("zoo", "verify")
    assert shown["--runs"] == (4, "tosa.toml: zoo.verify.runs")
    assert shown["--against"] == ("litert", "tosa.toml: zoo.against")
    assert desk.shown("verify", "--no-config")["--seed"] == (0, "default")


def test_the_words_are_parsed_to_show_options(desk: Desk) -> None:
    for words in (["verfy"], ["verify", "--run", "3"], ["verify", "--runs", "0"], ["run", "--limit", "x"]):
        done = desk.run(*words, "--show-config")
        assert (done.status, done.out) == (2, "")
    for words in ([], ["convert"], ["--no-config"], ["ops"], ["zoo", "fetch"]):
        assert desk.run(*words, "--show-config").out.startswith("project file: none\n")


def test_what_is_shown_is_what_a_command_takes(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bare form and Typer's give `convert` the same arguments."""
    calls: list[dict[str, object]] = []

    def convert(models: list[str], **arguments: object) -> int:
        assert models == [str(INT8)]
        calls.append({name: value for name, value in arguments.items() if value})
        return 0

    monkeypatch.setattr("tosa_converter.cli.convert.convert", convert)
    project = 'target = "pro-int"\nallow-custom = true\nbound = ["a=1"]\nfloat = "fp16"\nlimit = 7\nruns = 3\n'
    assert desk.run(INT8, "-o", "a", "--signature", "s", project=project).status == 0
    monkeypatch.setattr(main, "plain_arguments", lambda _: None)
    assert desk.run(INT8, "-o", "a", "--signature", "s").status == 0
    shown = desk.shown(INT8, "-o", "a", "--signature", "s")
    sequence = calls[1].pop("sequence")
    assert calls[0] == calls[1]
    values = {option: value for option, (value, origin) in shown.items() if origin != "default"}
    assert values.pop("--json")
    assert list(values.values()) == ["a", "pro-int", ["a=1"], "fp16", True, "s", 7]
    assert sorted(map(str, values.values())) == sorted(map(str, calls[0].values()))
    assert shown["--sequence"] == (sequence, "default")


def test_folders_start_from_the_project_file(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = desk.folder / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)
    assert desk.shown("verify", project='samples = "photos"\n')["--samples"][0] == "../photos"
    assert desk.shown("verify", project='samples = "/photos"\n')["--samples"][0] == "/photos"
    assert desk.shown("verify", project='samples = ""\n')["--samples"][0] == ""


# ** options that don't go together **


@pytest.mark.parametrize(
    ("words", "project", "key", "reason"),
    [
        (["verify", "--seed", "4"], 'samples = "x"', "samples", "--samples can't be used together with --seed"),
        (["verify", "--input", "x.npy"], 'samples = "x"', "samples", "--samples can't be used together with --input"),
        (["verify", "--input", "x.npy"], "seed = 4", "seed", "--seed can't be used together with --input"),
        (["run", "--image", "x.png"], 'range = "0,1"', "range", "--range can't be used together with --image"),
        (["verify"], 'seed = 4\n[verify]\nsamples = "x"', "seed", "--seed can't be used together with --samples"),
        (["verify"], 'scale = "raw"', "scale", "it needs --image or --audio or --samples"),
        (["convert"], "limit = 5", "limit", "it needs --float"),
        (["convert"], "runs = 5", "runs", "convert has no such option"),
        (["inspect"], 'target = "pro-int"', "target", "inspect checks only what the command line asks for"),
        (["inspect"], 'numerics = "compact"', "numerics", "it needs --check"),
        (["inspect", "--level", "8k"], 'target = "pro-int"', "target", "can't be used together with --level"),
        (["verify", "--runs", "4"], "runs = 5", "runs", "the command line states it"),
    ],
)
def test_options_that_cannot_apply_yield(desk: Desk, words: list[str], project: str, key: str, reason: str) -> None:
    unused = desk.unused(*words, project=project)
    assert list(unused) == [f"tosa.toml: {key}"]
    assert reason in unused[f"tosa.toml: {key}"]


def test_a_check_that_is_asked_for_has_the_project_s_target(desk: Desk) -> None:
    project = 'target = "pro-int"\n'
    assert desk.run("inspect", FLOAT, project=project).status == 0
    assert desk.run("inspect", FLOAT, "--check").status == 4
    assert desk.run("inspect", FLOAT, "--check", "--no-config").status == 0
    assert desk.run("inspect", FLOAT, project='[inspect]\ntarget = "pro-int"\n').status == 4


def test_two_options_of_one_table_that_exclude_each_other_are_an_error(desk: Desk) -> None:
    done = desk.run("verify", INT8, project='runs = 2\nsamples = "x"\n')
    assert done.status == 2
    assert "can't be used together with" in done.err
    assert "next: leave out one of them" in done.err


# ** refusals **


@pytest.mark.parametrize(
    ("project", "status", "texts"),
    [
        (
            'numeric = "compact"',
            2,
            ["tosa.toml: expected the name of an option or a command, found 'numeric'", "did you mean 'numerics'?"],
        ),
        ("[verfy]\nruns = 3", 2, ["found 'verfy'", "did you mean 'verify'?"]),
        ("[verify]\nrun = 3", 2, ["tosa.toml: verify: expected", "did you mean 'runs'?"]),
        ("[diff]\nzzz = 3", 2, ["tosa.toml: diff: expected", "found 'zzz'"]),
        ("[convert]\nruns = 3", 2, ["tosa.toml: convert.runs: tflite-to-tosa convert has no option --runs"]),
        ("verify = 3", 2, ["tosa.toml: verify: expected a table of options, found 3"]),
        ("[target]\nx = 1", 2, ["tosa.toml: target: expected LIST as a text, found a table"]),
        ('target = ["8k"]', 2, ["tosa.toml: target: expected LIST as a text, found an array"]),
        ("target = true", 2, ["tosa.toml: target: expected LIST as a text, found True"]),
        ("target = 1979-05-27", 2, ["tosa.toml: target: expected LIST as a text, found datetime.date"]),
        ('target = "ethos-u58"', 2, ["tosa.toml: target: ", "ethos-u58"]),
        ("target = 3", 2, ["tosa.toml: target: expected a preset or a list of profiles", "found '3'\n"]),
        ('numerics = "exact"', 2, ["tosa.toml: numerics: expected one of reference, xnnpack, compact, found 'exact'"]),
        ('input-shape = "image"', 2, ["tosa.toml: input-shape: ", "expected NAME=1,224,224,3, found 'image'"]),
        (
            'input-shape = [["a=1"]]',
            2,
            ["tosa.toml: input-shape: expected NAME=1,224,224,3 as a text, or an array of texts, found an array"],
        ),
        ('allow-custom = "yes"', 2, ["tosa.toml: allow-custom: expected true or false, found 'yes'"]),
        ('float = "fp16"\nlimit = 0', 2, ["tosa.toml: limit: expected a whole number of at least 1, found 0"]),
        ("limit = true", 2, ["tosa.toml: limit: expected a whole number of at least 1, found True"]),
        ("limit = 1.5", 2, ["tosa.toml: limit: expected a whole number of at least 1, found 1.5"]),
        (
            'plugin = "rules.py"',
            2,
            [
                "tosa.toml: plugin: a project file can't hold --plugin: it runs code",
                "next: state --plugin on the command line",
            ],
        ),
        ('output = "/etc/passwd"', 2, ["tosa.toml: output: a project file can't hold --output: it names a file"]),
        (
            '[verify]\nreport = "x.html"',
            2,
            ["tosa.toml: verify.report: a project file can't hold --report: it names a file"],
        ),
        ('extract = "x"', 2, ["tosa.toml: extract: a project file can't hold --extract: it names a file"]),
        ('dump-ir = "x"', 2, ["can't hold --dump-ir: it names a file"]),
        ('iree-flag = "-o=x"', 2, ["can't hold --iree-flag: it can make IREE's compiler write files"]),
        ("json = true", 2, ["can't hold --json: it is for a single run"]),
        ("no-config = true", 2, ["expected the name of an option"]),
        ('"\\u001b[2J\\n" = 1', 2, ["found '\\x1b[2J\\n'"]),
        ('target = "\\u001b[2J"', 2, ["found '\\x1b[2j'"]),
        (
            "target = ",
            3,
            [
                "tosa.toml: can't read it as TOML: Invalid value",
                "next: correct the file, or leave it out by --no-config",
            ],
        ),
        ("x = " + "[" * 9000, 3, ["tables and arrays that aren't nested so deep"]),
        ("a" + ".a" * 500 + "=1", 3, ["expected at most 400 dots in a line, found more"]),
        ("x = " + "9" * 9000, 3, ["can't read it as TOML"]),
        ("#" * 300_000, 2, ["tosa.toml: expected a project file of at most 256 KB, found more"]),
    ],
)
def test_refusals(desk: Desk, project: str, status: int, texts: list[str]) -> None:
    done = desk.run(INT8, "-o", "x.tosa", project=project)
    assert (done.status, done.out) == (status, "")
    assert "\x1b" not in done.err
    assert [text for text in texts if text not in done.err] == []
    assert len(done.err) < 3000
    assert not (desk.folder / "x.tosa").exists()
    assert desk.run(INT8, "-o", "x.tosa", "--no-config").status == 0


def test_a_mark_in_front_of_the_file(desk: Desk) -> None:
    """Editors of Windows write one."""
    assert desk.shown("verify", project="\ufeffruns = 2\n")["--runs"][0] == 2


def test_a_tolerance_that_is_no_number_is_named_once(desk: Desk) -> None:
    done = desk.run("verify", INT8, project="atol = nan\n")
    assert done.status == 2
    assert "tosa.toml: atol: expected a finite number from 0 on, found nan\n" in done.err


def test_files_that_are_none(desk: Desk) -> None:
    path = desk.folder / "tosa.toml"
    for is_folder, text in ((True, "Is a directory"), (False, "expected a plain file")):
        path.mkdir() if is_folder else os.mkfifo(path)
        done = desk.run(INT8, "-o", "x.tosa")
        assert (done.status, done.err.count("\n")) == (2, 2)
        assert f"error: tosa.toml: {text}" in done.err
        path.rmdir() if is_folder else path.unlink()
    path.write_bytes(b"\xff\x00")
    assert "can't read it as TOML" in desk.run(INT8, "-o", "x.tosa").err
    path.unlink()
    (desk.folder / "pyproject.toml").write_text("[tool.tosa-converter]\n[tool.tosa-converter]\n")
    assert desk.run(INT8, "-o", "x.tosa").status == 3
    (desk.folder / "pyproject.toml").write_text("[tool]\ntosa-converter = 3\n")
    assert "tool.tosa-converter: expected a table, found 3" in desk.run(INT8, "-o", "x.tosa").err
    (desk.folder / "pyproject.toml").write_text("[tool.ruff\n")
    assert desk.run(INT8, "-o", "x.tosa").status == 0


def test_an_error_of_a_command_names_the_project_s_options(desk: Desk) -> None:
    done = desk.run(FLOAT, "-o", "x.tosa", project='target = "pro-int"\n')
    assert done.status == 4
    assert "\n  with options of tosa.toml: target; --no-config leaves them out\n" in done.err
    done = desk.run("inspect", INT8, project='[inspect]\nsignature = "x"\n')
    assert done.status == 2
    assert "with options of tosa.toml: inspect.signature; --no-config leaves them out" in done.err
    assert "tosa.toml" not in desk.run("nothing.tflite", "-o", "x.tosa", project="runs = 3\n").err


# ** what is safe, and what it costs **


def test_every_option_of_every_command_is_known() -> None:
    """An option that a project file may hold neither runs code nor names a file to write."""
    group = app.every_command()
    commands = [group.commands[name] for name in COMMANDS if name != "zoo"]
    commands += [group.commands["zoo"].commands[name] for name in ZOO_COMMANDS]
    names = {word for row in commands for option in row.params for word in option.opts if word.startswith("--")}
    own = {field.flag.name for field in configuration.PROJECT_OPTIONS.values()}
    assert names - own == {f"--{name}" for name in configuration._flags()}
    assert own <= names
    flags = configuration._flags()
    assert {"target", "numerics", "samples", "runs", "against"} <= configuration._safe_options()
    metavars = {name: flags[name].metavar for name in configuration._safe_options()}
    assert {name for name, text in metavars.items() if re.search("FILE|DIR|OUT", text)} <= {"samples", "labels"}
    dangerous = {"plugin", "output", "report", "partial", "extract", "dump-ir", "results", "junit", "scheduler", "svg"}
    assert not configuration._safe_options() & dangerous


def test_the_api_reads_no_project_file(desk: Desk) -> None:
    (desk.folder / "tosa.toml").write_text('target = "pro-fp"\n')
    assert tc.convert(INT8).report.numerics == "reference"


def test_only_a_project_file_costs_the_reader_of_toml(tmp_path: Path) -> None:
    code = "import sys, atexit; atexit.register(lambda: print('tomllib' in sys.modules, 'typer' in sys.modules))\n"
    code += "from tosa_converter.cli.main import main; main(sys.argv[1:])"
    line = [sys.executable, "-c", code, str(INT8), "-o", "m.tosa"]
    assert plain_arguments(line[3:]) is not None

    def imported() -> str:
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True)
        return done.stdout.splitlines()[-1]

    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\ndependencies = ["tosa-converter"]\n')
    assert imported() == "False False"
    (tmp_path / "tosa.toml").write_text('numerics = "compact"\n')
    assert imported() == "True False"


def test_the_table_of_options_is_aligned_text() -> None:
    """A value of more than 30 characters moves only the origin of its own row."""
    long = "x" * 31
    values: dict[str, object] = {
        "--a": None,
        "--list": ["a=1", "b=2"],
        "--yes": True,
        "--no": False,
        "--zero": 0,
        "--half": 0.5,
    }
    values |= {"--none": "", "--void": [], "--word": "Fp16", "--long": long}
    rows = [{"option": name, "value": value, "origin": "default"} for name, value in values.items()]
    unused = [{"key": "tosa.toml: runs", "reason": "convert has no such option"}]
    assert [*_lines({"file": "tosa.toml", "options": rows, "unused": unused})] == [
        "project file: tosa.toml",
        f"  --a     {'-':30}  default",
        f"  --list  {'a=1 b=2':30}  default",
        f"  --yes   {'true':30}  default",
        f"  --no    {'false':30}  default",
        f"  --zero  {'0':30}  default",
        f"  --half  {'0.5':30}  default",
        f"  --none  {'-':30}  default",
        f"  --void  {'':30}  default",
        f"  --word  {'Fp16':30}  default",
        f"  --long  {long}  default",
        "not applied: tosa.toml: runs: convert has no such option",
    ]
    assert [*_lines({"file": None, "options": rows[:3], "unused": []})] == [
        "project file: none",
        "  --a     -        default",
        "  --list  a=1 b=2  default",
        "  --yes   true     default",
    ]
    assert [*_lines({"file": None, "options": [], "unused": []})] == ["project file: none"]


def test_the_table_of_options_has_the_values_of_the_json(desk: Desk) -> None:
    """In the text, None is a dash, words of a list stand apart, and truth values are in small letters."""
    project = 'runs = 2\nbound = ["a=1", "b=2"]\n[verify]\nlayers = true\n'
    done = desk.run("verify", "--limit", "7", "--show-config", project=project)
    shown = desk.shown("verify", "--limit", "7", project=project) | {"--json": (False, "default")}
    rows = [re.split(" {2,}", line.strip()) for line in done.out.splitlines()[1:]]
    values = {"-": None, "true": True, "false": False, "0": 0, "2": 2, "7": 7, "a=1 b=2": ["a=1", "b=2"]}
    assert {option: (values.get(text, text), origin) for option, text, origin in rows} == shown
    assert [option for option, *_ in rows] == [*shown]
