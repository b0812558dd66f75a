"""Vectors that depend on the sentence (placeholder module text, replaced below)."""

from __future__ import annotations

import argparse
from pathlib import Path


def main(arguments: list[str] | None = None) -> None:
    """Run ``python -m tokvec.contextual COMMAND``."""
    parser = argparse.ArgumentParser(prog="python -m tokvec.contextual", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", help="train the small BERT (resumes when interrupted)")
    train.add_argument("--work", type=Path, required=True, help="folder for states and checkpoints")
    chosen = parser.parse_args(arguments)
    if chosen.command == "train":
        from tokvec import masked_lm

        print(masked_lm.train(chosen.work))


if __name__ == "__main__":
    main()
