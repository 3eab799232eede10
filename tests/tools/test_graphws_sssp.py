#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""graphws sssp and graphws path: distances, tables, drawn weights, refused weights."""
import gzip
import unittest

from tool import ToolTest, datasets, skip

ROADS = 'p sp 5 6\na 1 2 4\na 2 3 1\na 1 3 7\na 3 4 0\na 4 1 2\na 5 1 1\n'


class ShortestPaths(ToolTest):
    def test_distances(self):
        roads = self.write('a.gr', ROADS)
        table = str(self.folder / 'x.csv')
        found = self.json('graphws', 'sssp', roads, '--source=1', '--verify', '--out', table, '--top=2')
        self.assertEqual((found['reached'], found['max_distance'], found['verified']), (4, 5, True))
        self.assertEqual(found['top'], [{'id': 3, 'value': 5}, {'id': 4, 'value': 5}])
        with open(table, encoding='ascii') as file:
            self.assertEqual(file.read(), 'vertex,distance,parent\n1,0,1\n2,4,1\n3,5,2\n4,5,3\n5,,\n')

    def test_real_weights(self):
        edges = self.write('a.csv', '1,2,0.5\n2,3,0.25\n1,3,2\n4,5,1\n')
        table = str(self.folder / 'x.csv')
        found = self.json('graphws', 'sssp', edges, '--source=1', '--directed', '--verify', '--out', table, '--top=1')
        self.assertEqual((found['max_distance'], found['top']), (0.75, [{'id': 3, 'value': 0.75}]))
        with open(table, encoding='ascii') as file:
            self.assertEqual(file.read(), 'vertex,distance,parent\n1,0,1\n2,0.5,1\n3,0.75,2\n4,,\n5,,\n')

    def test_drawn_weights(self):
        few = ['graphws', 'sssp', 'grid:30x30', '--source=0', '--weights=1:255', '--verify']
        one, two = (self.json(*few, f'--seed={seed}', f'--threads={seed}') for seed in (1, 2))
        self.assertEqual(one['max_distance'], self.json(*few, '--seed=1', '--delta=3')['max_distance'])
        self.assertNotEqual(one['max_distance'], two['max_distance'])
        self.assertEqual(self.json('graphws', 'sssp', 'grid:30x30', '--source=0')['max_distance'], 58)
        self.assertEqual(self.json('graphws', 'sssp', 'grid:30x30', '--source=0', '--weights=3:3')['max_distance'], 174)
        for wrong in ('3', '3:2', '-1:2', ':', '1:', '1:2147483648', '1:2:3'):
            self.assertIn('--weights', self.bad(2, 'graphws', 'sssp', 'grid:3x3', f'--weights={wrong}'))
        self.assertIn('reads no weights', self.bad(2, 'graphws', 'cc', 'grid:3x3', '--weights=1:2'))

    def test_device(self):
        usable = [device['device'] for device in self.json('gdevices')['devices'] if not device['unusable']]
        if not usable:
            skip('graphws sssp on a device: there is none')
            return
        few = ['graphws', 'sssp', 'grid:40x2', '--source=0', '--weights=2147483000:2147483647', '--verify']
        self.assertEqual(self.json(*few)['max_distance'], self.json(*few, '--device', usable[0])['max_distance'])
        real = ['graphws', 'sssp', self.write('a.csv', '1,2,0.1\n2,3,0.2\n1,3,2\n4,5,1\n'), '--source=1', '--out=-', '--quiet']
        self.assertEqual(self.good(*real), self.good(*real, '--device', usable[0]))
        edges = self.write('b.csv', '1,2,0.5\n2,3,-4\n')
        self.assertIn('has the weight -4', self.bad(1, 'graphws', 'sssp', edges, '--device', usable[0]))
        if sum(device.startswith('cuda') for device in usable) < 2:
            skip('graphws sssp on several devices: there are no two CUDA devices')
            return
        self.assertEqual(self.json(*few)['max_distance'], self.json(*few, '--device=cuda:0,1')['max_distance'])
        self.assertEqual(self.good(*real), self.good(*real, '--device=cuda:0,1'))
        self.assertIn('has the weight -4', self.bad(1, 'graphws', 'sssp', edges, '--device=cuda:0,1'))
        found = self.json('graphws', 'sssp', 'kron:12', '--weights=1:99', '--device=cuda:0,1', '--verify')
        self.assertEqual(sum(worker['vertices'] for worker in found['workers']), 1 << 12)
        found = self.json('graphws', 'sssp', 'kron:12', '--weights=1:99', '--device=cuda:all', '--verify')
        self.assertIn(' alone: it holds the graph', found['selected'])

    def test_invalid_weights(self):
        edges = self.write('a.csv', '1,2,5\n2,3,-4\n')
        for name in ('sssp', 'path'):
            more = ['--target=3'] if name == 'path' else []
            said = self.bad(1, 'graphws', name, edges, '--source=1', '--directed', *more)
            self.assertIn('the arc from 2 to 3 has the weight -4', said)


