"""The module that `evaluate.load` reads, copied by it to a place of its own."""

from typing import Any

import datasets
import evaluate

from bolide.compat.evaluate.scoring import meteor

DESCRIPTION = "METEOR, the machine-translation metric, by bolide."
INPUTS = """
Args:
    predictions: texts
    references: for each a text, or a list of texts
    alpha, beta, gamma: parameters of the score; those left out are the profile's (nltk: 0.9, 3, 0.5)
    profile: which METEOR; default: the configuration given to load, or nltk, as evaluate's own "meteor"
    language: of the texts, where the profile has several
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
