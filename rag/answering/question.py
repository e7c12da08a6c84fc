"""What kind of question it is, as far as that decides how to look and how to answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag.text import normalise

_PHRASE = (
    r"(?:hi+|hiya|hey+|hello+|hallo|good (?:morning|afternoon|evening|day|night)|greetings|yo|howdy"
    r"|hola|bonjour|salut|ciao|guten (?:tag|morgen|abend)|namaste|你好|您好|こんにちは|안녕하세요|привет"
    r"|thanks?|thank you|many thanks|thx|ty|cheers|merci|danke|gracias|great|cool|nice|perfect|wow"
    r"|awesome|good|got it|i see|that (?:helps|is great|was helpful)|well done|good (?:job|bot)"
    r"|bye+|goodbye|good bye|see you|ok|okay|k|yes|yeah|yep|no|nope|sure|fine|please|lol|haha"
    r"|test|testing|help|help me|start|stop|reset|menu|are you there|nice to meet you"
    r"|how are you(?: doing)?|how is it going|what s up|what is up|whats up|sup"
    r"|(?:who|what) are you|what s this|what is (?:this|symposia|this (?:app|tool|site))"
    r"|what (?:can|do) you do|what can (?:i|you) (?:ask|answer)(?: you)?|can you help(?: me)?"
    r"|how (?:does this|do you) work|are you (?:an? )?(?:bot|human|robot|ai|chatgpt|llm))"
)
_ASIDE = (
    r"(?: (?:there|all|everyone|everybody|so much|a lot|very much|a bunch|symposia|please|today"
    r"|again|bot|friend|you too))*"
)
_SMALL_TALK = re.compile(rf"{_PHRASE}{_ASIDE}(?: (?:and |then )?{_PHRASE}{_ASIDE})*")
_NAMED_PLURAL = r"(?:methods|approaches|techniques|algorithms|benchmarks)"
_SEVERAL = re.compile(
    r"\bpapers\b"
    r"|\b(?:which|what|any|all|other|these|those|several|two|three|recent|related)"
    r" (?:(?!paper|work|article)\w+ )?(?:works|studies|articles|publications|authors)\b(?! (?:of|best|better|well)\b)"
    # "Which benchmarks test memory?" asks around; "Which benchmarks were used?" asks one paper.
    rf"|^(?:which|what) (?:\w+ )?{_NAMED_PLURAL} (?!(?:are|were|was|is|do|does|did|has|have|can|"
    r"could|the|served?)\b)"
    r"|^who (?:else )?works? on\b|^(?:list|name|show me|give me)\b.*\b(?:here|in this collection)\b"
    r"|\bon the one hand\b|\bin common\b|\brespectively\b"
)
_COMPARISON = re.compile(
    r"^(?:please |can you |could you )?(?:compare|contrast)\b|\bcomparison (?:of|between)\b"
    r"|\bcomparing .+ (?:and|with|to) |^(?:and |so )?how (?:do|does|did) .+ compare\b"
    r"|^(?:and |so )?(?:how|where|what|in (?:what|which)) .*\b(?:differs?|different from)\b"
    r"|\b(?:difference|differences|similarities|relationship) between\b|\bsets? .+ apart\b"
    r"|\bwhat distinguishes\b|^which (?:one )?(?:is|has|was|gets?|works|performs) .*[,:] .+ or "
    r"|\beach (?:of (?:them|these|those|the)|one)\b|\bwhat do(?:es)? each\b|\band (?:\S+ ){1,3}each\b"
)
_SIDES = re.compile(r"(?:^|[,;:] )(?:\S+ ){1,7}?(?:vs\.?|versus|v\.?) \S")
_ASKS = re.compile(r"\b(?:how|what|which|who|why|where|is|are|does|do|did)\b.* (?:vs|versus|v)\b")
_MAX_TALK_WORDS = 12


def is_small_talk(question: str) -> bool:
    """Whether it is no question about papers: empty, only symbols, a greeting, thanks."""
    words = re.findall(r"\w+", normalise(question))
    if len(words) > _MAX_TALK_WORDS:
        return False
    return not words or _SMALL_TALK.fullmatch(" ".join(words)) is not None


def small_talk_reply(n_papers: int, corpus: str, examples: Sequence[str]) -> str:
    """What is said to small talk: what can be asked, with up to three examples.

    Args:
        n_papers: How many papers there are.
        corpus: What they are called together.
        examples: Questions to begin with.
    """
    papers = "the one paper" if n_papers == 1 else f"the {n_papers:,} papers"
    reply = (
        f"Ask me about {papers} of {corpus}: what one of them found, how a method works, which "
        "papers deal with a topic, or how two of them differ."
    )
    return "\n".join([reply, *(f"- {example}" for example in examples[:3])])


def wants_several(question: str) -> bool:
    """Whether more than one paper is needed: a list, both sides of a comparison."""
    return _SEVERAL.search(normalise(question)) is not None or is_comparison(question)


def is_comparison(question: str) -> bool:
    """Whether it sets things side by side that may each have a paper.

    What one paper compares within itself ("how does it do against GPT-4?") is no comparison.
    """
    plain = normalise(question)
    if _SIDES.search(plain) and not _ASKS.search(plain):
        return True
    return _COMPARISON.search(plain) is not None
