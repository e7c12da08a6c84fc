"""The built wheel, installed by itself, answers from a folder full of decoys."""

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
QUESTION = "How many wells are in the Alberta dataset?"
ENDED_S = 300


def call(*command: str | Path, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("SYMPOSIA_", "PYTHON"))}
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=kept | variables,
        capture_output=True,
        text=True,
        timeout=ENDED_S,
        check=False,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    command = ("-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT)
    built = call(sys.executable, *command, cwd=out)
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = out.glob("symposia-*.whl")
    return path


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the wheel; the dependencies are borrowed.

    A ``.pth`` file lends it the packages that run this test. Such a file is not read in the folder
    it points to, so an editable installation of the project there stays out of reach.
    """
    folder = tmp_path_factory.mktemp("environment")
    made = call(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder)
    assert made.returncode == 0, made.stderr
    interpreter = folder / "bin" / "python"
    pip = ("-m", "pip", "--python", interpreter, "install", "--no-deps", "--no-index", "--quiet")
    installed = call(sys.executable, *pip, wheel, cwd=folder)
    assert installed.returncode == 0, installed.stdout + installed.stderr
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return interpreter


@pytest.fixture
def decoys(tmp_path: Path) -> Path:
    """A folder of someone else's with packages of our names."""
    for name in ("rag", "ui", "eval"):
        (tmp_path / name).mkdir()
        code = f"raise SystemExit('the decoy {name} was imported')\n"
        (tmp_path / name / "__init__.py").write_text(code, encoding="utf-8")
    return tmp_path


def test_the_wheel_holds_the_packages_and_the_seeds_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0] for name in names if ".dist-info" not in name} == {
        "rag",
        "ui",
        "eval",
    }
    seeds = ("papers.jsonl", "examples.json")
    icml2025 = ("papers.jsonl.gz", "vectors.npz", "examples.json")
    assert {
        "rag/py.typed",
        "eval/datasets/seeds.jsonl",
        *(f"rag/corpus/_seeds/{name}" for name in seeds),
        *(f"rag/corpus/_seeds/icml2025/{name}" for name in icml2025),
    } <= set(names)


def test_the_installed_files_are_those_of_the_wheel(python: Path, tmp_path: Path) -> None:
    script = "import rag, ui, eval as e, rag.corpus as c; print(rag.__file__, ui.__file__, e.__file__, c.seeds_folder())"
    shown = call(python, "-I", "-c", script, cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    environment = python.parents[1].resolve()
    for place in shown.stdout.split():
        assert Path(place).resolve().is_relative_to(environment)


def test_the_command_answers_among_decoys(python: Path, decoys: Path) -> None:
    data = {"SYMPOSIA_DATA_DIR": str(decoys / "data")}
    command = python.with_name("symposia")
    answered = call(command, "ask", "--json", QUESTION, cwd=decoys, **data)
    assert answered.returncode == 0, answered.stderr
    answer = json.loads(answered.stdout)
    assert answer["status"] == "answered"
    assert "213,000" in answer["text"]
    for citation in answer["citations"]:
        abstract = citation["paper"]["abstract"]
        assert abstract[citation["start"] : citation["end"]] == citation["quote"]


def test_python_answers_among_decoys_when_the_folder_is_not_on_its_path(
    python: Path, decoys: Path
) -> None:
    script = f"import rag; print(rag.ask({QUESTION!r}).status)"
    # Without -P (or as a script elsewhere) Python itself puts the working folder first.
    answered = call(python, "-P", "-c", script, cwd=decoys, SYMPOSIA_DATA_DIR=str(decoys / "data"))
    assert answered.stdout == "answered\n", answered.stderr


def test_doctor_sees_the_installation(python: Path, decoys: Path) -> None:
    command = python.with_name("symposia")
    shown = call(command, "doctor", "--json", cwd=decoys, SYMPOSIA_DATA_DIR=str(decoys / "data"))
    report = json.loads(shown.stdout)
    installation = next(check for check in report["checks"] if check["name"] == "installation")
    assert installation["state"] == "ok"
    assert str(python.parents[1].resolve()) in installation["detail"]
    assert report["packages"][0]["name"] == "symposia"
    assert all(package["version"] != "missing" for package in report["packages"])
