"""`bolide oracle`: the best and worst scores that n-best lists allow."""

from __future__ import annotations

import json

from bolide.cli.input_options import check_outputs
from bolide.cli.nbest_options import OUTPUT, PANEL, NBestOptions, ObjectiveOptions


def oracle(
    *,
    scored: ObjectiveOptions,
    weights: str | None = PANEL.option("FILE", "Also show what these weights choose."),
    best: str | None = OUTPUT.option("FILE", "Write the best hypotheses to this file."),
    worst: str | None = OUTPUT.option("FILE", "Write the worst hypotheses to this file."),
    as_json: bool = OUTPUT.flag("Print JSON.", "--json"),
    lists: NBestOptions,
) -> None:
    """Find the best and the worst corpus score that n-best lists allow."""
    from bolide._support.writing import atomic_text
    from bolide.comparison.reports.parts import text
    from bolide.mert import MertProblem, Weights, oracle
    from bolide.mert.choices import measured, resampled
    from bolide.mert.report import choice_part

    make_objective = scored.choose_objective()
    check_outputs(best, worst)
    given = None if weights is None else Weights.read(weights)
    references = scored.read_references()
    nbest = lists.read(len(references))
    objective = make_objective(references)
    problem = MertProblem(nbest, objective, threads=scored.threads)
    chosen = {"oracle": oracle(problem), "anti-oracle": oracle(problem, worst=True)}
    if given is not None:
        chosen["weights"] = problem.chosen(nbest.vector(given))
    intervals, _ = resampled(problem, list(chosen.values()))
    found = {
        name: measured(problem, hypotheses, interval).to_dict()
        for (name, hypotheses), interval in zip(chosen.items(), intervals, strict=True)
    }
    signatures = [metric.signature() for _, metric in objective.terms]
    for name, path in (("oracle", best), ("anti-oracle", worst)):
        if path is not None:
            with atomic_text(path) as file:
                file.write("".join(f"{line}\n" for line in nbest.texts_of(chosen[name])))
    if as_json:
        data = {"objective": objective.formula(), "choices": found, "signatures": signatures}
        print(json.dumps(data, indent=2))
        return
    for line in (*text([choice_part(objective.formula(), found)]), *signatures):
        print(line)
