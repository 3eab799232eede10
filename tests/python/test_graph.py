#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Graphs from edges, arrays, files and other libraries' objects, and back; arrays without copies; errors."""
import gc
import unittest

from package import PackageTest, gw, library, np, random_edges


class Edges(PackageTest):
    def test_numbers(self):
        g = gw.Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 3])
        self.assertEqual((g.vertices, g.arcs, g.directed, len(g)), (4, 8, False, 4))
        self.same(g.target[g.offset[0]:g.offset[1]], [1, 3])
        self.same(g.ids, range(4))
        g = gw.Graph.from_edges([[0, 1], [1, 0], [1, 0]], directed=True, vertices=5)
        self.assertEqual((g.vertices, g.arcs, g.directed), (5, 3, True))
        self.assertEqual(gw.Graph.from_edges([[0, 1], [1, 0], [1, 0]]).arcs, 2)
        self.assertEqual(gw.Graph.from_edges([], []).vertices, 0)
        self.assertEqual(gw.Graph.from_edges([], [], vertices=3).vertices, 3)
        self.assertEqual(gw.Graph.from_edges([0, 0], [0, 1], remove_loops=True).arcs, 2)

    def test_sparse_ids(self):
        for ids in ([3, 7, 9], [2**40, 5, 2**63 + 1], [1, 2, 3]):
            g = gw.Graph.from_edges(np.array(ids[:2], np.uint64), np.array(ids[1:], np.uint64))
            self.assertEqual(g.ids.tolist(), sorted(ids))
            for v, one in enumerate(sorted(ids)):
                self.assertEqual(g.vertex(one), v)
            self.assertEqual(gw.path(g, ids[0], ids[2]).ids.tolist(), ids)
            with self.assertRaises(KeyError):
                g.vertex(4)
            with self.assertRaises(KeyError):
                gw.bfs(g, -1)

    def test_names(self):
        g = gw.Graph.from_edges(['bob', 'alice', 'Zoë'], ['carol', 'bob', 'alice'], directed=True)
        self.assertEqual(g.ids.tolist(), ['Zoë', 'alice', 'bob', 'carol'])
        self.same(gw.bfs(g, 'Zoë').depth, [0, 1, 2, 3])
        with self.assertRaises(KeyError):
            g.vertex('dave')
        for bad in ('', 'a\nb', 'x' * 5000):
            with self.assertRaises(ValueError):
                gw.Graph.from_edges(['a'], [bad])

    def test_weights(self):
        src, dst = [0, 1, 0], [1, 2, 2]
        for weight, kind, length in (([1, 1, 5], np.int32, 2), ([.5, .25, 1.], np.float32, .75), ([1., 1., 5.], np.int32, 2)):
            g = gw.Graph.from_edges(src, dst, weight=weight)
            self.assertEqual(g.weight.dtype, kind)
            self.assertEqual(gw.sssp(g, 0).distance[2], length)
        self.assertIsNone(gw.Graph.from_edges(src, dst).weight)
        for bad in ([1, 2], [1, float('nan'), 2], ['a', 'b', 'c']):
            with self.assertRaises((ValueError, TypeError)):
                gw.Graph.from_edges(src, dst, weight=bad)

    def test_refused(self):
        for src, dst, more in (([0, -1], [1, 2], {}), ([0], [1, 2], {}), ([0, 1], [2, 3], {'vertices': 3}), ([[0, 1, 2]], None, {}),
                               ([2**33], [1], {'vertices': 5}), (['a'], ['b'], {'vertices': 2})):
            with self.assertRaises(ValueError):
                gw.Graph.from_edges(src, dst, **more)
        with self.assertRaises(TypeError):
            gw.Graph.from_edges([.5], [1.])
        with self.assertRaises(OverflowError):
            gw.Graph.from_edges([0], [1], vertices=2**40)


