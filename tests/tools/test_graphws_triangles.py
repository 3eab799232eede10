#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""graphws triangles: summaries and tables, against counts by definition."""
import itertools
import random
import unittest

from tool import ToolTest


def counts_of(edges):
    """The triangles and the clustering coefficient of each vertex."""
    neighbours = {v: set() for edge in edges for v in edge}
    for a, b in edges:
        if a != b:
            neighbours[a].add(b)
            neighbours[b].add(a)
    count = {v: sum(b in neighbours[a] for a, b in itertools.combinations(near, 2)) for v, near in neighbours.items()}
    pairs = {v: len(near) * (len(near) - 1) // 2 for v, near in neighbours.items()}
    return count, pairs


class Triangles(ToolTest):
    def test_random_graphs(self):
        draw = random.Random(3)
        for few in (10, 60, 300):
            edges = [(draw.randrange(40), draw.randrange(40)) for _ in range(few)]
            count, pairs = counts_of(edges)
            table = self.folder / 'x.csv'
            found = self.json('graphws', 'triangles', self.edge_list('a.el', edges), '--verify', f'--out={table}')
            self.assertEqual((found['algorithm'], found['verified']), ('triangles', True))
            self.assertEqual((found['triangles'], found['wedges']), (sum(count.values()) // 3, sum(pairs.values())))
            self.assertAlmostEqual(found['transitivity'], sum(count.values()) / max(1, sum(pairs.values())), 5)
            head, *rows = table.read_text().splitlines()
            self.assertEqual(head, 'vertex,triangles,clustering')
            self.assertEqual(len(rows), len(count))
            for row, v in zip(rows, sorted(count)):
                vertex, triangles, clustering = row.split(',')
                self.assertEqual((int(vertex), int(triangles)), (v, count[v]))
                self.assertAlmostEqual(float(clustering), count[v] / max(1, pairs[v]), 5)

    def test_summary(self):
        edges = self.edge_list('a.el', [(1, 2), (1, 3), (2, 3), (3, 4)])
        self.assertIn('found     1 triangle, transitivity 0.6\n', self.good('graphws', 'triangles', edges))
        self.assertIn('0.6, mean clustering 0.58', self.good('graphws', 'triangles', edges, '--clustering'))
        self.assertIsNone(self.json('graphws', 'triangles', edges, '--verify')['mean_clustering'])
        self.assertEqual(self.json('graphws', 'triangles', edges, '--top=1')['top'], [{'id': 1, 'value': 1}])
        self.assertEqual(self.json('graphws', 'triangles', 'grid:60x70', '--verify', '--threads=3')['triangles'], 0)
        found = self.json('graphws', 'triangles', 'kron:12', '--verify', '--clustering', '--repeat=3')
        self.assertTrue(found['verified'])

    def test_lcc(self):
        edges = self.edge_list('a.el', [(1, 2), (1, 3), (2, 3), (3, 2)])
        found = self.json('graphws', 'triangles', edges, '--directed', '--lcc', '--verify', '--top=1')
        self.assertEqual((found['lcc'], found['verified']), (True, True))
        self.assertAlmostEqual(found['mean_clustering'], (1 + 1 / 2 + 1 / 2) / 3, 6)
        found = self.json('graphws', 'triangles', edges, '--undirected', '--lcc', '--verify')
        self.assertEqual((found['lcc'], found['mean_clustering']), (False, 1))

    def test_empty(self):
        found = self.json('graphws', 'triangles', self.write('none.el', ''), '--verify', '--top=3')
        self.assertEqual((found['triangles'], found['transitivity'], found['top']), (0, 0, []))


if __name__ == '__main__':
    unittest.main()
