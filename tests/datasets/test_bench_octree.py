# SPDX-License-Identifier: MIT
"""datasets/bench/octree on its smallest suite: the table and the JSON."""
import os
import unittest

from bench import BIN, BenchTest, records


@unittest.skipIf(os.environ.get('GRAPHWS_SAN'), 'a plain program cannot load a library with sanitizers')
class Octree(BenchTest):
    program, always = 'octree', ('--suite=smoke', '--quiet', '--bin', BIN)

    def test_whole_suite(self):
        text = self.output('--threads=1,2', '--bandwidth=10', '--policies=split,static', '--json', self.file)
        about, *figures, end = records(self.file)
        again = self.run_bench('--threads=1', '--bandwidth=10', '--only=build', '--baseline', self.file)
        self.assertEqual((about['kind'], end['kind']), ('run', 'end'))
        figures = [record for record in figures if record['kind'] == 'figure']
        count = {part: sum(figure['section'] == part for figure in figures)
                 for part in ('build', 'task', 'awkward', 'query')}
        self.assertEqual(count, {'build': 12, 'task': 4, 'awkward': 5, 'query': 8})
        self.assertTrue(all(figure['min'] > 0 for figure in figures))
        self.assertTrue(all(figure['floor'] > 0 for figure in figures if figure['section'] == 'build'))
        self.assertEqual(text.count('\n| '), len(figures) + 1)
        self.assertEqual(again.returncode, 0)
        self.assertIn('change', again.stdout)

    def test_mistakes(self):
        self.assertIn('no libgraphws.so', self.run_bench('--bin', '/').stderr)
        self.assertEqual(self.run_bench('--only=nothing').returncode, 2)


if __name__ == '__main__':
    unittest.main()
