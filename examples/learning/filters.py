"""Which learned paraphrases help: by the count of phrase pairs, and by probability.

    python examples/learning/filters.py WMT WORK LANGUAGE

WORK is the folder of `bolide learn language LANGUAGE SRC TGT --work WORK`, with phrases.parquet. WMT has the
rankings of WMT12 (examples/bolide-2/judgments.py describes them). For each choice of phrase pairs and
paraphrases the output has the share of pairs that word accumulation removes, the number of paraphrases, and τ
(wmt14) of profile 1.5 (exact, stem, paraphrase) and of bolide-2 (exact, case, paraphrase, letter-runs).
"""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb

from bolide import Meteor
from bolide.matching.phrases import Phrases

sys.path.append(str(Path(__file__).parents[1] / "bolide-2"))
from judgments import Judged, agreement, read, taus

WEIGHT = 0.6
ENTRIES = """create table e as
    select source, target, p_source_given_target as pl, p_target_given_source as pr, count_joint as n
    from read_parquet($file)
    where not regexp_matches(source || target, '[!-/:-@\\[-`{-~]')
    and len(list_filter(string_split(target, ' '), lambda x: not list_contains($words, x))) > 0
    and len(list_filter(string_split(source, ' '), lambda x: not list_contains($pivots, x))) > 0"""
PAIRS = """create or replace table p as
    select a.target as l, b.target as r, sum(a.pl * b.pr) as p,
        contains(' ' || l || ' ', ' ' || r || ' ') or contains(' ' || r || ' ', ' ' || l || ' ') as within
    from e as a join e as b using (source)
    where a.n >= $least and b.n >= $least and a.pl >= 0.001 and b.pr >= 0.001 and a.pl * b.pr >= 0.001
    and a.target <> b.target
    group by 1, 2 having sum(a.pl * b.pr) >= 0.01"""


def tau(judged: Judged, profile: str, pairs: list[tuple[str, str]]) -> float:
    """Kendall's τ with the parameters of the profile; without pairs, without paraphrases."""
    language = judged.languages[1]
    modules = ["exact", "stem"] if profile == "1.5" else ["exact", "case", "letter-runs"]
    meteor = Meteor(profile, language, modules=modules)
    if pairs:
        own = meteor.parameters
        added = [*modules, Phrases(pairs, weight=WEIGHT)]
        weights = [*own.weights, WEIGHT]
        if profile != "1.5":  # letter-runs is the last module
            added[-2:] = reversed(added[-2:])
            weights[-2:] = reversed(weights[-2:])
        given = {"alpha": own.alpha, "beta": own.beta, "gamma": own.gamma, "delta": own.delta}
        meteor = Meteor(profile, language, modules=added, weights=weights, **given)
    scores = meteor.score(meteor.statistics(judged.hypotheses, judged.references))
    return float(taus(agreement(judged, scores).sum(axis=0))[0])


def main(wmt: Path, work: Path, language: str) -> None:
    judged = read(wmt, f"wmt12.en-{language}")
    known = set(" ".join([*judged.hypotheses, *judged.references]).lower().split())
    lists = {
        name: (work / f"{file}.words").read_text(encoding="utf-8").split()
        for name, file in (("words", "function"), ("pivots", "pivot"))
    }
    connection = duckdb.connect()
    connection.execute(ENTRIES, {"file": str(work / "phrases.parquet"), **lists})

    def show(*cells: object) -> None:
        print(f"| {' | '.join(map(str, cells))} |", flush=True)

    show("phrase pairs seen", "p", "accumulation", "paraphrases", "1.5", "bolide-2")
    show(*["---"] * 6)
    show("", "", "", 0, *(f"{tau(judged, profile, []):.4f}" for profile in ("1.5", "bolide-2")))
    for least in (1, 2):
        connection.execute(PAIRS, {"least": least})
        (share,) = connection.execute("select avg(within::int) from p").fetchone() or (0,)
        for lowest in (0.01, 0.05, 0.1, 0.2):
            found = connection.execute("select l, r from p where p >= ? and not within", [lowest]).fetchall()
            pairs = [pair for pair in found if known.issuperset(" ".join(pair).split())]
            values = (f"{tau(judged, profile, pairs):.4f}" for profile in ("1.5", "bolide-2"))
            show(least, lowest, f"{share:.1%}", len(found), *values)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
