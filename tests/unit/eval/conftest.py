"""Two toy papers, cases over them, and answers made from the gold."""

from collections.abc import Callable
from typing import Any

import pytest

from eval.cases import Case, GoldQuote
from rag.answer import Answer
from rag.records import Citation, Paper, Passage, Sentence

WELLS = Paper(
    paper_id="wells",
    title="Geospatial Wells",
    abstract=(
        "Wells leak. We release data on 213,000 wells in Alberta. The wells are old. Many leak gas."
    ),
)
CAVES = Paper(
    paper_id="caves",
    title="Mapping Caves",
    abstract="Caves are deep. Our map reaches $97.1\\%$ accuracy. Caves are dark.",
)
PAPERS = {paper.paper_id: paper for paper in (WELLS, CAVES)}
QUOTES = {
    "wells": "We release data on 213,000 wells in Alberta.",
    "caves": "Our map reaches $97.1\\%$ accuracy.",
}


@pytest.fixture
def wells() -> Paper:
    return WELLS


@pytest.fixture
def caves() -> Paper:
    return CAVES


@pytest.fixture
def make_case() -> Callable[..., Case]:
    """A factory of cases: about the wells and answerable, unless told otherwise."""

    def make(case_id: str = "c1", **changes: Any) -> Case:
        fields: dict[str, Any] = {
            "split": "dev",
            "kind": "fact",
            "question": f"How many wells does {case_id} have?",
            "history": (),
            "expected": ("answered",),
            "gold_papers": ("wells",),
            "gold_quotes": (GoldQuote("wells", QUOTES["wells"]),),
            "gold_facts": (("213000", "213k"), ("Alberta",)),
        }
        return Case(case_id=case_id, **(fields | changes))

    return make


@pytest.fixture
def two_papers(make_case: Callable[..., Case]) -> Case:
    return make_case(
        kind="several",
        gold_papers=("wells", "caves"),
        gold_quotes=tuple(GoldQuote(name, quote) for name, quote in QUOTES.items()),
        gold_facts=(("213,000",), ("97.1%",)),
    )


@pytest.fixture
def not_stated(make_case: Callable[..., Case]) -> Case:
    return make_case(kind="not_stated", expected=("not_stated",), gold_quotes=(), gold_facts=())


@pytest.fixture
def not_in_corpus(make_case: Callable[..., Case]) -> Case:
    return make_case(
        kind="not_in_corpus",
        expected=("not_in_corpus",),
        gold_papers=(),
        gold_quotes=(),
        gold_facts=(),
    )


@pytest.fixture
def quoting() -> Callable[..., Answer]:
    """An answer that quotes the given sentences of the given papers, one sentence each."""

    def quote(*pairs: tuple[str, str]) -> Answer:
        marker_of = {name: n for n, name in enumerate(dict.fromkeys(name for name, _ in pairs), 1)}
        passages = [
            Passage(marker, PAPERS[name], PAPERS[name].abstract, 1.0)
            for name, marker in marker_of.items()
        ]
        citations = []
        for name, text in pairs:
            start = PAPERS[name].abstract.index(text)
            citations.append(
                Citation(marker_of[name], PAPERS[name], text, start, start + len(text))
            )
        return Answer(
            question="q",
            standalone_question="q",
            status="answered",
            sentences=tuple(Sentence(text, (marker_of[name],), 1.0) for name, text in pairs),
            citations=tuple(citations),
            passages=tuple(passages),
            index_fingerprint="f1",
        )

    return quote


@pytest.fixture
def refusal() -> Callable[..., Answer]:
    """A refusal that looked in the given papers."""

    def refuse(status: str, *names: str) -> Answer:
        passages = (Passage(n, PAPERS[name], "", 1.0) for n, name in enumerate(names, 1))
        return Answer(
            question="q",
            standalone_question="q",
            status=status,  # type: ignore[arg-type]
            passages=tuple(passages),
            notice="It is not said.",
            index_fingerprint="f1",
        )

    return refuse


@pytest.fixture
def perfect(
    quoting: Callable[..., Answer], refusal: Callable[..., Answer]
) -> Callable[..., Answer]:
    """The best possible answer to a case, made from its gold."""

    def answer(case: Case) -> Answer:
        if case.expected[0] != "answered":
            return refusal(case.expected[0], *case.gold_papers)
        return quoting(*((gold.paper_id, gold.quote) for gold in case.gold_quotes))

    return answer
