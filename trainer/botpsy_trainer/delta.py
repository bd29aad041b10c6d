"""The gated delta rule for training on a CPU: chunked, with its gradient worked out by hand.

Per head a state S [K, V] follows, for t = 1, 2, …,

    S ← e^{g_t} S;   S ← S + k_t (β_t (v_t − kᵀ_t S));   o_t = qᵀ_t S

(Yang et al., "Gated Delta Networks", 2024). Inside a chunk of C tokens with c_i = Σ_{j≤i} g_j and decays D_ij = e^{c_i − c_j} (i ≥ j) the rule
is a triangular system. With A = strictly lower part of (β K Kᵀ) ∘ D and X = (I + A)⁻¹:

    U = X (β V),   W = X (β e^c K),   N = U − W S,   P = (Q Kᵀ) ∘ D (lower part)
    O = (e^c Q) S + P N,   S' = e^{c_C} S + (e^{c_C − c} K)ᵀ N

Everything but N and S is computed for all chunks at once; only two products per chunk run in sequence. The backward pass solves the same
equations in reverse for dN and dS.
"""

from __future__ import annotations

from functools import lru_cache

import torch

CHUNK = 32
"""Tokens per chunk. The work inside a chunk grows with it, the number of steps in sequence falls."""


@lru_cache(maxsize=16)
def _masks(size: int, dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
    whole = torch.ones(size, size, dtype=dtype)
    return whole.tril(), whole.tril(-1)


def unit_lower_inverse(lower: torch.Tensor) -> torch.Tensor:
    """(I + L)⁻¹ for a batch of strictly lower L [n, C, C], C a power of two.

    Diagonal blocks are inverted in doubling sizes: [[X₁, 0], [−X₂ L₂₁ X₁, X₂]]. That is a few batched products instead of one LAPACK call per matrix.
    """
    count, size, _ = lower.shape
    out = torch.empty_like(lower)
    out.copy_(torch.eye(size, dtype=lower.dtype).expand_as(lower))
    block = 1
    while block < size:
        pairs = size // (2 * block)
        # Views of the blocks on the diagonal: [n, pairs, row half, row, column half, column].
        have = out.view(count, pairs, 2, block, pairs, 2, block).diagonal(dim1=1, dim2=4)
        given = lower.view(count, pairs, 2, block, pairs, 2, block).diagonal(dim1=1, dim2=4)
        corner = given[:, 1, :, 0].permute(0, 3, 1, 2)
        if block == 1:
            product = -corner
        else:
            first = have[:, 0, :, 0].permute(0, 3, 1, 2).reshape(-1, block, block)
            second = have[:, 1, :, 1].permute(0, 3, 1, 2).reshape(-1, block, block)
            product = second.bmm(corner.reshape(-1, block, block)).bmm(first).neg_().view(count, pairs, block, block)
        have[:, 1, :, 0].copy_(product.permute(0, 2, 3, 1))
        block *= 2
    return out


class GatedDelta(torch.autograd.Function):
    """The rule over whole sequences from a zero state.

    ``q``, ``k`` [N, R, C, K], ``v`` [N, R, C, V], ``g`` (≤ 0) and ``beta`` [N, R, C]; N chunks of C = CHUNK tokens, R = batch × heads; all contiguous.
    Chunks come first so that one step of the scan is a contiguous batch of products. Returns [N, R, C, V].
    """

    @staticmethod
    def forward(ctx, q, k, v, g, beta):
        chunks, rows, size, width = k.shape
        wide = v.shape[-1]
        n = chunks * rows
        lower, strict = _masks(size, q.dtype)
        qc, kc, vc, b = q.view(n, size, width), k.view(n, size, width), v.view(n, size, wide), beta.view(n, size, 1)
        cum = g.view(n, size).cumsum(1)
        # Above the diagonal the differences are positive and could overflow; they are masked out afterwards.
        decay = (cum[:, :, None] - cum[:, None, :]).clamp_(max=0).exp_().mul_(lower)
        rise = cum.exp()[:, :, None]
        fall = (cum[:, -1:] - cum).exp_()[:, :, None]
        last = rise[:, -1].view(chunks, rows, 1, 1)
        kb = kc * b
        kt = kc.transpose(1, 2)
        inside = qc.bmm(kt).mul_(decay)
        lower_kk = kb.bmm(kt).mul_(decay).mul_(strict)
        inverse = unit_lower_inverse(lower_kk)
        new = inverse.bmm(vc * b).view(chunks, rows, size, wide)
        kr = kb * rise
        w = inverse.bmm(kr).view(chunks, rows, size, width)
        kf = (kc * fall).view(chunks, rows, size, width)
        states = q.new_empty(chunks, rows, width, wide)
        uncorrected = new.clone()
        state = states[0].zero_()
        for i in range(chunks):
            now = new[i]
            if i > 0:
                now.baddbmm_(w[i], state, alpha=-1)
            if i + 1 < chunks:
                state = torch.mul(state, last[i], out=states[i + 1])
                state.baddbmm_(kf[i].transpose(1, 2), now)
        qr = qc * rise
        out = qr.bmm(states.view(n, width, wide)).baddbmm_(inside, new.view(n, size, wide))
        ctx.save_for_backward(qc, kc, vc, b, decay, rise, fall, last, kb, kr, inside, lower_kk, inverse, uncorrected, new, w, kf, states, qr)
        return out.view(chunks, rows, size, wide)

    @staticmethod
    def backward(ctx, grad):
        qc, kc, vc, b, decay, rise, fall, last, kb, kr, inside, lower_kk, inverse, uncorrected, new, w, kf, states, qr = ctx.saved_tensors
        chunks, rows, size, width = w.shape
        wide = vc.shape[-1]
        n = chunks * rows
        _, strict = _masks(size, qc.dtype)
        do = grad.contiguous().view(n, size, wide)
        new_n, states_n = new.view(n, size, wide), states.view(n, width, wide)
        dnew = inside.transpose(1, 2).bmm(do).view(chunks, rows, size, wide)
        # dafter[i] is the gradient of the state that chunk i leaves behind; it starts as what chunk i + 1 reads of it.
        dafter = qc.new_empty(chunks, rows, width, wide)
        if chunks > 1:
            torch.bmm(qr[rows:].transpose(1, 2), do[rows:], out=dafter[:-1].view(n - rows, width, wide))
        after = dafter[chunks - 1].zero_()
        for i in range(chunks - 1, 0, -1):
            now = dnew[i]
            if i + 1 < chunks:
                now.baddbmm_(kf[i], after)
            before = dafter[i - 1].addcmul_(after, last[i])
            before.baddbmm_(w[i].transpose(1, 2), now, alpha=-1)
            after = before
        if chunks > 1:
            dnew[0].baddbmm_(kf[0], after)
        dnew, dafter = dnew.view(n, size, wide), dafter.view(n, width, wide)
        st, back = states_n.transpose(1, 2), inverse.transpose(1, 2)
        dqr = do.bmm(st)
        dkf = new_n.bmm(dafter.transpose(1, 2))
        dvb = back.bmm(dnew)
        dkr = back.bmm(dnew.bmm(st)).neg_()
        da = dvb.bmm(uncorrected.view(n, size, wide).transpose(1, 2))
        da.baddbmm_(dkr, w.view(n, size, width).transpose(1, 2)).mul_(strict).neg_()
        dinside = do.bmm(new_n.transpose(1, 2))
        # The decays enter as differences of c: rows gain what columns lose.
        spread = dinside * inside
        spread.addcmul_(da, lower_kk)
        dcum = spread.sum(2).sub_(spread.sum(1))
        dinside.mul_(decay)
        da.mul_(decay)
        dcum.add_(torch.linalg.vecdot(dqr, qr)).add_(torch.linalg.vecdot(dkr, kr))
        lost = torch.linalg.vecdot(dkf, kf.view(n, size, width))
        dcum.sub_(lost)
        dlast = torch.linalg.vecdot(dafter.view(n, -1), states_n.view(n, -1)).mul_(last.view(n))
        dcum[:, -1] += lost.sum(1).add_(dlast)
        dq = dqr.mul_(rise).baddbmm_(dinside, kc)
        dkb = dkr.mul_(rise).baddbmm_(da, kc)
        dk = dkf.mul_(fall).addcmul_(dkb, b)
        dk.baddbmm_(dinside.transpose(1, 2), qc)
        dk.baddbmm_(da.transpose(1, 2), kb)
        dbeta = torch.linalg.vecdot(dkb, kc).add_(torch.linalg.vecdot(dvb, vc))
        dv = dvb.mul_(b)
        dg = dcum.flip(1).cumsum(1).flip(1)
        shape = (chunks, rows, size)
        return dq.view(*shape, width), dk.view(*shape, width), dv.view(*shape, wide), dg.view(shape), dbeta.view(shape)
