#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""graphws: what all algorithms share: help, refused options, tables, --top, --plot, devices."""
import gzip
import unittest
from pathlib import Path

from tool import ToolTest, skip

ALGORITHMS = ('bc', 'closeness', 'distances', 'cc', 'pagerank', 'communities', 'path', 'sssp', 'kcore', 'triangles')
ON_DEVICES = ('cc', 'kcore', 'sssp', 'pagerank', 'closeness', 'distances', 'triangles', 'path')


class Graphws(ToolTest):
    def test_help(self):
        listed = self.good('graphws', 'help')
        self.assertEqual(listed, self.good('graphws', '--help'))
        for name in ALGORITHMS:
            self.assertIn(f'\n  {name} ', listed)
            self.assertEqual(self.good('graphws', 'help', name), self.good('graphws', name, '--help'))
            self.assertTrue(self.good('graphws', 'help', name).startswith(f'usage: graphws {name} [options] GRAPH\n'))
        self.assertIn('chunked', self.good('graphws', '--policy=help'))

    def test_bfs_is_gbfs(self):
        few = ['grid:9x9', '--source=0', '--out=-', '--quiet']
        self.assertEqual(self.good('graphws', 'bfs', *few), self.good('gbfs', *few))
        self.assertEqual(self.good('graphws', 'help', 'bfs'), self.good('gbfs', '--help'))

    def test_usage(self):
        for words, said in (([], 'expected an ALGORITHM first: bfs, sssp, '), (['nothing', 'grid:3x3'], "unknown ALGORITHM 'nothing'"),
                            (['cc'], 'expected a GRAPH'), (['cc', 'grid:3x3', 'grid:2x2'], "expected one GRAPH, got 'grid:2x2' too"),
                            (['cc', 'grid:3x3', '--source=0'], 'option --source'),
                            (['cc', 'grid:3x3', '--seed=1', '--policy=static'], 'nothing is drawn'),
                            (['cc', 'grid:3x3', '--top=0'], '--top'), (['cc', 'grid:3x3', '--out=x.what'], '.csv'),
                            (['cc', 'grid:3x3', '--out=-', '--json'], 'standard output'),
                            (['cc', 'grid:3x3', '--plot=x.what'], '.svg')):
            self.assertIn(said, self.bad(2, 'graphws', *words, cwd=self.folder), words)

    def test_errors_of_files(self):
        self.assertIn(':2:', self.bad(1, 'graphws', 'cc', self.write('a.el', '0 1\n0 x y z\n')))
        self.assertIn('cannot open', self.bad(1, 'graphws', 'cc', 'none.gr', cwd=self.folder))
        self.assertIn('cannot', self.bad(1, 'graphws', 'cc', 'grid:3x3', '--out', '/dev/full/x.csv'))

    def test_memory(self):
        self.assertIn('memory', self.bad(1, 'graphws', 'cc', 'kron:14', '--max-memory=1M'))

    def test_tables(self):
        edges = self.edge_list('a.el', [(1, 2), (2, 3), (7, 8)])
        for name in ('x.csv', 'x.csv.gz', 'x.tsv', 'x.npy'):
            self.good('graphws', 'cc', edges, '--out', str(self.folder / name))
            self.assertTrue((self.folder / name).stat().st_size > 0)
        text = 'vertex,component\n1,1\n2,1\n3,1\n7,7\n8,7\n'
        self.assertEqual((self.folder / 'x.csv').read_text(), text)
        self.assertEqual(gzip.decompress((self.folder / 'x.csv.gz').read_bytes()).decode(), text)
        self.assertEqual((self.folder / 'x.tsv').read_text(), text.replace(',', '\t'))

    def test_top_and_plot(self):
        edges = self.edge_list('a.el', [(1, 2), (2, 3), (7, 8), (9, 9)])
        found = self.json('graphws', 'cc', edges, '--top=2', '--repeat=2')
        self.assertEqual(found['top'], [{'id': 1, 'value': 3}, {'id': 7, 'value': 2}])
        self.assertEqual(len(found['runs']), 2)
        self.assertEqual(len(self.json('graphws', 'cc', edges, '--top=1000')['top']), 3)
        self.assertIn('component', self.good('graphws', 'cc', edges, '--top=1'))
        self.good('graphws', 'cc', edges, '--plot', str(self.folder / 'x.svg'))
        self.assertIn('<svg', (self.folder / 'x.svg').read_text())


