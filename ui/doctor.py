"""`symposia doctor`: what is installed, configured and in use, and what to do about faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rag.errors import SymposiaError
from rag.settings import Settings
from ui import doctor_engine, doctor_install
from ui.doctor_report import Check, Report, SettingInForce


def examine() -> Report:
    """Looks at everything; what is broken becomes a check, never an exception."""
    checks = [
        *_guarded("installation", doctor_install.check_names),
        *_guarded("python", doctor_install.check_python),
        *_guarded("models", doctor_engine.check_models),
        *_guarded("tokenizer", doctor_engine.check_tokenizer),
    ]
    shown: tuple[SettingInForce, ...] = ()
    try:
        settings = Settings()
        shown = doctor_install.settings_in_force(settings)
    except SymposiaError as error:
        checks.append(Check("settings", "broken", error.message, error.hint))
    else:
        checks += _guarded("data folder", lambda: doctor_install.check_data_folder(settings))
        checks += _guarded("answers", lambda: doctor_engine.check_mode(settings))
        checks += _guarded("store", lambda: doctor_engine.check_store(settings))
        checks += _guarded("index", lambda: doctor_engine.check_index(settings))
    return Report(tuple(checks), shown, doctor_install.packages())


def _guarded(name: str, look: Callable[[], Iterator[Check]]) -> list[Check]:
    """The checks of one part; an error of ours becomes the check that reports it."""
    try:
        return list(look())
    except SymposiaError as error:
        return [Check(name, "broken", error.message, error.hint)]
