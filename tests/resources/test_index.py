"""Packs are fetched without pip, too: from an index on the web or in a folder, with the user's settings."""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from bolide import resources
from bolide.errors import ResourceError
from bolide.resources import catalogue, index_settings, manifest, pip_download
from tests.support import fake_meteor

PAGE = "/simple/pycocoevalcap/"
FILE = f"/files/{fake_meteor.WHEEL}"
FORGOTTEN = ("PIP_", "UV_", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NETRC")

Answer = Callable[["Handler"], None]


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

    def reply(self, data: bytes, kind: str = "text/html", code: int = 200, length: int | None = None) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data) if length is None else length))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Prints nothing."""


class Index:
    """A package index with one wheel, on this computer."""

    def __init__(self, wheel: Path) -> None:
        self.data = wheel.read_bytes()
        self.answers: dict[str, Answer] = {
            PAGE: lambda handler: handler.reply(f'<a href="../..{FILE}">the wheel</a>'.encode()),
            FILE: lambda handler: handler.reply(self.data, "application/zip"),
        }
        self.requests: list[Handler] = []
        kind = type("_Handler", (Handler,), {"answers": self.answers, "requests": self.requests})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
        self.url = f"http://127.0.0.1:{self.server.server_port}/simple"

    def paths(self) -> list[str]:
        return [request.path for request in self.requests]

    def __enter__(self) -> Index:
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def settings(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A computer without pip, and without settings."""
    for name in [
        name for name in os.environ if name.startswith(FORGOTTEN) or name.lower().endswith("_proxy")
    ]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("BOLIDE_OFFLINE")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setattr(pip_download, "pip_command", lambda: None)
    yield monkeypatch


