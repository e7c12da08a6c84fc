"""Indexing runs that are killed, starved, doubled or fed damage: never a wrong index, nothing lost.

Every fault is real: real processes, real kills, real limits. All writing happens in temporary
folders, in child processes with a limit on the size of files.
"""

import errno
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from rag.chunking import embedding_text
from rag.corpus import Corpus, load_corpus
from rag.embeddings.local import LocalEmbedder
from rag.errors import IndexDamaged
from rag.indexing import sync_index
from rag.records import Paper
from rag.store import verification
from rag.store.generation import MANIFEST, IndexFolder
from rag.store.index import open_index, read_records
from rag.store.manifest import read_manifest, write_manifest
from rag.store.rows import write_rows
from rag.store.seal import seal
from rag.store.verification import verify

DRIVER = Path(__file__).with_name("index_driver.py")
ROOT = Path(__file__).parents[2]
TIMEOUT_S = 60.0
N_KILLS = 25
SOON_S = 20.0
"""Far less than what is not waited for takes, far more than a busy machine needs."""


def load_driver() -> ModuleType:
    spec = importlib.util.spec_from_file_location("index_driver", DRIVER)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["index_driver"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


driver = load_driver()


def make_paper(number: int) -> Paper:
    words = np.random.default_rng(number).choice(2000, 30)
    abstract = " ".join(f"word{word}" for word in words)
    return Paper(f"p{number}", f"Title {number}", f"{abstract}.")


# The canary is a word of one paper that differs between the two corpora.
COMMON = [make_paper(number) for number in range(75)]
OLD = [replace(COMMON[0], abstract="An oldcanary sings."), *COMMON[1:60]]
NEW = [replace(COMMON[0], abstract="A newcanary sings."), *COMMON[1:]]


class Lab:
    """Starts runs in processes of their own and looks at what they leave behind."""

    def __init__(self, process: "subprocess.Popen[str]", folder: Path) -> None:
        self._process = process
        self._results: dict[int, Path] = {}
        self.folder = folder
        self.data_dir = folder / "data"
        for name, papers in (("old", OLD), ("new", NEW)):
            write_rows(folder / f"{name}.jsonl", papers)

    def start(self, papers: str = "new", **given: Any) -> int:
        result = self.folder / f"result-{time.monotonic_ns()}.json"
        given = {"data_dir": str(self.data_dir), "result": str(result)} | given
        run = driver.Run(papers=str(self.folder / f"{papers}.jsonl"), **given)
        pid = int(self._ask({"run": asdict(run)}))
        self._results[pid] = result
        return pid

    def wait(self, pid: int) -> int:
        """The exit code; negative for a signal."""
        return int(self._ask({"wait": pid}))

    def outcome(self, pid: int) -> dict[str, Any]:
        assert self.wait(pid) == 0
        outcome: dict[str, Any] = json.loads(self._results[pid].read_text())
        return outcome

    def run(self, papers: str = "new", **given: Any) -> dict[str, Any]:
        return self.outcome(self.start(papers, **given))

    def kill(self, pid: int) -> None:
        os.kill(pid, signal.SIGKILL)
        assert self.wait(pid) == -signal.SIGKILL

    def kill_after(self, cpu_s: float) -> bool:
        """Start a run and kill it after that much processor time, which other work on the machine
        does not change; False if it had ended by itself.
        """
        pid = self.start()
        # The clock of another process, as clock_getcpuclockid(3) makes it.
        clock = (~pid << 3) | 2
        while time.clock_gettime(clock) < cpu_s and not self._results[pid].exists():
            time.sleep(0.0002)
        os.kill(pid, signal.SIGKILL)
        return self.wait(pid) == -signal.SIGKILL

    @property
    def generations(self) -> list[Path]:
        return sorted(self.data_dir.glob("indexes/papers/generations/*"))

    def new_files(self, name: str) -> Iterator[Path]:
        """Files with that name in generations that are not the current one."""
        current = IndexFolder.of(self.data_dir, "papers").current()
        for generation in self.generations:
            if generation.name != current:
                yield from generation.rglob(name)

    def _ask(self, command: dict[str, object]) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()


@pytest.fixture(scope="module")
def process() -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(
        [sys.executable, str(DRIVER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(timeout=TIMEOUT_S) == 0


@pytest.fixture(scope="module")
def built(process: "subprocess.Popen[str]", tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data folders with a finished index of the old corpus, and of the new one."""
    folder = tmp_path_factory.mktemp("built")
    lab = Lab(process, folder)
    for papers in ("old", "new"):
        assert lab.run(papers, data_dir=str(folder / papers))["changed"]
    return folder


@pytest.fixture
def empty_lab(process: "subprocess.Popen[str]", tmp_path: Path) -> Lab:
    return Lab(process, tmp_path)


@pytest.fixture
def lab(empty_lab: Lab, built: Path) -> Lab:
    """With a finished index of the old corpus."""
    shutil.copytree(built / "old", empty_lab.data_dir)
    return empty_lab


def state(lab: Lab) -> str:
    """``old`` or ``new``, after a check that the index is wholly that."""
    embedder = driver.HashEmbedder()
    with open_index(lab.data_dir, "papers", embedder_fingerprint=embedder.fingerprint) as index:
        name = "old" if len(index.papers) == len(OLD) else "new"
        assert list(index.papers.values()) == {"old": OLD, "new": NEW}[name]
        assert [hit.chunk_id for hit in index.lexical.search(f"{name}canary", 9)] == ["p0#0"]
        other = {"old": "new", "new": "old"}[name]
        assert index.lexical.search(f"{other}canary", 9) == []
        for number in (0, 1, 30, 59):
            chunk = index.chunks[f"p{number}#0"]
            text = embedding_text(index.papers[chunk.paper_id], chunk)
            assert index.dense.search(embedder.embed_query(text), 1)[0].chunk_id == chunk.chunk_id
        everything = index.dense.search(embedder.embed_query("word1"), 999)
        assert {hit.chunk_id for hit in everything} == set(index.chunks)
    return name


def wait_until(condition: Callable[[], object]) -> None:
    """Looks as often as it can, since the moments that count are short."""
    end = time.monotonic() + TIMEOUT_S
    while not condition():
        assert time.monotonic() < end, "it did not happen"


def assert_recovers(lab: Lab) -> None:
    """The next run goes through, cleans up, and gives the new index."""
    report = lab.run()
    assert "error" not in report
    assert state(lab) == "new"
    assert [path.name for path in lab.generations] == [report["generation_id"]]


# --- kills


@pytest.mark.parametrize("n_texts", [1, 30, 70])
def test_after_a_kill_while_embedding_no_more_than_a_slice_is_embedded_again(
    n_texts: int, empty_lab: Lab, built: Path
) -> None:
    log = empty_lab.folder / "embedded.log"
    log.touch()

    def n_embedded() -> int:
        return len(log.read_text().splitlines())

    pid = empty_lab.start(delay_s=0.1, embedded_log=str(log))
    wait_until(lambda: n_embedded() >= n_texts)
    empty_lab.kill(pid)
    n_before = n_embedded()
    report = empty_lab.run(embedded_log=str(log))
    assert n_before + report["n_embedded"] == n_embedded() <= len(NEW) + driver.N_SLICE
    assert report["n_embedded"] + report["n_from_cache"] == len(NEW)
    assert state(empty_lab) == "new"
    (uninterrupted,) = built.glob("new/indexes/papers/generations/*")
    expected, found = read_records(uninterrupted), read_records(empty_lab.generations[0])
    assert found.chunks == expected.chunks
    np.testing.assert_allclose(found.read_vectors(), expected.read_vectors(), atol=1e-6)


@pytest.mark.parametrize(
    ("event", "path", "left"),
    [
        ("os.mkdir", "/cache", "old"),
        ("open", "/papers.jsonl", "old"),
        ("open", "/chunk_ids.json", "old"),
        ("open", "/manifest.json", "old"),
        ("sync", "/bm25", "old"),
        ("open", "/CURRENT.tmp", "old"),
        ("sync", "/generations", "old"),
        ("os.rename", "/CURRENT", "old"),
        ("sync", "/indexes/papers", "new"),
        ("shutil.rmtree", "", "new"),
    ],
)
def test_after_a_kill_right_before_a_file_operation_the_index_is_old_or_new(
    event: str, path: str, left: str, lab: Lab
) -> None:
    if event == "os.mkdir":
        shutil.rmtree(lab.data_dir / "cache")
    assert lab.wait(lab.start(kill_at=(event, path))) == -signal.SIGKILL
    assert state(lab) == left
    assert_recovers(lab)


@pytest.mark.parametrize(
    "name",
    [
        "chroma.sqlite3",
        "chroma.sqlite3-journal",
        "data_level0.bin",
        "link_lists.bin",
        "index_metadata.pickle",
        "indptr.csc.index.npy",
    ],
)
def test_after_a_kill_while_a_store_file_is_written_the_old_index_answers(
    name: str, lab: Lab
) -> None:
    # A run that slips through ends in a verification that does not, and is killed there.
    pid = lab.start(verify="sleep")
    wait_until(lambda: next(lab.new_files(name), None) or next(lab.new_files(MANIFEST), None))
    lab.kill(pid)
    assert state(lab) == "old"
    assert_recovers(lab)


def contents(data_dir: Path) -> list[Any]:
    """All that an index is and finds, but for the time at which it was built."""
    embedder = driver.HashEmbedder()
    found: list[Any] = []
    with open_index(data_dir, "papers", embedder_fingerprint=embedder.fingerprint) as index:
        found += [index.manifest.fingerprint, list(index.papers.items()), index.chunks]
        found.append(index.dense.read_vectors(list(index.chunks)).tolist())
        for query in ("newcanary sings", "oldcanary", *(f"word{n} word{2 * n}" for n in range(9))):
            found.append(index.dense.search(embedder.embed_query(query), 20))
            found.append(index.lexical.search(query, 20))
    return found


@pytest.mark.timeout(1800)
def test_after_a_kill_at_any_moment_the_next_run_makes_the_index_as_if_nothing_had_happened(
    empty_lab: Lab, built: Path
) -> None:
    """Half of the runs start from nothing, the others from the old index."""
    expected = contents(built / "new")
    duration_s = {}
    for start in ("nothing", "old"):
        prepare(empty_lab, built, start)
        duration_s[start] = empty_lab.run()["cpu_s"]
    n_killed = 0
    # Spread over the whole of a run, each at random in its share.
    for number, share in enumerate(np.random.default_rng(4).random(N_KILLS)):
        start = ("nothing", "old")[number % 2]
        prepare(empty_lab, built, start)
        n_killed += empty_lab.kill_after(duration_s[start] * (number + share) / N_KILLS)
        if start == "old":
            assert state(empty_lab) in {"old", "new"}
        report = empty_lab.run()
        assert "error" not in report
        assert [path.name for path in empty_lab.generations] == [report["generation_id"]]
        assert contents(empty_lab.data_dir) == expected
    assert n_killed > N_KILLS / 2, "most runs were still under way"


def prepare(lab: Lab, built: Path, start: str) -> None:
    shutil.rmtree(lab.data_dir, ignore_errors=True)
    if start == "old":
        shutil.copytree(built / "old", lab.data_dir)


def test_a_kill_of_the_first_run_leaves_no_index_and_the_next_one_makes_it(empty_lab: Lab) -> None:
    pid = empty_lab.start(verify="sleep")
    wait_until(lambda: next(empty_lab.new_files(MANIFEST), None))
    empty_lab.kill(pid)
    assert IndexFolder.of(empty_lab.data_dir, "papers").current() is None
    assert_recovers(empty_lab)


def test_an_orphaned_verification_does_no_harm(lab: Lab) -> None:
    pid = lab.start(verify="child")
    wait_until(lambda: next(lab.new_files(MANIFEST), None))
    time.sleep(0.5)
    lab.kill(pid)
    assert state(lab) == "old"
    assert lab.run()["changed"]
    assert state(lab) == "new"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_asked_to_stop_does_so_and_frees_the_lock(
    number: signal.Signals, lab: Lab
) -> None:
    pid = lab.start(verify="sleep")
    wait_until(lambda: next(lab.new_files(MANIFEST), None))
    # Between writing and verifying nobody would take back what was written; the next run does.
    time.sleep(1.0)
    began = time.monotonic()
    os.kill(pid, number)
    if number == signal.SIGINT:
        assert lab.outcome(pid)["error"] == "KeyboardInterrupt"
        assert len(lab.generations) == 1
    else:
        assert lab.wait(pid) == -number
    assert time.monotonic() - began < SOON_S
    assert state(lab) == "old"
    assert_recovers(lab)


# --- company


@pytest.mark.parametrize("offset_s", [0.0, 0.3])
def test_of_two_runs_one_wins_and_the_other_is_told_at_once(offset_s: float, lab: Lab) -> None:
    first = lab.start(delay_s=1.0)
    time.sleep(offset_s)
    second = lab.start(delay_s=1.0)
    outcomes = {pid: lab.outcome(pid) for pid in (second, first)}
    losers = [pid for pid, outcome in outcomes.items() if outcome.get("error") == "IndexBusy"]
    assert len(losers) == 1
    (winner,) = outcomes.keys() - set(losers)
    if offset_s:
        assert winner == first
        assert f"process {first} " in outcomes[second]["message"]
    assert outcomes[winner]["changed"]
    assert state(lab) == "new"


def test_the_loser_does_not_wait_for_the_winner(lab: Lab) -> None:
    first = lab.start(verify="sleep")
    wait_until(lambda: next(lab.new_files(MANIFEST), None))
    began = time.monotonic()
    assert lab.run()["error"] == "IndexBusy"
    assert time.monotonic() - began < SOON_S
    lab.kill(first)


def test_a_reader_is_not_disturbed_by_a_run_in_another_process(lab: Lab) -> None:
    embedder = driver.HashEmbedder()
    reader = open_index(lab.data_dir, "papers", embedder_fingerprint=embedder.fingerprint)
    query = embedder.embed_query("oldcanary sings")
    before = reader.dense.search(query, 20)
    assert lab.run()["changed"]
    assert reader.dense.search(query, 20) == before
    assert reader.lexical.search("oldcanary", 9)[0].chunk_id == "p0#0"
    assert state(lab) == "new"
    assert len(lab.generations) == 2
    reader.close()
    assert not lab.run()["changed"]
    assert len(lab.generations) == 1


# --- disks


@pytest.mark.parametrize("max_file_bytes", [1_000, 9_000, 100_000, 200_000])
def test_on_a_full_disk_the_run_says_so_and_the_old_index_stays(
    max_file_bytes: int, lab: Lab
) -> None:
    outcome = lab.run(max_file_bytes=max_file_bytes)
    assert outcome["error"] == "IndexingError"
    assert "The disk is full" in outcome["message"]
    assert len(lab.generations) == 1
    assert state(lab) == "old"
    assert_recovers(lab)


@pytest.mark.parametrize("first", [0, 4, 12])
def test_a_folder_that_becomes_read_only_is_said_to_be_and_the_old_index_stays(
    first: int, lab: Lab
) -> None:
    outcome = lab.run(fail_at=first, fail_with=errno.EROFS)
    assert outcome["error"] == "IndexingError"
    assert f"Make {lab.data_dir} writable" in outcome["message"]
    assert state(lab) == "old"
    assert_recovers(lab)


def test_whichever_file_operation_fails_the_index_is_old_or_new(lab: Lab) -> None:
    operations = lab.run()["operations"]
    assert lab.run("old")["changed"]
    # Of the many files that are brought to the disk one by one, the first few stand for all.
    is_sync = [operation.startswith("sync ") for operation in operations]
    numbers = [n for n in range(len(operations)) if sum(is_sync[: n + 1]) < 3 or not is_sync[n]]
    numbers += [n for n, operation in enumerate(operations) if operation.endswith("indexes/papers")]
    left = set()
    for number in numbers:
        outcome = lab.run(fail_at=number)
        assert outcome.get("error", "IndexingError") == "IndexingError", outcome
        assert "The disk is full" in outcome.get("message", "The disk is full")
        left.add(state(lab))
        if state(lab) == "new":
            assert lab.run("old")["changed"]
    assert left == {"old", "new"}


# --- damage


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def garble(path: Path) -> None:
    path.write_bytes(np.random.default_rng(1).bytes(path.stat().st_size))


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("data_level0.bin", cut),
        ("data_level0.bin", garble),
        ("data_level0.bin", Path.unlink),
        ("header.bin", garble),
        ("index_metadata.pickle", garble),
        ("index_metadata.pickle", Path.unlink),
        ("chroma.sqlite3", lambda path: path.write_bytes(b"")),
    ],
)
def test_a_store_that_came_broken_from_its_writer_does_not_pass_verification(
    name: str, damage: Callable[[Path], None], lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seal is made anew over the damage, so that only the contents can tell."""
    (generation,) = lab.generations
    (path,) = generation.rglob(name)
    damage(path)
    sealed = read_manifest(generation / MANIFEST)
    (generation / MANIFEST).unlink()
    write_manifest(generation / MANIFEST, replace(sealed, files=seal(generation)))
    monkeypatch.setattr(verification, "_TIMEOUT_S", 30.0)
    with pytest.raises(IndexDamaged, match="did not pass verification"):
        verify(generation, len(OLD))
    assert all(file.stat().st_size < 2**26 for file in generation.rglob("*"))


# --- the real model


def test_with_the_real_model_a_paper_is_found_by_what_it_says(tmp_path: Path) -> None:
    seeds = load_corpus("seeds")
    corpus = Corpus("seeds", seeds.papers[:6], (), 6)
    embedder = LocalEmbedder()

    def run() -> Any:
        return sync_index(
            corpus, name="seeds", data_dir=tmp_path, embedder=embedder, chunk_tokens=448
        )

    report = run()
    assert (report.n_embedded, report.n_indexed) == (6, 6)
    with open_index(tmp_path, "seeds", embedder_fingerprint=embedder.fingerprint) as index:
        for paper in corpus.papers:
            first_words = " ".join(paper.abstract.split()[:25])
            for hits in (
                index.dense.search(embedder.embed_query(first_words), 6),
                index.lexical.search(first_words, 6),
            ):
                assert index.chunks[hits[0].chunk_id].paper_id == paper.paper_id
    assert not run().changed
