"""The command line over a scripted engine: what goes where, and how it ends."""

import dataclasses
import io
import json
import re
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from types import TracebackType
from typing import Self

import pytest

from eval.cases import load_cases
from eval.feedback import FILE
from rag.answer import Answer
from rag.corpus import RejectedRow, Remark
from rag.errors import CorpusError, IndexBusy, SettingsError, SymposiaError
from rag.indexing import IndexReport, Source
from rag.indexing.catalogue import Listed
from rag.records import (
    Chunk,
    Citation,
    Cue,
    DroppedSentence,
    Filters,
    Hit,
    LegRanks,
    Paper,
    Passage,
    Sentence,
    Usage,
)
from rag.settings import Settings
from ui import cli, cli_engine
from ui.cli_exit import MEANINGS, ExitCode
from ui.shelf import Shelf

WELLS = Paper(
    paper_id="wells",
    title="Geospatial Wells",
    abstract="Wells leak. We release data on 213,000 wells in Alberta.",
    authors=("Ann Example", "Bo Sample"),
    venue="ICML 2025",
    year=2025,
    url="https://example.org/wells",
    presentation="oral",
)
CAVES = Paper(paper_id="caves", title="Mapping Caves", abstract="Caves are deep.", year=2024)
QUOTE = "We release data on 213,000 wells in Alberta."
ANSWERED = Answer(
    question="How many wells?",
    standalone_question="How many wells?",
    status="answered",
    sentences=(Sentence("There are 213,000 wells.", (1,), support=0.9),),
    citations=(Citation(1, WELLS, QUOTE, 12, 12 + len(QUOTE)),),
    passages=(Passage(1, WELLS, WELLS.abstract, 1.0), Passage(2, CAVES, CAVES.abstract, 0.5)),
)
NOT_STATED = Answer(
    question="What did they cost?",
    standalone_question="What did they cost?",
    status="not_stated",
    passages=ANSWERED.passages,
    notice="The abstract does not say it.",
)
NOT_IN_CORPUS = Answer(
    question="Who won?",
    standalone_question="Who won?",
    status="not_in_corpus",
    passages=ANSWERED.passages,
    notice="No paper here is about this.",
)
HIT = Hit(
    chunk=Chunk("wells#0", "wells", WELLS.abstract, 0, len(WELLS.abstract), 14, "00"),
    score=0.5,
    rank=1,
    ranks=LegRanks(dense=1, lexical=None),
    paper=WELLS,
)


@dataclass
class ScriptedAssistant:
    """Stands in for the engine: answers as told, and remembers what it was asked."""

    answer: Answer | BaseException = ANSWERED
    hits: list[Hit] = field(default_factory=lambda: [HIT])
    papers: tuple[Paper, ...] = (WELLS, CAVES)
    calls: list[tuple[object, ...]] = field(default_factory=list)
    corpus_name: str = "mine"

    @property
    def n_papers(self) -> int:
        return len(self.papers)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def ask(
        self,
        question: str,
        *,
        history: object = (),
        filters: Filters | None = None,
        read_cues: bool = True,
    ) -> Answer:
        asked = (question, tuple(history), filters)  # type: ignore[call-overload]
        self.calls.append(asked if read_cues else (*asked, "no cues"))
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    def search(self, query: str, k: int, filters: Filters | None) -> list[Hit]:
        self.calls.append((query, k, filters))
        return self.hits


@dataclass
class Run:
    """How one command ended and what it wrote."""

    code: int
    out: str
    err: str


Runner = Callable[..., Run]


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> ScriptedAssistant:
    assistant = ScriptedAssistant()

    def open_assistant(corpus: str | None, progress: object) -> ScriptedAssistant:
        assistant.calls.append((corpus,))
        assert progress is None, "no progress is shown where standard error is no terminal"
        return assistant

    monkeypatch.setattr(cli_engine, "open_assistant", open_assistant)
    return assistant


@pytest.fixture
def run(engine: ScriptedAssistant, capsys: pytest.CaptureFixture[str]) -> Runner:
    def run_command(*arguments: str) -> Run:
        with pytest.raises(SystemExit) as ended:
            cli.main(arguments)
        written = capsys.readouterr()
        code = ended.value.code
        return Run(code if isinstance(code, int) else 0, written.out, written.err)

    return run_command


