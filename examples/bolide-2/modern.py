"""What helps to order modern translations: agreement of variants of bolide-2, which is not tuned again.

    python examples/bolide-2/modern.py FOLDER [--output FILE.md]

FOLDER is that of agreement.py. The sets are TED 2021 (experts' MQM) and WMT24 (ESA).
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ingredients import Variant, changed, given, value, without
from sets import OUT_OF_ENGLISH

from bolide.formula.parameters import Formula

SETS = [judged for judged in OUT_OF_ENGLISH if judged.measure == "kendall-wmt14"]


VARIANTS: dict[str, Variant] = {
    "bolide-2": lambda meteor: meteor,
    "no penalty (γ = 0)": given(gamma=0.0),
    "a smaller penalty (γ = 0.2)": given(gamma=0.2),
    "the penalty of bolide-1-pooled (β = 0.2, γ = 0.65)": given(beta=0.2, gamma=0.65),
    "chunks instead of breaks": changed(formula=Formula(power="exact")),
    "no case": changed(normalize="keep-punctuation"),
    "no letter-runs": without("letter-runs"),
    "letters instead of information": given(unit="characters"),
    "no function words": changed(function_words="none"),
    "equal search weights": changed(search_weights={"other": 1.0}),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results" / "modern.md")
    options = parser.parse_args()
    names = [judged.name for judged in SETS]
    lines = [f"| | {' | '.join(names)} |", "|---|" + "---:|" * len(names)]
    for name, variant in VARIANTS.items():
        values = [value(options.folder, "translation", judged, variant) for judged in SETS]
        lines.append(f"| {name} | {' | '.join(f'{each:.3f}' for each in values)} |")
        print(lines[-1], flush=True)
    options.output.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
