"""A language model that says what a test tells it to, and a plain judge of support."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rag.chat.base import Finish, Message
from rag.records import Paper, Usage
from rag.text import search_terms, split_sentences


class ScriptedReply:
    """Gives out pieces, and notes whether it was closed and how much was taken."""

    def __init__(self, pieces: Iterable[str], finish: Finish) -> None:
        self._pieces = pieces
        self._finish = finish
        self.finish: Finish = ""
        self.usage = Usage(100, 20, "provider")
        self.n_taken = 0
        self.is_closed = False

    def __iter__(self) -> Iterator[str]:
        for piece in self._pieces:
            assert not self.is_closed, "read after it was closed"
            self.n_taken += 1
            yield piece
        self.finish = self._finish

    def close(self) -> None:
        self.is_closed = True


class ScriptedModel:
    """Replies with one text, cut into pieces."""

    name = "scripted:model"

    def __init__(
        self,
        reply: str | Sequence[str],
        *,
        size: int = 7,
        finish: Finish = "stop",
        window: int = 8000,
    ) -> None:
        if isinstance(reply, str):
            reply = [reply[start : start + size] for start in range(0, len(reply), size)]
        self.window = window
        self.reply = ScriptedReply(reply, finish)
        self.asked: list[tuple[Message, ...]] = []

    def stream(self, messages: Sequence[Message], *, timeout_s: float) -> ScriptedReply:
        self.asked.append(tuple(messages))
        return self.reply


class RecallScorer:
    """The share of a claim's terms that the evidence has, rare terms counting more."""

    name = "recall"

    def __init__(self, papers: Sequence[Paper]) -> None:
        sentences = [
            paper.abstract[span.start : span.end]
            for paper in papers
            for span in split_sentences(paper.abstract)
        ]
        self._n = len(sentences)
        self._frequency = Counter(
            term for sentence in sentences for term in set(search_terms(sentence))
        )

    def score(self, claim: str, evidence: Sequence[str]) -> list[float]:
        weights = {
            term: math.log(1 + (self._n + 1) / (self._frequency[term] + 1))
            for term in sorted(set(search_terms(claim)))
        }
        total = sum(weights.values()) or 1.0
        known = [set(search_terms(text)) for text in evidence]
        return [
            sum(weight for term, weight in weights.items() if term in terms) / total
            for terms in known
        ]


class ManyReplies(ScriptedModel):
    """Gives one reply after the other; an exception among them is raised."""

    def __init__(self, *replies: str | Exception) -> None:
        super().__init__("")
        self._replies = list(replies)

    def stream(self, messages, *, timeout_s):
        self.asked.append(tuple(messages))
        reply = self._replies.pop(0)

        def pieces():
            if isinstance(reply, Exception):
                raise reply
            yield reply

        return ScriptedReply(pieces(), "stop")