def test_an_answer_is_followed_by_its_numbered_sources_and_unseen_quotes(run: Runner) -> None:
    result = run("ask", "How many wells?")
    assert result == Run(
        0,
        "There are 213,000 wells. [1]\n\n"
        "Sources\n\n"
        "[1] Geospatial Wells\n"
        "    Ann Example, Bo Sample. ICML 2025\n"
        "    https://example.org/wells\n"
        f'    "{QUOTE}"\n',
        "",
    )


def test_a_quote_that_the_answer_shows_is_not_repeated(
    run: Runner, engine: ScriptedAssistant
) -> None:
    shown = Answer(
        question="q",
        standalone_question="q",
        status="answered",
        sentences=(Sentence(QUOTE, (1,), support=1.0),),
        citations=ANSWERED.citations,
    )
    engine.answer = shown
    assert run("ask", "q").out.count(QUOTE) == 1


def test_what_was_left_out_for_want_of_proof_is_counted(
    run: Runner, engine: ScriptedAssistant
) -> None:
    engine.answer = Answer(
        question="q",
        standalone_question="q",
        status="answered",
        sentences=ANSWERED.sentences,
        citations=ANSWERED.citations,
        dropped=(DroppedSentence("Wells are blue.", "unsupported"),),
    )
    result = run("ask", "q")
    assert result.out.endswith("(1 sentence left out for want of proof)\n")
    assert "blue" not in result.out


@pytest.mark.parametrize(
    ("answer", "code", "heading", "n_papers"),
    [
        (NOT_STATED, ExitCode.NOT_STATED, "Looked in:", 1),
        (NOT_IN_CORPUS, ExitCode.NOT_IN_CORPUS, "Nearest papers, not used as evidence:", 2),
    ],
)
def test_a_refusal_has_its_own_code_and_names_papers_as_no_evidence(
    run: Runner,
    engine: ScriptedAssistant,
    answer: Answer,
    code: ExitCode,
    heading: str,
    n_papers: int,
) -> None:
    engine.answer = answer
    result = run("ask", answer.question)
    assert result.code == code
    assert result.out.startswith(f"{answer.notice}\n\n{heading}\n\n  - Geospatial Wells\n")
    assert ("Mapping Caves" in result.out) == (n_papers == 2)
    assert "Sources" not in result.out


def test_json_is_the_answer_itself(run: Runner) -> None:
    result = run("ask", "--json", "How many wells?")
    assert json.loads(result.out) == json.loads(ANSWERED.to_json())
    assert result.err == ""


def test_markdown_bibtex_and_csv_are_those_of_the_answer(run: Runner) -> None:
    assert run("ask", "--markdown", "q").out == ANSWERED.to_markdown()
    assert run("ask", "--bibtex", "q").out == ANSWERED.to_bibtex()
    assert run("ask", "--csv", "q").out == ANSWERED.to_csv()


def test_bibtex_of_a_refusal_leaves_the_data_stream_to_entries(
    run: Runner, engine: ScriptedAssistant
) -> None:
    engine.answer = NOT_IN_CORPUS
    assert run("ask", "--bibtex", "q") == Run(4, "", "No paper here is about this.\n")


def test_two_output_forms_at_once_are_turned_down(run: Runner) -> None:
    result = run("ask", "--json", "--bibtex", "q")
    assert result.code == ExitCode.USAGE
    assert "--markdown" in result.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("How many wells?",),
        ("ask", "How many wells?"),
        ("ask", "How", "many", "wells?"),
        ("--json", "How many wells?"),
        ("How many wells?", "--json"),
    ],
)
def test_a_bare_question_is_asked(
    run: Runner, engine: ScriptedAssistant, arguments: tuple[str, ...]
) -> None:
    assert run(*arguments).code == 0
    assert engine.calls == [(None,), ("How many wells?", (), None)]


def test_options_reach_the_engine(run: Runner, engine: ScriptedAssistant) -> None:
    run(
        *("ask", "q", "--corpus", "mine", "--author", "Ann", "--author", "Bo", "--year", "2025"),
        *("--venue", "ICML", "--presentation", "oral", "--track", "main", "--keyword", "wells"),
        *("--history", "first", "--history", "second"),
    )
    filters = Filters(
        authors=("Ann", "Bo"),
        venues=("ICML",),
        years=(2025,),
        presentation=("oral",),
        track=("main",),
        keywords=("wells",),
    )
    assert engine.calls == [(["mine"],), ("q", ("first", "second"), filters)]


