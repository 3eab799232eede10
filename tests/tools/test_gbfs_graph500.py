#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gbfs --graph500: the lines of its output, in one process and under mpirun, and what it refuses."""
import re
import unittest

import test_mpi
import tool

QUARTILES = ('min', 'firstquartile', 'median', 'thirdquartile', 'max')


class Graph500Test(tool.ToolTest):
    launch = test_mpi.MpiTest.launch

    def check(self, text, scale, factor, ranks):
        lines = dict(re.fullmatch(r'(\w+): +(\S+)', line).groups() for line in text.splitlines())
        self.assertEqual(lines.pop('validation'), 'passed')
        found = {name: float(value) for name, value in lines.items()}
        self.assertEqual([found[name] for name in ('SCALE', 'edgefactor', 'NBFS', 'num_mpi_processes')], [scale, factor, 64, ranks])
        self.assertGreater(found['construction_time'], 0)
        self.assertEqual('graph_generation' in found, ranks > 1)
        self.assertGreaterEqual(found.get('graph_generation', 0), 0)
        for name in ('time', 'nedge', 'TEPS', 'validate'):
            of_runs = [found[f'{part}_{name}'] for part in QUARTILES]
            self.assertEqual(of_runs, sorted(of_runs))
            self.assertGreater(of_runs[0], 0)
            mean = found[f'{"harmonic_" if name == "TEPS" else ""}mean_{name}']
            self.assertTrue(of_runs[0] <= mean <= of_runs[-1])
        self.assertEqual(len(found), 5 + (ranks > 1) + 4 * 7)
        return found

    def test_one_process(self):
        found = self.check(self.good('gbfs', '--graph500', '9', '--edge-factor', '8'), 9, 8, 1)
        runs = self.json('gbfs', 'kron:9:8', '--repeat', '64')['runs']
        self.assertEqual(len(runs), 64)
        self.assertEqual(len({run['source'] for run in runs}), 64)
        # The whole component of most sources.
        arcs = self.json('gbfs', 'kron:9:8')['graph']['arcs']
        self.assertLessEqual(found['max_nedge'], arcs / 2)
        self.assertEqual(self.good('gbfs', '--graph500', '8', '--quiet'), '')

    def test_refused(self):
        for words in (('--graph500', '8', 'kron:8'), ('--graph500', '8', '--source', '3'), ('--graph500', '8', '--repeat', '3'),
                      ('--edge-factor', '8', 'kron:8'), ('--graph500', '0'), ('--graph500', '32'), ('--graph500', '8', '--edge-factor', '0')):
            with self.subTest(words=words):
                self.bad(2, 'gbfs', *words)

    @unittest.skipUnless(test_mpi.LAUNCHERS and not test_mpi.LAUNCHERS[0][1], 'no MPI')
    def test_ranks(self):
        self.bin = tool.BUILD / 'bin'
        run = self.launch(test_mpi.LAUNCHERS[0][0], 3, 'gbfs', '--graph500', '8', '--threads', '1')
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        self.check(run.stdout, 8, 16, 3)


if __name__ == '__main__':
    unittest.main()
