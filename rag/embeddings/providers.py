"""Embedding models of other providers, opened by name through LangChain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rag.embeddings.langchain import LangChainEmbedder, in_index_order
from rag.errors import ExtraMissing, SettingsError

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

_TIMEOUT_S = 60.0


def open_embedder(model: str, *, api_key: str | None, base_url: str | None) -> LangChainEmbedder:
    """Open an embedding model.

    Args:
        model: ``provider:name`` as LangChain's ``init_embeddings`` takes it.
        api_key: For the provider ``openai``.
        base_url: Address of an OpenAI-compatible server, for the provider ``openai``.

    Raises:
        SettingsError: If there is no such provider, or it needs a key.
        ExtraMissing: If the provider's package is not installed.
    """
    provider, _, name = model.partition(":")
    if provider == "openai" and name:
        return LangChainEmbedder(_open_openai(name, api_key, base_url), name=f"openai/{name}")
    from langchain.embeddings import init_embeddings

    try:
        embeddings = init_embeddings(model)
    except ImportError as error:
        raise ExtraMissing(
            f"The embedding model {model!r} needs a package that is not installed ({error.name}).",
            hint=f"Install it: pip install langchain-{provider}",
        ) from error
    except ValueError as error:
        raise SettingsError(
            f"There is no embedding model {model!r}.",
            hint="SYMPOSIA_EMBEDDING_MODEL is `local` or provider:name, "
            "such as openai:text-embedding-3-small.",
        ) from error
    return LangChainEmbedder(embeddings, name=model.replace(":", "/", 1))


def _open_openai(name: str, api_key: str | None, base_url: str | None) -> Embeddings:
    from langchain_openai import OpenAIEmbeddings
    from openai import OpenAIError
    from pydantic import SecretStr

    try:
        embeddings = OpenAIEmbeddings(
            model=name,
            base_url=base_url,
            # A server of one's own often needs no key, and the client refuses to start without.
            api_key=SecretStr(api_key or "none") if api_key or base_url else None,
            # Other servers take no token ids, and no base64; and the check downloads a table.
            check_embedding_ctx_length=False,
            model_kwargs={"encoding_format": "float"},
            timeout=_TIMEOUT_S,
        )
    except OpenAIError as error:
        raise SettingsError(
            "OpenAI's embedding models need a key.", hint="Set OPENAI_API_KEY."
        ) from error
    return in_index_order(embeddings)
