"""Check the files of a release: `python tools/check_dist.py dist`, in a clone.

- The sdist has the files that git tracks, and no others.
- A wheel has no module that only tests need, nothing but bolide, and at most 2 MB.
- All files have the version of src/bolide/_version.py.

.ci/wheels runs this, and the tools that others have written for it.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import release

LARGEST = 2_000_000
# What a build adds to an sdist.
MADE = {"PKG-INFO"}


def tracked(root: Path) -> set[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True, text=True)
    return set(listed.stdout.split("\0")) - {""}


def differences(found: set[str], expected: set[str]) -> Iterable[str]:
    yield from (f"has {name}, which git does not track" for name in sorted(found - expected - MADE))
    yield from (f"lacks {name}" for name in sorted(expected - found))


def sdist_problems(path: Path, expected: set[str]) -> Iterable[str]:
    with tarfile.open(path) as archive:
        names = {member.name.partition("/")[2] for member in archive if not member.isdir()}
    return differences(names, expected)


def wheel_problems(path: Path) -> Iterable[str]:
    if path.stat().st_size > LARGEST:
        yield f"has {path.stat().st_size:,} bytes, more than {LARGEST:,}"
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    if not any(name.startswith("bolide/_core.") and not name.endswith(".pyi") for name in names):
        yield "has no bolide._core"
    for name in names:
        if "_core_testing" in name:
            yield f"has {name}, which only tests need (build with BOLIDE_RELEASE=1)"
        if not name.startswith(("bolide/", "bolide-", "bolide.libs/")):
            yield f"has {name} beside the package"


def problems(path: Path, version: str, expected: set[str]) -> Iterable[str]:
    if path.name == f"bolide-{version}.tar.gz":
        yield from sdist_problems(path, expected)
    elif path.name.startswith(f"bolide-{version}-") and path.suffix == ".whl":
        yield from wheel_problems(path)
    else:
        yield f"is not a file of bolide {version}"


def main() -> int:
    folder = Path(sys.argv[1])
    version, expected = release.version(release.REPOSITORY), tracked(release.REPOSITORY)
    files = sorted(folder.iterdir())
    found = [f"{path.name} {each}" for path in files for each in problems(path, version, expected)]
    if not files:
        found = [f"{folder} is empty"]
    print("\n".join(found) if found else f"{len(files)} files are right")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
