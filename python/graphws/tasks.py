# SPDX-License-Identifier: MIT
"""Trees of tasks that unfold while they run, for measurements of load balance."""
from __future__ import annotations

import ctypes
import time
from ctypes import byref
from typing import Any, Callable, Dict, NamedTuple, Optional

from . import _declarations as c
from ._library import lib
from .runtime import Runtime, default_runtime


class UtsResult(NamedTuple):
    """An unbalanced tree: its nodes, the leaves among them, the largest depth, and the time in milliseconds."""

    nodes: int
    leaves: int
    depth: int
    ms: float


class BpcResult(NamedTuple):
    """Bouncing producer and consumers: tasks run, producers that ran elsewhere than their parent, total time of the
    consumers and time of the run in milliseconds."""

    tasks: int
    bounces: int
    work_ms: float
    ms: float


def uts_trees() -> Dict[str, str]:
    """{name of a well-known tree: the options of the original program}."""
    rows: Dict[str, str] = {}
    while True:
        row = lib.gws_uts_at(len(rows))
        if not row:
            return rows
        named = c.gws_uts_named.from_address(row)
        rows[named.name.decode()] = named.about.decode()


def _sides(runtime: Runtime, device: str, prefix: str, run: Callable[[Any], None]) -> float:
    """Opens the workload on a device, and times run(array of its handle)."""
    handle, where, close = ctypes.c_void_p(), c.gws_diagnostic(), getattr(lib, f'gws_{prefix}_device_close')
    runtime.call(getattr(lib, f'gws_{prefix}_device_open'), runtime._pointer, runtime.device(device).pointer,
                 byref(c.gws_device_tasks_options()), byref(handle), byref(where), where=where)
    try:
        begin = time.perf_counter()
        run(byref((ctypes.c_void_p * 1)(handle)))
        return 1000 * (time.perf_counter() - begin)
    finally:
        runtime.call(lambda: close(handle) or 0)  # on the device's thread


def uts(tree: str = 'T1', device: str = 'cpu', runtime: Optional[Runtime] = None) -> UtsResult:
    """Unbalanced tree search (Olivier et al., LCPC 2006): counts the nodes of a tree of uts_trees()."""
    runtime, result, where = runtime or default_runtime(), c.gws_uts_result(), c.gws_diagnostic()
    row = lib.gws_uts_named(tree.encode())
    if not row:
        raise ValueError(f'tree: expected one of {", ".join(uts_trees())}; got {tree!r}')
    shape = row + c.gws_uts_named.tree.offset
    if device == 'cpu':
        begin = time.perf_counter()
        runtime.call(lib.gws_uts_search, runtime._pointer, shape, None, byref(result))
        ms = 1000 * (time.perf_counter() - begin)
    else:
        ms = _sides(runtime, device, 'uts', lambda handles: runtime.call(
            lib.gws_uts_sides, runtime._pointer, handles, 1, None, shape, byref(result), None, byref(where), where=where))
    return UtsResult(result.nodes, result.leaves, result.depth, ms)


def bpc(consumers: int = 1000, depth: int = 100, work_us: float = 1, device: str = 'cpu',
        runtime: Optional[Runtime] = None) -> BpcResult:
    """Bouncing producer and consumers (Dinan et al., SC 2009): each of `depth` producers spawns the next one and
    `consumers` tasks of `work_us` microseconds."""
    runtime, result, where = runtime or default_runtime(), c.gws_bpc_result(), c.gws_diagnostic()
    options = c.gws_bpc_options(consumers=consumers, depth=depth, work_us=work_us)
    if device == 'cpu':
        begin = time.perf_counter()
        runtime.call(lib.gws_bpc, runtime._pointer, byref(options), byref(result))
        ms = 1000 * (time.perf_counter() - begin)
    else:
        ms = _sides(runtime, device, 'bpc', lambda handles: runtime.call(
            lib.gws_bpc_sides, runtime._pointer, handles, 1, False, byref(options), byref(result), None, byref(where), where=where))
    return BpcResult(result.tasks, result.bounces, result.work_ms, ms)