def test_filters_read_from_the_question_are_shown_and_can_be_undone(
    run: Runner, engine: ScriptedAssistant
) -> None:
    cue = Cue("presentation", "oral", "oral papers")
    engine.answer = replace(ANSWERED, filters=Filters(presentation=("oral",)), cues=(cue,))
    shown = run("ask", "Which oral papers find wells?").out
    assert (
        "Looked only at: presentation oral (read from the question; undo with --no-cues)" in shown
    )
    engine.answer = ANSWERED
    assert "Looked only at" not in run("ask", "--no-cues", "Which oral papers find wells?").out
    assert engine.calls[-1] == ("Which oral papers find wells?", (), None, "no cues")


def test_what_a_record_says_stands_under_its_paper(run: Runner, engine: ScriptedAssistant) -> None:
    citation = replace(ANSWERED.citations[0], record="Authors: Ann Example, Bo Sample")
    engine.answer = replace(ANSWERED, citations=(citation,))
    shown = run("ask", "Who wrote it?").out
    assert "From the record: Authors: Ann Example, Bo Sample" in shown
    assert QUOTE not in shown


def test_a_dash_reads_the_question_from_standard_input(
    run: Runner, engine: ScriptedAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = "\ufeffWie tief?".encode() + b"\xff\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)))
    run("ask", "-")
    assert engine.calls[-1][0] == "Wie tief?\ufffd\n"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (SymposiaError("It failed.", hint="Try this."), ExitCode.ERROR),
        (SettingsError("It failed.", hint="Try this."), ExitCode.USAGE),
        (CorpusError("It failed.", hint="Try this."), ExitCode.USAGE),
        (IndexBusy("It failed.", hint="Try this."), ExitCode.BUSY),
        (KeyboardInterrupt(), ExitCode.INTERRUPTED),
    ],
)
def test_a_deliberate_error_is_told_without_a_traceback(
    run: Runner, engine: ScriptedAssistant, error: BaseException, code: ExitCode
) -> None:
    engine.answer = error
    result = run("ask", "q")
    assert result.code == code
    assert result.out == ""
    if isinstance(error, SymposiaError):
        assert result.err == "symposia: It failed.\nTry this.\n"


def test_debug_anywhere_on_the_line_adds_the_traceback(
    run: Runner, engine: ScriptedAssistant
) -> None:
    engine.answer = SymposiaError("It failed.")
    for arguments in (("--debug", "ask", "q"), ("ask", "q", "--debug")):
        result = run(*arguments)
        assert result.code == ExitCode.ERROR
        assert "Traceback" in result.err
        assert result.err.endswith("symposia: It failed.\n")


def test_after_two_dashes_everything_is_the_question(
    run: Runner, engine: ScriptedAssistant
) -> None:
    run("ask", "--", "--debug", "-5", "degrees")
    assert engine.calls[-1][0] == "--debug -5 degrees"


def test_other_errors_are_bugs_and_are_not_hidden(run: Runner, engine: ScriptedAssistant) -> None:
    engine.answer = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        cli.main(["ask", "q"])


@pytest.mark.parametrize(("typed", "meant"), [("serach", "search"), ("docter", "doctor")])
def test_a_mistyped_command_is_not_asked_as_a_question(
    run: Runner, engine: ScriptedAssistant, typed: str, meant: str
) -> None:
    result = run(typed, "wells")
    assert result.code == ExitCode.USAGE
    assert f"did you mean '{meant}'" in result.err
    assert engine.calls == []


@pytest.mark.parametrize("options", [("--year", "soon"), ("--no-such-option",), ("-k", "3")])
def test_wrong_options_are_usage_errors(run: Runner, options: tuple[str, ...]) -> None:
    result = run("ask", "q", *options)
    assert result.code == ExitCode.USAGE
    assert options[0] in result.err


HOSTILE = Paper(
    paper_id="p",
    title="Red \x1b[31mpaper\x07 \x9b2J \u202etxt.exe",
    abstract="One\x1b]0;title\x07 sentence.",
    url="https://example.org/\x1b[2J",
)


