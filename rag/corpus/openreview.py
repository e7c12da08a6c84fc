"""Notes of OpenReview, as its API gives them: version 1 with plain values, version 2 wrapped."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from rag.corpus.records import RejectedRow, Row
from rag.corpus.status import says_gone
from rag.corpus.values import one_line

_SITE = "https://openreview.net"
# ICLR.cc/2018/Conference/-/Blind_Submission
_GROUP = re.compile(r"(?P<series>[A-Za-z][\w-]*)[^/]*/(?P<year>(?:19|20)\d{2})(?=/|$)")
_PREFIX = re.compile(r"(?:submitted to|accepted (?:by|at))\s+", re.IGNORECASE)
_VENUE = re.compile(r"(?P<venue>.*?(?:19|20)\d{2})\b(?P<rest>.*)")
_FORM = re.compile(r"\b(oral|spotlight|poster|notable[ -]top[ -]\d+%)\s?(?:poster)?", re.IGNORECASE)
_NO_TRACK = frozenset({"", "conference", "submission", "conference submission"})


def is_record(record: Mapping[str, object]) -> bool:
    """Whether a JSON object is a note."""
    group = record.keys() & {"invitation", "invitations", "forum"}
    return bool(group) and isinstance(record.get("content"), dict)


def make_row(note: Mapping[str, object], line: int, file: str) -> Row | RejectedRow:
    """The row of a submission; reviews, decisions and comments are rejected."""
    note_id, forum = one_line(note.get("id")), one_line(note.get("forum"))
    if forum and note_id and forum != note_id:
        reason = f"it is a reply to {forum} (a review, decision or comment), no submission"
        return RejectedRow(file, line, reason)
    content = _plain_content(note)
    where = _read_venue(note, content)
    fields = {
        "paper_id": note_id or forum,
        "title": content.get("title"),
        "abstract": content.get("abstract"),
        "authors": content.get("authors"),
        "keywords": content.get("keywords"),
        "venue": where.venue,
        "year": where.year,
        "presentation": _decision(note, content) or where.presentation,
        "track": content.get("track") or where.track,
        "url": f"{_SITE}/forum?id={forum or note_id}",
        "pdf_url": _absolute(one_line(content.get("pdf"))),
    }
    return Row(line, fields)


@dataclass(frozen=True, slots=True)
class _Where:
    venue: str
    year: str
    presentation: str = ""
    track: str = ""


def _plain_content(note: Mapping[str, object]) -> dict[str, object]:
    content = note.get("content")
    items = content.items() if isinstance(content, dict) else ()
    return {name: value.get("value") if isinstance(value, dict) else value for name, value in items}


def _read_venue(note: Mapping[str, object], content: Mapping[str, object]) -> _Where:
    """``ICML 2025 Position Paper Track poster`` in its parts; else what the group's id tells."""
    group_id = one_line(content.get("venueid")) or _invitation(note)
    group = _GROUP.search(group_id)
    year = group["year"] if group else _published(note)
    text = _PREFIX.sub("", one_line(content.get("venue")))
    gone = next((told for told in (text, _last_part(group_id)) if says_gone(told)), "")
    said = _VENUE.fullmatch(text)
    if not said:
        venue = f"{group['series']} {year}" if group else ""
        return _Where(text or venue, year, gone)
    form = _FORM.search(said["rest"])
    track = " ".join(_FORM.sub(" ", said["rest"]).split())
    return _Where(
        venue=said["venue"],
        year=said["venue"],
        presentation=gone or (form[1].lower() if form else ""),
        track="" if track.lower() in _NO_TRACK or gone else track,
    )


def _last_part(group_id: str) -> str:
    return group_id.rpartition("/")[2].replace("_", " ")


def _published(note: Mapping[str, object]) -> str:
    """The year of a note's time stamp, which is in milliseconds."""
    for name in ("pdate", "odate", "cdate"):
        stamp = note.get(name)
        if isinstance(stamp, int) and 0 < stamp < 4e12:
            return str(datetime.fromtimestamp(stamp / 1000, UTC).year)
    return ""


def _invitation(note: Mapping[str, object]) -> str:
    invitations = note.get("invitations")
    first = invitations[0] if isinstance(invitations, list) and invitations else ""
    return one_line(note.get("invitation") or first or note.get("domain"))


def _decision(note: Mapping[str, object], content: Mapping[str, object]) -> str:
    """From the note, or from the decision among its replies if they were asked for."""
    if one_line(content.get("withdrawal")).lower() == "confirmed":
        return "Withdrawn"
    details = note.get("details")
    details = details if isinstance(details, dict) else {}
    replies = details.get("directReplies") or details.get("replies") or ()
    decisions = [
        decision
        for reply in replies
        if isinstance(reply, dict)
        and _invitation(reply).endswith("Decision")
        and (decision := one_line(_plain_content(reply).get("decision")))
    ]
    return one_line(content.get("decision")) or next(iter(decisions), "")


def _absolute(address: str) -> str:
    return _SITE + address if address.startswith("/") else address
