"""A taken port is told before anything is indexed, with one that is free."""

import re
import socket
from collections.abc import Iterator

import pytest

from ui.cli_exit import ExitCode, UsageError, exit_code_of_error
from ui.cli_ports import require_free_port


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_a_free_port_passes() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    require_free_port("127.0.0.1", port)


def test_a_taken_port_is_turned_down_with_a_free_one(taken: int) -> None:
    with pytest.raises(UsageError, match=f"Port {taken} of 127.0.0.1 is taken") as caught:
        require_free_port("127.0.0.1", taken)
    assert exit_code_of_error(caught.value) == ExitCode.USAGE
    offered = re.search(r"--port (\d+)", caught.value.hint)
    assert offered is not None
    assert int(offered[1]) > taken
    require_free_port("127.0.0.1", int(offered[1]))


@pytest.mark.parametrize("host", ["203.0.113.1", "no such host", "a" * 70 + ".example"])
def test_a_foreign_address_is_turned_down(host: str) -> None:
    with pytest.raises(UsageError, match="no address of this machine"):
        require_free_port(host, 7860)
