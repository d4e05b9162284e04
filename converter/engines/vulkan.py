"""The engine `vulkan`: graph modules in the ML emulation layer over any Vulkan driver, by the scenario runner.

The layers are found by environment variables that the Vulkan loader reads once, so a worker process runs the graphs. It
lives as long as this process and serves every run; a model is set up once for runs in a row.
"""

import ctypes
import importlib.util
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tosa_converter.engines.engine import Arrays, Engine, decode_output, missing_packages
from tosa_converter.engines.process import Worker
from tosa_converter.errors import MissingExtra
from tosa_converter.execute.inputs import require_inputs
from tosa_converter.formats.spirv.constants import storage_array, storage_dtype
from tosa_converter.formats.spirv.writer import Module, module_type, refusals, write_spirv
from tosa_converter.formats.storage import temporary_folder
from tosa_converter.ir import Array, Graph, Model, Value
from tosa_converter.rules.gate import require_legal
from tosa_converter.schemas import tosa_ops
from tosa_converter.schemas.vulkan import FORMATS

# From the application downwards: the layer of graphs stands on the layer of tensors.
LAYERS = (("VK_LAYER_ML_Graph_Emulation", "VkLayer_Graph"), ("VK_LAYER_ML_Tensor_Emulation", "VkLayer_Tensor"))
DRIVER_FOLDERS = ("/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/usr/share/vulkan/icd.d")
DRIVER_VARIABLES = ("VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES")


def missing() -> list[str]:
    """Returns what this machine lacks to run graphs, each with what to do about it; empty if nothing."""
    lacking = missing_packages(
        "vulkan",
        {
            "ai-ml-sdk-scenario-runner": "scenario_runner_py",
            "ai-ml-emulation-layer-for-vulkan": "emulation_layer",
        },
    )
    try:
        ctypes.CDLL("libvulkan.so.1")
    except OSError:
        lacking.append("the Vulkan loader, libvulkan.so.1: apt-get install libvulkan1")
    if not any(os.environ.get(name) for name in DRIVER_VARIABLES) and not _driver_manifests():
        lacking.append("a Vulkan driver: apt-get install mesa-vulkan-drivers")
    return lacking


def _driver_manifests() -> list[Path]:
    """Returns the paths of the JSON manifests by which the Vulkan loader finds this machine's drivers."""
    home = Path(os.environ.get("XDG_DATA_HOME", "~/.local/share")).expanduser() / "vulkan/icd.d"
    return [path for folder in (*DRIVER_FOLDERS, home) for path in Path(folder).glob("*.json")]


def layer_environment(folder: Path) -> dict[str, str]:
    """Returns the variables by which the Vulkan loader finds the ML emulation layer; writes manifests to `folder`.

    Loaders up to 1.3.2xx stack layers in the order in which they find them, whatever VK_INSTANCE_LAYERS says, so each
    manifest gets a folder of its own. The shipped manifests name libraries without a path, so they are rewritten.

    Raises:
        MissingExtra: the emulation layer is not installed.
    """
    spec = importlib.util.find_spec("emulation_layer")
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtra("running graphs on Vulkan", "vulkan")
    deploy = Path(spec.submodule_search_locations[0]) / "deploy"
    folders = []
    for position, (_, manifest) in enumerate(LAYERS):
        content = json.loads((deploy / f"share/vulkan/explicit_layer.d/{manifest}.json").read_text())
        library = Path(content["layer"]["library_path"]).name
        content["layer"]["library_path"] = str(next(deploy.glob(f"lib*/{library}"), deploy / "lib" / library))
        target = folder / f"{position}{manifest}"
        target.mkdir()
        (target / f"{manifest}.json").write_text(json.dumps(content))
        folders.append(str(target))
    return {
        "VK_LAYER_PATH": os.pathsep.join(folders),
        "VK_INSTANCE_LAYERS": os.pathsep.join(name for name, _ in LAYERS),
    }


