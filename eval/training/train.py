"""Train the upper half of the reader, or of the judge of support, on the texts of this folder.

    python -m eval.training.train reader --out FOLDER
    python -m eval.training.train judge --start FOLDER/reader_2.npz --out FOLDER
    torchrun --nproc-per-node 2 -m eval.training.train reader --out FOLDER

Writes ``reader_1.npz`` and ``reader_2.npz``, or ``judge_1.npz`` and so on, one checkpoint an epoch;
the last is the result. The folder also gets the states of the lower half, up to 11 GB, which may be
deleted afterwards.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, softplus
from torch.nn.parallel import DistributedDataParallel

from eval.planting import load_claims, nearest_papers, plant
from eval.training.batches import epoch_batches
from eval.training.claims import CLAIMS, support_examples, verbatim_claims
from eval.training.encoding import encode_example
from eval.training.examples import (
    PAIR_QUESTIONS,
    QUESTIONS,
    Example,
    load_papers,
    load_questions,
    own_examples,
)
from eval.training.lower import LowerHalf, StoredStates
from eval.training.material import Batch, Material
from eval.training.model import UpperHalf
from eval.training.negatives import hard_negatives
from rag.embeddings.files import MS_MARCO_MINILM, models_folder, verified_folder
from rag.embeddings.local import LocalEmbedder
from rag.embeddings.pairs import PairEncoder
from rag.errors import SymposiaError

EPOCHS = 2
BATCH = 16
LAYER_RATE = 6e-5
HEAD_RATE = 1e-3
WEIGHT_DECAY = 0.01
WARM_UP = 0.06
LOWEST_RATE = 0.02
MAX_GRADIENT = 1.0
SENTENCE_LOSS_SHARE = 1 / 3
RIVAL_LOSS_SHARE = 0.6
VERBATIM_SHARE = 0.2
SEED = 0
_STEPS_A_LINE = 20
_PATIENCE = timedelta(hours=6)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Processes:
    """The processes that train together; each takes its share of every batch."""

    rank: int
    count: int

    @classmethod
    def join(cls) -> Processes:
        """Find the others that torchrun started, if it did.

        Raises:
            SymposiaError: If a batch cannot be shared out evenly.
        """
        if not dist.is_torchelastic_launched():
            return cls(0, 1)
        dist.init_process_group("gloo", timeout=_PATIENCE)
        if BATCH % dist.get_world_size():
            raise SymposiaError(
                f"{dist.get_world_size()} processes cannot share a batch of {BATCH}.",
                hint="Start 1, 2, 4, 8 or 16.",
            )
        return cls(dist.get_rank(), dist.get_world_size())

    def wait(self) -> None:
        """Return when all processes have come here."""
        if self.count > 1:
            dist.barrier()


def reader_examples() -> Iterator[Example]:
    """Questions beside abstracts."""
    questions = (*load_questions(QUESTIONS), *load_questions(PAIR_QUESTIONS))
    papers = load_papers()
    yield from own_examples(questions, papers)
    yield from hard_negatives(questions, papers, LocalEmbedder())


def judge_examples() -> Iterator[Example]:
    """Claims beside sentences."""
    papers = load_papers()
    claims = load_claims(CLAIMS, papers)
    written_about = {claim.paper_id: papers[claim.paper_id] for claim in claims}
    verbatim = verbatim_claims(written_about, share=VERBATIM_SHARE)
    honest = [*(claim for claim in claims if claim.honest), *verbatim]
    nearest = nearest_papers(honest, papers, LocalEmbedder())
    planted = plant(honest, papers, nearest)
    yield from support_examples([*claims, *verbatim], planted, papers, nearest)


TASKS = {"reader": reader_examples, "judge": judge_examples}


def prepare(examples: Sequence[Example], folder: Path, out: Path, processes: Processes) -> Material:
    """Run the lower half on the examples, each process on its share.

    Args:
        examples: What is learned from.
        folder: Of the model ``MS_MARCO_MINILM``.
        out: Where the states are kept.
        processes: Those that train together.
    """
    encoder = PairEncoder(folder)
    pairs = [encode_example(encoder, example) for example in examples]
    lengths = [len(pair.ids) for pair in pairs]
    path = out / "states.npy"
    if processes.rank == 0:
        StoredStates.create(path, lengths)
    processes.wait()
    states = StoredStates(path, lengths)
    cut = out / f"lower_{processes.rank}.onnx"
    lower = LowerHalf(folder / "model.onnx", cut, threads=torch.get_num_threads())
    for index in range(processes.rank, len(pairs), processes.count):
        states[index] = lower.run(pairs[index])
    processes.wait()
    return Material(examples, pairs, states)


def train(upper: UpperHalf, material: Material, processes: Processes) -> Iterator[int]:
    """Train; yields the number of each epoch, from 1, when it is over."""
    net = DistributedDataParallel(upper) if processes.count > 1 else upper
    n_steps = EPOCHS * len(_epoch(material, processes, SEED))
    optimizer = _optimizer(upper)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _rate(step, n_steps))
    torch.manual_seed(SEED + processes.rank)  # no two processes drop out the same states
    net.train()
    step = 0
    for epoch in range(1, EPOCHS + 1):
        for indices in _epoch(material, processes, SEED + epoch):
            loss = loss_of(net, material.batch(indices))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(upper.parameters(), MAX_GRADIENT)
            optimizer.step()
            schedule.step()
            step += 1
            if step % _STEPS_A_LINE == 0:
                log.info("step %d of %d, loss %.3f", step, n_steps, loss.item())
        yield epoch


def _epoch(material: Material, processes: Processes, seed: int) -> list[list[int]]:
    """The batches of this process."""
    batches = epoch_batches(
        [len(pair.ids) for pair in material.pairs],
        size=BATCH // processes.count,
        seed=seed,
        partners=material.partners(),
        abreast=processes.count,
    )
    return batches[processes.rank :: processes.count]


def loss_of(net: nn.Module, batch: Batch) -> Tensor:
    """The loss of one batch: cross-entropy, a third of it of each sentence that was read.

    Where a question stands beside its own paper and beside a foreign one, more is lost the less the
    own one is put first: by whether it is about the question, and by whether it answers if it does
    (the pairwise logistic loss of RankNet, Burges et al. 2005).
    """
    sentences, whole = net(batch.states, batch.read, batch.pooling)
    each = binary_cross_entropy_with_logits(sentences, batch.answering, reduction="none")
    was_read = batch.pooling.sum(dim=2) > 0
    of_sentences = (each * was_read).sum(dim=1).mean()
    apart = binary_cross_entropy_with_logits(whole, batch.whole)
    own, foreign = batch.rivals[:, 0], batch.rivals[:, 1]
    behind = softplus(whole[foreign] - whole[own])
    counted = torch.stack([batch.whole[own, 0], torch.ones(len(own))], dim=1)
    of_rivals = (behind * counted).sum() / len(whole)
    return SENTENCE_LOSS_SHARE * of_sentences + apart + RIVAL_LOSS_SHARE * of_rivals


def _optimizer(upper: UpperHalf) -> torch.optim.AdamW:
    heads = [*upper.sentence.parameters(), *upper.whole.parameters()]
    groups = [
        {"params": list(upper.layers.parameters()), "lr": LAYER_RATE},
        {"params": heads, "lr": HEAD_RATE},
    ]
    return torch.optim.AdamW(groups, weight_decay=WEIGHT_DECAY)


def _rate(step: int, n_steps: int) -> float:
    """The learning rate as a share of the full one: a linear rise, then a linear fall."""
    return min(1.0, (step + 1) / (WARM_UP * n_steps)) * max(LOWEST_RATE, 1 - step / n_steps)


def main() -> None:
    """Train in the folder that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m eval.training.train")
    parser.add_argument("--out", type=Path, required=True, help="folder of what is written")
    parser.add_argument("task", choices=TASKS, help="what is trained")
    parser.add_argument("--start", type=Path, help="a checkpoint to go on from")
    arguments = parser.parse_args()
    out: Path = arguments.out
    processes = Processes.join()
    logging.basicConfig(format="%(asctime)s %(message)s")
    log.setLevel(logging.INFO if processes.rank == 0 else logging.WARNING)
    out.mkdir(parents=True, exist_ok=True)
    folder = verified_folder(MS_MARCO_MINILM, models_folder())
    material = prepare(tuple(TASKS[arguments.task]()), folder, out, processes)
    log.info("%d examples", len(material.examples))
    torch.manual_seed(SEED)
    upper = UpperHalf.from_pinned(folder / "model.onnx")
    if arguments.start:
        with np.load(arguments.start, allow_pickle=False) as checkpoint:
            upper.load_state_dict({name: torch.tensor(checkpoint[name]) for name in checkpoint})
    for epoch in train(upper, material, processes):
        if processes.rank == 0:
            weights = {name: value.numpy() for name, value in upper.state_dict().items()}
            np.savez(out / f"{arguments.task}_{epoch}.npz", **weights)
            log.info("epoch %d is over", epoch)


if __name__ == "__main__":
    main()
