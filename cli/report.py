"""The reports as text; each takes the figures that `--json` prints."""

import math
from typing import Any

Figures = dict[str, Any]


def as_json(figures: Any) -> str:
    """Strict JSON, which has no infinities and no NaN: null stands for them."""
    import json

    return json.dumps(_finite(figures), allow_nan=False)


def _finite(figures: Any) -> Any:
    if isinstance(figures, float):
        return figures if math.isfinite(figures) else None
    if isinstance(figures, dict):
        return {key: _finite(value) for key, value in figures.items()}
    return [_finite(value) for value in figures] if isinstance(figures, list | tuple) else figures


def conversion_text(figures: Figures, verbose: bool) -> str:
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
    return "\n".join(lines)


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


def inspection_text(figures: Figures, tensors: bool) -> str:
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
    return "\n".join(lines)


def run_text(figures: Figures) -> str:
    """A run's outputs."""
    source = "" if figures["seed"] is None else f" on random inputs of seed {figures['seed']}"
    lines = [f"{figures['file']} in {figures['backend']}{source}: {figures['seconds'] * 1e3:.1f} ms"]
    for row in figures["outputs"]:
        shape = ",".join(map(str, row["shape"]))
        spread = f"min {row['min']:.6g}  max {row['max']:.6g}  mean {row['mean']:.6g}"
        lines.append(f"  {row['name']}  {row['dtype']}[{shape}]  {spread}")
    return "\n".join(lines)


def verification_text(figures: Figures) -> str:
    """How the conversion compares, engine by engine and output by output."""
    lines = [f"{figures['file']}  numerics {figures['numerics']}, needs {figures['needs']}"]
    for comparison in figures["comparisons"]:
        runs = f"{comparison['runs']} random input{'s' if comparison['runs'] > 1 else ''}"
        lines.append(f"{comparison['engine']} against {comparison['reference']} on {runs}:")
        lines += [f"  {_output_text(row)}" for row in comparison["outputs"]]
    lines += _layer_lines(figures["layers"])
    lines += [f"note: {note['location']}: {note['text']}" for note in figures["notes"]]
    lines.append("equivalent" if figures["verdict"] else "DIFFERENT")
    return "\n".join(lines)


def _layer_lines(rows: list[Figures]) -> list[str]:
    """The operators that break their clause, then each kind of operator with its largest use of what is allowed."""
    worst: dict[str, list[float]] = {}
    for row in rows:
        worst.setdefault(row["op"], []).append(row["worst"])
    lines = [f"  NOT COMPLIANT {r['op']} at {r['location']}: {r['message']}" for r in rows if not r["compliant"]]
    return lines + [
        f"  {op:<28}{len(w):5d} results, largest error {max(w):.2%} of the bound" for op, w in worst.items()
    ]


def _output_text(row: dict[str, Any]) -> str:
    verdict = "ok" if row["verdict"] else "DIFFERS"
    bound = f"allowed {row['tolerance']:.3g}" if row["tolerance"] else "must be equal"
    text = (
        f"{verdict:<8}{row['name']} {row['type']}: {row['mismatches']} of {row['elements']} elements differ, "
        f"max |d| {row['max_abs']:.3g} ({bound}), SQNR {row['sqnr_db']:.1f} dB"
    )
    if row["reference_from_exact"] is None:
        return text
    return (
        f"{text}; an fp64 run is {row['reference_from_exact']:.3g} from the reference "
        f"and {row['engine_from_exact']:.3g} from this engine"
    )


def operators_text(figures: Figures) -> str:
    """The operators with their rewrites."""
    lines = [f"{row['name']:<40}{', '.join(row['rewrites']) or '-'}" for row in figures["source"]]
    covered = sum(1 for row in figures["source"] if row["rewrites"])
    lines.append(f"{covered} of {len(figures['source'])} source operators have rewrites; TOSA 1.0 has the following")
    for row in figures["tosa"]:
        lines.append(f"{row['name']:<24}{'; '.join(f'{req}: {types}' for req, types in row['types'])}")
    return "\n".join(lines)


def operators_markdown(figures: Figures) -> str:
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
        "| operator | rewrites, tried in order |",
        "| --- | --- |",
        *(f"| `{row['name']}` | {', '.join(row['rewrites'])} |" for row in covered),
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
    return "\n".join(lines)
