"""The same sentences in four languages, to measure what one meaning costs in tokens.

The text was written for this book and belongs to everybody (CC0).
"""

from importlib import resources

LANGUAGES = ("english", "polish", "french", "thai")


def parallel_text() -> dict[str, list[str]]:
    """Read the parallel sentences that ship with the book.

    Returns
    -------
    dict
        Language to its sentences; sentence k means the same in every language.

    Raises
    ------
    ValueError
        If a line of the data file does not hold one sentence for each language.
    """
    source = resources.files("tokvec") / "data" / "parallel.tsv"
    lines = [line for line in source.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    header, *rows = [line.split("\t") for line in lines]
    for row in rows:
        if len(row) != len(header) or not all(row):
            raise ValueError(f"parallel.tsv: {row!r} has {len(row)} columns, expected {header}")
    columns = dict(zip(header, zip(*rows, strict=True), strict=True))
    return {language: list(columns[language]) for language in LANGUAGES}
