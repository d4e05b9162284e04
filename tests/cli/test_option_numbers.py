"""Numbers of options: what they are unless somebody says, and from where to where they go."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.commands import INT8, MODELS, command

import tosa_converter as tc
from tosa_converter.cli import app, run
from tosa_converter.errors import UsageError

DEFAULTS = {  # of every command that has the option; of all other options it is nothing
    "--sequence": "unroll",
    "--runs": 1,
    "--port": 8080,
}
OF_COMMANDS = {
    ("zoo verify", "--runs"): 5,
    ("zoo verify", "--timeout"): 600,
    ("verify", "--limit"): 10,
    ("diff", "--limit"): 10,
}
LIMITS = {
    "--generate": (0, 100_000),
    "--delegate": (0, None),
    "--seed": (0, None),
    "--limit": (1, None),
    "--runs": (1, 100_000),
    "--steps": (0, None),
    "--jobs": (0, None),
    "--timeout": (0, None),
    "--port": (1, 65535),
}


def parameters(group: Any, path: str = "") -> Iterator[tuple[str, str, Any]]:
    """Yields the name of each command, its options, and what Typer knows of them."""
    for name, inner in group.commands.items():
        if hasattr(inner, "commands"):
            yield from parameters(inner, f"{name} ")
        else:
            yield from ((path + name, parameter.opts[-1], parameter) for parameter in inner.params)


PARAMETERS = list(parameters(app.every_command()))


def test_defaults() -> None:
    defaults = {(name, option): parameter.default for name, option, parameter in PARAMETERS if option.startswith("--")}
    defaults = {key: value() if callable(value) else value for key, value in defaults.items()}
    expected = {key: OF_COMMANDS.get(key, DEFAULTS.get(key[1])) for key in defaults}
    assert {key: value for key, value in defaults.items() if value != expected[key] and (value or expected[key])} == {}


def test_limits() -> None:
    limits = {(option, parameter.min, parameter.max) for _, option, parameter in PARAMETERS}
    assert {row for row in limits if row[1:] != (None, None)} == {(name, *ends) for name, ends in LIMITS.items()}


@pytest.mark.parametrize(
    ("option", "words", "limit"),
    [
        ("--delegate", ("convert", INT8, "-o", "x.tosa"), 0),
        ("--seed", ("run", INT8), 0),
        ("--runs", ("verify", INT8), 1),
        ("--limit", ("verify", INT8), 1),
        ("--steps", ("verify", INT8), 0),
        ("--port", ("show", INT8), 1),
    ],
)
def test_what_is_below_is_refused(
    option: str, words: tuple[object, ...], limit: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(*words, option, limit - 1) == 2
    assert f"{option}: expected a number from {limit} " in capsys.readouterr().err


# ** statuses and numbers of what commands do **


def test_show_ends_well_once_the_server_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package that serves isn't needed."""
    fields = "graphs_list", "model_sources", "node_data_sources", "node_data_target_models"
    served: list[dict[str, Any]] = []
    paths: list[str] = []

    def config() -> SimpleNamespace:
        return SimpleNamespace(**{name: [] for name in fields}, add_model_from_path=paths.append)

    explorer = SimpleNamespace(config=config, visualize_from_config=lambda *_, **options: served.append(options))
    monkeypatch.setitem(sys.modules, "model_explorer", explorer)
    assert command("show", INT8, "--no-open") == 0
    assert command("show", INT8, "--port", "9000") == 0
    assert command("show", INT8, "--adapters") == 0
    assert [(options["port"], options["no_open_in_browser"]) for options in served] == [
        (8080, True),
        (9000, False),
        (8080, False),
    ]
    assert paths == [str(INT8)]


@pytest.mark.parametrize("steps", [1, 3])
def test_a_run_has_room_for_the_inputs_of_all_steps(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: 1 KiB for each step, and 40 bytes of its arrays."""
    asked: list[tuple[str, int]] = []
    monkeypatch.setattr(run, "require_memory", lambda subject, count: asked.append((subject, count)))
    runs = run._runs(lambda step: {"x": np.full(8, step, np.int32), "y": np.zeros(8, np.int8)}, steps)
    assert asked == [(f"a run of {steps} step{'s' * (steps > 1)}", steps * (1024 + 32 + 8))]
    assert [arrays["x"][0] for arrays in runs] == list(range(steps))


def test_bytes_of_a_model_are_those_of_its_file() -> None:
    """None has 0."""
    assert tc.inspect(tc.load(INT8)).bytes == INT8.stat().st_size
    assert tc.inspect(tc.load(INT8.read_bytes())).bytes == 0


@pytest.mark.parametrize("steps", [-1, 0, 2])
def test_steps_are_0_or_more(steps: int) -> None:
    source = tc.load(MODELS / "small" / "keywords.int8.tflite")
    model = tc.convert(source)
    if steps < 0:
        for compare in (tc.compare, tc.compare_layers):
            with pytest.raises(UsageError, match=f"^expected steps, found {steps}$"):
                compare(source, model, steps=steps)
    else:
        report = tc.compare_layers(source, model, steps=steps)
        assert report.steps == (steps or report.steps)
        assert report.steps > 0


@pytest.mark.parametrize("steps", [0, 1])
def test_given_inputs_of_a_model_with_state_are_one_step(steps: int) -> None:
    """Unless steps are asked for: then the first dimension is theirs."""
    source = tc.load(MODELS / "small" / "keywords.int8.tflite")
    model = tc.convert(source)
    (x,) = tc.random_inputs(source, seed=3).values()
    inputs = {source.main.inputs[0].name: x[None] if steps else x}
    report = tc.compare_layers(source, model, inputs=inputs, steps=steps)
    assert (report.steps, report.seed, report.verdict) == (1, None, True)
    drawn = tc.compare_layers(source, model, seed=5)
    assert (drawn.seed, drawn.verdict) == (5, True)
    assert drawn.steps > 1


@pytest.mark.parametrize(("size", "fits"), [(1, True), (2**31 - 1, True), (2**31, False), (0, False), (-1, False)])
def test_sizes_of_inputs_are_of_31_bits(size: int, fits: bool) -> None:
    source = tc.load(INT8)  # image [?, 8, 8, 1]
    from tosa_converter.conversion import resolve_input_shapes

    if fits:
        assert list(resolve_input_shapes(source, {"image": (size, 8, 8, 1)}).values()) == [(size, 8, 8, 1)]
    else:
        with pytest.raises(UsageError, match=r"input shape: expected a shape of .* for 'image', found \[.*\]"):
            resolve_input_shapes(source, {"image": (size, 8, 8, 1)})


def test_a_file_is_not_needed_for_its_own_report(tmp_path: Path) -> None:
    path = tmp_path / "m.tflite"
    path.write_bytes(INT8.read_bytes())
    model = tc.load(path)
    path.unlink()
    assert tc.inspect(model).bytes == 0
