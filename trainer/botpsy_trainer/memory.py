"""Keeping freed memory in the process.

glibc gives every large array back to the kernel and gets the next one as pages to be zeroed and mapped again. In training the same sizes come
back every step, so this costs a large share of the time for nothing.
"""

from __future__ import annotations

import ctypes
import sys

_M_TRIM_THRESHOLD, _M_TOP_PAD, _M_MMAP_MAX, _M_ARENA_MAX = -1, -2, -4, -8


def keep_freed_memory() -> bool:
    """Tells glibc to serve large arrays from its heap and to keep what is freed. Returns whether it did (False on other C libraries)."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    settings = ((_M_ARENA_MAX, 1), (_M_MMAP_MAX, 0), (_M_TRIM_THRESHOLD, 2**31 - 1), (_M_TOP_PAD, 64 << 20))
    return all(mallopt(option, value) == 1 for option, value in settings)
