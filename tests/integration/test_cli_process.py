"""The command as a process: real engine, real streams, real signals."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from rag.store.generation import IndexFolder
from rag.store.lock import writer_lock

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-c", "from ui.cli import main; main()"]
KEY = "sk-canary-1234567890"
ENDED_S = 300
PAPERS = [
    {"id": "wells", "title": "Geospatial Wells", "abstract": "We map 213,000 wells in Alberta."},
    {"id": "caves", "title": "Deep Caves", "abstract": "Caves in the Alps are 800 metres deep."},
    {"id": "bees", "title": "Dancing Bees", "abstract": "Bees dance to tell where flowers are."},
]

Ended = subprocess.CompletedProcess[str]
Symposia = Callable[..., Ended]


def surroundings(data_dir: Path, **variables: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("SYMPOSIA_", "OPENAI_"))}
    # The working folder is a temporary one, so the project is put on the path by name.
    ours = {"PYTHONPATH": str(ROOT), "SYMPOSIA_DATA_DIR": str(data_dir)}
    return kept | ours | variables


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working folder with a small corpus; its data folder is shared by the tests of this file."""
    path = tmp_path_factory.mktemp("work")
    lines = "\n".join(json.dumps(paper) for paper in PAPERS)
    (path / "papers.jsonl").write_text(lines + "\n", encoding="utf-8")
    return path


@pytest.fixture
def symposia(folder: Path) -> Symposia:
    def run(*arguments: str, stdin: str = "", **variables: str) -> Ended:
        return subprocess.run(
            [*COMMAND, *arguments],
            cwd=folder,
            env=surroundings(folder / "data", **variables),
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=ENDED_S,
            check=False,
        )

    return run


def start(folder: Path, arguments: Sequence[str], **streams: int) -> subprocess.Popen[bytes]:
    # A shell starts its background jobs, and so what they start, with this signal ignored.
    script = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from ui.cli import main; main()"
    )
    environment = surroundings(folder / "data")
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.Popen(command, cwd=folder, env=environment, **streams)


def test_an_answer_as_json_is_all_that_is_written(symposia: Symposia) -> None:
    result = symposia("ask", "How many wells are mapped?", "--corpus", "papers.jsonl", "--json")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    answer = json.loads(result.stdout)
    assert answer["status"] == "answered"
    assert answer["papers"][0] == "wells"
    for citation in answer["citations"]:
        abstract = citation["paper"]["abstract"]
        assert abstract[citation["start"] : citation["end"]] == citation["quote"]


def test_json_is_the_object_that_python_gives(symposia: Symposia, folder: Path) -> None:
    script = (
        "import rag\n"
        "with rag.Assistant.open(rag.Settings(corpus='papers.jsonl')) as assistant:\n"
        "    print(assistant.ask('How deep are the caves?').to_json())"
    )
    in_python = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env=surroundings(folder / "data"),
        capture_output=True,
        text=True,
        timeout=ENDED_S,
        check=True,
    )
    printed = symposia("ask", "How deep are the caves?", "--corpus", "papers.jsonl", "--json")
    expected, found = json.loads(in_python.stdout), json.loads(printed.stdout)
    for timed in (expected, found):
        timed.pop("timings_ms")
    assert found == expected


def test_a_question_on_something_else_ends_with_its_own_code(symposia: Symposia) -> None:
    question = "Who won the football world cup in 1998?"
    result = symposia(question, "--corpus", "papers.jsonl")
    assert result.returncode == 4
    assert "not used as evidence" in result.stdout


def test_the_question_can_be_piped_in(symposia: Symposia) -> None:
    result = symposia("ask", "-", "--corpus", "papers.jsonl", stdin="How deep are the caves?\n")
    assert result.returncode == 0, result.stderr
    assert "Caves in the Alps are 800 metres deep." in result.stdout


def test_a_missing_file_is_told_in_two_lines(symposia: Symposia) -> None:
    result = symposia("ask", "What?", "--corpus", "no-such-papers.jsonl")
    assert result.returncode == 2
    assert "no-such-papers.jsonl" in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) <= 2


def test_a_wrong_setting_is_told(symposia: Symposia) -> None:
    result = symposia("search", "wells", SYMPOSIA_THREADS="many")
    assert result.returncode == 2
    assert "threads" in result.stderr
    assert "Traceback" not in result.stderr


def test_index_reports_what_it_did_and_each_bad_row(symposia: Symposia, folder: Path) -> None:
    good = json.dumps(PAPERS[0])
    (folder / "mixed.jsonl").write_text(f'{good}\n{{"id": "cut\n{good}\n', encoding="utf-8")
    result = symposia("index", "mixed.jsonl", "--name", "mixed")
    assert result.returncode == 0, result.stderr
    assert "mixed.jsonl:2" in result.stdout
    assert "mixed.jsonl:3" in result.stdout
    again = symposia("ask", "How many wells are mapped?", "--corpus", "mixed", "--json")
    assert json.loads(again.stdout)["papers"] == ["wells"]


