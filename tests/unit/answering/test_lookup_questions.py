"""Which questions ask what a paper's record says, and which only sound like it."""

import pytest

from rag.answering.lookup_questions import asks_for_list, asks_how_many, paper_questions


def first(question: str) -> tuple[str, str, str] | None:
    asked = next(paper_questions(question), None)
    return (asked.kind, asked.about, asked.detail) if asked else None


@pytest.mark.parametrize(
    ("question", "kind", "about", "detail"),
    [
        ("Who wrote BaxBench?", "authors", "BaxBench", ""),
        ("who authored the BaxBench paper", "authors", "the BaxBench paper", ""),
        ("Please tell me who wrote BaxBench.", "authors", "BaxBench", ""),
        ("Who are the authors of BaxBench?", "authors", "BaxBench", ""),
        ("Who is the author of “A Title”?", "authors", "“A Title”", ""),
        ("What are the names of the authors of BaxBench?", "authors", "BaxBench", ""),
        ("List the authors of BaxBench", "authors", "BaxBench", ""),
        ("authors of BaxBench", "authors", "BaxBench", ""),
        ("BaxBench authors?", "authors", "BaxBench", ""),
        ("By whom was BaxBench written?", "authors", "BaxBench", ""),
        ("Who is behind BaxBench?", "authors", "BaxBench", ""),
        ("Who are BaxBench's authors?", "authors", "BaxBench", ""),
        ("Which researchers wrote BaxBench?", "authors", "BaxBench", ""),
        ("Who introduced BaxBench?", "authors", "BaxBench", ""),
        ("Who is the first author of BaxBench?", "author_at", "BaxBench", "first"),
        ("lead author of BaxBench", "author_at", "BaxBench", "lead"),
        ("Who is the senior author of BaxBench?", "author_at", "BaxBench", "senior"),
        ("How many authors does BaxBench have?", "n_authors", "BaxBench", ""),
        ("How many people wrote BaxBench?", "n_authors", "BaxBench", ""),
        ("What is the number of authors of BaxBench?", "n_authors", "BaxBench", ""),
        ("Is BaxBench an oral?", "presentation", "BaxBench", "oral"),
        ("Was BaxBench accepted as a spotlight?", "presentation", "BaxBench", "spotlight"),
        (
            "Was BaxBench an oral or a poster at ICML 2025?",
            "presentation",
            "BaxBench",
            "oral or a poster",
        ),
        ("Is BaxBench a position paper?", "presentation", "BaxBench", "position paper"),
        ("How was BaxBench presented?", "presentation", "BaxBench", ""),
        ("What kind of presentation did BaxBench get?", "presentation", "BaxBench", ""),
        ("When was BaxBench published?", "venue", "BaxBench", ""),
        ("Where was BaxBench presented?", "venue", "BaxBench", ""),
        ("At which conference did BaxBench appear?", "venue", "BaxBench", ""),
        ("In what year was BaxBench published?", "venue", "BaxBench", ""),
        ("Which track is BaxBench in?", "track", "BaxBench", ""),
        ("On which pages is BaxBench?", "pages", "BaxBench", ""),
        ("Give me the link to BaxBench", "link", "BaxBench", "link"),
        ("PDF of BaxBench", "link", "BaxBench", "pdf"),
        ("Where can I read the BaxBench paper?", "link", "the BaxBench paper", "read"),
        ("BibTeX for BaxBench", "bibtex", "BaxBench", ""),
        ("How do I cite BaxBench?", "bibtex", "BaxBench", ""),
        ("Who's behind BaxBench?", "authors", "BaxBench", ""),
        ("Who came up with BaxBench?", "authors", "BaxBench", ""),
        ("Was BaxBench an ICML 2025 oral?", "presentation", "BaxBench", "oral"),
        ("What venue was BaxBench at?", "venue", "BaxBench", ""),
        ("Which conference accepted BaxBench?", "venue", "BaxBench", ""),
        ("BibTeX for BaxBench please", "bibtex", "BaxBench", ""),
        ("Did Ann Lee write BaxBench?", "is_author", "BaxBench", "ann lee"),
        ("Was BaxBench written by Ann Lee?", "is_author", "BaxBench", "ann lee"),
        ("Is Ann Lee one of the authors of BaxBench?", "is_author", "BaxBench", "ann lee"),
        ("Does BaxBench have a PDF?", "link", "BaxBench", "pdf"),
        # As a follow-up is written when its paper is known.
        ("Who wrote it, in “A Title”?", "authors", "“A Title”", ""),
        ("How many wells? When was it published, in “A Title”?", "venue", "“A Title”", ""),
        ("and its authors, in “A Title”?", "authors", "“A Title”", ""),
        ("Is this an oral, in “A Title”?", "presentation", "“A Title”", "oral"),
        ("bibtex?, in “A Title”?", "bibtex", "“A Title”", ""),
    ],
)
def test_questions_about_a_record_are_known(question, kind, about, detail) -> None:
    assert first(question) == (kind, about, detail)


