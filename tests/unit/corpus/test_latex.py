"""LaTeX in titles and names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.corpus.latex import decode_accents, decode_bibtex


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        (r"Schr{\"o}dinger, Schr\"odinger, Schr\"{o}dinger", "Schrödinger, Schrödinger, Schrödinger"),
        (r"Poincar\'e {\'E}lie \`a Pe\~na \^{\i} {\'{\i}} \=u \.z", "Poincaré Élie à Peña î í ū ż"),
        (r"Erd\H{o}s, \v{S}ar{\=u}nas, \c{C}, Lazăr \u{g} \c t \k{a} \r{A}", "Erdős, Šarūnas, Ç, Lazăr ğ ţ ą Å"),
        (r"M{\o}ller, S\o ren, \L ukasz, stra{\ss}e, {\AA}, \ae{}on", "Møller, Søren, Łukasz, straße, Å, æon"),
        (r"K{\i}z{\i}lda\u{g}", "Kızıldağ"),
        (r"Kot{\polishl}owski, Kot\polishlowski", "Kotłowski, Kotłowski"),
        (r"\alpha-divergence, \lambda, \textbf{x}, {x}, \"quoted\"", r"\alpha-divergence, \lambda, \textbf{x}, {x}, \"quoted\""),
        (r"$\tilde{x}$ and \(\"o\) and \[\'e\] \'e", r"$\tilde{x}$ and \(\"o\) and \[\'e\] é"),
        (r"for \$5, \'e", r"for \$5, é"),
        ("no command", "no command"),
    ],
)  # fmt: skip
def test_accents(text, decoded):
    assert decode_accents(text) == decoded


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        ("{MAGE}: Machine {T}ext, {{Double}}", "MAGE: Machine Text, Double"),
        (r"A {$K_{i}$-means} {\&} 5\% of~it", r"A $K_{i}$-means & 5% of it"),
        (r"\emph{bandit feedback} {\bf x} \href{u}{text}", r"\emph{bandit feedback} {\bf x} \href{u}{text}"),
        ("one } two { three", "one } two { three"),
        ("hard\n   wrapped \n\n\n  a  paragraph\n", "hard wrapped\n\na paragraph"),
        (r"\$5 and {\"O}l", r"\$5 and Öl"),
        (r"$a\&b~c$", r"$a\&b~c$"),
        (r"et al.\ (2020) --- ``one'' and -- two", "et al. (2020) — “one” and -- two"),
        ("", ""),
    ],
)  # fmt: skip
def test_bibtex(text, decoded):
    assert decode_bibtex(text) == decoded


@given(st.text(alphabet="\\{}$\"'ouabc ~&()[]\n", max_size=60))
def test_any_text_is_decoded(text):
    decode_accents(text)
    decode_bibtex(text)
    if "\\" not in text:
        assert decode_accents(text) == text
