import pytest

from rag.embeddings.files import MS_MARCO_MINILM, models_folder, verified_folder
from rag.embeddings.pairs import MAX_TOKENS, PairEncoder
from rag.text import split_sentences

QUESTION = "How many wells?"
TITLE = "Finding Abandoned Wells"
TEXT = "We map wells.  There are 213,000 of them! Are they safe?"


@pytest.fixture(scope="module")
def folder():
    return verified_folder(MS_MARCO_MINILM, models_folder())


@pytest.fixture(scope="module")
def encoder(folder):
    return PairEncoder(folder)


@pytest.fixture(scope="module")
def words(folder):
    """The text of given tokens, without spaces."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    return lambda ids: tokenizer.decode(ids).replace(" ", "")


def test_each_sentence_has_the_rows_of_its_own_tokens(encoder, words):
    pair = encoder.encode(QUESTION, TITLE, TEXT, split_sentences(TEXT))
    found = [words([pair.ids[row] for row in rows]) for rows in pair.sentence_rows]
    assert found == ["wemapwells.", "thereare213,000ofthem!", "aretheysafe?"]


def test_question_and_title_belong_to_no_sentence(encoder, words):
    pair = encoder.encode(QUESTION, TITLE, TEXT, split_sentences(TEXT))
    in_sentences = {row for rows in pair.sentence_rows for row in rows}
    others = [token for row, token in enumerate(pair.ids) if row not in in_sentences]
    assert words(others) == "howmanywells?findingabandonedwells."
    assert {int(pair.type_ids[row]) for row in in_sentences} == {1}
    assert pair.ids.shape == pair.type_ids.shape


def test_sentences_beyond_the_window_have_no_rows(encoder):
    text = "One sentence of a few words. " * 200
    pair = encoder.encode(QUESTION, TITLE, text, split_sentences(text))
    assert len(pair.ids) == MAX_TOKENS
    assert len(pair.sentence_rows) == 200
    assert pair.sentence_rows[0]
    assert not pair.sentence_rows[-1]


def test_a_text_without_sentences(encoder):
    assert encoder.encode(QUESTION, TITLE, "", []).sentence_rows == ()


def test_half_a_surrogate_pair_is_encoded_like_a_question_mark(encoder):
    assert list(encoder.encode("a \ud835 b", "t", "x", []).ids) == list(
        encoder.encode("a ? b", "t", "x", []).ids
    )
