"""The architecture: the packages that each package may import, and the agreement of folders and wheel."""

import ast
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support.commands import ROOT
from support.source_modules import FOLDERS, modules

GROUND = {"errors", "figures", "identifiers", "ir", "dtypes", "memory", "processes", "graph_text", "display"}
GROUND |= {"notebook"}
# The folders that each folder may import; the facade, its functions in `api`, `__main__` and the command import any.
SEES = {
    "schemas": set(),
    "ground": {"schemas"},
    "rules": {"schemas", "ground"},
    "formats": {"schemas", "ground", "rules"},
    "execute": {"schemas", "ground", "rules"},
    "option_values": {"schemas", "ground", "rules"},
    "option_flag": set(),
    "compare_options": {"ground", "option_values", "option_flag"},
    "options": {"schemas", "ground", "rules", "option_values", "option_flag", "compare_options"},
    "rewriting": {"schemas", "ground", "rules", "options", "execute.definition"},
    "engines": {"schemas", "ground", "rules", "formats", "execute", "rewriting"},
    "extraction": {"schemas", "ground", "rewriting"},
    "pictures": {"schemas", "ground", "formats"},
    "proof": {"schemas", "ground", "rules", "formats", "execute", "engines", "extraction", "pictures"},
    "conversion": {"schemas", "ground", "rules", "options", "execute", "rewriting"},
    "known_dims": {"schemas", "ground", "rules", "execute", "conversion"},
    "coverage": {"schemas", "ground", "rules", "options", "rewriting", "conversion"},
    "explanation": {"schemas", "ground", "rules", "options", "rewriting", "conversion"},
    "partition": {"schemas", "ground", "rules", "formats", "rewriting", "conversion", "coverage", "extraction"},
    "inspection": {"schemas", "ground", "rules", "formats", "conversion"},
    "testing": {"ground", "options", "proof"},
    "pytest_plugin": {"ground", "testing"},
    "zoo": {"schemas", "ground", "rules", "formats", "execute", "engines", "proof"},
    "legalize": {"schemas", "ground", "rules", "rewriting", "formats.tflite", "formats.flexbuffer"},
}
# `undefined` asks LiteRT about the elements that its kernels leave to chance.
# A zoo verifies its models by the API. Options name the types of rules, of their trace and of saved runs.
BESIDES = {
    "legalize.tflite.undefined": {"engines", "proof"},
    "options": {"rewriting"},
    "compare_options": {"proof"},
    "zoo": {"api", "options", "option_values"},
}


def folder_of(module: str) -> str:
    first = module.partition(".")[0]
    return "ground" if first in GROUND else first


def imports(path: Path) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return [name.removeprefix("tosa_converter.") for name in names if name.startswith("tosa_converter.")]


@pytest.mark.parametrize("folder", SEES)
def test_imports_go_one_way(folder: str) -> None:
    for module, path in modules().items():
        if folder_of(module) != folder:
            continue
        seen = {folder, *SEES[folder], *BESIDES.get(module, ())}
        for name in imports(path):
            assert folder_of(name) in seen or any(name.startswith(f"{prefix}.") for prefix in seen), (module, name)


def test_definitions_do_not_import_fast_forms() -> None:
    for module, path in modules().items():
        for name in imports(path):
            assert folder_of(module) == "execute" or not name.startswith("execute.fast"), (module, name)
            inner = name.startswith("execute.") and not name.startswith(("execute.definition.", "execute.limits."))
            assert not (inner and module.startswith("execute.definition")), (module, name)


# What a plug-in may import; docs/how-to/custom-operators.md lists it.
PUBLIC = (
    "rewriting.expr",
    "rewriting.operators",
    "rewriting.pattern",
    "rewriting.rule.rule",
    "legalize.ops",
    "legalize.limits",
    "legalize.custom",
    "schemas",
    "formats.flexbuffer",
    "ir.Array",
)


def test_custom_operators_use_the_interface_of_plug_ins() -> None:
    for module, path in modules().items():
        if module.startswith("legalize.custom."):
            inner = [name for name in imports(path) if not f"{name}.".startswith(tuple(f"{part}." for part in PUBLIC))]
            assert not inner, (module, inner)


