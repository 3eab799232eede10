#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Algorithms against serial oracles, and against networkx, igraph and NetworKit where they are installed."""
import random
import time
import unittest
import warnings

from package import PackageTest, gw, library, neighbours_of, np, random_edges, shortest

UNREACHED = 2**32 - 1


def graphs():
    """(seed, Graph, rows) of some small graphs, half of them directed."""
    for seed in range(6):
        vertices, edges = random_edges(seed, vertices=20 + seed, edges=30 + 5 * seed)
        src, dst, weight = zip(*edges)
        yield seed, gw.Graph.from_edges(src, dst, weight, directed=seed % 2 == 1, vertices=vertices), neighbours_of(vertices, edges, seed % 2 == 1)


class Oracles(PackageTest):
    def test_distances(self):
        for seed, g, rows in graphs():
            with self.subTest(seed):
                hops = [[shortest(rows, s, True).get(v, UNREACHED) for v in rows] for s in range(3)]
                self.same(gw.distances(g, [0, 1, 2]), hops)
                for s in range(3):
                    result, wanted = gw.bfs(g, s), shortest(rows, s)
                    self.same(result.depth, hops[s])
                    self.assertEqual((result.reached, result.source), (len(wanted), s))
                    for v, parent in enumerate(result.parent.tolist()):
                        self.assertTrue(v == s or parent == UNREACHED or v in rows[parent] and hops[s][parent] + 1 == hops[s][v])
                    lengths = gw.sssp(g, s)
                    self.assertEqual(lengths.distance.tolist(), [wanted.get(v, gw.NO_DISTANCE) for v in rows])
                    self.assertEqual(lengths.max_distance, max(wanted.values()))
                    for t in (5, 9):
                        path = gw.path(g, s, t)
                        self.assertEqual(path.distance.tolist()[-1:], [wanted[t]] if t in wanted else [])
                        self.assertEqual(path.length > 0, t in wanted)
                        self.assertEqual(gw.path(g, s, t, hops=True).distance.tolist()[-1:], [hops[s][t]] if t in wanted else [])
                g.add_reverse()
                for direction in ('top-down', 'bottom-up'):
                    self.same(gw.bfs(g, 0, direction=direction).depth, hops[0])

    def test_components(self):
        for seed, g, rows in graphs():
            reach = {v: set(shortest(rows, v)) for v in rows}
            strong = [min(u for u in rows if u in reach[v] and v in reach[u]) for v in rows]
            self.same(gw.strong_components(g), strong)
            both = {v: {**rows[v], **{u: 1 for u in rows if v in rows[u]}} for v in rows}
            weak = [min(shortest(both, v)) for v in rows]
            self.same(gw.connected_components(g), weak)
            result = gw.components(g)
            self.assertEqual((result.components, result.largest), (len(set(weak)), max(map(weak.count, weak))))
            self.same(gw.label_propagation(g), [min(u for u in rows if v in reach[u]) for v in rows])
            largest = max(len_ - 1 for v in both for len_ in [1 + max(shortest(both, v, True).values())])
            found = gw.diameter(g)
            self.assertEqual(found.diameter, largest)
            self.assertEqual(shortest(both, int(found.ends[0]), True)[int(found.ends[1])], largest)

    def test_real_weights(self):
        g = gw.Graph.from_edges([0, 1, 3], [1, 2, 4], weight=[.5, .25, 1.])
        result = gw.sssp(g, 0)
        self.assertEqual(result.distance.dtype, np.float64)
        self.assertEqual(result.distance.tolist(), [0, .5, .75, float('inf'), float('inf')])
        self.assertEqual(gw.path(g, 0, 2).distance.tolist(), [0, .5, .75])
        self.assertEqual(gw.path(g, 0, 4).distance.tolist(), [])

    def test_refused(self):
        g = gw.load('grid:4x4')
        negative = gw.Graph.from_edges([0], [1], weight=[-1])
        for call in (lambda: gw.sssp(negative, 0), lambda: gw.pagerank(g, damping=1), lambda: gw.pagerank(g, damping=0),
                     lambda: gw.communities(g, resolution=-1), lambda: gw.communities(g, method='guess'), lambda: gw.sssp(g, 0, delta=-1),
                     lambda: gw.bfs(g, device='cpu,cpu'), lambda: gw.sssp(g, device='cpu,cuda'), lambda: gw.bfs(g, device='')):
            with self.assertRaises(ValueError):
                call()
        empty = gw.Graph.from_edges([], [])
        self.assertEqual(len(gw.connected_components(empty)), 0)
        with self.assertRaises(gw.GraphwsError):
            gw.bfs(empty)
        with self.assertRaises(AttributeError):
            gw.bfs(g).dept  # noqa: B018
        self.assertIn('depth', dir(gw.bfs(g)))
        self.assertIn('reached=16', repr(gw.bfs(g)))


