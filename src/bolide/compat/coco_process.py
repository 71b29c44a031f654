"""Takes the place of the Java process that pycocoevalcap's `Meteor` starts, for programs that write to it.

    >>> import bolide
    >>> process = Process(bolide.Meteor("coco"))
    >>> process.stdin.write(b"SCORE ||| a dog ||| a dog runs\\n")
    31
    >>> process.stdout.readline()[:16]
    b'3.0 2.0 1.0 1.0 '

It is an object with the methods of `subprocess.Popen` that such programs use. It computes in this process.
"""

from __future__ import annotations

from io import BytesIO

from bolide.java.stdio import answers
from bolide.scoring.meteor import Meteor


class Process:
    """Answers lines of the protocol `-stdio` (see `bolide.java.stdio`)."""

    def __init__(self, meteor: Meteor) -> None:
        self.stdout = _Answers()
        self.stderr = BytesIO()
        self.stdin = _Questions(meteor, self.stdout)
        self.returncode: int | None = None

    def kill(self) -> None:
        """Ends it, as the signal 9 ends a process."""
        self._end(-9)

    terminate = kill

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Returns at once. Java ends when its input does."""
        return self._end(0)

    def _end(self, code: int) -> int:
        """Only the first end counts."""
        if self.returncode is None:
            self.returncode = code
        self.stdin.close()
        return self.returncode


class _Answers:
    """The output of the process: answers that have not been read."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self.closed = False

    def add(self, lines: list[str]) -> None:
        self._lines += [line.encode() + b"\n" for line in lines]

    def readline(self) -> bytes:
        """The next answer, or b"" if every question is answered. A real process would wait forever."""
        return self._lines.pop(0) if self._lines else b""

    def close(self) -> None:
        self.closed = True
        self._lines.clear()


class _Questions:
    """The input of the process. A line is answered as soon as it is complete."""

    def __init__(self, meteor: Meteor, answers: _Answers) -> None:
        self._meteor = meteor
        self._answers = answers
        self._begun = b""
        self.closed = False

    def write(self, data: bytes) -> int:
        if self.closed:
            raise ValueError("write to closed file")
        *lines, self._begun = (self._begun + data).split(b"\n")
        for answer in answers(self._meteor, [line.decode() for line in lines], coco=True):
            self._answers.add(answer.split("\n"))
        return len(data)

    def flush(self) -> None:
        """Does nothing: there is no buffer."""

    def close(self) -> None:
        self.closed = True
