import fcntl
import gc
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rag.errors import IndexBusy
from rag.store.lock import SharedLock, lock_if_unused, writer_lock

HOLDER = """
import sys, time
from pathlib import Path
from rag.store.lock import writer_lock
with writer_lock(Path(sys.argv[1])):
    sys.stdout.write("held\\n")
    sys.stdout.flush()
    time.sleep(120)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "writer.lock"


@pytest.fixture
def used(tmp_path: Path) -> Path:
    path = tmp_path / "manifest.json"
    path.write_text("{}")
    return path


def test_a_second_writer_is_told_who_holds_the_lock_and_does_not_wait(path: Path) -> None:
    with writer_lock(path), pytest.raises(IndexBusy) as refused, writer_lock(path):
        pass
    assert f"process {os.getpid()} on " in str(refused.value)
    assert " since 20" in str(refused.value)
    assert "Wait" in refused.value.hint


def test_the_lock_is_free_again_afterwards_even_after_an_error(path: Path) -> None:
    with pytest.raises(ZeroDivisionError), writer_lock(path):
        raise ZeroDivisionError
    with writer_lock(path):
        pass


def test_a_killed_holder_leaves_no_lock_behind(path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    with holder.stdout as output:
        assert output.readline() == "held\n"
        with pytest.raises(IndexBusy, match=f"process {holder.pid} "), writer_lock(path):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait(timeout=30)
    with writer_lock(path):
        pass


def test_a_file_that_is_read_is_not_unused(used: Path) -> None:
    first, second = SharedLock(used), SharedLock(used)
    first.close()
    with lock_if_unused(used) as unused:
        assert not unused
    second.close()
    with lock_if_unused(used) as unused:
        assert unused


def test_a_forgotten_shared_lock_is_given_back(used: Path) -> None:
    lock = SharedLock(used)
    del lock
    gc.collect()
    with lock_if_unused(used) as unused:
        assert unused


def test_a_file_that_is_gone_cannot_be_locked(used: Path) -> None:
    used.unlink()
    with pytest.raises(FileNotFoundError):
        SharedLock(used)


def test_a_file_that_goes_while_it_is_locked_is_gone(
    used: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[int] = []

    def remove(descriptor: int, _: int) -> None:
        opened.append(descriptor)
        used.unlink()

    monkeypatch.setattr(fcntl, "flock", remove)
    with pytest.raises(FileNotFoundError):
        SharedLock(used)
    with pytest.raises(OSError, match="descriptor"):
        os.fstat(opened[0])
