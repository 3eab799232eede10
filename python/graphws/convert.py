# SPDX-License-Identifier: MIT
"""Graphs from and to SciPy, networkx, igraph, pandas and polars. None of them is imported before it is used."""
from __future__ import annotations

from typing import Any, Optional

from .graph import Graph
from .runtime import Runtime


def from_scipy(matrix: Any, directed: Optional[bool], weights: bool, runtime: Optional[Runtime]) -> Graph:
    csr = matrix.tocsr()
    if csr.shape[0] != csr.shape[1]:
        raise ValueError(f'expected a square matrix, got {csr.shape[0]} x {csr.shape[1]}')
    if not csr.has_canonical_format:
        csr = csr.copy()
        csr.sum_duplicates()
    weight = csr.data if weights and csr.data.dtype.kind != 'b' else None
    graph = Graph.from_csr(csr.indptr, csr.indices, weight, directed=True, trusted=False, runtime=runtime)
    if directed is not True:
        graph.add_reverse(runtime)  # a symmetric graph becomes undirected
    return graph.symmetrised(runtime) if directed is False and graph.directed else graph


def _weights(values: list) -> Optional[list]:
    """The weights, 1 where there is none; None if there are none at all."""
    return [1 if value is None else value for value in values] if any(value is not None for value in values) else None


def from_networkx(graph: Any, weight: str, runtime: Optional[Runtime]) -> Graph:
    import numpy as np
    nodes = list(graph.nodes)
    kinds = {bool: None, int: 'number', str: 'name'}
    same = {kinds.get(type(node)) if not isinstance(node, np.integer) else 'number' for node in nodes}
    if same == {'number'} and min(nodes) >= 0 and max(nodes) < 2**64 or same == {'name'}:
        nodes.sort()
    vertex = {node: v for v, node in enumerate(nodes)}
    edges = [(vertex[u], vertex[v]) for u, v in graph.edges()]
    values = [data for *_, data in graph.edges(data=weight)]
    made = Graph.from_edges(np.array(edges, np.uint32).reshape(-1, 2), weight=_weights(values), directed=graph.is_directed(),
                            vertices=len(nodes), remove_duplicates=False, runtime=runtime)
    if same == {'name'}:
        from .build import _name
        _name(made, np.array(nodes, str))
    elif same == {'number'} and nodes != list(range(len(nodes))):
        _number(made, np.array(nodes, np.uint64))
    return made


def _number(graph: Graph, ids: Any) -> None:
    from ._library import lib
    from .arrays import pointer_of
    graph._owner.keep.append(ids)
    lib.gws_graph_borrow_ids(graph._pointer, pointer_of(ids))


def from_igraph(graph: Any, weight: str, runtime: Optional[Runtime]) -> Graph:
    import numpy as np
    weights = graph.es[weight] if weight in graph.es.attributes() else None
    return Graph.from_edges(np.array(graph.get_edgelist(), np.uint32).reshape(-1, 2), weight=weights and _weights(weights),
                            directed=graph.is_directed(), vertices=graph.vcount(), remove_duplicates=False, runtime=runtime)


def from_table(table: Any, source: Optional[str], target: Optional[str], weight: Optional[str], directed: bool,
               runtime: Optional[Runtime]) -> Graph:
    columns = list(table.columns)
    if len(columns) < 2:
        raise ValueError(f'expected a table with two columns of ends; it has {columns}')
    weight = weight or ('weight' if 'weight' in columns else None)
    src, dst = (table[name].to_numpy() for name in (source or columns[0], target or columns[1]))
    return Graph.from_edges(src, dst, weight=None if weight is None else table[weight].to_numpy(), directed=directed, runtime=runtime)


def to_scipy(graph: Graph) -> Any:
    import numpy as np
    from scipy.sparse import csr_array
    weight = np.ones(graph.arcs, np.int8) if graph.weight is None else graph.weight
    return csr_array((weight, graph.target.view(np.int32), graph.offset.view(np.int64)), shape=(graph.vertices,) * 2)


def _arcs(graph: Graph) -> Any:
    """(from, to, weight or None) of each arc, of undirected graphs each edge once."""
    import numpy as np
    source = np.repeat(np.arange(graph.vertices, dtype=np.uint32), np.diff(graph.offset).astype(np.int64))
    keep = slice(None) if graph.directed else source <= graph.target
    return source[keep], graph.target[keep], None if graph.weight is None else graph.weight[keep]


def to_networkx(graph: Graph) -> Any:
    import networkx as nx
    result = nx.DiGraph() if graph.directed else nx.Graph()
    ids = graph.ids.tolist()
    result.add_nodes_from(ids)
    source, target, weight = _arcs(graph)
    ends = [(ids[u], ids[v]) for u, v in zip(source.tolist(), target.tolist())]
    if weight is None:
        result.add_edges_from(ends)
    else:
        result.add_weighted_edges_from((*pair, value) for pair, value in zip(ends, weight.tolist()))
    return result


def to_igraph(graph: Graph) -> Any:
    import igraph
    source, target, weight = _arcs(graph)
    result = igraph.Graph(n=graph.vertices, edges=list(zip(source.tolist(), target.tolist())), directed=graph.directed)
    result.vs['name'] = graph.ids.tolist()
    if weight is not None:
        result.es['weight'] = weight.tolist()
    return result
