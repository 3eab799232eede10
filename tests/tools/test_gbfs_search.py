#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gbfs: results against a serial search for every policy, direction and number of threads."""
import gzip
import itertools
import random
import unittest

from tool import ToolTest, check_search, datasets, neighbours, skip

POLICIES = ('static', 'cursor', 'chunked')
DIRECTIONS = ('auto', 'top-down', 'bottom-up')


def random_edges(seed, vertices, edges):
    draw = random.Random(seed)
    return [(draw.randrange(1, vertices), draw.randrange(1, vertices)) for _ in range(edges)]


class Agreement(ToolTest):
    def test_policies_directions_and_threads(self):
        edges = random_edges(1, 3000, 9000)
        graph = self.edge_list('random.el', edges)
        for undirected in (False, True):
            table = neighbours(edges, undirected)
            kind = '--undirected' if undirected else '--directed'
            for policy, direction, threads in itertools.product(POLICIES, DIRECTIONS, (1, 2, 3)):
                chunk = [] if policy == 'static' else ['--chunk=16']
                found = self.search(graph, '--source', str(edges[0][0]), kind, '--policy', policy, '--direction',
                                    direction, '--threads', str(threads), *chunk)
                check_search(self, found, table, edges[0][0])

    def test_deep_and_wide(self):
        path = [(i, i + 1) for i in range(2000)]
        star = [(0, i) for i in range(1, 5000)]
        for name, edges in (('path.el', path), ('star.el', star)):
            graph = self.edge_list(name, edges)
            for source in (0, 1000):
                found = self.search(graph, '--undirected', '--source', str(source), '--threads=2', '--pin')
                check_search(self, found, neighbours(edges, True), source)

    def test_generated_graphs_hold(self):
        for graph in ('kron:12', 'kron:10:4:9', 'uniform:11', 'grid:50x40', 'road:3000', 'road:2000:5', 'grid:1x1'):
            for threads in ('1', '3'):
                found = self.json('gbfs', graph, '--repeat=4', '--verify', '--threads', threads)
                self.assertIs(found['verified'], True, graph)

    def test_an_index_is_reported_and_changes_no_result(self):
        for graph in ('kron:12', 'uniform:11', 'road:3000'):
            found = self.json('gbfs', graph, '--index', '--repeat=4', '--verify')
            self.assertIs(found['verified'], True, graph)
            self.assertEqual([(one['name'], one['bytes']) for one in found['prepared']],
                             [('hubs', 4 * found['graph']['vertices'])])
            self.assertEqual(found['level_sizes'], self.json('gbfs', graph, '--repeat=4')['level_sizes'])
        self.assertIn('hubs of 16,384 bytes in ', self.good('gbfs', 'kron:12', '--index'))

    def test_an_index_without_use_is_refused(self):
        for rest in ('--direction=top-down', '--device=opencl', '--device=auto'):
            self.assertIn('--index', self.bad(2, 'gbfs', 'kron:5', '--index', rest))

    def test_one_vertex_loops_and_parallel_edges(self):
        graph = self.edge_list('odd.el', [(5, 5), (5, 6), (5, 6), (6, 6), (8, 8)])
        for direction in DIRECTIONS:
            found = self.search(graph, '--source=5', '--verify', '--direction', direction)
            self.assertEqual(found, {5: (0, 5), 6: (1, 5), 8: (None, None)})

    def test_ids_from_one(self):
        graph = self.write('one.gr', 'p sp 4 3\na 1 2 9\na 2 3 9\na 4 1 9\n')
        self.assertEqual(self.search(graph, '--source=1'), {1: (0, 1), 2: (1, 1), 3: (2, 2), 4: (None, None)})

    def test_standard_input(self):
        text = b'p sp 3 2\na 1 2 5\na 2 3 5\n'
        for data in (text, gzip.compress(text)):
            found = self.json('gbfs', '-', '--source=1', input=data)
            self.assertEqual((found['graph']['name'], found['level_sizes']), ('-', [1, 1, 1]))

    def test_forced_format(self):
        graph = self.write('data.bin', '1 2\n2 3\n')
        self.assertEqual(self.json('gbfs', graph, '--format=edge-list', '--source=1')['level_sizes'], [1, 1, 1])

    def test_weights_do_not_matter(self):
        graph = self.write('w.el', '1 2 0.5\n2 3 1e300\n3 4 -7\n')
        self.assertEqual(self.json('gbfs', graph, '--source=1')['level_sizes'], [1, 1, 1, 1])

    def test_binary_files(self):
        graph = str(self.folder / 'g.gwsg')
        self.good('gconvert', 'kron:9', graph, '--quiet')
        expected = self.json('gbfs', 'kron:9', '--source=maxdegree')
        for options in ([], ['--trust']):
            found = self.json('gbfs', graph, '--source=maxdegree', *options)
            self.assertEqual(found['level_sizes'], expected['level_sizes'])
            self.assertEqual(found['runs'][0]['source'], expected['runs'][0]['source'])


