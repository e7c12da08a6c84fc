"""What kind of question it is, as far as that decides how to look and how to answer."""

from __future__ import annotations

import re

from rag.text import normalise, search_terms

_SMALL_TALK = re.compile(
    r"(hi|hey|hello|hallo|good (morning|afternoon|evening|day)|greetings|yo|howdy|thanks?|thank you|"
    r"cheers|thx|bye|goodbye|see you|ok|okay|yes|no|great|cool|nice|test|testing|help|help me|start|"
    r"how are you|how is it going|what is up|whats up|sup|"
    r"who are you|what are you|what is this|what can you do|what do you do|what can i ask( you)?|"
    r"how does this work|how do you work|are you (a )?(bot|human|robot|ai))"
    r"( there| all| everyone| so much| a lot| very much| symposia| please| today)*"
)
_SEVERAL = re.compile(
    r"\b(which|what|these|those|the|two|three|several|all|any|other|more|list|name|find) "
    r"(\w+ ){0,3}?(papers|works|studies|articles|benchmarks|datasets|data sets|methods|approaches|authors)\b"
    r"|\b(papers|works|studies) (here|that|which|on|about|in)\b"
    r"|\b(each|respectively|on the one hand|in common|both)\b"
    r"|\b(list|survey|overview)\b"
)
_COMPARISON = re.compile(
    r"\b(compare[ds]?|comparing|comparison|versus|vs|differ|differs|difference|differences|unlike|"
    r"in contrast|rather than)\b"
)
_CLAUSE_ENDS = re.compile(
    r";|:|,|\.\s|\?\s|\band\b|\bor\b|\bversus\b|\bvs\b\.?|\bwhile\b|\bwhereas\b|\bcompared (?:to|with)\b|\bfrom\b(?= \w+ in what)"
)
_MIN_CLAUSE_TERMS = 2


def is_small_talk(question: str) -> bool:
    """Whether it is no question about papers: empty, only symbols, a greeting, thanks."""
    words = re.findall(r"\w+", normalise(question))
    if not words:
        return True
    return _SMALL_TALK.fullmatch(" ".join(words)) is not None


def wants_several(question: str) -> bool:
    """Whether more than one paper is needed: a list, both sides of a comparison."""
    plain = normalise(question)
    return bool(_SEVERAL.search(plain) or is_comparison(plain))


def is_comparison(question: str) -> bool:
    """Whether it sets things side by side."""
    return _COMPARISON.search(normalise(question)) is not None


def clauses(question: str) -> list[str]:
    """The parts of a question that may each be about another paper; none if it has one part."""
    parts = [part.strip() for part in _CLAUSE_ENDS.split(question) if part]
    parts = [part for part in parts if len(search_terms(part)) >= _MIN_CLAUSE_TERMS]
    return parts if len(parts) > 1 else []
