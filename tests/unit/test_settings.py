"""Settings come from arguments, the environment and ``.env``, in that order; secrets stay masked."""

from pathlib import Path

import pytest

from rag.errors import SettingsError
from rag.settings import Settings

KEY = "sk-canary-1234567890"


@pytest.fixture(autouse=True)
def _empty_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable and no ``.env`` of the machine that runs the tests."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(f"SYMPOSIA_{name.upper()}", raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def test_the_defaults_work_without_any_setting() -> None:
    settings = Settings()
    assert settings.corpus == "seeds"
    assert settings.openai_api_key is None


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_says_what_it_is(name: str) -> None:
    assert len(Settings.model_fields[name].description or "") > 20


def test_an_argument_beats_the_environment_which_beats_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text(
        "SYMPOSIA_CORPUS=file\nSYMPOSIA_THREADS=2\nSYMPOSIA_MAX_PASSAGES=3\n"
    )
    monkeypatch.setenv("SYMPOSIA_CORPUS", "environment")
    monkeypatch.setenv("SYMPOSIA_THREADS", "3")
    settings = Settings(corpus="argument")
    assert (settings.corpus, settings.threads, settings.max_passages) == ("argument", 3, 3)


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYMPOSIA_THREADS", "")
    monkeypatch.setenv("OPENAI_API_KEY", "")
    assert Settings().threads == 1
    assert Settings().openai_api_key is None


@pytest.mark.parametrize("variable", ["OPENAI_API_KEY", "SYMPOSIA_OPENAI_API_KEY"])
def test_the_key_is_found_under_both_names(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, KEY)
    key = Settings().openai_api_key
    assert key is not None
    assert key.get_secret_value() == KEY


def test_its_own_name_of_the_key_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-other")
    monkeypatch.setenv("SYMPOSIA_OPENAI_API_KEY", KEY)
    key = Settings().openai_api_key
    assert key is not None
    assert key.get_secret_value() == KEY


def test_the_key_can_be_given_as_an_argument() -> None:
    assert Settings(openai_api_key=KEY).openai_api_key is not None


@pytest.mark.parametrize("form", [str, repr, Settings.model_dump_json])
def test_no_printed_form_shows_the_key(form: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert callable(form)
    assert KEY not in str(form(Settings()))


def test_a_wrong_value_is_named_with_advice_and_without_the_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SYMPOSIA_THREADS", KEY)
    with pytest.raises(SettingsError, match="threads") as caught:
        Settings()
    assert ".env.example" in caught.value.hint
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("threads", 0), ("chunk_tokens", 10), ("max_passages", 51), ("token_budget", -1)],
)
def test_limits_are_held(name: str, value: int) -> None:
    with pytest.raises(SettingsError, match=name):
        Settings(**{name: value})


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().threads = 2  # type: ignore[misc]


def test_the_data_folder_follows_the_xdg_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    assert Settings().data_dir == tmp_path / "share" / "symposia"
