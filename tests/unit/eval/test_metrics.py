"""The metrics against perfect answers and against planted failures."""

import dataclasses
import math

import pytest

from eval.metrics import METRICS, Score, score_all
from eval.metrics.citations import citation_validity, n_sentences, quoted_share
from eval.metrics.facts import fact_first, gold_fact
from eval.metrics.outcomes import correct_refusal, exact_refusal, false_refusal, outcome
from eval.metrics.papers import gold_first, gold_recall, named_paper
from rag.records import Sentence

FACT = "We release data on 213,000 wells in Alberta."


def faults(case, answer):
    scores = score_all(case, answer)
    return [metric.name for metric in METRICS if metric.failed(scores[metric.name])]


@pytest.fixture(params=["fact", "two_papers", "not_stated", "not_in_corpus"])
def any_case(request, make_case):
    return make_case() if request.param == "fact" else request.getfixturevalue(request.param)


def test_a_perfect_answer_has_no_fault(any_case, perfect):
    assert faults(any_case, perfect(any_case)) == []


def test_metrics_apply_where_they_mean_something(make_case, not_stated, not_in_corpus, perfect):
    def applying(case):
        scores = score_all(case, perfect(case))
        return {name for name, score in scores.items() if score.value is not None}

    always = {"citation_validity", "outcome"}
    refusing = {"correct_refusal", "exact_refusal"}
    answering = {"gold_first", "gold_recall", "gold_fact", "false_refusal"}
    shape = {"n_sentences", "quoted_share"}
    assert applying(make_case()) == always | answering | shape | {"fact_first"}
    assert applying(make_case(kind="typo")) == always | answering | shape
    assert applying(not_stated) == always | refusing | {"named_paper"}
    assert applying(not_in_corpus) == always | refusing


def test_the_wrong_paper_first(make_case, quoting):
    answer = quoting(("caves", "Caves are deep."), ("wells", FACT))
    score = gold_first(make_case(), answer)
    assert score == Score(0.0, "cites caves first")
    assert gold_recall(make_case(), answer).value == 1.0
    assert fact_first(make_case(), answer).value == 0.0
    assert gold_fact(make_case(), answer).value == 1.0


def test_first_is_the_first_sentence_and_not_the_lowest_marker(make_case, quoting):
    answer = quoting(("caves", "Caves are deep."), ("wells", FACT))
    turned = dataclasses.replace(answer, sentences=answer.sentences[::-1])
    assert gold_first(make_case(), turned).value == 1.0


def test_only_the_wrong_paper(make_case, quoting):
    answer = quoting(("caves", "Caves are deep."))
    assert faults(make_case(), answer) == ["gold_first", "gold_recall", "gold_fact"]
    assert gold_recall(make_case(), answer) == Score(0.0, "does not cite wells")
    assert gold_fact(make_case(), answer) == Score(0.0, "missing: 213000; Alberta")


def test_one_of_two_papers(two_papers, quoting):
    answer = quoting(("wells", FACT))
    assert gold_recall(two_papers, answer) == Score(0.5, "does not cite caves")
    assert gold_first(two_papers, answer).value is None
    assert gold_fact(two_papers, answer) == Score(0.0, "missing: 97.1%")


def test_an_unanswered_answerable_question_counts_as_zero(make_case, refusal):
    answer = refusal("not_stated", "wells")
    case = make_case()
    for metric in (gold_first, gold_recall, gold_fact, fact_first, outcome):
        assert metric(case, answer).value == 0.0, metric
    assert false_refusal(case, answer).value == 1.0


def test_a_number_in_a_marker_or_in_the_notice_is_no_fact(make_case, quoting, refusal):
    case = make_case(gold_facts=(("1",),))
    assert gold_fact(case, quoting(("wells", "Wells leak."))).value == 0.0
    notice = dataclasses.replace(refusal("not_stated", "wells"), notice="There is 1.")
    assert gold_fact(case, notice).value == 0.0


# ---- citations ------------------------------------------------------------------------------


def with_citation(answer, **changes):
    return dataclasses.replace(
        answer, citations=(dataclasses.replace(answer.citations[0], **changes),)
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"start": 13},
        {"end": 10**9},
        {"start": -44},
        {"quote": "We release data on 214,000 wells in Alberta."},
        {"quote": "", "start": 5, "end": 5},
        {"start": 56, "end": 12},
    ],
)
def test_forged_quotes_and_offsets(make_case, quoting, changes):
    answer = with_citation(quoting(("wells", FACT)), **changes)
    score = citation_validity(make_case(), answer)
    assert score.value == 0.0
    assert "of wells" in score.reason


def test_an_end_past_the_abstract_is_no_proof_though_the_slice_is_equal(make_case, quoting, wells):
    answer = with_citation(quoting(("wells", "Many leak gas.")), end=len(wells.abstract) + 5)
    citation = answer.citations[0]
    assert wells.abstract[citation.start : citation.end] == citation.quote
    assert citation_validity(make_case(), answer).value == 0.0


def test_a_citation_of_a_paper_that_was_not_read(make_case, quoting, caves):
    answer = quoting(("wells", FACT))
    swapped = with_citation(answer, paper=caves, quote="Caves are deep.", start=0, end=15)
    assert "caves, which was not read" in citation_validity(make_case(), swapped).reason


def test_a_marker_without_a_citation(make_case, quoting):
    answer = dataclasses.replace(quoting(("wells", FACT)), citations=())
    assert citation_validity(make_case(), answer) == Score(
        0.0, "sentence 1 has the marker [1] without a citation"
    )


