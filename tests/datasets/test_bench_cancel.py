# SPDX-License-Identifier: MIT
"""datasets/bench/cancel on its smallest suite: the table and the JSON."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
BIN = Path(os.environ.get('GRAPHWS_BUILD', SOURCE / 'build')) / 'bin'
BENCH = SOURCE / 'datasets' / 'bench' / 'cancel'


class Cancel(unittest.TestCase):
    def run_bench(self, *arguments):
        return subprocess.run([sys.executable, BENCH, '--suite=smoke', '--quiet', '--bin', BIN, *arguments],
                              capture_output=True, text=True, check=False, timeout=200)

    def test_tasks(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / 'out.json'
            done = self.run_bench('--only=tasks', '--moments=2', '--json', file)
            records = [json.loads(line) for line in file.read_text().splitlines()]
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        figures = [record for record in records if record['kind'] == 'figure']
        self.assertEqual((records[0]['kind'], records[-1]['kind']), ('run', 'end'))
        self.assertEqual((records[-1]['failures'], records[-1]['skipped']), ([], []))
        self.assertIn('gtask madness --function=peak --verify', [figure['name'] for figure in figures])
        self.assertTrue(all(figure['min'] > 0 for figure in figures))
        self.assertEqual(done.stdout.count('\n| '), len(figures) + 1 - done.stdout.startswith('| '))

    def test_mistakes(self):
        self.assertIn('is not in /', self.run_bench('--bin', '/').stderr)
        self.assertEqual(self.run_bench('--only=nothing').returncode, 2)


if __name__ == '__main__':
    unittest.main()
