"""A package index on this computer, which answers as a test says."""

from __future__ import annotations

import os
import ssl
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.support import fake_meteor

PAGE = "/simple/pycocoevalcap/"
FILE = f"/files/{fake_meteor.WHEEL}"
CERTIFICATE = Path(__file__).with_name("localhost.pem")  # with its key; for 127.0.0.1 and localhost
FORGOTTEN = ("PIP_", "UV_", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NETRC")

Answer = Callable[["Handler"], None]


def forget_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Removes the settings of whoever runs the tests."""
    given = [name for name in os.environ if name.startswith(FORGOTTEN) or name.lower().endswith("_proxy")]
    for name in given:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)


class Handler(BaseHTTPRequestHandler):
    """Answers each path with the function that the test gives."""

    answers: dict[str, Answer]
    requests: list[Handler]

    def do_GET(self) -> None:
        self.requests.append(self)
        if answer := self.answers.get(self.path):
            answer(self)
        else:
            self.send_error(404)

    def reply(
        self,
        data: bytes,
        kind: str = "text/html",
        code: int = 200,
        length: int | None = None,
        **headers: str,
    ) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data) if length is None else length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Prints nothing."""


def page(text: str) -> Answer:
    return lambda handler: handler.reply(text.encode())


def moved(target: str, code: int = 302) -> Answer:
    return lambda handler: handler.reply(b"", code=code, Location=target)


def in_turn(*answers: Answer) -> Answer:
    """A different answer to each request; the last one from then on."""
    left = list(answers)
    return lambda handler: (left.pop(0) if len(left) > 1 else left[0])(handler)


class Index:
    """A package index with one wheel."""

    def __init__(self, wheel: Path, *, encrypted: bool = False) -> None:
        self.data = wheel.read_bytes()
        self.answers: dict[str, Answer] = {
            PAGE: page(f'<a href="../..{FILE}">the wheel</a>'),
            FILE: lambda handler: handler.reply(self.data, "application/zip"),
        }
        self.requests: list[Handler] = []
        kind = type("_Handler", (Handler,), {"answers": self.answers, "requests": self.requests})
        self.server = _Server(("127.0.0.1", 0), kind)
        if encrypted:
            self.server.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.server.context.load_cert_chain(CERTIFICATE)
        self.root = f"http{'s' if encrypted else ''}://127.0.0.1:{self.server.server_port}"
        self.url = f"{self.root}/simple"

    def paths(self) -> list[str]:
        return [request.path for request in self.requests]

    def passwords(self) -> list[str | None]:
        """What each request had in the header Authorization."""
        return [request.headers["Authorization"] for request in self.requests]

    def __enter__(self) -> Index:
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


class _Server(ThreadingHTTPServer):
    context: ssl.SSLContext | None = None

    def finish_request(self, request: Any, client_address: Any) -> None:
        """In the thread of the request, so that no client can stop the others."""
        if self.context is None:
            super().finish_request(request, client_address)
            return
        with self.context.wrap_socket(request, server_side=True) as encrypted:
            super().finish_request(encrypted, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Prints nothing if a client ends the connection."""
