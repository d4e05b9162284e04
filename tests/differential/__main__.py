"""Compares every operator, in every type that a rule states, with LiteRT's reference kernels and the reference model.

`PYTHONPATH=tests python -m differential --count 20` draws that many cases for each operator and type, prints a line for
each and every case that differs, with its seed. Exit status 1 if one differs or fails, or if something isn't drawn.
"""

import argparse
import itertools
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from support.cases.draw import Draw
from support.cases.table import drawing, undrawn

from differential.judge import (
    BAD,
    EQUAL,
    NO_KERNEL,
    REFUSED,
    WITHIN,
    Verdict,
    claims,
    judge,
)


class Row(NamedTuple):
    """The verdicts of one operator and type."""

    name: str
    types: str
    verdicts: list[Verdict]

    def count(self, *verdicts: str) -> int:
        """Returns the number of cases with one of these verdicts."""
        return sum(verdict.verdict in verdicts for verdict in self.verdicts)

    @property
    def worst(self) -> float:
        """Returns the largest difference within the tolerance."""
        return max((verdict.difference for verdict in self.verdicts if verdict.verdict in (EQUAL, WITHIN)), default=0.0)

    @property
    def cells(self) -> list[str]:
        """Returns the cells of a table: cases, equal, within, refused by us and by LiteRT, bad, largest difference."""
        counts = [self.count(EQUAL), self.count(WITHIN), self.count(REFUSED), self.count(NO_KERNEL), self.count(*BAD)]
        worst = f"{self.worst:.1e}" if self.worst else ""
        return [self.name, self.types, str(len(self.verdicts)), *map(str, counts), worst]


HEADER = ["operator", "types", "cases", "equal", "within", "refused", "no kernel", "wrong", "largest difference"]


def drawn(name: str, types: str, first: int, count: int, every: int, formats: int, numerics: str) -> Row:
    """Judges the cases of one operator and type from a seed on; every n-th goes to further judges than LiteRT."""
    draw = drawing(name, types)
    seeds = range(first, first + count)
    return Row(
        name,
        types,
        [
            judge(
                name,
                types,
                draw(Draw(seed, types)),
                by_reference_model=every > 0 and seed % every == 0,
                other_formats=formats > 0 and seed % formats == 0,
                numerics=numerics,
            )
            for seed in seeds
        ],
    )


def main() -> int:
    """Draws, judges and prints; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m differential", description=__doc__)
    parser.add_argument("--count", type=int, default=20, help="cases for each operator and type")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--every", type=int, default=1, help="of how many cases one runs in the reference model too")
    parser.add_argument("--formats", type=int, default=0, help="of how many cases one goes through other formats too")
    parser.add_argument("--only", nargs="+", default=[""], help="parts of operator:type")
    parser.add_argument("--numerics", choices=["reference", "xnnpack"], default="reference", help="and so the judge")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--markdown", type=Path, help="write the table there")
    options = parser.parse_args()
    asked = [key for key in claims(options.numerics) if any(part in ":".join(key) for part in options.only)]
    missing = undrawn(asked)
    keys = sorted(key for key in asked if key not in missing)
    rows: list[Row] = []
    with ProcessPoolExecutor(options.workers) as pool:
        fixed = map(itertools.repeat, (options.first, options.count, options.every, options.formats, options.numerics))
        for row in pool.map(drawn, *zip(*keys, strict=True), *fixed) if keys else ():
            rows.append(row)
            print("  ".join(row.cells), flush=True)
            print(*_bad(row, options.first), sep="\n", end="")
    print(*_summary(rows), sep="\n")
    print(*dict.fromkeys(missing.values()), sep="\n", end="\n" * bool(missing))
    if options.markdown:
        options.markdown.write_text("\n".join(markdown(rows)) + "\n")
    return int(bool(missing) or any(row.count(*BAD) for row in rows))


def _bad(row: Row, first: int) -> Iterator[str]:
    for seed, verdict in enumerate(row.verdicts, first):
        if verdict.verdict in BAD:
            yield f"    seed {seed}: {verdict.verdict}: {verdict.reason[:300]}\n"


def _summary(rows: list[Row]) -> Iterator[str]:
    total: Counter[str] = Counter(judged.verdict for row in rows for judged in row.verdicts)
    yield f"{total.total()} cases: " + ", ".join(f"{count} {verdict}" for verdict, count in total.most_common())
    run = total.total() - total[NO_KERNEL]
    if run:
        yield f"of {run} that LiteRT runs {1 - total[REFUSED] / run:.1%} convert"
    reasons = Counter(
        judged.reason.rpartition(": ")[2] for row in rows for judged in row.verdicts if judged.verdict == REFUSED
    )
    for reason, count in reasons.most_common(40):
        yield f"  {count} refused: {reason}"


def markdown(rows: list[Row]) -> Iterator[str]:
    """Yields the lines of the table, and the sums below it."""
    yield f"| {' | '.join(HEADER)} |"
    yield f"|{' --- |' * len(HEADER)}"
    yield from (f"| {' | '.join(row.cells)} |" for row in rows)
    yield ""
    yield from _summary(rows)


if __name__ == "__main__":
    sys.exit(main())