def test_a_sentence_without_a_marker(make_case, quoting):
    answer = quoting(("wells", FACT))
    bare = Sentence("Trust me.", (), 1.0)
    answer = dataclasses.replace(answer, sentences=(*answer.sentences, bare))
    assert citation_validity(make_case(), answer) == Score(0.0, "sentence 2 has no marker")


def test_a_citation_that_no_sentence_uses(make_case, quoting):
    answer = quoting(("wells", FACT), ("caves", "Caves are deep."))
    answer = dataclasses.replace(answer, sentences=answer.sentences[:1])
    assert citation_validity(make_case(), answer) == Score(
        0.0, "citation [2] belongs to no sentence"
    )


@pytest.mark.parametrize("support", [math.nan, 1.5, -0.1])
def test_an_impossible_support(make_case, quoting, support):
    answer = quoting(("wells", FACT))
    odd = (dataclasses.replace(answer.sentences[0], support=support),)
    assert citation_validity(make_case(), dataclasses.replace(answer, sentences=odd)).value == 0.0


def test_an_answer_without_sentences(make_case, refusal):
    empty = dataclasses.replace(refusal("not_stated"), status="answered")
    assert citation_validity(make_case(), empty) == Score(0.0, "answered without a sentence")


@pytest.mark.parametrize("status", ["not_stated", "not_in_corpus"])
def test_a_refusal_with_citations(not_stated, quoting, status):
    answer = dataclasses.replace(quoting(("wells", FACT)), status=status)
    only_sentences = dataclasses.replace(answer, citations=())
    only_citations = dataclasses.replace(answer, sentences=())
    for refused in (answer, only_sentences, only_citations):
        assert citation_validity(not_stated, refused).value == 0.0


def test_a_dumped_abstract_is_visible(make_case, quoting, wells):
    pieces = [piece + "." for piece in wells.abstract.rstrip(".").split(". ")]
    dump = quoting(*(("wells", piece) for piece in pieces))
    modest = quoting(("wells", "Wells leak."))
    assert n_sentences(make_case(), dump).value == 4
    assert quoted_share(make_case(), dump).value > 0.95
    assert quoted_share(make_case(), modest).value == pytest.approx(11 / len(wells.abstract))


def test_a_forged_end_cannot_quote_more_than_the_abstract(make_case, quoting, wells):
    answer = with_citation(quoting(("wells", "Wells leak.")), end=10**6)
    assert quoted_share(make_case(), answer).value == 1.0


def test_a_sentence_quoted_twice_counts_once(make_case, quoting):
    once, twice = quoting(("wells", FACT)), quoting(("wells", FACT), ("wells", FACT))
    assert quoted_share(make_case(), once) == quoted_share(make_case(), twice)


# ---- outcomes -------------------------------------------------------------------------------


def test_answering_the_unanswerable(not_stated, not_in_corpus, quoting):
    answer = quoting(("wells", FACT))
    for case in (not_stated, not_in_corpus):
        assert outcome(case, answer).value == 0.0
        assert correct_refusal(case, answer).value == 0.0
        assert exact_refusal(case, answer).value == 0.0
        assert false_refusal(case, answer).value is None
    assert named_paper(not_stated, answer).value == 0.0


def test_the_other_refusal_is_correct_but_not_exact(not_stated, not_in_corpus, refusal):
    for case, answer in (
        (not_stated, refusal("not_in_corpus", "wells")),
        (not_in_corpus, refusal("not_stated", "wells")),
    ):
        assert correct_refusal(case, answer).value == 1.0
        assert exact_refusal(case, answer).value == 0.0
        assert outcome(case, answer).value == 0.0
    assert named_paper(not_stated, refusal("not_in_corpus", "wells")).value == 0.0


def test_the_wrong_paper_is_named(not_stated, refusal):
    assert named_paper(not_stated, refusal("not_stated", "caves", "wells")).value == 0.0
    assert named_paper(not_stated, refusal("not_stated")) == Score(0.0, "names no paper")


def test_a_false_premise_may_be_refused_or_contradicted(make_case, quoting, refusal):
    case = make_case(kind="wrong_premise", expected=("not_stated", "answered"))
    assert outcome(case, refusal("not_stated", "wells")).value == 1.0
    assert outcome(case, quoting(("wells", FACT))).value == 1.0
    assert outcome(case, quoting(("wells", "Wells leak."))).value == 0.0
    assert outcome(case, refusal("not_in_corpus")).value == 0.0
    assert correct_refusal(case, refusal("not_stated", "wells")).value is None


# ---- scores ---------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_score_is_never_nan(value):
    with pytest.raises(ValueError, match="finite"):
        Score(value)


def test_what_does_not_apply_is_no_fault():
    assert not any(metric.failed(Score(None)) for metric in METRICS)


def test_metric_names_are_unique():
    assert len({metric.name for metric in METRICS}) == len(METRICS)


def test_a_record_must_be_that_of_the_cited_paper(make_case, quoting):
    answer = quoting(("wells", FACT))
    citation = answer.citations[0]

    def validity(record, **changes):
        cited = dataclasses.replace(citation, record=record, **changes)
        return citation_validity(make_case(), dataclasses.replace(answer, citations=(cited,)))

    title = f"Title: {citation.paper.title}"
    assert validity(title).value == 1.0
    assert validity(title, quote="", start=0, end=0).value == 1.0
    assert validity("", quote="", start=0, end=0).value == 0.0
    assert validity("Title: Another").reason.startswith("citation [1] is not in the record")
    assert validity(title, quote="Another.").value == 0.0
