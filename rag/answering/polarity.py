"""Whether a claim says the opposite of its evidence: directions, negations, who beats whom.

Each test looks for one clear contradiction about the same thing ("reduces cost" against
"increases cost") and stays silent otherwise; how well the evidence supports the claim at all is
for a ``SupportScorer`` to say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rag.text import normalise, search_terms

# Two sides of one scale each.
_SCALES = (
    (
        "increase raise grow growth rise boost gain amplify expand elevate higher highest greater"
        " more most exceed upper above",
        "reduce reduction decrease lower lowest drop decline shrink diminish cut lessen fewer less"
        " least below",
    ),
    ("high", "low"),
    ("large larger largest big bigger", "small smaller smallest"),
    ("many", "few"),
    (
        "improve improvement enhance strengthen better best superior",
        "worsen degrade degradation deteriorate weaken harm hurt impair worse worst inferior",
    ),
    ("fast faster fastest accelerate quick quicker", "slow slower slowest decelerate"),
    ("outperform surpass beat exceed win", "underperform lose lag trail"),
    ("succeed success successful successfully", "fail failure unsuccessful unsuccessfully"),
    ("strong stronger strongest", "weak weaker weakest"),
    ("easy easier easily simple simpler", "hard harder difficult complex"),
    ("maximize maximise", "minimize minimise"),
    ("positive positively", "negative negatively"),
    ("cheap cheaper inexpensive", "expensive"),
    ("encourage promote facilitate enable allow", "discourage prevent hinder prohibit inhibit"),
    ("include", "exclude"),
    ("robust resilient", "fragile vulnerable brittle"),
    ("sparse", "dense"),
    ("global", "local"),
    ("online", "offline"),
    ("short shorter shortest", "long longer longest"),
    ("always", "never"),
    ("accept", "reject"),
    ("correct accurate", "wrong incorrect inaccurate"),
    ("overestimate", "underestimate"),
    ("overfit", "underfit"),
)
_HARD = frozenset(
    "not no never without cannot neither nor none hardly rarely barely seldom nothing".split()  # noqa: SIM905
)
# What may or may not deny: words after these count neither way.
_SOFT = frozenset(
    """
    fail fails failed failing unable lack lacks lacking lacked absence avoid avoids avoiding
    eliminate eliminates eliminating eliminated prevent prevents preventing remove removes removing
    instead rather unlike free impossible little overcome overcomes beyond except than whether if
    circumvent circumvents bypass bypasses obviate obviates sidestep sidesteps overlook overlooks
    overlooking neglect neglects neglecting ignore ignores ignoring inability infeasible short
    unnecessary zero
    """.split()  # noqa: SIM905
)
_NO_DENIAL = re.compile(
    r"\bnot (?=only|just|merely|necessarily|simply|solely|always|as |so )|\bno (?=longer|later|more|less"
    r"|fewer|\w+er than)|\bnothing (?=more|less|other|but|else)"
)
_FREE = re.compile(r"\b([a-z]+)-free\b")
_TOKEN = re.compile(r"[^\W_]+(?:'[a-z]+)?|[.,;:!?()]")
_JOINING = re.compile(r"\bnon-(?=[a-z])")
_STOPS = frozenset(".,;:!?()") | frozenset(
    """
    and but while whereas than by when with without compared if although though because as which
    that where after before whose
    """.split()  # noqa: SIM905
)
_CLAUSE_STOPS = frozenset(".;:!?()") | {"but", "while", "whereas", "although", "though", "because"}
_PREFIXES = ("un", "in", "im", "ir", "non", "dis")
_NO_PREFIX = frozenset(
    """
    formation formed forming verse sight tuition stance cover covers covered played plays tended
    crease creased creases puts side sides ports portant pact pacts vested proved prove proves
    proving fill fills filled filling
    """.split()  # noqa: SIM905
)
_REACH = 4
_HARD_SCOPE, _SOFT_SCOPE = 4, 6
_N_BESIDE = 2
# "without requiring any additional training" denies the training.
_TRANSPARENT = frozenset(
    """
    require requires required requiring need needs needed needing use uses using any additional
    further extra other whatsoever
    """.split()  # noqa: SIM905
)
# "more efficient" says nothing of how much there is of something.
_ADJECTIVE = re.compile(r"\w+(?:ly|ive|al|ent|ant|ous|ful|ic|ble|ed|ary|ust|rse|rate|ise|ete)\Z")
_DEGREES = frozenset("more most less least".split())  # noqa: SIM905
_DIRECTED_ADVERBS = frozenset(
    "positively negatively successfully unsuccessfully easily".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Clash:
    """Two words that contradict each other; ``theirs`` is empty for a plain denial."""

    ours: str
    theirs: str
    is_denial: bool = False


@dataclass(frozen=True, slots=True)
class _Direction:
    word: str
    sides: tuple[tuple[int, int], ...]
    objects: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Denied:
    word: str
    head: str
    after: str


class Clauses:
    """A text as words and stems, with what it denies."""

    def __init__(self, text: str) -> None:
        plain = _FREE.sub(r"without \1", _JOINING.sub("non", normalise(text)))
        plain = _NO_DENIAL.sub("", plain)
        self.words = _TOKEN.findall(plain)
        self.stems = [stem(word) for word in self.words]
        self.denied: list[_Denied] = []
        self._in_scope: set[int] = set()
        for place, word in enumerate(self.words):
            if _denies(word) or word in _SOFT:
                self._note_denial(place, is_hard=_denies(word))

    def _note_denial(self, place: int, *, is_hard: bool) -> None:
        scope: list[int] = []
        transparent: list[int] = []
        longest = _HARD_SCOPE if is_hard else _SOFT_SCOPE
        for after in range(place + 1, min(place + 2 * longest, len(self.words))):
            if self.words[after] in _CLAUSE_STOPS or len(scope) == longest:
                break
            if self.words[after] in _TRANSPARENT:
                transparent.append(after)
            elif self.stems[after] and not self.words[after].endswith("ly"):
                scope.append(after)
        # "No extra is needed" denies what it can.
        scope = scope or transparent
        self._in_scope.update(scope, transparent)
        if self.words[place] == "no" and place:
            self._in_scope.add(place - 1)
        if is_hard and scope:
            second = self.stems[scope[1]] if len(scope) > 1 else ""
            self.denied.append(_Denied(self.words[scope[0]], self.stems[scope[0]], second))

    def affirms(self, term: str) -> bool:
        """Whether a word stands here, and nowhere under a denial."""
        places = [place for place, own in enumerate(self.stems) if own == term]
        return bool(places) and self._in_scope.isdisjoint(places)

    def directions(self) -> list[_Direction]:
        """The words that say which way something goes, with what goes that way."""
        found: list[_Direction] = []
        for place, word in enumerate(self.words):
            sides = self._sides_of(place)
            # "greatly reduces" and "a larger drop" go the way of their second word.
            is_degree = (word.endswith("ly") and word not in _DIRECTED_ADVERBS) or (
                place + 1 < len(self.words) and bool(self._sides_of(place + 1))
            )
            if sides and not is_degree and not self._is_no_amount(place):
                if place and self.words[place - 1] in ("less", "least"):
                    sides = tuple((scale, -side) for scale, side in sides)
                    word = f"{self.words[place - 1]} {word}"
                found.append(_Direction(word, sides, self._objects(place)))
        return found

    def _is_no_amount(self, place: int) -> bool:
        """Whether a word says no direction here: denied, "at least", "more efficient"."""
        word, following = self.words[place], self.words[place + 1 : place + 2]
        return (
            place in self._in_scope
            or (word in ("least", "most") and self.words[place - 1 : place] == ["at"])
            or (word in _DEGREES and any(map(_ADJECTIVE.fullmatch, following)))
        )

    def beside(self, term: str) -> set[str]:
        """The stems next to a stem, two on each side wherever it stands."""
        spoken = [own for own in self.stems if own]
        places = [place for place, own in enumerate(spoken) if own == term]
        return {
            own
            for place in places
            for own in spoken[max(0, place - _N_BESIDE) : place + _N_BESIDE + 1]
            if own != term
        }

    def _sides_of(self, place: int) -> tuple[tuple[int, int], ...]:
        return _sides().get(self.stems[place] or self.words[place], ())

    def _objects(self, place: int) -> frozenset[str]:
        """Up to four words after it, or before it where none follow in its part of the clause."""
        for step in (1, -1):
            found: list[str] = []
            at = place + step
            while 0 <= at < len(self.words) and len(found) < _REACH:
                if self.words[at] in _STOPS:
                    break
                found += [self.stems[at]] if self.stems[at] else []
                at += step
            if found:
                return frozenset(found)
        return frozenset()


def clash(claim: Clauses, evidence: Clauses) -> Clash | None:
    """The first contradiction between a claim and its evidence, if there is one."""
    return (
        _opposite_direction(claim, evidence) or _denial(claim, evidence) or _prefix(claim, evidence)
    )


def _opposite_direction(claim: Clauses, evidence: Clauses) -> Clash | None:
    theirs = evidence.directions()
    for ours in claim.directions():
        about = [other for other in theirs if ours.objects & other.objects]
        same = {side for other in about for side in other.sides}
        for scale, side in ours.sides:
            opposite = next((other for other in about if (scale, -side) in other.sides), None)
            if opposite and same.isdisjoint(ours.sides):
                return Clash(ours.word, opposite.word)
    return None


def _denial(claim: Clauses, evidence: Clauses) -> Clash | None:
    for denying, other in ((claim, evidence), (evidence, claim)):
        for denied in denying.denied:
            is_same = not denied.after or denied.after in other.stems
            if is_same and other.affirms(denied.head) and not denying.affirms(denied.head):
                return Clash(denied.word, "", is_denial=denying is claim)
    return None


def _prefix(claim: Clauses, evidence: Clauses) -> Clash | None:
    """``supervised`` against ``unsupervised``."""
    for one, other in ((claim, evidence), (evidence, claim)):
        for word in one.words:
            for prefix in _PREFIXES:
                rest = word.removeprefix(prefix)
                if rest == word or len(rest) < 5 or rest in _NO_PREFIX or stem(word) in other.stems:
                    continue
                is_alone = stem(rest) not in one.stems and other.affirms(stem(rest))
                if is_alone and _share(one.beside(stem(word)), other.beside(stem(rest))):
                    ours, theirs = (word, rest) if one is claim else (rest, word)
                    return Clash(ours, theirs)
    return None


def _share(ours: set[str], theirs: set[str]) -> bool:
    """Whether two words have the same company; one that stands alone may have any."""
    return not ours or not theirs or not ours.isdisjoint(theirs)


def _denies(word: str) -> bool:
    return word in _HARD or word.endswith("n't")


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """The stem of one word; empty for a stop word or a sign."""
    terms = search_terms(word)
    return terms[0] if terms else ""


@lru_cache(maxsize=1)
def _sides() -> dict[str, tuple[tuple[int, int], ...]]:
    """For each stem, on which side of which scales it stands."""
    found: dict[str, list[tuple[int, int]]] = {}
    for number, scale in enumerate(_SCALES):
        for side, words in zip((1, -1), scale, strict=True):
            for word in words.split():
                found.setdefault(stem(word) or word, []).append((number, side))
    return {stem: tuple(dict.fromkeys(sides)) for stem, sides in found.items()}
