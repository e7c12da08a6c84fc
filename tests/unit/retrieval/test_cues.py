"""Cues are read where the words around them speak of papers, and nowhere else."""

import pytest

from rag.records import Cue, Filters, Paper, Query
from rag.retrieval.cues import CuedQuestion, read_cues, with_cues
from rag.retrieval.vocabulary import Vocabulary


def paper(number: int, *authors: str, **fields) -> Paper:
    fields = {
        "venue": "ICML 2025",
        "year": 2025,
        "presentation": "poster",
        "track": "main",
    } | fields
    return Paper(f"p{number}", f"Title {number}", "An abstract.", authors, **fields)


PAPERS = (
    paper(1, "Anna B. Lee", "J Zico Kolter", presentation="oral"),
    paper(2, "Mingjie Sun", "Jason Adam", presentation="spotlight", keywords=("Robustness",)),
    paper(3, "Ole Park", "Vincenzo De Paola", "Li Wei", track="position", presentation=None),
    paper(
        4, "Jane Long", "Peter Young", venue="NeurIPS 2024", year=2024, keywords=("Graph Learning",)
    ),
    paper(5, "Eva O'Neil", "Karl-Heinz Müller", venue="Nature", year=2023),
)
VOCABULARY = Vocabulary(PAPERS)


def read(question: str) -> CuedQuestion:
    return read_cues(question, VOCABULARY)


def filters(question: str) -> dict[str, object]:
    """The fields that a question filters by, with their values."""
    found = with_cues(Query(question, question), VOCABULARY).filters
    names = ("authors", "venues", "years", "presentation", "track", "keywords")
    return {name: list(value) for name in names if (value := getattr(found, name))}


LEE, KOLTER = {"authors": ["Anna B. Lee"]}, {"authors": ["J Zico Kolter"]}
ORAL, POSITION = {"presentation": ["oral"]}, {"track": ["position"]}
ICML, IN_2024 = {"venues": ["ICML 2025"]}, {"years": [2024]}


