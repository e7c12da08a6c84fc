"""Serves the chat for the browser tests: ``serve.py real DATA_DIR PORT`` or ``scripted LOG PORT``."""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from eval.feedback import FILE, append_feedback
from rag.answer import Answer, Event, Finished
from rag.census import Census, Member
from rag.errors import ProviderError
from rag.records import (
    Citation,
    DroppedSentence,
    Filters,
    Paper,
    Passage,
    Query,
    Retrieved,
    Sentence,
    SentenceReady,
)
from ui import web
from ui.shelf import Shelf

SENTENCES = ("Wells leak.", "They cost $5 or $10.", "Half of $\\Delta$ is *never* found.")
WELLS = Paper(
    paper_id="wells",
    title="Geospatial Wells",
    abstract=" ".join(SENTENCES),
    authors=("Ann Example",),
    venue="ICML 2025",
    year=2025,
    url="https://papers.example/wells",
)


class Scripted:
    """Says on demand what a real assistant says rarely; writes a line when a stream is closed."""

    mode, n_papers, corpus_name = "scripted", 2, "fixtures"
    examples, corpora = ("slow wells",), ("fixtures",)

    def __init__(self, log: Path) -> None:
        self._log = log

    def follow_ups(self, answer: Answer) -> tuple[str, ...]:
        return (f"what after {answer.question}",) if "wells" in answer.question else ()

    async def astream(
        self,
        question: str,
        history: Sequence[Any] = (),
        filters: Filters | None = None,
        **_: object,
    ) -> AsyncIterator[Event]:
        try:
            if question == "break":
                raise RuntimeError("secret detail")
            paper = hostile_paper(question) if question.startswith("hostile") else WELLS
            passages = (Passage(1, paper, paper.abstract, 1.0),)
            yield Retrieved(Query(question, question), passages)
            if question == "fail":
                raise ProviderError("The server is busy.", hint="Ask again.")
            if question == "unsaid":
                notice = f"The abstract of [{WELLS.title}]({WELLS.url}) does not say."
                yield Finished(
                    Answer(question, question, "not_stated", passages=passages, notice=notice)
                )
                return
            if question == "nothing":
                notice = "Nothing on this among the 2 papers of fixtures."
                yield Finished(
                    Answer(question, question, "not_in_corpus", passages=passages, notice=notice)
                )
                return
            if question.startswith("list"):
                yield Finished(listed(question))
                return
            ready = weak(paper) if question == "weak" else quotes(paper)
            for sentence in ready:
                await asyncio.sleep(0.6 if question.startswith("slow") else 0)
                yield sentence
            if question == "slow for ever":
                await asyncio.sleep(3600)
            yield Finished(
                Answer(
                    question,
                    question,
                    "answered",
                    tuple(item.sentence for item in ready),
                    tuple(citation for item in ready for citation in item.citations),
                    passages,
                    dropped=(DroppedSentence("Wells sing.", "no quote"),) * (question == "weak"),
                )
            )
        finally:
            with self._log.open("a") as log:
                log.write(f"closed {question}\n")


def listed(question: str) -> Answer:
    """A census of a sure member and of one on the border that tries everything."""
    odd = hostile_paper("http://127.0.0.1:9")
    papers = (WELLS, odd)
    sure = Member(WELLS, 1, 0.97, SENTENCES[0], 0, len(SENTENCES[0]))
    unsure = Member(odd, 2, 0.4, odd.abstract, 0, len(odd.abstract))
    citation = Citation(1, WELLS, sure.quote, sure.start, sure.end)
    return Answer(
        question,
        question,
        "answered",
        (Sentence(f"“{sure.quote}”", (1,), 1.0),),
        (citation,),
        tuple(Passage(n, paper, paper.abstract, 1.0) for n, paper in enumerate(papers, 1)),
        census=Census("wells", "By a quote.", 2, 2, (sure,), (unsure,)),
    )


def quotes(paper: Paper) -> list[SentenceReady]:
    parts = SENTENCES if paper is WELLS else (paper.abstract,)
    ready = []
    for part in parts:
        start = paper.abstract.index(part)
        citation = Citation(1, paper, part, start, start + len(part))
        ready.append(SentenceReady(Sentence(f"“{part}”", (1,), 1.0), (citation,)))
    return ready


def weak(paper: Paper) -> list[SentenceReady]:
    """A sentence that is proven, and one that is shown with a warning."""
    first, second, *_ = quotes(paper)
    flagged = replace(second.sentence, text="They may cost more.", support=0.4, is_flagged=True)
    return [first, replace(second, sentence=flagged)]


def hostile_paper(question: str) -> Paper:
    """A paper that tries everything; ``question`` ends with the address that it tries to reach."""
    lure = question.split()[-1]
    tricks = (
        f"![x]({lure}/image) ![y][z]\n\n[z]: {lure}/reference\n\n<img src={lure}/tag onerror=pwn()>"
        f"<img srcset='{lure}/srcset 1x'><script>pwn()</script><svg onload=pwn()></svg>"
        f"<iframe src={lure}/frame></iframe><link rel=stylesheet href={lure}/css>"
        f"<style>body{{background:url({lure}/style)}}</style> [go](javascript:pwn()) <{lure}/auto>"
        f" <a href={lure} target=_top>[1]</a> $\\includegraphics{{{lure}/tex}}$ </p></article>"
        f"</details>\n\n# Heading\n\n```html\n<img src={lure}/fence>\n```\n\n```mermaid\ngraph TD\n```"
    )
    return Paper(
        paper_id="hostile",
        title=f"Title {tricks}",
        abstract=f"Abstract {tricks}",
        authors=(f"Author {tricks}",),
        venue=f"Venue {tricks}",
        url="javascript:pwn()",
        pdf_url="data:text/html,<script>pwn()</script>",
    )


def main() -> None:
    kind, place, port = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    if kind == "real":
        from rag import Assistant, Settings

        assistant: Any = Assistant.open(Settings(data_dir=place))
    else:
        assistant = Scripted(place)
    web.launch(
        assistant,
        port=port,
        keep_feedback=partial(append_feedback, place.with_name(FILE)),
        shelf=Shelf(place.with_name("kept.sqlite"), assistant.corpus_name, days=30),
        on_ready=lambda url: print(url, flush=True),
    )


if __name__ == "__main__":
    main()
