#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""graphws pagerank: ranks, restarts, counted iterations, the index, several devices, and refused options."""
import os
import unittest

from tool import ToolTest, skip


def ranks_of(arcs, ids, restart, damping=0.85, steps=300):
    rank = {v: (1 / len(restart) if v in restart else 0) for v in ids}
    first = dict(rank)
    out = {v: [b for a, b in arcs if a == v] for v in ids}
    for _ in range(steps):
        lost = 1 - damping + damping * sum(rank[v] for v in ids if not out[v])
        step = {v: lost * first[v] for v in ids}
        for v in ids:
            for to in out[v]:
                step[to] += damping * rank[v] / len(out[v])
        rank = step
    return rank


class PageRank(ToolTest):
    ARCS = [(1, 2), (2, 3), (3, 1), (3, 4), (7, 4), (7, 1)]
    IDS = (1, 2, 3, 4, 7)

    def table(self, *words):
        lines = self.good('graphws', 'pagerank', self.edge_list('a.el', self.ARCS), *words, '--out=-', '--quiet').split()
        self.assertEqual(lines[0], 'vertex,rank')
        return {int(line.split(',')[0]): float(line.split(',')[1]) for line in lines[1:]}

    def test_ranks(self):
        for words, restart, damping in (([], self.IDS, 0.85), (['--restart=2,7'], (2, 7), 0.85),
                                        (['--damping=0.5', '--index'], self.IDS, 0.5)):
            found = self.table('--tolerance=1e-12', *words)
            for vertex, rank in ranks_of(self.ARCS, self.IDS, restart, damping).items():
                self.assertAlmostEqual(found.get(vertex, 0), rank, places=10)

    def test_iterations(self):
        found = self.table('--tolerance=0', '--iterations=2')
        for vertex, rank in ranks_of(self.ARCS, self.IDS, self.IDS, steps=2).items():
            self.assertAlmostEqual(found[vertex], rank, places=10)

    def test_summary(self):
        found = self.json('graphws', 'pagerank', 'kron:10', '--verify', '--top=3', '--threads=3', '--index')
        self.assertEqual((found['algorithm'], found['verified'], found['converged']), ('pagerank', True, True))
        self.assertLessEqual(found['error'], found['tolerance'])
        self.assertGreater(found['prepare_ms'], 0)
        self.assertGreater(found['index_ms'], 0)
        self.assertEqual(found['index_bytes'], 16 * 1024 + 8 + 4 * found['graph']['arcs'])
        self.assertEqual([row['value'] for row in found['top']], sorted((row['value'] for row in found['top']), reverse=True))
        found = self.json('graphws', 'pagerank', 'grid:20x20', '--verify', '--tolerance=0', '--iterations=5')
        self.assertEqual((found['iterations'], found['converged'], found['tolerance']), (5, False, 0))
        self.assertIn('iterations', self.good('graphws', 'pagerank', 'grid:9x9', '--precision=double'))

    def test_several_devices(self):
        """Lists of devices that the tool refuses, and on a machine with several CUDA devices the ranks of one and two."""
        no_cuda = dict(os.environ, CUDA_VISIBLE_DEVICES='')
        for algorithm, devices, status, said in (('pagerank', 'cpu,cuda:0,1', 2, 'on the cpu or on devices'),
                                                 ('pagerank', 'cuda:0,1,2,3,4,5,6,7,8', 2, 'more than 8'),
                                                 ('pagerank', 'cuda:all', 4, 'cuda:all'), ('cc', 'cpu,cuda', 2, 'not on both'),
                                                 ('sssp', 'cpu,cuda', 2, 'not on both'), ('sssp', 'cuda:all', 4, 'cuda:all'),
                                                 ('kcore', 'cuda:0,1', 2, 'only one device'), ('kcore', 'cpu,cuda', 2, 'one device'),
                                                 ('kcore', 'cuda:all', 2, 'only one device')):
            self.assertIn(said, self.bad(status, 'graphws', algorithm, 'grid:3x3', '--device', devices, env=no_cuda))
        usable = [device for device in self.json('gdevices')['devices'] if not device['unusable']]
        if 'opencl:0' in (device['device'] for device in usable):
            self.assertIn('twice', self.bad(2, 'graphws', 'pagerank', 'grid:3x3', '--device=opencl:0,0'))
        if sum(device['device'].startswith('cuda') for device in usable) < 2:
            skip('ranks on several devices: there are no two CUDA devices')
            return
        for algorithm in ('pagerank', 'cc'):
            one, two = (self.good('graphws', algorithm, 'kron:12', '--device', devices, '--verify', '--quiet', '--out=-')
                        for devices in ('cuda:0', 'cuda:0,1'))
            self.assertEqual(one, two)
        self.assertIn('--strong', self.bad(2, 'graphws', 'cc', 'kron:4', '--strong', '--device=cuda:0,1'))
        found = self.json('graphws', 'pagerank', 'kron:12', '--device=cuda:0,1', '--verify', '--index')
        self.assertEqual([worker['device'] for worker in found['workers']], ['cuda:0', 'cuda:1'])
        self.assertEqual(sum(worker['vertices'] for worker in found['workers']), 1 << 12)
        self.assertIn('bytes sent', self.good('graphws', 'pagerank', 'kron:12', '--device=cuda:0,1', '--stats'))

    def test_one_of_all_devices(self):
        two = dict(os.environ, POCL_DEVICES='pthread pthread')
        usable = [device['device'] for device in self.json('gdevices', env=two)['devices'] if not device['unusable']]
        if 'opencl:1' not in usable:
            return skip('one of all devices: there are no two OpenCL devices')
        for call in (('gbfs',), ('graphws', 'cc'), ('graphws', 'pagerank'), ('graphws', 'sssp')):
            found = self.json(*call, 'grid:9x9', '--device=opencl:all', '--verify', env=two)
            self.assertEqual(found['devices'], ['opencl:0'])
            self.assertIn('opencl:0 alone: it holds the graph', found['selected'])
        self.assertIn('\nselected  opencl:0 alone', self.good('graphws', 'cc', 'grid:9x9', '--device=opencl:all', env=two))
        self.assertNotIn('selected', self.json('graphws', 'cc', 'grid:9x9', '--device=opencl:0', env=two))

    def test_empty(self):
        found = self.json('graphws', 'pagerank', self.write('none.el', ''), '--verify')
        self.assertEqual(found['iterations'], 0)

    def test_refused(self):
        for words, status, said in ((['--damping=1'], 2, '--damping'), (['--restart=x'], 2, 'ids and commas'),
                                    (['--restart=1,'], 2, 'ids and commas'), (['--restart=99'], 1, 'no vertex has the id 99'),
                                    (['--iterations=0'], 2, '--iterations')):
            self.assertIn(said, self.bad(status, 'graphws', 'pagerank', 'grid:3x3', *words), words)


if __name__ == '__main__':
    unittest.main()
