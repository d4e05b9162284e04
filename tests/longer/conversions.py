"""The manifest of conversions: hashes of every model's conversions, so that a change of the code shows its effects.

    PYTHONPATH=tests python -m longer.conversions            # compares, and names every conversion that changed
    PYTHONPATH=tests python -m longer.conversions --write    # writes the manifest anew
    PYTHONPATH=tests python -m longer.conversions --only CONV_2D --jobs 1

The models are those of the goldens, of models/ and of the zoo (`tflite-to-tosa zoo fetch`), each in three numerics and
for three targets. A line has a hash of the `.tosa` and one of the graph's text, which doesn't depend on the order of
independent operators and on locations: "order" says that only the first one changed.
"""

import argparse
import hashlib
import sys
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from support import golden
from support.commands import MODELS
from support.golden_sources import sources

import tosa_converter as tc
from tosa_converter.errors import ConverterError
from tosa_converter.formats import encode
from tosa_converter.proof.zoo import manifest, path_of

MANIFEST = Path(__file__).parent.parent / "legalize" / "conversions.tsv"
NUMERICS = ("reference", "xnnpack", "compact")
# What a model needs; the base operators without EXT-DOUBLEROUND; an NPU, whose preset takes other forms.
TARGETS = ("", "pro-int,pro-fp,ext-int16,ext-int4,ext-bf16,ext-fft,ext-variable,ext-controlflow,none", "ethos-u85")
WAYS = tuple((numerics, target) for numerics in NUMERICS for target in TARGETS)
REFUSED = "refused"


class Line(NamedTuple):
    """What one model becomes by numerics and target, in the order of `WAYS`."""

    name: str
    hashes: tuple[str, ...]


def names() -> list[str]:
    """Returns the names of all models that are on this machine."""
    files = [f"models/{path.relative_to(MODELS)}" for path in sorted(MODELS.rglob("*.tflite"))]
    zoo = [f"zoo/{model.name}" for model in manifest() if path_of(model).is_file()]
    return [*(f"golden/{name}" for name in sources()), *files, *zoo]


def line_of(name: str) -> Line:
    """Converts a model in every way."""
    model = model_of(name)
    return Line(name, (REFUSED,) if model is None else tuple(hashed(model, *way) for way in WAYS))


def model_of(name: str) -> tc.Model | None:
    """Returns a model by its name in the manifest, or None if it is refused."""
    kind, _, rest = name.partition("/")
    try:
        content = sources()[rest].make() if kind == "golden" else zoo_path(rest) if kind == "zoo" else MODELS / rest
        return content if isinstance(content, tc.Model) else tc.load(content)
    except ConverterError:
        return None


def distinct_ways(line: Line) -> dict[str, tuple[str, str]]:
    """Returns for each hash of a line one numerics and target that give it; the name decides which of several."""
    if len(line.hashes) != len(WAYS):
        return {}
    first = zlib.crc32(line.name.encode()) % len(WAYS)
    return {line.hashes[i - first]: WAYS[i - first] for i in range(len(WAYS))}


def zoo_path(name: str) -> Path:
    """Returns the file of a model of the zoo."""
    return path_of(next(model for model in manifest() if model.name == name))


def hashed(model: tc.Model, numerics: str, target: str) -> str:
    """Returns the hashes of a conversion's bytes and of its text."""
    try:
        tosa = tc.convert(model, numerics=numerics, target=target or None)
        content = b"".join(map(bytes, encode(tosa, ".tosa")))
    except ConverterError:
        return REFUSED
    return f"{short(content)}:{short(golden.model_text(tosa).encode())}"


def short(content: bytes) -> str:
    """Returns the first 64 bits of a SHA-256."""
    return hashlib.sha256(content).hexdigest()[:16]


def read() -> dict[str, Line]:
    """Returns the manifest's lines by model."""
    rows = (line.split("\t") for line in MANIFEST.read_text().splitlines())
    return {name: Line(name, tuple(hashes)) for name, *hashes in rows}


def changes(old: Line, new: Line) -> Iterator[str]:
    """Yields the changed conversions of a model, and how each changed."""
    if len(old.hashes) != len(new.hashes):
        yield f"{old.name}: expected {len(old.hashes)} conversions, found {len(new.hashes)}"
        return
    ways = [f"{numerics} {target.partition(',')[0] or 'any target'}" for numerics, target in WAYS]
    for way, before, after in zip(ways, old.hashes, new.hashes, strict=False):
        if before != after:
            same_text = before.partition(":")[2] == after.partition(":")[2] != ""
            kind = "order" if same_text else REFUSED if after == REFUSED else "graph"
            yield f"{old.name} ({way}): {kind}"


def main(arguments: Iterable[str]) -> int:
    """Compares or writes the manifest; the status is 1 if something changed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", default="", help="models with this in their name")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(list(arguments))
    chosen = [name for name in names() if options.only in name]
    with ProcessPoolExecutor(options.jobs) as executor:
        lines = {line.name: line for line in executor.map(line_of, chosen, chunksize=8)}
    old = read() if MANIFEST.is_file() else {}
    if options.write:
        rows = (old | lines).values()
        MANIFEST.write_text("".join("\t".join((line.name, *line.hashes)) + "\n" for line in rows))
        print(f"{len(lines)} lines written")
        return 0
    missing = [f"{name}: not in the manifest" for name in lines if name not in old]
    changed = [text for name, line in lines.items() if name in old for text in changes(old[name], line)]
    print("\n".join([*missing, *changed, f"{len(lines)} models, {len(changed)} conversions changed"]))
    return int(bool(missing or changed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
