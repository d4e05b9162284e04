"""The plugin of pytest in sessions of its own: registered once, quick, with short failures and pages."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from support.commands import FLOAT, INT8, ROOT
from support.plugin import SOURCE, plugin_folder
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter import testing
from tosa_converter.schemas.tflite import BuiltinOperator
from tosa_converter.testing import assert_equivalent

Session = Callable[..., subprocess.CompletedProcess[str]]
PLUGINS = (["-p", "tosa_converter.testing"], ["-p", "tosa_converter.pytest_plugin"])
NAMES = re.compile(r"-[0-9a-f]{8}\.html")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Runs pytest on a file with tests, beside the plug-in's distribution if that is `installed`."""
    packages = plugin_folder(tmp_path / "packages")

    def run(tests: str, *words: str, installed: bool = True) -> subprocess.CompletedProcess[str]:
        (tmp_path / "test_models.py").write_text(tests, "utf-8")
        only_named = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # CI has the distribution installed
        environment = os.environ | ({"PYTHONPATH": str(packages)} if installed else only_named)
        line = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words, "test_models.py"]
        return subprocess.run(
            line, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
        )

    return run


def different_rule(folder: Path) -> Path:
    """Returns a plug-in whose conversion of ADD differs."""
    rule = folder / "rules.py"
    rule.write_text(
        "from tosa_converter import Rule\n"
        "def build(match):\n"
        "    return match['lhs'] + (match['rhs'] + match['rhs'])\n"
        "RULES = [Rule('tfl.add', 'fp32', build)]\n"
    )
    return rule


def refused_model(folder: Path, name: str = "custom.tflite") -> Path:
    """Returns a model that can't be converted, with control characters in its operator's name."""
    custom = Operator(BuiltinOperator.CUSTOM, (0,), (1,), custom_code="Mystery\x1b[2J\u202e")
    (folder / name).write_bytes(build([Tensor((4,)), Tensor((4,))], [custom], (0,), (1,)))
    return folder / name


# ** registration **


