"""Commands that make the stored results of chapter 9 again.

python -m tokvec.sentences passages           the int8 vectors of the book's passages and queries
python -m tokvec.sentences hnsw 1000 10000    recall and speed of HNSW at these sizes
"""

import argparse
import json

from tokvec.sentences import approximate, corpus


def main(arguments: list[str] | None = None) -> None:
    """Run one command and print what it stored."""
    parser = argparse.ArgumentParser(prog="python -m tokvec.sentences", description="Make stored results again.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("passages", help="encode the book's passages and queries")
    hnsw = commands.add_parser("hnsw", help="measure a graph index")
    hnsw.add_argument("sizes", type=int, nargs="*", default=[1000, 10_000, 100_000, 1_000_000])
    chosen = parser.parse_args(arguments)
    if chosen.command == "passages":
        print(json.dumps(corpus.store_vectors(), indent=1))
    else:
        sizes = chosen.sizes or [1000, 10_000, 100_000, 1_000_000]
        if min(sizes) < 10:
            parser.error(f"a size of {min(sizes)} has no ten nearest: choose 10 or more")
        print(json.dumps(approximate.store(sizes), indent=1))


if __name__ == "__main__":
    main()
