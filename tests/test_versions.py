"""The versions agree: pins with ranges, and the Pythons that the README, the package and CI name."""

import re
import tomllib

import compare_pins
from notebooks import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_every_range_admits_the_pin():
    pins = {canonicalize_name(name): version for name, version in compare_pins.pins().items()}
    lists = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    wanted = [Requirement(line) for one in lists for line in one]
    assert len(wanted) > 30
    outside = [str(one) for one in wanted if not one.specifier.contains(pins[canonicalize_name(one.name)])]
    assert outside == []


def test_the_readme_the_package_and_ci_name_the_same_pythons():
    named = [found for line in PROJECT["classifiers"] for found in re.findall(r":: (3\.\d+)$", line)]
    assert len(named) >= 3 and PROJECT["requires-python"] == f">={named[0]}"
    workflow = (ROOT / ".github" / "workflows" / "book.yml").read_text(encoding="utf-8")
    assert re.findall(r'"(3\.\d+)"', re.search(r"python-version: \[(.*)\]", workflow)[1]) == named
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"Python {', '.join(named[:-1])} or {named[-1]}" in readme


def test_a_version_other_than_the_pin_is_named(tmp_path, monkeypatch, capsys):
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("# a comment\npytest==0.1\nno-such-package==1.0\nnumpy==0.2; python_version >= '3'\n")
    monkeypatch.setattr(compare_pins, "REQUIREMENTS", requirements)
    assert compare_pins.main() == 0
    first, _, *rows = capsys.readouterr().out.splitlines()
    assert first.endswith("0 packages as pinned, 2 not")
    assert [row.split()[:2] for row in rows] == [["pytest", "0.1"], ["numpy", "0.2"]]
