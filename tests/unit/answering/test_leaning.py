"""Follow-ups and whole questions are told apart, as people type them."""

import pytest

from rag.answering.leaning import leans_on_history, points_back

FOLLOW_UPS = """
And how large is it?
what about its limitations?
why?
WHY?
How so?
tell me more
Can you elaborate?
More details please
and on CIFAR?
On CIFAR-10?
What about ImageNet?
How about speech?
Who wrote it?
Who are the authors?
Which datasets did they use?
Is the code available?
What is the main result?
What are the limitations?
How does the method work?
Does that hold for larger models?
Is that true for vision models, too?
Why is that?
What does that mean?
Which one is faster?
And the second paper?
What about the other one?
Compare it with LoRA
How does it compare to LoRA?
Did they test on GPT-4?
how much faster?
by how much?
In which year?
who?
When was it published?
What does she propose instead?
Can this be used for graphs?
Does it work with Adam?
What did these authors find about scaling?
Give me an example
Summarise it in one sentence
explain
Explain this in simple words
So what is the conclusion?
And BaxBench?
Which of these is newest?
Also for LLMs?
what else did they find?
Is there code?
Where can I read it?
How many parameters does the model have?
which framework types make it harder for the models?
What is the dataset called?
Was the benchmark human-verified?
Then what is the speed-up?
Same question for ENAHPool
Are there other papers on this?
any other papers like that?
How was that evaluated?
On how many GPUs?
What accuracy does it reach on CIFAR-10?
How well does o1 do on it?
Is it hard to train?
How robust is it to label noise?
Does it apply to graphs?
Did the authors release their code?
What do its authors recommend?
Does the approach need labels?
And how many tasks were used?
and how does training cost change?
Which baselines did she compare against, and why?
¿por qué?
为什么？
go on
What about training cost?
Do they prove it or only test it?
In what way?
Could you summarise the paper?
which of them uses real data?
Does this also work for images that are noisy?
And in the other paper?
do these two differ in speed?
What did he and his colleagues measure?
What is the intuition behind it?
How big was the improvement?
In which domains did they test the model?
Is this method open source?
and the runtime?
Any theory?
what's the speedup?
does it scale
And in terms of memory?
Who is the first author?
Where was it presented?
is it an oral?
What do they mean by sharpness?
How did they get the labels?
What is its accuracy on the test set?
How do they define creativity?
What's the catch?
Which languages does it cover?
is there a follow-up?
What happens if you remove it?
And for regression?
without pre-training?
Even on small graphs?
how does this compare with Adam?
What about GPT-4o?
And what about LLaMA?
what are the baselines
Do they release the weights?
how expensive is that?
can you quote the sentence?
Say more about the second one
Why does this happen?
What are its main limitations?
Why did they use Sinkhorn?
Is this better than LoRA?
What evidence do they give?
Which attack did they consider?
Could this be applied to proteins?
Is it only theoretical?
How was the dataset built?
And who wrote that one?
What do the authors conclude?
what metrics
Do these results hold for deeper networks?
What is the approach called?
Which of them is cheaper?
ok and the training time?
thanks, and the authors?
hmm, why is it so slow?
what else?
Could you give the title?
link?
Does it beat o1?
What exactly did they prove?
In how many steps does it converge?
How do I use it?
Are those numbers reliable?
Which GPUs were used?
How many theorems did they prove, and on which benchmark is that?
where do the images come from?
what's the running time?
OK, and on graphs?
Could you tell me which regimes they distinguish?
Please give me the number of weights.
I wonder whether it slows training down.
how long did training take?
which loss is minimised?
what hyperparameters matter?
what does the acronym stand for?
which of the three concerns code?
neither has code?
do both release code?
Summarise each
Summarise the two
Is MuseControlLite better than this?
And OVERTONE, is it cheaper than that?
So, compared with OmniBench, what does it measure?
unlike Lapse, is it goal-conditioned?
What are the main differences to NeuronTune?
I'd like a comparison with LEMoN.
Can you contrast that with LEMoN?
Versus GEFA?
What does quasimetric mean here?
Which is larger?
the theoretical part?
Llama 3.2?
how meny paramters does it hav
can u use teh loss wiht othr algoritms
wich tasks wre used
""".strip().splitlines()

