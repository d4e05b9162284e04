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
# What each folder may import of the others; only the facade may import legalize from below.
ALLOWED = {
    "schemas": {"schemas"},
    "converter": {"schemas", "converter"},
    "legalize": {"schemas", "converter", "legalize"},
    "cli": {"schemas", "converter", "legalize", "cli"},
}


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
            facade = folder == "converter" and path.name == "__init__.py"
            assert folder_of(name) in ALLOWED[folder] or (facade and folder_of(name) == "legalize"), (path.name, name)


def test_folders_are_flat_and_the_wheel_has_every_file(tmp_path):
    for folder in FOLDERS:  # a copy, because setuptools keeps what it built before beside the sources
        shutil.copytree(ROOT / folder, tmp_path / "src" / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tmp_path / "src" / name)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, tmp_path / "src"]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.endswith(".py")}
    expected = set()
    for folder, module in FOLDERS.items():
        nested = [p for p in (ROOT / folder).iterdir() if p.is_dir() and p.name != "__pycache__"]
        assert not nested, nested
        expected |= {f"{module.replace('.', '/')}/{path.name}" for path in (ROOT / folder).glob("*.py")}
    assert packed == expected


def test_the_command_starts_without_heavy_imports():
    code = (
        "import sys; import tosa_converter.cli.main, tosa_converter.cli.work, tosa_converter.legalize.pipelines;"
        "heavy = ('ml_dtypes', 'flatbuffers', 'tflite', 'ai_edge_litert', 'rich', 'scipy');"
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
