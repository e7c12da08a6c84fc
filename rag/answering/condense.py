"""From a follow-up to a question that stands alone, without a language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rag.answering.conversation import MATCHES, MATCHES_WELL, Conversation, Subject
from rag.answering.finding import Resolve
from rag.answering.history import History, as_turns, exchanges
from rag.answering.numbering import Numbering
from rag.answering.offers import accepted_offer
from rag.answering.pointing import (
    Correction,
    Return,
    read_correction,
    read_description,
    read_number,
    read_return,
    read_several,
)
from rag.answering.wording import (
    compares,
    corrected,
    lacks_other_side,
    replace_pronoun,
    with_titles,
    write_in,
)
from rag.records import Hit, Paper, Turn
from rag.text import normalise, split_sentences

__all__ = ["History", "as_turns", "clear_paper", "condense"]

_CLEAR_LEAD = 0.08
_QUOTE_CHARS = 40


def condense(
    question: str,
    turns: Sequence[Turn],
    resolve: Resolve,
    papers: Mapping[str, Paper] | None = None,
) -> str:
    """Write into a follow-up what it takes from earlier turns.

    Args:
        question: The latest question.
        turns: What was said before, oldest first; as much of it is looked at as
            ``rag.answering.history`` allows, the newest kept.
        resolve: Finds the paper that a text is about, if there is a clear one.
        papers: All papers by id, for answers whose sources are known.

    Returns:
        The question itself if it stands alone, else the question with the titles of the papers
        that it is about, or with the question that began the topic.
    """
    papers = papers or {}
    numbered = {
        marker: papers[paper_id]
        for marker, paper_id in Numbering.of(turns).papers.items()
        if paper_id in papers
    }
    conversation = Conversation(exchanges(turns), resolve, papers, numbered)
    if not len(conversation):
        return question
    if offer := accepted_offer(question, turns):
        return _offered(offer, conversation)
    if correction := read_correction(question):
        return _corrected(correction, conversation)
    back = read_return(question)
    if back and back.is_sure and (returned := _returned(back, conversation)):
        return returned
    if pointed := _pointed(question, conversation):
        return pointed
    if back and (returned := _returned(back, conversation)):
        return returned
    return _leaning(question, conversation)


def _offered(offer: str, conversation: Conversation) -> str:
    """What was offered, about the papers of the answer that offered it."""
    subject = conversation.subject(offer)
    if conversation.others(offer) or not subject.things:
        return f"{subject.topic} {offer}".strip()
    return write_in(offer, subject.things, read_several(offer))


def _corrected(correction: Correction, conversation: Conversation) -> str:
    """The latest question once more, about what was meant."""
    question = conversation.latest_question
    number = read_number(correction.meant)
    paper = conversation.pointed(number) if number else None
    rejected = conversation.latest_things[:1]
    subject = Subject((paper,)) if paper else conversation.described(correction.meant, but=rejected)
    if subject is not None and subject.things:
        return write_in(question, subject.things)
    return corrected(question, correction)


def _returned(back: Return, conversation: Conversation) -> str:
    """About what the question turns back to; empty where that was not spoken of."""
    number = read_number(back.what)
    paper = conversation.pointed(number) if number else None
    enough = MATCHES if back.is_sure else MATCHES_WELL
    subject = Subject((paper,)) if paper else conversation.described(back.what, at_least=enough)
    if subject is None:
        return ""
    if subject.things:
        return write_in(back.question, subject.things)
    return f"{subject.topic} {back.question}"


def _pointed(question: str, conversation: Conversation) -> str:
    """With the paper in place of ``the second one`` or ``the music paper``; empty without such."""
    number = read_number(question)
    if number and (paper := conversation.pointed(number)):
        return write_in(question, [paper], number)
    if described := read_description(question):
        enough = MATCHES if described.is_sure else MATCHES_WELL
        subject = conversation.described(described.what, at_least=enough)
        if subject is not None and subject.things:
            return write_in(question, subject.things, described)
    return ""


def _leaning(question: str, conversation: Conversation) -> str:
    if conversation.stands_alone(question):
        return question
    subject = conversation.subject(question)
    if not subject.things:
        return f"{subject.topic} {question}"
    if len(subject.things) > 1:
        return write_in(question, subject.things, read_several(question))
    if not compares(question) and not lacks_other_side(question):
        return write_in(question, subject.things, lead=conversation.lead())
    name = conversation.name_of(subject.things[0])
    if name and (written := replace_pronoun(question, name)):
        return written
    # Beside a whole title a mere name would hardly count in the search.
    others = conversation.others(question)
    if name and others:
        return write_in(question, [name])
    return write_in(with_titles(question, others), subject.things)


def clear_paper(hits: Sequence[Hit], text: str = "") -> Paper | None:
    """The paper that a search is clearly about: first for both legs, or well ahead of the next.

    Of 435 development and calibration questions about one paper this holds for 402, for the right
    paper in 396; of 48 about no paper here it holds for 12.

    Args:
        hits: The best ones, best first; two are enough for a question.
        text: What was searched for, to know a paper that it quotes, or names by its title.
    """
    if not hits:
        return None
    plain = normalise(text)
    for hit in hits:
        if normalise(hit.paper.title) in plain or _is_quoted(hit.paper, plain):
            return hit.paper
    best = hits[0]
    is_first_twice = best.ranks.dense == 1 and best.ranks.lexical == 1
    is_ahead = len(hits) == 1 or best.score - hits[1].score >= _CLEAR_LEAD
    return best.paper if is_first_twice or is_ahead else None


def _is_quoted(paper: Paper, plain: str) -> bool:
    sentences = (paper.abstract[span.start : span.end] for span in split_sentences(paper.abstract))
    return any(
        len(sentence) >= _QUOTE_CHARS and normalise(sentence) in plain for sentence in sentences
    )
