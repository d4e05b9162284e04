"""Make networks as PyTorch users do: exported by litert-torch, quantized by ai-edge-quantizer.

A developer tool: it needs litert-torch==0.10.0, torch==2.13.0 and ai-edge-quantizer==0.10.0, which nothing else here
does. Weights are random; BatchNorm's statistics settle in a few steps first.

    python models/make_torch_networks.py FOLDER [NAME ...]
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import litert_torch
import numpy as np
import torch
from ai_edge_quantizer import quantizer, recipe
from torch import Tensor, nn

KINDS: dict[str, Callable[[], Any] | None] = {
    "float32": None,
    "dynamic": recipe.dynamic_wi8_afp32,
    "dynamic4": recipe.dynamic_wi4_afp32,
    "weights": recipe.weight_only_wi8_afp32,
    "int8": recipe.static_wi8_ai8,
    "int16x8": recipe.static_wi8_ai16,
}


class Bottleneck(nn.Module):
    """An inverted residual of MobileNetV2: 1 by 1, depthwise 3 by 3, 1 by 1."""

    def __init__(self, depth: int, channels: int, stride: int) -> None:
        super().__init__()
        wide = depth * 4
        self.same = stride == 1 and depth == channels
        self.layers = nn.Sequential(
            *convolved(depth, wide, 1),
            *convolved(wide, wide, 3, stride, groups=wide),
            nn.Conv2d(wide, channels, 1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        """`x` [N,C,H,W]."""
        return x + self.layers(x) if self.same else self.layers(x)


def convolved(depth: int, channels: int, size: int, stride: int = 1, groups: int = 1) -> list[nn.Module]:
    """A convolution with BatchNorm and RELU6."""
    convolution = nn.Conv2d(depth, channels, size, stride, size // 2, groups=groups, bias=False)
    return [convolution, nn.BatchNorm2d(channels), nn.ReLU6()]


def mobilenet(width: int, classes: int) -> nn.Module:
    """MobileNetV2's plan, `width` channels in front."""
    plan = [(width, 1), (width * 2, 2), (width * 2, 1), (width * 3, 2), (width * 3, 1)]
    depths = [width, *(channels for channels, _ in plan)]
    blocks = [Bottleneck(depth, *step) for depth, step in zip(depths, plan, strict=False)]
    last = convolved(depths[-1], width * 8, 1)
    head = [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width * 8, classes), nn.Softmax(-1)]
    return nn.Sequential(*convolved(3, width, 3, 2), *blocks, *last, *head)


