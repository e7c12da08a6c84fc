"""How a follow-up sounds in some languages other than English; text is compared normalised."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Language:
    """What tells a language, and a follow-up in it."""

    telltales: frozenset[str]
    """Frequent words that English has not."""
    openers: str
    """With which a follow-up begins; a pattern."""
    pointers: str
    """Words that stand for something said before; a pattern."""
    empty: frozenset[str]
    """Words that say what one wants to know, but not about what."""
    asks_what: str
    """``What is ...``: a question about a thing of its own; a pattern."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LANGUAGES = (
    Language(
        _words("""der die das den dem des ein eine einen ist sind war wurde wurden wird und oder
        nicht wie was wer welche welcher welches welchen warum wieso wozu viel viele gibt hat haben
        fur mit von auf es sie ihr ihre kann konnen auch aber bei zu im zum dazu uber lange dauert"""),
        r"und|aber|oder|also|dann|auch|warum|wieso|weshalb|wozu|was ist mit|wie sieht es|mehr",
        r"(?<!gibt )es(?! (?:gibt|um|moglich)\b)|(?<!konnen )sie|ihn|ihm|ihre?[nrsm]?|seine?[nrsm]?|diese[rsmn]?"
        r"|dies|dessen|deren|damit|dafur|davon|dazu|daran|letztere[rn]?",
        _words("""gross grosse hoch lang schnell gut besser genau datensatz datensatze daten methode
        methoden verfahren autor autoren ergebnis ergebnisse code modell modelle ansatz artikel
        arbeit paper studie grenze grenzen gewichte verwendet benutzt genutzt getestet
        veroffentlicht verfugbar offentlich geht heisst mehr zwei drei parameter"""),
        r"(?:was|wer) (?:ist|sind) (?!der|die|das|den|es|sie|ihr|mit\b)"
        r"|(?:gibt es|welche|was fur) (?:arbeit|arbeiten|artikel|paper|studien?|etwas)\b",
    ),
    Language(
        _words("""le la les un une des du est sont et ou pas quel quelle quels quelles qui que
        quoi pourquoi combien ca il elle ils elles leur leurs pour avec sur dans ce cet cette
        ces ont etait peut qu"""),
        r"et|mais|ou|donc|alors|aussi|pourquoi|qu en est il|plus de",
        r"(?<!existe t )(?<!y a t )il(?! y a| existe)|c est(?! quoi)|elle|ils|elles|leurs?|son|ses|cela|ca|celui ci"
        r"|celle ci|ce (?:papier|modele)|cet article|cette (?:methode|approche|etude)",
        _words("""de d l c se mieux autre autres comment grand grande taille donnees jeu methode methodes auteur auteurs resultat resultats
        code modele modeles approche article papier etude limite limites poids perte pertes utilise
        utilises utilisees teste testes testees publie publies disponible public marche deux trois
        parametres nombre"""),
        r"(?:qu est ce que|c est quoi) (?!ca|cela\b)"
        r"|(?:y a t il (?:des|un)|existe t il (?:des|un)|quels?) (?:articles?|papiers?|travaux|etudes?)\b",
    ),
    Language(
        _words("""el los las una unos es son y que quien cual cuales como cuando cuanto cuanta
        cuantos cuantas donde para por sobre en del su sus lo se hay fue mas con cualquier algun tiene tienen puede"""),
        r"y|e|pero|o|entonces|tambien|por que|que hay de|que tal|mas",
        r"sus?|ellos|ellas|esto|eso|aquello|est[eo]s?|esa|ese",
        _words("""de el la grande tamano datos conjunto metodo metodos autor autores resultado resultados
        codigo modelo modelos enfoque articulo trabajo estudio limite limites limitaciones peso pesos
        perdida perdidas usa usan usaron probaron publicaron publicado disponible publico funciona
        dos tres parametros numero contexto"""),
        r"que (?:es|son) (?!eso|esto\b)|(?:hay|que|cuales) (?:articulos?|trabajos?|estudios?)\b",
    ),
    Language(
        _words("""il lo gli le un una uno non che chi quale quali quando quanto quanta ha
        quanti quante dove nel della dei di sono suo sua suoi sue cos anche perche"""),
        r"e|ma|o|quindi|allora|anche|perche|che ne dici|di piu",
        r"suoi?|su[ae]|loro|esso|essa|essi|quest[oaie]|quell[oaie]",
        _words("""i di e grande dati dataset metodo metodi autore autori risultato risultati codice modello
        modelli approccio articolo lavoro studio limite limiti pesi perdita usa usano usati testato
        testati pubblicato disponibile pubblico funziona due tre parametri numero"""),
        r"(?:che cos e|cos e|che cosa e|chi e) (?!quest|quell)"
        r"|(?:ci sono|qual[ei]) (?:articol[oi]|lavor[oi]|studi)\b",
    ),
    Language(
        _words("""uma uns e sao ou nao que quem qual quais como quando quanto quanta quantos
        quantas onde para por sobre em dos das seu sua seus suas tambem foi"""),
        r"e|mas|ou|entao|tambem|por que|porque|mais",
        r"seus?|suas?|eles?|elas?|isso|isto|ess[ea]s?|est[ea]s?",
        _words("""de os as grande tamanho dados conjunto metodo metodos autor autores resultado resultados
        codigo modelo modelos abordagem artigo trabalho estudo limite limites limitacoes pesos perda
        usa usam usaram testaram publicaram publicado disponivel publico funciona dois tres
        parametros numero"""),
        r"o que (?:e|sao) (?!isso|isto\b)|(?:ha|qual|quais) (?:artigos?|trabalhos?|estudos?)\b",
    ),
)  # fmt: skip
_ENGLISH = _words("""the what how which who why does do is are was were of and or with for to it they
their its this that did can in on a an""")
# Words of other languages that are also English.
_SHARED = _words(
    "comment code paper parameter public article grand limite test d l i e el la as os de di"
)
# Chinese and Japanese need no spaces, so their signs are looked for anywhere.
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_CJK_FOLLOW_UP = re.compile(
    r"它|他们|她们|^(?:那|这|其|为什么|怎么|还有|而且)|呢[？?]?$|该(?:论文|方法|模型)|这(?:个|篇|种)"
    r"|それ|これ|その|彼ら|^(?:なぜ|では|じゃあ)"
)
_CJK_EMPTY = re.compile(
    r"有没有|有|没有|是|吗|了|的|用|哪些|哪个|多少|什么|如何|怎么样|怎样|几个|个|在哪里|在哪|和|比|好|快|大"
    r"|代码|数据集|数据|结果|方法|模型|参数|作者|论文|实验|局限性?|开源|公开|贡献|评估|被|基线|性能|训练|时间"
    r"|コード|データセット|結果|著者|手法|モデル|公開|どこ|どの|何|ですか|ますか|され|てい|は|が|を|の|に|で"
    r"|[\s?？。!！,，、]"
)
_WORD = re.compile(r"[^\W\d_]+")
_FEW_WORDS = 2


