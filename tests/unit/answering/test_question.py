"""What kind of question it is: small talk, one paper or several, a comparison."""

import pytest

from rag.answering.question import is_comparison, is_small_talk, wants_several

SMALL_TALK = """
hi
Hi!
hello there
Hellooo
heyyy
hey, how are you?
Good morning!
thanks
Thank you so much!!
thx
ok thanks
cool, thanks a lot!
great
bye
what can you do?
What can I ask you?
who are you?
Are you an AI?
how does this work?
help
Help me please
yes
no
ok
😀
👍👍
???
...
—
test
What's up?
hola
Danke!
merci
你好
こんにちは
what's this?
What is Symposia?
ok, got it
HELLO
hi symposia
Hi there everyone
thank you, that helps
can you help me?
good bye
""".strip().splitlines()

QUESTIONS = """
hi, how many wells are in the Alberta dataset?
help me understand LASER
hello, what is BaxBench?
thanks, and which one is larger?
test-time adaptation
test time compute
What is this paper about?
how does LASER work?
What can LLMs do?
who are the authors?
are you sure?
why?
tell me more
42
LASER
greetings in theory of mind
What can you tell me about LASER?
ok what about graphs
no free lunch
great papers on graphs
good negatives
help with federated learning
hi-res images
yes/no questions
stop words
start from LASER
Hey, list papers on diffusion
thanks to what does LASER work?
how are you evaluated?
nice, and the code?
menu of auctions
which?
AI
x
hello world programs
""".strip().splitlines()

FOR_SEVERAL = """
Which papers improve federated learning?
Which papers propose graph contrastive learning methods?
How do SketchTune and Text-to-LoRA differ in adapting large language models?
What papers are there on diffusion models?
Are there any papers about protein design?
List papers on reinforcement learning
Show me all papers that introduce a benchmark
Which works deal with synthetic data?
Which studies look at label noise?
Give me an overview of the papers on LLM agents
LASER vs ENAHPool
What is the difference between BaxBench and SWE-Gym?
What's the difference between PhantomWiki and Context is Key?
Compare LASER with ENAHPool
Can you compare EAGLES and Hybrid Batch Normalisation?
How does BaxBench differ from SWE-Gym?
How does EMERALD compare to LARM?
Which is larger, PhantomWiki or BaxBench?
What do LASER and ENAHPool have in common?
Which position papers argue about benchmarks?
How many papers are about LLMs?
What distinguishes CTBench from BaxBench?
In what way do MaAS and EAGLES differ?
What sets SWE-Gym apart from BaxBench?
Who else works on watermarking?
What other papers use sparse autoencoders?
find papers by van der Schaar
Which recent works study theory of mind?
Similarities between STP and SWE-Gym?
Which two papers use attention in graphs?
Contrast the two federated learning papers.
What do BaxBench and CTBench each measure?
Which methods compress language models?
Which approaches avoid model collapse?
BaxBench versus CTBench: what sort of thing does each benchmark evaluate?
LASER and ENAHPool both work with attention; what does each of them use it for or change about it?
How do OVERTONE and MAPLE each get by without costly annotated data?
EMERALD vs the pessimism framework for RL: what does each gain?
What does van der Schaar argue in the two papers she co-authored here, one on synthetic data metrics and one on preference learning?
""".strip().splitlines()

FOR_ONE = """
How many wells are in the Alberta dataset?
How accurately can one tell which LLM wrote a text?
Can LLMs write secure backend code?
How does Hierarchical Refinement overcome the quadratic memory of Sinkhorn?
Which benchmarks were used to evaluate LASER?
Which datasets is EAGLES evaluated on?
On which three data sets does NeuronTune beat the baselines?
Which models were compared on BaxBench?
What does the study of spurious correlations find?
How does LASER work?
Which augmentation works best for contrastive learning?
Does T2L work for unseen tasks and does it need examples?
What is learned by both agents?
Do both encoders share weights?
What different kinds of noise does PiNGDA learn?
How different are the languages that the LLMs write?
What differences in word choice give an LLM away?
How well does o1 do on BaxBench compared with GPT-4?
Is EvoPress faster than quantisation?
What speed-up does LASER get over softmax attention?
What does MaAS gain versus handcrafted systems?
Why does attention have small gradients, and how does LASER help?
Which paper compares methods for certified training?
Who are the authors of BaxBench?
What did the authors of QuRe ask in their user study?
Does each agent get its own reward?
How is each token weighted?
What is listed as a limitation?
In which respects is the theory exact?
Does the method by Sun et al. differ from Adam?
Is there a survey of streaming platforms?
How are prompts found?
What are the two oracles in learned Bloom filters?
Which framework types make it harder for the models?
What do they name as the main risk?
How many news articles were collected?
Which 3D works of art are rendered?
Name the task on which STP is evaluated.
How large is the gap between open and closed models?
What does v2 of the dataset add?
On which image datasets are the theoretical results about spurious features in ridge regression tested numerically?
Why do the LASER authors think standard softmax attention trains its earlier parameters inefficiently?
When scenes differ, why is it tough for splat-based rendering to be both pretty and fast?
Which paper studies load balancing losses in sparse mixture-of-experts language models?
What FID does DI*-SDXL-1step get on COCO compared with FLUX-dev?
What do the two pairwise label difference losses align in gradients?
What emotion recognition accuracy does MODA achieve, and how does it compare with GPT-4o?
""".strip().splitlines()


@pytest.mark.parametrize("text", [*SMALL_TALK, "", "   ", "\n\t"])
def test_small_talk_is_no_question(text) -> None:
    assert is_small_talk(text)


@pytest.mark.parametrize("text", [*QUESTIONS, *FOR_SEVERAL, *FOR_ONE])
def test_a_question_is_no_small_talk_however_it_begins(text) -> None:
    assert not is_small_talk(text)


def test_an_endless_greeting_is_not_searched_through() -> None:
    # Each "please" can be read in several ways; tried in all of them, this would take for ever.
    assert not is_small_talk("please " * 600 + "x")
    assert not is_small_talk("good bye " * 6 + "x")


@pytest.mark.parametrize("question", FOR_SEVERAL)
def test_a_list_or_a_comparison_wants_several_papers(question) -> None:
    assert wants_several(question)


@pytest.mark.parametrize("question", FOR_ONE)
def test_a_question_about_one_paper_wants_one(question) -> None:
    assert not wants_several(question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Compare LASER with ENAHPool", True),
        ("LASER vs. ENAHPool?", True),
        ("LASER versus ENAHPool: which is cheaper?", True),
        ("What is the difference between BaxBench and SWE-Gym?", True),
        ("How does EMERALD compare to LARM?", True),
        ("Which papers improve federated learning?", False),
        ("How was the loss compared with others?", False),
        ("What does MaAS gain versus handcrafted systems?", False),
        ("Which paper compares training methods?", False),
        ("", False),
    ],
)
def test_a_comparison_sets_two_things_side_by_side(question, expected) -> None:
    assert is_comparison(question) is expected
