"""Faults of negation: a "not" taken away, or put in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from eval.planting.edits import Edit

_ADVERB = r"(?P<adverb>(?:(?!rely|apply|imply|supply)\w+ly|always|often|yet) )?"
_NOT_ALONE = r"(?! (?:only|just|merely|necessarily|always)\b)"
_REMOVALS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"\bcannot\b"), lambda _: "can"),
    (re.compile(r"\bneed not\b"), lambda _: "must"),
    (
        re.compile(
            rf"\b(is|are|was|were|will|would|could|must|can|has|have|had) not\b{_NOT_ALONE}"
        ),
        lambda match: match[1],
    ),
    (
        re.compile(rf"\bdoes not {_ADVERB}(?P<verb>[a-z]+)"),
        lambda match: (match["adverb"] or "") + third_person(match["verb"]),
    ),
    (
        re.compile(rf"\bdo not {_ADVERB}(?P<verb>[a-z]+)"),
        lambda match: (match["adverb"] or "") + match["verb"],
    ),
    (re.compile(r"\bfails to\b"), lambda _: "manages to"),
    (re.compile(r"\bfail to\b"), lambda _: "manage to"),
    (re.compile(r"\bno longer\b"), lambda _: "still"),
    (re.compile(r"\b[Nn]ever\b"), lambda _: "always"),
    (re.compile(r"\b[Ww]ithout\b"), lambda _: "with"),
    (re.compile(r"\b[Nn]o\b(?![-.,;]| (?:longer|more|less|matter|one)\b)"), lambda _: "some"),
)
_AUXILIARY = re.compile(
    r"(?<!that )\b(?P<word>is|are|was|were|can|will|has been|have been)\b"
    r"(?! (?:\w+ )?(?:not|no|never|only|just|merely|neither|nor)\b)"
)
_VERBS = frozenset(
    """
    achieve adapt add address allow apply assume attain avoid beat become capture combine compare
    consider converge cover decompose demonstrate depend derive describe detect eliminate enable
    encode ensure evaluate exceed explain exploit extend find generalize generate give govern
    handle help identify improve include incorporate indicate integrate introduce keep lead learn
    let maintain make match need obtain outperform perform predict present preserve prevent produce
    propose prove provide raise reach recover reduce release rely remain remove replace require
    retain reveal serve show solve suggest surpass take tell train transfer use yield
    """.split()  # noqa: SIM905
)
_PLURAL_SUBJECTS = r"\b(?:[Aa]uthors|[Tt]hey|[Ee]xperiments|[Rr]esults|[Mm]ethods|[Mm]odels)"
_SUBORDINATE = re.compile(
    r"\b(?:that|which|who|whose|where|when|while|if|because|whether|than|as|since|although|though"
    r"|after|once|unless|until|before|how|what|whereas)\b[^,;:]*\Z",
    re.IGNORECASE,
)


def third_person(verb: str) -> str:
    """``rely`` -> ``relies``, ``reach`` -> ``reaches``, ``have`` -> ``has``."""
    if verb in ("have", "be"):
        return {"have": "has", "be": "is"}[verb]
    if re.search(r"[^aeiou]y\Z", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|x|z|ch|sh|o)\Z", verb) else "s")


_THIRD = {third_person(verb): verb for verb in sorted(_VERBS - {"use", "need"})} | {"needs": "need"}
_FINITE = re.compile(rf"(?<=[\w)] )(?:{'|'.join(_THIRD)})\b(?! (?:not|no|only)\b)")
_PLURAL_FINITE = re.compile(
    rf"(?P<subject>{_PLURAL_SUBJECTS} )(?P<verb>{'|'.join(sorted(_VERBS))})\b"
)


def negation_edits(claim: str) -> Iterator[Edit]:
    """A negation less where there is one, else one more; the best place first."""
    removed = [
        Edit(match.start(), match.end(), rewrite(match))
        for pattern, rewrite in _REMOVALS
        for match in pattern.finditer(claim)
        if _is_first_negation(claim, match)
    ]
    if removed:
        yield from removed
        return
    added = [*_negated_auxiliaries(claim), *_negated_verbs(claim)]
    added.sort(key=lambda edit: (_SUBORDINATE.search(claim[: edit.start]) is not None, edit.start))
    yield from added


def _is_first_negation(claim: str, match: re.Match[str]) -> bool:
    # Two negations in one clause: taking one away may leave it as true as before.
    return not re.search(r"\b(?:neither|nor|not)\b", claim[: match.start()])


def _negated_auxiliaries(claim: str) -> Iterator[Edit]:
    for match in _AUXILIARY.finditer(claim):
        word = match["word"]
        negated = {"can": "cannot", "has been": "has not been", "have been": "have not been"}
        yield Edit(match.start(), match.end(), negated.get(word, f"{word} not"))


def _negated_verbs(claim: str) -> Iterator[Edit]:
    for match in _FINITE.finditer(claim):
        yield Edit(match.start(), match.end(), f"does not {_THIRD[match[0]]}")
    for match in _PLURAL_FINITE.finditer(claim):
        yield Edit(match.start("verb"), match.end("verb"), f"do not {match['verb']}")
