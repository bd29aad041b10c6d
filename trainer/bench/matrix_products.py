"""Times the matrix products of one training step of a Qwen3.5-shaped model, and nothing else.

Argument: a JSON file {config, rows, length, taught, threads, repeats}. Prints {"linear": s, "attention": s, "delta": s}: the
linear layers with the output head over `taught` tokens, the two products of full attention, and those of the chunked delta
rule (chunks of 64); each forward once and backward twice, in float32.
"""

import json
import statistics
import sys
import time

import torch


def timed(work, repeats: int) -> float:
    work()
    seconds = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


def linear(tokens: int, outputs: int, inputs: int):
    x, w, g = torch.randn(tokens, inputs), torch.randn(outputs, inputs), torch.randn(tokens, outputs)
    y, dx, dw = torch.empty(tokens, outputs), torch.empty(tokens, inputs), torch.empty(outputs, inputs)

    def work():
        torch.mm(x, w.t(), out=y)
        torch.mm(g, w, out=dx)
        torch.mm(g.t(), x, out=dw)

    return work


def batched(groups: int, m: int, k: int, n: int):
    a, b, g = torch.randn(groups, m, k), torch.randn(groups, k, n), torch.randn(groups, m, n)
    y, da, db = torch.empty(groups, m, n), torch.empty(groups, m, k), torch.empty(groups, k, n)

    def work():
        torch.bmm(a, b, out=y)
        torch.bmm(g, b.transpose(1, 2), out=da)
        torch.bmm(a.transpose(1, 2), g, out=db)

    return work


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        spec = json.load(file)
    torch.set_num_threads(spec["threads"])
    c, rows, length, repeats = spec["config"], spec["rows"], spec["length"], spec["repeats"]
    tokens = rows * length
    hidden, feed = c["hidden_size"], c["intermediate_size"]
    full = c["num_hidden_layers"] // c["full_attention_interval"]
    other = c["num_hidden_layers"] - full
    heads, shared, width = c["num_attention_heads"], c["num_key_value_heads"], c["head_dim"]
    key_heads, value_heads = c["linear_num_key_heads"], c["linear_num_value_heads"]
    key, value = c["linear_key_head_dim"], c["linear_value_head_dim"]

    shapes = [(feed, hidden, 2 * c["num_hidden_layers"]), (hidden, feed, c["num_hidden_layers"])]
    shapes += [(2 * heads * width, hidden, full), (shared * width, hidden, 2 * full), (hidden, heads * width, full)]
    shapes += [(2 * key_heads * key + value_heads * value, hidden, other), (value_heads * value, hidden, other)]
    shapes += [(value_heads, hidden, 2 * other), (hidden, value_heads * value, other)]
    total = {"linear": 0.0, "attention": 0.0, "delta": 0.0}
    for outputs, inputs, count in shapes:
        total["linear"] += count * timed(linear(tokens, outputs, inputs), repeats)
    total["linear"] += timed(linear(spec["taught"], c["vocab_size"], hidden), repeats)
    for m, k, n in [(length, width, length), (length, length, width)]:
        total["attention"] += full * timed(batched(rows * heads, m, k, n), repeats)
    size = 64
    chunks = rows * value_heads * -(-length // size)
    for m, k, n in [
        (size, key, size),  # keys with keys
        (size, size, value),  # the solved triangle with values
        (size, size, key),  # and with decayed keys
        (size, key, value),  # decayed keys with the state
        (size, key, size),  # queries with keys
        (size, size, value),  # their scores with the new values
        (size, key, value),  # queries with the state
        (key, size, value),  # keys with the new values: the state's change
    ]:
        total["delta"] += other * timed(batched(chunks, m, k, n), repeats)
    print(json.dumps(total))


if __name__ == "__main__":
    main()
