"""What `symposia ask` says of the tokens of a language model, and where."""

import dataclasses
import json
from contextlib import AbstractContextManager, nullcontext
from types import SimpleNamespace

import pytest

from rag.answer import Answer
from rag.records import Usage
from ui import cli, cli_engine

LINE = "openai:gpt-x: 1,234 tokens read, 210 written (said by the provider), about $0.0012\n"
ANSWER = Answer(
    question="How many wells?",
    standalone_question="How many wells?",
    status="not_in_corpus",
    notice="No paper here is about this.",
    usage=Usage(1234, 210, "provider", 0.00122),
)


@pytest.fixture
def answer_with(monkeypatch: pytest.MonkeyPatch):
    def answer_with(answer: Answer) -> None:
        def opened(*_: object) -> AbstractContextManager[SimpleNamespace]:
            ask = lambda *_, **__: answer  # noqa: E731
            return nullcontext(SimpleNamespace(ask=ask, mode="openai:gpt-x"))

        monkeypatch.setattr(cli_engine, "open_assistant", opened)

    return answer_with


@pytest.mark.parametrize("form", [(), ("--json",), ("--markdown",)])
def test_tokens_and_cost_go_to_standard_error(answer_with, capsys, form) -> None:
    answer_with(ANSWER)
    with pytest.raises(SystemExit):
        cli.main(["ask", "How many wells?", *form])
    written = capsys.readouterr()
    assert written.err == LINE
    assert "tokens read" not in written.out
    if "--json" in form:
        assert json.loads(written.out)["usage"]["input_tokens"] == 1234


def test_where_no_model_was_asked_nothing_is_said(answer_with, capsys) -> None:
    answer_with(dataclasses.replace(ANSWER, usage=Usage()))
    with pytest.raises(SystemExit):
        cli.main(["ask", "How many wells?"])
    assert capsys.readouterr().err == ""
