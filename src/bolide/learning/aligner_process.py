"""The process that aligns words for aligners.py.

    python -m bolide.learning.aligner_process NAME SOURCE TARGET OUTPUT

It reports progress on standard output, in lines of JSON. The last line has the error, or the peak memory. The
process ends with its parent, on systems that can do so.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from bolide._support import platform

BATCH = 1 << 13
ITERATIONS = 5


def tell(**what: object) -> None:
    print(json.dumps(what), flush=True)


def fast_align(source: Path, target: Path, output: Path) -> None:
    import systran_align

    folder = output.parent
    joined, forward, backward = folder / "joined", folder / "forward", folder / "backward"
    with joined.open("w", encoding="ascii", newline="\n") as stream:
        stream.writelines(f"{left} ||| {right}\n" for left, right in sentence_pairs(source, target))
    with iterations(2 * ITERATIONS + 1):
        systran_align.generate_alignment_probabilities(
            str(joined),
            str(forward),
            str(backward),
            verbose=True,
            iterations=ITERATIONS,
            favor_diagonal=True,
            optimize_tension=True,
            variational_bayes=True,
        )
    for path in (forward, backward):
        check_room(path)
    aligner = systran_align.Aligner(str(forward), str(backward))  # also symmetrizes the links
    pairs = sentence_pairs(source, target)
    with output.open("w", encoding="ascii", newline="\n") as stream:
        while batch := list(islice(pairs, BATCH)):
            sides = ([words.split(" ") for words in side] for side in zip(*batch, strict=True))
            for result in aligner.align_batch(*sides):
                stream.write(" ".join(f"{s}-{t}" for s, t in sorted(result["alignments"])) + "\n")
    for path in (joined, forward, backward):
        path.unlink()


def eflomal(source: Path, target: Path, output: Path) -> None:
    from eflomal import Aligner

    from bolide import _core

    os.environ["TMPDIR"] = str(output.parent)
    forward, reverse = output.parent / "forward", output.parent / "reverse"
    with source.open(encoding="ascii") as left, target.open(encoding="ascii") as right:
        Aligner().align(left, right, links_filename_fwd=str(forward), links_filename_rev=str(reverse))
    tell(done=1, total=2)
    with (
        forward.open(encoding="ascii") as one,
        reverse.open(encoding="ascii") as two,
        output.open("w", encoding="ascii", newline="\n") as stream,
    ):
        while first := [line.rstrip("\n") for line in islice(one, BATCH)]:
            second = [line.rstrip("\n") for line in islice(two, BATCH)]
            stream.writelines(f"{line}\n" for line in _core.grow_diag_final_and(first, second))
    for path in (forward, reverse):
        path.unlink()


ALIGNERS: dict[str, Callable[[Path, Path, Path], None]] = {"fast-align": fast_align, "eflomal": eflomal}


def sentence_pairs(source: Path, target: Path) -> Iterator[tuple[str, str]]:
    with source.open(encoding="ascii") as left, target.open(encoding="ascii") as right:
        for one, two in zip(left, right, strict=True):
            yield one.rstrip("\n"), two.rstrip("\n")


@contextmanager
def iterations(total: int) -> Iterator[None]:
    """Reports the progress of a native program from its standard error, which is not shown."""
    kept = os.dup(2)
    reader, writer = os.pipe()
    os.dup2(writer, 2)
    os.close(writer)
    watcher = threading.Thread(target=_watch, args=(reader, total), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        watcher.join()


def _watch(reader: int, total: int) -> None:
    done = 0
    with os.fdopen(reader, "rb") as stream:
        for line in stream:
            if re.match(rb"ITERATION", line):
                tell(done=done, total=total)
                done += 1


def check_room(path: Path) -> None:
    """Fails if the disk is full. The native program does not check that when it writes the file."""
    size = path.stat().st_size
    with path.open("r+b") as stream:
        stream.seek(size)
        stream.write(bytes(1 << 20))
        stream.flush()
        os.fsync(stream.fileno())
        stream.truncate(size)


def main(arguments: Iterable[str]) -> int:
    name, *paths = arguments
    platform.end_with_parent()
    source, target, output = map(Path, paths)
    try:
        ALIGNERS[name](source, target, output)
    except (OSError, ValueError, RuntimeError) as error:
        tell(error=getattr(error, "strerror", None) or str(error))
        return 1
    tell(peak=max(platform.peak_memory(), platform.peak_memory_of_children()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