WHOLE_QUESTIONS = """
How many wells are in the Alberta dataset?
Is it true that softmax attention has small gradients?
Is it possible to train transformers without attention?
Which of these papers deals with federated learning?
Which of the papers here uses causal inference?
Does LASER help, and where does it fail?
What is LASER attention and how does it differ from softmax attention?
Who proposed LASER?
How can LLM unlearning be made robust so that it survives fine-tuning?
Why do graph neural networks oversmooth when they get deep?
Is there a paper that lets you adapt an LLM just by describing the task in plain English?
What is the method that beats Adam?
What do the authors of SWE-Gym propose?
What does the paper on spurious correlations in high-dimensional regression do?
What is the approach of MaAS to multi-agent systems?
Which benchmark tests if LLMs can write secure applications?
What is federated learning?
federated learning
SWE-Gym size
In this collection, which papers are about diffusion models?
Are there papers here about weather?
What is the effect of data augmentation on robustness?
Who is the author of the Alberta wells paper?
Which authors work on Shapley values?
Explain how Text-to-LoRA works
Give me an overview of papers on diffusion
And what is federated learning?
And which paper studies graph pooling?
Is it safe to download model weights?
How hard is it to detect LLM text?
Does it matter whether the data are iid in federated learning?
What makes it difficult to prune LLMs?
How long does it take to fine-tune with Text-to-LoRA?
Can an LLM verify its own output?
can a model verify its own output?
What do transformers learn when they are trained on code?
How can an LLM tell whether it is wrong?
How can one measure fairness?
How accurately can one tell which LLM wrote a text?
Which papers model protein structures that bind?
Which of the two is better for pruning, magnitude or gradient saliency?
Tell me more about federated learning
What about papers on federated learning?
How does the convergence rate compare with that of SGD?
Are there benchmarks that model real users?
Do these papers cover reinforcement learning from human feedback?
I want to know if vision transformers can be compressed, and how much accuracy they lose
What did van der Schaar and her colleagues argue about synthetic data?
How do agents cooperate with partners who distrust them?
Which papers are there this year on continual learning?
What problem does ENAHPool solve?
What do LLM judges get wrong, and how can this be repaired?
Wie viele Ölquellen enthält der Alberta-Datensatz?
¿Qué es la atención LASER?
哪些论文研究联邦学习？
What is the sample complexity of offline RL with pessimism?
Summarise the LASER paper
When an agent misreports its type, who detects it?
what happens to batch norm in federated learning
Has anyone shown that those who label data disagree on it?
What is the relationship between flatness and generalisation?
Does the framework MaAS reduce cost?
Who works on theory of mind for LLMs?
Do the authors run any simulations for combinatorial semi-bandits with graph feedback?
What is the position paper on creative composition about?
Does the model EMERALD use transformers?
Is there a data set of abandoned oil wells and where do its labels come from?
Can you explain hierarchical refinement for optimal transport?
If a model hallucinates, does it know?
List the benchmarks for code security
Compare MaAS and Text-to-LoRA
Which is larger, PhantomWiki or BaxBench?
What share of handcrafted systems' inference cost does MaAS need?
Now something else: which papers are about weather forecasting?
Thanks! What is PhantomWiki?
OK, which paper studies theory of mind?
how good are LLMs at telling jokes and do people like them
Which paper is about Bloom filters?
Who wrote the paper on Bloom filters?
How do learned Bloom filters work?
what does EAGLES do
can sparse autoencoders find features in protein models?
In the context of dynamic pricing, how does transfer learning help?
How does Byzantine robustness affect accuracy when no worker attacks?
Do sparse autoencoders trained on proteins tell us something about their biology?
Is theory of mind something that LLMs have?
It is often said that LLMs are creative; which paper measures it?
How do you prevent someone from gaming a voting-based leaderboard?
What does "essential textual information" mean in Context is Key?
Could a subscription platform pay artists so that fraud does not pay?
So which papers deal with time series?
Then tell me about quantum speedups for hypergraphs
Compare CTBench with BaxBench
Is there any evidence that benchmarks for theory of mind are broken?
Why is Sinkhorn memory quadratic and how does hierarchical refinement avoid it?
Tell me something about masked latent transformers
Which works are on graph augmentation?
Do any papers use quantum computing?
How many papers are about LLMs?
What is the best way to compress an LLM?
model compression
image tokenization
On Crafter, how well does EMERALD do?
For composed image retrieval, which negatives are hard?
With how many user prompts was creative composition studied?
In which paper are auctions learned safely?
Under which conditions is post-processing optimal for demographic parity?
When is it optimal to post-process for demographic parity?
Is it worth using label noise as augmentation?
What are local complexity and linear regions?
What is new in world models?
How does one synthesise text without collapse?
Does training on synthetic text hurt LLMs, and if so, why does it hurt them?
What do experts say about how their labels are used?
How can a platform stop users who fake their streams?
Which methods let an agent transfer its policy to an unseen domain?
What do creativity researchers think that diffusion models do when they generate images?
Are position papers included here?
Which 3 papers are most relevant to AI safety?
Which oral papers are about attention?
Give me the abstract of the LASER paper
Who are the authors of BaxBench?
is softmax attention the cause of vanishing gradients
does o1 write secure code
what did Etowah Adams train
and one more thing: what is PhantomWiki?
How robust is SWE-Gym to noisy tests?
What is the weather today?
Who invented the transformer?
How to cook the perfect steak?
What is the meaning of life?
explain the attention mechanism
What do the authors propose so that language model training data can be synthesised without collapse?
When scenes differ, why is it tough for splat-based rendering to be both pretty and fast?
Turning one-channel sound into two-ear sound on the fly: is this better seen as predicting the one right waveform or as creating a plausible one?
Why is it necessary for the fixed-point forests to compute the Jacobian at every split?
How is it decided which of the two networks is the teacher when adapting Segment Anything to a new domain?
What makes it possible to do both unconditional and modality-conditioned generation with one multimodal diffusion model?
Mixing flat and curved spaces to embed networks that keep changing - who does that?
Which papers on this list introduce a new benchmark or dataset for code security or for satellite images?
Can the robot ask a person for help once it realises it is out of its depth?
Is it proved that following the capacitor field really transfers the distribution?
How does the one-step distilled bridge compare in quality with a four-step one?
What score did the second-best agent obtain on PaperBench?
Which of the three sources of uncertainty dominates for SAM on DAVIS?
Which of the two sampling strategies for submanifolds is better?
Which is larger, PhantomWiki or BaxBench, by how much?
My posterior has both very narrow and very wide regions; what helps?
""".strip().splitlines()


