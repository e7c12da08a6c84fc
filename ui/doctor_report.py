"""What `symposia doctor` reports, as records, JSON and text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Literal

State = Literal["ok", "warning", "broken"]
_SIGNS: dict[State, str] = {"ok": "ok", "warning": "WARN", "broken": "BROKEN"}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    state: State
    detail: str
    advice: str = ""
    """What to do; empty when all is well."""


@dataclass(frozen=True, slots=True)
class SettingInForce:
    """One setting as it is in use; a secret is masked."""

    name: str
    value: str
    source: str
    """``default``, ``environment`` or ``.env``."""


@dataclass(frozen=True, slots=True)
class Package:
    """One installed package and where it came from."""

    name: str
    version: str
    origin: str


@dataclass(frozen=True, slots=True)
class Report:
    """All that doctor found."""

    checks: tuple[Check, ...]
    settings: tuple[SettingInForce, ...]
    packages: tuple[Package, ...]

    @property
    def broken(self) -> bool:
        """True when something does not work."""
        return any(check.state == "broken" for check in self.checks)

    def to_json(self) -> str:
        """All fields as JSON."""
        return json.dumps(asdict(self) | {"broken": self.broken}, ensure_ascii=False, indent=2)

    def to_text(self) -> str:
        """For a terminal: the checks with advice, then the settings, then the packages."""
        blocks = ["\n".join(_check_lines(self.checks))]
        if self.settings:
            rows = [(item.name, item.value, f"({item.source})") for item in self.settings]
            blocks.append("Settings\n" + _columns(rows))
        if self.packages:
            packages = [(item.name, item.version, item.origin) for item in self.packages]
            blocks.append("Packages\n" + _columns(packages))
        return "\n\n".join(blocks)


def _check_lines(checks: tuple[Check, ...]) -> Iterator[str]:
    width = max(len(check.name) for check in checks)
    for check in checks:
        yield f"{_SIGNS[check.state]:<6}  {check.name:<{width}}  {check.detail}"
        if check.advice:
            yield f"{'':<6}  {'':<{width}}  -> {check.advice}"


def _columns(rows: list[tuple[str, str, str]]) -> str:
    first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
    return "\n".join(f"  {a:<{first}}  {b:<{second}}  {c}".rstrip() for a, b, c in rows)