def test_an_index_that_is_being_written_is_a_matter_of_trying_later(
    symposia: Symposia, folder: Path
) -> None:
    index = IndexFolder.of(folder / "data", "busy")
    index.path.mkdir(parents=True)
    with writer_lock(index.writer_lock):
        result = symposia("index", "papers.jsonl", "--name", "busy")
    assert result.returncode == 75
    assert f"process {os.getpid()}" in result.stderr
    assert "Traceback" not in result.stderr
    assert symposia("index", "papers.jsonl", "--name", "busy").returncode == 0


def test_an_export_can_be_indexed_again(symposia: Symposia, folder: Path) -> None:
    exported = symposia("export", "--corpus", "papers.jsonl", "--format", "jsonl")
    assert exported.returncode == 0, exported.stderr
    (folder / "exported.jsonl").write_text(exported.stdout, encoding="utf-8")
    twice = symposia("export", "--corpus", "exported.jsonl", "--format", "jsonl")
    assert twice.stdout == exported.stdout


def test_a_reader_that_goes_away_ends_the_command_quietly(folder: Path) -> None:
    arguments = ["export", "--format", "json"]
    with start(folder, arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_told(folder: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        arguments = ["export", "--format", "json"]
        with start(folder, arguments, stdout=full.fileno(), stderr=subprocess.PIPE) as process:
            _, told = process.communicate(timeout=ENDED_S)
    assert process.returncode == 1
    assert told.startswith(b"symposia: The output cannot be written")
    assert b"Traceback" not in told


def test_an_interrupt_ends_it_without_a_traceback(folder: Path) -> None:
    script = (
        "import signal, time\n"
        "from ui import cli, cli_options\n"
        # A shell starts its background jobs with this signal ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def wait():\n"
        "    print('waiting', flush=True)\n"
        # One long sleep would outlive a signal that comes just before it begins.
        "    while True:\n"
        "        time.sleep(0.05)\n"
        "cli_options.read_stdin = wait\n"
        "cli.main(['ask', '-'])\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=folder,
        env=surroundings(folder / "data"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"waiting\n"
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=ENDED_S)
    assert process.returncode == 130
    assert b"Traceback" not in told


def test_chat_serves_the_page_until_it_is_interrupted(folder: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    arguments = ["chat", "--port", str(port), "--no-browser", "--corpus", "papers.jsonl"]
    with start(folder, arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        told = process.stderr.readline().decode()
        assert f"http://127.0.0.1:{port}" in told
        assert "3 papers of" in told
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
            connection.request("GET", "/")
            page = connection.getresponse()
            assert page.status == 200
            assert b"Symposia" in page.read()
        process.send_signal(signal.SIGINT)
        written, told_last = process.communicate(timeout=60)
    assert process.returncode == 0
    assert written == b""
    assert b"Traceback" not in told_last


def test_doctor_finds_nothing_broken_and_shows_no_secret(symposia: Symposia) -> None:
    result = symposia("doctor", "--json", OPENAI_API_KEY=KEY)
    assert result.returncode == 0, result.stdout + result.stderr
    report = json.loads(result.stdout)
    assert report["broken"] is False
    assert KEY not in result.stdout + result.stderr
    setting = next(item for item in report["settings"] if item["name"] == "openai_api_key")
    assert setting["source"] == "environment"


def test_doctor_ends_with_an_error_where_something_is_broken(symposia: Symposia) -> None:
    result = symposia("doctor", SYMPOSIA_DATA_DIR="/proc/nowhere")
    assert result.returncode == 1
    assert "BROKEN  data folder" in result.stdout
    assert "SYMPOSIA_DATA_DIR" in result.stdout


@pytest.mark.parametrize("question", ["", "\U0001f600\x1b[2J"])
def test_odd_questions_get_a_sensible_reply(symposia: Symposia, question: str) -> None:
    result = symposia("ask", question, "--corpus", "papers.jsonl")
    assert result.returncode in {0, 2, 3, 4}
    assert (result.stdout + result.stderr).strip()
    assert "Traceback" not in result.stderr


def test_a_question_that_is_too_long_is_turned_down(symposia: Symposia) -> None:
    result = symposia("ask", "-", "--corpus", "papers.jsonl", stdin="well " * 4000)
    assert result.returncode in {2, 4}
    assert "Traceback" not in result.stderr
    assert (result.stdout + result.stderr).strip()


def test_output_is_utf_8_whatever_the_locale(symposia: Symposia, folder: Path) -> None:
    paper = {"id": "p", "title": "Über Bienen", "abstract": "Bienen tanzen für Blüten. ∀x"}
    (folder / "umlauts.jsonl").write_text(json.dumps(paper) + "\n", encoding="utf-8")
    result = symposia(
        *("export", "--corpus", "umlauts.jsonl", "--format", "jsonl"),
        LC_ALL="C",
        PYTHONUTF8="0",
        PYTHONCOERCECLOCALE="0",
    )
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["abstract"] == paper["abstract"]
