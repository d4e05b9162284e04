"""`tflite-to-tosa show`: look at one model, or at two side by side."""

import os
import shlex
from collections.abc import Sequence

import tosa_converter as tc
from tosa_converter.cli import options, printing
from tosa_converter.cli.report import present
from tosa_converter.cli.sources import PIPE, read_model, require_one_pipe, require_other_file, source_file
from tosa_converter.formats.storage import map_file, write_atomically
from tosa_converter.ir import Model, unique_names
from tosa_converter.pictures.explorer import Json, graphs_of
from tosa_converter.pictures.overlay import overlays, read_figures
from tosa_converter.pictures.server import ANY_PORT, Column, serve


def show(
    model: options.Model,
    other: options.Other = "",
    data: options.Data = "",
    svg: options.Svg = "",
    adapters: options.Adapters = False,
    port: options.Port = ANY_PORT,
    no_open: options.NoOpen = False,
    json: options.JsonOfPicture = False,
) -> int:
    """Show a model in Model Explorer, or two side by side; a selection in one is found in the other."""
    paths = [path for path in (model, other) if path]
    require_one_pipe(*paths)
    if adapters:
        paths = [source_file(path) for path in paths]
        for path in paths:
            map_file(path)  # raises an error for a missing file; Model Explorer would show it in the page only
        serve({}, paths=paths, port=port, browser=not no_open)
        return 0
    require_other_file(svg, *paths)
    models = [read_model(path)[0] for path in paths]
    if svg:
        _draw(models, paths, svg, json=json)
        return 0
    files = _graphs(unique_names(map(os.path.basename, paths)), models)
    serve(files, _columns(data, files, models) if data else (), port=port, browser=not no_open)
    return 0


def _draw(models: Sequence[Model], paths: Sequence[str], svg: str, *, json: bool) -> None:
    """Draws models as one SVG picture to the file `svg` or to standard output ("-"), and prints its size."""
    content = [tc.draw(*models).encode()]
    size = printing.deliver(content) if svg == PIPE else write_atomically(svg, content)
    figures = {"models": [*paths], "output": svg, "output_bytes": size}
    lines = [f"{' and '.join(paths)} -> {svg}: {size} bytes"]
    present(lambda: figures, lambda: lines, json=json, aside=svg == PIPE)


def _graphs(names: Sequence[str], models: Sequence[Model]) -> dict[str, list[Json]]:
    """Returns the graphs of each file for Model Explorer, with ids that no other graph has."""
    files: dict[str, list[Json]] = {}
    for name, model in zip(names, models, strict=True):
        files[name] = graphs_of(model, [graph["id"] for graphs in files.values() for graph in graphs])
    return files


def _columns(data: str, files: dict[str, list[Json]], models: Sequence[Model]) -> list[Column]:
    """Returns the figures of a verification by operator, as columns of Model Explorer's tables.

    `data` is the file of the figures, as `verify --layers --json` prints them. `files` has the graphs of each model
    file as JSON, in the order of `models`. A column has one measure for one file.

    Raises:
        UsageError: the figures are of no operator in these models.
    """
    figures = read_figures(data)
    columns = [
        Column(
            measure.name,
            name,
            {graph["id"]: measure.data(results) for graph, results in zip(graphs, by_graph, strict=True) if results},
        )
        for (name, graphs), model in zip(files.items(), models, strict=True)
        for measure, by_graph in overlays(figures, model)
    ]
    if not columns:
        raise tc.UsageError(
            f"{data}: it has no operator of {' or '.join(files)}",
            f"next: tflite-to-tosa verify MODEL --layers --json > {shlex.quote(data)}",
        )
    return columns
