"""The claims keep the promises of their README, and become examples."""

from collections import Counter

import pytest

from eval.cases import SEED_CASES
from eval.planting import Claim, Planted, load_claims
from eval.training.claims import CLAIMS, support_examples, verbatim_claims
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


def test_every_paper_has_four_true_four_false_and_two_absent_claims():
    counts = Counter((claim.paper_id, claim.label) for claim in load_claims(CLAIMS, load_papers()))
    assert set(counts.values()) == {4, 2}
    papers = {paper_id for paper_id, _ in counts}
    assert len(papers) == 880
    assert all(counts[paper_id, "N"] == 2 for paper_id in papers)


def test_no_claim_is_made_twice_or_measured_with():
    papers = {paper.paper_id: paper for paper in load_corpus(CALIBRATION / "papers.jsonl").papers}
    measured = load_claims(CALIBRATION / "claims.jsonl", papers)
    assert len(measured) == 600
    trained = load_claims(CLAIMS, load_papers())
    counts = Counter((claim.paper_id, letters(claim.text)) for claim in (*trained, *measured))
    assert [claim for claim, n in counts.items() if n > 1] == []
    assert not {letters(claim.text) for claim in measured} & {letters(c.text) for c in trained}


@pytest.fixture
def examples():
    planted = [
        Planted("number", "The authors count 13,000 wells in Alberta.", "wells", TRUE),
        Planted("paper", TRUE.text, "rivers", TRUE),
    ]
    return list(support_examples([TRUE, FALSE], planted, PAPERS, {TRUE.text: (RIVERS,)}))


def test_a_claim_stands_beside_its_own_sentences(examples):
    first, second, *_ = examples
    assert (first.question, first.paper.abstract) == (
        TRUE.text,
        "We count 213,000 wells in Alberta.",
    )
    assert (first.answered, first.about, first.sentences) == (True, True, (0,))
    assert (second.question, second.paper.abstract) == (FALSE.text, "Wells leak methane.")
    assert (second.answered, second.about, second.sentences) == (False, True, ())


def test_what_was_planted_is_not_supported_by_what_proved_the_truth(examples):
    changed = [example for example in examples if " 13,000 " in example.question]
    assert [example.answered for example in changed] == [False]
    assert changed[0].paper.abstract == "We count 213,000 wells in Alberta."


def test_a_true_claim_is_not_supported_by_other_sentences(examples):
    *_, own, other = examples
    assert own.paper.paper_id == "wells"
    assert own.paper.abstract != "We count 213,000 wells in Alberta."
    assert (own.answered, own.about) == (False, True)
    assert other.paper.paper_id == "rivers"
    assert (other.answered, other.about) == (False, False)


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
