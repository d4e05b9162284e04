"""The architecture: which package may import which, and that folders and wheel agree."""

import ast
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = {"schemas": "tosa_converter.schemas", "converter": "tosa_converter", "legalize": "tosa_converter.legalize"}
FOLDERS["cli"] = "tosa_converter.cli"
# What each folder may import of the others, and the two files that may look upwards: the facade and `python -m`.
ALLOWED = {
    "schemas": {"schemas"},
    "converter": {"schemas", "converter"},
    "legalize": {"schemas", "converter", "legalize"},
    "cli": {"schemas", "converter", "legalize", "cli"},
}
UPWARDS = {"converter/__init__.py": "legalize", "converter/__main__.py": "cli"}


def folder_of(module: str) -> str:
    for folder in ("schemas", "legalize", "cli"):
        if module.startswith(FOLDERS[folder]):
            return folder
    return "converter"


def imports(path: Path) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return [name for name in names if name.startswith("tosa_converter")]


@pytest.mark.parametrize("folder", FOLDERS)
def test_imports_go_one_way(folder):
    for path in (ROOT / folder).glob("*.py"):
        for name in imports(path):
            upwards = UPWARDS.get(f"{folder}/{path.name}", "")
            assert folder_of(name) in {*ALLOWED[folder], upwards}, (path.name, name)


def test_folders_are_flat_and_the_wheel_has_every_file(tmp_path):
    for folder in FOLDERS:  # a copy, because setuptools keeps what it built before beside the sources
        shutil.copytree(ROOT / folder, tmp_path / "src" / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / "src" / name)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, tmp_path / "src"]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.endswith(".py")}
    expected = set()
    for folder, module in FOLDERS.items():
        nested = [p for p in (ROOT / folder).iterdir() if p.is_dir() and p.name != "__pycache__"]
        assert not nested, nested
        expected |= {f"{module.replace('.', '/')}/{path.name}" for path in (ROOT / folder).glob("*.py")}
    assert packed == expected


def test_every_wait_for_a_process_has_a_bound():
    for path in (ROOT / "tests").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if called == "subprocess.run" or (called.endswith((".communicate", ".wait")) and called != "os.wait"):
                assert any(keyword.arg == "timeout" for keyword in node.keywords), f"{path.name}:{node.lineno}"


def modules_after(code: str) -> set[str]:
    """What a new process has imported after running code."""
    line = [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules, file=sys.stderr)"]
    return set(subprocess.run(line, check=True, capture_output=True, text=True, timeout=300).stderr.split())


def test_a_conversion_imports_little(tmp_path):
    """Every conversion waits for its imports: numpy's, the argument parser's, and few of its own."""
    model = ROOT / "models" / "digits_int8.tflite"
    words = [str(model), "-o", str(tmp_path / "x.tosa")]
    code = f"from tosa_converter.cli import main\ntry: main.main({words})\nexcept SystemExit: pass"
    more = modules_after(code) - modules_after("import numpy, argparse, locale, importlib")
    assert {name for name in more if not name.startswith("tosa_converter")} <= {"mmap", "gc", "errno"}
    assert not {name for name in more if "kernels" in name or "spirv" in name}
    assert "numpy" not in modules_after("import tosa_converter, tosa_converter.cli.main")
