"""`bolide oracle`: the best and worst score that n-best lists hold."""

from __future__ import annotations

import json
from typing import Annotated

from bolide.cli.nbest_options import (
    PANEL,
    Lists,
    ObjectiveName,
    Objectives,
    Reference,
    of,
    with_lists,
    with_objectives,
)
from bolide.errors import ConfigurationError

OUTPUT = "Output"


@with_objectives
@with_lists
def oracle(
    objectives: Objectives,
    lists: Lists,
    reference: Reference = None,
    weights: Annotated[
        str | None, of(PANEL, metavar="FILE", text="Show beside them what these weights choose.")
    ] = None,
    objective: ObjectiveName = None,
    best: Annotated[str | None, of(OUTPUT, metavar="FILE", text="Write the best choice there.")] = None,
    worst: Annotated[str | None, of(OUTPUT, metavar="FILE", text="Write the worst choice there.")] = None,
    as_json: Annotated[bool, of(OUTPUT, "--json", text="Print JSON.")] = False,
) -> None:
    """Find the best and the worst score that a choice among the hypotheses can have."""
    from bolide._support.writing import atomic_text
    from bolide.comparison.reports.parts import text
    from bolide.mert import MertProblem, Weights, oracle, read_references
    from bolide.mert.choices import measured, resampled
    from bolide.mert.report import choice_part

    if not reference:
        raise ConfigurationError("name a file of references: --reference FILE")
    given = None if weights is None else Weights.read(weights)
    references = read_references(reference)
    made = objectives.make(objective, references)
    problem = MertProblem(lists.read(len(references)), made, threads=objectives.given["threads"])
    named = {"oracle": oracle(problem), "anti-oracle": oracle(problem, worst=True)}
    if given is not None:
        named["weights"] = problem.chosen(problem.nbest.vector(given))
    intervals, _ = resampled(problem, list(named.values()))
    found = {
        name: measured(problem, chosen, interval).to_dict()
        for (name, chosen), interval in zip(named.items(), intervals, strict=True)
    }
    signatures = [metric.signature() for _, metric in made.terms]
    for name, path in (("oracle", best), ("anti-oracle", worst)):
        if path is not None:
            with atomic_text(path) as file:
                file.write("".join(f"{line}\n" for line in problem.nbest.texts_of(named[name])))
    if as_json:
        print(json.dumps({"objective": made.formula(), "choices": found, "signatures": signatures}, indent=2))
        return
    for line in (*text([choice_part(made.formula(), found)]), *signatures):
        print(line)