def read_other_language(plain: str) -> Literal["points back", "leans", "stands alone"] | None:
    """How a question in another language depends on what was said before.

    Args:
        plain: The normalised question.

    Returns:
        None if it is in none of the languages that are known here.
    """
    if _CJK.search(plain):
        if _CJK_FOLLOW_UP.search(plain):
            return "points back"
        return "stands alone" if _CJK_EMPTY.sub("", plain) else "leans"
    words = _WORD.findall(plain.replace("'", " "))
    languages = _languages(words)
    if not languages:
        return None
    text = " ".join(words)
    if any(re.search(rf"\b(?:{known.pointers})\b", text) for known in languages):
        return "points back"
    if any(re.match(rf"(?:{known.openers})\b", text) for known in languages):
        return "leans"
    if any(re.match(known.asks_what, text) for known in languages):
        return "stands alone"
    n_said = min(len(set(words) - known.telltales - known.empty) for known in languages)
    return "leans" if n_said <= _FEW_WORDS else "stands alone"


def _languages(words: list[str]) -> list[Language]:
    """The languages that the most words tell; several that look alike, none for English."""
    n_english = sum(word in _ENGLISH for word in words)
    told = {
        known: sum(word in known.telltales or word in known.empty - _SHARED for word in words)
        for known in _LANGUAGES
    }
    most = max(told.values())
    return [known for known in _LANGUAGES if told[known] == most > n_english]
