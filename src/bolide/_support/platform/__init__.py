"""What operating systems do differently, with one implementation for POSIX and one for Windows.

All other modules use only functions that every system has, and these. Both implementations have the same
names and types, and `posix.py` documents them. Systems without the module `fcntl` get the one for Windows.

The command line imports this package before all others: its modules import little at the top.
"""

# ruff: noqa: F403, F405
from __future__ import annotations

try:
    import fcntl as _fcntl  # noqa: F401
except ImportError:
    from bolide._support.platform.windows import *
else:
    from bolide._support.platform.posix import *

__all__ = [
    "SIGNALS",
    "after_fork",
    "available_cores",
    "console",
    "end_group",
    "end_with_parent",
    "exchange",
    "exit_code",
    "flush_file",
    "flush_folder",
    "is_broken_pipe",
    "is_private",
    "keep_permissions",
    "long_path",
    "move",
    "open_lock",
    "own_group",
    "peak_memory",
    "peak_memory_of_children",
    "quoted",
    "remove_lock",
    "rename",
    "reset_peak_memory",
    "try_lock",
    "wait",
    "wait_for_lock",
    "wakeup",
]
