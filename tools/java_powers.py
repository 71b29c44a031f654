"""Write src/bolide/formula/java_powers.tsv: where Java's Math.pow and bolide's power round differently.

Neither library always rounds correctly. Java (HotSpot on x86-64) and the long double power agree on all but
about one fragmentation in three thousand. The table lists the exceptions, so that scores equal Java's to the
last digit. It covers the released values of beta, that of 2005, and up to 500 matched words per side. Needs a
JDK on x86-64. Run:

    python tools/java_powers.py
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import numpy as np

BETAS = (0.1, 0.2, 1.3, 1.4, 1.5, 3.0)  # 1.0 needs no table
MOST_MATCHES = 1000  # both sides together
TABLE = Path(__file__).parent.parent / "src" / "bolide" / "formula" / "java_powers.tsv"
PROGRAM = """
public class Powers {
    public static void main(String[] betas) {
        StringBuilder out = new StringBuilder();
        for (String beta : betas)
            for (int matches = 2; matches <= %d; matches++)
                for (int chunks = 1; chunks <= matches / 2; chunks++)
                    out.append(Math.pow(chunks / (matches / 2.0), Double.parseDouble(beta))).append('\\n');
        System.out.print(out);
    }
}
"""


def java_values() -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "Powers.java"
        source.write_text(PROGRAM % MOST_MATCHES, encoding="ascii")
        answer = subprocess.run(
            ["java", source, *map(str, BETAS)], capture_output=True, check=True, text=True
        )
    return [float(line) for line in answer.stdout.split()]


def main() -> None:
    values = iter(java_values())
    rows = ["# beta\tchunks\tmatches of both sides\tfragmentation^beta, by tools/java_powers.py"]
    for beta in BETAS:
        for matches in range(2, MOST_MATCHES + 1):
            for chunks in range(1, matches // 2 + 1):
                ours = float(np.longdouble(chunks / (matches / 2)) ** np.longdouble(beta))
                if (theirs := next(values)) != ours:
                    rows.append(f"{beta}\t{chunks}\t{matches}\t{theirs!r}")
    TABLE.write_text("\n".join(rows) + "\n", encoding="ascii")
    print(len(rows) - 1, "rows")


if __name__ == "__main__":
    main()
