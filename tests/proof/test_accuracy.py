"""The check of accuracy on a few digits; a stand-in for the peer writes a file that is wrong, or none."""

import os
from pathlib import Path

import numpy as np
import pytest
from longer import accuracy
from support.commands import INT8

import tosa_converter as tc
from tosa_converter.schemas import tosa_ops as ops

pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
pytest.importorskip("sklearn", reason="scikit-learn is not installed")
COUNT = 25


@pytest.fixture(name="samples", scope="module")
def _samples() -> accuracy.Samples:
    return accuracy.held_out(COUNT)


def test_conversions_are_as_accurate_as_their_source(
    samples: accuracy.Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accuracy, "PEER", "no such command")
    lines = list(accuracy.rows(samples))
    assert len(lines) == len(accuracy.SETTINGS)
    for line in lines:
        name, converter, count, source, result, agreement = (cell.strip() for cell in line.strip("|").split("|"))
        assert (converter, count) == ("us", f"{COUNT}")
        assert int(source.split()[0]) >= COUNT - 1
        assert (source, int(agreement)) == (result, COUNT), name


def write_command(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_a_wrong_file_of_the_peer_is_less_accurate(
    samples: accuracy.Samples, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scores in reverse order: the class of no digit is right, 9 - class in its place."""
    source = tc.load(INT8)
    model = tc.convert(source, input_shapes={source.main.inputs[0].name: (1, 8, 8, 1)})
    with tc.Builder(model.main) as builder:
        (scores,) = model.main.outputs
        model.main.outputs = [builder.emit(ops.REVERSE, scores, axis=1)]
    tc.save(tc.Model({"main": model.main}), tmp_path / "wrong.tosa")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    write_command(tmp_path, "peer", 'touch "$4"')
    write_command(tmp_path, "tosa-opt", f'cp {tmp_path}/wrong.tosa "${{3#--tosa-flatbuffer-filename=}}"')
    monkeypatch.setattr(accuracy, "PEER", "peer")
    monkeypatch.setattr(accuracy, "SETTINGS", {"int8": (INT8, {})})
    report = accuracy.accuracy_of_peer(INT8, samples)
    ((name, images),) = samples.arrays(source).items()
    (expected,) = tc.run(source, {name: images}, engine="litert").values()
    classes, reversed_classes = expected.argmax(axis=1), expected[:, ::-1].argmax(axis=1)
    labels = np.array(samples.labels)
    right, wrong = np.count_nonzero(classes == labels), np.count_nonzero(reversed_classes == labels)
    agreement = np.count_nonzero(classes == reversed_classes)
    assert report == tc.Top1(COUNT, agreement, right, wrong)
    assert wrong < COUNT // 2 < right
    assert [line.split("|")[2].strip() for line in accuracy.rows(samples)] == ["us", accuracy.PEER_TITLE]
    write_command(tmp_path, "tosa-opt", "true")
    assert list(accuracy.rows(samples))[1] == f"| int8 | {accuracy.PEER_TITLE} | {COUNT} | | no .tosa | |"
