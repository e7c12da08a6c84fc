"""Which corpora a question is asked of, as the page and programs say it."""

import pytest

from ui.choice import chosen, draw

OPEN = ("one", "two", "three")


@pytest.mark.parametrize(
    ("ticked", "names"),
    [
        (["three", "one"], ("one", "three")),
        (["one", "gone"], ("one",)),
        (list(OPEN), ()),
        ([], ()),
        (None, ()),
        ("one", ()),
    ],
)
def test_what_is_ticked_is_asked_and_nothing_stands_for_all(ticked, names) -> None:
    assert chosen(ticked, OPEN) == names


def test_the_boxes_show_where_there_is_a_choice() -> None:
    assert draw(OPEN).visible is True
    assert draw(OPEN).value == list(OPEN)
    assert draw(OPEN[:1]).visible is False
