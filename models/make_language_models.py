"""Make small language models as their users do: by litert-torch, quantized by every recipe of ai-edge-quantizer.

`llama` is of litert-torch's generative API, `llama_hf` is a LlamaForCausalLM of transformers by its `export_hf`. Both
have two layers with grouped queries, rotary positions and SwiGLU, signatures to prefill 8 tokens and to decode one, and
a cache of 64 positions, and the same weights, which are trained to go on with the pattern of the prompt. The others are
encoders, decoders, a diffusion network and a state-space scan of random weights. Files that two recipes write alike are
kept once, under the name of the first.

A developer tool: it needs litert-torch==0.10.0, torch==2.13.0, transformers==5.23.0 and ai-edge-quantizer==0.10.0,
which nothing else here does.

    python models/make_language_models.py FOLDER [NAME ...]
"""

import functools
import importlib.machinery
import inspect
import json
import sys
import tempfile
import types
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import ai_edge_quantizer
import litert_torch
import numpy as np
import torch
import transformers
from ai_edge_litert import schema_py_generated
from ai_edge_litert.interpreter import Interpreter
from ai_edge_quantizer import quantizer, recipe
from tokenizers import Tokenizer, models, pre_tokenizers
from torch import Tensor, nn

VOCABULARY, FEATURES, HIDDEN, LAYERS, HEADS, GROUPS = 128, 64, 128, 2, 4, 2
PREFILL, CACHE = 8, 64
PERIOD, STEPS = 5, 300
MASKED = -30.0  # added to the scores of positions that a token doesn't see
RECIPES = ("dynamic", "weight_only", "static", "gemma4")  # how the names of its recipes begin
PARTS = ("tf_lite_embedder", "tf_lite_prefill_decode")  # of a recipe for several models, those that one Llama has


def stand_in_for_tensorflow() -> None:
    """Lets litert-torch's generative API import the schema from TensorFlow, which LiteRT has too."""
    for name in ("tensorflow", "tensorflow.lite", "tensorflow.lite.python"):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__spec__ = importlib.machinery.ModuleSpec(name, None)
    sys.modules["tensorflow.lite.python.schema_py_generated"] = schema_py_generated
    sys.modules["tensorflow.lite.python"].schema_py_generated = schema_py_generated  # type: ignore[attr-defined]


# ** the two Llamas **


@functools.cache
def trained() -> transformers.LlamaForCausalLM:
    """A Llama that goes on with the pattern of its prompt: PERIOD random tokens again and again.

    What it says next is in the cache alone, and clear enough for every kind of quantization to say the same.
    """
    torch.manual_seed(7)
    config = transformers.LlamaConfig(
        vocab_size=VOCABULARY,
        hidden_size=FEATURES,
        intermediate_size=HIDDEN,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=GROUPS,
        max_position_embeddings=CACHE,
        rms_norm_eps=1e-5,
        bos_token_id=1,
        eos_token_id=2,
    )
    network = transformers.LlamaForCausalLM(config)
    optimizer = torch.optim.AdamW(network.parameters(), 3e-3)
    for step in range(STEPS):
        words = torch.randint(3, VOCABULARY, (64, PERIOD)).repeat(1, 8)
        logits = network(input_ids=words).logits[:, PERIOD - 1 : -1]
        loss = nn.functional.cross_entropy(logits.reshape(-1, VOCABULARY), words[:, PERIOD:].ravel())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 99:
            print(f"step {step + 1}: loss {loss.item():.4f}", flush=True)
    return network.eval()


