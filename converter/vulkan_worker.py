"""Runs graph modules on Vulkan in a process of its own, whose environment names the layers.

It answers until its input ends. A request is pickled to standard input: (folder, inputs by name, names of outputs). The
folder holds scenario.json, or is None for the one loaded last. The answer is (outputs by name, what went wrong). Both
ends are ours.
"""

import os
import pickle
import sys
from pathlib import Path
from typing import Any


def main() -> int:
    """Answer requests; exit status 2 says that the scenario runner is not installed."""
    try:
        import scenario_runner_py as runner
    except ImportError:
        return 2
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # the scenario runner prints to standard output
    scenario: Any = None
    while True:
        try:
            folder, inputs, outputs = pickle.load(sys.stdin.buffer)
        except EOFError:
            return 0
        try:
            if folder is not None:
                scenario = runner.load_scenario(Path(folder, "scenario.json"), work_dir=folder, output_dir=folder)
            answer = _run(scenario, inputs, outputs), ""
        except Exception as wrong:  # whatever the native side raises goes to the other end
            answer = {}, f"{type(wrong).__name__}: {wrong}"
        pickle.dump(answer, answers, protocol=5)
        answers.flush()


def _run(scenario: Any, inputs: dict[str, Any], outputs: list[str]) -> dict[str, Any]:
    for name, array in inputs.items():
        scenario.upload(scenario.get_tensor_id(name), array)
    scenario.run()
    return {name: scenario.download(scenario.get_tensor_id(name)) for name in outputs}


if __name__ == "__main__":
    sys.exit(main())
