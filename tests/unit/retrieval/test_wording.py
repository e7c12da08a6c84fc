"""Misspelt and foreign words become words of the papers; right ones stay."""

from collections.abc import Mapping, Sequence

import pytest

from rag.records import LegHit
from rag.retrieval.spelling import Spelling, count_slips
from rag.retrieval.wording import _GLOSSARY, mend
from rag.text import normalise, search_terms

KNOWN = """
    adversarial attention bayesian classification convolution counting decoding detection diffusion
    distributional federated forecasting from generation generator graph hallucination how image
    learning linear model molecule network neural optimal present problem quantum reinforcement
    robust satellite sparse the training transport treatment weather wells without
""".split()  # noqa: SIM905


class Words:
    """A lexical leg of some words, each in many papers, and of a few that single papers hold."""

    words: Mapping[str, int] = dict.fromkeys(KNOWN, 20)

    def search(self, text: str, k: int, allowed: frozenset[str] | None) -> Sequence[LegHit]:
        raise NotImplementedError

    def ceiling(self, text: str) -> float:
        raise NotImplementedError

    def n_holding(self, term: str) -> int:
        return 20 * (
            term in {stem for word in (*KNOWN, "ppo", "zipnet") for stem in search_terms(word)}
        )


@pytest.mark.parametrize(
    ("typed", "mended"),
    [
        ("distributonal treatmnt", "distributional treatment"),
        ("How do grpah netwrok classfy?", "How do graph network classfy?"),
        ("sattelite images", "satellite images"),
        ("robsut lerning", "robust learning"),
        ("Treatmnt by transprot", "treatment by transport"),
    ],
)
def test_misspelt_words_are_mended(typed: str, mended: str) -> None:
    assert mend(typed, Words()) == mended


@pytest.mark.parametrize(
    "question",
    [
        "How many wells are counted from satellite images?",
        "is it prescient of a model?",
        "who is Quantumm Federatedd?",
        "gardening tomatoes with kubernetes",
        "where do the molecules detect pasta?",
        "treating modals",
        "what robus't needn't",
        "proofing bread, evicting entries",
        "I Think, Therefore I Diffuse: La RoSA",
        "papers by van der Schaar",
        "",
        "???",
    ],
)
def test_what_is_right_or_past_mending_stays(question: str) -> None:
    assert mend(question, Words()) == question


@pytest.mark.parametrize(
    ("question", "english"),
    [
        ("Wie lernen neuronale Netze aus Bildern?", "how learning neural network image"),
        ("Bildgeneratoren ohne Training", "image generator without training"),
        ("Wettervorhersage und Quantennetze", "weather forecasting quantum network"),
        ("Réseaux de neurones et transport optimal", "network neuron transport optimal"),
        ("¿Cómo se detectan las alucinaciones del modelo ZipNet?", None),
        ("联邦学习中的对抗攻击", "federated learning adversarial attack"),
        ("PPO 的强化学习", "PPO reinforcement learning"),
    ],
)
def test_questions_of_other_languages_are_put_into_english(
    question: str, english: str | None
) -> None:
    found = mend(question, Words())
    if english is None:
        assert {"how", "hallucination", "model", "ZipNet"} <= set(found.split())
    else:
        assert found == english


@pytest.mark.parametrize(
    ("word", "other", "n_slips"),
    [
        ("model", "model", 0),
        ("modle", "model", 1),
        ("mdel", "model", 1),
        ("modell", "model", 1),
        ("nodel", "model", 1),
        ("lerninng", "learning", 2),
        ("prescient", "present", 2),
        ("wells", "treatment", 3),
    ],
)
def test_slips_are_counted_up_to_a_limit(word: str, other: str, n_slips: int) -> None:
    assert count_slips(word, other, 2) == n_slips
    assert count_slips(other, word, 2) == n_slips


def test_the_nearest_and_then_the_most_frequent_word_is_meant() -> None:
    words = Spelling({"model": 5, "modal": 50, "mode": 900})
    assert words.nearest("modell") == "model"
    assert words.nearest("modxl") == "modal"
    assert words.nearest("bodel") is None


def test_the_glossary_is_in_the_form_in_which_it_is_looked_up() -> None:
    lines = _GLOSSARY.read_text("utf-8").splitlines()
    assert len({line.split("\t")[0] for line in lines}) == len(lines)
    for line in lines:
        english, *languages = line.split("\t")
        assert len(languages) == 4, line
        for word in (english, *(word for words in languages for word in words.split(","))):
            assert word, line
            assert word == word.strip()
            assert normalise(word) == word or word == english
