"""Functions that differ between operating systems: one implementation for POSIX, one for Windows.

All other modules use only these functions, and functions that every system has. Both implementations have the
same names and types; `posix.py` documents them. A system without the module `fcntl` gets the implementation
for Windows.

The command line imports this package before all others. To start quickly, its modules import other modules
only where they need them.
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
    "PASSED_ON",
    "SIGNALS",
    "after_fork",
    "available_cores",
    "become",
    "console",
    "end_as",
    "end_group",
    "end_with_parent",
    "exchange",
    "exit_code",
    "flush_file",
    "flush_folder",
    "from_terminal",
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
    "write_command",
]
