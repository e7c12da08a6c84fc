"""The index on disk: immutable generations of a Chroma store and a BM25 index over one corpus."""
