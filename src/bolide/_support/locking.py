"""Locks on open files, which the system releases even if the process is killed."""

from __future__ import annotations


def try_lock(descriptor: int) -> bool | None:
    """Locks a file. False if another process has locked it; None if the system has no such locks."""
    try:
        import fcntl
    except ImportError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return None
    return True


def wait_for_lock(descriptor: int) -> None:
    """Waits until no other process has locked the file, and locks it."""
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_EX)
