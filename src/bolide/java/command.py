"""A drop-in for the command line of the Java release: `bolide java ARGS` prints what the jar prints.

Standard output and output files are equal to Java's, byte by byte. So is standard error if it has scores
(`-q`) or Java's warnings. Errors are handled differently: for files of different lengths, a task without
parameters or invalid UTF-8, Java continues, ends with exit code 0 or prints a stack trace. Here there is a
message and an exit code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO, TextIO

from bolide.java.options import parse, usage
from bolide.java.settings import resources_for, settle

# Exit code of wrong usage.
USAGE = 2


def run(
    arguments: Sequence[str], stdin: BinaryIO, stdout: TextIO, stderr: TextIO, *, coco: bool = False
) -> int:
    """Runs the command line and returns its exit code. Errors of the user are BolideError. `coco` chooses the
    `-stdio` of the jar in coco-caption (see `bolide.java.stdio`)."""
    if len(arguments) < 2:
        stderr.write(usage())
        return USAGE
    options = parse(arguments)
    settings = settle(options)
    stderr.write(settings.warning)
    if options.stdio:
        from bolide.java.stdio import serve

        if options.sgml:
            stderr.write("Warning: Stdio incompatible with other modes - using Stdio only\n")
        serve(settings.meteor(resources_for(options, settings)), stdin, stdout, coco=coco)
    elif options.sgml:
        from bolide.java import sgml

        sgml.score(options, settings, stdout, stderr)
    else:
        from bolide.java import plaintext

        plaintext.score(options, settings, stdout, stderr)
    stdout.flush()
    return 0
