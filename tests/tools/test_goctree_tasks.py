#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""goctree --builder task on an OpenCL device: the nodes are those of the CPU under each policy, and what is counted."""
import os
import tempfile
import unittest

from tool import ToolTest

NO_DEVICE = 4
POINTS = 'gauss:20k'


class Tasks(ToolTest):
    @classmethod
    def setUpClass(cls):
        """Translated programs go to a folder of the tests: the runner's, or by hand one of this program."""
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.cache = os.environ['XDG_CACHE_HOME'] if 'GRAPHWS_BUILD' in os.environ else holder.name

    def run_tool(self, tool, *arguments, **options):
        return super().run_tool(tool, *arguments, env=dict(os.environ, XDG_CACHE_HOME=self.cache), **options)

    def build(self, policy, *arguments):
        """(JSON, the table of nodes); skips where there is no device."""
        nodes = self.folder / f'{policy}.csv'
        command = ('--device=opencl', '--builder=task', f'--policy={policy}', '--leaf=5', '--nodes', nodes, *arguments)
        if self.run_tool('goctree', *command, '--quiet', POINTS).returncode == NO_DEVICE:
            self.skipTest('no OpenCL device')
        return self.json('goctree', *command, '--verify', POINTS), nodes.read_text()

    def test_the_cpus_tree(self):
        cpu = self.folder / 'cpu.csv'
        self.good('goctree', '--leaf=5', '--nodes', cpu, '--quiet', POINTS)
        for policy in ('abp', 'chunked', 'static'):
            for more in ([], ['--groups=3', '--piece=100'], ['--groups=1', '--piece=4294967295']):
                found, nodes = self.build(policy, *more)
                self.assertEqual(nodes, cpu.read_text(), (policy, more))
                self.assertTrue(found['verified'])
                self.assertEqual((found['policy'], found['builder'], found['form']), (policy, 'task', 'tasks'))

    def test_counts(self):
        whole = '--piece=4294967295'
        static = self.build('static', '--groups=2', whole)[0]
        for policy in ('abp', 'chunked'):
            found = self.build(policy, '--groups=2', whole)[0]
            self.assertEqual(found['tasks'], found['nodes'] - found['leaves'], policy)
            self.assertEqual(found['tasks'], static['tasks'])
            self.assertLess(found['queue_high_water'], static['queue_high_water'])
            self.assertGreaterEqual(found['stolen'], found['steals'])
        self.assertEqual((static['stolen'], static['steals']), (0, 0))

    def test_refused(self):
        self.build('abp')
        for wrong in (['--policy=central'], ['--policy=abp', '--group-size=256'], ['--policy=chunked', '--chunk=33'],
                      ['--policy=static', '--chunk=3']):
            self.bad(2, 'goctree', '--device=opencl', '--builder=task', *wrong, POINTS)


if __name__ == '__main__':
    unittest.main()
