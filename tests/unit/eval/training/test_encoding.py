import pytest

from eval.training.encoding import encode_example
from eval.training.examples import Example
from rag.embeddings.files import MS_MARCO_MINILM, models_folder, verified_folder
from rag.embeddings.pairs import PairEncoder
from rag.records import Paper
from rag.text import split_sentences

TEXT = "We map wells.  There are 213,000 of them! Are they safe?"


@pytest.fixture(scope="module")
def encoder():
    return PairEncoder(verified_folder(MS_MARCO_MINILM, models_folder()))


def test_an_example_is_encoded_with_the_sentences_of_its_abstract(encoder):
    paper = Paper("p", "Finding Wells", TEXT)
    example = Example("How many?", paper, answered=True, about=True, sentences=(1,))
    expected = encoder.encode("How many?", "Finding Wells", TEXT, split_sentences(TEXT))
    assert encode_example(encoder, example).sentence_rows == expected.sentence_rows
