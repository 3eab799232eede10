# SPDX-License-Identifier: MIT
"""Algorithms on graphs. Each takes a Graph, a path or description (see load()), or a graph of another library.

device: 'cpu', or the name of a device such as 'cuda', 'cuda:1' or 'opencl'; bfs() and label_propagation() also take both, such
as 'cpu,cuda'. runtime: a Runtime; None: the default one. progress: True, or a function (see graphws.progress)."""
from __future__ import annotations

from ctypes import byref
from typing import Any, Optional

from . import _declarations as c
from ._library import lib
from .arrays import pointer_of
from .graph import _named
from .progress import Progress
from .results import Array, Call, Result
from .runtime import Runtime


class BfsResult(Result):
    """Depths and parents of a breadth-first search. Unreached vertices have NO_VERTEX; the source is its own parent."""

    STRUCT, CLEAR, FETCH = c.gws_bfs_result, 'gws_bfs_result_clear', 'gws_bfs_device_fetch'
    ARRAYS = {'depth': ('<u4', 'vertices'), 'parent': ('<u4', 'vertices')}
    PARTS = {'depth': c.GWS_BFS_DEPTH, 'parent': c.GWS_BFS_PARENT}
    BUFFERS = {name: ('gws_bfs_device_buffer', part) for name, part in PARTS.items()}
    depth: Array
    parent: Array
    source: int
    reached: int
    levels: int

    def _fetch(self, part: int) -> None:
        if not getattr(self._owned.struct, 'depth' if part == c.GWS_BFS_DEPTH else 'parent'):
            super()._fetch(part)


def bfs(graph: Any, source: Any = None, direction: str = 'auto', device: str = 'cpu', runtime: Optional[Runtime] = None,
        progress: Progress = None) -> BfsResult:
    """Breadth-first search from the vertex with the id `source` (None: a vertex with the most arcs).

    direction: 'auto', 'top-down' or 'bottom-up'. A directed graph searches in both directions if it has its reverse
    (Graph.add_reverse())."""
    call = Call(BfsResult, graph, device, runtime, progress, both=True)
    value, vertex = _named('GWS_BFS_', direction, 'direction'), call.vertex(source)
    if call.device is None:
        return call.threads(lib.gws_bfs, vertex, byref(c.gws_bfs_options(direction=value)))
    options = c.gws_bfs_device_options(cpu=call.cpu, direction=value)
    return call.on_device('gws_bfs_device', (byref(options),), vertex, key=bytes(options))


class SsspResult(Result):
    """Shortest distances and parents. `distance` is uint64 with 2**64 - 1 for unreached vertices, or with real weights
    float64 with inf. On a device, integers have 32 bits if they fit, and all bits set for unreached vertices."""

    STRUCT, CLEAR, FETCH = c.gws_sssp_result, 'gws_sssp_result_clear', 'gws_sssp_device_fetch'
    ARRAYS = {'distance': ('<u8', 'vertices'), 'real_distance': ('<f8', 'vertices'), 'parent': ('<u4', 'vertices')}
    BUFFERS = {'distance': ('gws_sssp_device_distances',), 'parent': ('gws_sssp_device_parents',)}
    LATE = ('max_distance', 'reached_arcs')
    distance: Array
    parent: Array
    source: int
    reached: int
    max_distance: float

    def _kind(self, name: str, entries: int, size: int) -> str:
        if name == 'parent':
            return '<u4'
        return '<f8' if self._graph._struct.real_weight else f'<u{size // entries if entries else 8}'

    def _on_host(self, name: str) -> Any:
        real = name == 'distance' and self._graph._struct.real_weight
        return super()._on_host('real_distance' if real else name)


def sssp(graph: Any, source: Any = None, delta: float = 0, device: str = 'cpu', runtime: Optional[Runtime] = None,
         progress: Progress = None) -> SsspResult:
    """Shortest paths from one vertex by weights of at least 0, without weights by the number of arcs. delta: the width of
    a bucket; 0: chosen."""
    call = Call(SsspResult, graph, device, runtime, progress)
    options, vertex = c.gws_sssp_options(delta=delta), call.vertex(source)
    if call.device is None:
        return call.threads(lib.gws_sssp, vertex, byref(options), where=True)
    return call.on_device('gws_sssp_device', (byref(options),), vertex, key=bytes(options))


class ComponentsResult(Result):
    """Connected components."""

    STRUCT, CLEAR, FETCH = c.gws_components_result, 'gws_components_result_clear', 'gws_components_device_fetch'
    ARRAYS = {'component': ('<u4', 'vertices')}
    BUFFERS = {'component': ('gws_components_device_buffer',)}
    component: Array
    components: int
    largest: int


