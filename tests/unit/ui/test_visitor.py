"""The token of a browser: given once, to pages only, and never taken from anywhere else."""

import re

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from ui.visitor import COOKIE, Visitor, token_of


async def page(_: Request) -> Response:
    return HTMLResponse("<p>page</p>")


async def data(_: Request) -> Response:
    return JSONResponse({})


@pytest.fixture
def client() -> TestClient:
    routes = [Route("/", page, methods=["GET", "POST"]), Route("/data", data)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(Visitor)]))


def test_a_page_gives_a_token_once(client: TestClient) -> None:
    given = client.get("/").headers["set-cookie"]
    assert re.fullmatch(
        rf"{COOKIE}=[0-9a-f]{{32}}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax", given
    )
    assert "set-cookie" not in client.get("/").headers


def test_no_two_browsers_have_the_same(client: TestClient) -> None:
    tokens = set()
    for _ in range(20):
        client.cookies.clear()
        tokens.add(client.get("/").cookies[COOKIE])
    assert len(tokens) == 20


def test_over_https_it_goes_over_https_alone(client: TestClient) -> None:
    given = client.get("https://testserver/").headers["set-cookie"]
    assert given.endswith("; Secure")


def test_data_and_posts_give_none(client: TestClient) -> None:
    assert "set-cookie" not in client.get("/data").headers
    assert "set-cookie" not in client.post("/").headers


@pytest.mark.parametrize("token", ["", "x", "a" * 31, "A" * 32, "a" * 33, "../" + "a" * 29])
def test_what_was_not_given_here_is_replaced(client: TestClient, token: str) -> None:
    assert token_of({COOKIE: token}) == ""
    given = client.get("/", headers={"cookie": f"{COOKIE}={token}"}).headers["set-cookie"]
    assert token_of({COOKIE: given.split(";")[0].split("=")[1]})


def test_a_cookie_that_makes_no_sense_is_passed_over(client: TestClient) -> None:
    assert "set-cookie" in client.get("/", headers={"cookie": '=;"\\;\x01=2'}).headers
