#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""graphws closeness: known values, directions, samples, the diameter."""
import csv
import unittest

from tool import ToolTest, skip


class Closeness(ToolTest):
    def rows(self, *arguments):
        return list(csv.DictReader(self.good('graphws', 'closeness', *arguments, '--out=-', '--quiet').splitlines()))

    def test_directed(self):
        edges = self.edge_list('a.el', [(1, 2), (2, 3), (8, 9)])
        rows = self.rows(edges)
        self.assertEqual([row['vertex'] for row in rows], ['1', '2', '3', '8', '9'])
        self.assertEqual([row['eccentricity'] for row in rows], ['0', '1', '2', '0', '1'])
        self.assertEqual([float(row['harmonic']) for row in rows], [0, 1, 1.5, 0, 1])
        self.assertAlmostEqual(float(rows[2]['closeness']), 2 / 3 * 2 / 4)
        self.assertAlmostEqual(float(self.rows(edges, '--unscaled')[2]['closeness']), 2 / 3)
        self.assertEqual([row['eccentricity'] for row in self.rows(edges, '--outgoing')], ['2', '1', '0', '1', '0'])

    def test_json(self):
        found = self.json('graphws', 'closeness', 'grid:30x20', '--verify', '--top=1', '--threads=2', '--repeat=2')
        self.assertEqual((found['algorithm'], found['searches'], found['diameter'], found['radius'], found['verified']),
                         ('closeness', 600, 48, 25, True))
        found = self.json('graphws', 'closeness', 'kron:10', '--samples=20', '--seed=3', '--verify')
        self.assertEqual((found['searches'], found['samples'], found['verified']), (20, 20, True))
        self.assertEqual(len(self.rows('kron:10', '--samples=20')), 20)

    def test_diameter(self):
        found = self.json('graphws', 'closeness', 'grid:30x20', '--diameter', '--verify', '--repeat=2')
        self.assertEqual((found['diameter'], found['radius'], found['verified']), (48, None, True))
        self.assertLess(found['searches'], 100)
        edges = self.edge_list('a.el', [(1, 2), (3, 2), (8, 9)])
        self.assertEqual([row['eccentricity'] for row in self.rows(edges, '--diameter')], ['2', '2'])
        self.assertIn('--samples', self.bad(2, 'graphws', 'closeness', 'grid:3x3', '--diameter', '--samples=2'))

    def test_device(self):
        usable = [device['device'] for device in self.json('gdevices')['devices'] if not device['unusable']]
        if not usable:
            skip('graphws closeness on a device: there is none')
            return
        found = self.json('graphws', 'closeness', 'kron:10', '--samples=300', '--device', usable[0], '--verify', '--repeat=2')
        self.assertEqual((found['devices'], found['searches'], found['verified']), ([usable[0]], 300, True))
        edges = self.edge_list('a.el', [(1, 2), (2, 3), (8, 9), (3, 1), (3, 4)])
        for more in ([], ['--outgoing'], ['--unscaled'], ['--samples=2', '--seed=5']):
            self.assertEqual(self.rows(edges, *more), self.rows(edges, *more, '--device', usable[0]))
        for graph in ('grid:30x9', edges, 'kron:10'):
            runs = [self.json('graphws', 'closeness', graph, '--diameter', '--verify', '--device', device) for device in ('cpu', usable[0])]
            self.assertEqual(runs[1]['verified'], True)
            for key in ('diameter', 'searches', 'radius'):
                self.assertEqual(runs[0][key], runs[1][key])
            self.assertEqual(self.rows(graph, '--diameter'), self.rows(graph, '--diameter', '--device', usable[0]))
        none = self.write('none.el', '')
        for more in ([], ['--diameter']):
            self.assertEqual(self.json('graphws', 'closeness', none, '--device', usable[0], '--verify', *more)['searches'], 0)

    def test_empty(self):
        none = self.write('none.el', '')
        self.assertEqual(self.json('graphws', 'closeness', none, '--verify')['searches'], 0)
        self.assertEqual(self.json('graphws', 'closeness', none, '--verify', '--diameter')['diameter'], 0)


if __name__ == '__main__':
    unittest.main()
