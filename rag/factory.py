"""Builds the parts of an assistant from its settings, and the indexes they need."""

from __future__ import annotations

import itertools
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from rag.answering.grounding import SupportThresholds
from rag.answering.writer import Engine
from rag.chat.providers import open_chat_model
from rag.corpus import Corpus, example_questions
from rag.corpus.seeds import SEED_CORPORA, is_seed_corpus
from rag.embeddings.base import Embedder, Reader
from rag.embeddings.judge import LocalJudge
from rag.embeddings.local import LocalEmbedder
from rag.embeddings.providers import open_embedder
from rag.embeddings.reader import LocalReader
from rag.errors import CorpusError, IndexBusy, IndexDamaged, IndexMissing, IndexOutdated
from rag.indexing import (
    IndexReport,
    Origin,
    Progress,
    Source,
    corpora_in,
    index_name,
    is_fresh,
    read_source,
    sync_index,
)
from rag.indexing.catalogue import made_from
from rag.library import Collection, Library, OpenIndex
from rag.settings import Settings
from rag.store.base import Place, Store
from rag.store.folder import FolderPlace
from rag.store.generation import is_index_name

_logger = logging.getLogger(__name__)
_WAIT_FOR_WRITER_S = 120.0
_Show = Callable[[Progress], None] | None


def make_embedder(settings: Settings) -> Embedder:
    """The embedding model that the settings name."""
    if settings.embedding == "local":
        return LocalEmbedder(threads=settings.threads)
    key = settings.openai_api_key
    return open_embedder(
        settings.embedding,
        api_key=key.get_secret_value() if key else None,
        base_url=settings.openai_base_url,
        price=settings.price_embedding,
    )


def make_place(settings: Settings) -> Place:
    """Where the indexes are: on the Chroma server if one is set, else in the data folder.

    Raises:
        SettingsError: If the server's address or token cannot be used.
    """
    if not settings.chroma_url:
        return FolderPlace(settings.data_dir)
    from rag.store.served.connection import Connection
    from rag.store.served.store import ServerPlace

    token = settings.chroma_token
    connection = Connection(settings.chroma_url, token.get_secret_value() if token else None)
    return ServerPlace(connection, settings.data_dir)


def make_reader(settings: Settings) -> Reader:
    """The model that reads a question and an abstract together."""
    return LocalReader(threads=settings.threads)


def make_engine(settings: Settings) -> Engine | None:
    """The language model that the settings name, with the judge of its sentences; None without.

    Raises:
        SettingsError: If there is no such model, or it lacks a key.
        ExtraMissing: If the provider's package is not installed.
    """
    if not settings.model:
        return None
    key = settings.openai_api_key
    model = open_chat_model(
        settings.model,
        api_key=key.get_secret_value() if key else None,
        base_url=settings.openai_base_url,
        first_token_timeout_s=settings.first_token_timeout_s,
        window=settings.model_window,
        price_input=settings.price_input,
        price_output=settings.price_output,
    )
    return Engine(model, LocalJudge(threads=settings.threads), SupportThresholds())


def examples(settings: Settings) -> tuple[str, ...]:
    """Questions to begin with; none for a corpus that nobody has looked at."""
    known = [example_questions(corpus) for corpus in corpora_in(settings.corpus)]
    mixed = (each for row in itertools.zip_longest(*known) for each in row if each)
    return tuple(mixed)[: max(map(len, known), default=0)]


def open_library(settings: Settings, embedder: Embedder, progress: _Show = None) -> Library:
    """Open the indexes of the configured corpora, building or updating them first where needed.

    Raises:
        CorpusError: If a corpus is neither a known name nor papers that can be read.
        IndexMismatch: If an index was made by another embedder.
        IndexBusy: If another process is still building the first index.
    """
    place = make_place(settings)
    with ExitStack() as if_one_fails:
        opened = [
            if_one_fails.enter_context(
                closing(_open_index(corpus, settings, place, embedder, progress))
            )
            for corpus in corpora_in(settings.corpus)
        ]
        if not opened:
            raise _unknown_corpus(settings.corpus, place)
        library = Library(Collection(opened), embedder, depth=settings.search_depth)
        if_one_fails.pop_all()
    return library


