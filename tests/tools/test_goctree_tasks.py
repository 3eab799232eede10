#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""goctree --builder task on an OpenCL device, alone and with the CPU's threads: the nodes equal the CPU's under each policy, and
the counts are consistent."""
import os
import tempfile
import unittest

from tool import ToolTest

NO_DEVICE = 4
POINTS = 'gauss:20k'
WHOLE = 4294967295  # no octant is divided by several groups
FORMS = ('shared', 'handoff')
OLD_FORMS = {'kept': 'shared', 'bridged': 'handoff'}


class Tasks(ToolTest):
    @classmethod
    def setUpClass(cls):
        """Puts the program cache into a folder of the tests: the runner's, or one of this program."""
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.cache = os.environ['XDG_CACHE_HOME'] if 'GRAPHWS_BUILD' in os.environ else holder.name

    def run_tool(self, tool, *arguments, **options):
        return super().run_tool(tool, *arguments, env=dict(os.environ, XDG_CACHE_HOME=self.cache), **options)

    def build(self, policy, *arguments, device='opencl'):
        """Returns (JSON, the table of nodes); skips without a device."""
        nodes = self.folder / f'{policy}.csv'
        command = (f'--device={device}', '--builder=task', f'--policy={policy}', '--leaf=5', '--nodes', nodes, *arguments)
        if self.run_tool('goctree', *command, '--quiet', POINTS).returncode == NO_DEVICE:
            self.skipTest('no OpenCL device')
        return self.json('goctree', *command, '--verify', POINTS), nodes.read_text()

    def test_the_cpus_tree(self):
        cpu = self.folder / 'cpu.csv'
        self.good('goctree', '--leaf=5', '--nodes', cpu, '--quiet', POINTS)
        for policy in ('abp', 'chunked', 'static'):
            for more in ([], ['--groups=3', '--tile=100'], ['--groups=1', f'--tile={WHOLE}']):
                found, nodes = self.build(policy, *more)
                self.assertEqual(nodes, cpu.read_text(), (policy, more))
                self.assertTrue(found['verified'])
                self.assertEqual((found['policy'], found['builder'], found['form']), (policy, 'task', 'device'))

    def test_counts(self):
        whole = f'--tile={WHOLE}'
        static = self.build('static', '--groups=2', whole)[0]
        for policy in ('abp', 'chunked'):
            found = self.build(policy, '--groups=2', whole)[0]
            self.assertEqual(found['tasks'], found['nodes'] - found['leaves'], policy)
            self.assertEqual(found['tasks'], static['tasks'])
            self.assertLess(found['queue_high_water'], static['queue_high_water'])
            self.assertGreaterEqual(found['stolen'], found['steals'])
        self.assertEqual((static['stolen'], static['steals']), (0, 0))
        self.check_times(static['times'])

    def test_both_sides(self):
        """Compares trees of CPU and device in each form with the CPU's, and checks the counts of both sides."""
        cpu = self.folder / 'cpu.csv'
        self.good('goctree', '--leaf=5', '--nodes', cpu, '--quiet', POINTS)
        for policy in ('abp', 'chunked'):
            for form in FORMS:
                for more in (['--threads=1', '--groups=1', '--tile=100'], ['--threads=2', '--groups=2', f'--tile={WHOLE}']):
                    found, nodes = self.build(policy, f'--form={form}', *more, device='cpu,opencl')
                    self.assertEqual(nodes, cpu.read_text(), (policy, form, more))
                    self.assertTrue(found['verified'])
                    self.assertEqual(found['devices'], ['cpu', found['by_device'][1]['device']])
                    self.assertEqual((found['form'], found['groups']), (form, int(more[1][-1])))
                    self.check_by_device(found)
                    self.assertLessEqual(found['launches'], found['handed_off'])
                    if more[0] == '--threads=1' and form == 'handoff':
                        self.assertTrue(found['handed_off'] and all(side['tasks'] for side in found['by_device']), found['by_device'])
                    if str(WHOLE) in more[2]:
                        self.assertEqual(found['tasks'], found['nodes'] - found['leaves'])

    def check_by_device(self, found):
        for key in ('tasks', 'stolen', 'steals', 'failed_steals'):
            self.assertEqual(sum(side[key] for side in found['by_device']), found[key], key)
        for side in found['by_device']:
            self.assertEqual(side['stolen'], side['stolen_from_cpu'] + side['stolen_from_device'])
        self.assertEqual(sum(side['made'] for side in found['by_device']), found['tasks'])

    def test_what_is_printed(self):
        self.build('chunked')
        for device in ('opencl', 'cpu,opencl'):
            text = self.good('goctree', f'--device={device}', '--builder=task', '--groups=2', POINTS)
            both = device.startswith('cpu')
            self.assertRegex(text, r'\nclock     upload .*, prepare .*, build .*, fetch .*: .* together; programs built in ')
            self.assertIn('2 groups of 1' + (' beside the threads' if both else ''), text)
            for side in ('threads', 'groups'):
                self.assertEqual(any(line.startswith(side) for line in text.splitlines()), both, side)

    def test_refused(self):
        self.build('abp')
        for wrong in (['--policy=central'], ['--policy=abp', '--group-size=256'], ['--policy=chunked', '--chunk=33'],
                      ['--policy=static', '--chunk=3']):
            self.bad(2, 'goctree', '--device=opencl', '--builder=task', *wrong, POINTS)
        both = '--device=cpu,opencl'
        for old, new in OLD_FORMS.items():
            self.assertIn(f"'{old}' is now called {new}", self.bad(2, 'goctree', both, f'--form={old}', POINTS))
        self.good('goctree', '--device=opencl', '--builder=task', '--policy=abp', '--form=device', POINTS)
        for wrong in ([both, '--policy=static'], [both, '--policy=split'], [both, '--builder=sort'], [both, '--form=levels'],
                      [both, '--form=device'], ['--device=opencl', '--form=shared'], ['--form=shared'], [f'{both},cpu'],
                      [f'{both},opencl:0'], [both, '--victim=random'], ['--device=cpu,auto']):
            self.bad(2, 'goctree', *wrong, POINTS)


if __name__ == '__main__':
    unittest.main()
