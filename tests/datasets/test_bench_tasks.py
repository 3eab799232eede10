# SPDX-License-Identifier: MIT
"""datasets/bench/tasks on its smallest suite: the tables, the JSON, and a single thread."""
import os
import unittest

from bench import BIN, BenchTest, records

POLICIES, WORKLOADS = 10, 6


class Tasks(BenchTest):
    program, always = 'tasks', ('--suite=smoke', '--bin', BIN)

    def good(self, *arguments, **environment):
        """(what it printed, the records of its JSON)."""
        return self.output('--quiet', '--json', self.file, *arguments, **environment), records(self.file)

    def test_whole_suite(self):
        # A plain program cannot load a library with sanitizers.
        parts = ['--only=table,static,amount,aborting,lengths'] if os.environ.get('GRAPHWS_SAN') else []
        text, found = self.good('--threads=1,2', *parts)
        figures = [record for record in found if record['kind'] == 'figure']
        self.assertEqual((found[0]['kind'], found[-1]['kind']), ('run', 'end'))
        self.assertEqual(sum(figure['section'] == 'table' for figure in figures), 2 * POLICIES * WORKLOADS)
        self.assertLessEqual({'table', 'static', 'amount', 'aborting', 'lengths'},
                             {figure['section'] for figure in figures})
        self.assertTrue(parts or 'Empty tasks' in text or 'left out: spawn' in text, text)
        for figure in figures:
            self.assertEqual(figure['runs'], len(figure['values']))
            self.assertGreater(figure['min'], 0)
        claims = [record for record in found if record['kind'] == 'claim']
        self.assertGreaterEqual(len(claims), 6)
        for claim in claims:
            self.assertIn(claim['says'], text)

    def test_one_thread_leaves_out_what_takes_two(self):
        text, found = self.good('--threads=1', '--only=table,amount', '--policies=split,chaselev')
        self.assertIn('left out: amount: it takes two threads', text)
        self.assertEqual(sum(record['kind'] == 'figure' for record in found), 2 * WORKLOADS)

    def test_without_a_compiler(self):
        text, _ = self.good('--threads=1', '--only=spawn', PATH='/nowhere', CC='', CXX='')
        self.assertIn('left out: spawn: no C compiler', text)

    def test_mistakes(self):
        self.check_refused((
            (['--only=nothing'], 'one or several of'), (['--threads=0'], 'numbers of threads'),
            (['--policies=best'], 'one or several of'), (['--bin=/nowhere'], 'gtask is not in')))


if __name__ == '__main__':
    unittest.main()
