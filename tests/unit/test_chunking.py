"""Chunks: exact offsets, whole sentences, the size limit."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rag.chunking import embedding_text, split_paper
from rag.corpus import load_corpus
from rag.records import Paper
from rag.text import content_hash, split_sentences
from rag.tokens import count_tokens

WORDS = st.sampled_from(
    [
        "model",
        "we",
        "$x_i$",
        "et al. (2024)",
        "learns.",
        "Graphs?",
        "深度。",
        "🙂",
        "3.5",
        "\n",
        "a" * 90,
    ]
)
ABSTRACTS = st.lists(WORDS, max_size=120).map(" ".join)


def paper(abstract: str, title: str = "A Title", **fields: tuple[str, ...]) -> Paper:
    return Paper("p1", title, abstract, **fields)


@settings(max_examples=60, deadline=None)
@given(ABSTRACTS, st.integers(16, 90), st.sampled_from(["T", "A longer title of ten words " * 4]))
def test_chunks_are_exact_complete_and_small(abstract, max_tokens, title):
    source = paper(abstract, title)
    chunks = split_paper(source, max_tokens=max_tokens)
    limit = max(max_tokens, count_tokens(title) + max_tokens // 2)
    end_of_last = 0
    for number, chunk in enumerate(chunks):
        assert chunk.chunk_id == f"p1#{number}"
        assert chunk.text == abstract[chunk.start : chunk.end]
        assert chunk.text == chunk.text.strip()
        assert not abstract[end_of_last : chunk.start].strip()
        assert chunk.n_tokens == count_tokens(embedding_text(source, chunk)) <= limit
        assert chunk.content_hash == content_hash(embedding_text(source, chunk))
        end_of_last = chunk.end
    assert not abstract[end_of_last:].strip()
    assert chunks


def test_every_seed_abstract_is_one_chunk_of_the_whole():
    for source in load_corpus("seeds").papers:
        (chunk,) = split_paper(source, max_tokens=448)
        assert chunk.text == source.abstract.strip()


def test_sentences_stay_whole():
    abstract = " ".join(f"Sentence number {n} says a little more than that." for n in range(40))
    chunks = split_paper(paper(abstract), max_tokens=64)
    assert len(chunks) > 3
    ends = {span.end for span in split_sentences(abstract)}
    assert {chunk.end for chunk in chunks} <= ends
    assert min(chunk.n_tokens for chunk in chunks[:-1]) > 45


def test_a_sentence_over_the_limit_is_cut_between_words():
    abstract = "word " * 400 + "end. And a short one."
    chunks = split_paper(paper(abstract), max_tokens=64)
    assert " ".join(chunk.text for chunk in chunks) == abstract
    assert chunks[-1].text.endswith("And a short one.")


def test_a_word_over_the_limit_is_cut_inside():
    abstract = "short " + "x7" * 600
    chunks = split_paper(paper(abstract), max_tokens=64)
    assert "".join(chunk.text for chunk in chunks).replace("short", "") == "x7" * 600
    assert all(chunk.n_tokens <= 64 for chunk in chunks)


def test_an_empty_abstract_gives_one_empty_chunk():
    for abstract in ("", " \n "):
        (chunk,) = split_paper(paper(abstract), max_tokens=64)
        assert (chunk.text, chunk.start, chunk.end) == ("", 0, 0)
        assert embedding_text(paper(abstract), chunk) == "A Title"


def test_all_titles_are_embedded_and_none_is_in_the_text():
    source = paper("Text.", "New title", other_titles=("Old title",))
    (chunk,) = split_paper(source, max_tokens=64)
    assert chunk.text == "Text."
    assert embedding_text(source, chunk) == "New title. Old title. Text."


def test_the_hash_follows_what_is_embedded():
    (one,) = split_paper(paper("Text."), max_tokens=64)
    (same,) = split_paper(paper("Text.", authors=("Somebody",)), max_tokens=64)
    (other,) = split_paper(paper("Text.", "Another title"), max_tokens=64)
    assert one.content_hash == same.content_hash != other.content_hash


def test_the_work_grows_linearly_with_the_length_of_the_abstract(monkeypatch):
    counted = 0

    def count(text: str) -> int:
        nonlocal counted
        counted += len(text)
        return count_tokens(text)

    monkeypatch.setattr("rag.chunking.count_tokens", count)
    abstract = "lorem ipsum " * 20_000
    chunks = split_paper(paper(abstract), max_tokens=448)
    assert len(chunks) > 50
    assert counted < 30 * len(abstract)