class Compared(PackageTest):
    """The values of networkx."""

    def close(self, found, wanted, seed):
        np.testing.assert_allclose(found, [wanted[v] for v in range(len(found))], rtol=1e-6, atol=1e-9, err_msg=str(seed))

    def test_networkx(self):
        nx = library('networkx')
        if not nx:
            self.skipTest('networkx is not installed')
        for seed, g, rows in graphs():
            graph = nx.DiGraph() if seed % 2 else nx.Graph()
            graph.add_nodes_from(rows)
            graph.add_weighted_edges_from((u, v, w) for u in rows for v, w in rows[u].items() if u != v)
            g = gw.Graph.from_networkx(graph)
            self.close(gw.betweenness(g).centrality, nx.betweenness_centrality(graph, normalized=False), seed)
            self.close(gw.betweenness(g, normalised=True).centrality, nx.betweenness_centrality(graph), seed)
            self.close(gw.betweenness(g, sources=[1, 2]).centrality, nx.betweenness_centrality_subset(graph, [1, 2], list(rows)), seed)
            result = gw.closeness(g)
            self.close(result.closeness, nx.closeness_centrality(graph), seed)
            self.close(result.harmonic, nx.harmonic_centrality(graph), seed)
            some = gw.closeness(g, sources=[3, 1])
            self.assertEqual(some.closeness.tolist(), result.closeness[[3, 1]].tolist())
            edges = nx.edge_betweenness_centrality(graph, normalized=False)
            arcs = gw.betweenness(g, arcs=True).arc
            source = np.repeat(np.arange(g.vertices), np.diff(g.offset).astype(int)).tolist()
            np.testing.assert_allclose(arcs, [edges.get(arc, edges.get(arc[::-1])) for arc in zip(source, g.target.tolist())])
            plain = graph.to_undirected()
            self.same(gw.kcore(g).core, [nx.core_number(plain)[v] for v in range(g.vertices)])
            triangles = gw.triangles(g)
            self.same(triangles.count, [nx.triangles(plain)[v] for v in range(g.vertices)])
            self.close(triangles.clustering, nx.clustering(plain), seed)
            self.assertAlmostEqual(triangles.transitivity, nx.transitivity(plain))
            try:
                warnings.simplefilter('ignore', DeprecationWarning)  # networkx's own
                ranks = nx.pagerank(graph, tol=1e-10, max_iter=1000, weight=None)
                special = nx.pagerank(graph, tol=1e-10, max_iter=1000, weight=None, personalization={4: 1}, dangling={4: 1})
            except ImportError:
                continue  # it needs SciPy
            self.close(gw.pagerank(g, tolerance=1e-9).rank, ranks, seed)
            self.close(gw.pagerank(g, tolerance=1e-9, sources=4).rank, special, seed)
            if not seed % 2:
                found = gw.communities(g, weights=False)
                parts = [set(np.flatnonzero(found.community == one).tolist()) for one in set(found.community.tolist())]
                self.assertAlmostEqual(found.modularity, nx.community.modularity(graph, parts, weight=None), places=6)

    def test_peers(self):
        """igraph and NetworKit read the same file; answers are equal, and the times are printed."""
        path = self.folder / 'graph.txt'
        gw.load('kron:10').save(path, format='edge-list')
        lines = [line.split()[:2] for line in path.read_text().splitlines() if not line.startswith('#')]
        edges = sorted({tuple(sorted(map(int, line))) for line in lines})
        g, times = gw.load(path, directed=False), {}

        def timed(name, call):
            begin = time.perf_counter()
            result = call()
            times[name] = 1000 * (time.perf_counter() - begin)
            return result

        source = int(g.ids[np.diff(g.offset).argmax()])
        depth = np.full(g.ids.max() + 1, -1, np.int64)
        found = timed('graphws', lambda: gw.bfs(g, source).depth)
        depth[g.ids] = np.where(found == gw.NO_VERTEX, -1, found.astype(np.int64))
        igraph, networkit = library('igraph'), library('networkit')
        if hasattr(igraph, 'Graph'):
            peer = igraph.Graph(n=len(depth), edges=edges)
            answer = timed('igraph', lambda: peer.distances(source)[0])
            self.same(depth, [-1 if hops == float('inf') else hops for hops in answer])
        if networkit:
            peer = networkit.Graph(len(depth))
            for u, v in edges:
                peer.addEdge(u, v)
            search = networkit.distance.BFS(peer, source)
            timed('NetworKit', search.run)
            self.same(depth, [-1 if hops > 1e300 else int(hops) for hops in search.getDistances()])
        print('\nnote: breadth-first search of kron:10: ' + ', '.join(f'{name} {ms:.2f} ms' for name, ms in times.items()), flush=True)
        if len(times) == 1:
            print('skipped: igraph and NetworKit are not installed', flush=True)


