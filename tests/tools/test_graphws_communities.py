#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""graphws communities: labels, methods, weights, and refused options."""
import unittest

from tool import ToolTest, skip


class Communities(ToolTest):
    # Two triangles joined by an edge.
    EDGES = [(1, 2), (2, 3), (3, 1), (4, 5), (5, 6), (6, 4), (3, 4)]

    def test_labels(self):
        edges = self.edge_list('a.el', self.EDGES)
        for method in ('leiden', 'louvain'):
            said = self.good('graphws', 'communities', edges, '--method', method, '--undirected', '--out=-', '--quiet')
            self.assertEqual(said, 'vertex,community\n1,1\n2,1\n3,1\n4,4\n5,4\n6,4\n')
        found = self.json('graphws', 'communities', edges, '--verify', '--top=1')
        self.assertEqual((found['communities'], found['largest'], found['verified']), (2, 3, True))
        self.assertAlmostEqual(found['modularity'], 6 / 7 - 0.5, places=5)
        self.assertEqual(found['top'], [{'id': 1, 'value': 3}])

    def test_methods(self):
        for words in ([], ['--method=louvain', '--max-levels=1'], ['--method=cdlp', '--iterations=3'], ['--passes=1'],
                      ['--resolution=2', '--unweighted']):
            found = self.json('graphws', 'communities', 'kron:9', '--verify', '--threads=3', *words)
            self.assertEqual((found['algorithm'], found['verified']), ('communities', True))
        self.assertIn('modularity', self.good('graphws', 'communities', 'grid:9x9'))

    def test_weights(self):
        square = self.write('w.wel', '1 2 1\n2 3 9\n3 4 1\n4 1 9\n')
        said = self.good('graphws', 'communities', square, '--undirected', '--out=-', '--quiet')
        self.assertEqual(said, 'vertex,community\n1,1\n2,2\n3,2\n4,1\n')
        negative = self.write('n.wel', '1 2 1\n2 3 -9\n')
        self.assertIn('not negative', self.bad(2, 'graphws', 'communities', negative))
        self.assertEqual(self.json('graphws', 'communities', negative, '--unweighted', '--verify')['verified'], True)

    def test_device(self):
        usable = [device['device'] for device in self.json('gdevices')['devices'] if not device['unusable']]
        if not usable:
            skip('graphws communities on a device: there is none')
            return
        edges = self.edge_list('a.el', self.EDGES)
        for method in ('leiden', 'louvain', 'cdlp'):
            words = ('graphws', 'communities', edges, '--method', method, '--out=-', '--quiet')
            self.assertEqual(self.good(*words), self.good(*words, '--device', usable[0]))
        found = self.json('graphws', 'communities', 'kron:8', '--device', usable[0], '--verify', '--repeat=2')
        self.assertEqual((found['devices'], found['verified']), ([usable[0]], True))
        negative = self.write('n.wel', '1 2 1\n2 3 -9\n')
        self.assertIn('not negative', self.bad(2, 'graphws', 'communities', negative, '--device', usable[0]))
        self.json('graphws', 'communities', negative, '--unweighted', '--device', usable[0], '--verify')
        none = self.write('none.el', '')
        self.assertEqual(self.json('graphws', 'communities', none, '--device', usable[0], '--verify')['communities'], 0)

    def test_empty(self):
        found = self.json('graphws', 'communities', self.write('none.el', ''), '--verify', '--top=2')
        self.assertEqual((found['communities'], found['modularity'], found['top']), (0, 0, []))

    def test_refused(self):
        for words, said in ((['--method=best'], '--method'), (['--resolution=0'], '--resolution'),
                            (['--method=louvain', '--passes=2'], '--passes'), (['--iterations=2'], '--iterations'),
                            (['--method=cdlp', '--max-levels=2'], '--max-levels'), (['--method=cdlp', '--unweighted'], '--unweighted')):
            self.assertIn(said, self.bad(2, 'graphws', 'communities', 'grid:3x3', *words), words)


if __name__ == '__main__':
    unittest.main()