class LayerNorm2d(nn.LayerNorm):
    """A layer norm of the channels of [N,C,H,W]."""

    def forward(self, x: Tensor) -> Tensor:
        """`x` [N,C,H,W]."""
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class ConvNeXtBlock(nn.Module):
    """Depthwise 7 by 7, layer norm, two layers with GELU between, a scale for each channel."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.spread = nn.Conv2d(channels, channels, 7, padding=3, groups=channels)
        self.layers = nn.Sequential(
            nn.LayerNorm(channels, eps=1e-6),
            nn.Linear(channels, 4 * channels),
            nn.GELU(),
            nn.Linear(4 * channels, channels),
        )
        self.scale = nn.Parameter(torch.full((channels,), 0.1))

    def forward(self, x: Tensor) -> Tensor:
        """`x` [N,C,H,W]."""
        return x + (self.scale * self.layers(self.spread(x).permute(0, 2, 3, 1))).permute(0, 3, 1, 2)


def convnext(width: int, classes: int) -> nn.Module:
    """ConvNeXt with two stages of two blocks."""
    stem = [nn.Conv2d(3, width, 4, 4), LayerNorm2d(width, eps=1e-6)]
    smaller = [LayerNorm2d(width, eps=1e-6), nn.Conv2d(width, 2 * width, 2, 2)]
    stages = [[ConvNeXtBlock(channels) for _ in range(2)] for channels in (width, 2 * width)]
    head = [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.LayerNorm(2 * width), nn.Linear(2 * width, classes)]
    return nn.Sequential(*stem, *stages[0], *smaller, *stages[1], *head)


class Bert(nn.Module):
    """Token and position embeddings, two layers of an encoder, a pooled classifier."""

    def __init__(self, features: int, length: int, classes: int) -> None:
        super().__init__()
        self.tokens = nn.Embedding(200, features)
        self.positions = nn.Parameter(torch.randn(length, features) * 0.1)
        self.norm = nn.LayerNorm(features)
        self.layers = nn.ModuleList([BertLayer(features, 4) for _ in range(2)])
        self.pooler, self.classifier = nn.Linear(features, features), nn.Linear(features, classes)

    def forward(self, tokens: Tensor) -> Tensor:
        """`tokens` [N,length] of i32."""
        x = self.norm(self.tokens(tokens) + self.positions)
        for layer in self.layers:
            x = layer(x)
        return self.classifier(torch.tanh(self.pooler(x[:, 0])))


class BertLayer(nn.Module):
    """Attention and two layers with GELU between, each with a layer norm behind."""

    def __init__(self, features: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(features, features) for _ in range(4))
        self.first, self.second = nn.Linear(features, 2 * features), nn.Linear(2 * features, features)
        self.norms = nn.ModuleList([nn.LayerNorm(features) for _ in range(2)])

    def forward(self, x: Tensor) -> Tensor:
        """`x` [N,length,features]."""
        batch, length, features = x.shape
        query, key, value = (
            layer(x).reshape(batch, length, self.heads, -1).transpose(1, 2)
            for layer in (self.query, self.key, self.value)
        )
        scores = query @ key.transpose(-1, -2) / (features // self.heads) ** 0.5
        mixed = (scores.softmax(-1) @ value).transpose(1, 2).reshape(batch, length, features)
        x = self.norms[0](x + self.out(mixed))
        return self.norms[1](x + self.second(nn.functional.gelu(self.first(x))))


class Recurrent(nn.Module):
    """A recurrent layer over a sequence, and a classifier of its last step."""

    def __init__(self, layer: nn.RNNBase, features: int, classes: int) -> None:
        super().__init__()
        self.layer, self.classifier = layer, nn.Linear(features, classes)

    def forward(self, x: Tensor) -> Tensor:
        """`x` [N,steps,features]."""
        return self.classifier(self.layer(x)[0][:, -1])


class Network(NamedTuple):
    """What makes a network, and one random input of it."""

    make: Callable[[], nn.Module]
    sample: Callable[[], Tensor]


def image(size: int) -> Callable[[], Tensor]:
    """Images as cameras and data loaders give them to a deployed model, [1,height,width,channels]."""
    return lambda: torch.randn(1, size, size, 3)


def words(length: int) -> Callable[[], Tensor]:
    """Token numbers."""
    return lambda: torch.randint(0, 200, (1, length), dtype=torch.int32)


def sequence() -> Tensor:
    """Twelve steps of eight features."""
    return torch.randn(1, 12, 8)


NETWORKS = {
    "torch_mobilenet_v2": Network(lambda: mobilenet(32, 100), image(96)),
    "torch_convnext": Network(lambda: convnext(64, 100), image(64)),
    "torch_bert": Network(lambda: Bert(128, 32, 2), words(32)),
    "torch_lstm": Network(lambda: Recurrent(nn.LSTM(8, 16, batch_first=True), 16, 4), sequence),
    "torch_gru": Network(lambda: Recurrent(nn.GRU(8, 16, batch_first=True), 16, 4), sequence),
    "torch_bidirectional": Network(
        lambda: Recurrent(nn.LSTM(8, 16, batch_first=True, bidirectional=True), 32, 4), sequence
    ),
    "torch_mobilenet_v2_small": Network(lambda: mobilenet(8, 10), image(32)),
    "torch_convnext_small": Network(lambda: convnext(16, 10), image(32)),
    "torch_bert_small": Network(lambda: Bert(32, 16, 2), words(16)),
}


def made(name: str) -> bytes:
    """A network in float32 as litert-torch makes it; images have their channels last."""
    torch.manual_seed(7)
    make, sample = NETWORKS[name]
    network = make()
    example = sample()
    if example.ndim == 4:
        for _ in range(8):  # BatchNorm gets the statistics of what it sees
            network(torch.randn(8, 3, *example.shape[1:3]))
        network = litert_torch.to_channel_last_io(network, args=[0])
    return bytes(litert_torch.convert(network.eval(), (example,)).model_content())


def quantized(floats: bytes, name: str, make_recipe: Callable[[], Any]) -> bytes:
    """The network quantized; the samples for its ranges go in by the names of its signature."""
    quantize = quantizer.Quantizer(floats, make_recipe())
    ranges = None
    if quantize.need_calibration:
        sample = NETWORKS[name].sample
        data = [{"args_0": np.asarray(sample())} for _ in range(8)]
        ranges = quantize.calibrate({"serving_default": data})
    return bytes(quantize.quantize(ranges).quantized_model)


def main() -> None:
    """Every network in every kind, or those that are named, as NETWORK.KIND.tflite."""
    folder, names = Path(sys.argv[1]), sys.argv[2:] or list(NETWORKS)
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        floats = made(name)
        for kind, make_recipe in KINDS.items():
            try:
                data = floats if make_recipe is None else quantized(floats, name, make_recipe)
            except Exception as error:  # the other tools' failure: told, and the rest made
                print(f"{name}.{kind}: ai-edge-quantizer fails: {str(error).splitlines()[0]}")
                continue
            (folder / f"{name}.{kind}.tflite").write_bytes(data)
            print(f"{name}.{kind}: {len(data)} bytes", flush=True)


if __name__ == "__main__":
    main()
