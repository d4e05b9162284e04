"""Runs graph modules on Vulkan in a process of its own, whose environment names the layers.

A request is (folder, inputs by name, names of outputs): the folder holds scenario.json, or is None for the one loaded
last. The answer are the outputs by name.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np

from tosa_converter.engines.process import MISSING, Answer, serve


def main() -> int:
    """Runs the Vulkan worker: answers requests until its input ends; returns the exit status."""
    try:
        import scenario_runner_py as runner
    except ImportError:
        return MISSING
    scenario: Any = None

    def answer(folder: str | None, inputs: dict[str, Any], outputs: list[str]) -> Answer:
        """Runs the scenario in a folder (None: the one loaded last).

        Returns outputs by name and None, or {} and what failed.
        """
        nonlocal scenario
        try:
            if folder is not None:
                scenario = runner.load_scenario(Path(folder, "scenario.json"), work_dir=folder, output_dir=folder)
            return _run(scenario, inputs, outputs), None
        except Exception as wrong:  # whatever the native side raises goes to the other end
            return {}, ("refuses", f"{type(wrong).__name__}: {wrong}")

    return serve(answer)


def _run(scenario: Any, inputs: dict[str, Any], outputs: list[str]) -> dict[str, Any]:
    """Runs a loaded scenario of the ML SDK for Vulkan on inputs by name; returns these outputs."""
    for name, array in inputs.items():
        scenario.upload(scenario.get_tensor_id(name), array)
    scenario.run()
    return {name: np.asarray(scenario.download(scenario.get_tensor_id(name))) for name in outputs}


if __name__ == "__main__":
    sys.exit(main())
