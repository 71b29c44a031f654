"""bolide.compat.rewards in the real TRL: training of a tiny model with METEOR as the reward."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bolide import Meteor
from bolide.compat.rewards import METEORReward

if find_spec("trl") is None:
    pytest.skip("trl is not installed (pip install trl: gigabytes)", allow_module_level=True)

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer, RLOOConfig, RLOOTrainer

WORDS = ["<pad>", "<end>", "the", "cat", "sat", "on", "mat", "a", "dog", "barked"]


class Watched(METEORReward):
    """Remembers what the trainer passes."""

    def __call__(self, completions: Any, references: Any = None, **columns: Any) -> list[float | None]:
        found = super().__call__(completions, references, **columns)
        self.calls.append((completions, columns, found))
        return found

    @property
    def calls(self) -> list[Any]:
        calls: list[Any] = self.__dict__.setdefault("_calls", [])
        return calls


@pytest.mark.parametrize(("trainer", "config"), [(GRPOTrainer, GRPOConfig), (RLOOTrainer, RLOOConfig)])
def test_training(trainer: Any, config: Any, english: Meteor, tmp_path: Path) -> None:
    torch.manual_seed(1)
    words = Tokenizer(models.WordLevel({word: k for k, word in enumerate(WORDS)}, unk_token="<pad>"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="<pad>", eos_token="<end>", padding_side="left"
    )
    model = GPT2LMHeadModel(
        GPT2Config(vocab_size=len(WORDS), n_positions=32, n_embd=16, n_layer=1, n_head=2, eos_token_id=1)
    )
    references = ["the cat sat on the mat", "a dog barked"] * 4
    dataset = Dataset.from_dict({"prompt": ["the cat", "a dog"] * 4, "reference": references})
    arguments = config(
        output_dir=str(tmp_path), max_steps=2, per_device_train_batch_size=4, num_generations=4,
        max_completion_length=8, beta=0.0, report_to=[], use_cpu=True, bf16=False, logging_steps=1,
        save_strategy="no",
    )  # fmt: skip
    reward = Watched(english)
    made = trainer(
        model=model, reward_funcs=reward, args=arguments, train_dataset=dataset, processing_class=tokenizer
    )
    made.train()
    assert len(reward.calls) == 2
    for completions, columns, found in reward.calls:
        expected = [
            english.sentence_score(*pair).score
            for pair in zip(completions, columns["reference"], strict=True)
        ]
        assert found == expected
    logged = [entry["rewards/meteor/mean"] for entry in made.state.log_history if "reward" in entry]
    means = [sum(found) / len(found) for _, _, found in reward.calls]
    assert logged == pytest.approx(means, abs=1e-6)