class Spaces(PackageTest):
    """Octrees against all points."""

    def test_queries(self):
        draw = np.random.RandomState(1)
        for points in (draw.rand(300, 3), draw.rand(300, 3).astype(np.float32), tuple(draw.rand(3, 300))):
            tree = gw.Octree(points, leaf=4)
            every = np.array(points).T if isinstance(points, tuple) else np.float64(points)
            at = every[:5] + .01
            away = ((every[None] - at[:, None]) ** 2).sum(2)
            hits = tree.nearest(at, 3)
            self.assertEqual([hits[q].tolist() for q in range(5)], [row.argsort()[:3].tolist() for row in away])
            np.testing.assert_allclose(hits.distance.reshape(5, 3), np.sort(away)[:, :3] ** .5)
            balls = tree.in_balls(at, .2)
            self.assertEqual([sorted(balls[q].tolist()) for q in range(5)], [np.flatnonzero(row <= .2 ** 2).tolist() for row in away])
            boxes = tree.in_boxes([.1, .1, .1], [.5, .6, .7])
            self.assertEqual(sorted(boxes[0].tolist()), np.flatnonzero((every >= .1).all(1) & (every <= [.5, .6, .7]).all(1)).tolist())
            self.assertIsNone(boxes.distance)
            value = draw.rand(300)
            counts, sums = tree.count_in_boxes([.1, .1, .1], [.5, .6, .7], value)
            self.assertEqual((counts.tolist(), tree.count_in_balls(at, .2).tolist()), ([len(boxes[0])], np.diff(balls.offset).tolist()))
            np.testing.assert_allclose(sums, value[boxes[0].astype(int)].sum())
            with self.assertRaises(ValueError):
                tree.count_in_balls(at, .2, value[1:])
            ray = tree.first_on_rays([-1, every[7, 1], every[7, 2]], [1, 0, 0], 1e-6)
            self.assertEqual(ray[0].tolist(), [7])
            nodes = tree.nodes
            self.assertEqual((nodes[0]['begin'], nodes[0]['end'], nodes[0]['level']), (0, 300, 0))
            leaves = nodes[tree.leaf_nodes]
            self.assertEqual(int((leaves['end'] - leaves['begin']).max()), tree.max_leaf)
            self.assertEqual(sorted(tree.index.tolist()), list(range(300)))

    def test_points(self):
        points = gw.load_points(self.write('a.csv', 'x,y,z,height\n1,2,3,4\n5,6,7,8\n'))
        self.assertEqual((points.x.tolist(), points.columns['height'].tolist()), ([1, 5], [4, 8]))
        points.save(self.folder / 'a.ply')
        self.assertEqual(gw.load_points(self.folder / 'a.ply').z.tolist(), [3, 7])
        self.assertEqual(gw.Octree('plummer:1000', box=((-9,) * 3, (9,) * 3), drop=True).box, ((-9.0,) * 3, (9.0,) * 3))
        for call in (lambda: gw.Octree([[1, 2]]), lambda: gw.Octree([[1, 2, float('nan')]]), lambda: gw.Octree('plummer:10', builder='x'),
                     lambda: gw.Octree('plummer:10').nearest([[1, 2]]), lambda: gw.Octree('plummer:10').in_balls([0, 0, 0], -1),
                     lambda: gw.load_points(self.write('b.csv', 'x,y,z\n1,2\n'))):
            with self.assertRaises(ValueError):
                call()
        self.assertEqual(gw.Octree(np.zeros((0, 3))).points, 0)


