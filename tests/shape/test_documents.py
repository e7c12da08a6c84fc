"""README.md, .env.example and the Makefile say what is so."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from rag.corpus import load_corpus
from rag.settings import Settings
from ui.cli import COMMANDS, app
from ui.cli_exit import MEANINGS
from ui.cli_options import with_command

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
ENV_EXAMPLE = (ROOT / ".env.example").read_text(encoding="utf-8")


def variables_of(name: str) -> set[str]:
    choices = getattr(Settings.model_fields[name].validation_alias, "choices", ())
    return {str(choice) for choice in choices} or {f"SYMPOSIA_{name.upper()}"}


def code_lines(language: str) -> Iterator[str]:
    for block in re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL):
        joined = block.replace("\\\n", " ")
        yield from (line for line in joined.splitlines() if line.strip())


def plain(line: str) -> str:
    """A command of the Makefile as README writes it."""
    line = line.strip().replace("$(BIN)", ".venv/bin").replace("$(VENV)", ".venv")
    line = line.replace("$(PYTHON)", "python3").replace("$(HOST)", "127.0.0.1")
    return line.replace("$(PORT)", "7860").replace(" --quiet", "")


def commands_of(target: str) -> list[str]:
    rules = re.findall(rf"^{re.escape(target)}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert len(rules) == 1, target
    return [plain(line) for line in rules[0].splitlines() if not line.startswith("\t@")]


@pytest.mark.parametrize("name", Settings.model_fields)
def test_the_example_file_explains_every_setting(name: str) -> None:
    shown = [variable for variable in variables_of(name) if f"# {variable}=" in ENV_EXAMPLE]
    assert len(shown) == 1
    comment = ENV_EXAMPLE.partition(f"# {shown[0]}=")[0].rpartition("\n\n")[2]
    assert f"# {Settings.model_fields[name].description}" in comment


def test_the_example_file_has_nothing_else() -> None:
    known = set().union(*(variables_of(name) for name in Settings.model_fields))
    assert set(re.findall(r"^# ?([A-Z_]+)=", ENV_EXAMPLE, re.MULTILINE)) <= known
    assert not re.search(r"^\w", ENV_EXAMPLE, re.MULTILINE), "a copy must change nothing"


def test_the_example_file_shows_the_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in Settings.model_fields:
        for variable in variables_of(name):
            monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
    defaults = Settings()
    active = re.sub(r"^# ([A-Z_]+=)", r"\1", ENV_EXAMPLE, flags=re.MULTILINE)
    (tmp_path / ".env").write_text(active, encoding="utf-8")
    assert Settings() == defaults


@pytest.mark.parametrize("name", Settings.model_fields)
def test_the_readme_lists_every_setting(name: str) -> None:
    rows = [
        line
        for line in README.splitlines()
        if line.startswith("|") and any(f"`{variable}`" in line for variable in variables_of(name))
    ]
    assert len(rows) == 1
    field = Settings.model_fields[name]
    assert str(field.description) in rows[0]
    if isinstance(field.default, int | str):
        assert f"| {field.default} |" in rows[0]


def readme_command_lines() -> list[list[str]]:
    """The words after ``symposia`` of every line that runs it, up to a redirection."""
    lines = []
    for line in code_lines("sh"):
        words = [word.rpartition("/")[2] or word for word in shlex.split(line, comments=True)[:1]]
        words += shlex.split(line.partition(">")[0], comments=True)[1:]
        if "symposia" in words:
            lines.append(words[words.index("symposia") + 1 :])
    return lines


@pytest.mark.parametrize("words", readme_command_lines(), ids=" ".join)
def test_every_command_line_in_the_readme_is_understood(words: list[str]) -> None:
    name, *arguments = with_command(words, list(COMMANDS))
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
    command.make_context(name, arguments)


def test_the_readme_shows_every_command() -> None:
    assert {words[0] for words in readme_command_lines()} >= set(COMMANDS)


def test_every_make_target_in_the_readme_exists() -> None:
    named = set(re.findall(r"\bmake ([a-z]+)", README))
    targets = set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))
    assert {"chat", "test"} <= named <= targets


@pytest.mark.parametrize(
    "target", ["chat", "test", "$(BIN)/python", "$(VENV)/.installed", "$(VENV)/.installed-dev"]
)
def test_the_readme_shows_the_plain_lines_of_make(target: str) -> None:
    missing = [line for line in commands_of(target) if line not in list(code_lines("sh"))]
    assert missing == []


def test_the_answer_shown_in_the_readme_quotes_a_seed_paper() -> None:
    block = re.findall(r"```console\n(.*?)```", README, re.DOTALL)[0]
    (quote,) = re.findall(r"“(.+?)”", " ".join(block.split()))
    assert any(quote in paper.abstract for paper in load_corpus("seeds").papers)


def test_the_readme_has_the_exit_codes() -> None:
    for code, meaning in MEANINGS.items():
        assert f"| {code.value} | {meaning} |" in README


def test_links_inside_the_project_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", README)
    assert [target for target in targets if not (ROOT / target).exists()] == []
