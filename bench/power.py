"""Compare the power of the core with MPFR, which rounds correctly, and with the C library.

    python -m bench.power                    10 million random arguments
    python -m bench.power --count 100000     fewer

A third of the arguments are fragmentations of random segments with a random beta up to 10, a third are random
numbers of (0, 1] with such a beta, and a third are random doubles of all sizes. Needs gmpy2 (`pip install
gmpy2`). It takes some minutes, nearly all of them in MPFR.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from multiprocessing import Pool

import numpy as np
import numpy.typing as npt

from bolide._core_testing import power

Numbers = npt.NDArray[np.float64]
BLOCK = 100_000


def fragmentations(draw: np.random.Generator, count: int) -> tuple[Numbers, Numbers]:
    matches = draw.integers(2, 1001, count)
    chunks = draw.integers(1, matches // 2 + 1)
    return chunks / (matches / 2), 10 - 10 * draw.random(count)


def fractions(draw: np.random.Generator, count: int) -> tuple[Numbers, Numbers]:
    return 1 - draw.random(count), 10 - 10 * draw.random(count)


def all_sizes(draw: np.random.Generator, count: int) -> tuple[Numbers, Numbers]:
    """Positive doubles with random bits. Half of the exponents have random bits, too. The other half are such
    that the results have all sizes."""
    bases = draw.integers(1, 0x7FF0_0000_0000_0000, count).view(np.float64)
    bases[::4] = 1 + draw.uniform(-1, 1, bases[::4].size) * 2.0 ** -draw.integers(1, 53, bases[::4].size)
    exponents = draw.integers(0, 2**64, count, dtype=np.uint64).view(np.float64)
    logarithms = np.log(bases[1::2])
    exponents[1::2] = draw.uniform(-750, 715, logarithms.size) / np.where(logarithms == 0, 1, logarithms)
    return bases, np.where(np.isfinite(exponents), exponents, 1.0)


DOMAINS = {"fragmentations": fragmentations, "(0, 1]": fractions, "all sizes": all_sizes}


def compare(job: tuple[str, int]) -> tuple[int, int]:
    """How many powers of a block differ from MPFR's: those of the core, and those of the C library."""
    import gmpy2

    domain, seed = job
    bases, exponents = DOMAINS[domain](np.random.default_rng(seed), BLOCK)
    with gmpy2.context(gmpy2.ieee(64)):
        number = gmpy2.mpfr
        pairs = zip(bases.tolist(), exponents.tolist(), strict=True)
        exact = np.array([float(number(x) ** number(y)) for x, y in pairs])
    with np.errstate(all="ignore"):
        library = np.float_power(bases, exponents)
    return int((power(bases, exponents) != exact).sum()), int((library != exact).sum())


def nanoseconds() -> tuple[float, float]:
    """CPU time per power: of the core, and of the C library with long double, which came before."""
    bases, exponents = fragmentations(np.random.default_rng(0), 1_000_000)
    wide = bases.astype(np.longdouble), exponents.astype(np.longdouble)

    def per_call(work: object) -> float:
        assert callable(work)
        start = time.process_time()
        work()
        return (time.process_time() - start) / bases.size * 1e9

    return per_call(lambda: power(bases, exponents)), per_call(lambda: np.float_power(*wide))


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--count", type=int, default=10_000_000)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    blocks = -(-options.count // (BLOCK * len(DOMAINS)))
    wrong = 0
    with Pool(options.processes) as pool:
        for domain in DOMAINS:
            counts = pool.map(compare, [(domain, seed) for seed in range(blocks)], chunksize=1)
            core, library = map(sum, zip(*counts, strict=True))
            print(f"{domain}: {blocks * BLOCK:,} powers; differ from MPFR: {core:,}; C library: {library:,}")
            wrong += core
    print("nanoseconds per power: core {:.0f}, long double {:.0f}".format(*nanoseconds()))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
