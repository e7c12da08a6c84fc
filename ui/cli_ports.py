"""Whether a port can be listened on, and which one can instead."""

from __future__ import annotations

import socket

from ui.cli_exit import UsageError

_TRIES = 50


def require_free_port(host: str, port: int) -> None:
    """Looks before minutes of indexing are spent.

    Raises:
        UsageError: If the port is taken or the host is no address of this machine.
    """
    if not _can_listen(host, 0):
        raise UsageError(f"{host} is no address of this machine.", hint="Try --host 127.0.0.1.")
    if not _can_listen(host, port):
        following = range(port + 1, min(port + _TRIES, 65536))
        free = next((other for other in following if _can_listen(host, other)), None)
        advice = f"Try --port {free}." if free else "Try another --port."
        raise UsageError(f"Port {port} of {host} is taken or not allowed.", hint=advice)


def _can_listen(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # As servers do: a port whose last connection has just closed counts as free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, UnicodeError):
            return False
    return True