@pytest.mark.parametrize("question", FOLLOW_UPS)
def test_a_follow_up_leans_on_history(question) -> None:
    assert leans_on_history(question)


@pytest.mark.parametrize("question", WHOLE_QUESTIONS)
def test_a_whole_question_stands_alone(question) -> None:
    assert not leans_on_history(question)


@pytest.mark.parametrize(
    ("whole", "follow_up"),
    [
        ("Is it hard to train GANs?", "Is it hard to train?"),
        ("Does LASER help, and where does it fail?", "And where does it fail?"),
        ("Is it true that attention is all you need?", "Is that true?"),
        ("Which papers study label noise that models learn?", "Which papers study that?"),
        ("What do the authors of SWE-Gym propose?", "What do the authors propose?"),
        ("What are the results of LASER on speech?", "What are the results on speech?"),
        ("Can a model verify its own output?", "What about its own output?"),
        ("Which of these papers deals with federated learning?", "Which of these is newest?"),
        ("How does the rate compare with that of SGD?", "How does the rate compare with that?"),
        ("哪些论文研究联邦学习？", "为什么？"),
    ],
)
def test_a_few_words_make_the_difference(whole, follow_up) -> None:
    assert not leans_on_history(whole)
    assert leans_on_history(follow_up)


@pytest.mark.parametrize("question", ["Does it scale?", "Is that so?", "Which one is faster?"])
def test_a_pronoun_without_its_noun_points_back(question) -> None:
    assert points_back(question)


@pytest.mark.parametrize("question", ["And on CIFAR?", "why?", "What are the results?"])
def test_a_fragment_does_not_point_back(question) -> None:
    assert not points_back(question)
    assert leans_on_history(question)


@pytest.mark.parametrize("question", ["", "?", "😀", "\n", "(", "“”"])
def test_what_says_nothing_does_no_harm(question) -> None:
    assert leans_on_history(question)
    assert not points_back(question)
