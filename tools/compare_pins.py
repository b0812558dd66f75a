"""Print which packages of this environment have another version than requirements.txt pins (part of ``make newest``).

Run it with the environment's own Python. A pinned package that is not installed here is left out, and so is an
installed one without a pin: this compares, it does not judge.
"""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

REQUIREMENTS = Path(__file__).resolve().parent.parent / "requirements.txt"


def pins() -> dict[str, Version]:
    """Return the version that requirements.txt pins of each package, by name."""
    lines = (line.partition("#")[0].strip() for line in REQUIREMENTS.read_text(encoding="utf-8").splitlines())
    wanted = [Requirement(line) for line in lines if line]
    return {one.name: Version(next(iter(one.specifier)).version) for one in wanted}


def installed(name: str) -> Version | None:
    """Return the version of a package that is installed here, without a build's own part (``+cpu``), or None."""
    try:
        return Version(Version(metadata.version(name)).public)
    except metadata.PackageNotFoundError:
        return None


def main() -> int:
    both = [(name, pin, installed(name)) for name, pin in pins().items()]
    here = [row for row in both if row[2] is not None]
    other = [(name, str(pin), str(version)) for name, pin, version in here if pin != version]
    print(f"Python {sys.version.split()[0]}: {len(here) - len(other)} packages as pinned, {len(other)} not")
    for row in [("package", "pinned", "here"), *other] if other else []:
        print("{:26} {:20} {}".format(*row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
