#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""graphws kcore: summaries and tables, against coreness by deleting vertices."""
import random
import unittest

from tool import ToolTest


def cores_of(edges):
    """Deletes the vertex with the fewest neighbours, again and again."""
    neighbours = {v: set() for edge in edges for v in edge}
    for a, b in edges:
        if a != b:
            neighbours[a].add(b)
            neighbours[b].add(a)
    core, k = {}, 0
    while neighbours:
        v = min(neighbours, key=lambda w: len(neighbours[w]))
        k = max(k, len(neighbours[v]))
        core[v] = k
        for w in neighbours.pop(v):
            neighbours[w].discard(v)
    return core


class Kcore(ToolTest):
    def test_random_graphs(self):
        draw = random.Random(3)
        for few in (10, 60, 300):
            edges = [(draw.randrange(40), draw.randrange(40)) for _ in range(few)]
            core = cores_of(edges)
            table = self.folder / 'x.csv'
            found = self.json('graphws', 'kcore', self.edge_list('a.el', edges), '--verify', f'--out={table}')
            self.assertEqual((found['algorithm'], found['verified']), ('kcore', True))
            self.assertEqual(found['max_core'], max(core.values()))
            rows = ''.join(f'{v},{core[v]}\n' for v in sorted(core))
            self.assertEqual(table.read_text(), 'vertex,core\n' + rows)

    def test_summary(self):
        clique = self.edge_list('a.el', [(1, 2), (1, 3), (2, 3), (3, 4)])
        self.assertIn('a largest coreness of 2, in 2 rounds', self.good('graphws', 'kcore', clique))
        self.assertEqual(self.json('graphws', 'kcore', clique, '--top=1')['top'], [{'id': 1, 'value': 2}])
        found = self.json('graphws', 'kcore', 'grid:60x70', '--verify', '--threads=3', '--repeat=3')
        self.assertEqual(found['max_core'], 2)
        self.assertTrue(self.json('graphws', 'kcore', 'kron:12', '--verify', '--policy=static')['verified'])

    def test_empty(self):
        found = self.json('graphws', 'kcore', self.write('none.el', ''), '--verify', '--top=3')
        self.assertEqual((found['max_core'], found['rounds'], found['top']), (0, 0, []))


if __name__ == '__main__':
    unittest.main()
