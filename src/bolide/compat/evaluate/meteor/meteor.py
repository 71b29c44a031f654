"""The module that `evaluate.load` loads. It copies this file to its cache."""

from typing import Any

import datasets
import evaluate

from bolide.compat.evaluate.scoring import meteor

DESCRIPTION = "METEOR, the machine-translation metric, by bolide."
INPUTS = """
Args:
    predictions: texts
    references: a text, or a list of texts, for each prediction
    alpha, beta, gamma: parameters of the score; default: those of the profile (nltk: 0.9, 3, 0.5)
    profile: which METEOR; default: the configuration given to load, or nltk, as in evaluate's "meteor"
    language: language of the texts, if the profile has several
Returns:
    meteor: the score
"""


class Meteor(evaluate.Metric):  # type: ignore[misc]
    def _info(self) -> Any:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=DESCRIPTION,
            citation="",
            inputs_description=INPUTS,
            features=[
                datasets.Features({"predictions": text, "references": datasets.Sequence(text)}),
                datasets.Features({"predictions": text, "references": text}),
            ],
        )

    def _compute(self, predictions: Any, references: Any, **settings: Any) -> dict[str, Any]:
        if settings.get("profile") is None:
            settings["profile"] = "nltk" if self.config_name == "default" else self.config_name
        return {"meteor": meteor(list(predictions), list(references), **settings)}
