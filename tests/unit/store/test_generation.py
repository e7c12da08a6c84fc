from pathlib import Path

import pytest

from rag.errors import IndexDamaged, IndexingError
from rag.store.generation import MANIFEST, IndexFolder
from rag.store.lock import SharedLock


@pytest.mark.parametrize("name", ["seeds", "icml2025", "a.b-c_D", "x" * 128])
def test_a_plain_name_is_a_folder_under_indexes(name: str, tmp_path: Path) -> None:
    assert IndexFolder.of(tmp_path, name).path == tmp_path / "indexes" / name


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "a/b", "a\\b", "a b", "ä", "x" * 129, "-x"]
)
def test_a_name_that_could_lead_elsewhere_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(IndexingError, match="cannot name an index"):
        IndexFolder.of(tmp_path, name)


def test_the_data_folder_is_resolved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path)
    folders = {IndexFolder.of(Path(name), "seeds") for name in ("real", "./real", "link")}
    assert folders == {IndexFolder(tmp_path / "real" / "indexes" / "seeds")}


def make(folder: IndexFolder, *, finished: bool = True) -> Path:
    path = folder.new_generation("0123456789ab")
    (path / "chroma").mkdir()
    (path / "chroma" / "data_level0.bin").write_bytes(b"x")
    if finished:
        (path / MANIFEST).write_text("{}")
    return path


def test_there_is_no_current_generation_before_the_first_switch(folder: IndexFolder) -> None:
    assert folder.current() is None
    path = make(folder)
    assert folder.current() is None
    folder.switch(path.name)
    assert folder.current() == path.name
    assert folder.generation(path.name) == path


def test_generations_have_names_of_their_own(folder: IndexFolder) -> None:
    assert len({make(folder) for _ in range(20)}) == 20


@pytest.mark.parametrize(
    "text", ["", "\n", "../../etc", "20261130", "20261130T143048550657Z-f3ee32bd057", "\x00" * 36]
)
def test_a_pointer_to_no_generation_is_damage(text: str, folder: IndexFolder) -> None:
    path = make(folder)
    (folder.path / "CURRENT").write_text(text)
    with pytest.raises(IndexDamaged, match="CURRENT"):
        folder.current()
    folder.remove_unread()
    assert path.exists()


def test_what_nobody_reads_is_removed(folder: IndexFolder) -> None:
    read, unread, unfinished, current = (
        make(folder),
        make(folder),
        make(folder, finished=False),
        make(folder),
    )
    folder.switch(current.name)
    lock = SharedLock(read / MANIFEST)
    folder.remove_unread()
    assert read.exists()
    assert current.exists()
    assert not unread.exists()
    assert not unfinished.exists()
    lock.close()
    folder.remove_unread()
    assert not read.exists()
    assert current.exists()


def test_leftovers_of_a_first_build_are_removed_too(folder: IndexFolder) -> None:
    leftover = make(folder, finished=False)
    folder.remove_unread()
    assert not leftover.exists()
