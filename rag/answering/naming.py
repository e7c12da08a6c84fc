"""By which names a question calls papers: names that they coined, and the sides of a comparison."""

from __future__ import annotations

import re

from rag.records import Paper
from rag.text import normalise, strip_markup

_WORD = re.compile(r"[\w-]+")
# BaxBench, MaAS, SWE-Gym, EMERALD, A2P, 3DGS; not LLMs, Zero-Shot or CIFAR-10.
_COINED = re.compile(
    r"\w*[a-z]\w*[A-Z]\w*|[A-Z]{2,}\w*[a-rt-z]\w*|[A-Z]{6,}|[A-Z]{2,}-[A-Z][a-z]+|[A-Z]+\d[A-Z]+"
)
_SHORT_NAME = re.compile(r"[A-Z][A-Z\d-]{2,}")
_INTRODUCES = re.compile(
    r"\b(?:propos\w+|introduc\w+|present\w*|develop\w*|call(?:ed)?|named|termed|dubbed)\b[^.]{0,80}",
    re.IGNORECASE,
)
_EMPHASISED = re.compile(r"(?:\*{1,3}|\\(?:text\w+|emph)\{)([A-Z][\w-]+)(?:\*{1,3}|\})")
# What many papers build on, and heads of titles that are no names.
_NOBODYS = frozenset(
    """
    position llm llms mllm mllms vlm vlms vit vits gnn gnns mcmc rlhf dpo ppo grpo sgd gan vae lora
    qlora moe rope ssm pde pdes ode odes sde sdes gpt bert resnet imagenet openai chatgpt arxiv
    github pytorch lipschitz
    """.split()  # noqa: SIM905
)
_AND = r"(?:and|with|to|versus|vs\.?|from|against)"
_SIDES = re.compile(
    rf"^(?:please )?(?:compare|contrast) (?P<a>.+?) {_AND} (?P<b>.+)$"
    r"|\b(?:differences?|similarities|comparison) (?:between|of) (?P<c>.+?) and (?P<d>.+)$"
    rf"|\bwhat (?:distinguishes|sets) (?P<e>.+?)(?: apart)? {_AND} (?P<f>.+)$"
    r"|^(?P<i>[^,;:?]{2,60}?) (?:vs\.?|versus) (?P<j>[^,;:?]{2,60})$"
    rf"|\bhow (?:do|does) (?P<g>.+?) (?:differ|compare) {_AND} (?P<h>.+)$",
    re.IGNORECASE,
)


def own_names(paper: Paper) -> frozenset[str]:
    """What a paper calls its own work, normalised: the head of its title, names that it coined."""
    title, abstract = strip_markup(paper.title), strip_markup(paper.abstract)
    head, colon, _ = title.partition(":")
    in_text = _WORD.findall(abstract)
    names = {head} if colon and _WORD.fullmatch(head) else set()
    names |= {word for word in _WORD.findall(title) if _COINED.fullmatch(word)}
    coined = {word for word in set(in_text) if _COINED.fullmatch(word)}
    coined |= set(_EMPHASISED.findall(paper.abstract))
    names |= {word for word in coined if in_text.count(word) > 1}
    introduced = _WORD.findall(" ".join(_INTRODUCES.findall(abstract)))
    names |= coined & set(introduced)
    names |= {word for word in introduced if _SHORT_NAME.fullmatch(word) and _spells(word, title)}
    return frozenset(normalise(name) for name in names) - _NOBODYS


def _spells(name: str, title: str) -> bool:
    """Whether a name is made of initials of the title, as GAR of "Gradient Aligned Regression"."""
    initials = "".join(word[0] for word in re.findall(r"[A-Za-z0-9]+", title)).upper()
    return name.replace("-", "") in initials


def calls_by_name(question: str, paper: Paper) -> bool:
    """Whether a question contains a name that a paper gave its own work."""
    words = {normalise(word) for word in _WORD.findall(question)}
    return not words.isdisjoint(own_names(paper))


def names_in(question: str) -> list[str]:
    """The words of a question that may be names, as typed: those with a capital that is not first."""
    words = _WORD.findall(question)
    return [word for n, word in enumerate(words) if word != word.lower() and (n or _is_name(word))]


def _is_name(word: str) -> bool:
    return _COINED.fullmatch(word) is not None or _SHORT_NAME.fullmatch(word) is not None


def sides(question: str) -> tuple[str, ...]:
    """What a question sets side by side, in order; empty if it is no comparison."""
    found = _SIDES.search(question.rstrip(" ?.!"))
    return tuple(side for side in found.groups() if side) if found else ()
