# SPDX-License-Identifier: MIT
"""python -m graphws ALGORITHM GRAPH: the tool graphws has far more options, but a wheel has no tools."""
from __future__ import annotations

import argparse
import csv
import sys
from typing import Any, List, Optional

import graphws

ALGORITHMS: Any = {'bfs': graphws.bfs, 'sssp': graphws.sssp, 'cc': graphws.components, 'pagerank': graphws.pagerank,
              'bc': graphws.betweenness, 'closeness': graphws.closeness, 'triangles': graphws.triangles, 'kcore': graphws.kcore,
              'communities': graphws.communities, 'diameter': graphws.diameter}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog='python -m graphws', description='Runs a graph algorithm.')
    parser.add_argument('algorithm', choices=ALGORITHMS)
    parser.add_argument('graph', help="a file, or a description such as kron:20")
    parser.add_argument('--source', help='where bfs and sssp start: an id or a name; by default a vertex with the most arcs')
    parser.add_argument('--directed', action='store_true', default=None, help='each edge is one arc')
    parser.add_argument('--undirected', action='store_false', dest='directed', help='each edge is an arc in both directions')
    parser.add_argument('--device', default='cpu', help='cpu, or a device such as cuda or opencl:1')
    parser.add_argument('--threads', type=int, default=0, help='workers; by default one for each CPU')
    parser.add_argument('--out', help="write a row for each vertex as CSV; '-' is the standard output")
    parser.add_argument('--version', action='version', version=graphws.__version__)
    return parser


def _write(path: str, graph: graphws.Graph, result: Any) -> None:
    """The arrays of a result that have an entry for each vertex, as columns."""
    arrays = {name: getattr(result, name) for name in result.ARRAYS if name != 'real_distance'}
    columns = {name: array.tolist() for name, array in arrays.items() if array is not None and len(array) == graph.vertices}
    out = sys.stdout if path == '-' else open(path, 'w', newline='', encoding='utf-8')
    with out:
        rows = csv.writer(out, lineterminator='\n')
        rows.writerow(['vertex', *columns])
        rows.writerows(zip(graph.ids.tolist(), *columns.values()))


def main(arguments: Optional[List[str]] = None) -> int:
    parser = _parser()
    args = parser.parse_args(arguments)
    more = {}
    if args.source is not None:
        if args.algorithm not in ('bfs', 'sssp'):
            parser.error(f'--source has no effect on {args.algorithm}')
        more['source'] = int(args.source) if args.source.isdigit() else args.source
    runtime = graphws.Runtime(threads=args.threads)
    try:
        graph = graphws.load(args.graph, directed=args.directed, runtime=runtime)
        result = ALGORITHMS[args.algorithm](graph, device=args.device, runtime=runtime, **more)
        if args.out:
            _write(args.out, graph, result)
    except (graphws.GraphwsError, ValueError, KeyError, OSError) as error:
        print(f'graphws: {error.args[0] if isinstance(error, KeyError) else error}', file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    if args.out != '-':
        print(f'graph    {args.graph}: {graph.vertices:,} vertices, {graph.arcs:,} arcs, {"" if graph.directed else "un"}directed')
        print(f'time     {result.ms:.3g} ms')
        for name in result.__annotations__:
            if name not in result.ARRAYS:
                print(f'{name:<8} {getattr(result, name)}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
