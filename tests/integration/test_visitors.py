"""The token of a browser at the doors: over http, over https, behind a login."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from rag.assistant import Assistant
from ui.server import build_app
from ui.shelf import Shelf
from ui.visitor import COOKIE, token_of


def fetched(app_of: Any, url: str, **options: Any) -> httpx.Response:
    async def fetch() -> httpx.Response:
        # Built inside the loop: elsewhere Gradio leaves one of its own unclosed.
        transport = httpx.ASGITransport(app=app_of())
        async with httpx.AsyncClient(transport=transport, follow_redirects=True) as client:
            return await client.get(url, **options)

    return asyncio.run(fetch())


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "kept.sqlite", "wells", days=30)


def test_the_server_gives_a_token_for_all_of_its_paths(
    small_assistant: Assistant, shelf: Shelf
) -> None:
    page = fetched(lambda: build_app(small_assistant, shelf=shelf), "http://localhost/")
    given = page.headers["set-cookie"]
    assert token_of({COOKIE: page.cookies[COOKIE]})
    # For any path, as a proxy may show the page under one of its own.
    for words in ("Path=/;", "HttpOnly", "SameSite=Lax"):
        assert words in given
    assert "Secure" not in given
    secure = fetched(lambda: build_app(small_assistant, shelf=shelf), "https://localhost/")
    assert secure.headers["set-cookie"].endswith("; Secure")


def test_who_does_not_log_in_gets_none(small_assistant: Assistant, shelf: Shelf) -> None:
    def guarded() -> FastAPI:
        return build_app(small_assistant, shelf=shelf, auth="ann:secret")

    refused = fetched(guarded, "http://localhost/")
    assert refused.status_code == 401
    assert "set-cookie" not in refused.headers
    assert COOKIE in fetched(guarded, "http://localhost/", auth=("ann", "secret")).cookies