class Vulkan(Engine):
    """Runs TOSA graphs as SPIR-V graph modules in Arm's ML emulation layer over any Vulkan driver."""

    name = "vulkan"
    opsets = frozenset({"tosa"})

    def __init__(self) -> None:
        """Prepares the Vulkan engine, whose worker process starts at the first run and keeps the last module loaded."""
        self._worker = Worker("vulkan", "Vulkan", "vulkan", layer_environment)
        self._loaded: Module | None = None

    def missing(self) -> list[str]:
        """Returns what this machine lacks: the layer, the packages around it, the Vulkan loader, or a driver."""
        return missing()

    def takes(self, model: Model) -> bool:
        """Returns whether the model is TOSA, and its main graph can be written as a SPIR-V graph module."""
        return model.opset in self.opsets and not refusals(model.main)

    def run(self, model: Model, inputs: Arrays) -> dict[str, Array]:
        """Runs a TOSA model's main graph as a SPIR-V graph module; returns its outputs by name.

        Raises:
            MissingExtra: the emulation layer or the scenario runner is not installed.
            ConverterError: no driver, or the layer refuses the module.
            UnsupportedError: the graph can't be a module.
            UsageError: inputs that are missing or of another type or shape.
        """
        graph = model.main
        require_legal(graph)
        arrays = dict(zip(graph.inputs, map(np.ascontiguousarray, require_inputs(graph, inputs)), strict=True))
        sources = [_skip_identities(value) for value in graph.outputs]
        # The emulation layer leaves an output empty whose value is another output's too, so each is asked for once.
        computed = list(dict.fromkeys(v for v in sources if v not in arrays and v.constant is None))
        if computed:
            arrays |= self._execute(Graph(graph.name, graph.inputs, computed, graph.ops), arrays)
        outputs = {}
        for value, source in zip(graph.outputs, sources, strict=True):
            array = arrays.get(source, source.constant)
            outputs[value.name] = np.array(array, value.type.dtype.numpy).reshape(value.type.static)
        return outputs

    def _execute(self, graph: Graph, arrays: Mapping[Value, Array]) -> dict[Value, Array]:
        """Runs a graph as a SPIR-V module in the worker; returns its outputs.

        A module equal to the last isn't loaded again.
        """
        module = write_spirv(graph)
        request: dict[str, Array] = {
            f"in{i}": arrays[value]
            .view(storage_dtype(module_type(value.type).dtype))
            .reshape(value.type.static or (1,))
            for i, value in enumerate(graph.inputs)
        }
        names = [f"out{i}" for i in range(len(graph.outputs))]
        loaded, self._loaded = self._loaded, None  # a failure ends the process, which then has none loaded
        if loaded is not None and _is_same_module(loaded, module):
            outputs = self._worker.ask("the graph", None, request, names, form={str: np.ndarray})
        else:
            with temporary_folder() as folder:
                _write_scenario(module, Path(folder))
                outputs = self._worker.ask("the graph", folder, request, names, form={str: np.ndarray})
        self._loaded = module
        return {
            value: decode_output(value.type, outputs.get(name), self.name).reshape(-1)
            for value, name in zip(graph.outputs, names, strict=True)
        }

    def close(self) -> None:
        """Ends the worker process; the next run starts another one."""
        self._worker.close()
        self._loaded = None


def _skip_identities(value: Value) -> Value:
    """Returns the value that an IDENTITY, or several in a row, copies; SPIR-V graphs have no such instruction."""
    while value.producer is not None and value.producer.row is tosa_ops.IDENTITY:
        value = value.producer.operands[0]
    return value


def _is_same_module(a: Module, b: Module) -> bool:
    """Returns whether two modules have equal SPIR-V words and the very same constants, so that a reload is needless."""
    constants = zip(a.constants, b.constants, strict=False)
    return np.array_equal(a.words, b.words) and all(x.constant is y.constant for x, y in constants)


def _write_scenario(module: Module, folder: Path) -> None:
    """Writes the files that the scenario runner reads: SPIR-V module, constants (.npy), and scenario.json."""
    (folder / "graph.spv").write_bytes(module.words.tobytes())
    shader = {"uid": "graph", "src": "graph.spv", "type": "SPIR-V", "entry": module.entry_point}
    resources: list[dict[str, Any]] = [{"shader": shader}]
    tensors = [(f"in{i}", value, "readonly") for i, value in enumerate(module.inputs)]
    tensors += [(f"out{i}", value, "writeonly") for i, value in enumerate(module.outputs)]
    resources += [{"tensor": _tensor_entry(name, value) | {"shader_access": access}} for name, value, access in tensors]
    for number, value in enumerate(module.constants):
        np.save(folder / f"{number}.npy", storage_array(value), allow_pickle=False)
        resources.append({"graph_constant": _tensor_entry(f"constant{number}", value) | {"src": f"{number}.npy"}})
    command = {
        "graph_ref": "graph",
        "graph_constants": [f"constant{number}" for number in range(len(module.constants))],
        "bindings": [{"set": 0, "id": i, "resource_ref": name} for i, (name, _, _) in enumerate(tensors)],
    }
    scenario = {"commands": [{"dispatch_data_graph": command}], "resources": resources}
    (folder / "scenario.json").write_text(json.dumps(scenario))


def _tensor_entry(name: str, value: Value) -> dict[str, Any]:
    """Returns a tensor's entry in scenario.json: its identifier, dimensions and element format."""
    type = module_type(value.type)
    return {"uid": name, "dims": list(type.static), "format": FORMATS[type.dtype.value].name}
