"""The worker as a client meets it: a process, HTTP, msgpack."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgpack
import numpy as np
import pytest
import torch
from conftest import ROOT, VOCABULARY, Worker, packed, tiny_config, wire
from safetensors.torch import load_file

ids = lambda values: np.asarray(values, dtype="<i4").tobytes()  # noqa: E731
floats = lambda value: np.frombuffer(value, "<f4")  # noqa: E731
ints = lambda value: np.frombuffer(value, "<i4")  # noqa: E731


def fresh(worker: Worker, id: str, **more) -> str:
    """A new model under ``id``, in the place of an older one."""
    worker.raw("DELETE", f"/v1/models/{id}", None)
    if "checkpoint" not in more:
        more.setdefault("config", tiny_config())
    worker.post("/v1/models", id=id, **more)
    return id


def test_capabilities(worker: Worker) -> None:
    status, value = worker.raw("GET", "/v1/capabilities", None)
    assert status == 200 and value["protocol"] == worker.ready["protocol"] == 1
    assert set(value["losses"]) == {"cross_entropy", "importance_sampling", "ppo", "reverse_kl"}
    assert value["threads"] == 1 and value["device"] == "cpu" and set(value["versions"]) == {"python", "torch", "transformers", "peft"}


def test_token_is_needed_everywhere(worker: Worker) -> None:
    for method, path in (("GET", "/v1/capabilities"), ("POST", "/v1/forward"), ("GET", "/nothing"), ("DELETE", "/v1/models/x")):
        for token in ("", "wrong", Worker.TOKEN[:-1], "é"):
            status, value = worker.raw(method, path, b"" if method == "POST" else None, token.encode("latin-1").decode("latin-1"))
            assert status == 401 and value["error"]["code"] == "unauthorized"


def test_create_describe_delete(worker: Worker) -> None:
    fresh(worker, "one", seed=3)
    described = next(m for m in worker.raw("GET", "/v1/models", None)[1]["models"] if m["id"] == "one")
    assert described["architecture"] == "Qwen3_5ForCausalLM" and described["kernels"] == "fast" and described["vocabSize"] == VOCABULARY
    assert described["parameters"] == described["trainable"] > 10_000 and described["step"] == 0 and described["config"]["hidden_size"] == 32
    assert worker.fails("/v1/models", {"id": "one", "config": tiny_config()})[:2] == (409, "model_exists")
    assert worker.raw("DELETE", "/v1/models/one", None)[0] == 200
    assert worker.raw("DELETE", "/v1/models/one", None)[1]["error"]["code"] == "unknown_model"


def test_seed_decides_the_weights(worker: Worker) -> None:
    batch = packed([20])
    out = [worker.post("/v1/forward", model=fresh(worker, "s", seed=seed), batch=wire(batch))["logprobs"] for seed in (1, 1, 2)]
    assert out[0] == out[1] != out[2]


def test_checkpoint_of_transformers_gives_its_logprobs(worker: Worker, checkpoint: str) -> None:
    from transformers import AutoModelForCausalLM

    batch = packed([40, 9], share=1.0)
    model = AutoModelForCausalLM.from_pretrained(checkpoint)
    fresh(worker, "c", checkpoint=checkpoint)
    out = worker.post("/v1/forward", model="c", batch={k: v for k, v in wire(batch).items() if k != "weights"}, topK=3)
    got, top, values = floats(out["logprobs"]), ints(out["topIds"]).reshape(-1, 3), floats(out["topLogprobs"]).reshape(-1, 3)
    for start, length in ((0, 40), (40, 9)):
        row = torch.from_numpy(batch["tokens"][start : start + length].astype(np.int64))[None]
        with torch.no_grad():
            logps = torch.log_softmax(model(input_ids=row).logits[0].double(), -1)
        want = logps[:-1].gather(1, row[0, 1:, None])[:, 0].numpy()
        np.testing.assert_allclose(got[start + 1 : start + length], want, atol=1e-5)
        assert got[start] == 0
        best = logps[:-1].topk(3)
        assert np.array_equal(top[start + 1 : start + length], best.indices.numpy())
        np.testing.assert_allclose(values[start + 1 : start + length], best.values.numpy(), atol=1e-5)


def test_training_learns_and_repeats_bit_for_bit(worker: Worker) -> None:
    batch = packed([40, 25, 60])
    runs = []
    for _ in range(2):
        fresh(worker, "t", seed=4)
        runs.append([worker.train("t", batch) for _ in range(12)])
    assert runs[0] == runs[1]
    assert runs[0][-1][0] < 0.7 * runs[0][0][0]


@pytest.mark.parametrize("weights", [None, "bfloat16"])
def test_resume_is_exact(worker: Worker, tmp_path: Path, weights: str | None) -> None:
    batches = [packed([30, 20], seed=s) for s in range(6)]
    fresh(worker, "r", seed=1)
    for batch in batches[:3]:
        worker.train("r", batch)
    path = str(tmp_path / "save")
    saved = worker.post("/v1/save", model="r", path=path, weights=weights, files={"progress.json": b"{}"})
    assert saved["step"] == 3 and sorted(os.listdir(tmp_path)) == ["save"]
    assert sorted(os.listdir(path)) == ["config.json", "model.safetensors", "progress.json", "trainer-state.json", "trainer-state.safetensors"]
    straight = [worker.train("r", batch) for batch in batches[3:]]
    worker.post("/v1/save", model="r", path=str(tmp_path / "straight"))
    # A second worker, as after a kill; the model starts from other weights.
    other = Worker()
    try:
        other.post("/v1/models", id="r", config=tiny_config(), seed=99)
        assert other.post("/v1/load", model="r", path=path)["step"] == 3
        assert [other.train("r", batch) for batch in batches[3:]] == straight
        other.post("/v1/save", model="r", path=str(tmp_path / "resumed"))
    finally:
        assert other.close() == 0
    for name in ("model.safetensors", "trainer-state.safetensors"):
        assert (tmp_path / "straight" / name).read_bytes() == (tmp_path / "resumed" / name).read_bytes()


def test_lora_resumes_with_dropout_and_merges(worker: Worker, checkpoint: str, tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM

    batch = packed([30, 20])
    lora = {"rank": 2, "alpha": 8, "dropout": 0.2, "seed": 6}
    description = worker.post("/v1/models", id="l", checkpoint=checkpoint, train="lora", lora=lora)
    assert 0 < description["trainable"] < description["parameters"] / 4
    before = worker.post("/v1/forward", model="l", batch=wire(batch))["logprobs"]
    assert before == worker.post("/v1/forward", model=fresh(worker, "c", checkpoint=checkpoint), batch=wire(batch))["logprobs"]
    for _ in range(3):
        worker.train("l", batch)
    path = str(tmp_path / "lora")
    worker.post("/v1/save", model="l", path=path)
    straight = [worker.train("l", batch) for _ in range(3)]
    assert straight[0][0] != straight[1][0]
    worker.post("/v1/load", model="l", path=path)
    after = worker.post("/v1/forward", model="l", batch=wire(batch))["logprobs"]
    assert after != before
    assert [worker.train("l", batch) for _ in range(3)] == straight
    worker.post("/v1/models", id="again", checkpoint=checkpoint, train="lora", adapter=path)
    assert worker.post("/v1/forward", model="again", batch=wire(batch))["logprobs"] == after
    worker.post("/v1/load", model="l", path=path, state=False)
    assert worker.post("/v1/forward", model="l", batch=wire(batch))["logprobs"] == after
    worker.post("/v1/save", model="l", path=str(tmp_path / "merged"), merge=True, state=False)
    model = AutoModelForCausalLM.from_pretrained(tmp_path / "merged")
    row = torch.from_numpy(batch["tokens"][:30].astype(np.int64))[None]
    with torch.no_grad():
        logps = torch.log_softmax(model(input_ids=row).logits[0], -1)[:-1].gather(1, row[0, 1:, None])[:, 0].numpy()
    wanted = batch["weights"][1:30] != 0
    np.testing.assert_allclose(floats(after)[1:30][wanted], logps[wanted], atol=1e-4)
    for id in ("l", "again"):
        worker.raw("DELETE", f"/v1/models/{id}", None)


def test_saved_bfloat16_folder_is_a_hugging_face_folder(worker: Worker, tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM

    fresh(worker, "h")
    worker.post("/v1/save", model="h", path=str(tmp_path / "h"), weights="bfloat16", state=False)
    tensors = load_file(tmp_path / "h" / "model.safetensors")
    assert {t.dtype for t in tensors.values()} == {torch.bfloat16} and "lm_head.weight" not in tensors
    config = json.loads((tmp_path / "h" / "config.json").read_text())
    assert config["architectures"] == ["Qwen3_5ForCausalLM"] and config["dtype"] == "bfloat16" and config["model_type"] == "qwen3_5_text"
    model, report = AutoModelForCausalLM.from_pretrained(tmp_path / "h", output_loading_info=True)
    assert not report["missing_keys"] and not report["unexpected_keys"] and model.dtype == torch.bfloat16


def test_teacher_stays_as_it_is(worker: Worker) -> None:
    batch = packed([30, 12])
    fresh(worker, "student", seed=1)
    fresh(worker, "teacher", seed=2, train="none")
    before = worker.post("/v1/forward", model="teacher", batch=wire(batch))["logprobs"]
    values = []
    for _ in range(15):
        out = worker.post("/v1/forward_backward", model="student", batch=wire(batch), loss={"name": "reverse_kl", "teacher": "teacher"}, divisor=30.0)
        values.append(out["metrics"]["klMean"])
        worker.post("/v1/optim_step", model="student", lr=3e-3)
    assert values[-1] < values[0] / 3 and min(values) > 0
    assert worker.post("/v1/forward", model="teacher", batch=wire(batch))["logprobs"] == before
    assert worker.fails("/v1/forward_backward", {"model": "teacher", "batch": wire(batch), "loss": {"name": "cross_entropy"}, "divisor": 1.0})[1] == "bad_request"


def test_greedy_samples_equal_generate_of_transformers(worker: Worker, checkpoint: str) -> None:
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(checkpoint)
    fresh(worker, "c", checkpoint=checkpoint)
    prompts = [list(range(1, 1 + n)) for n in (1, 2, 9, 70)]
    out = worker.post(
        "/v1/sample", model="c", prompts={"tokens": ids(sum(prompts, [])), "lengths": ids([len(p) for p in prompts])}, maxTokens=20, temperature=0
    )
    got = ints(out["ids"]).reshape(4, 20)
    for prompt, row in zip(prompts, got):
        whole = model.generate(torch.tensor([prompt]), max_new_tokens=20, do_sample=False, eos_token_id=None, pad_token_id=0)
        assert whole[0, len(prompt) :].tolist() == row.tolist()


def test_samples_are_seeded_stop_and_report_true_logprobs(worker: Worker, checkpoint: str) -> None:
    fresh(worker, "c", checkpoint=checkpoint)
    prompts = [[5, 6, 7], [9], [3] * 40]

    def draw(prompts: list[list[int]], **more):
        return worker.post("/v1/sample", model="c", prompts={"tokens": ids(sum(prompts, [])), "lengths": ids([len(p) for p in prompts])}, **more)

    settings = {"n": 3, "maxTokens": 25, "seed": 11, "topP": 0.95, "topK": 60, "stopIds": [4, 8, 15, 16, 23, 42]}
    one, two, other = draw(prompts, **settings), draw(prompts, **settings), draw(prompts, **{**settings, "seed": 12})
    for field in ("ids", "logprobs", "lengths", "stops"):
        assert one[field] == two[field]
    assert one["ids"] != other["ids"]
    lengths, tokens, logprobs = ints(one["lengths"]), ints(one["ids"]), floats(one["logprobs"])
    assert len(lengths) == 9 and set(one["stops"]) == {"stop", "length"}
    cut = np.cumsum([0, *lengths])
    for place, stop in enumerate(one["stops"]):
        row = tokens[cut[place] : cut[place + 1]]
        assert (row[-1] in settings["stopIds"]) == (stop == "stop")
        assert not set(row[:-1].tolist()) & set(settings["stopIds"])
        assert stop == "stop" or len(row) == 25
        prompt = prompts[place // 3]
        whole = np.array([*prompt, *row], dtype="<i4")
        scored = floats(worker.post("/v1/forward", model="c", batch={"tokens": whole.tobytes(), "sequenceIds": np.zeros_like(whole).tobytes()})["logprobs"])
        np.testing.assert_allclose(scored[len(prompt) :], logprobs[cut[place] : cut[place + 1]], atol=2e-4)


def test_draws_follow_the_distribution() -> None:
    from botpsy_trainer.sample import Sampling, choose

    logits = np.log(np.array([0.5, 0.25, 0.15, 0.1], dtype=np.float64)).astype(np.float32)
    random = np.random.default_rng(0)

    def shares(**more) -> np.ndarray:
        settings = Sampling(**{"max_tokens": 1, "temperature": 1.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0, "seed": 0, "stop_ids": frozenset(), **more})
        drawn = [choose(logits, random, settings) for _ in range(20_000)]
        assert all(abs(np.exp(p) - np.exp(logits[t])) < 1e-6 for t, p in drawn)
        return np.bincount([t for t, _ in drawn], minlength=4) / 20_000

    np.testing.assert_allclose(shares(), [0.5, 0.25, 0.15, 0.1], atol=0.015)
    squared = np.array([0.5, 0.25, 0.15, 0.1]) ** 2
    np.testing.assert_allclose(shares(temperature=0.5), squared / squared.sum(), atol=0.015)
    np.testing.assert_allclose(shares(top_k=2), [2 / 3, 1 / 3, 0, 0], atol=0.015)
    np.testing.assert_allclose(shares(top_p=0.6), [2 / 3, 1 / 3, 0, 0], atol=0.015)
    np.testing.assert_allclose(shares(min_p=0.25), [0.5 / 0.9, 0.25 / 0.9, 0.15 / 0.9, 0], atol=0.015)
    assert shares(temperature=0)[0] == 1


def test_bad_batches_change_nothing(worker: Worker) -> None:
    fresh(worker, "b")
    good = packed([10, 6])
    loss = {"name": "cross_entropy"}

    def change(**changes) -> tuple[int, str, str]:
        batch = {**wire(good), **changes}
        return worker.fails("/v1/forward_backward", {"model": "b", "batch": batch, "loss": loss, "divisor": 1.0})

    starts = good["weights"].copy()
    starts[10] = 1
    infinite = good["weights"].copy()
    infinite[3] = np.inf
    cases = {
        "bad_batch": [
            {"tokens": ids([VOCABULARY] * 16)},
            {"tokens": ids([-1] * 16)},
            {"tokens": b"", "sequenceIds": b"", "weights": b""},
            {"weights": good["weights"][:-1].tobytes()},
            {"weights": starts.tobytes()},
            {"weights": infinite.tobytes()},
            {"weights": None},
            {"sequenceIds": ids([1] * 5 + [2] * 5 + [1] * 6)},
            {"positions": ids([0] * 16)},
            {"tokens": ids([1] * 300), "sequenceIds": ids([1] * 300), "weights": np.zeros(300, "<f4").tobytes()},
        ],
        "bad_request": [{"tokens": good["tokens"].tobytes()[:-1]}, {"tokens": [1, 2]}, {"advantages": good["weights"].tobytes()}, {"extra": 1}, {"sequenceIds": None}],
    }
    for code, changes in cases.items():
        for one in changes:
            assert change(**one)[:2] == (400, code), one
    assert worker.fails("/v1/optim_step", {"model": "b", "lr": 1e-3})[1] == "bad_request"
    positions = ids([*range(3, 13), *range(6)])
    worker.post("/v1/forward_backward", model="b", batch={**wire(good), "positions": positions}, loss=loss, divisor=1.0)


def test_bad_requests(worker: Worker, tmp_path: Path) -> None:
    fresh(worker, "q")
    batch = wire(packed([8]))
    for body, code in (
        ({"id": "z"}, "bad_request"),
        ({"id": "z", "config": {}, "checkpoint": "x"}, "bad_request"),
        ({"id": "z", "config": {"hidden_size": 3}}, "bad_request"),
        ({"id": "z", "config": {"model_type": "no_such_model"}}, "bad_request"),
        ({"id": "z", "config": tiny_config(num_attention_heads="x")}, "bad_request"),
        ({"id": "z", "checkpoint": str(tmp_path)}, "bad_checkpoint"),
        ({"id": "z", "config": tiny_config(), "train": "half"}, "bad_request"),
        ({"id": "z", "config": tiny_config(), "train": "lora"}, "bad_request"),
        ({"id": "z", "config": tiny_config(), "lora": {"rank": 2, "alpha": 2}}, "bad_request"),
        ({"id": "z", "config": tiny_config(), "train": "lora", "lora": {"rank": 2, "alpha": 2, "targets": ["nowhere"]}}, "bad_request"),
    ):
        assert worker.fails("/v1/models", body)[1] == code, body
    assert [m["id"] for m in worker.raw("GET", "/v1/models", None)[1]["models"] if m["id"] == "z"] == []
    for body, code in (
        ({"loss": {"name": "magic"}, "divisor": 1.0}, "unsupported"),
        ({"loss": {"name": "cross_entropy", "clipLow": 1}, "divisor": 1.0}, "bad_request"),
        ({"loss": {"name": "cross_entropy"}, "divisor": 0}, "bad_request"),
        ({"loss": {"name": "cross_entropy"}, "divisor": float("nan")}, "bad_request"),
        ({"loss": {"name": "cross_entropy"}}, "bad_request"),
        ({"loss": {"name": "ppo"}, "divisor": 1.0}, "bad_batch"),
        ({"loss": {"name": "reverse_kl", "teacher": "nobody"}, "divisor": 1.0}, "unknown_model"),
    ):
        assert worker.fails("/v1/forward_backward", {"model": "q", "batch": batch, **body})[1] == code, body
    for prompts in ({"tokens": ids([1, 2]), "lengths": ids([1])}, {"tokens": b"", "lengths": b""}, {"tokens": ids([500]), "lengths": ids([1])}):
        assert worker.fails("/v1/sample", {"model": "q", "prompts": prompts, "maxTokens": 1})[1] == "bad_batch"
    assert worker.fails("/v1/sample", {"model": "q", "prompts": {"tokens": ids([1]), "lengths": ids([1])}, "maxTokens": 1000})[1] == "bad_request"
    for garbage in (b"", b"\xc1", b"\x93\x01", msgpack.packb([1]), b"\xdf\xff\xff\xff\xff", b"{}"):
        status, value = worker.raw("POST", "/v1/forward", garbage)
        assert (status, value["error"]["code"]) == (400, "bad_request")
    assert worker.raw("POST", "/v1/nothing", b"\x80")[1]["error"]["code"] == "not_found"
    assert worker.raw("GET", "/v1/forward", None)[1]["error"]["code"] == "not_found"


def test_saves_are_whole_or_absent(worker: Worker, tmp_path: Path) -> None:
    fresh(worker, "w", seed=1)
    batch = packed([12])
    path = tmp_path / "w"
    worker.post("/v1/forward_backward", model="w", batch=wire(batch), loss={"name": "cross_entropy"}, divisor=1.0)
    assert worker.fails("/v1/save", {"model": "w", "path": str(path)})[1] == "bad_request"
    worker.post("/v1/zero_grad", model="w")
    for name in ("../evil", "a/b", "", ".."):
        assert worker.fails("/v1/save", {"model": "w", "path": str(path), "files": {name: b"x"}})[1] == "bad_request"
    assert worker.fails("/v1/save", {"model": "w", "path": "/proc/no/such/place"})[1] == "io"
    assert os.listdir(tmp_path) == []
    worker.post("/v1/save", model="w", path=str(path))
    assert worker.fails("/v1/save", {"model": "w", "path": str(path)})[:2] == (409, "path_exists")
    worker.train("w", batch)
    worker.post("/v1/save", model="w", path=str(path), overwrite=True)
    assert os.listdir(tmp_path) == ["w"] and json.loads((path / "trainer-state.json").read_text())["step"] == 1


def test_torn_or_foreign_saves_are_refused_and_the_model_stays(worker: Worker, tmp_path: Path) -> None:
    fresh(worker, "v", seed=1)
    fresh(worker, "wide", config=tiny_config(hidden_size=48))
    batch = packed([12], share=1.0)
    before = worker.post("/v1/forward", model="v", batch=wire(batch))["logprobs"]
    worker.post("/v1/save", model="wide", path=str(tmp_path / "wide"))
    worker.post("/v1/save", model="v", path=str(tmp_path / "torn"))
    for name in ("model.safetensors", "trainer-state.safetensors"):
        whole = (tmp_path / "torn" / name).read_bytes()
        (tmp_path / "torn" / name).write_bytes(whole[: len(whole) // 2])
    for path in ("wide", "torn", "absent"):
        for state in (True, False):
            assert worker.fails("/v1/load", {"model": "v", "path": str(tmp_path / path), "state": state})[1] == "bad_checkpoint"
    assert worker.post("/v1/forward", model="v", batch=wire(batch))["logprobs"] == before


def test_numbers_out_of_bounds_are_told_and_do_no_harm(worker: Worker) -> None:
    fresh(worker, "n", seed=1)
    batch = packed([12])
    before = worker.post("/v1/forward", model="n", batch=wire(batch))["logprobs"]
    huge = {**batch, "weights": (batch["weights"] * np.float32(3e38)).astype("<f4")}
    huge["weights"] = np.nan_to_num(huge["weights"], posinf=3e38).astype("<f4")
    status, value = worker.raw("POST", "/v1/forward_backward", msgpack.packb({"model": "n", "batch": wire(huge), "loss": {"name": "cross_entropy"}, "divisor": 1e-3}))
    if status == 200:
        assert worker.fails("/v1/optim_step", {"model": "n", "lr": 1e-3})[:2] == (422, "non_finite")
    else:
        assert (status, value["error"]["code"]) == (422, "non_finite")
    assert worker.fails("/v1/optim_step", {"model": "n", "lr": 1e-3})[1] == "bad_request"
    assert worker.post("/v1/forward", model="n", batch=wire(batch))["logprobs"] == before


def test_any_causal_model_runs(worker: Worker) -> None:
    """Llama as a plain head, Gemma 2 with capped logits (the head alone would give others)."""
    batch = packed([20, 9])
    common = {"vocab_size": VOCABULARY, "hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2}
    for config in ({"model_type": "llama", **common}, {"model_type": "gemma2", "head_dim": 8, "final_logit_softcapping": 0.5, **common}):
        fresh(worker, "any", config=config)
        losses = [worker.train("any", batch)[0] for _ in range(6)]
        assert losses[-1] < losses[0]
        out = worker.post("/v1/sample", model="any", prompts={"tokens": ids([1, 2, 3]), "lengths": ids([2, 1])}, maxTokens=5, temperature=0)
        row = np.array([1, 2, *ints(out["ids"])[:5]], dtype="<i4")
        scored = floats(worker.post("/v1/forward", model="any", batch={"tokens": row.tobytes(), "sequenceIds": ids([0] * 7)})["logprobs"])
        np.testing.assert_allclose(scored[2:], floats(out["logprobs"])[:5], atol=1e-4)


def test_a_body_over_the_limit_is_refused() -> None:
    one = Worker("--max-body-mb", "1")
    try:
        status, value = one.raw("POST", "/v1/forward", b"\0" * (2 << 20))
        assert (status, value["error"]["code"]) == (413, "too_large")
        assert one.raw("GET", "/v1/capabilities", None)[0] == 200
    finally:
        assert one.close() == 0


def test_ends_on_a_signal_in_the_middle_of_a_request(tmp_path: Path) -> None:
    one = Worker()
    one.post("/v1/models", id="m", config=tiny_config(max_position_embeddings=100_000))
    body = msgpack.packb({"model": "m", "prompts": {"tokens": ids([1]), "lengths": ids([1])}, "maxTokens": 90_000})
    one.connection.request("POST", "/v1/sample", body, {"Authorization": f"Bearer {Worker.TOKEN}"})
    time.sleep(0.5)
    one.process.send_signal(signal.SIGTERM)
    assert one.process.wait(120) == 0
    one.close()


def test_ends_with_its_parent() -> None:
    """The parent starts a worker whose stdin it does not hold, then dies at once."""
    code = (
        "import subprocess, sys, os\n"
        "r, w = os.pipe()\n"
        "os.set_inheritable(w, True)\n"
        "p = subprocess.Popen([sys.executable, '-m', 'botpsy_trainer'], stdin=r, stdout=subprocess.PIPE, close_fds=False)\n"
        "print(p.stdout.readline().decode(), flush=True)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "BOTPSY_WORKER_TOKEN": Worker.TOKEN}, stdout=subprocess.PIPE, timeout=600)
    pid = json.loads(done.stdout)["pid"]
    for _ in range(1200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("the worker outlived its parent")


@pytest.mark.parametrize("token, options", [("", []), ("short", []), (Worker.TOKEN, ["--threads", "0"]), (Worker.TOKEN, ["--nonsense"])])
def test_refuses_to_start(token: str, options: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "botpsy_trainer", *options], cwd=ROOT, env={**os.environ, "BOTPSY_WORKER_TOKEN": token}, stdin=subprocess.DEVNULL, capture_output=True, timeout=600
    )
    assert done.returncode == 2 and done.stderr and not done.stdout
