"""Which questions are a census, and what they count."""

import pytest

from rag.answering.census_topic import census_topic

TOPICS = {
    "Which papers use diffusion models for proteins?": "diffusion models for proteins",
    "How many papers study backdoor attacks on federated learning?": "backdoor attacks on federated "
    "learning",
    "list all papers on KV-cache compression": "KV-cache compression",
    "Which papers propose watermarks for text?": "watermarks for text",
    "What papers are there on machine unlearning?": "machine unlearning",
    "Are there any papers on smell?": "smell",
    "Any papers about Mamba": "Mamba",
    "Show me papers that prune visual tokens in multimodal models.": "prune visual tokens in "
    "multimodal models",
    "papers about fairness": "fairness",
    "How many papers on graph learning are there?": "graph learning",
    "Which papers here say that theory of mind benchmarks are broken?": "theory of mind benchmarks "
    "are broken",
    "How many oral papers at ICML 2025 study bandits?": "bandits",
    "Which papers are about speech recognition?": "speech recognition",
    "how many of the papers here deal with LLM safety": "LLM safety",
    "Which reinforcement learning papers use transformers?": "reinforcement learning transformers",
    "Which papers forecast the weather with neural networks?": "forecast the weather with neural "
    "networks",
    "I am looking for papers on causal discovery": "causal discovery",
    "Could you list the papers on X-ray imaging, please?": "X-ray imaging",
    "find studies on hallucination": "hallucination",
    "In this collection, which papers are about diffusion models?": "diffusion models",
    "Hey, list papers on diffusion": "diffusion",
}
OTHERS = [
    "Which paper uses diffusion models for proteins?",
    "How many papers were used to train the model?",
    "How many papers did the annotators read?",
    "Which papers does FlashAttention cite?",
    "Which papers are cited most?",
    "Which of these papers use reinforcement learning?",
    "Which of the papers on pruning and on quantization reports speed?",
    "Which two papers warn about security problems?",
    "How many papers are there?",
    "How many papers are in this collection?",
    "How many papers are in the dataset?",
    "Which papers are by Ann Example?",
    "papers by Ann Example",
    "Which papers did Bengio write?",
    "Which papers are orals?",
    "Which papers do not use attention?",
    "Which papers get the best results on ImageNet?",
    "Which papers study pruning, and what do they find?",
    "Which papers rely on rotary embeddings, and for what?",
    "Compare the papers on KANs and PINNs",
    "What do the papers on synthetic text say about n-grams?",
    "What works better, pruning or quantization?",
    "Which Mixup coefficient works best?",
    "Which paper studies grokking?",
    "How many wells are in the Alberta dataset?",
    "How many papers have more than five authors?",
    "Which papers are similar to FlashAttention?",
    "Do all of the papers use GPUs?",
    "",
    "papers",
]


@pytest.mark.parametrize("question", TOPICS)
def test_the_frame_goes_and_the_topic_stays(question: str) -> None:
    assert census_topic(question) == TOPICS[question]


@pytest.mark.parametrize("question", OTHERS)
def test_other_questions_are_none(question: str) -> None:
    assert census_topic(question) is None


def test_a_long_question_is_seen_through_at_once() -> None:
    assert census_topic("Which papers " + "a b c " * 600 + "?") is None
    assert census_topic("which " * 2000) is None