class Simulations(PackageTest):
    def test_atoms(self):
        atoms, box = gw.md_start(500, temperature=.5, charge=.1)
        simulated = [gw.MolecularDynamics(atoms, box, runtime=gw.Runtime(threads=threads)) for threads in (1, 2)]
        results = [one.run(20) for one in simulated]
        self.assertEqual(results[0][:5], results[1][:5])
        self.assertEqual(results[0].steps, 20)
        columns = simulated[0].atoms.columns
        kinetic = sum((columns[name].astype(float) ** 2).sum() for name in ('vx', 'vy', 'vz')) / 2
        self.assertAlmostEqual(kinetic, results[0].kinetic, places=2)
        self.assertIsNone(gw.md_start(100, gauss=True)[1])
        for bad in (lambda: gw.MolecularDynamics(np.zeros((2, 3))), lambda: gw.MolecularDynamics(atoms, box, step=-1),
                    lambda: gw.md_start(10, density=-1)):
            with self.assertRaises(ValueError):
                bad()

    def test_functions(self):
        bodies = [[.5, .4, .5, 2, 30], [.5, .6, .5, -1, 20]]
        tree = gw.madness('gaussian', bodies, threshold=1e-4)
        self.assertEqual((tree.functions, tree.leaves % 8), (2, 0))
        own = gw.madness(lambda x, y, z: 2 * np.exp(-30 * ((x - .5) ** 2 + (y - .4) ** 2 + (z - .5) ** 2)), threshold=1e-4)
        at = np.random.RandomState(1).rand(20, 3)
        wanted = 2 * np.exp(-30 * ((at - [.5, .4, .5]) ** 2).sum(1))
        np.testing.assert_allclose(tree.value(at), wanted, atol=1e-3)
        np.testing.assert_allclose(own.value(at), tree.value(at), atol=1e-9)
        with self.assertRaises(ZeroDivisionError):
            gw.madness(lambda x, y, z: 1 / 0)
        with self.assertRaises(gw.GraphwsError) as caught:
            gw.madness(lambda x, y, z: gw.bfs('grid:2x2').reached)
        self.assertEqual(caught.exception.status, 'BUSY')
        for bad in (lambda: tree.value([[2, 0, 0]]), lambda: gw.madness('sine', bodies), lambda: gw.madness('gaussian', bodies, order=99),
                    lambda: gw.madness(lambda x, y, z: x * float('nan'))):
            with self.assertRaises(ValueError):
                bad()


class Tasks(PackageTest):
    def test_uts(self):
        row = gw.uts('T1')
        self.assertEqual((row.nodes, row.depth, row.leaves), (4130071, 10, 3305118))
        self.assertIn('T1L', gw.uts_trees())
        with self.assertRaises(ValueError):
            gw.uts('T99')

    def test_bpc(self):
        self.assertEqual(gw.bpc(consumers=10, depth=5, work_us=0).tasks, 56)
        with self.assertRaises(ValueError):
            gw.bpc(work_us=-1)


if __name__ == '__main__':
    random.seed(1)
    unittest.main()
