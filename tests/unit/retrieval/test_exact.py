"""Papers that a question names outright, and those that it only seems to name."""

from pathlib import Path

import pytest

from rag.chunking import split_paper
from rag.records import Paper
from rag.retrieval.exact import named_papers
from rag.store.lexical import LexicalIndex

PAPERS = [
    Paper(
        "hQ3kz81",
        "ZipNet: Fast Networks for Counting Wells from Orbit",
        "We count wells in images of the earth.",
        ("Ann B. Muster", "Bo Liu"),
        other_titles=("Counting Wells by Satellite, Quickly",),
    ),
    Paper(
        "zebra25a",
        "PEAKS: Selecting Examples in a Stream",
        "Examples with peaks of error are kept; networks learn from them.",
        ("Zoe Stern",),
        url="https://openreview.net/forum?id=G0My9EEJbw",
    ),
    Paper("17", "Graph Neural Networks", "Networks of nodes.", ("Bo Liu",)),
    Paper("n4", "When SGD Meets Graph Neural Networks", "Peaks of SGD.", ("Jean-Luc Le Morvan",)),
    Paper(
        "n5", "Learning from Peaks", "Peaks of networks trained by SGD, and a star or stern.", ()
    ),
    Paper("n6", "On Stars", "Peaks in the light of stars seen by a stern observer by SGD.", ()),
    Paper("n7", "On SGD", "SGD, peaks, and wells of potential in images.", ()),
]


@pytest.fixture(scope="module")
def lexical(tmp_path_factory: pytest.TempPathFactory) -> LexicalIndex:
    folder: Path = tmp_path_factory.mktemp("lexical") / "bm25"
    chunks = {c.chunk_id: c for paper in PAPERS for c in split_paper(paper, max_tokens=448)}
    LexicalIndex.create(folder, {paper.paper_id: paper for paper in PAPERS}, chunks.values())
    return LexicalIndex.open(folder, chunks)


@pytest.mark.parametrize(
    ("question", "paper_id"),
    [
        ("hQ3kz81", "hQ3kz81"),
        ("what is paper G0My9EEJbw about?", "zebra25a"),
        ("https://openreview.net/forum?id=G0My9EEJbw", "zebra25a"),
        ("ZipNet: Fast Networks for Counting Wells from Orbit", "hQ3kz81"),
        ("does fast networks for counting wells from orbit use images?", "hQ3kz81"),
        ("counting wells by satellite quickly", "hQ3kz81"),
        ("what does 'Counting Wells by Satellite' say?", "hQ3kz81"),
        ("tell me about Graph Neural Networks", "17"),
        ("Selecting Examples", "zebra25a"),
        ("how fast is zipnet?", "hQ3kz81"),
        ("How does Zip-Net count?", "hQ3kz81"),
        ("Which examples does PEAKS keep?", "zebra25a"),
        ("papers by Ann Muster", "hQ3kz81"),
        ("what did muster publish?", "hQ3kz81"),
        ("wells of images, Muster et al.", "hQ3kz81"),
        ("Is there work of Le Morvan on graphs and optimizers?", "n4"),
    ],
)
def test_a_name_is_found(question: str, paper_id: str, lexical: LexicalIndex) -> None:
    assert named_papers(question, PAPERS, lexical) == {paper_id}


@pytest.mark.parametrize(
    "question",
    [
        "",
        "what is it about?",
        "17",
        "how are wells counted in images?",
        "which graph neural networks have peaks?",
        "where do networks have peaks of error?",
        "why do networks trained by SGD work?",
        "a stern look at the light of stars",
    ],
)
def test_common_words_are_no_names(question: str, lexical: LexicalIndex) -> None:
    assert named_papers(question, PAPERS, lexical) == frozenset()


def test_an_author_of_several_papers_names_them_all(lexical: LexicalIndex) -> None:
    assert named_papers("anything by Bo Liu?", PAPERS, lexical) == {"hQ3kz81", "17"}
