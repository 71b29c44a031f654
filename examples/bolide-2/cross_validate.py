"""Cross-validates the tasks of bolide-2: tests each set with parameters tuned on the others.

    python examples/bolide-2/cross_validate.py FOLDER FIELD... [--delta AXIS] [--output RESULTS]

`bolide tune` tunes α, γ and δ in several ways (WAYS), and writes FIELD.WAY.md for each. The table held-out.md
has the means of all fields that have reports. β and the weights of the modules stay as they are for all
tasks. FOLDER and the fields are those of agreement.py.
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
RANGES = ("alpha=0.5:0.95:0.05", "gamma=0:0.6:0.1")
DELTA = "0.5:0.95:0.15"
PLATEAU = "--plateau=0.01"
# How to choose among the points: the options of `bolide tune`. `near` is the task translation.
WAYS = {
    "best": (),
    "near": ("--regularise=0.05",),
    "plateau": (PLATEAU,),
    "plateau-near": (PLATEAU, "--regularise=0.05"),
}
TITLES = ("best point", "near translation", "middle of the plateau", "middle, near translation")


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


def near(folder: Path, task: str, language: str) -> Path:
    """A profile whose task has the parameters of translation."""
    row = profiles.get(OURS).row("translation", language)
    shown = ", ".join(f"{key} = {row[key]}" for key in profiles.NUMBERS)
    weights = ", ".join(f"{module} = {weight}" for module, weight in row["weights"].items())
    row_of_task = f"{'en' if language == 'en' else 'any'} = {{ {shown}, weights = {{ {weights} }} }}"
    lines = f'inherits = "{OURS}"', f'task = "{task}"', f"[tasks.{task}]", row_of_task
    file = folder / "near.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def tune(folder: Path, field: str, delta: str, output: Path) -> None:
    task, sets = FIELDS[field]
    language = sets[0].language
    row = profiles.get(OURS).row(task, language)
    fixed = {"beta": row["beta"], **{m: row["weights"][m] for m in row["modules"]}}
    with tempfile.TemporaryDirectory() as name:
        file = Path(name, "sets.toml")
        file.write_text("\n\n".join(toml(folder, task, each) for each in sets), encoding="utf-8")
        command = ["bolide", "tune", str(file), "--profile", OURS, "--task", task, "--search", "grid"]
        command += ["--language", language]
        command += ["--modules", " ".join(row["modules"]), "--near", str(near(Path(name), task, language))]
        command += [f"--fix={key}={value}" for key, value in fixed.items()]
        command += [f"--range={axis}" for axis in (*RANGES, f"delta={delta}")]
        command += ["--folds", "set", "--pool", "sets"]
        for way, options in WAYS.items():
            subprocess.run(
                [*command, *options, "--report", str(output / f"{field}.{way}.md")],
                check=True,
                stdout=subprocess.DEVNULL,
            )


def means(report: Path) -> tuple[str, str]:
    """The means over the held-out sets, with the parameters of the profile and with the tuned ones."""
    lines = report.read_text(encoding="utf-8").splitlines()
    cells = next(line for line in lines if line.startswith("| mean |")).split("|")
    return cells[4].strip(), cells[5].strip()


def table(output: Path) -> str:
    """One row per field, one column per way."""
    lines = [f"| field | bolide-2, tuned on all sets | {' | '.join(TITLES)} |"]
    lines.append("|---|" + "---:|" * (len(TITLES) + 1))
    for field in FIELDS:
        reports = [output / f"{field}.{way}.md" for way in WAYS]
        if all(report.exists() for report in reports):
            found = [means(report) for report in reports]
            cells = [f"{float(number):.3f}" for number in (found[0][0], *(tuned for _, tuned in found))]
            lines.append(f"| {field} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("fields", nargs="+", choices=FIELDS)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    parser.add_argument("--delta", default=DELTA, help=f"axis of δ; default: {DELTA}")
    options = parser.parse_args()
    for field in options.fields:
        tune(options.folder, field, options.delta, options.output)
    text = table(options.output)
    (options.output / "held-out.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
