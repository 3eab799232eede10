# SPDX-License-Identifier: MIT
"""Results: arrays and numbers of a struct of the library, on the host or on a device, and the calls that fill them."""
from __future__ import annotations

import ctypes
import sys
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Tuple, Union

from . import _declarations as c
from ._library import lib
from .arrays import DeviceArray, Owned, buffer_array, host_array
from .graph import Graph
from .progress import Progress
from .read import as_graph
from .runtime import Device, Runtime, default_runtime

if TYPE_CHECKING:
    import numpy as np

Array = Union['np.ndarray', DeviceArray]


class DeviceGraph:
    """A graph on a device. Searches that nobody uses any more wait in `idle` for the next call with the same options."""

    def __init__(self, graph: Graph, device: Device):
        self.owner, self.device, self.idle = graph._owner, device, {}  # type: ignore[var-annotated]
        self.pointer: Optional[int] = None
        where, pointer = c.gws_diagnostic(), ctypes.c_void_p()
        device.runtime.call(lib.gws_device_graph_open, device.runtime._pointer, device.pointer, graph._pointer, None,
                            ctypes.byref(pointer), ctypes.byref(where), where=where)
        self.pointer = pointer.value

    def __del__(self) -> None:
        if self.pointer and not sys.is_finalizing():
            keep = self.device, self.owner
            for close, pointer in self.idle.values():
                self.device.runtime.discard(close, pointer, keep)
            self.device.runtime.discard(lib.gws_device_graph_close, self.pointer, keep)


class _Search:
    """A search on a device. Its buffers have the last result, so it serves one result at a time."""

    __slots__ = ('on', 'key', 'close', 'pointer')

    def __init__(self, on: DeviceGraph, key: Any, close: Callable, pointer: int):
        self.on, self.key, self.close, self.pointer = on, key, close, pointer

    def __del__(self) -> None:
        if sys.is_finalizing():
            return
        if self.key is not None and self.key not in self.on.idle:
            self.on.idle[self.key] = self.close, self.pointer
        else:
            self.on.device.runtime.discard(self.close, self.pointer, self.on)


class Result:
    """The base of all results. Arrays are numpy arrays over the library's memory, or DeviceArray if a device ran the
    algorithm; `ms` is the time of the library's call in milliseconds."""

    STRUCT: Any  # the struct of the library
    CLEAR: Optional[str] = None  # the function that frees its arrays
    ARRAYS: Dict[str, Tuple[str, str]] = {}  # attribute: (type of an entry, the member with the number of entries)
    BUFFERS: Dict[str, Tuple[Any, ...]] = {}  # attribute: (function that returns the buffer on a device, its arguments)
    LATE: Tuple[str, ...] = ()  # numbers that are known once the arrays are on the host
    PARTS: Dict[str, int] = {}  # attribute: the part that the fetch function takes; empty: it fetches all
    ms: float

    def __init_subclass__(cls) -> None:
        members = {name for name, *_ in cls.STRUCT._fields_}
        used = {*cls.ARRAYS, *cls.LATE, *(count for _, count in cls.ARRAYS.values())}
        used |= {name for name in cls.__annotations__ if not hasattr(cls, name)}
        assert used <= members, f'{cls.STRUCT.__name__} has no member {used - members}'

    def __init__(self, graph: Graph, owned: Owned, search: Optional[_Search] = None):
        self._graph, self._owned, self._fetched = graph, owned, set()  # type: ignore[var-annotated]
        self._search: Any = search

    def __getattr__(self, name: str) -> Any:
        struct = object.__getattribute__(self, '_owned').struct
        if name in self.ARRAYS:
            value = self._array(name)
            if not isinstance(value, DeviceArray):  # which refers to the result, and would never be dropped at once
                self.__dict__[name] = value
            return value
        if name.startswith('_') or not hasattr(struct, name):
            raise AttributeError(f'{type(self).__name__} has no attribute {name!r}')
        if self._search is not None and name in self.LATE:
            self._fetch(0)
        return getattr(struct, name)

    def __dir__(self) -> Any:
        return [*super().__dir__(), *self.ARRAYS, *self.__annotations__]

    def __repr__(self) -> str:
        numbers = [f'{name}={getattr(self, name)}' for name in self.__annotations__ if name not in self.ARRAYS and name not in self.LATE]
        return f'<graphws.{type(self).__name__}: {", ".join(numbers)}>'

    def _fetch(self, part: int) -> None:
        """Copies arrays from the device, each once."""
        if part in self._fetched:
            return
        search, where, name = self._search, c.gws_diagnostic(), self.FETCH
        search.on.device.runtime.call(getattr(lib, name), search.pointer, *([part] if self.PARTS else []),
                                      ctypes.byref(self._owned.struct), ctypes.byref(where), where=where)
        self._fetched.add(part)

    FETCH = ''

    def _on_host(self, name: str) -> Any:
        if self._search is not None and self.FETCH:
            self._fetch(self.PARTS.get(name, 0))
        kind, count = self.ARRAYS[name]
        pointer = getattr(self._owned.struct, name)
        return host_array(self._owned, pointer, getattr(self._owned.struct, count), kind) if pointer else None

    def _kind(self, name: str, entries: int, size: int) -> str:
        """The type of an entry of a buffer."""
        return self.ARRAYS[name][0]

    def _array(self, name: str) -> Optional[Array]:
        if self._search is not None and name in self.BUFFERS:
            function, *arguments = self.BUFFERS[name]
            buffer = getattr(lib, function)(self._search.pointer, *arguments)
            if buffer:
                count = self.ARRAYS[name][1]
                entries = self._graph.vertices if count == 'vertices' else getattr(self._owned.struct, count)
                kind = self._kind(name, entries, lib.gws_device_buffer_bytes(buffer))
                return buffer_array(self._search, buffer, entries, kind, self._search.on.device.address, lambda: self._on_host(name))
        return self._on_host(name)


