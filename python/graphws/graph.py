# SPDX-License-Identifier: MIT
"""Graphs: reading, building, and what they hold."""
from __future__ import annotations

import ctypes
import operator
import os
import sys
import threading
from typing import TYPE_CHECKING, Any, List, Optional, Union

from . import _declarations as c
from ._library import lib
from .arrays import host_array, integers, pointer_of, weights_of
from .progress import Progress
from .runtime import Runtime, default_runtime

if TYPE_CHECKING:
    import numpy as np

NO_VERTEX = c.GWS_NO_VERTEX
"""The entry of an array of vertices where there is none."""


class _Owner:
    """A graph of the library, and the arrays of the caller that it uses."""

    __slots__ = ('pointer', 'keep', '__weakref__')

    def __init__(self, pointer: int, *keep: Any):
        self.pointer, self.keep = pointer, list(keep)

    def __del__(self) -> None:
        if not sys.is_finalizing():
            lib.gws_graph_destroy(self.pointer)


class Graph:
    """A graph that does not change. Vertices are 0 .. vertices - 1; `ids` has what they are called in the input.

    Make one with graphws.load(), Graph.from_edges() or another from_... method. Arguments `source`, `target` and so on
    of the algorithms are ids. Arrays of results are indexed by vertex, and vertices in them are numbers, so
    `g.ids[result.parent]` has the ids of parents."""

    def __init__(self, pointer: Any, *keep: Any):
        self._owner = _Owner(pointer, *keep)
        self._struct = c.gws_graph.from_address(pointer)
        self._pointer = pointer
        self._ids: Optional[np.ndarray] = None
        self._on_device: dict = {}  # (runtime, address): DeviceGraph
        self._lock = threading.Lock()

    # ---- what it holds ----

    @property
    def vertices(self) -> int:
        """The number of vertices."""
        return self._struct.vertices

    @property
    def arcs(self) -> int:
        """The number of arcs. An undirected edge is two arcs, one in each direction, and a self-loop one."""
        return self._struct.arcs

    @property
    def directed(self) -> bool:
        """False if every arc has a reverse arc with the same weight."""
        return self._struct.directed

    def __len__(self) -> int:
        return self.vertices

    def __repr__(self) -> str:
        weights = ', weights' if self._struct.weight or self._struct.real_weight else ''
        return f'<graphws.Graph: {self.vertices:,} vertices, {self.arcs:,} arcs, {"" if self.directed else "un"}directed{weights}>'

    def _array(self, pointer: Optional[int], shape: Any, dtype: str) -> np.ndarray:
        return host_array(self._owner, pointer, shape, dtype, read_only=True)

    @property
    def offset(self) -> np.ndarray:
        """The row of vertex v is target[offset[v]:offset[v + 1]]. uint64, read-only, not copied."""
        return self._array(self._struct.offset, self.vertices + 1, '<u8')

    @property
    def target(self) -> np.ndarray:
        """The targets of the arcs, ascending in each row. uint32, read-only, not copied."""
        return self._array(self._struct.target, self.arcs, '<u4')

    @property
    def weight(self) -> Optional[np.ndarray]:
        """The weights of the arcs, int32 or float32, or None. Read-only, not copied."""
        if self._struct.weight:
            return self._array(self._struct.weight, self.arcs, '<i4')
        return self._array(self._struct.real_weight, self.arcs, '<f4') if self._struct.real_weight else None

    @property
    def position(self) -> Optional[np.ndarray]:
        """The positions x, y of the vertices, or None. float64, read-only, not copied."""
        return self._array(self._struct.position, (self.vertices, 2), '<f8') if self._struct.position else None

    @property
    def ids(self) -> np.ndarray:
        """The id of each vertex in the input: int64 (uint64 if an id needs it), or names. Numbers are not copied."""
        if self._ids is None:
            import numpy as np
            s = self._struct
            if self._text:
                offset = self._array(s.names.offset, self.vertices + 1, '<u8')
                text = ctypes.string_at(self._text, int(offset[-1]))
                self._ids = np.array([text[a:b].decode(errors='replace') for a, b in zip(offset.tolist(), offset[1:].tolist())], str)
            elif s.id:
                ids = self._array(s.id, self.vertices, '<u8')
                self._ids = ids if len(ids) and ids.max() >= 2**63 else ids.view(np.int64)
            else:
                self._ids = np.arange(s.first_id, s.first_id + s.vertices, dtype=np.int64)
        return self._ids

    @property
    def _text(self) -> Optional[int]:
        """The address of the names, which do not end with a 0 as ctypes' text does."""
        return ctypes.c_void_p.from_buffer(self._struct.names, c.gws_names.text.offset).value

    def vertex(self, id: Any) -> int:
        """The vertex with this id. Raises KeyError if there is none."""
        vertex = ctypes.c_uint32()
        if self._text:
            text = str(id).encode()
            status = lib.gws_graph_find_name(self._pointer, text, len(text), ctypes.byref(vertex))
        else:
            number = -1 if isinstance(id, str) else operator.index(id)
            status = lib.gws_graph_find(self._pointer, number, ctypes.byref(vertex)) if 0 <= number < 2**64 else 1
        if status:
            raise KeyError(f'no vertex has the id {id!r}')
        return vertex.value

    def _vertices_of(self, ids: Any) -> np.ndarray:
        """The vertices with these ids, an id or several."""
        import numpy as np
        several = [ids] if isinstance(ids, (str, int, np.integer)) else ids
        return np.fromiter((self.vertex(id) for id in several), np.uint32, len(several))

    # ---- made from it ----

    def add_reverse(self, runtime: Optional[Runtime] = None) -> None:
        """Makes the reverse rows of a directed graph, which many algorithms need. They call this themselves. Call it
        before several threads use the graph. A graph that equals its reverse becomes undirected."""
        with self._lock:
            runtime = runtime or default_runtime()
            runtime.call(lib.gws_graph_add_reverse, runtime._pointer, self._pointer)

    def _made(self, function: Any, *arguments: Any, runtime: Optional[Runtime]) -> Graph:
        runtime, result = runtime or default_runtime(), ctypes.c_void_p()
        runtime.call(function, runtime._pointer, self._pointer, *arguments, ctypes.byref(result))
        return Graph(result.value, self._owner)

    def symmetrised(self, runtime: Optional[Runtime] = None) -> Graph:
        """The graph with a reverse arc for every arc, without parallel arcs."""
        return self._made(lib.gws_graph_symmetrise, runtime=runtime)

    def largest_component(self, runtime: Optional[Runtime] = None) -> Graph:
        """The graph of the largest weakly connected component. Vertices keep their ids."""
        return self._made(lib.gws_graph_largest_component, runtime=runtime)

    def relabelled(self, order: Union[str, np.ndarray] = 'locality', seed: int = 1, runtime: Optional[Runtime] = None) -> Graph:
        """The graph with other numbers of vertices, which keep their ids. order: 'degree', 'random', 'locality',
        'hilbert' or 'rcm', or an array with the new number of each vertex, NO_VERTEX to remove it."""
        import numpy as np
        if isinstance(order, str):
            runtime = runtime or default_runtime()
            new = np.empty(self.vertices, np.uint32)
            runtime.call(lib.gws_graph_order, runtime._pointer, self._pointer, _named('GWS_ORDER_', order, 'order'), seed, pointer_of(new))
        else:
            new = integers(order, 'order')
            if new.shape != (self.vertices,) or new.dtype != np.uint32:
                raise ValueError(f'order: expected {self.vertices} numbers of 32 bits')
        return self._made(lib.gws_graph_relabel, pointer_of(new), int((new != NO_VERTEX).sum()), runtime=runtime)

    def save(self, path: Any, format: str = 'auto', runtime: Optional[Runtime] = None, progress: Progress = None) -> None:
        """Writes the graph, whole or not at all. The suffix of path names the format, if format does not."""
        runtime, where = runtime or default_runtime(), c.gws_diagnostic()
        runtime.call(lib.gws_graph_write, runtime._pointer, self._pointer, os.fsencode(path), _format(format), ctypes.byref(where),
                     where=where, progress=progress, file=os.fspath(path))

    # ---- from the user's data ----

    @staticmethod
    def from_edges(src: Any, dst: Any = None, weight: Any = None, directed: bool = False, vertices: Optional[int] = None,
                   remove_loops: bool = False, remove_duplicates: Optional[bool] = None, runtime: Optional[Runtime] = None,
                   progress: Progress = None) -> Graph:
        """Builds a graph from edges.

        src, dst: the ends of the edges, numbers or names; or only src, an array of pairs (uint32 in C order is not
        copied). vertices: the ends are vertices below this number. Otherwise the vertices are the ends that occur, in
        ascending order. weight: a number for each edge. directed=False: each edge is an arc in both directions.
        remove_duplicates: of parallel arcs keep one of the smallest weight; by default only in undirected graphs."""
        from . import build
        return build.from_edges(src, dst, weight, directed, vertices, remove_loops,
                                not directed if remove_duplicates is None else remove_duplicates, runtime, progress)

    @staticmethod
    def from_csr(offset: Any, target: Any, weight: Any = None, directed: bool = True, trusted: bool = False,
                 runtime: Optional[Runtime] = None) -> Graph:
        """A graph over your arrays, which are not copied if they have the types uint64 or int64 (offset), uint32 or
        int32 (target), and int32 or float32 (weight). Do not change them while the graph is in use. Rows ascend.
        trusted: do not check the rows. directed=False promises that every arc has its reverse arc."""
        import numpy as np
        runtime, graph = runtime or default_runtime(), ctypes.c_void_p()
        offset, target = integers(offset, 'offset', wide=True), integers(target, 'target')
        if target.dtype != np.uint32 or offset.ndim != 1 or not len(offset) or int(offset[-1]) != target.size:
            raise ValueError('expected offsets that end with the number of targets, and targets of 32 bits')
        weight = None if weight is None else weights_of(weight)
        if weight is not None and weight.size != target.size:
            raise ValueError(f'weight: expected {target.size} numbers, got {weight.size}')
        real = weight is not None and weight.dtype == np.float32
        runtime.call(lib.gws_graph_wrap_real if real else lib.gws_graph_wrap, runtime._pointer, len(offset) - 1, pointer_of(offset),
                     pointer_of(target), pointer_of(weight), directed, trusted, ctypes.byref(graph))
        return Graph(graph.value, offset, target, weight)

    @staticmethod
    def from_scipy(matrix: Any, directed: Optional[bool] = None, weights: bool = True, runtime: Optional[Runtime] = None) -> Graph:
        """The graph of a square sparse matrix of SciPy: an arc for each stored entry, whose value is its weight.
        directed=None: undirected if the matrix is symmetric. Indices of a sorted CSR matrix are not copied."""
        from . import convert
        return convert.from_scipy(matrix, directed, weights, runtime)

    @staticmethod
    def from_networkx(graph: Any, weight: str = 'weight', runtime: Optional[Runtime] = None) -> Graph:
        """The graph of a networkx graph. Nodes that are all numbers from 0, or all text, are ids; otherwise ids are
        places in graph.nodes. weight: the attribute with the weights, if edges have it."""
        from . import convert
        return convert.from_networkx(graph, weight, runtime)

    @staticmethod
    def from_igraph(graph: Any, weight: str = 'weight', runtime: Optional[Runtime] = None) -> Graph:
        """The graph of an igraph graph. Ids are the numbers of its vertices."""
        from . import convert
        return convert.from_igraph(graph, weight, runtime)

    @staticmethod
    def from_table(table: Any, source: Optional[str] = None, target: Optional[str] = None, weight: Optional[str] = None,
                   directed: bool = False, runtime: Optional[Runtime] = None) -> Graph:
        """The graph of a table of pandas or polars, an edge in each row. source, target: the columns of the ends; by
        default the first two. weight: the column of the weights; by default 'weight' if there is one."""
        from . import convert
        return convert.from_table(table, source, target, weight, directed, runtime)

    def to_scipy(self) -> Any:
        """The adjacency matrix, a csr_array of SciPy with the weights, or ones."""
        from . import convert
        return convert.to_scipy(self)

    def to_networkx(self) -> Any:
        """A Graph or DiGraph of networkx; its nodes are the ids."""
        from . import convert
        return convert.to_networkx(self)

    def to_igraph(self) -> Any:
        """A Graph of igraph with the vertices in order, and the attributes 'name' and 'weight' if there are such."""
        from . import convert
        return convert.to_igraph(self)


def _named(prefix: str, name: str, argument: str) -> int:
    """The value of an enum by the end of its name, such as 'top-down'."""
    try:
        return getattr(c, prefix + name.upper().replace('-', '_'))
    except AttributeError:
        names: List[str] = [key[len(prefix):].lower() for key in vars(c) if key.startswith(prefix)]
        raise ValueError(f'{argument}: expected one of {", ".join(names)}; got {name!r}') from None


def _format(name: str) -> int:
    value = ctypes.c_uint()
    if not lib.gws_format_named(name.encode(), ctypes.byref(value)):
        raise ValueError(f'format: unknown format {name!r}')
    return value.value
