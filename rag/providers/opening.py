"""Opens a LangChain model by its name; every way that can fail becomes one of our errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rag.errors import ExtraMissing, SettingsError

Model = TypeVar("Model")

NO_KEY = "none"
"""Sent to a server of one's own: it often needs no key, and clients refuse to start without."""


def open_named(open_model: Callable[[], Model], model: str, *, variable: str) -> Model:
    """Open a model of any provider.

    Args:
        open_model: Opens it through LangChain.
        model: ``provider:name``.
        variable: The setting that names it, for hints.

    Raises:
        SettingsError: If there is no such provider, or it lacks a key or another setting.
        ExtraMissing: If the provider's package is not installed.
    """
    provider = model.partition(":")[0]
    try:
        return open_model()
    except ImportError as error:
        cause = error.__cause__ if isinstance(error.__cause__, ImportError) else error
        package = (cause.name or f"langchain_{provider}").partition(".")[0].replace("_", "-")
        raise ExtraMissing(
            f"The model {model!r} needs a package that is not installed ({package}).",
            hint=f"Install it: pip install {package}",
        ) from None
    except Exception as error:  # noqa: BLE001
        # LangChain's own complaint about a name, not one of the provider's, which may quote a key.
        if type(error) is ValueError and "upported" in str(error):
            raise no_such_model(model, variable=variable) from None
        raise SettingsError(
            f"The model {model!r} cannot be opened ({type(error).__name__}).",
            hint=f"Most often its API key is missing: set {provider.upper()}_API_KEY, or what "
            f"LangChain's page on {provider} names.",
        ) from None


def no_such_model(model: str, *, variable: str) -> SettingsError:
    """The error for a name that is no model's."""
    return SettingsError(
        f"There is no model {model!r}: it does not begin with a known provider and a colon.",
        hint=f"{variable} is provider:name, such as openai:NAME or ollama:NAME.",
    )


def check_openai(api_key: str | None, base_url: str | None) -> None:
    """Refuse what the OpenAI client would refuse later, in words that say nothing of settings.

    Raises:
        SettingsError: If there is neither a key nor a server of one's own, or its address is none.
    """
    if base_url is not None and not base_url.startswith(("http://", "https://")):
        raise SettingsError(
            f"The address {base_url!r} does not begin with http:// or https://.",
            hint="Set OPENAI_BASE_URL to an address such as http://localhost:8000/v1.",
        )
    if not api_key and base_url is None:
        raise SettingsError(
            "OpenAI's models need a key.",
            hint="Set OPENAI_API_KEY; or OPENAI_BASE_URL for a server of your own.",
        )
