"""Packs are fetched without pip, too: from an index on the web or in a folder, with the user's settings."""

from __future__ import annotations

import base64
import errno
import json
import re
import shutil
import socket
from collections.abc import Iterator
from dataclasses import replace
from http.client import HTTPResponse
from pathlib import Path

import pytest

from bolide import resources
from bolide.errors import ResourceError
from bolide.resources import catalogue, index_connection, manifest, pip_download
from tests.support import fake_meteor
from tests.support.package_index import (
    CERTIFICATE,
    FILE,
    PAGE,
    Answer,
    Handler,
    Index,
    forget_settings,
    in_turn,
    moved,
    page,
)


@pytest.fixture
def settings(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A computer without pip, and without settings."""
    forget_settings(monkeypatch)
    monkeypatch.delenv("BOLIDE_OFFLINE")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setattr(pip_download, "pip_command", lambda: None)
    monkeypatch.setattr(index_connection, "sleep", lambda seconds: None)
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


@pytest.fixture
def secure(settings: pytest.MonkeyPatch, wheel: Path) -> Iterator[Index]:
    """An index with https."""
    with Index(wheel, encrypted=True) as found:
        settings.setenv("PIP_INDEX_URL", found.url)
        settings.setenv("PIP_CERT", str(CERTIFICATE))
        yield found


def basic(text: str) -> str:
    """The header with a name and a password."""
    return "Basic " + base64.b64encode(text.encode()).decode()


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
    listed = f'<base href="/files/"><a href="other-1.whl">x</a><a href="{wheel.name}#sha256=" >y</a>'
    index.answers[PAGE] = moved("/elsewhere/page", 301)
    index.answers["/elsewhere/page"] = page(listed)
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
    refused(home, "the package index has another file under this name, with sha256 [0-9a-f]{64}")


def test_a_wrong_checksum_on_the_page(index: Index, home: Path) -> None:
    """Nothing is downloaded then."""
    index.answers[PAGE] = page(f'<a href="{FILE}#sha256={"0" * 64}">the wheel</a>')
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
    index.answers[PAGE] = page(f'<a href="{wheel.as_uri()}">the wheel</a>')
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


@pytest.mark.parametrize(
    "url", ["ftp://h/simple", "http:///simple", "http://h:x/simple", "http://[::1/simple"]
)
def test_addresses_that_are_none(settings: pytest.MonkeyPatch, wheel: Path, home: Path, url: str) -> None:
    settings.setenv("PIP_INDEX_URL", url)
    refused(home, rf"\({re.escape(url)}/pycocoevalcap is not the address of a package index\)")


def test_an_address_with_a_stray_slash_hides_its_password(
    settings: pytest.MonkeyPatch, wheel: Path, home: Path
) -> None:
    settings.setenv("PIP_INDEX_URL", "https://me:sec/ret@h/simple")
    refused(home, r"\(https://h/simple/pycocoevalcap is not the address of a package index\)")


def test_a_proxy_that_refuses(index: Index, settings: pytest.MonkeyPatch, home: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        settings.setenv("PIP_INDEX_URL", "http://index.invalid/simple")
        settings.setenv("PIP_PROXY", f"http://name:secret@127.0.0.1:{port}")
        refused(home, rf"index\.invalid through the proxy http://127\.0\.0\.1:{port}\)")


# ---- downloads that are interrupted --------------------------------------------------------------


def half(index: Index) -> Answer:
    """Only half of the file arrives."""
    return lambda handler: handler.reply(index.data[: len(index.data) // 2], length=len(index.data))


def rest(index: Index, start: int | None = None) -> Answer:
    """The other half, which is said to start at `start`."""

    def answer(handler: Handler) -> None:
        middle = len(index.data) // 2
        assert handler.headers["Range"] == f"bytes={middle}-"
        first = middle if start is None else start
        where = f"bytes {first}-{len(index.data) - 1}/{len(index.data)}"
        handler.reply(index.data[middle:], code=206, Content_Range=where)

    return answer


@pytest.mark.parametrize("resumes", [True, False])
def test_an_interrupted_download_goes_on(index: Index, wheel: Path, resumes: bool) -> None:
    index.answers[FILE] = in_turn(half(index), rest(index) if resumes else index.answers[FILE])
    assert installed() == fake_meteor.sha256(wheel)
    assert index.paths() == [PAGE, FILE, FILE]


@pytest.mark.parametrize("code", [206, 416])
def test_a_server_that_cannot_go_on(index: Index, wheel: Path, code: int) -> None:
    """The download starts again if other bytes arrive, or none."""
    other = rest(index, 1) if code == 206 else lambda handler: handler.send_error(416)
    index.answers[FILE] = in_turn(half(index), other, index.answers[FILE])
    assert installed() == fake_meteor.sha256(wheel)
    assert [request.headers["Range"] is None for request in index.requests] == [True, True, False, True]


@pytest.mark.parametrize("fault", ["interrupted", "another file"])
def test_the_next_index_starts_with_no_file(
    index: Index, settings: pytest.MonkeyPatch, wheel: Path, fault: str
) -> None:
    with Index(wheel) as first:
        settings.setenv("PIP_INDEX_URL", first.url)
        settings.setenv("PIP_EXTRA_INDEX_URL", index.url)
        first.data = bytes(len(first.data))
        if fault == "interrupted":
            first.answers[FILE] = half(first)
        assert installed() == fake_meteor.sha256(wheel)
    assert [request.headers["Range"] for request in index.requests] == [None, None]


def test_the_last_error_is_shown(index: Index, settings: pytest.MonkeyPatch, wheel: Path, home: Path) -> None:
    """But not that an index has no such package."""
    with Index(wheel) as first:
        settings.setenv("PIP_INDEX_URL", first.url)
        settings.setenv("PIP_EXTRA_INDEX_URL", f"{index.url} {index.root}/empty")
        first.data = bytes(len(first.data))
        index.answers[PAGE] = lambda handler: handler.send_error(403)
        refused(home, "refuses access: HTTP 403")


@pytest.mark.parametrize("code", [errno.EHOSTUNREACH, errno.ENETUNREACH])
def test_a_network_that_disappears(
    index: Index, settings: pytest.MonkeyPatch, wheel: Path, code: int
) -> None:
    """While the body is read. This is not an error of the disk."""
    read = HTTPResponse.read
    failed = []

    def unreachable(answer: HTTPResponse, amount: int | None = None) -> bytes:
        if index.paths()[-1] not in failed:  # once for the page, once for the file
            failed.append(index.paths()[-1])
            raise OSError(code, "unreachable")
        return read(answer, amount)

    settings.setattr(HTTPResponse, "read", unreachable)
    assert installed() == fake_meteor.sha256(wheel)
    assert failed == [PAGE, FILE]


def test_a_disk_that_is_full(index: Index, settings: pytest.MonkeyPatch) -> None:
    """There is no other attempt then."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    settings.setattr(index_connection, "_write", full)
    with pytest.raises(ResourceError, match=r"cannot write to .*No space left"):
        installed()
    assert index.paths() == [PAGE, FILE]


def test_a_page_that_is_interrupted(index: Index, wheel: Path) -> None:
    index.answers[PAGE] = in_turn(lambda handler: handler.reply(b"<a", length=99), index.answers[PAGE])
    assert installed() == fake_meteor.sha256(wheel)


def test_a_page_that_is_too_large(index: Index, settings: pytest.MonkeyPatch, home: Path) -> None:
    settings.setattr(index_connection, "_LARGEST_PAGE", 9)
    refused(home, "the page of the package index is larger than 9 bytes")


@pytest.mark.parametrize("code", [429, 500, 502, 503, 504])
def test_a_server_that_is_busy(index: Index, settings: pytest.MonkeyPatch, wheel: Path, code: int) -> None:
    pauses: list[float] = []
    settings.setattr(index_connection, "sleep", pauses.append)
    busy: Answer = lambda handler: handler.send_error(code)  # noqa: E731
    index.answers[PAGE] = in_turn(busy, busy, index.answers[PAGE])
    index.answers[FILE] = in_turn(busy, index.answers[FILE])
    assert installed() == fake_meteor.sha256(wheel)
    assert pauses == [0.5, 1.0, 0.5]


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


@pytest.mark.parametrize("user", ["me:p%40ss", ":p%40ss"])
def test_a_password(index: Index, settings: pytest.MonkeyPatch, wheel: Path, user: str) -> None:
    """It is also sent for the file, which has an address without it."""
    settings.setenv("PIP_INDEX_URL", index.url.replace("//", f"//{user}@"))
    assert installed() == fake_meteor.sha256(wheel)
    assert index.passwords() == [basic(user.replace("%40", "@"))] * 2


def test_a_password_in_netrc_needs_https(
    secure: Index, index: Index, settings: pytest.MonkeyPatch, wheel: Path, tmp_path: Path
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password p@ss\n")
    for each in (secure, index):
        settings.setenv("PIP_INDEX_URL", each.url)
        assert installed() == fake_meteor.sha256(wheel)
    assert secure.passwords() == [basic("me:p@ss")] * 2
    assert index.passwords() == [None, None]


@pytest.mark.parametrize("how", ["page", "redirect"])
@pytest.mark.parametrize("other", ["host", "port", "scheme"])
def test_a_password_is_not_sent_elsewhere(
    index: Index, secure: Index, settings: pytest.MonkeyPatch, wheel: Path, how: str, other: str
) -> None:
    with Index(wheel) as second:
        root = {
            "host": index.root.replace("127.0.0.1", "localhost"),
            "port": second.root,
            "scheme": secure.root,
        }[other]
        settings.setenv("PIP_INDEX_URL", index.url.replace("//", "//me:secret@"))
        index.answers[PAGE] = page(f'<a href="{root if how == "page" else ""}{FILE}">the wheel</a>')
        if how == "redirect":
            index.answers["/moved"] = index.answers[FILE]
            index.answers[FILE] = moved(f"{root}{FILE if other != 'host' else '/moved'}")
        assert installed() == fake_meteor.sha256(wheel)
        requests = [*index.requests, *second.requests, *secure.requests]
    own = index.root.removeprefix("http://")
    assert all(("Authorization" in each.headers) == (each.headers["Host"] == own) for each in requests)
    assert len({each.headers["Host"] for each in requests}) == 2


def test_a_password_is_not_sent_from_https_to_http(
    index: Index, secure: Index, settings: pytest.MonkeyPatch, wheel: Path
) -> None:
    """Not even one that the page has for it."""
    settings.setenv("PIP_INDEX_URL", secure.url.replace("//", "//me:secret@"))
    secure.answers[PAGE] = page(f'<a href="{index.root.replace("//", "//me:secret@")}{FILE}">the wheel</a>')
    assert installed() == fake_meteor.sha256(wheel)
    assert index.passwords() == [None]


# ---- redirects -----------------------------------------------------------------------------------


def test_a_redirect_to_the_same_place_keeps_the_password(
    index: Index, settings: pytest.MonkeyPatch, wheel: Path
) -> None:
    settings.setenv("PIP_INDEX_URL", index.url.replace("//", "//me:secret@"))
    index.answers["/moved"] = index.answers[FILE]
    index.answers[FILE] = moved("/moved", 307)
    assert installed() == fake_meteor.sha256(wheel)
    assert index.passwords() == [basic("me:secret")] * 3


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("{http}", "the package index redirects from https to http"),
        ("ftp://127.0.0.1/file", "ftp://127.0.0.1/file is not the address of a package index"),
        ("file:///etc/passwd", "file:///etc/passwd is not the address of a package index"),
        ("http://[bad/", r"http://\[bad is not the address of a package index"),
        ("{https}", "the package index redirects too often"),
        ("", "the package index does not work: HTTP 302"),
    ],
)
def test_redirects_that_are_refused(
    index: Index, secure: Index, home: Path, target: str, reason: str
) -> None:
    secure.answers[FILE] = moved(target.format(http=index.root + FILE, https=secure.root + FILE))
    refused(home, reason)
    assert index.requests == []


