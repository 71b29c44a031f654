"""`bolide resources`: list, install, inspect, verify and find language packs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bolide._support.plurals import counted
from bolide.cli.option_groups import Argument, argument, flag, option
from bolide.cli.resources_filter import filter_pack
from bolide.cli.typer_commands import add_command
from bolide.comparison.reports.style import printable
from bolide.errors import InputError

if TYPE_CHECKING:
    from bolide.resources.catalogue import Entry
    from bolide.resources.manifest import Manifest

app = typer.Typer(
    no_args_is_help=True, help="List, install, inspect, verify, find and filter language packs."
)

PackArgument = Annotated[
    str,
    Argument("PACK", "A language (en, English) or a pack (en-wordnet, en-frequencies)."),
]


def list_packs(
    synonyms: bool = flag("Also list the synonym packs that are not installed.", "--synonyms"),
    word_frequencies: bool = flag(
        "Also list the packs of word frequencies that are not installed.", "--frequencies"
    ),
) -> None:
    """Show every pack: its hash if it is installed, and its contents."""
    from bolide.resources import catalogue, frequencies, learned, manifest, thesauri

    further = [*learned.entries()]
    further += [entry for entry in thesauri.entries() if synonyms or manifest.exists(entry.folder)]
    further += [entry for entry in frequencies.entries() if word_frequencies or manifest.exists(entry.folder)]
    rows = [("pack", "installed", "languages", "contents"), *map(_row, (*catalogue.entries(), *further))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def install(
    languages: list[str] = argument("LANGUAGE", "Codes (en de) or names."),
    source: Path | None = option(
        "PATH",
        "Do not download: use a Meteor 1.5 folder, .tar.gz or .jar, or the wheel that contains it. With "
        "--frequencies: the wheel of wordfreq.",
        "--from",
    ),
    synonyms: str | None = option(
        "SOURCE",
        "Install a synonym pack instead: wordnet (English), mythes (27 languages), the folder of a "
        "WordNet, or a MyThes file (.dat).",
        "--synonyms",
    ),
    word_frequencies: bool = flag(
        "Install the word frequencies of the language instead (44 languages).", "--frequencies"
    ),
    force: bool = flag("Install again, even if the pack is installed.", "--force"),
) -> None:
    """Download and compile language packs, synonym packs or word frequencies.

    An installed pack is not changed, unless you give --force, or PATH has paraphrases that the pack lacks.
    """
    from bolide import resources
    from bolide.resources import catalogue

    if synonyms is not None:
        _install_synonyms(languages, source, synonyms, word_frequencies, force)
        return
    if source is not None and not source.exists():
        raise InputError(f"cannot read {source}: No such file or directory")
    if word_frequencies:
        _install_frequencies(languages, source, force)
        return
    entries = list(dict.fromkeys(map(catalogue.find, languages)))
    before = [_manifest_or_none(entry) for entry in entries]
    after = resources.install([entry.language for entry in entries], source, force=force)
    for entry, old, new in zip(entries, before, after, strict=True):
        typer.echo(_outcome(entry, new, fresh=old is None or old.folder != new.folder))


def _install_synonyms(
    languages: list[str], meteor: Path | None, source: str, word_frequencies: bool, force: bool
) -> None:
    from bolide import resources
    from bolide.errors import ConfigurationError
    from bolide.resources import sources

    if meteor is not None:
        raise ConfigurationError("--from is for language packs: give the synonym files with --synonyms")
    if word_frequencies:
        raise ConfigurationError("--synonyms and --frequencies are different packs: install one at a time")
    for entry in [sources.recognise(source, language)[0] for language in dict.fromkeys(languages)]:
        _install_further(entry, lambda entry: resources.install_synonyms(entry.language, source, force=force))


def _install_frequencies(languages: list[str], source: Path | None, force: bool) -> None:
    from bolide import resources
    from bolide.resources import frequencies

    for entry in dict.fromkeys(map(frequencies.get, languages)):
        _install_further(
            entry, lambda entry: resources.install_frequencies(entry.language, source, force=force)
        )


def _install_further(entry: Entry, install: Callable[[Entry], Manifest]) -> None:
    old = _manifest_or_none(entry)
    new = install(entry)
    typer.echo(_outcome(entry, new, fresh=old is None or old.folder != new.folder))


def info(pack: PackArgument) -> None:
    """Show the contents of a pack, its origin and its licences."""
    from bolide.resources import thesauri

    entry = thesauri.find_pack(pack)
    manifest = _manifest(entry)
    licences = (
        f"{part.label}: {manifest.licences[part.key]}"
        for part in entry.parts
        if part.key in manifest.licences
    )
    rows = {
        "pack": f"{entry.name} ({_languages(entry)})",
        "hash": manifest.hash,
        "folder": str(entry.folder),
        "size": f"{manifest.bytes:,} bytes in {len(manifest.files)} files",
        "contents": _contents(manifest),
        "missing": _missing(entry, manifest) or "nothing",
        "origin": " sha256:".join(manifest.origin.values()),
        "licences": "; ".join(licences),
        "compiled by": f"bolide {manifest.bolide}",
    }
    for title, table in manifest.learned.items():
        rows[title] = ", ".join(f"{name} {_shown(value)}" for name, value in table.items())
    for label, text in rows.items():
        typer.echo(f"{label:<12} {printable(text)}")


def verify(
    pack: str = argument("PACK", "A language (en, English), a pack (en-wordnet), or the folder of a pack."),
) -> None:
    """Check every file of a pack against its sha256."""
    from bolide import resources
    from bolide.resources import thesauri

    folder = thesauri.pack_folder(pack)
    manifest = resources.verify(folder)
    typer.echo(f"{folder}: {len(manifest.files)} files, {manifest.bytes:,} bytes, all correct")


def path(pack: PackArgument) -> None:
    """Print the folder of an installed pack."""
    from bolide.resources import thesauri

    entry = thesauri.find_pack(pack)
    _manifest(entry)
    typer.echo(entry.folder)


add_command(app, "list", list_packs)
for command in (install, info, verify, path):
    add_command(app, command.__name__, command)
add_command(app, "filter", filter_pack)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return f"({', '.join(f'{name} {_shown(each)}' for name, each in value.items())})"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _manifest_or_none(entry: Entry) -> Manifest | None:
    from bolide.errors import ResourceError

    try:
        return _manifest(entry)
    except ResourceError:
        return None


def _manifest(entry: Entry) -> Manifest:
    from bolide.resources import manifest

    try:
        return manifest.read(entry.folder)
    except FileNotFoundError:
        raise manifest.missing(entry.folder, entry.title) from None


def _row(entry: Entry) -> tuple[str, str, str, str]:
    from bolide.resources import manifest

    found = _manifest_or_none(entry)
    if found is not None:
        return entry.name, found.hash, _languages(entry), _contents(found)
    state = "damaged" if manifest.exists(entry.folder) else "no"
    fetched = ", ".join(part.label for part in entry.parts if entry.in_wheel(part))
    further = "".join(f"; {part.label} with --from" for part in entry.parts if not entry.in_wheel(part))
    return entry.name, state, _languages(entry), fetched + further


def _languages(entry: Entry) -> str:
    """The languages of a pack."""
    from bolide.language import languages
    from bolide.resources import catalogue

    if entry.language != "other":
        return entry.title
    return " ".join(row.code for row in languages.every() if catalogue.find(row.code) == entry)


def _contents(manifest: Manifest) -> str:
    return ", ".join(counted(count, label) for label, count in manifest.counts.items() if count)


def _missing(entry: Entry, manifest: Manifest) -> str:
    return ", ".join(part.label for part in entry.parts if part.key not in manifest.licences)


def _outcome(entry: Entry, manifest: Manifest, *, fresh: bool) -> str:
    if fresh:
        lines = [f"{entry.name} installed in {entry.folder} ({manifest.hash}): {_contents(manifest)}"]
    else:
        lines = [f"{entry.name} is installed already ({manifest.hash}); --force installs it again"]
    if missing := _missing(entry, manifest):
        lines.append(
            f"{entry.language} has no {missing}: {manifest.origin.get('file', 'its source')} does not "
            f"contain them; a full Meteor 1.5 does (bolide resources install {entry.language} --from PATH)"
        )
        if all(entry.in_wheel(part) for part in entry.parts):
            lines[-1] += f", and so does the download (bolide resources install {entry.language} --force)"
    return "\n".join(lines)
