#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A short form of the litmus tests of memory orders: build/tests/lib/device/time_litmus runs them on all devices."""
import os
import subprocess
import unittest
from pathlib import Path

PROGRAM = Path(os.environ.get('GRAPHWS_BUILD', 'build')) / 'tests' / 'lib' / 'device' / 'time_litmus'
ROUNDS = 4000


def run(*words):
    return subprocess.run([PROGRAM, *words], check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


class Litmus(unittest.TestCase):
    def test_no_forbidden_outcome(self):
        done = run(str(ROUNDS), os.environ.get('GWS_TEST_DEVICE', ''))
        if 'there is no device' in done.stdout:
            print('skipped: litmus tests: there is no device')
            return
        self.assertEqual(done.returncode, 0, done.stdout)
        lines = [line for line in done.stdout.splitlines() if ' rounds, ' in line]
        self.assertEqual(len(lines) % 3, 0)
        self.assertGreaterEqual(len(lines), 3, done.stdout)
        for line in lines:
            self.assertRegex(line,
                             r'((message passing|load buffering) +\d+ rounds, +\d+ saw a new value, 0 forbidden|'
                             r'relaxed messages +\d+ rounds, +\d+ saw a new value, \d+ weak)$')
            self.assertGreaterEqual(int(line.split(' rounds')[0].split()[-1]), ROUNDS)

    def test_usage(self):
        for words in (['0'], ['many'], ['1', 'cuda', 'more']):
            done = run(*words)
            self.assertEqual((done.returncode, done.stdout),
                             (2, 'time_litmus: expected [ROUNDS [PREFIX]], ROUNDS at least 1\n'))
        self.assertEqual(run('1', 'nothing').returncode, 1)


if __name__ == '__main__':
    unittest.main()