@pytest.mark.parametrize("form", [(), ("--json",), ("--markdown",), ("--bibtex",), ("--csv",)])
def test_control_characters_of_a_paper_never_reach_the_terminal(
    run: Runner, engine: ScriptedAssistant, form: tuple[str, ...]
) -> None:
    engine.answer = Answer(
        question="q",
        standalone_question="q",
        status="answered",
        sentences=(Sentence(HOSTILE.abstract, (1,), support=1.0),),
        citations=(Citation(1, HOSTILE, HOSTILE.abstract, 0, len(HOSTILE.abstract)),),
    )
    out = run("ask", "q", *form).out
    assert re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", out) == []
    if form == ("--json",):
        assert json.loads(out)["citations"][0]["quote"] == HOSTILE.abstract
    else:
        assert r"\x1b" in out


def test_control_characters_of_an_error_are_written_out(
    run: Runner, engine: ScriptedAssistant
) -> None:
    engine.answer = CorpusError("No such file: \x1b[2Jpapers")
    assert run("ask", "q").err == "symposia: No such file: \\x1b[2Jpapers\n"


def test_a_lone_surrogate_of_the_command_line_does_not_crash(
    run: Runner, engine: ScriptedAssistant
) -> None:
    engine.answer = SymposiaError("Asked: \udcff")
    assert run("ask", "\udcff").err == "symposia: Asked: \\udcff\n"


