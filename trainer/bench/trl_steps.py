"""Trains with TRL's SFTTrainer over given batches and prints one JSON line a step: {"step", "loss", "seconds"}.

Used by bench/training-speed.ts only; TRL is no dependency of the product. Argument: a JSON file
{model, steps: [[{input_ids, labels}]], threads, bf16, lr, beta1, beta2, eps, maxGradNorm, output}.
"""

import json
import logging
import sys
import time
import warnings


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        spec = json.load(file)
    warnings.filterwarnings("ignore")
    import torch

    torch.set_num_threads(spec["threads"])
    torch.set_num_interop_threads(1)
    import transformers
    from datasets import Dataset
    from datasets.table import InMemoryTable
    from torch.utils.data import SequentialSampler
    from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast, TrainerCallback
    from trl import SFTConfig, SFTTrainer

    transformers.logging.set_verbosity_error()
    logging.disable(logging.WARNING)
    tokenizer = PreTrainedTokenizerFast.from_pretrained(spec["model"])
    model = AutoModelForCausalLM.from_pretrained(spec["model"], dtype=torch.float32)
    rows = [row for step in spec["steps"] for row in step]
    each = len(spec["steps"][0])
    columns = {name: [row[name] for row in rows] for name in ("input_ids", "labels")}
    # With a fingerprint of its own: computing one pickles the table, which some versions of pyarrow and dill together cannot.
    dataset = Dataset(InMemoryTable.from_pydict(columns), fingerprint="bench")

    class Ordered(SFTTrainer):
        def _get_train_sampler(self, dataset=None):
            return SequentialSampler(dataset if dataset is not None else self.train_dataset)

    class Clock(TrainerCallback):
        def __init__(self):
            self.seconds = 0.0
            self.began = 0.0

        def on_step_begin(self, args, state, control, **kwargs):
            self.began = time.perf_counter()

        def on_step_end(self, args, state, control, **kwargs):
            self.seconds = time.perf_counter() - self.began

        def on_log(self, args, state, control, logs=None, **kwargs):
            if logs and "loss" in logs:
                print(json.dumps({"step": state.global_step, "loss": float(logs["loss"]), "seconds": self.seconds}), flush=True)

    trainer = Ordered(
        model=model,
        processing_class=tokenizer,
        train_dataset=dataset,
        callbacks=[Clock()],
        args=SFTConfig(
            output_dir=spec["output"],
            use_cpu=True,
            bf16=spec["bf16"],
            gradient_checkpointing=False,
            per_device_train_batch_size=each,
            max_steps=len(spec["steps"]),
            learning_rate=spec["lr"],
            lr_scheduler_type="constant",
            adam_beta1=spec["beta1"],
            adam_beta2=spec["beta2"],
            adam_epsilon=spec["eps"],
            weight_decay=0.0,
            max_grad_norm=spec["maxGradNorm"],
            max_length=None,
            packing=False,
            dataset_kwargs={"skip_prepare_dataset": True},
            logging_steps=1,
            logging_first_step=True,
            disable_tqdm=True,
            report_to="none",
            save_strategy="no",
            seed=1,
        ),
    )
    trainer.remove_callback(transformers.PrinterCallback)
    trainer.train()


if __name__ == "__main__":
    main()
