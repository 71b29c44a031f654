"""Cross-validates the parameters of a task of bolide-2: tests each set with parameters tuned on the others.

    python examples/bolide-2/cross_validate.py FOLDER FIELD... [--output RESULTS]

α, γ and δ are tuned by `bolide tune`, which writes FIELD.folds.md. β and the weights of the modules stay as
they are for all tasks. FOLDER and the fields are those of agreement.py.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

from agreement import OURS, scorer
from sets import FIELDS, JudgedSet

from bolide import profiles

# Axes of the search. The other parameters are those of the profile.
RANGES = ("alpha=0.5:0.95:0.05", "gamma=0:0.6:0.1", "delta=0.5:0.95:0.15")


def toml(folder: Path, task: str, judged: JudgedSet) -> str:
    """The table of a set, as `bolide tune` reads it."""
    keys = {
        "name": judged.name,
        "data": str((folder / judged.file).resolve()),
        "where": list(judged.where),
        "own_references": judged.own_references,
        "measure": judged.objective,
        "language": judged.language,
        "modules": " ".join(scorer(OURS, task, judged).modules),
    }
    return "\n".join(["[[set]]", *(f"{key} = {json.dumps(value)}" for key, value in keys.items() if value)])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("fields", nargs="+", choices=FIELDS)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    options = parser.parse_args()
    for field in options.fields:
        task, sets = FIELDS[field]
        row = profiles.get(OURS).row(task, "en")
        fixed = {"beta": row["beta"], **{m: row["weights"][m] for m in row["modules"]}}
        with tempfile.TemporaryDirectory() as name:
            file = Path(name, "sets.toml")
            file.write_text("\n\n".join(toml(options.folder, task, each) for each in sets), encoding="utf-8")
            command = ["bolide", "tune", str(file), "--profile", OURS, "--task", task, "--search", "grid"]
            command += [f"--fix={key}={value}" for key, value in fixed.items()]
            command += [f"--range={axis}" for axis in RANGES]
            command += ["--folds", "set", "--pool", "sets"]
            subprocess.run([*command, "--report", str(options.output / f"{field}.folds.md")], check=True)


if __name__ == "__main__":
    main()
