# SPDX-License-Identifier: MIT
"""datasets/bench/octree on its smallest suite: the table and the JSON."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
BIN = Path(os.environ.get('GRAPHWS_BUILD', SOURCE / 'build')) / 'bin'
BENCH = SOURCE / 'datasets' / 'bench' / 'octree'


@unittest.skipIf(os.environ.get('GRAPHWS_SAN'), 'a plain program cannot load a library with sanitizers')
class Octree(unittest.TestCase):
    def run_bench(self, *arguments):
        return subprocess.run([sys.executable, BENCH, '--suite=smoke', '--quiet', '--bin', BIN, *arguments],
                              capture_output=True, text=True, check=False, timeout=200)

    def test_whole_suite(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / 'out.json'
            done = self.run_bench('--threads=1,2', '--bandwidth=10', '--policies=split,static', '--json', file)
            self.assertEqual((done.returncode, done.stderr), (0, ''))
            records = [json.loads(line) for line in file.read_text().splitlines()]
            again = self.run_bench('--threads=1', '--bandwidth=10', '--only=build', '--baseline', file)
        figures = [record for record in records if record['kind'] == 'figure']
        self.assertEqual((records[0]['kind'], records[-1]['kind']), ('run', 'end'))
        count = {part: sum(figure['section'] == part for figure in figures)
                 for part in ('build', 'task', 'awkward', 'query')}
        self.assertEqual(count, {'build': 12, 'task': 4, 'awkward': 5, 'query': 8})
        self.assertTrue(all(figure['min'] > 0 for figure in figures))
        self.assertTrue(all(figure['floor'] > 0 for figure in figures if figure['section'] == 'build'))
        self.assertEqual(done.stdout.count('\n| '), len(figures) + 1)
        self.assertEqual(again.returncode, 0)
        self.assertIn('change', again.stdout)

    def test_mistakes(self):
        self.assertIn('no libgraphws.so', self.run_bench('--bin', '/').stderr)
        self.assertEqual(self.run_bench('--only=nothing').returncode, 2)


if __name__ == '__main__':
    unittest.main()
