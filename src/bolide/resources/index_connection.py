"""Connections to package indexes over HTTP: certificates, proxies, passwords, and downloads that resume."""

from __future__ import annotations

import base64
import http.client
import netrc
import os
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import (
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    build_opener,
    getproxies,
    proxy_bypass,
)

from bolide._version import __version__
from bolide.resources.download_error import DownloadError
from bolide.resources.index_settings import IndexSettings

_CHUNK = 1 << 18
_REFUSED = (401, 403, 407)
_LARGEST_PAGE = 1 << 25
ANOTHER_FILE = "the package index has another file under this name"
T = TypeVar("T")


class Page(NamedTuple):
    data: bytes
    kind: str  # such as "text/html"
    url: str  # after redirects


class NotThereError(DownloadError):
    """The index has no such page or file."""

    def __init__(self) -> None:
        super().__init__("the package index does not have it")


class _CutOffError(DownloadError):
    """The connection ended too early, or was never made. Another attempt may succeed."""


class Connection:
    """Opens addresses with the settings of the user."""

    def __init__(self, settings: IndexSettings) -> None:
        self._settings = settings
        self._proxies = {"http": settings.proxy, "https": settings.proxy} if settings.proxy else getproxies()
        self._passwords: dict[str, tuple[str, str]] = {}  # by host
        self._openers: dict[bool, OpenerDirector] = {}  # by whether the host is trusted

    def page(self, url: str, kinds: str) -> Page:
        """The contents of an address."""

        def read() -> Page:
            with self._opened(url, Accept=kinds) as answer:
                return Page(answer.read(_LARGEST_PAGE), answer.headers.get_content_type(), answer.url)

        return self._attempts(read)

    def save(self, url: str, target: Path, largest: int, advance: Callable[[int], None]) -> None:
        """Downloads a file. If the connection ends too early, the download goes on where it was."""
        self._attempts(lambda: self._save(url, target, largest, advance))

    def _attempts(self, work: Callable[[], T]) -> T:
        """Tries again if there is no connection, or if it ends too early."""
        for _ in range(self._settings.retries):
            with suppress(_CutOffError):
                return work()
        return work()

    def _save(self, url: str, target: Path, largest: int, advance: Callable[[int], None]) -> None:
        done = target.stat().st_size if target.exists() else 0
        wanted = {"Range": f"bytes={done}-"} if done else {}
        with self._opened(url, **wanted) as answer:
            resumes = done > 0 and answer.status == http.client.PARTIAL_CONTENT
            done = done if resumes else 0
            with target.open("ab" if resumes else "wb") as stream:
                while chunk := answer.read(_CHUNK):
                    done += stream.write(chunk)
                    if done > largest:
                        raise DownloadError(ANOTHER_FILE)
                    advance(done)
            if answer.length:  # the bytes that should follow
                raise _CutOffError("the connection to the package index was interrupted")

    @contextmanager
    def _opened(self, url: str, **headers: str) -> Iterator[http.client.HTTPResponse]:
        """The answer of a server."""
        parts = _checked(url)
        with self._explained(parts), self._answer(parts, headers) as answer:
            yield answer

    def _answer(self, parts: SplitResult, headers: dict[str, str]) -> Any:
        request = Request(
            _without_password(parts), headers={"User-Agent": f"bolide/{__version__}", **headers}
        )
        if found := self._password(parts):
            text = base64.b64encode(":".join(found).encode()).decode("ascii")
            request.add_unredirected_header("Authorization", f"Basic {text}")  # not for other hosts
        return self._opener(parts).open(request, timeout=self._settings.timeout or None)

    def _opener(self, parts: SplitResult) -> OpenerDirector:
        host, port = (parts.hostname or "").lower(), parts.port
        trusted = bool({host, f"{host}:{port}"} & self._settings.trusted_hosts)
        if trusted not in self._openers:
            context = _context(self._settings.certificates, trusted)
            self._openers[trusted] = build_opener(ProxyHandler(self._proxies), HTTPSHandler(context=context))
        return self._openers[trusted]

    def _password(self, parts: SplitResult) -> tuple[str, str] | None:
        """The user's name and password for a host: from the address of the index, or from .netrc."""
        host = parts.hostname or ""
        if parts.username:
            self._passwords[host] = unquote(parts.username), unquote(parts.password or "")
        elif host not in self._passwords:
            with suppress(OSError, netrc.NetrcParseError):
                found = netrc.netrc(os.environ.get("NETRC")).authenticators(host)
                if found:
                    self._passwords[host] = found[0], found[2] or ""
        return self._passwords.get(host)

    @contextmanager
    def _explained(self, parts: SplitResult) -> Iterator[None]:
        """Turns the errors of Python's libraries into reasons."""
        try:
            yield
        except HTTPError as error:
            error.close()
            raise _refusal(error) from None
        except (URLError, http.client.HTTPException, ConnectionError, TimeoutError, ssl.SSLError) as error:
            cause = getattr(error, "reason", error)
            if isinstance(cause, ssl.SSLCertVerificationError):
                raise DownloadError("the certificate of the package index is not trusted") from None
            raise _CutOffError(f"no connection to the package index {self._route(parts)}") from None

    def _route(self, parts: SplitResult) -> str:
        """The host, and the proxy on the way to it."""
        host = parts.hostname or ""
        proxy = self._proxies.get(parts.scheme)
        if not proxy or proxy_bypass(host):
            return host
        return f"{host} through the proxy {_shown(urlsplit(proxy if '//' in proxy else f'//{proxy}'))}"


def _refusal(error: HTTPError) -> DownloadError:
    if error.code in (404, 410):
        return NotThereError()
    if error.code in _REFUSED:
        return DownloadError(f"the package index refuses access: HTTP {error.code}")
    return DownloadError(f"the package index does not work: HTTP {error.code}")


def _context(certificates: str | None, trusted: bool) -> ssl.SSLContext:
    """What to trust. The checksum of the package protects it even from a host that cannot prove its name."""
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
    """Those of the package certifi, if it is installed and the system has none, as on some Macs."""
    system = ssl.get_default_verify_paths()
    if os.name == "nt" or system.cafile or system.capath or find_spec("certifi") is None:
        return None
    import certifi

    return str(certifi.where())


def _checked(url: str) -> SplitResult:
    parts = urlsplit(url)
    try:
        is_address = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # the port is not a number
        is_address = False
    if not is_address:
        raise DownloadError(f"{_shown(parts)} is not the address of a package index")
    return parts


def _without_password(parts: SplitResult) -> str:
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _shown(parts: SplitResult) -> str:
    """An address for messages."""
    return _without_password(parts).removeprefix("//").rstrip("/")
