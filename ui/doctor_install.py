"""What `symposia doctor` looks at around the engine: packages, Python, settings, the data folder."""

from __future__ import annotations

import importlib.util
import json
import platform
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from pydantic import SecretStr
from pydantic_settings import DotEnvSettingsSource, EnvSettingsSource

from rag.settings import Settings
from ui.doctor_report import Check, Package, SettingInForce

_DISTRIBUTION = "symposia"
_TOP_LEVEL_NAMES = ("rag", "ui", "eval")
_OLDEST_SQLITE = (3, 35, 0)
_LITTLE_SPACE = 500_000_000
_NETWORK_FILE_SYSTEMS = re.compile(
    r"nfs\d?|cifs|smb\d?|smbfs|9p|afs|ceph|lustre|gpfs|beegfs|glusterfs|fuse\.(sshfs|s3fs|rclone)"
)


def check_names() -> Iterator[Check]:
    """Whether ``rag``, ``ui`` and ``eval`` are ours; the names are short, and others use them."""
    folders = {name: _folder(name) for name in _TOP_LEVEL_NAMES}
    homes = set(folders.values())
    if len(homes) == 1:
        yield Check("installation", "ok", f"{_version()} in {homes.pop()}")
    else:
        places = ", ".join(f"{name} in {folder}" for name, folder in folders.items())
        yield Check(
            "installation",
            "broken",
            f"the packages come from different folders: {places}",
            "Start `symposia` from another folder, or install it into an environment of its own.",
        )
    owners = metadata.packages_distributions()
    for name in _TOP_LEVEL_NAMES:
        others = sorted(set(owners.get(name, ())) - {_DISTRIBUTION})
        if others:
            yield Check(
                "names",
                "warning",
                f"{', '.join(others)} also installs a package named {name!r}",
                "Install symposia into an environment of its own.",
            )


def check_python() -> Iterator[Check]:
    """Python and its SQLite."""
    sqlite = sqlite3.sqlite_version
    detail = f"Python {platform.python_version()}, SQLite {sqlite}, {platform.system()}"
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        yield Check("python", "broken", detail, "Chroma needs SQLite 3.35 or newer.")
    else:
        yield Check("python", "ok", f"{detail}, {sys.executable}")


def settings_in_force(settings: Settings) -> tuple[SettingInForce, ...]:
    """Every setting with its value, secrets masked, and where that value comes from."""
    found = {
        "environment": EnvSettingsSource(Settings)(),
        ".env": DotEnvSettingsSource(Settings)(),
    }
    shown = []
    for name, field in Settings.model_fields.items():
        keys = {name, *_aliases(field.validation_alias)}
        source = next((place for place, values in found.items() if keys & set(values)), "default")
        shown.append(SettingInForce(name, _masked(getattr(settings, name)), source))
    return tuple(shown)


def check_data_folder(settings: Settings) -> Iterator[Check]:
    """Whether the folder of the indexes can be written, has space, and is on a local disk."""
    folder = settings.data_dir.absolute()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        yield Check(
            "data folder",
            "broken",
            f"{folder} cannot be written: {error.strerror}",
            "Set SYMPOSIA_DATA_DIR to a folder that can be written.",
        )
        return
    free = shutil.disk_usage(existing).free
    detail = f"{folder}, {free / 1e9:.1f} GB free"
    network = _network_file_system(existing)
    if network:
        advice = "Set SYMPOSIA_DATA_DIR to a local disk; file locks on network disks are not safe."
        yield Check("data folder", "warning", f"{detail}, on {network}", advice)
    elif free < _LITTLE_SPACE:
        yield Check("data folder", "warning", detail, "Make space, or set SYMPOSIA_DATA_DIR.")
    else:
        yield Check("data folder", "ok", detail)


def packages() -> tuple[Package, ...]:
    """The packages that Symposia needs directly, with their versions and origins."""
    try:
        requirements = metadata.requires(_DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return ()
    needed = [item for item in requirements if "extra ==" not in item]
    names = [_DISTRIBUTION, *(re.split(r"[^\w.-]", item, maxsplit=1)[0] for item in needed)]
    return tuple(_package(name) for name in names)


def _package(name: str) -> Package:
    try:
        found = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return Package(name, "missing", f"pip install {name}")
    return Package(name, found.version, _origin(found))


def _origin(found: metadata.Distribution) -> str:
    direct = json.loads(found.read_text("direct_url.json") or "{}")
    if direct:
        editable = direct.get("dir_info", {}).get("editable", False)
        return f"{'editable, ' if editable else ''}{_without_password(direct['url'])}"
    installer = (found.read_text("INSTALLER") or "unknown installer").strip()
    return f"{installer}, {found.locate_file('')}"


def _without_password(url: str) -> str:
    return re.sub(r"//[^/@]*@", "//", url)


def _version() -> str:
    from rag import __version__

    return f"{_DISTRIBUTION} {__version__}"


def _folder(name: str) -> str:
    spec = importlib.util.find_spec(name)
    locations = list(spec.submodule_search_locations or ()) if spec else []
    return str(Path(locations[0]).parent) if locations else "nowhere"


def _aliases(validation_alias: object) -> tuple[str, ...]:
    choices = getattr(validation_alias, "choices", ())
    return tuple(str(choice) for choice in choices)


def _masked(value: object) -> str:
    if isinstance(value, SecretStr):
        return "set (hidden)"
    return "-" if value is None else _without_password(str(value))


def _network_file_system(path: Path) -> str:
    """The type of a network file system that holds ``path``; empty for a local disk."""
    mounts = _mounts()
    resolved = path.resolve()
    kind = next((mounts[place] for place in (resolved, *resolved.parents) if place in mounts), "")
    return kind if _NETWORK_FILE_SYSTEMS.fullmatch(kind) else ""


def _mounts() -> dict[Path, str]:
    """The file system type of every mounted folder; nothing where the system does not tell."""
    table = Path("/proc/mounts")
    if not table.exists():
        return {}
    # A line is: device, folder, type, options and two numbers; a space in a name is written \040.
    lines = table.read_text(encoding="utf-8", errors="replace").splitlines()
    columns = [line.split(" ") for line in lines]
    return {Path(column[1].replace("\\040", " ")): column[2] for column in columns}
