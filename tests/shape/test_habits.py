"""Habits that keep the code readable, checked in the syntax tree of every module."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    path.relative_to(ROOT)
    for folder in ("rag", "ui", "eval")
    for path in (ROOT / folder).rglob("*.py")
)
MODULE_LINES = 300
FUNCTION_LINES = 60
# The evaluation must go on when one case breaks, whatever broke it; it records the error.
BROAD_CATCHERS = {Path("eval/runner.py")}

pytestmark = pytest.mark.parametrize("module", MODULES, ids=str)


def walk(module: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse((ROOT / module).read_text(encoding="utf-8")))


def test_modules_are_short(module: Path) -> None:
    assert len((ROOT / module).read_text(encoding="utf-8").splitlines()) <= MODULE_LINES


def test_functions_are_short(module: Path) -> None:
    lengths = {
        node.name: (node.end_lineno or 0) - node.lineno + 1
        for node in walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name: n for name, n in lengths.items() if n > FUNCTION_LINES} == {}


def test_nothing_prints(module: Path) -> None:
    printing = [
        node.lineno
        for node in walk(module)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"print", "pprint"}
    ]
    assert printing == []


def test_only_the_settings_read_the_environment(module: Path) -> None:
    if module == Path("rag/settings.py"):
        return
    nodes = list(walk(module))
    written = {
        id(node.value)
        for node in nodes
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del)
    }
    reads = [
        node.lineno
        for node in nodes
        if isinstance(node, ast.Attribute)
        and (
            node.attr in {"getenv", "environb"}
            or (node.attr == "environ" and id(node) not in written)
        )
    ]
    assert reads == []


def test_only_the_edge_catches_broadly(module: Path) -> None:
    if module.parts[0] == "ui" or module in BROAD_CATCHERS:
        return
    broad = [
        node.lineno
        for node in walk(module)
        if isinstance(node, ast.ExceptHandler) and is_broad(node) and not raises_again(node)
    ]
    assert broad == []


def is_broad(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    caught = {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)}
    return bool(caught & {"Exception", "BaseException"})


def raises_again(handler: ast.ExceptHandler) -> bool:
    """Such a handler turns any vendor's error into one of ours, and hides nothing."""
    return isinstance(handler.body[-1], ast.Raise)