def test_each_host_proves_its_name(secure: Index, settings: pytest.MonkeyPatch, home: Path) -> None:
    """Also after a redirect from a host that does not have to."""
    settings.delenv("PIP_CERT")
    settings.setenv("PIP_TRUSTED_HOST", "127.0.0.1")
    secure.answers["/moved"] = secure.answers[FILE]
    secure.answers[FILE] = moved("/moved")
    installed()
    secure.answers[FILE] = moved(secure.root.replace("127.0.0.1", "localhost") + "/moved")
    with pytest.raises(ResourceError, match="the certificate of the package index is not trusted"):
        installed()


def test_certificates(settings: pytest.MonkeyPatch, wheel: Path, tmp_path: Path, home: Path) -> None:
    (tmp_path / "empty.pem").write_text("")
    settings.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / "empty.pem"))
    settings.setenv("PIP_INDEX_URL", "https://127.0.0.1:1/simple")
    refused(home, r"the certificates in .*empty\.pem cannot be read")


# ---- odd data ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["html", "json"])
def test_links_that_are_no_addresses(index: Index, wheel: Path, kind: str) -> None:
    if kind == "html":
        index.answers[PAGE] = page(f'<a href="http://[bad/">x</a><a href="{FILE}">the wheel</a>')
    else:
        data = json.dumps({"files": [{"url": "http://[bad/"}, {"url": FILE}]}).encode()
        index.answers[PAGE] = lambda handler: handler.reply(data, "application/json")
    assert installed() == fake_meteor.sha256(wheel)


def test_links_and_redirects_that_are_not_ascii(index: Index, wheel: Path) -> None:
    index.answers[PAGE] = page(f'<a href="/wörter und mehr/{wheel.name}?é">the wheel</a>')
    index.answers[f"/w%C3%B6rter%20und%20mehr/{wheel.name}?%C3%A9"] = moved("/fünf")
    index.answers["/f%FCnf"] = index.answers[FILE]  # headers are in Latin-1
    assert installed() == fake_meteor.sha256(wheel)


def test_a_page_that_pythons_parser_refuses(index: Index, home: Path) -> None:
    index.answers[PAGE] = page("<![x[ ]]>")
    refused(home, "the package index")
