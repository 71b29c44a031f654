"""Completes a learned pack with the other parts of the official pack, and with how it was learned."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import replace
from pathlib import Path

from bolide.resources import catalogue, manifest
from bolide.resources.compile import write_file
from bolide.resources.distribution import reading
from bolide.resources.learned import COPIED, PARAPHRASES, WORDS
from bolide.resources.manifest import Learned, Manifest


def complete(compiled: Manifest, texts: Path, new: Path, base: Path | None, learned: Learned) -> Manifest:
    """Returns the manifest of a pack whose learned parts were compiled from the folder `texts` to the folder
    `new`. Copies the other parts of the official pack, `base`, to it. The hash is computed from uncompressed
    texts, because compressed files may differ between computers."""
    sources = {name: _text_sha256(texts / name) for name in (WORDS, PARAPHRASES)}
    licences, counts, files = dict(compiled.licences), dict(compiled.counts), dict(compiled.files)
    if base is not None:
        found = manifest.read_existing(base)
        wanted = COPIED & set(found.licences)
        parts = [part for part in catalogue.find(found.language).parts if part.key in wanted]
        names = {Path(file).name for part in parts for file in part.licence_files}
        originals = manifest.files(base, found)
        for name in found.files:
            if name in names or name.partition(".")[0] in wanted:
                files[name] = write_file(new / name, originals.read(name))
        sources |= {name: found.sources[name] for part in parts for name in part.files}
        licences |= {part.key: part.licence for part in parts}
        counts |= {k: v for k, v in found.counts.items() if k not in ("English function words", *counts)}
    origin = {"file": ", ".join(learned.get("corpora", {})) or "the user's files"}
    return replace(
        compiled,
        origin=origin,
        sources=sources,
        licences=licences,
        counts=counts,
        files=files,
        learned=learned,
    )


def _text_sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with reading(path), gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()
