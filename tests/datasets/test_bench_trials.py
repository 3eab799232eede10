# SPDX-License-Identifier: MIT
"""datasets/bench/trials on the build that is tested: the steps that take little time, and a step that fails."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
BUILD = Path(os.environ.get('GRAPHWS_BUILD', SOURCE / 'build'))


class Trials(unittest.TestCase):
    def run_trials(self, build, only):
        return subprocess.run([sys.executable, '-B', SOURCE / 'datasets/bench/trials', '--build', build, '--only', only],
                              capture_output=True, text=True, check=False, timeout=200)

    def test_points(self):
        done = self.run_trials(BUILD, 'point-cloud')
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertRegex(done.stdout, r'\| point-cloud engineer \| read LAS, write PCD \| \d+\.\d\d \|\n')
        self.assertEqual(done.stdout.count('| point-cloud'), 3)

    def test_failure(self):
        with tempfile.TemporaryDirectory() as empty:
            done = self.run_trials(empty, 'a picture')
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r'a picture \| \d+\.\d\d FAILED \|')
        self.assertIn('not found', done.stderr)


if __name__ == '__main__':
    unittest.main()
