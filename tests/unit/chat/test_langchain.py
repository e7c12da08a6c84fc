"""Any LangChain model is a ChatModel, also one that speaks another protocol or none."""

from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.callbacks import get_usage_metadata_callback
from langchain_core.language_models import (
    BaseChatModel,
    FakeListChatModel,
    GenericFakeChatModel,
)
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGenerationChunk, ChatResult

from rag.chat.base import ChatModel, Message, Reply
from rag.chat.langchain import LangChainChat
from rag.errors import ProviderError
from rag.providers.backoff import Backoff
from rag.records import Usage

ASKED = [Message("user", "Who?")]


def chat_of(model: Any) -> LangChainChat:
    return LangChainChat(lambda manner: model, name="fake:model", backoff=Backoff(n_retries=0))


def test_it_keeps_the_protocols() -> None:
    chat: ChatModel = chat_of(FakeListChatModel(responses=["Hello."]))
    reply: Reply = chat.stream(ASKED, timeout_s=5)
    assert "".join(reply) == "Hello."
    assert reply.finish == "stop"
    assert reply.usage.counted_by == "us"


def test_a_package_that_gives_no_reason_is_believed() -> None:
    reply = chat_of(GenericFakeChatModel(messages=iter([AIMessage("One two")]))).stream(
        ASKED, timeout_s=5
    )
    assert list(reply) == ["One", " ", "two"]
    assert reply.finish == "stop"


class Scripted(BaseChatModel):
    """A package that streams on a thread: it gives these chunks, and raises the errors."""

    items: list[Any]

    def _stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        for item in self.items:
            if isinstance(item, Exception):
                raise item
            yield ChatGenerationChunk(message=item)

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        raise NotImplementedError

    @property
    def _llm_type(self) -> str:
        return "scripted"


def in_parts(model_name: str = "") -> list[AIMessageChunk]:
    """The parts of a usage come apart, as ``langchain-anthropic`` sends them."""
    started = UsageMetadata(input_tokens=30, output_tokens=0, total_tokens=30)
    ended = UsageMetadata(input_tokens=0, output_tokens=4, total_tokens=4)
    reason = {"stop_reason": "max_tokens", "model_name": model_name}
    return [
        AIMessageChunk("", usage_metadata=started),
        AIMessageChunk("Some words."),
        AIMessageChunk("", usage_metadata=ended, response_metadata=reason),
    ]


def test_another_package_counts_in_parts() -> None:
    reply = chat_of(Scripted(items=in_parts())).stream(ASKED, timeout_s=5)
    assert "".join(reply) == "Some words."
    assert reply.finish == "length"
    assert reply.usage == Usage(30, 4, "provider")


def test_a_package_that_streams_on_a_thread_is_cut_like_any_other() -> None:
    items = [AIMessageChunk("One "), ConnectionResetError()]
    reply = chat_of(Scripted(items=items)).stream(ASKED, timeout_s=5)
    assert "".join(reply) == "One "
    assert reply.finish == "cut"


def test_a_defect_in_a_package_is_a_provider_error() -> None:
    reply = chat_of(Scripted(items=[KeyError("choices")])).stream(ASKED, timeout_s=5)
    with pytest.raises(ProviderError, match="KeyError"):
        list(reply)


def test_callbacks_of_the_caller_see_the_request() -> None:
    chat = chat_of(Scripted(items=in_parts("counted")))
    with get_usage_metadata_callback() as callback:
        list(chat.stream(ASKED, timeout_s=5))
    assert callback.usage_metadata["counted"]["output_tokens"] == 4


def test_an_error_of_ours_while_asking_reaches_the_reader() -> None:
    def open_model(manner: object) -> Any:
        raise ProviderError("No such thing.")

    chat = chat_of(FakeListChatModel(responses=["Hello."]))
    chat._models.clear()
    chat._open_model = open_model
    with pytest.raises(ProviderError, match="No such thing"):
        list(chat.stream(ASKED, timeout_s=5))