@pytest.fixture
def wheel(settings: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A small wheel instead of the pinned one."""
    path = fake_meteor.wheel(tmp_path / "wheels")
    pinned = replace(catalogue.wheel(), sha256=fake_meteor.sha256(path), bytes=path.stat().st_size)
    settings.setattr(catalogue, "wheel", lambda: pinned)
    return path


@pytest.fixture
def index(settings: pytest.MonkeyPatch, wheel: Path) -> Iterator[Index]:
    with Index(wheel) as found:
        settings.setenv("PIP_INDEX_URL", found.url)
        yield found


def installed() -> str:
    """Installs the English pack; the checksum of what was fetched."""
    [found] = resources.install("en", force=True)
    return found.origin["sha256"]


def refused(home: Path, reason: str) -> None:
    with pytest.raises(ResourceError, match=reason) as error:
        resources.install("en")
    assert "\n" not in str(error.value)
    assert "--from FILE" in str(error.value)  # the remedy
    assert not (home / "staging").exists()
    assert not manifest.exists(resources.pack_folder("en"))


# ---- forms of an index ---------------------------------------------------------------------------


def test_an_index_in_html(index: Index, wheel: Path) -> None:
    assert installed() == fake_meteor.sha256(wheel)
    assert index.paths() == [PAGE, FILE]


def test_an_index_in_json(index: Index, wheel: Path) -> None:
    row = {"filename": wheel.name, "url": f"..{FILE}", "hashes": {"sha256": fake_meteor.sha256(wheel)}}
    index.answers["/files-too" + FILE] = index.answers[FILE]
    data = json.dumps({"files": [{**row, "url": f"../../files-too{FILE}"}]}).encode()
    kind = "application/vnd.pypi.simple.v1+json"
    index.answers[PAGE] = lambda handler: handler.reply(data, kind)
    assert installed() == fake_meteor.sha256(wheel)
    assert kind in index.requests[0].headers["Accept"]


def test_a_page_that_moved_and_has_a_base(index: Index, wheel: Path) -> None:
    def moved(handler: Handler) -> None:
        handler.send_response(301)
        handler.send_header("Location", "/elsewhere/page")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    page = f'<base href="/files/"><a href="other-1.whl">x</a><a href="{wheel.name}#sha256=" >y</a>'
    index.answers[PAGE] = moved
    index.answers["/elsewhere/page"] = lambda handler: handler.reply(page.encode())
    assert installed() == fake_meteor.sha256(wheel)


@pytest.mark.parametrize("listed", [True, False])
def test_an_index_in_a_folder(
    settings: pytest.MonkeyPatch, wheel: Path, tmp_path: Path, listed: bool
) -> None:
    folder = tmp_path / "my index" / "pycocoevalcap"
    folder.mkdir(parents=True)
    if listed:
        (folder / "index.html").write_text(f'<a href="../../wheels/{wheel.name}#sha256=">x</a>')
    else:
        shutil.copy(wheel, folder)
    settings.setenv("PIP_INDEX_URL", folder.parent.as_uri())
    assert installed() == fake_meteor.sha256(wheel)


def test_a_folder_of_packages(settings: pytest.MonkeyPatch, wheel: Path) -> None:
    settings.setenv("PIP_NO_INDEX", "1")
    settings.setenv("PIP_FIND_LINKS", f"/no/such/folder {wheel.parent}")
    assert installed() == fake_meteor.sha256(wheel)


def test_the_second_index_has_it(index: Index, settings: pytest.MonkeyPatch, wheel: Path) -> None:
    settings.setenv("PIP_INDEX_URL", index.url.replace("/simple", "/empty"))
    settings.setenv("PIP_EXTRA_INDEX_URL", index.url)
    assert installed() == fake_meteor.sha256(wheel)
    assert index.paths() == ["/empty/pycocoevalcap/", PAGE, FILE]


# ---- failures ------------------------------------------------------------------------------------


def test_a_wrong_checksum(index: Index, home: Path) -> None:
    index.data = index.data[:-1] + b"?"
    refused(home, r"has sha256 .*: nothing was installed")


def test_a_wrong_checksum_on_the_page(index: Index, home: Path) -> None:
    """Nothing is downloaded then."""
    page = f'<a href="{FILE}#sha256={"0" * 64}">the wheel</a>'
    index.answers[PAGE] = lambda handler: handler.reply(page.encode())
    refused(home, "the package index has another file under this name")
    assert index.paths() == [PAGE]


def test_a_file_that_is_too_large(index: Index, home: Path) -> None:
    index.data += bytes(1 << 20)
    refused(home, "the package index has another file under this name")


@pytest.mark.parametrize("missing", [PAGE, FILE])
def test_not_on_the_index(index: Index, home: Path, missing: str) -> None:
    del index.answers[missing]
    refused(home, "the package index does not have it")


@pytest.mark.parametrize(("code", "reason"), [(403, "refuses access: HTTP 403"), (500, "not work: HTTP 500")])
def test_an_index_that_refuses(index: Index, home: Path, code: int, reason: str) -> None:
    index.answers[PAGE] = lambda handler: handler.send_error(code)
    refused(home, reason)


@pytest.mark.parametrize("data", [b"[1]", b"{", b'{"files": [{}]}', b'{"files": [{"url": 1}]}'])
def test_json_that_is_no_list(index: Index, home: Path, data: bytes) -> None:
    index.answers[PAGE] = lambda handler: handler.reply(data, "application/json")
    refused(home, "gives no list of files")


def test_a_page_may_not_lead_to_local_files(index: Index, wheel: Path, home: Path) -> None:
    page = f'<a href="{wheel.as_uri()}">the wheel</a>'
    index.answers[PAGE] = lambda handler: handler.reply(page.encode())
    refused(home, "does not have it")


def test_no_network(settings: pytest.MonkeyPatch, wheel: Path, home: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        settings.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{closed.getsockname()[1]}/simple")
        refused(home, r"no connection to the package index 127\.0\.0\.1\)")


def test_an_index_that_never_answers(settings: pytest.MonkeyPatch, wheel: Path, home: Path) -> None:
    settings.setenv("PIP_TIMEOUT", "0.2")
    settings.setenv("PIP_RETRIES", "0")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{silent.getsockname()[1]}/simple")
        refused(home, "no connection to the package index")


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/simple", "http:///simple", "http://127.0.0.1:x/simple"])
def test_addresses_that_are_none(settings: pytest.MonkeyPatch, wheel: Path, home: Path, url: str) -> None:
    settings.setenv("PIP_INDEX_URL", url)
    refused(home, "is not the address of a package index")


def test_a_proxy_that_refuses(index: Index, settings: pytest.MonkeyPatch, home: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        settings.setenv("PIP_INDEX_URL", "http://index.invalid/simple")
        settings.setenv("PIP_PROXY", f"http://name:secret@127.0.0.1:{port}")
        refused(home, rf"index\.invalid through the proxy http://127\.0\.0\.1:{port}\)")


# ---- downloads that are interrupted --------------------------------------------------------------


def cut_off(index: Index, *, resumes: bool) -> Answer:
    """The first time, only half of the file arrives."""
    times: list[int] = []

    def answer(handler: Handler) -> None:
        times.append(1)
        half = len(index.data) // 2
        if len(times) == 1:
            handler.reply(index.data[:half], length=len(index.data))
        elif resumes:
            assert handler.headers["Range"] == f"bytes={half}-"
            handler.reply(index.data[half:], code=206)
        else:
            handler.reply(index.data)

    return answer


@pytest.mark.parametrize("resumes", [True, False])
def test_an_interrupted_download_goes_on(index: Index, wheel: Path, resumes: bool) -> None:
    index.answers[FILE] = cut_off(index, resumes=resumes)
    assert installed() == fake_meteor.sha256(wheel)
    assert index.paths() == [PAGE, FILE, FILE]


def test_a_download_that_is_always_interrupted(index: Index, home: Path) -> None:
    index.answers[FILE] = lambda handler: handler.reply(index.data[:100], length=len(index.data))
    refused(home, "the connection to the package index was interrupted")
    assert index.paths() == [PAGE, FILE, FILE, FILE]


# ---- settings ------------------------------------------------------------------------------------


def test_through_a_proxy(index: Index, settings: pytest.MonkeyPatch, wheel: Path) -> None:
    """A proxy gets the full address."""
    for path in (PAGE, FILE):
        index.answers[f"http://index.invalid{path}"] = index.answers.pop(path)
    settings.setenv("PIP_INDEX_URL", "http://index.invalid/simple")
    settings.setenv("http_proxy", index.url.removesuffix("/simple"))
    assert installed() == fake_meteor.sha256(wheel)


@pytest.mark.parametrize("where", ["address", "netrc"])
def test_a_password(
    index: Index, settings: pytest.MonkeyPatch, wheel: Path, tmp_path: Path, where: str
) -> None:
    """It is also sent for the file, which has an address without it."""
    if where == "address":
        settings.setenv("PIP_INDEX_URL", index.url.replace("//", "//me:p%40ss@"))
    else:
        (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password p@ss\n")
    assert installed() == fake_meteor.sha256(wheel)
    expected = "Basic " + base64.b64encode(b"me:p@ss").decode()
    assert [request.headers["Authorization"] for request in index.requests] == [expected, expected]


def test_a_password_is_not_sent_to_other_hosts(
    index: Index, settings: pytest.MonkeyPatch, wheel: Path
) -> None:
    def moved(handler: Handler) -> None:
        handler.send_response(302)
        handler.send_header("Location", index.url.replace("127.0.0.1", "localhost") + "/../target/")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    settings.setenv("PIP_INDEX_URL", index.url.replace("//", "//me:secret@"))
    index.answers["/simple/../target/"] = index.answers[PAGE]
    page = f'<a href="{FILE}">the wheel</a>'
    index.answers["/simple/../target/"] = lambda handler: handler.reply(page.encode())
    index.answers[PAGE] = moved
    assert installed() == fake_meteor.sha256(wheel)
    sent = {
        request.headers["Host"].partition(":")[0]: "Authorization" in request.headers
        for request in index.requests
    }
    assert sent == {"127.0.0.1": True, "localhost": False}


def test_files_of_pip(settings: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Variables are stronger than files, and `download` is stronger than `global`."""
    chosen = tmp_path / "pip.conf"
    chosen.write_text(
        "[global]\nindex-url = https://one.example/simple\nextra_index_url =\n  https://a.example\n"
        "  https://b.example\ntimeout = 7\ncert = /c.pem\ntrusted-host = a.example\nproxy = http://p:1\n"
        "[download]\nindex-url = https://two.example/simple\n[install]\nretries = 9\n"
    )
    settings.setenv("PIP_CONFIG_FILE", str(chosen))
    found = index_settings.read()
    assert found == index_settings.IndexSettings(
        ("https://two.example/simple", "https://a.example", "https://b.example"),
        certificates="/c.pem",
        proxy="http://p:1",
        trusted_hosts=frozenset({"a.example"}),
        timeout=7.0,
    )
    settings.setenv("PIP_INDEX_URL", "https://three.example")
    settings.setenv("PIP_DEFAULT_TIMEOUT", "wrong")
    settings.setenv("PIP_RETRIES", "0")
    found = index_settings.read()
    assert (found.indexes[0], found.timeout, found.retries) == ("https://three.example", 7.0, 0)


def test_the_users_own_file(settings: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if os.name == "nt":
        settings.setenv("APPDATA", str(tmp_path))
        place = tmp_path / "pip" / "pip.ini"
    else:
        settings.setenv("HOME", str(tmp_path))
        settings.delenv("XDG_CONFIG_HOME", raising=False)
        place = tmp_path / ".config" / "pip" / "pip.conf"
    place.parent.mkdir(parents=True)
    place.write_text("[global]\nindex-url = https://mine.example/simple\n")
    settings.delenv("PIP_CONFIG_FILE")
    assert index_settings.read().indexes[0] == "https://mine.example/simple"


def test_settings_of_uv(settings: pytest.MonkeyPatch) -> None:
    assert index_settings.read().indexes == ("https://pypi.org/simple",)
    settings.setenv("UV_INDEX_URL", "https://uv.example/simple")
    settings.setenv("UV_INDEX", "ours=https://ours.example/simple?a=b https://x.example/y")
    expected = ("https://uv.example/simple", "https://ours.example/simple?a=b", "https://x.example/y")
    assert index_settings.read().indexes == expected
    settings.setenv("UV_DEFAULT_INDEX", "main=https://main.example/simple")
    assert index_settings.read().indexes[0] == "https://main.example/simple"
    assert pip_download._environment(Path("tmp"))["PIP_INDEX_URL"] == "https://main.example/simple"
    settings.setenv("PIP_INDEX_URL", "https://pip.example/simple")
    assert index_settings.read().indexes[0] == "https://pip.example/simple"
    assert pip_download._environment(Path("tmp"))["PIP_INDEX_URL"] == "https://pip.example/simple"


def test_certificates(settings: pytest.MonkeyPatch, wheel: Path, tmp_path: Path, home: Path) -> None:
    (tmp_path / "empty.pem").write_text("")
    settings.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / "empty.pem"))
    settings.setenv("PIP_INDEX_URL", "https://127.0.0.1:1/simple")
    refused(home, r"the certificates in .*empty\.pem cannot be read")
