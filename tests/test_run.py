# SPDX-License-Identifier: MIT
"""Tests of the test runner with generated test programs: every failure must be reported."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

RUN = Path(__file__).resolve().parent / 'run'


class Runner(unittest.TestCase):
    def run_programs(self, limit='10', **scripts):
        """Runs shell scripts as test programs; (exit status, output, [passed, failed, skipped])."""
        with tempfile.TemporaryDirectory() as build:
            folder = Path(build) / 'tests' / 'made_up'
            folder.mkdir(parents=True)
            for name, text in scripts.items():
                (folder / name).write_text('#!/bin/sh\n' + text + '\n')
                (folder / name).chmod(0o755)
            totals = Path(build) / 'totals'
            done = subprocess.run(
                [sys.executable, RUN, '--build', build, '--jobs', '2', '--only', 'made_up', '--limit', limit,
                 *sorted(folder.iterdir())], env=dict(os.environ, GRAPHWS_TEST_TOTALS=str(totals)),
                capture_output=True, text=True, check=False)
            counts = [int(word) for word in totals.read_text().split()]
        last = done.stdout.splitlines()[-1]
        self.assertEqual(last, '{} passed, {} failed, {} skipped'.format(*counts))
        self.assertEqual(done.stderr, '')
        return done.returncode, done.stdout, counts

    def test_cases_are_summed(self):
        status, _, counts = self.run_programs(a='echo "100%: Checks: 5, Failures: 0, Errors: 0"', b='exit 0')
        self.assertEqual((status, counts), (0, [6, 0, 0]))

    def test_failures_are_shown_in_full(self):
        text = 'echo "60%: Checks: 5, Failures: 1, Errors: 1"; echo details of it; exit 1'
        status, output, counts = self.run_programs(a=text, b='exit 0')
        self.assertEqual((status, counts), (1, [4, 2, 0]))
        self.assertIn('details of it', output)
        self.assertRegex(output, r'(?m)^failed: made_up/a$')

    def test_a_crash_fails_even_when_every_check_passed(self):
        status, _, counts = self.run_programs(a='echo "100%: Checks: 5, Failures: 0, Errors: 0"; kill -SEGV $$')
        self.assertEqual((status, counts), (1, [4, 1, 0]))

    def test_a_hang_is_ended_with_its_children(self):
        with tempfile.NamedTemporaryFile('r') as pid:
            status, output, counts = self.run_programs(limit='0.5', a=f'sleep 60 & echo $! >{pid.name}; wait')
            self.assertEqual((status, counts), (1, [0, 1, 0]))
            self.assertIn('ended after 0.5 s', output)
            state = Path(f'/proc/{int(pid.read())}/stat')
            self.assertTrue(not state.exists() or re.search(r'\) Z', state.read_text()))

    def test_what_is_skipped_is_said(self):
        status, output, counts = self.run_programs(a='echo "skipped: no data set"', b='exit 0')
        self.assertEqual((status, counts), (0, [1, 0, 1]))
        self.assertIn('skipped: no data set', output)

    def test_running_nothing_is_no_success(self):
        status, _, counts = self.run_programs()
        self.assertEqual((status, counts), (1, [0, 0, 0]))

    def test_temporary_files_go(self):
        with tempfile.TemporaryDirectory() as keep:
            self.run_programs(a=f'echo x >"$TMPDIR/left"; echo "$TMPDIR" >{keep}/where')
            self.assertFalse(Path((Path(keep) / 'where').read_text().strip()).exists())


if __name__ == '__main__':
    unittest.main()
