"""Models are opened by name, and what a name promises is known."""

from collections.abc import Iterator

import pytest

from rag.chat.langchain import UNKNOWN_WINDOW
from rag.chat.manner import Manner
from rag.chat.providers import open_chat_model
from rag.errors import ExtraMissing, SettingsError

OWN = "http://127.0.0.1:9/v1"


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "AZURE_OPENAI_API_KEY", "OPENAI_API_VERSION"):
        monkeypatch.delenv(name, raising=False)
    return


@pytest.mark.parametrize("model", ["gpt-4o", "openai:", ":gpt-4o", "nobody:model", "llama3:8b"])
def test_a_name_without_a_known_provider_is_refused(model: str) -> None:
    with pytest.raises(SettingsError, match="no model") as caught:
        open_chat_model(model)
    assert "SYMPOSIA_MODEL" in caught.value.hint


def test_a_provider_whose_package_is_not_installed() -> None:
    with pytest.raises(ExtraMissing, match="cohere") as caught:
        open_chat_model("cohere:command-r")
    assert caught.value.hint == "Install it: pip install langchain-cohere"


def test_openai_without_a_key() -> None:
    with pytest.raises(SettingsError, match="need a key"):
        open_chat_model("openai:gpt-4o-mini")


def test_another_provider_without_its_key() -> None:
    with pytest.raises(SettingsError, match="AZURE_OPENAI_API_KEY"):
        open_chat_model("azure_openai:gpt-4o-mini")


@pytest.mark.parametrize(
    ("model", "window", "expected"),
    [
        ("openai:gpt-4o-mini", 0, 128_000),
        ("openai:gpt-4o-mini", 8_000, 8_000),
        ("openai:qwen2.5:7b", 0, UNKNOWN_WINDOW),
        ("openai:qwen2.5:7b", 2_048, 2_048),
    ],
)
def test_the_window_is_given_or_known_or_a_careful_guess(
    model: str, window: int, expected: int
) -> None:
    chat = open_chat_model(model, base_url=OWN, window=window)
    assert (chat.name, chat.window) == (model, expected)


@pytest.mark.parametrize(
    ("model", "silence_s"), [("gpt-4o-mini", 20.0), ("qwen2.5:7b", 20.0), ("o3", None)]
)
def test_a_model_known_to_think_may_be_silent(model: str, silence_s: float | None) -> None:
    assert open_chat_model(f"openai:{model}", base_url=OWN).terms.silence_s == silence_s


def test_a_package_retries_nothing_and_times_nothing() -> None:
    model = open_chat_model("openai:m", base_url=OWN).model_for(Manner())
    assert (model.max_retries, model.request_timeout, model.stream_chunk_timeout) == (0, None, None)
    assert model.root_async_client.max_retries == 0
    assert model.root_async_client.timeout is None


class _Recorder:
    """Stands where ``init_chat_model`` does."""

    def __init__(self, forbidden: frozenset[str] = frozenset()) -> None:
        self.forbidden = forbidden
        self.asked: dict[str, object] = {}

    def __call__(self, model: str, **wishes: object) -> object:
        from langchain_core.language_models import FakeListChatModel
        from pydantic import ConfigDict, create_model

        fields = {name: (object, None) for name in wishes if name not in self.forbidden}
        strict = create_model("Strict", __config__=ConfigDict(extra="forbid"), **fields)  # type: ignore[call-overload]
        strict(**wishes)
        self.asked = wishes
        return FakeListChatModel(responses=["Hello."])


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> _Recorder:
    recorder = _Recorder()
    monkeypatch.setattr("langchain.chat_models.init_chat_model", recorder)
    return recorder


def test_other_packages_are_asked_for_the_same(recorder: _Recorder) -> None:
    open_chat_model("anthropic:claude")
    assert recorder.asked == {"temperature": 0.0, "max_retries": 0, "disable_streaming": False}


def test_ollama_is_told_how_much_to_read(recorder: _Recorder) -> None:
    open_chat_model("ollama:qwen3", window=8_000)
    assert recorder.asked["num_ctx"] == 8_000
    chat = open_chat_model("ollama:qwen3")
    assert recorder.asked["num_ctx"] == chat.window == UNKNOWN_WINDOW


def test_a_wish_that_a_package_does_not_know_is_dropped(recorder: _Recorder) -> None:
    recorder.forbidden = frozenset({"max_retries"})
    open_chat_model("bedrock_converse:claude")
    assert recorder.asked == {"temperature": 0.0, "disable_streaming": False}
