# SPDX-License-Identifier: MIT
"""Progress of long calls: progress=True draws a bar with tqdm, or lines without it; progress=f calls f(work, done, total)."""
from __future__ import annotations

import sys
from typing import Any, Callable, Optional, Union

Progress = Union[None, bool, Callable[[str, int, int], None]]


class _Bar:
    """A bar of tqdm, a new one for each kind of work."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm: Any = tqdm
        self._bar: Any = None
        self._work: Optional[str] = None

    def __call__(self, work: str, done: int, total: int) -> None:
        if work != self._work:
            self.close()
            self._work, self._bar = work, self._tqdm(desc=work, total=total or None)
        self._bar.total = total or None
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class _Lines:
    """A line on a terminal that the next one replaces."""

    def __call__(self, work: str, done: int, total: int) -> None:
        print(f'\r{work}: {done:,}' + (f' of {total:,}' if total else '') + '\x1b[K', end='', file=sys.stderr, flush=True)

    def close(self) -> None:
        print('\r\x1b[K', end='', file=sys.stderr, flush=True)


def reporter(progress: Progress) -> Callable[[str, int, int], None]:
    """The function that reports: the caller's own, a bar of tqdm, or lines."""
    if callable(progress):
        return progress
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Lines()
    return _Bar(tqdm)
