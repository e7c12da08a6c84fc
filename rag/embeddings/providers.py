"""Embedding models of other providers, opened by name through LangChain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rag.embeddings.langchain import LangChainEmbedder, attentive
from rag.embeddings.meter import Meter
from rag.providers.opening import NO_KEY, check_openai, open_named
from rag.tokens import encoding_name_for

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

_TIMEOUT_S = 60.0
_VARIABLE = "SYMPOSIA_EMBEDDING"


def open_embedder(
    model: str, *, api_key: str | None, base_url: str | None, price: float | None = None
) -> LangChainEmbedder:
    """Open an embedding model.

    Args:
        model: ``provider:name`` as LangChain's ``init_embeddings`` takes it.
        api_key: For the provider ``openai``.
        base_url: Address of an OpenAI-compatible server, for the provider ``openai``.
        price: US dollars for a million tokens; None where unknown.

    Raises:
        SettingsError: If there is no such provider, or it needs a key.
        ExtraMissing: If the provider's package is not installed.
    """
    provider, _, name = model.partition(":")
    meter = Meter(encoding=encoding_name_for(name), price_usd=price)
    if provider == "openai" and name:
        check_openai(api_key, base_url)
        embeddings = open_named(
            lambda: _open_openai(name, api_key, base_url, meter), model, variable=_VARIABLE
        )
    else:
        embeddings = open_named(lambda: _open_any(model), model, variable=_VARIABLE)
    return LangChainEmbedder(embeddings, name=model.replace(":", "/", 1), meter=meter)


def _open_openai(name: str, api_key: str | None, base_url: str | None, meter: Meter) -> Embeddings:
    from langchain_openai import OpenAIEmbeddings
    from pydantic import SecretStr

    embeddings = OpenAIEmbeddings(
        model=name,
        base_url=base_url,
        api_key=SecretStr(api_key or NO_KEY),
        # Other servers take no token ids, and no base64; and the check downloads a table.
        check_embedding_ctx_length=False,
        model_kwargs={"encoding_format": "float"},
        timeout=_TIMEOUT_S,
        # The embedder retries, within its own patience.
        max_retries=0,
    )
    return attentive(embeddings, meter)


def _open_any(model: str) -> Embeddings:
    from langchain.embeddings import init_embeddings

    return init_embeddings(model)
