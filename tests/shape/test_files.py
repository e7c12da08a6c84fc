"""What is tracked belongs to the project alone."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT_SUFFIXES = {"", ".cfg", ".css", ".example", ".js", ".json", ".jsonl", ".md", ".py", ".toml"}
SOMEONES_FOLDER = re.compile(r"/(?:home|Users)/\w+|[A-Za-z]:\\\\?Users\\\\?\w+")


def tracked() -> list[Path]:
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listing.returncode != 0:
        pytest.skip("not a git checkout, as in the source distribution")
    return [Path(name) for name in listing.stdout.split("\0") if name]


def test_no_file_names_a_folder_of_a_developers_machine() -> None:
    here = {str(ROOT), str(Path.home())} - {"/"}
    naming = []
    for path in tracked():
        if path.suffix not in TEXT_SUFFIXES or not (ROOT / path).is_file():
            continue
        text = (ROOT / path).read_text(encoding="utf-8")
        if SOMEONES_FOLDER.search(text) or any(f"{folder}/" in text for folder in here):
            naming.append(str(path))
    assert naming == []


def test_no_secret_and_no_build_output_is_tracked() -> None:
    names = {path.name for path in tracked()}
    assert ".env" not in names
    assert not [path for path in tracked() if path.suffix in {".pyc", ".whl", ".sqlite3"}]


def test_tests_are_no_package() -> None:
    assert not list((ROOT / "tests").rglob("__init__.py"))


def test_no_module_is_named_like_the_standard_library() -> None:
    # Run as a script, its folder comes first on the path, and the standard library breaks.
    risky = {"types", "json", "logging", "random", "re", "typing", "dataclasses", "abc", "enum"}
    ours = {path.stem for folder in ("rag", "ui", "eval") for path in (ROOT / folder).rglob("*.py")}
    assert ours & risky == set()
