"""``python -m benchmarks NAME [NAME ...]`` or ``python -m benchmarks all``."""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import platform
import sys

import benchmarks


def names() -> list[str]:
    """Return the benchmarks there are, by the name to call them by (hyphens for underscores)."""
    found = (module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    return sorted(name.replace("_", "-") for name in found if not name.startswith("_"))


def run(name: str) -> dict:
    """Run one benchmark and return what it measured."""
    return importlib.import_module(f"benchmarks.{name.replace('-', '_')}").run()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=benchmarks.__doc__.splitlines()[0])
    parser.add_argument("name", nargs="+", help=f"all, or any of: {', '.join(names())}")
    chosen = parser.parse_args().name
    for name in chosen:
        if name != "all" and name not in names():
            parser.error(f"there is no benchmark {name!r}: choose from all, {', '.join(names())}")
    if chosen != ["all"]:
        for name in chosen:
            print(json.dumps(run(name)), flush=True)
        return 0
    print(f"{platform.machine()}, Python {platform.python_version()}\n")
    print("| benchmark | ours | peer | unit | ratio |\n|---|---|---|---|---|")
    for name in names():
        row = run(name)
        print(f"| {name} | {row['ours']:.4g} | {row['peer']:.4g} | {row['unit']} | {row['ratio']:.2f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