def components(graph: Any, strong: bool = False, device: str = 'cpu', runtime: Optional[Runtime] = None,
               progress: Progress = None) -> ComponentsResult:
    """Weak or strong components: `component` is the smallest vertex of each vertex's component, `components` their number,
    `largest` the size of the largest one."""
    call = Call(ComponentsResult, graph, device, runtime, progress)
    if call.device is None:
        return call.threads(lib.gws_components, byref(c.gws_components_options(strong=strong)))
    return call.on_device('gws_components_device', (), open_by='_open_strong' if strong else '_open')


def connected_components(graph: Any, strong: bool = False, device: str = 'cpu', runtime: Optional[Runtime] = None,
                         progress: Progress = None) -> Array:
    """The component of each vertex, as its smallest vertex. components() has their number too."""
    return components(graph, strong, device, runtime, progress).component


def strong_components(graph: Any, device: str = 'cpu', runtime: Optional[Runtime] = None, progress: Progress = None) -> Array:
    """The strong component of each vertex, as its smallest vertex."""
    return connected_components(graph, True, device, runtime, progress)


class PagerankResult(Result):
    """PageRank; the ranks sum to 1."""

    STRUCT, CLEAR, FETCH = c.gws_pagerank_result, 'gws_pagerank_result_clear', 'gws_pagerank_device_fetch'
    ARRAYS = {'rank': ('<f8', 'vertices')}
    BUFFERS = {'rank': ('gws_pagerank_device_buffer',)}
    rank: Array
    iterations: int
    converged: bool
    error: float


def pagerank(graph: Any, damping: float = 0.85, tolerance: float = 1e-6, max_iterations: int = 1000, sources: Any = None,
             precision: str = 'auto', device: str = 'cpu', runtime: Optional[Runtime] = None,
             progress: Progress = None) -> PagerankResult:
    """PageRank until the ranks change by at most `tolerance` in sum. sources: the ids where a personalised walk restarts.
    precision: 'auto', 'float' or 'double'."""
    call = Call(PagerankResult, graph, device, runtime, progress)
    if not damping or not tolerance or max_iterations < 1:  # 0 means a default to the library
        raise ValueError('damping and tolerance are not 0, and max_iterations is at least 1')
    source = None if sources is None else call.graph._vertices_of(sources)
    options = c.gws_pagerank_options(damping=damping, tolerance=tolerance, max_iterations=max_iterations, source=pointer_of(source),
                                     sources=0 if source is None else len(source),
                                     precision=_named('GWS_PAGERANK_', precision, 'precision'))
    if call.device is None:
        return call.threads(lib.gws_pagerank, byref(options))
    return call.on_device('gws_pagerank_device', (byref(options),), key=bytes(options) if source is None else None)


class BetweennessResult(Result):
    """Betweenness of vertices (`centrality`) and, if asked for, of arcs (`arc`)."""

    STRUCT, CLEAR, FETCH = c.gws_betweenness_result, 'gws_betweenness_result_clear', 'gws_betweenness_device_fetch'
    ARRAYS = {'centrality': ('<f8', 'vertices'), 'arc': ('<f8', 'arcs'), 'source': ('<u4', 'sources')}
    centrality: Array
    arc: Optional[Array]
    sources: int


def betweenness(graph: Any, sources: Any = None, samples: int = 0, seed: int = 1, normalised: bool = False, arcs: bool = False,
                device: str = 'cpu', runtime: Optional[Runtime] = None, progress: Progress = None) -> BetweennessResult:
    """Betweenness centrality by networkx's definition, from all vertices, from the ids `sources`, or from `samples`
    random vertices. arcs: also for each arc, in the order of Graph.target."""
    call = Call(BetweennessResult, graph, device, runtime, progress)
    source = None if sources is None else call.graph._vertices_of(sources)
    options = c.gws_betweenness_options(source=pointer_of(source), sources=0 if source is None else len(source), samples=samples,
                                        seed=seed, normalised=normalised, arcs=arcs)
    if call.device is None:
        return call.threads(lib.gws_betweenness, byref(options))
    result = call.on_device('gws_betweenness_device', (), byref(options))
    result._fetch(0)  # it scales by these options, which the search refers to
    return result


class TrianglesResult(Result):
    """Triangles and clustering."""

    STRUCT, CLEAR, FETCH = c.gws_triangles_result, 'gws_triangles_result_clear', 'gws_triangles_device_fetch'
    ARRAYS = {'count': ('<u8', 'vertices'), 'clustering': ('<f8', 'vertices')}
    BUFFERS = {'count': ('gws_triangles_device_buffer',)}
    LATE = ('mean_clustering',)
    count: Array
    clustering: Array
    triangles: int
    wedges: int
    transitivity: float
    mean_clustering: float


