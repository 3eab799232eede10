# SPDX-License-Identifier: MIT
"""datasets/bench/devices: its table for tools with known times, results that are wrong or missing, and a real device."""
import json
import subprocess
import unittest

from bench import BIN, BenchTest, cells, records

# Stands for every tool of a host with four devices, on which kron: takes as long as on one, and the rest scales.
TOOL = """#!/bin/sh
case $0 in
*gdevices) echo '{"devices": [{"device": "cuda:0", "unusable": null}, {"device": "cuda:1", "unusable": null},
                              {"device": "cuda:2", "unusable": null}, {"device": "cuda:3", "unusable": null},
                              {"device": "cuda:4", "unusable": "none"}, {"device": "opencl:0", "unusable": null}]}'; exit;;
*gconvert) for out; do :; done; : > "$out"; exit;;
esac
case "$*" in
*md*--verify*) echo 'gtask: atoms differ' >&2; exit 3;;
*T5*cuda:0,1,2,3*) echo 'gtask: cuda:2: no memory' >&2; exit 1;;
*kron*) ms=24;;
*cuda:0,1,2,3*) ms=6;;
*cuda:0,1*) ms=12;;
*) ms=24;;
esac
echo '{"runs": [{"ms": '$ms'}, {"ms": 99}, {"ms": '$ms'}], "gteps": 7}'
"""


class Devices(BenchTest):
    program = 'devices'

    def tools(self):
        for name in ('gbfs', 'gconvert', 'gdevices', 'graphws', 'gtask'):
            (self.folder / name).write_text(TOOL)
            (self.folder / name).chmod(0o755)
        return ['--suite=smoke', '--quiet', '--bin', self.folder, '--json', self.file]

    def test_known_times(self):
        rows = cells(self.output(*self.tools(), '--only=barrier,bfs'))
        self.assertEqual(rows[0][2:8], ['on 1', 'on 2', 'on 4', '2: times one', '4: times one', 'goal'])
        self.assertEqual(rows[2][1:8], ['us a step', '2400', '1200', '600', '2', '4', '-'])
        self.assertEqual(rows[3][1:], ['ms', '24', '24', '24', '1', '1', '4: 3', '7 GTEPS'])
        figures = [record for record in records(self.file) if record['kind'] == 'figure']
        self.assertEqual([(figure['devices'], figure['floor'], figure['goal']) for figure in figures[3:]],
                         [(1, None, None), (2, 12, None), (4, 6, 3)])

    def test_failures(self):
        done = self.run_bench(*self.tools(), '--only=tasks,md')
        self.assertEqual((done.returncode, done.stderr), (1, ''))
        self.assertIn('left out: gtask uts --tree=T5: cuda:2: no memory\n', done.stdout)
        self.assertIn('WRONG: gtask md --atoms=500 --steps=2: atoms differ\n', done.stdout)
        self.assertEqual(self.run_bench(*self.tools(), '--devices=5').returncode, 4)
        self.assertEqual(self.run_bench(*self.tools(), '--only=nothing').returncode, 2)

    def test_a_device(self):
        known = json.loads(subprocess.run([BIN / 'gdevices', '--json'], capture_output=True, text=True, check=True).stdout)['devices']
        if not any(one['device'] == 'opencl:0' and not one['unusable'] for one in known):
            self.skipTest('no OpenCL device')
        rows = cells(self.output('--suite=smoke', '--quiet', '--bin', BIN, '--only=md', '--device=opencl', '--devices=1'))
        self.assertGreater(float(rows[2][2]), 0)


if __name__ == '__main__':
    unittest.main()
