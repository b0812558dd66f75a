"""The check compares to the printed digit, and the ledger knows only what cells computed."""

import json
import re
import shutil

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from notebooks import NOTEBOOKS

from tokvec import claims
from tokvec.claims import ClaimError, check

QUOTES = [q for claim in claims.claims().values() for q in claim.quotes]
NUMERIC = [
    q
    for q in QUOTES
    if q.compare == "digits" and isinstance(q.source, str) and re.fullmatch(r"-?[\d,]+(\.\d+)?", q.source)
]


PENDING: list[str] = []


def _number(text):
    return float(text.replace(",", ""))


@pytest.mark.parametrize("q", NUMERIC, ids=lambda q: q.id)
def test_the_source_figure_itself_passes_and_its_last_digit_off_by_one_fails(q, capsys):
    check(q.id, _number(q.source))
    assert capsys.readouterr().out.endswith(": reproduced\n")
    step = 10.0 ** -len(q.source.partition(".")[2])
    for wrong in (_number(q.source) + step, _number(q.source) - step):
        with pytest.raises(ClaimError, match=q.id):
            check(q.id, wrong)


def test_a_difference_is_reported_with_both_values():
    with pytest.raises(ClaimError, match=r"ours is 2\.4547, the source's 2\.4546; unrounded, ours is 2\.45467"):
        check("N3.val_loss", 2.45467)


def test_numpy_and_torch_values_are_taken(capsys):
    check("N3.val_loss", np.float32(2.45460))
    check("N3.val_loss", torch.tensor(2.45460))
    check("N1.split", np.array([25626, 3203, 3204]))
    check("N4.infinite", np.bool_(True))
    check("N4.infinite", torch.tensor(True))
    assert capsys.readouterr().out.count("reproduced") == 5


def test_lists_are_compared_value_by_value():
    with pytest.raises(ClaimError, match="25,626 3,203 3,205"):
        check("N1.split", [25626, 3203, 3205])
    with pytest.raises(ClaimError, match="2 values, the source 3"):
        check("N1.split", [25626, 3203])
    with pytest.raises(ClaimError, match="one value"):
        check("N1.split", 25626)
    with pytest.raises(ClaimError):
        check("N2.symbols", [".", "n", "r", "l", "y", "h"])


def test_properties_must_hold():
    with pytest.raises(ClaimError, match="does not hold"):
        check("N9.chain_rule", False)


def test_a_tolerance_is_kept(capsys):
    check("D2.sd_100", 0.1)
    with pytest.raises(ClaimError, match="within"):
        check("D2.sd_100", 0.12)


def test_a_contradicted_claim_that_comes_true_is_an_error(capsys):
    check("K9.gpt2", 3)
    assert "contradicted" in capsys.readouterr().out
    with pytest.raises(ClaimError, match="marked as contradicted"):
        check("K9.gpt2", 2)


@pytest.mark.parametrize(
    ("claim_id", "value"),
    [("N3.val_loss", None), ("N3.val_loss", [2.4, None]), ("D2.sd_100", "0.1"), ("D2.sd_100", {})],
)
def test_what_is_no_number_is_named(claim_id, value):
    with pytest.raises(ClaimError, match=rf"{claim_id}: a number is compared, not "):
        check(claim_id, value)


def test_only_online_claims_may_be_left_out(capsys):
    claims.not_run("W2.words", "needs text8")
    assert capsys.readouterr().out == "W2.words: ours none (needs text8), source 17,005,207: not run here\n"
    with pytest.raises(ClaimError, match="not marked online"):
        claims.not_run("N3.val_loss", "no time")


def test_an_unknown_claim_suggests_near_ones():
    with pytest.raises(ClaimError, match=r"N3\.val_loss"):
        check("N3.valloss", 1)


@given(st.floats(-1e9, 1e9), st.integers(0, 6))
def test_printing_like_the_source_rounds_to_its_decimals(value, decimals):
    like = f"{1234.5:,.{decimals}f}"
    text = claims.as_printed(value, like)
    assert len(text.partition(".")[2]) == decimals
    assert abs(_number(text) - value) <= 0.5 * 10.0**-decimals + 1e-6
    assert not text.startswith("-") or _number(text) < 0


def test_every_quote_is_well_formed():
    assert len({q.id for q in QUOTES}) == len(QUOTES)
    for q in QUOTES:
        assert q.compare in claims.COMPARISONS, q
        assert q.compare in ("holds", "measure", "online") or q.source is not None, q
        assert q.compare != "tolerance" or (q.tolerance and q.reason), q


def test_every_claim_of_a_written_chapter_is_checked_there():
    written = {path.stem for path in NOTEBOOKS.glob("*.ipynb")}
    found = claims.results()
    missing = [q.id for q in QUOTES if q.chapter in written and q.id not in found]
    assert [claim_id for claim_id in missing if claim_id.partition(".")[0] not in PENDING] == []
    elsewhere = [r.id for r in found.values() if claims.quote(r.id).chapter != r.chapter]
    assert elsewhere == []


def test_stored_outputs_show_the_source_figures_of_today():
    """A figure changed in claims.toml after the chapter ran is noticed without running it."""
    for result in claims.results().values():
        q = claims.quote(result.id)
        source = "holds" if q.compare == "holds" else q.source
        shown = " ".join(source) if isinstance(source, list) else source
        assert result.source == shown, result


def test_the_ledger_follows_the_stored_outputs(tmp_path):
    for path in NOTEBOOKS.glob("0[34]_*.ipynb"):
        shutil.copy(path, tmp_path)
    before = {record["id"]: record for record in claims.ledger(tmp_path)}
    assert before["N3.val_loss"]["ours"] == "2.4546 nats"
    assert before["N3.val_loss"]["status"] == "reproduced"
    assert before["V1.table"]["status"] == before["V1.table"]["row_status"] == "no cell yet"

    path = tmp_path / "03_bigram.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if "check(\"N3.val_loss\"" in "".join(cell["source"]):
            cell["outputs"] = []
    path.write_text(json.dumps(notebook), encoding="utf-8")
    after = {record["id"]: record for record in claims.ledger(tmp_path)}
    assert after["N3.val_loss"]["ours"] is None
    assert after["N3.val_loss"]["row_status"] == "no cell yet"


def test_the_command_prints_a_table_and_json(capsys):
    assert claims.main([]) == 0
    table = capsys.readouterr().out
    assert "N3.val_loss" in table and table.splitlines()[-1].startswith(f"{len(claims.claims())} claims: ")
    assert claims.main(["--json"]) == 0
    assert {"id", "chapter", "source", "ours", "status"} <= set(json.loads(capsys.readouterr().out)[0])


def test_outside_a_checkout_the_command_says_what_to_do(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(claims, "__file__", str(tmp_path / "site" / "tokvec" / "claims.py"))
    assert claims.main([]) == 1
    assert "--notebooks" in capsys.readouterr().err
