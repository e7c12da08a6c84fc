"""The id that a paper has on the site it is linked to."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SITES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"openreview\.net/(?:forum|pdf|attachment)/?\?(?:[^#]*&)?id=(?P<id>[\w-]+)",
        r"aclanthology\.org/(?P<id>[A-Z]\d\d-\d{4}|\d{4}\.[\w-]+\.\d+)",
        r"proceedings\.mlr\.press/(?P<id>[vr]\d+/[\w-]+)",
        r"arxiv\.org/(?:abs|pdf)/(?P<id>\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})",
        r"(?:^|/)doi\.org/(?P<id>10\.\d{4,9}/\S+)",
    )
)
DOI_SITE = "https://doi.org/"
_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(?P<doi>10\.\d{2,9}[\d.]*/\S+)", re.I)


def id_from_links(links: Iterable[str]) -> str:
    """The paper's id at OpenReview, the ACL Anthology, PMLR, arXiv or doi.org; empty without one.

    A site that comes first in this list wins over a link that comes first.
    """
    links = tuple(links)
    found = (site.search(link) for site in _SITES for link in links)
    return next((match["id"] for match in found if match), "")


def doi_link(text: str) -> str:
    """The address of a DOI in any of its spellings; empty if the text is none."""
    match = _DOI.match(text)
    return DOI_SITE + match["doi"] if match else ""
