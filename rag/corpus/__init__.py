"""Papers from files: one loader a format, one mapping of field names, and the seed papers."""

from rag.corpus.loading import corpus_name, load_corpus, source_path
from rag.corpus.records import Corpus, RejectedRow, Remark
from rag.corpus.seeds import example_questions, seeds_folder

__all__ = [
    "Corpus",
    "RejectedRow",
    "Remark",
    "corpus_name",
    "example_questions",
    "load_corpus",
    "seeds_folder",
    "source_path",
]