class Roads(ToolTest):
    def test_known_distances(self):
        folder = datasets()
        wanted = folder and folder / 'dimacs9/expected/chai-NY-sssp-from0.out.gz'
        if not wanted or not wanted.is_file():
            return skip('no data set dimacs9/expected/chai-NY-sssp-from0.out.gz')
        table = self.folder / 'x.csv'
        found = self.json('graphws', 'sssp', str(folder / 'dimacs9/USA-road-d.NY.gr.gz'), '--source=1', '--out', str(table))
        self.assertEqual(found['max_distance'], 1440081)
        with gzip.open(wanted, 'rt') as file:
            rows = dict(line.split() for line in list(file)[1:])
        for line in table.read_text().splitlines()[1:]:
            vertex, distance, _ = line.split(',')
            self.assertEqual(rows[str(int(vertex) - 1)], distance)


class Path(ToolTest):
    def test_path(self):
        roads = self.write('a.gr', ROADS)
        few = ['graphws', 'path', roads, '--source=1', '--target=4']
        found = self.json(*few, '--verify')
        self.assertEqual((found['length'], found['distance'], found['hops']), (4, 5, False))
        self.assertEqual(self.good(*few, '--out=-', '--quiet'), 'vertex,distance\n1,0\n2,4\n3,5\n4,5\n')
        found = self.json(*few, '--hops', '--verify')
        self.assertEqual((found['length'], found['distance'], found['hops']), (3, 2, True))
        self.assertEqual(self.good(*few, '--hops', '--out=-', '--quiet'), 'vertex,distance\n1,0\n3,1\n4,2\n')

    def test_path_on_a_device(self):
        usable = [device['device'] for device in self.json('gdevices')['devices'] if not device['unusable']]
        if not usable:
            skip('graphws path on a device: there is none')
            return
        for more in (['grid:9x9', '--target=80'], ['grid:9x9', '--weights=1:9', '--seed=3', '--hops', '--target=44'],
                     ['kron:9', '--weights=0:9', '--seed=3', '--repeat=3'], ['road:900', '--target=77']):
            runs = [self.json('graphws', 'path', *more, '--verify', '--device', device) for device in ('cpu', usable[0])]
            self.assertEqual((runs[1]['verified'], runs[1]['devices']), (True, usable[:1]))
            self.assertEqual(runs[0]['distance'], runs[1]['distance'])
        rows = self.good('graphws', 'path', 'grid:9x1', '--source=0', '--target=8', '--out=-', '--quiet', '--device', usable[0])
        self.assertEqual(rows.splitlines()[1:], [f'{v},{v}' for v in range(9)])

    def test_no_path(self):
        roads = self.write('a.gr', ROADS)
        found = self.json('graphws', 'path', roads, '--source=1', '--target=5', '--verify', '--top=1')
        self.assertEqual((found['length'], found['distance'], found['top']), (0, None, []))
        self.assertEqual(self.good('graphws', 'path', roads, '--source=1', '--target=5', '--out=-', '--quiet'), 'vertex,distance\n')

    def test_targets(self):
        self.assertIn('no vertex 9', self.bad(1, 'graphws', 'path', 'grid:3x3', '--target=9'))
        self.assertIn('--target', self.bad(2, 'graphws', 'path', 'grid:3x3', '--target=x'))
        first = self.json('graphws', 'path', 'kron:10', '--verify', '--repeat=3', '--weights=1:9', '--seed=4')
        self.assertEqual(first['distance'], self.json('graphws', 'path', 'kron:10', '--repeat=3', '--weights=1:9', '--seed=4')['distance'])


if __name__ == '__main__':
    unittest.main()
