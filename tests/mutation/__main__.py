"""Plants faults in our code and counts those that the tests catch: `python tests/mutation --folders 15 --seed 1`."""

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

from mutation.campaign import Result, folder_sample, line_of, run, sample, table, target_files
from mutation.plant import SURVIVED
from mutation.points import Mutant, mutants
from mutation.tree import ROOT


def main() -> int:
    """Returns exit status 1 if a fault survived."""
    parser = argparse.ArgumentParser(prog="python tests/mutation", description=__doc__)
    parser.add_argument("--folders", type=int, metavar="COUNT", help="places in each folder of the packages")
    parser.add_argument("--count", type=int, default=300, help="places, from every file in proportion to its places")
    parser.add_argument("--only", nargs="+", default=[""], help="parts of the paths of the files or folders")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2, help="processes at a time")
    parser.add_argument(
        "--seconds", type=float, default=20, help="for the tests of one fault, without what starts them"
    )
    parser.add_argument("--survivors", action="store_true", help="only those that survived before")
    parser.add_argument(
        "--folder",
        type=Path,
        default=ROOT / "build/mutation",
        help="of records of what tests call, and of verdicts: both are used again",
    )
    options = parser.parse_args()
    log = options.folder / "results.jsonl"
    logged = {(result.mutant.file, result.text): result for result in read(log)}
    files = target_files(*options.only)
    if options.survivors:
        selected = survivors(logged.values(), files)
    elif options.folders:
        selected = folder_sample(options.seed, options.folders, options.only)
    else:
        selected = sample(options.seed, options.count, files)
    results = []
    todo = []
    for mutant in selected:
        result = logged.get((mutant.file, line_of(mutant)))
        if result is None or options.survivors:
            todo.append(mutant)
        else:
            results.append(result)
    options.folder.mkdir(parents=True, exist_ok=True)
    with log.open("a") as stream:
        for result in run(todo, options.folder, options.workers, options.seconds):
            stream.write(json.dumps(result) + "\n")
            stream.flush()
            results.append(result)
            print(f"{len(results)}/{len(selected)} {result.verdict}: {place(result)}: {result.detail}", file=sys.stderr)
    print(table(results))
    for result in sorted(results):
        if result.verdict == SURVIVED:
            print(f"{place(result)}: {line_of(result.mutant, faulty=False)} -> {result.text} ({result.detail})")
    return int(any(result.verdict == SURVIVED for result in results))


def read(log: Path) -> list[Result]:
    """Returns the verdicts of earlier runs, the latest last."""
    rows = map(json.loads, log.read_text().splitlines()) if log.exists() else ()
    return [Result(Mutant(*mutant), *rest) for mutant, *rest in rows]


def survivors(results: Iterable[Result], files: Iterable[str]) -> list[Mutant]:
    """Returns the faults in some files that survived, at their present places."""
    lost = {(result.mutant.file, result.text) for result in results if result.verdict == SURVIVED}
    places = (place for file in files for place in mutants(ROOT, file))
    return [mutant for place in places for mutant in place if (mutant.file, line_of(mutant)) in lost]


def place(result: Result) -> str:
    """Returns the place in the form that editors understand."""
    return f"{result.mutant.file}:{result.mutant.line}"


if __name__ == "__main__":
    sys.exit(main())
