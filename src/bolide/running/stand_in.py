"""The `java` that programs find under `bolide run`. It answers without Java:

    java [options] -jar .../meteor-1.5.jar ...                          what `bolide java` does
    java -cp ... edu.stanford.nlp.process.PTBTokenizer -preserveLines -lowerCase [FILE]
    java -version

Everything else goes to the real Java, if there is one.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bolide._support.platform import become
from bolide._version import __version__
from bolide.errors import CommandError, InputError

# Options of Java whose value is the next argument.
WITH_VALUE = {"-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path"}
WITH_VALUE |= {"--add-modules", "--add-exports", "--add-opens", "--add-reads", "--limit-modules"}
WITH_VALUE |= {"--patch-module", "--source"}
CLASS_PATH = {"-cp", "-classpath", "--class-path"}
# The option, the stream that Java prints to.
VERSIONS = {"-version": "stderr", "--version": "stdout"}
# Programs check this number. aac-metrics accepts 8 to 13.
VERSION = f"""\
openjdk version "11.0.0" 2018-09-25
bolide {__version__} (runs METEOR 1.5 and PTBTokenizer without Java)
"""
METEOR_JAR = re.compile(r"meteor-1\.5.*\.jar", re.IGNORECASE)
METEOR_CLASS = "Meteor"
PTB_CLASS = "edu.stanford.nlp.process.PTBTokenizer"
# Other versions of Stanford CoreNLP have other tokens.
PTB_VERSION = "3.4.1"
PTB_JAR = re.compile(r"stanford-(?:corenlp|parser|postagger)-(\d+(?:\.\d+)+)", re.IGNORECASE)
# Half of a surrogate pair in UTF-8, which is not valid. Java replaces its three bytes by one character.
HALF = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
PTB_OPTIONS = {"-preserveLines", "-lowerCase"}
LARGEST_CLASS = 1 << 20  # bytes; those of METEOR have 20 kB


class Call(NamedTuple):
    """A command line of Java."""

    version: str | None  # the option that asks for the version
    class_path: str
    jar: str | None
    main: str | None  # the class, if there is no jar
    arguments: list[str]


def parse(arguments: Sequence[str]) -> Call:
    """Parses a command line. `-jar` is an option without a value: the jar is the first word that is no
    option.

    >>> parse(["-jar", "-Xmx2G", "m.jar", "-", "-"])
    Call(version=None, class_path='', jar='m.jar', main=None, arguments=['-', '-'])
    """
    is_jar, class_path = False, ""
    words = iter(arguments)
    for word in words:
        if word in VERSIONS:
            return Call(word, class_path, None, None, [])
        if word in WITH_VALUE:
            value = next(words, "")
            class_path = value if word in CLASS_PATH else class_path
        elif word == "-jar":
            is_jar = True
        elif not word.startswith("-"):
            jar, main = (word, None) if is_jar else (None, word)
            return Call(None, class_path, jar, main, list(words))
    return Call(None, class_path, None, None, [])


def answer(real: str, arguments: Sequence[str]) -> int:
    """Answers a command line; its exit code. `real` is the path of the real Java, or empty."""
    call = parse(arguments)
    if call.version:
        print(VERSION, end="", file=getattr(sys, VERSIONS[call.version]))
        return 0
    if jar := _meteor_jar(call):
        from bolide.java import command

        coco = "-stdio" in call.arguments and _is_copy_in_coco(Path(jar))
        return command.run(call.arguments, sys.stdin.buffer, sys.stdout, sys.stderr, coco=coco)
    if call.main == PTB_CLASS and (file := _ptb_file(call)) is not None:
        _print_tokens(file)
        return 0
    if not real:
        raise CommandError(
            f"Java is not installed. bolide run answers only METEOR 1.5 and PTBTokenizer {PTB_VERSION} with "
            f"the options {' '.join(sorted(PTB_OPTIONS))}, not: java {' '.join(arguments)}"
        )
    return become(real, arguments)


def _meteor_jar(call: Call) -> str | None:
    """The jar of METEOR 1.5, if the call starts it."""
    jars = [call.jar] if call.jar else re.split("[:;]", call.class_path) if call.main == METEOR_CLASS else []
    return next((jar for jar in jars if METEOR_JAR.fullmatch(re.split(r"[/\\]", jar)[-1])), None)


def _is_copy_in_coco(jar: Path) -> bool:
    """Whether `-stdio` is that of the copy in coco-caption, which knows the command SING. Programs without a
    readable jar are taken for programs for captions."""
    import zlib
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(jar) as archive, archive.open(f"{METEOR_CLASS}.class") as code:
            return b"SING" in code.read(LARGEST_CLASS)
    except (OSError, EOFError, BadZipFile, KeyError, NotImplementedError, RuntimeError, zlib.error):
        return True


def _ptb_file(call: Call) -> str | None:
    """The file of a call of PTBTokenizer, empty for standard input. None if the call needs the real Java."""
    if set(PTB_JAR.findall(call.class_path or os.environ.get("CLASSPATH", ""))) - {PTB_VERSION}:
        return None
    options = {word for word in call.arguments if word.startswith("-")}
    files = [word for word in call.arguments if not word.startswith("-")]
    return "".join(files) if options == PTB_OPTIONS and len(files) < 2 else None


def _print_tokens(file: str) -> None:
    from bolide.language.ptb import tokenize

    name = file or "standard input"
    try:
        text = Path(file).read_bytes() if file else sys.stdin.buffer.read()
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror}") from None
    # As in Java: bytes that are not UTF-8 are replaced, and the tokenizer leaves out what replaces them.
    sys.stdout.write(tokenize(HALF.sub("\ufffd".encode(), text).decode(errors="replace")))
