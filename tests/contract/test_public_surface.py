"""The names and signatures that scripts outside the project call; a change here breaks them."""

import dataclasses
import importlib
import inspect

import pytest

import rag
from rag.errors import SymposiaError

NAMES = {
    "Answer",
    "Assistant",
    "Census",
    "CensusPlan",
    "Chunk",
    "Citation",
    "Cue",
    "DroppedSentence",
    "Filters",
    "Finished",
    "Hit",
    "Member",
    "Paper",
    "Passage",
    "Query",
    "Retrieved",
    "Sentence",
    "SentenceReady",
    "Settings",
    "Turn",
    "Usage",
    "ask",
}
ERRORS = {
    "CorpusError",
    "ExtraMissing",
    "IndexBusy",
    "IndexDamaged",
    "IndexMismatch",
    "IndexMissing",
    "IndexOutdated",
    "IndexingError",
    "ModelFileError",
    "ProviderError",
    "QuestionError",
    "SettingsError",
    "StoreUnavailable",
    "SymposiaError",
}
FIELDS = {
    "Paper": "paper_id title abstract authors venue year url pdf_url presentation track keywords",
    "Chunk": "chunk_id paper_id text start end n_tokens content_hash",
    "Hit": "chunk score rank ranks",
    "Passage": "marker paper text score",
    "Sentence": "text markers support",
    "Citation": "marker paper quote start end record",
    "Cue": "field value text",
    "Turn": "role text",
    "Census": "topic rule n_screened n_considered members borderline",
    "CensusPlan": "n_papers n_requests input_tokens output_tokens cost_usd",
    "Member": "paper marker confidence quote start end",
    "Query": "question standalone filters cues topic",
    "Filters": "authors venues years presentation track keywords",
    "Retrieved": "query passages plan",
    "SentenceReady": "sentence citations",
    "Finished": "answer",
    "Answer": "question standalone_question status sentences citations passages dropped usage "
    "timings_ms model index_fingerprint census filters cues suggestions",
}


def test_the_public_names_are_these() -> None:
    assert set(rag.__all__) == NAMES | ERRORS


@pytest.mark.parametrize("name", sorted(NAMES | ERRORS))
def test_every_public_name_can_be_had_and_is_documented(name: str) -> None:
    thing = getattr(rag, name)
    assert inspect.getdoc(thing)
    assert name in dir(rag)


@pytest.mark.parametrize("name", sorted(ERRORS))
def test_one_class_catches_every_error(name: str) -> None:
    assert issubclass(getattr(rag, name), SymposiaError)


def test_the_error_tree_has_no_hidden_class() -> None:
    errors = importlib.import_module("rag.errors")
    defined = {n for n, c in vars(errors).items() if inspect.isclass(c)}
    assert defined == ERRORS


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        rag.no_such_name  # noqa: B018


@pytest.mark.parametrize("name", FIELDS)
def test_records_are_frozen_and_keep_their_fields(name: str) -> None:
    record = getattr(rag, name)
    assert record.__dataclass_params__.frozen
    present = [field.name for field in dataclasses.fields(record)]
    assert [field for field in FIELDS[name].split() if field not in present] == []


def test_an_answer_has_all_its_forms() -> None:
    forms = {
        "text",
        "papers",
        "to_dict",
        "to_json",
        "to_markdown",
        "to_bibtex",
        "to_csv",
        "_repr_markdown_",
    }
    assert {form for form in forms if not hasattr(rag.Answer, form)} == set()


def test_the_engine_has_its_methods_with_their_arguments() -> None:
    expected = {
        "open": ["settings", "progress"],
        "ask": ["question", "history", "filters"],
        "aask": ["question", "history", "filters"],
        "stream": ["question", "history", "filters"],
        "astream": ["question", "history", "filters"],
        "search": ["query", "k", "filters"],
        "as_runnable": [],
        "as_retriever": [],
        "close": [],
    }
    for name, parameters in expected.items():
        found = inspect.signature(getattr(rag.Assistant, name)).parameters
        assert [p for p in parameters if p not in found] == [], name
    assert list(inspect.signature(rag.Assistant.search).parameters)[:4] == [
        "self",
        "query",
        "k",
        "filters",
    ]
    for name in ("papers", "mode", "n_papers", "corpus_name", "examples"):
        assert hasattr(rag.Assistant, name), name


def test_the_one_line_call_takes_question_history_and_filters() -> None:
    assert list(inspect.signature(rag.ask).parameters)[:3] == ["question", "history", "filters"]
