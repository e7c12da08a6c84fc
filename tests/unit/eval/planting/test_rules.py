"""Each rule makes a sentence false, and keeps it a sentence."""

import random
import re

import pytest

from eval.planting.additions import additions
from eval.planting.direction import direction_edits
from eval.planting.edits import Edit, apply
from eval.planting.names import name_edits, names_in
from eval.planting.negation import negation_edits, third_person
from eval.planting.quantities import number_edits


def draw(seed: int = 0) -> random.Random:
    return random.Random(seed)  # noqa: S311


def numbers(claim: str, abstract: str = "", seed: int = 0) -> list[str]:
    edits = number_edits(claim, abstract, draw(seed))
    return [apply(edit, claim) for edit in edits]


def first_negation(claim: str) -> str | None:
    return next((apply(edit, claim) for edit in negation_edits(claim)), None)


def directions(claim: str) -> set[str]:
    return {apply(edit, claim) for edit in direction_edits(claim, draw())}


@pytest.mark.parametrize(
    ("claim", "form"),
    [
        ("It gains 12% on average.", r"It gains [\d]{1,2}% on average\."),
        ("It gains 12.5\\% here.", r"It gains \d+\.\d\\% here\."),
        ("It has 213,000 wells.", r"It has \d{2,3},000 wells\."),
        ("It began in 2019.", r"It began in 20[01]\d\."),
        ("It is 2.28x faster.", r"It is \d\.\d\dx faster\."),
        ("It uses a 10-fold split.", r"It uses a \d+-fold split\."),
        ("A model of 7B parameters.", r"A model of \d+B parameters\."),
        (
            "Two heads are enough.",
            r"(?:Three|Four|Five|Six|Seven|Eight|Nine|Ten) heads are enough\.",
        ),
        ("Costs double.", r"Costs triple\."),
        ("It saw 5 million rows.", r"It saw (?:\d+ million|5 (?:billion|thousand)) rows\."),
    ],
)
def test_another_number_of_the_same_form(claim, form):
    for seed in range(20):
        texts = numbers(claim, seed=seed)
        assert texts
        for text in texts:
            assert re.fullmatch(form, text)
            assert text != claim


@pytest.mark.parametrize(
    "claim",
    [
        "It was tested on CIFAR-10 and ImageNet-1k.",
        "It works on 3D scenes.",
        "The rate is 1/n.",
        "It grows as n^2 and as x_1.",
        "GPT-4 was used.",
        "The bound is O(0.1t).",
        "It is two-sided.",
    ],
)
def test_what_counts_nothing_is_no_number(claim):
    assert numbers(claim) == []


def test_a_number_that_the_abstract_has_is_not_taken():
    for seed in range(30):
        assert numbers("It has 4 heads.", "1, 2, 3 and 5 heads, or 6.", seed) in (
            ["It has 7 heads."],
            [],
        )
        assert numbers("Two heads.", "two three four five six seven eight nine", seed) == [
            "Ten heads."
        ]


def test_a_share_stays_one():
    for seed in range(30):
        value = int(re.findall(r"\d+", numbers("It has 80% accuracy.", seed=seed)[0])[0])
        assert 0 < value <= 100
        assert abs(value - 80) >= 8


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("MossNet beats GPT-4o on CIFAR-10.", ["MossNet", "GPT-4o", "CIFAR-10"]),
        ("The Moss Adjusted Score is new.", ["Moss Adjusted Score"]),
        ("LLM-based planners and off-DNA assays on 3D data at 82Hz.", []),
        ("Moss grows, says Ann.", []),
        ("Under P\u2260NP it is hard.", []),
        ("It runs SL-PG.", ["SL-PG"]),
    ],
)
def test_names_are_runs_of_capitals(sentence, names):
    found = names_in(sentence)
    assert [name.text for name in found] == names
    assert [sentence[name.start : name.end] for name in found] == names


def renamed(claim, source, proof="", abstract=""):
    edits = name_edits(claim, proof, abstract or source, [source], draw())
    return [apply(edit, claim) for edit in edits]