@pytest.mark.parametrize(
    ("words", "installed"),
    [([], True), (PLUGINS[0], False), ([*PLUGINS[0], *PLUGINS[1]], True)],
    ids=["installed", "-p", "both"],
)
def test_the_plugin_is_registered_once(session: Session, words: list[str], installed: bool) -> None:
    done = session(
        "def test(equivalent, pytestconfig):\n"
        "    plugins = pytestconfig.pluginmanager.get_plugins()\n"
        "    names = [getattr(plugin, '__name__', '') for plugin in plugins]\n"
        "    assert names.count('tosa_converter.pytest_plugin') == 1\n"
        "    assert pytestconfig.getoption('--equivalence-report') is None\n",
        *words,
        "-W",
        "error",
        installed=installed,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_without_the_distribution_there_is_no_fixture(session: Session) -> None:
    assert "fixture 'equivalent' not found" in session("def test(equivalent): pass", installed=False).stdout


def test_the_plugin_can_be_switched_off(session: Session) -> None:
    done = session("def test(request): assert 'equivalent' not in request.fixturenames", "-p", "no:tosa_converter")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_session_that_compares_nothing_loads_no_numpy(session: Session) -> None:
    """Only the plug-in's own module is rewritten."""
    done = session(
        "import sys\n"
        "def test(equivalent):\n"
        "    pass\n"
        "def test_modules():\n"
        "    names = {name for name in sys.modules if name.startswith(('numpy', 'tosa_converter', 'pytest_tosa'))}\n"
        "    public = {'tosa_converter.pytest_plugin', 'pytest_tosa_converter', 'tosa_converter.errors'}\n"
        "    assert names - {'tosa_converter', 'tosa_converter.graph_text'} - public == set()\n",
        "-k",
        "modules",
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_distribution_goes_with_this_one() -> None:
    own, other = (tomllib.loads((folder / "pyproject.toml").read_text("utf-8")) for folder in (SOURCE, ROOT))
    version = other["project"]["version"]
    assert own["project"]["version"] == version
    assert f"tosa-converter=={version}" in own["project"]["dependencies"]
    assert own["project"]["requires-python"] == other["project"]["requires-python"]
    assert "entry-points" not in other["project"]


# ** the fixture **


def test_failures_are_short(session: Session, tmp_path: Path) -> None:
    """A difference, a refused model and a wrong option: the test's own line and the message, none of our code."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    rule, model = different_rule(tmp_path), refused_model(tmp_path)
    call = f"{str(FLOAT)!r}, rules=[{str(rule)!r}]"
    done = session(
        "import pytest\n"
        "import tosa_converter as tc\n"
        "from tosa_converter.testing import assert_equivalent\n"
        f"def test_different(equivalent):\n    equivalent({call})\n"
        f"def test_refused(equivalent):\n    equivalent({str(model)!r})\n"
        f"def test_option(equivalent):\n    equivalent({str(FLOAT)!r}, numerics='exact')\n"
        f"def test_function():\n    assert_equivalent({call})\n"
        f"def test_raised():\n    assert_equivalent({str(FLOAT)!r}, numerics='exact')\n"
        "def test_expected():\n"
        "    with pytest.raises(tc.UnsupportedError):\n"
        f"        assert_equivalent({str(model)!r})\n"
    )
    assert done.returncode == 1
    assert "5 failed, 1 passed" in done.stdout
    assert "\x1b" not in done.stdout
    failures = re.split(r"^_{3,} (test_\w+) _{3,}$", done.stdout.partition("short test summary")[0], flags=re.MULTILINE)
    texts = dict(zip(failures[1::2], failures[2::2], strict=True))
    assert list(texts) == ["test_different", "test_refused", "test_option", "test_function", "test_raised"]
    expected = {
        "test_different": "First difference at operator 3",
        "test_refused": "\\x1b[2J",
        "test_option": "expected one of reference, xnnpack, compact, found 'exact'",
        "test_function": "First difference at operator 3",
        "test_raised": "UsageError",
    }
    for name, text in texts.items():
        assert expected[name] in text
        assert len(text.splitlines()) <= 20, text
        assert "converter/" not in text.replace(str(ROOT), ""), text  # no frame of this package
        assert "__tracebackhide__" not in text


# ** pages **


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_every_model_has_a_page(session: Session, tmp_path: Path, workers: tuple[str, ...]) -> None:
    """Equal, different and refused; a usage error says nothing about the model."""
    pytest.importorskip("jinja2", reason="pip install '.[report]'")
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    rule, model = different_rule(tmp_path), refused_model(tmp_path)
    done = session(
        "def test_equal(equivalent):\n"
        f"    verification = equivalent({str(INT8)!r}, runs=2, target='pro-int,ext-doubleround')\n"
        "    assert verification.operators and verification.comparisons[0].runs == 2\n"
        f"def test_different(equivalent):\n    equivalent({str(FLOAT)!r}, rules=[{str(rule)!r}])\n"
        f"def test_refused(equivalent):\n    equivalent({str(model)!r}, target='ethos-u85', runs=3)\n"
        f"def test_option(equivalent):\n    equivalent({str(FLOAT)!r}, numerics='exact')\n",
        *workers,
        "--equivalence-report",
        "pages",
    )
    assert "3 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    pages = sorted((tmp_path / "pages").iterdir())
    assert sorted(NAMES.sub("", path.name) for path in pages) == [
        "custom",
        "digits_float32",
        "digits_int8",
        "index.html",
    ]
    index = (tmp_path / "pages" / "index.html").read_text("utf-8")
    assert "1 of 3 as expected" in index
    assert all(f'href="{path.name}"' in index for path in pages if path.name != "index.html")
    refused = next(path for path in pages if path.name.startswith("custom")).read_text("utf-8")
    assert "Mystery" in refused
    assert "ethos-u85" in refused
    assert "\x1b" not in refused
    assert "\u202e" not in refused


def test_pages_of_unusual_names_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that no file may have, and what is in the folder besides."""
    pytest.importorskip("jinja2", reason="pip install '.[report]'")
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "package.json").write_text('{"x": 1}')
    (pages / f"old{testing._ROW}").write_text("half a li")  # where a session was killed
    monkeypatch.setattr(testing, "_folder", None)
    testing.begin_pages(pages, is_worker=False)
    assert [path.name for path in pages.iterdir()] == ["package.json"]
    for name in (b"\xff\xfe.tflite", b"x" * 240 + b".tflite", b"a?b#c%41.tflite", "\u202e\x07<b>.tflite".encode()):
        path = os.fsencode(tmp_path) + b"/" + name
        Path(os.fsdecode(path)).write_bytes(INT8.read_bytes())
        assert_equivalent(os.fsdecode(path), layers=False)
    with pytest.raises(tc.UnsupportedError):
        assert_equivalent(refused_model(tmp_path, "\u202e<b>refused.tflite"))
    testing.finish_pages()
    text = (pages / "index.html").read_text("utf-8")
    assert "4 of 5 as expected" in text
    assert "\u202e" not in text
    links = re.findall('href="([^"]*)"', text)
    assert sorted([*links, "index.html", "package.json"]) == sorted(path.name for path in pages.iterdir())
