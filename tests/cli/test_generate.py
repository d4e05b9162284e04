"""`verify --generate`: screens, JSON and what is refused."""

import json
import sys
from pathlib import Path

import pytest
from support.commands import INT8, MODELS, command, refused

import tosa_converter as tc
from tosa_converter.engines.iree import Iree
from tosa_converter.engines.vulkan import missing

FLOAT = MODELS / "language" / "llama.float32.tflite"
LLAMA = MODELS / "language" / "llama_hf.dynamic_wi8_afp32.tflite"
PROMPT = "5,17,99,42,7,5,17"
WORDS = {f"<{i}>": i for i in range(128)}

vulkan = pytest.mark.skipif(bool(missing()), reason="; ".join(missing()) or "nothing is missing")


@pytest.fixture
def tokenizer(tmp_path: Path) -> Path:
    """Returns the file of a tokenizer whose token i is the word <i>."""
    model = {"type": "WordLevel", "vocab": WORDS, "unk_token": "<0>"}
    content = {"version": "1.0", "added_tokens": [], "pre_tokenizer": {"type": "WhitespaceSplit"}, "model": model}
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(content))
    return path


def test_tokens_on_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("verify", LLAMA, "--generate", 6, "--prompt", PROMPT) == 0
    out = capsys.readouterr().out
    assert "generate executor: 6 of 6 tokens are the same (the logits differ by" in out
    assert "tokens   99, 42, 7, 5, 17, 99" in out


def test_tokens_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("verify", LLAMA, "--generate", 3, "--prompt", PROMPT, "--json", "--signature", "decode") == 0
    (generation,) = json.loads(capsys.readouterr().out)["generations"]
    assert (generation["tokens"], generation["conversion_tokens"], generation["verdict"]) == (
        [99, 42, 7],
        [99, 42, 7],
        True,
    )
    assert len(generation["distances"]) == 3
    assert generation["prompt"] == [5, 17, 99, 42, 7, 5, 17]


def test_a_written_file_and_another_engine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = tmp_path / "llama.tosa"
    assert command(LLAMA, "-o", written) == 0
    words = ("--generate", 4, "--prompt", PROMPT, "--against", "litert-optimized")
    assert command("verify", LLAMA, written, *words) == 0
    assert "4 of 4 tokens are the same" in capsys.readouterr().out


@pytest.mark.parametrize("engine", ["executor", pytest.param("vulkan", marks=vulkan)])
@pytest.mark.parametrize("ending", [".tosa", ".vgf", ".mlir", ".mlirbc"])
def test_twenty_tokens_by_every_written_file(
    ending: str, engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A cache is an input and an output of one name in `.vgf` and `.mlir`."""
    written = tmp_path / f"llama{ending}"
    assert command(FLOAT, "-o", written) == 0
    assert command("verify", FLOAT, written, "--generate", 20, "--prompt", PROMPT, "--against", engine) == 0
    assert f"generate {engine}: 20 of 20 tokens are the same" in capsys.readouterr().out


@pytest.mark.parametrize("model", [FLOAT, MODELS / "language" / "llama_hf.static_wi8_ai8.tflite"], ids=lambda p: p.stem)
def test_twenty_tokens_by_a_written_module(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """IREE's runtime runs the `.vmfb` that the command wrote, in place of one that the engine compiles."""
    pytest.importorskip("iree.compiler")
    pytest.importorskip("iree.runtime")
    written = tmp_path / "llama.vmfb"
    assert command(model, "-o", written) == 0

    engine = Iree()
    monkeypatch.setattr(engine, "module", lambda _: written)
    prompt = [int(token) for token in PROMPT.split(",")]
    tokens = tc.generate(tc.Session(tc.convert(model), engine=engine), prompt, 20)
    assert tokens == tc.generate(tc.Session(model), prompt, 20)


def test_a_text_by_a_tokenizer(tokenizer: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tokenizers")
    text = "<5> <17> <99> <42> <7> <5> <17>"
    words = ("--generate", 2, "--prompt", text, "--tokenizer", tokenizer)
    assert command("verify", LLAMA, *words) == 0
    assert "tokens   '<99> <42>'" in capsys.readouterr().out


def test_a_tokenizer_that_is_not_installed(
    tokenizer: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    words = ("--generate", 2, "--prompt", "a", "--tokenizer", tokenizer)
    err = refused(capsys, tmp_path, 2, "verify", LLAMA, *words)
    assert "a tokenizer of .json needs an optional package" in err
    assert "tokenizers" in err


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("--generate", 2), 2, "--generate (generate) needs a prompt"),
        (("--prompt", "1"), 2, "--generate"),
        (("--generate", 2, "--prompt", "1", "--tokenizer", "absent.json"), 2, "absent.json: no such file"),
        (("--generate", 2, "--prompt", "once upon a time"), 2, "expected numbers of tokens such as 1,2,3"),
        (("--generate", 2, "--prompt", "1,,2"), 2, "expected numbers of tokens"),
        (("--generate", 2, "--prompt", "1,128"), 2, "expected tokens of 0 to 127, found [1, 128]"),
        (("--generate", 64, "--prompt", "1"), 2, "the cache holds 64 positions"),
        (("--generate", -1, "--prompt", "1"), 2, "--generate"),
    ],
)
def test_what_is_refused(
    words: tuple[object, ...], status: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(capsys, tmp_path, status, "verify", LLAMA, *words)


def test_a_malformed_tokenizer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tokenizers")
    path = tmp_path / "tokenizer.json"
    path.write_bytes(b"{\xff")
    words = ("--generate", 2, "--prompt", "a", "--tokenizer", path)
    assert "no tokenizer" in refused(capsys, tmp_path, 3, "verify", LLAMA, *words)


def test_a_model_that_is_no_language_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    err = refused(capsys, tmp_path, 2, "verify", INT8, "--generate", 2, "--prompt", "1")
    assert "expected a signature that takes one of tokens" in err
