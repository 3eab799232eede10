# SPDX-License-Identifier: MIT
"""Graphs from files and descriptions, and from whatever an algorithm is given."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Optional

from . import _declarations as c
from ._library import lib
from .graph import Graph, _format, _named
from .progress import Progress
from .runtime import Runtime, default_runtime


def load(path: Any, directed: Optional[bool] = None, weights: str = 'keep', format: str = 'auto', names: bool = False,
         positions: Any = None, remove_loops: bool = False, remove_duplicates: bool = False, trust: bool = False,
         mapped: bool = False, runtime: Optional[Runtime] = None, progress: Progress = None) -> Graph:
    """Reads a graph from a file (DIMACS, SNAP, MatrixMarket, METIS, PACE, CSV, .gwsg; also .gz), or generates one from
    a description such as 'kron:20', 'uniform:20', 'grid:300x200' or 'road:1000000'.

    directed=None: as the file says. weights: 'keep', 'round' or 'drop'. positions: a DIMACS .co file. Errors have the
    file, line and column (GraphwsError)."""
    runtime, where, graph = runtime or default_runtime(), c.gws_diagnostic(), ctypes.c_void_p()
    options = c.gws_read_options(
        format=_format(format), weights=_named('GWS_WEIGHTS_', weights, 'weights'), remove_loops=remove_loops,
        direction=c.GWS_EDGES_AS_FILE if directed is None else c.GWS_EDGES_DIRECTED if directed else c.GWS_EDGES_UNDIRECTED,
        remove_duplicates=remove_duplicates, names=names, positions=None if positions is None else os.fsencode(positions),
        trust=trust, mapped=mapped)
    runtime.call(lib.gws_graph_load, runtime._pointer, os.fsencode(path), ctypes.byref(options), ctypes.byref(graph),
                 ctypes.byref(where), where=where, progress=progress, file=os.fspath(path))
    return Graph(graph.value)


def as_graph(graph: Any) -> Graph:
    """A Graph as it is; otherwise the graph of a path or description, or of another library's object."""
    if isinstance(graph, Graph):
        return graph
    if isinstance(graph, (str, os.PathLike)):
        return load(graph)
    for mark, make in (('tocsr', Graph.from_scipy), ('get_edgelist', Graph.from_igraph), ('is_multigraph', Graph.from_networkx),
                       ('columns', Graph.from_table)):
        if hasattr(graph, mark):
            return make(graph)
    raise TypeError(f'expected a graph, a path or a table of edges; got {type(graph).__name__}')
