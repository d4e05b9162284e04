"""Makes models/programs: ExecuTorch programs with state and with data in other files, and what ExecuTorch computes.

Run in an environment with executorch and torch: `python models/make_programs.py`. `steps.npz` has for each program the
inputs (`NAME.x0`, ...) and outputs (`NAME.y0`, ...) of runs in a row, stacked.
"""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import EdgeCompileConfig, ExecutorchBackendConfig, to_edge_transform_and_lower
from executorch.exir.passes.external_constants_pass import delegate_external_constants_pass_unlifted
from executorch.exir.passes.init_mutable_pass import InitializedMutableBufferPass
from executorch.runtime import Runtime
from torch.export import export

FOLDER = Path(__file__).parent / "programs"
STEPS = 4


class Layers(torch.nn.Module):
    """Two linear layers."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = torch.nn.Linear(8, 16), torch.nn.Linear(16, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Returns the second layer of the first one's positive results."""
        return self.second(torch.relu(self.first(x)))


class Cache(torch.nn.Module):
    """A cache of which each run writes the rows at some positions."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("rows", torch.zeros(1, 6, 4))
        self.project = torch.nn.Linear(4, 4)

    def forward(self, x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        """Writes the projected rows and returns the sums of all rows so far."""
        self.rows[:, positions] = self.project(x)
        return self.rows.cumsum(1)


class Counter(torch.nn.Module):
    """A sum of all inputs, from 1, 2, 3, 4 on."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", torch.arange(4.0) + 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Adds the input and returns twice the sum."""
        self.total.add_(x)
        return self.total * 2


class Window(torch.nn.Module):
    """The mean of the last four inputs, through a layer of XNNPACK."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("last", torch.zeros(1, 4, 8))
        self.layer = torch.nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Moves the window on and returns the layer of its mean."""
        self.last.copy_(torch.cat([self.last[:, 1:], x.unsqueeze(1)], 1))
        return self.layer(self.last.mean(1))


def make(
    name: str,
    module: torch.nn.Module,
    steps: list[tuple[torch.Tensor, ...]],
    delegated: bool = False,
    tag: str = "",
    **config: Any,
) -> dict[str, np.ndarray]:
    """Writes a program and returns its inputs and outputs; `tag` names the file for the constants of its delegate."""
    exported = export(module.eval(), steps[0], strict=True)
    if tag:
        graph = exported.module()
        delegate_external_constants_pass_unlifted(module=graph, gen_tag_fn=lambda _node: tag)
        exported = export(graph, steps[0], strict=True)
    edge = to_edge_transform_and_lower(
        exported,
        partitioner=[XnnpackPartitioner()] if delegated else [],
        compile_config=EdgeCompileConfig(_check_ir_validity=False),
    )
    program = edge.to_executorch(ExecutorchBackendConfig(**config))
    (FOLDER / f"{name}.pte").write_bytes(program.buffer)
    before = {*FOLDER.glob("*.ptd")}
    program.write_tensor_data_to_file(str(FOLDER))
    written = {*FOLDER.glob("*.ptd")} - before
    data = next((path for path in written), None)
    method = Runtime.get().load_program((FOLDER / f"{name}.pte"), data_path=data).load_method("forward")
    arrays = {f"{name}.x{i}": np.stack([step[i].numpy() for step in steps]) for i in range(len(steps[0]))}
    return arrays | {f"{name}.y0": np.stack([np.array(method.execute(list(step))[0].numpy()) for step in steps])}


def main() -> None:
    """Writes all programs."""
    warnings.simplefilter("ignore")
    torch.manual_seed(29)
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.iterdir():
        path.unlink()
    rows = [(torch.randn(1, 8),) for _ in range(STEPS)]
    fours = [(torch.randn(4),) for _ in range(STEPS)]
    places = [(torch.randn(1, 2, 4), torch.tensor(at)) for at in ([0, 1], [2, 3], [3, 3], [5, 0])]
    arrays = make("counter", Counter(), fours)
    arrays |= make("counter_from_1", Counter(), fours, passes=[InitializedMutableBufferPass(["total"])])
    arrays |= make("cache", Cache(), places)
    arrays |= make("window", Window(), rows, delegated=True)
    arrays |= make("layers", Layers(), rows, external_constants=True)
    arrays |= make("layers_delegated", Layers(), rows, delegated=True, tag="layers_of_a_delegate")
    np.savez_compressed(FOLDER / "steps.npz", **arrays)


if __name__ == "__main__":
    main()