def llama() -> bytes:
    """A Llama by the generative API, which builds the masks of attention inside."""
    from litert_torch.generative.layers import model_config as config
    from litert_torch.generative.utilities import converter, export_config, model_builder

    norm = config.NormalizationConfig(type=config.NormalizationType.RMS_NORM)
    silu = config.ActivationConfig(config.ActivationType.SILU)
    block = config.TransformerBlockConfig(
        attn_config=config.AttentionConfig(HEADS, FEATURES // HEADS, GROUPS, rotary_percentage=1.0),
        ff_config=config.FeedForwardConfig(config.FeedForwardType.GATED, silu, HIDDEN),
        pre_attention_norm_config=norm,
        post_attention_norm_config=norm,
    )
    whole = config.ModelConfig(
        VOCABULARY,
        LAYERS,
        CACHE,
        FEATURES,
        block,
        final_norm_config=norm,
        lm_head_share_weight_with_embedding=False,
    )
    with tempfile.TemporaryDirectory() as folder:
        trained().save_pretrained(folder)
        names = model_builder.TENSOR_NAMES_WITH_SEPARATE_LM_HEAD
        network = model_builder.build_decoder_only_model(folder, whole, names, mask_cache_size=CACHE).eval()
        options = export_config.ExportConfig()
        path = converter.convert_to_tflite(
            network, folder, "llama", [PREFILL], CACHE, quantize="none", export_config=options
        )
        return Path(path).read_bytes()


def llama_hf() -> bytes:
    """The same Llama by `export_hf`, whose masks of attention are inputs."""
    from litert_torch.generative.export_hf import export

    words = Tokenizer(models.WordLevel({f"t{i}": i for i in range(VOCABULARY)}, unk_token="t0"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    with tempfile.TemporaryDirectory() as folder:
        trained().save_pretrained(folder)
        tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=words, bos_token="t1", eos_token="t2")
        tokenizer.save_pretrained(folder)
        options: dict[str, Any] = {"quantization_recipe": "", "bundle_litert_lm": False, "keep_temporary_files": True}
        export.export(folder, f"{folder}/out", prefill_lengths=[PREFILL], cache_length=CACHE, **options)
        (path,) = Path(folder, "out").rglob("*.tflite")
        return path.read_bytes()


# ** other architectures **


class Called(nn.Module):
    """A network of transformers with positional inputs, as litert-torch wants them."""

    def __init__(self, network: nn.Module, call: Callable[..., Any]) -> None:
        super().__init__()
        self.network, self.call = network, call

    def forward(self, *inputs: Tensor) -> Any:
        """The outputs that `call` picks."""
        return self.call(self.network, *inputs)


def tokens(length: int) -> Tensor:
    """Random tokens beyond the special ones."""
    return torch.randint(3, VOCABULARY, (1, length))


def bert() -> tuple[nn.Module, tuple[Tensor, ...]]:
    """An encoder of text with the mask of its padding."""
    config = transformers.BertConfig(
        vocab_size=VOCABULARY,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=32,
    )
    network = Called(
        transformers.BertModel(config),
        lambda m, words, mask: m(input_ids=words, attention_mask=mask).to_tuple(),
    )
    return network, (tokens(16), torch.ones(1, 16, dtype=torch.long))


def whisper() -> tuple[nn.Module, tuple[Tensor, ...]]:
    """Encoder of a spectrogram and decoder of text."""
    config = transformers.WhisperConfig(
        vocab_size=VOCABULARY,
        num_mel_bins=16,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        d_model=32,
        max_source_positions=32,
        max_target_positions=16,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=1,
    )
    network = Called(
        transformers.WhisperForConditionalGeneration(config),
        lambda m, mel, words: m(input_features=mel, decoder_input_ids=words, use_cache=False).logits,
    )
    return network, (torch.randn(1, 16, 64), tokens(8))


def t5() -> tuple[nn.Module, tuple[Tensor, ...]]:
    """Encoder and decoder of text with relative positions."""
    config = transformers.T5Config(
        vocab_size=VOCABULARY, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, decoder_start_token_id=0
    )
    network = Called(
        transformers.T5ForConditionalGeneration(config),
        lambda m, words, answer: m(input_ids=words, decoder_input_ids=answer, use_cache=False).logits,
    )
    return network, (tokens(12), tokens(6))


def clip() -> tuple[nn.Module, tuple[Tensor, ...]]:
    """Encoders of a text and of an image, and how well they fit."""
    layers = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
    text = {"vocab_size": VOCABULARY, "max_position_embeddings": 16, "eos_token_id": 2, **layers}
    image = {"image_size": 32, "patch_size": 8, **layers}

    def call(network: nn.Module, words: Tensor, pixels: Tensor) -> tuple[Tensor, ...]:
        """The score, and what both encoders make of their inputs."""
        outputs = network(input_ids=words, pixel_values=pixels)
        return outputs.logits_per_image, outputs.text_embeds, outputs.image_embeds

    config = transformers.CLIPConfig(text_config=text, vision_config=image, projection_dim=16)
    return Called(transformers.CLIPModel(config), call), (tokens(8), torch.randn(1, 3, 32, 32))


class Residual(nn.Module):
    """Two convolutions with group norm and SiLU, with the time embedded between them."""

    def __init__(self, depth: int, channels: int) -> None:
        super().__init__()
        self.norms = nn.ModuleList([nn.GroupNorm(4, depth), nn.GroupNorm(4, channels)])
        self.first, self.second = nn.Conv2d(depth, channels, 3, 1, 1), nn.Conv2d(channels, channels, 3, 1, 1)
        self.time, self.short = nn.Linear(16, channels), nn.Conv2d(depth, channels, 1)

    def forward(self, x: Tensor, time: Tensor) -> Tensor:
        """`x` [N,C,H,W], `time` [N,16]."""
        y = self.first(nn.functional.silu(self.norms[0](x))) + self.time(time)[:, :, None, None]
        return self.short(x) + self.second(nn.functional.silu(self.norms[1](y)))


class UNet(nn.Module):
    """A diffusion network of two sizes, with attention to a text where it is smallest."""

    def __init__(self) -> None:
        super().__init__()
        self.enter, self.leave = nn.Conv2d(4, 16, 3, 1, 1), nn.Conv2d(16, 4, 3, 1, 1)
        self.time = nn.Sequential(nn.Linear(16, 16), nn.SiLU(), nn.Linear(16, 16))
        self.down, self.middle, self.up = Residual(16, 16), Residual(32, 32), Residual(48, 16)
        self.smaller = nn.Conv2d(16, 32, 3, 2, 1)
        self.attention = nn.MultiheadAttention(32, 4, kdim=24, vdim=24, batch_first=True)

    def forward(self, latents: Tensor, text: Tensor, time: Tensor) -> Tensor:
        """`latents` [N,4,H,W], `text` [N,words,24], `time` [N,16]."""
        time = self.time(time)
        high = self.down(self.enter(latents), time)
        low = self.middle(self.smaller(high), time)
        rows = low.flatten(2).transpose(1, 2)
        low = (rows + self.attention(rows, text, text, need_weights=False)[0]).transpose(1, 2).reshape(low.shape)
        wide = nn.functional.interpolate(low, scale_factor=2.0, mode="nearest")
        return self.leave(self.up(torch.cat([wide, high], 1), time))


def unet() -> tuple[nn.Module, tuple[Tensor, ...]]:
    """A diffusion U-Net with cross attention on a text."""
    return UNet(), (torch.randn(1, 4, 16, 16), torch.randn(1, 4, 24), torch.randn(1, 16))


def mamba() -> tuple[nn.Module, tuple[Tensor, ...]]:
    """A selective state-space scan of 8 tokens, unrolled as transformers does without CUDA."""
    config = transformers.MambaConfig(vocab_size=VOCABULARY, hidden_size=32, state_size=8, num_hidden_layers=2)
    network = Called(transformers.MambaForCausalLM(config), lambda m, words: m(input_ids=words, use_cache=False).logits)
    return network, (tokens(8),)


def exported(make: Callable[[], tuple[nn.Module, tuple[Tensor, ...]]]) -> bytes:
    """A network as litert-torch makes it."""
    torch.manual_seed(7)
    network, inputs = make()
    return bytes(litert_torch.convert(network.eval(), inputs).model_content())


LANGUAGE: dict[str, Callable[[], bytes]] = {"llama": llama, "llama_hf": llama_hf}
NETWORKS = {function.__name__: function for function in (bert, whisper, t5, clip, unet, mamba)}


# ** recipes **


def recipes() -> Iterator[tuple[str, Any]]:
    """Every recipe of the quantizer by name: functions of its module, then files that come with it."""
    functions = dict(inspect.getmembers(recipe, callable))
    for name in sorted(functions, key=lambda name: (len(name), name)):
        if name.startswith(RECIPES):
            made = functions[name]()
            yield name, [row for part in PARTS for row in made[part]] if isinstance(made, dict) else made
    folder = Path(ai_edge_quantizer.__file__).parent / "recipes"
    for path in sorted(folder.glob("*.json")):
        content = json.loads(path.read_text())
        if isinstance(content, dict):  # of a bundle: the names of files by the part of the model
            content = json.loads((folder / content["default"]).read_text())
        yield f"file_{path.stem.removesuffix('_recipe')}", content


def samples(floats: bytes) -> Mapping[str, list[dict[str, np.ndarray]]]:
    """Inputs of the float model's signatures for a static recipe's ranges: random patterns, then what it decodes."""
    rng, interpreter = np.random.default_rng(7), Interpreter(model_content=floats)
    runners = {name: interpreter.get_signature_runner(name) for name in interpreter.get_signature_list()}
    data: dict[str, list[dict[str, np.ndarray]]] = {name: [] for name in runners}
    for _ in range(4):
        details = runners["decode"].get_input_details()
        caches = {
            name: np.zeros(row["shape"], np.float32) for name, row in details.items() if name.startswith("kv_cache")
        }
        words = np.resize(rng.integers(3, VOCABULARY, PERIOD), PREFILL)
        for name, start, count in (
            (f"prefill_{PREFILL}", 0, PREFILL),
            *(("decode", PREFILL + i, 1) for i in range(16)),
        ):
            positions = np.arange(start, start + count, dtype=np.int32)
            inputs = {"tokens": words[:count].astype(np.int32)[None], "input_pos": positions, **caches}
            if "mask" in details:
                inputs["mask"] = np.where(np.arange(CACHE) <= positions[:, None], 0, MASKED)[None, None].astype("f")
            data[name].append(inputs)
            outputs = runners[name](**inputs)
            caches = {key: outputs[key] for key in caches}
            words = outputs["logits"].argmax(-1).ravel() if "logits" in outputs else rng.integers(3, VOCABULARY, 1)
    return data


def quantized(floats: bytes, instructions: Any) -> bytes:
    """The network quantized by a recipe."""
    quantize = quantizer.Quantizer(floats, instructions)
    ranges = quantize.calibrate(samples(floats)) if quantize.need_calibration else None
    return bytes(quantize.quantize(ranges).quantized_model)


def main() -> None:
    """Every network, or those that are named, as NETWORK.RECIPE.tflite."""
    stand_in_for_tensorflow()
    folder, names = Path(sys.argv[1]), sys.argv[2:] or [*LANGUAGE, *NETWORKS]
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        floats = LANGUAGE[name]() if name in LANGUAGE else exported(NETWORKS[name])
        (folder / f"{name}.float32.tflite").write_bytes(floats)
        written = {floats: "float32"}
        print(f"{name}.float32: {len(floats)} bytes", flush=True)
        for kind, instructions in recipes() if name in LANGUAGE else ():
            try:
                data = quantized(floats, instructions)
            except Exception as error:  # the other tool's failure: told, and the rest made
                print(f"{name}.{kind}: ai-edge-quantizer fails: {str(error).splitlines()[0]}", flush=True)
                continue
            if data in written:
                print(f"{name}.{kind}: the same as {written[data]}", flush=True)
                continue
            written[data] = kind
            (folder / f"{name}.{kind}.tflite").write_bytes(data)
            print(f"{name}.{kind}: {len(data)} bytes", flush=True)


if __name__ == "__main__":
    main()
