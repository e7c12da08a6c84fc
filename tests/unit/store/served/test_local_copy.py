"""The copy that a reader keeps of what is on a server."""

import logging
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rag.chunking import split_paper
from rag.records import Paper
from rag.store.build import Content
from rag.store.manifest import Manifest
from rag.store.served.local_copy import LocalCopy
from rag.store.served.rows import Contents


def contents_of(*numbers: int) -> Contents:
    papers = {f"p{n}": Paper(f"p{n}", f"Title {n}", f"Word{n} and more.") for n in numbers}
    chunks = [chunk for paper in papers.values() for chunk in split_paper(paper, max_tokens=448)]
    return Contents(papers, {chunk.chunk_id: chunk for chunk in chunks})


def manifest_of(contents: Contents) -> Manifest:
    papers, chunks = contents.papers, contents.chunks
    digest = ",".join(papers)
    return Content("s", papers, chunks, "hash/4", 4, digest).manifest()


CONTENTS = contents_of(1, 2)
MANIFEST = manifest_of(CONTENTS)


class Server:
    """Counts how often it is asked."""

    n_asked = 0

    def fetch(self) -> Contents:
        self.n_asked += 1
        return CONTENTS


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[LocalCopy]:
    return LocalCopy(tmp_path / "copies")


def test_what_was_fetched_once_is_read_from_the_copy(copy: LocalCopy, server: Server) -> None:
    for _ in range(3):
        contents, lexical = copy.open(MANIFEST, server.fetch)
        assert contents == CONTENTS
        assert [hit.chunk_id for hit in lexical.search("word2", 5)] == ["p2#0"]
    assert server.n_asked == 1
    assert len(list(copy.folder.iterdir())) == 1


def test_another_content_has_another_copy(copy: LocalCopy, server: Server) -> None:
    copy.open(MANIFEST, server.fetch)
    other = contents_of(3)
    contents, _ = copy.open(manifest_of(other), lambda: other)
    assert contents == other


@pytest.mark.parametrize("name", ["papers.jsonl", "chunks.jsonl", "bm25/chunk_ids.json"])
def test_a_damaged_copy_is_made_anew(
    name: str, copy: LocalCopy, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    copy.open(MANIFEST, server.fetch)
    (path,) = copy.folder.iterdir()
    (path / name).write_text("x")
    with caplog.at_level(logging.WARNING):
        contents, _ = copy.open(MANIFEST, server.fetch)
    assert contents == CONTENTS
    assert server.n_asked == 2
    assert "made anew" in caplog.text
    copy.open(MANIFEST, server.fetch)
    assert server.n_asked == 2


def test_a_copy_that_lacks_a_file_is_made_anew(copy: LocalCopy, server: Server) -> None:
    copy.open(MANIFEST, server.fetch)
    (path,) = copy.folder.iterdir()
    (path / "manifest.json").unlink()
    copy.open(MANIFEST, server.fetch)
    copy.open(MANIFEST, server.fetch)
    assert server.n_asked == 2


def test_old_copies_go_but_for_one_and_so_do_leftovers(copy: LocalCopy) -> None:
    for number in range(4):
        contents = contents_of(number)
        copy.make(manifest_of(contents), contents)
    assert len(list(copy.folder.iterdir())) == 2
    forgotten, fresh = copy.folder / "unfinished-old", copy.folder / "unfinished-new"
    forgotten.mkdir()
    fresh.mkdir()
    os.utime(forgotten, (0, 0))
    contents = contents_of(9)
    copy.make(manifest_of(contents), contents)
    assert fresh.exists()
    assert not forgotten.exists()


def test_two_that_make_one_copy_do_no_harm(copy: LocalCopy, server: Server) -> None:
    def slow() -> Contents:
        copy.make(MANIFEST, CONTENTS)
        return server.fetch()

    contents, _ = copy.open(MANIFEST, slow)
    assert contents == CONTENTS
    assert len(list(copy.folder.iterdir())) == 1


def test_the_time_of_writing_does_not_matter(copy: LocalCopy, server: Server) -> None:
    copy.open(MANIFEST, server.fetch)
    copy.open(replace(MANIFEST, created_at="later", source="elsewhere"), server.fetch)
    assert server.n_asked == 1
