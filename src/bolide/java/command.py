"""The Java release's command line as a drop-in: `bolide java ARGS` prints what the jar prints.

    java_options    the arguments
    java_settings   what they mean: modules, weights, parameters, resources; the evaluation ID
    java_files      reading and writing
    java_plaintext, java_evaluation (SGML), java_stdio
                    the three modes
    java_output     what is printed

Standard output and the output files are Java's to the byte, standard error where it carries scores (`-q`)
or Java's own warnings. Faults are not copied: where Java goes on or ends with exit code 0 after an error
(files of unequal length, a task without parameters, bytes that are not UTF-8), or prints a stack trace,
there is one sentence and an exit code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO, TextIO

from bolide.java import options as java_options
from bolide.java import settings as java_settings

# Exit code of wrong usage.
USAGE = 2


def run(arguments: Sequence[str], stdin: BinaryIO, stdout: TextIO, stderr: TextIO) -> int:
    """Runs the command line; its exit code. A user's mistake is a BolideError."""
    if len(arguments) < 2:
        stderr.write(java_options.usage())
        return USAGE
    options = java_options.parse(arguments)
    settings = java_settings.settle(options)
    stderr.write(settings.warning)
    if options.stdio:
        _serve(options, settings, stdin, stdout, stderr)
    elif options.sgml:
        from bolide.java import evaluation as java_evaluation

        java_evaluation.score(options, settings, stdout, stderr)
    else:
        from bolide.java import plaintext as java_plaintext

        java_plaintext.score(options, settings, stdout, stderr)
    stdout.flush()
    return 0


def _serve(
    options: java_options.Options,
    settings: java_settings.Settings,
    stdin: BinaryIO,
    stdout: TextIO,
    stderr: TextIO,
) -> None:
    from bolide.java import stdio as java_stdio

    if options.sgml:
        stderr.write("Warning: Stdio incompatible with other modes - using Stdio only\n")
    java_stdio.serve(settings.meteor(java_settings.resources_for(options, settings)), stdin, stdout)
