"""Language models of any provider, opened by name through LangChain."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rag.chat.background import submit
from rag.chat.langchain import UNKNOWN_WINDOW, LangChainChat
from rag.chat.manner import Manner
from rag.chat.tally import Prices
from rag.providers.backoff import Backoff
from rag.providers.opening import NO_KEY, check_openai, no_such_model, open_named

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from openai import DefaultAsyncHttpxClient

_VARIABLE = "SYMPOSIA_MODEL"


def open_chat_model(
    model: str,
    *,
    api_key: str | None = None,
    base_url: str | None = None,
    first_token_timeout_s: float = 20.0,
    window: int = 0,
    price_input: float | None = None,
    price_output: float | None = None,
    backoff: Backoff | None = None,
) -> LangChainChat:
    """Open a language model; nothing is sent yet.

    Args:
        model: ``provider:name`` as LangChain's ``init_chat_model`` takes it.
        api_key: For the provider ``openai``; others find theirs in the environment.
        base_url: Address of an OpenAI-compatible server, for the provider ``openai``.
        first_token_timeout_s: Seconds of silence before the first text of a reply.
        window: Tokens of a request and its reply; 0 = what LangChain knows, else 16,000.
        price_input: US dollars for a million tokens read; None where unknown.
        price_output: US dollars for a million tokens written; None where unknown.
        backoff: When a failed request is sent again.

    Raises:
        SettingsError: If there is no such provider, or it lacks a key.
        ExtraMissing: If the provider's package is not installed.
    """
    provider, _, name = model.partition(":")
    if not provider or not name:
        raise no_such_model(model, variable=_VARIABLE)
    speaks_openai = provider == "openai"
    if speaks_openai:
        check_openai(api_key, base_url)
        connections = _connections()
        open_model = _openai(name, api_key or NO_KEY, base_url, connections)
    else:
        connections = None
        open_model = _any_other(model, window or UNKNOWN_WINDOW)
    chat = LangChainChat(
        lambda manner: open_named(lambda: open_model(manner), model, variable=_VARIABLE),
        name=model,
        window=window,
        first_token_timeout_s=first_token_timeout_s,
        prices=Prices(price_input, price_output),
        backoff=backoff,
        speaks_openai=speaks_openai,
    )
    if connections is not None:
        # What is kept open for the next request is closed with the model.
        weakref.finalize(chat, _close, connections).atexit = False
    return chat


def _connections() -> DefaultAsyncHttpxClient:
    from openai import DefaultAsyncHttpxClient

    # LangChain's own are shared by every model, and do not obey proxy variables.
    return DefaultAsyncHttpxClient(timeout=None)


def _close(connections: DefaultAsyncHttpxClient) -> None:
    submit(connections.aclose())


def _openai(
    name: str, api_key: str, base_url: str | None, connections: DefaultAsyncHttpxClient
) -> Callable[[Manner], BaseChatModel]:
    def open_model(manner: Manner) -> BaseChatModel:
        from langchain_openai import ChatOpenAI
        from pydantic import SecretStr

        return ChatOpenAI(
            model=name,
            base_url=base_url,
            api_key=SecretStr(api_key),
            http_async_client=connections,
            # Other servers do not know the Responses API.
            use_responses_api=False,
            stream_usage=manner.stream_options,
            disable_streaming=not manner.stream,
            temperature=0.0 if manner.temperature else None,
            max_retries=0,
            timeout=None,
            stream_chunk_timeout=None,
        )

    return open_model


def _any_other(model: str, window: int) -> Callable[[Manner], BaseChatModel]:
    # Ollama reads 4,096 tokens or fewer unless told, and silently forgets what comes before them.
    extras = {"num_ctx": window} if model.startswith("ollama:") else {}

    def open_model(manner: Manner) -> BaseChatModel:
        wishes: dict[str, Any] = {
            "disable_streaming": not manner.stream,
            "max_retries": 0,
            **extras,
        }
        if manner.temperature:
            wishes["temperature"] = 0.0
        return _open_any(model, wishes)

    return open_model


def _open_any(model: str, wishes: dict[str, Any]) -> BaseChatModel:
    """Open a model with what its package allows of the wishes."""
    from langchain.chat_models import init_chat_model
    from pydantic import ValidationError

    opened: BaseChatModel
    try:
        opened = init_chat_model(model, **wishes)
    except ValidationError as error:
        forbidden = {item["loc"][0] for item in error.errors() if item["type"] == "extra_forbidden"}
        if not forbidden:
            raise
        allowed = {name: value for name, value in wishes.items() if name not in forbidden}
        opened = init_chat_model(model, **allowed)
    return opened
