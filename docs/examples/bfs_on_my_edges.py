# SPDX-License-Identifier: MIT
"""The search of bfs_on_my_edges.c from Python, by ctypes. The library uses numpy's arrays without a copy.

The classes below are the structs of graphws/lib/graph.h and graphws/traversal/bfs.h, field by field. If graphws is not in
the system's folders, GRAPHWS_LIBRARY is the path of libgraphws.so."""
import ctypes
import os

import numpy as np

NO_VERTEX = 2**32 - 1
gws = ctypes.CDLL(os.environ.get('GRAPHWS_LIBRARY', 'libgraphws.so'))
gws.gws_status_text.restype = ctypes.c_char_p


class EdgeBlock(ctypes.Structure):
    _fields_ = [('edge', ctypes.c_void_p), ('weight', ctypes.c_void_p), ('real_weight', ctypes.c_void_p),
                ('count', ctypes.c_uint64)]


class Edges(ctypes.Structure):
    _fields_ = [('vertices', ctypes.c_uint64), ('blocks', ctypes.c_uint64), ('block', ctypes.POINTER(EdgeBlock))]


class BuildOptions(ctypes.Structure):
    _fields_ = [('kind', ctypes.c_int), ('remove_loops', ctypes.c_bool), ('remove_duplicates', ctypes.c_bool)]


class BfsResult(ctypes.Structure):
    _fields_ = [('vertices', ctypes.c_uint64), ('source', ctypes.c_uint32),
                ('depth', ctypes.POINTER(ctypes.c_uint32)), ('parent', ctypes.POINTER(ctypes.c_uint32)),
                ('narrow', ctypes.c_void_p), ('narrow_bytes', ctypes.c_uint32), ('reached', ctypes.c_uint64), ('reached_arcs', ctypes.c_uint64), ('levels', ctypes.c_uint32),
                ('level', ctypes.c_void_p), ('ms', ctypes.c_double), ('scratch', ctypes.c_void_p)]


SYMMETRISE = 1  # GWS_BUILD_SYMMETRISE


def check(status):
    if status != 0:
        raise RuntimeError(gws.gws_status_text(status).decode())


def breadth_first(edges, vertices, source):
    """Returns the depth of every vertex from source. edges is an n x 2 array; each edge goes in both directions."""
    edges = np.ascontiguousarray(edges, dtype=np.uint32)
    runtime, graph, result = ctypes.c_void_p(), ctypes.c_void_p(), BfsResult()
    block = EdgeBlock(edges.ctypes.data, None, None, len(edges))
    try:
        check(gws.gws_runtime_open(None, ctypes.byref(runtime)))
        check(gws.gws_graph_build(runtime, ctypes.byref(Edges(vertices, 1, ctypes.pointer(block))),
                                  ctypes.byref(BuildOptions(SYMMETRISE, False, False)), ctypes.byref(graph)))
        check(gws.gws_bfs(runtime, graph, ctypes.c_uint32(source), None, ctypes.byref(result)))
        return np.ctypeslib.as_array(result.depth, (vertices,)).copy()  # gws_bfs_result_clear() frees the result's own array
    finally:
        gws.gws_bfs_result_clear(ctypes.byref(result))
        gws.gws_graph_destroy(graph)
        gws.gws_runtime_close(runtime)


if __name__ == '__main__':
    for v, depth in enumerate(breadth_first([[0, 1], [1, 2], [2, 3], [0, 4], [4, 3]], 6, 0)):
        if depth != NO_VERTEX:
            print(f'{v} is {depth} away')
