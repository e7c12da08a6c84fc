"""How a model is asked, and what is left out for a server that refuses it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from rag.errors import ProviderError
from rag.providers.faults import body_of, provider_error, status_of, words_of

Parameter = Literal["stream_options", "temperature", "stream"]

SERVER = "The language model's server"

# In this order: the name of one is part of another's.
_NAMES: dict[Parameter, re.Pattern[str]] = {
    "stream_options": re.compile(r"stream_options|include_usage"),
    "temperature": re.compile(r"temperature"),
    "stream": re.compile(r"\bstream(?:ing)?\b"),
}


@dataclass(frozen=True, slots=True)
class Manner:
    """What a request has beside its messages; all of it, until a server refuses some."""

    temperature: bool = True
    """Ask for temperature 0: the same question shall get the same answer."""
    stream_options: bool = True
    """Ask for the usage at the end of a stream."""
    stream: bool = True

    def without(self, parameter: Parameter) -> Manner:
        """The same, with one thing less."""
        return replace(self, **{parameter: False})

    def has(self, parameter: Parameter) -> bool:
        """Whether requests have this parameter."""
        return bool(getattr(self, parameter)) and (self.stream or parameter == "temperature")


class ParameterRefused(ProviderError):
    """The server does not take a parameter; without it the request may be right."""

    def __init__(self, parameter: Parameter, fault: ProviderError) -> None:
        super().__init__(fault.message, hint=fault.hint, kind="refused")
        self.parameter: Parameter = parameter


def chat_fault(error: Exception, manner: Manner, *, n_chunks: int) -> ProviderError:
    """Turn any provider's exception into ours.

    Args:
        error: Whatever the provider's package raised.
        manner: How the model was asked.
        n_chunks: How many chunks of a reply had come, empty ones included.

    Returns:
        A ``ParameterRefused`` where the server complains about a part of the manner.
    """
    fault = provider_error(error, server=SERVER)
    if status_of(error) in {400, 422}:
        parameter = _named(error, manner)
    elif n_chunks == 0 and type(error) is ValueError and not body_of(error):
        # LangChain's word for a stream without one event: the server sent a plain reply.
        parameter = "stream" if manner.stream else None
    else:
        parameter = None
    return ParameterRefused(parameter, fault) if parameter else fault


def _named(error: Exception, manner: Manner) -> Parameter | None:
    param = body_of(error).get("param")
    said = str(param) if param else words_of(error)
    for parameter, name in _NAMES.items():
        if manner.has(parameter) and name.search(said):
            return parameter
    return None
