"""Replacements for METEOR in other packages.

The modules are drop-ins: change the import. `patch()` replaces METEOR inside packages that you do not edit.
"""

from bolide.compat.patching import Patch, patch, unpatch

__all__ = ["Patch", "patch", "unpatch"]
