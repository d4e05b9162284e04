"""Runs conformance tests on our side: `python tests/conformance --filter conv --count 20 --seed 1`."""

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

from conformance.driver import FAILED, MISNAMED, PASSED, jobs_for, run_tests, table
from conformance.sampling import KINDS


def main() -> int:
    """Returns exit status 1 if a test failed, or if an illegal graph was refused for another reason."""
    parser = argparse.ArgumentParser(prog="python tests/conformance", description=__doc__)
    parser.add_argument("--filter", default="", help="part of an operator's name")
    parser.add_argument("--kind", choices=KINDS, help="both when not given")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=10, help="tests per operator and combination of types")
    parser.add_argument("--variants", type=int, default=4, help="tests per error, and per kernel size")
    parser.add_argument("--no-fast", action="store_true", help="run every operator by its definition")
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0, help="start no operator after this time")
    parser.add_argument("--folder", type=Path, help="keep tests and reference results here, and use what is there")
    parser.add_argument("--json", type=Path, help="write every verdict to this file")
    options = parser.parse_args()
    started = time.monotonic()
    kinds = [options.kind] if options.kind else KINDS
    jobs = jobs_for(options.filter, kinds, options.seed, options.count, options.variants, not options.no_fast)
    records = run_tests(jobs, options.folder, options.workers, options.seconds)
    print(table(records))
    for record in records:
        if record.verdict != PASSED:
            print(f"{record.verdict}: {record.kind} {record.operator} {record.test}: {record.detail[:300]}")
    if options.json:
        options.json.write_text(json.dumps([record._asdict() for record in records], indent=1))
    print(f"{len(records)} tests in {time.monotonic() - started:.0f} s", file=sys.stderr)
    return int(any(record.verdict in (FAILED, MISNAMED) for record in records))


if __name__ == "__main__":
    sys.exit(main())
