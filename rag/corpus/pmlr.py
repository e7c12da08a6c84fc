"""Papers of PMLR, from the posts of its web site: one file a paper, its data in YAML on top."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rag.corpus.records import RejectedRow, Row
from rag.corpus.values import one_line

_FRONT_MATTER = re.compile(r"---[ \t]*\n(?P<yaml>.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)


class PmlrPostLoader:
    """Reads the ``.md`` files of a folder ``_posts``."""

    name = "PMLR posts"
    suffixes = (".md",)

    def recognises(self, text: str) -> bool:
        """See ``Loader``."""
        front = _FRONT_MATTER.match(text)
        return front is not None and bool(re.search("^title:", front["yaml"], re.MULTILINE))

    def rows(self, text: str, file: str) -> Iterator[Row | RejectedRow]:
        """See ``Loader``; a post is one row."""
        import yaml

        front = _FRONT_MATTER.match(text)
        try:
            # The base loader makes texts of everything, and nothing but texts.
            post = yaml.load(front["yaml"] if front else "", Loader=yaml.BaseLoader)  # noqa: S506
        except (yaml.YAMLError, RecursionError) as error:
            mark = getattr(error, "problem_mark", None)
            problem = getattr(error, "problem", None) or "it cannot be parsed"
            yield RejectedRow(file, mark.line + 2 if mark else 1, f"not valid YAML: {problem}")
            return
        if isinstance(post, dict):
            yield Row(1, _fields(post))


def _fields(post: Mapping[str, object]) -> dict[str, object]:
    volume, paper_id = one_line(post.get("volume")), one_line(post.get("id"))
    openreview = one_line(post.get("openreview"))
    address = f"https://proceedings.mlr.press/v{volume}/{paper_id}.html"
    if openreview:
        address = f"https://openreview.net/forum?id={openreview}"
    return {
        "paper_id": paper_id or openreview,
        "title": post.get("title"),
        "abstract": post.get("abstract"),
        "authors": post.get("author"),
        "venue": post.get("container-title"),
        "year": post.get("date") or post.get("issued"),
        "url": address if openreview or (volume and paper_id) else "",
        "pdf_url": post.get("pdf"),
        "pages": post.get("page"),
    }
