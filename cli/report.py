"""The reports as lines of text; each takes the figures that `--json` prints."""

import math
from collections.abc import Callable, Iterable
from typing import Any

from tosa_converter.cli.printing import show

Figures = dict[str, Any]


def present(figures: Any, lines: Callable[[Any], Iterable[str]], *, json: bool) -> None:
    """Print figures: as JSON, or as the lines that are made of them."""
    if json:
        show([as_json(figures)], limit=None)
    else:
        show(lines(figures))


def as_json(figures: Any) -> str:
    """Strict JSON, which has no infinities and no NaN: null stands for them."""
    import json

    return json.dumps(_finite(figures), allow_nan=False).replace("\x7f", "\\u007f")  # the one control that json leaves


def _finite(figures: Any) -> Any:
    if isinstance(figures, float):
        return figures if math.isfinite(figures) else None
    if isinstance(figures, dict):
        return {key: _finite(value) for key, value in figures.items()}
    return [_finite(value) for value in figures] if isinstance(figures, list | tuple) else figures


def conversion_lines(figures: Figures, verbose: bool) -> list[str]:
    """What was converted, what it needs, sizes and times."""
    ops = sum(figures["source_ops"].values()), sum(figures["tosa_ops"].values())
    sizes = _size(figures["source_bytes"]), _size(figures["output_bytes"])
    seconds = figures["load_seconds"] + figures["convert_seconds"]
    lines = [
        f"{figures['source']} -> {figures['output']}",
        f"  operators  {ops[0]} -> {ops[1]}",
        f"  size       {sizes[0]} -> {sizes[1]}",
        f"  numerics   {figures['numerics']}",
        f"  needs      {figures['needs']}",
        f"  time       {seconds * 1e3:.0f} ms",
    ]
    lines += [f"  note       {note['location']}: {note['text']}" for note in figures["notes"]]
    if verbose:
        lines.append(f"  {'load':<20}{figures['load_seconds'] * 1e3:8.1f} ms")
        for step in figures["passes"]:
            lines.append(f"  {step['name']:<20}{step['seconds'] * 1e3:8.1f} ms {step['ops']:6d} operators")
        lines += [f"  {name:<28}{count:6d}" for name, count in figures["tosa_ops"].items()]
    return lines


def optimization_lines(figures: Figures) -> list[str]:
    """How many operators there were and are, and of which kinds some are gone."""
    before, after = figures["before"], figures["after"]
    names = [name for name in before | after if before.get(name, 0) != after.get(name, 0)]
    return [
        f"{figures['source']} -> {figures['output']}",
        f"  operators  {sum(before.values())} -> {sum(after.values())}",
        *(f"  {name:<28}{before.get(name, 0):6d} -> {after.get(name, 0)}" for name in names),
    ]


