"""The evaluation of captions by COCOEvalCap, without SPICE, whose model needs the network."""

from __future__ import annotations

from typing import Any

import pycocoevalcap.eval
from pycocoevalcap.eval import COCOEvalCap
from pycocotools.coco import COCO

from tests.support.programs import GROUPS, HYPOTHESES


class NoSpice:
    """Replaces SPICE."""

    def method(self) -> str:
        return "SPICE"

    def compute_score(self, gts: dict[int, Any], res: dict[int, Any]) -> tuple[float, list[float]]:
        return 0.0, [0.0 for _ in gts]


def scores() -> list[Any]:
    pycocoevalcap.eval.Spice = NoSpice
    truth = COCO()
    truth.dataset = {
        "info": {},
        "images": [{"id": image} for image in range(len(GROUPS))],
        "annotations": [
            {"image_id": image, "id": 10 * image + k, "caption": text + "."}
            for image, texts in enumerate(GROUPS)
            for k, text in enumerate(texts)
        ],
    }
    truth.createIndex()
    results = truth.loadRes([{"image_id": k, "caption": text} for k, text in enumerate(HYPOTHESES)])
    case = COCOEvalCap(truth, results)
    case.evaluate()
    return [case.eval, [image["METEOR"] for image in case.evalImgs]]
