# SPDX-License-Identifier: MIT
"""datasets/bench/simulation: tiny workloads on threads and in the simulation, a stand-in for SimGrid, none, and wrong uses."""
import unittest

from bench import BIN, BenchTest, cells, records

# A C++ compiler whose programs print the results of a simulation: the argument after -o names the program.
COMPILER = '''#!/bin/sh
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\necho 0.5 77 3 1000 1e9\\n' > "$2"
chmod +x "$2"
'''


class Simulation(BenchTest):
    program, always = 'simulation', ('--bin', BIN, '--quiet')

    def test_one_thread_is_as_one_worker(self):
        text = self.output('--small', '--only=threads', '--threads=1,2', '--repeat=1', '--json', self.file)
        rows = records(self.file)[1:]
        costs = rows.pop(0)
        self.assertEqual(costs['kind'], 'costs')
        self.assertGreater(costs['push'], 0)
        self.assertEqual(len(rows), 2 * 5 * 2)
        for row in rows:
            if row['threads'] == 1:
                self.assertEqual((row['steals'], row['simulated_steals'], row['high_water']), (0, 0, row['simulated_high_water']), row)
        self.assertIn('| UTS T1', text)
        self.assertIn('within 10%: times', text)

    def test_simgrid(self):
        compiler = self.folder / 'compiler'
        compiler.write_text(COMPILER)
        compiler.chmod(0o755)
        text = self.output('--small', '--only=simgrid', '--rounds=1', CXX=str(compiler))
        row = next(row for row in cells(text) if row[0] == '8')
        self.assertEqual((row[3], row[6], row[8]), ('0.500', '77', '1,000'))
        self.assertIn('virtual times within 5%: 0 of 1; 10 times as fast: 1 of 1', text)
        text = self.output('--small', '--only=simgrid', CXX=str(self.folder / 'missing'))
        self.assertIn('skipped: SimGrid: no C++ compiler', text)

    def test_wrong_uses(self):
        self.check_refused((
            (['--only=nothing'], 'one or several'), (['--threads=0'], 'numbers of threads'),
            (['--rounds=0'], 'whole number'), (['--json=/nowhere/file'], '/nowhere')))


if __name__ == '__main__':
    unittest.main()
