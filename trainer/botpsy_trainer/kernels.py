"""Element-wise layers with hand-written gradients.

PyTorch's own composition of these makes a new array per operation and recomputes exponentials in the backward pass, which on a CPU cost more
than the arithmetic. Each function here keeps what the gradient needs and works in place where it may.
"""

from __future__ import annotations

import torch


class RmsNorm(torch.autograd.Function):
    """y = x / rms(x) · (1 + weight) over the last dimension (zero-centred weights, as Qwen3.5 has them). x of any shape, may be strided."""

    @staticmethod
    def forward(ctx, x, weight, eps):
        size = x.shape[-1]
        inverse = torch.linalg.vector_norm(x, dim=-1, keepdim=True).square_().div_(size).add_(eps).rsqrt_()
        scale = weight + 1
        ctx.save_for_backward(x, scale, inverse)
        return (x * inverse).mul_(scale)

    @staticmethod
    def backward(ctx, grad):
        x, scale, inverse = ctx.saved_tensors
        size = x.shape[-1]
        flat = grad * x
        flat.mul_(inverse)
        dweight = flat.sum(tuple(range(flat.dim() - 1))) if ctx.needs_input_grad[1] else None
        along = torch.mv(flat.reshape(-1, size), scale).view(inverse.shape)
        along.mul_(inverse.square()).div_(-size)
        dx = torch.mul(grad, scale, out=flat).mul_(inverse)
        dx.addcmul_(x, along)
        return dx, dweight, None


class GatedRmsNorm(torch.autograd.Function):
    """y = x / rms(x) · weight · silu(z) over the last dimension. x may be strided, z is contiguous and of the same shape; so is y."""

    @staticmethod
    def forward(ctx, x, z, weight, eps):
        size = x.shape[-1]
        inverse = torch.linalg.vector_norm(x, dim=-1, keepdim=True).square_().div_(size).add_(eps).rsqrt_()
        sigmoid = torch.sigmoid(z)
        gate = z * sigmoid
        normed = torch.mul(x, inverse, out=torch.empty_like(z))
        out = normed * weight
        ctx.save_for_backward(normed, inverse, weight, sigmoid, gate)
        return out.mul_(gate)

    @staticmethod
    def backward(ctx, grad):
        normed, inverse, weight, sigmoid, gate = ctx.saved_tensors
        size = normed.shape[-1]
        both = grad * normed
        # d silu = sigmoid + silu · (1 − sigmoid)
        dz = torch.addcmul(gate, gate, sigmoid, value=-1).add_(sigmoid)
        dz.mul_(both).mul_(weight)
        both.mul_(gate)
        flat = both.view(-1, size)
        dweight = flat.sum(0) if ctx.needs_input_grad[2] else None
        along = torch.mv(flat, weight).view(*normed.shape[:-1], 1).div_(-size)
        dx = torch.mul(grad, gate, out=both).mul_(weight)
        dx.addcmul_(normed, along).mul_(inverse)
        return dx, dz, dweight, None


class SwiGlu(torch.autograd.Function):
    """silu(gate) · up."""

    @staticmethod
    def forward(ctx, gate, up):
        sigmoid = torch.sigmoid(gate)
        silu = gate * sigmoid
        ctx.save_for_backward(up, sigmoid, silu)
        return silu * up

    @staticmethod
    def backward(ctx, grad):
        up, sigmoid, silu = ctx.saved_tensors
        dgate = torch.addcmul(silu, silu, sigmoid, value=-1).add_(sigmoid)
        dgate.mul_(up).mul_(grad)
        return dgate, grad * silu


class SigmoidGate(torch.autograd.Function):
    """x · sigmoid(gate)."""

    @staticmethod
    def forward(ctx, x, gate):
        sigmoid = torch.sigmoid(gate)
        out = x * sigmoid
        ctx.save_for_backward(out, sigmoid)
        return out

    @staticmethod
    def backward(ctx, grad):
        out, sigmoid = ctx.saved_tensors
        dgate = torch.addcmul(out, out, sigmoid, value=-1).mul_(grad)
        return grad * sigmoid, dgate


