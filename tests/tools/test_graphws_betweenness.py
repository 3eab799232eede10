#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""graphws bc: known values, samples, edges, tables."""
import csv
import unittest

from tool import ToolTest, skip

# Krackhardt's kite.
KITE = [(0, 1), (0, 2), (0, 3), (0, 5), (1, 3), (1, 4), (1, 6), (2, 3), (2, 5), (3, 4), (3, 5), (3, 6), (4, 6), (5, 6), (5, 7),
        (6, 7), (7, 8), (8, 9)]
VALUES = [5 / 6, 5 / 6, 0, 11 / 3, 0, 25 / 3, 25 / 3, 14, 8, 0]


class Betweenness(ToolTest):
    def values(self, *arguments):
        text = self.good('graphws', 'bc', *arguments, '--out=-', '--quiet')
        return [float(row['centrality']) for row in csv.DictReader(text.splitlines())]

    def test_kite(self):
        edges = self.edge_list('kite.el', KITE)
        for found, wanted in zip(self.values(edges, '--undirected'), VALUES, strict=True):
            self.assertAlmostEqual(found, wanted)
        for found, wanted in zip(self.values(edges, '--undirected', '--normalised'), VALUES, strict=True):
            self.assertAlmostEqual(found, wanted / 36)

    def test_directed(self):
        edges = self.edge_list('a.el', [(1, 2), (2, 3), (3, 4)])
        self.assertEqual(self.values(edges), [0, 2, 2, 0])
        self.assertEqual(self.values(edges, '--edges'), [3, 4, 3])
        self.assertEqual(self.values(edges, '--undirected', '--edges'), [3, 4, 3])

    def test_json(self):
        found = self.json('graphws', 'bc', 'grid:30x20', '--verify', '--top=2', '--threads=2', '--repeat=2')
        self.assertEqual((found['algorithm'], found['sources'], found['samples'], found['verified']), ('bc', 600, 0, True))
        self.assertEqual((found['reached'], found['levels'], len(found['top'])), (360000, 49, 2))
        found = self.json('graphws', 'bc', 'kron:10', '--samples=20', '--seed=3', '--verify', '--edges', '--top=3')
        self.assertEqual((found['sources'], found['samples'], found['verified']), (20, 20, True))

    def test_device(self):
        usable = [device['device'] for device in self.json('gdevices')['devices'] if not device['unusable']]
        if not usable:
            skip('graphws bc on a device: there is none')
            return
        found = self.json('graphws', 'bc', 'kron:10', '--samples=4', '--device', usable[0], '--verify', '--repeat=2')
        self.assertEqual((found['devices'], found['sources'], found['verified']), ([usable[0]], 4, True))
        self.check_times(found['times'])

    def test_refused(self):
        self.assertIn('--samples', self.bad(2, 'graphws', 'bc', 'grid:3x3', '--samples=0'))
        self.assertIn('nothing is drawn', self.bad(2, 'graphws', 'bc', 'grid:3x3', '--seed=1', '--policy=static'))

    def test_empty(self):
        self.assertEqual(self.json('graphws', 'bc', self.write('none.el', ''), '--verify', '--top=3')['top'], [])


if __name__ == '__main__':
    unittest.main()