class Memory(PackageTest):
    def test_no_copies(self):
        offset, target = np.array([0, 1, 3, 4], np.uint64), np.array([1, 0, 2, 1], np.uint32)
        g = gw.Graph.from_csr(offset, target, directed=False)
        self.assertEqual(g.target.ctypes.data, target.ctypes.data)
        self.assertEqual(g.offset.ctypes.data, offset.ctypes.data)
        self.assertFalse(g.target.flags.writeable)
        depth = gw.bfs(g, 0).depth
        self.assertEqual(depth.ctypes.data, depth[:].ctypes.data)
        self.assertTrue(depth.flags.writeable)

    def test_owners(self):
        """An array keeps the library's memory, and the graph its arrays, after everything else is gone."""
        g = gw.Graph.from_csr(np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1]), directed=False)
        result, target, ids = gw.bfs(g, 0), g.target, g.ids
        depth, parent = result.depth, result.parent
        del g, result
        gc.collect()
        again = [gw.bfs('road:1000') for _ in range(5)]
        self.same(depth, [0, 1, 2])
        self.same(parent, [0, 0, 1])
        self.same(target, [1, 0, 2, 1])
        self.same(ids, [0, 1, 2])
        self.assertEqual(len(again), 5)

    def test_refused_rows(self):
        for offset, target in (([0, 2], [0]), ([0, 1], [5]), ([0, 2, 1, 3], [0, 1, 2]), ([], [])):
            with self.assertRaises(ValueError):
                gw.Graph.from_csr(np.array(offset, np.uint64), np.array(target, np.uint32))


class Files(PackageTest):
    def test_round_trip(self):
        g = gw.load('road:200')
        for name in ('a.gr.gz', 'a.gwsg', 'a.csv', 'a.mtx'):
            g.save(self.folder / name)
            h = gw.load(self.folder / name, directed=False)
            self.assertEqual((h.vertices, h.arcs), (g.vertices, g.arcs))
            self.same(h.weight, g.weight)
        self.assertEqual(g.position.shape, (200, 2))

    def test_errors(self):
        with self.assertRaises(FileNotFoundError) as caught:
            gw.load(self.folder / 'missing.gr')
        self.assertEqual(caught.exception.status, 'SYSTEM')
        with self.assertRaises(ValueError) as caught:
            gw.load(self.write('bad.gr', 'p sp 3 1\na 1 x 3\n'))
        error = caught.exception
        self.assertEqual((error.status, error.line, error.column), ('SYNTAX', 2, 5))
        self.assertTrue(error.file.endswith('bad.gr'))
        self.assertIn('bad.gr:2:5: ', str(error))
        self.assertIsInstance(error, gw.GraphwsError)
        with self.assertRaises(ValueError) as caught:
            gw.load('kron:x')
        self.assertEqual(caught.exception.status, 'SYNTAX')
        for call in (lambda: gw.load('kron:5', weights='all'), lambda: gw.load('kron:5', format='doc'), lambda: gw.bfs('kron:5', direction='up')):
            with self.assertRaises(ValueError):
                call()
        with self.assertRaises(TypeError):
            gw.bfs(7)
        with self.assertRaises(MemoryError):
            gw.load('kron:16', runtime=gw.Runtime(threads=1, max_memory=1 << 16))
        with self.assertRaises(OSError):
            gw.load('road:10').save(self.folder / 'no' / 'folder.gr')

    def test_no_space(self):
        with self.assertRaises(OSError) as caught:
            gw.load('road:1000').save('/dev/full', format='dimacs')
        self.assertEqual(caught.exception.status, 'SYSTEM')


