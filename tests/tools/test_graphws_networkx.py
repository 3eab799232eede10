#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""graphws against networkx on many small random graphs: directed and undirected, with weights (some of them zero), loops,
isolated vertices and several components."""
import csv
import io
import random
import unittest

from tool import ToolTest, skip, some

try:
    import networkx as nx
    from networkx.algorithms.link_analysis.pagerank_alg import _pagerank_python as pagerank  # needs neither numpy nor scipy
except ImportError:
    nx = None

ROUNDS = 12  # of two graphs each


def make(seed):
    """Returns a random graph of networkx with integer vertices and weights, and its vertices without edges."""
    draw = random.Random(seed)
    vertices = draw.choice((1, 2, 5, 12, 30))
    edges = draw.randrange(3 * vertices)
    graph = nx.DiGraph() if seed % 2 else nx.Graph()
    graph.add_nodes_from(range(vertices))
    for _ in range(edges):
        graph.add_edge(draw.randrange(vertices), draw.randrange(vertices), weight=draw.randrange(9))
    return graph


@unittest.skipIf(nx is None, 'networkx is not installed')
class Networkx(ToolTest):
    def graphs(self, loops=True):
        """Yields graphs, the arguments that read them, and the number of the graph."""
        for seed in some(range(2 * ROUNDS)):
            graph = make(seed)
            if not loops:
                graph.remove_edges_from(list(nx.selfloop_edges(graph)))
            text = f'p sp {len(graph)} {graph.number_of_edges() * (1 if graph.is_directed() else 2)}\n'
            for u, v, weight in graph.edges(data='weight'):
                text += f'a {u + 1} {v + 1} {weight}\n' + ('' if graph.is_directed() or u == v else f'a {v + 1} {u + 1} {weight}\n')
            if not graph.is_directed():
                text = text.replace(text.splitlines()[0], f'p sp {len(graph)} {text.count(chr(10)) - 1}', 1)
            path = self.write(f'{seed}.gr', text)
            yield seed, graph, [path, '--directed' if graph.is_directed() else '--undirected']

    def table(self, algorithm, arguments, *more):
        """Returns {vertex: the other values of its row as text}; vertices as in networkx."""
        rows = list(csv.reader(io.StringIO(self.good('graphws', algorithm, *arguments, *more, '--out=-', '--quiet', '--verify'))))
        return {int(row[0]) - 1: row[1:] for row in rows[1:]}

    def equal(self, found, wanted, seed, column=0, places=6):
        self.assertEqual(found.keys(), wanted.keys(), seed)
        for vertex, value in wanted.items():
            self.assertAlmostEqual(float(found[vertex][column]), value, places=places, msg=(seed, vertex))

    def test_sssp(self):
        for seed, graph, arguments in self.graphs():
            wanted = nx.single_source_dijkstra_path_length(graph, 0)
            found = self.table('sssp', arguments, '--source=1')
            self.assertEqual({v: int(row[0]) for v, row in found.items() if row[0]}, wanted, seed)
            for vertex, (distance, parent) in found.items():
                if distance and vertex:
                    step = graph[int(parent) - 1][vertex]['weight']
                    self.assertEqual(wanted[vertex], wanted[int(parent) - 1] + step, (seed, vertex))

    def test_path(self):
        for seed, graph, arguments in self.graphs():
            target = len(graph) - 1
            for more, weight in (([], 'weight'), (['--hops'], None)):
                found = self.json('graphws', 'path', *arguments, '--source=1', f'--target={target + 1}', '--verify', *more)
                if nx.has_path(graph, 0, target):
                    wanted = nx.shortest_path_length(graph, 0, target, weight=weight)
                    self.assertEqual(found['distance'], wanted, (seed, more))

    def test_components(self):
        for seed, graph, arguments in self.graphs():
            directed = graph.is_directed()
            weak = nx.weakly_connected_components(graph) if directed else nx.connected_components(graph)
            wanted = {v: min(part) + 1 for part in weak for v in part}
            self.assertEqual({v: int(row[0]) for v, row in self.table('cc', arguments).items()}, wanted, seed)
            strong = nx.strongly_connected_components(graph) if directed else nx.connected_components(graph)
            wanted = {v: min(part) + 1 for part in strong for v in part}
            self.assertEqual({v: int(row[0]) for v, row in self.table('cc', arguments, '--strong').items()}, wanted, seed)

    def test_pagerank(self):
        for seed, graph, arguments in self.graphs():
            some = {v: 1 for v in graph if v % 3 == 0}
            for more, personal in (([], None), (['--restart=' + ','.join(str(v + 1) for v in some)], some)):
                wanted = pagerank(graph, weight=None, tol=1e-12, max_iter=1000, personalization=personal)
                found = self.table('pagerank', arguments, '--tolerance=1e-12', '--precision=double', *more)
                self.equal(found, wanted, (seed, more), places=8)

    def test_betweenness(self):
        for seed, graph, arguments in self.graphs(loops=False):
            self.equal(self.table('bc', arguments), nx.betweenness_centrality(graph, normalized=False), seed)
            self.equal(self.table('bc', arguments, '--normalised'), nx.betweenness_centrality(graph), seed)

    def test_betweenness_of_edges(self):
        for seed, graph, arguments in self.graphs():
            if graph.is_directed() and set(graph.edges()) == {edge[::-1] for edge in graph.edges()}:
                continue  # it counts as undirected
            for more, normalised in (([], False), (['--normalised'], True)):
                wanted = nx.edge_betweenness_centrality(graph, normalized=normalised)
                text = self.good('graphws', 'bc', *arguments, *more, '--edges', '--out=-', '--quiet', '--verify')
                for row in csv.DictReader(io.StringIO(text)):
                    edge = int(row['from']) - 1, int(row['to']) - 1
                    value = wanted[edge] if edge in wanted else wanted[edge[::-1]]
                    self.assertAlmostEqual(float(row['centrality']), value, places=6, msg=(seed, edge))

    def test_closeness(self):
        for seed, graph, arguments in self.graphs(loops=False):
            found = self.table('closeness', arguments)
            self.equal(found, nx.closeness_centrality(graph), seed)
            self.equal(found, nx.harmonic_centrality(graph), seed, column=1)

    def test_distances(self):
        for seed, graph, arguments in self.graphs():
            for hops in (None, 2):
                more = [f'--hops={hops}'] if hops else []
                text = self.good('graphws', 'distances', *arguments, *more, '--out=-', '--quiet', '--verify')
                found = {(int(row['source']) - 1, int(row['vertex']) - 1): int(row['distance'])
                         for row in csv.DictReader(io.StringIO(text))}
                wanted = {(source, vertex): distance
                          for source, row in nx.all_pairs_shortest_path_length(graph, hops) for vertex, distance in row.items()}
                self.assertEqual(found, wanted, (seed, hops))
                summary = self.json('graphws', 'distances', *arguments, *more)
                self.assertEqual(summary['histogram'], [list(wanted.values()).count(d) for d in range(max(wanted.values()) + 1)])

    def test_diameter(self):
        for seed, graph, arguments in self.graphs(loops=False):
            part = max(nx.connected_components(graph.to_undirected()), key=len)
            parts = [graph.to_undirected().subgraph(one) for one in nx.connected_components(graph.to_undirected())]
            wanted = max(nx.diameter(one) for one in parts)
            self.assertEqual(self.json('graphws', 'closeness', *arguments, '--diameter', '--verify')['diameter'], wanted, (seed, part))

    def test_triangles(self):
        for seed, graph, arguments in self.graphs(loops=False):
            simple = graph.to_undirected()
            found = self.table('triangles', arguments)
            self.equal(found, nx.triangles(simple), seed)
            self.equal(found, nx.clustering(simple), seed, column=1)

    def test_cores(self):
        for seed, graph, arguments in self.graphs(loops=False):
            self.equal(self.table('kcore', arguments), nx.core_number(graph.to_undirected()), seed)

    def test_modularity(self):
        for seed, graph, arguments in self.graphs(loops=False):
            simple = graph.to_undirected()
            if graph.is_directed() or simple.size(weight='weight') == 0:
                continue
            for method in ('leiden', 'louvain'):
                parts = {}
                for vertex, (community,) in self.table('communities', arguments, f'--method={method}').items():
                    parts.setdefault(community, set()).add(vertex)
                found = self.json('graphws', 'communities', *arguments, f'--method={method}', '--verify')
                wanted = nx.algorithms.community.modularity(simple, parts.values())
                self.assertAlmostEqual(found['modularity'], wanted, places=6, msg=(seed, method))


if __name__ == '__main__':
    if nx is None:
        skip('graphws against networkx, which is not installed')
    unittest.main()
