"""``python -m benchmarks NAME [NAME ...]``, or ``python -m benchmarks all [--write]``."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pkgutil
import platform
import sys
from importlib import metadata
from pathlib import Path

from tqdm.auto import tqdm

import benchmarks

README = Path(__file__).parent / "README.md"
BEGIN, END = "<!-- python -m benchmarks all --write -->", "<!-- end -->"


def names() -> list[str]:
    """Return the benchmarks there are, by the name to call them by (hyphens for underscores)."""
    found = (module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    return sorted(name.replace("_", "-") for name in found if not name.startswith("_"))


def run(name: str) -> dict:
    """Run one benchmark and return what it measured."""
    return importlib.import_module(f"benchmarks.{name.replace('-', '_')}").run()


def processor() -> str:
    """Return the processor's name as the system tells it, and how many cores this process may use."""
    told = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    name = next((line.partition(":")[2].strip() for line in told.splitlines() if line.startswith("model name")), "")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{name or platform.machine()}, {cores} cores"


def table() -> str:
    """Run all and return a Markdown table, with a line about the machine under it."""
    lines = [
        "| benchmark | ours | peer | unit | ratio | the peer | what came out alike |",
        "|---|--:|--:|---|--:|---|---|",
    ]
    for name in tqdm(names(), disable=None, leave=False):
        row = run(name)
        ours, peer = (f"{x:,.0f}" if x >= 1000 else f"{x:.4g}" for x in (row["ours"], row["peer"]))
        told = f"{row['unit']} | **{row['ratio']:.1f}** | {row['peer_is']} | {row['same']}"
        lines.append(f"| `{name}` | {ours} | {peer} | {told} |")
    packages = ("numpy", "torch", "numba", "gensim", "tokenizers", "faiss-cpu")
    versions = ", ".join(f"{package} {metadata.version(package)}" for package in packages)
    return "\n".join([*lines, "", f"{processor()}; Python {platform.python_version()}, {versions}."])


def main() -> int:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=benchmarks.__doc__.splitlines()[0])
    parser.add_argument("name", nargs="+", help=f"all, or any of: {', '.join(names())}")
    parser.add_argument("--write", action="store_true", help="with all: put the table into benchmarks/README.md")
    arguments = parser.parse_args()
    chosen = arguments.name
    for name in chosen:
        if name != "all" and name not in names():
            parser.error(f"there is no benchmark {name!r}: choose from all, {', '.join(names())}")
    if "all" not in chosen:
        for name in chosen:
            print(json.dumps(run(name)), flush=True)
        return 0
    rows = table()
    print(rows)
    if arguments.write:
        before, begin, rest = README.read_text(encoding="utf-8").partition(BEGIN)
        README.write_text(f"{before}{begin}\n\n{rows}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
