from pathlib import Path

from rag.records import Chunk, Paper
from rag.store.rows import read_chunks, read_papers, write_rows


def test_papers_come_back_as_they_were_in_their_order(
    tmp_path: Path, papers: dict[str, Paper]
) -> None:
    odd = Paper(
        paper_id="z/ü#\u2028",
        title="Zeilen\u2028und\u0085 {Klammern}\n",
        abstract='half a pair \ud835, "quotes", \\alpha, \t and \x1f',
        keywords=("", "a"),
    )
    expected = {odd.paper_id: odd} | papers
    write_rows(tmp_path / "papers.jsonl", expected.values())
    found = read_papers(tmp_path / "papers.jsonl")
    assert found == expected
    assert list(found) == list(expected)


def test_chunks_come_back_as_they_were(tmp_path: Path, chunks: dict[str, Chunk]) -> None:
    write_rows(tmp_path / "chunks.jsonl", chunks.values())
    assert read_chunks(tmp_path / "chunks.jsonl") == chunks
