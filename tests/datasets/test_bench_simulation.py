# SPDX-License-Identifier: MIT
"""datasets/bench/simulation: tiny workloads on threads and in the simulation, a stand-in for SimGrid, none, and wrong uses."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from refusal import check_refused

SOURCE = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
BIN = Path(os.environ.get('GRAPHWS_BUILD', SOURCE / 'build')) / 'bin'
BENCH = SOURCE / 'datasets' / 'bench' / 'simulation'
# A C++ compiler whose programs print the results of a simulation: the argument after -o names the program.
COMPILER = '''#!/bin/sh
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\necho 0.5 77 3 1000 1e9\\n' > "$2"
chmod +x "$2"
'''


class Simulation(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    @staticmethod
    def run_bench(*arguments, **environment):
        return subprocess.run([sys.executable, BENCH, '--bin', BIN, '--quiet', *arguments], capture_output=True, text=True, check=False,
                              timeout=300, env=dict(os.environ, **environment))

    def test_one_thread_is_as_one_worker(self):
        file = self.folder / 'values.json'
        done = self.run_bench('--small', '--only=threads', '--threads=1,2', '--repeat=1', '--json', file)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        rows = [json.loads(line) for line in file.read_text().splitlines()][1:]
        costs = rows.pop(0)
        self.assertEqual(costs['kind'], 'costs')
        self.assertGreater(costs['push'], 0)
        self.assertEqual(len(rows), 2 * 5 * 2)
        for row in rows:
            if row['threads'] == 1:
                self.assertEqual((row['steals'], row['simulated_steals'], row['high_water']), (0, 0, row['simulated_high_water']), row)
        self.assertIn('| UTS T1', done.stdout)
        self.assertIn('within 10%: times', done.stdout)

    def test_simgrid(self):
        compiler = self.folder / 'compiler'
        compiler.write_text(COMPILER)
        compiler.chmod(0o755)
        done = self.run_bench('--small', '--only=simgrid', '--rounds=1', CXX=str(compiler))
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        cells = [cell.strip() for cell in next(line for line in done.stdout.splitlines() if line.startswith('| 8 ')).strip('|').split('|')]
        self.assertEqual((cells[3], cells[6], cells[8]), ('0.500', '77', '1,000'))
        self.assertIn('virtual times within 5%: 0 of 1; 10 times as fast: 1 of 1', done.stdout)
        done = self.run_bench('--small', '--only=simgrid', CXX=str(self.folder / 'missing'))
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertIn('skipped: SimGrid: no C++ compiler', done.stdout)

    def test_wrong_uses(self):
        check_refused(self, self.run_bench, (
            (['--only=nothing'], 'one or several'), (['--threads=0'], 'numbers of threads'),
            (['--rounds=0'], 'whole number'), (['--json=/nowhere/file'], '/nowhere')))


if __name__ == '__main__':
    unittest.main()
