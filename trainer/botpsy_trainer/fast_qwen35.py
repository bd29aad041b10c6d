"""Qwen3.5's text model for training on a CPU in float32: the modules of transformers with faster forward and backward passes.

``accelerate`` swaps the class of the modules in place; weights, names and configuration stay, so saving, LoRA and sampling see the model of
transformers. The fast path is taken for whole rows without a mask and without a cache; everything else goes to the original code.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from transformers.models.qwen3_5 import modeling_qwen3_5 as original

from .delta import CHUNK, GatedDelta
from .kernels import ConvSilu, GatedRmsNorm, RmsNorm, SigmoidGate, SplitHeads, SwiGlu


def _usable(x: torch.Tensor) -> bool:
    return x.device.type == "cpu" and x.dtype in (torch.float32, torch.float64) and not torch.is_autocast_enabled("cpu")


class FastRmsNorm(original.Qwen3_5RMSNorm):
    """RMS norm with zero-centred weights."""

    def forward(self, x):
        return RmsNorm.apply(x, self.weight, self.eps) if _usable(x) else super().forward(x)


class FastMlp(original.Qwen3_5MLP):
    """SwiGLU feed-forward layer."""

    def forward(self, x):
        if not _usable(x):
            return super().forward(x)
        return self.down_proj(SwiGlu.apply(self.gate_proj(x), self.up_proj(x)))


class FastGatedDeltaNet(original.Qwen3_5GatedDeltaNet):
    """Linear attention."""

    def forward(self, hidden_states, cache=None, attention_mask=None, source=None, **kwargs):
        if cache is not None or attention_mask is not None or not _usable(hidden_states):
            return super().forward(hidden_states, cache=cache, attention_mask=attention_mask, **kwargs)
        batch, length, _ = hidden_states.shape
        mixed = ConvSilu.apply(self.in_proj_qkv(hidden_states), self.conv1d.weight.squeeze(1))
        beta = self.in_proj_b(hidden_states).sigmoid()
        decay = F.softplus(self.in_proj_a(hidden_states) + self.dt_bias) * -self.A_log.exp()
        gate = self.in_proj_z(hidden_states)
        pad = -length % CHUNK
        if pad:
            # Tokens of zero strength and no decay: they change nothing and stand after the real ones.
            mixed, beta, decay, gate = (F.pad(x, (0, 0, 0, pad)) for x in (mixed, beta, decay, gate))
        chunks = (length + pad) // CHUNK
        query, key, value = SplitHeads.apply(mixed, self.num_k_heads, self.head_k_dim, self.num_v_heads, self.head_v_dim, CHUNK)
        rates = (batch, chunks, CHUNK, self.num_v_heads)
        beta, decay = (x.view(rates).permute(1, 0, 3, 2).contiguous().view(chunks, -1, CHUNK) for x in (beta, decay))
        read = GatedDelta.apply(query, key, value, decay, beta)
        read = read.view(chunks, batch, self.num_v_heads, CHUNK, self.head_v_dim).permute(1, 0, 3, 2, 4)
        read = GatedRmsNorm.apply(read, gate.view(read.shape), self.norm.weight, self.norm.variance_epsilon)
        read = read.view(batch, length + pad, self.value_dim)
        read = read[:, :length] if pad else read
        return self.out_proj(read if source is None else read.reshape(-1, self.value_dim).index_select(0, source))


class FastAttention(original.Qwen3_5Attention):
    """Full attention with output gate."""

    def forward(self, hidden_states, position_embeddings, attention_mask, cache=None, source=None, **kwargs):
        if cache is not None or attention_mask is not None or not _usable(hidden_states) or (self.training and self.attention_dropout):
            return super().forward(hidden_states, position_embeddings, attention_mask, cache=cache, **kwargs)
        batch, total, _ = hidden_states.shape
        mixed = self.q_proj(hidden_states).view(batch, total, -1, 2, self.head_dim)
        gate = mixed[:, :, :, 1].reshape(batch * total, -1)
        query = self.q_norm(mixed[:, :, :, 0]).transpose(1, 2)
        key = self.k_norm(self.k_proj(hidden_states).view(batch, total, -1, self.head_dim)).transpose(1, 2)
        value = self.v_proj(hidden_states).view(batch, total, -1, self.head_dim).transpose(1, 2)
        query, key = original.apply_rotary_pos_emb(query, key, *position_embeddings)
        read = F.scaled_dot_product_attention(query, key, value, is_causal=True, scale=self.scaling, enable_gqa=self.num_key_value_groups > 1)
        read = read.transpose(1, 2).reshape(batch * total, -1)
        if source is not None:
            read, gate = read.index_select(0, source), gate.index_select(0, source)
        read = self.o_proj(SigmoidGate.apply(read, gate))
        return (read if source is not None else read.view(batch, total, -1)), None


def states_at(network: torch.nn.Module, ids: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
    """Last hidden states [N, D] at the places ``source`` of the flat block of rows ``ids`` [B, L].

    In the last layer only these places go through the output projection and the feed-forward part: prompts carry no loss.
    """
    decoder = network.model
    x = decoder.embed_tokens(ids)
    turns = decoder.rotary_emb(x, torch.arange(ids.shape[1], device=ids.device).view(1, 1, -1))
    final = len(decoder.layers) - 1
    for place, layer in enumerate(decoder.layers):
        wanted = source if place == final else None
        h = layer.input_layernorm(x)
        if layer.block_type == "linear_attention":
            h = layer.linear_attn(hidden_states=h, source=wanted)
        else:
            h, _ = layer.self_attn(hidden_states=h, position_embeddings=turns, attention_mask=None, source=wanted)
        x = h + (x if wanted is None else x.flatten(0, 1).index_select(0, source))
        x = x + layer.mlp(layer.post_attention_layernorm(x))
    return decoder.norm(x)


_SWAPS = {
    original.Qwen3_5RMSNorm: FastRmsNorm,
    original.Qwen3_5MLP: FastMlp,
    original.Qwen3_5GatedDeltaNet: FastGatedDeltaNet,
    original.Qwen3_5Attention: FastAttention,
}


def accelerate(network: torch.nn.Module) -> bool:
    """Puts the fast modules into a Qwen3.5 text model on the CPU. Returns whether there was one; other models are left as they are."""
    if not isinstance(network, original.Qwen3_5ForCausalLM) or next(network.parameters()).device.type != "cpu":
        return False
    if next(network.parameters()).dtype not in (torch.float32, torch.float64) or network.config.hidden_act != "silu":
        return False
    for module in network.modules():
        fast = _SWAPS.get(type(module))
        if fast is not None:
            module.__class__ = fast
    return True
