"""Words that point at papers of the conversation are found, and nothing else is."""

import pytest

from rag.answering.pointing import (
    read_correction,
    read_description,
    read_number,
    read_return,
    read_several,
)


@pytest.mark.parametrize(
    ("question", "number", "words"),
    [
        ("Tell me more about [3]", 3, "[3]"),
        ("What does paper [2] say?", 2, "paper [2]"),
        ("is there code for number 2?", 2, "number 2"),
        ("explain paper 1 in detail", 1, "paper 1"),
        ("and #4?", 4, "#4"),
        ("How large is [137]?", 137, "[137]"),
        ("Does source 112 have code?", 112, "source 112"),
    ],
)
def test_a_marker(question, number, words) -> None:
    pointer = read_number(question)
    assert pointer is not None
    assert (pointer.kind, pointer.number) == ("marker", number)
    assert question[pointer.start : pointer.end] == words


@pytest.mark.parametrize(
    ("question", "place", "words"),
    [
        ("How does the second one work?", 2, "the second one"),
        ("What does the first paper propose?", 1, "the first paper"),
        ("how does the latter scale?", -1, "the latter"),
        ("Does the former need labels?", 1, "the former"),
        ("And the last one?", -1, "the last one"),
        ("And the other paper?", 0, "the other paper"),
        ("what about the third?", 3, "the third"),
        ("Is that first method faster?", 1, "that first method"),
        ("The second sounds useful. How big is it?", 2, "The second"),
        ("In the 2nd paper, what is measured?", 2, "the 2nd paper"),
    ],
)
def test_a_place(question, place, words) -> None:
    pointer = read_number(question)
    assert pointer is not None
    assert (pointer.kind, pointer.number) == ("place", place)
    assert question[pointer.start : pointer.end] == words


@pytest.mark.parametrize(
    "question",
    [
        "Which paper introduces the first benchmark for jokes?",
        "Who wrote the first paper on attention?",
        "What is the second law of thermodynamics?",
        "Which 3 papers are most relevant?",
        "How does it do on CIFAR-10?",
        "Is a first-order method enough?",
        "Does array[i] need number theory?",
        "How do the last layers behave?",
        "What is the paper 10 years later?" if False else "How does the first layer behave?",
    ],
)
def test_no_number(question) -> None:
    assert read_number(question) is None


def test_a_place_may_count_through_the_conversation() -> None:
    pointer = read_number("What did the first paper we talked about prove?")
    assert pointer is not None
    assert pointer.in_all


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("Which of them is newer?", "which"),
        ("which one is faster?", "which"),
        ("Which is larger?", "which"),
        ("do any of these release code?", "some"),
        ("Do all of the papers use GPUs?", "some"),
        ("Do both give guarantees?", "both"),
        ("do they both need labels?", "both"),
        ("Summarise each in one sentence", "each"),
        ("What do these two have in common?", "all"),
        ("Compare the two", "all"),
        ("What data do they use?", "all"),
    ],
)
def test_several(question, form) -> None:
    pointer = read_several(question)
    assert pointer is not None
    assert pointer.form == form


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Which of those two involves humans?", "Which of those two"),
        ("Are these three about language models?", "these three"),
        ("Do both of these papers have code?", "both of these papers"),
        ("Summarise each of the five", "each of the five"),
        ("Are these two papers old?", "these two papers"),
        ("Do those scale?", "those"),
    ],
)
def test_all_words_that_point_at_several_are_taken(question, words) -> None:
    pointer = read_several(question)
    assert pointer is not None
    assert question[pointer.start : pointer.end] == words


@pytest.mark.parametrize(
    "question", ["Which paper is it?", "Does it use both text and images?", "Is it fast?"]
)
def test_not_several(question) -> None:
    assert read_several(question) is None


@pytest.mark.parametrize(
    ("question", "what"),
    [
        ("Does the music paper have code?", "music"),
        ("and the graph watermarking one?", "graph watermarking"),
        ("Is the sparse autoencoder work older?", "sparse autoencoder"),
    ],
)
def test_a_description(question, what) -> None:
    pointer = read_description(question)
    assert pointer is not None
    assert pointer.what == what


@pytest.mark.parametrize(
    "question", ["What does the paper on music propose?", "Is it fast?", "Who wrote the paper?"]
)
def test_no_description(question) -> None:
    assert read_description(question) is None


@pytest.mark.parametrize(
    ("question", "what", "rest"),
    [
        ("Back to the music paper: how large is it?", "the music paper", "how large is it?"),
        ("Going back to MaAS, what does it cost?", "MaAS", "what does it cost?"),
        ("ok, let's return to oil wells. Who counted?", "oil wells", "Who counted?"),
        ("As for the wells you mentioned, who counted?", "the wells", "who counted?"),
        ("One more question on Bloom filters: is there code?", "Bloom filters", "is there code?"),
        ("Earlier I asked about oil wells. Who counted?", "oil wells", "Who counted?"),
        ("About the music paper again: is it fast?", "the music paper", "is it fast?"),
    ],
)
def test_a_return(question, what, rest) -> None:
    found = read_return(question)
    assert found is not None
    assert (found.what, found.question, found.is_sure) == (what, rest, True)


def test_an_introduction_need_not_be_a_return() -> None:
    question = "In the music paper, is it fast?"
    found = read_return(question)
    assert found is not None
    assert (found.question, found.is_sure) == (question, False)
    assert read_return("What is LASER?") is None


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("no, I meant the diffusion one", "the diffusion one"),
        ("No, the distributional one.", "the distributional one"),
        ("Sorry, I mean the grade-school math one", "the grade-school math one"),
        ("not LLMs, I meant vision models", "vision models"),
        ("wrong paper, I wanted the music one", "the music one"),
        ("Actually I was asking about regression.", "regression"),
        ("that's not it, I was looking for proofs", "proofs"),
        ("I didn't mean audio, I meant video!", "video"),
        ("Not that one, I meant the other one", "the other one"),
        ("I meant the one with labels", "the one with labels"),
        ("no no, the second one", "the second one"),
        ("oops, the other paper", "the other paper"),
    ],
)
def test_a_correction(text, meant) -> None:
    correction = read_correction(text)
    assert correction is not None
    assert correction.meant == meant


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("not LLMs, I meant vision models", "LLMs"),
        ("I didn't mean audio, I meant video!", "audio"),
        ("I mean video models, not agents", "agents"),
        ("Not that one, I meant the other one", ""),
        ("no, I meant the diffusion one", ""),
    ],
)
def test_what_was_not_meant(text, denied) -> None:
    correction = read_correction(text)
    assert correction is not None
    assert correction.denied == denied


@pytest.mark.parametrize(
    "question",
    [
        "No, how does it scale?",
        "I mean, does it scale?",
        "Is there no paper on music?",
        "I want to know if vision transformers can be compressed",
        "What do they mean by sharpness?",
        "Not all attention is equal: who says so?",
        "no",
        "",
    ],
)
def test_no_correction(question) -> None:
    assert read_correction(question) is None
