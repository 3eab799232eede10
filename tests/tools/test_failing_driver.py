#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tools on an OpenCL driver in which one call fails, or all calls from one on, or no command ever completes. The tools
succeed or end with one line of text; they never crash, hang or give wrong results. GWS_TEST_SWEEP sets the number of failing
calls of each command. The preloaded driver is tests/lib/device/failing_opencl.c."""
import os
import random
import unittest
import unittest.mock

from tool import BUILD, ToolTest, skip

DRIVER = BUILD / 'tests' / 'libfailing_opencl.so'
OUT_OF_RESOURCES, OUT_OF_HOST_MEMORY = -5, -6
SWEEP = int(os.environ.get('GWS_TEST_SWEEP', '0'))
SOME = SWEEP or (1 if 'GWS_TEST_QUICK' in os.environ else 2)  # failing calls for each command and mode
MANNERS = ({'error': OUT_OF_RESOURCES}, {'error': OUT_OF_HOST_MEMORY}, {'error': OUT_OF_RESOURCES, 'after': 1},
           {'error': OUT_OF_HOST_MEMORY, 'after': 1}, {'stall': 1})
DONE, FAILED, NO_DEVICE = 0, 1, 4
SMALL = ('madness', '--function=bodies', '--bodies=2', '--order=4', '--threshold=.1')


class FailingDriver(ToolTest):
    draw = random.Random(15)

    def run_with(self, tool, *arguments, fail_at=0, error=0, after=0, stall=0):
        """Returns the finished process, the number of calls, and the first failed call."""
        reported = self.folder / 'reported'
        reported.write_text('0 none')
        asan = os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0'
        env = dict(os.environ, LD_PRELOAD=str(DRIVER), GWS_TEST_OPENCL=f'{fail_at} {error} {after} {stall}',
                   GWS_TEST_OPENCL_REPORT=str(reported), ASAN_OPTIONS=asan)
        if 'GRAPHWS_BUILD' not in os.environ:
            env['XDG_CACHE_HOME'] = str(self.folder)
        run = self.run_tool(tool, *arguments, env=env)
        calls, name = reported.read_text().split()
        return run, int(calls), name

    def survives(self, tool, arguments, **manner):
        run, _, name = self.run_with(tool, *arguments, **manner)
        said, what = run.stderr.decode(errors='replace'), (tool, arguments, manner, name)
        self.assertIn(run.returncode, (DONE, FAILED, NO_DEVICE), (what, said))
        if run.returncode != DONE:
            self.assertTrue(said.startswith(tool + ': '), (what, said))
            self.assertEqual(said.count('\n'), 1, (what, said))
        elif tool != 'gdevices':
            self.assertEqual(said, '', what)
        return name

    def sweep(self, tool, *arguments):
        for _ in range(2):  # the first run fills the program cache
            run, calls, _ = self.run_with(tool, *arguments)
        if run.returncode == NO_DEVICE:
            skip('a driver that fails: there is no OpenCL device')
            return
        self.assertEqual((run.returncode, run.stderr), (DONE, b''), arguments)
        step = max(1, calls // SOME)
        for manner in MANNERS if SWEEP else self.draw.sample(MANNERS, 2):
            first = self.draw.randint(1, step)
            seen = {self.survives(tool, arguments, fail_at=call, **manner)
                    for call in range(first, calls + 1, step)}
            if SWEEP:
                print(tool, *arguments, f'{calls} calls, {manner}:', *sorted(seen), flush=True)

    def test_list(self):
        self.sweep('gdevices')

    def test_search(self):
        self.sweep('gbfs', 'kron:8', '--device=opencl', '--quiet', '--verify', '--repeat=2')
        self.sweep('gbfs', 'kron:8', '--device=opencl', '--launch=per-level', '--quiet', '--verify')

    def test_search_by_both(self):
        for form in ('--launch=persistent', '--launch=per-level', '--form=handoff'):
            self.sweep('gbfs', 'kron:8', '--device=cpu,opencl', form, '--threads=2', '--quiet', '--verify')
        self.sweep('gbfs', 'road:500', '--device=cpu,opencl', '--placement=host', '--threads=2', '--quiet', '--verify')

    def test_long_paths(self):
        """Distances that exceed 32 bits: the search opens further programs."""
        self.sweep('graphws', 'sssp', 'grid:20x2', '--weights=2147483000:2147483647', '--device=opencl', '--quiet', '--verify')

    def test_tree(self):
        self.sweep('goctree', 'uniform:2k', '--device=opencl', '--builder=task', '--quiet', '--verify')
        for form in ('shared', 'handoff'):
            self.sweep('goctree', 'uniform:2k', '--device=cpu,opencl', f'--form={form}', '--threads=2', '--tile=1000',
                       '--quiet', '--verify')

    def test_functions(self):
        for device in ('opencl', 'cpu,opencl'):
            self.sweep('gtask', *SMALL, f'--device={device}', '--quiet', '--verify')

    def test_molecular_dynamics(self):
        for schedule, device in (('steal', 'opencl'), ('central', 'opencl'), ('steal', 'opencl:0,1'), ('central', 'opencl:0,1')):
            with unittest.mock.patch.dict(os.environ, POCL_DEVICES='pthread pthread'):
                self.sweep('gtask', 'md', '--atoms=300', '--steps=5', f'--schedule={schedule}', f'--device={device}', '--quiet', '--verify')

    def test_tasks(self):
        for device in ('opencl', 'cpu,opencl', 'opencl:0,1'):
            with unittest.mock.patch.dict(os.environ, POCL_DEVICES='pthread pthread'):
                self.sweep('gtask', 'uts', '-t1', '-a3', '-d6', '-b4', '-r19', f'--device={device}', '--threads=2', '--quiet', '--verify')


if __name__ == '__main__':
    unittest.main()