@pytest.mark.parametrize(
    "question",
    [
        "What do the authors of BaxBench propose?",
        "Why do the authors integrate gradient descent?",
        "Do the authors of BaxBench compare models?",
        "How many tasks does BaxBench have?",
        "How many authors agree with the claim?",
        "Was BaxBench written by hand?",
        "Was BaxBench written by GPT-4?",
        "Did humans write BaxBench?",
        "Where does BaxBench fail?",
        "When does the method converge?",
        "Where were the wells found?",
        "Where can I download BaxBench?",
        "Is BaxBench better than SWE-bench?",
        "What is an oral presentation?",
        "Who checked the labels?",
        "Is the code of BaxBench public?",
        "Which track does the robot follow?",
        "What is the position of BaxBench on this?",
    ],
)
def test_other_questions_are_none(question) -> None:
    assert first(question) is None


@pytest.mark.parametrize(
    "topic",
    ["papers", "Which papers?", "What?", "List all papers", "Show me the papers", "Is there anything?",
     "Which papers are there?", "What about papers", "the papers", "Do you have any papers?",
     "What are the papers in this collection?", "Give me a list of papers", "find papers"],
)  # fmt: skip
def test_a_list_is_asked_for_with_few_words_beside_a_cue(topic) -> None:
    assert asks_for_list(topic, is_cued=True)


@pytest.mark.parametrize("topic", ["papers", "Which paper?", "What?", "the papers", "anything"])
def test_the_same_words_without_a_cue_ask_for_nothing(topic) -> None:
    assert not asks_for_list(topic, is_cued=False)


@pytest.mark.parametrize(
    "topic", ["List all papers", "Which papers are there?", "show me all the papers"]
)
def test_all_papers_can_be_asked_for(topic) -> None:
    assert asks_for_list(topic, is_cued=False)


@pytest.mark.parametrize(
    "topic",
    ["papers on graphs", "Which papers about graphs?", "Which papers prune?", "Why?", "How?",
     "What is pruning?", "Which papers use papers?", "the paper on pruning", "papers that prune"],
)  # fmt: skip
def test_a_topic_is_no_list_of_records(topic) -> None:
    assert not asks_for_list(topic, is_cued=True)


@pytest.mark.parametrize(
    ("topic", "counts"),
    [
        ("How many papers are there?", True),
        ("How many papers?", True),
        ("What is the total number of papers?", True),
        ("How many papers does small have?", True),
        ("How many papers are in small?", True),
        ("count the papers", True),
        ("How many papers are in this collection?", True),
        ("Which papers? How many papers are there?", True),
        ("How many papers on graphs are there?", False),
        ("How many papers prune?", False),
        ("How many wells are there?", False),
        ("How many are there?", False),
        ("Which papers?", False),
    ],
)
def test_a_number_of_papers_is_asked_for(topic, counts) -> None:
    assert asks_how_many(topic, "small", is_cued=False) is counts


def test_beside_a_cue_the_noun_may_lack() -> None:
    assert asks_how_many("Which papers? How many are there?", "small", is_cued=True)
