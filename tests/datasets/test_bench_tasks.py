# SPDX-License-Identifier: MIT
"""datasets/bench/tasks on its smallest suite: the tables, the JSON, and a single thread."""
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
BENCH = SOURCE / 'datasets' / 'bench' / 'tasks'
POLICIES, WORKLOADS = 10, 6


class Tasks(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.file = Path(holder.name) / 'out.json'

    def run_bench(self, *arguments, **environment):
        return subprocess.run([sys.executable, BENCH, '--suite=smoke', '--bin', BIN, *arguments],
                              env=dict(os.environ, **environment), capture_output=True, text=True, check=False,
                              timeout=200)

    def good(self, *arguments, **environment):
        """(what it printed, the records of its JSON)."""
        done = self.run_bench('--quiet', '--json', self.file, *arguments, **environment)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        return done.stdout, [json.loads(line) for line in self.file.read_text().splitlines()]

    def test_whole_suite(self):
        # A plain program cannot load a library with sanitizers.
        parts = ['--only=table,static,amount,aborting,lengths'] if os.environ.get('GRAPHWS_SAN') else []
        text, records = self.good('--threads=1,2', *parts)
        figures = [record for record in records if record['kind'] == 'figure']
        self.assertEqual((records[0]['kind'], records[-1]['kind']), ('run', 'end'))
        self.assertEqual(sum(figure['section'] == 'table' for figure in figures), 2 * POLICIES * WORKLOADS)
        self.assertLessEqual({'table', 'static', 'amount', 'aborting', 'lengths'},
                             {figure['section'] for figure in figures})
        self.assertTrue(parts or 'Empty tasks' in text or 'left out: spawn' in text, text)
        for figure in figures:
            self.assertEqual(figure['runs'], len(figure['values']))
            self.assertGreater(figure['min'], 0)
        claims = [record for record in records if record['kind'] == 'claim']
        self.assertGreaterEqual(len(claims), 6)
        for claim in claims:
            self.assertIn(claim['says'], text)

    def test_one_thread_leaves_out_what_takes_two(self):
        text, records = self.good('--threads=1', '--only=table,amount', '--policies=split,chaselev')
        self.assertIn('left out: amount: it takes two threads', text)
        self.assertEqual(sum(record['kind'] == 'figure' for record in records), 2 * WORKLOADS)

    def test_without_a_compiler(self):
        text, _ = self.good('--threads=1', '--only=spawn', PATH='/nowhere', CC='', CXX='')
        self.assertIn('left out: spawn: no C compiler', text)

    def test_mistakes(self):
        check_refused(self, self.run_bench, (
            (['--only=nothing'], 'one or several of'), (['--threads=0'], 'numbers of threads'),
            (['--policies=best'], 'one or several of'), (['--bin=/nowhere'], 'gtask is not in')))


if __name__ == '__main__':
    unittest.main()
