"""Writes the page docs/results/language-models.md: tokens, sizes and verdicts of language models and other networks.

    PYTHONPATH=tests python -m longer.language_models [FOLDER]

Without a folder it measures the models of models/language, in a minute; models/make_language_models.py makes more.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from support.commands import MODELS
from support.results_page import measured_part

import tosa_converter as tc
from tosa_converter.errors import ConverterError

PROMPT = (5, 17, 99, 42, 7, 5, 17)  # one and a half periods of the pattern that the Llamas are trained to continue
TOKENS = 20
HEAD = """| model | `.tflite` | `.tosa` | ratio | tokens the same | largest difference of logits | outputs |
| --- | ---: | ---: | ---: | ---: | ---: | --- |"""


def row(path: Path, folder: Path) -> str:
    """Returns the row of one model; one that has no decoder generates nothing."""
    count = TOKENS if path.stem.startswith("llama") else 0
    written = folder / "model.tosa"
    try:
        tc.save(tc.convert(path), written)
        done = tc.verify(path, generate=count, prompt=PROMPT)
    except ConverterError as error:
        return f"| {path.stem} | {path.stat().st_size / 1000:,.0f} KB | refused: {error} | | | | |"
    before, after = path.stat().st_size, written.stat().st_size
    same = difference = ""
    for generation in done.generations:
        same = f"{len(generation.tokens) - (not generation.verdict)} of {TOKENS}"
        difference = f"{max(generation.distances):.2g} of {generation.largest:.3g}"
    sizes = f"{before / 1000:,.0f} KB | {after / 1000:,.0f} KB | {after / before:.2f}"
    return f"| {path.stem} | {sizes} | {same} | {difference} | {'PASS' if done.verdict else 'FAIL'}: {done.proof} |"


def page(models: Path) -> Iterator[str]:
    """Yields the table of the models in a folder."""
    yield HEAD
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(models.glob("*.tflite")):
            yield row(path, Path(folder))


def main() -> int:
    """Writes the page; returns exit status 0."""
    models = Path(sys.argv[1]) if sys.argv[1:] else MODELS / "language"
    with measured_part("language-models.md"):
        print("\n".join(page(models)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
