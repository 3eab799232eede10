# SPDX-License-Identifier: MIT
"""Runtimes: worker threads, and everything that happens around a call of the library.

A call releases the GIL. While it runs, about every 5 ms the library asks whether to stop. Python handles signals then, so
Ctrl-C ends the call with KeyboardInterrupt."""
from __future__ import annotations

import _signal  # the enums of `signal` would cost more than the call itself
import contextlib
import ctypes
import os
import sys
import threading
from collections import deque
from typing import Any, Callable, Iterator, Optional

from . import _declarations as c
from ._library import lib
from .errors import GraphwsError, of_status
from .progress import Progress, reporter

_inside = threading.local()  # .state: of the runtime whose call runs the caller's own function on this thread


@contextlib.contextmanager
def inside(state: '_State') -> Iterator[None]:
    """Around a function of the caller during a call: it may not use the same runtime."""
    before, _inside.state = getattr(_inside, 'state', None), state
    try:
        yield
    finally:
        _inside.state = before


class _State:
    """What the library's hooks read and write during a call."""

    __slots__ = ('stop', 'interrupted', 'failure', 'report')

    def __init__(self) -> None:
        self.stop, self.interrupted = False, False
        self.failure: Optional[BaseException] = None
        self.report: Any = None

    def on_signal(self, number: int, frame: Any) -> None:
        self.stop = self.interrupted = True

    def on_progress(self, context: Any, work: bytes, done: int, total: int) -> None:
        try:
            if self.report is not None and not self.stop:
                with inside(self):
                    self.report(work.decode(), done, total)
        except BaseException as failure:  # the call ends, and raises it
            self.failure, self.stop = failure, True


class Runtime:
    """Worker threads, and the policy that balances their load.

    threads: the number of workers; 0: one for each CPU. policy, victim, amount: names as of `gbfs --policy help`.
    pin: bind workers to CPUs. max_memory: a limit in bytes. Calls on one runtime wait for each other, so threads that
    should run at once each need a runtime. Most programs need none: functions share a default runtime."""

    def __init__(self, threads: int = 0, policy: Optional[str] = None, victim: Optional[str] = None,
                 amount: Optional[str] = None, chunk: int = 0, pin: bool = False, seed: int = 0, max_memory: int = 0):
        self._pointer = None
        self._state = state = _State()
        self._hooks = c.gws_cancel(lambda context: state.stop), c.gws_progress(state.on_progress)
        cancel, progress = (ctypes.cast(hook, ctypes.c_void_p) for hook in self._hooks)
        names = {key: value.encode() for key, value in (('policy', policy), ('victim', victim), ('amount', amount)) if value}
        options = c.gws_options(threads=threads, chunk=chunk, pin=pin, seed=seed, max_memory=max_memory, cancel=cancel,
                                progress=progress, **names)
        pointer = ctypes.c_void_p()
        status = lib.gws_runtime_open(ctypes.byref(options), ctypes.byref(pointer))
        if status:
            raise of_status(status, lib.gws_status_text(status).decode(), None)
        self._lock = threading.Lock()
        self._discarded: deque = deque()
        self._devices: dict = {}
        self._process = os.getpid()
        self._pointer = pointer.value

    @property
    def threads(self) -> int:
        """The number of workers, including the thread that calls."""
        return lib.gws_runtime_workers(self._pointer)

    @property
    def policy(self) -> str:
        """The name of the policy."""
        return lib.gws_runtime_policy(self._pointer).decode()

    def cancel(self) -> None:
        """Ends the call that another thread runs on this runtime: it raises GraphwsError with the status 'CANCELLED'."""
        self._state.stop = True

    def __repr__(self) -> str:
        return f'<graphws.Runtime: {self.threads} threads, policy {self.policy}>'

    def __del__(self) -> None:
        # Devices and searches refer to the runtime, so none is left. In a child of fork() the library does not wait.
        if self._pointer and not sys.is_finalizing():
            self._empty()
            lib.gws_runtime_close(self._pointer)

    def call(self, function: Callable[..., int], *arguments: Any, where: Optional[c.gws_diagnostic] = None,
             progress: Progress = None, file: Optional[str] = None) -> None:
        """Calls a function of the library that returns a status; raises an exception unless the status is OK."""
        status = self.status_of(function, *arguments, progress=progress)
        if status:
            raise of_status(status, lib.gws_status_text(status).decode(), where, file)

    def status_of(self, function: Callable[..., int], *arguments: Any, progress: Progress = None) -> int:
        """Like call(), but returns the status."""
        if self._process != os.getpid():
            raise GraphwsError('BUSY', 'this runtime belongs to the process before fork(); open another one')
        state = self._state
        if getattr(_inside, 'state', None) is state:
            raise GraphwsError('BUSY', 'a function that this runtime calls may not call it again; use another runtime')
        with self._lock:
            state.stop, state.interrupted, state.failure = False, False, None
            state.report = reporter(progress) if progress else None
            old: Any = None
            if threading.current_thread() is threading.main_thread():
                old = _signal.getsignal(_signal.SIGINT)
                if callable(old):
                    _signal.signal(_signal.SIGINT, state.on_signal)
            try:
                status = function(*arguments)
            finally:
                if callable(old):
                    _signal.signal(_signal.SIGINT, old)
                if state.report is not None and hasattr(state.report, 'close'):
                    state.report.close()
            if self._discarded:
                self._empty()
        if state.failure is not None:
            raise state.failure
        if state.interrupted:
            old(_signal.SIGINT, None)  # KeyboardInterrupt, unless the program has another handler
        return status

    def discard(self, close: Callable[[int], None], pointer: int, *keep: Any) -> None:
        """Closes an object of a device now, or after the call that runs. `keep` lives until then."""
        self._discarded.append((close, pointer, keep))
        if self._lock.acquire(blocking=False):
            self._empty()
            self._lock.release()

    def _empty(self) -> None:
        while self._discarded:
            close, pointer, _ = self._discarded.popleft()
            close(pointer)

    def device(self, address: str) -> 'Device':
        """The device of that address, such as 'cuda' or 'opencl:1'. The first call opens it."""
        if address not in self._devices:
            self._devices[address] = Device(self, address)
        return self._devices[address]

    def close(self) -> None:
        """Lets go of the devices. The threads end when nothing refers to the runtime any more."""
        self._devices.clear()


class Device:
    """An open device."""

    def __init__(self, runtime: Runtime, address: str):
        self.runtime, self.pointer = runtime, None
        where, pointer = c.gws_diagnostic(), ctypes.c_void_p()
        runtime.call(lib.gws_device_open, runtime._pointer, address.encode(), None, ctypes.byref(pointer),
                     ctypes.byref(where), where=where)
        self.pointer = pointer.value
        self.info = c.gws_device_info.from_address(lib.gws_device_describe(self.pointer))
        self.address = self.info.address.decode()

    def __del__(self) -> None:
        if self.pointer and not sys.is_finalizing():
            self.runtime.discard(lib.gws_device_close, self.pointer, self.runtime)


_default: Optional[Runtime] = None
_default_lock = threading.Lock()


def default_runtime() -> Runtime:
    """The runtime of calls that name none: one worker for each CPU. A child of fork() gets its own."""
    global _default
    if _default is None or _default._process != os.getpid():
        with _default_lock:
            if _default is None or _default._process != os.getpid():
                _default = Runtime()
    return _default


def _after_fork() -> None:
    global _default_lock
    _default_lock = threading.Lock()  # another thread of the parent may have held it


os.register_at_fork(after_in_child=_after_fork)
