import errno
import os
import stat
from pathlib import Path

import pytest

from rag.errors import IndexingError
from rag.store.disk import disk_errors, replace_text, sync_tree


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        (errno.ENOSPC, "The disk is full"),
        (errno.EDQUOT, "The disk is full"),
        (errno.EFBIG, "The disk is full"),
        (errno.EACCES, "SYMPOSIA_DATA_DIR"),
        (errno.EROFS, "SYMPOSIA_DATA_DIR"),
        (errno.EIO, "the previous index is untouched"),
    ],
)
def test_an_os_error_says_what_failed_and_what_to_do(
    code: int, advice: str, tmp_path: Path
) -> None:
    with pytest.raises(IndexingError) as caught, disk_errors("write the index", tmp_path):
        raise OSError(code, os.strerror(code))
    assert f"Could not write the index: {os.strerror(code)}." in str(caught.value)
    assert advice in caught.value.hint
    assert str(tmp_path) in caught.value.hint


def test_a_replaced_text_is_whole_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "CURRENT"
    replace_text(path, "one\n")
    replace_text(path, "two\n")
    assert path.read_text() == "two\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_text_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "CURRENT"
    replace_text(path, "one\n")

    def fail(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="full"):
        replace_text(path, "two\n")
    assert path.read_text() == "one\n"


def test_a_text_reaches_the_disk_before_its_name_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    path = tmp_path / "CURRENT"

    def note(descriptor: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")

    monkeypatch.setattr(os, "fsync", note)
    replace = Path.replace
    monkeypatch.setattr(
        Path, "replace", lambda self, to: [steps.append("replace"), replace(self, to)][1]
    )
    replace_text(path, "one\n")
    assert steps == ["file", "replace", "folder"]


def test_every_file_and_folder_of_a_tree_is_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = tmp_path / "tree"
    (tree / "inner").mkdir(parents=True)
    (tree / "inner" / "file").write_text("x")
    synced: set[tuple[int, int]] = set()

    def note(descriptor: int) -> None:
        found = os.fstat(descriptor)
        synced.add((found.st_dev, found.st_ino))

    monkeypatch.setattr(os, "fsync", note)
    sync_tree(tree)
    for path in (tmp_path, tree, tree / "inner", tree / "inner" / "file"):
        assert (path.stat().st_dev, path.stat().st_ino) in synced
