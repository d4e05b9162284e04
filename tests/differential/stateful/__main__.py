"""Judges programs of every kind in every form; prints a line for each, and the seeds of those that differ or fail.

`PYTHONPATH=tests python -m differential.stateful --count 40`. Exit status 1 if one differs or fails.
"""

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from differential.judge import DIFFERS, FAILS, NO_KERNEL, Verdict
from differential.stateful.judge import forms, judge
from differential.stateful.programs import ROOTS, program


def judge_forms(root: str, seed: int, every: int) -> list[tuple[str, Verdict]]:
    """Returns a program's verdicts by form."""
    drawn = program(seed, root)
    model = every > 0 and seed % every == 0
    return [("+".join(form), judge(drawn, *form, by_reference_model=model)) for form in forms(drawn)]


def main() -> int:
    """Draws, judges and prints; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m differential.stateful", description=__doc__)
    parser.add_argument("--count", type=int, default=40, help="programs of each kind")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--every", type=int, default=4, help="of how many programs one runs in the reference model too")
    parser.add_argument("--only", nargs="+", default=ROOTS, choices=ROOTS, help="kinds")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    bad, total = 0, Counter[str]()
    seeds = range(options.first, options.first + options.count)
    with ProcessPoolExecutor(options.workers) as pool:
        for root in options.only:
            counts: dict[str, Counter[str]] = {}
            every = [options.every] * len(seeds)
            for seed, verdicts in zip(seeds, pool.map(judge_forms, [root] * len(seeds), seeds, every), strict=True):
                for form, verdict in verdicts:
                    counts.setdefault(form, Counter())[verdict.verdict] += 1
                    if verdict.verdict in (DIFFERS, FAILS, NO_KERNEL):
                        print(f"    {root} {form} seed {seed}: {verdict.verdict}: {verdict.reason[:300]}", flush=True)
                    bad += verdict.verdict in (DIFFERS, FAILS)
            for form, verdict_counts in counts.items():
                total += verdict_counts
                print(
                    f"{root:20} {form:18}",
                    ", ".join(f"{n} {word}" for word, n in verdict_counts.most_common()),
                    flush=True,
                )
    print(f"{total.total()} cases:", ", ".join(f"{n} {word}" for word, n in total.most_common()))
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
