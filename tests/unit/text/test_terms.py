"""The normal form and the search terms."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.text import normalise, search_terms, strip_markup


@pytest.mark.parametrize(
    ("written", "also_written"),
    [
        (r"$\Delta$-IRIS", "Δ-IRIS"),
        (r"$\Delta$-IRIS", "Delta-Iris"),
        ("eﬃcient ﬁne-tuning", "efficient fine-tuning"),
        (r"\textbf{(I)} surpasses", "(I) surpasses"),
        (r"$\mu$CODE", "μCODE"),
        (r"Poincar\'{e} and Erd\H{o}s", "Poincaré and Erdos"),
        ("a **bold** and *slanted* `word`", "a bold and slanted word"),
        ("rate–distortion", "rate-distortion"),
        ("word—word", "word -- word"),
        ("“so-called” it’s", '"so-called" it\'s'),
        ("``relearning''", '"relearning"'),
        ("Q&amp;A on <i>k</i>-NN", "Q&A on k-NN"),
        (r"$\mathcal{O}(n)$", "O(n)"),
        (r"97.1\% of  all\nmodels".replace(r"\n", "\n"), "97.1% of all models"),
        ("STRASSE", "straße"),
        ("soft\u00adhyphen zero\u200bwidth", "softhyphen zerowidth"),
    ],
)
def test_ways_of_writing_the_same(written, also_written):
    assert normalise(written) == normalise(also_written)


@pytest.mark.parametrize("text", ["A* search", "snake_case_name", "2 * 3 * 4", "C++ and C#"])
def test_what_only_looks_like_markup_stays(text):
    assert normalise(text) == text.casefold()


def test_strip_markup_keeps_case():
    assert strip_markup(r"\textbf{MaAS} by *Us* & $\alpha$-Net") == "MaAS by Us & alpha-Net"


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("213,000 wells", ["213000", "well"]),
        (r"97.1\% and 3.5 of 1,000,000", ["97.1", "3.5", "1000000"]),
        ("SWE-gym", ["swe", "gym", "swegym"]),
        ("HiRef", ["hiref"]),
        ("LLaMA-3.1", ["llama", "3.1", "llama3.1"]),
        ("the i.i.d. model's data", ["iid", "model", "data"]),
        ("state-of-the-art", ["state", "art", "stateoftheart"]),
        ("What is the Monge map?", ["mong", "map"]),
        ("It doesn't and we can't", []),
        ("bge_small", ["bge", "small", "bgesmal"]),
        ("models, modelling, modelled", ["model", "model", "model"]),
        ("FOCS'20", ["focs20"]),
        ("", []),
        ("🙂 … !", []),
    ],
)
def test_search_terms(text, terms):
    assert search_terms(text) == terms


def test_the_two_spellings_of_a_name_share_a_term():
    assert set(search_terms("GPT-4")) & set(search_terms("GPT4"))
    assert set(search_terms("chain-of-thought")) >= set(search_terms("chain of thought"))


@given(st.text(max_size=200))
def test_any_text_is_taken(text):
    assert normalise(normalise(text)) is not None
    assert all(term and term == term.strip() for term in search_terms(text))


def test_threads_do_not_disturb_each_other():
    texts = [f"running models number {n} of graph learning methods" for n in range(50)] * 20
    alone = [search_terms(text) for text in texts]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(search_terms, texts)) == alone


def test_the_stemmer_is_loaded_only_when_needed():
    code = "import sys, rag.text; sys.exit('Stemmer' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