@pytest.mark.parametrize(
    ("question", "topic", "read_as"),
    [
        ("oral papers by Anna Lee on diffusion", "papers on diffusion", ORAL | LEE),
        ("Which oral papers by Anna Lee prune?", "Which papers prune?", ORAL | LEE),
        ("papers by Anna B. Lee", "papers", LEE),
        ("papers by A. Lee about graphs", "papers about graphs", LEE),
        ("papers by lee on graphs", "papers on graphs", {"authors": ["Lee"]}),
        ("Papers by J. Zico Kolter?", "Papers?", KOLTER),
        ("papers of Kolter", "papers", {"authors": ["Kolter"]}),
        ("papers by De Paola", "papers", {"authors": ["Vincenzo De Paola"]}),
        ("papers by Müller", "papers", {"authors": ["Müller"]}),
        ("papers by Muller", "papers", {"authors": ["Müller"]}),
        ("papers by O'Neil", "papers", {"authors": ["Eva O'Neil"]}),
        ("works by Lee and Kolter on X", "works on X", {"authors": ["Lee", "Kolter"]}),
        ("papers by Anna Lee, Zico Kolter and Mingjie Sun", "papers",
         {"authors": ["Anna B. Lee", "J Zico Kolter", "Mingjie Sun"]}),
        ("papers by Adam on optimisers", "papers on optimisers", {"authors": ["Adam"]}),
        ("papers written by Zico Kolter", "papers", KOLTER),
        ("Which paper on pruning was written by Zico Kolter?", "Which paper on pruning?", KOLTER),
        ("papers on pruning by Kolter", "papers on pruning", {"authors": ["Kolter"]}),
        ("Zico Kolter's paper on pruning", "the paper on pruning", KOLTER),
        ("Kolter’s papers", "the papers", {"authors": ["Kolter"]}),
        ("Long's paper on depth", "the paper on depth", {"authors": ["Long"]}),
        ("What did Anna Lee write?", "What?", LEE),
        ("What did Long write about depth?", "What about depth?", {"authors": ["Long"]}),
        ("Which papers did Anna Lee write about depth?", "Which papers about depth?", LEE),
        ("How many papers has Zico Kolter published?", "How many papers?", KOLTER),
        ("papers that Anna Lee wrote", "papers", LEE),
        ("What does Zico Kolter say of robustness?", "What does Zico Kolter say of robustness?", KOLTER),
        ("What do Sun et al. find?", "What do Sun et al. find?", {"authors": ["Sun"]}),
        ("What do Sun and colleagues find?", "What do Sun and colleagues find?", {"authors": ["Sun"]}),
        ("What do Sun et al. (2025) find?", "What do Sun et al. (2025) find?", {"authors": ["Sun"]}),
        ("Which data is used in Park et al.?", "Which data is used in Park et al.?", {"authors": ["Park"]}),
        ("the paper of Sun et al. on attention", "the paper on attention", {"authors": ["Sun"]}),
        ("papers with Anna Lee as an author", "papers", LEE),
        ("papers with author Kolter", "papers", {"authors": ["Kolter"]}),
        ("author: Kolter", "", {"authors": ["Kolter"]}),
        ("Is there anything by Zico Kolter?", "Is there anything?", KOLTER),
        ("Zico Kolter", "papers", KOLTER),
        ("anna lee", "papers", LEE),
        ("papers by Lee Anna", "papers", LEE),
        ("position papers on AI safety", "papers on AI safety", POSITION),
        ("the supply chain position paper", "the supply chain paper", POSITION),
        ("papers in the position track on safety", "papers on safety", POSITION),
        ("main track papers on safety", "papers on safety", {"track": ["main"]}),
        ("How many papers are position papers?", "How many papers?", POSITION),
        ("spotlights about diffusion", "papers about diffusion", {"presentation": ["spotlight"]}),
        ("Which posters deal with graphs?", "Which papers deal with graphs?", {"presentation": ["poster"]}),
        ("List all orals", "List all papers", ORAL),
        ("an oral paper about graphs", "a paper about graphs", ORAL),
        ("oral presentations on graphs", "papers on graphs", ORAL),
        ("Which papers are orals?", "Which papers?", ORAL),
        ("Does Zico Kolter have an oral?", "a paper?", KOLTER | ORAL),
        ("Which ICML 2025 oral deals with graphs?", "Which paper deals with graphs?", ICML | ORAL),
        ("anything from Anna Lee", "anything", LEE),
        ("papers by both Lee and Kolter", "papers", {"authors": ["Lee", "Kolter"]}),
        ("Who is Anna Lee?", "papers?", LEE),
        ("What is Anna Lee working on?", "papers?", LEE),
        ("Sun et al. on attention", "Sun et al. on attention", {"authors": ["Sun"]}),
        ("Show 5 spotlights", "Show 5 papers", {"presentation": ["spotlight"]}),
        ("2019 oral papers on graphs", "2019 papers on graphs", ORAL),
        ("Which papers were accepted as orals?", "Which papers?", ORAL),
        ("papers presented as an oral on graphs", "papers on graphs", ORAL),
        ("How many orals and spotlights are there?", "How many papers are there?",
         {"presentation": ["oral", "spotlight"]}),
        ("oral or spotlight papers on graphs", "papers on graphs",
         {"presentation": ["oral", "spotlight"]}),
        ("ICML 2025 orals on graphs", "papers on graphs", ICML | ORAL),
        ("ICML papers on graphs", "papers on graphs", ICML),
        ("papers at icml 2025 on graphs", "papers on graphs", ICML),
        ("Which papers at ICML 2025 prune experts?", "Which papers prune experts?", ICML),
        ("What was shown about pruning at ICML 2025?", "What was shown about pruning?", ICML),
        ("At ICML 2025, who prunes experts?", "who prunes experts?", ICML),
        ("papers published in Nature", "papers", {"venues": ["Nature"]}),
        ("papers from 2024 on graphs", "papers on graphs", IN_2024),
        ("papers on graphs from 2024", "papers on graphs", IN_2024),
        ("2024 papers on graphs", "papers on graphs", IN_2024),
        ("articles published in 2024 about graphs", "articles about graphs", IN_2024),
        ("papers since 2024 on graphs", "papers on graphs", {"years": [2024, 2025]}),
        ("papers before 2025 on graphs", "papers on graphs", {"years": [2023, 2024]}),
        ("papers from 2023 to 2024 on graphs", "papers on graphs", {"years": [2023, 2024]}),
        ("papers with the keyword robustness", "papers", {"keywords": ["Robustness"]}),
        ("papers tagged with keyword “graph learning” on depth", "papers on depth",
         {"keywords": ["Graph Learning"]}),
        ("oral papers by Anna Lee at ICML 2025 on graphs", "papers on graphs", ORAL | LEE | ICML),
        ("papers on graphs by Zico Kolter at ICML 2025", "papers on graphs", KOLTER | ICML),
    ],
)  # fmt: skip
def test_a_cue_becomes_a_filter_and_leaves_the_topic(question, topic, read_as) -> None:
    assert read(question).topic == topic
    assert filters(question) == read_as


