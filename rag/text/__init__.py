"""Text, at the lowest level: cleaning at the door, sentences with exact offsets, search terms.

What a paper says is kept byte for byte; ``normalise`` and ``search_terms`` make copies for
searching and comparing that are never shown.
"""

from rag.text.cleaning import clean, content_hash
from rag.text.sentences import Span, split_sentences
from rag.text.terms import normalise, search_terms, strip_markup

__all__ = [
    "Span",
    "clean",
    "content_hash",
    "normalise",
    "search_terms",
    "split_sentences",
    "strip_markup",
]
