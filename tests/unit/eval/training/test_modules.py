"""What needs the extra ``train`` is checked as far as it can be without it."""

import py_compile
import re
from pathlib import Path

import pytest

import eval.training

FOLDER = Path(eval.training.__file__).parent
MODULES = sorted(FOLDER.glob("*.py"))


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.name)
def test_every_module_compiles(module, tmp_path):
    py_compile.compile(str(module), cfile=str(tmp_path / "compiled"), doraise=True)


def test_the_readme_runs_modules_that_can_be_run():
    named = set(
        re.findall(r"-m eval\.training\.(\w+)", (FOLDER / "README.md").read_text(encoding="utf-8"))
    )
    runnable = {path.stem for path in MODULES if "__main__" in path.read_text(encoding="utf-8")}
    assert named == runnable == {"train", "export"}
