"""The distribution pytest-tosa-converter as pip would install it, without the network that a build needs."""

import shutil
import tomllib
from pathlib import Path

from support.commands import ROOT

SOURCE = ROOT / "pytest-tosa-converter"


def plugin_folder(folder: Path) -> Path:
    """Returns a folder with the plug-in's module and metadata, for PYTHONPATH."""
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text("utf-8"))
    name, version = (project["project"][key] for key in ("name", "version"))
    modules = project["tool"]["setuptools"]["py-modules"]
    metadata = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    groups = project["project"]["entry-points"].items()
    lines = [f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in rows.items()) for group, rows in groups]
    (metadata / "entry_points.txt").write_text("".join(lines))
    (metadata / "RECORD").write_text("".join(f"{module}.py,,\n" for module in modules))
    for module in modules:
        shutil.copy(SOURCE / f"{module}.py", folder)
    return folder