def _open_index(
    corpus: str, settings: Settings, place: Place, embedder: Embedder, progress: _Show
) -> OpenIndex:
    name, source = _locate(corpus, place)
    if source is None and not is_index_name(name):
        raise _unknown_corpus(corpus, place)
    index, store = None, place.store(name)
    try:
        index = OpenIndex(store, embedder)
    except IndexMissing:
        if source is None:
            raise _unknown_corpus(corpus, place) from None
    except (IndexDamaged, IndexOutdated) as error:
        if source is None:
            raise
        _logger.warning("%s It is built anew.", error.message)
    if source is not None and not (
        index and is_fresh(store, source, embedder, settings.chunk_tokens)
    ):
        if index is not None:
            # So that the generation that it reads can be removed.
            index.close()
            index = None
        read, origin = read_source(source, embedder, settings.chunk_tokens)
        _sync(read, store, origin, settings, embedder, progress)
    return index or OpenIndex(store, embedder)


def _locate(corpus: str, place: Place) -> tuple[str, Source | None]:
    """The name of the index, and the source that it is to be in line with, if there is one."""
    try:
        name = index_name(corpus)
        if is_seed_corpus(corpus):
            # Somebody may have given this name to papers of their own.
            is_source = made_from(place, name) in (None, corpus)
        else:
            is_source = Path(corpus).expanduser().exists()
        return name, Source.of(corpus) if is_source else None
    except OSError as error:
        raise CorpusError(
            f"The corpus {corpus!r} cannot be looked at: {error.strerror}.",
            hint="Check its path and who may read it.",
        ) from error


def build_index(
    sources: Sequence[str | Path],
    *,
    name: str | None = None,
    columns: Mapping[str, str] | None = None,
    description: str = "",
    prune: bool = False,
    dry_run: bool = False,
    settings: Settings | None = None,
    progress: _Show = None,
) -> IndexReport:
    """Build or update an index; an index of another embedder is replaced.

    Args:
        sources: Files or folders of papers, or a corpus that comes with Symposia. Several become
            one corpus.
        name: What the corpus is called; needed for several sources.
        columns: Which column holds which field; see ``rag.corpus.load_corpus``.
        description: What the papers are, for `symposia corpora`.
        prune: Remove papers that the sources do not have any more.
        dry_run: Write nothing, only report what would be done.
        settings: Where the index goes and which models make it.
        progress: Told how far the run has come.

    Raises:
        CorpusError: If not one paper can be read, or the name is missing.
        IndexBusy: If another process is writing this index.
    """
    settings = settings or Settings()
    if name is None and len(sources) != 1:
        raise CorpusError(
            "Several sources need one name.", hint="Give it with --name, for example --name icml."
        )
    embedder = make_embedder(settings)
    source = Source.of(*sources, name=name, columns=columns, description=description)
    corpus, origin = read_source(source, embedder, settings.chunk_tokens)
    target = name or index_name(sources[0])
    return sync_index(
        corpus,
        name=target,
        store=make_place(settings).store(target),
        data_dir=settings.data_dir,
        embedder=embedder,
        chunk_tokens=settings.chunk_tokens,
        origin=origin,
        prune=prune or source.is_seed_corpus,
        dry_run=dry_run,
        progress=progress,
    )


def _sync(
    corpus: Corpus,
    store: Store,
    origin: Origin,
    settings: Settings,
    embedder: Embedder,
    progress: _Show,
) -> None:
    """Sync an index, or wait for the process that is doing so."""
    deadline = time.monotonic() + _WAIT_FOR_WRITER_S
    while True:
        try:
            report = sync_index(
                corpus,
                name=store.name,
                store=store,
                data_dir=settings.data_dir,
                embedder=embedder,
                chunk_tokens=settings.chunk_tokens,
                origin=origin,
                prune=origin.source.is_seed_corpus,
                progress=progress,
            )
        except IndexBusy:
            if store.current() is not None:
                return
            if time.monotonic() > deadline:
                raise
            time.sleep(0.25)
        else:
            if report.n_kept:
                _logger.warning(
                    "Papers of this index that are not in %s any more: %d. They are kept; "
                    "`symposia index %s --prune` removes them.",
                    settings.corpus,
                    report.n_kept,
                    origin.source.arguments,
                )
            return


def _unknown_corpus(corpus: str, place: Place) -> CorpusError:
    known = ", ".join(sorted({*place.names(), *SEED_CORPORA}))
    return CorpusError(
        f"There is no corpus {corpus!r}: it is neither a file or folder, nor a name given before "
        f"({known}).",
        hint="Give the path of a file or folder with papers, or index them under a name with "
        "`symposia index PATH --name NAME`.",
    )