def _size(count: int) -> str:
    for unit in ("B", "KB", "MB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024  # type: ignore[assignment]  # the last rounds only matter as text
    return f"{count:.1f} GB"


def tensor_text(row: Figures) -> str:
    """One tensor as a line."""
    dims = ",".join("?" if size is None else str(size) for size in row["shape"])
    text = f"{row['name']}  {row['dtype']}[{dims}]"
    quant = row.get("quantization")
    if quant:
        many = f" ({len(quant['scale'])} along axis {quant['axis']})" if len(quant["scale"]) > 1 else ""
        text += f"  scale {quant['scale'][0]:.6g} zero point {quant['zero_point'][0]}{many}"
    return text


def inspection_lines(figures: Figures, tensors: bool) -> list[str]:
    """A file's contents."""
    lines = [f"{figures['file']}  {_size(figures['bytes'])}, {figures['opset']} operators"]
    for graph in figures["graphs"]:
        constants = f"{graph['constants']} constants of {_size(graph['constant_bytes'])}"
        lines.append(f"graph {graph['name']!r}: {graph['ops']} operators, {constants}")
        lines += [f"  in   {tensor_text(row)}" for row in graph["inputs"]]
        lines += [f"  out  {tensor_text(row)}" for row in graph["outputs"]]
        lines += [f"  custom {row['custom_code']} at {row['location']}: {row['options']}" for row in graph["custom"]]
        if tensors:
            lines += [f"  {row['op']:<24}{tensor_text(row)}" for row in graph["tensors"]]
    for name, signature in figures["signatures"].items():
        lines.append(f"signature {name!r}: {', '.join(signature['inputs'])} -> {', '.join(signature['outputs'])}")
    lines += [f"  {count:6d}  {name}" for name, count in figures["ops"].items()]
    lines += [f"{key:<6} {figures[key]}" for key in ("needs", "check") if key in figures]
    return lines


def run_lines(figures: Figures) -> list[str]:
    """A run's outputs."""
    source = "" if figures["seed"] is None else f" on random inputs of seed {figures['seed']}"
    lines = [f"{figures['file']} in {figures['backend']}{source}: {figures['seconds'] * 1e3:.1f} ms"]
    for row in figures["outputs"]:
        shape = ",".join(map(str, row["shape"]))
        spread = f"min {row['min']:.6g}  max {row['max']:.6g}  mean {row['mean']:.6g}"
        saved = f"  saved as {row['member']}" if "member" in row else ""
        lines.append(f"  {row['name']}  {row['dtype']}[{shape}]  {spread}{saved}")
    return lines


def verification_lines(figures: Figures) -> list[str]:
    """How the conversion compares, engine by engine and output by output."""
    lines = [f"{figures['file']}  numerics {figures['numerics']}, needs {figures['needs']}"]
    for comparison in figures["comparisons"]:
        runs = f"{comparison['runs']} random input{'s' if comparison['runs'] > 1 else ''}"
        lines.append(f"{comparison['engine']} against {comparison['reference']} on {runs}:")
        lines += [f"  {line}" for row in comparison["outputs"] for line in _output_lines(row)]
    lines += _layer_lines(figures["layers"])
    lines += [f"note: {note['location']}: {note['text']}" for note in figures["notes"]]
    lines.append("equivalent" if figures["verdict"] else "DIFFERENT")
    return lines


def _layer_lines(rows: list[Figures]) -> list[str]:
    """The operators that break their clause, then each kind of operator with its largest use of what is allowed."""
    worst: dict[str, list[float]] = {}
    for row in rows:
        worst.setdefault(row["op"], []).append(row["worst"])
    lines = [f"  NOT COMPLIANT {r['op']} at {r['location']}: {r['message']}" for r in rows if not r["compliant"]]
    return lines + [
        f"  {op:<28}{len(w):5d} results, largest error {max(w):.2%} of the bound" for op, w in worst.items()
    ]


def _output_lines(row: Figures) -> list[str]:
    verdict = "ok" if row["verdict"] else "DIFFERS"
    bound = f"allowed {row['tolerance']:.3g}" if row["tolerance"] else "must be equal"
    text = (
        f"{verdict:<8}{row['name']} {row['type']}: {row['mismatches']} of {row['elements']} elements differ, "
        f"max |d| {row['max_abs']:.3g} ({bound}), SQNR {row['sqnr_db']:.1f} dB: {row['rule']}"
    )
    if row["undefined"]:
        text += f"; {row['undefined']} more differ where LiteRT's result is undefined"
    return [text, *(_look_lines(row["second_look"]) if row["second_look"] else ())]


def _look_lines(look: Figures) -> list[str]:
    """The figures of the second look; pairs are the largest difference and the RMS."""
    (spread, spread_rms), (distance, rms) = look["spread"], look["conversion"]
    lines = [
        f"refused: {look['refusal']}" if look["refusal"] else "",
        f"source's spread {spread:.3g} (RMS {spread_rms:.3g}) on {look['inputs']} inputs: {', '.join(look['sources'])}",
        *(f"not measured: {text}" for text in look["missing"]),
        f"conversion's fp64 run from the source {distance:.3g} (RMS {rms:.3g}, allowed 2 spreads)",
        f"RMS from it: engine {look['engine_rms']:.3g}, source up to {look['source_rms']:.3g} (twice that allowed)",
    ]
    return [f"{'':10}{line}" for line in lines if line]


def operators_lines(figures: Figures) -> list[str]:
    """The operators with their rewrites."""
    lines = [f"{row['name']:<40}{', '.join(row['rewrites']) or '-'}" for row in figures["source"]]
    covered = sum(1 for row in figures["source"] if row["rewrites"])
    lines.append(f"{covered} of {len(figures['source'])} source operators have rewrites; TOSA 1.0 has the following")
    for row in figures["tosa"]:
        lines.append(f"{row['name']:<24}{'; '.join(f'{req}: {types}' for req, types in row['types'])}")
    return lines


def _rewrite_texts(row: Figures) -> list[str]:
    """The rewrites of a source operator, each with what it asks for."""
    pairs = zip(row["rewrites"], row["conditions"], strict=True)
    return [f"{name}: {'; '.join(conditions)}" if conditions else name for name, conditions in pairs]


def operators_markdown(figures: Figures) -> list[str]:
    """The operators as a page of documentation."""
    covered = [row for row in figures["source"] if row["rewrites"]]
    missing = [row["name"] for row in figures["source"] if not row["rewrites"]]
    lines = [
        "# Operators",
        "",
        "Written by `tflite-to-tosa ops --markdown`; a test keeps it current.",
        "",
        f"## Source operators with rewrites ({len(covered)} of {len(figures['source'])})",
        "",
        "| operator | rewrites, tried in order, and their conditions |",
        "| --- | --- |",
        *(f"| `{row['name']}` | {'<br>'.join(_rewrite_texts(row))} |" for row in covered),
        "",
        "## Floats at the ends of their range",
        "",
        "Where results differ from LiteRT's reference kernels on purpose, as equal ones would cost an operator at each",
        "use; with a fused activation they are equal. Infinities and NaN come out equal everywhere else.",
        "",
        "| operators | given | LiteRT | here |",
        "| --- | --- | --- | --- |",
        *(f"| {' | '.join(row.values())} |" for row in figures["float_corners"]),
        "",
        "## Source operators without",
        "",
        ", ".join(f"`{name}`" for name in missing),
        "",
        "## TOSA 1.0",
        "",
        "| operator | types by profile and extension |",
        "| --- | --- |",
    ]
    for row in figures["tosa"]:
        pairs = [(types or "any", needs.replace("|", " or ").replace("&", " and ")) for needs, types in row["types"]]
        types = "; ".join(f"{types} ({needs})" for types, needs in pairs)
        lines.append(f"| {row['name']} | {types} |")
    return lines
