"""Whether a claim agrees with its quotes in what a word-for-word check can decide.

Numbers, names, addresses, directions, negations and who beats whom. A support score may be high
where one of them is wrong; here one wrong word is enough, and the word is told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rag.answering.amounts import missing_quantity
from rag.answering.contests import turned_round
from rag.answering.polarity import Clauses, clash, stem
from rag.answering.tidying import addresses
from rag.records import Paper
from rag.text import normalise, strip_markup

Kind = Literal["number", "name", "address", "direction", "negation", "order"]

_WORD = re.compile(r"[^\W_]+(?:[-.'\u2019/+&_][^\W_]+)*")
_AMOUNT = re.compile(
    r"\d[\d.,]*(?:k|m|mn|b|bn|t|x|ms|s|h|[kmgt]b|g?hz|fold|st|nd|rd|th|bit)?", re.IGNORECASE
)
_BEGINS = re.compile(r"(?:\A|[.!?:]\s|[\u201c\"]|\n)[\s\u201c\"'(*_-]*\Z")
_OPENING_WORDS = re.compile(r"(?P<first>[A-Z][\w-]*)\s+(?P<next>[a-z][\w-]*\s+[\w-]+)")
_PARTS = re.compile(r"[-/+&]")
_SEPARATE = re.compile(r"[\W_]+")
# German writes all nouns with capitals.
_GERMAN = re.compile(
    r"\b(?:der|die|das|den|dem|des|und|ist|sind|nicht|ein|eine|einen|mit|von|zu|im|auf|f\u00fcr)\b",
    re.IGNORECASE,
)
_OWN_NAME = re.compile(
    r"\b(?:propos\w*|present\w*|introduc\w*|develop\w*|releas\w*|call\w*|named?|dubb\w*|term\w*"
    r"|creat\w*|contribut\w*|offer\w*)\s+(?:[^\s.;:]+\s+){0,3}?"
    r"[*_`$({\\a-z]{0,12}(?P<name>[A-Z][\w-]*[A-Z0-9][\w-]*)"
)
_ALIASES = {
    "llm": "languagemodel",
    "dnn": "neuralnetwork",
    "vlm": "visionlanguagemodel",
    "mlp": "multilayerperceptron",
    "vae": "variationalautoencoder",
    "gnn": "graphnetwork",
    "rl": "reinforcementlearning",
    "mdp": "markovdecisionprocess",
}
# What the whole field calls itself and its tools: said of a paper wherever its abstract allows it.
_COMMON = frozenset("ai ml nlp llm lm gpu sota".split())  # noqa: SIM905
_MAX_GRAM = 5


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One word of a claim that its quotes contradict or do not have."""

    kind: Kind
    word: str
    reason: str
    """For the reader of a dropped sentence."""


def disagreement(claim: str, quotes: Sequence[str], papers: Sequence[Paper]) -> Disagreement | None:
    """The first thing in which a claim does not agree with what is to prove it.

    Args:
        claim: One sentence without markers.
        quotes: The words of the abstracts that are to prove it.
        papers: Which they come from; their titles, authors and own names may be used.
    """
    evidence = "\n".join(quotes)
    said = without_titles(claim, papers)
    years = [float(paper.year) for paper in papers if paper.year]
    if quantity := missing_quantity(said, evidence, years):
        word = _as_written(quantity.text, said)
        return Disagreement("number", word, f"the number {word} is not in the source's words")
    if address := _missing_address(said, papers):
        return Disagreement("address", address, "it gives an address that the source does not")
    if name := _missing_name(said, evidence, papers):
        return Disagreement("name", name, f"\u201c{name}\u201d is not in the source's words")
    return _contradiction(said, evidence, papers)


def without_titles(claim: str, papers: Sequence[Paper]) -> str:
    """A claim in which the titles of papers are replaced by "the paper"."""
    for paper in papers:
        title = " ".join(paper.title.split())
        claim = claim.replace(f"\u201c{title}\u201d", "the paper").replace(
            f'"{title}"', "the paper"
        )
    return claim


def _as_written(text: str, claim: str) -> str:
    """A number as the claim has it: ``213,000`` for the normal form ``213000``."""
    found = re.search(",?".join(re.escape(sign) for sign in text), claim, re.IGNORECASE)
    return found[0] if found else text


def _missing_address(claim: str, papers: Sequence[Paper]) -> str:
    known = " ".join(paper.abstract for paper in papers)
    return next((address for address in addresses(claim) if address not in known), "")


def _missing_name(claim: str, evidence: str, papers: Sequence[Paper]) -> str:
    """The first name of a claim that is neither in its evidence nor one of the papers' own."""
    own = [name for paper in papers for name in (paper.title, *paper.other_titles, *paper.authors)]
    own += [name for paper in papers for name in own_names(paper)]
    known = _Known("\n".join([evidence, *own]))
    abstracts = _Known("\n".join(paper.abstract for paper in papers))
    for run in _name_runs(claim):
        if len(run.initials) > 1 and known.has(run.initials):
            continue
        for word in run.words:
            is_common = word.removesuffix("s").lower() in _COMMON and abstracts.has_name(word)
            if not is_common and not known.has_name(word):
                return word
    return _swapped_first(claim, evidence, known)


