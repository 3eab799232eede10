# SPDX-License-Identifier: MIT
"""datasets/bench/advice: two tiny workloads, its comparison for known times, and wrong uses."""
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
BENCH = SOURCE / 'datasets' / 'bench' / 'advice'


class Advice(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.file = Path(holder.name) / 'values.json'

    @staticmethod
    def run_bench(*arguments):
        return subprocess.run([sys.executable, BENCH, '--bin', BIN, '--quiet', *arguments], capture_output=True, text=True, check=False,
                              timeout=300)

    def rows(self, text):
        """{work: (advised, how much longer it takes)}"""
        lines = [[cell.strip() for cell in line.strip('|').split('|')] for line in text.splitlines() if line.startswith('|')]
        return {row[0]: (row[3], row[5]) for row in lines[2:]}

    def test_known_times(self):
        measured = self.run_bench('--small', '--measure', '--threads=2', '--rounds=2', '--repeat=1', '--json', self.file)
        self.assertEqual((measured.returncode, measured.stdout, measured.stderr), (0, '', ''))
        lines = [json.loads(line) for line in self.file.read_text().splitlines()]
        for line in lines[1:]:
            self.assertEqual({len(times) for times in line['times'].values()}, {2})
            self.assertIn('split, amount chunk of 32', line['times'])
            line['times'] = {name: [20.0, 10.0] if name == 'split' else [24.0, 12.0] for name in line['times']}
        self.file.write_text(''.join(json.dumps(line) + '\n' for line in lines))
        shown = self.run_bench('--from', self.file)
        self.assertEqual((shown.returncode, shown.stderr), (0, ''))
        found = self.rows(shown.stdout)
        self.assertEqual(set(found), {'UTS T1', 'BPC, 1 us'})
        for advised, longer in found.values():
            self.assertEqual(longer, '+0.0 %' if advised == 'split' else '+20.0 %')
        good = sum(advised == 'split' for advised, _ in found.values())
        self.assertIn(f'within 5% of the best: {good} of 2', shown.stdout)

    def test_wrong_uses(self):
        self.file.write_text('{"kind": "run"}\n')
        check_refused(self, self.run_bench, (
            (['--only=nothing'], 'one or several'), (['--from', self.file], 'not written by this program'),
            (['--from=/nowhere'], '/nowhere'), (['--threads=0'], 'whole number')))


if __name__ == '__main__':
    unittest.main()
