"""Every hand-written kernel against an independent float64 formula and against finite differences."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from botpsy_trainer.delta import CHUNK, GatedDelta, unit_lower_inverse
from botpsy_trainer.kernels import ConvSilu, GatedRmsNorm, RmsNorm, SigmoidGate, SplitHeads, SwiGlu


def draw(*shape: int, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed + sum(shape))
    return torch.randn(*shape, dtype=torch.float64, generator=generator).requires_grad_()


def agree(fast, plain, inputs: list[torch.Tensor]) -> None:
    """Same values and same gradients of a random projection, to float64 accuracy; gradcheck by finite differences besides."""
    got, want = fast(*inputs), plain(*inputs)
    assert got.shape == want.shape
    torch.testing.assert_close(got, want, rtol=1e-10, atol=1e-12)
    weight = torch.randn(got.shape, dtype=got.dtype, generator=torch.Generator().manual_seed(3))
    ours = torch.autograd.grad((got * weight).sum(), inputs)
    theirs = torch.autograd.grad((want * weight).sum(), inputs)
    for one, other in zip(ours, theirs):
        torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-11)
    assert torch.autograd.gradcheck(fast, inputs, fast_mode=True)


def plain_rms(x, weight, eps=1e-6):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight


@pytest.mark.parametrize("strided", [False, True])
def test_rms_norm(strided: bool) -> None:
    x, weight = draw(2, 5, 3, 8), draw(8)
    view = (lambda t: t[:, :, 1]) if strided else (lambda t: t)
    agree(lambda x, w: RmsNorm.apply(view(x), w, 1e-6), lambda x, w: plain_rms(view(x), 1 + w), [x, weight])


def test_gated_rms_norm() -> None:
    x, z, weight = draw(3, 4, 8), draw(4, 3, 8, seed=1), draw(8)
    agree(
        lambda x, z, w: GatedRmsNorm.apply(x.transpose(0, 1), z, w, 1e-6),
        lambda x, z, w: plain_rms(x.transpose(0, 1), w) * F.silu(z),
        [x, z, weight],
    )


def test_gates() -> None:
    agree(SwiGlu.apply, lambda g, u: F.silu(g) * u, [draw(3, 7), draw(3, 7, seed=1)])
    agree(SigmoidGate.apply, lambda x, g: x * torch.sigmoid(g), [draw(3, 7), draw(3, 7, seed=1)])


@pytest.mark.parametrize("length", [1, 2, 3, 11])
def test_convolution(length: int) -> None:
    def plain(x, weight):
        padded = F.pad(x.transpose(1, 2), (3, 0))
        return F.silu(F.conv1d(padded, weight[:, None], groups=weight.shape[0])).transpose(1, 2)

    agree(ConvSilu.apply, plain, [draw(2, length, 6), draw(6, 4)])


@pytest.mark.parametrize("repeat", [1, 2])
def test_split_heads(repeat: int) -> None:
    heads, width, wide, size, chunks = 2, 4, 6, 8, 3
    mixed = draw(2, chunks * size, 2 * heads * width + heads * repeat * wide)

    def plain(mixed):
        q, k, v = mixed.split([heads * width, heads * width, heads * repeat * wide], -1)
        norm = lambda x: x * torch.rsqrt((x * x).sum(-1, keepdim=True) + 1e-6)  # noqa: E731
        q, k = (norm(x.unflatten(-1, (heads, width))).repeat_interleave(repeat, 2) for x in (q, k))
        parts = (q * width**-0.5, k, v.unflatten(-1, (heads * repeat, wide)))
        out = [x.unflatten(1, (chunks, size)).permute(1, 0, 3, 2, 4).flatten(1, 2) for x in parts]
        return torch.cat([x.flatten() for x in out])

    def fast(mixed):
        return torch.cat([x.flatten() for x in SplitHeads.apply(mixed, heads, width, heads * repeat, wide, size)])

    agree(fast, plain, [mixed])


@pytest.mark.parametrize("size", [1, 2, 8, 32])
def test_inverse(size: int) -> None:
    lower = draw(3, size, size).detach().tril(-1)
    whole = torch.eye(size, dtype=torch.float64) + lower
    torch.testing.assert_close(unit_lower_inverse(lower) @ whole, torch.eye(size, dtype=torch.float64).expand(3, -1, -1), rtol=1e-8, atol=1e-7)


def recurrent(q, k, v, g, beta):
    """The rule as it is defined, one token after another. [R, T, …]"""
    state = q.new_zeros(q.shape[0], q.shape[2], v.shape[2])
    out = []
    for t in range(q.shape[1]):
        state = state * g[:, t].exp()[:, None, None]
        seen = (state * k[:, t, :, None]).sum(1)
        state = state + k[:, t, :, None] * ((v[:, t] - seen) * beta[:, t, None])[:, None]
        out.append((state * q[:, t, :, None]).sum(1))
    return torch.stack(out, 1)


@pytest.mark.parametrize("chunks", [1, 2, 3])
def test_delta_rule(chunks: int) -> None:
    rows, width, wide, total = 2, 4, 3, chunks * CHUNK
    q, v = draw(rows, total, width), draw(rows, total, wide, seed=1)
    k = F.normalize(draw(rows, total, width, seed=2), dim=-1).detach().requires_grad_()
    # From hardly any decay to a complete one.
    g = (-torch.exp(draw(rows, total, seed=3) * 3)).detach().requires_grad_()
    beta = torch.sigmoid(draw(rows, total, seed=4)).detach().requires_grad_()

    def fast(q, k, v, g, beta):
        cut = lambda x: x.unflatten(1, (chunks, CHUNK)).transpose(0, 1).contiguous()  # noqa: E731
        return GatedDelta.apply(*map(cut, (q, k, v, g, beta))).transpose(0, 1).flatten(1, 2)

    agree(fast, recurrent, [q, k, v, g, beta])


def test_delta_rule_survives_extreme_decay() -> None:
    rows, total = 1, 2 * CHUNK
    x = torch.randn(2, rows, CHUNK, 4, generator=torch.Generator().manual_seed(0)).requires_grad_()
    g = torch.full((2, rows, CHUNK), -80.0, requires_grad=True)
    out = GatedDelta.apply(x, F.normalize(x, dim=-1), x, g, torch.ones(2, rows, CHUNK))
    out.sum().backward()
    assert torch.isfinite(out).all() and torch.isfinite(x.grad).all() and torch.isfinite(g.grad).all() and total == out.shape[0] * out.shape[2]