def test_text_is_wrapped_to_the_terminal_and_only_there(
    run: Runner, engine: ScriptedAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "word " * 40 + "end."
    engine.answer = Answer(
        question="q",
        standalone_question="q",
        status="answered",
        sentences=(Sentence(long, (1,), support=1.0),),
        citations=ANSWERED.citations,
    )
    assert max(len(line) for line in run("ask", "q").out.splitlines()) > 200
    monkeypatch.setattr("ui.cli_output.data_width", lambda: 60)
    assert max(len(line) for line in run("ask", "q").out.splitlines()) <= 60


def test_search_lists_papers_with_their_scores_and_ranks(
    run: Runner, engine: ScriptedAssistant
) -> None:
    assert run("search", "leaking", "wells", "-k", "3") == Run(
        0,
        "  1. Geospatial Wells\n"
        "     Ann Example, Bo Sample. ICML 2025\n"
        "     https://example.org/wells\n"
        "     score 0.5000 (dense 1, lexical -, rerank -)\n",
        "",
    )
    assert engine.calls == [(None,), ("leaking wells", 3, None)]


def test_search_as_json_carries_the_whole_hit(run: Runner) -> None:
    (hit,) = json.loads(run("search", "wells", "--json").out)
    assert hit["rank"] == 1
    assert hit["paper"]["paper_id"] == "wells"
    assert hit["ranks"] == {"dense": 1, "lexical": None, "rerank": None}


def test_search_without_a_hit_says_so(run: Runner, engine: ScriptedAssistant) -> None:
    engine.hits = []
    assert run("search", "wells") == Run(4, "", "Nothing was found.\n")
    assert run("search", "wells", "--json") == Run(4, "[]\n", "Nothing was found.\n")


def test_export_writes_every_form(run: Runner) -> None:
    assert run("export").out.count("@inproceedings") == 2
    assert run("export", "--format", "markdown").out.startswith("- [Geospatial Wells](https://")
    assert [p["paper_id"] for p in json.loads(run("export", "--format", "json").out)] == [
        "wells",
        "caves",
    ]
    lines = run("export", "--format", "jsonl").out.splitlines()
    assert [json.loads(line)["abstract"] for line in lines] == [WELLS.abstract, CAVES.abstract]


REPORT = IndexReport(
    name="mine",
    generation_id="20261130T120000000000Z-0123456789ab",
    changed=True,
    is_dry_run=False,
    n_read=4,
    n_indexed=1005,
    n_added=1001,
    n_updated=1,
    n_unchanged=1,
    n_kept=2,
    n_removed=5,
    n_embedded=1002,
    n_from_cache=3,
    rejected=(RejectedRow("papers.jsonl", 2, "not valid JSON \x1b[2J"),),
    remarks=tuple(Remark("papers.jsonl", line, "it has no abstract") for line in range(5, 9)),
    notes=("papers.jsonl: read as Windows-1252",),
    source=Source(("/data/papers.jsonl",), "mine"),
    stamp="0" * 64,
    timings_ms={"reading": 34.5, "embedding": 1200.0},
    elapsed_ms=1234.5,
    finished_at="2026-11-30T12:00:00+00:00",
    usage=Usage(12_000, 0, "provider", 0.00024),
)
SHOWN_REPORT = """\
Corpus mine: 1005 papers indexed in 1.2 s (3.2 papers a second)
  read              4
  added         1,001
  changed           1
  removed           5
  unchanged         1
  kept              2  not in the source any more; --prune removes them
  skipped           1
  embedded      1,002  texts
  from cache        3  texts
  reading         0.0  s
  embedding       1.2  s
  The embedding model: 12,000 tokens read (said by the provider), about $0.00024
Skipped
  papers.jsonl:2: not valid JSON \\x1b[2J
Remarks
  4 times: it has no abstract (papers.jsonl:5, papers.jsonl:6, papers.jsonl:7, ...)
Notes
  papers.jsonl: read as Windows-1252
"""


def test_index_reports_every_count_and_every_rejected_row(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def build(paths: list[str], **given: object) -> IndexReport:
        asked.extend([paths, given])
        return REPORT

    monkeypatch.setattr(cli_engine, "build_index", build)
    assert run("index", "papers.jsonl", "more.csv", "--name", "mine") == Run(0, SHOWN_REPORT, "")
    given = {
        "name": "mine",
        "columns": {},
        "description": "",
        "prune": False,
        "dry_run": False,
        "progress": None,
    }
    assert asked == [["papers.jsonl", "more.csv"], given]
    plain = json.loads(run("index", "papers.jsonl", "--json").out)
    assert plain["n_indexed"] == 1005
    assert plain["rejected"][0]["line"] == 2
    assert plain["papers_per_s"] == 3.2
    asked.clear()
    run("index", "a.csv", "--column", "title=Name of = talk", "--column", "doi =", "--prune")
    columns = {"title": "Name of = talk", "doi": ""}
    assert asked == [["a.csv"], given | {"name": None, "columns": columns, "prune": True}]


@pytest.mark.parametrize("column", ["title", "=x", "title=a"])
def test_a_column_that_says_nothing_is_wrong_usage(run: Runner, column: str) -> None:
    shown = run("index", "a.csv", "--column", "title=b", "--column", column)
    assert shown.code == ExitCode.USAGE
    assert "--column 'title=Name of talk'" in shown.err


@pytest.mark.parametrize(
    ("changed", "headline"),
    [
        (True, "Corpus mine: 1005 papers would be indexed (dry run: nothing was written)"),
        (
            False,
            "Corpus mine: 1005 papers are indexed; nothing would change "
            "(dry run: nothing was written)",
        ),
    ],
)
def test_a_dry_run_says_that_it_was_one(
    changed: bool, headline: str, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = dataclasses.replace(REPORT, is_dry_run=True, changed=changed)
    monkeypatch.setattr(cli_engine, "build_index", lambda *_, dry_run, **__: dry_run and report)
    assert run("index", "papers.jsonl", "--dry-run").out.startswith(headline + "\n")


LISTED = (
    Listed(
        name="icml2025",
        state="unbuilt",
        detail="it has no index yet",
        description="all 3,330 papers of ICML 2025 (PMLR 267)",
        source="icml2025",
        n_papers=0,
        n_chunks=0,
        embedder="",
        built_at="",
        n_bytes=0,
    ),
    Listed(
        name="mine",
        state="stale",
        detail="its source, or how it is read, has changed since",
        description="",
        source="/data/papers.jsonl --name mine",
        n_papers=1005,
        n_chunks=1100,
        embedder="bge-small-en-v1.5-int8/384/cls/68807e3ff2ab",
        built_at="2026-11-30T12:00:00+00:00",
        n_bytes=12_345_678,
    ),
)
SHOWN_CORPORA = """\
NAME      PAPERS  CHUNKS     SIZE  STATE    BUILT             EMBEDDER                FROM
icml2025       -       -        -  unbuilt  -                 -                       all 3,330 \
papers of ICML 2025 (PMLR 267)
mine       1,005   1,100  12.3 MB  stale    2026-11-30 12:00  bge-small-en-v1.5-int8  /data/\
papers.jsonl --name mine

icml2025: it has no index yet
mine: its source, or how it is read, has changed since
"""


def test_corpora_are_listed(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_engine, "list_corpora", lambda: LISTED)
    assert run("corpora") == Run(0, SHOWN_CORPORA, "")
    plain = json.loads(run("corpora", "--json").out)
    assert [(item["name"], item["state"]) for item in plain] == [
        ("icml2025", "unbuilt"),
        ("mine", "stale"),
    ]


def test_one_corpus_is_shown_with_its_last_report(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_engine, "list_corpora", lambda: LISTED)
    monkeypatch.setattr(cli_engine, "last_report", {"mine": REPORT}.get)
    shown = run("corpora", "mine").out
    assert shown.startswith("NAME  PAPERS")
    assert shown.endswith("\n\n" + SHOWN_REPORT)
    assert json.loads(run("corpora", "mine", "--json").out)["report"]["n_read"] == 4
    assert json.loads(run("corpora", "icml2025", "--json").out)["report"] is None
    assert run("corpora", "other").code == ExitCode.USAGE


def test_an_index_of_nothing_is_an_error(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = dataclasses.replace(REPORT, n_indexed=0)
    monkeypatch.setattr(cli_engine, "build_index", lambda *_, **__: empty)
    assert run("index", "papers.jsonl").code == ExitCode.ERROR


def test_eval_asks_judges_and_prints_the_report(run: Runner, engine: ScriptedAssistant) -> None:
    engine.answer = NOT_IN_CORPUS
    result = run("eval", "--split", "dev", "--limit", "2")
    assert result.code == 0
    assert "split dev" in result.out
    assert [call[0] for call in engine.calls[1:]] == [
        c.question for c in load_cases(split="dev")[:2]
    ]
    engine.answer = SymposiaError("It failed.")
    plain = run("eval", "--limit", "1", "--json")
    assert plain.code == ExitCode.ERROR
    assert "It failed." in json.loads(plain.out)["cases"][0]["error"]


def test_version(run: Runner) -> None:
    assert re.fullmatch(r"symposia \d+\.\d+\.\d+\n", run("--version").out)


@pytest.mark.parametrize("asked", [("--help",), ("-h",), ()])
def test_help_lists_commands_and_exit_codes(run: Runner, asked: tuple[str, ...]) -> None:
    result = run(*asked)
    text = result.out + result.err
    for command in cli.COMMANDS:
        assert f"\n  {command} " in text
    for code, meaning in MEANINGS.items():
        assert f"{code.value}  {meaning}" in text


def test_chat_opens_the_page_over_the_opened_corpus(
    run: Runner, engine: ScriptedAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    launched: list[dict[str, object]] = []

    def launch(assistant: object, **options: object) -> None:
        assert assistant is engine
        ready = options.pop("on_ready")
        assert callable(ready)
        ready("http://127.0.0.1:8123")
        launched.append(options)

    monkeypatch.setattr("ui.web.launch", launch)
    monkeypatch.setattr("ui.commands.chat.require_free_port", lambda host, port: None)
    result = run("chat", "--port", "8123", "--no-browser", "--corpus", "mine")
    assert result.code == 0
    assert result.out == ""
    assert result.err == (
        "2 papers of mine are open to questions at http://127.0.0.1:8123 (Ctrl-C ends).\n"
    )
    keep = launched[0].pop("keep_feedback")
    assert isinstance(keep, partial)
    assert keep.args == (Settings().data_dir / FILE,)
    shelf = launched[0].pop("shelf")
    assert isinstance(shelf, Shelf)
    assert shelf.path == Settings().data_dir / "conversations.sqlite"
    assert launched == [{"host": "127.0.0.1", "port": 8123, "open_browser": False, "auth": ""}]


def test_chat_keeps_no_conversations_where_none_are_wanted(
    run: Runner, engine: ScriptedAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    launched: list[dict[str, object]] = []
    monkeypatch.setattr("ui.web.launch", lambda _, **options: launched.append(options))
    monkeypatch.setattr("ui.commands.chat.require_free_port", lambda host, port: None)
    monkeypatch.setenv("SYMPOSIA_HISTORY_DAYS", "0")
    assert run("chat", "--no-browser").code == 0
    assert launched[0]["shelf"] is None


def test_chat_looks_at_the_port_before_it_opens_the_corpus(
    run: Runner, engine: ScriptedAssistant
) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = str(listener.getsockname()[1])
        result = run("chat", "--port", port, "--no-browser")
    assert result.code == ExitCode.USAGE
    assert f"Port {port} of 127.0.0.1 is taken" in result.err
    assert engine.calls == []