@pytest.mark.parametrize(
    "question",
    [
        "Which oral tradition is preserved by language models?",
        "How well do oral exams work?",
        "Which papers are about oral cancer?",
        "How do oral presentation skills improve?",
        "Does the position encoding help?",
        "Is position bias a problem for judges?",
        "In which position are papers ranked?",
        "Which method spotlights important tokens?",
        "Is there a spotlight attention mechanism?",
        "Why is it the poster child for failures?",
        "Can a user point at one element of a poster?",
        "How many posters are generated by the benchmark?",
        "What is the main result on this?",
        "Which papers are not orals?",
        "papers that are not position papers",
        "papers not by Zico Kolter",
        "all papers except orals",
        "papers other than those at ICML 2025",
        "Who wrote it and is it an oral?",
        "a corpus of 2000 papers",
        "Does it put a spotlight on fairness?",
        "Is Anna Lee cited?",
        "Which model makes an oral exam?",
        "Which are the main papers on pruning?",
        "Does it run in the main track of the race?",
        "Which papers train with Adam?",
        "Which papers study Adam?",
        "Is it optimised by Adam?",
        "Is training stable with Adam?",
        "Adam",
        "Does Adam converge?",
        "How does Adam's learning rate change?",
        "What did Adam improve?",
        "Which papers deal with long context?",
        "By long training, what is gained?",
        "How does the method of Young measures work?",
        "a study of Park functions",
        "Who walks in the park?",
        "Does DRAGO have to store data?",
        "Is SUN a dataset?",
        "Which papers build on the work of Sun et al.?",
        "How does it compare with Sun et al.?",
        "Does it improve over Park et al. on speech?",
        "What error did the algorithm of Sun et al. achieve?",
        "What do Sun et al. (2017) find?",
        "What do Adam et al. find?",
        "What do Kirchenbauer et al. find?",
        "papers by the author of BaxBench",
        "Which papers were written by language models?",
        "papers by Google",
        "papers by reviewers",
        "Which papers use data from 2024?",
        "Which papers use satellite images from 2024?",
        "Were 2024 samples used?",
        "Is 2024 larger than 2023?",
        "studies from 2024 on vaccines that papers use",
        "How many of the 2025 questions are right?",
        "Is nature a source of ideas for papers?",
        "papers in nature conservation",
        "How were reviews at ICML 2025 judged by authors?",
        "Which keyword extraction methods exist?",
        "papers with keyword search",
        'Why does "A Study of oral papers by Zico Kolter at ICML 2025" matter?',
        "Who wrote it, in “All the oral papers by Anna Lee at once”?",
    ],
)
def test_words_that_only_look_like_a_cue_filter_nothing(question) -> None:
    assert read(question) == CuedQuestion(question, ())


@pytest.mark.parametrize(
    ("question", "field", "value"),
    [
        ("papers by Jon Smyth on pruning", "authors", "Jon Smyth"),
        ("papers by Koltar", "authors", "Koltar"),
        ("papers from 2019", "years", "2019"),
        ("papers at ICLR 2023 on pruning", "venues", "ICLR 2023"),
    ],
)
def test_what_no_paper_has_is_read_where_it_is_surely_meant(question, field, value) -> None:
    (cue,) = read(question).cues
    assert (cue.field, cue.value) == (field, value)
    assert not VOCABULARY.has(field, value)


def test_only_what_the_papers_have_is_a_cue() -> None:
    bare = Vocabulary([Paper("p", "t", "a")])
    for question in ("oral papers on graphs", "position papers", "papers from 2024", "ICML papers"):
        assert read_cues(question, bare) == CuedQuestion(question, ())


def test_values_of_several_words_are_known_by_their_kind() -> None:
    vocabulary = Vocabulary(
        [
            Paper("a", "t", "a", presentation="Accept (oral)", track="Position Paper Track"),
            Paper("b", "t", "a", presentation="Accept (poster)"),
        ]
    )
    assert [cue.value for cue in read_cues("orals on graphs", vocabulary).cues] == ["Accept (oral)"]
    (cue,) = read_cues("position papers on graphs", vocabulary).cues
    assert cue == Cue("track", "Position Paper Track", "position papers")


def test_a_given_filter_wins_over_a_cue_of_its_field() -> None:
    question = "oral papers by Anna Lee on graphs"
    given = Query(question, question, Filters(presentation=("poster",)))
    query = with_cues(given, VOCABULARY)
    assert query.filters == Filters(authors=("Anna B. Lee",), presentation=("poster",))
    assert query.cues == (Cue("authors", "Anna B. Lee", "Anna Lee"),)
    assert query.standalone == question
    assert query.searched == "papers on graphs"


def test_a_question_without_cues_stays_as_it_is() -> None:
    query = Query("Why?", "Why  is that so ?", Filters(years=(2024,)))
    assert with_cues(query, VOCABULARY) is query
    assert query.searched == "Why  is that so ?"


def test_what_is_asked_last_replaces_what_was_asked_before() -> None:
    assert filters("Which papers by Anna Lee are orals? and spotlights?") == LEE | {
        "presentation": ["spotlight"]
    }
    assert filters("Which papers are orals? how many by Anna Lee?") == ORAL | LEE


def test_a_cue_says_its_words() -> None:
    (cue,) = read("papers published in 2024 on graphs").cues
    assert cue == Cue("years", "2024", "published in 2024")


def test_hostile_questions_are_read_in_time() -> None:
    for question in (
        "by " * 2000,
        "papers by Anna Lee, " * 300,
        "“" * 1000,
        "oral " * 2000,
        "x" * 5000,
    ):
        read(question[:4000])
