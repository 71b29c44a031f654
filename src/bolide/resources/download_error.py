"""Why a package could not be downloaded."""

from __future__ import annotations


class DownloadError(Exception):
    """A download that failed. The text is the reason, for a message to the user."""


class NoSpaceError(DownloadError):
    """The disk is full."""
