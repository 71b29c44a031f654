"""Connections to package indexes over HTTP: certificates, proxies, passwords, and downloads that resume.

This module follows redirects itself, instead of urllib. So each address gets only its own password and its
own rule for certificates, and a redirect from https to http is an error.
"""

from __future__ import annotations

import base64
import http.client
import netrc
import os
import re
import ssl
import string
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from time import sleep
from typing import Any, NamedTuple, TypeVar
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit
from urllib.request import (
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
    getproxies,
    proxy_bypass,
)

from bolide._version import __version__
from bolide.resources.download_error import DownloadError
from bolide.resources.index_settings import IndexSettings

_CHUNK = 1 << 18
_LARGEST_PAGE = 1 << 25
_MOST_REDIRECTS = 10
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0  # seconds before another attempt
_MOVED = (301, 302, 303, 307, 308)
_NOT_THERE = (404, 410)
_REFUSED = (401, 403, 407)
_PASSING = (429, 500, 502, 503, 504)  # the server may work soon
_NO_SUCH_RANGE = 416
_PORTS = {"http": 80, "https": 443}
ANOTHER_FILE = "the package index has another file under this name"

Origin = tuple[str, str, int]  # scheme, host and port
Password = tuple[str, str]  # name and password
T = TypeVar("T")


class Page(NamedTuple):
    data: bytes
    kind: str  # such as "text/html"
    url: str  # after redirects


class NotThereError(DownloadError):
    """The index has no such page or file."""

    def __init__(self) -> None:
        super().__init__("the package index does not have it")


class _PassingError(DownloadError):
    """There is no connection, or it ended too early, or the server is busy. Another attempt may succeed."""


class Connection:
    """Opens addresses with the settings of the user."""

    def __init__(self, settings: IndexSettings) -> None:
        self._settings = settings
        self._proxies = {"http": settings.proxy, "https": settings.proxy} if settings.proxy else getproxies()
        self._passwords: dict[Origin, Password] = {}  # from the addresses of the user's indexes
        self._openers: dict[bool, OpenerDirector] = {}  # by whether the host is trusted

    def page(self, url: str, kinds: str) -> Page:
        """The contents of an address in the user's settings. Files on the same host get the same password."""
        parts = _checked(url)
        if password := _password_in(parts):
            self._passwords[_origin(parts)] = password
        return self._attempts(lambda: self._page(url, kinds))

    def save(self, url: str, target: Path, largest: int, advance: Callable[[int], None]) -> None:
        """Downloads a file. If the connection ends too early, the download resumes."""
        target.unlink(missing_ok=True)
        self._attempts(lambda: self._save(url, target, largest, advance))

    def _attempts(self, work: Callable[[], T]) -> T:
        """Tries again after a pause, if the problem may be temporary."""
        pause = _FIRST_PAUSE
        for _ in range(self._settings.retries):
            with suppress(_PassingError):
                return work()
            sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        return work()

    def _page(self, url: str, kinds: str) -> Page:
        data = bytearray()
        with self._answer(url, {"Accept": kinds}) as answer:
            for chunk in _body(answer):
                data += chunk
                if len(data) > _LARGEST_PAGE:
                    raise DownloadError(f"the page of the package index is larger than {_LARGEST_PAGE} bytes")
            return Page(bytes(data), answer.headers.get_content_type(), answer.url)

    def _save(self, url: str, target: Path, largest: int, advance: Callable[[int], None]) -> None:
        done = target.stat().st_size if target.exists() else 0
        with self._answer(url, {"Range": f"bytes={done}-"} if done else {}) as answer:
            start = _first_byte(answer) if done else 0
            if start in (0, done):
                with target.open("ab" if start else "wb") as stream:
                    _write(answer, stream.write, start, largest, advance)
                return
        target.unlink()  # the server cannot resume: start again
        self._save(url, target, largest, advance)

    def _answer(self, url: str, headers: dict[str, str]) -> Any:
        """The answer of a server, after redirects: a http.client.HTTPResponse."""
        for _ in range(_MOST_REDIRECTS):
            parts = _checked(url)
            answer = self._sent(parts, headers)
            if answer.status < 300 or (answer.status == _NO_SUCH_RANGE and "Range" in headers):
                return answer
            answer.close()
            target = answer.headers.get("Location")
            if answer.status not in _MOVED or not target:
                raise _refusal(answer.status)
            url = _redirected(url, target)
        raise DownloadError("the package index redirects too often")

    def _sent(self, parts: SplitResult, headers: dict[str, str]) -> Any:
        """The answer to one request."""
        request = Request(
            _without_password(parts), headers={"User-Agent": f"bolide/{__version__}", **headers}
        )
        if found := self._password(parts):
            text = base64.b64encode(":".join(found).encode()).decode("ascii")
            request.add_header("Authorization", f"Basic {text}")
        opener = self._opener(parts)
        with self._explained(parts):
            return opener.open(request, timeout=self._settings.timeout or None)

    def _opener(self, parts: SplitResult) -> OpenerDirector:
        _, host, port = _origin(parts)
        trusted = bool({host, f"{host}:{port}"} & self._settings.trusted_hosts)
        if trusted not in self._openers:
            context = _context(self._settings.certificates, trusted)
            opener = self._openers[trusted] = OpenerDirector()
            for handler in (HTTPHandler(), HTTPSHandler(context=context), UnknownHandler()):
                opener.add_handler(handler)
            opener.add_handler(ProxyHandler(self._proxies))
        return self._openers[trusted]

    def _password(self, parts: SplitResult) -> Password | None:
        """The password for an address. For http, only one that the user has written into the address of an
        index on the same host and port."""
        known = self._passwords.get(_origin(parts))
        if known or parts.scheme == "http":
            return known
        return _password_in(parts) or _netrc_password(parts.hostname or "")

    @contextmanager
    def _explained(self, parts: SplitResult) -> Iterator[None]:
        """Turns errors of opening a connection into messages for the user."""
        try:
            yield
        except (OSError, http.client.HTTPException) as error:
            cause = getattr(error, "reason", error)
            if isinstance(cause, ssl.SSLCertVerificationError):
                raise DownloadError("the certificate of the package index is not trusted") from None
            raise _PassingError(f"no connection to the package index {self._route(parts)}") from None
        except ValueError:  # for example, the setting of the proxy is not an address
            raise DownloadError(f"{self._route(parts)} is not the address of a package index") from None

    def _route(self, parts: SplitResult) -> str:
        """The host, and the proxy if there is one, for messages."""
        host = parts.hostname or ""
        proxy = self._proxies.get(parts.scheme)
        if not proxy or proxy_bypass(host):
            return host
        return f"{host} through the proxy {_shown(proxy)}"


