"""What papers, models and users may do with the page: be read, and nothing else."""

import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.corpus import load_corpus
from ui.markup import attribute, escape, inline, safe_url

ALLOWED_TAGS = {"strong", "em", "code", "samp", "mark", "span"}
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "</a><a href='javascript:alert(1)'>here</a>",
    "![secret](http://evil.example/?q=1)",
    "[click](javascript:alert(1))",
    "<http://evil.example>",
    "[1]: http://evil.example 'x'",
    "<iframe src=//evil.example></iframe>",
    "$\\href{javascript:alert(1)}{x}$",
    "$\\includegraphics{http://evil.example/x.png}$",
    "\\(\\htmlData{x=1}{y}\\)",
    "\\(unclosed <b>bold</b>",
    "%%%LATEX_BLOCK_0%%%",
    "a\n\n<b>new block</b>\n\n# heading",
    "&lt;script&gt; &#60;script&#62;",
    "\\textbf{<b onclick=x>}",
    "`<b>` ``<i>'' **<u>**",
)


class Tags(HTMLParser):
    """Collects every tag and attribute of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def assert_inert(html: str) -> None:
    parsed = Tags(html)
    assert set(parsed.tags) <= ALLOWED_TAGS
    assert parsed.attributes == []
    assert parsed.open == []
    assert "\n" not in html


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_inert(text: str) -> None:
    assert_inert(inline(text))
    assert_inert(inline(text, [(2, 9)]))
    assert_inert(escape(text))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_inside_an_attribute(text: str) -> None:
    parsed = Tags(f'<a title="{attribute(text)}">x</a>')
    assert parsed.tags == ["a"]
    assert parsed.attributes == ["title"]


@settings(max_examples=300, deadline=None)
@given(st.text("ab $*_`'\\{}()[]<>&\"%~-#\n\ue000\ue001textbf", max_size=60), st.data())
def test_any_text_is_inert_and_well_formed(text: str, data: st.DataObject) -> None:
    cut = st.integers(-2, len(text) + 2)
    spans = data.draw(st.lists(st.tuples(cut, cut), max_size=3))
    assert_inert(inline(text, spans))


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("*i.e.*, **very *much* so**", "<em>i.e.</em>, <strong>very <em>much</em> so</strong>"),
        ("\\textbf{EAGLES} and {\\em so on}", "<strong>EAGLES</strong> and <em>so on</em>"),
        ("$\\textbf{EAGLES}$ \\text{and} \\mbox{$x$}", r"<strong>EAGLES</strong> and \(x\)"),
        ("\\texttt{x} `y` \\url{z}", "<samp>x</samp> <code>y</code> <samp>z</samp>"),
        ("a*b*c snake_case_name _so_", "a*b*c snake_case_name <em>so</em>"),
        ("97.1\\% for 1\\$", "97.1&#37; for 1$"),
        ("``null'' link -- or so", "“null” link – or so"),
        ("\\href{javascript:x}{the page}", "the page"),
        ("one * two ** three", "one * two ** three"),
    ],
)
def test_formatting_of_abstracts_is_shown(text: str, html: str) -> None:
    assert inline(text) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("$\\Delta$-IRIS", r"\(\Delta\)-IRIS"),
        ("2.6-3.5$\\times$ and $ s $", r"2.6-3.5\(\times\) and \(s\)"),
        ("$1-\\delta$, $1/e$ and $O(n)$", r"\(1-\delta\), \(1/e\) and \(O(n)\)"),
        ("\\( n \\) or \\[x\\] or $$y$$", r"\(n\) or \(x\) or \(y\)"),
        (r"$6\\sim45\\%$ and 5\\%", r"\(6\sim45\%\) and 5&#37;"),
        ("$a < b$", r"\(a &lt; b\)"),
    ],
)
def test_mathematics_is_handed_to_the_page(text: str, html: str) -> None:
    assert inline(text) == html


@pytest.mark.parametrize(
    "text",
    [
        "costs $5 and $10",
        "from $5-$10 a head",
        "$0.88 per million tokens, $2 in all",
        "$8 trillion",
        "between $3k and $4k",
    ],
)
def test_prices_stay_prices(text: str) -> None:
    assert inline(text) == text


def test_a_price_does_not_hide_the_formula_behind_it() -> None:
    assert inline("costs $5 and $x^2$ more") == r"costs $5 and \(x^2\) more"


@pytest.mark.parametrize("tex", ["\\rule{9em}{9em}", "\\def\\x{}", "\\href{x}{y}", "\\kern9em"])
def test_dangerous_tex_is_shown_as_text(tex: str) -> None:
    html = inline(f"see ${tex}$")
    assert "\\" not in html
    assert Tags(html).text == f"see ${tex}$"


def test_spans_are_marked_at_their_offsets() -> None:
    text = "Wells leak. *Many* wells leak."
    assert inline(text, [(0, 5), (12, 18)]) == (
        "<mark>Wells</mark> leak. <mark><em>Many</em></mark> wells leak."
    )


def test_a_span_that_begins_inside_an_address_loses_nothing() -> None:
    assert_inert(inline("\\href{https://example.org}{page}", [(0, 10)]))
    assert_inert(inline("$x + y$ and \\textbf{bold}", [(2, 20)]))


def test_overlapping_and_outlying_spans_are_merged_and_clipped() -> None:
    assert inline("abcdef", [(1, 3), (2, 4), (5, 99), (3, 3), (-4, 0)]) == (
        "a<mark>bcd</mark>e<mark>f</mark>"
    )


def test_every_sentence_of_the_seeds_is_marked_whole() -> None:
    for paper in load_corpus("seeds").papers:
        for match in re.finditer(r"[^.]+\.", paper.abstract):
            html = inline(paper.abstract, [match.span()])
            assert_inert(html)
            marked = html[html.index("<mark>") : html.index("</mark>")]
            assert Tags(f"{marked}</mark>").text == Tags(inline(match[0])).text


@pytest.mark.parametrize(
    "piece", ["*", "**a", "$a ", "\\(", "\\textbf{", "_a", "``a", "`a ", "$$a", "{\\em "]
)
def test_long_abstracts_of_markup_take_linear_time(piece: str) -> None:
    short, long = piece * (5_000 // len(piece)), piece * (50_000 // len(piece))
    began = time.process_time()
    inline(short)
    between = time.process_time()
    inline(long)
    # Ten times the text; a quadratic pattern takes a hundred times as long.
    assert time.process_time() - between < 40 * max(between - began, 0.005)


def test_control_and_direction_characters_are_dropped() -> None:
    assert escape("a\x00b\u202ec\u2028d\ud800e") == "a b c d e"


@pytest.mark.parametrize(
    "url",
    [
        None,
        "",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\tscript:alert(1)",
        " https://example.org",
        "data:text/html,x",
        "vbscript:x",
        "//example.org",
        "https:",
        "https://",
        "http://[bad",
        "https://example.org/\nx",
        "https://example.org\\@evil.example",
        "file:///etc/passwd",
    ],
)
def test_only_plain_web_addresses_become_links(url: str | None) -> None:
    assert safe_url(url) is None


def test_an_address_is_escaped_for_its_attribute() -> None:
    assert safe_url('https://example.org/?a=1&b="x"') == (
        "https://example.org/?a=1&amp;b=&quot;x&quot;"
    )
