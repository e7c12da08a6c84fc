"""The claims keep the promises of their README, and become examples."""

from collections import Counter

import pytest

from eval.cases import SEED_CASES
from eval.planting import Claim, Planted, load_claims
from eval.training.claims import CLAIMS, MORE_CLAIMS, support_examples, verbatim_claims
from eval.training.examples import load_papers
from rag.corpus import load_corpus
from rag.records import Paper

CALIBRATION = SEED_CASES.parent / "calibration"
WELLS = Paper(
    "wells",
    "Counting Wells",
    "Wells leak methane. We count 213,000 wells in Alberta. A small network finds most of them.",
)
RIVERS = Paper("rivers", "Counting Rivers", "Rivers flow. We count 20 rivers in Alberta.")
PAPERS = {paper.paper_id: paper for paper in (WELLS, RIVERS)}
TRUE = Claim("wells", "S", (1,), "-", "The authors count 213,000 wells in Alberta.")
FALSE = Claim("wells", "C", (0,), "negation", "Wells never leak methane.")


def letters(text):
    return "".join(filter(str.isalnum, text.casefold()))


@pytest.mark.parametrize(("path", "n_papers"), [(CLAIMS, 880), (MORE_CLAIMS, 67)])
def test_every_paper_has_four_true_four_false_and_two_absent_claims(path, n_papers):
    counts = Counter((claim.paper_id, claim.label) for claim in load_claims(path, load_papers()))
    assert set(counts.values()) == {4, 2}
    papers = {paper_id for paper_id, _ in counts}
    assert len(papers) == n_papers
    assert all(counts[paper_id, "N"] == 2 for paper_id in papers)


def test_the_papers_of_later_claims_are_others():
    papers = load_papers()
    first, later = (
        {claim.paper_id for claim in load_claims(path, papers)} for path in (CLAIMS, MORE_CLAIMS)
    )
    assert first.isdisjoint(later)


def test_no_claim_is_made_twice_or_measured_with():
    papers = {paper.paper_id: paper for paper in load_corpus(CALIBRATION / "papers.jsonl").papers}
    measured = load_claims(CALIBRATION / "claims.jsonl", papers)
    assert len(measured) == 600
    papers = load_papers()
    trained = (*load_claims(CLAIMS, papers), *load_claims(MORE_CLAIMS, papers))
    counts = Counter((claim.paper_id, letters(claim.text)) for claim in (*trained, *measured))
    assert [claim for claim, n in counts.items() if n > 1] == []
    assert not {letters(claim.text) for claim in measured} & {letters(c.text) for c in trained}


@pytest.fixture
def examples():
    """Of 100 times the same two claims."""
    planted = [
        Planted("number", "The authors count 13,000 wells in Alberta.", "wells", TRUE),
        Planted("paper", TRUE.text, "rivers", TRUE),
    ]
    nearest = {TRUE.text: (RIVERS,)}
    return list(support_examples([TRUE, FALSE] * 100, planted * 100, PAPERS, nearest))


def test_a_claim_stands_beside_its_own_sentences_a_true_one_twice(examples):
    first, second, third, *_ = examples
    for example in (first, second):
        assert example.question == TRUE.text
        assert example.paper.abstract == "We count 213,000 wells in Alberta."
        assert (example.answered, example.about, example.sentences) == (True, True, (0,))
    assert (third.question, third.paper.abstract) == (FALSE.text, "Wells leak methane.")
    assert (third.answered, third.about, third.sentences) == (False, True, ())


def test_some_of_what_was_planted_stands_beside_what_proved_the_truth(examples):
    changed = [example for example in examples if " 13,000 " in example.question]
    assert 25 < len(changed) < 55
    assert not any(example.answered for example in changed)
    assert {example.paper.abstract for example in changed} == {"We count 213,000 wells in Alberta."}


def test_a_true_claim_is_not_supported_by_other_sentences(examples):
    elsewhere = [e for e in examples if e.question == TRUE.text and not e.answered]
    assert 70 < len(elsewhere) < 130
    for example in elsewhere:
        assert example.paper.abstract != "We count 213,000 wells in Alberta."
        assert example.about is (example.paper.paper_id == "wells")
    assert {example.paper.paper_id for example in elsewhere} == {"wells", "rivers"}


def test_titles_stand_before_about_half_of_the_texts():
    examples = list(support_examples([TRUE] * 200, [], PAPERS, {TRUE.text: ()}))
    titled = sum(example.paper.title == "Counting Wells" for example in examples)
    assert 0.4 * len(examples) < titled < 0.6 * len(examples)


def test_sentences_prove_themselves():
    claims = verbatim_claims(PAPERS, share=1)
    assert [claim.text for claim in claims[:2]] == [
        "Wells leak methane.",
        "We count 213,000 wells in Alberta.",
    ]
    assert all(
        claim.honest and claim.proof(PAPERS[claim.paper_id]) == claim.text for claim in claims
    )
