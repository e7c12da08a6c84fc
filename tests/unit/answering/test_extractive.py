"""Answers by quotation: whole sentences, the best first, each paper introduced once."""

import random
import re

import pytest

from rag.answering import extractive
from rag.answering.citations import Proven, prove
from rag.records import Paper, Passage

SEEDS = range(40)


@pytest.fixture
def drafts(read_paper):
    def drafts(*read, several: bool = False):
        return list(extractive.write(dict(enumerate(read, start=1)), several=several))

    return drafts


@pytest.fixture
def random_read(small_papers, read_paper):
    """Some papers with random scores, most relevant first."""

    def random_read(seed: int):
        choice = random.Random(seed)  # noqa: S311 - no secret
        papers = choice.sample(list(small_papers.values()), k=choice.randint(1, 5))
        n_sentences = {paper.paper_id: len(read_paper(paper).sentences) for paper in papers}
        return [
            read_paper(paper, [choice.uniform(-6, 9) for _ in range(n_sentences[paper.paper_id])])
            for paper in papers
        ]

    return random_read


def quoted(draft) -> str:
    (quote,) = draft.quotes
    return quote.text


@pytest.mark.parametrize("several", [False, True], ids=["one", "several"])
@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_the_scores_the_answer_keeps_the_rules(seed, several, random_read, drafts) -> None:
    read = random_read(seed)
    made = drafts(*read, several=several)
    spoken: list[int] = []
    for draft in made:
        (quote,) = draft.quotes
        item = read[quote.marker - 1]
        sentences = [item.quote(number) for number in range(len(item.sentences))]
        assert quote.text in sentences, "only whole sentences are quoted"
        is_first = quote.marker not in spoken
        assert draft.starts_paragraph == is_first
        assert (f"**{item.hit.paper.title}**" in draft.text) == is_first
        assert draft.text.endswith(f"“{quote.text}”")
        if is_first:
            assert quote.text == item.quote(item.best_first()[0]), "the best sentence comes first"
        assert is_first or quote.marker == spoken[-1], "a paper speaks once, without a break"
        spoken.append(quote.marker)
    texts = [(draft.quotes[0].marker, draft.quotes[0].start) for draft in made]
    assert len(set(texts)) == len(texts), "no sentence is repeated"
    assert bool(made) == any(item.sentences for item in read)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_draft_passes_the_gate(seed, random_read, drafts) -> None:
    read = random_read(seed)
    passages = {
        marker: Passage(marker, item.hit.paper, item.hit.paper.abstract, 1.0)
        for marker, item in enumerate(read, start=1)
    }
    for draft in drafts(*read, several=True):
        proven = prove(draft, passages)
        assert isinstance(proven, Proven)
        assert proven.sentence.support == 1.0
        (citation,) = proven.citations
        assert citation.start == draft.quotes[0].start


def test_the_fact_comes_before_what_explains_it(small_papers, read_paper, drafts) -> None:
    made = drafts(read_paper(small_papers["wells"], [6.5, 8.0, 7.0, -9.0]))
    assert quoted(made[0]).startswith("We release a dataset of 213,000 wells")
    rest = [quoted(draft) for draft in made[1:]]
    abstract = small_papers["wells"].abstract
    assert rest == sorted(rest, key=abstract.index), "what follows keeps the abstract's order"
    assert not any("81.5" in text for text in rest)


def test_a_paper_is_introduced_by_title_author_and_year(small_papers, read_paper, drafts) -> None:
    made = drafts(read_paper(small_papers["wells"], [1, 9, 1, 1]))
    assert made[0].text.startswith("**Counting Wells from Orbit** (Example et al., 2025): “")


def test_a_paper_without_authors_and_year_is_introduced_by_its_title(read_paper, drafts) -> None:
    made = drafts(read_paper(Paper("p", "A Title", "One sentence."), [3]))
    assert made[0].text == "**A Title**: “One sentence.”"


def test_a_question_for_several_gets_one_entry_for_each(small_papers, read_paper, drafts) -> None:
    read = [read_paper(small_papers[name]) for name in ("wells", "sparse", "graphs")]
    made = drafts(*read, several=True)
    assert {draft.quotes[0].marker for draft in made} == {1, 2, 3}
    assert sum(draft.starts_paragraph for draft in made) == 3


def test_a_paper_that_answers_far_worse_is_not_quoted(small_papers, read_paper, drafts) -> None:
    strong = read_paper(small_papers["wells"], [9, 9, 9, 9])
    weak = read_paper(small_papers["sparse"], [-9, -9, -9, -9], about=-9)
    for several in (False, True):
        assert {draft.quotes[0].marker for draft in drafts(strong, weak, several=several)} == {1}


def test_a_whole_abstract_is_never_dumped(read_paper, drafts) -> None:
    text = " ".join(f"Finding number {number} holds." for number in range(12))
    made = drafts(read_paper(Paper("p", "Title", text), [5.0] * 12))
    assert 1 <= len(made) <= 4


def test_papers_without_abstracts_say_nothing(small_papers, read_paper, drafts) -> None:
    assert drafts(read_paper(small_papers["untold"], answerable=9.0)) == []
    assert drafts() == []


def test_quotes_are_shown_as_published_with_their_latex(small_papers, read_paper, drafts) -> None:
    made = drafts(read_paper(small_papers["iris"], [-5, 9, -5]))
    assert re.search(r"“We present \$\\Delta\$-IRIS, .*\(cf\. video codecs\)\.”$", made[0].text)