def test_the_page_of_plug_ins_lists_what_they_may_import() -> None:
    page = (ROOT / "docs" / "how-to" / "custom-operators.md").read_text()
    table = page.partition("| import | what it has |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `tosa_converter\.(\S+)` \|", table, re.M)) == set(PUBLIC)


def test_only_the_ways_out_import_the_order_of_passes() -> None:
    """They convert a candidate by its source's passes, which consist of the other modules."""
    for module, path in modules().items():
        if folder_of(module) in ("legalize", "rewriting") and not module.startswith("legalize.invert."):
            assert not [name for name in imports(path) if name.startswith("legalize.pipelines")], module


def test_the_folders_form_no_cycle() -> None:
    below: dict[str, set[str]] = {}
    for folder, seen in SEES.items():  # each imports only folders above it in the table
        assert {prefix.partition(".")[0] for prefix in seen} <= below.keys(), folder
        below[folder] = seen


def test_every_module_is_under_a_rule() -> None:
    free = {"", "__init__", "__main__", "api", "cli"}
    assert {folder_of(module) for module in modules()} - free == set(SEES)


def test_the_wheel_has_every_file(tmp_path: Path) -> None:
    for folder in FOLDERS:  # a copy, because setuptools keeps what it built before beside the sources
        shutil.copytree(ROOT / folder, tmp_path / "src" / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / "src" / name)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(tmp_path / "src")]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.endswith(".py")}
    expected = set()
    for folder, module in FOLDERS.items():
        files = (path.relative_to(ROOT / folder) for path in (ROOT / folder).rglob("*.py"))
        expected |= {f"{module.replace('.', '/')}/{file}" for file in files}
    assert packed == expected


def test_every_wait_for_a_process_has_a_bound() -> None:
    for path in (ROOT / "tests").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            if called == "subprocess.run" or (called.endswith((".communicate", ".wait")) and called != "os.wait"):
                assert any(keyword.arg == "timeout" for keyword in node.keywords), f"{path.name}:{node.lineno}"


def modules_after(code: str) -> set[str]:
    """Returns the modules that a new process has imported after running code."""
    line = [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules, file=sys.stderr)"]
    return set(subprocess.run(line, check=True, capture_output=True, text=True, timeout=300).stderr.split())


def test_a_conversion_imports_little(tmp_path: Path) -> None:
    """Every conversion waits for its imports: numpy's, and few of its own; docs/explanation/start-up.md says more."""
    model = ROOT / "models" / "digits_int8.tflite"
    words = [str(model), "-o", str(tmp_path / "x.tosa")]
    code = f"from tosa_converter.cli import main\ntry: main.main({words})\nexcept SystemExit: pass"
    more = modules_after(code) - modules_after("import numpy, importlib")
    assert {name for name in more if not name.startswith("tosa_converter")} <= {"mmap", "gc", "errno", "array", "copy"}
    quiet = ("definition", "fast", "spirv")
    assert not {name for name in more if any(word in name for word in quiet) or name in ("typer", "argparse")}
    assert "numpy" not in modules_after("import tosa_converter, tosa_converter.cli.main")


TRICKS = {
    "gc.set_threshold": "__main__",
    "os._exit": "__main__",
    "os.environ.setdefault": "__main__",
    "def __getattr__(name": "__init__",
    "class _Members": "schemas.enumeration",
}


def test_tricks_for_a_quick_start_are_in_one_module() -> None:
    """docs/explanation/start-up.md lists them; only the parser imports Typer."""
    for trick, home in TRICKS.items():
        homes = {module or "__init__" for module, path in modules().items() if trick in path.read_text()}
        assert homes == {home}, trick
    users = {module for module, path in modules().items() if re.search(r"^(from|import) typer", path.read_text(), re.M)}
    assert users == {"cli.app"}
    page = (ROOT / "docs" / "explanation" / "start-up.md").read_text()
    table = page.partition("| file | trick |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+/\w+\.py)` \|", table, re.M)) == {
        "converter/__init__.py",
        "converter/__main__.py",
        "cli/bare.py",
        "schemas/enumeration.py",
    }
