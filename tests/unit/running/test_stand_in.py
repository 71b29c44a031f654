"""The `java` of `bolide run`: which command lines it answers itself."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import pytest

from bolide.cli import run
from bolide.errors import CommandError, InputError
from bolide.running import stand_in

PTB_CLASS = "edu.stanford.nlp.process.PTBTokenizer"
PTB = f"-cp stanford-corenlp-3.4.1.jar {PTB_CLASS}"
METEOR = {
    # pycocoevalcap, GEM-metrics and aac-metrics write options of Java between -jar and the jar.
    "-jar -Xmx2G meteor-1.5.jar - - -stdio -l en -norm": "- - -stdio -l en -norm",
    "-Duser.country=US -jar -Xmx2G /a/b/meteor-1.5.jar - - -stdio": "- - -stdio",
    "-Xmx2G -Dfile.encoding=UTF8 -jar lib/meteor-1.5.jar hyp ref -l en": "hyp ref -l en",
    r"-jar C:\x\Meteor-1.5.JAR hyp ref": "hyp ref",
    "-cp lib/other.jar:lib/meteor-1.5.jar Meteor hyp ref": "hyp ref",
    "--add-opens java.base/java.lang=ALL-UNNAMED -jar meteor-1.5.jar hyp ref": "hyp ref",
}


@pytest.mark.parametrize(("line", "passed"), METEOR.items())
def test_meteor(line: str, passed: str) -> None:
    call = stand_in.parse(line.split())
    assert stand_in._meteor_jar(call)
    assert call.arguments == passed.split()


@pytest.mark.parametrize(
    "line",
    [
        "",
        "-jar",
        "-cp",
        "-jar spice-1.0.jar in.json",
        "-jar meteor-1.3.jar hyp ref",
        "-jar my-meteor-1.5.jar hyp ref",
        "-cp meteor-1.5.jar Stemmer en",
        "-cp meteor.jar Meteor hyp ref",
        "-cp x.jar Main meteor-1.5.jar",
        f"{PTB} FILE",
        f"{PTB} -preserveLines FILE",
        f"{PTB} -preserveLines -lowerCase -americanize=false FILE",
        f"{PTB} -preserveLines -lowerCase ONE TWO",
        f"{PTB} -preserveLines -lowerCase FILE".replace("3.4.1", "3.9.2"),
        f"-cp a.jar:/opt/stanford-corenlp-4.5.jar {PTB_CLASS} -preserveLines -lowerCase FILE",
    ],
)
def test_everything_else_needs_java(line: str) -> None:
    with pytest.raises(CommandError, match="Java is not installed") as raised:
        stand_in.answer("", line.split())
    assert raised.value.exit_code == 127
    assert str(raised.value).endswith(f"not: java {line}")


@pytest.mark.parametrize(("option", "stream"), [("-version", "err"), ("--version", "out")])
def test_version(option: str, stream: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert stand_in.answer("", ["-Xmx1G", option, "ignored"]) == 0
    printed = capsys.readouterr()
    text: str = getattr(printed, stream)
    assert text.startswith('openjdk version "11.') and printed.out + printed.err == text
    # How aac-metrics reads it.
    assert text.replace("\n", " ").split(" ")[2][1:-1].split("_")[0].split(".")[0] == "11"


def test_ptb_tokens_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "captions"
    file.write_bytes("A dog's (old) Caption.\n\nNaïve CAFÉ".encode())
    assert stand_in.answer("", [*PTB.split(), "-lowerCase", "-preserveLines", str(file)]) == 0
    assert capsys.readouterr().out == "a dog 's -lrb- old -rrb- caption .\n\nnaïve café"


def test_ptb_tokens_of_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"A cat.\n")))
    assert stand_in.answer("", [*PTB.split(), "-preserveLines", "-lowerCase"]) == 0
    assert capsys.readouterr().out == "a cat .\n"


def test_ptb_version_in_the_environment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "captions").write_text("A dog.")
    call = [PTB_CLASS, "-preserveLines", "-lowerCase", str(tmp_path / "captions")]
    monkeypatch.setenv("CLASSPATH", "/opt/stanford-corenlp-full-2016-10-31/stanford-corenlp-3.7.0.jar")
    with pytest.raises(CommandError, match=r"PTBTokenizer 3\.4\.1 with the options"):
        stand_in.answer("", call)
    monkeypatch.setenv("CLASSPATH", "/opt/stanford-corenlp-3.4.1.jar")
    assert stand_in.answer("", call) == 0
    assert capsys.readouterr().out == "a dog ."


def test_ptb_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = [*PTB.split(), "-lowerCase", "-preserveLines"]
    with pytest.raises(InputError, match=r"cannot read .*none: No such file"):
        stand_in.answer("", [*call, str(tmp_path / "none")])
    (tmp_path / "latin").write_bytes(b"caf\xe9 a dog\n")  # Java leaves out the byte, too
    assert stand_in.answer("", [*call, str(tmp_path / "latin")]) == 0
    assert capsys.readouterr().out == "caf a dog\n"


def test_half_of_a_surrogate_pair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Java replaces three bytes by one character, which an address keeps."""
    (tmp_path / "captions").write_bytes(b"http://a\xed\xa0\x80b.com \xff")
    stand_in.answer("", [*PTB.split(), "-lowerCase", "-preserveLines", str(tmp_path / "captions")])
    assert capsys.readouterr().out.strip() == "http://a\ufffdb.com"


def test_which_copy_of_the_jar(tmp_path: Path, jar: Path) -> None:
    """The copy of pycocoevalcap answers EVAL of one row with two lines; the official release with one."""
    assert stand_in._is_copy_in_coco(jar)
    assert stand_in._is_copy_in_coco(tmp_path / "none.jar")
    other = tmp_path / "meteor-1.5.jar"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("Meteor.class", b"Error: specify SCORE or EVAL")
    assert not stand_in._is_copy_in_coco(other)


def test_a_damaged_jar(tmp_path: Path) -> None:
    """Damages of every byte: the jar is taken for that of coco-caption, or it is read."""
    path = tmp_path / "meteor-1.5.jar"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Meteor.class", b"Error: specify SCORE or EVAL" * 5)
    good = path.read_bytes()
    for place in range(len(good)):
        path.write_bytes(good[:place] + bytes([good[place] ^ 0x41]) + good[place + 1 :])
        assert stand_in._is_copy_in_coco(path) in (True, False)


def test_a_mistake_in_the_options_of_meteor(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "--as-java", "", "-jar", "meteor-1.5.jar", "none", "none", "-l", "en"]) == 1
    assert "cannot read none: No such file" in capsys.readouterr().err
