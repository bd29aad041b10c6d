"""AdamW whose settings come with every step (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019)."""

from __future__ import annotations

import torch
from torch import nn


def decayed(network: nn.Module) -> set[str]:
    """Names of the parameters that weight decay applies to: matrices, but neither embeddings nor convolutions."""
    names = {name for name, p in network.named_parameters() if p.ndim >= 2}
    for path, module in network.named_modules():
        if isinstance(module, (nn.Embedding, nn.Conv1d, nn.Conv2d)):
            names.discard(f"{path}.weight")
    return names


class Optimizer:
    """AdamW over the trainable parameters of a network, in the order of their names in the network."""

    def __init__(self, network: nn.Module) -> None:
        matrices = decayed(network)
        self.names = [name for name, p in network.named_parameters() if p.requires_grad]
        by_name = dict(network.named_parameters())
        self.parameters = [by_name[name] for name in self.names]
        self.groups = [
            [place for place, name in enumerate(self.names) if (name in matrices) == kind] for kind in (True, False)
        ]
        self.steps = 0
        self.first = [torch.zeros_like(p) for p in self.parameters]
        self.second = [torch.zeros_like(p) for p in self.parameters]

    def norm(self) -> float:
        """Global L2 norm of the gradient."""
        gradients = [p.grad for p in self.parameters if p.grad is not None]
        if not gradients:
            return 0.0
        return float(torch.linalg.vector_norm(torch.stack(torch._foreach_norm(gradients)).double()))

    def step(self, lr: float, beta1: float, beta2: float, eps: float, decay: float, factor: float) -> None:
        """One update with the gradient times ``factor``; the gradient is cleared."""
        self.steps += 1
        for kind, places in zip((decay, 0.0), self.groups):
            live = [place for place in places if self.parameters[place].grad is not None]
            if not live:
                continue
            parameters = [self.parameters[place] for place in live]
            gradients = [self.parameters[place].grad for place in live]
            if factor != 1.0:
                torch._foreach_mul_(gradients, factor)
            step = torch.tensor(float(self.steps), device=parameters[0].device)
            torch._fused_adamw_(
                [p.detach() for p in parameters],
                gradients,
                [self.first[place] for place in live],
                [self.second[place] for place in live],
                [],
                [step] * len(live),
                lr=lr,
                beta1=beta1,
                beta2=beta2,
                weight_decay=kind,
                eps=eps,
                amsgrad=False,
                maximize=False,
            )
        self.zero_grad()

    def zero_grad(self) -> None:
        """Drops the gradients."""
        for p in self.parameters:
            p.grad = None
