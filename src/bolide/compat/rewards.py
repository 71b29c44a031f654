"""METEOR as a reward for reinforcement learning, for example with `GRPOTrainer` and `RLOOTrainer` of TRL:

    from bolide.compat.rewards import METEORReward
    from trl import GRPOTrainer

    trainer = GRPOTrainer(model, reward_funcs=METEORReward(column="reference"), train_dataset=dataset)

A reward is a callable over lists of completions and references. It can be pickled, and used after `fork` and
in many processes at once: they share the memory of the language pack. It needs no other package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bolide._support.plurals import counted
from bolide.errors import ConfigurationError, InputError
from bolide.inputs.segments import by_segment, listed
from bolide.scoring.meteor import Meteor


def one_thread() -> Meteor:
    """The default scorer. It has one thread, because trainers run one process per device."""
    return Meteor(threads=1)


@dataclass
class METEORReward:
    """The METEOR score of each completion, from 0 to 1.

    - `scorer`: default `Meteor(threads=1)`
    - `column`: the column of the dataset with the references: a text, or a list of several references, per
      completion. Without a reference (None) the reward is None, and trainers ignore it.
    - `extract`: a function from the text of a completion to the part that is scored, for example without
      reasoning. To be pickled, it must be a function of a module.
    - `name`: the name in the logs of the trainer

    >>> reward = METEORReward(Meteor("linear", modules=["exact"], normalize="lower"))
    >>> reward(completions=["a b", "c d"], reference=["a b", "c x"], prompts=["", ""])
    [0.75, 0.25]
    """

    scorer: Meteor = field(default_factory=one_thread)
    column: str = "reference"
    extract: Callable[[str], str] | None = None
    name: str = "meteor"

    def __post_init__(self) -> None:
        if not isinstance(self.scorer, Meteor):
            raise ConfigurationError(f"scorer must be a Meteor, not {type(self.scorer).__name__}")
        if self.extract is not None and not callable(self.extract):
            raise ConfigurationError(f"extract must be a function, not {type(self.extract).__name__}")
        self.__name__ = self.name  # trainers log it

    def __call__(
        self, completions: Sequence[Any], references: Sequence[Any] | None = None, **columns: Any
    ) -> list[float | None]:
        """The rewards. Completions are texts, or conversations whose last message is scored. Trainers pass
        the columns of the dataset, and more, by name."""
        ours = listed("completions", completions)
        texts = [self._text(each, number) for number, each in enumerate(ours, 1)]
        given = listed("references", self._references(references, columns))
        if len(given) != len(texts):
            raise InputError(f"{counted(len(given), 'references')} for {counted(len(texts), 'completions')}")
        scored = [k for k, each in enumerate(given) if each is not None]
        rewards: list[float | None] = [None] * len(texts)
        if scored:
            segments = by_segment([texts[k] for k in scored], [_several(given[k], k + 1) for k in scored])
            scores = self.scorer.score(self.scorer.measure(segments).statistics).tolist()
            for k, score in zip(scored, scores, strict=True):
                rewards[k] = score
        return rewards

    def _references(self, references: Sequence[Any] | None, columns: Mapping[str, Any]) -> Sequence[Any]:
        if references is not None:
            return references
        if self.column not in columns:
            known = ", ".join(columns) or "none"
            raise ConfigurationError(
                f"there is no column '{self.column}' with references; there are: {known}; "
                "name it with METEORReward(column=...)"
            )
        found: Sequence[Any] = columns[self.column]
        return found

    def _text(self, completion: Any, number: int) -> str:
        text = _content(completion)
        if text is None:
            raise InputError(
                f"completion {number} must be a text, or a list of messages whose last one has a content"
            )
        return text if self.extract is None else self.extract(text)


def _content(completion: Any) -> str | None:
    """The text of a completion, or that of the last message of a conversation."""
    if isinstance(completion, str):
        return completion
    try:
        content = completion[-1]["content"]
    except (TypeError, LookupError):
        return None
    if isinstance(content, list):  # parts of a message: text and images
        parts = [part.get("text", "") for part in content if isinstance(part, Mapping)]
        return "".join(part for part in parts if isinstance(part, str))
    if content is None:  # a message that only calls tools
        return ""
    return content if isinstance(content, str) else None


def _several(references: Any, number: int) -> list[str]:
    """The references of a completion. A conversation is one reference."""
    if isinstance(references, str):
        return [references]
    if isinstance(references, (list, tuple)) and references:
        if all(isinstance(each, str) for each in references):
            return list(references)
        if (text := _content(references)) is not None:
            return [text]
    raise InputError(f"the reference of completion {number} must be a text, a list of texts, or None")