class Devices(ToolTest):
    def usable(self):
        """Returns a usable device, or None after reporting a skip."""
        for device in self.json('gdevices')['devices']:
            if not device['unusable']:
                return device['device']
        return skip('graphws on a device: there is none')

    def test_device(self):
        device = self.usable()
        if not device:
            return
        for name in ON_DEVICES:
            found = self.json('graphws', name, 'kron:10', '--device', device, '--verify', '--repeat=2')
            self.assertEqual((found['devices'], found['verified']), ([device], True))
            self.check_times(found['times'])
            self.assertIn(f'device    {device}', self.good('graphws', name, 'grid:9x9', '--device', device))
        found = self.json('graphws', 'pagerank', 'kron:10', '--device', device, '--verify', '--repeat=2', '--index')
        self.assertEqual((found['verified'], found['index_bytes']), (True, 16 * 1024 + 8 + 4 * found['graph']['arcs']))

    def test_undirected_copy(self):
        """Cores and triangles ignore directions: the device reads a symmetric copy of a directed graph."""
        device = self.usable()
        if not device:
            return
        directed = self.edge_list('a.el', [(1, 2), (2, 1), (2, 3), (3, 1), (3, 4), (5, 4), (5, 3), (6, 6), (7, 1)])
        for name, member, value in (('kcore', 'max_core', 2), ('triangles', 'triangles', 2), ('triangles --lcc', 'lcc', True)):
            rows = set()
            for where in ('cpu', device):
                table = str(self.folder / 'x.csv')
                found = self.json('graphws', *name.split(), directed, '--directed', '--verify', '--device', where, '--out', table)
                self.assertEqual((found['graph']['directed'], found['verified'], found[member]), (True, True, value))
                rows.add(Path(table).read_text())
            self.assertEqual(len(rows), 1, name)

    def test_edges(self):
        """bc --edges writes the same edges on a device as on threads, with the same values but for rounding."""
        device = self.usable()
        if not device:
            return
        for source in ('kron:7', self.edge_list('a.el', [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 3), (5, 4)])):
            rows = []
            for where in ('cpu', device):
                table = self.folder / 'x.csv'
                found = self.json('graphws', 'bc', source, '--edges', '--verify', '--device', where, f'--out={table}')
                self.assertTrue(found['verified'])
                rows.append([line.split(',') for line in table.read_text().splitlines()])
            self.assertEqual([row[:2] for row in rows[0]], [row[:2] for row in rows[1]])
            for here, there in zip(*(table[1:] for table in rows)):
                self.assertAlmostEqual(float(here[2]), float(there[2]), delta=1e-9 * (1 + float(here[2])))

    def test_strong_components(self):
        device = self.usable()
        if not device:
            return
        edges = self.edge_list('a.el', [(1, 2), (2, 3), (3, 1), (3, 4), (5, 4)])
        for source, components, largest in ((edges, 3, 3), (self.write('none.el', ''), 0, 0)):
            found = self.json('graphws', 'cc', source, '--strong', '--verify', '--repeat=2', '--device', device)
            self.assertEqual((found['devices'], found['verified']), ([device], True))
            self.assertEqual((found['components'], found['largest']), (components, largest))
        rows = {}
        for device in ('cpu', device):
            self.good('graphws', 'cc', 'kron:9:4', '--strong', '--device', device, '--out', str(self.folder / 'x.csv'))
            rows[device] = (self.folder / 'x.csv').read_text()
        self.assertEqual(len(set(rows.values())), 1)

    def test_refused(self):
        self.assertIn('cuda:999', self.bad(4, 'graphws', 'cc', 'grid:3x3', '--device=cuda:999'))
        self.assertIn('not on both', self.bad(2, 'graphws', 'cc', 'grid:3x3', '--device=cpu,opencl'))
        self.good('graphws', 'cc', 'grid:3x3', '--device=auto', '--quiet')


class Components(ToolTest):
    def test_result(self):
        edges = self.edge_list('a.el', [(1, 2), (3, 2), (7, 8)])
        found = self.json('graphws', 'cc', edges, '--verify')
        self.assertEqual((found['algorithm'], found['components'], found['largest'], found['verified']), ('cc', 2, 3, True))
        self.assertEqual(self.json('graphws', 'cc', 'grid:50x50', '--verify', '--threads=3')['components'], 1)

    def test_strong(self):
        edges = self.edge_list('a.el', [(1, 2), (2, 3), (3, 1), (3, 4), (5, 4)])
        found = self.json('graphws', 'cc', edges, '--strong', '--verify', '--top=1')
        self.assertEqual((found['components'], found['largest'], found['top']), (3, 3, [{'id': 1, 'value': 3}]))
        self.assertGreater(found['reverse_ms'], 0)
        self.assertEqual(self.json('graphws', 'cc', edges, '--undirected', '--strong', '--verify')['components'], 1)

    def test_empty(self):
        found = self.json('graphws', 'cc', self.write('none.el', ''), '--verify', '--top=3')
        self.assertEqual((found['components'], found['largest'], found['top']), (0, 0, []))


if __name__ == '__main__':
    unittest.main()
