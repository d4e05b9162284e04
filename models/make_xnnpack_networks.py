"""Networks as PyTorch users export them to ExecuTorch's XNNPACK delegate; `make_xnnpack.py` writes them."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from executorch.backends.xnnpack.partition.config.xnnpack_config import ConfigPrecisionType
from executorch.backends.xnnpack.partition.xnnpack_partitioner import (
    XnnpackPartitioner,
)
from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import XNNPACKQuantizer, get_symmetric_quantization_config
from executorch.exir import to_edge_transform_and_lower
from make_xnnpack_kernels import VisionTransformer
from torch import Tensor, nn
from torchao.quantization.granularity import PerGroup
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
from torchao.quantization.quant_api import Int8DynamicActivationIntxWeightConfig, quantize_


class Attention(nn.Module):
    """Self-attention of two heads."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.of = nn.ModuleList(nn.Linear(size, size) for _ in range(4))

    def forward(self, x: Tensor) -> Tensor:
        """`x` [N,T,size]."""
        n, t, size = x.shape
        heads = (layer(x).reshape(n, t, 2, size // 2).transpose(1, 2) for layer in self.of[:3])
        q, k, v = (head.reshape(2 * n, t, size // 2) for head in heads)
        shares = torch.softmax(torch.bmm(q, k.transpose(1, 2)) * (size // 2) ** -0.5, -1)
        return self.of[3](torch.bmm(shares, v).reshape(n, 2, t, size // 2).transpose(1, 2).reshape(n, t, size))


class Bottleneck(nn.Module):
    """An inverted residual of MobileNetV2."""

    def __init__(self, depth: int) -> None:
        super().__init__()
        wide = depth * 4
        self.layers = nn.Sequential(
            *convolved(depth, wide, 1),
            *convolved(wide, wide, 3, groups=wide),
            nn.Conv2d(wide, depth, 1, bias=False),
            nn.BatchNorm2d(depth),
        )

    def forward(self, x: Tensor) -> Tensor:
        """`x` [N,C,H,W]."""
        return x + self.layers(x)


def convolved(depth: int, channels: int, size: int, stride: int = 1, groups: int = 1) -> list[nn.Module]:
    """A convolution with BatchNorm and RELU6."""
    convolution = nn.Conv2d(depth, channels, size, stride, size // 2, groups=groups, bias=False)
    return [convolution, nn.BatchNorm2d(channels), nn.ReLU6()]


def cnn() -> nn.Module:
    """A small classifier of images of 16 by 16."""
    return nn.Sequential(
        *convolved(3, 8, 3, 2), nn.MaxPool2d(2), Bottleneck(8), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 4)
    )


def mlp() -> nn.Module:
    """Two layers."""
    return nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 8))


class Shapes(nn.Module):
    """What only moves elements, and some functions."""

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        """`x` and `y` [N,C,H,W]."""
        up = nn.functional.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)
        joined = torch.cat([up[:, :, 1:5, 1:5], y[:, :, :4, :4]], 1).permute(0, 2, 3, 1)
        return nn.functional.pad(torch.sigmoid(joined) * torch.tanh(joined), (1, 1))


class Excitation(nn.Module):
    """Channels weighted by the mean of each, as MobileNetV3 has them."""

    def __init__(self, depth: int) -> None:
        super().__init__()
        layers = nn.Conv2d(depth, 8, 1), nn.ReLU(), nn.Conv2d(8, depth, 1), nn.Hardsigmoid()
        self.layers = nn.Sequential(nn.AdaptiveAvgPool2d(1), *layers)

    def forward(self, x: Tensor) -> Tensor:
        """`x` [N,C,H,W]."""
        weighted: Tensor = x * self.layers(x)
        return weighted


class ExcitedBottleneck(nn.Module):
    """An inverted residual of MobileNetV3."""

    def __init__(self, depth: int, wide: int, activation: type[nn.Module]) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            *(nn.Conv2d(depth, wide, 1, bias=False), nn.BatchNorm2d(wide), activation()),
            *(nn.Conv2d(wide, wide, 3, 1, 1, groups=wide, bias=False), nn.BatchNorm2d(wide), activation()),
            *(Excitation(wide), nn.Conv2d(wide, depth, 1, bias=False), nn.BatchNorm2d(depth)),
        )

    def forward(self, x: Tensor) -> Tensor:
        """`x` [N,C,H,W]."""
        return x + self.layers(x)


def mobilenet_v3() -> nn.Module:
    """The layers of MobileNetV3 on images of 16 by 16."""
    return nn.Sequential(
        *(nn.Conv2d(3, 8, 3, 2, 1, bias=False), nn.BatchNorm2d(8), nn.Hardswish()),
        *(ExcitedBottleneck(8, 24, nn.Hardswish), ExcitedBottleneck(8, 16, nn.ReLU)),
        *(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 16), nn.Hardswish(), nn.Linear(16, 4)),
    )


def settled(model: nn.Module, inputs: Sequence[Tensor]) -> nn.Module:
    """The model with statistics of BatchNorm."""
    model.train()
    with torch.no_grad():
        for _ in range(4):
            model(*(torch.randn_like(x) for x in inputs))
    return model.eval()


def quantized(model: nn.Module, inputs: Sequence[Tensor], **how: Any) -> nn.Module:
    """The model in int8 by PyTorch's quantizer."""
    quantizer = XNNPACKQuantizer().set_global(get_symmetric_quantization_config(is_per_channel=True, **how))
    prepared = prepare_pt2e(torch.export.export(model, tuple(inputs)).module(), quantizer)
    for _ in range(4):
        prepared(*(torch.randn_like(x) for x in inputs))
    result: nn.Module = convert_pt2e(prepared)
    return result


def four_bits(model: nn.Module, _: Sequence[Tensor]) -> nn.Module:
    """The layers' weights in groups of 32 of 4 bits."""
    quantize_(model, Int8DynamicActivationIntxWeightConfig(weight_dtype=torch.int4, weight_granularity=PerGroup(32)))
    return model


def dynamic() -> list[Any]:
    """What takes layers that quantize their input."""
    alone = XnnpackPartitioner(config_precisions=ConfigPrecisionType.DYNAMIC_QUANT, per_op_mode=True)
    return [alone, XnnpackPartitioner()]


def plain() -> list[Any]:
    """What takes all else."""
    return [XnnpackPartitioner()]


Change = Callable[[nn.Module, Sequence[Tensor]], nn.Module]
Recipe = tuple[Callable[[], nn.Module], tuple[tuple[int, ...], ...], Change, Callable[[], list[Any]]]
NETWORKS: dict[str, Recipe] = {
    "mlp": (mlp, ((3, 16),), settled, plain),
    "cnn": (cnn, ((1, 3, 16, 16),), settled, plain),
    "attention": (lambda: Attention(16), ((1, 5, 16),), settled, plain),
    "shapes": (Shapes, ((1, 2, 4, 4), (1, 2, 5, 5)), settled, plain),
    "cnn_int8": (cnn, ((1, 3, 16, 16),), lambda m, x: quantized(settled(m, x), x), plain),
    "mlp_dynamic": (mlp, ((3, 16),), lambda m, x: quantized(settled(m, x), x, is_dynamic=True), dynamic),
    "mlp_4_bits": (
        lambda: nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 8)),
        ((3, 64),),
        four_bits,
        dynamic,
    ),
    "layer_norm": (
        lambda: nn.Sequential(nn.Linear(16, 8), nn.LayerNorm(8), nn.Linear(8, 4)),
        ((3, 16),),
        settled,
        plain,
    ),
}


# Whose tensors of int8 pass through portable kernels between delegates.
INT8_NETWORKS: dict[str, Recipe] = {
    "vision_transformer_int8": (
        lambda: VisionTransformer(16),
        ((1, 3, 16, 16),),
        lambda m, x: quantized(settled(m, x), x),
        plain,
    ),
    "mobilenet_v3_int8": (mobilenet_v3, ((1, 3, 16, 16),), lambda m, x: quantized(settled(m, x), x), plain),
}


def programs(recipes: dict[str, Recipe]) -> dict[str, Any]:
    """Programs with their inputs and outputs."""
    from make_xnnpack import case, run

    arrays_by_name: dict[str, Any] = {}
    for name, (build, shapes, change, partitioners) in recipes.items():
        torch.manual_seed(len(arrays_by_name))
        inputs = tuple(torch.randn(shape) for shape in shapes)
        model = change(build(), inputs)
        exported = torch.export.export(model, inputs)
        lowered = to_edge_transform_and_lower(exported, partitioner=partitioners()).to_executorch()
        arrays = [x.numpy() for x in inputs]
        arrays_by_name |= case(f"{name}.pte", bytes(lowered.buffer), arrays, run(bytes(lowered.buffer), arrays))
    return arrays_by_name
