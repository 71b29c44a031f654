"""A real Spark with two threads gives the same paraphrases as DuckDB, and the same scores as one machine."""

from __future__ import annotations

import pickle
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bolide import Meteor, cli, resources
from bolide.errors import ClusterError, ConfigurationError, InputError
from tests.support import fake_meteor, generate

pytest.importorskip("pyspark")
pytest.importorskip("ibis")
from bolide.distributed import spark
from bolide.learning.paraphrases import learn
from tests.support import phrase_tables
from tests.unit.learning.test_paraphrases import at_the_limit, common, write

pytestmark = [
    pytest.mark.skipif(not shutil.which("java"), reason="Spark needs Java"),
    # PySpark 4.0, the newest that Ibis supports, leaves it to the garbage collector to close its files.
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),
]
LOCAL = "local[2]"


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """One session for all tests: starting Java takes longer than the tests."""
    before = signal.getsignal(signal.SIGINT)
    with spark.session(LOCAL, "1g") as running:
        yield running
    assert signal.getsignal(signal.SIGINT) is before  # PySpark's handler fails without a session


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Meteor:
    """A pack for tests, in a folder that the executors see."""
    folder = tmp_path_factory.mktemp("pack")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOLIDE_HOME", str(folder / "home"))
        patch.setenv("BOLIDE_OFFLINE", "1")
        resources.install("en", fake_meteor.folder(folder / "meteor", "en"))
        return Meteor(resources=resources.pack_folder("en"))


# ---- paraphrases ---------------------------------------------------------------------------------


def both(session: Any, folder: Path, tables: list[Path], **options: Any) -> int:
    """Learn with each engine, and return the number of paraphrases, which must be the same."""
    reports = []
    for engine in ("duckdb", "spark"):
        outputs = [folder / f"{engine}.gz", folder / f"{engine}.parquet"]
        reports.append(learn(tables, outputs, engine=engine, temporary=folder, **options))
    assert reports[0] == reports[1]  # the counts after each filter
    for kind in ("gz", "parquet"):
        assert (folder / f"duckdb.{kind}").read_bytes() == (folder / f"spark.{kind}").read_bytes()
    return reports[0].paraphrases


def test_the_same_paraphrases(session: Any, tmp_path: Path) -> None:
    files = phrase_tables.write(tmp_path, 12_000, 3)
    words = {"common_words": common(files.target), "pivot_common_words": common(files.pivot)}
    assert both(session, tmp_path, [files.table], occurring_in=[files.target], **words) > 3_000


def test_the_same_at_the_limit_of_two_tables(session: Any, tmp_path: Path) -> None:
    tables = [write(tmp_path / name, at_the_limit()[::step]) for name, step in (("one", 1), ("two", 2))]
    assert both(session, tmp_path, tables[:1]) > 300
    assert both(session, tmp_path, tables, merge="max") > 300


# ---- scores --------------------------------------------------------------------------------------


def texts(count: int) -> tuple[list[str], list[list[str]]]:
    """Hypotheses, and one to three references each, including difficult ones."""
    pairs = [*generate.pairs("en", count, 5), *generate.odd_pairs(5)][: count + 50]
    hypotheses = [pair.hypothesis for pair in pairs]
    references = [
        [pairs[(k + j) % len(pairs)].reference for j in range(k % 3 + 1)] for k in range(len(pairs))
    ]
    return hypotheses, references


def test_a_column_of_scores(session: Any, scorer: Meteor) -> None:
    hypotheses, references = texts(300)
    rows = [(k, *row) for k, row in enumerate(zip(hypotheses, references, strict=True))]
    table = session.createDataFrame(rows, ["k", "output", "lists"]).repartition(5)
    scored = spark.score(table, "output", "lists", meteor=scorer, statistics="statistics").cache()
    assert scored.columns == ["k", "output", "lists", "meteor", "statistics"]
    expected = scorer.corpus_score(hypotheses, references, layout="segments")
    assert expected.segments is not None
    found = {row["k"]: row["meteor"] for row in scored.select("k", "meteor").collect()}
    assert [found[k] for k in range(len(rows))] == expected.segments.tolist()
    # The corpus score: from the texts, from the statistics, and with a pack that is sent to the executors.
    assert spark.corpus_score(table, "output", "lists", meteor=scorer) == expected
    assert spark.corpus_score(scored, statistics="statistics", meteor=scorer) == expected
    assert spark.corpus_score(table, "output", "lists", meteor=scorer, ship=True) == expected


def test_all_packs_of_a_scorer_are_sent(session: Any, meteor: Callable[..., Meteor]) -> None:
    scorer = meteor(profile="bolide-2")
    hypotheses, references = texts(20)
    table = session.createDataFrame(list(zip(hypotheses, references, strict=True)), ["output", "lists"])
    expected = scorer.corpus_score(hypotheses, references, layout="segments")
    assert spark.corpus_score(table, "output", "lists", meteor=scorer, ship=True) == expected
    recipe = spark._recipe(session, scorer, ship=True, threads=1)
    _, settings = pickle.loads(recipe.pickled)
    assert [name for name, _ in recipe.archives] == ["pack", "frequencies"]
    assert (settings.pack.path, settings.frequencies.path) == (None, None)


def test_references_in_several_columns(session: Any, scorer: Meteor) -> None:
    hypotheses, references = texts(20)
    rows = [(text, group[0], group[-1]) for text, group in zip(hypotheses, references, strict=True)]
    table = session.createDataFrame(rows, ["hypothesis", "a", "b"])
    expected = scorer.corpus_score(hypotheses, [list(row[1:]) for row in rows], layout="segments")
    assert spark.corpus_score(table, references=["a", "b"], meteor=scorer) == expected


def test_the_command_scores_the_same(
    session: Any, scorer: Meteor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = generate.pairs("en", 200, 6)
    for name, side in (("hypotheses", 0), ("others", 0), ("references", 1)):
        lines = (pair[side] for pair in (reversed(pairs) if name == "others" else pairs))
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    files = [str(tmp_path / name) for name in ("hypotheses", "others", "references")]
    pack = str(scorer.settings.pack.path)
    command = ["score", *files[:2], "-r", files[2], "--resources", pack, "--segments"]
    printed = []
    for options in ([], ["--spark", LOCAL]):
        assert cli.run([*command, *options]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert printed[0].count("\n") > 400


def test_mistakes_are_told(session: Any, scorer: Meteor) -> None:
    table = session.createDataFrame([("a", "b"), ("c", None)], ["hypothesis", "reference"])
    with pytest.raises(InputError, match="there is no column 'refs'; there are: hypothesis reference"):
        spark.score(table, references="refs", meteor=scorer)
    with pytest.raises(ConfigurationError, match="already has a column 'reference'"):
        spark.score(table, meteor=scorer, column="reference")
    with pytest.raises(ConfigurationError, match="name a column for the scores"):
        spark.score(table, meteor=scorer, column=None)
    with pytest.raises(ClusterError, match="Spark: column 'reference' has no text in 1 of"):
        spark.corpus_score(table, meteor=scorer)


def test_an_executor_without_the_pack(session: Any, scorer: Meteor, tmp_path: Path) -> None:
    assert scorer.settings.pack.path is not None
    shutil.copytree(scorer.settings.pack.path, tmp_path / "pack")
    lost = Meteor(resources=tmp_path / "pack")
    table = session.createDataFrame([("a", "b")], ["hypothesis", "reference"])
    shutil.rmtree(tmp_path / "pack")
    with pytest.raises(ClusterError, match=r"Spark: .*pack"):
        spark.corpus_score(table, meteor=lost)
