"""All settings. This is the only module that reads the environment.

Each field can be given to ``Settings(...)``, or as ``SYMPOSIA_<NAME>`` in the environment or in a
``.env`` file of the working directory. ``OPENAI_API_KEY`` and ``OPENAI_BASE_URL`` are honoured.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from rag.errors import SettingsError


class _UserFolders(BaseSettings):
    """Where this user's programs keep their data (the XDG variables)."""

    model_config = SettingsConfigDict(env_prefix="", extra="ignore")
    xdg_data_home: str = ""
    localappdata: str = ""


def _default_data_dir() -> Path:
    folders = _UserFolders()
    if sys.platform == "win32" and folders.localappdata:
        return Path(folders.localappdata) / "symposia"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "symposia"
    return Path(folders.xdg_data_home or Path.home() / ".local" / "share") / "symposia"


class Settings(BaseSettings):
    """What Symposia is configured to do; every field has a working default.

    Raises:
        SettingsError: If a value cannot be used; the message names the field.
    """

    model_config = SettingsConfigDict(
        env_prefix="SYMPOSIA_",
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        populate_by_name=True,
    )

    corpus: str = Field(
        "seeds",
        min_length=1,
        description="A corpus name (`seeds`, `icml2025`, or one that you gave) or a path to papers; "
        "several with commas.",
    )
    data_dir: Path = Field(
        default_factory=_default_data_dir,
        description="Folder of the indexes and of the embedding cache.",
    )
    embedding: str = Field(
        "local",
        description="`local`, or provider:name through LangChain (openai:text-embedding-3-small).",
    )
    threads: Annotated[int, Field(ge=1, le=256)] = Field(
        1, description="CPU threads of the local models; 1 is safest on a shared machine."
    )
    search_depth: Annotated[int, Field(ge=10, le=1000)] = Field(
        200, description="How many chunks each retrieval leg returns before fusion."
    )
    max_passages: Annotated[int, Field(ge=1, le=50)] = Field(
        6, description="How many papers are read to answer one question, at most."
    )
    census_papers: Annotated[int, Field(ge=1, le=1000)] = Field(
        150, description="How many papers one count or list of papers reads, at most."
    )
    token_budget: Annotated[int, Field(ge=500)] = Field(
        6000, description="Tokens of abstracts read for one answer; whole papers are left out."
    )
    chunk_tokens: Annotated[int, Field(ge=64, le=480)] = Field(
        448, description="Size limit of one chunk in tokens; a usual abstract is one chunk."
    )
    max_question_chars: Annotated[int, Field(ge=100)] = Field(
        4000, description="Longer questions are turned down with a request to shorten them."
    )
    model: str = Field(
        "",
        description="Who writes: empty = answer by quotation; else a language model as "
        "provider:name through LangChain (openai:gpt-4.1-mini, ollama:qwen3).",
    )
    model_window: Annotated[int, Field(ge=0)] = Field(
        0,
        description="Tokens that the language model reads and writes together; "
        "0 = what is known of it, else 16000.",
    )
    answer_timeout_s: Annotated[float, Field(gt=0, allow_inf_nan=False)] = Field(
        60.0,
        description="Seconds that one question may take a language model, with all waits and retries.",
    )
    first_token_timeout_s: Annotated[float, Field(gt=0, allow_inf_nan=False)] = Field(
        20.0,
        description="Seconds of silence before its first word, then it is asked again; "
        "models known to think first have the whole time.",
    )
    price_input: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = Field(
        None, description="US dollars for a million tokens read, to estimate the cost of answers."
    )
    price_output: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = Field(
        None,
        description="US dollars for a million tokens written, to estimate the cost of answers.",
    )
    price_embedding: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = Field(
        None,
        description="US dollars for a million tokens that a provider's embedding model reads, "
        "to estimate what an index costs.",
    )
    openai_api_key: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("SYMPOSIA_OPENAI_API_KEY", "OPENAI_API_KEY"),
        description="Key of an OpenAI-compatible server; not needed to answer by quotation.",
    )
    openai_base_url: str | None = Field(
        None,
        validation_alias=AliasChoices("SYMPOSIA_OPENAI_BASE_URL", "OPENAI_BASE_URL"),
        description="Address of an OpenAI-compatible server.",
    )

    chroma_url: str | None = Field(
        None,
        description="Address of a Chroma server that holds the indexes; empty = the data folder.",
    )
    chroma_token: SecretStr | None = Field(
        None,
        description="Token that the Chroma server, or the proxy before it, asks for; "
        "or a whole header as `Name: value`.",
    )
    auth: SecretStr | None = Field(
        None,
        description="Login of the page and key of the server, as user:password; "
        "empty = whoever reaches it may ask.",
    )

    history_days: int = Field(
        365,
        ge=0,
        description="Days that the page keeps a conversation after its last use, in the data "
        "folder; 0 = none is kept.",
    )

    @field_validator("auth")
    @classmethod
    def _is_login(cls, auth: SecretStr | None) -> SecretStr | None:
        user, colon, password = auth.get_secret_value().partition(":") if auth else ("", "", "")
        if auth and not (user and colon and password):
            raise ValueError("it has the form user:password")
        return auth

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            details = "; ".join(
                f"{'.'.join(str(part) for part in item['loc'])}: {item['msg']}"
                for item in error.errors(include_input=False, include_url=False)
            )
            raise SettingsError(
                f"Wrong settings: {details}.",
                hint="See .env.example for every setting and its meaning.",
            ) from None
