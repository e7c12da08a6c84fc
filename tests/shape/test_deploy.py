"""What is written to run Symposia elsewhere fits the project; no container engine is needed."""

import platform
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.specifiers import SpecifierSet

import ui.cli
from rag.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "ui" / "deploy"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="hadolint is built for that"
)
def test_the_dockerfile_has_no_fault_that_hadolint_knows() -> None:
    hadolint = shutil.which("hadolint", path=str(Path(sys.executable).parent))
    assert hadolint, "install the extra dev"
    result = subprocess.run(
        [hadolint, DEPLOY / "Dockerfile"], capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_image_gets_all_that_is_built_from() -> None:
    dockerfile = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    let_in = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    for needed in ("pyproject.toml", "README.md", "LICENSE", "rag", "ui", "eval", "seeds"):
        assert f" {needed}" in dockerfile
        assert f"!{needed}" in let_in


def test_compose_opens_ports_to_this_machine_alone_and_names_known_settings() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    known = {f"SYMPOSIA_{name.upper()}" for name in Settings.model_fields}
    known |= {"OPENAI_API_KEY", "OPENAI_BASE_URL"}
    for service in compose["services"].values():
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])
        assert {name for name in service.get("environment", {}) if name.isupper()} <= known
        named = {volume.split(":")[0] for volume in service["volumes"]}
        assert named <= set(compose["volumes"])
    assert (DEPLOY / compose["services"]["symposia"]["build"]["context"] / "rag").is_dir()


def test_the_compose_file_with_a_chroma_server_is_private_and_pins_what_this_version_speaks() -> (
    None
):
    added = yaml.safe_load((DEPLOY / "compose.chroma.yaml").read_text(encoding="utf-8"))
    server, page = added["services"]["chroma"], added["services"]["symposia"]
    assert all(port.startswith("127.0.0.1:") for port in server["ports"])
    assert {volume.split(":")[0] for volume in server["volumes"]} == set(added["volumes"])
    assert set(page["environment"]) <= {
        f"SYMPOSIA_{name.upper()}" for name in Settings.model_fields
    }
    name, _, tag = server["image"].partition(":")
    (required,) = (item for item in PROJECT["dependencies"] if item.startswith("chromadb"))
    assert name == "chromadb/chroma"
    assert SpecifierSet(required.removeprefix("chromadb")).contains(tag)


def test_the_space_serves_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr(ui.cli, "main", called.append)
    runpy.run_path(str(DEPLOY / "space" / "app.py"), run_name="__main__")
    assert called == [["serve", "--host", "0.0.0.0", "--port", "7860"]]  # noqa: S104


def test_the_space_installs_this_version() -> None:
    wheel = f"./{PROJECT['name']}-{PROJECT['version']}-py3-none-any.whl"
    assert (DEPLOY / "space" / "requirements.txt").read_text(encoding="utf-8").strip() == wheel
    head = yaml.safe_load(
        (DEPLOY / "space" / "README.md").read_text(encoding="utf-8").split("---")[1]
    )
    assert head["sdk"] == "gradio"
    assert (DEPLOY / "space" / head["app_file"]).is_file()
