"""Write src/bolide/formula/java_powers.tsv: the powers that Java does not round to the nearest number.

    python tools/java_powers.py            compare Java on this machine with the table
    python tools/java_powers.py --write    write the table

The reference is `Math.pow` of HotSpot (OpenJDK 17) on x86-64. It has a routine of its own there, which
differs from the nearest number for about one fragmentation in 1,900. The table lists these fragmentations,
so that scores equal Java's to the last digit. It covers the released values of beta, that of 2005, and up to
500 matched words per side.

The routine begins with RCPPS, an instruction for approximate reciprocals whose results are not the same on
all x86-64 processors. So some powers depend on the processor ("Which Java" in docs/differences.md), and a
table that is written on another one may differ in a few lines.

On ARM64, `Math.pow` is the same as `StrictMath.pow`, which differs for about one fragmentation in eleven. The
script counts these, too, but does not list them.

Needs a JDK on x86-64, and bolide with `bolide._core_testing`.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from bolide._core_testing import power

BETAS = (0.1, 0.2, 1.3, 1.4, 1.5, 3.0)  # 1.0 needs no table
MOST_MATCHES = 1000  # both sides together
TABLE = Path(__file__).parent.parent / "src" / "bolide" / "formula" / "java_powers.tsv"
HEADER = "# beta\tchunks\tmatches of both sides\tfragmentation^beta, by tools/java_powers.py"
PROGRAM = """
public class Powers {
    public static void main(String[] betas) {
        StringBuilder out = new StringBuilder();
        for (String text : betas) {
            double beta = Double.parseDouble(text);
            for (int matches = 2; matches <= %d; matches++)
                for (int chunks = 1; chunks <= matches / 2; chunks++)
                    out.append(CLASS.pow(chunks / (matches / 2.0), beta)).append('\\n');
        }
        System.out.print(out);
    }
}
"""


def java_values(math: str) -> list[float]:
    """The powers of Java's class Math or StrictMath, in the order of `arguments`."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "Powers.java"
        source.write_text((PROGRAM % MOST_MATCHES).replace("CLASS", math), encoding="ascii")
        answer = subprocess.run(
            ["java", source, *map(str, BETAS)], capture_output=True, check=True, text=True
        )
    return [float(line) for line in answer.stdout.split()]


def arguments() -> list[tuple[float, int, int]]:
    return [
        (beta, chunks, matches)
        for beta in BETAS
        for matches in range(2, MOST_MATCHES + 1)
        for chunks in range(1, matches // 2 + 1)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    if platform.machine().lower() not in ("x86_64", "amd64"):
        sys.exit("the reference is Java on x86-64")
    given = arguments()
    nearest = power(
        np.array([chunks / (matches / 2) for _, chunks, matches in given]),
        np.array([beta for beta, _, _ in given]),
    ).tolist()
    rows = [
        f"{beta}\t{chunks}\t{matches}\t{theirs!r}"
        for (beta, chunks, matches), theirs, ours in zip(given, java_values("Math"), nearest, strict=True)
        if theirs != ours
    ]
    stored = TABLE.read_text(encoding="ascii").splitlines()[1:]
    if write:
        TABLE.write_text("\n".join([HEADER, *rows]) + "\n", encoding="ascii", newline="\n")
    strict = sum(a != b for a, b in zip(java_values("StrictMath"), nearest, strict=True))
    print(f"{len(given):,} powers; Math.pow differs in {len(rows):,}, StrictMath.pow in {strict:,}")
    others = {row.rpartition("\t")[0] for row in {*rows} ^ {*stored}}
    print(f"{len(others):,} powers are not those of the {'old ' if write else ''}table")


if __name__ == "__main__":
    main()
