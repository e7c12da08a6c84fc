"""What becomes of each sentence of a model: proven by quotes, shown with a warning, or dropped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rag.answering.citations import Draft
from rag.answering.grounding import Evidence, Grounding, SupportThresholds
from rag.answering.markers import Marked, read_markers
from rag.answering.prompts import NOT_STATED, AnsweringPrompt
from rag.answering.splitting import Written
from rag.answering.support import SupportScorer
from rag.answering.tidying import makes_claim, names_gap, tidy, unlink
from rag.records import DroppedSentence, Passage
from rag.text import normalise

_FAULTS = {
    "too long": "it is too long to be checked",
    "broken off": "the reply broke off within it",
}
_MIN_ECHO = 25
_NOT_STATED_ALONE = re.compile(rf"[\W_]*{NOT_STATED}[\W_]*")
# A sentence that begins so speaks of what was named before it.
_LEANS = re.compile(
    r"(?:(?:however|moreover|furthermore|additionally|also|in addition|further|here|then|finally"
    r"),? )?(?:it|its|they|their|them|these|this|those|such|both|he|she|the (?:authors?|papers?"
    r"|methods?|approach|models?|framework|algorithm|dataset|benchmark|study|work|results?|system"
    r"|technique|latter|former|same))\b",
    re.IGNORECASE,
)


class Prover:
    """Judges the sentences of one reply in their order.

    Args:
        passages: What the model was given, by marker; no other marker exists.
        scorer: Judges how well quotes support a sentence.
        thresholds: From which support on a sentence is shown.
        prompt: What the model was asked, so that an echo of it is known.
        question: What is to be answered.
    """

    def __init__(
        self,
        passages: Mapping[int, Passage],
        scorer: SupportScorer,
        thresholds: SupportThresholds,
        *,
        prompt: AnsweringPrompt,
        question: str,
    ) -> None:
        self._passages = passages
        self._evidence = Evidence(passages, scorer, thresholds)
        self._key = prompt.key
        self._instructions = normalise(prompt.instructions)
        self._question = question
        self._titles = {normalise(passage.paper.title) for passage in passages.values()}
        self._seen: set[str] = set()
        self._shown: tuple[int, ...] = ()
        """The markers of the sentence shown last."""
        self._lost_antecedent = False
        self._starts_paragraph = False
        self.gaps: list[str] = []
        """Sentences that say, in the words of the question, what the abstracts do not state."""
        self.n_judged = 0
        self.n_shown = 0
        self.says_not_stated = False

    def judge(self, written: Written) -> Draft | DroppedSentence | None:
        """Prove one sentence, or say why it is not shown; None for what is no sentence at all."""
        marked = read_markers(unlink(written.text), self._passages)
        self._starts_paragraph |= written.starts_paragraph
        if _NOT_STATED_ALONE.fullmatch(marked.text):
            self.says_not_stated = True
            return None
        text = tidy(marked.text.replace(NOT_STATED, ""))
        if not any(map(str.isalnum, text)):
            return None
        self.n_judged += 1
        if names_gap(text, self._question):
            self.gaps += [] if text in self.gaps else [text]
            return None
        reason = self._unfit(written, marked, text)
        judged = DroppedSentence(text, reason) if reason else self._prove(text, marked)
        self._note(judged, text)
        return judged

    def _unfit(self, written: Written, marked: Marked, text: str) -> str:
        """Why a sentence need not be proven to be dropped; empty if it must be."""
        plain = normalise(text).rstrip(".!? ")
        if written.fault:
            return _FAULTS[written.fault]
        if plain in self._seen:
            return "it repeats an earlier sentence"
        is_echo = len(plain) >= _MIN_ECHO and plain in self._instructions
        if is_echo or self._key in written.text or plain == normalise(self._question).rstrip("?. "):
            return "it repeats what the model was asked"
        if text.endswith(("?", "\uff1f")):
            return "it asks and states nothing"
        if marked.rests_on_unknown:
            return f"it rests on a source that does not exist: {' '.join(marked.unknown)}"
        if plain in self._titles:
            return "it only names a paper"
        return "" if makes_claim(text) else "it makes no claim"

    def _prove(self, text: str, marked: Marked) -> Draft | DroppedSentence:
        cited = self._evidence.ground(text, marked.markers)
        found = cited
        if not cited.is_certain:
            moved = self._evidence.ground(text, self._others(text, marked.markers), n_papers=1)
            if moved.is_certain or (moved.quotes and not marked.markers):
                found = moved
            if not found.quotes:
                return DroppedSentence(text, _reason(marked, cited, moved))
        return Draft(
            self._introduced(text, [quote.marker for quote in found.quotes]),
            found.quotes,
            found.support,
            self._starts_paragraph,
            is_flagged=not found.is_certain,
        )

    def _others(self, text: str, markers: Sequence[int]) -> list[int]:
        """Papers that a sentence may be about though it does not cite them.

        "It finds that ..." stays with the paper of the sentence before: cited to another one, it
        would say of the first what only the second says.
        """
        leans = self._shown and _LEANS.match(text)
        allowed = self._shown if leans else tuple(self._passages)
        return [marker for marker in dict.fromkeys(allowed) if marker not in markers]

    def _introduced(self, text: str, markers: Sequence[int]) -> str:
        """The sentence, with the title of its paper where what it leans on was dropped."""
        if not self._lost_antecedent or not _LEANS.match(text) or set(markers) <= set(self._shown):
            return text
        title = " ".join(self._passages[markers[0]].paper.title.split())
        return f"\u201c{title}\u201d: {text}"

    def _note(self, judged: Draft | DroppedSentence, text: str) -> None:
        self._lost_antecedent = isinstance(judged, DroppedSentence)
        if isinstance(judged, Draft):
            self._seen.add(normalise(text).rstrip(".!? "))
            self._shown = tuple(quote.marker for quote in judged.quotes)
            self._starts_paragraph = False
            self.n_shown += 1


def _reason(marked: Marked, cited: Grounding, moved: Grounding) -> str:
    """Why nothing proves a sentence, in words for its reader."""
    found = cited.disagreement or moved.disagreement
    if found is not None:
        return found.reason
    if len(marked.markers) == 1:
        return f"source [{marked.markers[0]}] does not say this"
    if marked.markers:
        return f"sources {''.join(f'[{marker}]' for marker in marked.markers)} do not say this"
    if marked.unknown:
        return f"there is no source {' '.join(marked.unknown)}, and no other says this"
    return "no source says this"
