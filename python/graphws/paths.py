# SPDX-License-Identifier: MIT
"""Single paths, distances from many sources, the diameter, and label propagation. See graphws.algorithms for arguments."""
from __future__ import annotations

import ctypes
from ctypes import byref
from typing import TYPE_CHECKING, Any, Optional, Tuple

from . import _declarations as c
from ._library import lib
from .arrays import pointer_of
from .progress import Progress
from .results import Array, Call, Result
from .runtime import Runtime

if TYPE_CHECKING:
    import numpy as np


class PathResult(Result):
    """A shortest path: `vertex` from the source to the target, `ids` likewise, and `distance` from the source. `length` is
    the number of vertices, 0 if no path exists."""

    STRUCT, CLEAR, FETCH = c.gws_path_result, 'gws_path_result_clear', 'gws_path_device_fetch'
    ARRAYS = {'vertex': ('<u4', 'length'), 'distance': ('<u8', 'length'), 'real_distance': ('<f8', 'length')}
    BUFFERS = {'vertex': ('gws_path_device_buffer', c.GWS_PATH_VERTICES)}
    vertex: Array
    distance: Array
    length: int
    visited: int

    @property
    def ids(self) -> np.ndarray:
        """The ids of the vertices on the path."""
        import numpy as np
        return self._graph.ids[np.asarray(self.vertex)]

    def _on_host(self, name: str) -> Any:
        if name == 'distance' and not self.hops and self._graph._struct.real_weight:
            name = 'real_distance'
        array = super()._on_host(name)
        if array is None:  # no path
            import numpy as np
            return np.empty(0, self.ARRAYS[name][0])
        return array


def path(graph: Any, source: Any, target: Any, hops: bool = False, device: str = 'cpu', runtime: Optional[Runtime] = None,
         progress: Progress = None) -> PathResult:
    """A shortest path between two ids, by weights, or with hops=True by the number of arcs."""
    call, options = Call(PathResult, graph, device, runtime, progress), c.gws_path_options(hops=hops)
    ends = call.vertex(source), call.vertex(target)
    if call.device is None:
        return call.threads(lib.gws_path, *ends, byref(options), where=True)
    return call.on_device('gws_path_device', (byref(options),), *ends, key=bytes(options))


class DiameterResult(Result):
    """The largest distance between two vertices of one weak component."""

    STRUCT = c.gws_diameter_result
    diameter: int
    searches: int

    @property
    def ends(self) -> Tuple[Any, Any]:
        """The ids of two vertices at this distance."""
        struct = self._owned.struct
        return self._graph.ids[getattr(struct, 'from')], self._graph.ids[struct.to]


def diameter(graph: Any, device: str = 'cpu', runtime: Optional[Runtime] = None, progress: Progress = None) -> DiameterResult:
    """The exact diameter, without regard to directions and weights."""
    call = Call(DiameterResult, graph, device, runtime, progress)
    return call.threads(lib.gws_diameter) if call.device is None else call.on_device('gws_diameter_device', ())


def label_propagation(graph: Any, device: str = 'cpu', runtime: Optional[Runtime] = None, progress: Progress = None) -> np.ndarray:
    """For each vertex the smallest vertex from which a path leads to it. device may be 'cpu', a device, or both."""
    import numpy as np
    call = Call(Result, graph, device, runtime, progress, both=True)
    label, where = np.empty(call.graph.vertices, np.uint32), c.gws_diagnostic()
    result = c.gws_label_propagation_result(label=pointer_of(label))
    if call.device is None:
        call.run(lib.gws_label_propagation, call.runtime._pointer, call.graph._pointer, byref(result))
    else:
        function = lib.gws_label_propagation_hybrid if call.cpu else lib.gws_label_propagation_device
        call.run(function, call.device_graph().pointer, byref(result), byref(where), where=where)
    return label


class _BatchResult(Result):
    STRUCT, CLEAR = c.gws_bfs_batch_device_result, 'gws_bfs_batch_device_result_clear'
    FETCH = 'gws_bfs_batch_device_fetch'


def distances(graph: Any, sources: Any, device: str = 'cpu', runtime: Optional[Runtime] = None, progress: Progress = None) -> Array:
    """The numbers of arcs from each of the ids `sources` to every vertex, a row for each source: uint32, NO_VERTEX if
    unreached. In a device's memory entries have 1, 2 or 4 bytes, with all bits set if unreached; there, at most 256
    sources."""
    import numpy as np
    call = Call(_BatchResult, graph, device, runtime, progress)
    source = call.graph._vertices_of(sources)
    if call.device is not None:
        return _device_distances(call, source)
    table, bytes_of_row = np.empty((len(source), call.graph.vertices), np.uint32), 4 * call.graph.vertices

    def visit(context: Any, index: int, result: int) -> int:
        depth = c.gws_bfs_result.from_address(result).depth
        if bytes_of_row:
            ctypes.memmove(table.ctypes.data + index * bytes_of_row, depth, bytes_of_row)
        return c.GWS_OK

    call.run(lib.gws_bfs_many, call.runtime._pointer, call.graph._pointer, pointer_of(source), len(source), None,
             ctypes.cast(c.gws_bfs_visit(visit), ctypes.c_void_p), None)
    return table


def _device_distances(call: Call, source: np.ndarray) -> Array:
    import numpy as np
    from .arrays import buffer_array, host_array
    if not 0 < len(source) <= c.GWS_BFS_BATCH_SOURCES:
        raise ValueError(f'sources: expected 1 to {c.GWS_BFS_BATCH_SOURCES} on a device, got {len(source)}')
    options = c.gws_bfs_batch_device_options(distances=True)
    result = call.on_device('gws_bfs_batch_device', (byref(options),), pointer_of(source), len(source), key=())
    struct, shape = result._owned.struct, (len(source), call.graph.vertices)
    kind = f'|u{struct.width}' if struct.width == 1 else f'<u{struct.width}'

    def fetch() -> np.ndarray:
        result._fetch(0)
        narrow = host_array(result._owned, struct.distance, shape, kind)
        wide = narrow.astype(np.uint32)
        wide[narrow == np.iinfo(narrow.dtype).max] = c.GWS_NO_VERTEX
        return wide

    buffer = lib.gws_bfs_batch_device_buffer(result._search.pointer, c.GWS_BFS_BATCH_DISTANCES)
    return buffer_array(result._search, buffer, shape, kind, result._search.on.device.address, fetch)
