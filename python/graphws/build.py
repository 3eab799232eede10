# SPDX-License-Identifier: MIT
"""Builds graphs from edges whose ends are any numbers or names."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Optional, Tuple

from . import _declarations as c
from ._library import lib
from .arrays import integers, pointer_of, weights_of
from .graph import Graph
from .progress import Progress
from .runtime import Runtime, default_runtime

if TYPE_CHECKING:
    import numpy as np


def _pairs(src: Any, dst: Any) -> Tuple[np.ndarray, bool]:
    """The ends as an array of pairs, and whether they are names."""
    import numpy as np
    ends = [np.asarray(src)] if dst is None else [np.asarray(src), np.asarray(dst)]
    if dst is None and (ends[0].ndim != 2 or ends[0].shape[1] != 2) and ends[0].size:
        raise ValueError(f'src: expected pairs, got an array of shape {ends[0].shape}')
    if dst is not None and (ends[0].ndim != 1 or ends[0].shape != ends[1].shape):
        raise ValueError(f'src and dst: expected two lists of one length, got shapes {ends[0].shape} and {ends[1].shape}')
    names = [end.dtype.kind in 'OUST' for end in ends]
    if any(names):
        return np.array([[str(end) for end in row] for row in (ends[0] if dst is None else zip(*ends))], str).reshape(-1, 2), True
    if dst is None:
        return integers(ends[0], 'src').reshape(-1, 2), False
    ends = [integers(end, name) for end, name in zip(ends, ('src', 'dst'))]
    pairs = np.empty((len(ends[0]), 2), max(end.dtype for end in ends))
    pairs[:, 0], pairs[:, 1] = ends
    return pairs, False


def _compact(pairs: np.ndarray) -> Tuple[np.ndarray, Optional[np.ndarray], int]:
    """Pairs of vertices, and the ids that occur, ascending; None: the ids are the vertices. Also their number."""
    import numpy as np
    top = int(pairs.max()) if pairs.size else -1
    if top < 4 * pairs.size + 1024:
        seen = np.zeros(top + 1, bool)
        seen[pairs] = True
        if seen.all():
            return pairs, None, top + 1
        vertex = np.cumsum(seen, dtype=np.uint32)
        vertex -= 1
        return vertex[pairs], np.flatnonzero(seen).astype(np.uint64), int(seen.sum())
    ids, inverse = np.unique(pairs, return_inverse=True)
    return inverse.reshape(pairs.shape), ids.astype(np.uint64), len(ids)


def _name(graph: Graph, names: np.ndarray) -> None:
    """Gives the vertices their names, which ascend."""
    import numpy as np
    parts = [name.encode() for name in names.tolist()]
    for name in parts:
        if not 0 < len(name) <= c.GWS_MAX_NAME or any(bad in name for bad in b'\0\n\r'):
            raise ValueError(f'names have 1 to {c.GWS_MAX_NAME} bytes without 0 and ends of lines; got {name[:40]!r}')
    offset = np.zeros(len(parts) + 1, np.uint64)
    np.cumsum([len(name) for name in parts], out=offset[1:])
    text = np.frombuffer(b''.join(parts), np.uint8)
    # Code points and bytes of UTF-8 sort alike, so order is NULL.
    given = c.gws_names(offset=pointer_of(offset), text=text.ctypes.data_as(ctypes.c_char_p), order=None)
    lib.gws_graph_borrow_names(graph._pointer, ctypes.byref(given))
    graph._owner.keep += [offset, text]


def from_edges(src: Any, dst: Any, weight: Any, directed: bool, vertices: Optional[int], remove_loops: bool,
               remove_duplicates: bool, runtime: Optional[Runtime], progress: Progress) -> Graph:
    import numpy as np
    runtime = runtime or default_runtime()
    pairs, named = _pairs(src, dst)
    ids: Any = None
    count = vertices
    if named:
        if vertices is not None:
            raise ValueError('vertices: ends that are names have no numbers')
        ids, inverse = np.unique(pairs, return_inverse=True)
        pairs, count = inverse.reshape(pairs.shape), len(ids)
    elif vertices is None:
        pairs, ids, count = _compact(pairs)
    elif pairs.dtype != np.uint32:
        raise ValueError(f'src and dst: {pairs.max()} is not below {vertices}')
    pairs = np.ascontiguousarray(pairs, np.uint32)
    weight = None if weight is None else weights_of(weight)
    if weight is not None and weight.shape != (len(pairs),):
        raise ValueError(f'weight: expected {len(pairs)} numbers, got an array of shape {weight.shape}')
    real = weight is not None and weight.dtype == np.float32
    block = c.gws_edge_block(edge=pointer_of(pairs), weight=None if real else pointer_of(weight),
                             real_weight=pointer_of(weight) if real else None, count=len(pairs))
    edges = c.gws_edges(vertices=count, blocks=1, block=ctypes.addressof(block))
    options = c.gws_build_options(kind=c.GWS_BUILD_DIRECTED if directed else c.GWS_BUILD_SYMMETRISE, remove_loops=remove_loops,
                                  remove_duplicates=remove_duplicates)
    result = ctypes.c_void_p()
    runtime.call(lib.gws_graph_build, runtime._pointer, ctypes.byref(edges), ctypes.byref(options), ctypes.byref(result),
                 progress=progress)
    graph = Graph(result.value)
    if named:
        _name(graph, ids)
    elif ids is not None:
        graph._owner.keep.append(ids)
        lib.gws_graph_borrow_ids(graph._pointer, pointer_of(ids))
    return graph
