"""Follow-ups and whole questions are told apart in some languages other than English."""

import pytest

from rag.answering.languages import read_other_language
from rag.text import normalise

FOLLOW_UPS = """
und wie groß ist der Datensatz?
Wie groß ist der Datensatz?
warum?
Was ist mit Graphen?
Wie funktioniert sie?
Haben die Autoren den Code veröffentlicht?
Welche Grenzen hat diese Methode?
et les limites ?
pourquoi ?
Quels modèles ont-ils testés ?
Le code est-il disponible ?
Comment ça marche ?
Quelle est la taille du jeu de données ?
¿y con más datos?
¿por qué?
¿Cuáles son sus límites?
¿Publicaron el código?
e i suoi limiti?
perché?
Quali sono i risultati?
e os seus limites?
por que?
它的代码公开吗？
为什么？
那它快吗？
なぜ？
その手法は速いですか？
""".strip().splitlines()
WHOLE = """
Welche Arbeit behandelt Wasserzeichen für Wissensgraphen?
Was ist föderiertes Lernen?
Gibt es Arbeiten über Diffusionsmodelle?
Ist es möglich, Transformer ohne Attention zu trainieren?
Wie viele Ölquellen enthält der Alberta-Datensatz?
Quel article étudie les tatouages numériques des graphes ?
Qu'est-ce que l'apprentissage fédéré ?
Y a-t-il des travaux sur la diffusion ?
¿Qué artículos tratan el aprendizaje federado?
¿Qué es la atención LASER?
Quali articoli studiano i grafi di conoscenza?
Che cos'è l'apprendimento federato?
Quais artigos estudam grafos de conhecimento?
哪些论文研究联邦学习？
什么是扩散模型？
拡散モデルに関する論文はどれですか？
""".strip().splitlines()
ENGLISH = """
How does it scale?
And on graphs?
federated learning
Do neurons die during training?
comment toxicity detection
in situ training of GANs
""".strip().splitlines()


@pytest.mark.parametrize("question", FOLLOW_UPS)
def test_a_follow_up_leans(question) -> None:
    assert read_other_language(normalise(question)) in ("leans", "points back")


@pytest.mark.parametrize("question", WHOLE)
def test_a_whole_question_stands_alone(question) -> None:
    assert read_other_language(normalise(question)) == "stands alone"


@pytest.mark.parametrize("question", ENGLISH)
def test_english_is_not_judged_here(question) -> None:
    assert read_other_language(normalise(question)) is None
