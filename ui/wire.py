"""The form of OpenAI's chat completions, as far as a program needs it to question the papers.

What is sent back is an ordinary completion whose text ends with its sources; the field ``symposia``
holds the whole answer, with quotes and offsets, for programs that can use it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rag.answer import Answer
from rag.errors import QuestionError
from rag.export import paper_to_markdown
from rag.records import SentenceReady, Usage

MODEL = "symposia"
"""The one model that this server has."""


class Part(BaseModel):
    """A piece of a message; only text can be asked."""

    type: str = "text"
    text: str = ""


class Message(BaseModel):
    """One message of the conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[Part] | None = None

    @property
    def text(self) -> str:
        """Its words, whichever form they came in."""
        if isinstance(self.content, list):
            return " ".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class StreamOptions(BaseModel):
    """What else a stream is to tell."""

    include_usage: bool = False


class ChatRequest(BaseModel):
    """A request for a completion; what a language model alone could obey is ignored."""

    model_config = ConfigDict(extra="ignore")

    messages: list[Message] = Field(min_length=1)
    stream: bool = False
    stream_options: StreamOptions | None = None
    filters: dict[str, Any] | None = None
    """Not of OpenAI: the fields of ``rag.Filters``."""
    corpus: str | list[str] | None = None
    """Not of OpenAI: which of the open corpora are looked at; all by default."""

    @property
    def question(self) -> str:
        """The latest message of the user."""
        return self.messages[-1].text

    @property
    def history(self) -> list[dict[str, str]]:
        """The messages before it that a reader and the assistant exchanged."""
        return [
            {"role": message.role, "content": message.text}
            for message in self.messages[:-1]
            if message.role in ("user", "assistant")
        ]

    @property
    def wants_usage(self) -> bool:
        """Whether a stream ends with the tokens that were used."""
        return self.stream_options is not None and self.stream_options.include_usage


def parse_request(body: bytes) -> ChatRequest:
    """Read a request.

    Raises:
        QuestionError: If it is no request for a completion, or does not end with a question.
    """
    try:
        request = ChatRequest.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        raise QuestionError(
            f"This is no chat completion request: {where or 'body'}: {first['msg']}.",
            hint="Send JSON with messages, each with a role and a content.",
        ) from None
    if request.messages[-1].role != "user":
        raise QuestionError(
            "The last message is not the user's.", hint="End the messages with a question."
        )
    return request


@dataclass(frozen=True, slots=True)
class Envelope:
    """What all parts of one reply have in common."""

    request_id: str
    created: int
    """Seconds since 1970."""

    def completion(self, answer: Answer) -> dict[str, Any]:
        """The whole reply."""
        message = {"role": "assistant", "content": with_sources(answer), "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        return {
            **self._head("chat.completion"),
            "choices": [choice],
            "usage": _usage(answer.usage),
            "symposia": answer.to_dict(),
        }

    def opening(self) -> bytes:
        """The first event of a stream."""
        return self._event({"role": "assistant", "content": ""})

    def text(self, text: str) -> bytes:
        """An event with more text."""
        return self._event({"content": text})

    def ending(self, answer: Answer) -> bytes:
        """The event that ends the text; it carries the whole answer."""
        return self._event({}, finish="stop", symposia=answer.to_dict())

    def usage(self, answer: Answer) -> bytes:
        """The event with the tokens that were used."""
        body = {**self._head("chat.completion.chunk"), "choices": []}
        return sse(body | {"usage": _usage(answer.usage)})

    def _event(self, delta: Mapping[str, Any], finish: str | None = None, **more: Any) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return sse({**self._head("chat.completion.chunk"), "choices": [choice], **more})

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": self.request_id, "object": kind, "created": self.created, "model": MODEL}


class Transcript:
    """The text of a stream, piece by piece: together the pieces are ``with_sources``."""

    def __init__(self) -> None:
        self._ready: list[SentenceReady] = []
        self._sent = ""

    def add(self, ready: SentenceReady) -> str:
        """The piece that one more proven sentence adds."""
        self._ready.append(ready)
        sentences = tuple(item.sentence for item in self._ready)
        return self._rest_of(Answer("", "", "answered", sentences=sentences).text)

    def end(self, answer: Answer) -> str:
        """The piece that is left: a refusal, notes, the sources."""
        return self._rest_of(with_sources(answer))

    def _rest_of(self, text: str) -> str:
        rest = text.removeprefix(self._sent)
        self._sent += rest
        return rest


def with_sources(answer: Answer) -> str:
    """The answer's text, what the reader should know of it, and the papers that it cites."""
    blocks = [answer.text]
    if answer.status == "answered" and answer.notice:
        blocks.append(answer.notice)
    cited = {citation.marker: citation.paper for citation in answer.citations}
    if cited:
        lines = [f"[{marker}] {paper_to_markdown(cited[marker])}" for marker in sorted(cited)]
        blocks.append("\n".join(["Sources:", "", *(f"- {line}" for line in lines)]))
    return "\n\n".join(block for block in blocks if block)


def models() -> dict[str, Any]:
    """The list of models: one."""
    model = {"id": MODEL, "object": "model", "created": 0, "owned_by": "symposia"}
    return {"object": "list", "data": [model]}


def error_body(message: str, kind: str) -> dict[str, Any]:
    """An error in the form that OpenAI's clients read."""
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}


def sse(body: Mapping[str, Any]) -> bytes:
    """One server-sent event."""
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n".encode()


def _usage(usage: Usage) -> dict[str, int]:
    n_read, n_written = usage.input_tokens, usage.output_tokens
    return {
        "prompt_tokens": n_read,
        "completion_tokens": n_written,
        "total_tokens": n_read + n_written,
    }


DONE = b"data: [DONE]\n\n"
"""What ends every stream."""
