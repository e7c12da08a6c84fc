"""The second main flow: from papers to an index that can be read."""

from rag.indexing.naming import corpora_in, index_name
from rag.indexing.origin import Origin, is_fresh, read_source
from rag.indexing.progress import Progress
from rag.indexing.report import IndexReport
from rag.indexing.source import Source
from rag.indexing.sync import sync_index

__all__ = [
    "IndexReport",
    "Origin",
    "Progress",
    "Source",
    "corpora_in",
    "index_name",
    "is_fresh",
    "read_source",
    "sync_index",
]
