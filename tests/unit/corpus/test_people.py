"""Names of people in the ways in which files list them."""

from __future__ import annotations

import pytest

from rag.corpus.people import people, person


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Ann B. Example", "Ann B. Example"),
        ("Example, Ann B.", "Ann B. Example"),
        ("van der Berg, Ann", "Ann van der Berg"),
        ("King, Jr., Martin L.", "Martin L. King Jr."),
        ("Example,Ann,Jr.", "Ann Example Jr."),
        ("Doe, ", "Doe"),
        ("Robots, Inc.", "Robots, Inc."),
        ("{The Team}", "The Team"),
        ("Kees~Example", "Kees Example"),
        (r"Fran{\c{c}}ois", "François"),
        ("Jos&eacute;", "José"),
        (None, ""),
    ],
)
def test_a_name(name, said):
    assert person(name) == said


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("Ann Example and Bo Sample", ("Ann Example", "Bo Sample")),
        ("Ann Example, Bo Sample, and Cy Third", ("Ann Example", "Bo Sample", "Cy Third")),
        ("Example, Ann and Sample, Bo", ("Ann Example", "Bo Sample")),
        ("Plato, Ann Example, Bo Sample", ("Plato", "Ann Example", "Bo Sample")),
        ("Example, Ann, Sample, Bo", ("Example, Ann, Sample, Bo",)),
        ("Ann Example|Bo Sample", ("Ann Example", "Bo Sample")),
        ("Ann Example\nBo Sample", ("Ann Example", "Bo Sample")),
        ("Health and Safety Lab", ("Health and Safety Lab",)),
        ("['Example, Ann', 'Sample, Bo']", ("Ann Example", "Bo Sample")),
        ("[]", ()),
        ("Liu R., Adler D.G.", ("R. Liu", "D.G. Adler")),
        ("Anusha S.", ("Anusha S.",)),
        ("Anusha S.; Ann Example", ("Anusha S.", "Ann Example")),
        ([{"given": "Ann", "family": "Example"}], ("Ann Example",)),
        ([{"firstName": "Ann", "lastName": "Example"}], ("Ann Example",)),
        ([{"author": {"display_name": "Ann Example"}}], ("Ann Example",)),
    ],
)
def test_lists(value, names):
    assert people(value) == names