# ---- answers -------------------------------------------------------------------------------------


def _body(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    """The pieces of the body. If some cannot be read, or are missing, _PassingError is raised."""
    try:
        while chunk := answer.read(_CHUNK):
            yield chunk
        is_whole = not answer.length  # the number of bytes that are missing
    except (OSError, http.client.HTTPException):
        is_whole = False
    if not is_whole:
        raise _PassingError("the connection to the package index was interrupted")


def _write(
    answer: http.client.HTTPResponse,
    write: Callable[[bytes], int],
    done: int,
    largest: int,
    advance: Callable[[int], None],
) -> None:
    for chunk in _body(answer):
        done += write(chunk)
        if done > largest:
            raise DownloadError(ANOTHER_FILE)
        advance(done)


def _first_byte(answer: http.client.HTTPResponse) -> int:
    """The position in the file at which the body starts; -1 if the server does not say."""
    if answer.status == http.client.OK:
        return 0
    found = re.match(r"\s*bytes\s+(\d{1,18})-", answer.headers.get("Content-Range", ""), re.IGNORECASE)
    return int(found[1]) if found and answer.status == http.client.PARTIAL_CONTENT else -1


def _refusal(status: int) -> DownloadError:
    if status in _NOT_THERE:
        return NotThereError()
    if status in _REFUSED:
        return DownloadError(f"the package index refuses access: HTTP {status}")
    kind = _PassingError if status in _PASSING else DownloadError
    return kind(f"the package index does not work: HTTP {status}")


# ---- certificates and passwords ------------------------------------------------------------------


def _context(certificates: str | None, trusted: bool) -> ssl.SSLContext:
    """Which certificates to accept. A trusted host needs none: the checksum still protects the package."""
    try:
        is_folder = certificates is not None and Path(certificates).is_dir()
        context = ssl.create_default_context(
            cafile=None if is_folder else certificates or _packaged_certificates(),
            capath=certificates if is_folder else None,
        )
    except (OSError, ssl.SSLError) as error:
        raise DownloadError(f"the certificates in {certificates} cannot be read ({error})") from None
    if trusted:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _packaged_certificates() -> str | None:
    """The certificates of the package certifi, if it is installed and the system has none, as on some
    Macs."""
    system = ssl.get_default_verify_paths()
    if os.name == "nt" or system.cafile or system.capath or find_spec("certifi") is None:
        return None
    import certifi

    return str(certifi.where())


def _password_in(parts: SplitResult) -> Password | None:
    """The name and password in an address. Either may be empty, as in https://:token@host."""
    if not parts.username and not parts.password:
        return None
    return unquote(parts.username or ""), unquote(parts.password or "")


def _netrc_password(host: str) -> Password | None:
    with suppress(OSError, ValueError, netrc.NetrcParseError):
        if found := netrc.netrc(os.environ.get("NETRC")).authenticators(host):
            return found[0], found[2] or ""
    return None


# ---- addresses -----------------------------------------------------------------------------------


def _checked(url: str) -> SplitResult:
    """The parts of an address, in ASCII except for the host."""
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in _PORTS and parts.hostname and parts.port != 0
    except ValueError:  # such as a port that is not a number
        is_address = False
    if not is_address:
        raise DownloadError(f"{_shown(url)} is not the address of a package index")
    return parts._replace(path=_quoted(parts.path), query=_quoted(parts.query), fragment="")


def _redirected(url: str, target: str) -> str:
    """The address to which a server redirects. Headers are in Latin-1."""
    try:
        new = urljoin(url, _quoted(target, "latin-1"))
    except ValueError:
        raise DownloadError(f"{_shown(target)} is not the address of a package index") from None
    if urlsplit(url).scheme == "https" and urlsplit(new).scheme == "http":
        raise DownloadError("the package index redirects from https to http")
    return new


def _quoted(text: str, encoding: str = "utf-8") -> str:
    return quote(text, safe=string.punctuation, encoding=encoding, errors="replace")


def _origin(parts: SplitResult) -> Origin:
    return parts.scheme, parts.hostname or "", parts.port or _PORTS[parts.scheme]


def _without_password(parts: SplitResult) -> str:
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _shown(url: str) -> str:
    """An address for messages, without a password."""
    return re.sub(r"^(\w+://)?.*@", r"\1", url).rstrip("/")
