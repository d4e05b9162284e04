"""Samples with labels: top-1 agreement and accuracy of `verify`, and files of labels that don't fit."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from support.commands import INT8, command, unwrapped

import tosa_converter as tc
from tosa_converter.cli.labels import read_labels
from tosa_converter.errors import UsageError

CLASSES = [7, 1, 4]
SAMPLES = ["a.npy", "b, c.npy", "d.npy"]


@pytest.fixture(name="samples")
def _samples(tmp_path: Path) -> Path:
    """Random images of digits."""
    rng = np.random.default_rng(0)
    folder = tmp_path / "samples"
    folder.mkdir()
    for name in SAMPLES:
        np.save(folder / name, rng.integers(-128, 128, (1, 8, 8, 1), dtype=np.int8))
    return folder


def classes_of(samples: Path) -> list[int]:
    """The class that LiteRT gives each sample."""
    arrays = [np.load(samples / name) for name in SAMPLES]
    (name,) = (value.name for value in tc.load(INT8).main.inputs)
    return [int(np.argmax(next(iter(tc.run(INT8, {name: array}).values())))) for array in arrays]


def test_agreement_and_accuracy_over_a_folder(
    samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    right = classes_of(samples)
    labels = tmp_path / "labels.csv"
    labels.write_text(f'file,label\nd.npy,{right[2]}\n"b, c.npy",{right[1]}\na.npy,{(right[0] + 1) % 10}\nmore.npy,0\n')
    assert command("verify", INT8, "--samples", samples) == 0
    assert "top-1 agreement: 3 of 3 samples" in capsys.readouterr().out
    assert command("verify", INT8, "--samples", samples, "--labels", labels) == 0
    text = "top-1 agreement: 3 of 3 samples; top-1 accuracy: 2 of the source, 2 of the conversion"
    assert text in " ".join(capsys.readouterr().out.split())
    assert command("verify", INT8, "--samples", samples, "--labels", labels, "--json") == 0
    (output,) = json.loads(capsys.readouterr().out)["comparisons"][0]["outputs"]
    assert output["top1"] == {"count": 3, "agreement": 3, "source_top1": 2, "result_top1": 2}
    assert command("verify", INT8, "--samples", samples, "--json") == 0
    (output,) = json.loads(capsys.readouterr().out)["comparisons"][0]["outputs"]
    assert output["top1"] == {"count": 3, "agreement": 3, "source_top1": None, "result_top1": None}
    assert command("verify", INT8, "--json") == 0
    assert json.loads(capsys.readouterr().out)["comparisons"][0]["outputs"][0]["top1"] is None
    assert command("verify", INT8, "-i", samples / "a.npy") == 0
    assert "top-1" not in capsys.readouterr().out
    labels.write_text("1\n2\n")
    assert command("verify", INT8, "--samples", samples, "--labels", labels) == 2
    assert "--labels (labels): expected a label for each of 3 samples, found 2" in unwrapped(capsys.readouterr().err)
    labels.write_text("1\n2\n10\n")
    assert command("verify", INT8, "--samples", samples, "--labels", labels) == 2
    assert "expected labels from 0 to 9 for 'StatefulPartitionedCall_1:0', found 10" in unwrapped(
        capsys.readouterr().err
    )


@pytest.mark.parametrize(
    "text",
    [
        "7\n1\n4\n",
        " 7 \r\n\r\n1\r\n4",
        '\ufefffile,label\na.npy,7\nd.npy,4\n"b, c.npy",1\n',
        'a.npy , 7\nd.npy,4\n\n"b, c.npy",1\nz.npy,3',
        "seven\none\n4\n",
        'd.npy,"four"\na.npy,seven\n"b, c.npy",1\n',
    ],
)
def test_labels_of_samples(tmp_path: Path, text: str) -> None:
    (tmp_path / "labels").write_text(text, "utf-8")
    (tmp_path / "m.tflite").write_bytes(INT8.read_bytes())
    with zipfile.ZipFile(tmp_path / "m.tflite", "a") as archive:  # as TFLite's metadata packs a list of labels
        archive.writestr("labels.txt", "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\n")
        archive.writestr("vocabulary.txt", "word\n")
    assert read_labels(str(tmp_path / "labels"), SAMPLES, str(tmp_path / "m.tflite")) == CLASSES


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "expected lines LABEL or FILE,LABEL, found no line"),
        (b"a.npy,1,2\n", "found 3 columns"),
        (b"1\na.npy,1\n", "found 1 columns and 2 columns"),
        (b"a.npy,1\nd.npy,2\n", "expected a label for sample 'b, c.npy', found none"),
        (b"a.npy,1\na.npy,2\n", "expected one label for 'a.npy', found two, on line 2 the second"),
        (b"1\n2\ncat\n", "expected the number of a class on line 3, found 'cat'; the model has no list of labels"),
        (b"1\n-2\n3\n", "on line 2, found '-2'"),
        (b"1\n2.0\n3\n", "on line 2, found '2.0'"),
        (b"1\n\n" + b"9" * 5000 + b"\n", "on line 3, found '99999"),
        ("1\n\u0663\n3\n".encode(), "on line 2"),
        (b"\xff\xfe1\n", "in UTF-8"),
        (b'"1\n', "in UTF-8"),
        (b"1\x00\n", "on line 1"),
        (b"1" * 200000 + b",1\n", "in UTF-8"),
        (b"\n" * ((1 << 22) + 1), "expected at most 4 MB, found more"),
    ],
)
def test_labels_that_can_not_be_read(tmp_path: Path, content: bytes, text: str) -> None:
    (tmp_path / "labels").write_bytes(content)
    with pytest.raises(UsageError) as caught:
        read_labels(str(tmp_path / "labels"), SAMPLES, str(INT8))
    assert str(caught.value).startswith(f"labels {tmp_path / 'labels'}: ")
    assert text in str(caught.value)


def test_labels_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file or directory"):
        read_labels(str(tmp_path / "labels"), SAMPLES, str(INT8))
    with pytest.raises(UsageError, match="Is a directory"):
        read_labels(str(tmp_path), SAMPLES, str(INT8))


@pytest.mark.parametrize("damage", ["cut", "encrypted", "bomb"])
def test_a_damaged_list_of_labels_is_none(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "m.tflite"
    path.write_bytes(INT8.read_bytes())
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("labels.txt", "zero\none\n" if damage != "bomb" else "\n" * (1 << 26))
    data = bytearray(path.read_bytes())
    if damage == "cut":
        data = data[:-10]
    if damage == "encrypted":
        for start in (data.rindex(b"PK\x03\x04") + 6, data.rindex(b"PK\x01\x02") + 8):
            data[start] |= 1
    path.write_bytes(data)
    (tmp_path / "labels").write_text("one\n")
    with pytest.raises(UsageError, match="the model has no list of labels"):
        read_labels(str(tmp_path / "labels"), SAMPLES[:1], str(path))