class Others(PackageTest):
    """Conversions keep the edges, weights and ids."""

    def check(self, g, vertices, edges, directed, ids=None):
        self.assertEqual(g.directed, directed)
        source = np.repeat(np.arange(g.vertices), np.diff(g.offset).astype(int)).tolist()
        weight = [1] * g.arcs if g.weight is None else g.weight.tolist()
        found = sorted(zip(g.ids[source].tolist(), g.ids[g.target].tolist(), weight))
        ids = ids or list(range(vertices))
        wanted = {(ids[u], ids[v], w) for u, v, w in edges}
        wanted |= set() if directed else {(v, u, w) for u, v, w in wanted}
        self.assertEqual(found, sorted(wanted))
        self.assertEqual(g.ids.tolist(), sorted(ids))

    def test_scipy(self):
        if not library('scipy'):
            self.skipTest('SciPy is not installed')
        from scipy import sparse
        vertices, edges = random_edges(1)
        u, v, w = map(np.array, zip(*edges))
        matrix = sparse.coo_matrix((w, (u, v)), shape=(vertices, vertices))
        self.check(gw.Graph.from_scipy(matrix), vertices, edges, True)
        both = matrix.maximum(matrix.T)
        self.check(gw.Graph.from_scipy(both), vertices, edges, False)
        self.check(gw.Graph.from_scipy(matrix, directed=False), vertices, edges, False)
        floats = both.tocsr().astype(np.float32)
        g = gw.Graph.from_scipy(floats)
        self.assertEqual(g.weight.ctypes.data, floats.data.ctypes.data)
        self.assertEqual(abs(g.to_scipy() - both).max(), 0)
        self.assertIsNone(gw.Graph.from_scipy(both, weights=False).weight)
        self.assertEqual(gw.bfs(both, 0).reached, gw.bfs(g, 0).reached)
        with self.assertRaises(ValueError):
            gw.Graph.from_scipy(sparse.eye(3, 4))

    def test_networkx(self):
        nx = library('networkx')
        if not nx:
            self.skipTest('networkx is not installed')
        vertices, edges = random_edges(2)
        for ids in (list(range(vertices)), [10 * v + 3 for v in range(vertices)], [f'v{v:02}' for v in range(vertices)]):
            for kind in (nx.Graph, nx.DiGraph):
                graph = kind()
                graph.add_nodes_from(reversed(ids))
                graph.add_weighted_edges_from((ids[u], ids[v], w) for u, v, w in edges)
                g = gw.Graph.from_networkx(graph)
                self.check(g, vertices, edges, kind is nx.DiGraph, ids)
                back = g.to_networkx()
                self.assertEqual({*back.nodes}, {*graph.nodes})
                self.assertTrue(nx.utils.graphs_equal(back, graph))
        grid = nx.grid_2d_graph(3, 3)  # nodes are pairs
        self.assertEqual(gw.bfs(grid, 0).depth.max(), 4)

    def test_igraph(self):
        igraph = library('igraph')
        if not hasattr(igraph, 'Graph'):
            self.skipTest('igraph is not installed')
        vertices, edges = random_edges(3)
        for directed in (False, True):
            graph = igraph.Graph(n=vertices, edges=[(u, v) for u, v, _ in edges], directed=directed)
            graph.es['weight'] = [w for *_, w in edges]
            g = gw.Graph.from_igraph(graph)
            self.check(g, vertices, edges, directed)
            self.check(gw.Graph.from_igraph(g.to_igraph()), vertices, edges, directed)

    def test_tables(self):
        vertices, edges = random_edges(4)
        columns = dict(zip(('src', 'dst', 'weight'), zip(*edges)))
        names = sorted({end for edge in edges for end in edge[:2]})
        for name in ('pandas', 'polars'):
            frames = library(name)
            if not frames:
                print(f'\nskipped: tables of {name}, which is not installed', flush=True)
                continue
            g = gw.Graph.from_table(frames.DataFrame({key: list(values) for key, values in columns.items()}), directed=True)
            self.check(g, vertices, [(names.index(u), names.index(v), w) for u, v, w in edges], True, names)
            words = frames.DataFrame({'who': ['a', 'b'], 'whom': ['b', 'c'], 'n': [2, 3]})
            self.same(gw.sssp(gw.Graph.from_table(words, weight='n'), 'a').distance, [0, 2, 5])


class Changes(PackageTest):
    def test_made(self):
        g = gw.Graph.from_edges([0, 1, 5], [1, 2, 6], directed=True, vertices=8)
        largest = g.largest_component()
        self.same(largest.ids, [0, 1, 2])
        both = g.symmetrised()
        self.assertEqual((both.directed, both.arcs), (False, 6))
        new = gw.load('kron:8').relabelled('degree')
        degrees = np.diff(new.offset)
        self.assertTrue((degrees[1:] <= degrees[:-1]).all())
        some = g.relabelled([0, 1, gw.NO_VERTEX, gw.NO_VERTEX, gw.NO_VERTEX, 2, 3, gw.NO_VERTEX])
        self.same(some.ids, [0, 1, 5, 6])
        g.add_reverse()
        self.assertTrue(g.directed)
        for bad in ([0, 0, 1, 2, 3, 4, 5, 6], [0], 'alphabet'):
            with self.assertRaises(ValueError):
                g.relabelled(bad)


if __name__ == '__main__':
    unittest.main()
