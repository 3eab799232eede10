#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A short form of time_accesses: it prints all costs of each device, and its operations have the right results."""
import json
import os
import subprocess
import unittest
from pathlib import Path

PROGRAM = Path(os.environ.get('GRAPHWS_BUILD', 'build')) / 'tests' / 'lib' / 'device' / 'time_accesses'
OWN = ['push', 'pop', 'steal', 'lock', 'host', 'word', 'read', 'retry']


def run(*words):
    return subprocess.run([PROGRAM, *words], check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


class Accesses(unittest.TestCase):
    def test_costs(self):
        done = run('200', os.environ.get('GWS_TEST_DEVICE', ''))
        if 'there is no device' in done.stdout:
            print('skipped: costs of devices: there is no device')
            return
        self.assertEqual(done.returncode, 0, done.stdout)
        costs = {}
        for line in map(json.loads, done.stdout.splitlines()):
            costs.setdefault((line['device'], line['peer']), []).append(line['cost'])
            self.assertIsInstance(line['ns'], (int, float))
        for (device, peer), names in costs.items():
            self.assertIn(names, ([*OWN], [*OWN, 'message']) if peer is None else
                          (['network', 'server', 'byte'], ['network', 'server', 'byte', 'message']), (device, peer))

    def test_usage(self):
        for words in (['0'], ['16385'], ['many'], ['1', 'cuda', 'more']):
            done = run(*words)
            self.assertEqual((done.returncode, done.stdout),
                             (2, 'time_accesses: expected [ROUNDS [PREFIX]], ROUNDS from 1 to 16384\n'))
        self.assertEqual(run('1', 'nothing').returncode, 1)


if __name__ == '__main__':
    unittest.main()