class Call:
    """A call of an algorithm: where it runs, and what it fills."""

    def __init__(self, result: Any, graph: Any, device: str, runtime: Optional[Runtime], progress: Progress = None,
                 both: bool = False):
        self.result, self.graph = result, as_graph(graph)
        self.runtime, self.progress = runtime or default_runtime(), progress
        sides = device.replace(' ', '').split(',')
        self.cpu = 'cpu' in sides
        self.device: Any = next((side for side in sides if side != 'cpu'), None)
        if len(sides) > 2 or len(sides) == 2 and not (both and self.cpu and self.device) or not all(sides):
            raise ValueError(f'device: expected cpu or one device{", or cpu and a device" if both else ""}; got {device!r}')

    def vertex(self, id: Any) -> int:
        """The vertex with this id; None: the one with the most outgoing arcs."""
        if id is not None:
            return self.graph.vertex(id)
        return lib.gws_graph_max_degree_vertex(self.graph._pointer)

    def _owned(self) -> Owned:
        clear = self.result.CLEAR
        return Owned(self.result.STRUCT(), getattr(lib, clear) if clear else lambda struct: None)

    def run(self, function: Callable, *arguments: Any, where: Optional[c.gws_diagnostic] = None) -> None:
        """Calls a function; makes the graph's reverse if the library asks for it."""
        status = self.runtime.status_of(function, *arguments, progress=self.progress)
        if status == c.GWS_NEEDS_REVERSE:
            self.graph.add_reverse(self.runtime)
            status = self.runtime.status_of(function, *arguments, progress=self.progress)
        if status:
            self.runtime.call(lambda: status, where=where)

    def threads(self, function: Callable, *arguments: Any, where: bool = False) -> Any:
        """Runs on the runtime's threads: function(runtime, graph, *arguments, result[, where])."""
        owned, place = self._owned(), c.gws_diagnostic()
        last = (ctypes.byref(owned.struct), ctypes.byref(place)) if where else (ctypes.byref(owned.struct),)
        self.run(function, self.runtime._pointer, self.graph._pointer, *arguments, *last, where=place if where else None)
        return self.result(self.graph, owned)

    def device_graph(self) -> DeviceGraph:
        key = self.runtime, self.device
        if key not in self.graph._on_device:
            self.graph._on_device[key] = DeviceGraph(self.graph, self.runtime.device(self.device))
        return self.graph._on_device[key]

    def on_device(self, prefix: str, options: Tuple[Any, ...], *arguments: Any, key: Any = (), open_by: str = '_open') -> Any:
        """Runs on a device: PREFIX_open(graph, *options, search), PREFIX_run(search, *arguments, result). key: what tells
        options apart, None if the search cannot serve another call."""
        on, where = self.device_graph(), c.gws_diagnostic()
        key = None if key is None else (prefix + open_by, key)
        close = getattr(lib, prefix + '_close')
        _, pointer = on.idle.pop(key, (None, None))
        if pointer is None:
            new = ctypes.c_void_p()
            self.run(getattr(lib, prefix + open_by), on.pointer, *options, ctypes.byref(new), ctypes.byref(where), where=where)
            pointer = new.value
        search, owned = _Search(on, key, close, pointer), self._owned()
        self.run(getattr(lib, prefix + '_run'), pointer, *arguments, ctypes.byref(owned.struct), ctypes.byref(where), where=where)
        return self.result(self.graph, owned, search)