def _swapped_first(claim: str, evidence: str, known: _Known) -> str:
    """The first word of a claim, where the evidence has a name in its place.

    That a first word has a capital does not tell a name; what stands before the same words in the
    evidence does: "Texas has many ..." against "Alberta has many ...".
    """
    opening = _OPENING_WORDS.match(strip_markup(claim))
    if opening is None or _is_name(opening["first"], capitals_count=False):
        return ""
    if known.has_name(opening["first"]) or not stem(opening["first"]):
        return ""
    following = re.escape(opening["next"])
    for before in re.findall(rf"([^\W_][\w-]*)\s+{following}\b", strip_markup(evidence)):
        is_named = _is_name(before, capitals_count=True) and stem(before.lower())
        if is_named and before.lower() not in claim.lower():
            return opening["first"]
    return ""


def own_names(paper: Paper) -> list[str]:
    """What a paper calls its own work, as far as its abstract says "we present NAME"."""
    return [match["name"] for match in _OWN_NAME.finditer(paper.abstract)]


def names(text: str) -> list[str]:
    """Words that name something: acronyms, CamelCase, letters with digits, capitals in a sentence."""
    return [word for run in _name_runs(text) for word in run.words]


@dataclass(slots=True)
class _Run:
    """Names that follow each other directly."""

    words: list[str]
    initials: str


def _name_runs(text: str) -> list[_Run]:
    plain = strip_markup(text)
    capitals_count = len(_GERMAN.findall(plain)) < 2
    runs: list[_Run] = []
    end = -1
    for match in _WORD.finditer(plain):
        word = match[0]
        begins = _BEGINS.search(plain, max(0, match.start() - 8), match.start()) is not None
        is_name = _is_name(word, capitals_count=capitals_count and not begins)
        if not is_name and not (begins and word[0].isupper()):
            continue
        if not (runs and plain[end : match.start()].isspace()):
            runs.append(_Run([], ""))
        # The capital of a first word may belong to a name, as in "Large Language Models".
        runs[-1].words += [word] if is_name else []
        runs[-1].initials += word[0].lower()
        end = match.end()
    return runs


def _is_name(word: str, *, capitals_count: bool) -> bool:
    if _AMOUNT.fullmatch(word) or len(word) < 2:
        return False
    has_letter, has_digit = any(map(str.isalpha, word)), any(map(str.isdigit, word))
    if has_letter and has_digit:
        return not re.fullmatch(r"\d+(?:[-.,]\d+)*-[a-z]+", word)  # "4-bit", "10-year"
    n_capitals = sum(map(str.isupper, word))
    is_capitalised = word[0].isupper() and n_capitals == 1
    if is_capitalised or "-" in word:
        # "Two-Stage" at a start and "Non-Convex" are words; "SWE-Gym" and "MoE-based" are names.
        parts = _PARTS.split(word)
        if any(sum(map(str.isupper, part)) > 1 for part in parts):
            return True
        return capitals_count and any(part[:1].isupper() for part in parts)
    return n_capitals > 1


class _Known:
    """The words that a claim may use as names."""

    def __init__(self, text: str) -> None:
        words = re.findall(r"[^\W_]+", normalise(text))
        self._stems = {stem(word) for word in words}
        self._grams = {
            "".join(words[start : start + size])
            for size in range(1, _MAX_GRAM + 1)
            for start in range(len(words) - size + 1)
        }
        self._initials = "".join(word[0] for word in words)
        self._content_initials = "".join(word[0] for word in words if stem(word))

    def has(self, squashed: str) -> bool:
        """Whether the text has a word or words that are this when written as one."""
        single = squashed.removesuffix("s")
        return not self._grams.isdisjoint((squashed, f"{squashed}s", single))

    def has_name(self, name: str) -> bool:
        """Whether the text has this name, in one spelling or another, or its long form."""
        name = re.sub(r"(?:'|\u2019)s\Z", "", name)
        squashed = _SEPARATE.sub("", normalise(name))
        if not squashed or self.has(squashed) or stem(squashed) in self._stems:
            return True
        if self._has_long_form(name):
            return True
        parts = [part for part in _PARTS.split(name) if len(part) > 1 or part.isdigit()]
        named = [part for part in parts if not part.islower()]
        return len(parts) > 1 and all(self.has_name(part) for part in named)

    def _has_long_form(self, name: str) -> bool:
        acronym = name.removesuffix("s")
        if not (acronym.isupper() and acronym.isalpha() and 1 < len(acronym) <= 6):
            return False
        short = acronym.lower()
        alias = _ALIASES.get(short)
        return (
            short in self._initials
            or short in self._content_initials
            or (alias is not None and self.has(alias))
        )


def _contradiction(claim: str, evidence: str, papers: Sequence[Paper]) -> Disagreement | None:
    found = clash(Clauses(claim), Clauses(evidence))
    if found is not None and found.theirs:
        reason = (
            f"it says \u201c{found.ours}\u201d where the source says \u201c{found.theirs}\u201d"
        )
        return Disagreement("direction", found.ours, reason)
    if found is not None:
        reason = f"it denies \u201c{found.ours}\u201d, which the source does not"
        if not found.is_denial:
            reason = f"it affirms \u201c{found.ours}\u201d, which the source denies"
        return Disagreement("negation", found.ours, reason)
    own = [name for paper in papers for name in own_names(paper)]
    if better := turned_round(claim, evidence, own):
        return Disagreement(
            "order", better, f"it turns round what the source says of \u201c{better}\u201d"
        )
    return None
