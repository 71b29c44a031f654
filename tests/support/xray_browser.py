"""The X-ray page in a real browser. Requests and complaints of the page are recorded, and must be empty."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bolide.xray import Xray, page
from bolide.xray.payload import payload

READY = "body[data-ready=yes]"


def write(xray: Xray, path: Path) -> Path:
    path.write_text(page.html(payload(xray)), encoding="utf-8")
    return path


class Reader:
    """A simulated reader of a report."""

    def __init__(self, browser: Any, path: Path, link: str = "", **options: Any) -> None:
        self.path = path
        self.context = browser.new_context(**{"viewport": {"width": 1400, "height": 900}, **options})
        self.context.set_default_timeout(120_000)  # milliseconds, for busy machines
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("dialog", self._refuse)
        self.go(link)

    def _refuse(self, dialog: Any) -> None:
        self.complaints.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def go(self, link: str) -> None:
        self.page.goto(f"{self.path.as_uri()}{link}")
        self.page.wait_for_selector(READY, state="attached")

    def close(self) -> None:
        self.context.close()
        outside = [url for url in self.requests if not url.startswith((self.path.as_uri(), "blob:", "data:"))]
        assert (self.complaints, outside) == ([], [])

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.context.close()

    # ---- looking -----------------------------------------------------------------------------------

    def texts(self, selector: str) -> list[str]:
        found: list[str] = self.page.locator(selector).all_inner_texts()
        return found

    def text(self, selector: str) -> str:
        found: str = self.page.locator(selector).first.inner_text()
        return found

    def count(self, selector: str) -> int:
        found: int = self.page.locator(selector).count()
        return found

    def evaluate(self, script: str, argument: object = None) -> Any:
        return self.page.evaluate(script, argument)

    @property
    def hash(self) -> str:
        found: str = self.evaluate("location.hash")
        return found

    def listed(self) -> list[int]:
        """The segments of the list, numbered from 1, whether in view or not."""
        found: list[int] = self.evaluate("xray.segments.map((segment) => segment + 1)")
        return found

    # ---- doing -------------------------------------------------------------------------------------

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def choose(self, changes: Mapping[str, str]) -> None:
        """Set filters by their ids, and wait until the list is updated."""
        self.page.locator("#more-filters").evaluate("(node) => { node.open = true; }")
        for name, value in changes.items():
            field = self.page.locator(f"#filter-{name}")
            if field.evaluate("(node) => node.localName") == "select":
                field.select_option(value)
            else:
                field.fill(value)
                # The page waits for further keys. Timers of one page end in their order, however busy it is.
                self.evaluate("() => new Promise((done) => { setTimeout(done, 120); })")
