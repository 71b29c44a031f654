"""The Java release's command line as a drop-in: `bolide java ARGS` prints what the jar prints.

    options                   the arguments
    settings                  modules, weights, parameters and resources that they choose
    plaintext, sgml, stdio    the three modes
    files, sgml_reader        reading input files
    output                    printing

Standard output and the output files are Java's to the byte, standard error where it carries scores (`-q`)
or Java's own warnings. Faults are not copied: where Java goes on or ends with exit code 0 after an error
(files of unequal length, a task without parameters, bytes that are not UTF-8), or prints a stack trace,
there is one sentence and an exit code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO, TextIO

from bolide.java.options import JavaOptions, parse, usage
from bolide.java.settings import JavaSettings, resources_for, settle

# Exit code of wrong usage.
USAGE = 2


def run(arguments: Sequence[str], stdin: BinaryIO, stdout: TextIO, stderr: TextIO) -> int:
    """Runs the command line; its exit code. A user's mistake is a BolideError."""
    if len(arguments) < 2:
        stderr.write(usage())
        return USAGE
    options = parse(arguments)
    settings = settle(options)
    stderr.write(settings.warning)
    if options.stdio:
        _serve(options, settings, stdin, stdout, stderr)
    elif options.sgml:
        from bolide.java import sgml

        sgml.score(options, settings, stdout, stderr)
    else:
        from bolide.java import plaintext

        plaintext.score(options, settings, stdout, stderr)
    stdout.flush()
    return 0


def _serve(
    options: JavaOptions,
    settings: JavaSettings,
    stdin: BinaryIO,
    stdout: TextIO,
    stderr: TextIO,
) -> None:
    from bolide.java.stdio import serve

    if options.sgml:
        stderr.write("Warning: Stdio incompatible with other modes - using Stdio only\n")
    serve(settings.meteor(resources_for(options, settings)), stdin, stdout)
