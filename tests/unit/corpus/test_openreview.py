"""Notes of OpenReview in both versions of its API."""

from __future__ import annotations

import pytest

from rag.corpus.openreview import is_record, make_row
from rag.corpus.records import RejectedRow
from rag.corpus.status import says_gone

SUBMISSION = ["ICML.cc/2025/Conference/-/Submission"]


def fields(content, **note):
    record = {"id": "abc", "forum": "abc", "invitations": SUBMISSION, "content": content} | note
    assert is_record(record)
    return make_row(record, 1, "notes.json").fields


def wrapped(**values):
    return {name: {"value": value} for name, value in values.items()}


def test_version_2():
    found = fields(
        wrapped(
            title="T", abstract="A.", authors=["A B"], keywords=["k"], pdf="/pdf/x.pdf",
            venue="ICML 2025 spotlightposter", venueid="ICML.cc/2025/Conference",
        )
    )  # fmt: skip
    assert found["paper_id"] == "abc"
    assert (found["title"], found["abstract"], found["authors"]) == ("T", "A.", ["A B"])
    assert (found["venue"], found["year"]) == ("ICML 2025", "ICML 2025")
    assert (found["presentation"], found["track"]) == ("spotlight", "")
    assert found["url"] == "https://openreview.net/forum?id=abc"
    assert found["pdf_url"] == "https://openreview.net/pdf/x.pdf"


def test_version_1():
    found = fields(
        {"title": "T", "abstract": "A.", "authors": ["A B"], "decision": "Accept (Oral)"},
        invitations=None,
        invitation="ICLR.cc/2018/Conference/-/Blind_Submission",
    )
    assert (found["venue"], found["year"]) == ("ICLR 2018", "2018")
    assert found["presentation"] == "Accept (Oral)"


@pytest.mark.parametrize(
    ("venue", "expected"),
    [
        ("ICML 2025 Position Paper Track poster", ("ICML 2025", "poster", "Position Paper Track")),
        ("NeurIPS 2023 oral", ("NeurIPS 2023", "oral", "")),
        ("ICLR 2023 notable top 5%", ("ICLR 2023", "notable top 5%", "")),
        ("Submitted to ICLR 2024", ("ICLR 2024", "", "")),
        ("Accepted by TMLR", ("TMLR", "", "")),
    ],
)
def test_venues(venue, expected):
    found = fields(wrapped(title="T", venue=venue))
    assert (found["venue"], found["presentation"], found["track"]) == expected


@pytest.mark.parametrize(
    ("content", "note"),
    [
        (wrapped(venue="ICLR 2024", venueid="ICLR.cc/2024/Conference/Withdrawn_Submission"), {}),
        (wrapped(venue="Submitted to X 2024", venueid="X.cc/2024/Conference/Rejected_Submission"), {}),
        (wrapped(venue="ICLR 2024 Conference Desk Rejected Submission"), {}),
        (wrapped(venue="Rejected by TMLR"), {}),
        ({"withdrawal": "Confirmed"}, {}),
        ({"decision": "Reject"}, {}),
        ({}, {"invitations": ["ICLR.cc/2021/Conference/-/Desk_Rejected_Submission"]}),
        ({}, {"details": {"directReplies": [
            {"invitation": "X/-/Official_Review", "content": {"rating": "9"}},
            {"invitation": "X/-/Decision", "content": {"decision": "Reject"}}]}}),
    ],
)  # fmt: skip
def test_what_was_turned_down(content, note):
    assert says_gone(fields(content, **note)["presentation"])


def test_without_a_group_the_time_stamp_tells_the_year():
    found = fields(wrapped(title="T", venue="Accepted by TMLR"), invitations=["TMLR/-/Paper"],
                   pdate=1_700_000_000_000)  # fmt: skip
    assert (found["venue"], found["year"]) == ("TMLR", "2023")


def test_replies_are_no_papers():
    note = {"id": "x", "forum": "abc", "content": {"title": "Decision"}}
    row = make_row(note, 3, "notes.json")
    assert isinstance(row, RejectedRow)
    assert str(row) == (
        "notes.json:3: it is a reply to abc (a review, decision or comment), no submission"
    )


def test_recognition():
    assert not is_record({"content": "text", "forum": "x"})
    assert not is_record({"title": "T", "content": {}})