class Sources(ToolTest):
    def sources(self, *arguments):
        return [run['source'] for run in self.json('gbfs', *arguments)['runs']]

    def test_random_depends_on_the_seed_alone(self):
        a = self.sources('kron:10', '--repeat=20', '--seed=3', '--threads=1')
        self.assertEqual(a, self.sources('kron:10', '--repeat=20', '--seed=3', '--threads=3', '--policy=static'))
        self.assertNotEqual(a, self.sources('kron:10', '--repeat=20', '--seed=4'))
        self.assertEqual(a[:5], self.sources('kron:10', '--repeat=5', '--seed=3', '--warmup=2'))

    def test_random_has_arcs_and_comes_once(self):
        graph = self.write('few.gr', 'p sp 1000 4\n' + ''.join(f'a {v} {v + 1} 1\n' for v in (3, 500, 501, 999)))
        found = self.sources(graph, '--repeat=8')
        self.assertEqual(sorted(found[:4]), [3, 500, 501, 999])
        self.assertEqual(sorted(found[4:]), [3, 500, 501, 999])

    def test_random_is_spread(self):
        found = self.sources('grid:1000x100', '--repeat=64', '--direction=top-down')
        self.assertEqual(len(set(found)), 64)
        self.assertGreater(len({v // 12500 for v in found}), 5)

    def test_without_arcs(self):
        graph = self.write('no.gr', 'p sp 3 0\n')
        found = self.json('gbfs', graph, '--source=random', '--verify')
        self.assertEqual((found['runs'][0]['reached'], found['verified'], found['gteps']), (1, True, 0))

    def test_maxdegree(self):
        graph = self.edge_list('star.el', [(4, v) for v in range(10, 20)] + [(2, v) for v in range(10, 15)])
        self.assertEqual(self.sources(graph, '--source=maxdegree', '--repeat=2'), [4, 4])

    def test_list(self):
        graph = self.write('g.gr', 'p sp 3 2\na 1 2 5\na 2 3 5\n')
        sources = self.write('g.ss', 'c three\np aux sp ss 3\ns 3\ns 1\ns 2\n')
        self.assertEqual(self.sources(graph, '--source', sources, '--repeat=2'), [3, 1, 2, 3, 1, 2])
        packed = self.write('g.ss.gz', gzip.compress(b'p aux sp ss 1\ns 2\n'))
        self.assertEqual(self.sources(graph, '--source', packed), [2])

    def test_workers_count_the_tasks_of_the_runs_alone(self):
        counts = []
        for options in ([], ['--warmup=3'], ['--verify']):
            found = self.json('gbfs', 'grid:30x30', '--source=0', '--direction=top-down', '--repeat=2', '--threads=1',
                              *options)
            counts.append([(worker['tasks'], worker['stolen'], worker['steals']) for worker in found['workers']])
        self.assertGreaterEqual(counts[0][0][0], 2 * 900)
        self.assertEqual(counts[0], [(counts[0][0][0], 0, 0)])
        self.assertEqual(counts, [counts[0]] * 3)


class Published(ToolTest):
    def test_new_york(self):
        if datasets() is None:
            skip('levels of USA-road-d.NY as CHAI published them: no data sets')
            return
        folder = datasets() / 'dimacs9'
        found = self.search(folder / 'USA-road-d.NY.gr.gz', '--source=1', '--verify')
        with gzip.open(folder / 'expected/chai-NY-bfs-from0.out.gz', 'rt') as lines:
            count = int(next(lines))
            expected = {int(v) + 1: int(level) for v, level in (line.split() for line in lines)}
        self.assertEqual(len(expected), count)
        self.assertEqual({v: depth for v, (depth, _) in found.items()}, expected)

    def test_karate(self):
        if datasets() is None:
            skip('levels of the karate club as LAGraph publishes them: no data sets')
            return
        found = self.search(datasets() / 'mtx/karate.mtx.gz', '--source=31', '--verify')
        expected = '2 1 2 2 3 3 3 2 1 2 3 3 3 2 2 2 4 2 2 2 2 2 2 2 3 3 2 2 2 2 0 2 1 1'
        self.assertEqual([found[v][0] for v in range(1, 35)], list(map(int, expected.split())))


if __name__ == '__main__':
    unittest.main()
