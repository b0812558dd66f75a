"""Run chapters and store their outputs: ``python tools/store.py notebooks/03_bigram.py ...`` (all without a name).

The script is read, run in a fresh kernel, cleaned of whatever differs from run to run, and
written as the notebook beside it. Two runs give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from notebooks import NOTEBOOKS, ROOT, STAMP, as_script, chapters, read_script, stamp

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"


def run(notebook: nbformat.NotebookNode, seconds: int = 600) -> None:
    """Run every cell in a fresh kernel, in place; the kernel sees the checkout's ``lib`` first."""
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT / "lib"), os.environ.get("PYTHONPATH")]))
    os.environ["PYTHONHASHSEED"] = "0"
    client = NotebookClient(
        notebook,
        timeout=seconds,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],  # it warns of its own sockets, which alarms and helps nobody
        resources={"metadata": {"path": str(NOTEBOOKS)}},
    )
    client.execute()


def _first_output_of(view: dict, state: dict) -> list[dict]:
    """Return what an ``ipywidgets.interact`` showed first: the outputs inside its Output widget."""
    for reference in state.get(view["model_id"], {}).get("state", {}).get("children", []):
        child = state.get(reference.removeprefix("IPY_MODEL_"), {}).get("state", {})
        if child.get("_model_name") == "OutputModel":
            return child.get("outputs", [])
    return []


def clean(notebook: nbformat.NotebookNode) -> None:
    """Keep only what the page, GitHub and nbval need: no widget state, no timings, counts from 1."""
    state = notebook.metadata.get("widgets", {}).get(STATE, {}).get("state", {})
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    count = 0
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        count += 1
        cell.execution_count = count
        cell.metadata = {key: value for key, value in cell.metadata.items() if key == "tags"}
        kept = []
        for output in cell.outputs:
            data = output.get("data", {})
            view = data.pop(VIEW, None)
            if view is not None and "text/html" not in data:
                # A plain ipywidget: it needs Python, so its first output stands in for it.
                kept += [nbformat.from_dict(o) for o in _first_output_of(view, state)]
                note = "The controls of this cell need Python: run the notebook to use them."
                kept.append(nbformat.v4.new_output("stream", name="stdout", text=note + "\n"))
                continue
            if output.output_type == "execute_result":
                output.execution_count = count
            output.pop("metadata", None)
            if output.output_type in ("execute_result", "display_data"):
                output["metadata"] = {}
            kept.append(output)
        cell.outputs = kept


def store(script: Path) -> None:
    """Run one chapter and write its notebook; the old one stays if a cell fails."""
    notebook = read_script(script)
    run(notebook)
    clean(notebook)
    notebook.metadata[STAMP] = stamp(notebook)
    target = script.with_suffix(".ipynb")
    temporary = target.with_suffix(".ipynb.part")
    text = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(target)
    script.write_text(as_script(notebook), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("script", nargs="*", type=Path, help="chapters to run (default: all)")
    scripts = parser.parse_args().script or chapters()
    for script in scripts:
        if script.suffix != ".py" or not script.is_file():  # a notebook's name would be overwritten with a script
            meant = NOTEBOOKS / f"{script.stem}.py"
            example = meant if meant.is_file() else chapters()[0]
            remedy = f"give a script, as in make store CHAPTERS={example.relative_to(ROOT)}"
            print(f"error: {script} is not a chapter's script; {remedy}", file=sys.stderr)
            return 1
    for script in scripts:
        print(f"storing {script.name}", flush=True)
        try:
            store(script)
        except CellExecutionError as error:
            print(f"error: a cell of {script.name} failed; its notebook is left as it was.\n{error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