def test_a_name_becomes_another_one_of_the_source():
    assert renamed("An LLM is tuned.", "We use MossNet.") == ["A MossNet is tuned."]
    assert renamed("A MossNet is tuned.", "We use an LLM.") == ["An LLM is tuned."]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("MossNet wins.", "MossNet wins."),
        ("MossNet wins.", "MossNet-XL loses."),
        ("It runs SBS.", "It runs Speed-Based Sampling."),
        ("It runs MN.", "They run Tall Ferns (MN)."),
        ("MossNet beats LLMs.", "It is better than GNN."),
        ("It has the Moss Score.", "It has the Moss Index."),
        ("It runs MossNet.", "See https://example.org/MossCode."),
    ],
)
def test_what_may_be_the_same_thing_or_does_not_fit_is_not_taken(claim, source):
    assert [text for text in renamed(claim, source) if "GNN" not in text] == []


def test_what_the_proof_names_too_could_be_as_true():
    assert renamed("It wins on ImageNet.", "On ImageNet and GreenBench.") != []
    proof = "It wins on ImageNet and GreenBench."
    assert renamed("It wins on ImageNet.", "On ImageNet and GreenBench.", proof) == []


@pytest.mark.parametrize(
    ("claim", "false"),
    [
        ("It cannot see.", "It can see."),
        ("It does not rely on labels.", "It relies on labels."),
        ("It does not always have a unique optimum.", "It always has a unique optimum."),
        ("The methods do not scale.", "The methods scale."),
        ("Labels are not needed.", "Labels are needed."),
        ("Raw data need not be stored.", "Raw data must be stored."),
        ("It needs no labels.", "It needs some labels."),
        ("No prior work does so.", "Some prior work does so."),
        ("Without labels it works.", "With labels it works."),
        ("It fails to learn.", "It manages to learn."),
        ("It is no longer needed.", "It is still needed."),
        ("Moss is green.", "Moss is not green."),
        ("It can see.", "It cannot see."),
        ("MossNet improves recall.", "MossNet does not improve recall."),
        ("The authors propose a loss.", "The authors do not propose a loss."),
        ("What is learned first, MossNet keeps.", "What is learned first, MossNet does not keep."),
        ("It is not only fast but small.", None),
        ("It can often not be had.", None),
        ("A no-regret method.", None),
    ],
)
def test_a_negation_less_or_more(claim, false):
    assert first_negation(claim) == false


def test_third_person():
    verbs = ("rely", "reach", "have", "show", "play", "surpass")
    assert [third_person(verb) for verb in verbs] == [
        "relies",
        "reaches",
        "has",
        "shows",
        "plays",
        "surpasses",
    ]


@pytest.mark.parametrize(
    ("claim", "false"),
    [
        ("It increases recall.", {"It decreases recall."}),
        (
            "Higher recall, lower cost.",
            {"Lower recall, lower cost.", "Higher recall, higher cost."},
        ),
        ("It gives an upper bound.", {"It gives a lower bound."}),
        ("Methods that lower the cost win.", {"Methods that raise the cost win."}),
        ("It can lower the cost.", {"It can raise the cost."}),
        ("It beats FernNet.", {"It loses to FernNet."}),
        ("An improvement is seen.", {"A deterioration is seen."}),
        ("It holds more than 40 rows.", {"It holds fewer than 40 rows."}),
        ("It takes more steps.", {"It takes fewer steps."}),
        ("It is more robust.", {"It is less robust."}),
        ("It is not worse.", set()),
        ("Code before and after edits.", set()),
        ("To better understand moss.", set()),
        ("The lower-bound proof.", set()),
    ],
)
def test_the_opposite_direction(claim, false):
    assert directions(claim) == false


def added(source: str, abstract: str = "") -> list[str]:
    return list(additions("Moss grows.", abstract, [source], draw()))


def test_a_clause_of_another_abstract_is_added():
    source = "We count ferns, using annotated photographs of forests."
    assert added(source) == ["Moss grows, using annotated photographs of forests."]


@pytest.mark.parametrize(
    "source",
    [
        "We count ferns, using our annotated photographs of forests.",
        "Counting, with annotated photographs of forests is hard.",
        "We count, using $x^2$ annotated photographs of forests.",
        "We count ferns.",
    ],
)
def test_a_clause_that_cannot_stand_elsewhere_is_not_taken(source):
    assert added(source) == []


def test_what_the_abstract_says_is_no_addition():
    source = "We count ferns, using annotated photographs of forests."
    assert added(source, "Annotated photographs are used of forests.") == []


def test_an_edit_keeps_capitals_and_articles():
    assert apply(Edit(0, 3, "ten"), "Two moves.") == "Ten moves."
    assert apply(Edit(3, 6, "MLP"), "An LLM here.") == "An MLP here."
    assert apply(Edit(3, 6, "Unit"), "An LLM here.") == "A Unit here."
