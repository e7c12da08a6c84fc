"""A model that cannot be opened is explained, without the words of its package."""

import pytest
from pydantic import BaseModel, ConfigDict

from rag.errors import ExtraMissing, SettingsError
from rag.providers.opening import check_openai, open_named

VARIABLE = "SYMPOSIA_MODEL"


def failing(error: Exception):
    def open_model() -> None:
        raise error

    return open_model


def missing(module: str) -> ImportError:
    error = ImportError(f"Please install {module}")
    error.__cause__ = ModuleNotFoundError("no", name=module)
    return error


@pytest.mark.parametrize(
    ("error", "package"),
    [
        (missing("langchain_google_genai.chat_models"), "langchain-google-genai"),
        (ImportError("Please install something"), "langchain-someone"),
        (ModuleNotFoundError("no", name="anthropic"), "anthropic"),
    ],
)
def test_a_missing_package_is_named_with_its_install_line(error: Exception, package: str) -> None:
    with pytest.raises(ExtraMissing) as caught:
        open_named(failing(error), "someone:model", variable=VARIABLE)
    assert caught.value.hint.endswith(f"pip install {package}")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


def validation_error() -> Exception:
    try:
        _Strict(api_key="sk-canary")  # type: ignore[call-arg]
    except ValueError as error:
        return error
    raise AssertionError


@pytest.mark.parametrize(
    "error", [ValueError("key sk-canary is unsupported here?"), RuntimeError("sk-canary")]
)
def test_no_word_of_the_package_is_repeated(error: Exception) -> None:
    with pytest.raises(SettingsError) as caught:
        open_named(failing(error), "someone:model", variable=VARIABLE)
    assert "canary" not in str(caught.value)


def test_a_complaint_about_values_is_taken_for_a_missing_key() -> None:
    with pytest.raises(SettingsError, match="SOMEONE_API_KEY") as caught:
        open_named(failing(validation_error()), "someone:model", variable=VARIABLE)
    assert "canary" not in str(caught.value)


def test_an_unknown_provider_is_told_where_to_set_another() -> None:
    error = ValueError("Unsupported provider='someone'.")
    with pytest.raises(SettingsError, match="no model 'someone:model'") as caught:
        open_named(failing(error), "someone:model", variable=VARIABLE)
    assert VARIABLE in caught.value.hint


def test_openai_needs_a_key_or_a_server_of_ones_own() -> None:
    check_openai("sk-1", None)
    check_openai(None, "http://localhost:8000/v1")
    with pytest.raises(SettingsError, match="key") as caught:
        check_openai(None, None)
    assert "OPENAI_BASE_URL" in caught.value.hint


def test_an_address_without_a_scheme_is_refused() -> None:
    with pytest.raises(SettingsError, match="http://"):
        check_openai("sk-1", "localhost:8000/v1")
