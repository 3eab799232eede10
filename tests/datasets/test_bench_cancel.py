# SPDX-License-Identifier: MIT
"""datasets/bench/cancel on its smallest suite: the table and the JSON."""
import unittest

from bench import BIN, BenchTest, records


class Cancel(BenchTest):
    program, always = 'cancel', ('--suite=smoke', '--quiet', '--bin', BIN)

    def test_tasks(self):
        text = self.output('--only=tasks', '--moments=2', '--json', self.file)
        about, *figures, end = records(self.file)
        self.assertEqual((about['kind'], end['kind'], end['failures'], end['skipped']), ('run', 'end', [], []))
        self.assertEqual({figure['kind'] for figure in figures}, {'figure'})
        self.assertIn('gtask madness --function=peak --verify', [figure['name'] for figure in figures])
        self.assertTrue(all(figure['min'] > 0 for figure in figures))
        self.assertEqual(text.count('\n| '), len(figures) + 1 - text.startswith('| '))

    def test_mistakes(self):
        self.assertIn('is not in /', self.run_bench('--bin', '/').stderr)
        self.assertEqual(self.run_bench('--only=nothing').returncode, 2)


if __name__ == '__main__':
    unittest.main()