class ConvSilu(torch.autograd.Function):
    """silu of a causal depth-wise convolution, written as shifted multiply-adds. x [B, T, C], weight [C, k] (last tap is the present)."""

    @staticmethod
    def forward(ctx, x, weight):
        taps = weight.shape[1]
        kernel = weight.t().contiguous()
        out = x * kernel[taps - 1]
        for back in range(1, min(taps, x.shape[1])):
            out[:, back:].addcmul_(x[:, :-back], kernel[taps - 1 - back])
        sigmoid = torch.sigmoid(out)
        out.mul_(sigmoid)
        ctx.save_for_backward(x, kernel, sigmoid, out)
        return out

    @staticmethod
    def backward(ctx, grad):
        x, kernel, sigmoid, out = ctx.saved_tensors
        taps = kernel.shape[0]
        inner = torch.addcmul(out, out, sigmoid, value=-1).add_(sigmoid).mul_(grad)
        dx = inner * kernel[taps - 1]
        scratch = inner * x
        dkernel = torch.zeros_like(kernel)
        torch.sum(scratch, (0, 1), out=dkernel[taps - 1])
        for back in range(1, min(taps, x.shape[1])):
            dx[:, :-back].addcmul_(inner[:, back:], kernel[taps - 1 - back])
            part = torch.mul(inner[:, back:], x[:, :-back], out=scratch[:, back:])
            torch.sum(part, (0, 1), out=dkernel[taps - 1 - back])
        return dx, dkernel.t()


class SplitHeads(torch.autograd.Function):
    """Queries, keys and values of linear attention in the layout of ``GatedDelta``.

    mixed [B, T, 2·Hk·K + Hv·V] with T a multiple of ``size`` becomes q, k [N, B·Hv, C, K] and v [N, B·Hv, C, V]. Queries and keys are
    L2-normalised as x · rsqrt(Σx² + 1e-6), queries also divided by √K; each key head serves Hv / Hk value heads that follow one another.
    """

    @staticmethod
    def forward(ctx, mixed, key_heads, key_size, value_heads, value_size, size):
        batch, total, _ = mixed.shape
        chunks, repeat = total // size, value_heads // key_heads
        edge = key_heads * key_size
        both = mixed[:, :, : 2 * edge].view(batch, chunks, size, 2, key_heads, key_size)
        inverse = torch.linalg.vector_norm(both, dim=-1, keepdim=True).square_().add_(1e-6).rsqrt_()
        scaled = inverse.clone()
        scaled[:, :, :, 0].mul_(key_size**-0.5)
        outs = []
        for which in (0, 1):
            out = mixed.new_empty(chunks, batch, key_heads, repeat, size, key_size)
            view = out.permute(3, 1, 0, 4, 2, 5)
            for one in view:
                torch.mul(both[:, :, :, which], scaled[:, :, :, which], out=one)
            outs.append(out.view(chunks, batch * value_heads, size, key_size))
        value = mixed.new_empty(chunks, batch, value_heads, size, value_size)
        value.permute(1, 0, 3, 2, 4).copy_(mixed[:, :, 2 * edge :].view(batch, chunks, size, value_heads, value_size))
        ctx.save_for_backward(mixed, inverse)
        ctx.shape = (batch, chunks, size, key_heads, key_size, repeat, value_heads, value_size)
        return outs[0], outs[1], value.view(chunks, batch * value_heads, size, value_size)

    @staticmethod
    def backward(ctx, dq, dk, dv):
        mixed, inverse = ctx.saved_tensors
        batch, chunks, size, key_heads, key_size, repeat, value_heads, value_size = ctx.shape
        edge = key_heads * key_size
        dmixed = torch.empty_like(mixed)
        both = mixed[:, :, : 2 * edge].view(batch, chunks, size, 2, key_heads, key_size)
        dboth = dmixed[:, :, : 2 * edge].view(batch, chunks, size, 2, key_heads, key_size)
        for which, grad in ((0, dq), (1, dk)):
            grad = grad.view(chunks, batch, key_heads, repeat, size, key_size)
            grad = (grad.sum(3) if repeat > 1 else grad[:, :, :, 0]).permute(1, 0, 3, 2, 4)
            x, scale = both[:, :, :, which], inverse[:, :, :, which]
            along = (grad * x).sum(-1, keepdim=True).mul_(scale.square())
            # d = (grad − x · along) · scale: the part along x is lost in the norm.
            here = torch.addcmul(grad, x, along, value=-1, out=dboth[:, :, :, which])
            here.mul_(scale * key_size**-0.5 if which == 0 else scale)
        dvalue = dmixed[:, :, 2 * edge :].view(batch, chunks, size, value_heads, value_size)
        dvalue.copy_(dv.view(chunks, batch, value_heads, size, value_size).permute(1, 0, 3, 2, 4))
        return dmixed, None, None, None, None, None
