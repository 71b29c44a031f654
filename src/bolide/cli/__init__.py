"""The command line: a thin shell over the public API, one file a command."""

from __future__ import annotations

import gc
import os
import sys

# Without this, NumPy's library of matrix products has a thread spin for each core. The only products there
# are (significance.py) are no faster with several: random numbers take longer, and are drawn meanwhile.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main() -> None:
    """The command `bolide`."""
    gc.disable()  # a program that ends soon, and makes no cycles to speak of
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Runs a command; its exit code: 0 fine, 1 the job failed, 2 wrong usage, 130 interrupted."""
    from bolide.errors import BolideError

    try:
        if arguments[:1] == ["java"]:  # has its own options, and must start fast
            from bolide.cli import java

            code = java.main(arguments[1:])
        else:
            from bolide.cli.application import application

            code = application(arguments)
        sys.stdout.flush()
    except BolideError as error:
        print(f"bolide: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except MemoryError:
        print(
            "bolide: not enough memory: use a narrower beam, fewer threads or shorter segments",
            file=sys.stderr,
        )
        return 1
    except BrokenPipeError:  # the reader of our output has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:  # such as a full disk behind standard output
        print(f"bolide: {error.strerror or error}", file=sys.stderr)
        return 1
    return code