def triangles(graph: Any, directed: bool = False, device: str = 'cpu', runtime: Optional[Runtime] = None,
              progress: Progress = None) -> TrianglesResult:
    """Triangles of each vertex (`count`) and in all (`triangles`), local clustering coefficients (`clustering`), their
    mean, and the transitivity. directed: count arcs in `clustering` as LDBC Graphalytics does."""
    call = Call(TrianglesResult, graph, device, runtime, progress)
    options = c.gws_triangles_options(parts=c.GWS_TRIANGLES_COUNT | c.GWS_TRIANGLES_CLUSTERING, directed=directed)
    if call.device is None:
        return call.threads(lib.gws_triangles, byref(options))
    return call.on_device('gws_triangles_device', (byref(options),), key=bytes(options))


class CoresResult(Result):
    """Corenesses."""

    STRUCT, CLEAR, FETCH = c.gws_cores_result, 'gws_cores_result_clear', 'gws_cores_device_fetch'
    ARRAYS = {'core': ('<u4', 'vertices')}
    BUFFERS = {'core': ('gws_cores_device_buffer',)}
    core: Array
    max_core: int


def kcore(graph: Any, device: str = 'cpu', runtime: Optional[Runtime] = None, progress: Progress = None) -> CoresResult:
    """The coreness of each vertex (`core`) and the largest one (`max_core`)."""
    call = Call(CoresResult, graph, device, runtime, progress)
    return call.threads(lib.gws_cores) if call.device is None else call.on_device('gws_cores_device', ())


class CommunitiesResult(Result):
    """Communities: `community` is a vertex that names the community of each vertex."""

    STRUCT, CLEAR, FETCH = c.gws_communities_result, 'gws_communities_result_clear', 'gws_communities_device_fetch'
    ARRAYS = {'community': ('<u4', 'vertices')}
    BUFFERS = {'community': ('gws_communities_device_buffer',)}
    community: Array
    count: int
    largest: int
    modularity: float


def communities(graph: Any, method: str = 'leiden', resolution: float = 1, iterations: int = 10, weights: bool = True,
                device: str = 'cpu', runtime: Optional[Runtime] = None, progress: Progress = None) -> CommunitiesResult:
    """Communities by 'leiden', 'louvain', or 'cdlp' (label propagation of LDBC Graphalytics, with `iterations`)."""
    call = Call(CommunitiesResult, graph, device, runtime, progress)
    options = c.gws_communities_options(method=_named('GWS_COMMUNITIES_', method, 'method'), resolution=resolution,
                                        iterations=iterations, ignore_weights=not weights)
    if call.device is None:
        return call.threads(lib.gws_communities, byref(options))
    return call.on_device('gws_communities_device', (byref(options),), key=bytes(options))


class ClosenessResult(Result):
    """Closeness, harmonic centrality and eccentricity of vertices, in the order of the sources, or of all vertices."""

    STRUCT, CLEAR, FETCH = c.gws_closeness_result, 'gws_closeness_result_clear', 'gws_closeness_device_fetch'
    ARRAYS = {'closeness': ('<f8', 'sources'), 'harmonic': ('<f8', 'sources'), 'total': ('<u8', 'sources'),
              'reached': ('<u4', 'sources'), 'eccentricity': ('<u4', 'sources'), 'source': ('<u4', 'sources')}
    BUFFERS = {name: ('gws_closeness_device_buffer', getattr(c, f'GWS_CLOSENESS_{name.upper()}'))
               for name in ('reached', 'eccentricity', 'total', 'harmonic')}
    LATE = ('diameter', 'radius')
    closeness: Array
    harmonic: Array
    eccentricity: Array
    total: Array
    reached: Array
    diameter: int
    radius: int


def closeness(graph: Any, sources: Any = None, samples: int = 0, seed: int = 1, outgoing: bool = False, scaled: bool = True,
              device: str = 'cpu', runtime: Optional[Runtime] = None, progress: Progress = None) -> ClosenessResult:
    """Closeness by networkx's definition, harmonic centrality and eccentricity of all vertices, of the ids `sources`, or of
    `samples` random vertices. outgoing: by distances from the vertex; otherwise to it."""
    call = Call(ClosenessResult, graph, device, runtime, progress)
    source = None if sources is None else call.graph._vertices_of(sources)
    options = c.gws_closeness_options(source=pointer_of(source), sources=0 if source is None else len(source), samples=samples,
                                      seed=seed, outgoing=outgoing, unscaled=not scaled)
    if call.device is None:
        return call.threads(lib.gws_closeness, byref(options))
    return call.on_device('gws_closeness_device', (byref(options),), key=bytes(options) if source is None else None)
